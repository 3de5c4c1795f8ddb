"""The mathematics of scaled dot-product attention, in numpy."""

from attention_core.attention import Trace, scaled_dot_product_attention, self_attention, softmax
from attention_core.examples import EXAMPLES, Example, get_example
from attention_core.formats import format_limits
from attention_core.gradients import Gradients, self_attention_backward, softmax_jacobian
from attention_core.growth import d_grid, row_score_draws, score_sweep, widen, widen_pair
from attention_core.head_attention import head_scores, head_weights, random_head, singular_values
from attention_core.head_files import HeadProblem
from attention_core.heads import Head, load_head, read_head
from attention_core.saturation import concentration, effective_keys, entropy, sensitivity
from attention_core.scaling import SCALINGS, NoScaling, Scaling, get_scaling
from attention_core.sweep import saturation_sweep
from attention_core.sweep_records import SaturationSweep
from attention_core.theory import expected_concentration, expected_entropy, expected_sensitivity, onset
from attention_core.training import GridCell, TrainingStep, train, training_grid

__all__ = [
    "EXAMPLES",
    "SCALINGS",
    "Example",
    "Gradients",
    "GridCell",
    "Head",
    "HeadProblem",
    "NoScaling",
    "SaturationSweep",
    "Scaling",
    "Trace",
    "TrainingStep",
    "concentration",
    "d_grid",
    "effective_keys",
    "entropy",
    "expected_concentration",
    "expected_entropy",
    "expected_sensitivity",
    "format_limits",
    "get_example",
    "get_scaling",
    "head_scores",
    "head_weights",
    "load_head",
    "onset",
    "random_head",
    "read_head",
    "row_score_draws",
    "saturation_sweep",
    "scaled_dot_product_attention",
    "score_sweep",
    "self_attention",
    "self_attention_backward",
    "sensitivity",
    "singular_values",
    "softmax",
    "softmax_jacobian",
    "train",
    "training_grid",
    "widen",
    "widen_pair",
]
