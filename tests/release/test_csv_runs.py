"""Equal records of a CSV file are parsed and formatted once: rows and bytes are those of every record alone."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data import release_csv
from fairveil.data.release_csv import write_csv
from fairveil.published import csv_runs
from fairveil.published.csv_runs import read_csv, records_of
from fairveil.published.record_kernels import equal_records

TEXTS = st.sampled_from(["a", "aa", "", "a\nb", 'a"b', '"', ",", "\r", "=1", "ä", None])
ROWS = st.tuples(TEXTS, st.sampled_from([1, 22, None]))
RECORDS = st.lists(st.tuples(ROWS, st.integers(1, 5)), min_size=1, max_size=8)
ODD = ["\n", "\r\n", 'a"b,c\n', '"a"b,c\n', "a\rb,c\n", '"a,b\n', "a,b"]
"""What fairveil does not write, and readers may take for other records."""
REUSED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@REUSED
@given(records=RECORDS, piece=st.sampled_from([1, 7, 64, 1 << 20]))
def test_what_is_written_comes_back_in_runs(
    records: list[tuple[tuple[str | None, int | None], int]], piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_runs, "PIECE_BYTES", piece)
    monkeypatch.setattr(release_csv, "PIECE_BYTES", piece)
    rows = [row for row, count in records for _ in range(count)]
    distinct = pa.table({"text": pa.array([text for (text, _), _ in records], pa.string()),
                         "number": pa.array([number for (_, number), _ in records], pa.int64())})  # fmt: skip
    counts = np.array([count for _, count in records], dtype=np.int64)
    files = []
    for table, repeated in ((distinct, counts), (distinct.take(np.repeat(np.arange(len(records)), counts)), None)):
        file = io.BytesIO()
        file.close = lambda: None  # type: ignore[method-assign]
        write_csv(fv.Table.from_frame(table), Path("data.csv"), None, lambda _, file=file: file, repeated)  # type: ignore[misc]
        files.append(file.getvalue())
    assert files[0] == files[1]
    table, read = read_csv(io.BytesIO(files[0]), "data.csv")
    back = [table.column(name).to_arrow().take(np.repeat(np.arange(table.rows), read)) for name in ("text", "number")]
    texts = [(text, None if number is None else str(number)) for text, number in rows]
    assert list(zip(*(column.to_pylist() for column in back), strict=True)) == texts


@given(st.lists(st.sampled_from(["a,b\n", "a,c\n", '"a\n",b\n', *ODD]), max_size=12), st.sampled_from([1, 5, 1 << 20]))
def test_whatever_a_file_holds_is_read_as_if_record_by_record(lines: list[str], piece: int) -> None:
    content = "".join(lines).encode()

    def outcome(runs: bool) -> object:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(csv_runs, "PIECE_BYTES", piece)
            if not runs:
                patched.setattr(csv_runs, "equal_records", lambda *_: (0, 0, 0, True))
            try:
                table, counts = read_csv(io.BytesIO(b'"x","y"\n' + content), "data.csv")
            except fv.BadInput as problem:
                return str(problem)
        return table.take(np.repeat(np.arange(table.rows), counts)).to_arrow().to_pylist()

    assert outcome(runs=True) == outcome(runs=False)


@given(st.lists(st.sampled_from(["a,b\n", "a,c\n", '"a\n""",b\n', *ODD]), max_size=12), st.integers(1, 20))
def test_the_kernel_loses_no_byte(lines: list[str], capacity: int) -> None:
    content = "".join(lines).encode()
    data = np.frombuffer(content, dtype=np.uint8)
    answers = []
    for kernel in (equal_records, equal_records.py_func):
        distinct, counts = np.zeros(len(data), dtype=np.uint8), np.zeros(capacity, dtype=np.int64)
        runs, copied, done, irregular = kernel(data, len(data), distinct, counts)
        answers.append((runs, copied, done, irregular, distinct[:copied].tobytes(), counts[:runs].tolist()))
        assert not irregular or done < len(data)
    assert answers[0] == answers[1]
    runs, _, done, _, first, repeated = answers[0]
    pieces = list(records_of(io.BytesIO(first), "data.csv"))
    assert sum(0 if piece.counts is None else len(piece.counts) for piece in pieces) <= runs
    assert done == len(content[:done]) and sum(repeated) * 2 <= done


def test_long_runs_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"x,y\n" + b'"a",1\n' * 5000 + b'"b",1\n' * 3
    monkeypatch.setattr(csv_runs, "PIECE_BYTES", 10_000)
    parsed: list[int] = []
    original = csv_runs._parsed

    def parse(records: bytes, columns: int) -> list[pa.Array]:
        parsed.append(len(records))
        return original(records, columns)

    monkeypatch.setattr(csv_runs, "_parsed", parse)
    table, counts = read_csv(io.BytesIO(content), "data.csv")
    assert counts.sum() == 5003 and sum(parsed) < 100
    assert table.column("x").to_arrow().to_pylist()[-1] == "b"
