"""Fair-MDAV (González-Zelaya et al. 2023, Algorithm 1): MakeFairlets, Microaggregate, CorrectFairness.

>>> import fairveil as fv
>>> seven = fv.datasets.fairlet_sample()
>>> method = fv.FairMDAV(size=3, composition=(1, 2), tau=1.0, leftovers="drop-last")
>>> release = fv.search(seven.table, seven.schema, guards=[fv.KAnonymity(3)], method=method).release(0)
>>> release.table.to_arrow()["X"].to_pylist()[:1], release.suppressed
([4.666666666666667], 1)

A fairlet holds a fixed number of records of every protected group, near each other. All its records publish the same
values (k-anonymity; and, since every fairlet mixes the groups as the table does, t-closeness of the protected column),
and its labels are corrected until every unfavoured group has τ times the positive ratio of the favoured one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.ordering import checksums
from fairveil.data.table import Column, narrow
from fairveil.engines import InMemoryTable
from fairveil.errors import Infeasible
from fairveil.messages import counted, option, verb
from fairveil.methods.method import Picture, Proposal, why_broken
from fairveil.methods.microaggregation.clusters import Clusters
from fairveil.methods.microaggregation.correction import Correction, correct_fairness, judged_columns, relabel
from fairveil.methods.microaggregation.fairlets import Fairlets, form
from fairveil.methods.microaggregation.microaggregation import Microaggregation, several
from fairveil.methods.microaggregation.protected_groups import Composition, ProtectedGroups, find_groups, seats_in
from fairveil.methods.microaggregation.resampling import Resampler, choose_tau
from fairveil.methods.task import Task
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.recipes.change import Change
    from fairveil.recipes.record_space import RecordSpace

FIRST = (
    "records are left out by a checksum of what they contain; how many records of each group a fairlet has follows "
    "from the groups of all records, those left out included"
)
LAST = "which records are left out, and so who is in which fairlet, follows from the values of all records"
"""What a release by fair-mdav says about the influence of the records that it leaves out."""


@dataclass(frozen=True)
class FairMDAV(Resampler, Microaggregation):
    """Fairlets of `size` records, which mix protected and other records as the table does; labels are corrected inside
    each to the level `tau`. Several sizes or levels give several candidates.

    `tau="auto"` takes the most accurate τ that reaches `target` demographic parity in cross-validation. `composition`
    gives the seats of each group by name, or (u, f) for two groups. `protected_values="auto"` keeps the values of a
    protected quasi column if that leaves k records in every class, and aggregates them otherwise. `favourable` is for
    `fit_resample`: `search` takes the labels that the schema does not deny.

    As many records of each group as fill no fairlet are dropped first, by a checksum of what they contain: they must
    not change what is published of the others. `leftovers="drop-last"` is the paper's: it drops those that remain when
    no more fairlets can be formed, which the values of all records decide.
    """

    kind: ClassVar[str] = "fair-mdav"
    title: ClassVar[str] = "averages of fair groups (Fair-MDAV)"
    picture: ClassVar[Picture] = "averages"
    says: ClassVar[str] = "Publishes averages of groups that mix protected groups, and corrects unfair decisions."
    needs: ClassVar[tuple[str, ...]] = ("quasi", "protected", "decision")
    size: int | Sequence[int] | None = setting(
        None, "number of records in a fairlet; by default the smallest that keeps the guards", min=2
    )
    tau: float | Sequence[float] | Literal["auto"] = setting(
        1.0, "how far labels are corrected: 0 not at all, 1 fully", min=0, max=1
    )
    correction: Correction = setting("positive", "which labels may be corrected")
    microaggregate: bool = setting(True, "also publish the averages of the fairlets")
    protected: str | Sequence[str] | None = setting(
        None, "the protected columns to use; all of the schema's by default"
    )
    favoured: Any = setting(None, "the favoured group; by default the one with the highest positive ratio")
    favourable: Any = setting(None, "the favourable labels; by default those that the schema does not deny")
    composition: Composition = setting(None, "number of records of each group in a fairlet; by default as in the data")
    leftovers: Literal["drop", "drop-last", "nearest"] = setting(
        "drop", "what happens to records that fill no fairlet: some are dropped, those that remain at the end, or none"
    )
    protected_values: Literal["auto", "keep", "aggregate"] = setting(
        "auto", "what happens to the values of a protected column that is also quasi"
    )
    standardize: bool = setting(True, "measure numbers in standard deviations")
    target: float = setting(0.05, "the disparity to reach where tau is found automatically", min=0, max=1)

    def for_blocks(self) -> Sequence[FairMDAV]:
        if self.protected_values != "auto":
            return (self,)
        return replace(self, protected_values="keep"), replace(self, protected_values="aggregate")

    def questions(self, task: Task) -> tuple[str, ...]:
        return super().questions(task) if self.microaggregate else ()

    def mixes(self, schema: Schema) -> Sequence[str]:
        return schema.protected

    def search(self, task: Task) -> Proposal:
        request = _Request.of(self, task)
        if self.tau == "auto":
            return replace(self, tau=request.tuned()).search(task)
        choices = {"auto": (True, False), "keep": (True,), "aggregate": (False,)}[self.protected_values]
        if not request.quasi_protected or not self.microaggregate:
            choices = (True,)
        why: list[str] = []
        for keep in choices:
            candidates = request.candidates(keep, why)
            if candidates:
                notes = (
                    [] if keep else [f"{', '.join(request.quasi_protected)}: aggregated, since its values are quasi"]
                )
                if any(candidate.facts["left_over"] for candidate in candidates):
                    notes.append(LAST if self.leftovers == "drop-last" else FIRST)
                proposal = self.propose(task, candidates, notes)
                return replace(proposal, private=tuple(request.remarks(candidates[0])))
        raise Infeasible(f"no fairlets keep the guards ({why[0]}): take a larger size, or join protected groups")


@dataclass(frozen=True)
class _Request:
    """One search: the settings of the method resolved for this task."""

    method: FairMDAV
    task: Task
    protected: tuple[str, ...]
    decision: Column
    good: np.ndarray  # which decision codes are favourable

    @classmethod
    def of(cls, method: FairMDAV, task: Task) -> _Request:
        protected, decision, good = judged_columns(task, method.kind, method.protected)
        return cls(method, task, protected, decision, good)

    @property
    def quasi_protected(self) -> list[str]:
        return [name for name in self.protected if name in self.task.schema.quasi]

    @property
    def favourable(self) -> np.ndarray:
        return self.good[self.decision.codes]

    def groups(self, size: int) -> ProtectedGroups:
        columns = [self.task.table.column(name) for name in self.protected]
        return find_groups(columns, self.favourable, size, self.method.favoured)

    def filling(self, groups: ProtectedGroups, seats: np.ndarray) -> tuple[_Request, ProtectedGroups, np.ndarray]:
        """Return the search of the records that fill fairlets, their groups, and their rows in the table."""
        task, decision, rows = self.task, self.decision, np.arange(self.task.table.rows)
        if self.method.leftovers != "drop":
            return self, groups, rows
        fairlets = int((groups.counts // seats).min())
        schema = task.schema
        contents = sorted({*schema.quasi, *schema.sensitive, *schema.protected, decision.name} & {*task.table.names})
        order = np.lexsort((checksums(task.table.select(contents)), groups.of_row))
        turn = rows - np.searchsorted(groups.of_row[order], groups.of_row[order])
        rows = np.sort(order[turn < fairlets * seats[groups.of_row[order]]])
        if not len(rows):
            raise Infeasible(f"fairlets of {seats.sum()} need more records of some protected group than there are")
        kept = replace(decision, codes=decision.codes[rows])
        alone = task.leaving_out_nobody(InMemoryTable(task.table.take(rows).compact().with_columns([kept])))
        return replace(self, task=alone, decision=kept), groups.of(rows, self.favourable, self.method.favoured), rows

    def tuned(self) -> float:
        """Return the τ for this task: a classifier would learn from the quasi columns."""
        task, method, decision = self.task, self.method, self.decision
        size = several(method.size)[0] or max(task.k, 2)
        good = tuple(value for value, is_good in zip(decision.domain, self.good, strict=True) if is_good)
        configured = replace(method, tau=0.0, protected=self.protected, favourable=good, size=size)
        table = task.table.select(list(dict.fromkeys([*task.schema.quasi, *self.protected])))
        labels = np.array(decision.domain)[decision.codes]
        return choose_tau(configured, table, labels, target=method.target, seed=task.seed).tau

    def sizes(self, keep: bool) -> list[int]:
        """Return the sizes to try: those in the settings, or doubling from the first that can keep k."""
        method, rows = self.method, self.task.table.rows
        if method.composition is not None:
            return [seats_in(method.composition)]
        if method.size is not None:
            return list(several(method.size))
        size = max(self.task.k, 2)
        if keep and self.quasi_protected:
            while size < rows and self.groups(size).seats(size).min() < self.task.k:
                size += 1
        ladder = [size]
        while ladder[-1] < rows:
            ladder.append(min(2 * ladder[-1], rows))
        return ladder

    def candidates(self, keep: bool, why: list[str]) -> list[Change]:
        """Return the changes that keep the guards; if no size is given, those of the smallest size that does."""
        method, candidates = self.method, []
        quasi = [name for name in self.task.schema.quasi if name not in self.protected]
        names = quasi if keep else list(self.task.schema.quasi)
        for size in self.sizes(keep):
            self.task.report(0.0, f"forming fairlets of {size}")
            try:
                groups = self.groups(size)
                seats = groups.seats(size, method.composition)
                part, groups, rows = self.filling(groups, seats)
                space = method.space(part.task, quasi or list(self.task.schema.quasi), method.standardize)
                fairlets = form(method, space.points(part.task.table), groups, seats, self.task.progress)
            except Infeasible as problem:
                why.append(str(problem))
                continue
            for tau in several(method.tau):
                candidate = part._learn(fairlets, space, names, tau)
                if part is not self:
                    candidate = self.task.change_of_part(candidate, rows)
                broken = why_broken(self.task, candidate)
                if broken is None:
                    candidates.append(candidate)
                    self.task.offer(lambda: method.propose(self.task, candidates))
                else:
                    why.append(broken)
            if candidates and method.size is None:
                break
        return candidates

    def _learn(self, fairlets: Fairlets, space: RecordSpace, names: list[str], tau: float) -> Change:
        method, decision = self.method, self.decision
        fixed = correct_fairness(self.favourable, fairlets.groups, fairlets.clusters, tau, method.correction)
        codes = relabel(decision.codes, fixed.favourable, self.good, fairlets.clusters)
        kinds = method.kinds(self.task, names) if method.microaggregate else {}
        hidden = {*self.task.schema.drop, *kinds}  # dropped or aggregated values are not published
        facts = fairlets.facts(self.favourable, fixed, tau, method.correction, shown=hidden.isdisjoint(self.protected))
        if sentence := widened(**facts["positive_ratios"]):
            facts["warning"] = sentence
        settings = {"tau": tau, "correction": method.correction, "protected": list(self.protected)}
        corrected = {decision.name: narrow(codes, len(decision.values))}
        return method.learnt(self.task, space, fairlets.clusters, kinds, facts, settings, corrected)

    def remarks(self, candidate: Change) -> list[str]:
        """Return notes for the owner about the first candidate."""
        assert candidate.groups is not None
        left_out, labels = int((candidate.groups < 0).sum()), candidate.facts["labels_changed"]
        changed = labels["made_favourable"] + labels["made_unfavourable"]
        fill = verb(left_out, "fills no fairlet and is left out", "fill no fairlet and are left out")
        were = verb(changed, "was", "were")
        facts = {
            f"{counted(left_out, 'record')} {fill}": left_out,
            f"{counted(changed, 'label')} {were} changed by {self.method.correction} correction": changed,
        }
        remarks = [remark for remark, number in facts.items() if number]
        ratios = candidate.facts["positive_ratios"]
        before, after = (", ".join(f"{name} {share:.2f}" for name, share in ratios[when].items()) for when in ratios)
        remarks.append(f"shares of favourable decisions: {before} before, {after} after")
        if warning := candidate.facts.get("warning"):
            remarks.append(
                f"{warning}: try a smaller tau, such as {self._closing(candidate):g}, or {option('tau', 'auto')}"
            )
        return remarks

    def _closing(self, candidate: Change) -> float:
        """Return the level of correction after which the shares of the groups differ least."""
        assert candidate.groups is not None
        of_row = candidate.groups[self.task.order]
        inside = np.flatnonzero(of_row >= 0)
        groups = self.groups(sum(candidate.facts["composition"].values()))
        groups = groups.of(inside, self.favourable, self.method.favoured)
        clusters = Clusters(of_row[inside], np.zeros_like(inside), int(of_row.max()) + 1)

        def gap(tau: float) -> float:
            fixed = correct_fairness(self.favourable[inside], groups, clusters, tau, self.method.correction)
            shares = np.bincount(groups.of_row, weights=fixed.favourable, minlength=len(groups.labels)) / groups.counts
            return float(np.ptp(shares).round(9))

        return min((step / 20 for step in range(20, -1, -1)), key=gap)


def widened(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """Say so if the shares of favourable decisions of the groups differ more than before, or the other way round."""
    gap, now = (max(shares.values()) - min(shares.values()) for shares in (before, after))
    ahead, ahead_now = (max(shares, key=lambda name: shares[name]) for shares in (before, after))
    if round(now, 2) > round(gap, 2):
        turned = f", and {ahead_now} is now ahead of {ahead}" if ahead_now != ahead else ""
        return f"the gap between the groups grew from {gap:.2f} to {now:.2f}{turned}"
    if ahead_now != ahead and round(now, 2) > 0.02:
        return f"the gap between the groups is reversed: {ahead_now} is now ahead of {ahead} by {now:.2f}"
    return ""
