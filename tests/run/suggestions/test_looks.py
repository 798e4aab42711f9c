"""What values look like, and which roles and hierarchies follow."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data import hierarchy
from fairveil.data.table import Table
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.fitting import FEW, RARE, fitted
from fairveil.run.suggestions.looks import Look, look_of
from fairveil.run.suggestions.suggested_roles import suggest_roles

NOTES = [f"patient number {i} came in with a cough and went home after {i} days" for i in range(20)]
NAMES = [
    f"{first} {last}"
    for first in ("Anna", "Bo", "Çelik", "Dora")
    for last in ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh", "Ii", "Jj"]
]


@pytest.mark.parametrize(
    ("name", "values", "look"),
    [
        ("contact", [f"p{i}@example.org" for i in range(20)], "e-mail addresses"),
        ("x", [f"+49 30 {i}4567" for i in range(100, 120)], "phone numbers"),
        ("telefon", [f"0301234{i}" for i in range(100, 120)], "phone numbers"),
        ("x", [f"10.0.{i}.7" for i in range(20)], "IP addresses"),
        ("x", [f"https://example.org/{i}" for i in range(20)], "web addresses"),
        ("x", ["123-45-6789", "987-65-4321"], "social security numbers"),
        ("x", ["DE89370400440532013000", "GB29NWBK60161331926819"], "bank account numbers"),
        ("x", ["4111111111111111", "5500005555555559"] * 6, "card numbers"),
        ("x", ["123e4567-e89b-12d3-a456-426614174000"], "UUIDs"),
        ("notes", NOTES, "free text"),
        ("who", NAMES, "names of people"),
        ("surname", ["Aa", "Bb", "Cc"], "names of people"),
        ("main", ["E11.9", "I10", "M54.5", "Z00"], "ICD codes"),
        ("A1", ["A11", "A12", "A13", "A14"], "text"),
        ("zip", ["08540", "10001"], "postcodes"),
        ("plz", [8540, 10001], "postcodes"),
        ("postcode", ["SW1A 1AA", "M1 1AE"], "postcodes"),
        ("born", [date(1980, 1, 1), date(1990, 2, 2)], "dates"),
        ("born", ["01.02.1980", "13.12.1990"], "dates as text"),
        ("seen", [datetime(2020, 1, 1, 8), datetime(2020, 1, 1, 9)], "times"),
        ("birth_year", [1950, 1960], "years"),
        ("age", [3, 88], "ages"),
        ("salary", [1000, 2000], "amounts"),
        ("x", [12.5, 99.99, 1250.25], "amounts"),
        ("x", [0.1234, 3.1415], "numbers"),
        ("x", [1, 2, 3], "integers"),
        ("lab", [f"LB-{i}" for i in range(100, 120)], "codes"),
        ("flag", [True, False], "true or false"),
        ("colour", ["red", "blue"], "text"),
        ("empty", [None], "nothing"),
        ("Cell.size", [*range(1, 11)], "integers"),
        ("first_name", ["Anna", "Ben"], "names of people"),
        ("familyName", ["Frost", "Hill"], "names of people"),
        ("mobile", [0, 1], "integers"),
        ("cap", [*range(1, 30)], "integers"),
    ],
)
def test_what_values_look_like(name: str, values: list[Any], look: Look) -> None:
    assert look_of(values, name) == look
    assert look_of([None, *values], name) == look


@pytest.mark.parametrize(
    ("name", "look", "distinct", "unique", "roles", "harbor"),
    [
        ("customer_id", "integers", 1000, 1.0, ("identifier",), "other unique codes"),
        ("contact", "e-mail addresses", 900, 0.8, ("identifier",), "e-mail addresses"),
        ("remarks", "free text", 990, 0.98, ("drop",), ""),
        ("remarks", "text", 990, 0.98, ("drop",), "other unique codes"),
        ("mother_name", "text", 20, 0.0, ("identifier",), ""),
        ("age", "ages", 70, 0.0, ("quasi", "protected"), "ages over 89"),
        ("native-country", "text", 40, 0.0, ("quasi", "protected"), ""),
        ("Diagnosis", "text", 30, 0.1, ("sensitive",), ""),
        ("main", "ICD codes", 300, 0.01, ("sensitive",), ""),
        ("income", "integers", 5000, 0.5, ("sensitive",), ""),
        ("religion", "text", 5, 0.0, ("sensitive", "protected"), ""),
        ("visited", "dates", 300, 0.5, ("quasi",), "dates more exact than a year"),
        ("zip", "postcodes", 300, 0.05, ("quasi",), "places smaller than a state"),
        ("height", "numbers", 1000, 0.99, ("quasi",), ""),
        ("country", "text", 1, 0.0, ("plain",), ""),
        ("package", "text", 9, 0.0, ("sensitive",), ""),
        ("patient_id", "codes", 200, 0.02, ("person",), ""),
        ("PatientNr", "integers", 50, 0.0, ("person",), ""),
        ("account_id", "codes", 150, 0.0, ("person",), "account numbers"),
        ("insurance_no", "codes", 300, 0.1, ("person",), "health plan numbers"),
        ("case", "codes", 400, 0.2, ("identifier",), ""),
        ("doctor_id", "codes", 30, 0.0, ("drop",), ""),
        ("number_of_visits", "integers", 150, 0.0, ("sensitive",), ""),
        ("hhid", "integers", 400, 0.1, ("household",), ""),
        ("fnlwgt", "integers", 900, 0.8, ("weight",), ""),
        ("nbaffairs", "integers", 7, 0.0, ("sensitive",), ""),
        ("Gewerkschaft", "text", 2, 0.0, ("sensitive",), ""),
        ("prénom", "text", 40, 0.0, ("identifier",), "names"),
        ("ocupación", "text", 8, 0.0, ("quasi",), ""),
        ("JobSatisfaction", "integers", 4, 0.0, ("sensitive",), ""),
        ("foreign_worker", "text", 2, 0.0, ("quasi", "protected"), ""),
        ("clinic_name", "text", 30, 0.0, ("quasi",), ""),
        ("device_protection", "text", 3, 0.0, ("sensitive",), ""),
        ("childid", "integers", 200, 0.0, ("person",), ""),
        ("mntlhlth", "integers", 20, 0.0, ("sensitive",), ""),
        ("Is it rude to bring a baby on a plane, or should they stay at home?", "text", 3, 0.0, ("sensitive",), ""),
        ("race", "text", 6, 0.0, ("quasi", "protected"), ""),
        ("NumCompanies", "integers", 9, 0.0, ("quasi",), ""),
    ],
)
def test_suggested_roles(
    name: str, look: Look, distinct: int, unique: float, roles: tuple[str, ...], harbor: str
) -> None:
    numeric = look in ("integers", "numbers", "amounts", "ages")
    facts = Facts(name, look, "integers" if numeric else "text", distinct, unique, 1000, high=10.0 * distinct)
    [suggested] = suggest_roles([facts])
    assert (suggested.roles, suggested.safe_harbor) == (roles, harbor) and suggested.reason
    assert 0 < suggested.certainty <= 1


def test_a_decision_needs_a_value_that_is_plainly_unfavourable() -> None:
    def roles(values: tuple[Any, ...], name: str = "class") -> tuple[str, ...]:
        return suggest_roles([Facts(name, "text", "text", len(values), 0.0, 100, values=values)])[0].roles

    assert roles(("bad", "good")) == ("decision",) and roles(("no", "yes"), "approved") == ("decision",)
    assert roles(("benign", "malignant")) == ("sensitive",) and roles(("a", "b", "c")) == ("sensitive",)
    assert roles(("<=50K", ">50K"), "income") == ("sensitive", "decision")


def test_one_column_is_the_decision_and_an_audience_moves_what_is_quasi() -> None:
    columns = [Facts(name, "text", "text", 2, 0.0, 100, values=("no", "yes")) for name in ("granted", "outcome", "job")]
    assert [s.roles[0] for s in suggest_roles(columns)] == ["sensitive", "decision", "quasi"]
    assert suggest_roles(columns, "internal")[2].roles == ("sensitive",)


def test_columns_are_judged_by_each_other() -> None:
    """A row number and a person's, indicators of one thing, and a matched set that is no person."""
    rows = Facts("rownames", "integers", "integers", 900, 1.0, 900, low=1, high=900)
    person = Facts("nr", "integers", "integers", 100, 0.0, 900, low=1, high=5000)
    assert [s.kind for s in suggest_roles([rows, person])] == ["number", "person"]
    own = Facts("id", "integers", "integers", 900, 1.0, 900, low=1, high=900)
    case = Facts("case.id", "integers", "integers", 180, 0.0, 900, low=1, high=180)
    assert [s.kind for s in suggest_roles([own, case])] == ["number", "number"]
    flags = [Facts(name, "integers", "integers", 2, 0.0, 900, values=(0, 1), low=0, high=1, apart=("trade", "manuf"))
             for name in ("ndurman",)]  # fmt: skip
    known = [
        Facts(name, "integers", "integers", 2, 0.0, 900, values=(0, 1), low=0, high=1) for name in ("trade", "manuf")
    ]
    assert suggest_roles([*flags, *known])[0].roles == ("quasi",)


