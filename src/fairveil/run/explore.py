"""explore: several methods on the same data, their candidates on one frontier.

Each method is searched and measured by itself; methods share the cores. What is done is kept in a folder, if one is
given, and not done again. A method that cannot serve the request does not stop the others: `notes` say why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from threading import Event, Lock
from typing import Any, Self

import numpy as np

from fairveil import measures as known_measures
from fairveil.counting import threads
from fairveil.counting.summary import Summary
from fairveil.data.schema import Schema
from fairveil.data.table import Missing, Table
from fairveil.errors import BadInput, Cancelled, Infeasible
from fairveil.frontier.candidates import Candidates, Frontier
from fairveil.guards import Guard
from fairveil.measures import Measure
from fairveil.methods.base import Method, Proposal
from fairveil.methods.task import Task
from fairveil.progress import Progress, Report
from fairveil.recipes import base as recipes
from fairveil.recipes.base import Recipe
from fairveil.release.alternatives import Alternatives
from fairveil.release.release import Release, publish

DEFAULT_MEASURES = ("k", "loss")
FORMAT = 3
"""Of what is remembered; anything older is searched again."""


@dataclass(frozen=True)
class Found:
    """What one method found: the candidates kept, their places among all of its own, and how many those were."""

    frontier: Frontier
    index: np.ndarray
    total: int


@dataclass(frozen=True)
class Comparison(Candidates):
    """The candidates of several methods side by side. `owner` and `place` say whose each is, and which of theirs.

    `number` is what a candidate is called: all that the methods found are counted from 1, method by method, whether or
    not they were kept for the comparison. `Plan.run(candidate=number)` publishes the same one. `total` is their number.
    """

    parts: tuple[Frontier, ...]
    owner: np.ndarray
    place: np.ndarray
    number: np.ndarray
    total: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Sequence[Found], notes: Sequence[str] = ()) -> Comparison:
        parts = tuple(one.frontier for one in found)
        owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        before = np.cumsum([0, *(one.total for one in found)])
        said = [f"{part.proposal.method.kind}: {note}" for part in parts for note in part.notes]
        return cls(
            parts,
            owner,
            place=np.concatenate([np.arange(len(part)) for part in parts]),
            number=np.concatenate([one.index + start + 1 for one, start in zip(found, before[:-1], strict=True)]),
            total=int(before[-1]),
            notes=(*notes, *said),
        )

    def __len__(self) -> int:
        return len(self.owner)

    @property
    def exhaustive(self) -> bool:
        return all(part.exhaustive for part in self.parts)

    @property
    def methods(self) -> list[str]:
        """The kind of the method behind each candidate."""
        return [self.parts[part].proposal.method.kind for part in self.owner]

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate; NaN where it says nothing about a method's candidates."""
        every = [part.values(measure) for part in self.parts]
        return np.array([every[part][place] for part, place in zip(self.owner, self.place, strict=True)], dtype=float)

    def baseline(self, names: Sequence[str]) -> dict[str, float]:
        """The same measures of the source itself (`Frontier.baseline`)."""
        return self.parts[0].baseline(names)

    def recipe(self, position: int) -> Recipe:
        return self.parts[self.owner[position]].recipe(int(self.place[position]))

    def release(self, position: int) -> Release:
        """Publish one candidate; its report can show all others beside it."""
        made = self.parts[self.owner[position]].release(int(self.place[position]))
        shown = {name: self.values(name) for name in ("loss", "average-risk", "highest-risk")}
        return replace(made, alternatives=Alternatives.of(shown, position, self.methods))

    def some(self, mask: np.ndarray) -> Self:
        return replace(self, owner=self.owner[mask], place=self.place[mask], number=self.number[mask])

    def position_of(self, number: int) -> int:
        """Where the candidate of a number is."""
        found = np.flatnonzero(self.number == number)
        if not len(found):
            left_out = 1 <= number <= self.total
            raise BadInput(
                f"candidate {number} was found, but left out of the comparison: ask for more"
                if left_out
                else f"no candidate {number}: there are 1 to {self.total}"
            )
        return int(found[0])

    def records(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The candidates as plain records: method, its settings, and the named measures."""
        columns = {name: self.values(name) for name in names}
        return [
            {
                "method": self.parts[part].proposal.method.to_dict(),
                **{name: float(values[i]) for name, values in columns.items()},
            }
            for i, part in enumerate(self.owner)
        ]


def explore(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard],
    methods: Sequence[Method],
    measures: Sequence[str] = DEFAULT_MEASURES,
    most: int | None = 30,
    keep: str | Path | None = None,
    missing: Missing = "category",
    seed: int = 0,
    progress: Report | None = None,
) -> Comparison:
    """Search with every method and put what they find side by side, measured alike.

    Of a method that finds more than `most` candidates those on its own frontier by `measures` that are cheap are kept,
    thinned out evenly if they are still too many; None keeps all. `keep` names a folder where finished methods are
    remembered. Where several methods are compared, none is believed: measures that a method takes by itself are taken
    as those of the others, classifiers on the same folds of the source. An interrupt (Ctrl-C) stops every method at
    its next sign of progress.
    """
    wanted = [known_measures.get(name) for name in measures]
    if not methods:
        raise BadInput("nothing to explore: name at least one method")
    if most is not None and most < 1:
        raise BadInput(f"most must be at least 1, not {most}")
    task = Task.of(Table.from_frame(table, missing=missing), schema, guards, seed)
    memory = _Memory(Path(keep), task, alone=len(methods) == 1) if keep is not None else None
    teller = _Teller(len(methods), progress)

    def work(number: int) -> Found | Infeasible | BadInput:
        steps = _Steps(teller, number, methods[number].kind, 1 + sum(map(_is_slow, wanted)))
        try:
            return _searched(
                replace(task, progress=Progress(steps)), methods[number], wanted, most, memory, steps, len(methods) > 1
            )
        except (Infeasible, BadInput) as problem:
            return problem
        finally:
            teller.done(number)

    with ThreadPoolExecutor(min(threads.count(), len(methods))) as pool:
        try:
            results = list(pool.map(work, range(len(methods))))
        except BaseException:
            teller.stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    parts = [result for result in results if isinstance(result, Found)]
    failed = [(m.kind, result) for m, result in zip(methods, results, strict=True) if not isinstance(result, Found)]
    notes = [f"{kind}: {problem}" for kind, problem in failed]
    if not parts and len(failed) == 1:
        raise failed[0][1]
    if not parts:
        raise Infeasible("no method found a release that keeps the guards: " + "; ".join(notes))
    return Comparison.of(parts, notes)


def _searched(
    task: Task, method: Method, wanted: Sequence[Measure], most: int | None, memory: _Memory | None, steps: _Steps,
    alike: bool,
) -> Found:  # fmt: skip
    remembered = memory.recall(task, method, wanted, most) if memory else None
    if remembered is not None:
        return remembered
    whole = Frontier(task, method.search(task))
    whole = whole.alike() if alike else whole
    kept = _fewer(whole, wanted, most)
    found = Found(kept, kept.index, len(whole))
    values = {measure.name: kept.values(measure) for measure in wanted if not _is_slow(measure)}
    for measure in filter(_is_slow, wanted):
        steps.next()
        values[measure.name] = kept.values(measure)
    # what is recoded from anything but the source itself cannot be made again from its recipe
    if memory and method.deterministic and whole.proposal.task is None:
        memory.keep(method, wanted, most, found, values)
    return found


def _is_slow(measure: Measure) -> bool:
    """Each candidate has to be published to take this measure."""
    return measure.cost != "summary"


def _fewer(found: Frontier, wanted: Sequence[Measure], most: int | None) -> Frontier:
    """At most `most` candidates: the method's own frontier by the cheap measures, evenly thinned out."""
    if most is None or len(found) <= most:
        return found
    cheap = [measure for measure in wanted if not _is_slow(measure)]
    front = found.pareto(*(cheap or DEFAULT_MEASURES))
    if len(front) <= most:
        return front
    order = np.argsort(front.values(cheap[0] if cheap else "loss"), kind="stable")
    chosen = np.zeros(len(front), dtype=bool)
    chosen[order[np.linspace(0, len(front) - 1, most).round().astype(int)]] = True
    return front.some(chosen)


def _reread(task: Task, method: Method, made: list[Recipe], held: dict[str, Any]) -> Frontier:
    """Remembered candidates: measures as they were taken, anything else from publishing them again."""

    def summary(full: bool) -> Summary:
        each = [publish(task.table, task.schema, task.guards, one, order="keep").summary for one in made]
        return Summary(**{f.name: np.concatenate([getattr(s, f.name) for s in each]) for f in fields(Summary)})

    found = Frontier(task, Proposal(method, made, summary, held["exhaustive"], tuple(held["notes"])))
    found.remember(
        {name: np.array([np.nan if v is None else v for v in column]) for name, column in held["values"].items()}
    )
    return found


class _Memory:
    """Finished methods in a folder: one JSON file each, named after all that the result depends on."""

    def __init__(self, folder: Path, task: Task, *, alone: bool) -> None:
        self.folder = folder
        asked = [task.schema.to_dict(), [guard.to_dict() for guard in task.guards], task.seed, alone]
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode())
        for column in task.table.columns:
            digest.update(column.name.encode() + np.ascontiguousarray(column.codes).tobytes())
            digest.update(repr(column.domain).encode())
        self.source = digest.hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadInput(f"{folder} cannot be written: {problem.strerror}") from None

    def _path(self, method: Method, wanted: Sequence[Measure], most: int | None) -> Path:
        asked = json.dumps([self.source, method.to_dict(), [m.name for m in wanted], most], sort_keys=True, default=str)
        return self.folder / f"{method.kind}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}.json"

    def recall(self, task: Task, method: Method, wanted: Sequence[Measure], most: int | None) -> Found | None:
        path = self._path(method, wanted, most)
        if not path.is_file():
            return None
        held = json.loads(path.read_text(encoding="utf-8"))
        if held.get("format") != FORMAT:
            return None
        made = [recipes.from_dict(one) for one in held["recipes"]]
        return Found(_reread(task, method, made, held), np.array(held["index"], dtype=np.int64), held["total"])

    def keep(
        self, method: Method, wanted: Sequence[Measure], most: int | None, found: Found, values: dict[str, np.ndarray]
    ) -> None:
        path = self._path(method, wanted, most)
        frontier = found.frontier
        content = {
            "format": FORMAT,
            "method": method.to_dict(),
            "index": found.index.tolist(),
            "total": found.total,
            "exhaustive": frontier.exhaustive,
            "notes": list(frontier.notes),
            "recipes": [frontier.recipe(i).to_dict() for i in range(len(frontier))],
            "values": {name: [None if np.isnan(v) else float(v) for v in column] for name, column in values.items()},
        }
        aside = path.with_suffix(".part")
        aside.write_text(json.dumps(content, default=str), encoding="utf-8")
        aside.replace(path)


