"""The Python reference as Markdown, from signatures and docstrings: every public name of `fairveil`."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any

import fairveil
from docs.making.tables import table
from fairveil.guards import GUARDS
from fairveil.methods import METHODS
from fairveil.settings import Setting, settings_of

SHARED: Mapping[str, str] = {
    "schema": "a `Schema`: the role of each column",
    "guards": "the promises to keep: one guard or a list of them",
    "missing": "how missing values are treated: as a `category` of their own, or their rows are dropped (`drop`)",
    "seed": "the random seed: the same seed gives the same release",
    "progress": "a `Progress`, or a function of the share done and a description; may cancel the work",
    "position": "the position of a candidate, from 0",
    "measure": "the name of a measure, or a `Measure`",
    "names": "names of measures or of columns",
    "path": "where the file or folder is",
    "table": "a `Table`, any data frame, a lazy frame of an engine, or a path; it is never changed",
    "data": "the `Table` or source",
    "name": "the name of a column, or of the requested object",
    "number": "the number of a candidate, as `explore` shows it",
    "positions": "the positions of candidates, from 0",
    "aspirations": "the desired value of each measure, by its name",
    "ideal": "the best possible value of each measure, by its name",
    "kind": "`pandas`, `polars` or `pyarrow`; by default the kind of the input",
    "spec": "the part as in a plan: its `kind` and its settings",
    "release": "a `Release`, or the folder it was saved to",
    "evidence": "the content of `evidence.json`",
    "classifier": "a function from a seed to a scikit-learn classifier",
    "folds": "the number of folds of the cross-validation",
    "max_candidates": "the maximum number of candidates of each method; None: all",
    "keep": "a folder where results of finished methods are kept",
}
"""Arguments that mean the same wherever they occur."""

CHAPTERS: Mapping[str, Sequence[str]] = {
    "Search, choose, publish": (
        "init",
        "search",
        "explore",
        "explore_depths",
        "Frontier",
        "Release",
        "ReferenceDirection",
        "Earlier",
        "Join",
        "promise_costs",
        "repair_costs",
    ),
    "Data and roles": (
        "Table",
        "Schema",
        "Population",
        "hierarchy",
        "datasets",
        "profile",
        "population_risk",
        "key_risks",
        "Plan",
        "one_row_per_person",
    ),
    "Promises": ("guards", *(guard.__name__ for guard in GUARDS), "background_knowledge", "check", "Projections"),
    "Methods": ("methods", *(method.__name__ for method in METHODS), "DMPDClassifier"),
    "Examining a release": (
        "verify",
        "attacker_risks",
        "attack",
        "attacks",
        "utility",
        "measures",
        "report",
        "report_dict",
    ),
    "scikit-learn": ("sklearn",),
    "Progress and errors": ("Progress", "BadInput", "Infeasible", "Cancelled", "Danger"),
}

CALLS: Mapping[str, str] = {
    "RiskLimit": 'fv.RiskLimit("journalist-risk", 0.1)',
    "SituationTesting": 'fv.SituationTesting(legal=["hours"])',
}
"""Examples of parts whose settings depend on the data."""

MADE_FOR_YOU = ("Table", "Frontier", "Release", "Projections")
"""Classes whose objects are returned by functions: their constructors are not documented."""


def docstring(part: Any) -> str:
    """The docstring of a part; of a class whose fields are those of a base that is not public, with theirs."""
    doc = inspect.getdoc(part) or ""
    if dataclasses.is_dataclass(part) and isinstance(part, type) and not is_part(part):
        base = part.__bases__[0]
        if dataclasses.is_dataclass(base) and not vars(part).get("__annotations__"):
            doc += "\n\n" + (inspect.getdoc(base) or "").partition("\n\n")[2]
    return doc.strip()


def missing_names() -> set[str]:
    """Public names that no chapter has."""
    listed = {name for names in CHAPTERS.values() for name in names}
    return set(fairveil.__all__) - listed - {"__version__"}


def reference() -> str:
    """All chapters."""
    shared = table(["argument", "meaning"], [(f"`{name}`", meaning) for name, meaning in SHARED.items()])
    parts = [f"## {chapter}\n\n" + "\n\n".join(map(_entry, names)) for chapter, names in CHAPTERS.items()]
    return "\n\n".join([*parts, f"## Arguments that many calls share\n\n{shared}"])


def _entry(name: str) -> str:
    thing = getattr(fairveil, name)
    if isinstance(thing, ModuleType):
        inner = [_callable(f"{name}.{part}", getattr(thing, part)) for part in functions_of(thing)]
        inner += [_class(f"{name}.{part}", getattr(thing, part)) for part in classes_of(thing)]
        return f"### fairveil.{name}\n\n{prose(thing)}\n\n" + "\n\n".join(inner)
    return f"### {name}\n\n{_class(name, thing) if inspect.isclass(thing) else _callable(name, thing)}"


def functions_of(module: ModuleType) -> list[str]:
    """The functions that a public module offers and `fairveil` itself does not."""
    return [name for name in getattr(module, "__all__", []) if inspect.isfunction(getattr(module, name))
            and name not in fairveil.__all__]  # fmt: skip


def classes_of(module: ModuleType) -> list[str]:
    """The classes that a public module defines itself."""
    return [name for name in getattr(module, "__all__", []) if inspect.isclass(getattr(module, name))
            and getattr(module, name).__module__ == module.__name__]  # fmt: skip


def example(thing: Any) -> str:
    """The doctests of a name: nothing if they are in its docstring, else those of its module, or a call of a part."""
    if ">>>" in docstring(thing):
        return ""
    if inspect.isclass(thing) and thing.__name__ in CALLS:
        return f"```python\n{CALLS[thing.__name__]}\n```"
    if inspect.isclass(thing) and is_part(thing):
        needed = {"k": 5, "l": 2, "c": 2, "t": 0.2, "alpha": 1.2}
        given = [f"{needed.get(s.name, 1)!r}" for s in settings_of(thing) if s.required]
        return f"```python\nfv.{thing.__name__}({', '.join(given)})\n```"
    module = inspect.getdoc(inspect.getmodule(thing)) or ""
    tests = [part for part in re.split(r"\n\s*\n", module) if part.startswith(">>>")]
    return "\n\n".join(f"```python\n{part}\n```" for part in tests)


def _callable(name: str, function: Any) -> str:
    body = "\n\n".join([prose(function), example(function), types(function)])
    return f"````{{py:function}} fairveil.{name}{signature(function)}\n\n{body}\n````"


def _class(name: str, thing: type) -> str:
    rows = [(f"`{s.name}`", "needed" if s.required else f"`{s.default!r}`", s.says) for s in declared(thing)]
    settings = table(["argument", "default", "meaning"], rows) if rows else ""
    head = "" if name in MADE_FOR_YOU or issubclass(thing, Exception) else signature(thing)
    members = [] if is_part(thing) else [_member(attribute, part) for attribute, part in members_of(thing)]
    body = "\n\n".join([prose(thing), example(thing), settings, *members])
    return f"`````{{py:class}} fairveil.{name}{head}\n\n{body}\n`````"


def is_part(thing: type) -> bool:
    """Whether it is a guard or a method, whose arguments are settings of a plan, too."""
    return any(thing is part for registry in (GUARDS, METHODS) for part in registry)


def declared(thing: type) -> list[Setting]:
    """The arguments of a class that are declared with a sentence."""
    return [s for s in settings_of(thing) if s.says] if dataclasses.is_dataclass(thing) else []


def members_of(thing: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties that a user calls: those with a docstring, of this class or its own bases."""
    for name in dict.fromkeys(name for base in thing.__mro__ if base.__module__.startswith("fairveil")
                              for name in vars(base)):  # fmt: skip
        part = inspect.getattr_static(thing, name)
        if not name.startswith("_") and _is_member(part) and inspect.getdoc(part):
            yield name, part


