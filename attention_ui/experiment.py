"""The experiment a learner edits: tokens and four matrices, and the changes that can be made to it.

An experiment never changes; each change returns a new one. `fresh` marks the cells that were drawn and
not yet touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from attention_core import get_example
from attention_core.checks import FloatArray
from attention_ui.read_only import read_only
from attention_ui.stages import GIVEN

MATRICES = tuple(GIVEN)
# The size each matrix axis has; tokens are set by the sentence.
AXES = {name: matrix.axes for name, matrix in GIVEN.items()}
SIZES = ("d_emb", "d_k", "d_v")
LARGEST_SIZE = 16
LARGEST_ENTRY = 1e6


@dataclass(frozen=True, eq=False)
class Experiment:
    """Tokens, X (n, d_emb), W_Q and W_K (d_emb, d_k), W_V (d_emb, d_v), and where they come from."""

    example: str
    tokens: tuple[str, ...]
    matrices: dict[str, FloatArray]
    fresh: dict[str, np.ndarray] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)  # of matrices drawn as a whole

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What the mathematics depends on, hashable."""
        return tuple((self.matrices[name].shape, self.matrices[name].tobytes()) for name in MATRICES)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and (self.tokens, self.key) == (other.tokens, other.key)

    def __hash__(self) -> int:
        return hash((self.tokens, self.key))

    @property
    def sizes(self) -> dict[str, int]:
        """tokens, d_emb, d_k and d_v."""
        return {axis: self.matrices[name].shape[i] for name in ("X", "W_Q", "W_V") for i, axis in enumerate(AXES[name])}

    @property
    def edited(self) -> bool:
        """True when the example was changed, so that the address alone does not bring it back."""
        return self != from_example(self.example)


@lru_cache
def from_example(name: str) -> Experiment:
    """The untouched example of that name."""
    example = get_example(name)
    return read_only(Experiment(name, example.tokens, {matrix: getattr(example, matrix) for matrix in MATRICES}))


def same(one: Experiment, other: Experiment) -> bool:
    """True when nothing tells them apart, not even where their numbers come from."""
    marked = [{name: mask.tolist() for name, mask in each.fresh.items() if mask.any()} for each in (one, other)]
    return one == other and (one.example, one.seeds) == (other.example, other.seeds) and marked[0] == marked[1]


def with_values(experiment: Experiment, values: dict[str, FloatArray], touched: dict[str, np.ndarray]) -> Experiment:
    """The experiment with these matrices, of the same shapes; cells marked in `touched` are no longer fresh."""
    fresh = {name: mask & ~touched[name] for name, mask in experiment.fresh.items()}
    return replace(experiment, matrices={**experiment.matrices, **values}, fresh=fresh)


def resize(experiment: Experiment, size: str, to: int, seed: int) -> Experiment:
    """One size changed; what stays keeps its values, new cells are seeded normals marked as fresh."""
    matrices, fresh = dict(experiment.matrices), dict(experiment.fresh)
    for name in MATRICES:
        if size in AXES[name]:
            shape = tuple(to if axis == size else experiment.sizes[axis] for axis in AXES[name])
            matrices[name], fresh[name] = _fitted(experiment, name, shape, seed)
    return replace(experiment, matrices=matrices, fresh=fresh)


def with_tokens(experiment: Experiment, tokens: tuple[str, ...], seed: int) -> Experiment:
    """Another sentence. A word that stays keeps its row of X; a word that replaces another in its place
    takes over that row; a repeated word copies its row; any other new word gets a drawn row."""
    X, fresh = _fitted(experiment, "X", (len(tokens), experiment.sizes["d_emb"]), seed)
    rows = _source_rows(experiment.tokens, tokens)
    old, old_fresh = experiment.matrices["X"], experiment.fresh.get("X", np.zeros_like(experiment.matrices["X"], bool))
    drawn = _draws("X", X.shape, seed)
    for i, source in enumerate(rows):
        X[i] = drawn[i] if source is None else old[source]
        fresh[i] = True if source is None else old_fresh[source]
    for i, token in enumerate(tokens):  # a repeated new word is the same word
        first = tokens.index(token)
        if rows[i] is None and first != i:
            X[i], fresh[i] = X[first], fresh[first]
    return replace(
        experiment, tokens=tokens, matrices={**experiment.matrices, "X": X}, fresh={**experiment.fresh, "X": fresh}
    )


def randomise(experiment: Experiment, name: str, seed: int) -> Experiment:
    """One matrix drawn anew: X from N(0, 1), a weight matrix from N(0, 1/d_emb), to two decimals."""
    shape = experiment.matrices[name].shape
    return replace(
        experiment,
        matrices={**experiment.matrices, name: _draws(name, shape, seed)},
        fresh={**experiment.fresh, name: np.zeros(shape, bool)},
        seeds={**experiment.seeds, name: seed},
    )


def reset(experiment: Experiment, name: str, seed: int) -> Experiment:
    """One matrix as in the example; cells that the example does not have are drawn."""
    original = from_example(experiment.example)
    shape = experiment.matrices[name].shape
    if name == "X" and experiment.tokens != original.tokens:
        original = with_tokens(original, experiment.tokens, seed)
    matrix, fresh = _fitted(original, name, shape, seed)
    seeds = {other: used for other, used in experiment.seeds.items() if other != name}
    return replace(
        experiment,
        matrices={**experiment.matrices, name: matrix},
        fresh={**experiment.fresh, name: fresh},
        seeds=seeds,
    )


def _fitted(experiment: Experiment, name: str, shape: tuple[int, ...], seed: int) -> tuple[FloatArray, np.ndarray]:
    """A matrix cut or extended to the shape, and which of its cells are fresh."""
    old = experiment.matrices[name]
    rows, columns = min(old.shape[0], shape[0]), min(old.shape[1], shape[1])
    matrix, fresh = _draws(name, shape, seed), np.ones(shape, bool)
    matrix[:rows, :columns] = old[:rows, :columns]
    fresh[:rows, :columns] = experiment.fresh.get(name, np.zeros(old.shape, bool))[:rows, :columns]
    return matrix, fresh


def _draws(name: str, shape: tuple[int, ...], seed: int) -> FloatArray:
    """Normals to two decimals; a cell's value depends on its place and the seed, not on the shape."""
    rng = np.random.default_rng([seed, MATRICES.index(name)])
    table = rng.standard_normal((LARGEST_SIZE, LARGEST_SIZE))[: shape[0], : shape[1]]
    if name != "X":
        table = table / np.sqrt(shape[0])
    return np.round(table, 2) + 0.0  # + 0.0 turns −0 into 0


def _source_rows(old: tuple[str, ...], new: tuple[str, ...]) -> list[int | None]:
    """For each new token the old row it takes, or None."""
    unused = list(range(len(old)))
    rows: list[int | None] = [None] * len(new)
    for i, token in enumerate(new):  # words that stay, each old row once
        matches = [row for row in unused if old[row] == token]
        if matches:
            rows[i] = i if i in matches else matches[0]
            unused.remove(rows[i])
    for i, token in enumerate(new):
        if rows[i] is None and token in old:  # said again
            rows[i] = old.index(token)
        elif rows[i] is None and i in unused and token not in new[:i]:  # another word in its place
            rows[i] = i
            unused.remove(i)
    return rows
