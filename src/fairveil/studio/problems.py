"""Problems: what prevents a search, each with its location, and with a repair if one call can fix it.

All messages come from the parts themselves; this module only collects them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from fairveil.data.schema import Schema
from fairveil.engines import Source
from fairveil.engines.repeated_persons import person_problems
from fairveil.errors import BadInput
from fairveil.studio import api
from fairveil.studio.document import BY_COLUMN, REQUEST
from fairveil.studio.faults import RequestRefused
from fairveil.studio.requests import guards_of, need_source, schema_of, spelled
from fairveil.studio.sessions import OpenSession

Where = Literal["source", "roles", "hierarchy", "guards", "methods"]


def problems_of(session: OpenSession) -> list[api.Problem]:
    """Return all current problems; none while no source is open."""
    document = session.document
    if document["source"] is None:
        return []
    key = json.dumps([document[name] for name in (*REQUEST, "methods")], sort_keys=True, default=str)
    found: list[api.Problem] = session.keep(("problems", key), lambda: _problems(session, document))
    return found


def _problems(session: OpenSession, document: Mapping[str, Any]) -> list[api.Problem]:
    try:
        source = need_source(session)
    except (BadInput, RequestRefused) as problem:
        return [_problem("source", None, str(problem))]
    try:
        schema = schema_of(document)
    except BadInput as problem:
        return [_problem("roles", None, str(problem))]
    return [
        *_role_problems(source, schema),
        *_hierarchy_problems(source, schema),
        *_guard_problems(source, schema, document["guards"]),
        *([] if document["methods"] else [_problem("methods", None, "no method is chosen", "method", "Use Incognito")]),
    ]


def _problem(
    where: Where, column: str | None, sentence: str, repair: str = "", label: str = "", *, blocks: bool = True
) -> api.Problem:
    offered: api.Repair | None = {"id": repair, "label": label} if repair else None
    return {"where": where, "column": column, "sentence": sentence, "repair": offered, "blocks": blocks}


def _role_problems(source: Source, schema: Schema) -> list[api.Problem]:
    found = [
        _problem("roles", name, f"{name!r} has no role", f"suggested:{name}", "Take the suggested role")
        for name in source.names
        if not schema.roles(name)
    ]
    names = source.names
    found += [
        _problem("roles", name, f"there is no column {name!r} in the file", f"forget:{name}", "Forget this column")
        for name in schema.columns
        if name not in names
    ]
    if not schema.quasi:
        found.append(_problem("roles", None, "no column is quasi: name those that can be linked to other data"))
    if schema.decision is not None and not schema.denied_values:
        sentence = f"no value of {schema.decision!r} is named as denied: fairness cannot be judged"
        found.append(_problem("roles", schema.decision, sentence, blocks=False))
    found += [_problem("roles", schema.decision, sentence) for sentence in schema.denied_problems(source)]
    if not any(problem["blocks"] for problem in found):
        found += [_problem("roles", None, sentence) for sentence in person_problems(source, schema)]
    return found


def _hierarchy_problems(source: Source, schema: Schema) -> list[api.Problem]:
    found = []
    for name in dict.fromkeys([*schema.quasi, *schema.hierarchies]):
        if name not in source.names or name in schema.levels:
            continue
        if name not in schema.hierarchies:
            sentence = f"{name!r} has no hierarchy, so it is published as it is or not at all"
            offer = (f"automatic:{name}", "Build one that fits the values")
            found.append(_problem("hierarchy", name, sentence, *offer, blocks=False))
            continue
        rule, values = schema.hierarchy(name), source.domain(name).domain
        sentences = rule.try_bind(values)[1]
        repair = _mend(name, rule, values) if sentences else ("", "")
        found += [_problem("hierarchy", name, sentence, *repair) for sentence in sentences]
    return found


def _mend(name: str, rule: Any, values: Sequence[Any]) -> tuple[str, str]:
    """Return the first repair after which the hierarchy covers every value."""
    for id, (label, mend) in HIERARCHY_REPAIRS.items():
        try:
            mended = mend(rule, values)
        except (BadInput, AttributeError, TypeError):
            continue
        if mended is not None and not mended.try_bind(values)[1]:
            return f"{id}:{name}", label
    return f"automatic:{name}", "Build one that fits the values instead"


def _opened(rule: Any, values: Sequence[Any]) -> Any:
    from fairveil.data.hierarchy import Intervals

    return Intervals(rule.levels, open_ended=True, whole=rule.whole)


def _with_leaves(rule: Any, values: Sequence[Any]) -> Any:
    """Return the tree with each value that it lacks as a leaf directly below its top."""
    from fairveil.data.hierarchy import from_rows
    from fairveil.data.text_form import as_text

    known, top = {as_text(row[0]) for row in rule.rows}, rule.rows[0][-1]
    lost = [str(value) for value in values if value is not None and as_text(value) not in known]
    depth = len(rule.rows[0])
    return from_rows([*rule.rows, *((value, *(value,) * (depth - 2), top) for value in lost)])


HIERARCHY_REPAIRS: Mapping[str, tuple[str, Callable[[Any, Sequence[Any]], Any]]] = {
    "open": ("Open the first and last interval", _opened),
    "leaves": ("Add the missing values to the tree", _with_leaves),
}


def _guard_problems(source: Source, schema: Schema, specs: Sequence[Any]) -> list[api.Problem]:
    if not specs:
        sentence = "no promise is made yet: add at least one guard"
        return [_problem("guards", None, sentence, "k-anonymity", "Add k-anonymity with k = 5")]
    guards = guards_of(specs)
    sentences = [sentence for guard in guards for sentence in guard.check_schema(schema)]
    sentences += [sentence for guard in guards for sentence in guard.check_rows(source.rows)]
    return [_problem("guards", None, sentence) for sentence in dict.fromkeys(sentences)]


def repaired(session: OpenSession, id: str) -> None:
    """Apply a repair, as one step of the history."""
    kind, _, column = id.partition(":")
    offered = [problem for problem in problems_of(session) if problem["repair"] and problem["repair"]["id"] == id]
    if not offered:
        raise BadInput("this problem is gone already")
    label = offered[0]["repair"]["label"] if offered[0]["repair"] else ""
    source, document = need_source(session), session.document
    sentence = f"{label} ({column})" if column else label

    def edit(changed: dict[str, Any]) -> None:
        if kind == "suggested":
            from fairveil.studio.looking import suggested_roles

            changed["roles"][column] = list(suggested_roles(session)[column])
        elif kind == "forget":
            for section in BY_COLUMN:
                changed[section].pop(column, None)
        elif kind == "automatic":
            from fairveil.studio.hierarchy_editor import suggested_rule

            changed["hierarchies"][column] = spelled(suggested_rule(session, column)[0])
        elif kind == "k-anonymity":
            changed["guards"] = [*changed["guards"], {"kind": "k-anonymity", "k": min(5, max(source.rows, 2))}]
        elif kind == "method":
            changed["methods"] = [{"kind": "incognito"}]
        else:
            rule = schema_of(document).hierarchy(column)
            changed["hierarchies"][column] = spelled(HIERARCHY_REPAIRS[kind][1](rule, source.domain(column).domain))

    session.change(sentence, edit)
