"""k, ℓ and t agree with pycanon on Adult, raw and generalized.

Its recursive (c,ℓ)-diversity is left out: it sorts the counts from the least frequent value up, where the definition
(Machanavajjhala et al.) starts with the most frequent one. Ours is compared with brute force instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fairveil as fv
from fairveil.counting.cells import classes_of

pycanon = pytest.importorskip("pycanon.anonymity")
QUASI = ["education", "marital-status", "race", "sex"]
SENSITIVE = ["occupation", "workclass"]
SCHEMA = fv.Schema(quasi=QUASI, sensitive=SENSITIVE)


def raw() -> fv.Table:
    """Some of Adult: pycanon takes long."""
    return fv.datasets.adult().table.select([*QUASI, *SENSITIVE]).take(np.arange(6000)).compact()


def generalized() -> fv.Table:
    adult = fv.datasets.adult()
    schema = fv.Schema(
        quasi=QUASI, sensitive=SENSITIVE, hierarchies={name: adult.schema.hierarchies[name] for name in QUASI}
    )
    return fv.search(raw(), schema, guards=[fv.KAnonymity(50)]).best("dm").table


@pytest.fixture(scope="module", params=[raw, generalized])
def table(request: pytest.FixtureRequest) -> Any:
    return request.param()


def worst(guard: fv.guards.Guard, table: fv.Table) -> float:
    return guard.verdict(classes_of(table, SCHEMA)[0], SCHEMA).worst


def test_k(table: fv.Table) -> None:
    assert worst(fv.KAnonymity(2), table) == pycanon.k_anonymity(table.to_frame("pandas"), QUASI)


def test_distinct(table: fv.Table) -> None:
    assert worst(fv.DistinctDiversity(2), table) == pycanon.l_diversity(table.to_frame("pandas"), QUASI, SENSITIVE)


def test_entropy(table: fv.Table) -> None:
    """pycanon gives the largest whole ℓ, rounded down."""
    theirs = pycanon.entropy_l_diversity(table.to_frame("pandas"), QUASI, SENSITIVE)
    assert int(worst(fv.EntropyDiversity(2), table) + 1e-9) == theirs


def test_t_equal(table: fv.Table) -> None:
    theirs = pycanon.t_closeness(table.to_frame("pandas"), QUASI, SENSITIVE)
    assert worst(fv.TCloseness(0.5), table) == pytest.approx(theirs, abs=1e-12)


def test_t_ordered(table: fv.Table) -> None:
    """Numbers are ordered in pycanon; codes of our sorted values are such numbers."""
    frame = table.to_frame("pandas")
    frame["rank"] = frame["occupation"].astype("category").cat.codes.astype(int)
    theirs = pycanon.t_closeness(frame, QUASI, ["rank"])
    assert worst(fv.TCloseness(0.5, "ordered", sensitive=("occupation",)), table) == pytest.approx(theirs, abs=1e-12)
