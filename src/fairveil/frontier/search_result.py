"""SearchResult: the candidates that one method found, and their measures, computed on first use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.data.numeric import significant
from fairveil.engines import Order
from fairveil.errors import BadInput
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task
from fairveil.published.judge import Judged, judge
from fairveil.recipes.change import Change
from fairveil.recipes.full_domain import FullDomain

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from fairveil.counting.summary import Summary
    from fairveil.measures import Measure
    from fairveil.release.release import Release

FIRST, CLOSE = 16, 1e-9
"""How many candidates are measured first to find the best one; the relative difference below which two may be equal."""

WORTH_CHOOSING = 1 << 22
"""Below this many pairs of a candidate and a cell, measuring all candidates is quicker than choosing some."""


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What one method proposed for the `requested` task.

    method_number  the method's position among the requested methods, from 1
    numbers        the number of each proposed candidate among all that the method found, from 1
    total          the number of candidates that the method found
    own_values     whether measures that the method computed itself are used: not if methods are compared
    interim        whether the method was still searching: its numbers end with *, since final ones may differ
    """

    requested: Task
    proposal: Proposal
    order: Order = "sorted"
    method_number: int = 1
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    total: int = 0
    own_values: bool = True
    interim: bool = False
    measured: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, task: Task, proposal: Proposal, order: Order = "sorted", **settings: Any) -> SearchResult:
        """Return the result of a search that proposed all candidates that it found, in the order of their numbers
        unless `settings` number them."""
        total = len(proposal.changes)
        return cls(task, proposal, order, **{"numbers": np.arange(1, total + 1), "total": total, **settings})

    @property
    def task(self) -> Task:
        """The task that the proposed changes belong to."""
        return self.proposal.task or self.requested

    @property
    def method(self) -> Method:
        return self.proposal.method

    @cached_property
    def private_notes(self) -> tuple[str, ...]:
        """Notes about the search that are for the owner only."""
        return (*self.proposal.private, *self.proposal.remarks())

    @cached_property
    def _summary(self) -> _lru_cache_wrapper[Summary]:
        return cache(self.proposal.summary)

    def values(self, measure: Measure, index: np.ndarray) -> np.ndarray:
        """Return one measure of the candidates at `index`, to twelve significant digits: equal on every processor.

        NaN where it does not apply.
        """
        if lacking := measure.lacks(self.task.schema):
            raise BadInput(lacking)
        if self.own_values and measure.name in self.proposal.values:
            return significant(self.proposal.values[measure.name][index])
        if measure.cost != "summary":
            self._measure_each(measure, index)
        elif measure.name not in self.measured:
            self.measured[measure.name] = measure.of(self._summary("full" in measure.needs))
        return significant(self.measured[measure.name][index])

    def best(self, measure: Measure, index: np.ndarray) -> int | None:
        """Return the position in `index` of the best candidate, which `measure.best` finds among all their values; None
        if all have to be measured for that.

        Candidates are measured in the order of what they would have if no row were suppressed, which is never worse,
        until all others would be worse than the best one so far.
        """
        whole, some, sizes = self.proposal.whole, self.proposal.some, self.proposal.sizes
        is_measured = measure.name in self.measured or (self.own_values and measure.name in self.proposal.values)
        if sizes is not None and measure.of_sizes and not is_measured and not self._summary.cache_info().currsize:
            self.measured[measure.name] = measure.of(sizes())
        if whole is None or some is None or not measure.whole_is_best or is_measured:
            return None
        if not len(index) or len(index) * len(self.task.cells) < WORTH_CHOOSING:
            return None
        bounds = significant(measure.loses(measure.of(whole())[index]))
        order, values = np.argsort(bounds, kind="stable"), np.full(len(index), np.nan)
        start, step = 0, FIRST
        while start < len(order):
            ahead = order[start : start + step]
            if start and bounds[ahead[0]] > np.nanmin(values) * (1 + CLOSE):
                break
            values[ahead] = measure.loses(measure.of(some(index[ahead])))
            start, step = start + step, step * 2
        return measure.best(measure.loses(values))

    def _measure_each(self, measure: Measure, index: np.ndarray) -> None:
        """Measure the candidates at `index` one by one, except those that have a value."""
        total = len(self.proposal.changes)
        column = self.measured.setdefault(measure.name, np.full(total, np.nan))
        for done, i in enumerate(index):
            if not np.isnan(column[i]):
                continue
            self.requested.report(done / len(index), f"measuring {measure.name}")
            judged = self.task.judge(self.proposal.changes[int(i)], measure.columns(self.task.schema))
            for name, value in self._measure_one(measure, judged).items():
                self.measured.setdefault(name, np.full(total, np.nan))[i] = value

    def _measure_one(self, measure: Measure, judged: Judged) -> Mapping[str, float]:
        """Return one measure of one candidate, and the measures that are computed together with it."""
        if measure.cost == "summary":
            return {measure.name: float(measure.of(judged.summary)[0])}
        if measure.of_published is not None and self.method.declares_domains:
            return {}  # it compares with the source: choosing by it would cost privacy that is not accounted for
        if measure.of_published is not None:
            order, published = self.requested.shuffled, self.publish(judged, order="keep").published
            if published.source_rows is not None:
                rank = np.argsort(order)[published.source_rows]
                turn = np.argsort(rank)
                from fairveil.published.published import in_memory

                tables = {name: table.take(turn) for name, table in published.tables.items()}
                published = replace(published, content=in_memory(tables), source_rows=rank[turn])
            return measure.of_published(published, self.requested.source_table.take(order))
        if measure.of_classes is None or judged.classes is None:  # no single table to measure
            return {}
        return {measure.name: measure.of_classes(judged.classes, judged.schema)}

    def baseline(self, names: Sequence[str | Measure]) -> dict[str, float]:
        """Return the same measures of the source, published unchanged; those that do not apply to it are omitted."""
        if self.method.declares_domains:
            return {}  # what they say of the source would depend on single records
        task = self.requested
        ordered = [measures.get(name) for name in names]
        unchanged = Change(FullDomain(task.schema, dict.fromkeys(task.schema.quasi, 0)))
        try:
            needed = [column for measure in ordered for column in measure.columns(task.schema)]
            known = (*task.schema.published, task.schema.household)
            also = [column for column in needed if column in known and column in task.source.names]
            judged = judge(task.source, task.schema, (), unchanged, also)
        except BadInput:  # a hierarchy is missing that not every method needs
            return {}
        source = SearchResult(task, Proposal(self.method, [unchanged], lambda full: judged.summary))
        values: dict[str, float] = {}
        for measure in ordered:
            if measure.name not in values:
                values |= source._measure_one(measure, judged)
        return {m.name: values[m.name] for m in ordered if m.name in values and np.isfinite(values[m.name])}

    def publish(self, judged: Judged, **settings: Any) -> Release:
        from fairveil.release.release import Release

        task, invented = self.task, judged.change.recipe.invents
        guards = tuple(guard for guard in task.guards if not guard.owners)
        judged = replace(judged, verdicts=tuple(verdict for verdict in judged.verdicts if not verdict.guard.owners))
        return Release(judged, guards, task.source, seed=task.seed, invented=invented, **settings)
