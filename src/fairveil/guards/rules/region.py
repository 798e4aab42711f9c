"""α-protection over a whole region of lattice nodes at once, and a remark for when only trivial ones are left.

    protective(v) = check(v) and all(protective(v with attribute i lifted to its top))

where check(v) looks at the rules over exactly the attributes of v below their top. Every lifted node is above v,
so it is in the same up-set, has few and large groups, and is shared by many v. A column that is not generalized (a
sensitive one, as context or protected) is one more attribute with two levels, as is and absent.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.lattice import Lattice, Packing
from fairveil.data.hierarchy import Levels
from fairveil.guards.rules.lift import Attribute, least_support, telling

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards.rules.alpha import RuleGuard

MAX_NODES = 4_000_000  # nodes that are checked in one pass; beyond that, each candidate is checked separately


def protective_nodes(guard: RuleGuard, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
    """Which nodes of an up-set keep the guard; None where the cells do not fit into 64-bit keys."""
    from fairveil.guards.rules.alpha import denied_codes, packed_counts
    from fairveil.guards.rules.rule_kernels import protective, representatives

    cells = lattice.cells
    decision = str(schema.decision)
    denied = denied_codes(list(cells.labels[decision].to_pylist()), schema)[cells.codes[decision]]
    grounds, min_denied = guard.grounds(schema), least_support(guard.min_support, cells.rows)
    beside = [
        telling(
            Attribute(name, cells.codes[name], cells.sizes[name], name in grounds), cells.counts, denied, min_denied
        )
        for name in guard.attributes(schema)
        if name not in lattice.levels and cells.sizes[name] > 1
    ]
    extra = {column.name: column for column in beside if column}
    if len(nodes) << len(extra) > MAX_NODES:
        return None
    levels = {**lattice.levels, **{name: _as_is_or_absent(column.size) for name, column in extra.items()}}
    codes = {**cells.codes, **{name: column.codes for name, column in extra.items()}}
    sizes = {**cells.sizes, **{name: column.size for name, column in extra.items()}}
    merged = replace(cells, codes=codes, sizes=sizes, counts=packed_counts(cells.counts, denied))
    wide = Lattice(merged, levels, lattice.progress)
    floors = np.concatenate([nodes.min(axis=0), np.zeros(len(extra), dtype=np.int64)])
    try:
        packing = Packing.of(wide, floors, ordered=False)
    except OverflowError:
        return None
    if cells.rows >= 1 << 31:
        return None
    wider = np.vstack([
        np.hstack([nodes, np.tile(np.array(extra_levels, dtype=np.int64), (len(nodes), 1))])
        for extra_levels in product((0, 1), repeat=len(extra))
    ])  # fmt: skip
    searched = wider[:, packing.order]
    lower = searched < packing.packed.tops
    below = lower @ (1 << np.arange(len(packing.order)))
    order = np.lexsort((below, lower.sum(axis=1)))
    names = list(levels)
    protected = np.array([names[a] in grounds for a in packing.order])
    never = [
        (((1 << bits) - 1) << shift, extra[names[a]].rare << shift)
        for a, shift, bits in zip(
            packing.order, packing.packed.shifts.tolist(), packing.packed.bits.tolist(), strict=True
        )
        if names[a] in extra and extra[names[a]].rare >= 0
    ]
    limit, max_attributes, stop = (
        guard.kernel_limit(min_denied, never),
        guard.granularity or len(names),
        lattice.progress.stop,
    )
    packed, same = packing.packed, representatives(packing.packed.lookups)
    passing = np.empty(len(order), dtype=bool)
    passing[order] = protective(packed, same, searched[order], below[order], protected, max_attributes, limit, stop)
    lattice.progress.check()
    return passing[: len(nodes)]  # the extra columns as they are come first


def _as_is_or_absent(size: int) -> Levels:
    return Levels(np.vstack([np.arange(size), np.zeros(size, dtype=np.int64)]), (tuple(range(size)), ("*",)))


def only_trivial(
    guard: RuleGuard, lattice: Lattice, schema: Schema, nodes: np.ndarray, solutions: np.ndarray
) -> tuple[str, ...]:
    """A remark if every solution has all grounds at their top: the nearest other node, and the rules that forbid it.

    The worst rule of a node is at least as bad as that of any node above it in which attributes are lifted to
    their top, so the nearest one has a single ground below its top and all else absent.
    """
    grounds = [a for a, name in enumerate(lattice.names) if name in guard.grounds(schema)]
    if not len(solutions) or not grounds or not (solutions[:, grounds] == lattice.tops[grounds]).all():
        return ()
    below = nodes < lattice.tops
    single = nodes[(below.sum(axis=1) == 1) & below[:, grounds].any(axis=1)]
    sentence = f"every solution publishes {', '.join(lattice.names[a] for a in grounds)} at the top level only"
    if not len(single):
        return (f"{sentence}: nothing else keeps the other guards",)
    columns = [name for name in lattice.cells.codes if name not in lattice.levels]
    searches = [guard.search(lattice.classes(node, columns, published=True), schema) for node in single]
    nearest = min(range(len(searches)), key=lambda i: (np.nan_to_num(searches[i].worst, nan=0.0), searches[i].total))
    a = int(np.flatnonzero(single[nearest] < lattice.tops)[0])
    rules = "; ".join(str(rule) for rule in searches[nearest].rules(3))
    if not rules:
        return ()
    return (
        f"{sentence}. The nearest other generalization publishes {lattice.names[a]} at level {single[nearest][a]}; "
        f"these rules forbid it: {rules}",
    )
