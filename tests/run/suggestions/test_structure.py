"""Roles by how values are spread and missing: households in blocks, padded numbers, one person
column."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.fitting import fitted
from fairveil.run.suggestions.suggested_roles import suggest_roles


def roles(frame: pd.DataFrame, name: str) -> set[str]:
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None
    return set(plan.schema.roles(name))


@pytest.mark.parametrize("sorted_rows", [True, False])
def test_numbers_of_neighbouring_rows_number_households(sorted_rows: bool) -> None:
    rng = np.random.default_rng(1)
    house = np.repeat(np.arange(400), rng.integers(1, 5, 400))
    house = house if sorted_rows else rng.permutation(house)
    rows = len(house)
    frame = pd.DataFrame({"zz17": house + 1, "age": rng.integers(0, 95, rows), "sex": rng.choice(["f", "m"], rows),
                          "income": rng.integers(1, 40, rows) * 100})  # fmt: skip
    assert ("household" in roles(frame, "zz17")) == sorted_rows


def test_numbers_with_spaces_around_them_are_numbers(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    lines = ["age,sex,pressure"]
    lines += [f"{rng.integers(5, 99):>3},{rng.choice(['f', 'm'])},{rng.normal(120, 15):>10.4f}" for _ in range(600)]
    file = tmp_path / "padded.csv"
    file.write_text("\n".join(lines))
    plan = fv.init(file, progress=False)
    assert plan.schema is not None
    assert plan.schema.quasi == ("age", "sex") and plan.schema.sensitive == ("pressure",)
    plan.save_release(plan.run(progress=False), tmp_path / "release", progress=False)


def test_a_secret_that_is_said_twice_is_kept_but_for_its_logarithm() -> None:
    rng = np.random.default_rng(4)
    wage = rng.integers(10, 60, 1500) * 100.0
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 1500), "age": rng.integers(20, 65, 1500), "wage": wage,
                          "log_wage": np.log(wage), "wage_rank_score": wage / 100 - 3})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None
    assert {"wage", "wage_rank_score"} <= {*plan.schema.sensitive} and "log_wage" in plan.schema.drop


def test_promises_are_about_the_person_column_of_the_plan(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    person = np.sort(rng.integers(0, 60, 900))
    frame = pd.DataFrame({"ID": person, "age": rng.integers(20, 60, 60)[person], "reason": rng.integers(1, 9, 900),
                          "body mass index": rng.integers(18, 40, 60)[person],
                          "sex": rng.choice(["f", "m"], 60)[person],
                          "hours absent": rng.integers(0, 40, 900)})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.person == "ID"
    plan.save_release(plan.run(progress=False), tmp_path / "release", progress=False)


def test_a_number_that_many_rows_share_and_that_settles_no_sex_numbers_no_person() -> None:
    facts = Facts("report_rec", "integers", "integers", 53, 0.0, 540, low=40, middle=300, high=2000, commonest=0.2)
    assert suggest_roles([facts])[0].kind == "person"  # to be on the safe side
    unsettled = Facts(**{**vars(facts), "settled": ()})
    assert suggest_roles([unsettled])[0].roles == ("drop",)


def test_names_of_teams_with_many_rows_each_are_no_names_of_people() -> None:
    def look(distinct: int) -> Facts:
        return Facts("squad", "names of people", "text", distinct, 0.0, 3000, sample=("red lions",) * 9)

    assert suggest_roles([look(100)])[0].roles == ("quasi",)
    assert suggest_roles([look(2500)])[0].roles == ("identifier",)


def test_of_many_texts_one_can_be_told_from_all_others() -> None:
    values = [f"town {letter}" for letter in "abcdefghijklm"]
    frame = pd.DataFrame({"town": np.repeat(values, range(200, 330, 10))})
    column = fv.Table.of(frame).column("town")
    rows = np.bincount(column.codes)
    spec = fitted(column, rows, "text")
    assert spec is not None and spec[0]["levels"][-1] == ["town m"]


def test_numbers_of_cards_and_loans_are_left_out_not_taken_for_amounts() -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"card_id": rng.integers(0, 900, 1500), "sex": rng.choice(["f", "m"], 1500),
                          "age": rng.integers(18, 90, 1500), "amount": rng.integers(1, 200, 1500) * 5})  # fmt: skip
    assert not roles(frame, "card_id") & {"quasi", "sensitive", "plain"} and roles(frame, "amount") == {"sensitive"}


def test_a_plan_for_a_small_file_undoes_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    week = rng.integers(1, 11, 120)
    last = pd.Timestamp("2015-01-01") + pd.to_timedelta(week * 7, unit="D")
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 120), "age": rng.integers(18, 90, 120),
                          "last_date": last.strftime("%Y-%m-%d"), "episodes": week,
                          "wins": rng.integers(0, 4, 120)})  # fmt: skip
    plan = fv.init(frame, progress=False)
    plan.save_release(plan.run(progress=False), tmp_path / "release", progress=False)


def test_half_of_the_cells_are_shown(tmp_path: Path) -> None:
    """A secret that few have allows few classes: it is left out rather than everything else."""
    rng = np.random.default_rng(8)
    rows = 1000
    frame = pd.DataFrame({name: rng.choice(list("abcdefgh"), rows) for name in ("city", "school", "job", "region")})
    frame["colour"] = np.where(np.arange(rows) < 40, "red", "blue")
    frame.loc[frame["colour"] == "red", ["city", "school", "job", "region"]] = "a"
    plan = fv.init(frame, progress=False)
    release = plan.run(progress=False)
    table = release.table.to_frame("pandas")
    assert (table == "*").to_numpy().mean() <= 0.5


def test_a_column_in_which_somebody_has_an_e_mail_address_is_left_out() -> None:
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 500), "age": rng.integers(18, 90, 500),
                          "contact_by": np.where(np.arange(500) < 40, "nobody@example.org", "none")})  # fmt: skip
    assert not roles(frame, "contact_by") & {"quasi", "sensitive", "plain"}


def test_answers_that_are_missing_together_with_a_sex_stay_secret() -> None:
    """Those who skip a page skip all of its questions: that is published, and the sex is no better known by them."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"age": rng.integers(18, 90, 900), "sex": rng.choice(["f", "m"], 900)})
    frame = frame.assign(**{f"worry_{item}": rng.integers(1, 5, 900) for item in "abcd"}).astype(object)
    frame.loc[:8, ["sex", *(f"worry_{item}" for item in "abcd")]] = None
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and {f"worry_{item}" for item in "abcd"} <= {*plan.schema.sensitive}
    assert "sex" in plan.schema.quasi and plan.run(progress=False)


