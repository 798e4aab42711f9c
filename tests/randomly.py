"""Random small tables with hierarchies, and the definitions written out plainly for them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from fairveil.data.hierarchy import Tree, from_rows
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.guards import (
    DistinctDiversity,
    EntropyDiversity,
    Guard,
    KAnonymity,
    RecursiveDiversity,
    TCloseness,
)


@st.composite
def trees(draw: st.DrawFn, leaves: Sequence[str], most_levels: int = 3) -> Tree:
    """A random hierarchy over these leaves: each level merges groups of the level below; the top is single."""
    groups = [[leaf] for leaf in leaves]
    paths = {leaf: [leaf] for leaf in leaves}
    for level in range(1, draw(st.integers(1, most_levels))):
        wanted = draw(st.integers(1, len(groups)))
        merged: dict[int, list[str]] = defaultdict(list)
        for group in groups:
            merged[draw(st.integers(0, wanted - 1))] += group
        groups = list(merged.values())
        for number, group in enumerate(groups):
            for leaf in group:
                paths[leaf].append(f"L{level}-{number}")
    return from_rows([*path, "*"] for path in paths.values())


@dataclass(frozen=True)
class Case:
    """A table as rows of text, with its schema."""

    rows: list[tuple[str, ...]]
    names: list[str]
    schema: Schema

    @property
    def table(self) -> Table:
        columns = zip(*self.rows, strict=True)
        return Table.from_frame(
            pa.table({n: pa.array(c, pa.string()) for n, c in zip(self.names, columns, strict=True)})
        )

    def paths(self, name: str) -> Sequence[tuple[str, ...]]:
        """The lines of a column's hierarchy, from each leaf to the top."""
        tree = self.schema.hierarchies[name]
        assert isinstance(tree, Tree)
        return tree.rows

    def nodes(self) -> Iterator[tuple[int, ...]]:
        heights = [len(self.paths(name)[0]) for name in self.schema.quasi]
        return product(*(range(h) for h in heights))

    def generalize(self, node: Sequence[int]) -> list[tuple[str, ...]]:
        """The quasi part of every row at a node, straight from the hierarchy's lines."""
        paths = [{path[0]: path for path in self.paths(name)} for name in self.schema.quasi]
        return [
            tuple(paths[q][row[self.names.index(name)]][node[q]] for q, name in enumerate(self.schema.quasi))
            for row in self.rows
        ]


@st.composite
def cases(draw: st.DrawFn, quasi: tuple[int, int] = (1, 3), sensitive: tuple[int, int] = (0, 0), decision: bool = False,
          rows: tuple[int, int] = (2, 24), protected: bool = False) -> Case:  # fmt: skip
    """A random table: some quasi columns with random hierarchies, sensitive columns, in which values may be missing or
    spelt in two ways, a decision."""
    q_names = [f"q{i}" for i in range(draw(st.integers(*quasi)))]
    s_names = [f"s{i}" for i in range(draw(st.integers(*sensitive)))]
    domains = {name: [f"{name}{v}" for v in range(draw(st.integers(1, 4)))] for name in q_names}
    two_spellings, some_missing = (bool(s_names) and draw(st.booleans()) for _ in "12")
    spelt = ["V0 "] if two_spellings else []
    domains |= {name: [*(f"v{v}" for v in range(draw(st.integers(1, 4)))), *spelt] for name in s_names}
    if decision:
        domains["decision"] = ["no", "yes"]
    names = list(domains)
    count = draw(st.integers(*rows))
    unknown: list[Any] = [None] if some_missing else []
    cells = {name: [*values, *(unknown if name in s_names else [])] for name, values in domains.items()}
    table = [tuple(draw(st.sampled_from(cells[name])) for name in names) for _ in range(count)]
    hierarchies = {name: draw(trees(domains[name])) for name in q_names}
    hierarchies |= {name: draw(trees(domains[name])) for name in s_names}
    schema = Schema(
        quasi=q_names,
        sensitive=s_names,
        decision="decision" if decision else None,
        protected=q_names[: draw(st.integers(1, len(q_names)))] if protected else (),
        hierarchies=hierarchies,
    )
    return Case(table, names, schema)


