"""The tables of the guide, derived from declarations: `python -m docs.making.tables` rewrites them in place.

They are committed, so that the pages can be read as plain Markdown. Each stands between two comments, and the first
names its source, a key of `TABLES`:

    <!-- table: plan source -->

    | key | takes | default | meaning |

    <!-- end -->
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from fairveil.attacks import ATTACKS
from fairveil.cli import app
from fairveil.cli.options import READING, WORKING, parameter_of, spelled
from fairveil.data import hierarchy
from fairveil.guards import GUARDS
from fairveil.measures import MEASURES
from fairveil.methods import METHODS
from fairveil.recipes import RECIPES
from fairveil.run.plan.parsing import KEYS
from fairveil.run.plan.rules import hierarchy_settings
from fairveil.settings import Setting, sentence_of, settings_of

COMMAND = "python -m docs.making.tables"
PAGES = sorted(Path(__file__).parent.parent.glob("*.md"))
TABLE = re.compile(r"(?<=<!-- table: )(?P<source>[^>]+?) -->\n.*?(?=<!-- end -->)", re.DOTALL)
WORDS = re.compile(
    r"`[^`]*`|docs/(?P<page>[\w-]+)\.md|(?<!\w)'(?P<text>[^']+)'(?!\w)"
    r"|(?<![\w-])--[a-z][\w-]*|\b\w+://[\w@:/.]*\w|\[\[[\w.]+\]\]|\S*\*\S*\w"
)
"""What is code, or a link, in a sentence that forms and `--help` show as plain text."""
SHARED: Mapping[str, tuple[str, Sequence[Setting]]] = {
    "reading options": ("How files are read.", READING),
    "engine options": ("Where the data is, and where the work is done.", WORKING),
}
"""Options that cli.md lists once, each list under a heading of this name."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in [head, *rows]]
    first, *others = [f"| {line} |" for line in lines]
    return "\n".join([first, "|" + "---|" * len(head), *others])


def marked(text: str) -> str:
    """A sentence as Markdown: options, quoted texts, addresses and patterns are code, and pages of docs are links."""

    def mark(match: re.Match[str]) -> str:
        if page := match["page"]:
            return f"[{page.replace('-', ' ')}]({page}.md)"
        return match[0] if match[0].startswith("`") else f'`"{match["text"]}"`' if match["text"] else f"`{match[0]}`"

    return WORDS.sub(mark, text)


def first_paragraph(part: Any) -> str:
    """What a docstring says before its first empty line."""
    return " ".join((inspect.getdoc(part) or "").split("\n\n")[0].split())


def takes(setting: Setting) -> str:
    """Which values a setting accepts."""
    among = f" among {', '.join(setting.options)}" if setting.options and setting.type == "names" else ""
    return marked(setting.takes + among)


def default(setting: Setting) -> str:
    """The default of a setting, as a plan writes it."""
    if setting.required:
        return "required"
    if isinstance(setting.default, dict) and setting.default:
        return "`{" + ", ".join(f"{key} = {json.dumps(value)}" for key, value in setting.default.items()) + "}`"
    written = isinstance(setting.default, str | int | float | list) and setting.default not in ("", [])
    return f"`{json.dumps(setting.default, ensure_ascii=False)}`" if written else ""


def described(setting: Setting) -> tuple[str, str, str]:
    """What a setting takes, its default and its meaning."""
    return takes(setting), default(setting), marked(setting.says)


def plan_keys(section: str) -> str:
    """The keys of a section of a plan."""
    rows = [(f"`{name}`", *described(key)) for name, key in KEYS[section].items()]
    return table(["key", "takes", "default", "meaning"], rows)


def settings_by_kind(kinds: Mapping[str, Iterable[Setting]]) -> str:
    """The settings of several kinds of parts."""
    rows = [(f"`{kind}`", f"`{s.name}`", *described(s)) for kind, settings in kinds.items() for s in settings]
    return table(["kind", "setting", "takes", "default", "meaning"], rows)


def hierarchy_kinds() -> str:
    """The kinds of hierarchies."""
    classes = {part.kind: part for part in hierarchy.KINDS}
    rows = [(f"`{kind}`", marked(first_paragraph(classes.get(kind, hierarchy.read_csv))))
            for kind in hierarchy_settings()]  # fmt: skip
    return table(["kind", "levels"], rows)


def hierarchy_kind_settings() -> str:
    """The settings of each kind of hierarchy, those that a plan needs first."""
    return settings_by_kind({kind: reversed(list(s.values())) for kind, s in hierarchy_settings().items()})


def shared_options(name: str) -> str:
    """Options of several commands, as their settings declare them."""
    rows = [(_code(spelled(parameter_of(s)), s.metavar), _sentence(s.says), default(s).replace('"', ""))
            for s in SHARED[name][1]]  # fmt: skip
    return table(["option", "meaning", "default"], rows)


def _sentence(says: str) -> str:
    """A phrase as `--help` has it."""
    return marked(f"{says[:1].upper()}{says[1:]}.")


