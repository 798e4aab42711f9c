"""A release folder: written whole or not at all, the same bytes each time, and every change of it is noticed."""

from __future__ import annotations

import contextlib
import csv
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.hierarchy import Tree
from fairveil.data.release_csv import write_csv
from fairveil.data.writers import Format
from fairveil.published.csv_runs import read_csv
from fairveil.published.folder import seal, sha256
from tests.known import ANY_DANGER, levels_of

FORMATS: tuple[Format, ...] = ("csv", "parquet")


@pytest.fixture(scope="module")
def release() -> fv.Release:
    german = fv.datasets.german_credit()
    return fv.search(german.table, german.schema, guards=[fv.KAnonymity(5, suppression=0.02)]).best("loss")


@pytest.fixture(params=FORMATS)
def folder(release: fv.Release, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return release.save(tmp_path / "out", format=request.param).path


def data(folder: Path) -> Path:
    return next(folder.glob("data.*"))


def reseal(folder: Path, **changes: object) -> None:
    """What somebody would do who tampers and knows the format."""
    evidence = json.loads((folder / "evidence.json").read_text())
    evidence.update(changes)
    evidence["files"] = {name: sha256(folder / name) for name in evidence["files"]}
    evidence["seal"] = seal(evidence)
    (folder / "evidence.json").write_text(json.dumps(evidence))


def test_a_release_verifies(folder: Path) -> None:
    verification = fv.verify(folder)
    assert verification, verification.problems
    assert [verdict.guard.kind for verdict in verification.verdicts] == ["k-anonymity"]


def test_same_input_same_bytes(release: fv.Release, folder: Path, tmp_path: Path) -> None:
    german = fv.datasets.german_credit()
    again = fv.search(german.table, german.schema, guards=release.guards).best("loss")
    [format] = (format for format in FORMATS if data(folder).suffix == f".{format}")
    other = again.save(tmp_path / "again", format=format).path
    assert {f.name: f.read_bytes() for f in folder.iterdir()} == {f.name: f.read_bytes() for f in other.iterdir()}


@pytest.mark.parametrize("name", ["data", "recipe.json", "evidence.json"])
def test_a_changed_byte_is_noticed(folder: Path, name: str) -> None:
    file = data(folder) if name == "data" else folder / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    with contextlib.suppress(fv.BadInput):  # it may no longer be JSON at all
        assert not fv.verify(folder)


def test_a_missing_and_an_added_file_are_noticed(folder: Path) -> None:
    (folder / "extra.txt").write_text("psst")
    assert "does not belong" in fv.verify(folder).problems[0]
    (folder / "extra.txt").unlink()
    data(folder).unlink()
    assert not fv.verify(folder)


def test_a_weakened_promise_is_noticed(folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_text())
    evidence["guards"][0]["k"] = 2
    (folder / "evidence.json").write_text(json.dumps(evidence))
    assert "sealed" in fv.verify(folder).problems[0]


def test_one_record_less_generalized_is_noticed_even_when_resealed(release: fv.Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out", format="parquet").path
    table = pq.read_table(folder / "data.parquet")
    name = next(n for n, level in levels_of(release).items() if level)
    tree = release.schema.hierarchies[name]
    assert isinstance(tree, Tree)
    leaf = tree.rows[0][0]
    values = [leaf, *table[name].to_pylist()[1:]]
    pq.write_table(table.set_column(table.column_names.index(name), name, pa.array(values)), folder / "data.parquet")
    reseal(folder)
    verification = fv.verify(folder)
    assert not verification
    assert any("does not publish" in problem or "does not hold" in problem for problem in verification.problems)


def test_a_promise_that_does_not_hold_is_noticed_even_when_resealed(folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_text())
    evidence["guards"][0]["k"] = 500
    reseal(folder, guards=evidence["guards"])
    assert "k-anonymity does not hold" in " ".join(fv.verify(folder).problems)


def test_nothing_is_overwritten_unless_asked(release: fv.Release, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(fv.BadInput, match="already exists"):
        release.save(folder)
    release.save(folder, overwrite=True)
    assert fv.verify(folder)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("x")
    with pytest.raises(fv.BadInput, match="choose another name"):
        release.save(precious, overwrite=True)
    assert (precious / "thesis.txt").exists()


def test_a_failure_while_writing_leaves_nothing(release: fv.Release, tmp_path: Path, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fairveil.release.release._write_json", fail)
    with pytest.raises(KeyboardInterrupt):
        release.save(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_breaks_its_promise_is_not_written(release: fv.Release, tmp_path: Path) -> None:
    from fairveil.release.release import publish

    german = fv.datasets.german_credit()
    broken = publish(german.table, german.schema, [fv.KAnonymity(400)], release.recipe)
    with pytest.raises(fv.Infeasible, match="not written"):
        broken.save(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_not_a_release(tmp_path: Path) -> None:
    [problem] = fv.verify(tmp_path).problems
    assert "is not a release" in problem
    with pytest.raises(fv.BadInput, match=r"the folder .* does not exist"):
        fv.verify(tmp_path / "nowhere")


def test_the_rows_are_not_in_the_order_of_the_source(release: fv.Release) -> None:
    rows = release.table.to_arrow().to_pylist()
    assert rows == sorted(rows, key=lambda row: [str(v) for v in row.values()])
    source = fv.datasets.german_credit().table
    for name in ("class",):
        assert (source.column(name).codes[release.source_rows] == release.table.column(name).codes).all()


NASTY = [
    "<script>alert(1)</script>",
    '=HYPERLINK("x")',
    "+1",
    "-1",
    "@x",
    "a,b",
    'q"q',
    "line\nbreak",
    "",
    "'=x",
    "🙂",
    None,
]


@pytest.mark.parametrize("format", FORMATS)
def test_nasty_values_come_back_as_they_were(format: Format, tmp_path: Path) -> None:
    table = pa.table({"q": ["a", "b"] * len(NASTY), "text": [v for v in NASTY for _ in "xx"]})
    schema = fv.Schema(quasi=["q"], plain=["text"])
    release = fv.search(table, schema, guards=[fv.KAnonymity(2)]).best("loss")
    folder = release.save(tmp_path / "out", format=format, accept=ANY_DANGER).path
    assert fv.verify(folder), fv.verify(folder).problems
    from fairveil.published.data_files import load_table as load_data

    back = load_data(folder, {"q": "string", "text": "string"}).to_arrow()["text"].to_pylist()
    assert sorted(back, key=str) == sorted((v for v in NASTY for _ in "xx"), key=str)
    if format == "csv":
        cells = (folder / "data.csv").read_text().replace("\n", ",").split(",")
        assert not any(cell.strip('"').startswith(("=", "+", "-", "@")) for cell in cells if cell != "-1")


def test_identifiers_go_or_become_pseudonyms(tmp_path: Path, monkeypatch) -> None:
    table = pa.table(
        {"ssn": ["1", "2", "3", "4"], "name": ["a", "b", "c", "a"], "zip": ["x"] * 4, "junk": [0, 1, 2, 3]}
    )
    schema = fv.Schema(identifier=["ssn", "name"], pseudonyms=["ssn"], quasi=["zip"], drop=["junk"])
    candidates = fv.search(table, schema, guards=[fv.KAnonymity(2)])
    monkeypatch.delenv("FAIRVEIL_KEY", raising=False)
    with pytest.raises(fv.BadInput, match="FAIRVEIL_KEY"):
        candidates.best("loss")
    monkeypatch.setenv("FAIRVEIL_KEY", "a secret of sixteen")
    release = candidates.best("loss")
    assert release.table.names == ["ssn", "zip"]
    names = release.table.to_arrow()["ssn"].to_pylist()
    assert len(set(names)) == 4
    assert not {"1", "2", "3", "4"} & set(names)
    folder = release.save(tmp_path / "out").path
    assert fv.verify(folder)
    assert "secret" not in "".join(f.read_text() for f in folder.iterdir())
    shutil.rmtree(folder)


def test_apply_to_new_data(release: fv.Release) -> None:
    german = fv.datasets.german_credit()
    assert german.test is not None
    outcome = release.recipe.outcome(german.test)
    assert outcome.table.rows == 334
    assert outcome.table.names == german.test.names
    frame = german.test.to_frame("pandas")
    frame.loc[0, "purpose"] = "a yacht"
    with pytest.raises(fv.BadInput, match="'a yacht'"):
        release.recipe.outcome(fv.Table.from_frame(frame))
    assert release.recipe.outcome(fv.Table.from_frame(frame), unknown="suppress").table.rows == 333


def test_only_what_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path: Path) -> None:
    texts = ["=1+1", "+1", "-1", "@x", "\tx", "<=50K", ">50K", "20-39", "08540", ":", "'quoted'", "'=kept"]
    table = fv.Table.from_frame(pa.table({"text": texts}))
    write_csv(table, tmp_path / "data.csv")
    with (tmp_path / "data.csv").open(encoding="utf-8", newline="") as lines:
        written = [row[0] for row in csv.reader(lines)][1:]
    marked = {text for text in written if text.startswith("'") and text != "'quoted'"}
    assert marked == {"'=1+1", "'+1", "'-1", "'@x", "'\tx", "''=kept"}
    with (tmp_path / "data.csv").open("rb") as file:
        assert sorted(read_csv(file, "data.csv")[0].column("text").domain) == sorted(texts)
