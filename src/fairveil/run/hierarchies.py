"""hierarchies: a first hierarchy for a column, and edits of a tree.

>>> from fairveil.data.hierarchy import tree
>>> places = tree({"*": {"south": ["Rome", "Bari"], "north": ["Turin"]}})
>>> moved(places, [(0, "Bari")], (1, "north")).rows[1]
('Bari', 'north', '*')

A node is its level and its label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairveil.data.hierarchy import Hierarchy, Levels, Tree, automatic, from_dict, from_rows
from fairveil.errors import BadInput
from fairveil.run.suggestions.fitting import fitted_to

if TYPE_CHECKING:
    from fairveil.engines import Source

Node = tuple[int, str]


def suggested(source: Source, column: str) -> tuple[Hierarchy, str]:
    """A hierarchy that fits the values, and what it does; if they are few or fit no kind, learnt from data."""
    fitted = fitted_to(source, column)
    if fitted is not None:
        rule = from_dict(fitted[0])
        if not rule.try_bind(source.domain(column).domain)[1]:
            return rule, fitted[1]
    return learnt(source, column), "values whose records are alike go together"


def learnt(source: Source, column: str) -> Hierarchy:
    """A hierarchy learnt from data: numbers in adjacent bands, other values by similarity of records."""
    return automatic(source.table, [column])[column]


def as_tree(levels: Levels) -> Tree:
    """Any bound hierarchy as a tree that can be edited; a missing value is not a leaf of it."""
    return from_rows([path for path in map(levels.path, range(levels.leaves)) if path[0] is not None])


def moved(tree: Tree, nodes: Sequence[Node], to: Node) -> Tree:
    """The tree with these nodes moved below a node one level up."""
    if not nodes:
        raise BadInput("name at least one node to move")
    above = _path(tree, to)
    for node in nodes:
        _path(tree, node)
        if to[0] != node[0] + 1:
            raise BadInput(f"{node[1]!r} is on level {node[0]}, so it moves to a node of level {node[0] + 1}")
    chosen = set(nodes)
    return _changed(tree, lambda row: (*row[: to[0]], *above) if (to[0] - 1, row[to[0] - 1]) in chosen else row)


def renamed(tree: Tree, node: Node, label: str) -> Tree:
    """The tree with a node relabelled; a leaf is a value of the data and cannot be renamed."""
    _path(tree, node)
    level, old = node
    if level == 0:
        raise BadInput(f"{old!r} is a value of the data: only groups of values can be renamed")
    _refuse_taken(tree, level, label)
    return _changed(tree, lambda row: (*row[:level], label, *row[level + 1 :]) if row[level] == old else row)


def grouped(tree: Tree, nodes: Sequence[Node], label: str, below: Node | None = None) -> Tree:
    """The tree with a new parent of these nodes, below their old grandparent unless another is named."""
    if not nodes:
        raise BadInput("name at least one node to put into a group")
    level = nodes[0][0]
    if any(node[0] != level for node in nodes):
        raise BadInput("nodes of one level can be put into a group")
    if level + 1 >= _height(tree):
        raise BadInput("there is no level for a group between these nodes and the top: add a level first")
    _refuse_taken(tree, level + 1, label)
    for node in nodes:
        _path(tree, node)
    if below is not None and below[0] != level + 2:
        raise BadInput(f"the parent of a group of nodes of level {level} must be on level {level + 2}, not {below[0]}")
    chosen = {name for _, name in nodes}
    parents = {row[level + 2] for row in tree.rows if row[level] in chosen}
    if below is None and len(parents) > 1:
        raise BadInput(f"these nodes are below {' and '.join(sorted(map(repr, parents))[:3])}: move them together")
    above = _path(tree, below if below is not None else (level + 2, parents.pop()))
    return _changed(tree, lambda row: (*row[: level + 1], label, *above) if row[level] in chosen else row)


def removed(tree: Tree, nodes: Sequence[Node], to: Node | None, present: Sequence[Any]) -> Tree:
    """The tree without these nodes; their children go to node `to`. A leaf is removed if no row has it."""
    values = {str(value) for value in present}
    for node in nodes:
        _path(tree, node)
        if node[0] == 0 and node[1] in values:
            raise BadInput(f"{node[1]!r} is a value of the data and cannot be removed: move it instead")
        if node[0] > 0 and (to is None or to[0] != node[0] or to in nodes):
            raise BadInput(f"the values of {node[1]!r} need another node of level {node[0]} to go to")
    gone = set(nodes)
    above = () if to is None else _path(tree, to)
    rows = [row for row in tree.rows if (0, row[0]) not in gone]
    cuts = [next((level for level, label in enumerate(row) if (level, label) in gone), None) for row in rows]
    return from_rows([row if cut is None else (*row[:cut], *above) for row, cut in zip(rows, cuts, strict=True)])


def with_level(tree: Tree, level: int) -> Tree:
    """The tree with a level added above this one, with the same labels."""
    if not 0 <= level < _height(tree):
        raise BadInput(f"a level can be added above level 0 to {_height(tree) - 1}, not {level}")
    return _changed(tree, lambda row: (*row[: level + 1], *row[level:]))


def without_level(tree: Tree, level: int) -> Tree:
    """The tree without this level, between leaves and top."""
    if not 0 < level < _height(tree):
        raise BadInput(f"levels 1 to {_height(tree) - 1} can be removed, not {level}")
    return _changed(tree, lambda row: (*row[:level], *row[level + 1 :]))


def _height(tree: Tree) -> int:
    return len(tree.rows[0]) - 1


def _changed(tree: Tree, change: Any) -> Tree:
    return from_rows([change(row) for row in tree.rows])


def _path(tree: Tree, node: Node) -> tuple[str, ...]:
    """The labels from a node up to the top; raises BadInput if there is no such node."""
    level, label = node
    for row in tree.rows:
        if 0 <= level < len(row) and row[level] == label:
            return row[level:]
    raise BadInput(f"there is no node {label!r} on level {level}")


def _refuse_taken(tree: Tree, level: int, label: str) -> None:
    if not label.strip():
        raise BadInput("a node needs a label")
    if any(row[level] == label for row in tree.rows):
        raise BadInput(f"level {level} already has a node {label!r}: move the nodes to it instead")
