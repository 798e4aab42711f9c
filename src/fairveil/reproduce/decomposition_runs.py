"""The runs behind the decomposition experiment: data, methods, and results that a later run goes on from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.datasets.dataset import data_file, trees
from fairveil.datasets.real import ADULT_QUASI
from fairveil.evaluation import classify, halves, top_features
from fairveil.guards import Guard, KAnonymity
from fairveil.methods import DMPD, TDR, TDS
from fairveil.recipe import Recipe
from fairveil.reproduce import data_folders
from fairveil.schema import Schema
from fairveil.table import Table
from fairveil.task import Task

BUNDLED = ("adult", "german_credit")
SAMPLE = 6_000
"""Rows of a large data set in the quick form."""


def file_of(name: str) -> Path | None:
    if name in BUNDLED:
        return data_file(name)
    return next((path for folder in data_folders() if (path := folder / f"{name}.csv.gz").is_file()), None)


@dataclass(frozen=True)
class Case:
    """One cell of a table: data set, how many features are quasi, k, the inducer and the method."""

    data: str
    top: int
    k: int
    inducer: str
    method: str

    @property
    def key(self) -> str:
        return "/".join(str(part) for part in (self.data, self.top, self.k, self.inducer, self.method))


@dataclass
class Runs:
    """Accuracies of every case on the ten halves of 5×2 cross-validation, kept in a file as they come."""

    path: Path
    full: bool
    seed: int
    results: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        mark = {"full": self.full, "seed": self.seed}
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
            self.results[case.key] = run(case, table, quasi[: case.top], self.full, self.seed)
            self.save()
        return np.array(self.results[case.key]).reshape(5, 2)


@cache
def prepared(name: str, full: bool) -> tuple[Table, list[str]]:
    """The table of a data set (a sample of a large one in the quick form) and its features, most telling first."""
    path = file_of(name)
    assert path is not None
    table = Table.read(path, missing_values=("?",), text=("children",) if name == "nursery" else ())
    table = table.drop(["split"])
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
    held = {name: rule for name, rule in hierarchies.items() if name in quasi}
    return Schema(quasi=quasi, plain=plain, decision=decision, hierarchies=held)


def recipe_for(case: Case, train: Table, quasi: list[str], full: bool, seed: int) -> Recipe | None:
    """What a method learns from one half; nothing for the baseline."""
    if case.method == "baseline":
        return None
    guards: list[Guard] = [KAnonymity(case.k)] if case.k > 1 else []
    if case.method.startswith("dmpd"):
        method = dmpd(case.inducer, full, case.method == "dmpd+")
        return method.partition(train, schema_of(train, quasi, {}), guards, seed=seed).recipes[0]
    # TDS has taxonomies for Adult, two levels elsewhere; TDR suppresses values instead
    taxonomies = trees("adult", ADULT_QUASI) if case.data == "adult" and case.method == "tds" else {}
    task = Task.of(train, schema_of(train, quasi, taxonomies), guards)
    return (TDS() if case.method == "tds" else TDR()).search(task).recipes[0]


def run(case: Case, table: Table, quasi: list[str], full: bool, seed: int) -> list[float]:
    """The recipe fitted on one half and applied to the other, ten times (the paper's Fig. 9)."""
    decision = table.names[-1]
    made = []
    for learnt, tested in halves(table.column(decision).codes, seed):
        train, test = table.take(learnt).compact(), table.take(tested)
        recipe = recipe_for(case, train, quasi, full, seed)
        made.append(100 * classify(recipe, train, test, decision, case.inducer))
    return made
