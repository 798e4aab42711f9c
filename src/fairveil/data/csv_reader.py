"""CSV files: their header, separator and pieces. Every field comes as text; types are decided from the distinct values
once all are known (`coding.typed`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from fairveil.data.encodings import encoding_of, open_bytes
from fairveil.data.file_problems import first_sentence, refuse_repeated
from fairveil.errors import BadInput
from fairveil.messages import literal, option

SEPARATORS = ",;\t|"
LONGEST_HEADER = 1 << 24
"""Characters of a header: a compressed file may hold one line without end."""
BLOCK_BYTES = 2 << 20
"""Of a CSV file read at a time; Arrow reads a few dozen of them ahead."""


@dataclass(frozen=True)
class CsvFile:
    """A CSV file after a look at its beginning."""

    path: Path
    names: list[str]
    separator: str
    encoding: str

    @classmethod
    def open(cls, path: Path, separator: str | None = None, encoding: str | None = None) -> CsvFile:
        if separator is not None and len(separator) != 1:
            raise BadInput(f"{option('separator')} must be one character, not {literal(separator)}")
        found = encoding_of(path, encoding)
        line = _first_line(path, found)
        if not line.strip():
            raise BadInput(f"{path.name} is empty: it needs a header line and rows")
        if len(line) == LONGEST_HEADER:
            raise BadInput(f"{path.name} has no header: its first line is longer than {LONGEST_HEADER:,} characters")
        separator = separator or max(SEPARATORS, key=line.count)
        try:
            names = next(csv.reader([line], delimiter=separator))
        except (csv.Error, TypeError) as problem:  # a name without end, a separator that is none
            raise BadInput(f"the header of {path.name} cannot be read: {problem}") from None
        refuse_repeated(names)
        return cls(path, names, separator, found)

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
            raise BadInput(f"{self.path.name} is not a whole CSV file: {first_sentence(problem)}") from None


def _first_line(path: Path, encoding: str) -> str:
    """The header; a mark at its beginning is none of its letters."""
    try:
        with io.TextIOWrapper(open_bytes(path), encoding=encoding, newline="") as lines:
            return lines.readline(LONGEST_HEADER).removeprefix("\ufeff")
    except UnicodeError:
        raise BadInput(not_in(path, encoding)) from None


def not_in(path: Path, encoding: str) -> str:
    return f"{path.name} is not {encoding.upper()} text: name its encoding, such as cp1252, or save it as UTF-8"
