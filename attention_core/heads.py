"""Attention heads out of trained models: recorded ones, one's own from a file, and what their scores are made of.

The recorded heads are three of sentence-transformers/all-MiniLM-L6-v2; data/heads/README.md tells where they come
from, under which licence, and what they do and do not show.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import softmax
from attention_core.checks import FloatArray, as_floats, as_matrix, check_columns, check_finite, check_rows, product
from attention_core.head_files import read_arrays
from attention_core.scaling import Scaling, get_scaling, row_lengths

RECORDED = ("L3H1", "L0H2", "L4H5")
ENDINGS = ("tired", "wide", "swapped")
FOLDER = Path(__file__).parents[1] / "data" / "heads"


@dataclass(frozen=True, eq=False)
class Head:
    """One attention head and the hidden states that enter its layer, all float64.

    X (n, d_model), one row a token; W_Q, W_K (d_model, d_k); b_Q, b_K (d_k,), zeros unless given;
    W_V (d_model, d_v) and b_V (d_v,) or None; `expected` (n, n) are the weights that the model itself computed,
    or None; `layer` and `head` count from 0 and are None when unknown.
    Errors: ValueError for shapes that do not fit, an empty matrix, or an entry that is not finite.
    """

    tokens: tuple[str, ...]
    X: FloatArray
    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray | None = None
    b_Q: FloatArray = field(default_factory=lambda: np.zeros(0))
    b_K: FloatArray = field(default_factory=lambda: np.zeros(0))
    b_V: FloatArray | None = None
    expected: FloatArray | None = None
    layer: int | None = None
    head: int | None = None

    def __post_init__(self) -> None:
        X, W_Q, W_K = (_matrix(name, getattr(self, name)) for name in ("X", "W_Q", "W_K"))
        reason = f"one for each column of X of shape {X.shape}"
        check_rows("W_Q", W_Q, X.shape[1], reason)
        check_rows("W_K", W_K, X.shape[1], reason)
        check_columns("W_K", W_K, W_Q.shape[1], f"as W_Q of shape {W_Q.shape} has")
        checked: dict[str, FloatArray | None] = {"X": X, "W_Q": W_Q, "W_K": W_K}
        for name in ("b_Q", "b_K"):
            checked[name] = _vector(name, getattr(self, name), W_Q.shape[1])
        if self.W_V is not None:
            checked["W_V"] = W_V = _matrix("W_V", self.W_V)
            check_rows("W_V", W_V, X.shape[1], reason)
            checked["b_V"] = _vector("b_V", np.zeros(0) if self.b_V is None else self.b_V, W_V.shape[1])
        if self.expected is not None:
            checked["expected"] = expected = _matrix("expected", self.expected)
            check_rows("expected", expected, X.shape[0], "one for each token")
            check_columns("expected", expected, X.shape[0], "one for each token")
        if len(self.tokens) != X.shape[0]:
            raise ValueError(f"there are {len(self.tokens)} tokens; expected {X.shape[0]}, one for each row of X")
        for name, array in checked.items():
            object.__setattr__(self, name, array)

    @property
    def d_model(self) -> int:
        return int(self.X.shape[1])

    @property
    def d_k(self) -> int:
        return int(self.W_Q.shape[1])

    @cached_property
    def Q(self) -> FloatArray:
        """The queries X W_Q + b_Q, shape (n, d_k)."""
        return product("Q", self.X, self.W_Q) + self.b_Q

    @cached_property
    def K(self) -> FloatArray:
        """The keys X W_K + b_K, shape (n, d_k)."""
        return product("K", self.X, self.W_K) + self.b_K

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """X U (n, r), the singular values (r,), X V (n, r) of W_Q W_Kᵀ = U S Vᵀ, r = min(d_model, d_k).

        W_Q = A R and W_K = B T with orthonormal A and B; the SVD of the small R Tᵀ is u S vᵀ; U = A u, V = B v.
        """
        A, R = np.linalg.qr(self.W_Q)
        B, T = np.linalg.qr(self.W_K)
        u, s, v_transposed = np.linalg.svd(R @ T.T)
        return self.X @ A @ u, s, self.X @ B @ v_transposed.T


def _matrix(name: str, values: ArrayLike) -> FloatArray:
    return as_matrix(name, values).astype(np.float64, copy=False)


def _vector(name: str, values: ArrayLike, size: int) -> FloatArray:
    """A finite bias of that size as float64; an empty one stands for zeros."""
    vector = as_floats(values, name).astype(np.float64, copy=False)
    if vector.shape == (0,):
        return np.zeros(size)
    if vector.shape != (size,):
        raise ValueError(f"{name} has shape {vector.shape}; expected ({size},)")
    return check_finite(name, vector)


@lru_cache
def load_head(name: str, ending: str = "tired") -> Head:
    """A recorded head of all-MiniLM-L6-v2 in one of three sentences; its arrays are read-only.

    L3H1 looks from "it" to the first noun, L0H2 to the previous token, L4H5 to [CLS].
    "… because it was too tired", "… too wide", and "swapped" with the nouns swapped.
    Errors: ValueError for an unknown name or ending, which lists the known ones.
    """
    if name not in RECORDED:
        raise ValueError(f"unknown head {name!r}; expected one of {', '.join(RECORDED)}")
    if ending not in ENDINGS:
        raise ValueError(f"unknown ending {ending!r}; expected one of {', '.join(ENDINGS)}")
    suffix = "" if ending == "tired" else f"_{ending}"
    with np.load(FOLDER / f"minilm_{name}.npz", allow_pickle=False) as file:
        parts = {"X": f"X{suffix}", "expected": f"expected_weights{suffix}"}
        parts |= {part: part for part in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")}
        arrays = {part: file[stored].astype(np.float64) for part, stored in parts.items()}
        tokens, layer, head = tuple(file[f"tokens{suffix}"].tolist()), int(file["layer"]), int(file["head"])
    for array in arrays.values():
        array.setflags(write=False)
    return replace(_head(tokens, arrays), layer=layer, head=head)


def _head(tokens: tuple[str, ...], arrays: dict[str, FloatArray]) -> Head:
    """A head of the arrays of these names; X, W_Q and W_K must be there."""
    return Head(
        tokens,
        arrays["X"],
        arrays["W_Q"],
        arrays["W_K"],
        W_V=arrays.get("W_V"),
        b_Q=arrays.get("b_Q", np.zeros(0)),
        b_K=arrays.get("b_K", np.zeros(0)),
        b_V=arrays.get("b_V") if "W_V" in arrays else None,  # no bias of values that are not there
        expected=arrays.get("expected"),
    )


def read_head(data: bytes) -> Head:
    """A head from the bytes of an .npz file that anybody may have written.

    Shapes: X (n, d_model), W_Q and W_K (d_model, d_k) are required; W_V (d_model, d_v), b_Q and b_K (d_k,),
        b_V (d_v,) and tokens (n,) may be there, and anything else that is small is left alone.
    Limits: 40 MB, 512 tokens of at most 24 characters, d_model 4096, d_k and d_v 512; nothing is unpickled.
    Errors: HeadProblem, a ValueError with a code and its values, see attention_core.head_files.PROBLEMS.
    """
    arrays, tokens = read_arrays(data)
    return _head(tokens, arrays)


def write_template() -> bytes:
    """A small .npz file that read_head accepts, with every array that it can hold: 6 tokens, d_model 16, d_k 4."""
    rng = np.random.default_rng(6)
    weights = {name: rng.normal(0, 16**-0.5, (16, 4)) for name in ("W_Q", "W_K", "W_V")}
    biases = {name: rng.normal(0, 0.1, 4) for name in ("b_Q", "b_K", "b_V")}
    file = io.BytesIO()
    tokens = np.array(["The", "cat", "sat", "on", "the", "mat"])
    np.savez(file, allow_pickle=False, tokens=tokens, X=rng.standard_normal((6, 16)), **weights, **biases)
    return file.getvalue()


def head_scores(head: Head, components: int | None = None) -> FloatArray:
    """Raw scores of every query and key, of the whole head or of its strongest components.

    Formula: (X W_Q + b_Q)(X W_K + b_K)ᵀ; with components = r, W_Q W_Kᵀ = Σ σᵢ uᵢ vᵢᵀ is cut to its r largest
        terms in X W_Q W_Kᵀ Xᵀ, while the terms with a bias, X W_Q b_Kᵀ + b_Q W_Kᵀ Xᵀ + b_Q b_Kᵀ, stay whole.
    Shapes: -> (n, n), row = query.
    Law: r = d_k gives the whole to rounding; r = 0 leaves the bias terms; no matrix of rank r is nearer to
        W_Q W_Kᵀ than what is kept.
    Errors: ValueError when components is no whole number from 0 to d_k, or when entries are so large that a
        product overflows.
    Source: Eckart and Young, Psychometrika 1, 211 (1936); W_Q W_Kᵀ as one bilinear form: Elhage et al.,
        A Mathematical Framework for Transformer Circuits (2021).
    """
    if components is None:
        return product("scores", head.Q, head.K.T)
    if isinstance(components, bool) or not isinstance(components, int | np.integer) or not 0 <= components <= head.d_k:
        raise ValueError(f"components is {components!r}; expected a whole number from 0 to {head.d_k}")
    left, values, right = (part[..., :components] for part in head._parts)
    biases = product("scores", head.X, head.W_Q @ head.b_K)[:, None] + product("scores", head.K, head.b_Q)
    return check_finite("scores", product("scores", left * values, right.T) + biases)


def singular_values(head: Head) -> FloatArray:
    """How strong each component of W_Q W_Kᵀ is: (d_k,), from the largest down.

    Law: their squares sum to ‖W_Q W_Kᵀ‖², and those after the r-th to the squared error of r components.
    When d_model < d_k the last d_k − d_model are 0. The d_model × d_model product is never formed.
    Source: Golub and Van Loan, Matrix Computations, section 8.6: QR of both factors, SVD of the small core.
    """
    values = head._parts[1]
    return np.concatenate([values, np.zeros(head.d_k - len(values))])


def head_weights(
    head: Head, scaling: str | Scaling = "sqrt", temperature: float = 1.0, components: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """The scores after rule and temperature, and the weights they give.

    Formula: scaled = rule(scores) / temperature, weights = softmax(scaled) by rows.
    Shapes: -> two of (n, n), row = query.
    Law: with rule "sqrt" and temperature 1 the weights are the model's own; "none" is "sqrt" at 1/√d_k.
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
        scaled = check_finite("scaled", np.asarray(scaled / temperature))
    return scaled, softmax(scaled)


def random_head(head: Head, rng: np.random.Generator) -> Head:
    """What a head looks like before training: the same tokens and hidden states, fresh weights, no biases.

    Formula: X / rms(X); W_Q and W_K of independent N(0, 1/d_model) entries, so that queries and keys have
        entries of mean square 1 and raw scores a root mean square of √d_k.
    Law: the same generator gives the same head. An X of zeros stays as it is.
    """
    largest = np.abs(head.X).max() or 1.0
    with np.errstate(under="ignore"):
        unit = head.X / largest  # so that no square overflows or vanishes
        X = unit / (np.sqrt(np.mean(unit * unit)) or 1.0)
    W_Q, W_K = rng.normal(0, head.d_model**-0.5, (2, head.d_model, head.d_k))
    return Head(head.tokens, X, W_Q, W_K)
