"""Names of columns in public registers, and kinds of values that names alone do not say."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.suggested_roles import suggest_roles


def number(name: str, low: float, middle: float, high: float, distinct: int = 40, **more: object) -> Facts:
    facts = Facts(name, "integers", "integers", distinct, 0.0, 1000, low=low, middle=middle, high=high)
    return replace(facts, **more)  # type: ignore[arg-type]


def text(name: str, *values: str, **more: object) -> Facts:
    facts = Facts(name, "text", "text", len(values), 0.0, 1000, values=values, sample=values, spelled=values)
    return replace(facts, **more)  # type: ignore[arg-type]


def roles(*columns: Facts) -> list[str]:
    return ["+".join(suggestion.roles) for suggestion in suggest_roles(columns)]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("AGEP", "quasi+protected"), ("SCHL", "quasi"), ("PINCP", "sensitive"), ("DPHY", "sensitive+protected"),
        ("RIDAGEYR", "quasi+protected"), ("GENHLTH", "sensitive"), ("LBSTRESN", "sensitive"), ("polviews", "sensitive"),
        ("TP_COR_RACA", "quasi+protected"), ("CAUSABAS", "sensitive"), ("evasao", "sensitive"),
        ("frpl_ever", "sensitive"),
        ("AbsentHours", "sensitive"), ("median_income", "quasi"),
    ],
)  # fmt: skip
def test_names_of_registers_surveys_and_trials_are_known(name: str, role: str) -> None:
    assert roles(number(name, 1, 20, 90)) == [role]


def test_shares_of_a_group_are_figures_of_an_area_and_an_indicator_is_a_ground() -> None:
    share = number("share_black", 0, 7.4, 99.8, 245, look="numbers", type="numbers")
    assert roles(share) == ["quasi"] and roles(number("black", 0, 0, 1, 2, values=(0, 1))) == ["quasi+protected"]


def test_hashed_numbers_are_left_out_whatever_the_name_says() -> None:
    random_ = random.Random(1)
    hashed = tuple(f"{random_.getrandbits(40):010x}" for _ in range(100))
    officers = text("officer_id_hash", *hashed, look="codes", values=())
    assert not {*roles(officers)} & {"quasi", "sensitive"}


def test_one_of_several_numbered_outcomes_is_no_decision() -> None:
    yes_or_no = [number(f"Accepted{turn}", 0, 0, 1, 2, values=(0, 1)) for turn in (1, 2, 3)]
    assert roles(*yes_or_no) == ["sensitive"] * 3
    assert roles(number("Accepted", 0, 0, 1, 2, values=(0, 1))) == ["decision"]


def test_units_of_measurement_are_plain_and_answers_are_no_dates() -> None:
    assert roles(text("age_unit", "months", "years")) == ["plain"]
    assert roles(text("warning_issued", "FALSE", "TRUE")) != ["quasi"]


def test_percentages_of_marks_are_scores() -> None:
    marks = number("degree_p", 50, 66, 91, 89, look="numbers", type="numbers")
    assert roles(marks, number("degree", 1, 2, 5, 5, values=(1, 2, 3, 4, 5))) == ["sensitive", "quasi"]


def written(folder: Path, rows: Sequence[Sequence[object]]) -> Path:
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return folder / "people.csv"


def test_decimal_commas_between_quotes_are_read(tmp_path: Path) -> None:
    random_ = random.Random(2)
    rows = [[random_.choice("MF"), random_.randint(20, 80), f"{random_.randint(60, 90)},5" if place % 3 else 70]
            for place in range(300)]  # fmt: skip
    plan = fv.init(written(tmp_path, [["sex", "age", "pressure"], *rows]), progress=False)
    assert plan.source is not None and plan.source.dialect.decimal == ","
    assert plan.schema is not None and "pressure" in plan.schema.sensitive


def test_points_between_thousands_are_not_read_into_a_file_with_decimal_points(tmp_path: Path) -> None:
    random_ = random.Random(3)
    cost = [
        f"{random_.randrange(10**6)}.{random_.randrange(10, 99)}" if place % 2 else "13.348.799.999"
        for place in range(300)
    ]
    rows = [
        [random_.choice("MF"), random_.randint(20, 80), f"4.222.{100 + place}", cost[place]] for place in range(300)
    ]
    plan = fv.init(written(tmp_path, [["sex", "age", "site_code", "cost"], *rows]), progress=False)
    assert plan.source is not None and plan.source.dialect.thousands is None


def test_numbers_of_which_everybody_has_a_zero_stay_sensitive_in_intervals(tmp_path: Path) -> None:
    random_ = random.Random(4)
    rows: list[list[object]] = [["patient_id", "sex", "age", "active_minutes"]]
    for person in range(1, 121):
        sex, age = random_.choice("MF"), random_.randint(20, 60)
        rows += [
            [1000 + person, sex, age, 0 if day == 0 else random_.choice([0, random_.randrange(200)])]
            for day in range(8)
        ]
    plan = fv.init(written(tmp_path, rows), progress=False)
    assert plan.schema is not None and plan.schema.person == "patient_id" and "active_minutes" in plan.schema.sensitive
    assert any(isinstance(guard, fv.TCloseness) for guard in plan.guards)


@pytest.mark.parametrize("name", ["nome", "Sobrenome", "voornaam", "NAAM"])
def test_names_are_left_out_in_other_languages(name: str) -> None:
    people = text(name, *(f"Xy{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"), values=())
    assert not {*roles(people)} & {"quasi", "sensitive", "plain"}


@pytest.mark.parametrize("name", ["AutoAge", "vehicle_age", "house_age"])
def test_the_age_of_a_thing_is_no_ground(name: str) -> None:
    assert roles(number(name, 0, 4, 30)) == ["quasi"]


def test_low_medium_and_high_are_no_sexes() -> None:
    assert "protected" not in roles(text("Class", "L", "M", "H"))[0]
    assert roles(text("Class", "M", "H")) == ["quasi+protected"]


def test_figures_of_an_account_are_published_and_the_account_is_not() -> None:
    assert roles(number("twitter_followers", 0, 900, 80_000, 800)) == ["sensitive"]
    assert not {*roles(text("twitter", *(f"@{letter}bc" for letter in "abcdefghijklmnopqrstuvwxyz"), values=()))} & {
        "quasi",
        "sensitive",
        "plain",
    }


def test_participles_are_no_education() -> None:
    assert roles(text("was_mental_illness_related", "True", "False")) == ["sensitive"]


def test_how_a_figure_was_obtained_is_plain() -> None:
    assert roles(text("race_source", "public_record", "clip", "photo")) == ["plain"]


def test_full_names_that_repeat_say_who_records_are_about() -> None:
    first, last = (
        ("Adam", "Maria", "John", "Laura", "Peter", "Anna"),
        ("Silver", "Miller", "Smith", "Garcia", "Jones", "Brown"),
    )
    names = [f"{given} {family}" for given in first for family in last] * 8
    draws = random.Random(3)
    columns = {
        "team": [draws.choice("ABCD") for _ in names], "amount": [draws.choice((500, 1000, 2500)) for _ in names],
        "year": [draws.choice((2016, 2018, 2020)) for _ in names],
    }  # fmt: skip
    donations = fv.init(pa.table({"Owner": names, **columns}))
    assert donations.schema is not None and donations.schema.person == "Owner"
    visits = fv.init(pa.table({"doctor_name": names, **columns}))
    assert visits.schema is not None and visits.schema.person is None and "doctor_name" not in visits.schema.published


@pytest.mark.parametrize("name", ["0", "!!", ""])
def test_names_without_letters_say_nothing(name: str) -> None:
    assert roles(number(name, 0, 50, 100, 80), text(name, "yes", "no"))
