"""What the tests of the theory share: its three means, the rules it holds for, and the tolerance of samples."""

from attention_core import get_scaling
from attention_core.scaling import SCALINGS
from attention_core.theory import expected_concentration, expected_entropy, expected_sensitivity

Z = 4.5
MEANS = (expected_concentration, expected_entropy, expected_sensitivity)
MULTIPLIERS = [name for name in SCALINGS if get_scaling(name).only_multiplies]