def test_columns_are_left_out_until_half_of_the_cells_are_shown() -> None:
    rng = np.random.default_rng(5)
    words = [first + last for first in ("Ba", "Ke", "Lo", "Mi", "Nu", "Pa", "Ru", "So", "Ti", "Vo", "Wa", "Xe")
             for last in ("dar", "len", "mon", "ric", "sal", "tun", "vig", "wor", "zan")]  # fmt: skip
    known = (
        "city",
        "hometown",
        "school",
        "profession",
        "employer",
        "department",
        "hobby",
        "car",
        "birth_town",
        "county",
    )
    frame = pd.DataFrame({name: rng.choice(words, 300) for name in known})
    frame = frame.assign(gender=rng.choice(["m", "f"], 300), hiv=rng.choice(["yes", "no"], 300, p=[0.1, 0.9]))
    plan = fv.init(frame, progress=False)
    published = pd.DataFrame(plan.run(progress=False).table.to_frame("pandas")).astype(str)
    assert float((published != "*").to_numpy().mean()) >= 0.5
    assert plan.schema is not None and "gender" in plan.schema.quasi and "hiv" in plan.schema.sensitive
    assert any("more than half of all cells" in plan.reasons[name] for name in plan.schema.drop)


@pytest.mark.parametrize("changing", [True, False])
def test_persons_are_counted_by_a_column_of_which_everybody_has_one_value(changing: bool) -> None:
    """A squad that people change would count one of them twice; if nobody does, squads are counted, which is safe."""
    rng = np.random.default_rng(4)
    people = np.repeat(np.arange(300), 3)
    squads = (people + (np.arange(900) % 3 == 2) * (people % 2) * changing) // 2
    frame = pd.DataFrame(
        {
            "person_id": people,
            "subject_id": squads,
            "age": (20 + people % 50),
            "city": rng.choice(list("ABC"), 900),
            "diagnosis": rng.choice(["flu", "cold", "none"], 900),
        }
    )
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.person == ("person_id" if changing else "subject_id")


