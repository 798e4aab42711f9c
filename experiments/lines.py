"""Every part and claim of each paper, one line each, from `lines/NAME.toml`: where it is here, and what shows it.

`numbered` of a file lists what the paper numbers (tables, figures, definitions, examples, algorithms), as its captions
do; each must have a line. A line names the part, says what it is, where it is in src/fairveil (file:name), what shows
it, and why not. What shows it is a test, or "results": its sheet in docs/results, whose verdict is taken over, so that
nothing is said to be reproduced which is not. `results` lists parts that need no other words than those of their sheet.

>>> spread(["Table 1-3", "Figure A.31-A.32"])
['Table 1', 'Table 2', 'Table 3', 'Figure A.31', 'Figure A.32']
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments import EXPERIMENTS
from experiments.pages import verdicts
from experiments.papers import read as read_paper
from experiments.results import PAGES
from fairveil.data.atomic import write_text

LINES = Path(__file__).resolve().parent / "lines"
PAGE = PAGES.parent / "papers.md"
WITHOUT = ("differs", "not reproducible", "nothing to show")
"""What may stand in place of a test or sheet; a reason must follow."""


MADE = "<!-- Made by `make reproduce` from experiments/lines: change nothing here by hand. -->"
ABOUT = (
    "Every definition, algorithm, example, table, figure and printed claim of the five papers: where it is in "
    "`src/fairveil`, which test or [page](results/index.md) shows it, and whether it comes out. *Reproduced*: the test "
    "holds, or every number and claim of the sheet is within its tolerance. *Differs*: some are not, and the page says "
    "which and why."
)


@dataclass(frozen=True)
class Line:
    """One part or claim of a paper."""

    of: str
    what: str
    here: str
    shown: str
    why: str = ""


@dataclass(frozen=True)
class Lines:
    """All lines of a paper, what it numbers, and its symbols: sign, meaning, name here."""

    name: str
    numbered: tuple[str, ...]
    symbols: tuple[tuple[str, str, str], ...]
    lines: tuple[Line, ...]


def read(name: str) -> Lines:
    content = tomllib.loads((LINES / f"{name}.toml").read_text(encoding="utf-8"))
    about = {sheet.name: sheet.about for sheet in read_paper(name).printed}
    lines = [Line(*line) for line in content["lines"]]
    lines += [Line(of, about.get(of, ""), "", "results") for of in spread(content.get("results", ()))]
    symbols = tuple((sign, means, here) for sign, means, here in content["symbols"])
    return Lines(name, tuple(spread(content["numbered"])), symbols, tuple(lines))


def spread(ranges: Iterable[str]) -> list[str]:
    """Return every name of ranges like "Table 1-6"."""
    names = []
    for each in ranges:
        found = re.fullmatch(r"(.*?)(\d+)-(?:[A-Z0-9]+\.)?(\d+)", each)
        first, last = (int(found[2]), int(found[3])) if found else (0, 0)
        names += [f"{found[1]}{number}" for number in range(first, last + 1)] if found else [each]
    return names


def status(line: Line, verdicts: Mapping[str, str]) -> str:
    """Return "reproduced", "differs", …, by the verdicts on the sheets."""
    if line.shown in WITHOUT:
        return line.shown
    if line.shown != "results":
        return "reproduced"
    verdict = verdicts[line.of]
    return {"within": "reproduced", "outside": "differs"}.get(verdict.split(":")[0], verdict)


def page() -> str:
    """Return docs/papers.md."""
    texts = [MADE, "", "# From the papers to the code", "", "*Reference*", "", ABOUT, ""]
    for name in EXPERIMENTS:
        texts += _part(read(name))
    return "\n".join(texts).rstrip() + "\n"


def _part(paper: Lines) -> Iterator[str]:
    counts: dict[str, int] = {}
    judged = verdicts(paper.name)
    rows = []
    for line in paper.lines:
        said = status(line, judged)
        counts[said] = counts.get(said, 0) + 1
        rows.append(_row([line.of, line.what, _code(line.here), _shown(paper.name, line), said, line.why]))
    yield from (f"## {paper.name}", "", read_paper(paper.name).cite, "")
    yield ", ".join(f"{count} {said}" for said, count in counts.items()).capitalize() + "."
    yield from ("", "| symbol | meaning | here |", "|---|---|---|", *map(_row, paper.symbols), "")
    yield from ("| of the paper | what | in `src/fairveil` | shown by | status | why |", "|---|---|---|---|---|---|")
    yield from (*rows, "")


def _code(here: str) -> str:
    file, _, name = here.partition(":")
    return f"`{name}` ({file})" if here else ""


def _shown(name: str, line: Line) -> str:
    if line.shown == "results":
        anchor = re.sub(r"[^a-z0-9-]", "", line.of.lower().replace(" ", "-"))
        return f"[{line.of}](results/{name}.md#{anchor})"
    return "" if line.shown in WITHOUT else f"`{line.shown.rpartition('::')[2]}` ({line.shown.partition('::')[0]})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def write() -> None:
    write_text(page(), PAGE)
