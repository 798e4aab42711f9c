"""Bad input: exit code 2, one line on stderr that names the culprit, nothing written."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairveil import cli

from .conftest import PLAN, Run, Said

CHECK = ("--quasi", "age,sex", "--k", "2")


def files(folder: Path) -> dict[str, bytes | None]:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


def refused(result: Said, *culprits: str) -> None:
    assert result.code == 2, result
    assert result.out == ""
    assert result.err.startswith("fairveil: ")
    assert result.err.count("\n") == 1, result.err
    assert "Traceback" not in result.err
    for culprit in culprits:
        assert culprit in result.err


@pytest.mark.parametrize(
    ("name", "content", "culprit"),
    [
        ("empty.csv", b"", "empty.csv is empty"),
        ("header.csv", b"age,sex\n", "header.csv has a header but no rows"),
        ("twice.csv", b"age,sex,age\n1,F,2\n", "'age'"),
        ("ragged.csv", b"age,sex\n1,F\n2\n", "ragged.csv"),
        ("latin.csv", b"age,sex\n1,F\n2,\x81\n", "latin.csv"),
        ("cut.csv.gz", gzip.compress(b"age,sex\n" + b"21,F\n22,M\n" * 9999, mtime=0)[:-20], "cut.csv.gz"),
        ("early.csv.gz", gzip.compress(b"age,sex\n21,F\n", mtime=0)[:15], "early.csv.gz"),
        ("plain.csv.gz", b"age,sex\n21,F\n", "plain.csv.gz"),
        ("noise.parquet", b"PAR1 and then nothing", "noise.parquet"),
        ("empty.parquet", b"", "empty.parquet"),
        ("people.xlsx", b"PK", "people.xlsx"),
    ],
)
@pytest.mark.parametrize("command", ["check", "profile"])
def test_a_file_that_cannot_be_used(
    command: str, name: str, content: bytes, culprit: str, tmp_path: Path, fairveil: Run
) -> None:
    (tmp_path / name).write_bytes(content)
    before = files(tmp_path)
    refused(fairveil(command, tmp_path / name, *(CHECK if command == "check" else ())), culprit)
    assert files(tmp_path) == before


def test_a_column_of_numbers_and_text(tmp_path: Path, fairveil: Run) -> None:
    file = tmp_path / "mixed.csv"
    file.write_text("age,sex\n21,F\n22,M\n22,F\n31-40,F\n", encoding="utf-8")
    refused(fairveil("check", file, *CHECK), "column 'age' mixes numbers and text (such as '31-40')")
    profiled = fairveil("profile", file)  # looks at a file that its owner does not know yet
    assert (profiled.code, profiled.err) == (0, "") and "--text age" in profiled.out
    assert json.loads(fairveil("profile", file, "--json").out)["options"] == {"text": ["age"]}
    given = fairveil("profile", file, "--text", "age")
    assert given.code == 0 and "--text" not in given.out
    refused(fairveil("profile", file, "--where", "size > 3"), "no column 'size'")


def test_a_half_written_parquet_file(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "half.parquet"
    pq.write_table(pa.table({"age": list(range(10_000)), "sex": ["F", "M"] * 5000}), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    refused(fairveil("check", path, *CHECK), "half.parquet")
    spoilt = bytearray(whole)
    spoilt[20:4000] = b"\xff" * 3980  # the footer is whole, a page is not
    path.write_bytes(bytes(spoilt))
    refused(fairveil("check", path, *CHECK), "half.parquet")


def test_duplicate_names_in_a_parquet_file(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "twice.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["age", "age"]), path)
    refused(fairveil("profile", path), "'age'")


def test_no_such_file(tmp_path: Path, people: Path, fairveil: Run) -> None:
    refused(fairveil("check", tmp_path / "peple.csv", *CHECK), "peple.csv", "did you mean 'people.csv'?")
    refused(fairveil("profile", tmp_path), "is a folder")
    refused(fairveil("release", tmp_path / "none.toml", "--out", tmp_path / "out"), "none.toml")
    refused(fairveil("verify", tmp_path), "is not a release")


def test_an_unreadable_file(people: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so for root the system's answer is played."""

    def locked(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(people))

    people.chmod(0)
    if os.geteuid() == 0:
        monkeypatch.setattr("fairveil.data.csv_reader.open", locked, raising=False)
    refused(fairveil("check", people, *CHECK), "people.csv cannot be read: Permission denied")


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (("--quasi", "age", "--k", "1"), "k must be an integer of at least 2, not 1"),
        (("--quasi", "age", "--k", "0"), "not 0"),
        (("--quasi", "age", "--k", "13"), "k=13 is more than the 12 rows"),
        (("--quasi", "agee", "--k", "2"), "no column 'agee': did you mean 'age'?"),
        (("--quasi", "age", "--sensitive", "age", "--l", "2"), "'age' cannot be both quasi and sensitive"),
        (("--quasi", "age", "--l", "2"), "distinct-diversity needs a sensitive column"),
        (("--quasi", "age", "--sensitive", "disease", "--t", "2"), "t must be a number from 0 to 1, not 2"),
        (("--quasi", "age", "--sensitive", "disease", "--t", "0.2", "--distance", "eqal"), "did you mean 'equal'?"),
        (("--quasi", "age", "--sensitive", "disease", "--c", "2"), "--l"),
        ((), "--quasi is needed"),
        (("--quasi", "age", "--guard", "k-anonymity:k=1"), "k-anonymity: k must be an integer of at least 2, not 1"),
        (("--quasi", "age", "--guard", "k-anonymity:kk=2,k=2"), "no setting of k-anonymity 'kk': did you mean 'k'?"),
        (("--quasi", "age", "--guard", "k-anonimity:k=2"), "no guard 'k-anonimity': did you mean 'k-anonymity'?"),
        (("--quasi", "age", "--guard", "k-anonymity:2"), "written as NAME=VALUE"),
        (("--quasi", "age", "--guard", "alpha-protection:alpha=2"), "needs --protected, --decision and --denied"),
        (("--k", "2"), "--quasi"),
        (("--quasi", "age", "--k", "two"), "--k"),
        (("--quasi", "age", "--kk", "2"), "--kk"),
        (("--quasi", "age", "--k", "2", "--text", "zipp"), "no column 'zipp': did you mean 'zip'?"),
        (("--quasi", "age", "--k", "2", "--separator", "ab"), "separator"),
    ],
)
def test_a_request_that_makes_no_sense(arguments: tuple[str, ...], culprit: str, people: Path, fairveil: Run) -> None:
    refused(fairveil("check", people, *arguments), culprit)


