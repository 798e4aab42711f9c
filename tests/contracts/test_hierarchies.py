"""What every kind of hierarchy owes its users, because it is in the registry."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

import fairveil as fv
from fairveil.data import hierarchy
from fairveil.data.hierarchy import KINDS, Hierarchy

EXAMPLES: dict[str, tuple[Hierarchy, list[Any], Any]] = {
    "tree": (hierarchy.tree({"*": {"warm": ["red", "orange"], "cold": ["blue"]}}), ["red", "blue"], "pink"),
    "intervals": (hierarchy.intervals([0, 60], widths=(10, 30)), [3, 17, 59], 99),
    "top-code": (hierarchy.top_code(above=[85, 80], below=[18]), [12, 40.5, 81, 85, 97], "97"),
    "mask": (hierarchy.mask(4), ["1010", "1011", "2020"], "longer"),
    "dates": (hierarchy.dates(), [date(1990, 1, 1), date(1991, 5, 6)], "yesterday"),
    "grouping": (hierarchy.grouping(["XS", "S", "M", "L"], sizes=(2,)), ["S", "L"], "XXL"),
    "prefixes": (hierarchy.prefixes([3, 1]), ["E11.9", "E11", "I10"], None),
    "frequent": (hierarchy.frequent([["a", 1], [1]]), ["a", 1, "b", "c"], "other"),
    "zip3": (hierarchy.zip3(), ["02139", "03601", "02142-1234", 893], "SW1A 1AA"),
    "suppress": (hierarchy.suppress(), ["a", 1], None),
}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.kind)
def example(request: pytest.FixtureRequest) -> tuple[Hierarchy, list[Any], Any]:
    return EXAMPLES[request.param.kind]


def test_it_comes_back_from_a_plan(example: tuple[Hierarchy, list[Any], Any]) -> None:
    rule = example[0]
    assert hierarchy.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


def test_levels_nest_and_end_in_one_value(example: tuple[Hierarchy, list[Any], Any]) -> None:
    rule, values, _ = example
    for held in (values, [*values, None]):
        levels = rule.bind(held)
        assert len(levels.labels[-1]) == 1 and levels.leaves >= len(held)
        for level in range(levels.height):
            pairs = {(low, high) for low, high in zip(levels.codes[level], levels.codes[level + 1], strict=True)}
            assert len(pairs) == len({low for low, _ in pairs}), "a level splits what a lower one merged"
        assert [levels.labels[0][code] for code in levels.codes[0][: len(held)]] == held


def test_what_it_publishes_it_admits(example: tuple[Hierarchy, list[Any], Any]) -> None:
    rule, values, _ = example
    levels = rule.bind(values)
    for level in range(levels.height + 1):
        for label in levels.labels[level]:
            assert rule.admits(level, label), (level, label)


def test_a_value_without_a_place_is_refused_by_name(example: tuple[Hierarchy, list[Any], Any]) -> None:
    rule, values, strange = example
    if strange is None:
        pytest.skip("every value has a place in it")
    with pytest.raises(fv.BadInput, match=str(strange)):
        rule.bind([*values, strange], "column")
