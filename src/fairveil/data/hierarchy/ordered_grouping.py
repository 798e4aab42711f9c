"""Ordered grouping: values in a given order, neighbours merged in groups of growing size.

>>> sizes = grouping(["XS", "S", "M", "L"], sizes=(2,))
>>> sizes.bind(["L", "M", "S", "XS"]).labels[1]
('M…L', 'XS…S')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.settings import setting
from fairveil.shapes import cell, many


@dataclass(frozen=True, repr=False)
class Grouping(Hierarchy):
    """`sizes[i]` neighbours of `order` share a value at level i+1; each size is a multiple of the one before."""

    kind: ClassVar[str] = "grouping"
    says: ClassVar[str] = "Neighbours in an order that you give, in growing groups."
    order: tuple[Any, ...] = field(metadata=setting("all values in their order", shape=many(cell, 1)))
    sizes: tuple[int, ...] = field(
        default=(2,), metadata=setting("number of neighbours that share a value, level by level")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if len(set(self.order)) != len(self.order) or not self.order:
            problems.append("the order of a grouping must list every value once")
        previous = 1
        for size in self.sizes:
            if size <= previous or size % previous:
                problems.append(f"group size {size} is not a larger multiple of {previous}")
            previous = max(size, 1)
        refuse(problems)

    def extra_leaves(self) -> Sequence[Any]:
        return self.order

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        place = {as_text(value): index for index, value in enumerate(self.order)}

        def path(value: Any) -> Sequence[str]:
            text = as_text(value)
            if text not in place:
                raise BadInput(f"{value!r} is not in the order of the grouping")
            return [*(self._label(place[text], size) for size in self.sizes), TOP]

        return each(values, path)

    def _label(self, index: int, size: int) -> str:
        group = self.order[index // size * size : index // size * size + size]
        return str(group[0]) if len(group) == 1 else f"{group[0]}…{group[-1]}"


def grouping(order: Sequence[Any], *, sizes: Sequence[int] = (2,)) -> Grouping:
    """Neighbours in a given `order` of all values, in groups of growing `sizes`."""
    return Grouping(tuple(order), tuple(sizes))
