"""Differentially private tables: what they contain, what they claim, and what they must not tell."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy, methods
from fairveil.counting.cells import Cells, classes_of
from fairveil.counting.lattice import Lattice
from fairveil.errors import BadInput, Infeasible
from fairveil.methods import noisy_choice

GUARDS = [fv.AlphaProtection(1.2)]
CLASS = {"class": ["bad", "good"]}


@pytest.fixture(scope="module")
def german():
    return fv.datasets.german_credit()


@pytest.fixture(scope="module")
def frontier(german):
    return fv.search(german.table, german.schema, guards=GUARDS, method=fv.NoisyTable(2.0, cells=2_000, public=CLASS))


def test_every_candidate_keeps_the_guards_and_can_be_verified(frontier, tmp_path):
    for position in range(len(frontier)):
        assert frontier.release(position).holds
    release = frontier.best("cm")
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text())
    assert evidence["claims"]["epsilon"] == 2.0
    assert evidence["claims"]["spent"] <= 2.0 + 1e-9
    assert evidence["rows"]["source"] == release.table.rows  # the true number of rows is not told
    assert "entropy" not in evidence["measures"]


def test_only_quasi_columns_and_the_decision_are_published(german):
    plain = german.table.to_arrow().append_column("note", pa.array([1] * german.table.rows))
    schema = replace(german.schema, plain=("note",), whole_numbers={"note": "code"})
    release = fv.search(plain, schema, guards=GUARDS, method=fv.NoisyTable(1.0, cells=200, public=CLASS)).best("loss")
    assert set(release.table.names) == {*german.schema.quasi, "class"}


def test_the_recipe_generalizes_new_data(frontier, german):
    recipe = frontier.best("cm").recipe
    new = recipe.applied(german.test).table
    assert new.rows == german.test.rows
    for name in german.schema.quasi:
        assert not recipe.strays(new.column(name))


def test_with_a_large_budget_the_counts_are_nearly_right(german):
    release = fv.search(
        german.table,
        german.schema,
        guards=[fv.AlphaProtection(1e6)],
        method=fv.NoisyTable(1e4, cells=500, public=CLASS),
    ).best("cm")
    true = release.recipe.applied(german.table).table
    assert abs(release.table.rows - true.rows) <= 3
    for name in german.schema.quasi:
        ours, theirs = (Counter(t.to_arrow()[name].to_pylist()) for t in (release.table, true))
        assert all(abs(ours[value] - count) <= 3 for value, count in theirs.items())


def test_empty_cells_get_noise_too():
    """Else a cell without noise would tell that nobody is in it."""
    table = pa.table({"c": ["a"] * 40, "d": ["y", "n"] * 20})
    schema = fv.Schema(quasi=["c"], protected=["c"], decision="d", denied="n",
                       hierarchies={"c": hierarchy.tree({"*": list("abcdefgh")})})  # fmt: skip
    seen = set()
    method = fv.NoisyTable(0.5, choice=0.01, public={"d": ["y", "n"]})
    for _ in range(30):
        frontier = fv.search(table, schema, guards=[fv.AlphaProtection(1e6)], method=method)
        position = int(frontier.nodes[:, 0].argmin())
        seen |= set(frontier.release(position).table.column("c").compact().domain)
    assert len(seen) > 3


def test_rows_can_be_sampled(german):
    release = fv.search(
        german.table, german.schema, guards=GUARDS, method=fv.NoisyTable(1.0, cells=200, rows=123, public=CLASS)
    ).best("loss")
    assert release.table.rows == 123


def test_a_column_whose_values_only_the_data_tells_is_left_out():
    table = pa.table({"zip": ["1010", "1011", "2020", "2021"] * 10, "d": ["y", "n"] * 20})
    schema = fv.Schema(quasi=["zip"], protected=["zip"], decision="d", denied="n",
                       hierarchies={"zip": hierarchy.mask(4)})  # fmt: skip

    def found(**public):
        method = fv.NoisyTable(50.0, public={"d": ["y", "n"], **public})
        return fv.search(table, schema, guards=[fv.AlphaProtection(1e6)], method=method)

    secret, public = found(zip=False), found(zip=True)
    assert set(secret.release(0).table.column("zip").compact().domain) == {"*"}
    assert len(public) > 1 or public.nodes[0, 0] == 4


def test_plain_form_and_back():
    for public in (("zip",), {"zip": ("a", "b"), "town": False, "sex": True}):
        method = fv.NoisyTable(1.5, rows=10, public=public, missing=("zip",))
        assert methods.from_dict(json.loads(json.dumps(method.to_dict()))) == method


def test_what_is_refused(german):
    with pytest.raises(BadInput, match="epsilon must be a number above 0"):
        fv.NoisyTable(0)
    with pytest.raises(BadInput, match="did you mean 'sex'"):
        method = fv.NoisyTable(1.0, public="sexx")  # type: ignore[arg-type]
        fv.search(german.table, german.schema, guards=GUARDS, method=method)
    credit = fv.datasets.credit_decisions()
    with pytest.raises(BadInput, match="distinct-diversity looks at 'Salary'"):
        fv.search(credit.table, credit.schema, guards=[fv.DistinctDiversity(2)], method=fv.NoisyTable(1.0))
    with pytest.raises(Infeasible, match="the noise leaves no rows"):
        for _ in range(200):
            fv.search(
                credit.table, credit.schema, guards=[fv.AlphaProtection(1.2)],
                method=fv.NoisyTable(0.01, public=(*credit.schema.quasi, str(credit.schema.decision))),
            )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from("ny")), min_size=1, max_size=25),
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from("ny")),
    st.sampled_from(("slift", "elift", "clift", "olift")),
    st.sampled_from([1.05, 1.2, 2.0, 5.0]),
    st.sampled_from([1, 3, 0.05, 0.3]),
)
def test_one_record_changes_unfairness_by_at_most_one(rows, extra, measure, alpha, support):
    """What the private choice looks at, on neighbouring tables; it is above 0 exactly where the guard would refuse."""
    guard = fv.AlphaProtection(alpha, measure, support)
    schema = fv.Schema(quasi=["sex", "town"], protected=["sex"], decision="y", denied="n")

    def of(people):
        columns = dict(zip(("sex", "town", "y"), map(list, zip(*people, strict=True)), strict=True))
        table = fv.Table.from_frame(pa.table(columns))
        cells = Cells.of(table, ["sex", "town", "y"])
        levels = {c: fv.hierarchy.suppress().bind(table.column(c).domain, c) for c in ("sex", "town")}
        denied = np.array([v == "n" for v in table.column("y").domain])[cells.codes["y"]]
        nodes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        return guard.excess(Lattice(cells, levels), schema, nodes, denied), table

    one, table = of(rows)
    other, _ = of([*rows, extra])
    assert np.abs(one - other).max() <= 1 + 1e-9
    assert one[2] == one[3] == 0  # without sex there is no rule
    strict = fv.AlphaProtection(alpha * (1 + 1e-9), measure, support)
    if not isinstance(support, float):
        assert (one[0] > 1e-9) <= (not strict.verdict(classes_of(table, schema)[0], schema).holds)


# What is declared


AGES = fv.Schema(
    quasi=["age", "sex"], protected=["sex"], decision="d", denied="n",
    hierarchies={"age": hierarchy.intervals([0, 100], widths=(25, 50))},
)  # fmt: skip
DECLARED = {"sex": ["f", "m"], "d": ["y", "n"]}


def people(ages):
    return pa.table({"age": ages, "sex": ["f", "m"] * (len(ages) // 2), "d": ["y", "y", "n", "n"] * (len(ages) // 4)})


def finest(ages, **settings):
    """The finest generalization and all above, with so large a budget that hardly a count is wrong."""

    def first(scores, epsilon, budget, **_):
        budget.pay(epsilon)
        return 0

    method = fv.NoisyTable(1e5, **{"public": DECLARED, **settings})
    with mock.patch.object(noisy_choice, "choose", first):
        return fv.search(people(ages), AGES, guards=[fv.AlphaProtection(1e6)], method=method)


def exactly(ages, **settings):
    frontier = finest(ages, **settings)
    return frontier.release(int(frontier.nodes.sum(axis=1).argmin()))


def test_numbers_outside_a_range_count_in_the_end_intervals_and_labels_say_so(tmp_path):
    release = exactly([-7, 3, 24, 25, 60.5, 74, 75, 99, 100, 1000, 50, 51] * 200)
    counts = Counter(release.table.to_arrow()["age"].to_pylist())
    assert set(counts) == {"<25", "25-49", "50-74", "≥75"}
    assert [round(counts[label] / 200) for label in ("<25", "25-49", "50-74", "≥75")] == [3, 1, 4, 4]
    claims = release.evidence()["claims"]
    assert "age outside the declared range are in the first and the last interval" in claims["counted"]
    assert set(release.recipe.applied(pa.table({"age": [-50, 500], "sex": ["f", "m"], "d": ["y", "y"]}))
               .table.to_arrow()["age"].to_pylist()) == {"<25", "≥75"}  # fmt: skip
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")


def test_missing_values_count_where_they_are_declared():
    ages = [10, None, 60, 90] * 300
    for missing, published in ((), set()), (("age",), {None}):
        found = set(exactly(ages, missing=missing).table.to_arrow()["age"].to_pylist())
        assert found == {"<25", "50-74", "≥75"} | published


def test_loss_counts_declared_values_and_is_computed_from_the_files():
    """Of four intervals, one that stands for two loses a third; a column at its top, everything."""
    frontier = finest([10, 30, 60, 90] * 100, public={**DECLARED, "sex": False})
    assert frontier.nodes.tolist() == [[1, 1], [2, 1], [3, 1]]
    for position, (age, _) in enumerate(frontier.nodes.tolist()):
        evidence = frontier.release(position).evidence()
        assert evidence["loss_per_column"] == {"age": pytest.approx((0, 0, 1 / 3, 1)[age]), "sex": 1.0}
        assert evidence["measures"]["loss"] == pytest.approx(float(frontier.values("loss")[position]))
        assert evidence["from_source"] == []


def test_loss_where_the_set_of_values_is_taken_from_the_data():
    table = pa.table({"zip": ["1010", "1011", "2020", "2021"] * 10, "d": ["y", "n"] * 20})
    schema = fv.Schema(quasi=["zip"], decision="d", hierarchies={"zip": hierarchy.mask(4, steps=(1, 2, 4))})
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=fv.NoisyTable(1e4, public=("zip", "d")))
    for position, [level] in enumerate(frontier.nodes.tolist()):
        assert frontier.release(position).evidence()["loss_per_column"]["zip"] == (0, 0.333, 0.333, 1)[level]


@pytest.mark.parametrize(
    ("public", "sentence"),
    [
        (
            {"d": ["y", "n"]},
            "which values 'sex' can have: list its values, public={'sex': […]}, or give it an intervals",
        ),
        ({"sex": ["f", "m"]}, "which values 'd' can have: list its values, public={'d': […]}"),
        ({**DECLARED, "d": False}, "which values 'd' can have: list its values"),
        ({**DECLARED, "d": ["yes", "no"]}, "'d' is declared to hold no, yes, and 'n', which is denied, is not among"),
        ({**DECLARED, "sex": "fm"}, "public.sex must list the values of the column, not 'fm'"),
    ],
)
def test_what_is_not_declared_is_refused_and_never_looked_up(public, sentence):
    with pytest.raises(BadInput) as refused:
        fv.search(people([1, 2, 3, 4]), AGES, guards=[fv.AlphaProtection(1.2)], method=fv.NoisyTable(public=public))
    assert sentence in str(refused.value)


def test_a_decision_is_no_range():
    schema = replace(AGES, quasi=("sex",), protected=(), decision="age", denied=None, drop=("d",))
    with pytest.raises(BadInput, match="which values 'age' can have: list its values"):
        method = fv.NoisyTable(public={"sex": ["f", "m"]})
        fv.search(people([1, 2, 3, 4]), schema, guards=[fv.KAnonymity(2)], method=method)


def test_a_range_of_one_interval_tells_nothing():
    schema = replace(AGES, hierarchies={"age": hierarchy.intervals([0, 100])})
    with pytest.raises(BadInput, match=r"'age'.*single interval"):
        fv.search(people([1, 2, 3, 4]), schema, guards=GUARDS, method=fv.NoisyTable(public=DECLARED))


def test_where_the_set_of_values_is_taken_from_the_data_the_claim_says_so():
    claims = exactly([10, 30, 60, 90] * 50, public=("sex", "d")).evidence()["claims"]
    assert claims["differential_privacy"].endswith("among sources with the same set of values in sex and d")
    assert claims["public"][-2:] == ["the set of values of sex", "the set of values of d"]
    assert "same set" not in exactly([10, 30, 60, 90] * 50).evidence()["claims"]["differential_privacy"]


def test_a_tiny_budget_fills_no_memory():
    with pytest.raises(Infeasible, match=r"nearly all of them noise|the noise leaves no rows"):
        fv.search(people([1, 2, 3, 4]), AGES, guards=GUARDS, method=fv.NoisyTable(1e-12, public=DECLARED))
