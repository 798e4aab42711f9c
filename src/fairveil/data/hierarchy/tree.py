"""Explicit trees: one path per leaf, from a leaf-per-line CSV file or a nested mapping.

>>> race = tree({"*": {"White": ["White"], "Colored": ["Black", "Asian"]}})
>>> race.bind(["Asian", "Black", "White"]).labels[1]
('Colored', 'White')
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from fairveil.data.hierarchy.base import Hierarchy, Levels
from fairveil.data.texts import as_text
from fairveil.errors import BadInput, refuse


@dataclass(frozen=True)
class Tree(Hierarchy):
    """Rows of (leaf, level 1, …, top); leaves are compared as text, so "17" in a file matches the number 17."""

    kind: ClassVar[str] = "tree"
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        refuse(_problems(self.rows))

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        by_leaf = {as_text(row[0]): row[1:] for row in self.rows}
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


def from_rows(rows: Iterable[Sequence[Any]]) -> Tree:
    """A tree from (leaf, level 1, …, top) rows; repeated equal rows count once."""
    return Tree(tuple(dict.fromkeys(tuple(str(field) for field in row) for row in rows)))


def read_csv(path: str | Path, *, separator: str = ";") -> Tree:
    """A tree from a file with one leaf per line: value, level 1, …, top."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"hierarchy file {path} cannot be read: {reason}") from None
    if not rows:
        raise BadInput(f"hierarchy file {path.name} is empty")
    try:
        return from_rows(rows)
    except BadInput as problem:
        raise BadInput(f"hierarchy file {path.name}: {problem}") from None


def write_csv(levels: Levels, path: str | Path, *, separator: str = ";") -> None:
    """Any bound hierarchy as a file that `read_csv` reads: to look at, to edit, to use again."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        for leaf in range(levels.leaves):
            path_up = [names[codes[leaf]] for names, codes in zip(levels.labels, levels.codes, strict=True)]
            if path_up[0] is not None:  # a missing value is nobody's leaf
                writer.writerow(path_up)


def tree(nested: Mapping[str, Any]) -> Tree:
    """A tree from nested mappings whose innermost entries are lists of leaves; shallow branches repeat a label."""
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
