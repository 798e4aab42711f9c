"""The interface of every hierarchy, and the lookup table that `bind` makes of it.

A level is a lookup table: `codes[level, leaf]` is the code of a leaf's value at that level, and
`labels[level][code]` how that value is published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.text_form import as_text
from fairveil.display import MAX_SHOWN, Displayable, DisplayTable, brief
from fairveil.errors import BadInput, refuse
from fairveil.messages import counted
from fairveil.settings import Part

if TYPE_CHECKING:
    from fairveil.data.table import Column

TOP = "*"


@dataclass(frozen=True, repr=False)
class Levels(Displayable):
    """A hierarchy bound to the values of a column.

    The first leaves are the column's values in code order; leaves that the hierarchy knows but the column does not hold
    come after them. A missing value is a leaf of its own, published as missing below the top.
    """

    codes: np.ndarray[tuple[int, int], np.dtype[np.int64]]
    labels: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def _headline(self) -> str:
        return f"Levels: {counted(self.leaves, 'value')}, {counted(self.height, 'level')} above them"

    def _tables(self) -> list[DisplayTable]:
        rows = [self.path(leaf) for leaf in range(min(self.leaves, MAX_SHOWN))]
        return [DisplayTable(["value", *(f"level {level}" for level in range(1, self.height + 1))], rows, self.leaves)]

    def path(self, leaf: int) -> list[Any]:
        """The labels of a leaf, from level 0 to the top."""
        return [names[codes[leaf]] for names, codes in zip(self.labels, self.codes, strict=True)]

    @property
    def height(self) -> int:
        """The number of the top level; there are height + 1 levels."""
        return len(self.labels) - 1

    @property
    def leaves(self) -> int:
        return self.codes.shape[1]

    @cached_property
    def widths(self) -> tuple[np.ndarray, ...]:
        """Per level, the number of leaves under each published value (g in the loss formula)."""
        return tuple(np.bincount(row, minlength=len(names)) for row, names in zip(self.codes, self.labels, strict=True))

    @cached_property
    def penalties(self) -> tuple[np.ndarray, ...]:
        """Per level, the loss (g-1)/(N-1) of each published value; 0 for a domain of one leaf."""
        largest = max(self.leaves - 1, 1)
        return tuple((width - 1) / largest for width in self.widths)

    def between(self, low: int, high: int) -> np.ndarray:
        """The lookup from codes at level `low` to codes at the higher level `high`."""
        lookup = np.zeros(len(self.labels[low]), dtype=np.int64)
        lookup[self.codes[low]] = self.codes[high]
        return lookup


@dataclass(frozen=True, repr=False)
class Hierarchy(Part, Displayable):
    """The rule behind the levels; subclasses define `path`, or `paths` of many values at once."""

    def __repr__(self) -> str:
        return brief(self)

    def _headline(self) -> str:
        leaves = len(self.extra_leaves())
        return f"Hierarchy {self.kind}" + (f": {counted(leaves, 'value')} listed" if leaves else "")

    def _tables(self) -> list[DisplayTable]:
        """Its first values level by level; its settings where it lists none."""
        leaves = list(self.extra_leaves())
        paths = self.paths(leaves[:MAX_SHOWN])[0]
        if not paths:
            settings = [[field.name, str(getattr(self, field.name))] for field in fields(self)]
            return [DisplayTable(["setting", "value"], settings)]
        levels = [f"level {number}" for number in range(1, max(map(len, paths)) + 1)]
        rows = [[leaf, *path] for leaf, path in zip(leaves, paths, strict=False)]
        return [DisplayTable(["value", *levels], rows, len(leaves))]

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        """For each value its labels from level 1 up, all of one length, and the problems.

        A value that cannot be placed gets an empty path and a problem.
        """
        return each(values, self.path)

    def path(self, value: Any) -> Sequence[Any]:
        """The labels of one value from level 1 up; raises BadInput if it cannot be placed."""
        raise NotImplementedError

    @property
    def range(self) -> tuple[Any, Any] | None:
        """The minimum number that it covers, and the first number above all of them; None if it has no range."""
        return None

    @property
    def edges(self) -> Sequence[Any]:
        """The edges of intervals of numbers, in ascending order, if it has some and they were not learnt."""
        return ()

    def extra_leaves(self) -> Sequence[Any]:
        """Leaves that belong to the domain even if the data does not hold them."""
        return ()

    def positions(self, value: Any) -> bool:
        """Whether the hierarchy covers a value."""
        return value is None or not self.paths([value])[1]

    @property
    def height(self) -> int | None:
        """The number of the top level for any column; None if it depends on the column's values."""
        leaves = self.extra_leaves()
        return self.bind(leaves).height if leaves else None

    def listed_labels(self, level: int) -> list[str]:
        """The labels of a level above 0 that the hierarchy lists, in its order; above its own levels the added top."""
        paths, _ = self.paths(self.extra_leaves())
        return list(dict.fromkeys(str(path[level - 1]) if level <= len(path) else TOP for path in paths))

    def in_order(self, level: int, labels: Sequence[Any]) -> list[Any]:
        """Labels of a level in the order of the hierarchy; those that it does not list by their text."""
        position = {label: number for number, label in enumerate(self.listed_labels(level))}
        return sorted(labels, key=lambda label: (position.get(str(label), len(position)), str(label)))

    def admits(self, level: int, label: Any) -> bool:
        """Whether some value is published as `label` at that level: what a verifier checks in a release."""
        return str(label) in self.listed_labels(level) if level else not self.paths([label])[1]

    def stand_in(self, level: int, label: Any) -> Any:
        """Some value that is published as `label` at a level between the values and the top; raises BadInput if none
        is known."""
        listed = self._stand_ins.setdefault(level, {})
        if not listed:
            leaves = list(self.extra_leaves())
            paths, _ = self.paths(leaves)
            listed |= {str(path[level - 1]): leaf for leaf, path in zip(leaves, paths, strict=False)}
        if str(label) not in listed:
            raise BadInput(f"no value is published as {label!r} at level {level}")
        return listed[str(label)]

    @cached_property
    def _stand_ins(self) -> dict[int, dict[str, Any]]:
        return {}

    def raised(self, labels: Sequence[Any], low: int, high: int) -> list[Any]:
        """The labels at level `high` of what is published as these labels at level `low`; missing ones stay missing.

        Raises BadInput for labels that are not of that level.
        """
        known = [label for label in labels if label is not None]
        leaves = [self.stand_in(low, label) for label in known] if low else known
        paths, problems = self.paths(leaves)
        refuse(problems)
        above = iter([path[high - 1] if high <= len(path) else TOP for path in paths])
        return [None if label is None else next(above) for label in labels]

    @property
    def learnt(self) -> bool:
        """Whether it was learnt from the data, so that only what the data's rows show of it may be published."""
        return False

    def narrowed(self, column: Column, counts: np.ndarray | None = None) -> Hierarchy:
        """The hierarchy as learnt only from the values in this column's rows; itself if it was not learnt.

        `counts`: how many rows each row of the column stands for.
        """
        return self

    def shown(self, labels: Set[str]) -> Hierarchy:
        """The hierarchy without values that these published labels do not name; itself if it was not learnt."""
        return self

    def bind(self, values: Sequence[Any], column: str = "", min_height: int = 0) -> Levels:
        """The lookup table for these distinct values; raises one BadInput for all values that it does not cover.

        Level `min_height` exists even if these values have a single top below it, because others had not.
        """
        known = isinstance(values, list) and not min_height
        levels, problems = self.bound(values) if known else self.try_bind(values, min_height)  # type: ignore[arg-type]
        where = f"hierarchy of {column!r}: " if column else ""
        refuse([where + problem for problem in problems])
        return levels

    def bound(self, domain: list[Any]) -> tuple[Levels, list[str]]:
        """`try_bind` for the domain of a column; another call for one of the last lists returns the same result."""
        last: list[tuple[list[Any], tuple[Levels, list[str]]]] = vars(self).get("_bound", [])
        for known, result in last:
            if known is domain:
                return result
        result = self.try_bind(domain)
        vars(self)["_bound"] = [(domain, result), *last[:REMEMBERED]]
        return result

    def __getstate__(self) -> dict[str, Any]:
        kept = ("_bound", "_stand_ins")  # the first has values of the data
        return {name: value for name, value in vars(self).items() if name not in kept}

    def try_bind(self, values: Sequence[Any], min_height: int = 0) -> tuple[Levels, list[str]]:
        present = [value for value in values if value is not None]
        leaves = present
        if extra := self.extra_leaves():
            texts = {as_text(value) for value in present}  # a tree's leaf "17" is the number 17 of the column
            leaves = [*present, *(leaf for leaf in extra if as_text(leaf) not in texts)]
        paths, problems = self.paths(leaves)
        if problems:
            return Levels(np.zeros((1, 0), dtype=np.int64), ((),)), problems
        rows: list[tuple[Any, ...]] = [(leaf, *path) for leaf, path in zip(leaves, paths, strict=True)]
        notes: list[str] = []
        if len({row[-1] for row in rows}) > 1 or (rows and len(rows[0]) == 1):
            rows = [(*row, TOP) for row in rows]
            notes.append(f"no single top value, so a last level {TOP!r} was added")
        if rows and len(rows[0]) == min_height:
            rows = [(*row, TOP) for row in rows]
        if None in values:  # nothing but missing values is published as missing at every level
            depth = len(rows[0]) if rows else max(self.height or 1, min_height) + 1
            rows.insert(len(present), (*(None,) * (depth - 1), rows[0][-1] if rows else None))
        return _code(rows, tuple(notes))

    @classmethod
    def label(cls) -> str:
        return f"a {cls.kind} hierarchy"


