"""Whatever the table holds: a release that keeps its guards and can be verified, or one sentence that says why not."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.data.table import Table
from fairveil.methods import METHODS, Method
from tests.contracts.people import QUICK
from tests.known import ANY_DANGER

TABLES = 14
"""Tables per method and setting; more show no more within the time that the suite has."""

MORE: dict[str, list[dict[str, Any]]] = {
    "mondrian": [{"relaxed": True}, {"numeric": False}],
    "top-down-greedy": [{"numeric": False}],
    "mdav": [{"publish": "interval"}],
    "fair-mdav": [{"leftovers": "nearest"}],
    "dmpd": [{"recode": True}],
    "best-first": [],
}
FAST: dict[str, dict[str, Any]] = {
    **QUICK,
    "best-first": {"time_limit": 1.0},
    "preferences": {"evaluations": 60, "population": 8},
    "dmpd": {"generations": 1, "population": 4, "folds": 2},
    "noisy-table": {"epsilon": 20.0, "public": ("q", "r", "sex", "y")},
}
DAY = date(2020, 2, 28)
KINDS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "texts": (pa.string(), ["a", "b", "", "*", "missing", " ", "b or missing"]),
    "constant": (pa.string(), ["same"]),
    "nothing": (pa.string(), [None]),
    "no numbers": (pa.int64(), [None]),
    "small": (pa.int64(), [0, 1, 2, 5, -3, -4]),
    "long": (pa.int64(), [1234567890123, 1234567890124, 1234567890199]),
    "huge": (pa.int64(), [2**53, 2**53 + 1, 2**53 + 2, -(2**62), 2**62]),
    "floats": (pa.float64(), [0.1, 0.2, 0.30000000000000004, 1e300, -1e300, 5e-324, 2.0]),
    "near": (pa.float64(), [1.0, 1.0000000000000002, 1.0000000000000004, 7.5]),
    "infinite": (pa.float64(), [float("inf"), float("-inf"), float("nan"), 1.0, 2.5]),
    "decimals": (pa.decimal128(38, 20), [Decimal("1.1"), Decimal("1.10000000000000000001"), Decimal("-7")]),
    "booleans": (pa.bool_(), [True, False]),
    "days": (pa.date32(), [DAY, DAY + timedelta(1), DAY + timedelta(2), date(1, 1, 1), date(9999, 12, 31)]),
    "times": (pa.timestamp("us"), [datetime(2020, 1, 1), datetime(2020, 1, 1, 0, 0, 1), datetime(1969, 7, 20)]),
    "zoned": (pa.timestamp("us", tz="UTC"), [datetime(2020, 1, 1), datetime(2021, 1, 1)]),
}


def cases() -> list[Method]:
    return [
        method(**{**FAST.get(method.kind, {}), **more})
        for method in METHODS
        for more in ({}, *MORE.get(method.kind, []))
    ]


@pytest.fixture(params=cases(), ids=lambda method: method.kind)
def method(request: pytest.FixtureRequest) -> Method:
    return request.param


def column(rng: random.Random, rows: int) -> pa.Array:
    kind, values = KINDS[rng.choice(list(KINDS))]
    pool = [*values, *([None] if rng.random() < 0.4 else [])]
    some = rng.sample(pool, rng.randint(1, len(pool)))
    return pa.array([rng.choice(some) for _ in range(rows)], kind)


def table(rng: random.Random) -> pa.Table:
    rows = rng.choice([2, 3, 4, 6, 9, 14])
    q, r = column(rng, rows), column(rng, rows)
    sexes, answers = (rng.choice([("f", "m"), ("f",)]) for _ in "xx")
    return pa.table(
        {
            "q": q,
            "r": r,
            "sex": [rng.choice(sexes) for _ in range(rows)],
            "s": [rng.choice("uvw") for _ in range(rows)],
            "y": [rng.choice(["no", "yes"][: len(answers)]) for _ in range(rows)],
        }
    )


ROLES = fv.Schema(quasi=["q", "r", "sex"], protected=["sex"], plain=["s"], decision="y", denied="no")


def test_it_gives_a_release_that_holds_or_says_why_not(method: Method, tmp_path: Path) -> None:
    rng = random.Random(f"{method.kind} {method}")
    for number in range(TABLES):
        frame = table(rng)
        guards: list[Any] = [fv.KAnonymity(rng.choice([2, 2, 3, 5]), suppression=rng.choice([0, 0, 0.2, 0.5, 1.0]))]
        try:
            found = fv.search(frame, ROLES, guards=guards, method=method)
            release = found.release(rng.randrange(len(found)))
        except (fv.BadInput, fv.Infeasible):
            continue
        context = (number, frame.to_pydict(), guards)
        assert release.holds, context
        if release.recipe.splits:
            continue
        shown = release.to_frame("pandas")
        assert not len(shown) or shown.groupby(["q", "r", "sex"], dropna=False).size().min() >= guards[0].k, context
        again = release.recipe.applied(Table.from_frame(frame), unknown="suppress")
        assert again.rows == frame.num_rows, context
        if number % 7 == 0 and len(shown):
            verification = fv.verify(release.save(tmp_path / str(number), accept=ANY_DANGER).path)
            assert verification, (verification.problems, context)


def test_different_values_have_different_labels(method: Method) -> None:
    """Where rows of two values are kept apart, their labels are: the loss is that of what a reader sees."""
    for kind, values in KINDS.values():
        present = [value for value in values if value is not None and str(value) != "nan"]
        frame = pa.table(
            {"q": pa.array(present * 6, kind), "r": ["a"] * 6 * len(present), "sex": ["f", "m"] * 3 * len(present),
             "s": ["u"] * 6 * len(present), "y": (["no"] * len(present) + ["yes"] * len(present)) * 3}
        )  # fmt: skip
        try:
            release = fv.search(frame, ROLES, guards=[fv.KAnonymity(2)], method=method, order="keep").release(0)
        except (fv.BadInput, fv.Infeasible):
            continue
        if release.recipe.splits or release.invented or release.source_rows is None:
            continue
        pairs = {
            (str(frame["q"][int(row)].as_py()), label)
            for row, label in zip(release.source_rows, release.table.to_arrow()["q"].to_pylist(), strict=True)
        }
        if release.outcome.paid("q")[0] == 0:  # nothing is said to be lost
            assert len({label for _, label in pairs}) == len({value for value, _ in pairs}), (method, pairs)
