"""CSV files: encoding, header, delimiter and pieces. Every field is read as text; types are inferred from the distinct
values once all are known (`coding.typed`).

Most files are UTF-8, and old ones are cp1252 (Windows; Latin-1 with a few more characters). A byte order mark decides,
then zero bytes (UTF-16), then whether all bytes examined are valid UTF-8.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from fairveil.data.coding import typed
from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import (
    BLANKS,
    FilePieces,
    Share,
    all_named,
    blank,
    first_sentence,
    unnamed,
    wanted_columns,
    without,
)
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted, literal, option

DELIMITERS = ",;\t|"
MAX_HEADER = 1 << 24
"""Maximum number of characters of a header: a compressed file may consist of one endless line."""
BLOCK_BYTES = 2 << 20
"""Bytes of a CSV file that are read at a time; Arrow reads a few dozen blocks ahead."""
COMMON_ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")
"""Common encodings; any other that Python supports may be given."""
MAX_EXAMINED = 1 << 26
"""Bytes that are examined: a file whose first non-ASCII character comes later may need its encoding given."""
MAX_LINE = 1 << 22
"""Maximum length of a record that is read cell by cell, in bytes; longer ones are skipped."""
_PIECE = 1 << 22
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


@dataclass(frozen=True)
class CsvFile:
    """A CSV file whose header has been read."""

    path: Path
    names: list[str]
    separator: str
    encoding: str
    ending: str = "\n"
    header: bool = True
    share: Share = field(default_factory=Share, compare=False)

    @classmethod
    def open(cls, path: Path, dialect: Dialect) -> CsvFile:
        """The file's header, delimiter and encoding: those of the dialect, detected where it sets none."""
        separator = dialect.separator
        if separator is not None and len(separator) != 1:
            raise BadInput(f"{option('separator')} must be one character, not {literal(separator)}")
        encoding = encoding_of(path, dialect)
        errors = "replace" if dialect.by_cell else "strict"  # records after the header may be invalid
        try:
            with io.TextIOWrapper(open_bytes(path), encoding=encoding, errors=errors, newline="") as lines:
                line = lines.readline(MAX_HEADER).removeprefix("\ufeff")  # without the byte order mark
        except UnicodeError:
            raise _not_in(path, encoding) from None
        if not line.strip():
            raise BadInput(f"{path.name} is empty: it needs a header line and rows")
        if len(line) == MAX_HEADER:
            raise BadInput(f"{path.name} has no header: its first line is longer than {MAX_HEADER:,} characters")
        separator = separator or max(DELIMITERS, key=line.count)
        try:
            names = next(csv.reader([line], delimiter=separator))
        except (csv.Error, TypeError) as problem:  # an unterminated name, a delimiter that csv does not accept
            raise BadInput(f"the header of {path.name} cannot be read: {problem}") from None
        header = dialect.header == "yes"
        ending = "\r" if line.endswith("\r") else "\n"
        named = all_named(names) if any(map(str.strip, names)) else names
        return cls(path, named if header else unnamed(len(names)), separator, encoding, ending, header)

    def pieces(self, wanted: list[str], missing_values: Sequence[str]) -> Iterator[Mapping[str, pa.Array]]:
        """Yield the rows; those of delimiters and blanks only are skipped."""
        blanks, done = None if len(wanted) < len(self.names) else np.zeros(0, dtype=bool), 0
        for batch in self._batches(wanted, pa.dictionary(pa.int32(), pa.string())):
            empty = blank(batch.columns, len(self.names))
            if empty.any() and len(wanted) < len(self.names):  # other columns may have values
                blanks = self._blank_rows() if blanks is None else blanks
                empty = blanks[done : done + batch.num_rows]
            done += batch.num_rows
            kept = {name: batch.column(name) for name in wanted}
            if empty.any():  # the dictionaries may have blanks that no other row has
                mask = pa.array(~empty)
                kept = {name: column.filter(mask).dictionary_decode().dictionary_encode()
                        for name, column in kept.items()}  # fmt: skip
            if not empty.all():
                yield {name: without(column, missing_values) for name, column in kept.items()}

    def _blank_rows(self) -> np.ndarray:
        return np.concatenate(
            [blank(batch.columns, len(self.names)) for batch in self._batches(self.names, pa.string())]
        )

    def _batches(self, wanted: list[str], kind: pa.DataType) -> Iterator[pa.RecordBatch]:
        """Yield the columns as texts of this type, empty ones missing."""
        size = _unpacked_size(self.path)
        for number, batch in enumerate(self._parsed(wanted, kind), start=1):
            self.share.done = min(number * BLOCK_BYTES / size, 1.0)
            yield batch

    def _parsed(self, wanted: list[str], kind: pa.DataType) -> Iterator[pa.RecordBatch]:
        def judge(row: Any) -> str:
            return "error" if row.text.strip(BLANKS) else "skip"

        try:
            batch = None
            for batch in pa.csv.open_csv(
                self.path,
                read_options=pa.csv.ReadOptions(
                    block_size=BLOCK_BYTES, encoding="utf8" if self.encoding == "utf-8" else self.encoding,
                    column_names=self.names, skip_rows=int(self.header),
                ),
                parse_options=pa.csv.ParseOptions(
                    delimiter=self.separator, newlines_in_values=True, invalid_row_handler=judge
                ),
                convert_options=pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(self.names, kind), include_columns=wanted, null_values=[""],
                    strings_can_be_null=True,
                ),
            ):  # fmt: skip
                yield batch
        except (UnicodeDecodeError, pa.ArrowInvalid) as problem:
            if isinstance(problem, UnicodeDecodeError) or "UTF8" in str(problem):
                raise _not_in(self.path, self.encoding) from None
            why = self._uneven_record() or first_sentence(problem)
            raise BadInput(f"{self.path.name} is truncated, or is not a CSV file: {why}") from None
        if batch is not None and batch.num_rows and wanted[-1] == self.names[-1] and self._is_open(batch.column(-1)):
            raise BadInput(f"{self.path.name} is truncated, or is not a CSV file: a quotation mark is not closed")

    def _uneven_record(self) -> str:
        """Which record has more or fewer fields than the header; empty if none has."""
        with io.TextIOWrapper(open_bytes(self.path), encoding=self.encoding, errors="replace", newline="") as text:
            lines = takewhile(lambda line: len(line) < MAX_LINE, iter(lambda: text.readline(MAX_LINE), ""))
            records = csv.reader(lines, delimiter=self.separator)
            with suppress(csv.Error):
                for number, fields in enumerate(islice(records, int(self.header), None), start=1):
                    if len(fields) != len(self.names) and any(map(_filled, fields)):
                        size = counted(len(fields), "field")
                        return f"record {number:,} has {size}, and the header has {len(self.names):,}"
        return ""

    def _is_open(self, column: pa.Array) -> bool:
        """Whether the last field of the file begins with a quotation mark that is not closed, so that it ends with the
        file: Arrow reads it nevertheless."""
        if self.encoding.startswith("utf-16") or self.path.suffix == ".gz":
            return False
        value = (column[-1].as_py() or "").replace('"', '""')
        start = "" if len(self.names) == 1 else self.separator
        try:
            end = f'{start}"{value}'.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        with self.path.open("rb") as file:
            file.seek(-min(len(end), self.path.stat().st_size), io.SEEK_END)
            return file.read() == end

    def cells(self, wanted: list[str], missing_values: Sequence[str]) -> Iterator[Mapping[str, pa.Array]]:
        """Yield the pieces of a file that is read cell by cell (`CellDialect`)."""
        missing = {"", *missing_values}
        for lines in self._lines():
            if self._is_plain(lines):
                yield self._plain_cells(lines, wanted, [*missing])
                continue
            records = [fields for fields in self._fields(lines) if len(fields) == len(self.names)]
            records = [fields for fields in records if any(map(_filled, fields)) or len(fields) == 1]
            columns = ((name, self.names.index(name)) for name in wanted)
            yield {
                name: pa.array([None if fields[i] in missing else fields[i] for fields in records], pa.string())
                for name, i in columns
            }

    def _lines(self) -> Iterator[list[str]]:
        """Yield the lines after the header, many at a time, each decoded by itself."""
        encoding, header = self.encoding, self.header
        with open_bytes(self.path) as source:
            rest = block = source.read(_PIECE)
            if encoding in ("utf-16", "utf-32"):
                encoding += "-be" if block.startswith(codecs.BOM_UTF16_BE) else "-le"
            ending = f"x{self.ending}".encode(encoding).removeprefix("x".encode(encoding))
            while block:
                *lines, rest = rest.split(ending)
                rest = rest[-MAX_LINE - 1 :]  # a line that is longer stays too long
                yield self._filled([_decoded(line, encoding) for line in lines[header:]])
                header = header and not lines
                block = source.read(_PIECE)
                rest += block
        yield self._filled([_decoded(rest, encoding)]) if rest and not header else []

    def _filled(self, lines: list[str]) -> list[str]:
        """The lines that hold more than delimiters and blanks."""
        return [line for line in lines if line.strip(self.separator + BLANKS) or len(self.names) == 1]

    def _is_plain(self, lines: list[str]) -> bool:
        """Whether Arrow, which is faster, reads these lines exactly as `_fields` does."""
        text = "".join(lines)
        odd = any(character in text for character in '"\0\n') or "\r" in "".join(line[:-1] for line in lines)
        return bool(text) and not odd and self.separator.isascii() and max(map(len, lines)) < csv.field_size_limit()

    def _plain_cells(self, lines: list[str], wanted: list[str], missing: list[str]) -> Mapping[str, pa.Array]:
        read = pa.csv.read_csv(
            pa.py_buffer("\n".join(lines).encode()),
            pa.csv.ReadOptions(column_names=self.names),
            pa.csv.ParseOptions(delimiter=self.separator, quote_char=False, invalid_row_handler=lambda row: "skip"),
            pa.csv.ConvertOptions(
                column_types=dict.fromkeys(self.names, pa.string()), include_columns=wanted, null_values=missing,
                strings_can_be_null=True,
            ),
        )  # fmt: skip
        return {name: read.column(name).combine_chunks() for name in wanted}

    def _fields(self, lines: list[str]) -> list[list[str]]:
        """The fields of each line: at once, unless a quotation mark is not closed and csv would read on."""
        with suppress(csv.Error):
            fields = list(csv.reader(lines, delimiter=self.separator))
            if len(fields) == len(lines):
                return fields
        return [self._fields([line])[0] for line in lines] if len(lines) > 1 else [[]]