REMEMBERED = 3
"""Bindings that a hierarchy keeps beside the last one."""


@dataclass(frozen=True, repr=False)
class LeveledHierarchy(Hierarchy):
    """A hierarchy whose number of levels does not depend on the values: `per_level` names the setting with an entry for
    each level between the values and the top."""

    per_level: ClassVar[str] = ""

    @property
    def depth(self) -> int:
        """The number of levels between the values and the top."""
        return len(getattr(self, self.per_level)) if self.per_level else 0

    @property
    def height(self) -> int:
        return self.depth + 1

    def fits(self, level: int, label: Any) -> bool:
        """Whether some value is published as `label` at a level from 1 to `depth`."""
        raise NotImplementedError

    def admits(self, level: int, label: Any) -> bool:
        if level == 0:
            return super().admits(0, label)
        return self.fits(level, label) if level <= self.depth else bool(label == TOP)


def _code(rows: list[tuple[Any, ...]], notes: tuple[str, ...]) -> tuple[Levels, list[str]]:
    """Number the labels of each level and refuse a level that splits what a lower one merged."""
    depth = len(rows[0]) if rows else 1
    codes = np.empty((depth, len(rows)), dtype=np.int64)
    labels: list[tuple[Any, ...]] = []
    for level in range(depth):
        column = [row[level] for row in rows]
        code_of = {label: code for code, label in enumerate(dict.fromkeys(column))}
        if len(code_of) == len(column):  # all are different, as leaves are
            codes[level] = np.arange(len(column))
        else:
            codes[level] = np.fromiter(map(code_of.__getitem__, column), dtype=np.int64, count=len(column))
        labels.append(tuple(code_of))
    problems = [problem for level in range(depth - 1) for problem in _splits(codes, labels, level)]
    return Levels(codes, tuple(labels), notes), sorted(set(problems))


