"""CSV files: header, delimiter and pieces. Every field is read as text; types are inferred from the distinct values
once all are known (`coding.typed`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from fairveil.data.dialect import Dialect
from fairveil.data.encodings import encoding_of, open_bytes
from fairveil.data.file_problems import first_sentence, refuse_repeated
from fairveil.errors import BadInput
from fairveil.messages import literal, option

SEPARATORS = ",;\t|"
LONGEST_HEADER = 1 << 24
"""Maximum characters of a header: a compressed file may consist of one endless line."""
BLOCK_BYTES = 2 << 20
"""Bytes of a CSV file that are read at a time; Arrow reads a few dozen blocks ahead."""


@dataclass(frozen=True)
class CsvFile:
    """A CSV file whose header has been read."""

    path: Path
    names: list[str]
    separator: str
    encoding: str

    @classmethod
    def open(cls, path: Path, dialect: Dialect) -> CsvFile:
        """The file's header, delimiter and encoding: those of the dialect, detected where it sets none."""
        separator = dialect.separator
        if separator is not None and len(separator) != 1:
            raise BadInput(f"{option('separator')} must be one character, not {literal(separator)}")
        encoding = encoding_of(path, dialect.encoding)
        line = _first_line(path, encoding)
        if not line.strip():
            raise BadInput(f"{path.name} is empty: it needs a header line and rows")
        if len(line) == LONGEST_HEADER:
            raise BadInput(f"{path.name} has no header: its first line is longer than {LONGEST_HEADER:,} characters")
        separator = separator or max(SEPARATORS, key=line.count)
        try:
            names = next(csv.reader([line], delimiter=separator))
        except (csv.Error, TypeError) as problem:  # an unterminated name, a delimiter that csv does not accept
            raise BadInput(f"the header of {path.name} cannot be read: {problem}") from None
        refuse_repeated(names)
        return cls(path, names, separator, encoding)

    def pieces(self, wanted: list[str], missing_values: Sequence[str]) -> Iterator[Mapping[str, pa.Array]]:
        coded = pa.dictionary(pa.int32(), pa.string())
        try:
            stream = pa.csv.open_csv(
                self.path,
                read_options=pa.csv.ReadOptions(
                    block_size=BLOCK_BYTES, encoding="utf8" if self.encoding == "utf-8" else self.encoding
                ),
                parse_options=pa.csv.ParseOptions(delimiter=self.separator, newlines_in_values=True),
                convert_options=pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(self.names, coded),
                    include_columns=wanted,
                    null_values=["", *missing_values],
                    strings_can_be_null=True,
                ),
            )
            for batch in stream:
                yield {name: batch.column(name) for name in wanted}
        except UnicodeDecodeError:
            raise BadInput(not_in(self.path, self.encoding)) from None
        except pa.ArrowInvalid as problem:
            if "UTF8" in str(problem):
                raise BadInput(not_in(self.path, self.encoding)) from None
            raise BadInput(f"{self.path.name} is truncated, or is not a CSV file: {first_sentence(problem)}") from None


def _first_line(path: Path, encoding: str) -> str:
    """The header without its byte order mark."""
    try:
        with io.TextIOWrapper(open_bytes(path), encoding=encoding, newline="") as lines:
            return lines.readline(LONGEST_HEADER).removeprefix("\ufeff")
    except UnicodeError:
        raise BadInput(not_in(path, encoding)) from None


def not_in(path: Path, encoding: str) -> str:
    return f"{path.name} is not {encoding.upper()} text: name its encoding, such as cp1252, or save it as UTF-8"
