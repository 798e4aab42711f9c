"""Suggest: what a first plan would say of the columns, each before and after, and what it would promise.

The suggestions are those of `fairveil init`: how the file is read, the roles and the hierarchies are accepted in one
step, promises and methods in another. What the owner has already said is never replaced.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairveil.data.hierarchy import Hierarchy, from_dict, suppress
from fairveil.data.table import Column
from fairveil.engines import Source, TooManyCells
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import counted
from fairveil.progress import Progress
from fairveil.run.init import first_draft
from fairveil.run.plan import Plan
from fairveil.run.profile import type_name
from fairveil.run.sections import Origin
from fairveil.run.suggestions.first_plan import Draft, FirstLook, Wishes
from fairveil.run.suggestions.fitting import rows_per_value
from fairveil.run.suggestions.plan_text import questions, understood
from fairveil.studio.answers import Answer, Role, label, roles_of
from fairveil.studio.deciding import change, put_roles
from fairveil.studio.document import (
    READING,
    ReadingOptions,
    blank,
    described,
    need_source,
    rule_of,
    schema_of,
    stored,
)
from fairveil.studio.endpoints import endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.sessions import OpenSession

EXAMPLES = 4
"""Number of values of a column that are shown before and after."""
TRIED = 50
"""Number of frequent values among which the one is chosen that shows a hierarchy best."""
AS_IT_IS = "as it is, or not at all: the values are few"
Looked = tuple[FirstLook, Draft, Plan]


class ColumnSuggestion(Answer):
    """A column before and after. `roles` and `hierarchy` are what it has (empty: nothing yet), `suggested` and
    `generalized` what it would get; `type` and `examples` are how it is read, `read_as` and `converted` how it would
    be. `path` is one of its values from level to level, `certainty` is from 0 to 1, and `unsure` ones are asked for
    first."""

    name: str
    roles: list[Role]
    suggested: list[Role]
    reason: str
    certainty: float
    unsure: bool
    type: str
    read_as: str
    examples: list[str]
    converted: list[str]
    hierarchy: str
    generalized: str
    path: list[str]


class Suggestions(Answer):
    """`reading` are the reading options that would be set, `understood` is how the file is read then, `questions` are
    what only the owner knows; `open` is the number of columns that would change."""

    columns: list[ColumnSuggestion]
    reading: ReadingOptions
    understood: list[str]
    questions: list[str]
    open: int


@endpoint("POST", "/suggestions")
def suggestions(session: OpenSession) -> JobView[Suggestions]:
    """Compute the suggestions for all columns; nothing is set."""
    need_source(session)
    return started(session, "Suggesting roles and hierarchies", lambda progress: _review(session, progress))


@endpoint("POST", "/suggestions/accept")
def accept(session: OpenSession, columns: Sequence[str] | None = None) -> None:
    """Set what is suggested for these columns, by default for all, as one step: how they are read, their roles and
    hierarchies. What is set already stays."""
    names = need_source(session).names
    refuse([suggest(name, names, "column") for name in columns or () if name not in names])
    _, draft, plan = _looked(session, Progress(), session.document["roles"])
    chosen = [name for name in names if columns is None or name in columns]
    document = session.document
    roles = {name: _suggested(draft, name) for name in chosen if not document["roles"].get(name)}
    rules = {name: rule for name in chosen if (rule := _rule(draft, document, name)) is not None}
    entries = described(plan.schema) if plan.schema is not None else {}
    reading = _reading(session, plan, chosen)

    def edit(changed: dict[str, Any]) -> None:
        if reading:
            spec = {**changed["source"], "options": {**changed["source"]["options"], **reading}}
            session.sources.mark(spec)
            changed["source"] = {**spec, "rows": session.sources.source(spec).rows}
        put_roles(changed, {name: given for name, given in roles.items() if given})
        changed["hierarchies"] |= {
            name: entries["hierarchies"].get(name) or rule.to_dict() for name, rule in rules.items()
        }
        for section in ("whole_numbers", "levels"):
            new = {name: value for name, value in entries[section].items() if name in roles}
            changed[section] = {**new, **changed[section]}
        if any("decision" in given for given in roles.values()) and not changed["denied"]:
            changed["denied"] = entries["denied"]
        if any("weight" in given for given in roles.values()):
            changed["publish_weight"] = entries["publish_weight"]

    parts = [
        *([f"the reading of the file ({', '.join(reading)})"] if reading else []),
        *([f"{counted(len(roles), 'role')}"] if roles else []),
        *([counted(len(rules), "hierarchy", "hierarchies")] if rules else []),
    ]
    change(session, f"Accepted suggestions: {', '.join(parts) or 'nothing new'}", edit)


@endpoint("POST", "/suggestions/promises")
def accept_promises(session: OpenSession) -> None:
    """Set the promises of a first plan for these roles, in place of those that are set; methods and the measure that
    chooses among releases as well, unless they were changed."""
    need_source(session)
    document, first = session.document, blank()
    _, draft, plan = _looked(session, Progress(), {})
    given = {name: roles for name, roles in document["roles"].items() if not _is_as_suggested(document, draft, name)}
    if given:
        _, _, plan = _looked(session, Progress(), given)
    schema = schema_of(document)
    guards = [guard for guard in plan.guards if not guard.check_schema(schema)]
    if not schema.quasi or not guards:
        raise BadInput("promises are about columns that have a role: give them their roles first")
    changes = {"guards": stored(guards)}
    if all(document[name] == first[name] for name in ("methods", "choose")):
        changes |= {"methods": stored(plan.methods), "choose": plan.choose}
    parts = [counted(len(changes[name]), name[:-1]) for name in ("guards", "methods") if name in changes]
    change(session, f"Accepted the suggested promises ({', '.join(parts)})", lambda document: document.update(changes))


def _is_as_suggested(document: dict[str, Any], draft: Draft, name: str) -> bool:
    """Whether a column has the role that is suggested, and is published as suggested if it is not quasi."""
    roles = document["roles"][name]
    coarser = "quasi" not in roles and draft.specs.get(name) is not None
    return (
        set(roles) == set(_suggested(draft, name))
        and (not coarser or name in document["hierarchies"])
        and document["levels"].get(name) == draft.levels.get(name)
    )


def _looked(session: OpenSession, progress: Progress, given: Mapping[str, Sequence[str]]) -> Looked:
    """A first look and a first plan for the roles that the owner has `given`."""
    key = ("first look", session.sources.key(session.document["source"]), json.dumps(given, sort_keys=True))
    looked: Looked = session.keep(key, lambda: _first_draft(_origin(session), _wishes(given), progress))
    return looked


def _first_draft(origin: Origin, wishes: Wishes, progress: Progress) -> Looked:
    try:
        return first_draft(origin, wishes, progress)
    except BadInput:  # of a file with too few people for any promise, roles are suggested all the same
        return first_draft(origin, replace(wishes, k=2), progress)


def _origin(session: OpenSession) -> Origin:
    spec = session.document["source"]
    return Origin(data=need_source(session).table) if "dataset" in spec else session.sources.origin(spec)


def _wishes(given: Mapping[str, Sequence[str]]) -> Wishes:
    """What the owner has said."""
    by_role: dict[str, list[str]] = {}
    for name, roles in given.items():
        for role in roles:
            by_role.setdefault(role, []).append(name)
    person: Any = by_role.pop("person", [None])[0]
    return Wishes(by_role, person)


def _suggested(draft: Draft, name: str) -> list[Role]:
    return roles_of(role for role, names in draft.roles.items() if name in names)


def _rule(draft: Draft, document: dict[str, Any], name: str) -> Hierarchy | None:
    """The hierarchy that a column would get; None if it has one, or needs none."""
    if name in document["hierarchies"]:
        return None
    if fitted := draft.specs.get(name):
        return from_dict(fitted[0])
    return suppress() if name in draft.roles["quasi"] else None


def _reading(session: OpenSession, plan: Plan, columns: Sequence[str]) -> dict[str, Any]:
    """The reading options of the plan that are not set yet; of those that name columns, only entries of these."""
    spec = session.document["source"]
    if "dataset" in spec:
        return {}
    own, names = spec["options"], {setting.name for setting in READING}
    found = {key: value for key, value in plan.source.dialect.to_dict().items() if key in names}
    for key in ("text", "top_codes", "others_missing"):
        if key in found:
            found[key] = [name for name in found[key] if name in columns or name in own.get(key, ())]
    if "dates" in found:
        named = {entry: entry.rpartition("=")[0] for entry in found["dates"]}
        found["dates"] = [entry for entry, name in named.items() if not name or name in columns]
    return {key: value for key, value in found.items() if value and value != own.get(key)}


def _review(session: OpenSession, progress: Progress) -> Suggestions:
    look, draft, plan = _looked(session, progress, session.document["roles"])
    document, source = session.document, need_source(session)
    reading = _reading(session, plan, source.names)
    profiles = {column.name: column for column in look.profile.columns}
    columns = []
    for name in source.names:
        own, column, rule = document["roles"].get(name, []), profiles.get(name), _rule(draft, document, name)
        suggested = roles_of(own or _suggested(draft, name))
        fitted = draft.specs.get(name)
        says = "" if rule is None else fitted[1] if fitted else AS_IT_IS
        before, values = _examples(source, name), _examples(look.source, name)
        columns.append(ColumnSuggestion(
            name, roles_of(own), suggested, "you said so" if own else draft.reasons.get(name, ""),
            1.0 if own or column is None else column.certainty,
            column is not None and column.unsure and not own, _type(source, name), _type(look.source, name),
            before, values, _kind(document, name), says, _path(look.source, name, rule, document),
        ))  # fmt: skip
    still_open = sum(
        not column.roles or bool(column.generalized) or column.type != column.read_as for column in columns
    )
    _, *lines = understood(look, {}) or [""]
    _, *asked = questions(draft) or [""]
    texts = [line.strip().split("  (--")[0] for line in lines]
    return Suggestions(columns, reading, texts, [line.strip() for line in asked], still_open)


def _kind(document: dict[str, Any], name: str) -> str:
    return str(document["hierarchies"].get(name, {}).get("kind", ""))


def _type(source: Source, name: str) -> str:
    return type_name(source.type_of(name)) if name in source.names else "cannot be read"


def _examples(source: Source, name: str) -> list[str]:
    """The most frequent values of a column."""
    if name not in source.names:
        return []
    column = source.domain(name)
    try:
        order = np.argsort(-rows_per_value(source, name), kind="stable")[:EXAMPLES]
    except TooManyCells:
        order = np.arange(min(EXAMPLES, len(column.values)))
    return [label(value) for value in column.values.take(order).to_pylist()]


def _path(source: Source, name: str, rule: Hierarchy | None, document: dict[str, Any]) -> list[str]:
    """A frequent value of a column that shows what the hierarchy does which it has or would get, on every level."""
    spec = document["hierarchies"].get(name)
    if (rule is None and spec is None) or name not in source.names:
        return []
    column: Column = source.domain(name)
    try:
        levels, problems = (rule_of(spec) if rule is None else rule).try_bind(column.domain)
    except BadInput:
        return []
    if problems:
        return []
    frequent = np.argsort(-rows_per_value(source, name), kind="stable")[:TRIED]
    paths = [[label(value) for value in levels.path(int(leaf))] for leaf in frequent]
    return max(paths, key=lambda path: len(set(path)))
