"""Candidates side by side, and the ways to choose one: `Frontier` holds those of one method.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)])
>>> release = frontier.best("loss")
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
from fairveil.data.pseudonyms import key_for
from fairveil.display import MOST, Displayable, DisplayTable
from fairveil.engines import Order
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.measures import Measure
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.published.judge import Judged, judge
from fairveil.published.published import held
from fairveil.recipes.change import Change
from fairveil.recipes.full_domain import FullDomain
from fairveil.recipes.recipe import Recipe
from fairveil.release.alternatives import Alternatives
from fairveil.release.release import Release

Number = int | str
"""What a candidate is called: its place among all that its method found, from 1; with several methods the method's
place before it, as in "2.15". So a number stays the same whatever other methods find."""


class Candidates(Displayable):
    """Ways to choose among candidates, whoever proposed them: all need only their measures and how to publish one."""

    def _headline(self) -> str:
        methods = dict.fromkeys(self.label(i) for i in range(min(len(self), MOST)))
        return f"{type(self).__name__}: {counted(len(self), 'candidate')} of {', '.join(methods) or 'no method'}"

    def _tables(self) -> list[DisplayTable]:
        names = ["loss", "entropy", "k", "average-risk"]
        charged = "entropy" if any(self.method(i).false_values for i in range(min(len(self), MOST))) else "loss"
        best_first = np.argsort(measures.get(charged).loses(self.values(charged)), kind="stable")
        records = self.records(names, best_first[:MOST])
        levels = list(dict.fromkeys(name for record in records for name in record["levels"]))
        head = ["candidate", "method", *(f"level of {name}" for name in levels), *names]
        rows = [
            [r["candidate"], f"{r['method']}, {r['false_values']}" if r["false_values"] else r["method"],
             *(r["levels"].get(name, "–") for name in levels), *(r[name] for name in names)]
            for r in records
        ]  # fmt: skip
        return [DisplayTable(head, rows, len(self), f"the best by {charged} first")]

    def __len__(self) -> int:
        raise NotImplementedError

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate, in order."""
        raise NotImplementedError

    def release(self, position: int) -> Release:
        """Publish one candidate."""
        raise NotImplementedError

    def change(self, position: int) -> Change:
        """What one candidate does to the source."""
        raise NotImplementedError

    def judged(self, position: int, guards: Sequence[Guard] | None = None) -> Judged:
        """What one candidate would publish, and how its guards, or others, judge it."""
        raise NotImplementedError

    def number(self, position: int) -> Number:
        """What one candidate is called."""
        raise NotImplementedError

    def label(self, position: int) -> str:
        """The method of one candidate, with the settings by which it differs from others."""
        raise NotImplementedError

    def method(self, position: int) -> Method:
        """The method that found one candidate."""
        raise NotImplementedError

    def some(self, mask: np.ndarray) -> Self:
        """Only the candidates where `mask` holds."""
        raise NotImplementedError

    def recipe(self, position: int) -> Recipe:
        return self.change(position).recipe

    def levels(self, position: int) -> dict[str, int]:
        """The level of each quasi column, where the candidate has levels."""
        recipe = self.recipe(position)
        levels = {name: recipe.level_of(name) for name in recipe.schema.quasi}
        return {name: level for name, level in levels.items() if level is not None}

    def records(
        self, names: Sequence[str], positions: Sequence[int] | np.ndarray | None = None
    ) -> list[dict[str, Any]]:
        """The candidates, or some of them, as plain data: all that anybody is shown of them.

        candidate (its number), method, its settings, a word for why its values may be false, levels where it has them,
        and the named measures.
        """
        columns = {name: self.values(name) for name in names}
        return [
            {
                "candidate": self.number(i),
                "method": self.label(i),
                "settings": self.method(i).to_dict(),
                "false_values": self.method(i).false_values,
                "levels": self.levels(i),
                **{name: float(values[i]) for name, values in columns.items()},
            }
            for i in (range(len(self)) if positions is None else map(int, positions))
        ]

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
        """The best compromise: beyond it, a gain in one measure costs much in the others (see `choice/pareto.py`)."""
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
        keeps = [all(self.release(i).published.verdicts(guards)) for i in range(len(self))]
        return self.some(np.array(keeps, dtype=bool))

    def points(self, names: Sequence[str | Measure]) -> np.ndarray:
        """A row per candidate, a column per measure, turned so that lower is better; no value is the worst one."""
        columns = [measures.get(name).loses(self.values(name)) for name in names]
        return np.nan_to_num(np.column_stack(columns), nan=np.inf, posinf=np.inf, neginf=-np.inf)

    def alternatives(self, position: int) -> Alternatives | None:
        """What the report shows of the other candidates."""
        decided = ["cm"] if self.recipe(position).schema.decision else []
        values = {name: self.values(name) for name in ("loss", "average-risk", *decided, "highest-risk")}
        kinds = [self.method(i).kind for i in range(len(self))]
        return Alternatives.of(values, position, kinds if len(set(kinds)) > 1 else ())


