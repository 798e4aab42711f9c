"""A rule `X_Φ → decision`: levels of some columns; all other columns are at the top.

>>> r1, r2 = Rule({"age": 3, "fnlwgt": 2}), Rule({"age": 3, "sex": 1})
>>> str(r1), r1.compatible(r2), str(r1.join(r2))
('age≤3, fnlwgt≤2', True, 'age≤3, fnlwgt≤2, sex≤1')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairveil.errors import BadInput, suggest


@dataclass(frozen=True)
class Rule:
    """The left-hand side; the right-hand side is the decision as it is."""

    levels: Mapping[str, int]

    def __str__(self) -> str:
        return ", ".join(f"{name}≤{level}" for name, level in sorted(self.levels.items())) or "nothing"

    def compatible(self, other: Rule) -> bool:
        """Whether columns that both rules name are at the same level (Definition 6)."""
        return all(self.levels[name] == level for name, level in other.levels.items() if name in self.levels)

    def join(self, other: Rule) -> Rule:
        """Return the rule with the columns of both; raises BadInput unless they are compatible."""
        if not self.compatible(other):
            raise BadInput(f"the rules {self} and {other} name a column at different levels and cannot be joined")
        return Rule({**self.levels, **other.levels})

    def node(self, names: Sequence[str], tops: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the lattice node over these columns, whose top levels are `tops`."""
        for name in self.levels:
            if name not in names:
                raise BadInput(suggest(name, names, "quasi column"))
        return np.array([self.levels.get(name, int(top)) for name, top in zip(names, tops, strict=True)])

    @classmethod
    def of_node(cls, node: Sequence[int] | np.ndarray, names: Sequence[str], tops: Sequence[int] | np.ndarray) -> Rule:
        return cls({n: int(v) for n, v, top in zip(names, node, tops, strict=True) if v < top})


def compatible_with(node: np.ndarray, nodes: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return which of `nodes` are compatible with `node`: Definition 6 for many at once."""
    shared = (nodes < tops) & (node < tops)
    result: np.ndarray = ((nodes == node) | ~shared).all(axis=1)
    return result