def drawn_case(seed: int) -> Case:
    """A random table drawn at once, skewed so that classes differ in size and mix: quicker than `cases`, for volume."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(8, 40))
    names = [f"q{i}" for i in range(int(rng.integers(1, 4)))]
    columns, hierarchies = [], {}
    for name in names:
        size = int(rng.integers(2, 5))
        columns.append(rng.choice(size, count, p=rng.dirichlet(np.ones(size))))
        low, high = rng.integers(0, 2, size), rng.integers(0, 2, 2)
        depth = int(rng.integers(0, 3))
        paths = [[f"a{low[v]}", f"b{high[low[v]]}"][:depth] for v in range(size)]
        hierarchies[name] = from_rows([f"{name}{v}", *paths[v], "*"] for v in range(size))
    size = int(rng.integers(2, 5))
    columns.append(rng.choice(size, count, p=rng.dirichlet(np.ones(size))))
    rows = [
        (*(f"{n}{v}" for n, v in zip(names, row[:-1], strict=True)), f"v{row[-1]}")
        for row in zip(*columns, strict=True)
    ]
    hierarchies["s"] = from_rows([f"v{v}", f"c{v % 2}", "*"] for v in range(size))
    return Case(rows, [*names, "s"], Schema(quasi=names, sensitive=["s"], hierarchies=hierarchies))


def drawn_guards(seed: int) -> list[Guard]:
    """k-anonymity with a suppression limit and one guard that suppression may spoil."""
    rng = np.random.default_rng(seed)
    distances: list[Any] = ["equal", "ordered", "hierarchical"]
    others = [
        DistinctDiversity(int(rng.integers(2, 4))),
        EntropyDiversity(float(rng.choice([1.3, 1.8, 2.2]))),
        RecursiveDiversity(float(rng.choice([0.8, 1.5, 3.0])), 2),
        TCloseness(float(rng.choice([0.1, 0.2, 0.35])), distances[rng.choice(3)]),
    ]
    anonymity = KAnonymity(int(rng.integers(2, 4)), suppression=float(rng.choice([0.1, 0.3, 0.6])))
    return [anonymity, others[int(rng.integers(len(others)))]]


def class_value(guard: Guard, rows: list[tuple[str, ...]], every: list[tuple[str, ...]], case: Case) -> bool:
    """Whether one class (rows of the original table) keeps a guard, from its definition, against the table `every`."""
    if isinstance(guard, KAnonymity):
        return len(rows) >= guard.k
    return all(_column_keeps(guard, name, rows, every, case) for name in case.schema.sensitive)


def _column_keeps(
    guard: Guard, name: str, rows: list[tuple[str, ...]], every: list[tuple[str, ...]], case: Case
) -> bool:
    values = known(guard, name, rows, case)
    counts = sorted(Counter(values).values(), reverse=True)
    if not values:
        return True
    if isinstance(guard, DistinctDiversity):
        return len(counts) >= guard.l
    if isinstance(guard, EntropyDiversity):
        entropy = -sum(c / len(values) * math.log(c / len(values)) for c in counts)
        return entropy >= math.log(guard.l) - 1e-9
    if isinstance(guard, RecursiveDiversity):
        return counts[0] < guard.c * sum(counts[guard.l - 1 :])
    assert isinstance(guard, TCloseness)
    return distance(guard, name, rows, every, case) <= guard.t + 1e-9


def known(guard: Guard, name: str, rows: list[tuple[str, ...]], case: Case) -> list[Any]:
    """The sensitive values of rows, as a guard counts them: those that are known, in one spelling."""
    place = case.names.index(name)
    if guard.to_dict()["missing"] == "value":
        return [row[place] for row in rows]
    spelling: dict[str, str] = {}
    for value in sorted({row[place] for row in case.rows if row[place] is not None}):
        spelling.setdefault(value.strip().lower(), value)
    return [spelling[row[place].strip().lower()] for row in rows if row[place] is not None]


def distance(
    guard: TCloseness, name: str, rows: list[tuple[str, ...]], every: list[tuple[str, ...]], case: Case
) -> float:
    """Earth mover's distance: the cheapest way to move one distribution onto the other, step by step.

    With the ground distances used here moving from the nearest surplus first is optimal; the tests of the guard
    check its own values against a linear programme.
    """
    inside, outside = known(guard, name, rows, case), known(guard, name, every, case)
    values = sorted(set(outside), key=lambda v: (v is None, v or ""))
    gap = {v: inside.count(v) / len(inside) - outside.count(v) / len(outside) for v in values}
    if guard.distance == "ordered":
        moved = [abs(sum(gap[v] for v in values[: i + 1])) for i in range(len(values) - 1)]
        return sum(moved) / max(len(values) - 1, 1)
    cost = 0.0
    pairs = [(ground_distance(guard, name, a, b, values, case), a, b) for a in values for b in values if a != b]
    for far, a, b in sorted(pairs, key=lambda pair: pair[0]):
        if gap[a] > 0 > gap[b]:
            step = min(gap[a], -gap[b])
            gap[a], gap[b], cost = gap[a] - step, gap[b] + step, cost + step * far
    return cost


def emd_by_linear_programme(p: np.ndarray, q: np.ndarray, ground: np.ndarray) -> float:
    from scipy.optimize import linprog

    m = len(p)
    supply = np.zeros((2 * m, m * m))
    for i in range(m):
        supply[i, i * m : (i + 1) * m] = 1
        supply[m + i, i::m] = 1
    return float(linprog(ground.ravel(), A_eq=supply, b_eq=np.concatenate([p, q])).fun)


def ground_distance(guard: TCloseness, name: str, a: str, b: str, values: list[str], case: Case) -> float:
    if a == b:
        return 0.0
    if guard.distance == "equal":
        return 1.0
    if guard.distance == "ordered":
        return abs(values.index(a) - values.index(b)) / (len(values) - 1)
    paths: dict[Any, Sequence[Any]] = {path[0]: path for path in case.paths(name)}
    height = len(case.paths(name)[0]) - 1
    paths[None] = [None] * height + [case.paths(name)[0][-1]]
    return next(level for level in range(height + 1) if paths[a][level] == paths[b][level]) / height


def keeps(case: Case, node: Sequence[int], guards: Sequence[Guard]) -> bool:
    """Whether a node is a solution: failing classes are suppressed until none is left, within the budget."""
    return suppressed(case, node, guards) is not None


def classes_at(case: Case, node: Sequence[int]) -> list[list[tuple[str, ...]]]:
    """The rows of each class of a node."""
    classes: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for key, row in zip(case.generalize(node), case.rows, strict=True):
        classes[key].append(row)
    return list(classes.values())


def row_budget(case: Case, guards: Sequence[Guard]) -> int:
    """How many rows may be suppressed; never all of them."""
    anonymity = [guard for guard in guards if isinstance(guard, KAnonymity)]
    return min(math.floor(anonymity[0].suppression * len(case.rows) + 1e-9), len(case.rows) - 1) if anonymity else 0


def hold(kept: Sequence[list[tuple[str, ...]]], guards: Sequence[Guard], case: Case) -> list[bool]:
    """Which of these classes keep every guard, compared with all of them together."""
    published = [row for rows in kept for row in rows]
    return [all(class_value(g, rows, published, case) for g in guards) for rows in kept]


def suppressed(case: Case, node: Sequence[int], guards: Sequence[Guard]) -> int | None:
    """How many rows go when failing classes are left out again and again; None if more than may go."""
    kept = classes_at(case, node)
    while not all(passing := hold(kept, guards, case)):
        kept = [rows for rows, passes in zip(kept, passing, strict=True) if passes]
    gone = len(case.rows) - sum(map(len, kept))
    return gone if gone <= row_budget(case, guards) else None


def keeps_somehow(case: Case, node: Sequence[int], guards: Sequence[Guard]) -> bool:
    """Whether any set of suppressed classes within the budget leaves a table that keeps the guards."""
    classes, budget = classes_at(case, node), row_budget(case, guards)
    for chosen in product((True, False), repeat=len(classes)):
        kept = [rows for rows, stays in zip(classes, chosen, strict=True) if stays]
        if len(case.rows) - sum(map(len, kept)) <= budget and all(hold(kept, guards, case)):
            return True
    return False


READINGS = st.sampled_from(["ignore", "ignore", "value"])
GUARD_SETS = st.one_of(
    st.builds(lambda k, s: [KAnonymity(k, suppression=s)], st.integers(2, 5), st.sampled_from([0.0, 0.1, 0.3, 1.0])),
    st.builds(
        lambda k, s, other: [KAnonymity(k, suppression=s), other],
        st.integers(2, 4),
        st.sampled_from([0.0, 0.2, 0.5]),
        st.one_of(
            st.builds(DistinctDiversity, st.integers(2, 3), missing=READINGS),
            st.builds(EntropyDiversity, st.sampled_from([1.5, 2.0, 2.5]), missing=READINGS),
            st.builds(RecursiveDiversity, st.sampled_from([0.7, 1.0, 2.0]), st.integers(2, 3), missing=READINGS),
            st.builds(
                TCloseness,
                st.sampled_from([0.1, 0.3, 0.5]),
                st.sampled_from(["equal", "ordered", "hierarchical"]),
                missing=READINGS,
            ),
        ),
    ),
)
