"""Requests: converts the document to the arguments of `run`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput
from fairveil.studio.faults import RequestRefused

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy
    from fairveil.data.schema import Schema
    from fairveil.engines import Source
    from fairveil.guards import Guard
    from fairveil.methods.method import Method
    from fairveil.run.plan import Plan
    from fairveil.studio.sessions import OpenSession


def need_source(session: OpenSession, document: Mapping[str, Any] | None = None) -> Source:
    """Return the data of the document; raises if none is open."""
    spec = (document or session.document)["source"]
    if spec is None:
        raise RequestRefused(409, "no-source", "Nothing is open yet: choose an example, a file or a plan first.")
    return session.sources.source(spec)


def schema_of(document: Mapping[str, Any]) -> Schema:
    """Return the schema of a document. Hierarchies are created once per spelling."""
    from fairveil.data.schema import Schema

    by_role: dict[str, Any] = {}
    for column, roles in document["roles"].items():
        for role in roles:
            by_role.setdefault(role, []).append(column)
    decision = by_role.pop("decision", [])
    if len(decision) > 1:
        raise BadInput(f"there can be only one decision, not {' and '.join(map(repr, decision))}")
    denied = list(document["denied"]) if decision else []
    return Schema(
        **by_role,
        decision=decision[0] if decision else None,
        denied=(denied[0] if len(denied) == 1 else denied) if denied else None,
        pseudonyms=[name for name in document["pseudonyms"] if name in by_role.get("identifier", [])],
        hierarchies={name: rule_of(spec) for name, spec in document["hierarchies"].items()},
        weights={name: weight for name, weight in document["weights"].items() if name in by_role.get("quasi", [])},
        levels=dict(document["levels"]),
        whole_numbers=dict(document["whole_numbers"]),
    )


def rule_of(spec: Any) -> Hierarchy:
    """Return the hierarchy of a plan's spelling; hierarchy files are not read here but imported."""
    if isinstance(spec, Mapping) and spec.get("kind") == "csv":
        raise BadInput("a hierarchy file is imported, not named: use import")
    try:
        return _rule(json.dumps(spec, sort_keys=True))
    except RecursionError:
        raise BadInput("this hierarchy is nested too deeply") from None


@lru_cache(maxsize=256)
def _rule(spelled: str) -> Hierarchy:
    from fairveil.run.plan.rules import read_rule

    return read_rule(json.loads(spelled), Path())


def spelled(rule: Hierarchy) -> dict[str, Any]:
    """Return a hierarchy in the form of the document."""
    from fairveil.run.plan.rules import write_rule

    content: dict[str, Any] = json.loads(json.dumps(write_rule(rule), default=str))
    return content


def guards_of(specs: Sequence[Any]) -> list[Guard]:
    from fairveil import guards

    return [guards.from_dict(spec) for spec in specs]


def methods_of(specs: Sequence[Any]) -> list[Method]:
    from fairveil import methods

    return [methods.from_dict(spec) for spec in specs]


def plan_of(session: OpenSession, document: Mapping[str, Any], **further: Any) -> Plan:
    """Return the document as a plan, with which the command line does the same."""
    from fairveil.published.about import About
    from fairveil.run.plan import Plan

    if document["source"] is None:
        raise RequestRefused(409, "no-source", "Nothing is open yet: choose an example, a file or a plan first.")
    plan = Plan(
        session.sources.origin(document["source"]),
        tuple(guards_of(document["guards"])),
        schema_of(document),
        tuple(methods_of(document["methods"])),
        document["choose"],
        tuple(document["measures"]),
        document["format"],
        document["order"],
        document["seed"],
        accept=tuple(document["accept"]),
        about=About(**document["report"]),
    )
    return replace(plan, **further)
