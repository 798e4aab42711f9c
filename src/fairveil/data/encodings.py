"""The encoding of a text file: found from its bytes, or given and then held to it.

Most files are UTF-8, and old ones are cp1252 (Windows; Latin-1 with a few more signs). A mark at the beginning decides,
then zero bytes (UTF-16), then whether everything that is looked at is UTF-8.
"""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path
from typing import IO, Any

from fairveil.errors import BadInput, suggest
from fairveil.messages import option

COMMON = ("utf-8", "utf-16", "cp1252", "latin-1")
"""What people use; whatever else Python knows may be given."""
LOOKED_AT = 1 << 26
"""Bytes that are looked at to find the encoding: a file whose first strange letter comes later needs it given."""
_PIECE = 1 << 22
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


def open_bytes(path: Path) -> IO[bytes]:
    """A file, unpacked where it ends with .gz."""
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    stream: IO[bytes] = opener(path, "rb")
    return stream


def encoding_of(path: Path, given: str | None = None) -> str:
    """The encoding of a file as Python names it; a given one is refused if the file begins with another's mark."""
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
    """The name under which Python knows an encoding of text."""
    try:
        found = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        raise BadInput(suggest(name, COMMON, "encoding")) from None
    return found.name


def _fitting(path: Path, given: str, marked: str | None) -> str:
    if marked is not None and given.replace("-", "").removesuffix("le").removesuffix("be") not in (
        marked.replace("-", ""), f"{marked.replace('-', '')}sig", f"{marked.replace('-', '')}_sig",
    ):  # fmt: skip
        raise BadInput(f"{path.name} begins with the mark of {marked.upper()}, so its encoding is not {given}")
    return marked or given


def _wide(path: Path, head: bytes) -> str:
    """UTF-16 without a mark: text of Western letters has a zero in every second byte."""
    sample = head[:4096]
    zeros = (sample[::2].count(0), sample[1::2].count(0))
    if min(zeros) * 10 > max(zeros) or max(zeros) * 5 < len(sample):
        raise BadInput(f"{path.name} holds zero bytes, so it is no text: save it as UTF-8 CSV or as Parquet")
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _narrow(path: Path, head: bytes, source: IO[bytes]) -> str:
    """UTF-8 if all that is looked at is; else cp1252, which leaves few bytes without a meaning."""
    utf8, cp1252 = codecs.getincrementaldecoder("utf-8")(), codecs.getincrementaldecoder("cp1252")()
    is_utf8 = is_cp1252 = True
    piece, seen = head, 0
    while piece and seen < LOOKED_AT and (is_utf8 or is_cp1252):
        seen += len(piece)
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
