"""Files of Stata, SPSS and SAS: codes with labels, of which the labels are read. Needs the extra `files`.

A code without a label stays as it is, as text if other codes of its column have labels. Values that the file declares
as missing are missing, and so is empty text. The order of the codes is kept for hierarchies that group neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import FilePieces, wanted_columns, without
from fairveil.data.file_problems import first_sentence, refuse_repeated
from fairveil.data.text_form import as_text
from fairveil.data.types import narrowest
from fairveil.errors import BadInput
from fairveil.extras import need

READERS = {
    ".dta": "read_dta", ".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por", ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}  # fmt: skip
ENDINGS = tuple(READERS)


def open_labelled(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    """A file of one of these programs, with labels for codes."""
    text = dialect.text
    _, about = _read(path, dialect, metadataonly=True)
    names = list(about.column_names)
    refuse_repeated(names)
    wanted = wanted_columns(names, columns, dialect)
    labels = {name: codes for name, codes in about.variable_value_labels.items() if name in wanted}

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        data, _ = _read(path, dialect, usecols=wanted)
        columns = {name: list(data[name]) for name in wanted}
        if any(columns.values()):
            yield {
                name: without(_column(name, values, labels.get(name, {}), name in text), dialect.missing_values)
                for name, values in columns.items()
            }

    return FilePieces(
        path.name,
        wanted,
        pieces,
        inferred=frozenset(labels) - frozenset(text),
        orders={name: _order(codes) for name, codes in labels.items()},
    )


def labelled_columns(path: Path, dialect: Dialect) -> list[str]:
    return list(_read(path, dialect, metadataonly=True)[1].column_names)


def orders_of(path: Path, dialect: Dialect = Dialect()) -> dict[str, tuple[str, ...]]:  # noqa: B008 - frozen
    """The labels of each labelled column in the order of their codes."""
    about = _read(path, dialect, metadataonly=True)[1]
    return {name: _order(codes) for name, codes in about.variable_value_labels.items()}


def _read(path: Path, dialect: Dialect, **options: Any) -> tuple[Mapping[str, Sequence[Any]], Any]:
    need("pyreadstat", path.name)
    import pyreadstat

    reader: Callable[..., Any] = getattr(pyreadstat, READERS[path.suffix.lower()])
    if dialect.encoding is not None:
        options["encoding"] = dialect.encoding
    catalog = path.with_suffix(".sas7bcat")
    if path.suffix.lower() == ".sas7bdat" and catalog.exists():  # SAS keeps the labels in a separate file
        options["catalog_file"] = str(catalog)
    try:
        data, about = reader(str(path), output_format="dict", **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError, ValueError) as problem:
        raise BadInput(
            f"{path.name} is truncated, or is not a {path.suffix[1:]} file: {first_sentence(problem)}"
        ) from None
    return data, about


def _order(codes: Mapping[Any, str]) -> tuple[str, ...]:
    """Labels sorted by their codes; a label of several codes has the position of the first."""
    ordered = sorted(codes, key=lambda code: (isinstance(code, str), code))
    return tuple(dict.fromkeys(codes[code] for code in ordered))


def _column(name: str, values: list[Any], labels: Mapping[Any, str], keep_text: bool) -> pa.Array:
    present = [None if value is None or value == "" else value for value in values]
    if any(value in labels for value in present if value is not None):
        return pa.array([None if v is None else labels.get(v, as_text(v)) for v in present], pa.string())
    try:
        column = narrowest(pa.array(present))
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        types = sorted({type(value).__name__ for value in present if value is not None})
        raise BadInput(f"column {name!r} mixes types ({', '.join(types)}): make it all one type") from None
    return column.cast(pa.string()) if keep_text else column