@pytest.mark.parametrize(
    ("old", "new", "culprits"),
    [
        ("[source]", "[sorce]", ["no key in the plan: 'sorce': did you mean 'source'?"]),
        ('path = "people.csv"', 'pth = "people.csv"', ["did you mean 'path'?"]),
        ("k = 3", "kk = 3", ["no setting of k-anonymity 'kk': did you mean 'k'?", "guard 1"]),
        ("k = 3", "k = 1", ["k must be an integer of at least 2, not 1"]),
        ("k = 3", "k = 13", ["k=13 is more than the 12 rows"]),
        ("k = 3", 'k = "three"', ["not 'three'"]),
        ('"k-anonymity"', '"k-anonimity"', ["did you mean 'k-anonymity'?"]),
        ("l = 2", "l = 2\nsensitive = 5", ["no sensitive column '5': there are 'disease'"]),
        (
            "[hierarchies.age]",
            "[schema.hierarchies.age]",
            ["the key 'hierarchies' belongs at the top level of the plan"],
        ),
        ('path = "people.csv"', 'path = "people.csv"\nquasi = ["zip"]', ["the key 'quasi' belongs in [schema]"]),
        ("[hierarchies.age]", "[hierarchies.agee]", ["no column 'agee': did you mean 'age'? (hierarchy)"]),
        ("edges = [20, 30, 40, 50]", "edges = [20, 30, 40]", ["hierarchy of 'age'", "44"]),
        ("edges = [20, 30, 40, 50]", "edges = 5", ["hierarchy of 'age'"]),
        ("edges = [20, 30, 40, 50]", "edge = [20]", ["did you mean 'edges'?"]),
        ('kind = "intervals"', 'kind = "interval"', ["did you mean 'intervals'?"]),
        ("length = 5", "length = 4", ["hierarchy of 'zip'", "'08540'"]),
        ('quasi = ["age", "zip", "sex"]', 'quasi = ["age", "zip", "name"]', ["'name' cannot be both"]),
        ('quasi = ["age", "zip", "sex"]', 'quasi = ["age", "zip"]', ["no role: 'sex'"]),
        ('quasi = ["age", "zip", "sex"]', "quasi = 7", ["schema.quasi must be a name or a list of names, not 7"]),
        ("format = 1", "format = 2", ["format must be 1, not 2"]),
        ("format = 1", "", ["format = 1"]),
        ("format = 1", "format = ", ["TOML"]),
        ("format = 1", 'format = 1\nchoose = "los"', ["did you mean 'loss'?"]),
        ("format = 1", 'format = 1\nchoose = "cm"', ["'cm' needs a decision column"]),
        ("format = 1", 'format = 1\n[method]\nkind = "incognita"', ["did you mean 'incognito'?"]),
        ("format = 1", 'format = 1\n[method]\nkind = "best-first"\ntime_limit = "x"', ["method 1"]),
        ("format = 1", 'format = 1\n[output]\nformat = "xlsx"', ["output.format must be"]),
    ],
)
def test_a_plan_that_is_wrong(
    old: str, new: str, culprits: list[str], plan: Path, tmp_path: Path, fairveil: Run
) -> None:
    assert old in PLAN
    plan.write_text(PLAN.replace(old, new), encoding="utf-8")
    before = files(tmp_path)
    refused(fairveil("release", plan, "--out", tmp_path / "out"), *culprits)
    assert files(tmp_path) == before


