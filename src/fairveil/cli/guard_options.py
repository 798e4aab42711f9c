"""Guards on the command line: `--guard KIND:SETTING=VALUE,…`, and short options that set one setting of a guard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import columns, with_options
from fairveil.errors import BadInput
from fairveil.messages import PLAN, speaking

if TYPE_CHECKING:
    from fairveil.guards import Guard
    from fairveil.settings import Setting

Texts = Mapping[str, Sequence[str]]
"""The settings of a guard as given: each a list of texts."""
Guards = Annotated[
    list[str],
    typer.Option(
        "--guard", metavar="KIND:SETTING=VALUE,…", help="A promise to check, such as k-anonymity:k=5; may be repeated."
    ),
]
SHORT: Mapping[str, tuple[str, str]] = {
    "k": ("k-anonymity", "k"),
    "l": ("distinct-diversity", "l"),
    "entropy_l": ("entropy-diversity", "l"),
    "c": ("recursive-diversity", "c"),
    "t": ("t-closeness", "t"),
    "distance": ("t-closeness", "distance"),
    "alpha": ("alpha-protection", "alpha"),
    "measure": ("alpha-protection", "measure"),
    "min_support": ("alpha-protection", "min_support"),
    "granularity": ("alpha-protection", "granularity"),
    "confidence": ("no-redlining", "confidence"),
    "legal": ("situation-testing", "legal"),
    "numbers": ("situation-testing", "numbers"),
    "ordered": ("situation-testing", "ordered"),
    "neighbours": ("situation-testing", "k"),
    "threshold": ("situation-testing", "threshold"),
    "limit": ("situation-testing", "limit"),
}
"""Option -> the guard and the setting that it spells."""


def _option(name: str, kind: str, setting: str) -> tuple[Any, Any]:
    spelled = f"--{name.replace('_', '-')}"
    help_ = f"Short for --guard {kind}:{setting}=…"
    return Annotated[list[str], typer.Option(spelled, metavar=setting.upper(), help=help_)], []


def guarding(command: Callable[..., int]) -> Callable[..., int]:
    """Add the short options; the command gets them as `bounds`: what is given of each kind of guard."""
    options = {name: _option(name, *meaning) for name, meaning in SHORT.items()}
    return with_options(command, "bounds", options, _by_kind)


def _by_kind(**given: list[str]) -> dict[str, dict[str, list[str]]]:
    kinds: dict[str, dict[str, list[str]]] = {}
    for name, texts in given.items():
        if texts:
            kind, setting = SHORT[name]
            kinds.setdefault(kind, {})[setting] = texts
    if "recursive-diversity" in kinds:  # with --c, --l sets another guard
        if "distinct-diversity" not in kinds:
            raise BadInput("--c belongs to recursive (c,ℓ)-diversity: give --l, too")
        kinds["recursive-diversity"] |= kinds.pop("distinct-diversity")
    return kinds


def spelled_guard(text: str) -> tuple[str, dict[str, list[str]]]:
    """The kind and the settings of `--guard`; text without a setting's name continues the list before it."""
    kind, _, rest = text.partition(":")
    settings: dict[str, list[str]] = {}
    for piece in filter(None, rest.split(",")):
        name, equals, value = piece.partition("=")
        if equals:
            settings.setdefault(name.strip(), []).append(value.strip())
        elif settings:
            settings[next(reversed(settings))].append(piece.strip())
        else:
            raise BadInput(f"--guard {text!r}: a setting is written as NAME=VALUE, for example k-anonymity:k=5")
    return kind.strip(), settings


def guard_of(kind: str, texts: Texts, names: Sequence[str] = ()) -> Guard:
    """The guard with these settings, checked by its declarations; `names` are the columns that lists may name."""
    from fairveil import guards
    from fairveil.settings import settings_of

    guard: type = guards.GUARDS.get(kind)
    known = {setting.name: setting for setting in settings_of(guard)}
    values = {name: _value(known[name], given, names) if name in known else given for name, given in texts.items()}
    return guards.from_dict({"kind": kind, **values})


def long_guards(given: Sequence[str], names: Sequence[str] = ()) -> list[Guard]:
    """The guards of `--guard`, with messages that name their settings as a plan does."""
    with speaking(PLAN):
        return [guard_of(*spelled_guard(text), names) for text in given]


def _value(setting: Setting, texts: Sequence[str], names: Sequence[str]) -> Any:
    """Texts as the type of a setting; what does not fit stays text, and the setting's own check refuses it."""
    if setting.type in ("names", "other"):
        return columns(texts, names)
    if setting.type == "numbers":
        return [_number(text) for entry in texts for text in entry.split(",")]
    text = texts[-1] if len(set(texts)) == 1 or setting.type != "integer" else ",".join(texts)
    if setting.type == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    return _number(text) if setting.type in ("integer", "number") else text


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
