"""docs/results/speed.md and its plots, from what `python -m benchmarks --keep benchmarks/results.json` kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.check import floors
from benchmarks.path import ORDER

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
PAGES = HERE.parent / "docs" / "results"
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#999999")
SETTING = re.compile(r"(, [a-z]lift)?, k=\d+$")
"""Of a ratio that was measured under several settings: one line, from the least to the largest."""
Curves = Mapping[str, Sequence[Sequence[float]]]


def page(results: Mapping[str, Any]) -> str:
    """The page as Markdown."""
    parts = [HEAD, *_ratios(results), *_commands(results), *_growth(results), *_path(results), *_printed(results)]
    return "\n\n".join(parts) + "\n"


HEAD = """# How fast

Times on a shared machine say little, so everything here is a ratio within one run: the time of another way over ours.
`make bench` measures it again on your machine and writes this page anew from `benchmarks/results.json`; a tool that is
not installed, or fails, is a line in the output. `make bench-check` is quick and fails where a ratio is below its
floor (`benchmarks/floors.toml`). No figure on this page was typed by hand."""


def _ratios(results: Mapping[str, Any]) -> list[str]:
    least = floors()
    lines = [
        "| the other way | its time over ours | floor of `make bench-check` | printed by | measured |",
        "|---|---:|---:|---|---|",
    ]
    for name, done in results["benchmarks"].items():
        together: dict[str, list[float]] = {}
        for what, value in done["ratios"].items():
            together.setdefault(SETTING.sub("", what), []).append(value)
        for what, values in together.items():
            floor = f"{least[what]:g}" if what in least else ""
            shown = " to ".join(_short(value) for value in sorted({min(values), max(values)}))
            lines.append(f"| {what} | {shown} | {floor} | `python -m benchmarks {name}` | {done['about']['day']} |")
    return ["## All ratios", "\n".join(lines)]


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.2g}" if value < 1 else f"{value:.1f}"


READINGS = {"commands": "the same plan", "commands --plan own": "the plan of each version's own `init`"}
"""The two ways in which `commands` compares, by the name of their results."""
COMMAND = re.compile(
    r"^  (\w+): ([\d.]+) times faster in the median of (\d+) files, wall ([\d.]+) times; .* would be ([\d.]+) times",
    re.MULTILINE,
)
"""A line of `commands`: the command, its ratio in CPU, files, its ratio in wall time, the ratio of loading alone."""


def _commands(results: Mapping[str, Any]) -> list[str]:
    """How much faster the first hour's commands are, by both readings."""
    lines = [
        f"| {step} | {reading} | {files} | {cpu} | {wall} | {loading} |"
        for name, reading in READINGS.items()
        for step, cpu, files, wall, loading in COMMAND.findall(results["benchmarks"].get(name, {}).get("printed", ""))
    ]
    if not lines:
        return []
    head = ["| command | both versions get | files | CPU | wall | only loading |", "|---|---|---:|---:|---:|---:|"]
    told = (
        "How many times faster each command is than in an older version (204c828), in the median of the files of "
        "[the first hour](../first-hour.md): with the same plan, the same work; with its own plan, what users had and "
        "have. *Only loading* is what a command would reach that does nothing but load Python, NumPy and pyarrow: "
        "most of the files are so small that this is most of the time."
    )
    return ["## The first hour's commands", told, "\n".join(head + lines)]


def _growing(results: Mapping[str, Any]) -> dict[str, Curves]:
    """The curves of `growth`, which may have been run in parts."""
    parts = [done["series"] for name, done in results["benchmarks"].items() if name.split()[0] == "growth"]
    return {title: lines for series in parts for title, lines in series.items()}


def _growth(results: Mapping[str, Any]) -> list[str]:
    if "growth" not in results["benchmarks"]:
        return []
    told = (
        "Time to find *all* k-anonymous generalizations while one thing grows. Cost follows the distinct tuples of the "
        "quasi columns, not the rows; both axes are logarithmic where the range is."
    )
    shown = "Seconds by rows, distinct tuples, attributes and k"
    if "methods by rows" in _growing(results):
        told += " The last two: one search by every method."
        shown += "; every method by rows and by quasi columns"
    return ["## How it grows", told, f"![{shown}](speed-growth.svg)"]


def _path(results: Mapping[str, Any]) -> list[str]:
    if "path" not in results["benchmarks"]:
        return []
    told = (
        "One process from a CSV file on disk to a release that was written, verified, attacked and reported on: what "
        "the time is spent on."
    )
    return ["## Where the time goes", told, "![Shares of the time by stage](speed-path.svg)"]


