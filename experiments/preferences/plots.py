"""The figures of the preference experiments: what the paper's Figures 2 to 5 show, in colour-blind safe colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#999999"  # Okabe and Ito
NECD = "NECD (largest minus smallest class, share of rows)"
NWP = "NWP (weighted loss, 0 to 1)"


def draw(
    out: Path,
    by_k: Mapping[int, dict[str, Any]],
    by_population: Mapping[int, dict[str, Any]],
    by_weights: Mapping[str, dict[str, Any]],
    by_bias: Mapping[float, dict[str, Any]],
    columns: Sequence[str],
) -> None:
    """figure-2.png to figure-5.png."""
    import matplotlib as mpl

    mpl.use("Agg")
    _solutions(
        out / "figure-2.png",
        by_k,
        "k_pref",
        "Feasible solutions that none beats in ach and k, or in NWP and NECD (wish: NWP 0.2, NECD 1.0)",
    )
    _solutions(out / "figure-3.png", by_population, "population", "Effect of the population size, k_pref = 5")
    _weights(out / "figure-4.png", by_weights, columns)
    _bias(out / "figure-5.png", by_bias)


def _solutions(path: Path, runs: Mapping[Any, dict[str, Any]], what: str, title: str) -> None:
    """One panel per run: every candidate in the NECD-NWP plane, the solution of choice marked with its k."""
    import matplotlib.pyplot as plt

    wide = 3
    tall = -(-len(runs) // wide)
    figure, axes = plt.subplots(tall, wide, figsize=(11, 3.4 * tall + 0.6), sharex=True, sharey=True, squeeze=False)
    for axis, (key, run) in zip(axes.flat, runs.items(), strict=False):
        points = np.array([[necd, nwp] for necd, nwp, *_ in run["candidates"]])
        axis.scatter(points[1:, 0], points[1:, 1], s=18, color=BLUE, alpha=0.7, label="candidates")
        axis.scatter(*points[0], s=70, color=ORANGE, marker="D", label="solution (least ach)")
        axis.annotate(f"k = {run['k']}", points[0], xytext=(0, -8), textcoords="offset points", va="top", ha="center")
        axis.set_title(f"{what} = {key}", fontsize=10)
        axis.margins(x=0.2, y=0.12)
        axis.grid(alpha=0.25)
    axes.flat[0].legend(fontsize=8, loc="lower right")
    figure.suptitle(title)
    figure.supxlabel(NECD, fontsize=10)
    figure.supylabel(NWP, fontsize=10)
    _save(figure, path)


def _weights(path: Path, runs: Mapping[str, dict[str, Any]], columns: Sequence[str]) -> None:
    """Left, where each weight vector leads; right, in how many groups each attribute is published."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), width_ratios=(1, 1.4))
    marks = dict(zip(runs, ("o", "s", "^", "D", "v"), strict=False))
    colours = dict(zip(runs, (BLUE, ORANGE, GREEN, PURPLE, GREY), strict=False))
    for name, run in runs.items():
        left.scatter(run["point"]["necd"], run["point"]["nwp"], s=70, marker=marks[name], color=colours[name],
                     label=f"{name} (k = {run['k']})")  # fmt: skip
    left.set(xlabel=NECD, ylabel=NWP, title="Solution for each weight vector")
    left.legend(fontsize=8)
    left.grid(alpha=0.25)
    counts = np.array([[run["groups"][column] for column in columns] for run in runs.values()])
    right.imshow(np.log2(counts), cmap="cividis", aspect="auto")
    middle = np.log2(counts).max() / 2
    for (row, column), count in np.ndenumerate(counts):
        right.text(column, row, str(count), ha="center", va="center",
                   color="black" if np.log2(count) > middle else "white")  # fmt: skip
    right.set_xticks(range(len(columns)), columns, rotation=40, ha="right")
    right.set_yticks(range(len(runs)), list(runs))
    right.set_title("Groups per attribute (1 = suppressed)")
    figure.suptitle("Effect of the weights, k_pref = 5 (wish: NWP 0.2, NECD 1.0)")
    _save(figure, path)


def _bias(path: Path, runs: Mapping[float, dict[str, Any]]) -> None:
    """How a stricter bias preference trades loss for a larger effective k."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2))
    wishes = [f"{wish:g}" for wish in runs]
    necd, nwp = ([run["point"][name] for run in runs.values()] for name in ("necd", "nwp"))
    left.scatter(necd, nwp, s=60, color=BLUE)
    shared: dict[tuple[float, float, int], list[str]] = {}
    for wish, x, y, run in zip(wishes, necd, nwp, runs.values(), strict=True):
        shared.setdefault((x, y, run["k"]), []).append(wish)
    for place, ((x, y, k), some) in enumerate(shared.items()):
        text = f"wish {', '.join(some)}: k = {k}"
        left.annotate(
            text, (x, y), xytext=(0, (10, -17)[place % 2]), textcoords="offset points", fontsize=9, ha="center"
        )
    left.axhline(0.2, color=ORANGE, linestyle="--", linewidth=1, label="NWP wish 0.2")
    left.set(xlabel=NECD, ylabel=NWP, title="Solution for each NECD wish")
    left.margins(x=0.25, y=0.15)
    left.legend(fontsize=8)
    right.bar(wishes, [run["k"] for run in runs.values()], color=GREEN)
    right.set(xlabel="NECD wished for", ylabel="effective k (rows in the smallest class)", title="Privacy gained")
    for axis in (left, right):
        axis.grid(alpha=0.25)
    figure.suptitle("Impact of the bias preference, weights wv2, k_pref = 5")
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    import matplotlib.pyplot as plt

    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
