"""Sources count alike: distinct rows and their counts, whatever the pieces, from memory and from files."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.counting import tuples
from fairveil.counting.cells import Cells
from fairveil.data import csv_reader
from fairveil.engines import InMemoryTable, open_source
from fairveil.errors import BadInput

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", None]), st.integers(-2, 3), st.sampled_from(["x", "y"])),
    min_size=1,
    max_size=60,
)


def rows_of(cells: Cells) -> Counter[tuple[object, ...]]:
    columns = [column.to_pylist() for column in cells.table().to_arrow().columns]
    found: Counter[tuple[object, ...]] = Counter()
    for row, count in zip(zip(*columns, strict=True), cells.counts.tolist(), strict=True):
        found[row] += count
    return found


@given(ROWS, st.integers(1, 9), st.integers(1, 9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counts_do_not_depend_on_the_pieces(rows: list[tuple[object, ...]], piece: int, least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuples, "PIECE", piece)
        patch.setattr(tuples, "MIN_WAITING", least)
        one, two, three = map(list, zip(*rows, strict=True))
        table = fv.Table.from_frame(pa.table({"one": pa.array(one, pa.string()), "two": two, "three": three}))
        counted = InMemoryTable(table).count(["two", "one", "three"])
        assert rows_of(counted) == Counter((row[1], row[0], row[2]) for row in rows)
        assert counted.rows == len(rows) and len(counted.counts) == len(set(rows))


@given(ROWS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_is_counted_as_it_is_read(tmp_path: Path, rows: list[tuple[object, ...]]) -> None:
    one, two, three = map(list, zip(*rows, strict=True))
    frame = pa.table({"one": pa.array(one, pa.string()), "two": two, "three": three})
    pa.csv.write_csv(frame, tmp_path / "t.csv")
    pa.parquet.write_table(frame, tmp_path / "t.parquet", row_group_size=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_reader, "BLOCK_BYTES", 64)
        patch.setattr(tuples, "MIN_WAITING", 3)
        for name in ("t.csv", "t.parquet"):
            file, read = open_source(tmp_path / name, engine="duckdb"), InMemoryTable(fv.Table.read(tmp_path / name))
            assert file.names == read.names and file.rows == read.rows
            assert [file.domain(n).domain for n in file.names] == [read.domain(n).domain for n in read.names]
            assert rows_of(file.count(file.names)) == rows_of(read.count(read.names))


def test_one_number_spelled_in_two_ways_is_one_value(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n1.0,x\n2.5,y\n")
    assert rows_of(open_source(tmp_path / "t.csv", engine="duckdb").count(["a", "b"])) == Counter(
        {(1.0, "x"): 2, (2.5, "y"): 1}
    )


def test_what_is_wrong_with_a_file_is_said_as_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "1,x\n" * 5 + "n/a,x\nn/b,x\n")
    (tmp_path / "empty.csv").write_text("a,b\n")
    for name, message in (("t.csv", "mixes numbers and text"), ("empty.csv", "a header but no rows")):
        for way in (fv.Table.read, lambda path: open_source(path, engine="duckdb").domain("a")):
            with pytest.raises(BadInput, match=message):
                way(tmp_path / name)
    with pytest.raises(BadInput, match="did you mean"):
        open_source(tmp_path / "t.csv", columns=["B"], engine="duckdb")


def test_alpha_of_a_file_is_alpha_of_its_rows(tmp_path: Path) -> None:
    adult = fv.datasets.adult()
    some = adult.table.take(np.arange(3000))
    pa.csv.write_csv(some.to_arrow(), tmp_path / "adult.csv")
    guard = fv.AlphaProtection(1.2, min_support=0.02, granularity=3)
    [ours] = fv.check(open_source(tmp_path / "adult.csv", engine="duckdb"), adult.schema, [guard], details=50)
    [theirs] = fv.check(some, adult.schema, [guard], details=50)
    assert not ours and ours.details == theirs.details and ours.sentence == theirs.sentence


LOAD = """
import sys
import duckdb
from fairveil.engines import open_source

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) // 1024

duckdb.connect().close()
before = resident()
source = open_source(sys.argv[1], engine="duckdb", memory="4GB")
after = resident()
print(after - before, source.rows)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how much memory is resident")
def test_rows_of_a_csv_file_take_the_memory_of_their_compressed_table(tmp_path: Path) -> None:
    """What reading the file took is given back; DuckDB's allocator would keep some hundred megabytes of it."""
    rows = 600_000
    draw = np.random.default_rng(0)
    words = np.array([f"a rather long word {number}" for number in range(50)])
    columns = {f"c{number}": draw.choice(words, rows) for number in range(6)}
    pa.csv.write_csv(pa.table(columns), tmp_path / "t.csv")
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path / "t.csv")], capture_output=True, text=True, check=True
    )
    kept, read = map(int, done.stdout.split())
    assert read == rows and kept < 100, f"{kept} MB are kept"
