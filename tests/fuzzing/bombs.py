"""Small files that want all memory or all time: read in a process that has little of both.

python -m tests.fuzzing.bombs NAME FOLDER
"""

from __future__ import annotations

import base64
import resource
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa

import fairveil as fv
from fairveil.errors import BadInput
from fairveil.recipes import Change

MEMORY = 3 << 30
"""Bytes of addresses: libraries and threads take two thirds of them."""


def inflating(start: bytes, byte: bytes, *, gzip: bool) -> bytes:
    """A start, then one byte 1.6 billion times, compressed; a piece of it is compressed once and repeated."""
    stream, piece = zlib.compressobj(9, wbits=31 if gzip else 15), byte * (1 << 24)
    head = stream.compress(start) + stream.flush(zlib.Z_FULL_FLUSH)
    body = (stream.compress(piece) + stream.flush(zlib.Z_FULL_FLUSH)) * 100 + b"\x03\x00"
    check = zlib.crc32 if gzip else zlib.adler32
    checksum = check(start)
    for _ in range(100):
        checksum = check(piece, checksum)
    size = (len(start) + 100 * len(piece)) % (1 << 32)
    return head + body + (struct.pack("<II", checksum, size) if gzip else struct.pack(">I", checksum))


def one_line_without_end(folder: Path) -> None:
    (folder / "a.csv.gz").write_bytes(inflating(b"", b"a", gzip=True))
    fv.Table.read(folder / "a.csv.gz")


def one_row_without_end(folder: Path) -> None:
    (folder / "a.csv.gz").write_bytes(inflating(b"a,b\n1,", b"a", gzip=True))
    fv.Table.read(folder / "a.csv.gz")


def many_columns(folder: Path) -> None:
    names = [f"column {number}" for number in range(40_000)]
    (folder / "a.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    table = fv.Table.read(folder / "a.csv")
    fv.Schema(quasi=names[:1], drop=names[1:]).check(table)
    (folder / "b.csv").write_text(",".join([*names, names[0]]) + "\n" + ",".join("1" for _ in range(40_001)) + "\n")
    fv.Table.read(folder / "b.csv")


def packed_array(folder: Path) -> None:
    frontier = fv.search(pa.table({"a": [1, 2, 1, 2]}), fv.Schema(quasi=["a"]), guards=[fv.KAnonymity(2)])
    spec = frontier.change(0).to_dict()
    spec["groups"] = base64.b85encode(inflating(b"", b"\0", gzip=False)).decode()
    for rows in (4, None):
        try:
            Change.from_dict(spec, rows)
        except BadInput as problem:
            print(problem)
    raise BadInput("both are refused")


def fine_intervals(folder: Path) -> None:
    for widths in ([1e-7], [5e-324], [1e-300, 1]):
        try:
            fv.hierarchy.intervals([0, 100], widths=widths)
        except BadInput as problem:
            print(problem)
    fv.hierarchy.mask(10**15)


def deep_documents(folder: Path) -> None:
    for depth in (10**3, 10**5):
        for text in (
            "a = " + "[" * depth,
            "a = " + "{a=" * depth,
            "[" + "a." * depth + "a]",
            "a" + ".a" * depth + "=1",
        ):
            try:
                fv.Plan.from_toml(text)
            except BadInput as problem:
                print(str(problem)[:100])
    raise BadInput("all are refused")


def main() -> int:
    name, folder = sys.argv[1], Path(sys.argv[2])
    assert np.zeros(1).sum() == 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        globals()[name](folder)
    except BadInput as problem:
        print(str(problem)[:300])
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
