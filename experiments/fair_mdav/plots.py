"""The figures of Fair-MDAV, from finished trials. Colours are Okabe and Ito's, apart for the colour-blind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.fair_mdav.interventions import (
    Constrained,
    Decorrelated,
    Fairleted,
    Nothing,
    PreferentialSampling,
    Reweighing,
    Thresholds,
)
from experiments.fair_mdav.trials import Outcomes, Trials
from fairveil.errors import BadInput

DPAR, EODDS, RATIO = "demographic-parity-difference", "equalised-odds-score", "demographic-parity-ratio"
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
GREY = "#777777"
TAUS = tuple(round(0.1 * i, 1) for i in range(11))
SHORT = {
    DPAR: "demographic parity score (0 = fair)",
    EODDS: "equalised odds score (0 = fair)",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    RATIO: "demographic parity ratio (1 = fair)",
}


def setting(size: int, tau: float, correction: str, aggregated: bool) -> Fairleted:
    return Fairleted(size, tau, correction if tau else "none", aggregated)  # type: ignore[arg-type]


def _got(trials: Trials, problem: str, what: Any, classifier: str = "LR") -> Outcomes | None:
    """What was tried; not every setting is, unless the run is full."""
    try:
        return trials.of(problem, what, classifier)
    except BadInput:
        return None


def _canvas(columns: int, rows: int = 1, width: float = 4.0, height: float = 3.4) -> tuple[Any, Any]:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, layout="constrained"
    )
    for axis in axes.ravel():
        axis.grid(True, color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Any, folder: Path, name: str, caption: str) -> Path:
    import matplotlib.pyplot as plt

    figure.supxlabel(caption, fontsize=8, color="#444444")
    path = folder / f"{name}.png"
    figure.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(figure)
    return path


def losses(folder: Path, losses: dict[str, dict[str, dict[int, float]]]) -> Path:
    figure, axes = _canvas(len(losses))
    for axis, (problem, kinds) in zip(axes[0], losses.items(), strict=True):
        for (kind, by_size), colour, mark in zip(kinds.items(), (BLUE, ORANGE), "os", strict=True):
            axis.plot(list(by_size), list(by_size.values()), mark + "-", color=colour, label=kind)
        axis.set(title=problem, xlabel="records per group", ylabel="information loss per attribute", ylim=(0, None))
    axes[0, 0].legend(frameon=False)
    return _save(figure, folder, "figure-2", "Information loss (Eq. 3), averaged by attribute, by group size.")


def classifiers(folder: Path, trials: Trials) -> Path:
    figure, axes = _canvas(len(trials.problems), 2)
    marks = dict(zip(("LR", "RF", "SGD", "GNB", "DT", "AB"), "osD^vP", strict=True))
    for column, problem in enumerate(trials.problems):
        for row, score in enumerate((DPAR, EODDS)):
            axis = axes[row, column]
            for name, mark in marks.items():
                pair = [_got(trials, problem, setting(10, tau, "negative", True), name) for tau in (0.0, 1.0)]
                if pair[0] is None or pair[1] is None:
                    continue
                x, y = ([got.means[s] for got in pair if got] for s in (score, "accuracy"))
                axis.plot(x, y, "-", color="#999999", linewidth=1)
                axis.plot(x[0], y[0], mark, color=ORANGE, markeredgecolor=BLACK, label=f"{name}, τ = 0")
                axis.plot(x[1], y[1], mark, color=BLUE, markeredgecolor=BLACK, label=f"{name}, τ = 1")
            axis.set(title=problem, xlabel=SHORT[score], ylabel="accuracy", xlim=(0, None))
    axes[0, 0].legend(frameon=False, fontsize=6, ncols=2)
    return _save(figure, folder, "figure-3", "No correction and full negative correction, fairlets of 10, aggregated.")


def scatter(folder: Path, trials: Trials, problem: str, aggregated: bool, sizes: Sequence[int], number: int) -> Path:
    figure, axes = _canvas(2, 2, 4.6)
    for row, correction in enumerate(("positive", "negative")):
        for column, score in enumerate((DPAR, EODDS)):
            axis = axes[row, column]
            points = [
                (got.means[score], got.means["accuracy"], tau, size)
                for size in sizes
                for tau in TAUS
                if (got := _got(trials, problem, setting(size, tau, correction, aggregated))) is not None
            ]
            x, y, tau, size = (np.array(values) for values in zip(*points, strict=True))
            shown = axis.scatter(
                x, y, c=tau, s=10 + 0.9 * size, cmap="cividis", vmin=0, vmax=1, edgecolors=BLACK, linewidths=0.4
            )
            base = _got(trials, problem, Nothing())
            if base is not None:
                axis.plot(
                    base.means[score], base.means["accuracy"], "*", color=RED, markersize=11, label="no protection"
                )
            axis.set(title=f"{correction} correction", xlabel=SHORT[score], ylabel="accuracy", xlim=(0, None))
    axes[0, 0].legend(frameon=False)
    figure.colorbar(shown, ax=axes, label="correction level τ", shrink=0.7)
    what = "microaggregated" if aggregated else "values kept"
    return _save(
        figure,
        folder,
        f"figure-{number}-{problem.lower()}",
        f"{problem}, {what}, logistic regression; larger dots are larger fairlets ({', '.join(map(str, sizes))}).",
    )


def lines(folder: Path, trials: Trials, aggregated: bool, number: int) -> Path:
    figure, axes = _canvas(len(trials.problems), 2)
    kinds = (("accuracy", BLUE, "o"), (DPAR, ORANGE, "s"), (EODDS, GREEN, "^"))
    for row, correction in enumerate(("positive", "negative")):
        for axis, problem in zip(axes[row], trials.problems, strict=True):
            for score, colour, mark in kinds:
                by_tau = [
                    (tau, got.interval(score))
                    for tau in TAUS
                    if (got := _got(trials, problem, setting(10, tau, correction, aggregated))) is not None
                ]
                x = np.array([tau for tau, _ in by_tau])
                mean, wide = (np.array([pair[i] for _, pair in by_tau]) for i in (0, 1))
                axis.plot(x, mean, mark + "-", color=colour, label=SHORT[score], markersize=4)
                axis.fill_between(x, mean - wide, mean + wide, color=colour, alpha=0.2, linewidth=0)
            axis.set(title=f"{problem}, {correction}", xlabel="correction level τ", ylabel="score", ylim=(0, 1))
    axes[0, 0].legend(frameon=False, fontsize=7)
    what = "microaggregated" if aggregated else "values kept"
    return _save(
        figure,
        folder,
        f"figure-{number}",
        f"Fairlets of 10, {what}, logistic regression; means of five folds with 95 % intervals.",
    )


def precision(folder: Path, trials: Trials, problem: str, aggregated: bool, sizes: Sequence[int], number: int) -> Path:
    figure, axes = _canvas(2, 1, 4.6)
    for axis, score in zip(axes[0], ("precision", "recall"), strict=True):
        for correction, colour, mark in (("positive", BLUE, "o"), ("negative", ORANGE, "s")):
            points = [
                (got.means[EODDS], got.means[score], tau)
                for size in sizes
                for tau in TAUS
                if (got := _got(trials, problem, setting(size, tau, correction, aggregated))) is not None
            ]
            x, y, tau = (np.array(values) for values in zip(*points, strict=True))
            axis.scatter(x, y, s=12 + 30 * tau, color=colour, marker=mark, alpha=0.8, label=f"{correction} correction")
        axis.set(xlabel=SHORT[EODDS], ylabel=score, xlim=(0, None), ylim=(0, 1))
    axes[0, 0].legend(frameon=False)
    what = "microaggregated" if aggregated else "values kept"
    return _save(
        figure,
        folder,
        f"figure-{number}-{problem.lower()}",
        f"{problem}, {what}, logistic regression; larger marks are larger τ.",
    )


def compared(folder: Path, trials: Trials) -> Path:
    figure, axes = _canvas(len(trials.problems), 1, 4.6, 4.0)
    others = (
        (Nothing(), "no protection", RED, "*"),
        (Reweighing(), "reweighing", GREEN, "^"),
        (PreferentialSampling(), "preferential sampling", PINK, "v"),
        (Decorrelated(), "correlation remover", SKY, "D"),
        (Thresholds(), "threshold optimizer", BLACK, "P"),
    )
    for axis, problem in zip(axes[0], trials.problems, strict=True):
        for aggregated, colour, name in ((False, BLUE, "Fair-MDAV"), (True, ORANGE, "Fair-MDAV, aggregated")):
            outcomes = [
                got
                for correction in ("positive", "negative")
                for tau in TAUS
                if (got := _got(trials, problem, setting(10, tau, correction, aggregated))) is not None
            ]
            front = _front([(got.means[RATIO], got.means["accuracy"]) for got in outcomes])
            chosen = [outcomes[i] for i in front]
            _errors(axis, chosen, colour, "o", name, line=True)
        for intervention, name, colour, mark in others:
            got = _got(trials, problem, intervention)
            if got is not None:
                _errors(axis, [got], colour, mark, name)
        constrained = [got for name, got in trials.settings(problem, "LR").items() if name.startswith(Constrained.kind)]
        if constrained:
            _errors(axis, constrained, GREY, "X", Constrained.kind)
        axis.set(title=problem, xlabel=SHORT[RATIO], ylabel="accuracy", xlim=(0, 1.03))
    axes[0, 0].legend(frameon=False, fontsize=7, loc="lower left")
    return _save(
        figure,
        folder,
        "figure-10",
        "Pareto fronts over τ of fairlets of 10 beside other methods; logistic regression, 95 % intervals.",
    )


def _errors(axis: Any, outcomes: Sequence[Outcomes], colour: str, mark: str, name: str, line: bool = False) -> None:
    x, wide_x, y, wide_y = np.array([[*got.interval(RATIO), *got.interval("accuracy")] for got in outcomes]).T
    style = f"{mark}-" if line else mark
    axis.errorbar(x, y, xerr=wide_x, yerr=wide_y, fmt=style, color=colour, elinewidth=0.6, markersize=5, label=name)


def _front(points: Sequence[tuple[float, float]]) -> list[int]:
    """The points that no other beats in both, from left to right."""
    order = sorted(range(len(points)), key=lambda i: (-points[i][0], -points[i][1]))
    front, best = [], -1.0
    for i in order:
        if points[i][1] > best:
            best = points[i][1]
            front.append(i)
    return front[::-1]
