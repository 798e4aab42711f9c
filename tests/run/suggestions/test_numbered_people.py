"""A column that numbers people is found by what each of its values settles, whatever it is called."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fairveil.cli import run
from fairveil.run.plan import Plan


def plan_for(file: Path, header: str, rows: list[str]) -> Plan:
    file.write_text("\n".join([header, *rows]))
    plan = file.with_suffix(".toml")
    assert run(["init", str(file), "--out", str(plan)]) == 0
    return Plan.read(plan)


@pytest.mark.parametrize("settles", [True, False])
def test_a_repeated_number_that_settles_sex_and_birth_numbers_people(
    settles: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(4)
    people = [(f"{rng.choice('FM')}", rng.randint(1930, 2000)) for _ in range(200)]
    drawn = [rng.randrange(200) for _ in range(1000)]
    rows = []
    for number in drawn:
        sex, born = people[number] if settles else rng.choice(people)
        rows.append(f"Q{number:04},{sex},{born},{rng.choice(['flu', 'cold', 'pox', 'gout'])}")
    schema = plan_for(tmp_path / "visits.csv", "zorb,sex,birth_year,illness", rows).schema
    assert schema is not None and (schema.person == "zorb") == settles
    capsys.readouterr()


def test_sampling_weights_that_tell_a_place_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(5)
    places = ["north", "south", "east", "west", "centre", "islands"]
    rows = []
    for _ in range(1200):
        place = rng.randrange(6)
        rows.append(f"{places[place]},{1500.5 + 800 * place},{rng.choice('FM')},{rng.randint(18, 90)},"
                    f"{rng.choice(['yes', 'no', 'perhaps'])}")  # fmt: skip
    plan = plan_for(tmp_path / "survey.csv", "region,weight,gender,age,vote", rows)
    assert plan.schema is not None and "region" in plan.schema.quasi and "weight" not in plan.schema.published
    assert run(["release", str(tmp_path / "survey.toml"), "--out", str(tmp_path / "release")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("settles", [True, False])
def test_few_numbers_that_settle_two_grounds_number_people_beside_numbers_of_rows(
    settles: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of courses that a few professors give, nobody may be found by the professor."""
    rng = random.Random(6)
    people = [(rng.choice("FM"), rng.choice(["white", "black", "asian"])) for _ in range(60)]
    rows = []
    for course in range(480):
        number = rng.randrange(60)
        sex, race = people[number] if settles else rng.choice(people)
        rows.append(f"{course + 1},{number + 1},{sex},{race},{rng.randint(2, 5)}")
    schema = plan_for(tmp_path / "courses.csv", "course_id,prof_id,gender,race,evaluation", rows).schema
    assert schema is not None and (schema.person == "prof_id") == settles
    capsys.readouterr()
