"""The papers' own numbers and claims, from `papers/NAME.toml`, and ours beside them.

>>> table = Printed("Table 1", "", 0.01, numbers={"accuracy": 0.79})
>>> [line] = beside(table, {"accuracy": 0.815}, {})
>>> line.within, round(line.ours - line.paper, 3)
(False, 0.025)
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Literal

from fairveil.errors import BadInput

PAPERS = Path(__file__).resolve().parent / "papers"


@dataclass(frozen=True)
class Printed:
    """A table or figure of a paper: what it prints, what is claimed of it, and why ours may differ.

    `within` is the difference that counts as the same. A reason is kept by the number or claim that it explains, or
    under "all". `left_out` says why the table needs no run, or cannot be run.
    """

    name: str
    about: str
    within: float = 0.0
    numbers: Mapping[str, float] = field(default_factory=dict)
    claims: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    left_out: str = ""
    series: Literal["first", "last"] = "first"
    """Whether numbers that share the first parts of their names are compared with each other, or the last part."""

    def reason(self, what: str) -> str:
        return self.reasons.get(what, self.reasons.get("all", ""))

    def columns(self) -> dict[str, list[float]]:
        """The printed numbers that are of one kind: what is behind a colon, or a row or column of the table."""
        columns: dict[str, list[float]] = {}
        for what, number in self.numbers.items():
            start, _, end = what.rpartition(": " if ": " in what else ", ")
            columns.setdefault(end if ": " in what or self.series == "last" else start, []).append(number)
        return columns

    @property
    def spread(self) -> float:
        """The standard deviation of the printed numbers from the mean of their column; no `within` may exceed it."""
        columns = [column for column in self.columns().values() if len(column) > 1]
        squares = [(number - fmean(column)) ** 2 for column in columns for number in column]
        return math.sqrt(fmean(squares)) if squares else math.inf

    def silent(self) -> list[str]:
        """The columns that tell nothing: one and the same number would be within the tolerance of all of them."""
        return [
            name
            for name, column in self.columns().items()
            if len(column) > 1 and max(column) - min(column) <= 2 * self.within + 1e-9
        ]


@dataclass(frozen=True)
class Paper:
    """What is said of one paper as a whole, and its tables and figures in their order."""

    cite: str
    doi: str
    readings: tuple[str, ...]
    """How what the paper leaves open was read, and how that reading was found."""
    printed: tuple[Printed, ...]


@dataclass(frozen=True)
class Beside:
    """A number or claim of the paper beside ours; None where there is nothing of ours."""

    what: str
    paper: float | str
    ours: float | bool | None
    within: bool | None
    reason: str


def read(name: str, folder: Path = PAPERS) -> Paper:
    """The file of one paper; an experiment without one compares with nothing."""
    path = folder / f"{name}.toml"
    if not path.is_file():
        return Paper("", "", (), ())
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        printed = tuple(Printed(**sheet) for sheet in content.get("sheet", ()))
    except TypeError as problem:
        raise BadInput(f"{path}: {problem}") from None
    return Paper(content["cite"], content["doi"], tuple(content.get("readings", ())), printed)


def beside(printed: Printed, ours: Mapping[str, float], holds: Mapping[str, bool]) -> list[Beside]:
    """Every number and claim of a table with ours; a number is within if it differs by no more than allowed."""
    lines = []
    for what, paper in printed.numbers.items():
        value = ours.get(what)
        within = None if value is None else abs(value - paper) <= printed.within + 1e-9
        lines.append(Beside(what, paper, value, within, "" if within else printed.reason(what)))
    for what, claim in printed.claims.items():
        true = holds.get(what)
        lines.append(Beside(what, claim, true, true, "" if true else printed.reason(what)))
    return lines
