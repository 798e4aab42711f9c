"""The runs behind the decomposition experiment: data, methods, and the accuracy of each on ten halves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from experiments import not_bundled
from experiments.papers import read
from experiments.study import Study
from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.datasets.dataset import data_file, trees
from fairveil.datasets.real import ADULT_QUASI
from fairveil.evaluation import classify, halves, top_features
from fairveil.guards import Guard, KAnonymity
from fairveil.learning.information_gain import mdl_cuts
from fairveil.methods.dmpd import DMPD
from fairveil.methods.dmpd.wrapper import Trained
from fairveil.methods.task import Task
from fairveil.methods.tdr import TDR
from fairveil.methods.tds import TDS
from fairveil.progress import Progress
from fairveil.recipes.recipe import Recipe
from fairveil.recipes.recoding import IntervalBins, recode

BUNDLED = ("adult", "german_credit")
INDUCERS = ("c4.5", "naive-bayes")
FORMS = ("dmpd", "dmpd-seen")
"""What the paper may have done: intervals from the half to learn from, or from all rows."""
LARGE = ("nursery", "adult")
HALVES = 10
"""Five halvings, each learnt from both ways."""
NOMINAL = {
    "nursery": ("children",),
    "heart": ("sex", "chest_pain", "fasting_bs", "rest_ecg", "exercise_angina", "thal"),
    "cmc": ("Wife_education", "Husband_education", "Wife_religion", "Wife_working", "Husband_occupation",
            "Standard-of-living", "Media_exposure"),
}  # fmt: skip
"""Columns of digits that are categories by the documentation of their data set."""


def available(name: str) -> bool:
    return name == "wisconsin" or file_of(name) is not None


def file_of(name: str) -> Path | None:
    if name in BUNDLED:
        return data_file(name)
    return not_bundled(f"{name}.csv.gz")


@cache
def printed(table: str) -> Mapping[str, float]:
    """The numbers of one table of the paper."""
    return next(sheet.numbers for sheet in read("decomposition").printed if sheet.name == table)


def table_of(data: str) -> str:
    """The part of Table 1 that a data set is in: the large ones take hours."""
    return "Table 1, Adult and Nursery" if data in LARGE else "Table 1"


def levels(data: str) -> tuple[int, ...]:
    """The four values of k that the paper tries on a data set."""
    return {"adult": (50, 100, 200, 500), "nursery": (50, 100, 150, 200)}.get(data, (10, 20, 30, 50))


def top_of(data: str) -> int:
    """How many features are quasi in Table 1."""
    return 8 if data in ("nursery", "pima") else 9


@dataclass(frozen=True)
class Case:
    """One cell of a table: data set, how many features are quasi, k, the inducer, the method, and which halves.

    The methods: "baseline", all columns as they are ("baseline-raw": as in the file; "baseline-cut": numbers cut into
    intervals); "dmpd", the paper's; "dmpd-seen", the same after all numbers were cut into intervals from all rows, also
    those to be tested on; "dmpd+", with intervals of k rows and single values recoded; "tds"; "tdr"; "tds-seen" and
    "tdr-seen", which learnt from all rows.
    """

    data: str
    top: int
    k: int
    inducer: str
    method: str
    halves: int = 0
    search: tuple[int, int] | None = None  # generations and population, where they are not the usual ones

    @property
    def searches(self) -> bool:
        return self.method.startswith("dmpd")

    @property
    def training(self) -> tuple[Any, ...]:
        """Cases in which this is the same train the same columns on the same halves: all but k and length."""
        shared = self.method in ("dmpd", "dmpd-seen")
        return self.data, self.top, self.inducer, self.method, self.halves, None if shared else (self.k, self.search)

    def __str__(self) -> str:
        return f"{self.data}, {self.inducer}, top {self.top}, k={self.k}, {self.method}"


class Runs:
    """Accuracies of every case on the ten halves of 5×2 cross-validation, each kept as it comes."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.search = study.pick(tiny=(1, 6), quick=(15, 20), full=(100, 50))
        self.most = study.pick(tiny=300, quick=6_000, full=10**9)
        self.other_halves = study.pick(tiny=(1,), quick=(1, 2, 3, 4), full=(1, 2, 3, 4))
        self.tops = study.pick(tiny=(5,), quick=(5, 9), full=(5, 7, 9))

    def table(self, data: str) -> tuple[Table, list[str]]:
        return prepared(data, self.most)

    def ks(self, data: str) -> tuple[int, ...]:
        """The values of k above 1: all, or the ends."""
        first, *_, last = levels(data)
        return self.study.pick(tiny=(first,), quick=(first, last), full=levels(data))

    @property
    def shortness(self) -> str:
        """What a reader must know of short searches; nothing where they are as long as the paper's."""
        generations, population = self.search
        short = f"Searches of {generations} generations of {population}; of 100 of 50 in the paper and the full form."
        return "" if self.study.full else short

    def of(self, case: Case) -> np.ndarray:
        """Five rows of two accuracies in percent."""
        return np.array([self._half(case, half, {}) for half in range(HALVES)]).reshape(5, 2)

    def all(self, cases: Sequence[Case], progress: Progress) -> None:
        """Compute these, those together that share what is trained; what is done comes from the file."""
        costs = [self.cost(case) for case in cases]
        done, total = 0.0, sum(costs)
        groups: dict[Any, list[tuple[Case, float]]] = {}
        for case, cost in zip(cases, costs, strict=True):
            groups.setdefault(case.training, []).append((case, cost))
        for pairs in groups.values():
            for half in range(HALVES):
                known: Trained = {}
                for case, cost in pairs:
                    progress.tell(done / total, f"{case}, half {half + 1} of {HALVES}")
                    self._half(case, half, known)
                    done += cost / HALVES

    def _half(self, case: Case, half: int, known: Trained) -> float:
        table, quasi = self.table(case.data)
        if case.method == "dmpd-seen" and not any(is_number(column) for column in table.columns[:-1]):
            case = replace(case, method="dmpd")  # nothing is cut into intervals
        if case.searches:
            case = replace(case, search=case.search or self.search)
        of = {"what": "half", **asdict(case), "half": half, "rows": table.rows}
        if case.method == "dmpd-seen":
            table = seen(case.data, self.most)
        elif case.method == "baseline-raw":
            table = raw(case.data)
        return float(self.study.once(of, lambda: run(case, half, table, quasi, self.study.seed, known, self.most)))

    def cost(self, case: Case) -> float:
        """About the seconds of a case beside the others, so that progress tells the truth.

        A search takes so long for itself and so long for what it trains: the more, the more rows and columns; several
        times as much where no promise keeps it small.
        """
        table, _ = self.table(case.data)
        rows = table.rows / 1_000
        if not case.searches:
            return 0.1 + 0.05 * rows
        generations, population = case.search or self.search
        trained = 0.05 * rows * len(table.names) * (4 if case.k == 1 else 1) * (1 if case.inducer == "c4.5" else 0.1)
        return (0.6 + trained) * generations * population / 1_000 * (1.5 if case.method == "dmpd+" else 1)


