"""The order of the source's rows shows in no byte of a release, unless `order="keep"` asks for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil.engines import source_of
from fairveil.methods import Method
from tests.contracts.people import contents
from tests.contracts.test_leaks import named, variants


@pytest.fixture(params=variants(), ids=named)
def method(request: pytest.FixtureRequest) -> Method:
    from dataclasses import replace

    given: Method = request.param
    return replace(given, granularity={}) if getattr(given, "granularity", {}) else given  # type: ignore[call-arg]


def people(seed: int) -> pa.Table:
    """Few distinct values, so many ties and duplicates, and missing ones; the identifier differs in every row."""
    rng = np.random.default_rng(seed)
    rows = 61
    ages = [None if x < 0.1 else int(a) for x, a in zip(rng.random(rows), rng.integers(20, 28, rows), strict=True)]
    town = [None if x < 0.1 else str(t) for x, t in zip(rng.random(rows), rng.choice(list("abc"), rows), strict=True)]
    return pa.table(
        {
            "name": [f"p{i}" for i in range(rows)],
            "age": pa.array(ages),
            "wage": np.round(rng.choice([1.5, 2.25, 9.75, 30.1], rows), 2),
            "town": pa.array(town),
            "sex": rng.choice(["f", "m"], rows),
            "illness": rng.choice(["flu", "cold", "pox"], rows),
            "credit": rng.choice(["yes", "no"], rows, p=[0.6, 0.4]),
        }
    )


SCHEMA = fv.Schema(
    identifier=["name"], quasi=["age", "wage", "town", "sex"], protected=["sex"], plain=["illness"],
    decision="credit", denied="no",
)  # fmt: skip
GUARDS = [fv.KAnonymity(3, suppression=0.2)]


def saved(source: object, method: Method, folder: Path) -> dict[str, bytes]:
    frontier = fv.search(source, SCHEMA, guards=GUARDS, method=method, seed=3)
    return contents(frontier.release(0).save(folder).path)


def test_no_byte_depends_on_the_order_of_the_rows(method: Method, tmp_path: Path) -> None:
    frame = people(0)
    once = saved(frame, method, tmp_path / "once")
    for turn in range(2):
        order = np.random.default_rng(turn).permutation(frame.num_rows)
        other = saved(frame.take(order), method, tmp_path / f"turn{turn}")
        assert [name for name in once if once[name] != other[name]] == []


def test_the_same_rows_in_a_file_give_the_same_data_and_recipe(method: Method, tmp_path: Path) -> None:
    frame = people(1)
    answers = []
    for turn, order in enumerate((np.arange(frame.num_rows), np.random.default_rng(9).permutation(frame.num_rows))):
        pyarrow.csv.write_csv(frame.take(order), tmp_path / f"{turn}.csv")
        answers.append(saved(source_of(tmp_path / f"{turn}.csv"), method, tmp_path / f"out{turn}"))
    assert answers[0] == answers[1]


def test_measures_that_train_do_not_depend_on_the_order_either() -> None:
    frame = people(2)
    order = np.random.default_rng(0).permutation(frame.num_rows)
    one, other = (
        fv.search(rows, SCHEMA, guards=GUARDS, method=fv.Datafly(), measures=["accuracy"]).values("accuracy")
        for rows in (frame, frame.take(order))
    )
    assert one.tolist() == other.tolist()
    release = fv.search(frame, SCHEMA, guards=GUARDS, method=fv.Datafly()).release(0)
    first, second = (fv.utility(release, rows, 0.3, resamples=5, queries=20) for rows in (frame, frame.take(order)))
    assert first.to_dict() == second.to_dict()
