"""Frontier: candidate releases side by side, and the ways to choose one.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> found = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)])
>>> release = found.best("loss")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from fairveil import measures
from fairveil.choice.achievement import Aspirations
from fairveil.choice.pareto import knee, pareto
from fairveil.counting.lattice import minimal
from fairveil.counting.summary import Summary
from fairveil.errors import BadInput
from fairveil.frontier.look import Look
from fairveil.guards import Guard, Verdict
from fairveil.guards.projections import Projections
from fairveil.measures import Measure
from fairveil.methods.base import Proposal
from fairveil.methods.full_domain import NodeRecipes
from fairveil.methods.task import Task
from fairveil.recipes.base import FullDomain, Recipe, classes_of
from fairveil.release.alternatives import Alternatives
from fairveil.release.release import Order, Release, publish


class Candidates:
    """Ways to choose among candidates, whoever proposed them: all need only their measures and how to publish one."""

    def __len__(self) -> int:
        raise NotImplementedError

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate, in order."""
        raise NotImplementedError

    def release(self, position: int) -> Release:
        """Publish one candidate."""
        raise NotImplementedError

    def some(self, mask: np.ndarray) -> Self:
        """Only the candidates where `mask` holds."""
        raise NotImplementedError

    def best(self, measure: str | Measure) -> Release:
        """Publish the candidate that is best by one measure; of several equal ones the first."""
        return self.release(self.best_position(measure))

    def best_position(self, measure: str | Measure) -> int:
        return measures.get(measure).best(self.values(measure))

    def nearest(self, aspirations: Mapping[str, float], *, ideal: Mapping[str, float] | None = None) -> Release:
        """Publish the candidate that best meets what is wished for each measure (see `choice/achievement.py`)."""
        return self.release(self.nearest_position(aspirations, ideal=ideal))

    def nearest_position(self, aspirations: Mapping[str, float], *, ideal: Mapping[str, float] | None = None) -> int:
        wish = Aspirations(aspirations, ideal or {})
        return wish.choose(np.column_stack([self.values(name) for name in wish.names]), self.values("k"))

    def knee(self, *names: str | Measure) -> int:
        """The candidate where giving way in one measure stops paying in the others (see `choice/pareto.py`)."""
        if len(names) < 2:
            raise BadInput("a knee needs at least two measures")
        return knee(self.points(names))

    def pareto(self, *names: str | Measure) -> Self:
        """The candidates that no other beats in all of these measures."""
        if not names:
            raise BadInput("pareto needs at least one measure")
        return self.some(pareto(self.points(names)))

    def keeping(self, *guards: Guard) -> Self:
        """The candidates whose release keeps these guards as well; each is published to see."""
        return self.some(np.array([all(self._verdicts(i, guards)) for i in range(len(self))], dtype=bool))

    def _verdicts(self, position: int, guards: Sequence[Guard]) -> list[Verdict]:
        release = self.release(position)
        if release.outcome.parts is not None:
            return list(Projections.published(release.outcome.parts, release.schema).check(guards))
        classes, _ = classes_of(release.table, release.schema)
        return [guard.verdict(classes, release.schema) for guard in guards]

    def points(self, names: Sequence[str | Measure]) -> np.ndarray:
        """A row per candidate, a column per measure, turned so that lower is better; no value is the worst one."""
        columns = [measures.get(name).loses(self.values(name)) for name in names]
        return np.nan_to_num(np.column_stack(columns), nan=np.inf, posinf=np.inf, neginf=-np.inf)


