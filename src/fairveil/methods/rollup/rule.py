"""Rules `X_Φ → decision`: levels of some columns, all other columns at the top; their joins, and the most general ones.

>>> r1, r2 = Rule({"age": 3, "fnlwgt": 2}), Rule({"age": 3, "sex": 1})
>>> str(r1), r1.compatible(r2), str(r1.join(r2))
('age≤3, fnlwgt≤2', True, 'age≤3, fnlwgt≤2, sex≤1')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairveil.errors import BadInput, Infeasible, suggest

MAX_RULES = 200_000
Offer = Callable[[Callable[[], np.ndarray]], object]
"""Called with a function that returns the nodes found so far."""
Passing = Callable[[np.ndarray], np.ndarray]


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
        if unknown := [name for name in self.levels if name not in names]:
            raise BadInput(suggest(unknown[0], names, "quasi column"))
        return np.array([self.levels.get(name, int(top)) for name, top in zip(names, tops, strict=True)])

    @classmethod
    def of_node(cls, node: Sequence[int] | np.ndarray, names: Sequence[str], tops: Sequence[int] | np.ndarray) -> Rule:
        return cls({n: int(v) for n, v, top in zip(names, node, tops, strict=True) if v < top})


def compatible_with(node: np.ndarray, nodes: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return which of `nodes` are compatible with `node`: Definition 6 for many at once."""
    return np.asarray(((nodes == node) | (nodes == tops) | (node == tops)).all(axis=1))


@dataclass(frozen=True)
class JoinedRules:
    """Rules that pass, the `extracted` first ones and those joined from them, and the work it took."""

    nodes: np.ndarray
    extracted: int
    tested: int
    complete: bool


def join_all(
    base: np.ndarray, tops: np.ndarray, passing: Passing, max_tests: int = 20_000, offer: Offer | None = None
) -> JoinedRules:
    """Algorithm 1: return the rules that pass (`passing` answers for an array of nodes), and all joins that pass.

    `passing` must never be true below a node for which it is false. The search stops after about `max_tests` tests.
    Rules can be joined if every two of them are compatible, and joining only makes classes smaller. So every joined
    rule that passes is found by adding one extracted rule at a time to a rule that passes. No candidate is missed, and
    none is tested twice, because equal joins are recognized. (The paper joins the last round's rules with each other,
    which gives the same rules with more pairs.)
    """
    base = np.unique(np.asarray(base, dtype=np.int64).reshape(-1, len(tops)), axis=0)
    good = base[passing(base)] if len(base) else base
    seen = {row.tobytes() for row in base}
    passed, fresh, tested = [good], good, len(base)
    while len(fresh) and tested < max_tests:
        joined: list[np.ndarray] = []
        for node in fresh:
            mates = good[compatible_with(node, good, tops)]
            for row in np.minimum(mates, node):
                if (key := row.tobytes()) not in seen:
                    seen.add(key)
                    joined.append(row)
            if tested + len(joined) >= max_tests:
                break
        tested += len(joined)
        candidates = np.array(joined, dtype=np.int64).reshape(-1, len(tops))
        fresh = candidates[passing(candidates)] if len(candidates) else candidates
        passed.append(fresh)
        if offer is not None:
            offer(lambda: np.concatenate(passed))
    return JoinedRules(np.concatenate(passed), len(good), tested, not len(fresh))


def most_general(patterns: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return the maximal nodes v ≤ tops such that no pattern is ≤ v in every attribute, sorted.

    >>> most_general(np.array([[2, 1], [1, 2]]), np.array([2, 2])).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    m = len(tops)
    rules = np.array([tops], dtype=np.int64)
    for pattern in minimal_rows(np.asarray(patterns, dtype=np.int64).reshape(-1, m)):
        hit = (rules >= pattern).all(axis=1)
        if not hit.any():
            continue
        if not pattern.any():  # two equal records with different decisions: nothing distinguishes them
            return np.empty((0, m), dtype=np.int64)
        untouched, broken = rules[~hit], rules[hit]
        lowered = [np.where(np.arange(m) == a, pattern - 1, broken) for a in np.flatnonzero(pattern)]
        candidates = np.unique(np.concatenate(lowered), axis=0)
        covered = [(untouched >= candidate).all(axis=1).any() for candidate in candidates]
        rules = np.concatenate([untouched, -minimal_rows(-candidates[~np.array(covered)])])
        if len(rules) > MAX_RULES:
            raise Infeasible(f"more than {MAX_RULES:,} rules hold on these patterns: keep fewer (a smaller share)")
    return rules[np.lexsort(rules.T[::-1])]


def minimal_rows(rows: np.ndarray) -> np.ndarray:
    """Return the distinct rows with no other row below them, lowest sums first."""
    distinct = np.unique(rows, axis=0)
    distinct = distinct[np.argsort(distinct.sum(axis=1), kind="stable")]
    is_minimal = np.zeros(len(distinct), dtype=bool)
    for i, row in enumerate(distinct):
        is_minimal[i] = not (distinct[:i][is_minimal[:i]] <= row).all(axis=1).any()
    return distinct[is_minimal]
