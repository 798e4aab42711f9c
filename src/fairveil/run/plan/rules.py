"""Hierarchies as a plan spells them: `[hierarchies.<column>]` with a `kind` and the settings of that kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairveil.data import hierarchy
from fairveil.data.hierarchy import Hierarchy
from fairveil.errors import BadInput, refuse, suggest
from fairveil.settings import Setting, setting, settings_of
from fairveil.shapes import cell, made, many, name, record, shape, shown


@dataclass(frozen=True)
class _Csv:
    path: str = field(
        metadata=setting("a file with a line per value: value, level 1, …, top; relative to the plan", shape=name)
    )
    separator: str = field(
        default=";",
        metadata=setting(
            "the delimiter of that file",
            shape=shape("one character", lambda sign: isinstance(sign, str) and len(sign) == 1),
        ),
    )


@dataclass(frozen=True)
class _Intervals:
    edges: Sequence[float] = field(default=(), metadata=setting("where intervals begin and end"))
    widths: Sequence[float] = field(default=(), metadata=setting("widths of the levels, counted from the first edge"))
    levels: Sequence[Sequence[float]] = field(default=(), metadata=setting("edges of each level, the finest first"))


@dataclass(frozen=True)
class _Tree:
    tree: Any = field(default=None, metadata=setting("groups within groups, down to the values"))
    rows: Any = field(
        default=(), metadata=setting("a row per value: the value, level 1, …, top", shape=many(many(cell, 1), 1))
    )


_SPELLED_SETTINGS: Mapping[str, type] = {"csv": _Csv, "intervals": _Intervals, "tree": _Tree}
"""Settings that a plan spells differently from the hierarchy class."""
_AS_WRITTEN = {"intervals": ("whole", "from_data"), "tree": ("unlisted",)}
"""Settings that only `write_rule` writes, of hierarchies derived from the data; then no setting is
translated."""


def hierarchy_settings() -> dict[str, dict[str, Setting]]:
    """The settings of each kind of hierarchy in a plan, by name."""
    own: dict[str, type] = {kind.kind: kind for kind in hierarchy.KINDS}
    parts = {kind: [_SPELLED_SETTINGS.get(kind), own.get(kind)] for kind in {**own, **_SPELLED_SETTINGS}}
    settings = {kind: [s for part in both if part for s in settings_of(part)] for kind, both in parts.items()}
    return {kind: {s.name: s for s in reversed(of_kind)} for kind, of_kind in settings.items()}


def read_rule(spec: Any, folder: Path, order: Callable[[], Sequence[str]] = tuple) -> Hierarchy:
    """One hierarchy; relative paths start in `folder`, the plan's own. `order` lists the values of the column if its
    file defines an order, for a grouping without one."""
    if not isinstance(spec, dict):
        raise BadInput(f"a section with a kind is expected, not {shown(spec)}")
    settings = {key: value for key, value in spec.items() if key != "kind"}
    kinds = hierarchy_settings()
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
    if kind not in _SPELLED:
        return hierarchy.from_dict(spec)
    checked = record({}, {key: s.check for key, s in kinds[kind].items()})(settings, f"a {kind} hierarchy")
    rule: Hierarchy = made(lambda: _SPELLED[kind](checked, folder), f"a {kind} hierarchy")
    return rule


def _csv(settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    if "path" not in settings:
        raise BadInput("a csv hierarchy needs a path")
    return hierarchy.read_csv(folder / settings["path"], separator=settings.get("separator", ";"))


def _tree(settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    if len(settings) != 1:
        raise BadInput("a tree hierarchy needs either a tree (nested sections) or rows (leaf, level 1, …, top)")
    return hierarchy.tree(settings["tree"]) if "tree" in settings else hierarchy.from_rows(settings["rows"])


def _intervals(settings: Mapping[str, Any], folder: Path) -> Hierarchy:
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
