"""Columns of studies, of places and of offices: what they are is judged by profiles of frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

import fairveil as fv

ROWS = 600
RNG = np.random.default_rng(7)


def role(name: str, values: Sequence[object] | np.ndarray, **others: object) -> str:
    """The first role of a column that stands beside others in a file."""
    frame = pd.DataFrame({name: values, "sex": RNG.choice(["m", "f"], len(values)), **others})
    return fv.profile(frame, pairs=False, progress=False).column(name).roles[0]


def drawn(*values: object, rows: int = ROWS) -> np.ndarray:
    return np.resize(np.array(values, dtype=object), rows)


@pytest.mark.parametrize("name", ["trt", "arm", "treat", "randomized", "treatment"])
@pytest.mark.parametrize("values", [(0, 1), ("A", "B", "C"), ("placebo", "drug 5 mg")])
def test_the_arm_of_a_trial_is_plain(name: str, values: tuple[object, ...]) -> None:
    assert role(name, drawn(*values)) == "plain"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("treatment", ("yes", "no")), ("treatment", ("surgery", "chemo", "none")), ("satreat", ("yes", "no")),
        ("arm", ("broken", "bruised", "healthy", "cut", "burnt", "swollen", "numb")),
        ("treat", (0,) * 9 + (1,)),  # few are treated
    ],
)  # fmt: skip
def test_how_somebody_is_treated_is_no_arm(name: str, values: tuple[object, ...]) -> None:
    assert role(name, drawn(*values)) == "sensitive"


@pytest.mark.parametrize("name", ["visit", "week", "occasion", "period", "Time", "wave"])
def test_the_turn_of_a_record_is_plain_and_stays(name: str) -> None:
    frame = pd.DataFrame({
        "patient_id": np.repeat(np.arange(150) + 1000, 4), name: np.tile([0, 2, 4, 8], 150),
        "sex": np.repeat(RNG.choice(["m", "f"], 150), 4), "age": np.repeat(RNG.integers(20, 60, 150), 4),
        "arm": np.repeat(RNG.choice(["A", "B"], 150), 4), "sbp": RNG.integers(90, 180, ROWS),
    })  # fmt: skip
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and schema.person == "patient_id"
    assert {name, "arm"} <= {*schema.plain}


def test_a_time_beside_a_status_is_an_outcome_and_months_of_a_calendar_are_dates() -> None:
    people = np.repeat(np.arange(200) + 1000, 3)
    assert role("time", RNG.integers(1, 900, ROWS), id=people, status=drawn(0, 1)) == "sensitive"
    assert role("month", np.tile(np.arange(1, 13), 50), id=people) == "quasi"


@pytest.mark.parametrize("name", ["cigprice", "beertax", "unemrate", "gas_price"])
def test_few_prices_and_taxes_are_plain_and_many_say_a_place(name: str) -> None:
    assert role(name, drawn(1.25, 1.5, 2.75, 3.25)) == "plain"
    assert role(name, np.round(RNG.normal(50, 9, ROWS), 1)) == "quasi"


@pytest.mark.parametrize("name", ["median_income", "l_med_hh_inc_zip", "frac_black", "blackpct"])
def test_figures_of_an_area_are_not_those_of_a_person(name: str) -> None:
    assert role(name, RNG.choice(np.round(RNG.normal(50, 9, 60), 3), ROWS)) in ("quasi", "plain")


@pytest.mark.parametrize("name", ["Bemerkung", "obs", "last_agent_note", "commentaire", "circumstances", "opmerkingen"])
@pytest.mark.parametrize("missing", [0, 400])
def test_remarks_are_left_out_even_if_they_are_few(name: str, missing: int) -> None:
    remarks = drawn("called by his wife", "refuses to pay", "known to the service", "asks for a visit")
    remarks[:missing] = None
    assert role(name, remarks) in ("drop", "identifier")


@pytest.mark.parametrize(
    "values",
    [
        ("DR BENALI", "DR LE GAL"),
        ("Mrs. Oyelaran", "Mr Okafor", "Ms Bright"),
        ("RA Neumann", "RAin Klein"),
        ("Dr(a). Silva", "Dr(a). Gomes"),
    ],
)
@pytest.mark.parametrize("name", ["medecin", "officer", "x1"])
def test_titles_and_names_are_left_out_however_few_there_are(name: str, values: tuple[str, ...]) -> None:
    assert role(name, drawn(*values)) == "identifier"
    assert role("status", drawn("Mr", "Mrs")) == "quasi"  # titles alone


def test_codes_of_two_digits_each_are_no_dates() -> None:
    codes = [f"{one:02}-{two:02}-{three:02}" for one, two, three in RNG.integers(10, 99, (ROWS, 3))]
    assert role("sort_code", codes) in ("identifier", "drop", "person")
    assert role("dob", [f"{day:02}-{month:02}-78" for day, month in RNG.integers(1, 13, (ROWS, 2))]) == "quasi"


@pytest.mark.parametrize("name", ["Pat_Kuerzel", "initials", "ref"])
def test_short_codes_of_people_are_not_published(name: str) -> None:
    letters = np.array(list("abcdefghijkl"))
    codes = ["".join(letters[list(row)]) for row in RNG.integers(0, 12, (250, 3))]
    assert role(name, np.resize(np.array(codes, dtype=object), 2 * ROWS)) in ("identifier", "person", "drop")


def test_numbers_given_one_after_the_other_number_people_whatever_the_name_says() -> None:
    assert role("txn_seq", np.arange(9_100_000, 9_100_000 + ROWS)) in ("identifier", "drop")


@pytest.mark.parametrize("name", ["Subject", "patient", "participant"])
def test_the_numbers_of_a_few_people_are_not_published(name: str) -> None:
    assert role(name, np.repeat(np.arange(1, 7), 100), dose=RNG.normal(5, 1, ROWS)) in ("identifier", "person")


def test_an_empty_column_is_left_out() -> None:
    assert role("income", np.full(ROWS, np.nan)) == "drop"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("nationalitaet", "quasi"), ("Haushaltsgroesse", "quasi"), ("educatn", "quasi"), ("minrty", "quasi"),
     ("educwm", "quasi"), ("voluntr", "quasi"), ("deduct", "sensitive"), ("numlt5", "quasi")],
)  # fmt: skip
def test_umlauts_and_shortened_words_are_read(name: str, expected: str) -> None:
    assert role(name, RNG.integers(0, 5, ROWS)) == expected


def test_what_follows_from_a_date_is_left_out_and_the_date_stays() -> None:
    days = RNG.choice(pd.date_range("2022-01-01", periods=40).to_numpy(), ROWS)
    frame = pd.DataFrame({
        "arrival_date": days, "rushed": (days < np.datetime64("2022-01-04")).astype(int),
        "age": RNG.integers(18, 70, ROWS), "salary": RNG.integers(1, 90, ROWS) * 100,
    })  # fmt: skip
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and "arrival_date" in schema.quasi and "rushed" not in (*schema.sensitive, *schema.quasi)


def test_where_nothing_is_known_to_others_measurements_stay_sensitive() -> None:
    frame = pd.DataFrame({"zz": RNG.choice(["aa", "bb"], 200)})
    for name in ("u1", "du1", "u2", "du2"):
        frame[name] = RNG.normal(50, 9, 200).round(1)
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and list(schema.quasi) == ["zz"]


def test_a_secret_that_is_in_a_file_twice_is_published_once() -> None:
    score = RNG.integers(1, 11, ROWS)
    frame = pd.DataFrame({"age": RNG.integers(18, 70, ROWS), "decile_score": score, "decile_score.1": score})
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and list(schema.sensitive) == ["decile_score"]
