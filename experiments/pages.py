"""docs/results: a page per paper and a first page, made of the results that are committed and of nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from experiments import EXPERIMENTS, Sheet
from experiments.papers import Beside, Paper, Printed, beside, read
from experiments.results import PAGES, RESULTS, Results, load
from fairveil.cli.terminal import number
from fairveil.data.atomic import write_text

MADE = "<!-- Made by `make reproduce` from experiments/results: change nothing here by hand. -->"
NO_REASON = "No reason is given."
Placed = tuple[Sheet, Results]
"""A sheet, and the run that it is from."""


def write(pages: Path = PAGES, results: Path = RESULTS) -> None:
    """Every page anew."""
    pages.mkdir(parents=True, exist_ok=True)
    for name, text in made(results).items():
        write_text(text, pages / name)


def made(results: Path = RESULTS) -> dict[str, str]:
    """The text of every page, by file name."""
    pages, lines = {}, []
    for name in EXPERIMENTS:
        paper, sheets = read(name), _tables(name, results)
        if paper.printed or sheets:
            pages[f"{name}.md"] = _page(name, paper, sheets)
            lines.append(_summary(name, paper, sheets))
    return {"index.md": _first_page(lines), **pages}


def _tables(name: str, folder: Path) -> list[Placed]:
    """The sheets at the paper's size where they were run at it, then the quick ones that have no such."""
    runs = [run for size in ("full", "quick") if (run := load(name, size, folder)) is not None]
    chosen: list[Placed] = []
    for run in runs:
        shown = {what for sheet, _ in chosen for what in _known_by(sheet)}
        chosen += [(sheet, run) for sheet in run.sheets if not set(_known_by(sheet)) & shown]
    return chosen


def _known_by(sheet: Sheet) -> Sequence[str]:
    """A sheet of the paper is known by the tables it shows; one beyond it by its title up to the first comma."""
    return sheet.of or (sheet.title.split(",")[0],)


def _first_page(parts: Iterable[str]) -> str:
    return "\n".join([
        MADE, "", "# The papers' tables and figures, ours beside theirs", "",
        "Each line is a table or figure of a paper. *Within*: all its numbers and claims come out, up to the "
        "difference that the page names, which is never larger than the spread of the printed numbers; the page says "
        "which of them tell nothing, because one number would pass for all. *Outside*: those that do not, and why. "
        "What a paper has beside tables is in [From the papers to the code](../papers.md). `make reproduce` runs every "
        "experiment in its quick form and writes these pages; `fairveil reproduce NAME --full --keep` runs one at the "
        "paper's own size. A page shows the full run where there is one. Durations are by the clock, of a machine that "
        "had other work as well.", "", *parts,
    ]) + "\n"  # fmt: skip


def _summary(name: str, paper: Paper, sheets: Sequence[Placed]) -> str:
    lines = [
        f"## [{name}]({name}.md)",
        "",
        paper.cite,
        "",
        "| of the paper | verdict | run | why |",
        "|---|---|---|---|",
    ]
    for printed in paper.printed:
        placed = _shows(printed, sheets)
        compared = _beside(printed, placed)
        lines.append(_row([
            f"[{printed.name}]({name}.md#{_anchor(printed.name)})", _verdict(placed, compared),
            ", ".join(sorted({run.size for _, run in placed})) or "–", _why(printed, compared),
        ]))  # fmt: skip
    beyond = [sheet.title for sheet, _ in sheets if not sheet.of]
    if beyond:
        lines += ["", f"Beyond the paper: {'; '.join(_escaped(title) for title in beyond)}."]
    return "\n".join([*lines, ""])


def _verdict(placed: Sequence[Placed], compared: Sequence[Beside]) -> str:
    if not placed:
        return "nothing to run"
    seen = [line for line in compared if line.within is not None]
    if not seen:
        return "not run at this size" if compared else "nothing printed to compare with"
    outside = [line for line in seen if not line.within]
    missing = f"; {len(compared) - len(seen)} not run" if len(seen) < len(compared) else ""
    if outside:
        return f"outside: {len(outside)} of {len(seen)}{missing}"
    return f"within: {len(seen)} of {len(seen)}{missing}"


def verdicts(name: str, results: Path = RESULTS) -> dict[str, str]:
    """Return the verdict on every table and figure of a paper."""
    sheets = _tables(name, results)
    shown = [(printed, _shows(printed, sheets)) for printed in read(name).printed]
    return {printed.name: _verdict(placed, _beside(printed, placed)) for printed, placed in shown}


def _why(printed: Printed, compared: Sequence[Beside]) -> str:
    if printed.left_out:
        return printed.left_out
    outside = [line for line in compared if line.within is False]
    reasons = list(dict.fromkeys(line.reason or NO_REASON for line in outside))
    return " ".join(reasons)


