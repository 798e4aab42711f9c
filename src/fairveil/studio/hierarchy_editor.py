"""Hierarchies: display with counts, build, edit, import and export."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairveil.data.hierarchy import Hierarchy, Levels, Tree, from_rows, suppress
from fairveil.errors import BadInput, suggest
from fairveil.run import hierarchies as building
from fairveil.run.hierarchies import Node
from fairveil.studio import api
from fairveil.studio.calls import Call, FileAnswer
from fairveil.studio.looking import counts_of
from fairveil.studio.requests import need_source, rule_of, schema_of, spelled
from fairveil.studio.sessions import OpenSession
from fairveil.studio.views import label, session_view

MOST_NODES = 3000
"""Maximum number of nodes that are listed per level."""


def _column(call: Call) -> str:
    column, names = str(call.need("column")), need_source(call.session).names
    if column not in names:
        raise BadInput(suggest(column, names, "column"))
    return column


def show(call: Call) -> api.HierarchyView:
    column = _column(call)
    spec = call.session.document["hierarchies"].get(column)
    return _view(call.session, column, suppress() if spec is None else rule_of(spec), spec)


def preview(call: Call) -> api.HierarchyView:
    asked: api.SetHierarchy = call.body
    rule = suppress() if asked.spec is None else rule_of(asked.spec)
    return _view(call.session, _column(call), rule, spelled(rule))


def suggest_one(call: Call) -> api.HierarchyView:
    column = _column(call)
    rule, says = suggested_rule(call.session, column)
    view = _view(call.session, column, rule, spelled(rule))
    return {**view, "notes": [says, *view["notes"]]}


def suggested_rule(session: OpenSession, column: str) -> tuple[Hierarchy, str]:
    """Return a hierarchy that fits a column, and its description."""
    source = need_source(session)
    made: tuple[Hierarchy, str] = session.keep(
        ("suggested", column, str(session.document["source"])), lambda: building.suggested(source, column)
    )
    return made


def learn(call: Call) -> api.HierarchyView:
    column, session = _column(call), call.session
    source = need_source(session)
    rule: Hierarchy = session.keep(
        ("learnt", column, str(session.document["source"])), lambda: building.learnt(source, column)
    )
    return _view(session, column, rule, spelled(rule))


def put(call: Call) -> api.Session:
    asked: api.SetHierarchy = call.body
    column = _column(call)
    if asked.spec is None:
        _set(call, column, None, f"Took the hierarchy of {column} away")
    else:
        rule = rule_of(asked.spec)
        _set(call, column, rule, f"Built a hierarchy of {column} ({rule.kind})")
    return session_view(call.session)


def _set(call: Call, column: str, rule: Hierarchy | None, sentence: str) -> None:
    def edit(document: dict[str, Any]) -> None:
        if rule is None:
            document["hierarchies"].pop(column, None)
        else:
            document["hierarchies"][column] = spelled(rule)
        schema_of(document)

    call.session.change(sentence, edit)


def edit(call: Call) -> api.Session:
    asked: api.EditTree = call.body
    column = _column(call)
    spec = call.session.document["hierarchies"].get(column)
    rule = suppress() if spec is None else rule_of(spec)
    domain = need_source(call.session).domain(column).domain
    held = [value for value in domain if value is not None]
    # a tree is edited directly; any other kind is converted to one, and so is a tree that was learnt from the data
    tree = rule if isinstance(rule, Tree) and not rule.learnt else building.as_tree(rule.bind(held, column))
    nodes, to = [_node(id) for id in asked.nodes], None if asked.to is None else _node(asked.to)
    _set(call, column, _edited(asked, tree, nodes, to, held), _sentence(asked, column, nodes, to))
    return session_view(call.session)


def _edited(asked: api.EditTree, tree: Tree, nodes: Sequence[Node], to: Node | None, held: Sequence[Any]) -> Tree:
    def need(value: Any, what: str) -> Any:
        if value is None:
            raise BadInput(f"{asked.action} needs {what}")
        return value

    if asked.action == "rename" and len(nodes) != 1:
        raise BadInput("rename needs one node")
    edits: dict[str, Callable[[], Tree]] = {
        "move": lambda: building.moved(tree, nodes, need(to, "a node to move to")),
        "rename": lambda: building.renamed(tree, nodes[0], need(asked.label, "a label")),
        "add": lambda: building.grouped(tree, nodes, need(asked.label, "a label"), need(to, "a node to stand below")),
        "group": lambda: building.grouped(tree, nodes, need(asked.label, "a label")),
        "remove": lambda: building.without_level(tree, asked.level) if asked.level is not None
        else building.removed(tree, nodes, to, held),
        "level": lambda: building.with_level(tree, need(asked.level, "a level")),
    }  # fmt: skip
    return edits[asked.action]()


def _sentence(asked: api.EditTree, column: str, nodes: Sequence[Node], to: Node | None) -> str:
    listed = ", ".join(name for _, name in nodes[:3]) + (", …" if len(nodes) > 3 else "")
    sentences = {
        "move": f"Moved {listed} to {to[1] if to else ''} in the tree of {column}",
        "rename": f"Renamed {listed} to {asked.label} in the tree of {column}",
        "add": f"Added {asked.label} to the tree of {column}",
        "group": f"Grouped {listed} as {asked.label} in the tree of {column}",
        "remove": f"Removed {listed or f'level {asked.level}'} from the tree of {column}",
        "level": f"Added a level to the tree of {column}",
    }
    return sentences[asked.action]


def _node(id: str) -> Node:
    level, colon, name = id.partition(":")
    if not colon or not level.isdigit() or len(level) > 6:
        raise BadInput(f"{id[:60]!r} is no node: say its level and label, as in '1:Europe'")
    return int(level), name


def take_csv(call: Call) -> api.Session:
    asked: api.ImportHierarchy = call.body
    column = _column(call)
    if len(asked.separator) != 1:
        raise BadInput("the separator of a hierarchy is one character")
    try:
        rows = [
            row for row in csv.reader(io.StringIO(asked.text.removeprefix("\ufeff")), delimiter=asked.separator) if row
        ]
    except (csv.Error, ValueError, TypeError) as problem:
        raise BadInput(f"this hierarchy cannot be read: {problem}") from None
    _set(call, column, from_rows(rows), f"Imported the hierarchy of {column}")
    return session_view(call.session)


def give_csv(call: Call) -> FileAnswer:
    column = _column(call)
    source, schema = need_source(call.session), schema_of(call.session.document)
    levels = schema.hierarchy(column).bind(source.domain(column).domain, column)
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(building.as_tree(levels).rows)
    return FileAnswer(text.getvalue().encode(), "text/csv; charset=utf-8", f"{column}.csv")


def _view(session: OpenSession, column: str, rule: Hierarchy, spec: Any) -> api.HierarchyView:
    source = need_source(session)
    levels, problems = rule.try_bind(source.domain(column).domain)
    nodes = [] if problems else list(_nodes(levels, counts_of(source, column)))
    notes = list(levels.notes)
    if rule.learnt:
        notes.append(
            "it was inferred from the data: a release shows only what its own rows show. Once edited, it is yours"
        )
    return {
        "column": column, "spec": spec, "kind": rule.kind, "height": 0 if problems else levels.height,
        "labels_per_level": [] if problems else [len(labels) for labels in levels.labels], "nodes": nodes,
        "listed_all": problems != [] or max(map(len, levels.labels)) <= MOST_NODES,
        "editable": isinstance(rule, Tree), "problems": problems, "notes": notes,
    }  # fmt: skip


def _nodes(levels: Levels, counts: np.ndarray) -> list[api.HierarchyNode]:
    """Return every node with its number of rows, from the top down; values that are not in the data have none."""
    rows = np.zeros(levels.leaves)
    rows[: len(counts)] = counts
    found: list[api.HierarchyNode] = []
    for level in range(levels.height, -1, -1):
        labels, codes = levels.labels[level], levels.codes[level]
        sums, leaves = np.bincount(codes, weights=rows, minlength=len(labels)), levels.widths[level]
        up = levels.between(level, level + 1) if level < levels.height else None
        for code, name in list(enumerate(labels))[:MOST_NODES]:
            parent = None if up is None else f"{level + 1}:{label(levels.labels[level + 1][up[code]])}"
            found.append({
                "id": f"{level}:{label(name)}", "label": label(name), "level": level, "parent": parent,
                "rows": int(sums[code]), "leaves": int(leaves[code]), "missing": name is None,
            })  # fmt: skip
    return found
