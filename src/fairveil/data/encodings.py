"""The encoding of a text file: detected from its bytes, or given and checked.

Most files are UTF-8, and old ones are cp1252 (Windows; Latin-1 with a few more characters). A byte order mark decides,
then zero bytes (UTF-16), then whether all bytes examined are valid UTF-8.
"""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path
from typing import IO, Any

from fairveil.errors import BadInput, suggest
from fairveil.messages import option

COMMON = ("utf-8", "utf-16", "cp1252", "latin-1")
"""Common encodings; any other that Python supports may be given."""
MAX_BYTES = 1 << 26
"""Bytes that are examined: a file whose first non-ASCII character comes later may need its encoding given."""
_PIECE = 1 << 22
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file, decompressed if its name ends with .gz."""
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    stream: IO[bytes] = opener(path, "rb")
    return stream


def encoding_of(path: Path, given: str | None = None) -> str:
    """Python's name of a file's encoding. Raises BadInput if the byte order mark is not that of the given one."""
    with open_bytes(path) as source:
        head = source.read(_PIECE)
        marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
        if given is not None:
            return _fitting(path, known(given), marked)
        if marked is not None:
            return marked
        if b"\0" in head:
            return _wide(path, head)
        return _narrow(path, head, source)


def known(name: str) -> str:
    """Python's name of a text encoding; raises BadInput if there is none."""
    try:
        codec = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        raise BadInput(suggest(name, COMMON, "encoding")) from None
    return codec.name


def _fitting(path: Path, given: str, marked: str | None) -> str:
    if marked is not None and given.replace("-", "").removesuffix("le").removesuffix("be") not in (
        marked.replace("-", ""), f"{marked.replace('-', '')}sig", f"{marked.replace('-', '')}_sig",
    ):  # fmt: skip
        raise BadInput(f"{path.name} has the byte order mark of {marked.upper()}, so its encoding is not {given}")
    return marked or given


def _wide(path: Path, head: bytes) -> str:
    """Detect UTF-16 without a byte order mark: in text of Western letters every second byte is zero."""
    sample = head[:4096]
    zeros = (sample[::2].count(0), sample[1::2].count(0))
    if min(zeros) * 10 > max(zeros) or max(zeros) * 5 < len(sample):
        raise BadInput(f"{path.name} contains zero bytes, so it is not text: save it as UTF-8 CSV or as Parquet")
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _narrow(path: Path, head: bytes, source: IO[bytes]) -> str:
    """UTF-8 if all bytes examined are valid UTF-8; else cp1252, in which few bytes are invalid."""
    utf8, cp1252 = codecs.getincrementaldecoder("utf-8")(), codecs.getincrementaldecoder("cp1252")()
    is_utf8 = is_cp1252 = True
    piece, examined = head, 0
    while piece and examined < MAX_BYTES and (is_utf8 or is_cp1252):
        examined += len(piece)
        if not piece.isascii() or utf8.getstate()[0]:
            is_utf8 = is_utf8 and _decodes(utf8, piece)
            is_cp1252 = is_cp1252 and _decodes(cp1252, piece)
        piece = source.read(_PIECE)
    if is_utf8 and (piece or not utf8.getstate()[0]):
        return "utf-8"
    if is_cp1252:
        return "cp1252"
    raise BadInput(
        f"{path.name} is neither UTF-8 nor cp1252 text: name its encoding, as in {option('encoding', 'latin-1')}"
    )


def _decodes(decoder: Any, piece: bytes) -> bool:
    try:
        decoder.decode(piece)
    except UnicodeDecodeError:
        return False
    return True
