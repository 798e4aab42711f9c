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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from fairveil import guards as known_guards
from fairveil import measures, methods, shapes
from fairveil.choice.achievement import Aspirations
from fairveil.data.atomic import write_text
from fairveil.data.schema import Schema
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import Order, source_of
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import counted, option
from fairveil.methods.preferences import Explorer, Preferences
from fairveil.methods.preferences.optimizer import best_index
from fairveil.methods.task import Task
from fairveil.recipes.change import Change
from fairveil.release.release import Release
from fairveil.settings import read, required
from fairveil.shapes import choice, each, integer, is_integer, many, number, record, text

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.guards import Guard
    from fairveil.methods.method import Method
    from fairveil.progress import Progress, Report

FORMAT = 1
_POINTS = integer(1, 10_000)


@dataclass(frozen=True, repr=False)
class EfficientSolution(Displayable):
    """One efficient release: its objectives, its effective k, and for which of the n preference points it is best."""

    point: dict[str, float]
    k: int = field(metadata=required(min=0))
    cuts: str  # the genome, one character per bit
    reached_from: tuple[int, ...] = field(metadata=required(min=1))
    groups: dict[str, int] = field(metadata=required("number of published groups of each column", min=1))

    def _headline(self) -> str:
        return f"Solution: {', '.join(f'{name} {value:.4g}' for name, value in self.point.items())}, k {self.k}"


def _solution(spec: Any, what: str) -> EfficientSolution:
    return EfficientSolution(**read(EfficientSolution, spec, what))


@dataclass(frozen=True, repr=False)
class Step(Displayable):
    """The result of one step: n preference points between `start` and `aspirations`, and the solutions for them.

    `pool` has the groupings worth keeping of all that this and earlier steps have evaluated: every further step
    chooses among them, too.
    """

    start: dict[str, float]
    aspirations: dict[str, float]
    points: int = field(metadata=required(shape=_POINTS))
    solutions: tuple[EfficientSolution, ...] = field(metadata=required(shape=many(_solution, 1)))
    pool: tuple[str, ...] = ()

    def _headline(self) -> str:
        return f"Step: {counted(len(self.solutions), 'solution')} for {counted(self.points, 'preference point')}"

    def _tables(self) -> list[DisplayTable]:
        rows = [[index, *s.point.values(), s.k] for index, s in enumerate(self.solutions)]
        return [DisplayTable(["solution", *self.aspirations, "k"], rows)]


