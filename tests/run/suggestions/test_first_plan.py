"""A first plan runs as it is, leaves no identifier in, and keeps what need not go."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.run.plan import Plan

DATA = Path(fv.__file__).parent / "datasets" / "data"


COLUMNS = ["patient_id", "surname", "email", "phone", "born", "zip", "sex", "ward", "admitted", "diagnosis", "cost"]
CODES = ["E11.9", "I10", "M54.5", "J45.909", "F32.1", "K21.0", "N39.0", "S72.0"]
WARDS = ["surgery", "medicine", "children", "eye", "ear", "skin", "heart"]


def hospital(path: Path, rows: int = 600) -> Path:
    """Stays in a hospital, with all that such files have: identifiers, dates, codes, free text, missing values."""
    rng = random.Random(4)

    def day(first: int, last: int) -> str:
        return f"{rng.randint(first, last)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"

    with path.open("w", newline="") as file:
        out = csv.writer(file, delimiter=";")
        out.writerow([*COLUMNS, "note", "outcome"])
        for i in range(rows):
            cost = "?" if i % 19 == 0 else f"{rng.uniform(100, 9000):.2f}"
            names = [
                f"P{i:05d}",
                "".join(rng.choices("abcdefghi", k=9)).title(),
                f"p{i}@example.org",
                f"+49 30 {1000 + i}",
            ]
            place = f"{rng.choice(['01', '10', '80'])}{rng.randint(100, 130)}"
            stay = [rng.choice(WARDS), f"{day(2024, 2024)} {rng.randint(0, 23):02d}:15:00", rng.choice(CODES), cost]
            note = f"came in with pain number {i}, was seen at once and went home on day {i % 7}"
            out.writerow([*names, day(1930, 2005), place, rng.choice("FM"), *stay, note, rng.choice(["yes", "no"])])
    return path


def test_a_hospital_file_goes_the_whole_way_without_an_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plan, out = hospital(tmp_path / "stays.csv"), tmp_path / "plan.toml", tmp_path / "release"
    assert run(["init", str(file), "--out", str(plan)]) == 0
    read = Plan.read(plan)
    assert read.schema is not None
    assert set(read.schema.identifier) == {"patient_id", "surname", "email", "phone"}
    assert read.schema.drop == ("note",) and read.schema.sensitive == ("diagnosis",)
    assert set(read.schema.quasi) == {"born", "zip", "sex", "ward", "admitted", "cost"}
    assert read.schema.decision == "outcome" and read.schema.denied == "no"
    assert {"born", "sex"} <= set(read.schema.protected)
    assert run(["explore", str(plan)]) == 0
    assert run(["release", str(plan), "--out", str(out)]) == 0
    assert run(["verify", str(out)]) == 0
    published = (out / "data.csv").read_text()
    assert "@example" not in published and "P0000" not in published and "went home" not in published
    assert run(["attack", str(out), "--original", str(file)]) in (0, 1)
    assert run(["apply", str(out), str(file), "--out", str(tmp_path / "new.csv")]) == 0
    capsys.readouterr()


def test_every_line_has_its_reason_and_the_plan_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = hospital(tmp_path / "stays.csv", 200), tmp_path / "plan.toml"
    assert run(["init", str(file), "--out", str(plan)]) == 0
    text = plan.read_text()
    assert "#   email: its values look like e-mail addresses (HIPAA Safe Harbor: e-mail addresses)" in text
    assert "# the disease" not in text and "# coarser and coarser dates" in text
    capsys.readouterr()
    assert run(["init", str(file), "--out", str(plan)]) == 2
    assert "--overwrite" in capsys.readouterr().err and plan.read_text() == text


@pytest.mark.parametrize("name", ["german_credit", "compas"])
def test_bundled_files_run_as_they_are(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    [file] = DATA.glob(f"{name}.csv*")
    assert run(["init", str(file), "--out", str(tmp_path / "plan.toml")]) == 0
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "release")]) == 0
    assert fv.verify(tmp_path / "release")
    capsys.readouterr()