@cache
def whole(name: str) -> Table:
    """All rows of a data set, the decision last. Wisconsin is the diagnostic one (569 rows), as the paper's must be."""
    if name == "wisconsin":
        from sklearn.datasets import load_breast_cancer

        cancer = load_breast_cancer()
        columns = {str(feature): cancer.data[:, i] for i, feature in enumerate(cancer.feature_names)}
        return Table.from_frame(pa.table({**columns, "class": cancer.target_names[cancer.target].astype(str)}))
    path = file_of(name)
    assert path is not None
    return Table.read(path, missing_values=("?",), text=NOMINAL.get(name, ())).drop(["split"])


@cache
def raw(name: str) -> Table:
    """The file as it is, also rows that miss values; digits are numbers, where no word is among them (Nursery)."""
    path = file_of(name)
    text = NOMINAL[name] if name == "nursery" else ()
    return Table.read(path, missing_values=("?",), text=text).drop(["split"]) if path else whole(name)


def complete(table: Table) -> Table:
    """The rows that miss no value, as in the paper."""
    holes = np.zeros(table.rows, dtype=bool)
    for column in table.columns:
        holes |= np.array([value is None for value in column.domain], dtype=bool)[column.codes]
    return table.take(np.flatnonzero(~holes)).compact() if holes.any() else table


def without_rare_classes(table: Table, least: int = 10) -> Table:
    """Without rows of a class that has next to none: two of Nursery's 12,960 say "recommend".

    By Definition 8 of the paper, two projections that show a class of one row could never be joined above 1.
    """
    target = table.columns[-1]
    often = np.bincount(target.codes, minlength=len(target.values)) >= least
    return table if often.all() else table.take(np.flatnonzero(often[target.codes])).compact()