def _splits(codes: np.ndarray, labels: Sequence[tuple[Any, ...]], level: int) -> list[str]:
    """The problems of a level: values that it merged and the next one splits."""
    low, high = codes[level], codes[level + 1]
    above = np.zeros(len(labels[level]), dtype=np.int64)
    above[low[::-1]] = high[::-1]  # of the first leaf
    return [
        f"level {level + 1} splits what level {level} merged: {labels[level][low[leaf]]!r} is under both "
        f"{labels[level + 1][above[low[leaf]]]!r} and {labels[level + 1][high[leaf]]!r}"
        for leaf in np.flatnonzero(above[low] != high)
    ]


def each(values: Sequence[Any], path_of: Callable[[Any], Sequence[Any]]) -> tuple[list[Sequence[Any]], list[str]]:
    """Apply `path_of` to every value; a problem that several values share is reported once, with three of them."""
    paths: list[Sequence[Any]] = []
    problems: dict[str, list[tuple[Any, str]]] = {}
    for value in values:
        try:
            paths.append(path_of(value))
        except BadInput as problem:
            problems.setdefault(str(problem).replace(repr(value), "", 1), []).append((value, str(problem)))
            paths.append(())
    return paths, [_merged(alike) for alike in problems.values()]


def _merged(alike: Sequence[tuple[Any, str]]) -> str:
    """One sentence for all values that are not covered for the same reason."""
    others = [repr(value) for value, _ in alike[1:3]]
    if len(alike) > 3:
        return f"{alike[0][1]} (and {len(alike) - 1:,} more values, such as {', '.join(others)})"
    return alike[0][1] + (f" (and {' and '.join(others)})" if others else "")
