"""The plots of the decomposition experiment (matplotlib, colours of Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from experiments.decomposition.runtime import Line

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"


def runtime(path: Path, sizes: np.ndarray, series: Sequence[np.ndarray], lines: Sequence[Line]) -> None:
    """Fig. 10: minutes by rows with a straight line through them; the paper's machine on a scale of its own."""
    figure = Figure(figsize=(10.5, 4), layout="constrained")
    FigureCanvasAgg(figure)
    titles = ("the paper's (Pentium 4)", "ours, whole searches", "ours, same partitionings")
    for place, (title, minutes, line) in enumerate(zip(titles, series, lines, strict=True), start=1):
        axes = figure.add_subplot(1, 3, place)
        unit = 1.0 if place == 1 else 60.0
        axes.plot(sizes, unit * line.at(sizes), color=GREY, linestyle="--", label=f"line, R² = {line.explained:.3f}")
        axes.plot(sizes, unit * minutes, color=BLUE, marker="o", linestyle="none", label="measured")
        axes.set(xlabel="rows", ylabel="minutes" if place == 1 else "processor time (s)", title=title)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, loc="upper left")
    figure.suptitle("DMPD on expanded German Credit, C4.5, top 5 features quasi, k = 10")
    figure.savefig(path, dpi=150)


def search_lengths(path: Path, panels: Mapping[str, Mapping[int, Sequence[tuple[int, np.ndarray]]]]) -> None:
    """Fig. 11: accuracy by generations, a line per population, a panel per data set."""
    figure = Figure(figsize=(5.2 * len(panels), 4), layout="constrained")
    FigureCanvasAgg(figure)
    for place, (data, populations) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(1, len(panels), place)
        for (population, points), colour, shift in zip(
            sorted(populations.items()), (BLUE, ORANGE), (-1, 1), strict=False
        ):
            x = np.array([generations for generations, _ in points])
            y, error = (np.array([f(accuracies) for _, accuracies in points]) for f in (np.mean, np.std))
            axes.errorbar(x + shift * 0.01 * x.max(), y, error, color=colour, marker="o", capsize=3,
                          label=f"population {population}")  # fmt: skip
        axes.set(xlabel="generations", ylabel="accuracy (%), mean ± deviation of ten halves",
                 title=f"{data.replace('_', ' ').title()}, C4.5, top 5 quasi, k = 10")  # fmt: skip
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
    figure.savefig(path, dpi=150)


def surfaces(path: Path, panels: list[tuple[str, dict[str, tuple[np.ndarray, np.ndarray]]]], runs: int) -> None:
    """Fig. 12: worst, median and best attainment surface, a panel per quasi-identifier."""
    figure = Figure(figsize=(6.4 * len(panels), 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    styles = {"worst": (ORANGE, ":"), "median": (BLUE, "-"), "best": (GREEN, "--")}
    for place, (title, surfaces_of_runs) in enumerate(panels, start=1):
        axes = figure.add_subplot(1, len(panels), place)
        for name, (levels, values) in surfaces_of_runs.items():
            colour, line = styles[name]
            axes.step(levels, 100 * values, where="pre", color=colour, linestyle=line, label=name)
        axes.set(xscale="log", xlabel="anonymity level k (rows)", ylabel="accuracy (%)", title=title)
        axes.legend(frameon=False, title=f"surface of {runs} runs")
    figure.savefig(path, dpi=150)
