"""The first hour, played quickly: a few rows of a few files, every command in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from experiments.first_hour.expert import accepts, expected, roles_in, unacceptable
from experiments.first_hour.files import FILES
from experiments.first_hour.judging import NAMING, complaints
from experiments.first_hour.labelled import labelled_files, smallest_class
from experiments.first_hour.names import unacceptable_names
from experiments.first_hour.page import page, verdict
from experiments.first_hour.playing import STEPS, Hour, play
from experiments.first_hour.unseen import files, hidden_cells, judge, summary
from fairveil.cli import run
from fairveil.data.readers import column_names

BY_NAME = {file.name: file for file in FILES}
LARGE = ("adult", "bank", "electricity", "hospital", "hospital-stays")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "first-hour.md"


@pytest.mark.parametrize(("name", "rows"), [("hospital-stays", 1500)])
def test_a_careful_owner_accepts_the_release(name: str, rows: int, tmp_path: Path) -> None:
    hour = play(BY_NAME[name], tmp_path, rows)
    assert hour is not None and verdict(hour) == "accepted" and tuple(hour.seconds) == STEPS
    release = tmp_path / "release" / "data.csv"
    published = pd.read_csv(release, dtype=str, keep_default_na=False)
    quasi = published.columns[0]
    release.write_text(published.assign(**{quasi: "anna.frost7@example.org"}).to_csv(index=False))
    [source] = tmp_path.glob(f"{name}.csv")
    assert any("shows 'anna.frost7@example.org'" in found for found in complaints(tmp_path, source, {}))
    assert f"{quasi} is published" in complaints(tmp_path, source, {"left out": [quasi]})
    release.write_text(published.iloc[: len(published) // 2].to_csv(index=False))
    assert any("rows are left out" in found for found in complaints(tmp_path, source, {}))


def test_an_expert_accepts_the_roles(tmp_path: Path) -> None:
    """Of a part of every file that is not large, at least 95 % are acceptable, and no name is published."""
    columns = changes = 0
    for name, file in BY_NAME.items():
        if name in LARGE or (places := file.put(tmp_path, 1500)) is None:
            continue
        assert run(["init", str(places[0]), "--out", str(tmp_path / f"{name}.toml")]) == 0
        roles = roles_in(tmp_path / f"{name}.toml")
        wrong = unacceptable(expected()[name], roles)
        assert not [change for change in wrong if change.endswith("not left out")], wrong
        columns, changes = columns + len(roles), changes + len(wrong)
    assert changes <= 0.05 * columns


def test_an_expert_accepts_the_roles_of_many_names() -> None:
    """At least 95 % of those that were written down."""
    columns, changes = unacceptable_names()
    assert columns > 2000 and len(changes) <= 0.05 * columns


def test_an_expert_accepts_the_roles_of_extracts(tmp_path: Path) -> None:
    """Of some extracts in four languages, at least 95 % are acceptable, and no name or number is published."""
    names = ("sports_club", "mutuelle_fr", "pupils_es", "genetics", "library_loans")
    judged = [judge(name, place, wanted, tmp_path, False) for name, place, wanted in files(None, tmp_path, names)
              if place is not None]  # fmt: skip
    assert len(judged) == len(names) and not [name for file in judged for name in file.published]
    assert sum(len(file.changes) for file in judged) <= 0.05 * sum(file.columns for file in judged)
    assert "0 columns that name or number people" in summary(judged) and "median 20%" in hidden_cells([0.1, 0.2, 0.6])


def test_what_is_acceptable() -> None:
    assert accepts("quasi or left out, may be protected", {"drop"}) and accepts(
        "quasi, protected", {"quasi", "protected"}
    )
    assert not accepts("quasi, protected", {"quasi"}) and not accepts("sensitive", {"quasi"})
    assert accepts("decision or sensitive", {"decision", "sensitive"}) and not accepts("left out", {"plain"})


@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in LARGE])
def test_every_file_can_be_written_and_opened(name: str, tmp_path: Path) -> None:
    places = BY_NAME[name].put(tmp_path, 60)
    if places is None:
        pytest.skip("its data is not here")
    assert len(column_names(places[0])) == len(column_names(places[1])) > 3


def test_what_names_people() -> None:
    assert all(
        NAMING.fullmatch(text) for text in ("a@example.org", "+49 30 1234567", "came in with pain and went home")
    )
    assert not any(NAMING.fullmatch(text) for text in ("[20, 40)", "2023-01", "Some-college", "1-2"))


def test_the_page_is_what_the_script_writes() -> None:
    hour = Hour("a", "CSV", 10, 2, "2 quasi", "mondrian", 3, {"entropy": 0.5, "truthful": 0.9}, 0, {"init": 1.0}, [])
    assert verdict(hour) == "publishes false values" and "| a | CSV | 10 | 2 | 2 quasi | 3 | mondrian |" in page([hour])
    assert DOCS.read_text().startswith(page([]).split("## The releases")[0])


def test_labels_beside_a_file_are_judged(tmp_path: Path) -> None:
    """Roles, names and classes of a file whose labels are in JSON; people are counted by the column that says who."""
    rows = [
        (f"P{row // 2:03}", "fm"[row // 2 % 2], 20 + row // 2 % 7, ("flu", "none", "cold")[row % 3], "x")
        for row in range(400)
    ]
    people = pd.DataFrame(rows, columns=["patient_id", "sex", "age", "diagnosis", "mystery?"])
    people.to_csv(tmp_path / "stays.csv", index=False)
    labels = {
        "patient_id": {"best": "person", "acceptable": ["person", "identifier"]},
        "sex": {"best": "quasi", "acceptable": ["quasi", "quasi+protected"]},
        "age": {"best": "sensitive", "acceptable": ["sensitive"]},
        "diagnosis": {"best": "sensitive", "acceptable": ["sensitive"]},
        "mystery?": {"best": "identifier", "acceptable": ["identifier"]},
    }
    (tmp_path / "stays.json").write_text(json.dumps({"person": "patient_id", "columns": labels}))
    [(name, place, wanted, person)] = labelled_files(tmp_path)
    result = judge(name, place, wanted, tmp_path, True, person)
    assert [change.partition(" ")[0] for change in result.changes] == ["age", "mystery?"]
    assert result.published == ["mystery?"] and not result.faults
    plan = fv.init(place, quasi=["sex", "age"], sensitive=["diagnosis"], drop=["patient_id"], k=3, progress=False)
    published = plan.run(progress=False)
    assert smallest_class(place, published, None) >= 3 >= smallest_class(place, published, "diagnosis")
