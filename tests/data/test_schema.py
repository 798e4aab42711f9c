"""Schemas: every column has a role, roles do not clash, and all that is wrong is said at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fairveil as fv

TABLE = fv.Table.from_frame(pa.table({"id": [1, 2], "age": [3, 4], "sex": ["f", "m"], "ill": ["y", "n"]}))


def test_roles() -> None:
    schema = fv.Schema(identifier=["id"], quasi=["age", "sex"], protected="sex", sensitive="ill")
    schema.check(TABLE)
    assert schema.roles("sex") == ("quasi", "protected")
    assert fv.Schema.from_dict(schema.to_dict()) == schema


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quasi": ["age"], "sensitive": ["age"]}, "'age' cannot be both quasi and sensitive"),
        ({"identifier": ["id"], "quasi": ["id"]}, "'id' cannot be both identifier and quasi"),
        ({"quasi": ["age"], "decision": "age"}, "'age' cannot be both quasi and decision"),
        ({"quasi": ["age"], "weights": {"age": 0}}, "weight of 'age' must be positive"),
        ({"quasi": ["age"], "pseudonyms": ["id"]}, "no identifier 'id'"),
        ({"quasi": ["age"], "denied": "n"}, "no decision column"),
    ],
)
def test_clashes_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(fv.BadInput, match=message):
        fv.Schema(**settings)  # type: ignore[arg-type]


def test_everything_wrong_is_said_at_once() -> None:
    schema = fv.Schema(
        quasi=["agee"], decision="ill", denied="maybe", hierarchies={"zip": fv.hierarchy.suppress()}, weights={"ill": 2}
    )
    with pytest.raises(fv.BadInput) as caught:
        schema.check(TABLE)
    message = str(caught.value)
    assert "no column 'agee': did you mean 'age'?" in message
    assert "columns have no role: 'id', 'age', 'sex'" in message
    assert "no column 'zip'" in message
    assert "'ill' has a weight but is not quasi" in message
    assert "no value 'maybe'" in message


def test_weights_sum_to_one() -> None:
    schema = fv.Schema(quasi=["age", "sex"], weights={"age": 3})
    assert schema.loss_weight("age") == 0.75
    assert schema.loss_weight("sex") == 0.25


def test_a_fixed_level_needs_a_hierarchy_that_was_not_read_off_the_data() -> None:
    """Its labels are made of values, and some of these may be of people who are not published."""
    table = fv.Table.from_frame(pa.table({"q": list("aabb"), "town": ["Bern", "Rome", "Oslo", "Linz"]}))
    learnt = fv.hierarchy.automatic(table, ["town"])["town"]
    with pytest.raises(fv.BadInput, match="'town' has a level, and its hierarchy was inferred from the data"):
        fv.Schema(quasi=["q"], plain=["town"], hierarchies={"town": learnt}, levels={"town": 1})


@pytest.mark.parametrize("role", ["identifier", "quasi", "sensitive", "protected", "plain", "drop", "pseudonyms"])
def test_a_column_is_named_once_in_a_role(role: str) -> None:
    with pytest.raises(fv.BadInput, match=f"column 'x' is named twice in {role}: name it once"):
        fv.Schema.from_dict({"identifier": ["x"] if role == "pseudonyms" else [], role: ["x", "y", "x"]})


def test_nothing_is_said_of_a_column_that_is_left_out() -> None:
    ages = fv.hierarchy.intervals([0, 10], widths=(5,))
    schema = fv.Schema(
        quasi=["sex", "age"], protected=["sex"], sensitive=["ill"], household="id", hierarchies={"age": ages},
        weights={"age": 2.0, "sex": 1.0}, whole_numbers={"age": "quantity"},
    )  # fmt: skip
    fewer = schema.without(["age", "id"])
    assert fewer == fv.Schema(
        quasi=["sex"], protected=["sex"], sensitive=["ill"], drop=["age", "id"], weights={"sex": 1.0}
    )
    fewer.check(TABLE)
