"""Attack, utility and report say the same of one release, wherever its rows are: in memory, in files, in a database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.data import writers
from fairveil.engines import memory, open_source
from fairveil.evaluation import utility as evaluation
from fairveil.published import parquet
from fairveil.run.report import report_dict
from tests import real_parts
from tests.known import ANY_DANGER

ROWS = 900
SCHEMA = fv.Schema(
    quasi=["age", "sex"], sensitive=["ill"], decision="granted", denied="no", plain=["paid"],
    hierarchies={"age": fv.hierarchy.intervals([0, 100], widths=(10, 50))},
)  # fmt: skip
QUICK: Mapping[str, Any] = {"queries": 20, "resamples": 5}


def people() -> pa.Table:
    draw = np.random.default_rng(5)
    return pa.table(
        {
            "age": draw.integers(20, 60, ROWS),
            "sex": draw.choice(["F", "M"], ROWS),
            "ill": draw.choice(["flu", "cold", "asthma"], ROWS),
            "paid": draw.integers(0, 4, ROWS),
            "granted": draw.choice(["yes", "no"], ROWS),
        }
    )


@pytest.fixture(params=["duckdb", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a table of these people."""
    if request.param == "duckdb":
        import duckdb

        with duckdb.connect(tmp_path / "people.duckdb") as connection:
            connection.register("given", people())
            connection.execute("CREATE TABLE people AS FROM given")
        return f"duckdb://{tmp_path / 'people.duckdb'}"
    import pyarrow.parquet as pq

    server: real_parts.Postgres = request.getfixturevalue("postgres")
    monkeypatch.setenv("PGPASSWORD", server.password)
    pq.write_table(people(), tmp_path / "people.parquet")
    real_parts.copy_parquet(tmp_path / "people.parquet", server, "where_it_is")
    return str(server.url)


def statements(folder: Path, **where: Any) -> dict[str, Any]:
    """All that is said of a release; the files that its report lists are its own."""
    report = report_dict(folder, **where)
    return {
        "attack": fv.attack(folder, original=people(), **where).to_dict(),
        "utility": fv.utility(folder, people(), **QUICK, **where).to_dict(),
        "report": {key: value for key, value in report.items() if key not in ("files", "seal", "table")},
    }


def same(first: Any, second: Any) -> bool:
    return json.dumps(first, default=str) == json.dumps(second, default=str)


def test_of_a_table_in_a_database(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(writers, "PART_ROWS", 256)
    table = "people" if url.startswith("duckdb") else "where_it_is"
    release = fv.search(open_source(url, table=table), SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
    folder = release.save(tmp_path / "table", table=f"{table}_out", accept=ANY_DANGER).path
    files = release.save(tmp_path / "files", format="parts", accept=ANY_DANGER).path
    assert len(list((files / "data").iterdir())) > 1
    expected = statements(files)
    assert same(statements(folder, published=url), expected)
    in_memory = fv.attack(release, original=people()).to_dict()
    assert same(in_memory["attacks"], expected["attack"]["attacks"])

    pyarrow.csv.write_csv(people(), tmp_path / "people.csv")
    for command in (["attack"], ["utility", "--original", str(tmp_path / "people.csv")], ["report"]):
        words = [command[0], str(folder), *command[1:], "--json"]
        assert run(words) == 2 and "name the database (--published URL)" in capsys.readouterr().err
        assert run([*words, "--published", url]) in (0, 1)
        assert json.loads(capsys.readouterr().out)
        assert run([*words, "--published", url, "--table", "elsewhere"]) == 2 or command == ["report"]
        assert "elsewhere" in "".join(capsys.readouterr())
    assert run(["attack", str(files), "--published", url]) == 2 and "in files" in capsys.readouterr().err


def test_of_an_original_in_a_database(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Attacks and utility say the same of an original wherever it is."""
    table = "people" if url.startswith("duckdb") else "where_it_is"
    release = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
    folder = release.save(tmp_path / "out", accept=ANY_DANGER).path
    source = open_source(url, table=table)
    assert same(fv.attack(folder, original=source).to_dict(), fv.attack(folder, original=people()).to_dict())
    expected = fv.utility(folder, people(), **QUICK).to_dict()
    assert same(fv.utility(folder, source, **QUICK).to_dict(), expected)
    pyarrow.csv.write_csv(people(), tmp_path / "people.csv")
    for command in ("attack", "utility"):
        printed = []
        for original in ([str(tmp_path / "people.csv")], [url, "--original-table", table]):
            words = [command, str(folder), "--original", *original, "--json"]
            assert run([*words, *(["--resamples", "5"] if command == "utility" else [])]) in (0, 1)
            printed.append(json.loads(capsys.readouterr().out))
        assert same(*printed)
        assert run([command, str(folder), "--original", str(tmp_path / "people.csv"), "--original-table", "x"]) == 2
        assert "has no table 'x'" in capsys.readouterr().err


def test_of_a_relation_and_rows_that_keep_their_order(tmp_path: Path) -> None:
    import duckdb

    given = people()
    release = fv.search(given, SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
    with duckdb.connect() as connection:
        relation = connection.from_arrow(given)
        attacked = fv.attack(release, original=relation, control=relation)
        assert same(attacked.to_dict(), fv.attack(release, original=given, control=given).to_dict())
        kept = replace(release, order="keep").save(tmp_path / "kept", accept=ANY_DANGER)
        with pytest.raises(fv.BadInput, match="keeps the order of its source"):
            fv.attack(kept, original=relation)


@pytest.mark.parametrize("runs", [True, False], ids=["as runs", "on DuckDB"])
def test_of_more_parts_than_are_loaded(
    runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
    files = release.save(tmp_path / "files", format="parts", accept=ANY_DANGER).path
    attacks, report = fv.attack(files).to_dict(), report_dict(files)
    monkeypatch.setattr(memory, "LARGE", 100)
    monkeypatch.setattr(evaluation, "SAMPLE", 300)
    if not runs:
        monkeypatch.setattr(parquet, "MAX_VALUES", 0)
    assert same(fv.attack(files).to_dict()["attacks"], attacks["attacks"])
    assert same(report_dict(files), report)
    utility = fv.utility(files, people(), **QUICK)
    assert utility.sampled == (300, release.published.rows) and utility.models
    assert same(fv.utility(files, people(), **QUICK).to_dict(), utility.to_dict())
    pyarrow.csv.write_csv(people(), tmp_path / "people.csv")
    assert run(["utility", str(files), "--original", str(tmp_path / "people.csv"), "--queries", "20"]) == 0
    assert f"of the {release.published.rows} rows of the release a random sample of 300" in capsys.readouterr().out
