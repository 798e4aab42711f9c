"""Summary: everything that the measures need to know about one or many candidate releases.

Every field is an array with one entry (or one row, with an entry per quasi column) per candidate, so a measure is one
vectorized formula for a single release and for five thousand lattice nodes alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from fairveil.counting.cells import Classes, group_of
from fairveil.counting.lattice import Lattice
from fairveil.counting.threads import in_threads
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema

EXPOSED_BELOW = 5
"""A record in a class of fewer rows counts as exposed: its re-identification risk is above one fifth."""


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


def summarize_nodes(
    lattice: Lattice, schema: Schema, nodes: np.ndarray, k: int, full: bool = False, floors: np.ndarray | None = None
) -> Summary:
    """Return the summary of full-domain nodes where classes below k are suppressed (compiled).

    Entropies, information gains and gaps take as long as everything else together, and are NaN unless `full`. `floors`
    are levels that no node is below, if known.
    """
    from fairveil.counting.kernels import node_summary as kernel

    decision = [schema.decision] if schema.decision else []
    n, m = nodes.shape
    packing = lattice.packing(nodes.min(axis=0, initial=0) if floors is None else floors, decision)
    packed, order = packing.packed, packing.sort(nodes)
    kinds = 2 if full else 1
    tables = [penalty_tables(lattice.leaf_rows[name], levels, full) for name, levels in lattice.levels.items()]
    penalties = np.zeros((kinds, m, *packed.lookups.shape[1:]))
    whole = np.zeros((kinds, m, packed.lookups.shape[1]))
    for place, a in enumerate(packing.order):
        levels, rows = lattice.levels[lattice.names[a]], lattice.leaf_rows[lattice.names[a]]
        for level in range(int(packed.floors[place]), levels.height + 1):
            for kind in range(kinds):
                cost = tables[a][kind][level]
                penalties[kind, place, level, : len(cost)] = cost
                whole[kind, a, level] = (rows * cost[levels.codes[level]]).sum()
    low_bits = sum(bits for _, bits in packing.columns.values())
    sorted_nodes = nodes[order][:, packing.order]

    def summarize(part: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return kernel.summarize(
            packed, low_bits, part, penalties, k, EXPOSED_BELOW, bool(decision) and full, full, lattice.progress.stop
        )

    stats, spared, gains = (np.concatenate(parts) for parts in zip(*in_threads(summarize, sorted_nodes), strict=True))
    lattice.progress.check()
    back, columns = np.argsort(order), np.argsort(packing.order)
    stats, spared, gains = stats[back], spared[back][:, :, columns], gains[back]
    paid = np.stack([whole[:, a, nodes[:, a]] for a in range(m)], axis=-1).transpose(1, 0, 2) - spared
    return Summary(
        rows=np.full(n, lattice.cells.rows),
        **class_fields(stats),
        minority=stats[:, kernel.MINORITY] if decision else np.full(n, np.nan),
        loss=paid[:, 0],
        entropy=paid[:, 1] if full else np.full((n, m), np.nan),
        full_entropy=np.tile([tables[a][1][-1][0] if full else np.nan for a in range(m)], (n, 1)),
        gain=gains[:, columns],
        joint_gain=gains[:, m],
        levels=nodes.astype(float),
        heights=np.tile(lattice.tops.astype(float), (n, 1)),
        weights=np.tile([schema.weight(name) for name in lattice.levels], (n, 1)),
    )


def class_fields(stats: np.ndarray) -> dict[str, np.ndarray]:
    """Return the fields of a summary that a kernel counts, from one row of `stats` per candidate."""
    from fairveil.counting.kernels import node_summary as kernel

    named = ("kept", "classes", "smallest", "largest", "squares", "cubes", "gaps", "unique", "exposed")
    return {name: stats[:, getattr(kernel, name.upper())] for name in named}


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


def summarize_classes(
    classes: Classes,
    schema: Schema,
    *,
    rows: int,
    paid: Mapping[str, tuple[float, float]],
    full_entropy: Mapping[str, float],
    levels: Mapping[str, tuple[int, int]],
    full: bool = True,
) -> Summary:
    """Return the summary of one published table, given its classes; any method may have produced it.

    `paid` has the sums of loss and hidden bits per column over the published rows, `levels` the level and height of
    columns that have them; `classes` has the codes of the quasi columns and of the decision. Gains are NaN unless
    `full`.
    """
    n = classes.rows.astype(float)
    names = list(schema.quasi)
    with_decision = schema.decision is not None and schema.decision in classes.codes
    with_gain = with_decision and full
    return Summary(
        rows=np.array([rows]),
        kept=np.array([n.sum()]),
        classes=np.array([float(len(n))]),
        smallest=np.array([n.min(initial=np.inf) if len(n) else 0.0]),
        largest=np.array([n.max(initial=0.0)]),
        squares=np.array([(n * n).sum()]),
        cubes=np.array([(n * n * n).sum()]),
        gaps=np.array([_gaps(n)]),
        unique=np.array([float((n == 1).sum())]),
        exposed=np.array([n[n < EXPOSED_BELOW].sum()]),
        minority=np.array([_minority(classes, schema.decision) if with_decision else np.nan]),
        loss=np.array([[paid[name][0] for name in names]]),
        entropy=np.array([[paid[name][1] for name in names]]),
        full_entropy=np.array([[full_entropy[name] for name in names]]),
        gain=np.array(
            [[information_gain(classes, [name], schema.decision) if with_gain else np.nan for name in names]]
        ),
        joint_gain=np.array([information_gain(classes, names, schema.decision) if with_gain else np.nan]),
        levels=np.array([[float(levels[name][0]) if name in levels else np.nan for name in names]]),
        heights=np.array([[float(levels[name][1]) if name in levels else np.nan for name in names]]),
        weights=np.array([[schema.weight(name) for name in names]]),
    )


def _gaps(sizes: np.ndarray) -> float:
    n = np.sort(sizes)
    return float(2.0 * (n * (n * (np.cumsum(n) - n) - (np.cumsum(n * n) - n * n))).sum())


def _minority(classes: Classes, decision: str | None) -> float:
    assert decision is not None
    histogram = classes.histogram(decision)
    most_frequent = np.zeros(len(classes))
    np.maximum.at(most_frequent, histogram.ids, histogram.counts)
    return float(classes.rows.sum() - most_frequent.sum())


def information_gain(classes: Classes, names: Sequence[str], decision: str | None) -> float:
    """Return H(decision) - H(decision | columns), in bits."""
    assert decision is not None
    ids, total = group_of([(classes.codes[name], classes.sizes[name]) for name in names], len(classes.ids))
    size = classes.sizes[decision]
    joint = np.bincount(ids * size + classes.codes[decision], weights=classes.counts, minlength=total * size)
    table = joint.reshape(total, size)
    return _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table.ravel())


def _entropy(counts: np.ndarray) -> float:
    share = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(share * np.log2(share)).sum())
