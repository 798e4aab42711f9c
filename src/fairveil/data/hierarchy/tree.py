"""Explicit trees: one path per leaf, from a leaf-per-line CSV file or a nested mapping.

A tree that was learnt from the data (`automatic`) names its nodes by their leaves, so that a release shows no more than
the leaves of its own rows. It has `unlisted` levels above any other value, all of them the top.

>>> race = tree({"*": {"White": ["White"], "Colored": ["Black", "Asian"]}})
>>> race.bind(["Asian", "Black", "White"]).labels[1]
('Colored', 'White')
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.settings import setting
from fairveil.shapes import many, text

if TYPE_CHECKING:
    from fairveil.data.table import Column


@dataclass(frozen=True, repr=False)
class Tree(Hierarchy):
    """Rows of (leaf, level 1, …, top); leaves are compared as text, so "17" in a file matches the number 17."""

    kind: ClassVar[str] = "tree"
    says: ClassVar[str] = "Groups within groups that you name, such as city, region, country."
    rows: tuple[tuple[str, ...], ...] = field(
        metadata=setting("a row per value: the value, level 1, …, top", shape=many(many(text, 1)))
    )
    unlisted: int | None = field(
        default=None,
        metadata=setting("in saved plans: number of levels, all of them the top, of a value that no row lists", min=1),
    )

    def __post_init__(self) -> None:  # without the check of every field, as trees may have a million rows
        if self.unlisted is None:
            refuse(_problems(self.rows))
        elif self.rows:
            strange = [row[0] for row in self.rows if len(row) != self.unlisted + 1]
            refuse([*_problems(self.rows), *(f"leaf {leaf!r} has not {self.unlisted} levels" for leaf in strange[:1])])

    @property
    def learnt(self) -> bool:
        return self.unlisted is not None

    def narrowed(self, column: Column, counts: np.ndarray | None = None) -> Tree:
        if self.unlisted is None:
            return self
        rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
        held = {str(value) for value, n in zip(column.domain, rows, strict=True) if n and value is not None}
        return self._of_leaves([row for row in self.rows if row[0] in held])

    def shown(self, labels: Set[str]) -> Tree:
        if self.unlisted is None:
            return self
        return self._of_leaves([row for row in self.rows if not labels.isdisjoint({*row} - {TOP})])

    def _of_leaves(self, rows: Sequence[tuple[str, ...]]) -> Tree:
        """The tree of these rows only; every node except the top is named by its leaves again."""
        below: dict[tuple[int, str], list[str]] = {}
        for row in rows:
            for level, label in enumerate(row):
                below.setdefault((level, label), []).append(row[0])
        return Tree(
            tuple(
                tuple(label if label == TOP else set_label(below[level, label]) for level, label in enumerate(row))
                for row in rows
            ),
            self.unlisted,
        )

    def admits(self, level: int, label: Any) -> bool:
        return (self.learnt and level > 0 and label == TOP) or super().admits(level, label)

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        by_leaf = {as_text(row[0]): row[1:] for row in self.rows}
        if self.unlisted is not None:
            top = (TOP,) * self.unlisted
            return [by_leaf.get(as_text(value), top) for value in values], []
        lost = [value for value in values if as_text(value) not in by_leaf]
        if lost:
            examples = ", ".join(repr(value) for value in lost[:5]) + (", …" if len(lost) > 5 else "")
            count = "1 value has" if len(lost) == 1 else f"{len(lost)} values have"
            return [], [f"{count} no leaf: {examples}"]
        return [by_leaf[as_text(value)] for value in values], []

    def extra_leaves(self) -> Sequence[Any]:
        return [row[0] for row in self.rows]


def _problems(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return ["a tree hierarchy has no rows"]
    problems = []
    depth = max(len(row) for row in rows)
    short = [row[0] for row in rows if len(row) != depth]
    if short:
        problems.append(f"leaf {short[0]!r} has fewer levels than others: every line needs {depth} fields")
    row_of_leaf: dict[str, Sequence[str]] = {}
    for row in rows:
        earlier = row_of_leaf.setdefault(row[0], row)
        if list(earlier) != list(row):
            problems.append(f"{row[0]!r} generalizes two ways: to {earlier[1:]!r} and to {row[1:]!r}")
    return problems


def set_label(leaves: Iterable[str]) -> str:
    """The default name of a node: its leaves."""
    return " / ".join(leaves)


def from_rows(rows: Iterable[Sequence[Any]]) -> Tree:
    """A tree from `rows` of leaf, level 1, …, top; duplicate rows count once."""
    return Tree(tuple(dict.fromkeys(tuple(str(field) for field in row) for row in rows)))


def read_csv(path: str | Path, *, separator: str = ";") -> Tree:
    """A tree from a file with one leaf per line: value, level 1, …, top, with a `separator` between them."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error as problem:
        raise BadInput(f"hierarchy file {path} cannot be read: {problem}") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"hierarchy file {path} cannot be read: {reason}") from None
    if not rows:
        raise BadInput(f"hierarchy file {path.name} is empty")
    try:
        return from_rows(rows)
    except BadInput as problem:
        raise BadInput(f"hierarchy file {path.name}: {problem}") from None


def write_csv(levels: Levels, path: str | Path, *, separator: str = ";") -> None:
    """Write any bound hierarchy (`levels`) to a file that `read_csv` reads, to view, edit or reuse it.

    `separator` is the delimiter between the fields.
    """
    from fairveil.data.atomic import write_text

    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    for leaf in range(levels.leaves):
        path_up = [names[codes[leaf]] for names, codes in zip(levels.labels, levels.codes, strict=True)]
        if path_up[0] is not None:  # missing values are not written
            writer.writerow(path_up)
    write_text(text.getvalue(), Path(path))


def tree(nested: Mapping[str, Any]) -> Tree:
    """A tree from `nested` mappings whose innermost entries are lists of leaves; shallow branches repeat a label."""
    paths: list[tuple[str, ...]] = []

    def walk(node: Any, above: tuple[str, ...]) -> None:
        if isinstance(node, Mapping):
            for label, child in node.items():
                walk(child, (str(label), *above))
        elif isinstance(node, str) or not isinstance(node, Iterable):
            paths.append((str(node), *above))
        else:
            for leaf in node:
                walk(leaf, above)

    walk(nested, ())
    depth = max((len(path) for path in paths), default=0)
    return from_rows([path[:1] + path[:1] * (depth - len(path)) + path[1:] for path in paths])
