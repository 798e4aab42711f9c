"""Orders: the values of a column in groups of neighbours, by edges between numbers, by nodes of a hierarchy, or in
bands of one width that the owner chose."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairveil import shapes
from fairveil.data.hierarchy import TOP, Hierarchy
from fairveil.data.interval_edges import Number, text_of
from fairveil.errors import BadInput
from fairveil.recipes.stored import NODE, NUMBER, Form, Stored, listed, stored

if TYPE_CHECKING:
    from fairveil.data.table import Column

MISSING = "missing"


class Order(Stored):
    """The values of a column in groups of neighbours."""

    @property
    def groups(self) -> int:
        """The number of groups."""
        raise NotImplementedError

    @property
    def single(self) -> bool:
        """Whether every group publishes one value, unchanged."""
        return False

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        """Return the group of a value; None if it is in none."""
        raise NotImplementedError

    def units(self, values: Sequence[Any]) -> np.ndarray:
        """Return the unit of information of each value: the value itself, unless values are in bands."""
        return np.arange(len(values))

    def leaves(self, column: Column, rule: Hierarchy) -> list[Any]:
        """Return what is counted as the size of a group: the values of the column, or the leaves of its hierarchy."""
        return column.domain

    def sizes(self, column: Column, rule: Hierarchy) -> np.ndarray:
        """Return how many leaves are in each group."""
        groups = [group for leaf in self.leaves(column, rule) if (group := self.group(leaf, rule)) is not None]
        return np.bincount(np.array(groups, dtype=np.int64), minlength=self.groups)


@dataclass(frozen=True)
class Cuts(Order):
    """Groups of numbers between ascending edges; `only` has the number of each group that publishes a single one, and
    `missing` is the group of missing values, always the last, with or without numbers."""

    edges: tuple[Number, ...] = field(metadata=stored(listed(NUMBER)))
    only: tuple[Number | None, ...] = field(metadata=stored(listed(NUMBER)))
    missing: int | None = field(default=None, metadata=stored(Form(shapes.optional(shapes.integer(0)))))

    @property
    def groups(self) -> int:
        return len(self.only) + (self.missing == len(self.only))

    @property
    def single(self) -> bool:
        alone = self.missing is None or self.missing == len(self.only)
        return alone and all(number is not None for number in self.only)

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        if value is None:
            return self.missing
        if (
            isinstance(value, bool | str)
            or not hasattr(value, "__float__")
            or not self.only
            or not rule.positions(value)
        ):
            return None
        group = bisect_right(self.edges, value)
        return group if self.only[group] in (None, value) else None

    def check(self) -> None:
        edges, groups = list(self.edges), len(self.only)
        if edges != sorted(set(edges)) or len(edges) != max(groups - 1, 0) or (self.missing or 0) > groups:
            raise BadInput("the edges of a column must be ascending, with one group between two of them")


@dataclass(frozen=True)
class NamedGroups(Order):
    """Groups of names: the nodes of the hierarchy, by level and label, that each group consists of."""

    nodes: tuple[tuple[tuple[int, str | None], ...], ...] = field(metadata=stored(listed(listed(NODE)), key="names"))

    @property
    def groups(self) -> int:
        return len(self.nodes)

    @property
    def single(self) -> bool:
        return all(len(group) == 1 and group[0][0] == 0 for group in self.nodes)

    @cached_property
    def _group_of(self) -> dict[tuple[int, str | None], int]:
        return {node: number for number, group in enumerate(self.nodes) for node in group}

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        if value is None:
            return self._group_of.get((0, None))
        [path], problems = rule.paths([value]) if rule.positions(value) else ([()], [value])
        if problems:
            return None
        way = [str(value), *map(str, path), *([] if path and path[-1] == TOP else [TOP])]
        groups = (self._group_of.get((level, label)) for level, label in enumerate(way))
        return next((group for group in groups if group is not None), None)

    def leaves(self, column: Column, rule: Hierarchy) -> list[Any]:
        texts = {str(value) for value in column.domain}
        return [*column.domain, *(leaf for leaf in rule.extra_leaves() if str(leaf) not in texts)]


@dataclass(frozen=True)
class Bands(Order):
    """`count` bands of equal `width`, the first of which begins at `start`; missing values have a slot at the end. A
    group is a run of bands; `starts` has the first band of each."""

    start: float = field(metadata=stored(Form(shapes.number())))
    width: float = field(metadata=stored(Form(shapes.number())))
    count: int = field(metadata=stored(Form(shapes.integer(0, 1 << 53))))
    missing: bool = field(default=False, metadata=stored(Form(shapes.flag)))
    starts: tuple[int, ...] = field(default=(0,), metadata=stored(listed(Form(shapes.integer(0)), 1)))

    @property
    def groups(self) -> int:
        return len(self.starts)

    def __len__(self) -> int:
        return self.count + self.missing

    def slot(self, value: Any) -> int | None:
        if value is None:
            return self.count if self.missing else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        band = int(np.floor((value - self.start) / self.width))
        return band if 0 <= band < self.count else None

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        slot = self.slot(value)
        return None if slot is None else bisect_right(self.starts, slot) - 1

    def sizes(self, column: Any, rule: Hierarchy) -> np.ndarray:
        """Return how many bands are in each group."""
        return np.diff([*self.starts, len(self)])

    def narrowed(
        self, occurring: AbstractSet[int | None], labels: Sequence[str], fixed: bool
    ) -> tuple[Bands, list[str]]:
        """Return the groups that contain these bands, and their labels. Bands below and above all of them are removed,
        unless the range is `fixed`; a group starts with its first band."""
        slots = sorted(slot for slot in occurring if slot is not None and slot < self.count)
        low, high = (0, self.count) if fixed or not slots else (slots[0], slots[-1] + 1)
        missing = self.missing and self.count in occurring
        firsts: dict[int, int] = {}
        for slot in [*slots, *([self.count] if missing else [])]:
            firsts.setdefault(bisect_right(self.starts, slot) - 1, slot)
        starts = [0 if not index else min(slot, high) - low for index, slot in enumerate(firsts.values())]
        if list(firsts) == list(range(len(self.starts))) and (low, high, starts) == (0, self.count, list(self.starts)):
            return replace(self, missing=missing), list(labels)
        start = self.start + low * self.width
        order = replace(self, start=start, count=high - low, missing=missing, starts=tuple(starts))
        return order, [order.label(a, b) for a, b in zip(starts, [*starts[1:], len(order)], strict=True)]

    def units(self, values: Sequence[Any]) -> np.ndarray:
        """Return the unit of information of each value: its band. Values without a band share one."""
        slots = [self.slot(value) for value in values]
        return np.array([len(self) if slot is None else slot for slot in slots], dtype=np.int64)

    def low(self, slot: int) -> Any:
        return None if slot == self.count else self.start + slot * self.width

    def label(self, start: int, stop: int) -> str:
        if start == self.count:
            return MISSING
        if stop > self.count:
            return f"{self.label(start, stop - 1)} or {MISSING}"
        low, high = self.start + start * self.width, self.start + stop * self.width
        if not (isinstance(low, int) and isinstance(high, int)):
            return f"[{text_of(low)}, {text_of(high)})"
        return f"{low}" if high - low == 1 else f"{low}-{high - 1}" if low >= 0 else f"{low} to {high - 1}"

    def to_dict(self) -> dict[str, Any]:
        bands = super().to_dict()
        starts = bands.pop("starts")
        return {"bands": bands, "starts": starts}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Self:
        return super().from_dict({**shapes.each(shapes.anything)(spec["bands"], "bands"), "starts": spec.get("starts")})

    def check(self) -> None:
        starts = list(self.starts)
        if not self.width > 0 or starts != sorted({0, *starts}) or starts[-1] > len(self):
            raise BadInput(
                "the starts of groups of bands must be ascending from 0, and the width of a band must be positive"
            )