class Frontier(Candidates):
    """The candidates of one proposal, or some of them. Measures are computed when first asked for."""

    def __init__(
        self, task: Task, proposal: Proposal, index: np.ndarray | None = None, order: Order = "sorted"
    ) -> None:
        self.asked, self.task, self.proposal, self.order = task, proposal.task or task, proposal, order
        self.own = proposal.values
        self.index = np.arange(len(proposal.changes)) if index is None else index
        self._values: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.index)

    def _headline(self) -> str:
        return f"{super()._headline()} ({'all there are' if self.exhaustive else 'there may be more'})"

    @property
    def exhaustive(self) -> bool:
        return self.proposal.exhaustive

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What there is to know about the search; only those of `proposal.notes` are published."""
        return (*self.proposal.notes, *self._private)

    @cached_property
    def _private(self) -> tuple[str, ...]:
        return (*self.proposal.private, *self.proposal.remarks())

    @cached_property
    def _plain(self) -> Summary:
        return self.proposal.summary(False)

    @cached_property
    def _full(self) -> Summary:
        return self.proposal.summary(True)

    def change(self, position: int) -> Change:
        return self.proposal.changes[int(self.index[position])]

    def number(self, position: int) -> Number:
        return int(self.index[position]) + 1

    def label(self, position: int) -> str:
        return self.proposal.method.kind

    def method(self, position: int) -> Method:
        return self.proposal.method

    def levels(self, position: int) -> dict[str, int]:
        if self.proposal.nodes is None:
            return super().levels(position)
        return dict(zip(self.task.levels, map(int, self.proposal.nodes[self.index[position]]), strict=True))

    def position_of(self, number: Number) -> int:
        """Where the candidate of a number is."""
        places = np.flatnonzero(self.index == _whole(number) - 1)
        if not len(places):
            raise BadInput(f"no candidate {number}: there are 1 to {len(self.proposal.changes)}")
        return int(places[0])

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate, in order."""
        resolved = measures.get(measure)
        if "decision" in resolved.needs and self.task.schema.decision is None:
            raise BadInput(f"measure {resolved.name!r} needs a decision column, and the schema names none")
        if resolved.name in self.own:
            return self.own[resolved.name][self.index]
        if resolved.cost != "summary":
            return self._one_by_one(resolved)
        if resolved.name not in self._values:
            self._values[resolved.name] = resolved.of(self._full if "full" in resolved.needs else self._plain)
        return self._values[resolved.name][self.index]

    def _one_by_one(self, measure: Measure) -> np.ndarray:
        """Look at each of these candidates by itself; what was measured before is not done again."""
        total = len(self.proposal.changes)
        column = self._values.setdefault(measure.name, np.full(total, np.nan))
        for done, i in enumerate(self.index):
            if not np.isnan(column[i]):
                continue
            self.asked.report(done / len(self.index), f"measuring {measure.name}")
            judged = self.task.judge(self.proposal.changes[int(i)])
            for name, value in self._measured(measure, judged).items():
                self._values.setdefault(name, np.full(total, np.nan))[i] = value
        return column[self.index]

    def _measured(self, measure: Measure, judged: Judged) -> Mapping[str, float]:
        """One measure of one candidate, and whatever comes with it."""
        if measure.cost == "summary":
            return {measure.name: float(measure.of(judged.summary)[0])}
        if measure.of_published is not None and self.proposal.method.declares_domains:
            return {}  # it compares with the source, and a choice by it would cost privacy that nobody has paid for
        if measure.of_published is not None:
            order, published = self.asked.shuffled, self._release(judged, order="keep").published
            if published.source_rows is not None:
                place = np.argsort(order)[published.source_rows]
                turn = np.argsort(place)
                tables = {name: table.take(turn) for name, table in published.tables.items()}
                published = replace(published, content=held(tables), source_rows=place[turn])
            return measure.of_published(published, self.asked.source_table.take(order))
        if measure.of_classes is None or judged.classes is None:  # there is no one table to measure
            return {}
        return {measure.name: measure.of_classes(judged.classes, self.task.schema)}

    def baseline(self, names: Sequence[str | Measure]) -> dict[str, float]:
        """The same measures of the source itself, published as it is: what candidates are to be compared with.

        What cannot be said of it is left out.
        """
        task = self.asked
        untouched = Change(FullDomain(task.schema, dict.fromkeys(task.schema.quasi, 0)))
        try:
            judged = judge(task.source, task.schema, (), untouched)
        except BadInput:  # a hierarchy that not every method needs
            return {}
        values: dict[str, float] = {}
        frontier = Frontier(task, Proposal(self.proposal.method, [untouched], lambda full: judged.summary))
        for measure in map(measures.get, names):
            if measure.name not in values:
                values |= frontier._measured(measure, judged)
        ordered = [measure.name for measure in map(measures.get, names)]
        return {name: values[name] for name in ordered if name in values and np.isfinite(values[name])}

    def alike(self) -> Self:
        """The same candidates without the method's own figures: measured like those of any other method."""
        same = self.some(np.ones(len(self), dtype=bool))
        same.own = {}
        return same

    def judged(self, position: int, guards: Sequence[Guard] | None = None) -> Judged:
        if guards is None:
            return self.task.judge(self.change(position))
        return judge(self.task.source, self.task.schema, guards, self.change(position))

    def release(self, position: int) -> Release:
        """Publish one candidate."""
        for name in self.recipe(position).schema.pseudonyms:
            key_for(name)
        private = [f"hierarchy of {name!r}: {note}" for name, bound in self.task.levels.items() for note in bound.notes]
        claimed = self.proposal.values.items()
        notes = [
            f"{name} {values[self.index[position]]:.3f}, as the method itself measured it" for name, values in claimed
        ]
        return self._release(
            self.judged(position),
            order=self.order,
            notes=(*self.proposal.notes, *notes),
            private=(*self.asked.private, *self._private, *private),
            alternatives=self.alternatives(position),
        )

    def _release(self, judged: Judged, **settings: Any) -> Release:
        task, invented = self.task, judged.change.recipe.invents
        return Release(judged, task.guards, task.source, seed=task.seed, invented=invented, **settings)

    def minimal(self) -> Frontier:
        """The minimal border: candidates with no other candidate below them in the lattice."""
        return self.some(minimal(self.nodes))

    @property
    def nodes(self) -> np.ndarray:
        """Levels per candidate and quasi column, for methods that generalize whole domains."""
        if self.proposal.nodes is None:
            raise BadInput(f"the candidates of {self.proposal.method.kind} are not nodes of a lattice")
        return self.proposal.nodes[self.index]

    def remember(self, values: Mapping[str, np.ndarray]) -> None:
        """Take `values` of measures of all candidates as they were found before."""
        self._values.update(values)

    def some(self, mask: np.ndarray) -> Self:
        fewer = type(self)(self.asked, self.proposal, self.index[mask], self.order)
        fewer._values, fewer.own = self._values, self.own
        return fewer


def _whole(number: Number) -> int:
    try:
        return int(number)
    except ValueError:
        raise BadInput(f"no candidate {number!r}: one method's candidates are called 1, 2, 3, …") from None
