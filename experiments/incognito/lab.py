"""The paper's data sets, what is protected in each, and the searches and classifiers that are tried on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import fairveil as fv
from experiments.incognito.classifiers import Split
from experiments.study import Study
from fairveil.data.schema import Schema
from fairveil.datasets import Dataset
from fairveil.frontier.frontier import Frontier
from fairveil.guards import Guard
from fairveil.recipes.full_domain import FullDomain

KS = (5, 10, 25, 50, 100)
SUPPORT = 0.05
CONTEXTS = ("quasi",)  # the paper's
GROUNDS = {
    "adult": {
        "DA1": ("race", "sex", "marital-status"),
        "DA2": ("race", "sex"),
        "DA3": ("race", "marital-status"),
    },
    "german_credit": {
        "DA1": ("sex", "marital_status", "foreign_worker"),
        "DA2": ("sex", "marital_status"),
        "DA3": ("sex", "foreign_worker"),
    },
}
RANDOM = ("RIPPER",)
"""Learners whose result depends on a seed."""
NAMES = {"adult": "Adult", "german_credit": "German Credit"}


@dataclass
class Lab:
    """One data set, and the study that keeps what has been measured on it."""

    name: str
    data: Dataset
    study: Study

    @classmethod
    def open(cls, name: str, study: Study) -> Lab:
        return cls(name, getattr(fv.datasets, name)(), study)

    def once(self, of: Mapping[str, Any], measure: Callable[[], Any]) -> Any:
        return self.study.once({"data": self.name, **of}, measure)

    @property
    def ks(self) -> Sequence[int]:
        return self.study.pick(tiny=(100,), quick=KS, full=KS)

    def schema(self, grounds: str = "DA1") -> Schema:
        return replace(self.data.schema, protected=GROUNDS[self.name][grounds])

    def search(self, k: int, guard: Guard | None = None, grounds: str = "DA1") -> Frontier:
        guards = [fv.KAnonymity(k), *([guard] if guard else [])]
        return fv.search(self.data.table, self.schema(grounds), guards=guards)

    def series(self, k: int, what: tuple[str, float] | None) -> Frontier:
        if what is None:
            return self.search(k)
        return self.search(k, fv.AlphaProtection(what[1], min_support=SUPPORT, contexts=CONTEXTS), what[0])


def accuracy_of(
    lab: Lab, recipe: FullDomain | None, classifier: Callable[[Split, int], np.ndarray], seed: int
) -> float:
    """Learn on the training data as published, try on the test data generalized the same way."""
    train, test = lab.data.table, lab.data.test
    assert test is not None
    if recipe is not None:
        train, test = recipe.outcome(train).table, recipe.outcome(test).table
    split = Split(train, test, lab.data.schema)
    return split.accuracy(classifier(split, seed))
