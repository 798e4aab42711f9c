"""Pictures of `reproduce rollup`, after Figures 4 to 30 and A.31 to A.36 of Caruccio et al."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.rollup.against import METHODS, UTILITIES

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")  # Okabe and Ito
LABELS = {
    "accuracy": "accuracy (C4.5, 10 folds)",
    "svm": "accuracy (SVM, 10 folds)",
    "ig": "information gain (bits per column)",
}
LEVEL = "anonymity level, the decision counted (log scale)"
LINES = ("-", "--", "-.", ":")
WIDTHS = (4.4, 3.2, 2.2, 1.2)
"""Later lines are thinner, so that lines on top of each other are all seen."""


def _axes(columns: int, title: str) -> tuple[Any, Sequence[Any]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * columns, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=12)
    axes = np.atleast_1d(figure.subplots(1, columns))
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25)
    return figure, list(axes)


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _legend(figure: Any, axes: Any, columns: int = 6) -> None:
    """One legend below all panels: it can hide nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, dpi=130)


def joined(out: Path, name: str, by_share: Mapping[float, Any]) -> None:
    """Figures 4 to 12: extracted rules beside joined ones, per share of the pairs."""
    figure, panels = _axes(3, f"{_title(name)}: what joining rules adds")
    for axes, utility in zip(panels, UTILITIES, strict=True):
        for kind, (wanted, title) in enumerate(((False, "extracted rules"), (True, "joined rules"))):
            for place, rules in enumerate(by_share.values()):
                values = np.array(rules[utility])[np.array(rules["is_joined"], dtype=bool) == wanted]
                if len(values):
                    drawn = axes.boxplot(
                        values, positions=[place + (kind - 0.5) * 0.34], widths=0.28, patch_artist=True,
                        flierprops={"marker": ".", "markersize": 4},
                    )  # fmt: skip
                    drawn["boxes"][0].set_facecolor(COLOURS[kind])
                    drawn["medians"][0].set_color("black")
            axes.plot([], [], color=COLOURS[kind], lw=8, label=title)
        empty = [place for place, rules in enumerate(by_share.values()) if not rules["level"]]
        for place in empty:
            axes.text(place, 0.5, "no rule of\nlevel 2", ha="center", va="center", fontsize=8, color="#555555",
                      transform=axes.get_xaxis_transform())  # fmt: skip
        axes.set_xlim(-0.6, len(by_share) - 0.4)
        axes.set_xticks(range(len(by_share)), [f"{share:.0%}" for share in by_share])
        axes.set_xlabel("share of the pairs covered by the kept patterns")
        axes.set_ylabel(LABELS[utility])
    _legend(figure, panels[0])
    _save(figure, out / f"{name}-joined.png")