@cache
def prepared(name: str, most: int = 10**9) -> tuple[Table, list[str]]:
    """The table of a data set (at most so many rows, drawn) and its features, most telling first."""
    table = without_rare_classes(complete(whole(name)))
    if table.rows > most:
        chosen = np.sort(np.random.default_rng(0).choice(table.rows, most, replace=False))
        table = table.take(chosen).compact()
    decision = table.names[-1]
    return table, top_features(table, decision, len(table.names) - 1)


def dmpd(inducer: str, search: tuple[int, int], extended: bool = False, **more: Any) -> DMPD:
    """As in the paper, or with intervals of k rows, single values recoded and rejoining checked all along."""
    form = {"recode": True} if extended else {"interval_rows": "any", "set_check": "last"}
    generations, population = search
    return DMPD(inducer=inducer, generations=generations, population=population, **{**form, **more})


def schema_of(table: Table, quasi: list[str], hierarchies: Mapping[str, Any]) -> Schema:
    decision = table.names[-1]
    plain = [name for name in table.names if name not in quasi and name != decision]
    of_quasi = {name: rule for name, rule in hierarchies.items() if name in quasi}
    return Schema(quasi=quasi, plain=plain, decision=decision, hierarchies=of_quasi)


def cut(table: Table, cuts: Mapping[str, tuple[float, ...]]) -> Table:
    """Some numbers as intervals."""
    return Table(tuple(recode(c, IntervalBins(cuts[c.name]))[0] if c.name in cuts else c for c in table.columns))


@cache
def seen(name: str, most: int) -> Table:
    """Every number cut into intervals by MDL, from all rows, those to be tested on among them."""
    table, _ = prepared(name, most)
    return cut(table, cuts_of(table, table.names[:-1]))


def cuts_of(table: Table, names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """MDL cut points of the numbers among these columns."""
    classes = table.columns[-1].codes
    numeric = [table.column(name) for name in names if is_number(table.column(name))]
    return {column.name: mdl_cuts(numbers_per_value(column)[column.codes], classes) for column in numeric}


def recipe_for(case: Case, train: Table, quasi: list[str], seed: int, known: Trained) -> Recipe | None:
    """What a method learns from one half; nothing for a baseline."""
    if case.method.startswith("baseline"):
        return None
    guards: list[Guard] = [KAnonymity(case.k)] if case.k > 1 else []
    if case.search:
        extended = case.method == "dmpd+"
        method = dmpd(case.inducer, case.search, extended)
        shared = None if extended else known
        return method.partition(train, schema_of(train, quasi, {}), guards, seed=seed, known=shared).recipes[0]
    return top_down(case, train, quasi)


def top_down(case: Case, table: Table, quasi: list[str]) -> Recipe:
    """TDS has taxonomies for Adult, two levels elsewhere; TDR suppresses values instead."""
    tds = case.method.startswith("tds")
    taxonomies = trees("adult", ADULT_QUASI) if case.data == "adult" and tds else {}
    task = Task.of(table, schema_of(table, quasi, taxonomies), [KAnonymity(case.k)])
    return (TDS() if tds else TDR()).search(task).changes[0].recipe


@cache
def from_all(case: Case, most: int) -> Recipe:
    """What TDS or TDR learns from all rows: k is then counted on them, and the test rows are among them."""
    table, quasi = prepared(case.data, most)
    return top_down(case, table, quasi[: case.top])


def run(
    case: Case, half: int, table: Table, quasi: Sequence[str], seed: int, known: Trained, most: int = 10**9
) -> float:
    """Accuracy in percent of what is learnt from one half and applied to the other (the paper's Fig. 9)."""
    decision = table.names[-1]
    learnt, tested = list(halves(table.column(decision).codes, seed + case.halves))[half]
    train, test = table.take(learnt).compact(), table.take(tested)
    if case.method == "baseline-cut":
        cuts = cuts_of(train, train.names[:-1])
        train, test = cut(train, cuts), cut(test, cuts)
    if case.method in ("tds-seen", "tdr-seen"):
        recipe: Recipe | None = from_all(replace(case, inducer=""), most)
    else:
        recipe = recipe_for(case, train, list(quasi[: case.top]), seed + case.halves, known)
    return 100 * classify(recipe, train, test, decision, case.inducer)