def test_all_problems_of_a_plan_at_once(plan: Path, tmp_path: Path, fairveil: Run) -> None:
    text = PLAN.replace("k = 3", "kk = 3").replace("[source]", "sed = 1\n[source]").replace('"zip"', '"zap"')
    plan.write_text(text, encoding="utf-8")
    refused(fairveil("release", plan, "--out", tmp_path / "out"), "'sed'", "'kk'", "'zap'", "problems: ")


def test_no_place_to_write(plan: Path, people: Path, tmp_path: Path, fairveil: Run) -> None:
    """A file in place of the parent folder is refused even where root may write anywhere."""
    (tmp_path / "file").write_text("x")
    before = files(tmp_path)
    refused(fairveil("release", plan, "--out", tmp_path / "file" / "out"), "file is not a folder")
    refused(fairveil("demo", "--out", tmp_path / "file" / "out"), "file is not a folder")
    refused(fairveil("release", plan, "--out", tmp_path / "file"), "already exists")
    refused(fairveil("release", plan, "--out", tmp_path / "file", "--overwrite"), "already exists")
    assert files(tmp_path) == before


def test_no_permission_to_write(plan: Path, tmp_path: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda path, mode: path != locked)
    refused(fairveil("release", plan, "--out", locked / "out"), "no permission")
    assert list(locked.iterdir()) == []


def test_permission_that_is_lost_while_writing(
    plan: Path, tmp_path: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fairveil.data.writers.write_csv", no_room)
    before = files(tmp_path)
    refused(fairveil("release", plan, "--out", tmp_path / "out"), "cannot be written: No space left on device")
    assert files(tmp_path) == before


def test_values_that_a_recipe_does_not_know(plan: Path, people: Path, tmp_path: Path, fairveil: Run) -> None:
    assert fairveil("release", plan, "--out", tmp_path / "out").code == 0
    fresh = tmp_path / "fresh.csv"
    fresh.write_text("age,zip,sex,disease\n99,08540,F,flu\n22,08541,M,flu\n", encoding="utf-8")
    before = files(tmp_path)
    apply = ("apply", tmp_path / "out", fresh, "--out", tmp_path / "new.csv")
    refused(fairveil(*apply), "99")
    refused(fairveil(*apply, "--unknown", "supress"), "did you mean 'suppress'?")
    refused(fairveil(*apply[:-1], tmp_path / "new.doc"), "new.doc")
    fresh.write_text("age,zip,sex,disease,email\n22,08541,M,flu,x@y\n", encoding="utf-8")
    refused(fairveil(*apply), "'email' has no role")
    assert set(files(tmp_path)) == set(before)


def test_unknown_commands_and_experiments(fairveil: Run) -> None:
    refused(fairveil("chek"), "did you mean 'check'?".capitalize())
    refused(fairveil("reproduce", "nothing-like-it"), "no experiment 'nothing-like-it'")


def test_control_characters_in_a_message_are_spelled_out(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(b"age,sex\n1,F\n2,M\n\x1b[31mred,F\n")
    refused(fairveil("check", path, *CHECK), "\\x1b[31mred")


def test_a_fault_of_our_own_is_not_taken_for_an_answer(
    people: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairveil.run.check.check", lambda *_, **__: 1 / 0)
    result = fairveil("check", people, *CHECK)
    assert result.code == cli.INTERNAL
    assert "ZeroDivisionError" in result.err


def test_a_plan_that_is_not_there_is_said_to_be_missing(fairveil: Run, tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.toml", "no such file"), (tmp_path, "it is a folder")):
        result = fairveil("explore", path)
        assert result.code == 2 and result.err.strip().endswith(why)
