"""Bands: numbers in bands of one width, chosen by the owner, and groups of neighbouring bands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairveil import shapes
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.interval_edges import text_of
from fairveil.errors import BadInput

MISSING = "missing"


@dataclass(frozen=True)
class Bands:
    """`count` bands of equal `width`, the first of which begins at `start`; missing values have a slot at the end.

    A group is a run of bands; `starts` has the first band of each group.
    """

    start: float
    width: float
    count: int
    missing: bool = False
    starts: tuple[int, ...] = (0,)

    @property
    def groups(self) -> int:
        return len(self.starts)

    @property
    def single(self) -> bool:
        """False: no value is published as it is."""
        return False

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
        """Return the groups that contain these bands, and their labels.

        Bands below and above all of them are removed, unless the range is `fixed`; a group starts with its first band.
        """
        slots = sorted(slot for slot in occurring if slot is not None and slot < self.count)
        low, high = (0, self.count) if fixed or not slots else (slots[0], slots[-1] + 1)
        missing = self.missing and self.count in occurring
        firsts: dict[int, int] = {}
        for slot in [*slots, *([self.count] if missing else [])]:
            firsts.setdefault(bisect_right(self.starts, slot) - 1, slot)
        order = replace(self, start=self.start + low * self.width, count=high - low, missing=missing)
        starts = [0 if place == 0 else min(slot, high) - low for place, slot in enumerate(firsts.values())]
        if list(firsts) == list(range(len(self.starts))) and (low, high, starts) == (0, self.count, list(self.starts)):
            return replace(self, missing=missing), list(labels)
        ends = [*starts[1:], len(order)]
        names = [order.label(a, b) for a, b in zip(starts, ends, strict=True)]
        return replace(order, starts=tuple(starts)), names

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
        bands = {"start": self.start, "width": self.width, "count": self.count, "missing": self.missing}
        return {"bands": bands, "starts": list(self.starts)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Bands:
        any_number, count = shapes.number(), shapes.whole(0, 1 << 53)
        own = {"start": any_number, "width": any_number, "count": count, "missing": shapes.flag}
        parts = shapes.record(own)(spec["bands"], "bands")
        starts = shapes.many(shapes.whole(0), 1)(spec.get("starts"), "starts")
        order = cls(**parts, starts=tuple(starts))
        if not order.width > 0 or starts != sorted({0, *starts}) or starts[-1] > len(order):
            raise BadInput(
                "the starts of groups of bands must be ascending from 0, and the width of a band must be positive"
            )
        return order
