"""Narrow intervals of sensitive numbers in first plans: shared by many people, and judged in wide ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.data.hierarchy.intervals import Intervals
from fairveil.run.suggestions.narrow_intervals import SHARED, narrower


@pytest.mark.parametrize("seed", range(6))
def test_every_narrow_interval_is_shared_by_many_people(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.lognormal(2 + seed, 0.3 + 0.2 * seed, 20_000), seed % 3)
    people = rng.integers(0, 8_000, len(numbers))
    width = 10.0 ** np.floor(np.log10(np.quantile(numbers, 0.9)))
    wide = [round(width * place, 6) for place in range(1, 10)]
    spec = narrower({"kind": "intervals", "levels": [wide], "open_ended": True}, numbers, people)
    assert spec is not None
    finest = spec["levels"][0]
    assert set(wide) < set(finest) and finest == sorted(set(finest))
    shared = [len(set(people[(numbers >= low) & (numbers < high)])) for low, high in pairwise([-1, *finest, np.inf])]
    own = [len(set(people[(numbers >= low) & (numbers < high)])) for low, high in pairwise([-1, *wide, np.inf])]
    few = [n for n in shared if n < SHARED]
    assert sorted(few) == sorted(n for n in own if n < SHARED)  # only wide intervals that hold so few as they are


def test_a_few_hundred_people_have_no_narrow_intervals() -> None:
    numbers = np.arange(150.0)
    assert narrower({"kind": "intervals", "levels": [[50, 100]], "open_ended": True}, numbers, np.arange(150)) is None


def test_init_publishes_narrow_intervals_and_judges_wide_ones() -> None:
    rng = np.random.default_rng(5)
    visits = pd.DataFrame({"patient_id": [f"P{n:05d}" for n in rng.integers(0, 4_000, 9_000)]})
    visits["sex"] = rng.choice(["f", "m"], len(visits))
    visits["age"] = rng.integers(20, 80, len(visits))
    visits["hospital_cost"] = np.round(rng.lognormal(7, 0.8, len(visits)), 2)
    plan = fv.init(visits)
    assert plan.schema is not None
    guard = next(guard for guard in plan.guards if guard.columns(plan.schema) == ("hospital_cost",))
    assert isinstance(guard, fv.DistinctDiversity)
    assert guard.judged == {"hospital_cost": 2} and plan.schema.levels == {"hospital_cost": 1}
    release = plan.explore().best("entropy")
    published = release.table.to_arrow().to_pandas()
    people = visits["patient_id"].to_numpy()[release.source_rows]
    costs = published.assign(who=people).groupby("hospital_cost", observed=True)["who"].nunique()
    rule = plan.schema.hierarchies["hospital_cost"]
    assert isinstance(rule, Intervals)
    edges = rule.levels[1]
    whole = {f"[{low}, {high})" for low, high in pairwise(edges)}  # wide intervals that have no parts
    assert len(costs) > 30 and costs[~costs.index.isin(whole)].min() >= 0.9 * SHARED  # some people are suppressed
    labels = published["hospital_cost"].astype(str).tolist()
    lower = [float(label.strip("[<≥").split(",")[0]) - label.startswith("<") for label in labels]
    different = published.assign(wide=np.searchsorted(np.array(edges, dtype=float), lower, side="right")).groupby(
        list(plan.schema.quasi)
    )
    assert different["wide"].nunique().min() >= guard.l