EXPLAINED = {
    "group_by": "DuckDB's first query only counts its groups. Ours returns the codes and the count of every cell, in "
    "the order of first appearance, so that results do not depend on a hash function or on the number of threads: the "
    "query `in order` does the same.",
    "commands": "Both versions get the same plan. On small files most of a command is loading modules. Where a "
    "release hides much, `release` also tries what would help, each by a search of its own, which the older version "
    "did not do.",
    "commands --plan own": "What users had and have: each version gets the plan that its own `init` writes. Today's "
    "plans promise more, guard more columns and search by more methods, so that the two do different work.",
    "judging": "pycanon's k-anonymity is one group-by of a pandas frame. Ours reads the frame first, every text column "
    "into codes, and says which classes break the promise.",
    "growth": "Top-Down Greedy compares each group that is too small with the groups near it. With "
    "several columns of independent numbers, as here, most groups are near: the time grows with the "
    "square of their number.",
}
"""What a reader may ask about a benchmark's figures."""


def _printed(results: Mapping[str, Any]) -> list[str]:
    parts = ["## As printed"]
    for name, done in results["benchmarks"].items():
        about = done["about"]
        versions = ", ".join(f"{package} {version}" for package, version in about["versions"].items())
        parts += [
            f"### {name}",
            f"`python -m benchmarks {name}`, {done['seconds']:.0f} s on {about['day']}: {about['machine']}, Python "
            f"{about['python']}, {versions}.",
            "```text\n" + done["printed"].strip("\n") + "\n```",
            *([EXPLAINED[name]] if name in EXPLAINED else []),
        ]
    return parts


def plots(results: Mapping[str, Any]) -> dict[str, Any]:
    """Figures by the name of their file."""
    curves = {name: done["series"] for name, done in results["benchmarks"].items()}
    figures = {}
    if growing := _growing(results):
        figures["speed-growth.svg"] = growth_figure(growing)
    if curves.get("path"):
        figures["speed-path.svg"] = path_figure(next(iter(curves["path"].values())))
    return figures


def growth_figure(series: Mapping[str, Curves]) -> Any:
    across = min(len(series), 3)
    down = -(-len(series) // across)
    figure, axes = _pyplot().subplots(down, across, figsize=(4.2 * across, 3.3 * down), squeeze=False)
    shades = _pyplot().get_cmap("tab20").colors
    for axis, (title, lines) in zip(axes.flat, series.items(), strict=False):
        for colour, (name, points) in zip(shades if len(lines) > 1 else COLOURS, lines.items(), strict=False):
            if not points:
                continue
            x, y = zip(*points, strict=True)
            axis.plot(x, y, marker="o", color=colour, label=name)
            axis.set_yscale("log")
            if max(x) / min(x) > 20:
                axis.set_xscale("log")
        if len(lines) > 1:
            axis.legend(fontsize=6)
        axis.set_title(title, fontsize=10)
        axis.set_ylabel("seconds", fontsize=9)
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(series) :]:
        axis.axis("off")
    figure.tight_layout()
    return figure


def path_figure(lines: Curves) -> Any:
    figure, axis = _pyplot().subplots(figsize=(9, 1.1 + 0.7 * len(lines)))
    shades = _pyplot().get_cmap("tab20").colors
    for row, (_, points) in enumerate(lines.items()):
        left = 0.0
        for place, share in points:
            axis.barh(row, share, left=left, color=shades[int(place)], label=ORDER[int(place)] if row == 0 else None)
            if share > 0.04:
                axis.text(
                    left + share / 2, row, f"{ORDER[int(place)]}\n{share:.0%}", ha="center", va="center", fontsize=7
                )
            left += share
    axis.set_yticks(range(len(lines)), list(lines))
    axis.invert_yaxis()
    axis.set_xlim(0, 1)
    axis.set_xlabel("share of the time")
    axis.legend(ncols=len(ORDER), fontsize=7, loc="upper center", bbox_to_anchor=(0.45, -0.35), frameon=False)
    figure.tight_layout()
    return figure


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "fairveil"  # the same picture gives the same file
    from matplotlib import pyplot

    return pyplot


def main() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGES.mkdir(exist_ok=True)
    (PAGES / "speed.md").write_text(page(results), encoding="utf-8")
    for name, figure in plots(results).items():
        figure.savefig(PAGES / name, metadata={"Date": None})
    print(f"{PAGES / 'speed.md'} is written")


if __name__ == "__main__":
    main()
