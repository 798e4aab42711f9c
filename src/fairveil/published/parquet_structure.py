"""The structure of Parquet files, down to the byte: pages that leave no gap, metadata that follows from the pages.

Two machines may write the same rows as different bytes, because their versions of Arrow or of its compressor differ.
Such a file is compared with the one that this machine writes: metadata, row groups, columns and dictionaries must be
the same, and every byte must belong to a page whose length is what its values need. Numbers in `(…, …)` are the fields
of parquet.thrift and their types in Thrift's compact protocol.
"""

from __future__ import annotations

import mmap
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.published.data_files import open_plain

MAGIC = b"PAR1"
I32, I64, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12
ROW_GROUPS, CREATED_BY = (4, LIST), (6, TEXT)
COLUMNS, GROUP_BYTES, GROUP_OFFSET, GROUP_COMPRESSED = (1, LIST), (2, I64), (5, I64), (6, I64)
COLUMN = (3, STRUCT)
CODEC, VALUES, BYTES, COMPRESSED = (4, I32), (5, I64), (6, I64), (7, I64)
FIRST_DATA, FIRST_DICTIONARY, PAGE_KINDS = (9, I64), (11, I64), (13, LIST)
PAGE_STATISTICS = (5, STRUCT)
KIND, PAGE_BYTES, PAGE_COMPRESSED, DATA, DICTIONARY = (1, I32), (2, I32), (3, I32), (5, STRUCT), (7, STRUCT)
CODECS = {0: None, 1: "snappy"}
PLAIN, INDICES = 0, (2, 8)
WRITER = re.compile(rb"parquet-cpp-arrow version \d{1,4}(\.\d{1,4}){1,3}(-SNAPSHOT)?")
MAX_DEPTH = 12
Struct = Mapping[tuple[int, int], Any]


class OtherStructure(Exception):
    """A file is not written as fairveil writes it; the message continues a sentence that begins with its name."""


