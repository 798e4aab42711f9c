"""A part of a large file for a first look: a million rows and hundreds of columns would take minutes.

The part is a file of the same form, so that it is read as the whole is. Its rows come from the whole Parquet file, and
from the beginning of a CSV file, where a line cannot be told from a line break in quotes.
"""

from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path

ROWS = 20_000
"""Rows of the part."""
PARTS = 8
"""Row groups of a Parquet file that the rows come from."""
LARGE_CELLS, LARGE_BYTES = 10_000_000, 80_000_000
"""From this number of cells, or bytes of text, a file is large."""


def part_of(file: Path, folder: Path) -> Path | None:
    """A part of a large file, written to a folder; None if the file is not large, or of another form."""
    if not file.is_file():
        return None
    part = folder / file.name
    if file.suffix == ".parquet":
        return part if _part_of_parquet(file, part) else None
    packed = file.name.endswith(".csv.gz")
    if not packed and file.suffix not in (".csv", ".tsv", ".txt"):
        return None
    if file.stat().st_size * (5 if packed else 1) < LARGE_BYTES:
        return None
    return part if _part_of_text(file, part, packed) else None


def _part_of_parquet(file: Path, part: Path) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as whole:
        facts = whole.metadata
        if facts.num_rows * facts.num_columns < LARGE_CELLS or facts.num_rows <= ROWS:
            return False
        groups = sorted({position * facts.num_row_groups // PARTS for position in range(PARTS)})
        each = -(-ROWS // len(groups))
        batches = [next(whole.iter_batches(batch_size=each, row_groups=[group])) for group in groups]
    pq.write_table(pa.Table.from_batches(batches), part)
    return True


def _part_of_text(file: Path, part: Path, packed: bool) -> bool:
    with gzip.open(file) if packed else file.open("rb") as whole:
        lines = list(islice(whole, ROWS))
    if lines and lines[0].startswith((b"\xff\xfe", b"\xfe\xff")):
        return False  # a line break is two bytes there
    while len(lines) > 1 and sum(line.count(b'"') for line in lines) % 2:
        lines.pop()  # the last line ends within quotes
    part.write_bytes(gzip.compress(b"".join(lines), 1) if packed else b"".join(lines))
    return True
