"""The runs behind the decomposition experiment: data, methods, and results that a later run goes on from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from experiments import not_bundled
from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.datasets.dataset import data_file, trees
from fairveil.datasets.real import ADULT_QUASI
from fairveil.evaluation import classify, halves, top_features
from fairveil.guards import Guard, KAnonymity
from fairveil.learning.discretization import mdl_cuts
from fairveil.methods import DMPD, TDR, TDS
from fairveil.methods.task import Task
from fairveil.recipes.base import Recipe
from fairveil.recipes.recoding import Bins, recode

BUNDLED = ("adult", "german_credit")
SAMPLE = 6_000
"""Rows of a large data set in the quick form."""
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


@dataclass(frozen=True)
class Case:
    """One cell of a table: data set, how many features are quasi, k, the inducer, the method, and which halves.

    The methods: "baseline", all columns as they are ("baseline-raw": as in the file); "dmpd", the paper's; "dmpd-seen",
    the same after all numbers were cut into intervals from all rows, also those to be tested on; "dmpd+", with
    intervals of k rows and single values recoded; "tds"; "tdr".
    """

    data: str
    top: int
    k: int
    inducer: str
    method: str
    halves: int = 0
    search: tuple[int, int] | None = None  # generations and population, where they are not the usual ones

    @property
    def key(self) -> str:
        parts: list[Any] = [self.data, self.top, self.k, self.inducer, self.method]
        if self.halves:
            parts.append(f"halves {self.halves}")
        if self.search:
            parts.append("x".join(map(str, self.search)))
        return "/".join(map(str, parts))

    def __str__(self) -> str:
        return self.key.replace("/", ", ")


@dataclass
class Runs:
    """Accuracies of every case on the ten halves of 5×2 cross-validation, kept in a file as they come."""

    path: Path
    full: bool
    seed: int
    results: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        mark = {"full": self.full, "seed": self.seed, "form": 3}
        if self.path.is_file():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            if kept.get("of") == mark:
                self.results = kept["results"]
        self.mark = mark

    def save(self) -> None:
        fresh = self.path.with_suffix(".part")
        fresh.write_text(json.dumps({"of": self.mark, "results": self.results}, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.path)

    def of(self, case: Case) -> np.ndarray:
        """Five rows of two accuracies, computed unless they are there."""
        if case.key not in self.results:
            table, quasi = prepared(case.data, self.full)
            if case.method == "dmpd-seen" and not any(is_number(column) for column in table.columns[:-1]):
                return self.of(replace(case, method="dmpd"))  # nothing is cut into intervals
            if case.method == "baseline-raw":
                table = raw(case.data)
            self.results[case.key] = run(case, table, quasi[: case.top], self.full, self.seed + case.halves)
            self.save()
        return np.array(self.results[case.key]).reshape(5, 2)


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
def prepared(name: str, full: bool) -> tuple[Table, list[str]]:
    """The table of a data set (a sample of a large one in the quick form) and its features, most telling first."""
    table = without_rare_classes(complete(whole(name)))
    if not full and table.rows > SAMPLE:
        chosen = np.sort(np.random.default_rng(0).choice(table.rows, SAMPLE, replace=False))
        table = table.take(chosen).compact()
    decision = table.names[-1]
    return table, top_features(table, decision, len(table.names) - 1)


def settings(full: bool) -> dict[str, Any]:
    """The paper's genetic search, 100 generations of 50, or a short one."""
    return {"generations": 100, "population": 50} if full else {"generations": 15, "population": 20}


def dmpd(inducer: str, full: bool, extended: bool, **more: Any) -> DMPD:
    """As in the paper, or with intervals of k rows, single values recoded and rejoining checked all along."""
    form = {"recode": True} if extended else {"least": "any", "set_check": "last"}
    return DMPD(inducer=inducer, **{**settings(full), **form, **more})


def schema_of(table: Table, quasi: list[str], hierarchies: Mapping[str, Any]) -> Schema:
    decision = table.names[-1]
    plain = [name for name in table.names if name not in quasi and name != decision]
    of_quasi = {name: rule for name, rule in hierarchies.items() if name in quasi}
    return Schema(quasi=quasi, plain=plain, decision=decision, hierarchies=of_quasi)


def discretized(table: Table) -> Table:
    """Every number cut into intervals by MDL, from all rows: what the paper's figures look like."""
    cuts = cuts_of(table, table.names[:-1])
    columns = [recode(c, Bins(cuts[c.name]))[0] if c.name in cuts else c for c in table.columns]
    return Table(tuple(columns))


def cuts_of(table: Table, names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """MDL cut points of the numbers among these columns."""
    classes = table.columns[-1].codes
    numeric = [table.column(name) for name in names if is_number(table.column(name))]
    return {column.name: mdl_cuts(numbers_per_value(column)[column.codes], classes) for column in numeric}


def recipe_for(case: Case, train: Table, quasi: list[str], full: bool, seed: int) -> Recipe | None:
    """What a method learns from one half; nothing for the baseline."""
    if case.method in ("baseline", "baseline-raw"):
        return None
    guards: list[Guard] = [KAnonymity(case.k)] if case.k > 1 else []
    if case.method.startswith("dmpd"):
        length = dict(zip(("generations", "population"), case.search, strict=True)) if case.search else {}
        method = dmpd(case.inducer, full, case.method == "dmpd+", **length)
        return method.partition(train, schema_of(train, quasi, {}), guards, seed=seed).recipes[0]
    # TDS has taxonomies for Adult, two levels elsewhere; TDR suppresses values instead
    taxonomies = trees("adult", ADULT_QUASI) if case.data == "adult" and case.method == "tds" else {}
    task = Task.of(train, schema_of(train, quasi, taxonomies), guards)
    return (TDS() if case.method == "tds" else TDR()).search(task).changes[0].recipe


def run(case: Case, table: Table, quasi: list[str], full: bool, seed: int) -> list[float]:
    """The recipe fitted on one half and applied to the other, ten times (the paper's Fig. 9)."""
    decision = table.names[-1]
    if case.method == "dmpd-seen":
        table = discretized(table)
    accuracies = []
    for learnt, tested in halves(table.column(decision).codes, seed):
        train, test = table.take(learnt).compact(), table.take(tested)
        recipe = recipe_for(case, train, quasi, full, seed)
        accuracies.append(100 * classify(recipe, train, test, decision, case.inducer))
    return accuracies
