"""A first plan runs as it is, leaves no identifier in, and keeps what need not go."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.run.plan import Plan

DATA = Path(fv.__file__).parent / "datasets" / "data"


COLUMNS = ["patient_id", "surname", "email", "phone", "born", "zip", "sex", "ward", "admitted", "diagnosis", "cost"]
CODES = ["E11.9", "I10", "M54.5", "J45.909", "F32.1", "K21.0", "N39.0", "S72.0"]
WARDS = ["surgery", "medicine", "children", "eye", "ear", "skin", "heart"]


def hospital(path: Path, rows: int = 600, stays: int = 1) -> Path:
    """Stays in a hospital, with all that such files have: identifiers, dates, codes, free text, missing values.

    Up to so many `stays` are one patient's.
    """
    rng = random.Random(4)

    def day(first: int, last: int) -> str:
        return f"{rng.randint(first, last)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"

    with path.open("w", newline="") as file:
        out = csv.writer(file, delimiter=";")
        out.writerow([*COLUMNS, "note", "outcome"])
        for row in range(rows):
            i = row - row % stays
            cost = "?" if i % 19 == 0 else f"{rng.uniform(100, 9000):.2f}"
            names = [
                f"P{i:05d}",
                "".join(random.Random(i).choices("abcdefghi", k=9)).title(),
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
    assert read.schema.drop == ("note",) and read.schema.sensitive == ("diagnosis", "cost")
    assert set(read.schema.quasi) == {"born", "zip", "sex", "ward", "admitted"}
    assert read.schema.levels == {"cost": 1}  # nearly everybody has a cost of their own
    guarded = {name for guard in read.guards for name in guard.columns(read.schema)}
    assert guarded >= {"diagnosis", "cost"}
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


@pytest.mark.parametrize("stays", [2, 4])
def test_a_person_with_several_rows_is_hidden_among_people(
    tmp_path: Path, stays: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan, out = hospital(tmp_path / "stays.csv", 1200, stays), tmp_path / "plan.toml", tmp_path / "release"
    assert run(["init", str(file), "--out", str(plan)]) == 0
    read = Plan.read(plan)
    assert read.schema is not None and not read.schema.identifier
    assert {"email", "phone", "surname", "note"} <= set(read.schema.drop) and read.schema.person == "patient_id"
    assert read.guards[0].least_rows == 5
    plan.write_text(plan.read_text().replace('format = "csv"', 'format = "csv"\norder = "keep"'))
    assert run(["release", str(plan), "--out", str(out), "--accept", "row-order"]) == 0
    published, source = (
        pd.read_csv(out / "data.csv", dtype=str),
        fv.Table.read(file, missing_values=["?"]).to_frame("pandas"),
    )
    assert len(published) == len(source)
    people = source["patient_id"].groupby([published[name].fillna("") for name in read.schema.quasi]).nunique()
    assert people.min() >= 5
    capsys.readouterr()


def test_rows_that_share_only_a_name_are_people_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    names = [f"{first} {last}" for first in ("Ann", "Ben", "Cleo", "Dan") for last in ("Frost", "Gale", "Hill")] * 50
    lines = [f"{name},{20 + i % 60},{'FM'[i % 2]}" for i, name in enumerate(names)]
    file.write_text("\n".join(["surname,age,sex", *lines]))
    assert run(["init", str(file), "--out", str(plan)]) == 0
    read = Plan.read(plan)
    assert read.schema is not None and read.schema.drop == ("surname",) and read.guards[0].least_rows == 3
    assert run(["release", str(plan), "--out", str(tmp_path / "release")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    "lines", [["email,age", *(f"a{i % 11}@example.org,{i}" for i in range(20, 70))], ["age,sex", "20,F", "21,M"]]
)
def test_a_file_that_can_hide_nobody_gets_no_plan(
    tmp_path: Path, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    file.write_text("\n".join(lines))
    assert run(["init", str(file), "--out", str(plan)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1 and not plan.exists()


def test_profile_writes_the_plan_of_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, one, other = hospital(tmp_path / "stays.csv", 200), tmp_path / "one.toml", tmp_path / "other.toml"
    assert run(["init", str(file), "--out", str(one)]) == 0
    assert run(["profile", str(file), "--plan", str(other), "--pairs", "0"]) == 0
    assert one.read_text() == other.read_text() and f"fairveil explore {other}" in capsys.readouterr().out
    assert run(["profile", str(file), "--plan", str(other)]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert run(["profile", str(file), "--plan", str(other), "--overwrite", "--json", "--pairs", "0"]) == 0
    assert str(other) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("decision", "values", "denied"),
    [
        ("two_year_recid", (0, 1), 1),
        ("readmitted", ("no", "yes"), "yes"),
        ("default", ("no", "yes"), "yes"),
        ("approved", ("no", "yes"), "no"),
        ("class", ("good", "bad"), "bad"),
    ],
)
def test_the_unfavourable_decision(
    tmp_path: Path, decision: str, values: tuple[object, object], denied: object, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    lines = [f"{20 + i % 40},{values[i % 3 % 2]},{values[i % 2]}" for i in range(60)]
    file.write_text("\n".join([f"age,outcome,{decision}", *lines]))
    assert run(["init", str(file), "--out", str(plan)]) == 0
    read = Plan.read(plan)
    assert read.schema is not None and read.schema.decision == decision and read.schema.denied == denied
    assert "#   outcome: looks like an outcome, and there is one decision: nobody may learn it" in plan.read_text()
    capsys.readouterr()


def small(path: Path) -> Path:
    rng = random.Random(5)
    rows = [f"p{i},{rng.randint(10, 99)},{rng.choice('fm')},{rng.choice(['yes', 'no'])}" for i in range(400)]
    path.write_text("\n".join(["name,age,sex,approved", *rows, "p400,unknown,f,maybe"]) + "\n")
    return path


def test_a_plan_with_noise_is_made_of_what_is_declared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another file with the same header gives the same plan, and the plan runs as it is."""
    file, out = small(tmp_path / "people.csv"), tmp_path / "plan.toml"
    told = ["--epsilon", "5", "--range", "age=0:100:10,50", "--values", "sex=f,m", "--values", "approved=no,yes",
            "--decision", "approved", "--protected", "sex", "--out", str(out),
            "--missing-values", "unknown"]  # fmt: skip
    assert run(["init", str(file), *told]) == 0
    assert "'name' is left out, because nothing is declared of it: --values 'name=A,B'" in capsys.readouterr().out
    plan, text = Plan.read(out), out.read_text()
    assert plan.schema is not None and plan.schema.denied_values == ("no",) and plan.schema.drop == ("name",)

    def mentions_a_row() -> bool:
        assert run(["release", str(out), "--out", str(tmp_path / "release"), "--overwrite"]) == 0
        return "not counted" in capsys.readouterr().out

    assert not all(mentions_a_row() for _ in range(4))  # one row is not worth a word, but noise seldom says many
    assert fv.verify(tmp_path / "release")
    file.write_text("name,age,sex,approved\nx,1000,z,perhaps\n")
    assert run(["init", str(file), *told, "--overwrite"]) == 0
    assert out.read_text() == text


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (["--values", "sex=f,m"], "needs a decision: --decision COLUMN"),
        (["--decision", "approved"], "the values of 'approved' are needed: --values 'approved=A,B'"),
        (["--decision", "approved", "--values", "approved=a,b", "--protected", "sex"], "values of 'sex' are needed"),
        (["--range", "age=0:100"], "write the ends and the widths, as in age=0:100:5,20"),
        (["--range", "agee=0:100:5"], "did you mean 'age'"),
        (["--decision", "approved", "--values", "approved=a,b", "--protected", "sex", "--values", "sex=f,m"],
         "the unfavourable value of 'approved' is needed: --denied VALUE"),
    ],
)  # fmt: skip
def test_what_a_plan_with_noise_still_needs(
    told: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = small(tmp_path / "people.csv")
    assert run(["init", str(file), "--epsilon", "1", *told, "--out", str(tmp_path / "plan.toml")]) == 2
    assert sentence in capsys.readouterr().err
    if {"--values", "--range"} & {*told}:
        assert run(["init", str(file), *told, "--out", str(tmp_path / "plan.toml")]) == 2
        assert "give --epsilon as well" in capsys.readouterr().err


@pytest.mark.parametrize("epsilon", ["0", "-1", "inf", "nan"])
def test_a_budget_that_is_none_is_named_as_it_was_given(
    epsilon: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", str(small(tmp_path / "people.csv")), f"--epsilon={epsilon}"]) == 2
    assert f"--epsilon must be a number above 0, not {epsilon}" in capsys.readouterr().err


def test_what_the_owner_says_wins_over_every_suggestion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plan = hospital(tmp_path / "stays.csv", 400), tmp_path / "plan.toml"
    told = ["--quasi", "ward,cost", "--sensitive", "zip", "--drop", "admitted", "--protected", "ward", "--k", "7",
            "--decision", "outcome", "--denied", "no", "--person", "patient_id", "--audience", "public"]  # fmt: skip
    assert run(["init", str(file), "--out", str(plan), *told]) == 0
    schema, guards = Plan.read(plan).schema, Plan.read(plan).guards
    assert schema is not None and {"ward", "cost"} <= set(schema.quasi) and "zip" in schema.sensitive
    assert "admitted" in schema.drop and "ward" in schema.protected and schema.denied == "no"
    assert guards[0].least_rows == 7 and "fairveil init --audience public" in plan.read_text()
    capsys.readouterr()
    for wrong, sentence in {
        ("--quasi", "wardd"): "did you mean 'ward'", ("--person", "patient"): "did you mean 'patient_id'",
        ("--quasi", "ward", "--drop", "ward"): "given two roles", ("--audience", "all"): "public, partners or internal",
        ("--epsilon", "1", "--drop", "ward"): "--drop is not for a differentially private table",
    }.items():  # fmt: skip
        assert run(["init", str(file), "--out", str(plan), "--overwrite", *wrong]) == 2
        assert sentence in capsys.readouterr().err


def test_what_is_unsure_or_missing_is_asked_for_at_the_top(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    rng = random.Random(6)
    rows = [f"{rng.randint(20, 70)},{rng.choice('FM')},{rng.choice('xyz')}" for _ in range(300)]
    file.write_text("\n".join(["age,sex,quux", *rows]))
    assert run(["init", str(file), "--out", str(plan)]) == 0
    head = plan.read_text().split("format = 1")[0]
    assert (
        "nothing says what these are: quux" in head and "nothing says what these are: quux" in capsys.readouterr().out
    )
    assert len([line for line in head.splitlines() if line.startswith("#   ")]) >= 5  # who attacks, in three lines
    assert run(["init", str(file), "--out", str(plan), "--overwrite", "--quasi", "quux"]) == 0
    assert "NO COLUMN IS SENSITIVE" in plan.read_text() and "NO COLUMN IS SENSITIVE" in capsys.readouterr().out


@pytest.mark.parametrize("column", ["patient_last_name", "mother_name", "doctor_name", "Vorname", "apellidos"])
def test_no_name_is_published(column: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    rng = random.Random(7)
    names = ["Nowak", "Kaya", "Demir", "Okafor", "Virtanen"]
    rows = [f"{rng.choice(names)},{rng.choice('FM')},{rng.randint(20, 80)}" for _ in range(500)]
    file.write_text("\n".join([f"{column},sex,age", *rows]))
    assert run(["init", str(file), "--out", str(plan)]) == 0
    schema = Plan.read(plan).schema
    assert schema is not None and column not in schema.published
    capsys.readouterr()


def test_a_column_that_would_undo_another_is_not_published_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = tmp_path / "people.csv", tmp_path / "plan.toml"
    rng = random.Random(8)
    ages = [rng.randint(20, 80) for _ in range(900)]
    rows = [f"{age},{3 * age + 1},{rng.choice('FM')},{rng.choice(['flu', 'cold', 'pox'])}" for age in ages]
    file.write_text("\n".join(["age,zorb,sex,illness", *rows]))
    assert run(["init", str(file), "--out", str(plan)]) == 0
    assert run(["release", str(plan), "--out", str(tmp_path / "release")]) == 0
    schema = Plan.read(plan).schema
    assert schema is not None and "zorb" in {*schema.quasi, *schema.drop}
    capsys.readouterr()


def test_what_a_persons_own_records_share_tells_nothing_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A person's visits have one birth date and one religion: neither tells the other of anybody else."""
    random_ = random.Random(5)
    lines = ["patient_id,birth_date,religion,ward,diagnosis"]
    for person in range(400):
        born = f"{random_.randint(1930, 2005)}-{random_.randint(1, 12):02}-{random_.randint(1, 28):02}"
        religion = random_.choice(["catholic", "protestant", "muslim", "none"])
        lines += [
            f"P{person},{born},{religion},{random_.choice('ABC')},{random_.choice(['I10', 'E11', 'J45'])}"
            for _ in range(random_.choice([1, 2, 3, 5]))
        ]
    (tmp_path / "visits.csv").write_text("\n".join(lines))
    assert run(["init", str(tmp_path / "visits.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    schema = Plan.read(tmp_path / "plan.toml").schema
    assert (
        schema is not None
        and schema.person == "patient_id"
        and "birth_date" in schema.quasi
        and "religion" in schema.sensitive
    )
    assert "name it as --person" not in capsys.readouterr().out


@pytest.mark.parametrize("known", [["HOSPITAL"], ["HOSPITAL", "CLINIC", "HOME", "ARMY"]])
def test_blanks_are_no_values_that_make_a_secret_diverse(
    known: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random_ = random.Random(7)
    lines = ["sex,age,region,illness,insurance_debt"]
    lines += [
        f"{random_.choice('MF')},{random_.randint(20, 80)},{random_.choice('ABC')},{random_.choice(['flu', 'HIV'])},"
        + (" " if random_.random() < 0.7 else random_.choice(known))
        for _ in range(900)
    ]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    assert run(["init", str(tmp_path / "people.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    schema = Plan.read(tmp_path / "plan.toml").schema
    assert schema is not None and ("insurance_debt" in schema.sensitive) == (len(known) > 1)
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(("options", "says"), [
    (["--decision", "sex", "--denied", "zz"], "column 'sex' has no value 'zz'"),
    (["--denied", "zz"], "no column is a decision"),
])  # fmt: skip
def test_an_unfavourable_value_that_no_decision_has_is_refused(
    options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["age,sex,wage", *(f"{20 + i % 50},{'fm'[i % 2]},{1000 + i % 70}" for i in range(300))]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    assert run(["init", str(tmp_path / "people.csv"), "--out", str(tmp_path / "plan.toml"), *options]) == 2
    assert says in capsys.readouterr().err and not (tmp_path / "plan.toml").exists()