def _steps(levels: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every level the best value of a rule of at least that level."""
    reached = np.unique(levels)
    return reached, np.array([values[levels >= level].max() for level in reached])


def tradeoff(out: Path, name: str, by_share: Mapping[float, Any], plain: Mapping[str, float]) -> None:
    """Figures 13 to 18 and A.31 to A.33: what is left at each level; dashes mark the largest level of each share."""
    figure, panels = _axes(3, f"{_title(name)}: what an anonymity level leaves")
    for axes, utility in zip(panels, UTILITIES, strict=True):
        for (share, rules), colour, width in zip(by_share.items(), COLOURS, WIDTHS, strict=False):
            levels = np.array(rules["level"])
            if len(levels):
                steps = _steps(levels, np.array(rules[utility]))
                axes.step(*steps, where="pre", color=colour, lw=width, label=f"{share:.0%} of the pairs")
                axes.plot(*steps, color=colour, ls="", marker=".", ms=5)
                axes.axvline(levels.max(), color=colour, ls="--", lw=0.9, alpha=0.8)
        axes.axhline(plain[utility], color="black", ls=":", label="not anonymized")
        axes.plot([], [], color="grey", ls="--", lw=0.9, label="largest level reached")
        axes.set_xscale("log")
        axes.set_xlabel(LEVEL)
        axes.set_ylabel("best " + LABELS[utility])
    _legend(figure, panels[0])
    _save(figure, out / f"{name}-tradeoff.png")


def against(out: Path, name: str, rows: Sequence[Any], plain: Mapping[str, float]) -> None:
    """Figures 19 to 24 and A.34 to A.36: the rules of 5 % of the pairs beside the other methods."""
    figure, panels = _axes(3, f"{_title(name)}: rules on 5 % of the pairs beside other methods")
    for axes, utility in zip(panels, UTILITIES, strict=True):
        for method, colour, sign, line in zip(METHODS, COLOURS, "osv^", LINES, strict=False):
            values = [np.nan if row[method][utility] is None else row[method][utility] for row in rows]
            axes.plot([row["k"] for row in rows], values, marker=sign, ms=5, ls=line, color=colour, label=method)
        axes.axhline(plain[utility], color="black", ls=":", label="not anonymized")
        if rows:
            axes.set_xscale("log")
        axes.set_xlabel("anonymity level of the rules, k of the others (log scale)")
        axes.set_ylabel(LABELS[utility])
    _legend(figure, panels[0])
    _save(figure, out / f"{name}-against.png")


def counts(out: Path, name: str, by_share: Mapping[float, Any]) -> None:
    """Figures 25 to 27: rules of at least a level, all and those of the frontier."""
    figure, panels = _axes(2, f"{_title(name)}: rules to choose from")
    for (share, rules), colour in zip(by_share.items(), COLOURS, strict=False):
        levels = np.array(rules["level"])
        if not len(levels):
            continue
        for axes, some in zip(panels, (levels, levels[np.array(rules["best"], dtype=bool)]), strict=True):
            reached = np.unique(some)
            number = [(some >= level).sum() for level in reached]
            axes.step(reached, number, where="pre", color=colour, lw=1.8, label=f"{share:.0%} of the pairs")
            axes.plot(reached, number, color=colour, ls="", marker=".", ms=5)
    for axes, title in zip(panels, ("all rules", "Pareto frontier"), strict=True):
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(LEVEL)
        axes.set_ylabel("rules of at least this level")
        axes.set_title(title, fontsize=10)
    _legend(figure, panels[0])
    _save(figure, out / f"{name}-rules.png")


def frontier(out: Path, name: str, by_share: Mapping[float, Any]) -> None:
    """Figures 28 to 30: level, accuracy and information gain of the rules of 5 % of the pairs."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rules = by_share[min(by_share)]
    best = np.array(rules["best"], dtype=bool)
    figure = Figure(figsize=(7.2, 5.6))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(projection="3d")
    points = np.column_stack([rules["accuracy"], np.log10(rules["level"]), rules["ig"]])
    for mask, colour, label, size in ((~best, "#999999", "dominated", 14), (best, COLOURS[1], "Pareto frontier", 36)):
        axes.scatter(*points[mask].T, c=colour, s=size, label=f"{label} ({int(mask.sum())})", depthshade=False)
    ticks = np.arange(0, np.ceil(points[:, 1].max(initial=0)) + 1)
    axes.set_yticks(ticks, [f"{10 ** int(t):,}" for t in ticks])
    axes.set_xlabel("accuracy (C4.5)", labelpad=8)
    axes.set_ylabel("anonymity level (log scale)", labelpad=10)
    axes.set_zlabel("information gain (bits)", labelpad=8)
    axes.set_box_aspect((4, 4, 3))
    axes.locator_params(axis="x", nbins=5)
    axes.locator_params(axis="z", nbins=5)
    axes.set_title(f"{_title(name)}: rules on 5 % of the pairs", fontsize=12)
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 0.98), frameon=False, fontsize=9)
    figure.savefig(out / f"{name}-frontier.png", dpi=130, bbox_inches="tight", pad_inches=0.35)
