"""Summary: everything that the measures need to know about one or many candidate releases.

Every field is an array with one entry (or one row, with an entry per quasi column) per candidate, so a measure is one
vectorized formula for a single release and for five thousand lattice nodes alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from fairveil.counting.threads import count, each_in_threads, in_threads
from fairveil.counting.tuples import group_of
from fairveil.counting.value_sets import NOTHING_ASKED, AskedValues, value_sets

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.counting.kernels.class_values import ValueSets
    from fairveil.counting.lattice import Lattice, Packing
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.data.table import Column

EXPOSED_BELOW = 5
"""A record in a class of fewer rows counts as exposed: its re-identification risk is above one fifth."""
WORTH_THREADS = 1 << 22
"""Pairs of a node and a key from which on summaries by columns are distributed over threads."""
PER_COLUMN = {"loss", "entropy", "full_entropy", "gain", "levels", "heights", "weights"}
"""The figures that a candidate has for each quasi column."""


@dataclass(frozen=True)
class Summary:
    """Statistics per candidate; names follow the formulas of the papers where they have one."""

    rows: np.ndarray  # of the source, suppressed ones included
    kept: np.ndarray
    classes: np.ndarray
    smallest: np.ndarray
    largest: np.ndarray
    squares: np.ndarray  # Σ n² over classes
    cubes: np.ndarray  # Σ n³
    gaps: np.ndarray  # Σ nᵢnⱼ|nᵢ-nⱼ| over pairs of classes; NaN unless the summary is full
    unique: np.ndarray  # classes of one row
    exposed: np.ndarray  # rows in classes below EXPOSED_BELOW
    minority: np.ndarray  # rows whose decision is not the most frequent one of their class
    loss: np.ndarray  # per column, Σ (g-1)/(N-1) over kept rows
    entropy: np.ndarray  # per column, Σ H(value | published value) over kept rows, in bits
    full_entropy: np.ndarray  # per column, H(value) of the source
    gain: np.ndarray  # per column, information gain of the decision from the published value
    joint_gain: np.ndarray
    levels: np.ndarray  # per column; NaN where a method does not use levels
    heights: np.ndarray
    weights: np.ndarray  # per column, sum 1

    def __len__(self) -> int:
        return len(self.kept)

    def take(self, index: np.ndarray) -> Summary:
        return replace(self, **{f.name: getattr(self, f.name)[index] for f in fields(self)})

    @classmethod
    def of(cls, candidates: int, columns: int, **figures: ArrayLike) -> Summary:
        """Return the summary of so many candidates and quasi columns. A figure that is given once is that of every
        candidate (and column); one that is not given is NaN."""
        shapes = {f.name: (candidates, columns) if f.name in PER_COLUMN else (candidates,) for f in fields(cls)}
        unknown = {shape: np.full(shape, np.nan) for shape in {(candidates,), (candidates, columns)}}
        return cls(**{
            name: _of_shape(figures[name], shape) if name in figures else unknown[shape]
            for name, shape in shapes.items()
        })  # fmt: skip


def _of_shape(figure: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    return figure if isinstance(figure, np.ndarray) and figure.shape == shape else np.full(shape, figure)


def summarize_nodes(
    lattice: Lattice, schema: Schema, nodes: np.ndarray, k: int, full: bool = False, floors: np.ndarray | None = None,
    decided: bool = True, paid: bool = True, asked: AskedValues = NOTHING_ASKED,
) -> Summary:  # fmt: skip
    """Return the summary of full-domain nodes where classes below k are suppressed, and those with fewer different
    values, or in other shares, than are `asked` for (compiled).

    Entropies, gains and gaps take as long as all else together, and are NaN unless `full`. No node is below `floors`.
    What needs the decision is NaN unless `decided`, what rows pay by column unless `paid`.
    """
    from fairveil.counting.kernels import node_summary as kernel

    decision = [schema.decision] if schema.decision and decided else []
    n, m = nodes.shape
    lowest = nodes.min(axis=0, initial=0) if floors is None else floors
    packing, sets = lattice.packing(lowest, decision), value_sets(lattice, lowest, decision, asked)
    layout, order = packing.cells, packing.sort(nodes)
    kinds = (2 if full else 1) if paid else 0
    tables = [penalty_tables(lattice.leaf_rows[name], levels, full) for name, levels in lattice.levels.items()]
    penalties = np.zeros((kinds, m, *layout.lookups.shape[1:]))
    whole = np.zeros((kinds, m, layout.lookups.shape[1]))
    for position, a in enumerate(packing.order):
        levels, rows = lattice.levels[lattice.names[a]], lattice.leaf_rows[lattice.names[a]]
        for level in range(int(layout.floors[position]), levels.height + 1):
            for kind in range(kinds):
                cost = tables[a][kind][level]
                penalties[kind, position, level, : len(cost)] = cost
                whole[kind, a, level] = (rows * cost[levels.codes[level]]).sum()
    sorted_nodes = np.ascontiguousarray(nodes[order][:, packing.order])
    only_sizes = not decision and not full and asked == NOTHING_ASKED
    if only_sizes and lattice.nested and packing.dense.columns.counts.shape[1]:
        figures = _by_columns(lattice, packing, sorted_nodes, penalties, k)
    else:
        figures = _by_classes(lattice, packing, sets, sorted_nodes, penalties, k, full)
    lattice.progress.check()
    back, columns = np.argsort(order), np.argsort(packing.order)
    stats, spared, gains = figures[0][back], figures[1][back][:, :, columns], figures[2][back]
    costs = np.stack([whole[:, a, nodes[:, a]] for a in range(m)], axis=-1).transpose(1, 0, 2) - spared
    return Summary.of(
        n,
        m,
        rows=lattice.cells.rows,
        **class_fields(stats),
        minority=stats[:, kernel.MINORITY] if decision else np.nan,
        loss=costs[:, 0] if paid else np.nan,
        entropy=costs[:, 1] if paid and full else np.nan,
        full_entropy=[table[1][-1][0] for table in tables] if full else np.nan,
        gain=gains[:, columns],
        joint_gain=gains[:, m],
        levels=nodes.astype(float),
        heights=lattice.tops.astype(float),
        weights=[schema.loss_weight(name) for name in lattice.levels],
    )


NodeFigures = tuple[np.ndarray, np.ndarray, np.ndarray]


def _by_classes(
    lattice: Lattice, packing: Packing, sets: ValueSets, nodes: np.ndarray, penalties: np.ndarray, k: int, full: bool
) -> NodeFigures:
    """Return what `node_summary.summarize` does of nodes in search order."""
    from fairveil.counting.kernels.node_summary import summarize

    packed, stop = packing.packed, lattice.progress.stop
    low_bits = sum(bits for _, bits in packing.columns.values())
    parts = in_threads(
        lambda part: summarize(
            packed, sets, low_bits, part, penalties, k, EXPOSED_BELOW, low_bits > 0 and full, full, stop
        ),
        nodes,
    )
    stats, spared, gains = (np.concatenate(figures) for figures in zip(*parts, strict=True))
    return stats, spared, gains


def _by_columns(lattice: Lattice, packing: Packing, nodes: np.ndarray, penalties: np.ndarray, k: int) -> NodeFigures:
    """The same for nodes without a decision, where only sizes count."""
    from fairveil.counting.kernels.column_summary import summarize_columns

    dense, stop = packing.dense, lattice.progress.stop
    first = len(dense.packed.tops)
    sizes = np.zeros((len(packing.sizes) - first, max(map(len, packing.sizes))), dtype=np.int64)
    for row, of_level in zip(sizes, packing.sizes[first:], strict=True):
        row[: len(of_level)] = of_level
    at_floor = np.take_along_axis(penalties, packing.cells.lookups[None], axis=3)
    at_floor[:, first:] = penalties[:, first:]

    def summarize(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        figures: tuple[np.ndarray, np.ndarray] = summarize_columns(
            dense.packed, dense.columns, sizes, part, dense.node_numbers(part), at_floor, k,
            EXPOSED_BELOW, stop,
        )  # fmt: skip
        return figures

    # twice as many pieces as threads, because the first ones, of the lowest levels, take longest
    pieces = 2 * count() if count() > 1 and len(nodes) * len(dense.packed.keys) > WORTH_THREADS else 1
    parts = each_in_threads(summarize, np.array_split(nodes, min(pieces, len(nodes)) or 1))
    stats, spared = (np.concatenate(figures) for figures in zip(*parts, strict=True))
    return stats, spared, np.full((len(nodes), nodes.shape[1] + 1), np.nan)


def whole_nodes(lattice: Lattice, schema: Schema, nodes: np.ndarray) -> Summary:
    """Return the summary of full-domain nodes as if no row were suppressed: all that needs no classes, else NaN."""
    paid = {}
    for name, levels in lattice.levels.items():
        costs = zip(levels.penalties, levels.codes, strict=True)
        paid[name] = np.array([(lattice.leaf_rows[name] * cost[codes]).sum() for cost, codes in costs])
    return Summary.of(
        *nodes.shape,
        rows=lattice.cells.rows,
        kept=float(lattice.cells.rows),
        loss=np.column_stack([paid[name][nodes[:, a]] for a, name in enumerate(lattice.levels)]),
        levels=nodes.astype(float),
        heights=lattice.tops.astype(float),
        weights=[schema.loss_weight(name) for name in lattice.levels],
    )


def class_fields(stats: np.ndarray) -> dict[str, np.ndarray]:
    """Return the fields of a summary that a kernel counts, from one row of `stats` per candidate."""
    named = ("kept", "classes", "smallest", "largest", "squares", "cubes", "gaps", "unique", "exposed")
    return {name: stats[:, column] for column, name in enumerate(named)}  # in the order of the kernels


def penalty_tables(rows: np.ndarray, levels: Levels, full: bool = True) -> list[Sequence[np.ndarray]]:
    """Return per level what a row pays for each published code: in loss and, if `full`, in bits."""
    bits = [[hidden_bits(rows, codes) for codes in levels.codes]] if full else []
    return [levels.penalties, *bits]


def hidden_bits(rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return H(value | published value) for each published code, given the rows of each value."""
    total = np.bincount(codes, weights=rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(rows > 0, rows / total[codes], 1.0)
        return np.bincount(codes, weights=-share * np.log2(share), minlength=len(total))


def entropy_of(rows: np.ndarray) -> float:
    """Return H(value) in bits, given the rows of each value."""
    return float(hidden_bits(rows, np.zeros(len(rows), dtype=np.int64))[:1].sum())


def joint_bits(codes: np.ndarray, column: Column, size: int, counts: np.ndarray | None = None) -> np.ndarray:
    """Return H(value | published value) for each of `size` published codes, given the code of each row of a column; a
    row may stand for `counts` rows."""
    pairs = codes.astype(np.int64) * len(column.values) + column.codes
    if counts is None:
        distinct, rows = np.unique(pairs, return_counts=True)
    else:
        distinct, of_pair = np.unique(pairs, return_inverse=True)
        rows = np.bincount(of_pair, weights=counts)
    bits = hidden_bits(rows, distinct // len(column.values))
    return np.pad(bits, (0, size - len(bits)))


def summarize_classes(
    classes: Classes,
    schema: Schema,
    rows: float,
    paid: Mapping[str, tuple[float, float]],
    full_entropy: Mapping[str, float],
    levels: Mapping[str, tuple[int, int]],
    full: bool = True,
) -> Summary:
    """Return the summary of one published table, given its classes; any method may have produced it.

    `paid` has loss and hidden bits per column, summed over the published rows, `levels` the level and height of columns
    that have them, `classes` the codes of the quasi columns and of the decision. Gains are NaN unless `full`. Where the
    schema says who a row is about, `rows` and the sums are of persons: each counts 1, shared equally by their rows.
    """
    names, decision = list(schema.quasi), schema.decision if schema.decision in classes.codes else None
    unknown = (np.nan, np.nan)
    figures = figures_of_classes(classes, schema)
    if schema.person is not None:  # whatever is counted below, a person's rows count one together
        shares = classes.shares(schema.person)
        weights = np.bincount(classes.ids, weights=shares, minlength=len(classes))
        classes = replace(classes, counts=shares, rows=weights)
    return Summary.of(
        1,
        len(names),
        rows=rows,
        **figures,
        minority=_minority(classes, decision) if decision else np.nan,
        loss=[paid[name][0] for name in names],
        entropy=[paid[name][1] for name in names],
        full_entropy=[full_entropy[name] for name in names],
        gain=[information_gain(classes, [name], decision) for name in names] if decision and full else np.nan,
        joint_gain=information_gain(classes, names, decision) if decision and full else np.nan,
        levels=[float(levels.get(name, unknown)[0]) for name in names],
        heights=[float(levels.get(name, unknown)[1]) for name in names],
        weights=[schema.loss_weight(name) for name in names],
    )


def figures_of_classes(classes: Classes, schema: Schema) -> dict[str, float]:
    """Return the figures that follow from the sizes of classes: in rows, or in persons. If the release links a person's
    rows, people with rows in the same classes are a class.

    A sum over classes is one over their rows, in which every person counts once: Σ n² is that of the sizes, and the
    number of classes that of 1/n.
    """
    person = schema.person
    if person is not None and schema.links:
        classes = classes.linked(person)
    n = classes.people(person).astype(float)
    rows = n if person is None else np.bincount(classes.ids, weights=classes.shares(person), minlength=len(n))
    return {
        "kept": float(np.rint(rows.sum())),
        "classes": float((rows / n).sum()),
        "smallest": n.min(initial=np.inf) if len(n) else 0.0,
        "largest": n.max(initial=0.0),
        "squares": (rows * n).sum(),
        "cubes": (rows * n * n).sum(),
        "gaps": _gaps(n, rows),
        "unique": rows[n == 1].sum(),
        "exposed": rows[n < EXPOSED_BELOW].sum(),
    }


def _gaps(sizes: np.ndarray, rows: np.ndarray) -> float:
    order = np.argsort(sizes, kind="stable")
    n, w = sizes[order], rows[order]
    return float(2.0 * (w * (n * (np.cumsum(w) - w) - (np.cumsum(w * n) - w * n))).sum())


def _minority(classes: Classes, decision: str) -> float:
    histogram = classes.histogram(decision)
    most_frequent = np.zeros(len(classes))
    np.maximum.at(most_frequent, histogram.ids, histogram.counts)
    return float(classes.rows.sum() - most_frequent.sum())


def information_gain(classes: Classes, names: Sequence[str], decision: str) -> float:
    """Return H(decision) - H(decision | columns), in bits."""
    if len(names) == 1:
        ids = classes.codes[names[0]]
    else:
        ids, _ = group_of([(classes.codes[name], classes.sizes[name]) for name in names], len(classes.ids))
    return shared_information(ids, classes.codes[decision], classes.sizes[decision], classes.counts)


def shared_information(ids: np.ndarray, codes: np.ndarray, size: int, counts: np.ndarray | None = None) -> float:
    """Return the bits that the group of a row tells of its code, one of `size`; a row may stand for `counts` rows."""
    groups = int(ids.max(initial=-1)) + 1
    table = np.bincount(ids * size + codes, weights=counts, minlength=groups * size).reshape(groups, size)
    return _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table.ravel())


def _entropy(counts: np.ndarray) -> float:
    share = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(share * np.log2(share)).sum())
