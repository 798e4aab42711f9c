"""DMPD (Matatov, Rokach and Maimon 2010): split the columns into projections, anonymous alone and when rejoined.

Values stay as they are, except that numeric quasi columns are cut into intervals that tell the classes apart. A genetic
search looks for the most accurate partitioning: one classifier per projection, combined by naive Bayes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.errors import BadInput, Infeasible, refuse, suggest
from fairveil.messages import counted, option
from fairveil.methods.method import Method, Picture, Proposal, propose
from fairveil.progress import Progress
from fairveil.recipes.change import Change
from fairveil.recipes.decomposition import Decomposition
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.guards import Guard
    from fairveil.methods.dmpd.attackers import Attackers
    from fairveil.methods.dmpd.genetic import Report
    from fairveil.methods.dmpd.partitioning import Partitioning
    from fairveil.methods.dmpd.wrapper import Trained, Wrapper
    from fairveil.methods.task import Task


@dataclass(frozen=True)
class DMPD(Method):
    """The columns split into projections that are anonymous alone and when joined again, the most accurate first
    (`objective="accuracy"`), or accuracy against anonymity ("pareto").

    `inducer` is "tree", "c4.5", "part", "naive-bayes", or any scikit-learn classifier with predict_proba. With
    `interval_rows="k"` intervals of numbers have at least k rows, so that no column is lost because of a few rare
    numbers; with "any" they have, as in the paper, whatever size the classes suggest. With `set_check="always"`
    partitionings that could be rejoined below k are invalid at once; with "last" they are checked only at the end, as
    in the paper, where the check was too slow. Given `subsets` are published as they are, without a search; a column in
    none of them is not published.

    With `probabilities`, "pareto" weighs accuracy against the risk that is expected of an attacker who knows each quasi
    column with its probability (section 6 of the paper); k is still kept against one who knows all. With
    `anonymity_weight`, fitness is the accuracy plus this times the logarithm of the level over that of all rows.
    """

    kind: ClassVar[str] = "dmpd"
    title: ClassVar[str] = "columns split into tables (DMPD)"
    picture: ClassVar[Picture] = "split"
    counts_persons: ClassVar[bool] = False
    says: ClassVar[str] = "Keeps values as they are and splits the columns into tables that still predict the decision."
    needs_rows: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    inducer: Any = setting("tree", "the classifier that partitionings are evaluated with")
    objective: Literal["accuracy", "pareto"] = setting(
        "accuracy", "the most accurate partitionings, or accuracy against anonymity"
    )
    generations: int = setting(100, "maximum number of generations", min=0)
    population: int = setting(50, "number of solutions in a generation", min=2)
    crossover: float = setting(0.8, "probability that two solutions are combined", min=0, max=1)
    mutation: float = setting(0.05, "probability that a part of a solution changes", min=0, max=1)
    folds: int = setting(5, "number of folds of the cross-validation", min=2)
    patience: int | None = setting(None, "generations without improvement after which the search ends", min=0)
    cuts: Mapping[str, Sequence[float]] = setting({}, "cut points of numeric columns, by column")
    interval_rows: Literal["k", "any"] = setting(
        "k", "rows in each interval of numbers: at least k, or any number", formerly="least"
    )
    set_check: Literal["always", "last"] = setting(
        "always", "when joins of projections are checked: always, or only at the end"
    )
    min_subsets: int = setting(1, "minimum number of projections", min=1)
    subsets: Sequence[Sequence[str]] | None = setting(
        None, "the columns of each projection, if they are given; found by the search by default"
    )
    probabilities: Mapping[str, float] = setting(
        {}, "probability that an attacker knows a quasi column, by column; 1 for the others", min=0, max=1
    )
    anonymity_weight: float = setting(
        0.0, "how much the anonymity level counts beside accuracy, with objective accuracy", min=0
    )
    recode: bool = setting(False, "also generalize values, not only split columns")
    overlap: bool = setting(False, "a column may be in several projections")
    keep: int = setting(20, "maximum number of candidates that are kept", min=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recode and self.overlap:
            raise BadInput("dmpd: recode and overlap do not go together, because a shared column could be compared")
        if self.recode and self.probabilities:
            raise BadInput(
                "dmpd: recode and probabilities do not go together: what is recoded follows from all columns"
            )
        if self.subsets is not None and len(self.subsets) < self.min_subsets:
            raise BadInput(
                f"dmpd: min_subsets is {self.min_subsets}, and {counted(len(self.subsets), 'subset')} are given"
            )

    def search(self, task: Task) -> Proposal:
        def proposal(best: Partitionings | None) -> Proposal | None:
            if best is None:
                return None
            values = {"accuracy": np.array(best.accuracies)}
            return propose(task, self, list(map(Change, best.recipes)), notes=best.notes, values=values)

        best = self.partition(
            task.table, task.schema, task.guards, seed=task.seed, report=task.progress,
            offer=lambda interim: task.offer(lambda: proposal(interim())),
        )  # fmt: skip
        proposed = proposal(best)
        assert proposed is not None
        return proposed

    def partition(
        self,
        table: Table,
        schema: Schema,
        guards: Sequence[Guard],
        *,
        seed: int = 0,
        report: Report | None = None,
        known: Trained | None = None,
        offer: Callable[[Callable[[], Partitionings | None]], object] | None = None,
    ) -> Partitionings:
        """Return the recipes, best first; if no partitioning keeps the guards, the recipe that publishes nothing.

        `known` is what a search of the same table with the same seed has trained; only k may differ, and only if
        neither intervals (`interval_rows`) nor values (`recode`) depend on it. `offer` is called after each generation
        with a function that returns the best so far, or None.
        """
        wrapper = self.wrapper(table, schema, guards, seed=seed)
        wrapper.known, wrapper.progress = known, Progress.of(report)
        if self.subsets is not None:
            given = self._given(wrapper, table, guards, schema)
            recipe = _recipe(given, wrapper, schema).knowing(table)
            return Partitionings(
                (recipe,), (wrapper.accuracy(given),), ("the projections were given",), wrapper.trained
            )

        def best_of(partitionings: Sequence[Partitioning]) -> Partitionings | None:
            if not partitionings:
                return None
            recipes = tuple(_recipe(z, wrapper, schema).knowing(table) for z in partitionings)
            accuracies = tuple(wrapper.accuracy(z) for z in partitionings)
            searched = f"a genetic search trained {counted(wrapper.trained, 'subset')} of columns"
            notes = (f"{searched}; a better partitioning may exist",)
            return Partitionings(recipes, accuracies, notes, wrapper.trained)

        def interim(partitionings: Callable[[], Sequence[Partitioning]]) -> None:
            if offer is not None:
                offer(lambda: best_of(partitionings()))

        found = best_of(self._partitionings(wrapper, guards, schema, np.random.default_rng(seed), interim))
        if found is not None:
            return found
        majority = float(np.bincount(wrapper.features.classes).max() / wrapper.features.rows)
        kinds = " and ".join(f"{g.kind} (k={g.least_rows})" if g.by_size else g.kind for g in guards)
        several = f" in at least {counted(self.min_subsets, 'projection')}" if self.min_subsets > 1 else ""
        note = f"no partitioning of the columns{several} keeps {kinds}, so nothing is published"
        return Partitionings((Decomposition(schema, (), wrapper.rules),), (majority,), (note,), wrapper.trained)

    def wrapper(self, table: Table, schema: Schema, guards: Sequence[Guard], *, seed: int = 0) -> Wrapper:
        """Return what the search uses to evaluate partitionings, so that you can evaluate your own."""
        from fairveil.learning.classifiers import inducer
        from fairveil.methods.dmpd.features import Features, bins_of
        from fairveil.methods.dmpd.wrapper import Wrapper

        _refuse_unfit(table, schema, guards, self.overlap)
        k = _k(guards)
        rules = bins_of(table, schema, self.cuts, min_rows=k if self.interval_rows == "k" else 1)
        features = Features.of(table, schema, rules)
        if not self.recode:  # a column that is not anonymous alone is not anonymous with others
            features = features.take([i for i in range(len(features)) if features.facts((i,)).smallest >= k])
        return Wrapper(
            features, inducer(self.inducer), folds=self.folds, seed=seed, repair_below=k if self.recode else 0,
            hierarchies={name: rule for name, rule in schema.hierarchies.items() if name not in rules}, rules=rules,
            fixed=schema.levels,
        )  # fmt: skip

    def attackers(self, wrapper: Wrapper, schema: Schema, rng: np.random.Generator) -> Attackers:
        """Return the attackers that `probabilities` describe; one who knows every column if there are none."""
        from fairveil.methods.dmpd.attackers import Attackers

        refuse([suggest(name, schema.quasi, "quasi column") for name in self.probabilities if name not in schema.quasi])
        return Attackers.drawn(wrapper, self.probabilities, rng)

    def _given(self, wrapper: Wrapper, table: Table, guards: Sequence[Guard], schema: Schema) -> Partitioning:
        """Return the given partitioning if it keeps the guards."""
        from fairveil.methods.dmpd.partitioning import Partitioning

        names, known = [name for subset in self.subsets or () for name in subset], wrapper.features.names
        published = [*schema.quasi, *schema.sensitive, *schema.protected, *schema.plain]
        allowed = [name for name in table.names if name in published and name != schema.decision]
        problems = [suggest(name, allowed, "column to publish") for name in dict.fromkeys(names) if name not in allowed]
        if not names or not all(self.subsets or ()):
            problems.append("dmpd: every one of the given subsets must name at least one column")
        if not self.overlap and len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            problems.append(f"dmpd: column {twice!r} is in several subsets, which needs {option('overlap', True)}")
        refuse(problems)
        k = _k(guards)
        for name in names:
            if name not in known:
                raise Infeasible(
                    f"a value of {name!r} has fewer than {k} records, so no projection with it keeps k={k}"
                )
        given = Partitioning.of([[known.index(name) for name in subset] for subset in self.subsets or ()], len(known))
        level, others = wrapper.level(given), [guard for guard in guards if not guard.by_size]
        if level < k:
            raise Infeasible(f"the given projections have the anonymity level {level}, which is below k={k}")
        verdicts = wrapper.projections(given, schema.sensitive).check(others) if others else []
        if broken := [guard.kind for guard, verdict in zip(others, verdicts, strict=True) if not verdict]:
            raise Infeasible(f"the given projections do not keep {' and '.join(broken)}")
        return given

    def _partitionings(
        self,
        wrapper: Wrapper,
        guards: Sequence[Guard],
        schema: Schema,
        rng: np.random.Generator,
        interim: Callable[[Callable[[], Sequence[Partitioning]]], object],
    ) -> list[Partitioning]:
        from fairveil.methods.dmpd.genetic import ParetoSearch, PartitioningSearch

        if not len(wrapper.features):
            return []
        k, other_guards = _k(guards), [guard for guard in guards if not guard.by_size]

        def level(z: Partitioning) -> int:
            reached = wrapper.level(z)
            if (
                len(z.subsets) < self.min_subsets
                or reached < k
                or (other_guards and not all(wrapper.projections(z, schema.sensitive).check(other_guards)))
            ):
                return 0
            return reached

        def valid(z: Partitioning) -> bool:
            return level(z) >= k

        if self.objective == "pareto":
            attackers = self.attackers(wrapper, schema, rng)
            frontier = ParetoSearch(wrapper, self, level, attackers.privacy, k, rng)
            return frontier.run(wrapper.progress, interim)[: self.keep]
        always = self.set_check == "always"

        def partly_valid(z: Partitioning) -> bool:
            return len(z.subsets) >= self.min_subsets and wrapper.partial(z) >= k

        bonus = self.anonymity_weight / np.log(max(wrapper.features.rows, 2))

        def reward(z: Partitioning) -> float:
            return float(bonus * np.log(max(wrapper.level(z), 1))) if bonus else 0.0

        search = PartitioningSearch(wrapper, self, valid if always else partly_valid, rng, reward)

        def best() -> list[Partitioning]:
            ranked = search.ranked(z for z, fitness in search.fitness.items() if fitness > 0)
            return list(islice((z for z in ranked if always or valid(z)), self.keep))

        search.run(wrapper.progress, lambda: interim(best))
        return best()


@dataclass(frozen=True)
class Partitionings:
    """Recipes, best first, the accuracy of each in the search's own cross-validation, and notes.

    `trained` counts the subsets of columns that a classifier was trained for.
    """

    recipes: tuple[Decomposition, ...]
    accuracies: tuple[float, ...]
    notes: tuple[str, ...]
    trained: int


def _refuse_unfit(table: Table, schema: Schema, guards: Sequence[Guard], overlap: bool) -> None:
    unfit = [guard.kind for guard in guards if not guard.on_projections]
    unfit += [f"{guard.kind} on key sets" for guard in guards if guard.on_projections and guard.across]
    problems = [f"dmpd cannot keep {kind}: it is not defined for projections" for kind in unfit]
    problems += [
        f"dmpd: overlap and {guard.kind} do not go together: it is not defined for projections that share columns"
        for guard in guards
        if overlap and not guard.on_overlapping
    ]
    if schema.decision is None:
        problems.append("dmpd needs a decision column: the class that classifiers learn from the projections")
    if schema.pseudonyms:
        problems.append(f"dmpd cannot publish the pseudonym {schema.pseudonyms[0]!r}: it would link the projections")
    refuse(problems)
    if len(np.unique(table.column(schema.decision or "").codes)) < 2:
        raise BadInput(f"all rows have the same {schema.decision!r}, so there is nothing to learn")


def _k(guards: Sequence[Guard]) -> int:
    return max((guard.least_rows for guard in guards), default=1)


def _recipe(z: Partitioning, wrapper: Wrapper, schema: Schema) -> Decomposition:
    names = wrapper.features.names
    subsets = tuple(tuple(names[i] for i in subset) for subset in z.subsets)
    changes = tuple(dict(wrapper.treatment(subset).changes) for subset in z.subsets)
    return Decomposition(schema, subsets, wrapper.rules, changes)
