"""The best candidate is found without measuring all, by every measure that allows it, and is the one of all values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.frontier import search_result
from fairveil.measures import MEASURES, get

QUICK = [measure.name for measure in MEASURES if measure.whole_is_best]
OF_SIZES = [measure.name for measure in MEASURES if measure.of_sizes]


def searched(seed: int, k: int, suppression: float, decided: bool) -> fv.Frontier:
    """The generalizations of a random table."""
    draw, rows = np.random.default_rng(seed).integers, 60
    values = {f"q{width}": draw(0, width, rows) for width in (3, 9, 30)}
    hierarchies = {f"q{width}": fv.hierarchy.intervals(edges=[0, 40], widths=[2, 8]) for width in (9, 30)}
    decision: dict[str, Any] = {"decision": "y", "denied": "0"} if decided else {"drop": ["y"]}
    schema = fv.Schema(quasi=list(values), hierarchies=hierarchies, weights={"q9": 3.0}, **decision)
    table = pa.table({**values, "y": list(map(str, draw(0, 2, rows)))})
    return fv.search(table, schema, guards=fv.KAnonymity(k, suppression=suppression))


@pytest.mark.parametrize("name", OF_SIZES)
@given(st.integers(0, 2**32), st.integers(2, 5), st.floats(0, 0.4), st.booleans())
@settings(max_examples=10)
def test_sizes_alone_give_the_same_values(name: str, seed: int, k: int, suppression: float, decided: bool) -> None:
    alone, all_measured = searched(seed, k, suppression, decided), searched(seed, k, suppression, decided)
    all_measured.values("loss")
    assert alone.best_position(name) == all_measured.best_position(name)
    np.testing.assert_array_equal(alone.values(name), all_measured.values(name))
    np.testing.assert_array_equal(alone.values("loss"), all_measured.values("loss"))


@pytest.mark.parametrize("name", QUICK)
@given(st.integers(0, 2**32), st.integers(2, 5), st.floats(0, 0.4), st.booleans())
@settings(max_examples=25)
def test_the_best_is_the_best_of_all_values(name: str, seed: int, k: int, suppression: float, decided: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_result, "FIRST", 1)
        patch.setattr(search_result, "WORTH_CHOOSING", 0)
        candidates = searched(seed, k, suppression, decided)
        quick = candidates.best_position(name)
        assert name not in candidates.result.measured, "all candidates were measured"
    measure = get(name)
    whole = candidates.proposal.whole
    assert whole is not None
    assert quick == measure.best(candidates.values(name))
    assert (measure.loses(measure.of(whole())) <= measure.loses(candidates.values(name)) + 1e-12).all()


def test_a_candidate_that_does_not_exist_is_refused() -> None:
    frontier = fv.search(pa.table({"x": list("aabb")}), fv.Schema(quasi=["x"]), guards=fv.KAnonymity(2))
    with pytest.raises(fv.BadInput, match="no candidate 99: this frontier has 2 candidates"):
        frontier.release(99)
