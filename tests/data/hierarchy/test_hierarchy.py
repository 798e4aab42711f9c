"""Every kind of hierarchy: labels, edges, problems named all at once, and the same after being written."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from tests.randomly import trees


def labels(rule: hierarchy.Hierarchy, value: object) -> list[object]:
    levels = rule.bind([value])
    return [levels.labels[level][levels.codes[level, 0]] for level in range(levels.height + 1)]


def test_csv(tmp_path: Path) -> None:
    file = tmp_path / "race.csv"
    file.write_text("White;White;*\nBlack;Colored;*\nAsian;Colored;*\n")
    assert labels(hierarchy.read_csv(file), "Asian") == ["Asian", "Colored", "*"]


def test_nested_mapping_with_branches_of_unequal_depth() -> None:
    rule = hierarchy.tree({"*": {"Europe": {"South": ["Spain"], "North": ["Norway"]}, "Asia": ["Japan"]}})
    assert labels(rule, "Spain") == ["Spain", "South", "Europe", "*"]
    assert labels(rule, "Japan") == ["Japan", "Japan", "Asia", "*"]


def test_mask_keeps_leading_zeros() -> None:
    assert labels(hierarchy.mask(5, steps=(2, 5)), "08540") == ["08540", "085**", "*****"]
    assert labels(hierarchy.mask(3, side="left"), "123") == ["123", "*23", "**3", "***"]


def test_dates() -> None:
    assert labels(hierarchy.dates(), date(1987, 5, 3))[1:] == ["1987-05", "1987-Q2", "1987", "1980s", "*"]
    assert labels(hierarchy.dates("day", "year"), datetime(1987, 5, 3, 12))[1:] == ["1987-05-03", "1987", "*"]
    assert labels(hierarchy.dates("year"), "1987-05-03")[1:] == ["1987", "*"]


def test_ordered_grouping() -> None:
    rule = hierarchy.grouping(["A", "B", "C", "D", "E"], sizes=(2, 4))
    assert labels(rule, "D")[1:] == ["C…D", "A…D", "*"]
    assert labels(rule, "E")[1:] == ["E", "E", "*"]


@given(st.integers(-50, 150), st.sampled_from([(5, 10, 20), (7, 21), (1, 2)]))
def test_a_whole_number_is_in_the_interval_whose_label_contains_it(value: int, widths: tuple[int, ...]) -> None:
    rule = hierarchy.intervals([0, 100], widths=widths, open_ended=True)
    for label in labels(rule, value)[1:-1]:
        text = str(label)
        if text.startswith("<"):
            assert value < int(text[1:])
        elif text.startswith("≥"):
            assert value >= int(text[1:])
        else:
            low, _, high = text.partition("-")
            assert int(low) <= value <= int(high or low)


@given(st.floats(0, 1, exclude_max=True))
def test_a_decimal_number_is_in_the_half_open_interval_of_its_label(value: float) -> None:
    low, high = str(labels(hierarchy.intervals([0, 0.25, 0.5, 1]), value)[1]).strip("[)").split(", ")
    assert float(low) <= value < float(high)


def test_intervals_refuse_what_no_label_contains() -> None:
    rule = hierarchy.intervals([0, 10, 20])
    with pytest.raises(fv.BadInput, match=r"^-1 is outside \[0, 20\): add edges or open_ended=True \(and 20\)$"):
        rule.bind([-1, 5, 9.5, 20])


def test_whole_edges_take_numbers_with_fractions_and_say_so_in_their_labels() -> None:
    rule = hierarchy.intervals([0, 10, 20])
    assert rule.bind([5, 15]).labels[1] == ("0-9", "10-19")
    assert rule.bind([5, 9.5, 15]).labels[1] == ("[0, 10)", "[10, 20)")
    assert all(rule.admits(1, label) for label in ("0-9", "[0, 10)")) and not rule.admits(1, "0-10")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hierarchy.from_rows([["a", "x", "*"], ["a", "y", "*"]]), "'a' generalizes two ways"),
        (lambda: hierarchy.from_rows([["a", "x", "*"], ["b", "*"]]), "fewer levels"),
        (lambda: hierarchy.from_rows([["a", "x", "p", "*"], ["b", "x", "q", "*"]]).bind(["a", "b"]),
         "level 2 splits what level 1 merged: 'x' is under both 'p' and 'q'"),
        (lambda: hierarchy.from_rows([["a", "*"]]).bind(["b", "c", "a"]), "2 values have no leaf: 'b', 'c'"),
        (lambda: hierarchy.intervals([0, 10, 5]), "ascending edges"),
        (lambda: hierarchy.intervals([0, 10, 20], levels=[[0, 15, 20]]), "edge 15 of level 2 splits"),
        (lambda: hierarchy.intervals([0, 100], widths=(10, 15)), "edge 15 of level 2 splits"),
        (lambda: hierarchy.intervals([0, 100], widths=(0,)), "widths must be positive"),
        (lambda: hierarchy.intervals([0, 10]).bind(["x"]), "'x' is not a number"),
        (lambda: hierarchy.mask(5).bind(["123"]), "'123' has 3 characters, the mask expects 5"),
        (lambda: hierarchy.mask(3, steps=(2, 1)), "must increase"),
        (lambda: hierarchy.dates("yer"), "did you mean 'year'"),
        (lambda: hierarchy.dates("year", "month"), "must grow"),
        (lambda: hierarchy.dates().bind(["May"]), "'May' is not a date"),
        (lambda: hierarchy.grouping(["a", "a"]), "every value once"),
        (lambda: hierarchy.grouping(["a", "b"], sizes=(2, 3)), "not a larger multiple"),
        (lambda: hierarchy.read_csv("nowhere.csv"), "nowhere.csv cannot be read"),
        (lambda: hierarchy.from_dict({"kind": "tre"}), "did you mean 'tree'"),
        (lambda: hierarchy.from_dict({"kind": "mask", "lenght": 3}), "did you mean 'length'"),
    ],
)  # fmt: skip
def test_problems_are_named(make, sentence) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        make()


def test_all_problems_of_all_columns_at_once() -> None:
    import pyarrow as pa

    table = fv.Table.from_frame(pa.table({"zip": ["12"], "age": [300]}))
    schema = fv.Schema(
        quasi=["zip", "age"], hierarchies={"zip": hierarchy.mask(5), "age": hierarchy.intervals([0, 120])}
    )
    with pytest.raises(fv.BadInput, match=r"2 problems: hierarchy of 'zip'.*hierarchy of 'age'.*300 is outside"):
        schema.bind(table)


def test_without_a_single_top_one_is_added_and_said() -> None:
    levels = hierarchy.from_rows([["a", "x"], ["b", "y"]]).bind(["a", "b"])
    assert levels.labels[-1] == ("*",)
    assert "was added" in levels.notes[0]


def test_missing_is_a_category_of_its_own_below_the_top() -> None:
    levels = hierarchy.from_rows([["a", "x", "*"], ["b", "x", "*"]]).bind(["a", "b", None])
    assert levels.codes[1].tolist() == [0, 0, 1]
    assert levels.labels[1] == ("x", None)
    assert levels.codes[2].tolist() == [0, 0, 0]


RULES = [
    hierarchy.from_rows([["a", "x", "*"], ["b", "x", "*"]]),
    hierarchy.intervals([0, 100], widths=(10, 50), open_ended=True),
    hierarchy.intervals([0, 0.5, 1.5]),
    hierarchy.mask(4, steps=(1, 3)),
    hierarchy.dates("month", "year"),
    hierarchy.grouping([1, 2, 3], sizes=(2,)),
    hierarchy.suppress(),
]
VALUES = [["a", "b"], [3, 50, 200, -5], [0.25, 1.0], ["0123", "9999"], [date(2001, 2, 3)], [1, 3], ["anything", 7]]


@pytest.mark.parametrize(("rule", "values"), list(zip(RULES, VALUES, strict=True)))
def test_written_and_read_again(rule: hierarchy.Hierarchy, values: list[object]) -> None:
    import json

    again = hierarchy.from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again.bind(values).labels == rule.bind(values).labels


@pytest.mark.parametrize(("rule", "values"), list(zip(RULES, VALUES, strict=True)))
def test_what_is_published_is_admitted_and_a_lower_level_is_not(
    rule: hierarchy.Hierarchy, values: list[object]
) -> None:
    levels = rule.bind(values)
    for level in range(levels.height + 1):
        assert all(rule.admits(level, levels.labels[level][code]) for code in levels.codes[level, : len(values)])
    assert not rule.admits(levels.height, "something else entirely")


@given(st.data())
def test_lookups_between_levels_compose(data: st.DataObject) -> None:
    leaves = [f"v{i}" for i in range(data.draw(st.integers(1, 6)))]
    levels = data.draw(trees(leaves)).bind(leaves)
    low = data.draw(st.integers(0, levels.height))
    high = data.draw(st.integers(low, levels.height))
    assert (levels.between(low, high)[levels.codes[low]] == levels.codes[high]).all()
    assert sum(levels.widths[high]) == levels.leaves
    assert np.isclose(levels.penalties[-1][0], 1.0 if levels.leaves > 1 else 0.0)


def test_what_is_wrong_with_many_values_is_said_once() -> None:
    with pytest.raises(fv.BadInput, match=r"^100 is outside \[0, 20\): .* \(and 899 more values, such as 101, 102\)$"):
        hierarchy.intervals([0, 10, 20]).bind(list(range(100, 1000)))


def test_a_fraction_falls_where_everybody_looks_for_it() -> None:
    learnt = hierarchy.Intervals(((10, 20, 30),), open_ended=True, whole=True, from_data=True)
    assert learnt.bind([17.25, 19.999, 20.0]).labels[1] == ("10-19", "20-29")


@given(
    st.lists(
        st.one_of(st.integers(-50, 50), st.floats(-50, 50), st.integers(2**60, 2**60 + 9)), min_size=1, unique=True
    ),
    st.lists(st.integers(-40, 40), min_size=2, max_size=6, unique=True),
)
def test_intervals_of_many_values_are_those_of_each(values: list[float], edges: list[int]) -> None:
    """All at once, as arrays, and one by one with a search by hand."""
    rule = hierarchy.intervals(sorted(edges), open_ended=True)
    together, _ = rule.paths(values)
    whole = all(value == value // 1 for value in values)
    for value, path in zip(values, together, strict=True):
        place = sum(edge <= value for edge in edges)
        assert path[0] == rule._scales[whole][0][2][place]
