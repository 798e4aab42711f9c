"""ε is kept on files: one record more changes one count by one, whatever the record holds and whatever the file's kind.

The noise is left out and the choice held still, so whatever else differs differs because of that record. Two files are
neighbours if one has one line, or one row, more.
"""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

import fairveil as fv
from fairveil.data.dialect import Dialect
from fairveil.engines import open_source
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.methods import METHODS, noisy_choice, noisy_table
from fairveil.methods.noise import PrivacyBudget
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin, Tryout

H = fv.hierarchy
MANY = fv.AlphaProtection(1e6)
RULES: dict[str, tuple[list[Any], H.Hierarchy | None]] = {
    "intervals": ([21, 35, 59], H.intervals([20, 60], widths=(10, 20))),
    "open intervals": ([21, 35, 59], H.intervals([20, 60], widths=(10, 20), open_ended=True)),
    "fractions": ([0.1, 0.25, 0.3], H.intervals([0.0, 0.4], widths=(0.1, 0.2))),
    "integers": ([1, 2, 3], H.from_rows([[str(i), "lh"[i // 4], "*"] for i in range(1, 7)])),
    "numbers": ([0.5, 1.0, 2.0], H.from_rows([["0.5", "*"], ["1.0", "*"], ["2.0", "*"], ["7.25", "*"]])),
    "codes": (["01", "02", "10"], H.from_rows([["01", "*"], ["02", "*"], ["10", "*"]])),
    "words": (["a", "b", "ü"], H.tree({"*": {"x": ["a", "b"], "y": ["ü", "d"]}})),
    "Booleans": ([True, False, True], H.from_rows([["True", "*"], ["False", "*"]])),
    "dates": ([date(2020, 1, 1), date(2020, 2, 1)], H.from_rows([[f"2020-0{i}-01", "*"] for i in (1, 2)])),
    "listed": ([17, 18], None),
    "missing": ([21, 35, None], H.intervals([20, 60], widths=(10, 20))),
    "hidden": (["u", "v"], None),
}  # fmt: skip
"""The values of a column, and the hierarchy that declares them."""
LINES: list[bytes] = [
    b"x;f;no", b"13.5;f;no", b"13,5;f;no", b"1.234;f;no", b"unknown;f;no", b"NaN;f;no", b"007;f;no", b"+7;f;no",
    b"1e3;f;no", b"1e9999;f;no", b"true;f;no", b"2020-02-30;f;no", b"2020-01-01;f;no", b"-9;f;no", b"?;f;no", b";;",
    b"", b"21", b"21;f", b"21;f;no;more", b'"', b'"21;f;no', b'21;"f;no', b'x"21;"f;no', b'"2""1";f;no', b"\\;f;no",
    b"\xff\xfe;f;no", b"\xe4\xf6;f;\x81", b"\x00;f;no", b"21;f;no\r21;f;no", b"7" * 500 + b";f;no",
    b'"' + b"a" * 200_000 + b'";f;no', b"b" * 5_000_000 + b";f;no", "²;é;\u2028".encode(), b"21;f;no", b"21 ; f;no",
    b"$1,234;f;no", b">90;f;no", b"<5;f;no", b"31.12.2019;f;no", b"30%;f;no", b"1,23,4;f;no",
]  # fmt: skip
"""Lines that decide something about a file in many readers."""
CELLS: list[Any] = ["x", "13,5", "unknown", "", "007", " 21", True, date(2020, 2, 29), datetime(2020, 1, 1, 8), 6.5,
                    -1, 1e22, 2**70, None, float("nan")]  # fmt: skip
DIALECTS: dict[str, tuple[str, dict[str, Any]]] = {
    "semicolons": ("p.csv", {}),
    "decimal commas": ("p.csv", {"decimal": ","}),
    "decimal commas, not declared": ("p.csv", {}),
    "commas": ("p.csv", {}),
    "tabs": ("p.tsv", {"separator": "\t"}),
    "gzip": ("p.csv.gz", {}),
    "utf-16": ("p.csv", {}),
    "utf-16-be": ("p.csv", {}),
    "utf-16-le": ("p.csv", {"encoding": "utf-16-le"}),
    "cp1252": ("p.csv", {"encoding": "cp1252"}),
    "byte order mark": ("p.csv", {}),
    "Windows": ("p.csv", {}),
    "carriage returns": ("p.csv", {}),
    "missing dropped": ("p.csv", {"missing": "drop", "missing_values": ["?", "-9"]}),
    "missing texts": ("p.csv", {"missing_values": ["?", "-9"]}),
    "text": ("p.csv", {"text": ["q"]}),
    "as people write": (
        "p.csv",
        {"thousands": ",", "units": ["$"], "dates": ["%d.%m.%Y"], "top_codes": ["q"]},
    ),
}


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more in every cell instead of noise, and always the finest generalization."""

    def exact(counts: np.ndarray, epsilon: float, budget: PrivacyBudget) -> np.ndarray:
        budget.pay(epsilon)
        return np.asarray(counts) + 1

    def first(scores: Any, epsilon: float, budget: PrivacyBudget, **settings: Any) -> int:
        budget.pay(epsilon)
        return 0

    monkeypatch.setattr(noisy_table, "noisy_counts", exact)
    monkeypatch.setattr(noisy_choice, "noisy_counts", lambda counts, epsilon, budget: np.zeros_like(counts))
    monkeypatch.setattr(noisy_choice, "choose", first)


def schema_of(kind: str, **roles: Any) -> fv.Schema:
    rule = RULES[kind][1]
    rules = {"sex": H.tree({"*": ["f", "m"]}), **({"q": rule} if rule else {})}
    return fv.Schema(quasi=["q", "sex"], decision="y", denied="no", protected=["sex"], hierarchies=rules, **roles)


def method_of(kind: str) -> fv.NoisyTable:
    declared = {"listed": [17, 18, 19], "hidden": False}
    public = {"y": ["no", "yes"], **({"q": declared[kind]} if kind in declared else {})}
    return fv.NoisyTable(public=public, missing=["q"] if kind == "missing" else [])


def answer_of(source: Origin, kind: str, schema: fv.Schema | None = None, **options: Any) -> Counter[Any] | str:
    """How often each row is published, or the refusal."""
    plan = Plan(source, (MANY,), schema or schema_of(kind), (method_of(kind),), **options)
    try:
        table = plan.run().published.tables["data"]
    except (fv.BadInput, fv.Infeasible) as problem:
        return f"{type(problem).__name__}: {problem}"
    return Counter(zip(*(column.to_arrow().to_pylist() for column in table.columns), strict=True))


def distance(first: Counter[Any] | str, second: Counter[Any] | str) -> int:
    """How many records two answers differ by."""
    assert isinstance(first, Counter) and isinstance(second, Counter), (first, second)
    return sum(((first - second) + (second - first)).values())


def records(kind: str, rows: int = 12) -> list[tuple[Any, str, str]]:
    values = RULES[kind][0]
    return [(values[i % len(values)], "fmm"[i % 3], ("no", "yes")[i % 2]) for i in range(rows)]


def spelled(value: Any) -> str:
    return "" if value is None else str(value)


def lines_of(kind: str, rows: int = 12) -> list[bytes]:
    return [";".join(map(spelled, record)).encode() for record in records(kind, rows)]


def write_csv(folder: Path, dialect: str, lines: list[bytes]) -> Path:
    """Lines with semicolons, in another dialect; bytes that are not UTF-8 stay as they are."""
    path = folder / DIALECTS[dialect][0]
    lines = [b"q;sex;y", *lines]
    if dialect == "commas":
        lines = [line.replace(b";", b",") for line in lines]
    if dialect.startswith("decimal"):
        lines = [line.replace(b".", b",") for line in lines]
    if dialect == "tabs":
        lines = [line.replace(b";", b"\t") for line in lines]
    ending = {"Windows": b"\r\n", "carriage returns": b"\r"}.get(dialect, b"\n")
    if dialect.startswith("utf-16"):
        encoding = dialect if dialect != "utf-16" else "utf-16-le"
        mark = {"utf-16": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(dialect, b"")
        texts = [_wide(line, encoding) for line in lines]
        content = mark + "\n".encode(encoding).join(texts) + "\n".encode(encoding)
    else:
        content = (b"\xef\xbb\xbf" if dialect == "byte order mark" else b"") + ending.join(lines) + ending
    path.write_bytes(gzip.compress(content, 1) if path.suffix == ".gz" else content)
    return path


def _wide(line: bytes, encoding: str) -> bytes:
    try:
        return line.decode().encode(encoding)
    except UnicodeDecodeError:
        return line  # perhaps an odd number of bytes


def compare_lines(folder: Path, kind: str, dialect: str, more: list[bytes], **options: Any) -> None:
    source = Origin(path=str(folder / DIALECTS[dialect][0]), dialect=Dialect(**DIALECTS[dialect][1]), **options)
    for rows in (0, 1, 12):
        lines = lines_of(kind, rows)
        write_csv(folder, dialect, lines)
        base = answer_of(source, kind)
        for number, line in enumerate(more if rows else more[::4]):
            if rows == 1 and number % 4 != 1:
                continue
            place = (0, len(lines) // 2, len(lines))[number % 3]
            write_csv(folder, dialect, [*lines[:place], line, *lines[place:]])
            assert distance(base, answer_of(source, kind)) <= 1, (rows, line[:80])


def total(answer: Counter[Any] | str) -> int:
    """The records that were counted."""
    assert isinstance(answer, Counter), answer
    return sum(answer.values()) - len(answer)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_one_line_more_in_every_dialect(dialect: str, tmp_path: Path) -> None:
    position = list(DIALECTS).index(dialect)
    more = LINES[position % 3 :: 3]
    if dialect == "carriage returns":
        more = [line for line in more if b"\r" not in line]
    compare_lines(tmp_path, ("fractions", "intervals")[position % 2], dialect, more)


@pytest.mark.parametrize("kind", RULES)
def test_one_line_more_for_every_declaration(kind: str, tmp_path: Path) -> None:
    compare_lines(tmp_path, kind, "semicolons", LINES[list(RULES).index(kind) % 3 :: 3])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["fractions", "words", "missing"])
def test_what_is_declared_is_counted_in_every_dialect(kind: str, dialect: str, tmp_path: Path) -> None:
    lines = lines_of(kind)
    if dialect == "cp1252":
        lines = [line.decode().encode("cp1252") for line in lines]
    path = write_csv(tmp_path, dialect, lines)
    answer = answer_of(Origin(path=str(path), dialect=Dialect(**DIALECTS[dialect][1])), kind)
    gone = 4 if kind == "missing" and dialect == "missing dropped" else 0
    gone = 12 if kind == "fractions" and dialect.endswith("not declared") else gone
    assert total(answer) == 12 - gone


def write_excel(path: Path, rows: list[tuple[Any, ...]]) -> None:
    book = openpyxl.Workbook()
    book.active.append(["q", "sex", "y"])
    for row in rows:
        book.active.append([str(cell) if isinstance(cell, int) and abs(cell) > 2**60 else cell for cell in row])
    book.save(path)


def write_parquet(path: Path, rows: list[tuple[Any, ...]]) -> None:
    pq.write_table(_arrow(rows), path)


def _arrow(rows: list[tuple[Any, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    return pa.table(dict(zip(["q", "sex", "y"], map(_column, columns), strict=True)))


def _column(values: Any) -> pa.Array:
    """A column as a writer stores it: text if its values are of several types."""
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError, ValueError):
        return pa.array([None if value is None else str(value) for value in values])


def write_labelled(path: Path, rows: list[tuple[Any, ...]]) -> None:
    """Codes with labels for the column sex; a Boolean is text, which these files lack."""
    columns = _arrow(rows).to_pydict()
    columns["q"] = [str(value) if isinstance(value, bool) else value for value in columns["q"]]
    codes = {text: code for code, text in enumerate(sorted({*columns["sex"]}))}
    frame = pd.DataFrame({**columns, "sex": [codes[text] for text in columns["sex"]]})
    labels = {"sex": {code: text for text, code in codes.items()}}
    write = pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav
    write(frame, str(path), variable_value_labels=labels)


WRITERS = {"p.xlsx": write_excel, "p.parquet": write_parquet, "p.sav": write_labelled, "p.dta": write_labelled}


@pytest.mark.parametrize("file", WRITERS)
@pytest.mark.parametrize("kind", RULES)
def test_one_row_more_in_every_format(kind: str, file: str, tmp_path: Path) -> None:
    path, write = tmp_path / file, WRITERS[file]
    source = Origin(path=str(path), dialect=Dialect(missing_values=["-1"]))
    rows = records(kind)
    write(path, rows)
    base = answer_of(source, kind)
    assert total(base) == 12
    turn = list(RULES).index(kind) + list(WRITERS).index(file)
    for number, cell in enumerate(CELLS[turn % 3 :: 3]):
        more = (cell, "f", "no") if number != 1 else (RULES[kind][0][0], "x" if cell is None else str(cell), "no")
        write(path, [*rows, more])
        assert distance(base, answer_of(source, kind)) <= 1, more


def test_a_date_or_text_that_cannot_be_read_is_one_record(tmp_path: Path) -> None:
    """A day beyond all calendars and bytes that are no text, in files of statistics programs and in Parquet."""
    base = [((day - date(1960, 1, 1)).days, sex, y) for day, sex, y in records("dates")]
    path, answers = tmp_path / "p.dta", []
    for more in ([], [(1e20, "f", "no")], [(base[0][0], "xÿy", "no")]):
        frame = pd.DataFrame([*base, *more], columns=["q", "sex", "y"]).astype({"q": float})
        pyreadstat.write_dta(frame, str(path), variable_format={"q": "%td"})
        path.write_bytes(path.read_bytes().replace("xÿy".encode(), b"x\xff\xffy"))
        answers.append(answer_of(Origin(path=str(path)), "dates"))
    assert [total(answer) for answer in answers] == [12, 12, 12]
    good = pa.array([*("ab" * 6), "c"])
    broken = pa.StringArray.from_buffers(13, good.buffers()[1], pa.py_buffer(b"ab" * 6 + b"\xff"))
    pq.write_table(pa.table({"q": broken, "sex": ["f"] * 13, "y": ["no"] * 13}), tmp_path / "p.parquet")
    assert total(answer_of(Origin(path=str(tmp_path / "p.parquet")), "words")) == 12


@pytest.mark.parametrize("file", ["p.csv", "p.parquet"])
@pytest.mark.parametrize("kind", ["intervals", "codes", "missing"])
def test_one_record_more_on_duckdb(kind: str, file: str, tmp_path: Path) -> None:
    if file == "p.csv":
        compare_lines(
            tmp_path, kind, "semicolons", LINES[["codes", "missing", "intervals"].index(kind) :: 6], engine="duckdb"
        )
        return
    source = Origin(path=str(tmp_path / file), engine="duckdb", dialect=Dialect(missing_values=["-1"]))
    write_parquet(tmp_path / file, records(kind))
    base = answer_of(source, kind)
    assert total(base) == 12
    for cell in CELLS[["codes", "missing", "intervals"].index(kind) :: 3]:
        write_parquet(tmp_path / file, [*records(kind), (cell, "f", "no")])
        assert distance(base, answer_of(source, kind)) <= 1, cell


def test_one_record_more_in_one_of_many_files(tmp_path: Path) -> None:
    """A part with a column of another type does not change how the others are read."""
    write_parquet(tmp_path / "a.parquet", records("intervals"))
    source, answers = Origin(path=str(tmp_path / "*.parquet")), []
    for more in ([], [("x", "f", "no")]):
        write_parquet(tmp_path / "b.parquet", [*records("intervals"), *more])
        answers.append(answer_of(source, "intervals"))
    assert total(answers[0]) == total(answers[1]) == 24


def published(frontier: fv.Frontier) -> Counter[Any]:
    number = next(i for i in range(len(frontier)) if frontier.method(i).kind == "noisy-table")
    table = frontier.release(number).published.tables["data"]
    return Counter(zip(*(column.to_arrow().to_pylist() for column in table.columns), strict=True))


ROUTES = {
    "a path": lambda path: path,
    "a table": fv.Table.read,
    "a source": open_source,
    "DuckDB": lambda path: open_source(path, engine="duckdb"),
    "some columns": lambda path: fv.Table.read(path).drop(["more"]),
}


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("route", ROUTES)
def test_python_is_no_way_around(route: str, beside: bool, tmp_path: Path) -> None:
    """One number with a zero before it makes a column of texts; the values of the others are counted alike."""
    values = ["0.29999999999999999", "0.1"] * 6
    schema, answers = schema_of("fractions", drop=() if route == "some columns" else ("more",)), []
    for more in ([], ["00.1"]):
        lines = [f"{value},{'fm'[i % 2]},{('no', 'yes')[i % 2]},{i}" for i, value in enumerate([*values, *more])]
        (tmp_path / "p.csv").write_text("\n".join(["q,sex,y,more", *lines]) + "\n")
        methods = [method_of("fractions"), *([fv.Incognito()] if beside else [])]
        found = fv.explore(ROUTES[route](tmp_path / "p.csv"), schema, guards=[MANY], methods=methods)
        answers.append(published(found))
    assert distance(*answers) == 1


@pytest.mark.parametrize("kind", RULES)
def test_one_row_more_in_a_frame_of_any_objects(kind: str) -> None:
    frame = pd.DataFrame(records(kind), columns=["q", "sex", "y"]).astype(object)
    base = answer_of(Origin(data=frame), kind)
    assert total(base) == 12
    cells = [*CELLS, b"bytes", ["a", "list"], {"a": 1}, "\ud800", pd.NA, pd.NaT]
    for cell in cells[list(RULES).index(kind) % 3 :: 3]:
        more = pd.DataFrame({"q": [cell], "sex": ["f"], "y": ["no"]}, dtype=object)
        near = pd.concat([frame, more], ignore_index=True)
        assert distance(base, answer_of(Origin(data=near), kind)) <= 1, cell


def test_nothing_but_counts_is_published_or_said(tmp_path: Path) -> None:
    """Recipe, evidence and file names are the same bytes, whether the record is there or not."""
    from tests.methods.test_noisy_neighbours import published as folder_of

    lines, answers = lines_of("intervals"), []
    for number, more in enumerate((b"", b"x;f;no", b"35,5;f;no", b"\xff;f;no", b'"', b"-9;f;no", b"35;f;no")):
        write_csv(tmp_path, "semicolons", [*lines, more])
        given = folder_of(tmp_path / "p.csv", schema_of("intervals"), tmp_path / str(number),
                          public={"y": ["no", "yes"]})  # fmt: skip
        answers.append(given)
    assert all(answer == answers[0] for answer in answers)


def test_one_person_twice_changes_nothing_that_is_said(tmp_path: Path) -> None:
    schema, answers, notes = schema_of("intervals", identifier=["id"]), [], []
    for more in ([], ["0,21,f,no"]):
        lines = [f"{i},{','.join(map(spelled, record))}" for i, record in enumerate(records("intervals"))]
        (tmp_path / "p.csv").write_text("\n".join(["id,q,sex,y", *lines, *more]) + "\n")
        answers.append(answer_of(Origin(path=str(tmp_path / "p.csv")), "intervals", schema))
        release = fv.search(tmp_path / "p.csv", schema, guards=[MANY], method=method_of("intervals")).release(0)
        notes.append((release.notes, release.private))
    assert distance(*answers) == 1
    assert notes[0] == notes[1] and notes[0][1] == (
        "ε is that of a record; whether rows agree in 'id' was not checked",
    )


def test_a_table_that_was_read_before_is_said_to_be(tmp_path: Path) -> None:
    path = write_csv(tmp_path, "semicolons", lines_of("intervals"))
    frame = pd.read_csv(path, sep=";")
    table = fv.Table.read(path)
    by_cell, as_it_is = [path, table, frame], [table.take(np.arange(6)), fv.Table.from_frame(frame)]
    for given in (*by_cell, *as_it_is):
        release = fv.search(given, schema_of("intervals"), guards=[MANY], method=method_of("intervals")).release(0)
        noted = any("read before this search" in note for note in release.private)
        assert noted == any(given is table for table in as_it_is)


def test_a_tryout_refuses_nobody(tmp_path: Path) -> None:
    """The models of [utility] need types, so the file is read for them as for any method, and may be refused there."""
    for more in ([], [b"unknown;f;no"]):
        path = write_csv(tmp_path, "semicolons", [*lines_of("intervals", 60), *more])
        tryout = Tryout(test=0.5, classifiers=("tree",), queries=5, resamples=2)
        assert total(answer_of(Origin(path=str(path)), "intervals", utility=tryout)) == 60


def test_a_public_column_keeps_the_type_of_its_values(tmp_path: Path) -> None:
    path = write_csv(tmp_path, "semicolons", lines_of("integers"))
    schema = fv.Schema(quasi=["q", "sex"], decision="y", denied="no", protected=["sex"])
    table = fv.search(path, schema, guards=[MANY], method=fv.NoisyTable(public=("q", "sex", "y"))).release(0)
    assert table.published.tables["data"].column("q").values.type == pa.int64()


def test_a_table_whose_file_has_changed_is_read_again(tmp_path: Path) -> None:
    path = write_csv(tmp_path, "semicolons", lines_of("intervals"))
    table = fv.Table.read(path)
    path.write_bytes(path.read_bytes() + b"21;f;no\n")
    with pytest.raises(fv.BadInput, match="changed while it was read"):
        fv.search(table, schema_of("intervals"), guards=[MANY], method=method_of("intervals"))
    some = table.take(np.arange(6))  # these rows are no longer those of the file
    found = fv.search(some, schema_of("intervals"), guards=[MANY], method=method_of("intervals")).release(0)
    assert found.published.rows == 6 + len(
        found.published.tables["data"].to_arrow().group_by(["q", "sex", "y"]).aggregate([])
    )


@pytest.mark.parametrize("dialect", ["semicolons", "decimal commas", "utf-16"])
def test_epsilon_from_outside(dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an ε so large that the noise is nothing, the published rows differ by at most the one record."""
    monkeypatch.undo()
    source = Origin(path=str(tmp_path / "p.csv"), dialect=Dialect(**DIALECTS[dialect][1]))
    method, rows = replace(method_of("fractions"), epsilon=400.0), []
    for more in ([], [b"x;f;no"], [b'"0.1;f;no'], [b"0.1;f;no"], [b"\xff\xff\xff;f;no"]):
        write_csv(tmp_path, dialect, [*lines_of("fractions", 60), *more])
        release = Plan(source, (fv.KAnonymity(2),), schema_of("fractions"), (method,), choose="loss").run()
        rows.append(release.evidence()["rows"]["source"])
    assert all(abs(count - 60) <= 1 for count in rows), rows


def test_every_method_that_declares_domains_is_compared() -> None:
    assert [method.kind for method in METHODS if method.declares_domains] == ["noisy-table"]


def test_an_engine_refuses_nobody_for_many_combinations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where values are too many to count together, they are counted by their declared places."""
    monkeypatch.setattr(MemoryBudget, "cells", lambda budget, columns: 4000)
    source = Origin(path=str(tmp_path / "p.parquet"), engine="duckdb")
    rows = [(i % 3000 / 10, f"s{i % 97}" if i % 3 else "f", ("no", "yes")[i % 2]) for i in range(60_000)]
    write_parquet(tmp_path / "p.parquet", rows)
    assert total(answer_of(source, "intervals")) == 20_000
