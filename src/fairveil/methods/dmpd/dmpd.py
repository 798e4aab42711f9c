"""DMPD (Matatov, Rokach and Maimon 2010): split the columns into projections, anonymous alone and when rejoined.

Values stay as they are, except that numeric quasi columns are cut into intervals that tell the classes apart. A genetic
search looks for the most accurate partitioning: one classifier per projection, combined by naive Bayes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, refuse
from fairveil.guards import Guard
from fairveil.methods.method import Method, Proposal, Recipes, propose
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.progress import Progress
from fairveil.recipes.decomposition import Decomposition
from fairveil.recipes.recoding import ColumnRule
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.dmpd.genetic import GeneticSettings, Report
    from fairveil.methods.dmpd.partitioning import Partitioning
    from fairveil.methods.dmpd.wrapper import Trained, Wrapper


@dataclass(frozen=True)
class DMPD(Method):
    """The most accurate partitionings, best first (`objective="accuracy"`), or accuracy against anonymity ("pareto").

    `inducer` is "tree", "c4.5", "naive-bayes", or any scikit-learn classifier with predict_proba. With `least="k"`
    intervals of numbers have at least k rows, so that no column is lost because of a few rare numbers; with "any" they
    have, as in the paper, whatever size the classes suggest. With `set_check="always"` partitionings that could be
    rejoined below k are invalid at once; with "last" they are checked only at the end, as in the paper, where the check
    was too slow.
    """

    kind: ClassVar[str] = "dmpd"
    says: ClassVar[str] = "Keeps values as they are and splits the columns into tables that still predict the decision."
    needs_rows: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    inducer: Any = field(default="tree", metadata=setting("the classifier that partitionings are evaluated with"))
    objective: Literal["accuracy", "pareto"] = field(
        default="accuracy", metadata=setting("the most accurate partitionings, or accuracy against anonymity")
    )
    generations: int = field(default=100, metadata=setting("maximum number of generations", min=0))
    population: int = field(default=50, metadata=setting("number of solutions in a generation", min=2))
    crossover: float = field(default=0.8, metadata=setting("probability that two solutions are combined", min=0, max=1))
    mutation: float = field(
        default=0.05, metadata=setting("probability that a part of a solution changes", min=0, max=1)
    )
    folds: int = field(default=5, metadata=setting("number of folds of the cross-validation", min=2))
    patience: int | None = field(
        default=None, metadata=setting("generations without improvement after which the search ends", min=0)
    )
    cuts: Mapping[str, Sequence[float]] = field(
        default_factory=dict, metadata=setting("cut points of numeric columns, by column")
    )
    least: Literal["k", "any"] = field(
        default="k", metadata=setting("whether intervals of numbers must hold k records")
    )
    set_check: Literal["always", "last"] = field(
        default="always", metadata=setting("when joins of projections are checked: always, or only at the end")
    )
    recode: bool = field(default=False, metadata=setting("also generalize values, not only split columns"))
    overlap: bool = field(default=False, metadata=setting("a column may be in several projections"))
    keep: int = field(default=20, metadata=setting("maximum number of candidates that are kept", min=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recode and self.overlap:
            raise BadInput("dmpd: recode and overlap do not go together, because a shared column could be compared")

    @property
    def settings(self) -> GeneticSettings:
        from fairveil.methods.dmpd.genetic import GeneticSettings

        return GeneticSettings(
            self.generations, self.population, self.crossover, self.mutation, self.overlap, self.patience
        )

    def search(self, task: Task) -> Proposal:
        best = self.partition(task.table, task.schema, task.guards, seed=task.seed, report=task.progress)
        values = {"accuracy": np.array(best.accuracies)}
        return propose(task, self, Recipes(best.recipes), notes=best.notes, values=values)

    def partition(
        self,
        table: Table,
        schema: Schema,
        guards: Sequence[Guard],
        *,
        seed: int = 0,
        report: Report | None = None,
        known: Trained | None = None,
    ) -> Partitionings:
        """Return the recipes, best first; if no partitioning keeps the guards, the recipe that publishes nothing.

        `known` is what a search of the same table with the same seed has trained; only k may differ, and only if
        neither intervals (`least`) nor values (`recode`) depend on it.
        """
        _refuse_unfit(table, schema, guards, self.overlap)
        rules = self._rules(table, schema, guards)
        wrapper = self._wrapper(table, schema, guards, rules, seed)
        wrapper.known = known
        wrapper.progress = Progress.of(report)
        k = _k(guards)
        partitionings = self._partitionings(wrapper, k, guards, schema, np.random.default_rng(seed), report or _quiet)
        recipes = tuple(_recipe(z, wrapper, schema, rules) for z in partitionings)
        if recipes:
            accuracies = tuple(wrapper.accuracy(z) for z in partitionings)
            return Partitionings(recipes, accuracies, (_note(wrapper),), wrapper.trained)
        majority = float(np.bincount(wrapper.features.classes).max() / wrapper.features.rows)
        kinds = " and ".join(_in_words(guard) for guard in guards)
        note = f"no partitioning of the columns keeps {kinds}, so nothing is published"
        return Partitionings((Decomposition(schema, (), rules),), (majority,), (note,), wrapper.trained)

    def _rules(self, table: Table, schema: Schema, guards: Sequence[Guard]) -> dict[str, ColumnRule]:
        """Return how numeric quasi columns are divided into intervals."""
        from fairveil.methods.dmpd.features import bins_of

        return bins_of(table, schema, self.cuts, min_rows=_k(guards) if self.least == "k" else 1)

    def _wrapper(
        self, table: Table, schema: Schema, guards: Sequence[Guard], rules: Mapping[str, ColumnRule], seed: int
    ) -> Wrapper:
        """Return anonymity and accuracy of the partitionings of the columns that may be published."""
        from fairveil.learning.classifiers import inducer
        from fairveil.methods.dmpd.features import Features
        from fairveil.methods.dmpd.wrapper import Wrapper

        k = _k(guards)
        features = Features.of(table, schema, rules)
        if not self.recode:  # a column that is not anonymous alone is not anonymous with others
            features = features.take([i for i in range(len(features)) if features.facts((i,)).smallest >= k])
        return Wrapper(
            features, inducer(self.inducer), folds=self.folds, seed=seed, repair_below=k if self.recode else 0,
            hierarchies={name: rule for name, rule in schema.hierarchies.items() if name not in rules},
        )  # fmt: skip

    def wrapper(self, table: Table, schema: Schema, guards: Sequence[Guard], *, seed: int = 0) -> Wrapper:
        """Return what the search uses to evaluate partitionings, so that you can evaluate your own."""
        _refuse_unfit(table, schema, guards, self.overlap)
        return self._wrapper(table, schema, guards, self._rules(table, schema, guards), seed)

    def _partitionings(
        self,
        wrapper: Wrapper,
        k: int,
        guards: Sequence[Guard],
        schema: Schema,
        rng: np.random.Generator,
        report: Report,
    ) -> list[Partitioning]:
        from fairveil.methods.dmpd.genetic import PartitioningSearch
        from fairveil.methods.dmpd.pareto_search import ParetoSearch

        if not len(wrapper.features):
            return []
        other_guards = [guard for guard in guards if not guard.by_size]

        def keeps(z: Partitioning) -> bool:
            return not other_guards or all(wrapper.projections(z, schema.sensitive).check(other_guards))

        def level(z: Partitioning) -> int:
            reached = wrapper.level(z)
            return reached if reached >= k and keeps(z) else 0

        def valid(z: Partitioning) -> bool:
            return level(z) >= k

        if self.objective == "pareto":
            return ParetoSearch(wrapper, self.settings, level, k, rng).run(report)[: self.keep]
        during = valid if self.set_check == "always" else (lambda z: wrapper.partial(z) >= k)
        search = PartitioningSearch(wrapper, self.settings, during, rng)
        search.run(report)
        ranked = sorted(
            (z for z, fitness in search.fitness.items() if fitness > 0),
            key=lambda z: (-search.fitness[z], len(z.subsets), z.subsets),
        )
        best: list[Partitioning] = []
        for z in ranked:
            if len(best) == self.keep:
                break
            if during is valid or valid(z):
                best.append(z)
        return best


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
    problems = [
        f"dmpd cannot keep {guard.kind}: it is not defined for projections" for guard in guards
        if not guard.on_projections
    ]  # fmt: skip
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


def _recipe(z: Partitioning, wrapper: Wrapper, schema: Schema, rules: Mapping[str, ColumnRule]) -> Decomposition:
    names = wrapper.features.names
    subsets = tuple(tuple(names[i] for i in subset) for subset in z.subsets)
    changes = [dict(treatment.changes) if (treatment := wrapper.treatment(subset)) else {} for subset in z.subsets]
    return Decomposition(schema, subsets, rules, tuple(changes))


def _note(wrapper: Wrapper) -> str:
    return f"a genetic search trained {counted(wrapper.trained, 'subset')} of columns; a better partitioning may exist"


def _in_words(guard: Guard) -> str:
    return f"{guard.kind} (k={guard.least_rows})" if guard.by_size else guard.kind


def _quiet(share: float, what: str) -> None:
    """Do nothing: for searches without progress."""
