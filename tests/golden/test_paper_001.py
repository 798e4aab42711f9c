"""Dewri, Ray, Ray, Whitley: k-Anonymization in the Presence of Publisher Preferences. Table 2 and Examples 1 to 7."""

from __future__ import annotations

import numpy as np
import pytest

import fairveil as fv
from fairveil.choice.achievement import Aspirations, efficiency
from fairveil.methods.preferences import Explorer
from fairveil.methods.task import Task

# name: levels of emp and sal, NECD, NWP, k, efficiency, s(·, q̄₁) … s(·, q̄₅), pref_dev from q̄₅
TABLE_2 = {
    "G1": ((1, 0), 0.27, 0.07, 2, "strong", (0.06, 0.12, 0.07, 0.06, 0.23), -0.26),
    "G2": ((2, 0), 0.18, 0.09, 3, "strong", (0.07, 0.08, 0.06, 0.07, 0.15), -0.33),
    "G3": ((3, 0), 0.18, 0.15, 3, "weak", (0.12, 0.09, 0.12, 0.13, 0.15), -0.26),
    "G4": ((4, 0), 0.18, 0.30, 3, "weak", (0.24, 0.17, 0.23, 0.25, 0.15), -0.12),
    "G5": ((1, 1), 0.27, 0.27, 2, "none", (0.22, 0.16, 0.20, 0.23, 0.23), -0.05),
    "G6": ((2, 1), 0.18, 0.29, 3, "weak", (0.23, 0.17, 0.22, 0.24, 0.15), -0.13),
    "G7": ((3, 1), 0.18, 0.36, 3, "weak", (0.28, 0.20, 0.27, 0.30, 0.15), -0.06),
    "G8": ((4, 1), 0.18, 0.50, 5, "weak", (0.40, 0.29, 0.38, 0.42, 0.15), 0.09),
}
Q = {1: (0.3, 0.08), 2: (0.2, 0.15), 3: (0.15, 0.05), 4: (0.25, 0.05), 5: (0.1, 0.5)}
LEAST = {1: {"G1"}, 2: {"G2"}, 3: {"G2"}, 4: {"G1"}, 5: {"G2", "G3", "G4", "G6", "G7", "G8"}}  # printed bold
NAMES = list(TABLE_2)


def wish(number: int) -> Aspirations:
    return Aspirations(dict(zip(("necd", "nwp"), Q[number], strict=True)))


@pytest.fixture(scope="module")
def codes() -> fv.datasets.Dataset:
    return fv.datasets.employee_codes()


@pytest.fixture(scope="module")
def frontier(codes):
    return fv.search(codes.table, codes.schema, guards=[fv.KAnonymity(2)])


@pytest.fixture(scope="module")
def rows(frontier):
    """Where each of G₁…G₈ is among the candidates."""
    nodes = [tuple(map(int, node)) for node in frontier.nodes]
    return [nodes.index(TABLE_2[name][0]) for name in NAMES]


@pytest.fixture(scope="module")
def points(frontier, rows) -> np.ndarray:
    return np.column_stack([frontier.values("necd"), frontier.values("nwp")])[rows]


def test_example_1_the_last_digit_removed_is_2_anonymous(codes, frontier, rows):
    release = frontier.release(rows[0])
    assert sorted(set(release.table.to_arrow()["emp"].to_pylist())) == ["8152*", "8163*", "8263*", "8264*"]
    assert release.verdicts[0].worst == 2


def test_example_2_there_are_eight_generalizations_of_the_paper(frontier):
    assert sum(1 for node in frontier.nodes if node[1] < 2) == 8  # the level 2 of sal is not in the paper


@pytest.mark.parametrize("place", range(8), ids=NAMES)
def test_table_2_bias_loss_and_k(place, frontier, rows, points):
    _, necd, nwp, k, *_ = TABLE_2[NAMES[place]]
    assert points[place].round(2).tolist() == [necd, nwp]
    assert frontier.values("k")[rows[place]] == k


def test_table_2_efficiency(points):
    assert efficiency(points) == [TABLE_2[name][4] for name in NAMES]


@pytest.mark.parametrize("number", Q)
def test_table_2_achievement(number, points):
    reached = wish(number).achievement(points)
    assert reached.round(2).tolist() == [TABLE_2[name][5][number - 1] for name in NAMES]
    assert {name for name, value in zip(NAMES, reached, strict=True) if value < reached.min() + 1e-9} == LEAST[number]


def test_table_2_preference_deviation(points):
    assert wish(5).deviation(points).round(2).tolist() == [TABLE_2[name][6] for name in NAMES]


@pytest.mark.parametrize("place", range(8), ids=NAMES)
def test_example_3_an_efficient_point_is_least_for_itself_and_g5_never_is(place, points):
    reached = Aspirations(dict(zip(("necd", "nwp"), points[place], strict=True))).achievement(points)
    assert (reached[place] <= reached.min() + 1e-12) == (NAMES[place] != "G5")


@pytest.mark.parametrize(("number", "name"), [(1, "G1"), (2, "G2"), (3, "G2"), (4, "G1")])
def test_example_4_over_and_underachievement(number, name, points):
    assert NAMES[wish(number).choose(points)] == name


def test_example_5_preference_deviation_breaks_the_tie(points):
    assert NAMES[wish(5).choose(points)] == "G2"


def test_example_6_reference_direction(codes):
    method = fv.Preferences({"necd": 0.1, "nwp": 0.1}, groups="full-domain")
    session = fv.ReferenceDirection(
        codes.table, codes.schema, guards=[fv.KAnonymity(2)], method=method, start={"necd": 1.0, "nwp": 0.2}, points=10
    )
    first = session.step()
    assert [round(one.point["nwp"], 2) for one in first.solutions] == [0.07, 0.09]  # G₁, G₂
    again = session.step(1)
    assert {one.cuts for one in again.solutions} <= {one.cuts for one in first.solutions}  # nothing new


def test_example_7_the_multi_objective_form_prefers_the_larger_k(points, frontier, rows, codes):
    k = frontier.values("k")[rows]
    assert NAMES[wish(5).choose(points, k)] == "G8"
    modest = Aspirations({"necd": 0.1, "nwp": 0.2})
    assert NAMES[modest.choose(points, k)] == "G2"


def test_example_7_end_to_end(codes):
    """The optimum over the whole lattice, which has more than the paper's eight: sal may be merged altogether."""
    method = fv.Preferences({"necd": 0.1, "nwp": 0.5}, groups="full-domain")
    explorer = Explorer(Task.of(codes.table, codes.schema, [fv.KAnonymity(2)]), method)
    places = [int(p) for p, node in zip(explorer.node_indices, explorer.nodes, strict=True) if node[1] < 2]
    evaluator = explorer.evaluator
    best = places[wish(5).choose(evaluator.points[places], evaluator.k[places])]
    assert evaluator.points[best].round(2).tolist() == [0.18, 0.50]
    assert evaluator.k[best] == 5
