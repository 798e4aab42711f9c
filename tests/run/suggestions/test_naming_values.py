"""Values that name or number people are left out, whatever their column is called and however often they repeat."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.run.suggestions.naming_values import is_told, naming_look
from tests.run.suggestions.naming_values import FORMS, drawn

ROWS = 600
LEFT_OUT = {"identifier", "person", "household", "drop"}


def register(kind: str, name: str, rows_each: int) -> pd.DataFrame:
    """A register in which each value of a kind has so many rows, those of one person."""
    rng = np.random.default_rng(3)
    values = np.array(drawn(kind, ROWS // rows_each, rng), dtype=object)
    who = np.arange(ROWS) // rows_each
    sex, age = rng.choice(["f", "m"], len(who)), rng.integers(20, 80, len(who))
    return pd.DataFrame({"sex": sex[who], "age": age[who], name: values[who % len(values)],
                         "region": rng.choice(["north", "south", "east"], len(who))[who],
                         "diagnosis": rng.choice(list("abc"), ROWS)})  # fmt: skip


@pytest.mark.parametrize("rows_each", [1, 3, 12])
@pytest.mark.parametrize("name", ["x7", "origin"])
@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind != "remarks"])
def test_a_column_that_names_or_numbers_people_is_left_out(kind: str, name: str, rows_each: int) -> None:
    plan = fv.init(register(kind, name, rows_each), progress=False)
    assert plan.schema is not None and {*plan.schema.roles(name)} <= LEFT_OUT


@pytest.mark.parametrize("rows_each", [1, 3, 12])
def test_remarks_of_which_nothing_is_known_are_left_out(rows_each: int) -> None:
    plan = fv.init(register("remarks", "x7", rows_each), progress=False)
    assert plan.schema is not None and {*plan.schema.roles("x7")} <= LEFT_OUT


@pytest.mark.parametrize("kind", ["streets in Spanish", "surnames and initials", "names with titles", "names in full"])
def test_names_of_others_are_left_out_who_have_many_rows(kind: str) -> None:
    rng = np.random.default_rng(4)
    frame = register(kind, "x7", 1).assign(x7=rng.choice(np.array(drawn(kind, 15, rng), dtype=object), ROWS))
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and {*plan.schema.roles("x7")} <= LEFT_OUT


def test_profiles_of_a_few_phrases_are_left_out() -> None:
    phrases = ["Hikes, bad puns", "not here often, ask me", "Dog person. Ask me anything", "working nights"]
    frame = register("phone numbers", "phone", 1).assign(bio=np.random.default_rng(5).choice(phrases, ROWS))
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.roles("bio") == ("drop",)


@pytest.mark.parametrize(
    "labels",
    [
        ["Theft of a vehicle", "Sale of wine", "Damage of things", "Fraud by cheque"],
        ["10-20 km", "20-50 km", "50-100 km"],
        ["Plan 50", "Plan 100", "Plan 200"],
        ["Type 2 diabetes", "Asthma grade 3"],
        ["North West", "South East", "Greater London"],
        ["E08", "E09", "B12"],
        ["Sales and related occupations", "Office and administrative support occupations"],
    ],
)
def test_labels_name_nobody(labels: list[str]) -> None:
    assert naming_look(labels) == "" and not is_told(labels)