def _is_member(part: Any) -> bool:
    return isinstance(part, property | cached_property | classmethod | staticmethod) or inspect.isfunction(part)


def _member(name: str, part: Any) -> str:
    if isinstance(part, property | cached_property):
        getter = part.fget if isinstance(part, property) else part.func
        return f"````{{py:property}} {name}\n\n{prose(part)}\n\n{types(getter)}\n````"
    function = part.__func__ if isinstance(part, classmethod | staticmethod) else part
    kind = "py:classmethod" if isinstance(part, classmethod) else "py:method"
    head = signature(function, skip_first=not isinstance(part, staticmethod))
    return f"````{{{kind}}} {name}{head}\n\n{prose(part)}\n\n{types(function)}\n````"


def signature(function: Any, *, skip_first: bool = False) -> str:
    """The arguments with their defaults; types are in the code."""
    parameters = list(inspect.signature(function).parameters.values())[skip_first:]
    plain = [p.replace(annotation=p.empty, default=_default(p.default)) for p in parameters]
    return str(inspect.Signature(plain))


def types(function: Any) -> str:
    """The types of the arguments, and what is returned."""
    hints = {name: inspect.formatannotation(hint) if not isinstance(hint, str) else hint
             for name, hint in getattr(function, "__annotations__", {}).items()}  # fmt: skip
    returned = hints.pop("return", "")
    taken = ", ".join(f"`{name}: {hint}`" for name, hint in hints.items() if not name.startswith("_"))
    return "  \n".join(filter(None, [f"Takes {taken}" if taken else "", f"Returns `{returned}`" if returned else ""]))


