"""What has to stay of a head for all of its scores, when its hidden states and weights are let go."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.checks import FloatArray
from attention_core.heads import Head


@dataclass(frozen=True, eq=False)
class KeptHead:
    """A head without X, W_Q and W_K, for every function of attention_core.head_attention but random_head.

    Q, K (n, d_k); `parts`, X U S and X V (n, r), with the singular `values` (r,) of W_Q W_Kᵀ = U S Vᵀ; `biases`, two
    of (n,), and `pos_bias` (n, n) or None: each as the Head has it, and closed to changes.
    Law: nbytes is at most 8 n (4 d_k + n + 2) + 8 d_k, whatever d_model: 10.5 MB for the largest that a file may hold.
    """

    tokens: tuple[str, ...]
    d_model: int
    Q: FloatArray
    K: FloatArray
    parts: tuple[FloatArray, FloatArray]
    values: FloatArray
    biases: tuple[FloatArray, FloatArray]
    pos_bias: FloatArray | None

    def __post_init__(self) -> None:
        for array in self._arrays:
            array.setflags(write=False)

    @classmethod
    def of(cls, head: Head) -> KeptHead:
        """What is kept of a head."""
        return cls(
            head.tokens, head.d_model, head.Q, head.K, head.parts, head.values, head.biases, head.pos_bias
        )  # fmt: skip

    @property
    def d_k(self) -> int:
        return int(self.Q.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self._arrays)

    @property
    def _arrays(self) -> tuple[FloatArray, ...]:
        bias = () if self.pos_bias is None else (self.pos_bias,)
        return (self.Q, self.K, *self.parts, self.values, *self.biases, *bias)


AnyHead = Head | KeptHead
"""A head whose scores can be computed."""
