"""Kinds of columns, by the evidence: names, values and the other columns of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.looks import look_of
from fairveil.run.suggestions.suggested_roles import suggest_roles


def number(name: str, low: float, middle: float, high: float, distinct: int = 40, **more: object) -> Facts:
    """What is known of a column of integers in a thousand rows."""
    facts = Facts(name, "integers", "integers", distinct, 0.0, 1000, low=low, middle=middle, high=high)
    return replace(facts, **more)  # type: ignore[arg-type]


def kinds(*columns: Facts) -> list[str]:
    return [suggestion.kind for suggestion in suggest_roles(columns)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("youngkids", "life"), ("husage", "ground"), ("agegp", "ground"), ("daded", "life"), ("kidslt6", "life"),
        ("ExcessUrination", "health"), ("irritability", "health"), ("birth_weight", "health"), ("wt.loss", "health"),
        ("religiousness", "belief"), ("famincr", "money"), ("interest_rate", "money"), ("stateabb", "place"),
        ("estado_civil", "ground"), ("freres.soeurs", "life"), ("geschwister", "life"), ("score_age", "score"),
        ("distracted", "unknown"), ("invalid_a1", "unknown"), ("yearly", "unknown"),
    ],
)  # fmt: skip
def test_words_are_found_in_names_and_not_in_other_words(name: str, kind: str) -> None:
    assert kinds(number(name, 1, 10, 200)) == [kind]


def test_a_number_of_things_is_no_number_of_people() -> None:
    assert kinds(number("number of visits", 0, 3, 60)) == ["health"]
    assert kinds(number("numvac", 0, 20, 60)) == ["unknown"]
    assert kinds(number("id", 1, 90, 200, 200, settled=("sex",))) == ["person"]


def test_a_number_that_settles_nothing_people_keep_numbers_no_people() -> None:
    school, anything = number("sch_id", 1, 40, 90, 90, settled=()), number("id", 1, 400, 900, 300, settled=())
    assert kinds(school) == ["unit"] and suggest_roles([anything])[0].roles == ("identifier",)


@pytest.mark.parametrize("name", ["Student", "patient", "customer"])
def test_a_column_of_people_that_is_nearly_unique_is_an_identifier(name: str) -> None:
    assert suggest_roles([number(name, 1, 500, 2000, 990, unique=0.98)])[0].roles == ("identifier",)


def test_an_exact_age_does_not_number_people_beside_a_number() -> None:
    settled = ("sex", "race")
    columns = number("id", 1, 90, 300, 300, settled=settled), number("futime", 1, 800, 5000, 290, settled=settled)
    assert kinds(*columns)[0] == "person" and kinds(*columns)[1] != "person"


def test_many_columns_with_the_same_answers_are_a_questionnaire() -> None:
    def likert(names: Sequence[str]) -> list[Facts]:
        return [number(name, 1, 3, 5, 5, values=(1, 2, 3, 4, 5)) for name in names]

    assert {*kinds(*likert(["jobs", "aboriginal", "india", "wildlife", "parks", "future"]))} == {"score"}
    assert kinds(*likert(["jobs"])) == ["life"]


@pytest.mark.parametrize(("low", "middle", "high", "kind"), [(40, 72, 140, "body"), (80, 1900, 90000, "weight")])
@pytest.mark.parametrize("name", ["wgt", "weight", "poids", "gewicht"])
def test_people_weigh_little_and_stand_for_many(name: str, low: int, middle: int, high: int, kind: str) -> None:
    facts = replace(number(name, low, middle, high, 300), look="numbers", type="numbers")
    assert kinds(facts) == [kind]


def test_times_of_day_and_mixed_moments_say_when() -> None:
    assert look_of(["13:08", "9:15", "20:33"]) == "times of day"
    assert look_of(["2019-01-13", "2020-12-23 10:15:00"]) == "times"


def rows_of_people(rows: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame({"age": rng.integers(18, 80, rows), "sex": rng.choice(["f", "m"], rows)})


def test_a_rare_answer_of_which_nothing_is_known_stays_sensitive() -> None:
    frame = rows_of_people().assign(blip=[int(row % 15 == 0) for row in range(600)])
    assert "blip" in fv.init(frame, progress=False).schema.sensitive  # type: ignore[union-attr]


def test_a_plan_for_visits_of_people_with_exact_ages_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An exact age says everything else of a patient in all their visits."""
    rng = np.random.default_rng(2)
    patient = np.repeat(np.arange(200), 6)
    age, sex, drug = rng.uniform(20, 80, 200).round(4), rng.choice(["f", "m"], 200), rng.choice(["a", "b"], 200)
    frame = pd.DataFrame({
        "patient_id": patient, "age": age[patient], "sex": sex[patient], "drug": drug[patient],
        "visit_year": 2000 + np.tile(np.arange(6), 200), "glucose": rng.normal(90, 9, 1200).round(),
    })  # fmt: skip
    frame.to_csv(tmp_path / "visits.csv", index=False)
    assert run(["init", str(tmp_path / "visits.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "release")]) == 0
    schema = fv.Plan.read(tmp_path / "plan.toml").schema
    assert schema is not None and schema.person == "patient_id" and "glucose" in schema.sensitive
    capsys.readouterr()


def test_a_religion_that_tells_an_age_is_left_out() -> None:
    frame = rows_of_people(900)
    faiths = ["none", "catholic", "protestant", "muslim", "jewish", "hindu", "other"]
    frame["religion"] = [faiths[(age - 18) * 7 // 62] for age in frame["age"]]
    frame["diagnosis"] = ["flu", "cold", "pox"] * 300
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and "religion" in schema.drop and "age" in schema.quasi


def test_of_columns_that_tell_others_as_few_as_possible_change() -> None:
    """Three scores tell the town: it is left out, and they stay sensitive."""
    rng = np.random.default_rng(3)
    town = rng.integers(0, 30, 900)
    frame = rows_of_people(900).assign(
        town=[f"town {number}" for number in town], region=rng.choice(["n", "s"], 900),
        **{f"score_{step}": town * step + rng.integers(0, 2, 900) for step in (7, 11, 13)},
    )  # fmt: skip
    schema = fv.init(frame, progress=False).schema
    assert schema is not None and {"score_7", "score_11", "score_13"} <= {*schema.sensitive}
    assert "town" not in schema.quasi


def test_columns_of_the_same_name_are_refused_by_name() -> None:
    frame = rows_of_people()
    frame.columns = pd.Index(["age", "age"])
    with pytest.raises(fv.BadInput, match="two columns are called 'age'"):
        fv.init(frame)


def test_numbers_of_households_and_mothers_are_not_published() -> None:
    homes = number("co_hogar", 1, 200, 400, distinct=200, unique=0.1)
    mothers = number("id_femme", 1, 500, 1000, distinct=700, unique=0.4)
    houses = number("idhous00", 17, 60_000, 145_000, distinct=700, unique=0.6)
    sizes = number("household", 1, 3, 9, distinct=9)
    assert kinds(homes, sizes) == ["household", "life"] and kinds(number("ideology", 1, 5, 9, distinct=9)) == [
        "politics"
    ]
    assert not {*kinds(mothers), *kinds(houses)} - {"number", "person"}


def test_what_was_written_beside_answers_is_left_out() -> None:
    words = Facts("brew_other", "text", "text", distinct=160, unique=0.1, rows=4000)
    assert kinds(words, replace(words, name="brew_method", distinct=60)) == ["text", "unknown"]
    assert kinds(replace(words, name="brew_method")) == ["thing"]  # so many texts tell people apart


def test_words_in_values_say_what_a_column_is_about() -> None:
    places = ("Suburban communes", "Rural communes", "Wealthy communes")
    column = Facts("com2", "text", "text", distinct=3, unique=0.0, rows=900, values=places)
    assert kinds(column, replace(column, values=("blue", "red", "green"))) == ["place", "unknown"]


def test_a_vote_is_secret_and_subjects_have_no_phone() -> None:
    vote = Facts("position", "text", "text", 3, 0.0, 700, values=("FOR", "AGAINST", "ABSTENTION"))
    assert kinds(vote) == ["politics"]
    assert look_of([f"01-701-{number}" for number in range(1015, 1060)], "USUBJID") == "codes"


def test_numbered_columns_keep_what_their_name_says() -> None:
    school = Facts("school1", "text", "text", 4, 0.0, 1000, values=("a", "b", "c", "d"))
    schools = [replace(school, name=f"school{year}") for year in (1, 2, 3)]
    items = [number(f"zq{item}", 1, 2, 4, distinct=4, values=(1, 2, 3, 4)) for item in (1, 2, 3)]
    assert kinds(*schools) == ["life"] * 3 and kinds(*items) == ["score"] * 3


def test_dates_codes_weights_and_staff_by_their_values() -> None:
    rng = np.random.default_rng(7)
    size = 1_200
    moments = pd.Timestamp("2024-04-01") + pd.to_timedelta(rng.integers(0, 40_000, size), "min")
    frame = pd.DataFrame({
        "sex": rng.choice(["f", "m"], size), "age": rng.integers(18, 80, size),
        "occ": moments.strftime("%m/%d/%Y %H%M"), "paid_on": rng.choice(["26/01/2024", "23/02/2024"], size),
        "x1": rng.choice(["C0012", "C0019", "C0104"], size), "officer_badge": rng.choice(np.arange(1101, 1160), size),
        "glucose": rng.normal(5, 1, size).round(1), "insulin": rng.integers(2, 30, size),
        "asthma": rng.choice(["no", "yes"], size), "weight": rng.normal(75, 12, size).round(1),
        "height": rng.normal(172, 9, size).round(), "ipw": rng.lognormal(0, 0.3, size).round(4),
        "stage": rng.choice(["Screen - rejected", "Interview - rejected", "Hired"], size),
    })  # fmt: skip
    plan = fv.init(frame, progress=False)
    schema = plan.schema
    assert schema is not None and schema.decision == "stage" and schema.person is None
    assert {*schema.denied_values} == {"Screen - rejected", "Interview - rejected"}
    assert any(entry.startswith("occ=") and entry.endswith("%H%M") for entry in plan.source.dialect.dates)
    assert schema.roles("occ") == ("quasi",) and schema.roles("paid_on") == ("plain",)
    assert schema.roles("x1") == ("drop",) == schema.roles("officer_badge")
    assert "ipw" not in schema.published or schema.weight == "ipw"


def test_people_are_counted_by_a_card_though_transactions_have_numbers() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({
        "id": np.arange(3_000), "card_id": rng.integers(1_000, 40_000, 900)[rng.integers(0, 900, 3_000)],
        "amount": rng.integers(100, 90_000, 3_000), "region": rng.choice(["north", "south", "east"], 3_000),
        "born": rng.choice(["12-03-1980", "19820417", "28-11-1975"], 3_000), "fraud": rng.choice([False, True], 3_000),
        "CMT": rng.choice(["", "", "", "", "late arrival", "wife called about it", "key at desk"], 3_000),
    })  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.person == "card_id" and "CMT" not in plan.schema.published
    assert {"born=%d-%m-%Y", "born=%Y%m%d"} <= {*plan.source.dialect.dates}
