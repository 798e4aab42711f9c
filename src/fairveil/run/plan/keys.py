"""The keys of a plan, section by section, derived from the declarations of a request's parts.

Only what is not a field of a request is declared here: sections, and the keys that choose between spellings.
docs/plan.md is tested against this list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fairveil.data.schema import Schema
from fairveil.errors import BadInput, suggest
from fairveil.published.about import About
from fairveil.run.origin import Origin
from fairveil.run.request import Request, Tryout, WalkSteps
from fairveil.settings import Setting, settings_of
from fairveil.shapes import Shape, flag, shape

SECTION: Shape = shape("a section", lambda value: isinstance(value, dict))
OUTPUT = ("format", "order", "table")


def _sections(name: str) -> Shape:
    return shape(
        f"[[{name}]] sections",
        lambda value: isinstance(value, list) and all(isinstance(entry, dict) for entry in value),
    )


def _key(name: str, check: Shape, says: str) -> Setting:
    return Setting(says, name=name, check=check)


_REQUEST = {setting.name: setting for setting in settings_of(Request)}
_TOP = (
    _key("format", shape("1", lambda value: value == 1 and not isinstance(value, bool)), "version of the plan format"),
    _REQUEST["seed"],
    _key("source", SECTION, _REQUEST["source"].says),
    _key("schema", SECTION, _REQUEST["schema"].says),
    _key("hierarchies", SECTION, "the generalization levels of each column"),
    _key("guards", _sections("guards"), _REQUEST["guards"].says),
    _key("method", SECTION, "the search"),
    _key("methods", _sections("methods"), "several searches instead of one"),
    _REQUEST["choose"],
    _key("truthful", flag, "leave out methods that publish false values"),
    _REQUEST["measures"],
    _REQUEST["accept"],
    _key("output", SECTION, "how the release is written"),
    _key("report", SECTION, _REQUEST["about"].says),
    _REQUEST["candidate"],
    _key("walk", SECTION, _REQUEST["walk"].says),
    _key("utility", SECTION, _REQUEST["utility"].says),
)


def _by_name(settings: Iterable[Setting]) -> dict[str, Setting]:
    return {setting.name: setting for setting in settings}


KEYS: Mapping[str, Mapping[str, Setting]] = {
    "": _by_name(_TOP),
    "source": _by_name(Origin.plan_keys()),
    "schema": _by_name(setting for setting in settings_of(Schema) if setting.name not in ("hierarchies", "read")),
    "output": {name: _REQUEST[name] for name in OUTPUT},
    "report": _by_name(settings_of(About)),
    "walk": _by_name(
        replace(setting, check=_sections("walk.steps")) if setting.name == "steps" else setting
        for setting in settings_of(WalkSteps)
    ),
    "utility": _by_name(settings_of(Tryout)),
}
"""Section -> key -> its setting; hierarchies, guards and methods have the settings of their kind."""


def checked(content: Mapping[str, Any], section: str) -> tuple[dict[str, Any], list[str]]:
    """The valid values of a section, lists as tuples, and the problems of the others."""
    keys = KEYS[section]
    label = f"key in [{section}] of the plan:" if section else "key in the plan:"
    values: dict[str, Any] = {}
    problems = [suggest(key, keys, label) for key in content if key not in keys]
    for key in content.keys() & keys.keys():
        try:
            value = keys[key].check(content[key], f"{section}.{key}" if section else key)
            values[key] = tuple(value) if keys[key].type == "names" else value
        except BadInput as problem:
            problems.append(str(problem))
    return {key: values[key] for key in content if key in values}, problems
