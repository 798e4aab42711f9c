"""What forms are told about settings is what the parts accept."""

from __future__ import annotations

from typing import Any

import pytest

from fairveil import guards, methods
from fairveil.data.hierarchy import KINDS
from fairveil.data.schema import Schema
from fairveil.errors import BadInput
from fairveil.run.catalog import OPTIONS, RANGES, settings_of

GOOD: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 5}, "distinct-diversity": {"l": 2}, "entropy-diversity": {"l": 2},
    "recursive-diversity": {"c": 2, "l": 2}, "t-closeness": {"t": 0.2}, "known-decision": {"k": 2},
    "alpha-protection": {"alpha": 1.2},
    "no-redlining": {"alpha": 1.2, "knowledge": ["zip -> race"]}, "situation-testing": {"legal": ["zip"]},
    "mask": {"length": 5},
}  # fmt: skip
PARTS = {part.kind: part for part in [*guards.GUARDS, *methods.METHODS, *KINDS]}


@pytest.mark.parametrize("place", RANGES)
def test_the_ends_of_a_slider_are_the_last_that_are_accepted(place: str) -> None:
    kind, _, name = place.partition(".")
    whole = next(setting for setting in settings_of(PARTS[kind]) if setting.name == name).type == "whole"
    for end, step in zip(RANGES[place], (-1, 1), strict=True):
        if end is not None:
            value = int(end) if whole else end
            PARTS[kind].from_dict({**GOOD[kind], name: value})
            with pytest.raises(BadInput):
                PARTS[kind].from_dict({**GOOD[kind], name: value + step})


@pytest.mark.parametrize("place", OPTIONS)
def test_every_option_is_accepted(place: str) -> None:
    kind, _, name = place.partition(".")
    for option in OPTIONS[place]:
        PARTS[kind].from_dict({**GOOD.get(kind, {}), name: option})


@pytest.mark.parametrize("kind", PARTS)
def test_defaults_are_those_of_the_part(kind: str) -> None:
    given = GOOD.get(kind)
    settings = {setting.name: setting for setting in settings_of(PARTS[kind])}
    if any(setting.required for setting in settings.values()) and given is None:
        return
    made = PARTS[kind].from_dict(given or {})
    for name, setting in settings.items():
        if name not in (given or {}) and setting.default not in (None, []):
            value = getattr(made, name)
            assert (list(value) if isinstance(value, tuple) else value) == setting.default


@pytest.mark.parametrize("kind", guards.GUARDS.names)
def test_a_guard_needs_the_roles_that_it_says(kind: str) -> None:
    guard = guards.from_dict({"kind": kind, **GOOD[kind]})
    whole = {"quasi": ["age", "zip"], "sensitive": ["illness"], "protected": ["race", "age"], "decision": "income"}
    roles = {role: columns for role, columns in whole.items() if role in guard.needs}
    denied = {"denied": "no"} if "decision" in roles else {}
    race = {} if "protected" not in roles else {"drop": ["race"]}
    assert guard.check_schema(Schema(**roles, **denied, **race)) == []
    for role in set(guard.needs) - {"quasi"}:
        fewer = {name: columns for name, columns in roles.items() if name != role}
        kept = denied if "decision" in fewer else {}
        assert guard.check_schema(Schema(**fewer, **kept))
