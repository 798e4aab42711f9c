"""Preferences (Dewri et al. 2011): the grouping that best fits the publisher's wishes.

>>> import fairveil as fv
>>> codes = fv.datasets.employee_codes()
>>> method = Preferences({"necd": 0.2, "nwp": 0.15}, groups="full-domain")
>>> frontier = fv.search(codes.table, codes.schema, guards=[fv.KAnonymity(2)], method=method)
>>> sorted(set(frontier.release(0).table.to_arrow()["emp"].to_pylist()))
['8152*', '8163*', '826**']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from fairveil.choice.achievement import Aspirations
from fairveil.choice.pareto import pareto
from fairveil.counting.lattice import Packing
from fairveil.counting.tuples import KEY_BITS
from fairveil.errors import BadInput, Infeasible
from fairveil.messages import counted, verb
from fairveil.methods.best_first import BestFirst
from fairveil.methods.lattice_nodes import keep_guards, why_infeasible
from fairveil.methods.left_out import published_alone
from fairveil.methods.method import Method, Picture, Proposal, Recipes, stacked
from fairveil.methods.preferences.bound import gap_sentence, least_achievement
from fairveil.methods.preferences.evaluator import Evaluator
from fairveil.methods.preferences.grouping_space import GroupingSpace
from fairveil.methods.preferences.nsga2 import Mating, evolve
from fairveil.methods.preferences.optimizer import best_index, polish, respect_nodes
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.counting.summary import Summary
    from fairveil.methods.task import Task

GroupsKind = Literal["free", "nodes", "full-domain"]


@dataclass(frozen=True)
class Preferences(Method):
    """The grouping of neighbouring values that best meets your aspirations for measures; candidate 0 is the solution.

    `aspirations` may name any number of measures. With `groups="free"` any neighbours may be joined, with "nodes" every
    group is a node of the hierarchy, and with "full-domain" a column has one level, and the minimum is exact. `ideal`
    is for measures without a best end of their range. `polish` limits the descent from the best solution, as a share of
    all evaluations; it gets only evaluations that NSGA-II did not use. evaluations, population, crossover and mutation
    are NSGA-II's; the defaults are the paper's.
    """

    kind: ClassVar[str] = "preferences"
    title: ClassVar[str] = "toward your preferences"
    picture: ClassVar[Picture] = "values"
    packages: ClassVar[tuple[str, ...]] = ("pymoo",)
    says: ClassVar[str] = "Groups values freely, guided by the value that you wish for each measure."
    reaches_top: ClassVar[bool] = True
    walks: ClassVar[bool] = True
    aspirations: Mapping[str, float] = setting({"necd": 1.0, "nwp": 0.2}, "the value wished for each measure")
    granularity: Mapping[str, float] = setting({}, "width of the bands of a numeric column, by column")
    groups: GroupsKind = setting("free", "which groups of values may be formed")
    ideal: Mapping[str, float] = setting({}, "the best conceivable value of each measure")
    evaluations: int = setting(50_000, "maximum number of groupings that are tried", min=1)
    population: int = setting(100, "number of solutions in a generation", min=4)
    crossover: float = setting(0.8, "probability that two solutions are combined", min=0, max=1)
    mutation: float = setting(0.001, "probability that a part of a solution changes", min=0, max=1)
    start: Literal["hierarchies", "random"] = setting(
        "hierarchies", "the first population: half of it cuts of the hierarchies that keep the guards, or all random"
    )
    polish: float = setting(1.0, "share of the evaluations that may refine the best solution", min=0, max=1)
    keep: int = setting(100, "maximum number of candidates that are kept", min=1)
    largest: int = setting(5_000_000, "maximum number of lattice nodes that are all searched", min=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.wish()

    def wish(self) -> Aspirations:
        return Aspirations(self.aspirations, self.ideal)

    def search(self, task: Task) -> Proposal:
        explorer, wish = Explorer(task, self), self.wish()
        explorer.found = lambda: task.offer(lambda: explorer.proposal(wish, explorer.best_feasible(wish)))
        return explorer.proposal(wish, explorer.solve(wish, task.seed))


class Explorer:
    """One task explored for several preference points; nothing is evaluated twice."""

    def __init__(self, task: Task, method: Preferences) -> None:
        self.whole, self.method = task, method
        self.task, self.left_out = published_alone(task)
        self.space = GroupingSpace.of(self.task, method.granularity)
        self.evaluator = Evaluator(self.space, list(method.aspirations))
        self.found: Callable[[], object] = lambda: None  # called now and then in a search
        self.repair = respect_nodes(self.space) if method.groups == "nodes" else None
        self.nodes, self.exact = self._full_domain()
        self.node_indices = self.evaluator.look(np.array([self.space.genome(node) for node in self.nodes]))
        complete = np.isfinite(self.evaluator.points[self.node_indices]).all(axis=0)
        if not complete.all():
            name = self.evaluator.measures[int(np.argmin(complete))].name
            raise BadInput(f"measure {name!r} has no value for every candidate, so it cannot be an objective")

    def _full_domain(self) -> tuple[np.ndarray, bool]:
        """The full-domain generalizations that keep the guards: all of them, if they can be enumerated."""
        lattice = self.space.task.lattice
        if lattice.size > self.method.largest or Packing.width(lattice) > KEY_BITS:
            nodes = BestFirst(time_limit=10.0, keep=1000).search(self.space.task).nodes
            assert nodes is not None
            return nodes, False
        self.task.report(0.0, f"searching {lattice.size:,} full-domain generalizations")
        nodes = lattice.anonymous(self.task.k, self.task.budget_rows)
        nodes = nodes[keep_guards(self.space.task, nodes)]
        if not len(nodes):
            raise Infeasible(why_infeasible(self.task))
        return nodes, True

    def full_domain_best(self, wish: Aspirations) -> int:
        """Return the index of the best full-domain generalization: the exact minimum if all were enumerated."""
        return best_index(self.evaluator, wish, self.node_indices)

    def solve(self, wish: Aspirations, seed: int, known: Sequence[int] = (), points: int = 1) -> int:
        """Return the index of the best solution found, never worse than the best full-domain one (unless the start is
        random) or one already `known`. So many preference `points` share the evaluations.

        It depends on the arguments only, not on what was evaluated before: a session that is loaded again continues as
        if it had never stopped.
        """
        if self.method.groups == "full-domain":
            return self.full_domain_best(wish)
        cuts = self.node_indices[: None if self.method.start == "hierarchies" else 0]
        starting_indices = np.concatenate([cuts, np.array(known, dtype=np.int64)])
        self.evaluator.begin_trail(starting_indices)
        if self.enumerable:
            self.evaluator.look(self.everything())
            return self.best(wish)
        before = len(self.evaluator.trail)
        budget, share = max(self.method.evaluations // points, 1), 1 / (1 + self.method.polish)
        mating = Mating(self.method.crossover, self.method.mutation, self.repair, np.random.default_rng(seed))
        population = self.first_population(wish, seed, starting_indices)
        evolve(self.evaluator, wish, population, mating, budget, self._report(0.0, share))
        best = self.best(wish)
        again = budget - (len(self.evaluator.trail) - before)  # asked for again, so not evaluated
        spare = min(again, int(budget * self.method.polish))
        if spare > 0:
            report = self._report(share, 1.0)
            polish(self.evaluator, wish, best, budget=spare, repair=self.repair, seed=seed, report=report)
        return self.best_feasible(wish)

    def _report(self, start: float, end: float) -> Callable[[float, str], None]:
        part = self.task.progress.part(start, end)

        def report(share: float, what: str) -> None:
            part.tell(share, what)
            self.found()

        return report

    def best_feasible(self, wish: Aspirations) -> int:
        """Return the best of everything on the trail; the best full-domain one if nothing there keeps the guards."""
        best = self.best(wish)
        return best if self.evaluator.shortfall[best] <= 0 else self.full_domain_best(wish)

    @property
    def enumerable(self) -> bool:
        """Whether there are no more groupings than evaluations, so that the minimum is exact."""
        return self.method.groups == "full-domain" or 1 << min(self.space.bits, 62) <= self.method.evaluations

    def everything(self) -> np.ndarray:
        """Return every grouping."""
        bits = self.space.bits
        genomes = (np.arange(1 << bits)[:, None] >> np.arange(bits) & 1).astype(bool)
        return genomes if self.repair is None else np.unique(self.repair(genomes), axis=0)

    def best(self, wish: Aspirations) -> int:
        """Return the best of everything on the trail."""
        return best_index(self.evaluator, wish, self.evaluator.trail[::-1])

    def pool(self, indices: np.ndarray) -> np.ndarray:
        """Return those of these indices that keep the guards and are not dominated in the objectives and in k.

        The best solution for any aspirations is among them.
        """
        seen = np.unique(indices[self.evaluator.shortfall[indices] <= 0])
        signs = self.method.wish().signs
        standing = pareto(np.column_stack([signs * self.evaluator.points[seen], -self.evaluator.k[seen]]))
        return seen[standing]

    def first_population(self, wish: Aspirations, seed: int, indices: np.ndarray) -> np.ndarray:
        """Return the first population: half feasible, from the hierarchies' cuts; half random, coarse to fine."""
        rng = np.random.default_rng(seed)
        size, bits = self.method.population, self.space.bits
        reached = wish.achievement(self.evaluator.points[indices])
        front = pareto(np.column_stack([reached, self.evaluator.shortfall[indices]]))
        ranked = indices[np.lexsort((reached, ~front))]
        best_known = self.evaluator.genomes[ranked[: size // 2]]
        random = rng.random((size - len(best_known), bits)) < rng.uniform(0, 0.5, (size - len(best_known), 1))
        return np.concatenate([best_known, random if self.repair is None else self.repair(random)])

    def proposal(self, wish: Aspirations, best: int) -> Proposal:
        """Return the solution, then all feasible candidates that are not dominated, in (ach, k) or the objectives."""
        evaluator, method = self.evaluator, self.method
        indices = self.node_indices if method.groups == "full-domain" else np.arange(len(evaluator))
        indices = np.unique(indices[evaluator.shortfall[indices] <= 0])
        reached = wish.achievement(evaluator.points[indices])
        standing = pareto(np.column_stack([reached, evaluator.shortfall[indices]]))
        standing |= pareto(wish.signs * evaluator.points[indices])
        order = np.argsort(reached, kind="stable")
        others = [index for index in indices[order[standing[order]]] if index != best]
        selected = np.array([best, *others[: method.keep - 1]])
        genomes = evaluator.genomes[selected]
        value = float(wish.achievement(evaluator.points[[best]])[0])
        notes = [f"achievement {value:.6f} for {', '.join(f'{name} {level:g}' for name, level in wish.levels.items())}"]
        exhaustive = self.exact and self.enumerable
        if exhaustive:
            notes.append("all groupings were evaluated; dominated ones are omitted")
        else:
            where = "all full-domain generalizations" if self.exact else "the full-domain generalizations found in time"
            evaluated = f"{counted(len(evaluator), 'grouping')} {verb(len(evaluator), 'was', 'were')} evaluated"
            notes.append(f"{evaluated}, {where} among them; a better one may exist")
            notes.append(gap_sentence(value, least_achievement(self.space, wish)))
        changes = Recipes(genomes, self.space.recipe, self.left_out)

        def summary(full: bool) -> Summary:
            if not self.left_out:
                return self.space.summary(genomes, full)
            return stacked(self.whole.judge(change).summary for change in changes)

        return Proposal(method, changes, summary, exhaustive, private=tuple(notes))
