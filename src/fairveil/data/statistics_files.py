"""Files of Stata, SPSS and SAS: codes with labels, of which the labels are read. Needs the extra `files`.

A code without a label stays as it is, as text if other codes of its column have labels. Values that the file declares
as missing are missing, and so is empty text. The order of the codes is kept for hierarchies that group neighbours.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.data.dialect import Dialect
from fairveil.data.file_formats import LABELLED, catalog_of
from fairveil.data.file_pieces import FilePieces, first_sentence, mixed_types, wanted_columns, without
from fairveil.data.text_form import as_text
from fairveil.data.types import narrowest
from fairveil.errors import BadInput, need

READERS = ("read_dta", "read_sav", "read_sav", "read_por", "read_sas7bdat", "read_xport")
"""The function for each of the endings `LABELLED`."""
WITHOUT_ENCODING = (".por",)


def open_labelled(path: Path, dialect: Dialect = Dialect(), columns: Sequence[str] | None = None) -> FilePieces:  # noqa: B008
    """A file of one of these programs, with labels for codes; their order is that of the codes."""
    text = frozenset(dialect.text)
    _, about = _read(path, dialect, metadataonly=True)
    wanted = wanted_columns(about.column_names, columns, dialect)
    labels = {name: codes for name, codes in about.variable_value_labels.items() if name in wanted}

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        parts = _cells(path, dialect, about, wanted) if dialect.by_cell else [_read(path, dialect, usecols=wanted)[0]]
        for data in parts:
            columns = {name: list(data[name]) for name in wanted}
            if any(columns.values()):
                read = {
                    name: _column(name, values, labels.get(name, {}), name in text, dialect.by_cell)
                    for name, values in columns.items()
                }
                yield {name: without(piece, dialect.missing_values, dialect.by_cell) for name, piece in read.items()}

    orders = {name: _order(codes) for name, codes in labels.items()}
    return FilePieces(
        path.name, wanted, pieces, inferred=frozenset(wanted if dialect.by_cell else labels) - text, orders=orders
    )


def _read(path: Path, dialect: Dialect, **options: Any) -> tuple[Mapping[str, Sequence[Any]], Any]:
    need("pyreadstat", path.name)
    import pyreadstat

    reader: Callable[..., Any] = getattr(pyreadstat, READERS[LABELLED.index(path.suffix.lower())])
    if dialect.encoding is not None and path.suffix.lower() not in WITHOUT_ENCODING:
        options["encoding"] = dialect.encoding
    if (catalog := catalog_of(path)) is not None:
        options["catalog_file"] = str(catalog)
    try:
        data, about = reader(str(path), output_format="dict", **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError, ValueError) as problem:
        reason = first_sentence(problem)
        raise BadInput(f"{path.name} is truncated, or is not a {path.suffix[1:]} file: {reason}") from None
    return data, about


def _cells(path: Path, dialect: Dialect, about: Any, wanted: list[str]) -> Iterator[Mapping[str, Sequence[Any]]]:
    """Yield the rows, each read by itself: one with a date beyond all calendars is skipped, and invalid bytes of texts
    are replaced. Every byte is a character of Latin-1, so these are read as such, and then decoded."""
    given, encoding = replace(dialect, encoding="ISO-8859-1"), dialect.encoding or about.file_encoding or "utf-8"
    try:
        codecs.lookup(encoding)
    except LookupError:  # a name that only its program knows
        encoding = "utf-8"

    def decoded(value: Any) -> Any:
        raw = isinstance(value, str) and path.suffix.lower() not in WITHOUT_ENCODING
        return value.encode("latin-1").decode(encoding, "replace") if raw else value

    def rows(first: int, many: int) -> Iterator[Mapping[str, Sequence[Any]]]:
        try:
            data, _ = _read(path, given, usecols=wanted, row_offset=first, row_limit=many)
            yield {name: list(map(decoded, values)) for name, values in data.items()}
        except OverflowError:
            if many != 1:
                many = many or len(_read(path, given, disable_datetime_conversion=True)[0][wanted[0]])
                half = many // 2
                yield from rows(first, half)
                yield from rows(first + half, many - half)

    return rows(0, about.number_rows or 0)


def _order(codes: Mapping[Any, str]) -> tuple[str, ...]:
    """Labels sorted by their codes; a label of several codes has the position of the first."""
    ordered = sorted(codes, key=lambda code: (isinstance(code, str), code))
    return tuple(dict.fromkeys(codes[code] for code in ordered))


def _column(name: str, values: list[Any], labels: Mapping[Any, str], keep_text: bool, by_cell: bool) -> pa.Array:
    present = [None if value is None or value == "" else value for value in values]
    if by_cell or any(value in labels for value in present if value is not None):
        return pa.array([None if v is None else labels.get(v, as_text(v)) for v in present], pa.string())
    try:
        column = narrowest(pa.array(present))
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise mixed_types(name, present) from None
    return column.cast(pa.string()) if keep_text else column
