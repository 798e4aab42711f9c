"""Reference directions: a publisher's walk through the efficient releases (Dewri et al., section 6).

Each step takes n preference points on the way from the current point to the aspirations, finds the best release for
each, and shows the distinct ones. Choose one to publish or to continue from, or change the aspirations.

>>> import fairveil as fv
>>> codes = fv.datasets.employee_codes()
>>> session = ReferenceDirection(
...     codes.table, codes.schema, guards=[fv.KAnonymity(2)], start={"necd": 1.0, "nwp": 0.2},
...     method=fv.Preferences({"necd": 0.1, "nwp": 0.1}, groups="full-domain"))
>>> [round(solution.point["nwp"], 2) for solution in session.step().solutions]
[0.07, 0.09]
>>> sorted(set(session.release(1).table.to_arrow()["emp"].to_pylist()))
['8152*', '8163*', '826**']
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairveil import guards as known_guards
from fairveil import measures, methods, shapes
from fairveil.choice.achievement import Aspirations
from fairveil.data.atomic import write_text
from fairveil.data.dialect import Missing
from fairveil.data.schema import Schema
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import source_of
from fairveil.errors import BadInput, suggest
from fairveil.guards import Guard
from fairveil.messages import literal, option
from fairveil.methods.preferences import Explorer, Preferences
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.progress import Progress, Report
from fairveil.recipes.change import Change
from fairveil.release.release import Release
from fairveil.shapes import choice, each, many, number, record, text, whole

FORMAT = 1
MOST_POINTS = 10_000


@dataclass(frozen=True, repr=False)
class EfficientSolution(Displayable):
    """One efficient release: its objectives, its effective k, and for which of the n preference points it is best."""

    point: dict[str, float]
    k: int
    cuts: str  # the genome, one character per bit
    reached_from: tuple[int, ...]
    groups: dict[str, int]  # the number of published groups of each column

    def _headline(self) -> str:
        return f"Solution: {', '.join(f'{name} {value:.4g}' for name, value in self.point.items())}, k {self.k}"


@dataclass(frozen=True, repr=False)
class Step(Displayable):
    """The result of one step: n preference points between `start` and `aspirations`, and the solutions for them.

    `pool` has the groupings worth keeping of all that this and earlier steps have evaluated: every further step
    chooses among them, too.
    """

    start: dict[str, float]
    aspirations: dict[str, float]
    points: int
    solutions: tuple[EfficientSolution, ...]
    pool: tuple[str, ...] = ()

    def _headline(self) -> str:
        return f"Step: {counted(len(self.solutions), 'solution')} for {counted(self.points, 'preference point')}"

    def _tables(self) -> list[DisplayTable]:
        rows = [[place, *s.point.values(), s.k] for place, s in enumerate(self.solutions)]
        return [DisplayTable(["solution", *self.aspirations, "k"], rows)]


class ReferenceDirection:
    """A session: `step()`, look at `.steps[-1].solutions`, `step(choose)`, …, and `release(choice)` in the end.

    `method` says what to search (`Preferences`); its aspirations are the first preference point. `start` is the
    initial point, by default the worst possible one. A step has `points` solutions. The session can be saved after
    any step and resumed with `ReferenceDirection.load(path, table)`, with the same results as without interruption.
    """

    def __init__(
        self,
        table: Any,
        schema: Schema,
        *,
        guards: Sequence[Guard],
        method: Preferences | None = None,
        start: Mapping[str, float] | None = None,
        points: int = 10,
        missing: Missing = "category",
        seed: int = 0,
        progress: Progress | Report | None = None,
    ) -> None:
        self.method = method or Preferences()
        self.points = _count(points)
        self.missing = missing
        self.task = Task.of(source_of(table, missing=missing), schema, guards, seed, progress)
        self.aspirations = self.method.wish()
        self.start = self._standing(start)
        self.explorer: Explorer = Explorer(self.task, self.method)
        self.steps: list[Step] = []

    @property
    def pool(self) -> Sequence[str]:
        """The pool of the last step; steps of an earlier version have only their solutions."""
        if self.steps and self.steps[-1].pool:
            return self.steps[-1].pool
        return sorted({solution.cuts for step in self.steps for solution in step.solutions})

    def _standing(self, start: Mapping[str, float] | None) -> dict[str, float]:
        """Return the point to start from, validated like any aspiration."""
        wish = self.aspirations
        if start is None:
            ends = {name: measures.get(name) for name in wish.names}
            worst = {name: float(measure.range[measure.better == "lower"]) for name, measure in ends.items()}
            endless = [name for name, value in worst.items() if not np.isfinite(value)]
            if endless:
                raise BadInput(f"measure {endless[0]!r} has no worst value to start from: give a start")
            return worst
        _same_names(start, wish.names, "start")
        return {name: float(Aspirations({name: start[name]}, wish.ideal).levels[name]) for name in wish.names}

    def step(
        self, choose: int | None = None, *, aspirations: Mapping[str, float] | None = None, points: int | None = None
    ) -> Step:
        """Find the solutions along the direction from the solution `choose` (or the start) to the aspirations.

        `aspirations` change the direction; `points` is the number of preference points on it.
        """
        if self.steps and choose is None:
            raise BadInput("say which solution to go on from")
        if choose is not None:
            self.start = dict(self.solution(choose).point)
        if aspirations is not None:
            _same_names(aspirations, self.aspirations.names, "aspirations")
            ordered = {name: float(aspirations[name]) for name in self.aspirations.names}
            self.aspirations = Aspirations(ordered, self.aspirations.ideal)
        self.points = self.points if points is None else _count(points)
        standing = np.array([self.start[name] for name in self.aspirations.names])
        earlier = self._places(self.pool)
        reached: dict[int, list[int]] = {}
        looked = [np.array(earlier, dtype=np.int64)]
        for m in range(1, self.points + 1):
            self.task.report((m - 1) / self.points, f"preference point {m} of {self.points}")
            wish = self.aspirations.toward(standing, m / self.points)
            place = self.explorer.solve(wish, self.task.seed + 1000 * len(self.steps) + m, [*earlier, *reached])
            reached.setdefault(place, []).append(m)
            looked += [self.explorer.evaluator.trail, np.array([place])]
        pool = self.explorer.pool(np.concatenate(looked))
        self.steps.append(
            Step(
                dict(self.start),
                dict(self.aspirations.levels),
                self.points,
                tuple(self._describe(place, numbers) for place, numbers in reached.items()),
                tuple(sorted(_cuts(genome) for genome in self.explorer.evaluator.genomes[pool])),
            )
        )
        return self.steps[-1]

    def _describe(self, place: int, numbers: Sequence[int]) -> EfficientSolution:
        evaluator, space = self.explorer.evaluator, self.explorer.space
        genome = evaluator.genomes[place]
        point = dict(zip(self.aspirations.names, map(float, evaluator.points[place]), strict=True))
        groups = {name: int(codes[-1]) + 1 for name, codes in space.groups(genome).items()}
        return EfficientSolution(point, int(evaluator.k[place]), _cuts(genome), tuple(numbers), groups)

    def _places(self, cuts: Sequence[str]) -> list[int]:
        if not cuts:
            return []
        genomes = np.array([[bit == "1" for bit in genome] for genome in cuts], dtype=bool)
        return self.explorer.evaluator.look(genomes).tolist()

    def solution(self, choice: int) -> EfficientSolution:
        """Return the solution `choice` of the last step, counted from 0."""
        if not self.steps:
            raise BadInput("there is no solution yet: take a step first")
        solutions = self.steps[-1].solutions
        if isinstance(choice, bool) or not isinstance(choice, int) or not 0 <= choice < len(solutions):
            raise BadInput(f"no solution {choice!r}: the last step has 0 to {len(solutions) - 1}")
        return solutions[choice]

    def release(self, choice: int) -> Release:
        """Publish the solution `choice` of the last step."""
        solution = self.solution(choice)
        genome = np.array([bit == "1" for bit in solution.cuts], dtype=bool)
        wishes = ", ".join(f"{name} {level:g}" for name, level in self.steps[-1].aspirations.items())
        notes = [f"chosen in step {len(self.steps)} of a reference direction toward {wishes}"]
        task = self.task
        recipe = self.explorer.space.recipe(genome)
        return Release(task.judge(Change(recipe)), task.guards, task.source, seed=task.seed, notes=tuple(notes))

    def save(self, path: str | Path) -> Path:
        """Save everything needed to resume, without the data, as JSON that only its owner can read."""
        content = {
            "format": FORMAT,
            "kind": "reference-direction",
            "table": self.task.source.fingerprint(),
            "schema": self.task.schema.to_dict(),
            "guards": [guard.to_dict() for guard in self.task.guards],
            "method": self.method.to_dict(),
            "seed": self.task.seed,
            "missing": self.missing,
            "points": self.points,
            "start": self.start,
            "aspirations": dict(self.aspirations.levels),
            "steps": [asdict(step) for step in self.steps],
        }
        target = Path(path)
        text = json.dumps(content, indent=2, ensure_ascii=False, default=str)
        write_text(text + "\n", target, private=True)
        return target

    @classmethod
    def load(cls, path: str | Path, table: Any, *, progress: Progress | Report | None = None) -> ReferenceDirection:
        """Resume a saved session, on the same table."""
        content = _read(Path(path))
        data = source_of(table, missing=content["missing"])
        if data.fingerprint() != content["table"]:
            raise BadInput(f"{path} was saved for another table: give the data it was started with")

        def session() -> ReferenceDirection:
            method = methods.from_dict(content["method"])
            if not isinstance(method, Preferences):
                raise BadInput(f"method {method.kind} has no reference directions")
            started = cls(
                data,
                Schema.from_dict(content["schema"]),
                guards=[known_guards.from_dict(spec) for spec in content["guards"]],
                method=method,
                start=content["start"],
                points=content["points"],
                missing=content["missing"],
                seed=content["seed"],
                progress=progress,
            )
            _same_names(content["aspirations"], started.aspirations.names, "aspirations")
            started.aspirations = Aspirations(content["aspirations"], started.aspirations.ideal)
            started.steps = [_step(spec, started) for spec in content["steps"]]
            return started

        try:
            taken_up: ReferenceDirection = shapes.made(session, "the session")
        except BadInput as problem:
            raise BadInput(f"{path}: {problem}") from None
        return taken_up


def _step(spec: Mapping[str, Any], session: ReferenceDirection) -> Step:
    names, bits = session.aspirations.names, session.explorer.space.bits
    for part in (spec["start"], spec["aspirations"], *(solution["point"] for solution in spec["solutions"])):
        _same_names(part, names, "a step")
    for solution in spec["solutions"]:
        _checked(solution["cuts"], bits)
    solutions = [
        EfficientSolution(**{**solution, "reached_from": tuple(solution["reached_from"])})
        for solution in spec["solutions"]
    ]
    pool = tuple(_checked(cuts, bits) for cuts in spec.get("pool", ()))
    return Step(spec["start"], spec["aspirations"], spec["points"], tuple(solutions), pool)


def _cuts(genome: np.ndarray) -> str:
    return "".join("01"[bit] for bit in genome.tolist())


def _checked(cuts: str, bits: int) -> str:
    if len(cuts) != bits or set(cuts) - set("01"):
        raise BadInput(f"the cuts of a solution must be {bits} bits, each 0 or 1")
    return cuts


_SOLUTION = record({
    "point": each(number()), "k": whole(0), "cuts": text, "reached_from": many(whole(1)), "groups": each(whole(1)),
})  # fmt: skip
_SHAPE = record({
    "format": whole(FORMAT, FORMAT), "kind": text, "table": text, "schema": record({}, more=True),
    "guards": many(record({}, more=True), 1), "method": record({}, more=True), "seed": whole(0, (1 << 63) - 1),
    "missing": choice("category", "drop"), "points": whole(1, MOST_POINTS), "start": each(number()),
    "aspirations": each(number()),
    "steps": many(record({"start": each(number()), "aspirations": each(number()), "points": whole(1, MOST_POINTS),
                          "solutions": many(_SOLUTION, 1)}, {"pool": many(text)})),
})  # fmt: skip


def _read(path: Path) -> dict[str, Any]:
    content = shapes.from_json(shapes.read_bytes(path, "session"), str(path))
    if not isinstance(content, dict) or content.get("kind") != "reference-direction":
        raise BadInput(f"{path} does not hold a saved reference direction")
    if content.get("format") != FORMAT:
        raise BadInput(f"{path} has format {shapes.shown(content.get('format'))}, and this version reads {FORMAT}")
    try:
        checked: dict[str, Any] = _SHAPE(content, "")
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    return checked


def _same_names(values: Mapping[str, float], names: Sequence[str], what: str) -> None:
    for name in values:
        if name not in names:
            raise BadInput(f"{suggest(name, names, 'objective')} ({what})")
    lost = [name for name in names if name not in values]
    if lost:
        raise BadInput(f"{what} lacks a value for {lost[0]!r}")


def _count(points: int) -> int:
    if isinstance(points, bool) or not isinstance(points, int) or not 1 <= points <= MOST_POINTS:
        raise BadInput(f"{option('points')} must be an integer from 1 to {MOST_POINTS}, not {literal(points)}")
    return points
