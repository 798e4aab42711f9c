"""The plots of Figures 4 to 9: colours that everybody can tell apart (Okabe and Ito), markers besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

COLOURS = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#CC79A7", "#0072B2")
MARKERS = "osD^vPX"
AXES = {
    "gh": "generalization height (steps)",
    "dr": "discernibility ratio",
    "cm": "classification metric (share of rows)",
    "ca": "accuracy of J48 on test data (%)",
}


def plot_time(path: Path, title: str, results: Mapping[int, Mapping[str, Any]]) -> None:
    """Three panels: τ, f and DA, each with plain Incognito beside."""
    plt = _pyplot()
    ks = list(results)
    labels = list(results[ks[0]]["seconds"])
    panels = {
        "granularity τ (f=slift, DA1)": [name for name in labels if name.startswith("τ")],
        "measure f (DA1, τ=|QI|)": [name for name in labels if name.endswith("lift")],
        "protected columns (f=slift, τ=|QI|)": [name for name in labels if name.startswith("DA")],
    }
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), sharey=True)
    for axis, (heading, names) in zip(axes, panels.items(), strict=True):
        for i, name in enumerate(["Incognito", *names]):
            times = [1e3 * results[k]["seconds"][name] for k in ks]
            axis.plot(range(len(ks)), times, marker=MARKERS[i], color=COLOURS[i], label=name,
                      linestyle="--" if name == "Incognito" else "-")  # fmt: skip
        axis.set_xticks(range(len(ks)), [str(k) for k in ks])
        axis.set_xlabel("k")
        axis.set_title(heading, fontsize=10)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("processor time of the whole search (ms)")
    _save(figure, path, f"{title} (α=1.2, minimum support 5 %)")


def plot_quality(
    path: Path,
    title: str,
    measures: Sequence[str],
    results: Mapping[str, Mapping[int, Mapping[str, float]]],
    original: float | None,
) -> None:
    """One panel per measure, one line per series."""
    plt = _pyplot()
    figure, axes = plt.subplots(1, len(measures), figsize=(11, 4.4))
    for axis, measure in zip(axes, measures, strict=True):
        for i, (label, each) in enumerate(results.items()):
            axis.plot(range(len(each)), [values[measure] for values in each.values()], marker=MARKERS[i],
                      color=COLOURS[i], label=label, linestyle="--" if i == 0 else "-", alpha=0.9,
                      markersize=10 - 1.5 * i)  # fmt: skip
        if measure == "ca" and original is not None:
            axis.axhline(original, color=COLOURS[6], linestyle=":", label="0: original data")
        ks = list(next(iter(results.values())))
        axis.set_xticks(range(len(ks)), [str(k) for k in ks])
        axis.set_xlabel("k")
        axis.set_ylabel(AXES[measure])
        if measure == "gh":
            axis.yaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    _save(figure, path, f"{title}, minimal generalizations (f=slift, τ=|QI|, minimum support 5 %)")


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _save(figure: Any, path: Path, title: str) -> None:
    figure.suptitle(title, fontsize=11)
    figure.tight_layout()
    figure.savefig(path, dpi=120, metadata={"Software": None})
    _pyplot().close(figure)
