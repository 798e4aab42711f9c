"""Distinct ℓ-diversity by persons, where counting decides: against every set of values."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import pytest

import fairveil as fv
from fairveil.counting.cells import Classes
from fairveil.guards.cover_kernels import surely_diverse

SCHEMA = fv.Schema(quasi=["age"], sensitive=["ill"], person="who")


def fewest(people: list[set[int]]) -> int:
    """The smallest number of values such that everybody has one of them."""
    every = sorted(set.union(*people)) if people else []
    for number in range(len(every) + 1):
        if any(all(own & set(chosen) for own in people) for chosen in combinations(every, number)):
            return number
    raise AssertionError("everybody has a value")


@pytest.mark.parametrize("seed", range(60))
def test_what_counting_decides_is_true_and_searches_decide_the_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, total, people, size = int(rng.integers(1, 60)), int(rng.integers(1, 5)), int(rng.integers(1, 12)), 8
    ids = np.concatenate([np.arange(total), rng.integers(0, total, cells)])
    who, ill = rng.integers(0, people, len(ids)), rng.integers(0, int(rng.integers(1, size + 1)), len(ids))
    labels = {"ill": ("a", "A ", "b", None, "c", "d", "e", " ")[:size], "who": tuple(range(people))}
    rows = np.bincount(ids, minlength=total)
    sizes = {"ill": size, "who": people}
    classes = Classes(ids, np.ones(len(ids), dtype=np.int64), rows, {"ill": ill, "who": who}, sizes, {}, labels)
    ways: list[tuple[int, Literal["ignore", "value"]]] = [(2, "ignore"), (3, "value"), (4, "ignore")]
    for least, missing in ways:
        guard = fv.DistinctDiversity(least, missing=missing)
        known = np.array([0, 0, 2, -1, 4, 5, 6, -1]) if missing == "ignore" else np.arange(size)
        expected = []
        for number in range(total):
            own: dict[int, set[int]] = {}
            for person, code in zip(who[ids == number].tolist(), known[ill[ids == number]].tolist(), strict=True):
                if code >= 0:
                    own.setdefault(person, set()).add(code)
            expected.append(not own or fewest(list(own.values())) >= least)
        sure = surely_diverse(ids, who, known[ill], people, size, least, total)
        assert all(answer in (-1, truth) for answer, truth in zip(sure.tolist(), expected, strict=True))
        assert guard.passing(classes, SCHEMA).tolist() == expected
        with np.errstate(over="ignore"):  # hashing
            interpreted = surely_diverse.py_func(ids, who, known[ill], people, size, least, total)
        assert sure.tolist() == interpreted.tolist()