class Thrift:
    """Decodes Thrift's compact protocol, in its only canonical form: other spellings of a number could hide data."""

    def __init__(self, data: Any, position: int) -> None:
        self.data, self.position = data, position

    def byte(self) -> int:
        self.position += 1
        value: int = self.data[self.position - 1]
        return value

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if (shift > 7 and not byte) or shift > 70:
            raise OtherStructure("has a number that is not in its shortest form")
        return value

    def integer(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind in (4, I32, I64):
            return self.integer()
        if kind == TEXT:
            size = self.varint()
            self.position += size
            return bytes(self.data[self.position - size : self.position])
        if kind == LIST and depth < MAX_DEPTH:
            head = self.byte()
            size = head >> 4 if head < 0xF0 else self.varint()
            if size < 15 and head >= 0xF0:
                raise OtherStructure("has a list whose length is not in its shortest form")
            if head & 15 in (1, 2):
                raise OtherStructure("has metadata of an unknown type")
            return [head & 15, *(self.value(head & 15, depth + 1) for _ in range(size))]
        if kind == STRUCT and depth < MAX_DEPTH:
            return self.struct(depth + 1)
        raise OtherStructure("has metadata of an unknown type")

    def struct(self, depth: int = 0) -> dict[tuple[int, int], Any]:
        fields: dict[tuple[int, int], Any] = {}
        number = 0
        while head := self.byte():
            step = head >> 4 or self.integer() - number
            if step < 1 or (step < 16 and head < 16):
                raise OtherStructure("has metadata that is not in its shortest form")
            number += step
            kind = head & 15
            fields[number, 2 if kind == 1 else kind] = self.value(kind, depth)
        return fields


@dataclass(frozen=True)
class Page:
    """One page: its header without the compressed size, and where its compressed content is."""

    header: Struct
    start: int
    end: int
    codec: str | None

    @property
    def encoding(self) -> int:
        encoding: int = self.header[DATA if self.header[KIND] == 0 else DICTIONARY][2, I32]
        return encoding

    def content(self, data: Any) -> bytes:
        body, size = data[self.start : self.end], self.header[PAGE_BYTES]
        if self.codec is None:
            return bytes(body)
        return bytes(pa.decompress(body, decompressed_size=size, codec=self.codec, asbytes=True))


class Structure:
    """The footer of a Parquet file, without what depends on the compressor, and the pages of each column chunk."""

    def __init__(self, data: Any) -> None:
        self.data = data
        size = len(data)
        footer = size - 8 - int.from_bytes(data[size - 8 : size - 4], "little")
        if data[:4] != MAGIC or data[size - 4 :] != MAGIC or footer < 4:
            raise OtherStructure("is truncated, or is not a Parquet file")
        reader = Thrift(data, footer)
        self.footer = reader.struct()
        if reader.position != size - 8:
            raise OtherStructure("has bytes after its metadata")
        self.created_by: bytes = self.footer.pop(CREATED_BY, b"")
        if not WRITER.fullmatch(self.created_by):
            raise OtherStructure("was not written by Arrow")
        self.chunks: list[tuple[dict[tuple[int, int], Any], list[Page]]] = []
        self.position = 4
        for group in self.footer.get(ROW_GROUPS, [STRUCT])[1:]:
            self._group(group)
        if self.position != footer:
            raise OtherStructure("has bytes that belong to no page")

    def _group(self, group: dict[tuple[int, int], Any]) -> None:
        start, total = self.position, 0
        for chunk in group[COLUMNS][1:]:
            column = chunk[COLUMN]
            first, before = column.pop(FIRST_DICTIONARY, None), self.position
            pages = list(self._pages(column[CODEC], before + column.pop(COMPRESSED)))
            kinds = Counter((page.header[KIND], page.encoding) for page in pages)
            listed = [tuple(kind.values()) for kind in column.pop(PAGE_KINDS, [STRUCT])[1:]]
            dictionaries = [page for page in pages if page.header[KIND] == 2]
            data_at = self._starts[len(dictionaries)] if len(pages) > len(dictionaries) else None
            if (
                pages[: len(dictionaries)] != dictionaries or len(dictionaries) > 1
                or first != (before if dictionaries else None) or column.pop(FIRST_DATA) != data_at
                or sorted(listed) != sorted((*kind, count) for kind, count in kinds.items())
            ):  # fmt: skip
                raise OtherStructure("has metadata that does not follow from its pages")
            uncompressed = sum(page.header[PAGE_BYTES] for page in pages) + self._headers
            if column.pop(BYTES) != uncompressed:
                raise OtherStructure("has metadata that does not follow from its pages")
            total += uncompressed
            self.chunks.append((column, pages))
        offsets = (group.pop(GROUP_OFFSET, start), group.pop(GROUP_COMPRESSED, self.position - start))
        if group.pop(GROUP_BYTES) != total or offsets != (start, self.position - start):
            raise OtherStructure("has metadata that does not follow from its pages")

    def _pages(self, codec: int, end: int) -> Iterator[Page]:
        self._starts: list[int] = []
        self._headers = 0
        if codec not in CODECS:
            raise OtherStructure("is compressed in another way")
        while self.position < end:
            self._starts.append(self.position)
            reader = Thrift(self.data, self.position)
            header = reader.struct()
            self._headers += reader.position - self.position
            self.position = reader.position + header.pop(PAGE_COMPRESSED)
            if header.get(KIND) not in (0, 2) or not reader.position <= self.position <= end:
                raise OtherStructure("has a page of another kind")
            yield Page(header, reader.position, self.position, CODECS[codec])


def refuse_other_structure(theirs: Path, ours: Path) -> str:
    """Raise OtherStructure unless a file has the structure of the one that this machine writes of its rows. Return what
    could not be compared byte for byte, as the end of a sentence."""
    with open_plain(theirs) as file, open_plain(ours) as own_file:
        try:
            with (
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
                mmap.mmap(own_file.fileno(), 0, access=mmap.ACCESS_READ) as own_data,
            ):
                return _compared(Structure(data), Structure(own_data))
        except (KeyError, IndexError, TypeError, ValueError, OSError, pa.ArrowException):
            raise OtherStructure("is damaged") from None


def _compared(theirs: Structure, ours: Structure) -> str:
    same_writer = theirs.created_by == ours.created_by
    same = _equal if same_writer else _within
    if not same(theirs.footer, ours.footer):
        raise OtherStructure("has other metadata, row groups or columns")
    for (column, pages), (_, own) in zip(theirs.chunks, ours.chunks, strict=True):
        if len(pages) != len(own) or not all(
            same(page.header, other.header)
            and page.end - page.start <= 1.25 * (other.end - other.start) + 64  # compressors differ by a few percent
            and page.content(theirs.data) == other.content(ours.data)
            for page, other in zip(pages, own, strict=True)
        ):
            if same_writer:
                raise OtherStructure("has other pages")
            _refuse_other_pages(column, (pages, theirs.data), (own, ours.data))
    if same_writer:
        return "compressed by another program: its pages were compared uncompressed"
    return f"written by {theirs.created_by.decode()}: its structure was compared, not its bytes"


def _equal(theirs: Any, ours: Any) -> bool:
    return bool(theirs == ours)


def _within(theirs: Any, ours: Any) -> bool:
    """Whether metadata is the same, except that theirs may lack fields: versions of Arrow add some."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return all(key in ours and _within(value, ours[key]) for key, value in theirs.items())
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_within, theirs, ours))
    return type(theirs) is type(ours) and bool(theirs == ours)


def _refuse_other_pages(column: Struct, theirs: tuple[list[Page], Any], ours: tuple[list[Page], Any]) -> None:
    """Raise OtherStructure unless pages with other borders hold the same dictionary, and nothing but their values."""
    dictionary, values = _values(*ours)
    if _values(*theirs) != (dictionary, values):
        raise OtherStructure("has other values in its dictionaries or pages")
    model: Struct = next(page.header for page in ours[0] if page.header[KIND] == 0)
    bodies = [page.header[DATA] for page in theirs[0] if page.header[KIND] == 0]
    texts = column[1, I32] == 6
    known = dictionary + values
    for body in bodies:
        statistics = body.get(PAGE_STATISTICS, {})
        ends = [len(v).to_bytes(4, "little") * texts + v for v in statistics.values() if type(v) is bytes]
        if not (
            set(body) <= set(model[DATA]) and set(statistics) <= set(model[DATA].get(PAGE_STATISTICS, {}))
            and body[3, I32] == body[4, I32] == model[DATA][3, I32]
            and all(end in known or end in (b"\0", b"\1") for end in ends)
            and 0 <= statistics.get((3, I64), 0) <= body[1, I32]
        ):  # fmt: skip
            raise OtherStructure("has page headers that do not follow from its pages")
    if any(set(page.header) - set(model) - {DICTIONARY} for page in theirs[0]):
        raise OtherStructure("has page headers that do not follow from its pages")
    if sum(body[1, I32] for body in bodies) != column[VALUES]:
        raise OtherStructure("has another number of values")


def _values(pages: list[Page], data: Any) -> tuple[bytes, bytes]:
    """The content of the dictionary, and all values outside it; raises OtherStructure if a page holds more than its
    values."""
    dictionary, values, entries = b"", bytearray(), 0
    for page in pages:
        content = page.content(data)
        if len(content) != page.header[PAGE_BYTES]:
            raise OtherStructure("has a page of another length")
        if page.header[KIND] == 2:
            dictionary, entries = content, page.header[DICTIONARY][1, I32]
            continue
        levels = 4 + int.from_bytes(content[:4], "little")
        end, present = _runs(content, 4, 1, page.header[DATA][1, I32])
        if end != levels:
            raise OtherStructure("has a page with more than its values")
        if page.encoding == PLAIN:
            values += content[levels:]
        elif page.encoding not in INDICES or content[levels] > max((entries - 1).bit_length(), 1):
            raise OtherStructure("has a page in another encoding")
        elif _runs(content, levels + 1, content[levels], present)[0] != len(content):
            raise OtherStructure("has a page with more than its values")
    return dictionary, bytes(values)


def _runs(content: bytes, position: int, width: int, count: int) -> tuple[int, int]:
    """Where the runs of `count` integers of `width` bits end, and how many of them are 1 if they have one bit."""
    reader, ones = Thrift(content, position), 0
    while count > 0:
        head = reader.varint()
        packed, number = head & 1, head >> 1
        values = min(number * 8, count) if packed else number
        size = number * width if packed else (width + 7) // 8
        if not 0 < values <= count or (packed and number * 8 - count > 7):
            raise OtherStructure("has a page with more than its values")
        bits = int.from_bytes(content[reader.position : reader.position + size], "little")
        ones += (bits & ((1 << values) - 1)).bit_count() if packed else values * bits
        reader.position += size
        count -= values
    return reader.position, ones
