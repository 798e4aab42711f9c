"""Pictures of `reproduce rollup`, after Figures 4 to 30 of Caruccio et al."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.choice.plots import plot_points

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")  # Okabe and Ito


def draw(out: Path, name: str, by_share: Mapping[float, dict[str, Any]], compared: dict[str, Any]) -> None:
    """Five pictures of one data set."""
    _boxes(out, name, by_share, 1, "accuracy", "accuracy (10-fold, decision tree)")
    _boxes(out, name, by_share, 2, "gain", "information gain (bits per column)")
    _tradeoff(out, name, by_share, compared)
    _counts(out, name, by_share)
    first = by_share[min(by_share)]
    if first["points"]:
        plot_points(
            np.array(first["points"]), ("k", "accuracy", "ig"), out / f"{name}-frontier.png",
            best=np.array(first["best"], dtype=bool), title=f"{name}: rules on 5 % of the pairs",
        )  # fmt: skip


def _axes(columns: int = 1) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4 * columns, 4.4))
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, columns)
    for one in np.atleast_1d(axes):
        one.spines[["top", "right"]].set_visible(False)
        one.grid(alpha=0.25)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def _boxes(out: Path, name: str, by_share: Mapping[float, Any], column: int, short: str, label: str) -> None:
    """Figures 4 to 12: extracted rules beside joined ones, per share of the pairs."""
    figure, axes = _axes()
    for kind, (wanted, title) in enumerate(((False, "extracted"), (True, "joined"))):
        for place, found in enumerate(by_share.values()):
            points = np.array(found["points"]).reshape(-1, 3)
            values = points[np.array(found["is_joined"], dtype=bool) == wanted, column]
            if len(values):
                drawn = axes.boxplot(values, positions=[place + (kind - 0.5) * 0.34], widths=0.28, patch_artist=True)
                drawn["boxes"][0].set_facecolor(COLOURS[kind])
                drawn["medians"][0].set_color("black")
        axes.plot([], [], color=COLOURS[kind], lw=8, label=f"{title} rules")
    axes.set_xticks(range(len(by_share)), [f"{share:.0%}" for share in by_share])
    axes.set_xlabel("share of the pairs that the kept patterns cover")
    axes.set_ylabel(label)
    axes.set_title(f"{name}: what joining adds", fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    _save(figure, out / f"{name}-{short}-joined.png")


def _steps(points: np.ndarray, column: int) -> tuple[np.ndarray, np.ndarray]:
    """For every k the best value of a rule of at least that k."""
    ks = np.unique(points[:, 0])
    return ks, np.array([points[points[:, 0] >= k, column].max() for k in ks])


def _tradeoff(out: Path, name: str, by_share: Mapping[float, Any], compared: dict[str, Any]) -> None:
    """Figures 13 to 24: accuracy and information gain over k, and the baselines."""
    figure, (left, middle, right) = _axes(3)
    for (share, found), colour in zip(by_share.items(), COLOURS, strict=False):
        points = np.array(found["points"]).reshape(-1, 3)
        if len(points):
            for axes, column in ((left, 1), (middle, 2)):
                axes.step(*_steps(points, column), where="pre", color=colour, label=f"{share:.0%} of the pairs")
    left.axhline(compared["plain"], color="black", ls=":", label="not anonymized")
    if compared["rows"]:
        rows = np.array([[np.nan if v is None else v for v in row] for row in compared["rows"]], dtype=float)
        names = ("roll-up rules", "Mondrian", "Top-Down Greedy", "Datafly")
        for i, (title, colour, sign) in enumerate(zip(names, COLOURS, "osv^", strict=False), start=1):
            right.plot(rows[:, 0], rows[:, i], marker=sign, color=colour, label=title)
        right.axhline(compared["plain"], color="black", ls=":", label="not anonymized")
    for axes, label in ((left, "best accuracy"), (middle, "best information gain (bits)"), (right, "accuracy")):
        axes.set_xscale("log")
        axes.set_xlabel("anonymity level k (log scale)")
        axes.set_ylabel(label)
        axes.legend(frameon=False, fontsize=8)
    left.set_title(f"{name}: accuracy that k leaves", fontsize=10)
    middle.set_title(f"{name}: information that k leaves", fontsize=10)
    right.set_title(f"{name}: against other methods (5 %)", fontsize=10)
    _save(figure, out / f"{name}-tradeoff.png")


def _counts(out: Path, name: str, by_share: Mapping[float, Any]) -> None:
    """Figures 25 to 27: rules of at least k, all measured ones and those of the frontier."""
    figure, both = _axes(2)
    for (share, found), colour in zip(by_share.items(), COLOURS, strict=False):
        k = np.array(found["points"]).reshape(-1, 3)[:, 0]
        best = np.array(found["best"], dtype=bool)
        for axes, some in zip(both, (k, k[best] if len(best) else k), strict=True):
            ks = np.unique(some)
            axes.step(
                ks, [(some >= one).sum() for one in ks], where="pre", color=colour, label=f"{share:.0%} of the pairs"
            )
    for axes, title in zip(both, ("all measured rules", "Pareto frontier"), strict=True):
        axes.set_xscale("log")
        axes.set_xlabel("anonymity level k (log scale)")
        axes.set_ylabel("rules of at least k")
        axes.set_title(f"{name}: {title}", fontsize=10)
        axes.legend(frameon=False, fontsize=8)
    _save(figure, out / f"{name}-rules.png")
