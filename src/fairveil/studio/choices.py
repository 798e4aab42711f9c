"""Choices: the registries as the front end needs them."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import Any

from fairveil import attacks, guards, measures, methods
from fairveil.data import hierarchy
from fairveil.data.schema import MAY_JOIN, ROLES
from fairveil.settings import Setting, sentence_of, settings_of
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.deciding import ROLE_NAMES
from fairveil.studio.views import plain, roles_of

ROLE_SAYS = {
    "identifier": "names people by itself: left out, or replaced by a pseudonym",
    "quasi": "can be linked to other data: generalized until the promises hold",
    "sensitive": "what nobody may learn about a person",
    "protected": "a ground on which nobody may be discriminated against",
    "decision": "the outcome that is learnt from the data",
    "plain": "published untouched: cannot be linked to anything",
    "drop": "left out of the release",
}


def catalog(call: Call) -> api.Catalog:
    return _catalog()


@cache
def _catalog() -> api.Catalog:
    return {
        "roles": [
            {"name": role, "title": ROLE_NAMES[role], "says": ROLE_SAYS[role],  # type: ignore[typeddict-item]
             "joins": roles_of(other for other in ROLES if frozenset((role, other)) in MAY_JOIN)}
            for role in ROLES
        ],
        "guards": [_part(guard, guard.leaves_open) for guard in guards.GUARDS],
        "methods": [_part(method) for method in methods.METHODS],
        "hierarchies": [_part(kind) for kind in hierarchy.KINDS],
        "measures": [
            {"name": measure.name, "family": measure.family, "better": measure.better,
             "least": _end(measure.range[0]), "most": _end(measure.range[1]), "meaning": measure.meaning,
             "cheap": measure.cost == "summary", "needs_decision": "decision" in measure.needs}
            for measure in measures.MEASURES
        ],
        "attacks": [{"name": attack.name, "sentence": attack.meaning} for attack in attacks.ATTACKS],
    }  # fmt: skip


def _part(part: Any, leaves_open: str = "") -> api.PartFacts:
    return {
        "kind": part.kind, "says": sentence_of(part), "fields": [_field(s) for s in settings_of(part)],
        "leaves_open": leaves_open, "needs": list(getattr(part, "needs", ())),
        "false_values": getattr(part, "false_values", ""),
    }  # fmt: skip


def _field(setting: Setting) -> api.FieldFacts:
    return {
        "name": setting.name, "type": setting.type, "required": setting.required, "default": plain(setting.default),
        "least": setting.minimum if setting.above is None else setting.above,
        "most": setting.maximum if setting.below is None else setting.below,
        "options": None if setting.options is None else list(setting.options), "says": setting.says,
    }  # fmt: skip


def _end(value: float) -> float | None:
    return float(value) if isfinite(value) else None
