"""Hierarchies as a plan spells them: `[hierarchies.<column>]` with a `kind` and the settings of that kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairveil.data import hierarchy
from fairveil.data.hierarchy import Hierarchy
from fairveil.errors import BadInput, refuse, suggest
from fairveil.shapes import Shape, anything, cell, flag, made, many, name, number, record, shape, shown

_SPELLED_SETTINGS = {
    "csv": ("path", "separator"),
    "intervals": ("edges", "widths", "levels", "open_ended", "whole", "from_data"),
    "tree": ("tree", "rows", "unlisted"),
}
"""Kinds that a plan spells in another way than the hierarchy itself."""
_AS_WRITTEN = {"intervals": ("whole", "from_data"), "tree": ("unlisted",)}
"""Settings that only `write_rule` writes, of hierarchies that were read off the data: they are spelled in full."""
_SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "csv": {"path": name, "separator": shape("one character", lambda sign: isinstance(sign, str) and len(sign) == 1)},
    "intervals": {
        "edges": many(number()), "widths": many(number()), "levels": many(many(number())), "open_ended": flag,
    },
    "tree": {"tree": anything, "rows": many(many(cell, 1), 1)},
}  # fmt: skip


def settings_of() -> dict[str, tuple[str, ...]]:
    """Kind of hierarchy -> the settings it takes in a plan."""
    settings = {kind.kind: tuple(f.name for f in dataclasses.fields(kind)) for kind in hierarchy.KINDS}
    return {**settings, **_SPELLED_SETTINGS}


def read_rule(spec: Any, folder: Path, order: Callable[[], Sequence[str]] = tuple) -> Hierarchy:
    """One hierarchy; files are looked for in `folder`, the plan's own. `order` gives the values of the column where its
    file has an order of its own, for a grouping that names none."""
    if not isinstance(spec, dict):
        raise BadInput(f"a section with a kind is expected, not {shown(spec)}")
    settings = {key: value for key, value in spec.items() if key != "kind"}
    kinds = settings_of()
    if "kind" not in spec:
        raise BadInput(f"a kind is needed: one of {', '.join(kinds)}")
    kind = spec["kind"]
    if not isinstance(kind, str) or kind not in kinds:
        raise BadInput(suggest(kind, kinds, "hierarchy kind"))
    if kind == "grouping" and "order" not in spec and (values := order()):
        spec = {**spec, "order": list(values)}
    refuse([suggest(key, kinds[kind], f"setting of a {kind} hierarchy") for key in settings
            if key not in kinds[kind]])  # fmt: skip
    if any(key in settings for key in _AS_WRITTEN.get(kind, ())):
        return hierarchy.from_dict(spec)
    fits = record({}, _SHAPES[kind]) if kind in _SHAPES else anything
    checked = fits(settings, f"a {kind} hierarchy")
    rule: Hierarchy = made(lambda: _SPELLED.get(kind, _by_name)(spec, checked, folder), f"a {kind} hierarchy")
    return rule


def _by_name(spec: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    return hierarchy.from_dict(spec)


def _csv(spec: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    if "path" not in settings:
        raise BadInput("a csv hierarchy needs a path")
    return hierarchy.read_csv(folder / settings["path"], separator=settings.get("separator", ";"))


def _tree(spec: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    if len(settings) != 1:
        raise BadInput("a tree hierarchy needs either a tree (nested sections) or rows (leaf, level 1, …, top)")
    return hierarchy.tree(settings["tree"]) if "tree" in settings else hierarchy.from_rows(settings["rows"])


def _intervals(spec: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    levels = settings.get("levels", [])
    edges = settings.get("edges") or (levels[0] if levels else None)
    if not edges:
        raise BadInput("an intervals hierarchy needs edges (with widths or coarser levels), or levels of edges")
    if "widths" in settings and levels:
        raise BadInput("an intervals hierarchy takes widths or levels, not both")
    return hierarchy.intervals(
        edges,
        widths=settings.get("widths", ()),
        levels=levels if "edges" in settings else levels[1:],
        open_ended=settings.get("open_ended", False),
    )


_SPELLED = {"csv": _csv, "tree": _tree, "intervals": _intervals}


def write_rule(rule: Hierarchy) -> dict[str, Any]:
    """The hierarchy in full, so that a saved plan needs no hierarchy files."""
    return {key: _listed(value) for key, value in rule.to_dict().items()}


def _listed(value: Any) -> Any:
    return [_listed(entry) for entry in value] if isinstance(value, tuple | list) else value
