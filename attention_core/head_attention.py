"""What a trained head attends to, what its scores are made of, and what it looked like before training."""

from __future__ import annotations

import math

import numpy as np

from attention_core.attention import softmax
from attention_core.checks import FloatArray, check_finite, product
from attention_core.head_kept import AnyHead
from attention_core.heads import Head
from attention_core.scaling import Scaling, get_scaling, row_lengths


def head_scores(head: AnyHead, components: int | None = None) -> FloatArray:
    """Raw scores of every query and key, of the whole head or of its strongest components.

    Formula: (X W_Q + b_Q)(X W_K + b_K)ᵀ; with components = r, W_Q W_Kᵀ = Σ σᵢ uᵢ vᵢᵀ is cut to its r largest
        terms in X W_Q W_Kᵀ Xᵀ, while the terms with a bias, X W_Q b_Kᵀ + b_Q W_Kᵀ Xᵀ + b_Q b_Kᵀ, stay whole.
    Shapes: -> (n, n), row = query.
    Law: r = d_k gives the whole to rounding; r = 0 leaves the bias terms; no matrix of rank r is nearer to
        W_Q W_Kᵀ than what is kept.
    Errors: ValueError when components is no whole number from 0 to d_k, or when entries are so large that a
        product overflows.
    The position bias is no part of them: it is added after the rule, see head_weights.
    Source: Eckart and Young, Psychometrika 1, 211 (1936); W_Q W_Kᵀ as one bilinear form: Elhage et al.,
        A Mathematical Framework for Transformer Circuits (2021).
    """
    if components is None:
        return product("scores", head.Q, head.K.T)
    if isinstance(components, bool) or not isinstance(components, int | np.integer) or not 0 <= components <= head.d_k:
        raise ValueError(f"components is {components!r}; expected a whole number from 0 to {head.d_k}")
    left, right = (part[:, :components] for part in head.parts)
    of_query, of_key = head.biases
    return check_finite("scores", product("scores", left, right.T) + (of_query[:, None] + of_key))


def singular_values(head: AnyHead) -> FloatArray:
    """How strong each component of W_Q W_Kᵀ is: (d_k,), from the largest down.

    Law: their squares sum to ‖W_Q W_Kᵀ‖², and those after the r-th to the squared error of r components.
    When d_model < d_k the last d_k − d_model are 0. The d_model × d_model product is never formed.
    Source: Golub and Van Loan, Matrix Computations, section 8.6: QR of both factors, SVD of the small core.
    """
    values = head.values
    return np.concatenate([values, np.zeros(head.d_k - len(values))])


def energy(values: FloatArray, kept: int) -> float:
    """Share of ‖W_Q W_Kᵀ‖² that its `kept` strongest components hold.

    Formula: Σᵢ₌₁ʳ σᵢ² / Σᵢ σᵢ², from singular values (d_k,) in falling order.
    Law: from 0 for none to 1 for all, the same for every multiple of the values, however large or small they are;
        1 when all values are 0, since nothing is left out.
    """
    largest = values.max()
    if largest == 0:
        return 1.0
    with np.errstate(under="ignore"):
        squares = (values / largest) ** 2
    return float(min(squares[:kept].sum() / squares.sum(), 1.0))


def root_mean_square(values: FloatArray) -> float:
    """√(mean of the squares), also where a square would overflow or vanish."""
    largest = np.abs(values).max() or 1.0
    with np.errstate(under="ignore"):
        unit = values / largest
        return float(largest * np.sqrt(np.mean(unit * unit)))


def head_weights(
    head: AnyHead, scaling: str | Scaling = "sqrt", temperature: float = 1.0, components: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """The scores after rule, position bias and temperature, and the weights they give.

    Formula: scaled = (rule(scores) + pos_bias) / temperature, weights = softmax(scaled) by rows; the bias, 0 for a
        head without one, comes after the rule as the models have it: no rule scales it, and the temperature divides
        what softmax is given, bias included.
    Shapes: -> two of (n, n), row = query.
    Law: with the model's own rule ("sqrt", for T5 "none") and temperature 1 the weights are the model's own; without
        a position bias "none" is "sqrt" at temperature 1/√d_k.
    The rule is given n keys and the lengths of the whole head's queries and keys, whatever the components.
    Errors: ValueError for an unknown rule, a temperature that is not positive and finite, components out of
        range, or scores that overflow.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"temperature is {temperature!r}; expected a positive finite number")
    rule = get_scaling(scaling)
    lengths = {"q_norm": row_lengths(head.Q), "k_norm": row_lengths(head.K).T}
    with np.errstate(over="ignore", under="ignore"):
        scaled = rule.apply(head_scores(head, components), d_k=head.d_k, n_keys=len(head.tokens), **lengths)
        biased = scaled if head.pos_bias is None else scaled + head.pos_bias
        scaled = check_finite("scaled", np.asarray(biased / temperature))
    return scaled, softmax(scaled)


def random_head(head: Head, rng: np.random.Generator) -> Head:
    """What a head looks like before training: the same tokens and hidden states, fresh weights, no biases, and no
    position bias either, since that is learned as well.

    Formula: X / rms(X); W_Q and W_K of independent N(0, 1/d_model) entries, so that queries and keys have
        entries of mean square 1 and raw scores a root mean square of √d_k.
    Law: the same generator gives the same head. An X of zeros stays as it is.
    """
    largest = np.abs(head.X).max() or 1.0
    with np.errstate(under="ignore"):
        unit = head.X / largest  # so that their size is no subnormal number
        X = unit / (root_mean_square(unit) or 1.0)
    W_Q, W_K = rng.normal(0, head.d_model**-0.5, (2, head.d_model, head.d_k))
    return Head(head.tokens, X, W_Q, W_K)
