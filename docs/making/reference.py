"""The reference as Markdown, derived from the registries: nothing in it is written by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fairveil import attacks, guards, measures, methods
from fairveil.data import hierarchy
from fairveil.run.plan.parsing import KEYS
from fairveil.run.plan.rules import hierarchy_settings
from fairveil.settings import Setting, settings_of


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
                     for row in lines)  # fmt: skip


def first_paragraph(part: Any) -> str:
    """What a docstring says before its first empty line."""
    return " ".join((inspect.getdoc(part) or "").split("\n\n")[0].split())


def anchor(name: str, place: str) -> str:
    """A target that other pages can link to."""
    return f"({place}-{name})=\n"


def commands() -> str:
    """Every command with its arguments and options, as `--help` has them."""
    import typer

    from fairveil.cli import app

    described: Any = typer.main.get_command(app)
    return "\n\n".join(_command(name, command) for name, command in described.commands.items())


def _command(name: str, command: Any) -> str:
    usage = [_argument(p) for p in command.params if p.param_type_name == "argument"]
    rows = [(_spelled(p), p.help or "", _default(p)) for p in command.params if not getattr(p, "hidden", False)]
    return "\n\n".join([
        f"{anchor(name, 'command')}## fairveil {name}",
        f"```text\nfairveil {name} {' '.join([*usage, '[OPTIONS]'])}\n```",
        inspect.cleandoc(command.help or ""),
        table(["argument or option", "meaning", "default"], rows) if rows else "",
    ])  # fmt: skip


def _argument(parameter: Any) -> str:
    name = parameter.metavar or parameter.name.upper()
    return name if parameter.required or name.startswith("[") else f"[{name}]"


def _spelled(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_argument(parameter)}`"
    takes = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
    return ", ".join(f"`{option}{takes}`" for option in [*parameter.opts, *parameter.secondary_opts])


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = parameter.default
    if callable(value) or value in (None, False, (), [], "") or getattr(parameter, "is_flag", False):
        return ""
    return f"`{value}`"


def plan_keys() -> str:
    """Every key of a plan, section by section, with what it takes."""
    parts = []
    for place, keys in KEYS.items():
        rows = [(f"`{name}`", key.takes.replace("[[", "\\[["), key.says) for name, key in keys.items()]
        title = f"\\[{place}\\]" if place else "At the top"
        parts.append(f"{anchor(place or 'top', 'plan')}## {title}\n\n{table(['key', 'takes', 'meaning'], rows)}")
    return "\n\n".join(parts)


def guard_list() -> str:
    """Every guard with its promise, its settings and what it leaves open."""
    return "\n\n".join(_part(part, "guard", _guard_facts(part)) for part in guards.GUARDS)


def _guard_facts(part: Any) -> str:
    facts = {
        "Needs these roles": ", ".join(part.needs),
        "Leaves open": part.leaves_open,
        "Covers the attacks": ", ".join(sorted(part.covers)),
        "Defined for columns that are split into projections": "yes" if part.on_projections else "no",
    }
    return _facts(facts)


def method_list() -> str:
    """Every method with its settings and its traits."""
    return "\n\n".join(_part(part, "method", _method_facts(part)) for part in methods.METHODS)


def _method_facts(part: Any) -> str:
    facts = {
        "Needs these roles": ", ".join(part.needs),
        "Publishes": f"**{part.false_values}**: some values may be false" if part.false_values else "true values only",
        "The same input gives the same bytes": "yes" if part.deterministic else "no",
    }
    return _facts(facts)


def _facts(facts: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)


def _part(part: Any, place: str, facts: str = "") -> str:
    return "\n\n".join([
        f"{anchor(part.kind, place)}## {part.kind}",
        f"In Python `{part.__name__}`. {first_paragraph(part)}",
        _settings(settings_of(part)),
        facts,
    ])  # fmt: skip


def _settings(settings: Iterable[Setting]) -> str:
    rows = [_row(setting) for setting in settings]
    return table(["setting", "takes", "default", "meaning"], rows) if rows else "It has no settings."


def _row(setting: Setting) -> tuple[str, str, str, str]:
    default = "required" if setting.required else "" if setting.default in (None, [], "") else f"`{setting.default!r}`"
    return f"`{setting.name}`", setting.takes, default, setting.says


def measure_list() -> str:
    """Every measure, by family."""
    parts = []
    for family in dict.fromkeys(measure.family for measure in measures.MEASURES):
        rows = [(f"`{m.name}`", m.better, _range(m.range), m.cost, m.meaning)
                for m in measures.MEASURES if m.family == family]  # fmt: skip
        head = ["name", "better", "range", "cost", "meaning"]
        parts.append(f"{anchor(family, 'measures')}## {family.capitalize()}\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def _range(ends: tuple[float, float]) -> str:
    low, high = ("∞" if end == float("inf") else f"{end:g}" for end in ends)
    return f"{low} to {high}"


def attack_list() -> str:
    """Every attack with what it needs."""
    rows = [(f"`{a.name}`", a.meaning, ", ".join(sorted(a.needs)) or "nothing", "yes" if a.cheap else "no")
            for a in attacks.ATTACKS]  # fmt: skip
    return table(["name", "what it tries", "needs", "tried at every release"], rows)


def hierarchy_list() -> str:
    """Every kind of hierarchy with the settings that a plan gives it."""
    classes = {part.kind: part for part in hierarchy.KINDS}
    parts = []
    for kind, settings in hierarchy_settings().items():
        meaning = first_paragraph(classes.get(kind, hierarchy.read_csv))
        parts.append(f"{anchor(kind, 'hierarchy')}## {kind}\n\n{meaning}\n\n{_settings(settings.values())}")
    return "\n\n".join(parts)


LISTS: Mapping[str, Callable[[], str]] = {
    "commands": commands,
    "plan": plan_keys,
    "guards": guard_list,
    "methods": method_list,
    "measures": measure_list,
    "attacks": attack_list,
    "hierarchies": hierarchy_list,
}
"""What a `{registry}` block may name."""
