"""Problems: what prevents a search, each with its location, and with a repair if one call can fix it.

All messages come from the parts themselves; this module only collects them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from fairveil.data.hierarchy import Intervals, from_rows
from fairveil.data.schema import Schema
from fairveil.data.text_form import as_text
from fairveil.engines import Source
from fairveil.engines.repeated_persons import person_problems
from fairveil.errors import BadInput
from fairveil.studio.answers import Answer
from fairveil.studio.document import BY_COLUMN, REQUEST, guards_of, methods_of, need_source, schema_of, stored
from fairveil.studio.endpoints import endpoint
from fairveil.studio.hierarchy_editor import suggested_rule
from fairveil.studio.looking import suggested_roles
from fairveil.studio.refusals import RequestRefused, titled
from fairveil.studio.sessions import OpenSession
from fairveil.studio.suggesting import accept_promises

Where = Literal["source", "roles", "hierarchy", "guards", "methods"]


class Repair(Answer):
    id: str
    label: str


class Problem(Answer):
    """Something that is wrong; `repair` is what one call of the repair endpoint would do. Where it `blocks`, no search
    can start."""

    where: Where
    column: str | None
    sentence: str
    repair: Repair | None = None
    blocks: bool = True


def problems_of(session: OpenSession) -> list[Problem]:
    """Return all current problems; none while no source is open."""
    document = session.document
    if document["source"] is None:
        return []
    key = json.dumps([document[name] for name in (*REQUEST, "methods")], sort_keys=True, default=str)

    def look() -> list[Problem]:
        return [replace(problem, sentence=titled(problem.sentence)) for problem in _problems(session, document)]

    problems: list[Problem] = session.keep(("problems", key), look)
    return [*_changed(session, document["source"]), *problems]


def _changed(session: OpenSession, spec: Mapping[str, Any]) -> list[Problem]:
    """Return a problem if the file is not as it was when it was opened."""
    sources, title = session.sources, spec["title"]
    if spec.get("engine", {}).get("join"):
        title = f"{title} or a table that is joined with it"
    if "path" not in spec or "stamp" not in spec:
        return []
    current, seen = sources.stamp(spec), sources.read_stamp(spec)
    if current == spec["stamp"] == (seen or current):
        return []
    if current is None:
        sentence = f"{title} is no longer where it was: what was read of it is used until the studio stops"
        return [Problem("source", None, sentence, blocks=False)] if seen else []  # otherwise reading says so
    state = (
        "its earlier state is shown" if seen == spec["stamp"] else "its present state is shown, and runs are of both"
    )
    sentence = f"{title} changed since it was opened: {state}"
    return [Problem("source", None, sentence, Repair("again", "Read it again"), blocks=False)]


def _problems(session: OpenSession, document: Mapping[str, Any]) -> list[Problem]:
    try:
        source = need_source(session)
    except (BadInput, RequestRefused) as problem:
        return [Problem("source", None, str(problem))]
    try:
        schema = schema_of(document)
    except BadInput as problem:
        return [Problem("roles", None, str(problem))]
    no_method = Problem("methods", None, "no method is chosen", Repair("method", "Use Incognito"))
    methods = methods_of(document["methods"])
    if methods and all(method.declares_domains for method in methods):  # no record decides whether they can search
        sentences = schema.name_problems(source.names)
        sentences += [sentence for guard in guards_of(document["guards"]) for sentence in guard.check_schema(schema)]
        return [Problem("roles", None, sentence) for sentence in dict.fromkeys(sentences)]
    persons = session.sources.origin(document["source"]).repeats_persons(schema)
    return [
        *(Problem("roles", None, sentence) for sentence in persons),
        *_role_problems(source, schema),
        *_hierarchy_problems(source, schema),
        *_guard_problems(source, schema, document["guards"]),
        *([] if document["methods"] else [no_method]),
    ]


def _role_problems(source: Source, schema: Schema) -> list[Problem]:
    problems = [
        Problem("roles", name, f"{name!r} has no role", Repair(f"suggested:{name}", "Take the suggested role"))
        for name in source.names
        if not schema.roles(name)
    ]
    for name in schema.columns:
        if name not in source.names:
            forget = Repair(f"forget:{name}", "Forget this column")
            problems.append(Problem("roles", name, f"there is no column {name!r} in the file", forget))
    if not schema.quasi:
        problems.append(Problem("roles", None, "no column is quasi: name those that can be linked to other data"))
    if schema.decision is not None and not schema.denied_values:
        sentence = f"no value of {schema.decision!r} is named as denied: fairness cannot be judged"
        problems.append(Problem("roles", schema.decision, sentence, blocks=False))
    problems += [Problem("roles", schema.decision, sentence) for sentence in schema.denied_problems(source)]
    if not any(problem.blocks for problem in problems):
        problems += [Problem("roles", None, sentence) for sentence in person_problems(source, schema)]
    return problems


def _hierarchy_problems(source: Source, schema: Schema) -> list[Problem]:
    problems = []
    for name in dict.fromkeys([*schema.quasi, *schema.hierarchies]):
        if name not in source.names or name in schema.levels:
            continue
        if name not in schema.hierarchies:
            sentence = f"{name!r} has no hierarchy, so it is published as it is or not at all"
            offer = Repair(f"automatic:{name}", "Build one that fits the values")
            problems.append(Problem("hierarchy", name, sentence, offer, blocks=False))
            continue
        rule, values = schema.hierarchy(name), source.domain(name).domain
        sentences = rule.try_bind(values)[1]
        repair = _mend(name, rule, values) if sentences else None
        problems += [Problem("hierarchy", name, sentence, repair) for sentence in sentences]
    return problems


def _mend(name: str, rule: Any, values: Sequence[Any]) -> Repair:
    """Return the first repair after which the hierarchy covers every value."""
    for id, (label, mend) in HIERARCHY_REPAIRS.items():
        try:
            mended = mend(rule, values)
        except (BadInput, AttributeError, TypeError):
            continue
        if mended is not None and not mended.try_bind(values)[1]:
            return Repair(f"{id}:{name}", label)
    return Repair(f"automatic:{name}", "Build one that fits the values instead")


def _with_leaves(rule: Any, values: Sequence[Any]) -> Any:
    """Return the tree with each value that it lacks as a leaf directly below its top."""
    leaves, top = {as_text(row[0]) for row in rule.rows}, rule.rows[0][-1]
    lost = [str(value) for value in values if value is not None and as_text(value) not in leaves]
    depth = len(rule.rows[0])
    return from_rows([*rule.rows, *((value, *(value,) * (depth - 2), top) for value in lost)])


HIERARCHY_REPAIRS: Mapping[str, tuple[str, Callable[[Any, Sequence[Any]], Any]]] = {
    "open": (
        "Open the first and last interval",
        lambda rule, _: Intervals(rule.levels, open_ended=True, whole=rule.whole),
    ),
    "leaves": ("Add the missing values to the tree", _with_leaves),
}


def _guard_problems(source: Source, schema: Schema, specs: Sequence[Any]) -> list[Problem]:
    if not specs:
        sentence = "no promise is made yet: add at least one guard"
        return [Problem("guards", None, sentence, Repair("promises", "Use the suggested promises"))]
    guards = guards_of(specs)
    sentences = [sentence for guard in guards for sentence in guard.check_schema(schema)]
    sentences += [sentence for guard in guards for sentence in guard.check_rows(source.rows)]
    return [Problem("guards", None, sentence) for sentence in dict.fromkeys(sentences)]


@endpoint("POST", "/repair")
def repair(session: OpenSession, id: str) -> None:
    """Apply a repair, as one step of the history."""
    action, _, column = id.partition(":")
    repairs = [problem.repair for problem in problems_of(session) if problem.repair is not None]
    label = next((offered.label for offered in repairs if offered.id == id), None)
    if label is None:
        raise BadInput("this problem no longer exists")
    if action == "again":
        spec = session.document["source"]
        spec = {**spec, "stamp": session.sources.stamp(spec) or ""}
        spec["rows"] = session.sources.source(spec).rows
        session.change(f"Read {spec['title']} again", lambda changed: changed.update(source=spec))
        return
    if action == "promises":
        accept_promises(session)
        return
    source, document = need_source(session), session.document

    def edit(changed: dict[str, Any]) -> None:
        if action == "suggested":
            changed["roles"][column] = list(suggested_roles(session)[column])
        elif action == "forget":
            for section in BY_COLUMN:
                changed[section].pop(column, None)
        elif action == "automatic":
            changed["hierarchies"][column] = stored(suggested_rule(session, column)[0])
        elif action == "method":
            changed["methods"] = [{"kind": "incognito"}]
        else:
            rule = schema_of(document).hierarchy(column)
            changed["hierarchies"][column] = stored(HIERARCHY_REPAIRS[action][1](rule, source.domain(column).domain))

    session.change(f"{label} ({column})" if column else label, edit)