kinds = st.one_of(
    st.lists(st.integers(-(10**9), 10**9), min_size=1),
    st.lists(st.integers(0, 100), min_size=1),
    st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1),
    st.lists(st.dates(date(1900, 1, 1), date(2030, 1, 1)), min_size=1),
    st.lists(st.text("abc0123456789.- ", min_size=1, max_size=8), min_size=1),
    st.lists(st.sampled_from(["other", "a", "b", "c", "d", "e", "f", "g"]), min_size=1),
)


@given(kinds, st.sampled_from(["x", "zip", "age", "born"]))
def test_a_suggested_hierarchy_has_a_place_for_every_value_and_steps_in_between(values: list[Any], name: str) -> None:
    column = Table.from_frame(pa.table({name: values})).column(name)
    rows = np.bincount(column.codes, minlength=len(column.values)) * NAMED
    suggested = fitted(column, rows, look_of(column.domain, name))
    if suggested is None:
        rare = max(rows) < RARE * sum(rows)
        assert len(column.values) <= FEW or rare or not np.isfinite(np.ptp(np.array(values, dtype=float)))
        return
    levels = hierarchy.from_dict(suggested[0]).bind(column.domain, name)
    assert levels.height >= 2


def test_outer_edges_are_round_and_tell_nothing_about_outliers() -> None:
    ages = [*range(20, 80)] * 20
    table = Table.from_frame(pa.table({"age": [*ages, 117]}))
    column = table.column("age")
    suggested = fitted(column, np.bincount(column.codes), "ages")
    assert suggested is not None
    assert suggested[0]["open_ended"] and suggested[0]["levels"][0][-1] <= 80
    assert all(edge % 5 == 0 for level in suggested[0]["levels"] for edge in level)


