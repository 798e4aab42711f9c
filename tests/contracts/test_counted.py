"""A release that is only counted is the same release: from a source that hands out no row, and from files that are
not read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS
from fairveil.data import writers
from fairveil.engines import memory
from fairveil.guards import GUARDS, Guard
from fairveil.guards import from_dict as guards_from
from fairveil.methods import METHODS, Method
from fairveil.published.folder import load, sha256
from fairveil.release.verify import Verification
from tests.contracts.people import SCHEMA, OnlyCounts, contents, quick, source
from tests.contracts.test_guards import EXAMPLES
from tests.release.forging import at, evidence_of, leaves, put, reseal
from tests.release.test_forgery import other

PROMISES = [fv.KAnonymity(3, suppression=0.1)]
COUNTING = [method for method in METHODS if not quick(method).needs_rows and method.deterministic]
WITH_PLAIN = replace(SCHEMA, identifier=[], pseudonyms=[], plain=["name", "shoe"])


def people(rows: int = 90) -> pa.Table:
    return source(rows=rows).append_column("shoe", pa.array(np.random.default_rng(1).integers(60, 90, rows) / 2))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every Parquet release is so large that it is counted."""
    monkeypatch.setattr(memory, "LARGE", 0)
    yield


def search(method: type[Method], given: object, schema: fv.Schema = SCHEMA) -> fv.Release:
    found = fv.search(given, schema, guards=PROMISES, method=quick(method), seed=3)
    return found.release(len(found) - 1)


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_a_source_that_only_counts_gives_the_same_files(method: type[Method], tmp_path: Path) -> None:
    held = search(method, source()).save(tmp_path / "held", format="parquet").path
    given = search(method, OnlyCounts(source())).save(tmp_path / "counted", format="parquet").path
    assert contents(given) == contents(held)


@pytest.mark.parametrize("format", ["parquet", "parts"])
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_rows_that_leave_an_engine_in_pieces_are_the_same_release(
    method: type[Method], format: Any, tmp_path: Path, counted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "PART_ROWS", 17)
    held = search(method, source()).save(tmp_path / "held", format=format).path
    out = search(method, OnlyCounts(source(), elsewhere=True)).save(tmp_path / "out", format=format).path
    assert contents(out) == contents(held)
    assert fv.verify(out)
    if format == "parts":
        data_files = sorted(name for name in evidence_of(out)["files"] if name.startswith("data/"))
        assert len(data_files) > 2 and data_files == sorted(f"data/{file.name}" for file in (out / "data").iterdir())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[fv.Release, Path]:
    found = fv.search(people(), WITH_PLAIN, guards=[*PROMISES, fv.DistinctDiversity(2)])
    release = found.best("loss")
    return release, release.save(tmp_path_factory.mktemp("made") / "out", format="parquet", accept=["uniqueness"]).path


def test_a_folder_that_is_counted_says_the_same(made: tuple[fv.Release, Path], counted: None) -> None:
    release, out = made
    published = load(out).published
    assert not published.has_rows and fv.verify(out)
    assert published.rows == release.published.rows and published.k == release.published.k
    for name in ("name", "shoe", "zip", "illness"):
        mine, theirs = (p.content["data"] for p in (published, release.published))
        assert mine.frequent(name, 4) == theirs.frequent(name, 4)
        assert mine.sizes([name, "zip"]) == theirs.sizes([name, "zip"])
        assert mine.domain(name).domain == theirs.domain(name).domain
    with pytest.raises(fv.BadInput, match="are too many to load: they are only counted"):
        published.table  # noqa: B018


@pytest.mark.parametrize("kind", GUARDS.names)
def test_every_guard_says_the_same_of_counts(kind: str, made: tuple[fv.Release, Path], counted: None) -> None:
    release, out = made
    guards: list[Guard] = [guards_from({"kind": kind, **EXAMPLES[kind]})]
    mine, theirs = (published.verdicts(guards) for published in (load(out).published, release.published))
    assert [verdict.to_dict() for verdict in mine] == [verdict.to_dict() for verdict in theirs]


def test_every_attack_says_the_same_of_counts_or_why_it_cannot(made: tuple[fv.Release, Path], counted: None) -> None:
    release, out = made
    mine, theirs = fv.attack(out), fv.attack(release)
    assert mine.to_dict() == theirs.to_dict() and len(mine) > 4
    mine = fv.attack(out, original=people(), control=people(60), other=out)
    for attack in ATTACKS:
        if "rows" in attack.needs and "table" in attack.needs:
            assert "single rows of the release, and 85" in mine.skipped[attack.name]


def test_the_report_of_counts(made: tuple[fv.Release, Path], counted: None) -> None:
    release, out = made
    assert "data.parquet" in fv.report(out)
    assert json.dumps(fv.report_dict(out)["report"]["columns"]) == json.dumps(
        fv.report_dict(release)["report"]["columns"]
    )


