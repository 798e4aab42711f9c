"""Whatever the table and the settings, what DMPD publishes keeps k: every projection, every pair and all joined.

The joins are written down row by row with pandas; nothing of the package is used to judge.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fairveil as fv

FORMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "as in the paper": {"set_check": "last", "interval_rows": "any"},
    "recoded": {"recode": True},
    "recoded in a hierarchy": {"recode": True},
    "overlapping": {"overlap": True, "mutation": 0.4},
    "frontier": {"objective": "pareto"},
}


JOBS = fv.hierarchy.tree({"*": {"ab": ["a", "b"], "cd": ["c", "d"]}})
TOWNS = fv.hierarchy.tree({"*": {"x": ["x"], "far": ["y", "z"]}})


@st.composite
def people(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    rows = draw(st.integers(12, 70))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, rows).astype(float),
            "job": rng.choice(list("abcd"), rows, p=[0.5, 0.3, 0.15, 0.05]),
            "sex": rng.choice(["f", "m"], rows),
            "town": rng.choice(["x", "y", "z"], rows, p=[0.6, 0.3, 0.1]),
            "income": rng.normal(size=rows).round(2),
        }
    )
    frame["class"] = np.where((frame["age"] > 40) ^ (rng.random(rows) < draw(st.floats(0, 0.5))), "yes", "no")
    if draw(st.booleans()):
        frame.loc[rng.random(rows) < 0.1, "age"] = np.nan
        frame.loc[rng.random(rows) < 0.1, "job"] = None
    assume(frame["class"].nunique() == 2)
    return frame


def smallest(frame: pd.DataFrame, columns: list[str]) -> int:
    return int(frame.groupby(columns, observed=True).size().min()) if columns else len(frame)


def shown(part: fv.Table) -> pd.DataFrame:
    frame = part.to_frame("pandas")
    return frame.astype(object).where(frame.notna(), "missing").astype(str)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=15, deadline=None)
@given(people(), st.integers(2, 6), st.sets(st.sampled_from(["age", "job", "sex", "town"]), min_size=2))
def test_no_join_shows_fewer_than_k(form, frame, k, quasi):
    plain = [name for name in frame.columns if name not in quasi and name != "class"]
    trees = {"job": JOBS, "town": TOWNS} if form == "recoded in a hierarchy" else {}
    held = {name: tree for name, tree in trees.items() if name in quasi}
    schema = fv.Schema(quasi=sorted(quasi), plain=plain, decision="class", hierarchies=held)
    method = fv.DMPD(inducer="naive-bayes", generations=3, population=8, folds=2, keep=4, **FORMS[form])
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(k)], method=method)
    for position in range(len(frontier)):
        release = frontier.release(position)
        assert release.holds
        parts = [shown(part) for part in release.published.tables.values()]
        for part in parts:
            assert len(part) == len(frame)
            assert smallest(part, [name for name in part if name in quasi]) >= k
        for some in [*combinations(parts, 2), *([tuple(parts)] if 2 < len(parts) <= 4 else [])]:
            assert joined_level(some, quasi) >= k


def joined_level(parts: tuple[pd.DataFrame, ...], quasi: set[str]) -> int:
    """Rows of the smallest group of equal quasi values and class, after a natural join.

    Columns that nobody can link are left out before joining; rows that are equal then are counted, not repeated.
    """
    held = [[name for name in part if name in quasi or name == "class" or shared(name, parts)] for part in parts]
    joined = parts[0][held[0]].value_counts().rename("n").reset_index()
    for part, names in zip(parts[1:], held[1:], strict=True):
        other = part[names].value_counts().rename("m").reset_index()
        joined = joined.merge(other, on=[name for name in names if name in joined])
        joined["n"] *= joined.pop("m")
    return int(joined["n"].min())


def shared(name: str, parts: tuple[pd.DataFrame, ...]) -> bool:
    return sum(name in part for part in parts) > 1


def test_counting_before_joining_is_the_join():
    """The shortcut above, against rows written out one by one."""
    one = pd.DataFrame({"a": list("xxyy"), "free": [1, 2, 3, 4], "class": list("nnyy")})
    two = pd.DataFrame({"b": list("uuuv"), "class": list("nyyy")})
    rows = one.merge(two, on="class")
    assert joined_level((one, two), {"a", "b"}) == rows.groupby(["a", "b", "class"]).size().min() == 2
