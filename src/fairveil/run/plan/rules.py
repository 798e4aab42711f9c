"""Hierarchies as a plan spells them: `[hierarchies.<column>]` with a `kind` and the settings of that kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data import dialect, hierarchy
from fairveil.errors import BadInput, refuse, suggest
from fairveil.settings import Setting, current_names, required, setting, settings_of
from fairveil.shapes import cell, made, many, name, record, shown

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy


@dataclass(frozen=True)
class _Csv:
    path: str = field(
        metadata=required("a file with a line per value: value, level 1, …, top; relative to the plan", shape=name)
    )
    separator: str = setting(";", "the delimiter of that file", shape=dialect.CHARACTER)


@dataclass(frozen=True)
class _Intervals:
    edges: Sequence[float] = setting((), "where intervals begin and end, such as [0, 100]")
    widths: Sequence[float] = setting((), "widths of the levels, counted from the first edge, such as [5, 10, 20]")
    levels: Sequence[Sequence[float]] = setting((), "edges of each level, finest first; beside edges, coarser ones")


@dataclass(frozen=True)
class _Tree:
    tree: Any = setting(None, "nested tables of groups, innermost a list of values")
    rows: Any = setting((), "a row per value: the value, level 1, …, top", shape=many(many(cell, 1), 1))


_SPELLED: Mapping[str, type] = {"csv": _Csv, "intervals": _Intervals, "tree": _Tree}
"""Kinds whose settings a plan spells differently from the hierarchy class."""
_AS_WRITTEN = {"whole", "from_data", "unlisted"}
"""Settings that only a hierarchy derived from the data has; then no setting is translated."""


def hierarchy_settings() -> dict[str, dict[str, Setting]]:
    """The settings of each kind of hierarchy in a plan, by name."""
    own: dict[str, type] = {kind.kind: kind for kind in hierarchy.KINDS}
    parts = {kind: [_SPELLED.get(kind), own.get(kind)] for kind in {**own, **_SPELLED}}
    settings = {kind: [s for part in both if part for s in settings_of(part)] for kind, both in parts.items()}
    return {kind: {s.name: s for s in reversed(of_kind)} for kind, of_kind in settings.items()}


def read_rule(spec: Any, folder: Path, order: Callable[[], Sequence[str]] = tuple) -> Hierarchy:
    """One hierarchy; relative paths start in `folder`, the plan's own. `order` lists the values of the column if its
    file defines an order, for a grouping without one."""
    if not isinstance(spec, dict):
        raise BadInput(f"a section with a kind is expected, not {shown(spec)}")
    kinds = hierarchy_settings()
    if "kind" not in spec:
        raise BadInput(f"a kind is needed: one of {', '.join(kinds)}")
    kind = spec["kind"]
    if not isinstance(kind, str) or kind not in kinds:
        raise BadInput(suggest(kind, kinds, "hierarchy kind"))
    spec = current_names([*kinds[kind].values()], spec, f"a {kind} hierarchy")
    settings = {key: value for key, value in spec.items() if key != "kind"}
    if kind == "grouping" and "order" not in spec and (values := order()):
        spec = {**spec, "order": list(values)}
    refuse([suggest(key, kinds[kind], f"setting of a {kind} hierarchy") for key in settings
            if key not in kinds[kind]])  # fmt: skip
    if kind not in _SPELLED or _AS_WRITTEN & settings.keys():
        return hierarchy.from_dict(spec)
    checked = record({}, {key: s.check for key, s in kinds[kind].items()})(settings, f"a {kind} hierarchy")
    rule: Hierarchy = made(lambda: _spelled(kind, checked, folder), f"a {kind} hierarchy")
    return rule


def _spelled(kind: str, settings: Mapping[str, Any], folder: Path) -> Hierarchy:
    """A hierarchy that a plan spells in its own way."""
    if kind == "csv":
        if "path" not in settings:
            raise BadInput("a csv hierarchy needs a path")
        return hierarchy.read_csv(folder / settings["path"], separator=settings.get("separator", ";"))
    if kind == "tree":
        if len(settings) != 1:
            raise BadInput("a tree hierarchy needs either a tree (nested sections) or rows (leaf, level 1, …, top)")
        return hierarchy.tree(settings["tree"]) if "tree" in settings else hierarchy.from_rows(settings["rows"])
    levels = settings.get("levels", [])
    edges = settings.get("edges") or (levels[0] if levels else None)
    if not edges:
        raise BadInput("an intervals hierarchy needs edges (with widths or coarser levels), or levels of edges")
    if "widths" in settings and levels:
        raise BadInput("an intervals hierarchy takes widths or levels, not both")
    return hierarchy.intervals(
        edges, widths=settings.get("widths", ()), levels=levels if "edges" in settings else levels[1:],
        open_ended=settings.get("open_ended", False),
    )  # fmt: skip
