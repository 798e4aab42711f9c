"""Plots of candidates with their Pareto frontier, by two measures or by three (Caruccio et al., Fig. 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import pareto
from fairveil.data.atomic import whole_files
from fairveil.errors import BadInput, need
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.frontier.frontier import Frontier

ALL, BEST = "#999999", "#D55E00"  # Okabe and Ito: distinguishable with colour blindness, and in grey
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h")


def plot(
    candidates: Frontier,
    names: Sequence[str],
    path: str | Path,
    *,
    title: str = "",
    groups: Sequence[str] | None = None,
    baseline: Mapping[str, float] | None = None,
) -> Path:
    """Write a plot of the candidates by two or three measures; the file extension sets the format (.png, .svg, .pdf).

    `groups` names the group of each candidate, such as its method: groups differ in shape and colour, and the frontier
    is opaque while the rest is pale. `baseline` has the measures of the source: those of classifiers are drawn as a
    line.
    """
    if len(names) not in (2, 3):
        raise BadInput(f"a plot of candidates takes two or three measures, not {len(names)}")
    values = np.column_stack([candidates.values(name) for name in names])
    complete = np.isfinite(values).all(axis=1)  # a candidate with a missing value has no position
    values, best = values[complete], pareto(candidates.points(names))[complete]
    figure, axes = _figure(len(names), wide=groups is not None)
    entries = _draw_groups(axes, values, best, np.array(groups)[complete]) if groups is not None else []
    if groups is None:
        for mask, colour, label, size in ((~best, ALL, "dominated", 14), (best, BEST, "Pareto frontier", 34)):
            axes.scatter(*values[mask].T, c=colour, s=size, label=f"{label} ({int(mask.sum()):,})", edgecolors="none")
    for name, axis in zip(names, "xyz", strict=False):
        axes.set(**{f"{axis}label": f"{name} ({measures.get(name).better} is better)"})
        if name == "k" and len(names) == 2:
            axes.set(**{f"{axis}scale": "log"})
    if len(names) == 2:
        _draw_baseline(axes, names, baseline or {})
    if entries:
        beside = (1.02 if len(names) == 2 else 1.2, 0.5)
        axes.legend(handles=entries, title="on the frontier", frameon=False, fontsize=8, title_fontsize=8,
                    loc="center left", bbox_to_anchor=beside)  # fmt: skip
    else:
        axes.legend(frameon=False, fontsize=8)
    axes.set_title(title or counted(len(values), "candidate"), fontsize=10)
    figure.tight_layout()
    path = Path(path)
    with whole_files([path], private=True) as asides:  # it discloses more than the release
        figure.savefig(asides[path], dpi=150, bbox_inches="tight" if entries else None)
    return path


def _draw_groups(axes: Any, values: np.ndarray, best: np.ndarray, groups: np.ndarray) -> list[Any]:
    """Draw the groups and return the entries of the legend."""
    from matplotlib.lines import Line2D

    entries = []
    for group, colour, shape in zip(dict.fromkeys(groups.tolist()), cycle(COLOURS), cycle(SHAPES), strict=False):
        members = groups == group
        for mask, look in (
            (members & ~best, {"s": 24, "alpha": 0.5, "edgecolors": "none"}),
            (members & best, {"s": 46, "edgecolors": "black", "linewidths": 0.8}),
        ):
            if mask.any():  # an empty series would still stretch the axes
                axes.scatter(*values[mask].T, c=colour, marker=shape, **look)
        label = f"{group}: {int((members & best).sum())} of {int(members.sum())}"
        entries.append(Line2D([], [], color=colour, marker=shape, linestyle="", markeredgecolor="black", label=label))
    if values.shape[1] == 2:
        front = values[best][np.argsort(values[best][:, 0], kind="stable")]
        axes.plot(*front.T, color="#444444", linewidth=0.8, zorder=0)
    return entries


def _draw_baseline(axes: Any, names: Sequence[str], baseline: Mapping[str, float]) -> None:
    """Draw a dashed line at the score of a classifier trained on the source."""
    for name, across in zip(names, (True, False), strict=True):
        if name in baseline and measures.get(name).trains:
            look = {"color": "#444444", "linestyle": "--", "linewidth": 0.9, "zorder": 0}
            (axes.axvline if across else axes.axhline)(baseline[name], **look)
            spot = (baseline[name], 0.02) if across else (0.99, baseline[name])
            axes.annotate(
                f"learnt from the source: {baseline[name]:.3f}", spot, fontsize=7, color="#444444",
                xycoords=("data", "axes fraction") if across else ("axes fraction", "data"),
                xytext=(3, 3), textcoords="offset points",
                rotation=90 if across else 0, ha="left" if across else "right",
            )  # fmt: skip


def _figure(dimensions: int, wide: bool = False) -> tuple[Any, Any]:
    need("matplotlib", "a plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2 if wide else 6.4, 4.8))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(projection="3d") if dimensions == 3 else figure.add_subplot()
    if dimensions == 2:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    return figure, axes
