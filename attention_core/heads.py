"""Attention heads out of trained models: recorded ones and one's own from a file.

The recorded heads are three of sentence-transformers/all-MiniLM-L6-v2; data/heads/README.md tells where they come
from, under which licence, and what they do and do not show.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import softmax
from attention_core.checks import FloatArray, as_floats, as_matrix, check_columns, check_finite, check_rows, product
from attention_core.head_files import read_arrays

RECORDED = ("L3H1", "L0H2", "L4H5")
ENDINGS = ("tired", "wide", "swapped")
FOLDER = Path(__file__).parents[1] / "data" / "heads"


@dataclass(frozen=True, eq=False)
class Head:
    """One attention head and the hidden states that enter its layer, all float64.

    X (n, d_model), one row a token; W_Q, W_K (d_model, d_k); b_Q, b_K (d_k,), zeros unless given;
    W_V (d_model, d_v) and b_V (d_v,) or None; `pos_bias` (n, n), row = query, is what the model adds to the scaled
    scores for the two tokens' positions, as T5 and MPNet do, or None; `expected` (n, n) are the weights that the
    model itself computed, or None; `layer` and `head` count from 0 and are None when unknown.
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
    pos_bias: FloatArray | None = None
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
        for name in ("pos_bias", "expected"):
            if getattr(self, name) is not None:
                checked[name] = square = _matrix(name, getattr(self, name))
                check_rows(name, square, X.shape[0], "one for each token")
                check_columns(name, square, X.shape[0], "one for each token")
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
    def factors(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """left (d_k, r), the singular values S (r,) and right (d_k, r) of W_Q W_Kᵀ = U S Vᵀ, r = min(d_model, d_k):
        W_Q left = U S and W_K right = V.

        W_Q = A R and W_K = B T with orthonormal A and B, which are not needed: R Tᵀ = u S vᵀ gives U = A u and
        V = B v, so U S = A R Tᵀ v = W_Q Tᵀ v and V = B T Rᵀ u / S = W_K Rᵀ u / S. Components that are lost in the
        rounding of R Tᵀ stand as 0 in right.
        """
        R, T = (np.asarray(np.linalg.qr(W, mode="r")) for W in (self.W_Q, self.W_K))
        u, values, v_transposed = np.linalg.svd(R @ T.T)
        lost = values <= np.finfo(float).eps * len(values) * np.linalg.norm(np.abs(R) @ np.abs(T.T))
        return T.T @ v_transposed.T, values, np.where(lost, 0, R.T @ u) / np.where(lost, 1, values)

    @property
    def values(self) -> FloatArray:
        """The singular values of W_Q W_Kᵀ, (r,) with r = min(d_model, d_k), from the largest down."""
        return self.factors[1]

    @cached_property
    def biases(self) -> tuple[FloatArray, FloatArray]:
        """What b_Q and b_K add to a score: X W_Q b_Kᵀ (n,) for its query, and b_Q (X W_K + b_K)ᵀ (n,) for its key."""
        return product("scores", self.X, self.W_Q @ self.b_K), product("scores", self.K, self.b_Q)

    @cached_property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """X U S and X V (n, r): the i-th columns' product is what the i-th component adds to the scores."""
        left, _, right = self.factors
        return product("scores", self.X, self.W_Q) @ left, product("scores", self.X, self.W_K) @ right


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
    return _load(name, ending)


@lru_cache
def _load(name: str, ending: str) -> Head:
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
        pos_bias=arrays.get("pos_bias"),
        expected=arrays.get("expected", arrays.get("expected_weights")),
    )


def read_head(data: bytes) -> Head:
    """A head from the bytes of an .npz file that anybody may have written.

    Shapes: X (n, d_model), W_Q and W_K (d_model, d_k) are required; W_V (d_model, d_v), b_Q and b_K (d_k,),
        b_V (d_v,), tokens (n,), pos_bias and expected_weights (n, n) may be there, and anything else that is small
        is left alone.
    Limits: 40 MB and 5 million entries, 512 tokens of at most 24 characters, d_model 4096, d_k and d_v 512; the rows
        of expected_weights are weights with sum 1; nothing is unpickled.
    Errors: HeadProblem, a ValueError with a code and its values, see attention_core.head_files.PROBLEMS.
    """
    return read_head_and_names(data)[0]


def read_head_and_names(data: bytes) -> tuple[Head, tuple[str, ...]]:
    """What read_head reads, and the names of all that the file holds, whether it was read or not.

    Law: no name is longer than 40 characters or has marks that a page would obey.
    """
    found = read_arrays(data)
    return _head(found.tokens, found.arrays), found.names


def write_template() -> bytes:
    """A small .npz file that read_head accepts, with every array that it can hold: 6 tokens, d_model 16, d_k 4.

    Law: its expected_weights are those that its other arrays give under 1/√d_k, position bias included.
    """
    rng = np.random.default_rng(6)
    weights = {name: rng.normal(0, 16**-0.5, (16, 4)) for name in ("W_Q", "W_K", "W_V")}
    biases = {name: rng.normal(0, 0.1, 4) for name in ("b_Q", "b_K", "b_V")}
    file = io.BytesIO()
    arrays: dict[str, FloatArray] = {
        "X": rng.standard_normal((6, 16)),
        **weights,
        **biases,
        "pos_bias": rng.normal(0, 0.5, (6, 6)),
    }
    tokens = ("The", "cat", "sat", "on", "the", "mat")
    head = _head(tokens, arrays)
    arrays["expected_weights"] = softmax(product("scores", head.Q, head.K.T) / head.d_k**0.5 + arrays["pos_bias"])
    np.savez(file, allow_pickle=False, tokens=np.array(tokens), **arrays)
    return file.getvalue()
