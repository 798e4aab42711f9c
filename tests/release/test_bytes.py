"""Whatever is added to a release or written otherwise, without a change in what is read, `verify` says no.

All checksums are made right again: only bytes that differ from what fairveil writes give the forger away.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data import writers
from fairveil.engines import memory
from fairveil.published import parquet
from fairveil.published.folder import seal, sha256
from fairveil.release.verify import Verification
from tests.release.forging import evidence_of

SECRET = "Ann has it"
SSH = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen")
Change = Callable[[Path], object]


@pytest.fixture(scope="module")
def release() -> fv.Release:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({
        "age": rng.integers(20, 60, 300), "sex": rng.choice(["f", "m"], 300), "paid": rng.normal(9, 3, 300).round(2),
        "note": np.array(["a", "b, c", '"d"', None])[rng.integers(0, 4, 300)], "ok": rng.choice([True, False], 300),
        "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 9, 300), unit="D"),
    })  # fmt: skip
    rules = {"age": fv.hierarchy.intervals([20, 60], widths=(10, 20))}
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["note"], plain=["paid", "ok", "day"], hierarchies=rules)
    return fv.search(frame, schema, guards=[fv.KAnonymity(5)]).best("loss")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    key = tmp_path_factory.mktemp("key") / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    return key


@pytest.fixture(params=["csv", "parquet", "parts"])
def out(request: pytest.FixtureRequest, release: fv.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(writers, "PART_ROWS", 70)
    return release.save(tmp_path / "out", format=request.param, accept=["uniqueness"]).path


@pytest.fixture
def parquet_file(release: fv.Release, tmp_path: Path) -> Path:
    return release.save(tmp_path / "out", format="parquet", accept=["uniqueness"]) / "data.parquet"


def resealed(folder: Path) -> Verification:
    """Make checksums and seal right; the report contains no checksum of its own, so it is made again."""
    from fairveil.published.folder import json_text, load
    from fairveil.release.checks import before_report
    from fairveil.reporting import public_report

    for report in (True, False):
        evidence = evidence_of(folder)
        evidence["files"] = {name: sha256(folder / name) for name in evidence["files"]}
        if report:
            page = public_report(load(folder).published, before_report(evidence))
            (folder / "report.html").write_text(page, encoding="utf-8", newline="\n")
        evidence["seal"] = seal(evidence)
        (folder / "evidence.json").write_text(json_text(evidence), encoding="utf-8", newline="\n")
    return fv.verify(folder)


def test_a_release_that_is_only_resealed_is_believed(out: Path) -> None:
    verification = resealed(out)
    assert verification, verification.problems
    assert not verification.notes


def appended(data: bytes) -> Iterator[bytes]:
    yield from (data + SECRET.encode(), SECRET.encode() + data, data + b"\n", data + b"\0", b"\xef\xbb\xbf" + data)
    yield from (data.replace(b"\n", b"\r\n"), data[:-1])


def test_bytes_more_or_less_in_any_file(out: Path) -> None:
    for file in sorted(path for path in out.rglob("*") if path.is_file()):
        whole = file.read_bytes()
        evidence = (out / "evidence.json").read_bytes()
        for data in appended(whole):
            if data == whole:
                continue
            file.write_bytes(data)
            if file.name != "evidence.json":
                sealed = json.loads(evidence)
                sealed["files"] = {name: sha256(out / name) for name in sealed["files"]}
                sealed["seal"] = seal(sealed)
                (out / "evidence.json").write_text(json.dumps(sealed, indent=2, ensure_ascii=False) + "\n")
            assert not fv.verify(out), (file.name, data[-20:])
            file.write_bytes(whole)
            (out / "evidence.json").write_bytes(evidence)


def shuffled(content: dict[str, object]) -> dict[str, object]:
    return dict(sorted(content.items(), reverse=True))


SPELLINGS: dict[str, Callable[[dict[str, object]], str]] = {
    "indent": lambda content: json.dumps(content, indent=3, ensure_ascii=False) + "\n",
    "one line": lambda content: json.dumps(content, ensure_ascii=False) + "\n",
    "escapes": lambda content: re.sub("kind", r"\\u006bind", json.dumps(content, indent=2, ensure_ascii=False)) + "\n",
    "numbers": lambda content: re.sub(r"(\d\.\d+)", r"\g<1>0", json.dumps(content, indent=2)) + "\n",
    "order": lambda content: json.dumps(shuffled(content), indent=2, ensure_ascii=False) + "\n",
}


@pytest.mark.parametrize("name", ["recipe.json", "evidence.json"])
@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_other_spellings_of_json(
    release: fv.Release, tmp_path: Path, name: str, spelling: Callable[[dict[str, object]], str]
) -> None:
    out = release.save(tmp_path / "out", accept=["uniqueness"]).path
    if name == "recipe.json":
        text = (out / name).read_text()
        (out / name).write_text(spelling(json.loads(text)))
        assert bool(resealed(out)) == ((out / name).read_text() == text)  # a recipe may have no such numbers
    else:
        (out / name).write_text(spelling(evidence_of(out)))
        assert not fv.verify(out)


@pytest.mark.parametrize("entry", ["measures", "files", "rows", "types", "versions"])
def test_entries_in_another_order(release: fv.Release, tmp_path: Path, entry: str) -> None:
    out = release.save(tmp_path / "out", accept=["uniqueness"]).path
    evidence = evidence_of(out)
    evidence[entry] = dict(reversed(evidence[entry].items()))
    evidence["seal"] = seal(evidence)
    (out / "evidence.json").write_text(json.dumps(evidence, indent=2, ensure_ascii=False) + "\n")
    assert not fv.verify(out)


CELLS: dict[str, Callable[[str], str]] = {
    "no quotes": lambda text: text.replace('"a"', "a"),
    "more quotes": lambda text: re.sub(r",(\d+\.\d+),", r',"\1",', text),
    "zeros": lambda text: re.sub(r",(\d+\.\d+),", r",\g<1>0,", text),
    "truth": lambda text: text.replace(",true", ",True"),
    "a blank line": lambda text: text.replace("\n", "\n\n", 1),
    "no last line feed": lambda text: text[:-1],
}


@pytest.mark.parametrize("change", CELLS.values(), ids=CELLS)
def test_other_spellings_of_csv(release: fv.Release, tmp_path: Path, change: Callable[[str], str]) -> None:
    out = release.save(tmp_path / "out", accept=["uniqueness"]).path
    text = (out / "data.csv").read_text()
    assert change(text) != text
    (out / "data.csv").write_text(change(text))
    assert not resealed(out)


def edited(edit: Callable[[pa.Table], pa.Table]) -> Change:
    """Write the rows with Arrow, after an edit that changes none of them."""

    def write(file: Path) -> None:
        table = edit(pq.read_table(file).replace_schema_metadata())
        pq.write_table(table, file, write_statistics=table.schema.names[:1])

    return write


def rewritten(rows: int = writers.BATCH, **settings: object) -> Change:
    """Write the file as fairveil does, but with these settings of Arrow, or row groups of so many rows."""

    def write(file: Path) -> None:
        table, plain = fv.Table.from_frame(pq.read_table(file)), pq.ParquetWriter
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pq, "ParquetWriter", lambda *given, **own: plain(*given, **{**own, **settings}))
            patch.setattr(writers, "BATCH", rows)
            writers.write_table(table, file.parent, "data", "parquet")

    return write


def unused_entry(file: Path) -> None:
    """A value in the dictionary of a column that no row has."""
    table = pq.read_table(file)
    column = table["sex"].combine_chunks()
    values = pa.array([*column.unique().to_pylist(), SECRET])
    codes = pa.array([values.to_pylist().index(value) for value in column.to_pylist()], pa.int32())
    columns = {name: table[name] for name in table.schema.names} | {
        "sex": pa.DictionaryArray.from_arrays(codes, values)
    }
    writers.write_stream([pa.table(columns)], table.schema, file, None)
    assert SECRET.encode() in file.read_bytes()


def footer_of(data: bytes) -> int:
    return len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]


def with_slack(file: Path) -> None:
    data = file.read_bytes()
    end = footer_of(data)
    file.write_bytes(data[:end] + SECRET.encode() + data[end:])


def after_the_metadata(file: Path) -> None:
    data = file.read_bytes()
    more = SECRET.encode()
    size = struct.pack("<I", len(data) - 8 - footer_of(data) + len(more))
    file.write_bytes(data[:-8] + more + size + b"PAR1")


def field_metadata(table: pa.Table) -> pa.Table:
    field = table.schema.field(0).with_metadata({"source": SECRET})
    return table.set_column(0, field, table.column(0))


def other_writer(file: Path) -> None:
    data = file.read_bytes()
    assert data.count(b"parquet-cpp-arrow") == 1
    file.write_bytes(data.replace(b"parquet-cpp-arrow version", b"parquet-cpp-Ann has it!!!"))


PARQUET: dict[str, Change] = {
    "metadata": edited(lambda table: table.replace_schema_metadata({"source": SECRET})),
    "metadata of a field": edited(field_metadata),
    "row groups": rewritten(rows=100),
    "compression": rewritten(compression="zstd"),
    "no compression": rewritten(compression="none"),
    "no dictionary": rewritten(use_dictionary=False),
    "an entry that no row uses": unused_entry,
    "statistics": rewritten(write_statistics=True),
    "page index": rewritten(write_page_index=True),
    "checksums": rewritten(write_page_checksum=True),
    "pages of version 2": rewritten(data_page_version="2.0"),
    "small pages": rewritten(data_page_size=64, write_batch_size=8),
    "sorting columns": rewritten(sorting_columns=[pq.SortingColumn(0)]),
    "version": rewritten(version="1.0"),
    "slack": with_slack,
    "after the metadata": after_the_metadata,
    "name of the writer": other_writer,
}


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("change", PARQUET.values(), ids=PARQUET)
def test_other_parquet_files_of_the_same_rows(
    parquet_file: Path, change: Change, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pq.read_table(parquet_file).to_pylist()
    change(parquet_file)
    assert pq.read_table(parquet_file).to_pylist() == rows
    if large:
        monkeypatch.setattr(memory, "LARGE", 0)
        monkeypatch.setattr(parquet, "MAX_VALUES", 0)
    assert not resealed(parquet_file.parent)


@pytest.mark.parametrize("max_values", [0, 1 << 28])
def test_large_files_are_written_again_piece_by_piece(
    release: fv.Release, tmp_path: Path, max_values: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "PART_ROWS", 70)
    monkeypatch.setattr(memory, "LARGE", 0)
    monkeypatch.setattr(parquet, "MAX_VALUES", max_values)
    for few in (1 << 12, 2):
        monkeypatch.setattr(writers, "FEW_TEXTS", few)
        monkeypatch.setattr(parquet, "FEW_TEXTS", few)
        for format in ("parquet", "parts"):
            saved = release.save(tmp_path / f"{format}{few}", format=format, accept=["uniqueness"])
            verification = fv.verify(saved)
            assert verification and not verification.notes, verification.problems


def test_names_of_parts(release: fv.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PART_ROWS", 70)
    out = release.save(tmp_path / "out", format="parts", accept=["uniqueness"]).path
    last = max((out / "data").iterdir())
    last.rename(last.with_name("part-Ann has it.parquet"))
    evidence = evidence_of(out)
    files = evidence["files"]
    files["data/part-Ann has it.parquet"] = files.pop(f"data/{last.name}")
    evidence["files"] = {**dict(sorted((n, c) for n, c in files.items() if n != "report.html")), "report.html": ""}
    (out / "evidence.json").write_text(json.dumps(evidence, indent=2, ensure_ascii=False) + "\n")
    assert not resealed(out)


class TestAnotherVersionOfArrow:
    """Publisher and verifier have different versions of Arrow, or other compressors: what then differs is allowed."""

    @pytest.fixture(autouse=True)
    def written(self, parquet_file: Path) -> None:
        self.file = parquet_file

    def renamed(self) -> None:
        """The same file by a version whose name has the same length."""
        data = self.file.read_bytes()
        name = b"parquet-cpp-arrow version "
        version = re.search(name + rb"[\d.]+", data)
        assert version is not None
        older = re.sub(rb"\d+", lambda found: b"9" * len(found[0]), version[0])
        self.file.write_bytes(data.replace(version[0], older))

    def test_the_same_pages(self) -> None:
        self.renamed()
        verification = resealed(self.file.parent)
        assert verification, verification.problems
        [note] = verification.notes
        assert "its structure was compared, not its bytes" in note

    def test_other_pages(self) -> None:
        PARQUET["small pages"](self.file)
        self.renamed()
        verification = resealed(self.file.parent)
        assert verification, verification.problems

    @pytest.mark.parametrize("change", PARQUET.values(), ids=PARQUET)
    def test_nothing_else_is_allowed(self, change: Change) -> None:
        change(self.file)
        if change is other_writer or change is PARQUET["small pages"]:
            return  # small pages are what other versions may write
        self.renamed()
        assert not resealed(self.file.parent)


@SSH
class TestTheSignature:
    @pytest.fixture
    def signed(self, release: fv.Release, key: Path, tmp_path: Path) -> Path:
        return release.save(tmp_path / "out", accept=["uniqueness"], sign=key).path

    def test_it_is_believed_as_it_is(self, signed: Path) -> None:
        assert fv.verify(signed) and fv.verify(signed).signed

    @pytest.mark.parametrize("change", [
        lambda text: text + SECRET, lambda text: SECRET + "\n" + text, lambda text: text + "\n", lambda text: text * 2,
        lambda text: text.replace("\n", "\r\n"), lambda text: text[:-1], lambda _: SECRET, lambda _: "",
        lambda text: text.replace("-----\n", "-----\n\n", 1), lambda text: text.replace("\n-----END", "====\n-----END"),
        lambda text: re.sub(r"(?<=-----\n).*(?=\n-----END)", lambda m: m[0].replace("\n", ""), text, flags=re.DOTALL),
        lambda text: re.sub(r"(?<=-----\n)(.*)(?=\n-----END)", lambda m: longer(m[0]), text, flags=re.DOTALL),
    ])  # fmt: skip
    def test_nothing_else_is_in_its_file(self, signed: Path, key: Path, change: Callable[[str], str]) -> None:
        file = signed / "evidence.json.sig"
        file.write_bytes(change(file.read_text()).encode())
        allowed = key.with_name("allowed")
        allowed.write_text("ann@example.org " + key.with_suffix(".pub").read_text())
        for verification in (fv.verify(signed), fv.verify(signed, signers=allowed)):
            assert not verification and not verification.signed and not verification.signer
            assert "a signature file that proves nothing" in verification.problems[0]


def longer(text: str) -> str:
    """The armored block with more bytes behind its last field."""
    blob = base64.b64encode(base64.b64decode(text) + SECRET.encode()).decode()
    return "\n".join(blob[start : start + 70] for start in range(0, len(blob), 70))
