"""Frontier: candidate releases of one or several methods side by side, and the ways to choose one.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)])
>>> release = frontier.best("loss")
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairveil import measures
from fairveil.choice.pareto import pareto
from fairveil.counting.lattice import minimal
from fairveil.counting.rounding import coarse_share
from fairveil.data.canonical import key_for
from fairveil.display import MAX_SHOWN, Displayable, DisplayTable
from fairveil.errors import BadInput, Infeasible
from fairveil.frontier.search_result import SearchResult
from fairveil.messages import as_toml, counted, option
from fairveil.published.judge import Judged, judge

if TYPE_CHECKING:
    from fairveil.choice.compromise import Compromise
    from fairveil.guards import Guard
    from fairveil.measures import Measure
    from fairveil.methods.method import Method, Proposal
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change
    from fairveil.recipes.recipe import Recipe
    from fairveil.release.alternatives import Alternatives
    from fairveil.release.release import Release

Number = int | str
"""The number of a candidate among all that its method found, from 1; with several methods the method's number comes
first, as in "2.15". So a candidate's number does not depend on other methods. "2.15*" was found by a search that had
not ended: its numbers are not those of the whole search."""

BESIDE = (
    "the release was compared with candidates of methods that look at the data as it is: the promised ε does not cover "
    "the choice among them"
)


@dataclass(frozen=True, repr=False, eq=False)
class Frontier(Displayable):
    """A table of candidates, one per row: `owner` says which of `results` proposed it, `index` which of its changes.

    Candidate "2.15" is the 15th that the second method found, whether or not all of them were kept; with one method its
    number is just 15. `requested` is the number of requested methods, and `failed` says which of them found nothing,
    and why. Measures are computed on first use.
    """

    results: tuple[SearchResult, ...]
    owner: NDArray[np.int64]
    index: NDArray[np.int64]
    requested: int = 1
    failed: tuple[str, ...] = ()

    @classmethod
    def of(cls, *results: SearchResult, requested: int = 1, failed: Sequence[str] = ()) -> Frontier:
        """Return all candidates of `results`, of `requested` methods; `failed` says which found nothing, and why."""
        sizes = [len(result.proposal.changes) for result in results]
        index = np.concatenate([np.arange(size) for size in sizes])
        return cls(results, np.repeat(np.arange(len(results)), sizes), index, requested, tuple(failed))

    @classmethod
    def joined(cls, frontiers: Sequence[Frontier], failed: Sequence[str] = ()) -> Frontier:
        """Join the candidates of `frontiers`, one per method; `failed` says which methods found nothing, and why."""
        results = [result for frontier in frontiers for result in frontier.results]
        offsets = np.cumsum([0, *(len(frontier.results) for frontier in frontiers)])
        owner = np.concatenate([frontier.owner + offset for frontier, offset in zip(frontiers, offsets, strict=False)])
        index = np.concatenate([frontier.index for frontier in frontiers])
        return cls(tuple(results), owner, index, frontiers[0].requested, tuple(failed))

    def __len__(self) -> int:
        return len(self.owner)

    def _headline(self) -> str:
        methods = dict.fromkeys(self.label(i) for i in range(min(len(self), MAX_SHOWN)))
        complete = "all there are" if self.exhaustive else "there may be more"
        return f"Frontier: {counted(len(self), 'candidate')} of {', '.join(methods) or 'no method'} ({complete})"

    def _tables(self) -> list[DisplayTable]:
        names = ["loss", "entropy", "k", "average-risk"]
        charged = "entropy" if any(self.method(i).false_values for i in range(min(len(self), MAX_SHOWN))) else "loss"
        best_first = np.argsort(measures.get(charged).loses(self.values(charged)), kind="stable")
        records = self.records(names, best_first[:MAX_SHOWN])
        levels = list(dict.fromkeys(name for record in records for name in record["levels"]))
        head = ["candidate", "method", *(f"level of {name}" for name in levels), *names]
        rows = [
            [r["candidate"], f"{r['method']}, {r['false_values']}" if r["false_values"] else r["method"],
             *(r["levels"].get(name, "–") for name in levels), *(r[name] for name in names)]
            for r in records
        ]  # fmt: skip
        return [DisplayTable(head, rows, len(self), f"the best by {charged} first")]

    # What the candidates are

    @property
    def total(self) -> int:
        """The number of candidates that the methods found, including those that were not kept."""
        return sum(result.total for result in self.results)

    @property
    def exhaustive(self) -> bool:
        """Whether the methods found all candidates that satisfy the guards."""
        return all(result.proposal.exhaustive for result in self.results)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on the searches for the owner; those of `proposal.notes` are published as well."""
        notes = [
            note if self.requested == 1 else f"{result.method.kind}: {note}"
            for result in self.results
            for note in (*result.proposal.notes, *result.private_notes)
        ]
        return (*self.failed, *notes)

    @property
    def result(self) -> SearchResult:
        """The search of the only method; raises BadInput if there are several."""
        if len(self.results) != 1:
            raise BadInput(f"these candidates are of {len(self.results)} methods: take one of frontier.by_method()")
        return self.results[0]

    @property
    def task(self) -> Task:
        return self.result.task

    @property
    def proposal(self) -> Proposal:
        return self.result.proposal

    @property
    def methods(self) -> list[str]:
        """The kind of the method of each candidate."""
        return [self.method(i).kind for i in range(len(self))]

    @property
    def numbers(self) -> list[Number]:
        return [self.number(i) for i in range(len(self))]

    def _located(self, position: int) -> tuple[SearchResult, int]:
        if not -len(self) <= position < len(self):
            raise BadInput(f"there is no candidate {position}: this frontier has {counted(len(self), 'candidate')}")
        return self.results[self.owner[position]], int(self.index[position])

    def change(self, position: int) -> Change:
        """Return the change that one candidate makes to the source."""
        result, index = self._located(position)
        return result.proposal.changes[index]

    def recipe(self, position: int) -> Recipe:
        """Return what one candidate does, with the values of the source that it publishes as they are."""
        return self.change(position).recipe.knowing(self._located(position)[0].task.source)

    def judged(self, position: int, guards: Sequence[Guard] | None = None) -> Judged:
        """Return what one candidate would publish, and the verdicts of its guards, or of others."""
        task = self._located(position)[0].task
        if guards is None:
            return task.judge(self.change(position))
        return judge(task.source, task.schema, guards, self.change(position))

    def method(self, position: int) -> Method:
        """The method that found one candidate."""
        return self._located(position)[0].method

    def label(self, position: int) -> str:
        """Return the method of one candidate; methods of one kind are distinguished by their differing settings."""
        return self._labels[int(self.owner[position])]

    @cached_property
    def _labels(self) -> list[str]:
        return [_label(result.method, [other.method for other in self.results]) for result in self.results]

    def levels(self, position: int) -> dict[str, int]:
        """The level of each quasi column, where the candidate has levels."""
        result, index = self._located(position)
        if result.proposal.nodes is not None:
            return dict(zip(result.task.levels, map(int, result.proposal.nodes[index]), strict=True))
        recipe = self.change(position).recipe
        levels = {name: recipe.level_of(name) for name in recipe.schema.quasi}
        return {name: level for name, level in levels.items() if level is not None}

    @property
    def nodes(self) -> np.ndarray:
        """Levels per candidate and quasi column, for a method that generalizes whole domains."""
        nodes = self.proposal.nodes
        if nodes is None:
            raise BadInput(f"the candidates of {self.proposal.method.kind} are not nodes of a lattice")
        return nodes[self.index]

    def number(self, position: int) -> Number:
        """Return the number of one candidate."""
        result, index = self._located(position)
        number = int(result.numbers[index])
        if self.requested == 1:
            return f"{number}*" if result.interim else number
        return f"{result.method_number}.{number}{'*' * result.interim}"

    def position_of(self, number: Number) -> int:
        """Return the position of the candidate with this number."""
        method_number, within = parse_number(number, self.requested)
        result = next((result for result in self.results if result.method_number == method_number), None)
        if result is None:
            raise BadInput(f"no candidate {number}: method {method_number} found none")
        if result.interim != str(number).endswith("*"):
            raise BadInput(f"no candidate {number}: numbers with * are those of a search that had not ended")
        if not 1 <= within <= result.total:
            prefix = "" if self.requested == 1 else f"{method_number}."
            raise BadInput(f"no candidate {number}: there are {prefix}1 to {prefix}{result.total}")
        for position in np.flatnonzero(self.owner == self.results.index(result)).tolist():
            if result.numbers[self.index[position]] == within:
                return position
        raise BadInput(
            f"candidate {number} was found, but is not among the candidates kept: {option('most', ...)} keeps more"
        )

    def values(self, measure: str | Measure) -> np.ndarray:
        """Return one measure of every candidate, in order; NaN where it does not apply to a method's candidates."""
        values = np.full(len(self), np.nan)
        for owner, result in enumerate(self.results):
            rows = self.owner == owner
            values[rows] = result.values(measures.get(measure), self.index[rows])
        return values

    def points(self, names: Sequence[str | Measure]) -> np.ndarray:
        """Return a row per candidate and a column per measure, signed so that lower is better; missing is worst."""
        columns = [measures.get(name).loses(self.values(name)) for name in names]
        points: np.ndarray = np.nan_to_num(np.column_stack(columns), nan=np.inf, posinf=np.inf, neginf=-np.inf)
        return points

    def baseline(self, names: Sequence[str | Measure]) -> dict[str, float]:
        """Return the same measures of the source, published unchanged, for comparison with candidates."""
        beside = [result for result in self.results if not result.method.declares_domains]
        return (beside or self.results)[0].baseline(names)

    def records(
        self, names: Sequence[str], positions: Sequence[int] | np.ndarray | None = None
    ) -> list[dict[str, Any]]:
        """Return the candidates, or those at `positions`, as plain data: everything that user interfaces show.

        candidate (its number), method, its settings, one word for why its values may be false, levels if it has
        any, and the named measures.
        """
        columns = {name: self.values(name) for name in names}
        settings = [result.method.to_dict() for result in self.results]
        return [
            {
                "candidate": self.number(i),
                "method": self.label(i),
                "settings": settings[self.owner[i]],
                "false_values": self.method(i).false_values,
                "levels": self.levels(i),
                **{name: float(values[i]) for name, values in columns.items()},
            }
            for i in (range(len(self)) if positions is None else map(int, positions))
        ]

    # Choosing

    def some(self, mask: np.ndarray) -> Frontier:
        """Return only the candidates where `mask` is true."""
        return replace(self, owner=self.owner[mask], index=self.index[mask])

    def by_method(self) -> list[Frontier]:
        """Return the candidates of each method that found any."""
        return [
            replace(self, results=(result,), owner=self.owner[rows] * 0, index=self.index[rows])
            for owner, result in enumerate(self.results)
            for rows in [self.owner == owner]
        ]

    def best(self, measure: str | Measure) -> Release:
        """Publish the best candidate by one measure; the first one if several are equal."""
        return self.release(self.best_position(measure))

    def best_position(self, measure: str | Measure) -> int:
        chosen = measures.get(measure)
        position = self.results[0].best(chosen, self.index) if len(self.results) == 1 else None
        return chosen.best(self.values(chosen)) if position is None else position

    def nearest(self, aspirations: Mapping[str, float], *, ideal: Mapping[str, float] | None = None) -> Release:
        """Publish the candidate that best meets the desired value of each measure (see `choice/achievement.py`)."""
        return self.release(self.nearest_position(aspirations, ideal=ideal))

    def nearest_position(self, aspirations: Mapping[str, float], *, ideal: Mapping[str, float] | None = None) -> int:
        from fairveil.choice.achievement import Aspirations

        wish = Aspirations(aspirations, ideal or {})
        return wish.choose(np.column_stack([self.values(name) for name in wish.names]), self.values("k"))

    def knee(self, *names: str | Measure) -> Release:
        """Publish the best compromise: beyond it, gains in one measure cost much in others."""
        return self.release(self.knee_position(*names))

    def knee_position(self, *names: str | Measure) -> int:
        return self.compromise(*names).position

    def compromise(self, *names: str | Measure) -> Compromise:
        """Return the position of the best compromise between these measures, and a sentence that says why."""
        from fairveil.choice.compromise import compromise

        return compromise({measures.get(name): self.values(name) for name in names})

    def most_useful(self, *guards: Guard) -> Release:
        """Publish the candidate that keeps most information, of those that also keep these guards; each is published to
        check, the most useful first."""
        for position in self.by_usefulness():
            release = self.release(int(position))
            if all(release.published.verdicts(guards)):
                return release
        kinds = ", ".join(guard.kind for guard in guards)
        raise Infeasible(
            f"none of {counted(len(self), 'candidate')} also keeps {kinds}: ask for less, or search with it"
        )

    def by_usefulness(self) -> np.ndarray:
        """Return all positions, the most useful candidate first: by entropy, which compares methods of any kind, or by
        loss if there is one method."""
        measure = measures.get("entropy" if len({result.method.kind for result in self.results}) > 1 else "loss")
        return np.argsort(measure.loses(self.values(measure)), kind="stable")

    def pareto(self, *names: str | Measure) -> Frontier:
        """Return the candidates that no other candidate dominates in these measures."""
        if not names:
            raise BadInput("pareto needs at least one measure")
        return self.some(pareto(self.points(names)))

    def keeping(self, *guards: Guard) -> Frontier:
        """Return the candidates whose release satisfies these guards as well; each is published to check."""
        keeps = [all(self.release(i).published.verdicts(guards)) for i in range(len(self))]
        return self.some(np.array(keeps, dtype=bool))

    def minimal(self) -> Frontier:
        """Return the minimal border: candidates with no other candidate below them in the lattice."""
        return self.some(minimal(self.nodes))

    def release(self, position: int) -> Release:
        """Publish one candidate; its report can show all others for comparison."""
        result, index = self._located(position)
        for name in self.change(position).recipe.schema.pseudonyms:
            key_for(name)
        task, proposal = result.task, result.proposal
        claimed = [
            f"{name} about {coarse_share(values[index], task.rows):g}, as the method itself measured it"
            for name, values in proposal.values.items()
        ]
        beside = [BESIDE] if self.requested > 1 and result.method.declares_domains else []
        bound = [f"hierarchy of {name!r}: {note}" for name, levels in task.levels.items() for note in levels.notes]
        judged = self.judged(position)
        warned = [judged.change.facts["warning"]] if "warning" in judged.change.facts else []
        kept = [guard.note() for guard in task.guards if guard.owners]
        notes, alternatives = (*proposal.notes, *kept, *warned, *claimed, *beside), self.alternatives(position)
        private = (*result.requested.private, *result.private_notes, *bound, *self.failed)
        return result.publish(judged, order=result.order, notes=notes, private=private, alternatives=alternatives)

    def alternatives(self, position: int) -> Alternatives:
        """Return the other candidates, as the report of one candidate shows them."""
        from fairveil.release.alternatives import Alternatives

        decision = ["cm"] if self.change(position).recipe.schema.decision else []
        several = len({result.method.kind for result in self.results}) > 1
        names = ("loss", "average-risk", *decision, "highest-risk")
        return Alternatives(self.values, names, position, tuple(self.methods) if several else ())


def _label(method: Method, methods: Sequence[Method]) -> str:
    kin = [other for other in methods if other.kind == method.kind]
    differing = [
        f"{name.replace('_', ' ')} {as_toml(value)}"
        for name, value in vars(method).items()
        if any(vars(other)[name] != value for other in kin)
    ]
    return f"{method.kind} ({', '.join(differing)})" if differing else method.kind


def parse_number(number: Number, methods: int) -> tuple[int, int]:
    """Return the method and the candidate, both from 1, that a number refers to."""
    digits = re.fullmatch(r"(?:([0-9]{1,18})\.)?([0-9]{1,18})\*?", str(number).strip())
    if digits is None:
        raise BadInput(f"no candidate {number!r}: candidates are called 3, or 2.3 for the third of the second method")
    if digits[1] is None and methods > 1:
        raise BadInput(
            f"candidate {number} is ambiguous: write 1.{number} for the first method's, 2.{number} for the "
            "second's, as `explore` shows them"
        )
    if not 1 <= int(digits[1] or 1) <= methods:
        raise BadInput(f"no candidate {number}: there {'is 1 method' if methods == 1 else f'are {methods} methods'}")
    return int(digits[1] or 1), int(digits[2])