def command_options(name: str) -> str:
    """The arguments and options of a command as `--help` has them, without those that are listed once."""
    parameters = [p for p in _commands()[name].params if not getattr(p, "hidden", False)]
    options = {p.opts[0] for p in parameters}
    lists = {title: {spelled(parameter_of(s)) for s in shared} for title, (_, shared) in SHARED.items()}
    lists = {title: listed for title, listed in lists.items() if listed <= options}
    own = [p for p in parameters if not any(p.opts[0] in listed for listed in lists.values())]
    rows = [(_spelling(p), marked(p.help or ""), _default_of(p)) for p in own]
    rows += [(f"[{title}](#{title.replace(' ', '-')})", SHARED[title][0], "") for title in lists]
    usage = " ".join(["fairveil", name, *(_argument(p) for p in own if p.param_type_name == "argument"), "[OPTIONS]"])
    return table([f"`{usage}`", "meaning", "default"], rows)


def _commands() -> Mapping[str, Any]:
    group: Any = typer.main.get_command(app)
    commands: Mapping[str, Any] = group.commands
    return commands


def _code(option: str, metavar: str) -> str:
    return f"`{option} {metavar}`" if metavar else f"`{option}`"


def _argument(parameter: Any) -> str:
    name: str = parameter.metavar or parameter.name.upper()
    return name if parameter.required or name.startswith("[") else f"[{name}]"


def _spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_argument(parameter)}`"
    metavar = "" if parameter.is_flag else parameter.metavar or parameter.name.upper()
    return ", ".join(_code(option, metavar) for option in [*parameter.opts, *parameter.secondary_opts])


def _default_of(parameter: Any) -> str:
    value = parameter.default
    if parameter.required:
        return "required"
    absent = callable(value) or value in (None, False, (), [], "") or getattr(parameter, "is_flag", False)
    return "" if absent else f"`{value}`"


def guard_kinds() -> str:
    """The guards with their promises."""
    rows = [(f"`{part.kind}`", f"`{part.__name__}`", first_paragraph(part)) for part in GUARDS]
    return table(["kind", "Python", "promise"], rows)


def guard_traits() -> str:
    """What guards need and leave open."""
    rows = [(f"`{part.kind}`", ", ".join(part.needs), part.leaves_open, ", ".join(sorted(part.covers)),
             "yes" if part.on_projections else "no") for part in GUARDS]  # fmt: skip
    return table(["kind", "needs these roles", "leaves open", "covers the attacks", "defined for projections"], rows)


def method_kinds() -> str:
    """The methods with what they find; a word in bold says why values may be false."""
    rows = []
    for part in METHODS:
        false = f"**{part.false_values}**: " if part.false_values else ""
        rows.append((f"`{part.kind}`", f"`{part.__name__}`", false + first_paragraph(part), ", ".join(part.needs),
                     "yes" if part.deterministic else "no"))  # fmt: skip
    return table(["kind", "Python", "what it finds", "needs these roles", "same input, same bytes"], rows)


def measure_list() -> str:
    """The measures, by family."""
    families = list(dict.fromkeys(measure.family for measure in MEASURES))
    rows = [(f"`{m.name}`", m.title, m.family, m.better, _range(m.range), m.cost, m.meaning)
            for m in sorted(MEASURES, key=lambda m: families.index(m.family))]  # fmt: skip
    return table(["name", "title", "family", "better", "range", "cost", "meaning"], rows)


def printed_names() -> str:
    """Every registered part by its name, its title and what it does."""
    parts: dict[str, Iterable[Any]] = {
        "guard": GUARDS, "method": METHODS, "measure": MEASURES, "attack": ATTACKS, "recipe": RECIPES,
        "hierarchy": hierarchy.KINDS,
    }  # fmt: skip
    rows = []
    for what, registry in parts.items():
        for part in registry:
            name = getattr(part, "kind", "") or part.name
            meaning = getattr(part, "meaning", "") or sentence_of(part)
            rows.append((f"`{name}`", what, getattr(part, "title", "") or name.replace("-", " "), meaning))
    return table(["name", "is a", "title", "meaning"], rows)


def _range(ends: tuple[float, float]) -> str:
    low, high = ("∞" if end == float("inf") else f"{end:g}" for end in ends)
    return f"{low} to {high}"


def attack_list() -> str:
    """The attacks with what they need."""
    rows = [(f"`{a.name}`", a.meaning, ", ".join(sorted(a.needs)) or "nothing", "yes" if a.cheap else "no")
            for a in ATTACKS]  # fmt: skip
    return table(["name", "what it tries", "needs", "tried at every release"], rows)


TABLES: Mapping[str, Callable[[], str]] = {
    **{f"plan {section}".strip(): partial(plan_keys, section) for section in KEYS},
    "hierarchies": hierarchy_kinds,
    "hierarchy settings": hierarchy_kind_settings,
    **{name: partial(shared_options, name) for name in SHARED},
    **{f"command {name}": partial(command_options, name) for name in _commands()},
    "guards": guard_kinds,
    "guard traits": guard_traits,
    "guard settings": lambda: settings_by_kind({part.kind: settings_of(part) for part in GUARDS}),
    "methods": method_kinds,
    "method settings": lambda: settings_by_kind({part.kind: settings_of(part) for part in METHODS}),
    "measures": measure_list,
    "printed names": printed_names,
}
"""What a comment of a page may name."""


def sources(text: str) -> list[str]:
    """The sources that the comments of a page name."""
    return [match["source"] for match in TABLE.finditer(text)]


def rewritten(text: str) -> str:
    """A page with its tables as they are declared now."""
    return TABLE.sub(lambda match: f"{match['source']} -->\n\n{TABLES[match['source']]()}\n\n", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
