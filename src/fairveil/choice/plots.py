"""The candidates as points, the Pareto frontier among them: in two measures, or in three (Caruccio et al., Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import pareto
from fairveil.errors import BadInput
from fairveil.frontier import Frontier

ALL, BEST = "#999999", "#D55E00"  # Okabe and Ito: told apart by everybody, and in grey


def plot(found: Frontier, names: Sequence[str], path: str | Path, *, title: str = "") -> Path:
    """Write a picture of the candidates by two or three measures; the kind follows from the name (.png, .svg, .pdf)."""
    if len(names) not in (2, 3):
        raise BadInput(f"a plot of candidates takes two or three measures, not {len(names)}")
    values = np.column_stack([found.values(name) for name in names])
    return plot_points(values, names, path, best=pareto(found.points(names)), title=title)


def plot_points(
    values: np.ndarray, names: Sequence[str], path: str | Path, *, best: np.ndarray | None = None, title: str = ""
) -> Path:
    """The same for any points; `best` are those of the frontier, found from the measures' directions unless given."""
    if best is None:
        turned = [measures.get(name).loses(values[:, i]) for i, name in enumerate(names)]
        best = pareto(np.column_stack(turned))
    figure, axes = _figure(len(names))
    for mask, colour, label, size in ((~best, ALL, "dominated", 14), (best, BEST, "Pareto frontier", 34)):
        axes.scatter(*values[mask].T, c=colour, s=size, label=f"{label} ({int(mask.sum()):,})", edgecolors="none")
    for name, set_label in zip(names, _labels(axes), strict=False):
        set_label(f"{name} ({'higher' if measures.get(name).better == 'higher' else 'lower'} is better)")
    for i, name in enumerate(names):
        if name == "k" and len(names) == 2:
            (axes.set_xscale if i == 0 else axes.set_yscale)("log")
    axes.legend(frameon=False, fontsize=8)
    axes.set_title(title or f"{len(values):,} candidates", fontsize=10)
    figure.tight_layout()
    path = Path(path)
    figure.savefig(path, dpi=150)
    return path


def _figure(dimensions: int) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.8))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(projection="3d") if dimensions == 3 else figure.add_subplot()
    if dimensions == 2:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    return figure, axes


def _labels(axes: Any) -> list[Any]:
    return [axes.set_xlabel, axes.set_ylabel, *([axes.set_zlabel] if hasattr(axes, "set_zlabel") else [])]
