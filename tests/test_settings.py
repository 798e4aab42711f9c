"""What is declared about settings is what the parts accept."""

from __future__ import annotations

from typing import Any

import pytest

from fairveil import guards, methods
from fairveil.data.hierarchy import KINDS
from fairveil.data.population import Population
from fairveil.data.schema import Schema
from fairveil.errors import BadInput
from fairveil.run.plan import Plan
from fairveil.settings import Setting, sentence_of, settings_of

GOOD: dict[str, dict[str, Any]] = {
    "top-code": {"above": [85]},
    "k-anonymity": {"k": 5}, "distinct-diversity": {"l": 2}, "entropy-diversity": {"l": 2},
    "recursive-diversity": {"c": 2, "l": 2}, "t-closeness": {"t": 0.2}, "known-decision": {"k": 2},
    "alpha-protection": {"alpha": 1.2},
    "no-redlining": {"alpha": 1.2, "knowledge": ["zip -> race"]}, "situation-testing": {"legal": ["zip"]},
    "k-map": {"k": 5}, "delta-presence": {"maximum": 1.0},
    "risk-limit": {"measure": "individual-risk", "maximum": 0.2},
    "mask": {"length": 5},
}  # fmt: skip
PARTS = {part.kind: part for part in [*guards.GUARDS, *methods.METHODS, *KINDS]}


BOUNDED = [
    (kind, s.name)
    for kind in PARTS
    for s in settings_of(PARTS[kind])
    if kind != "tree" and s.type in ("integer", "number")
]
NAMES = [
    (part.kind, s.name) for part in [*guards.GUARDS, *methods.METHODS] for s in settings_of(part) if s.type == "names"
]
CHOICES = [(kind, s.name) for kind in PARTS for s in settings_of(PARTS[kind]) if s.type == "choice"]


EARLIER = [(kind, s.name) for kind in PARTS for s in settings_of(PARTS[kind]) if s.formerly]
PLAN = """format = 1
source.dataset = "credit_decisions"
guards = [{ kind = "k-anonymity", k = 2 }]
"""


def setting(kind: str, name: str) -> Setting:
    return next(setting for setting in settings_of(PARTS[kind]) if setting.name == name)


@pytest.mark.parametrize(("kind", "name"), BOUNDED)
def test_a_number_is_accepted_exactly_within_its_range(kind: str, name: str) -> None:
    number = setting(kind, name)
    whole = number.type == "integer"
    inside = {-1: number.minimum, 1: number.maximum}
    outside = {-1: number.above, 1: number.below}
    for step in (-1, 1):
        end = inside[step] if outside[step] is None else outside[step]
        if end is None:
            continue
        end = int(end) if whole else float(end)
        accepted = end if outside[step] is None else end - step * 1e-6
        PARTS[kind](**{**GOOD.get(kind, {}), name: accepted})
        refused = [end + step] + ([end] if outside[step] is not None else [])
        for value in refused:
            with pytest.raises(BadInput, match=f"{name} must be"):
                PARTS[kind](**{**GOOD.get(kind, {}), name: value})
            with pytest.raises(BadInput, match=f"{name} must be"):
                PARTS[kind].from_dict({**GOOD.get(kind, {}), name: value})


@pytest.mark.parametrize(("kind", "name"), CHOICES)
def test_every_option_is_accepted_and_others_are_not(kind: str, name: str) -> None:
    options = setting(kind, name).options
    assert options
    for option in options:
        PARTS[kind].from_dict({**GOOD.get(kind, {}), name: option})
    with pytest.raises(BadInput, match=f"did you mean '{options[0]}'"):
        PARTS[kind](**{**GOOD.get(kind, {}), name: options[0] + "x"})


@pytest.mark.parametrize(("kind", "name"), EARLIER)
def test_an_earlier_name_is_read_and_the_own_name_is_written(kind: str, name: str) -> None:
    renamed, part, needed = setting(kind, name), PARTS[kind], GOOD.get(kind, {})
    assert renamed.formerly not in [other.name for other in settings_of(part)]
    value = renamed.options[-1] if renamed.options else renamed.default + 1
    given = {**needed, renamed.formerly: value}
    assert part.from_dict(given) == part.from_dict({**needed, name: value}) != part.from_dict(needed)
    written = part.from_dict(given).to_dict()
    assert written[name] == value and renamed.formerly not in written
    with pytest.raises(BadInput, match=f"{kind} sets '{name}' twice: '{renamed.formerly}' is the earlier name"):
        part.from_dict({**given, name: value})


@pytest.mark.parametrize(("kind", "name"), [entry for entry in EARLIER if entry[0] in methods.METHODS])
def test_a_plan_may_use_an_earlier_name(kind: str, name: str) -> None:
    renamed = setting(kind, name)
    value = renamed.options[-1] if renamed.options else renamed.default + 1
    plan = Plan.from_toml(PLAN + f"[method]\nkind = '{kind}'\n{renamed.formerly} = {value!r}\n")
    assert getattr(plan.methods[0], name) == value
    assert f"\n{name} = " in plan.to_toml() and f"\n{renamed.formerly} = " not in plan.to_toml()
    assert Plan.from_toml(plan.to_toml()).methods == plan.methods


def test_a_wrong_value_is_reported_under_the_own_name() -> None:
    with pytest.raises(BadInput, match="max_rules must be an integer of at least 1, not 0"):
        methods.from_dict({"kind": "roll-up", "most": 0})


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_a_single_name_needs_no_list(kind: str, name: str) -> None:
    single, listed = (PARTS[kind](**{**GOOD.get(kind, {}), name: value}) for value in ("zip", ("zip",)))
    assert single == listed and getattr(single, name) == ("zip",)


@pytest.mark.parametrize("kind", PARTS)
def test_every_part_and_setting_has_its_sentence(kind: str) -> None:
    assert sentence_of(PARTS[kind]).endswith(".")
    assert [s.name for s in settings_of(PARTS[kind]) if not s.says] == []


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
    whole: dict[str, Any] = {
        "quasi": ["age", "zip"],
        "sensitive": ["illness"],
        "protected": ["race", "age"],
        "decision": "income",
        "population": Population(fraction=0.1),
    }
    roles = {role: columns for role, columns in whole.items() if role in guard.needs}
    denied: dict[str, Any] = {"denied": "no"} if "decision" in roles else {}
    race: dict[str, Any] = {} if "protected" not in roles else {"drop": ["race"]}
    assert guard.check_schema(Schema(**roles, **denied, **race)) == []
    for role in set(guard.needs) - {"quasi"}:
        fewer = {name: columns for name, columns in roles.items() if name != role}
        kept = denied if "decision" in fewer else {}
        assert guard.check_schema(Schema(**fewer, **kept))
