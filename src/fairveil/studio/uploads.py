"""Uploaded files: the accepted formats, and the maximum size of a file when unpacked.

The name that a browser sends is only displayed. On disk, the file name is a number with a known extension.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from pathlib import Path

from fairveil.errors import BadInput

ENDINGS = (
    ".csv.gz", ".tsv.gz", ".csv", ".tsv", ".txt", ".data", ".parquet", ".pq", ".xlsx", ".xls", ".ods", ".dta", ".sav",
    ".toml",
)  # fmt: skip
PLAN = ".toml"
MOST_PLAN = 64 << 20
GROWS = 8
"""Maximum size of an unpacked file, as a multiple of the size limit of uploads."""
SAVED = re.compile(r"u\d+(" + "|".join(re.escape(ending) for ending in ENDINGS) + ")")


def ending_of(name: str) -> str:
    """Return the extension of a file name; raises if no reader supports it."""
    found = next((ending for ending in ENDINGS if name.lower().endswith(ending)), None)
    if found is None:
        known = ", ".join(ending[1:] for ending in ENDINGS)
        raise BadInput(f"files of this kind cannot be opened: give one that ends in {known}")
    return found


def title_of(name: str) -> str:
    """Return a file name for display: its last part, printable and short."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join(sign for sign in last if sign.isprintable())[:120] or "file"


def refuse_bomb(path: Path, most: int) -> None:
    """Refuse a file that would unpack to far more than may be uploaded, without unpacking it into memory."""
    limit = most * GROWS
    if path.suffix == ".gz":
        _refuse_gzip(path, limit)
    elif path.suffix in (".xlsx", ".ods"):
        _refuse_zip(path, limit)
    elif path.suffix in (".parquet", ".pq"):
        _refuse_parquet(path, limit)


def _too_large(limit: int) -> BadInput:
    return BadInput(f"the file would be larger than {_size(limit)} when it is unpacked: give a smaller one")


def _refuse_gzip(path: Path, limit: int) -> None:
    total = 0
    try:
        with gzip.open(path) as stream:
            while piece := stream.read(1 << 20):
                total += len(piece)
                if total > limit:
                    raise _too_large(limit)
    except (OSError, EOFError, zlib.error):
        raise BadInput("the file is truncated, or is not a gzip file: upload it again") from None


def _refuse_zip(path: Path, limit: int) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise BadInput("the file is no spreadsheet: save it again as .xlsx, or as .csv") from None
    if len(entries) > 10_000 or sum(entry.file_size for entry in entries) > limit:
        raise _too_large(limit)


def _refuse_parquet(path: Path, limit: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        facts = pq.read_metadata(path)
        sizes = [facts.row_group(group).total_byte_size for group in range(facts.num_row_groups)]
    except (pa.ArrowException, OSError, OverflowError):
        raise BadInput("the file is truncated, or is not a Parquet file: upload it again") from None
    # a run of equal values takes almost no space on disk, but one code per row in memory
    if sum(sizes) > limit or facts.num_rows * max(facts.num_columns, 1) > limit:
        raise _too_large(limit)


def _size(count: int) -> str:
    return f"{count >> 30:,} GB" if count >= 1 << 30 else f"{count / (1 << 20):,.1f} MB"


def too_large(most: int) -> str:
    return f"The file is larger than {_size(most)}, which is the limit: name its path on this machine instead."