@pytest.mark.parametrize("persons", [False, True])
def test_boxes_that_are_ticked_or_not_are_published_and_guarded(persons: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    person = np.arange(900) // (3 if persons else 1)
    ticks = ["Y" if ticked else None for ticked in rng.random(900) < 0.2]
    frame = pd.DataFrame({"patient_id": person, "age": rng.integers(20, 60, 900)[person],
                          "sex": rng.choice(["f", "m"], 900)[person], "diabetes": ticks,
                          "asthma": [None if row % 200 else "Y" for row in range(900)]})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None
    guarded = {type(guard): getattr(guard, "sensitive", ()) for guard in plan.guards}
    assert "diabetes" in guarded[fv.DistinctDiversity]
    if persons:
        assert "asthma" in plan.schema.drop  # no class of people could hide so few
    else:
        assert guarded[fv.TCloseness] == ("asthma",)
    release = plan.run(progress=False)
    shown = pd.DataFrame(release.table.to_frame("pandas"))
    classes = shown.groupby([*plan.schema.quasi], dropna=False)["diabetes"]
    assert shown["diabetes"].isna().sum() == frame["diabetes"].isna().sum()
    assert all(ticks.notna().any() and ticks.isna().any() for _, ticks in classes)
    plan.save_release(release, tmp_path / "release", progress=False)
    assert fv.verify(tmp_path / "release")


def test_long_answers_from_a_list_are_no_remarks() -> None:
    rng = np.random.default_rng(7)
    calls = [f"suspicious person, vehicle or incident of kind {kind} seen by a neighbour" for kind in range(40)]
    remarks = [" ".join(rng.choice(calls[0].split(), 9)) for _ in range(2000)]
    frame = pd.DataFrame({"age": rng.integers(20, 60, 2000), "call": rng.choice(calls, 2000), "remark": remarks})
    assert "drop" not in roles(frame, "call") and roles(frame, "remark") == {"drop"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("InjuryCounty", "place"),
        ("DeathState", "place"),
        ("injury_type", "health"),
        ("job_seek", "unknown"),
        ("job_title", "life"),
        ("school_grouped", "life"),
        ("Acorn_grouped", "unknown"),
        ("coverage_cl", "unknown"),
    ],
)
def test_the_last_word_says_what_a_name_is_about(name: str, kind: str) -> None:
    [suggestion] = suggest_roles([Facts(name, "text", "text", 6, 0.0, 1000, values=tuple("abcdef"))])
    assert suggestion.kind == kind


def test_amounts_that_differ_number_nobody() -> None:
    amounts = Facts("zbrt", "integers", "integers", 1480, 0.98, 1500, low=1200, middle=20_000, high=310_000)
    numbers = replace(amounts, low=10_230, middle=54_000, high=99_870)
    assert [suggestion.kind for suggestion in suggest_roles([amounts])] == ["unknown"]
    assert [suggestion.kind for suggestion in suggest_roles([numbers])] == ["number"]


def test_a_last_word_that_several_columns_share_is_not_what_they_are_about() -> None:
    def of(name: str) -> Facts:
        return Facts(name, "text", "text", distinct=6, unique=0.0, rows=800)

    names = ["Estado civil", "Ocupacion", "Hijos", "Provincia"]
    plain = [suggestion.roles[0] for suggestion in suggest_roles([of(name) for name in names])]
    ended = [suggestion.roles[0] for suggestion in suggest_roles([of(f"{name} Xyz") for name in names])]
    assert ended == plain == ["quasi"] * 4


@pytest.mark.parametrize("name", ["WARRANT #", "#", "Case №", "n°", "Dossier Nº"])
def test_the_sign_of_numbers_says_that_a_column_numbers(name: str) -> None:
    facts = Facts(name, "integers", "int64", distinct=2200, unique=0.4, rows=4000, low=0, high=9_000)
    assert suggest_roles([facts])[0].roles[0] in ("identifier", "person")