class _Shown:
    """A default value as it is written in a call."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty:
        return value
    return _Shown("…" if " object at " in repr(value) or "factory" in repr(value) or callable(value) else repr(value))


def prose(thing: Any) -> str:
    """A docstring as Markdown: doctests become code, two columns of text become a list."""
    text = docstring(thing)
    return "\n\n".join(_paragraph(part) for part in re.split(r"\n\s*\n", text))


TWO_COLUMNS = re.compile(r"^(\S+(?: [^ ]+)*)  +(\S.*)$")


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if text.startswith(">>>"):
        return f"```python\n{text}\n```"
    if sum(bool(TWO_COLUMNS.match(line)) for line in lines) >= 2:
        rows: list[list[str]] = []
        for line in lines:
            if match := TWO_COLUMNS.match(line):
                rows.append([f"`{match[1]}`", match[2]])
            elif rows:
                rows[-1][1] += " " + line.strip()
        return table(["", ""], rows)
    return "\n".join(_escaped(line.strip()) for line in lines)


def _escaped(line: str) -> str:
    """Signs that Markdown would read as markup outside of code."""
    outside = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[\]|])", r"\\\1", part) for part in outside)


def unexplained(name: str) -> list[str]:
    """The arguments of a public function or class that neither its docstring nor the shared list explains."""
    thing = getattr(fairveil, name)
    if isinstance(thing, ModuleType):
        return [f"{part}({argument})" for part in functions_of(thing)
                for argument in _unexplained(getattr(thing, part))]  # fmt: skip
    if inspect.isclass(thing):
        explained = {setting.name for setting in declared(thing)}
        own = [] if name in MADE_FOR_YOU or issubclass(thing, Exception) else _unexplained(thing)
        inner = [] if is_part(thing) else [f"{member}({argument})" for member, part in members_of(thing)
                                           if not isinstance(part, property | cached_property)
                                           for argument in _unexplained(part, skip_first=True)]  # fmt: skip
        return [argument for argument in own if argument not in explained] + inner
    return _unexplained(thing)


def _unexplained(function: Any, *, skip_first: bool = False) -> list[str]:
    doc = docstring(function)
    plain = getattr(function, "__func__", function)
    arguments = list(inspect.signature(plain).parameters)[skip_first and not isinstance(function, staticmethod) :]
    return [name for name in arguments if name not in SHARED and not re.search(rf"`{name}\b|^{name} ", doc, re.M)]