def _page(name: str, paper: Paper, sheets: Sequence[Placed]) -> str:
    lines = [MADE, "", f"# {name}", "", f"{paper.cite}{f' <https://doi.org/{paper.doi}>' if paper.doi else ''}", ""]
    for run in {run.size: run for _, run in sheets}.values():
        lines += [_provenance(run), ""]
    if paper.readings:
        lines += ["## How the paper was read", "", *(f"- {reading}" for reading in paper.readings), ""]
    shown: set[str] = set()
    for printed in paper.printed:
        placed = _shows(printed, sheets)
        lines += _part(name, printed, placed, shown)
    for sheet, run in sheets:
        if not sheet.of:
            lines += [f"## {sheet.title}", "", *_sheet(name, sheet, run)]
    return "\n".join(lines).rstrip() + "\n"


def _provenance(run: Results) -> str:
    software = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    cores = f"{run.cores} core{'s' if run.cores > 1 else ''}"
    return (
        f"The {run.size} run: `{run.command}`, seed {run.seed}, {_duration(run.seconds)} in all on {cores}; {software}."
    )


def _part(name: str, printed: Printed, placed: Sequence[Placed], shown: set[str]) -> list[str]:
    """One table or figure of the paper: ours beside its numbers, then our sheets, unless they stand above already."""
    lines = [f"## {printed.name}", "", *([printed.about, ""] if printed.about else [])]
    if printed.left_out:
        lines += [f"Nothing to run: {printed.left_out}", ""]
    compared = _beside(printed, placed)
    if compared and placed:
        lines += [_row(["", "ours", "paper", "difference", "verdict"]), "|---|---|---|---|---|"]
        lines += [_row(_cells(line)) for line in compared]
        lines.append("")
        if printed.numbers:
            lines += [_tolerance(printed), ""]
        outside: dict[str, list[str]] = {}
        for line in compared:
            if line.within is False:
                outside.setdefault(line.reason or NO_REASON, []).append(_escaped(line.what))
        lines += [f"- {'; '.join(what)}: {reason}" for reason, what in outside.items()]
        lines += [""] if lines[-1] else []
    for sheet, run in placed:
        if sheet.title in shown:
            lines += [f"See “{sheet.title}” above.", ""]
        else:
            shown.add(sheet.title)
            lines += [f"**{_escaped(sheet.title)}**", "", *_sheet(name, sheet, run)]
    return lines


def _tolerance(printed: Printed) -> str:
    """What counts as the same, beside how much the numbers differ from each other, and what therefore tells nothing."""
    said = f"Within is a difference of at most {number(printed.within)}."
    if math.isfinite(printed.spread):
        said += f" The printed numbers spread by {number(round(printed.spread, 4))} around the mean of their column."
    silent = [_escaped(name or "all numbers") for name in printed.silent()]
    if silent:
        said += f" These tell nothing, because one number would be within for all of a kind: {'; '.join(silent)}."
    return said


def _sheet(name: str, sheet: Sheet, run: Results) -> list[str]:
    lines = []
    if sheet.rows:
        lines += [_row(sheet.columns), _row(["---"] * len(sheet.columns)), *map(_row, sheet.rows), ""]
    lines += [f"- {_escaped(note)}" for note in sheet.notes]
    made = f"{run.size} run, seed {run.seed}, {_duration(sheet.seconds)}"
    if sheet.not_bundled:
        made += f"; from data that is not bundled: {', '.join(sheet.not_bundled)}"
    lines += [f"- ({made})", ""]
    for picture in sheet.pictures:
        lines += [f"![{_escaped(sheet.title)}]({name}/{picture})", ""]
    return lines


def _shows(printed: Printed, sheets: Sequence[Placed]) -> list[Placed]:
    return [(sheet, run) for sheet, run in sheets if printed.name in sheet.of]


def _beside(printed: Printed, placed: Sequence[Placed]) -> list[Beside]:
    ours = {what: value for sheet, _ in placed for what, value in sheet.ours.items()}
    holds = {what: value for sheet, _ in placed for what, value in sheet.holds.items()}
    return beside(printed, ours, holds)


def _cells(line: Beside) -> list[str]:
    verdict = {None: "not run", True: "within", False: "outside"}[line.within]
    if isinstance(line.paper, str):
        ours = {None: "–", True: "holds", False: "does not hold"}[line.within]
        return [line.what, ours, line.paper, "", verdict]
    if line.ours is None:
        return [line.what, "–", number(line.paper), "", verdict]
    return [line.what, number(line.ours), number(line.paper), f"{line.ours - line.paper:+.4g}", verdict]


def _row(cells: Sequence[Any]) -> str:
    shown = (number(cell) if isinstance(cell, float) else str(cell) for cell in cells)
    return "| " + " | ".join(_escaped(cell) for cell in shown) + " |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _anchor(heading: str) -> str:
    return "".join(sign for sign in heading.lower().replace(" ", "-") if sign.isalnum() or sign == "-")
