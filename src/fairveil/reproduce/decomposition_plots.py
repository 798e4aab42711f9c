"""The plots of the decomposition experiment (matplotlib, colours of Okabe and Ito)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"


def runtime(path: Path, sizes: np.ndarray, times: np.ndarray) -> None:
    """Fig. 10: milliseconds per trained subset by rows, with a straight line through them."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    slope, offset = np.polyfit(sizes, times, 1)
    axes.plot(sizes, slope * sizes + offset, color=GREY, linestyle="--", label="straight line")
    axes.plot(sizes, times, color=BLUE, marker="o", linestyle="none", label="measured")
    axes.set(
        xlabel="rows", ylabel="processor time per subset (ms)", title="DMPD on expanded German Credit, top 5, k = 10"
    )
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def surfaces(path: Path, panels: list[tuple[str, dict[str, tuple[np.ndarray, np.ndarray]]]], runs: int) -> None:
    """Fig. 12: worst, median and best attainment surface, a panel per quasi-identifier."""
    figure = Figure(figsize=(6.4 * len(panels), 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    styles = {"worst": (ORANGE, ":"), "median": (BLUE, "-"), "best": (GREEN, "--")}
    for place, (title, found) in enumerate(panels, start=1):
        axes = figure.add_subplot(1, len(panels), place)
        for name, (levels, values) in found.items():
            colour, line = styles[name]
            axes.step(levels, 100 * values, where="pre", color=colour, linestyle=line, label=name)
        axes.set(xscale="log", xlabel="anonymity level k (rows)", ylabel="accuracy (%)", title=title)
        axes.legend(frameon=False, title=f"surface of {runs} runs")
    figure.savefig(path, dpi=150)
