"""Hierarchies: display with counts, build, edit, import and export."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fairveil.data.hierarchy import Hierarchy, Levels, Tree, from_rows, suppress
from fairveil.errors import BadInput, suggest
from fairveil.run import hierarchies as building
from fairveil.run.hierarchies import Node
from fairveil.studio.answers import Answer, FileAnswer, Spec
from fairveil.studio.answers import label as label_of
from fairveil.studio.document import need_source, rule_of, schema_of, stored
from fairveil.studio.endpoints import endpoint
from fairveil.studio.looking import counts_of
from fairveil.studio.sessions import OpenSession

MAX_NODES = 3000
"""Maximum number of nodes that are listed per level."""


class HierarchyNode(Answer):
    """`id` is "level:label"; `rows` are those of the source below it; the top has no parent. `missing` is the leaf of
    the rows without a value, which no hierarchy has to name."""

    id: str
    label: str
    level: int
    parent: str | None
    rows: int
    leaves: int
    missing: bool


class HierarchyView(Answer):
    """The hierarchy of a column. `nodes` go from the top down; of very many leaves only the first are listed.
    A hierarchy that is not a tree becomes one by its first edit. `spec` is null where none is set."""

    column: str
    spec: Spec | None
    kind: str
    height: int
    labels_per_level: list[int]
    nodes: list[HierarchyNode]
    listed_all: bool
    problems: list[str]
    notes: list[str]


def _domain(session: OpenSession, column: str) -> Sequence[Any]:
    source = need_source(session)
    if column not in source.names:
        raise BadInput(suggest(column, source.names, "column"))
    return source.domain(column).domain


def _rule(spec: Mapping[str, Any] | None) -> Hierarchy:
    return suppress() if spec is None else rule_of(spec)


@endpoint("GET", "/hierarchy?column")
def show(session: OpenSession, column: str) -> HierarchyView:
    spec = session.document["hierarchies"].get(column)
    return replace(_view(session, column, _rule(spec)), spec=spec)


@endpoint("POST", "/hierarchy/preview?column")
def preview(session: OpenSession, column: str, spec: Mapping[str, Any] | None = None) -> HierarchyView:
    """Return a hierarchy that is not set yet."""
    return _view(session, column, _rule(spec))


@endpoint("POST", "/hierarchy/suggest?column")
def suggest_one(session: OpenSession, column: str) -> HierarchyView:
    """Return the hierarchy that fits a column, not set yet."""
    _domain(session, column)
    rule, says = suggested_rule(session, column)
    return _view(session, column, rule, says)


def suggested_rule(session: OpenSession, column: str) -> tuple[Hierarchy, str]:
    """Return a hierarchy that fits a column, and its description."""
    key, source = ("suggested", column, str(session.document["source"])), need_source(session)
    suggested: tuple[Hierarchy, str] = session.keep(key, lambda: building.suggested(source, column))
    return suggested


@endpoint("POST", "/hierarchy/learn?column")
def learn(session: OpenSession, column: str) -> HierarchyView:
    """Return a hierarchy inferred from the data, not set yet."""
    _domain(session, column)
    key, source = ("learnt", column, str(session.document["source"])), need_source(session)
    return _view(session, column, session.keep(key, lambda: building.learnt(source, column)))


@endpoint("PUT", "/hierarchy?column")
def put(session: OpenSession, column: str, spec: Mapping[str, Any] | None = None) -> None:
    """Set the hierarchy of a column as a plan spells it, or take it away."""
    rule = None if spec is None else rule_of(spec)
    sentence = f"Built a hierarchy of {column} ({rule.kind})" if rule else f"Removed the hierarchy of {column}"
    _set(session, column, rule, sentence)


def _set(session: OpenSession, column: str, rule: Hierarchy | None, sentence: str) -> None:
    _domain(session, column)

    def edit(document: dict[str, Any]) -> None:
        if rule is None:
            document["hierarchies"].pop(column, None)
        else:
            document["hierarchies"][column] = stored(rule)
        schema_of(document)

    session.change(sentence, edit)


@endpoint("POST", "/hierarchy/edit?column")
def edit(
    session: OpenSession,
    column: str,
    action: Literal["move", "rename", "add", "remove", "group", "level"],
    nodes: Sequence[str] = (),
    to: str | None = None,
    label: str | None = None,
    level: int | None = None,
) -> None:
    """Edit a tree. Nodes are "level:label".

    move    `nodes` go below `to`, a node one level above them
    rename  the only node of `nodes` is called `label`
    group   `nodes`, all of one level, go below a new node `label` on the level above, which stands where their
            parents stand
    add     the same, and the new node stands below `to`, two levels above `nodes`
    remove  `nodes` go; what is below them goes to `to`, a node of the same level. With `level`: this level goes
    level   a level is added above `level`, every node named as below
    """
    values = [value for value in _domain(session, column) if value is not None]
    rule = _rule(session.document["hierarchies"].get(column))
    # a tree is edited directly; any other kind is converted to one, and so is a tree that was learnt from the data
    tree = rule if isinstance(rule, Tree) and not rule.learnt else building.as_tree(rule.bind(values, column))
    edited, target = [_node(id) for id in nodes], None if to is None else _node(to)
    listed = ", ".join(name for _, name in edited[:3]) + (", …" if len(edited) > 3 else "")

    def need(value: Any, what: str) -> Any:
        if value is None:
            raise BadInput(f"{action} needs {what}")
        return value

    def renamed() -> Tree:
        if len(edited) != 1:
            raise BadInput("rename needs one node")
        return building.renamed(tree, edited[0], need(label, "a label"))

    def removed() -> Tree:
        if level is not None:
            return building.without_level(tree, level)
        return building.removed(tree, edited, target, values)

    edits: dict[str, tuple[str, Callable[[], Tree]]] = {
        "move": (f"Moved {listed} to {target[1] if target else ''} in",
                 lambda: building.moved(tree, edited, need(target, "a node to move to"))),
        "rename": (f"Renamed {listed} to {label} in", renamed),
        "add": (f"Added {label} to",
                lambda: building.grouped(tree, edited, need(label, "a label"), need(target, "a node to stand below"))),
        "group": (f"Grouped {listed} as {label} in", lambda: building.grouped(tree, edited, need(label, "a label"))),
        "remove": (f"Removed {listed or f'level {level}'} from", removed),
        "level": ("Added a level to", lambda: building.with_level(tree, need(level, "a level"))),
    }  # fmt: skip
    sentence, make = edits[action]
    _set(session, column, make(), f"{sentence} the tree of {column}")


def _node(id: str) -> Node:
    level, colon, name = id.partition(":")
    if not colon or not level.isdecimal() or len(level) > 6:
        raise BadInput(f"{id[:60]!r} is not a node: give its level and label, as in '1:Europe'")
    return int(level), name


@endpoint("POST", "/hierarchy/import?column")
def take_csv(session: OpenSession, column: str, text: str, separator: str = ";") -> None:
    """Set a hierarchy from a file with a line per leaf: value, level 1, …, top."""
    if len(separator) != 1:
        raise BadInput("the separator of a hierarchy is one character")
    try:
        rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator) if row]
    except (csv.Error, ValueError, TypeError) as problem:
        raise BadInput(f"this hierarchy cannot be read: {problem}") from None
    _set(session, column, from_rows(rows), f"Imported the hierarchy of {column}")


@endpoint("GET", "/hierarchy/csv?column")
def give_csv(session: OpenSession, column: str) -> FileAnswer:
    levels = schema_of(session.document).hierarchy(column).bind(_domain(session, column), column)
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(building.as_tree(levels).rows)
    return FileAnswer(text.getvalue().encode(), "text/csv; charset=utf-8", f"{column}.csv")


def _view(session: OpenSession, column: str, rule: Hierarchy, *notes: str) -> HierarchyView:
    levels, problems = rule.try_bind(_domain(session, column))
    learnt = "learnt from the data: a release discloses only what its own rows show. Once edited, it is yours"
    return HierarchyView(
        column=column, spec=stored(rule), kind=rule.kind, height=0 if problems else levels.height,
        labels_per_level=[] if problems else [len(labels) for labels in levels.labels],
        nodes=[] if problems else _nodes(levels, counts_of(need_source(session), column)),
        listed_all=problems != [] or max(map(len, levels.labels)) <= MAX_NODES,
        problems=problems, notes=[*notes, *levels.notes, *([learnt] if rule.learnt else [])],
    )  # fmt: skip


def _nodes(levels: Levels, counts: np.ndarray) -> list[HierarchyNode]:
    """Return every node with its number of rows, from the top down; values that are not in the data have none."""
    rows = np.zeros(levels.leaves)
    rows[: len(counts)] = counts
    nodes: list[HierarchyNode] = []
    for level in range(levels.height, -1, -1):
        labels, codes = levels.labels[level], levels.codes[level]
        sums, leaves = np.bincount(codes, weights=rows, minlength=len(labels)), levels.widths[level]
        up = levels.between(level, level + 1) if level < levels.height else None
        for code, name in list(enumerate(labels))[:MAX_NODES]:
            parent = None if up is None else f"{level + 1}:{label_of(levels.labels[level + 1][up[code]])}"
            text, below, width = label_of(name), int(sums[code]), int(leaves[code])
            nodes.append(HierarchyNode(f"{level}:{text}", text, level, parent, below, width, name is None))
    return nodes