def forged(out: Path, to: Path, table: pa.Table) -> Verification:
    copied = shutil.copytree(out, to)
    writers.write_table(fv.Table.from_frame(table), copied, "data", "parquet")
    reseal(copied, evidence_of(copied))
    return fv.verify(copied)


def test_forged_data_is_found_in_counts(made: tuple[fv.Release, Path], tmp_path: Path, counted: None) -> None:
    table = pq.read_table(made[1] / "data.parquet")
    assert forged(made[1], tmp_path / "same", table)
    frame = table.to_pandas()
    edits = {
        "order": table.take([1, 0, *range(2, len(table))]),
        "last": table.take([*range(1, len(table)), 0]),
        "less": table.slice(1),
        "twice": pa.concat_tables([table, table.slice(len(table) - 1)]),
        "column": table.append_column("ssn", pa.array(["x"] * len(table))),
        "gone": table.drop_columns(["illness"]),
        "type": table.set_column(table.column_names.index("shoe"), "shoe", table["shoe"].cast(pa.float32())),
        "stray": pa.table(frame.assign(zip="??")),
        "illness": pa.table(frame.assign(illness="flu")),
        "shoe": pa.table(frame.assign(shoe=1.5)).cast(table.schema),
    }
    for name, edit in edits.items():
        assert not forged(made[1], tmp_path / name, edit), name


def test_leaves_of_the_evidence_are_counted_again(
    made: tuple[fv.Release, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same forgeries are found as in memory, where `test_forgery` tries every leaf."""
    evidence = evidence_of(made[1])
    paths = list(leaves({name: part for name, part in evidence.items() if name not in ("seal", "files")}))
    believed = []
    for number, path in enumerate(paths[::5]):
        forged = json.loads(json.dumps(evidence))
        put(forged, path, other(at(evidence, path))[0])
        copied = shutil.copytree(made[1], tmp_path / str(number))
        reseal(copied, forged)
        verdicts = []
        for large in (0, 1 << 22):
            monkeypatch.setattr(memory, "LARGE", large)
            verdicts.append(bool(fv.verify(copied)))
        assert verdicts[0] == verdicts[1], path
        believed.append(verdicts[0])
    assert sum(believed) < len(believed) / 4


class TestParts:
    @pytest.fixture
    def parts(self, made: tuple[fv.Release, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(writers, "PART_ROWS", 25)
        return made[0].save(tmp_path / "parts", format="parts", accept=["uniqueness"]).path

    @pytest.mark.parametrize("large", [0, 1 << 22])
    def test_they_are_verified_together(self, parts: Path, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memory, "LARGE", large)
        assert fv.verify(parts) and len(list((parts / "data").iterdir())) == 4
        first, second = sorted((parts / "data").iterdir())[:2]
        evidence = evidence_of(parts)
        first.rename(parts / "aside")
        second.rename(first)
        (parts / "aside").rename(second)
        evidence["files"] = {name: sha256(parts / name) for name in evidence["files"]}
        reseal_parts(parts, evidence)
        assert any("not sorted by value" in problem for problem in fv.verify(parts).problems)

    def test_what_does_not_belong_to_them(self, parts: Path) -> None:
        for name, problem in (("data/more.parquet", "does not belong"), ("data/note.txt", "only Parquet files")):
            shutil.copy(parts / "data" / "part-000000.parquet", parts / name)
            assert any(problem in found for found in fv.verify(parts).problems)
            (parts / name).unlink()
        (parts / "empty").mkdir()
        assert any("empty is not a regular file" in problem for problem in fv.verify(parts).problems)
        (parts / "empty").rmdir()
        (parts / "data" / "inner").mkdir()
        assert any("is not a regular file" in problem for problem in fv.verify(parts).problems)
        (parts / "data" / "inner").rmdir()
        assert fv.verify(parts)
        (parts / "data" / "part-000001.parquet").unlink()
        assert any("part-000001.parquet is missing" in problem for problem in fv.verify(parts).problems)

    def test_a_link_in_place_of_the_folder(self, parts: Path) -> None:
        (parts / "data").rename(parts.parent / "data")
        (parts / "data").symlink_to(parts.parent / "data")
        assert any("is not a regular file" in problem for problem in fv.verify(parts).problems)


def reseal_parts(folder: Path, evidence: dict[str, Any]) -> None:
    from tests.release.forging import write

    write(folder, evidence)


def test_rows_that_stay_elsewhere_are_not_written_as_text(tmp_path: Path) -> None:
    release = search(fv.Incognito, OnlyCounts(source(), elsewhere=True))
    with pytest.raises(fv.BadInput, match="can be written as Parquet only"):
        release.save(tmp_path / "out")
    assert not list(tmp_path.iterdir())