class Frontier(Candidates):
    """The candidates of one proposal, or some of them. Measures are computed when first asked for."""

    def __init__(
        self, task: Task, proposal: Proposal, index: np.ndarray | None = None, order: Order = "sorted"
    ) -> None:
        self.asked, self.task, self.proposal, self.order = task, proposal.task or task, proposal, order
        self.own = proposal.values
        self.index = np.arange(len(proposal.recipes)) if index is None else index
        self._values: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        kind = "all there are" if self.exhaustive else "there may be more"
        return f"<Frontier: {len(self):,} candidates of {self.proposal.method.kind} ({kind})>"

    @property
    def exhaustive(self) -> bool:
        return self.proposal.exhaustive

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return (*self.proposal.notes, *self.proposal.remarks())

    @cached_property
    def _plain(self) -> Summary:
        return self.proposal.summary(False)

    @cached_property
    def _full(self) -> Summary:
        return self.proposal.summary(True)

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate, in order."""
        known = measures.get(measure)
        if "decision" in known.needs and self.task.schema.decision is None:
            raise BadInput(f"measure {known.name!r} needs a decision column, and the schema names none")
        if known.name in self.own:
            return self.own[known.name][self.index]
        if known.cost != "summary":
            return self._one_by_one(known)
        if known.name not in self._values:
            self._values[known.name] = known.of(self._full if "full" in known.needs else self._plain)
        return self._values[known.name][self.index]

    def _one_by_one(self, known: Measure) -> np.ndarray:
        """Publish each of these candidates and measure it; what was measured before is not done again."""
        task, total = self.task, len(self.proposal.recipes)
        held = self._values.setdefault(known.name, np.full(total, np.nan))
        for done, i in enumerate(self.index):
            if not np.isnan(held[i]):
                continue
            task.report(done / len(self.index), f"measuring {known.name}")
            recipe = self.proposal.recipes[int(i)]
            release = publish(task.table, task.schema, task.guards, recipe, order="keep", seed=task.seed)
            for name, value in self._measured(known, release).items():
                self._values.setdefault(name, np.full(total, np.nan))[i] = value
        return held[self.index]

    def _measured(self, known: Measure, release: Release) -> Mapping[str, float]:
        """One measure of one release, and whatever comes with it."""
        if known.of_published is not None:
            return known.of_published(Look(release, self.asked.table), self.asked.table)
        if known.of_classes is None or release.outcome.parts is not None:  # there is no one table to measure
            return {}
        return {known.name: known.of_classes(classes_of(release.table, self.task.schema)[0], self.task.schema)}

    def baseline(self, names: Sequence[str | Measure]) -> dict[str, float]:
        """The same measures of the source itself, published as it is: what candidates are to be compared with.

        What cannot be said of it is left out.
        """
        task = self.asked
        untouched = FullDomain(task.schema, dict.fromkeys(task.schema.quasi, 0))
        try:
            made = publish(task.table, task.schema, (), untouched, order="keep", seed=task.seed)
        except BadInput:  # a hierarchy that not every method needs
            return {}
        found: dict[str, float] = {}
        for known in map(measures.get, names):
            if known.name not in found:
                one_by_one = known.cost != "summary"
                found |= self._measured(known, made) if one_by_one else {known.name: float(known.of(made.summary)[0])}
        return {known.name: found[known.name] for known in map(measures.get, names) if np.isfinite(found[known.name])}

    def alike(self) -> Self:
        """The same candidates without what the method itself says of them: measured as those of any other method."""
        same = self.some(np.ones(len(self), dtype=bool))
        same.own = {}
        return same

    def recipe(self, position: int) -> Recipe:
        return self.proposal.recipes[int(self.index[position])]

    def release(self, position: int) -> Release:
        """Publish one candidate."""
        task = self.task
        notes = [note for levels in task.levels.items() for note in _level_notes(*levels)]
        own = self.proposal.values.items()
        notes += [f"{name} {values[self.index[position]]:.4f}, as the method took it" for name, values in own]
        made = publish(
            task.table, task.schema, task.guards, self.recipe(position),
            order=self.order, seed=task.seed, notes=[*self.notes, *notes],
        )  # fmt: skip
        return replace(made, alternatives=self.alternatives(position))

    def alternatives(self, position: int) -> Alternatives | None:
        """What the report shows of the other candidates."""
        names = ["loss", "average-risk", *(["cm"] if self.task.schema.decision else []), "highest-risk"]
        return Alternatives.of({name: self.values(name) for name in names}, position)

    def minimal(self) -> Frontier:
        """The minimal border: candidates with no other candidate below them in the lattice."""
        return self.some(minimal(self.nodes))

    @property
    def nodes(self) -> np.ndarray:
        """Levels per candidate and quasi column, for methods that generalize whole domains."""
        recipes = self.proposal.recipes
        if not isinstance(recipes, NodeRecipes):
            raise BadInput(f"the candidates of {self.proposal.method.kind} are not nodes of a lattice")
        return recipes.nodes[self.index]

    def records(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The candidates as plain records: levels, where the method has them, and the named measures."""
        values = {name: self.values(name) for name in names}
        measured = [{name: float(v[i]) for name, v in values.items()} for i in range(len(self))]
        if not isinstance(self.proposal.recipes, NodeRecipes):
            return measured
        levels = [dict(zip(self.task.levels, map(int, node), strict=True)) for node in self.nodes]
        return [{"levels": node, **record} for node, record in zip(levels, measured, strict=True)]

    def remember(self, values: Mapping[str, np.ndarray]) -> None:
        """Take measures of all candidates as they were found before."""
        self._values.update(values)

    def some(self, mask: np.ndarray) -> Self:
        fewer = type(self)(self.asked, self.proposal, self.index[mask], self.order)
        fewer._values, fewer.own = self._values, self.own
        return fewer


def side_by_side(found: Sequence[Frontier], frontier: Frontier, position: int) -> Alternatives | None:
    """What the report shows of the candidates of several methods; the chosen one is at a position of `frontier`."""
    decided = ["cm"] if frontier.asked.schema.decision else []
    names = ("loss", "average-risk", *decided, "highest-risk")
    values = {name: np.concatenate([one.values(name) for one in found]) for name in names}
    before = next(place for place, one in enumerate(found) if one is frontier)
    owners = [one.proposal.method.kind for one in found for _ in range(len(one))]
    return Alternatives.of(values, sum(map(len, found[:before])) + position, owners)


def _level_notes(name: str, levels: Any) -> list[str]:
    return [f"hierarchy of {name!r}: {note}" for note in levels.notes]