def test_short_spans_of_dates_are_coarsened_by_quarters() -> None:
    days = [date(2020, 1, 1) + timedelta(days=i) for i in range(300)]
    column = Table.from_frame(pa.table({"seen": days})).column("seen")
    assert fitted(column, np.ones(300), "dates") == (
        {"kind": "dates", "steps": ["month", "quarter", "year"]}, "coarser and coarser dates",
    )  # fmt: skip


def test_a_plan_names_no_value_that_few_have() -> None:
    cabins = [None] * 900 + ["A1"] * 40 + ["B2"] * 30 + ["C3", "D4", "E5", "F6", "G7"] * 3 + ["H8"]
    column = Table.from_frame(pa.table({"cabin": cabins})).column("cabin")
    suggested = fitted(column, np.bincount(column.codes, minlength=len(column.values)), "text")
    assert suggested is not None and {value for level in suggested[0]["levels"] for value in level} == {"A1", "B2"}
    column = Table.from_frame(
        pa.table({"cabin": [None] * 900 + ["A1", "B2", "C3", "D4", "E5", "F6", "G7"] * 5})
    ).column("cabin")
    assert fitted(column, np.bincount(column.codes, minlength=len(column.values)), "text") is None


def test_values_that_no_plan_can_hold_are_not_named() -> None:
    column = Table.from_frame(pa.table({"at": [time(hour, 0) for hour in range(9)] * 20})).column("at")
    assert fitted(column, np.bincount(column.codes), look_of(column.domain, "at")) is None
