"""Candidates: the candidates of runs, stored by column, and each of them by its id.

An id joins the id of the run or walk and the candidate's number: "r1-15", "r2-2.15", "w1-2.3" (step 2, solution 3).
"r1-15*" was found by a search that has not ended, or never did: it keeps this number as long as it is not dominated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from fairveil.release.release import Release
from fairveil.studio.answers import Answer, number
from fairveil.studio.refusals import unknown
from fairveil.studio.sessions import OpenSession
from fairveil.studio.steering import need_solution, walk_release

T = TypeVar("T")
_ID = re.compile(r"([rw]\d+)-(\d+(?:\.\d+)?\*?)")
_KNOWN = ("candidate", "method", "settings", "false_values", "levels")


class CandidateColumns(Answer):
    """Candidates column by column. `id` names one everywhere ("r1-2.15"); `run` and `method` are indices of `runs` and
    `methods`. `levels` has a list per quasi column, null where the method has no levels. Measures by name.
    `false_values` has a word for each of `methods` ("averages", "noise"), empty where all that it publishes is true."""

    id: list[str]
    run: list[int]
    method: list[int]
    runs: list[str]
    methods: list[str]
    false_values: list[str]
    levels: dict[str, list[int | None]]
    heights: dict[str, int]
    measures: dict[str, list[float | None]]
    total: int


@dataclass
class RunCandidates:
    """The candidates of one run, in the order in which they were found.

    `false_values` has one word per method: why its published values may be false, or nothing.
    """

    number: list[str] = field(default_factory=list)
    method: list[int] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    false_values: list[str] = field(default_factory=list)
    levels: dict[str, list[int | None]] = field(default_factory=dict)
    measures: dict[str, list[float | None]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.number)

    def add(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records, as `Frontier.records` returns them; missing entries are null."""
        for record in records:
            size = len(self.number)
            if record["method"] not in self.methods:
                self.methods.append(record["method"])
                self.false_values.append(record["false_values"])
            self.method.append(self.methods.index(record["method"]))
            for name, level in record["levels"].items():
                self.levels.setdefault(name, [None] * size).append(level)
            for name, value in record.items():
                if name not in _KNOWN:
                    self.measures.setdefault(name, [None] * size).append(number(value))
            self.number.append(str(record["candidate"]))
            columns: list[list[Any]] = [*self.levels.values(), *self.measures.values()]
            for column in columns:
                if len(column) <= size:
                    column.append(None)

    def put(self, measure: str, values: Mapping[str, float]) -> None:
        """Store a further measure of some candidates, by number."""
        column = self.measures.setdefault(measure, [None] * len(self))
        for position, called in enumerate(self.number):
            if called in values:
                column[position] = number(values[called])

    def since(self, start: int) -> RunCandidates:
        return self._at(range(len(self))[start:])

    def where(self, kept: Callable[[str], bool]) -> RunCandidates:
        """Return those whose number is `kept`, as a copy."""
        return self._at([position for position, called in enumerate(self.number) if kept(called)])

    def _at(self, positions: Iterable[int]) -> RunCandidates:
        def at(column: list[T]) -> list[T]:
            return [column[position] for position in positions]

        return RunCandidates(
            at(self.number), at(self.method), [*self.methods], [*self.false_values],
            {name: at(column) for name, column in self.levels.items()},
            {name: at(column) for name, column in self.measures.items()},
        )  # fmt: skip


def columns_of(
    runs: Sequence[tuple[str, RunCandidates, Mapping[str, int]]], total: int | None = None
) -> CandidateColumns:
    """Return the candidates of several runs as one response; `runs` include the heights of their hierarchies."""
    false = {name: word for _, own, _ in runs for name, word in zip(own.methods, own.false_values, strict=True)}
    methods = list(false)
    heights: dict[str, int] = {}
    for _, _, own in runs:
        heights |= {name: max(height, heights.get(name, 0)) for name, height in own.items()}

    def joined(part: Literal["levels", "measures"]) -> dict[str, list[Any]]:
        columns: list[tuple[dict[str, list[Any]], int]] = [(getattr(own, part), len(own)) for _, own, _ in runs]
        names = dict.fromkeys(name for own, _ in columns for name in own)
        return {name: [value for own, size in columns for value in own.get(name) or [None] * size] for name in names}

    return CandidateColumns(
        id=[f"{run}-{called}" for run, candidates, _ in runs for called in candidates.number],
        run=[position for position, (_, candidates, _) in enumerate(runs) for _ in candidates.number],
        method=[methods.index(candidates.methods[m]) for _, candidates, _ in runs for m in candidates.method],
        runs=[run for run, _, _ in runs],
        methods=methods,
        false_values=list(false.values()),
        levels=joined("levels"),
        heights=heights,
        measures=joined("measures"),
        total=sum(len(candidates) for _, candidates, _ in runs) if total is None else total,
    )


def split_id(candidate: str) -> tuple[str, str]:
    """Return the id of the run or walk, and the candidate's number in it."""
    match = _ID.fullmatch(candidate)
    if match is None:
        raise unknown("candidate", candidate)
    return match[1], match[2]


def need_candidate(session: OpenSession, candidate: str) -> None:
    """Raise if the candidate does not exist."""
    owner, called = split_id(candidate)
    if owner in session.runs and owner in session.document["runs"]:
        if called in session.runs[owner].candidates.number:
            return
    elif owner in session.document["walks"]:
        need_solution(session, owner, called)
        return
    raise unknown("candidate", candidate)


def release_of(session: OpenSession, candidate: str) -> Release:
    """Return the release of a candidate, created on first use."""
    need_candidate(session, candidate)
    owner, called = split_id(candidate)

    def make() -> Release:
        run = session.runs.get(owner)
        return walk_release(session, owner, called) if run is None else run.release(called)

    release: Release = session.keep(("release", candidate), make)
    return release