def _filled(field: str) -> bool:
    return bool(field.strip(BLANKS))


def first_records(path: Path, dialect: Dialect, most: int = 1_000) -> list[list[str]]:
    """The first lines of a file, each as its fields, whether or not the first one is a header."""
    file = CsvFile.open(path, dialect)
    with io.TextIOWrapper(open_bytes(path), encoding=file.encoding, errors="replace", newline="") as lines:
        try:
            return list(islice(csv.reader(lines, delimiter=file.separator), most))
        except csv.Error:  # a field that is too long
            return []


def _unpacked_size(path: Path) -> int:
    """The bytes of a file; of a packed one what its last four bytes say, which is enough to show how far reading is."""
    size = path.stat().st_size
    if path.suffix == ".gz" and size > 18:
        with path.open("rb") as file:
            file.seek(-4, io.SEEK_END)
            size = int.from_bytes(file.read(4), "little")
    return max(size, 1)


def open_csv(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    """A CSV file whose columns are typed once all of their values are known."""
    file = CsvFile.open(path, dialect)
    wanted = wanted_columns(file.names, columns, dialect)
    read = file.cells if dialect.by_cell else file.pieces
    text = frozenset(wanted if dialect.by_cell else dialect.text)
    decimal = decimal_separator(dialect.decimals, None if dialect.by_cell else file.separator)
    return FilePieces(
        path.name,
        wanted,
        lambda: read(wanted, dialect.missing_values),
        lambda coder, counts: typed(coder, coder.name in text, counts, decimal),
        frozenset(wanted) - frozenset(dialect.text),
        decimal,
        read_as={"encoding": file.encoding, "separator": file.separator},
        share=file.share,
    )


def decimal_separator(given: str | None, delimiter: str | None) -> str | None:
    """The decimal separator; None if it is to be detected. It is not detected in a file with commas as delimiters,
    where a comma inside a field more likely separates thousands or codes."""
    return "." if given is None and delimiter in (",", None) else given


def _decoded(line: bytes, encoding: str) -> str:
    """A line as text, invalid bytes replaced; empty if it is too long."""
    return line.decode(encoding, "replace") if len(line) <= MAX_LINE else ""


def _not_in(path: Path, encoding: str) -> BadInput:
    advice = "name its encoding, such as cp1252, or save it as UTF-8"
    return BadInput(f"{path.name} is not {encoding.upper()} text: {advice}")


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file, decompressed if its name ends with .gz."""
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    stream: IO[bytes] = opener(path, "rb")
    return stream


def encoding_of(path: Path, dialect: Dialect = Dialect()) -> str:  # noqa: B008 - frozen
    """Python's name of a file's encoding. Raises BadInput if the byte order mark is not that of the given one."""
    given = dialect.encoding
    with open_bytes(path) as source:
        head = source.read(_PIECE)
        marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
        name = marked if given is None else _known_encoding(given)
        if name is not None:
            if marked is not None and not name.startswith(marked):
                raise BadInput(
                    f"{path.name} has the byte order mark of {marked.upper()}, so its encoding is not {name}"
                )
            return marked or name
        if dialect.by_cell:
            return "utf-8"
        if b"\0" in head:
            return _utf16_order(path, head)
        return _utf8_or_cp1252(path, head, source)


def _known_encoding(name: str) -> str:
    """Python's name of a text encoding; raises BadInput if there is none."""
    try:
        codec = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        raise BadInput(suggest(name, COMMON_ENCODINGS, "encoding")) from None
    return codec.name


def _utf16_order(path: Path, head: bytes) -> str:
    """Detect UTF-16 without a byte order mark: in text of Western letters every second byte is zero."""
    sample = head[:4096]
    zeros = (sample[::2].count(0), sample[1::2].count(0))
    if min(zeros) * 10 > max(zeros) or max(zeros) * 5 < len(sample):
        raise BadInput(f"{path.name} contains zero bytes, so it is not text: save it as UTF-8 CSV or as Parquet")
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _utf8_or_cp1252(path: Path, head: bytes, source: IO[bytes]) -> str:
    """UTF-8 if all bytes examined are valid UTF-8; else cp1252, in which few bytes are invalid."""
    utf8, cp1252 = codecs.getincrementaldecoder("utf-8")(), codecs.getincrementaldecoder("cp1252")()
    is_utf8 = is_cp1252 = True
    piece, examined = head, 0
    while piece and examined < MAX_EXAMINED and (is_utf8 or is_cp1252):
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
