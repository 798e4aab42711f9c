"""Uploaded files: received within the size limit, completely or not at all; the accepted formats; and the maximum size
of a file when unpacked.

The name that a browser sends is only displayed. On disk, the file name is a number with a known extension.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from pathlib import Path

from starlette.requests import Request

from fairveil.data.atomic import whole_files
from fairveil.errors import BadInput
from fairveil.studio.refusals import RequestRefused
from fairveil.studio.sessions import OpenSession

ENDINGS = (
    ".csv.gz", ".tsv.gz", ".csv", ".tsv", ".txt", ".data", ".parquet", ".pq", ".xlsx", ".xls", ".ods", ".dta", ".sav",
    ".toml",
)  # fmt: skip
PLAN = ".toml"
MAX_PLAN = 64 << 20
GROWS = 8
"""Maximum size of an unpacked file, as a multiple of the size limit of uploads."""
MAX_ENTRIES = 10_000
"""Maximum number of files in a spreadsheet."""
SAVED = re.compile(r"u\d+(" + "|".join(re.escape(ending) for ending in ENDINGS) + ")")


def ending_of(name: str) -> str:
    """Return the extension of a file name; raises if no reader supports it."""
    for ending in ENDINGS:
        if name.lower().endswith(ending):
            return ending
    endings = ", ".join(ending[1:] for ending in ENDINGS)
    raise BadInput(f"files of this kind cannot be opened: give one that ends in {endings}")


def title_of(name: str) -> str:
    """Return a file name for display: its last part, printable and short."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join(sign for sign in last if sign.isprintable())[:120] or "file"


async def received(request: Request, session: OpenSession, name: str, max_bytes: int) -> Path:
    """Store the streamed file in the session's folder, and return its path."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/octet-stream":
        raise RequestRefused(415, "no-bytes", "A file is sent as bytes (Content-Type: application/octet-stream).")
    message = f"The file is larger than {_size(max_bytes)}, which is the limit: name its path on this machine instead."
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and (len(announced) > 18 or int(announced) > max_bytes):
        raise RequestRefused(413, "too-large", message)
    _, path = session.reserve("u", "uploads", ending_of(name))
    try:
        with whole_files([path], private=True) as files:
            size = 0
            with files[path].open("wb") as stream:
                async for piece in request.stream():
                    size += len(piece)
                    if size > max_bytes:
                        raise RequestRefused(413, "too-large", message)
                    stream.write(piece)
            if not size:
                raise RequestRefused(400, "bad-input", "The file is empty.")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def refuse_bomb(path: Path, max_bytes: int) -> None:
    """Refuse a file that would unpack to far more than may be uploaded, without unpacking it into memory."""
    unpacked = {".gz": _in_gzip, ".xlsx": _in_zip, ".ods": _in_zip, ".parquet": _in_parquet, ".pq": _in_parquet}
    limit = max_bytes * GROWS
    if path.suffix in unpacked and unpacked[path.suffix](path, limit) > limit:
        raise BadInput(f"the file would be larger than {_size(limit)} when it is unpacked: give a smaller one")


def _in_gzip(path: Path, limit: int) -> int:
    """Return the unpacked size; counting ends beyond the limit."""
    total = 0
    try:
        with gzip.open(path) as stream:
            while total <= limit and (piece := stream.read(1 << 20)):
                total += len(piece)
    except (OSError, EOFError, zlib.error):
        raise BadInput("the file is truncated, or is not a gzip file: upload it again") from None
    return total


def _in_zip(path: Path, limit: int) -> int:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise BadInput("the file is damaged, or is not a spreadsheet: save it again as .xlsx, or as .csv") from None
    return limit + 1 if len(entries) > MAX_ENTRIES else sum(entry.file_size for entry in entries)


def _in_parquet(path: Path, limit: int) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        facts = pq.read_metadata(path)
        sizes: list[int] = [facts.row_group(group).total_byte_size for group in range(facts.num_row_groups)]
    except (pa.ArrowException, OSError, OverflowError):
        raise BadInput("the file is truncated, or is not a Parquet file: upload it again") from None
    # a run of equal values takes almost no space on disk, but one code per row in memory
    codes: int = facts.num_rows * max(facts.num_columns, 1)
    return max(sum(sizes), codes)


def _size(count: int) -> str:
    return f"{count >> 30:,} GB" if count >= 1 << 30 else f"{count / (1 << 20):,.1f} MB"