class ReferenceDirection:
    """A session: `step()`, look at `.steps[-1].solutions`, `step(choose)`, …, and `release(choice)` in the end.

    `method` says what to search (`Preferences`); its aspirations are the first preference point. `start` is the
    initial point, by default the worst possible one. A step has `points` preference points, which share the method's
    evaluations. `order="keep"` publishes the rows in the order of the source instead of by their values. The session
    can be saved after any step and resumed with `ReferenceDirection.load(path, table)`, with the same results as
    without interruption.
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
        order: Order = "sorted",
        seed: int = 0,
        progress: Progress | Report | None = None,
    ) -> None:
        method = method or Preferences()
        method.need_packages()
        task = Task.of(source_of(table, missing=missing), schema, guards, seed, progress)
        self._begin(task, method, start, points, missing, order)

    @classmethod
    def of(
        cls,
        task: Task,
        method: Method,
        *,
        start: Mapping[str, float] | None = None,
        points: int = 10,
        missing: Missing = "category",
        order: Order = "sorted",
    ) -> ReferenceDirection:
        """Return a session for the `task` of a request, whose data was read with `missing`.

        `method`, `start`, `points` and `order` are as above.
        """
        session = cls.__new__(cls)
        session._begin(task, method, start, points, missing, order)
        return session

    def _begin(
        self, task: Task, method: Method, start: Mapping[str, float] | None, points: int, missing: Missing, order: Order
    ) -> None:
        if not method.walks:
            raise BadInput(f"method {method.kind} has no reference directions: use preferences")
        self.task, self.method = task, cast(Preferences, method)
        self.points: int = _POINTS(points, option("points"))
        self.missing, self.order = missing, order
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
        if start is not None:
            _same_names(start, wish.names, "start")
            return {name: float(Aspirations({name: start[name]}, wish.ideal).levels[name]) for name in wish.names}
        ends = {name: measures.get(name) for name in wish.names}
        worst = {name: float(measure.range[measure.better == "lower"]) for name, measure in ends.items()}
        endless = [name for name, value in worst.items() if not np.isfinite(value)]
        refuse([f"measure {name!r} has no worst value to start from: give a start" for name in endless])
        return worst

    def step(
        self, choose: int | None = None, *, aspirations: Mapping[str, float] | None = None, points: int | None = None
    ) -> Step:
        """Find the solutions along the direction from the solution `choose` (or the start) to the aspirations.

        `aspirations` change the direction; `points` is the number of preference points on it.
        """
        if self.steps and choose is None:
            raise BadInput("choose the solution to continue from")
        if choose is not None:
            self.start = dict(self.solution(choose).point)
        if aspirations is not None:
            _same_names(aspirations, self.aspirations.names, "aspirations")
            ordered = {name: float(aspirations[name]) for name in self.aspirations.names}
            self.aspirations = Aspirations(ordered, self.aspirations.ideal)
        self.points = self.points if points is None else _POINTS(points, option("points"))
        standing = np.array([self.start[name] for name in self.aspirations.names])
        earlier = self.explorer.evaluator.look(_genomes(self.pool)).tolist() if self.pool else []
        evaluated = [np.array(earlier, dtype=np.int64)]
        wishes = [self.aspirations.toward(standing, m / self.points) for m in range(1, self.points + 1)]
        known = dict.fromkeys(earlier)
        for m, wish in enumerate(wishes, start=1):
            self.task.report((m - 1) / self.points, f"preference point {m} of {self.points}")
            seed = self.task.seed + 1000 * len(self.steps) + m
            index = self.explorer.solve(wish, seed, list(known), self.points)
            known[index] = None
            evaluated += [self.explorer.evaluator.trail, np.array([index])]
        pool = self.explorer.pool(np.concatenate(evaluated))
        reached: dict[int, list[int]] = {}
        for m, wish in enumerate(wishes, start=1):  # what was found for one point may be the best for another
            reached.setdefault(best_index(self.explorer.evaluator, wish, pool), []).append(m)
        solutions = tuple(self._describe(index, numbers) for index, numbers in reached.items())
        kept = tuple(sorted(_cuts(genome) for genome in self.explorer.evaluator.genomes[pool]))
        self.steps.append(Step(dict(self.start), dict(self.aspirations.levels), self.points, solutions, kept))
        return self.steps[-1]

    def _describe(self, index: int, numbers: Sequence[int]) -> EfficientSolution:
        evaluator, space = self.explorer.evaluator, self.explorer.space
        genome = evaluator.genomes[index]
        point = dict(zip(self.aspirations.names, map(float, evaluator.points[index]), strict=True))
        groups = {name: int(codes[-1]) + 1 for name, codes in space.groups(genome).items()}
        return EfficientSolution(point, int(evaluator.k[index]), _cuts(genome), tuple(numbers), groups)

    def solution(self, choice: int) -> EfficientSolution:
        """Return the solution `choice` of the last step, counted from 0."""
        if not self.steps:
            raise BadInput("there is no solution yet: take a step first")
        solutions = self.steps[-1].solutions
        if not is_integer(choice) or not 0 <= choice < len(solutions):
            raise BadInput(f"no solution {choice!r}: the last step has 0 to {len(solutions) - 1}")
        return solutions[choice]

    def release(self, choice: int) -> Release:
        """Publish the solution `choice` of the last step."""
        solution = self.solution(choice)
        wishes = ", ".join(f"{name} {level:g}" for name, level in self.steps[-1].aspirations.items())
        note = f"chosen in step {len(self.steps)} of a reference direction toward {wishes}"
        recipe = self.explorer.space.recipe(_genomes([solution.cuts])[0])
        task, change = self.task, Change(recipe, **self.explorer.left_out)
        return Release(
            task.judge(change), task.guards, task.source, order=self.order, seed=task.seed, notes=(note,),
            private=task.private,
        )  # fmt: skip

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
            "order": self.order,
            "points": self.points,
            "start": self.start,
            "aspirations": dict(self.aspirations.levels),
            "steps": [asdict(step) for step in self.steps],
        }
        write_text(json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n", Path(path), private=True)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path, table: Any, *, progress: Progress | Report | None = None) -> ReferenceDirection:
        """Resume a saved session, on the same table."""
        content = shapes.from_json(shapes.read_bytes(Path(path), "session"), str(path))
        if not isinstance(content, dict) or content.get("kind") != "reference-direction":
            raise BadInput(f"{path} does not hold a saved reference direction")
        if content.get("format") != FORMAT:
            raise BadInput(f"{path} has format {shapes.shown(content.get('format'))}, and this version reads {FORMAT}")
        try:
            session: ReferenceDirection = shapes.made(lambda: cls._resumed(content, table, progress), "the session")
        except BadInput as problem:
            raise BadInput(f"{path}: {problem}") from None
        return session

    @classmethod
    def _resumed(cls, content: Any, table: Any, progress: Progress | Report | None) -> ReferenceDirection:
        content = _SHAPE(content, "")
        data = source_of(table, missing=content["missing"])
        if data.fingerprint() != content["table"]:
            raise BadInput("it was saved for another table: give the data it was started with")
        method = methods.from_dict(content["method"])
        method.need_packages()
        schema, guards = Schema.from_dict(content["schema"]), [known_guards.from_dict(s) for s in content["guards"]]
        task = Task.of(data, schema, guards, content["seed"], progress)
        settings = {name: content[name] for name in ("start", "points", "missing", "order") if name in content}
        session = cls.of(task, method, **settings)
        _same_names(content["aspirations"], session.aspirations.names, "aspirations")
        session.aspirations = Aspirations(content["aspirations"], session.aspirations.ideal)
        session.steps = [step_from(spec, session) for spec in content["steps"]]
        return session


def step_from(spec: Mapping[str, Any], session: ReferenceDirection) -> Step:
    """Return a saved step of a session, checked."""
    step = Step(**read(Step, spec, "a step"))
    for values in (step.start, step.aspirations, *(solution.point for solution in step.solutions)):
        _same_names(values, session.aspirations.names, "a step")
    bits = session.explorer.space.bits
    for cuts in (*step.pool, *(solution.cuts for solution in step.solutions)):
        if len(cuts) != bits or set(cuts) - set("01"):
            raise BadInput(f"the cuts of a solution must be {bits} bits, each 0 or 1")
    return step


def _cuts(genome: np.ndarray) -> str:
    return "".join("01"[bit] for bit in genome.tolist())


def _genomes(cuts: Sequence[str]) -> np.ndarray:
    return np.array([[bit == "1" for bit in genome] for genome in cuts], dtype=bool)


_SHAPE = record({
    "format": integer(FORMAT, FORMAT), "kind": text, "table": text, "schema": record({}, more=True),
    "guards": many(record({}, more=True), 1), "method": record({}, more=True), "seed": integer(0, (1 << 63) - 1),
    "missing": choice("category", "drop"), "points": _POINTS, "start": each(number()), "aspirations": each(number()),
    "steps": many(record({}, more=True)),
}, {"order": choice("sorted", "keep")})  # fmt: skip


def _same_names(values: Mapping[str, float], names: Sequence[str], what: str) -> None:
    problems = [f"{suggest(name, names, 'objective')} ({what})" for name in values if name not in names]
    refuse(problems + [f"{what} lacks a value for {name!r}" for name in names if name not in values])