class _Teller:
    """One progress out of many: the mean of all methods' shares, told one at a time; an answer of False stops all."""

    def __init__(self, total: int, progress: Report | None) -> None:
        self.shares, self.finished = np.zeros(total), 0
        self.progress, self.lock, self.stopped = progress, Lock(), Event()

    def tell(self, number: int, share: float, what: str) -> bool:
        with self.lock:
            self.shares[number] = max(self.shares[number], share)  # a method may count several times
            self._say(f"{self.finished} of {len(self.shares)} methods done; {what}")
        return not self.stopped.is_set()

    def done(self, number: int) -> None:
        with self.lock:
            self.shares[number] = 1.0
            self.finished += 1
            self._say(f"{self.finished} of {len(self.shares)} methods done")
        if self.stopped.is_set():
            raise Cancelled("cancelled while exploring")

    def _say(self, what: str) -> None:
        if self.progress is not None and self.progress(float(self.shares.mean()), what) is False:
            self.stopped.set()


class _Steps:
    """The progress of one method: its search, then each measure that takes long, count alike."""

    def __init__(self, teller: _Teller, number: int, kind: str, steps: int) -> None:
        self.teller, self.number, self.kind, self.steps, self.step = teller, number, kind, steps, 0

    def next(self) -> None:
        self.step += 1

    def __call__(self, share: float, what: str) -> bool:
        done = (self.step + min(share, 0.99)) / self.steps
        return self.teller.tell(self.number, done, f"{self.kind}: {what}")
