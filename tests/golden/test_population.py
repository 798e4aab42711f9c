"""Figures of published tools and papers: sampling weights, special uniques, and the uniqueness of a population.

(s) are runs of sdcMicro 5.8.1, others were computed from the formulas in two independent ways.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.cells import Cells
from fairveil.measures.population_risk import average_journalist_risk, household_risks, individual_risks, marketer_risk
from fairveil.measures.population_uniqueness import pitman, pitman_parameters, snb, uniqueness_of, zayatz

KEYS = ("1 2 5 1", "1 2 1 1", "1 2 1 1", "3 3 1 5", "4 3 1 4", "4 3 1 1", "6 2 1 5", "1 2 5 1")
WEIGHTS = (18, 45.5, 39, 17, 541, 8, 5, 92)
NINE = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "income")


def digits(number: float, places: int) -> object:
    """A number that is given to so many decimal places, the last of which may be rounded either way."""
    return pytest.approx(number, abs=10**-places)


@pytest.fixture(scope="module")
def eight() -> fv.Table:
    rows = [key.split() for key in KEYS]
    columns = {name: [row[i] for row in rows] for i, name in enumerate("abcd")}
    return fv.Table.from_frame(pa.table({**columns, "w": pa.array(WEIGHTS, pa.float64())}))


@pytest.fixture(scope="module")
def adult() -> fv.Table:
    return fv.datasets.adult(columns="all").table


def test_individual_risk_of_single_classes() -> None:
    assert individual_risks([3, 10], [108, 100]).tolist() == [digits(0.013552968, 9), digits(0.010976006, 9)]


def test_eight_records_with_weights(eight: fv.Table) -> None:  # (s)
    risk = fv.population_risk(eight, fv.Schema(quasi=list("abcd"), weight="w"))
    expected = (
        0.0171442616, 0.0220423262, 0.0220423262, 0.1770758340, 0.0116544802, 0.2970630774, 0.4023594781, 0.0171442616,
    )  # fmt: skip
    assert risk.records.tolist() == [digits(value, 10) for value in expected]
    assert risk.measures["expected-reidentifications"] == digits(0.9665260452, 10)
    assert risk.measures["individual-risk"] == digits(0.4023594781, 10)
    unweighted = fv.population_risk(eight, fv.Schema(quasi=list("abcd"), population=fv.Population(fraction=1.0)))
    assert unweighted.measures["expected-reidentifications"] == digits(6, 9)


def test_special_uniques_of_the_eight(eight: fv.Table) -> None:  # (s)
    risk = fv.population_risk(eight, fv.Schema(quasi=list("abcd")))
    assert risk.scores.tolist() == [0, 0, 0, 8, 6, 4, 8, 0]
    of_record = np.array([np.flatnonzero(risk.suda.scores == score)[0] for score in (8, 6, 4)])
    for fraction, expected in (
        (0.01, ((0.0142134863, 9), (0.0101060150, 9), (0.0062368404, 9))),  # sdcMicro has Q in single precision
        (0.1, ((0.1368913, 7), (0.1009628, 7), (0.0645776, 7))),
    ):
        assert risk.suda.dis(fraction)[of_record].tolist() == [digits(*value) for value in expected]


def test_households() -> None:  # (s)
    table = pa.table({"k1": list("aabbcc"), "k2": list("xxyyyy"), "w": [10.0, 10, 5, 5, 4, 6]})
    risk = fv.population_risk(table, fv.Schema(quasi=["k1", "k2"], weight="w"))
    assert risk.records.tolist() == [digits(0.0826841, 7)] * 2 + [digits(0.1494101, 7)] * 4
    assert risk.measures["expected-reidentifications"] == digits(0.7630088, 7)
    together = household_risks(risk.records, [1, 1, 2, 2, 2, 3])
    assert together.tolist() == [digits(0.1585316, 7)] * 2 + [digits(0.3845956, 7)] * 3 + [digits(0.1494101, 7)]
    assert together.sum() == digits(1.6202600, 7)


def test_adult_with_equal_weights(adult: fv.Table) -> None:  # (s)
    sizes = Cells.of(adult, ["sex", "age", "race"]).counts
    assert adult.rows == 30_162
    assert ((sizes == 1).sum(), sizes[sizes < 3].sum(), sizes[sizes < 5].sum(), len(sizes)) == (62, 180, 425, 528)
    schema = fv.Schema(quasi=["sex", "age", "race"], population=fv.Population(fraction=0.1))
    risk = fv.population_risk(adult, schema)
    assert risk.measures["individual-risk"] == digits(0.2558428, 7)
    # sdcMicro approximates classes of more than two records; the formula itself gives a little less
    assert (sizes * individual_risks(sizes, sizes * 10.0, approximate=True)).sum() == digits(71.0140876, 7)
    assert risk.measures["expected-reidentifications"] == digits(70.7879318, 7)
    weighted = fv.Table((*adult.columns, fv.Table.from_frame(pa.table({"w": [10.0] * adult.rows})).column("w")))
    same = fv.population_risk(weighted, fv.Schema(quasi=["sex", "age", "race"], weight="w"))
    assert same.measures["expected-reidentifications"] == pytest.approx(risk.measures["expected-reidentifications"])


@pytest.fixture(scope="module")
def nine(adult: fv.Table) -> tuple[np.ndarray, np.ndarray]:
    return np.unique(Cells.of(adult, NINE).counts, return_counts=True)


def test_population_uniqueness_of_adult(nine: tuple[np.ndarray, np.ndarray]) -> None:
    size, classes = nine
    assert (classes.sum(), *classes[:2]) == (19_502, 15_512, 2_098)
    for fraction, share in ((0.01, 0.2717127), (0.1, 0.3207402), (0.2, 0.3577099), (1, 0.5142895)):
        assert zayatz(size, classes, fraction) == digits(share, 7)
    assert [*pitman_parameters(size, classes)] == [digits(3176.2335, 4), digits(0.7179489, 7)]
    for fraction, share in ((0.01, 0.1446084), (0.1, 0.2768499), (0.2, 0.3366280)):
        assert pitman(size, classes, fraction) == digits(share, 7)
    for fraction, share in ((0.1, 0.2499769), (0.2, 0.3194594)):
        assert snb(size, classes, fraction) == digits(share, 7)


def test_dankars_rule(nine: tuple[np.ndarray, np.ndarray]) -> None:
    sizes = np.repeat(*nine)
    chosen = {fraction: uniqueness_of(sizes, fraction) for fraction in (0.01, 0.1, 0.2, 1.0)}
    assert {fraction: answer.estimator for fraction, answer in chosen.items()} == {
        0.01: "pitman", 0.1: "pitman", 0.2: "snb", 1.0: "zayatz",
    }  # fmt: skip
    assert chosen[0.2].share == digits(0.3194594, 7) and set(chosen[0.2].estimates) == {"zayatz", "pitman", "snb"}


def test_prosecutor_journalist_and_marketer() -> None:
    records, people = np.array([1.0, 3.0, 4.0]), np.array([2.0, 30.0, 8.0])
    marketer = (1 / 2 + 3 / 30 + 4 / 8) / 8
    assert marketer_risk(records, people) == pytest.approx(marketer)
    assert average_journalist_risk(records, people) == pytest.approx(max(3 / 40, marketer))
    table = pa.table({"a": [1, 2, 2, 2, 3, 3, 3, 3], "w": [2.0, 10, 10, 10, 2, 2, 2, 2]})
    risk = fv.population_risk(table, fv.Schema(quasi=["a"], weight="w")).measures
    assert (risk["highest-risk"], risk["average-risk"]) == (1.0, 3 / 8)  # prosecutor
    assert [risk["journalist-risk"], risk["marketer-risk"]] == pytest.approx([1 / 2, marketer])
    assert risk["average-journalist-risk"] == pytest.approx(marketer)
