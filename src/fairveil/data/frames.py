"""Reading and returning data frames: pandas, Polars, PyArrow, and any other that narwhals supports."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import narwhals as nw
import narwhals.dependencies as kinds
import pyarrow as pa

from fairveil.data.arrow import texts
from fairveil.data.coding import Coder, cell_piece, cell_texts, typed
from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import mixed_types, refuse_repeated, without
from fairveil.data.missing_texts import often_held
from fairveil.data.types import SURROGATES, first_lossless, unpublishable
from fairveil.errors import BadInput, suggest
from fairveil.shapes import column_name

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


def _eager(frame: Any) -> Any:
    """The frame itself; a lazy frame, on any engine, is collected."""
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        frame = frame.to_native()
    if kinds.is_polars_lazyframe(frame):
        return frame.collect()
    if isinstance(frame, pa.RecordBatch | pa.Table) or hasattr(frame, "iloc"):
        return frame  # narwhals would fail on duplicate names, which are reported later
    try:
        lazy = nw.from_native(frame, pass_through=True)
    except TypeError:
        return frame
    return lazy.collect("pyarrow").to_native() if isinstance(lazy, nw.LazyFrame) else frame


def read_frame(frame: Any, dialect: Dialect | None = None) -> tuple[list[Column], str, dict[str, Any], Any, list[str]]:
    """Return the columns of a data frame, its kind, the types of its columns and, if their names are not all text, the
    index of names, so that these can be restored; last, texts that mean a missing value in many rows.

    Texts are read as the `dialect` says that missing values, numbers and dates are written; if it is a `CellDialect`, a
    column of mixed types is text."""
    frame, dialect = _eager(frame), dialect or Dialect()
    by_cell, spelling = dialect.by_cell, dialect.spelling
    if isinstance(frame, pa.RecordBatch):
        frame = pa.table(frame)
    header = [] if isinstance(frame, type) else getattr(frame, "column_names", getattr(frame, "columns", []))
    names = list(map(column_name, header))
    refuse_repeated(names)
    if renamed := hasattr(frame, "iloc") and not all(isinstance(name, str) for name in header):
        frame = frame.set_axis(names, axis=1)
    try:
        wrapped = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise BadInput(
            f"a {type(frame).__name__} is not a data frame: give pandas, Polars or PyArrow data, or a file's path"
        ) from None
    kind = str(wrapped.implementation.name).lower()
    columns, types, held = [], _native_types(frame, kind), set[str]()
    for name, native in zip(map(str, wrapped.columns), _native_columns(frame, wrapped, kind, by_cell), strict=True):
        coder = Coder(name, str(native) if isinstance(native, BadInput) else "")
        respelled, texts_given = False, []
        for given in [_present(frame[name])] if isinstance(native, BadInput) else native:
            piece = _texts(given)
            texts_given += [{name: piece}] if dialect.missing_values else []
            respelled = respelled or (spelling.covers(name) and pa.types.is_string(piece.type))
            piece = spelling.respelled(name, without(piece, dialect.missing_values))
            if by_cell:
                coder.add(cell_piece(name, piece))
            else:
                coder.read(piece)
        held |= {*often_held(texts_given, dialect.missing_values)}
        if respelled and not by_cell and not coder.unreadable:
            columns.append(typed(coder, decimal=dialect.decimals))
            types.pop(name, None)
        else:
            columns.append(coder.finish())
    marks = [] if by_cell else [mark for mark in dialect.missing_values if mark in held]
    return columns, kind, types, header if renamed else None, marks


def _texts(piece: pa.Array) -> pa.Array:
    """Texts of any width as the same type; other values as they are."""
    wide = pa.types.is_large_string(piece.type) or str(piece.type) == "string_view"
    return piece.cast(pa.string()) if wide else piece


def _native_types(frame: Any, kind: str) -> dict[str, Any]:
    if kind == "pandas":
        return dict(frame.dtypes.items())
    if kind == "polars":
        return dict(frame.schema.items())
    return dict(zip(frame.schema.names, frame.schema.types, strict=True)) if kind == "pyarrow" else {}


def _native_columns(frame: Any, wrapped: Any, kind: str, by_cell: bool) -> Iterable[list[pa.Array] | BadInput]:
    """Yield the pieces of each column, or why a column of a pandas frame has no common type."""
    if kind == "pandas":
        for position, name in enumerate(frame.columns):
            column = frame.iloc[:, position]
            try:
                yield [pa.Array.from_pandas(column)]
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeError) as problem:
                surrogates = isinstance(problem, UnicodeError)
                if by_cell:
                    yield [cell_texts(column.astype(object).where(column.notna(), None))]
                else:
                    yield unpublishable(str(name), SURROGATES) if surrogates else mixed_types(str(name), column)
    else:
        table = frame if kind == "pyarrow" else wrapped.to_arrow()
        for column in table.columns:
            yield column.chunks or [pa.nulls(0, column.type)]


def _present(column: Any) -> pa.Array:
    """A pandas column as an array that is null where values are missing, and empty texts elsewhere."""
    return texts([None if missing else "" for missing in column.isna()])


def framed_as(given: Any, table: Table) -> Any:
    """A table, read from the data frame `given`, as a frame of the same kind: lazy, on the same connection or session,
    if that one is."""
    wrapped = type(given).__module__.startswith("narwhals")
    native = given.to_native() if wrapped else given
    if kinds.is_polars_lazyframe(native):
        frame = table.to_frame("polars").lazy()
    elif kinds.is_duckdb_relation(native):
        import duckdb

        connection = getattr(native, "_con", None) or duckdb.default_connection()
        frame = connection.from_arrow(table.to_arrow())
    elif kinds.is_pyspark_dataframe(native) or kinds.is_pyspark_connect_dataframe(native):
        frame = native.sparkSession.createDataFrame(table.to_arrow())
    elif kinds.is_ibis_table(native):
        import ibis

        frame = ibis.memtable(table.to_arrow())
    else:
        frame = table.to_frame()
    return nw.from_native(frame) if wrapped else frame


def to_kind(table: pa.Table, kind: str, native: Mapping[str, Any], labels: Any = None) -> Any:
    """An Arrow table as a frame of this kind, columns in their `native` type if the values still fit, and with their
    names in the `labels` of a pandas frame."""
    if kind == "pyarrow":
        wanted = [[native[name]] if isinstance(native.get(name), pa.DataType) else [] for name in table.column_names]
        return pa.table(list(map(first_lossless, table.columns, wanted)), names=table.column_names)
    if kind == "pandas":
        frame = table.to_pandas()
        for name in frame.columns:
            if name in native and frame[name].dtype != native[name]:
                frame[name] = _as_native(frame[name], native[name])
        if labels is not None:
            names = list(map(column_name, labels))
            frame.columns = labels[[names.index(name) for name in frame.columns]]
        return frame
    if kind == "polars":
        import polars

        frame = polars.from_arrow(table)
        for name in native.keys() & frame.columns:
            with contextlib.suppress(polars.exceptions.PolarsError, TypeError):
                cast = frame[name].cast(native[name])
                frame = frame.with_columns(cast) if cast.cast(frame[name].dtype).equals(frame[name]) else frame
        return frame
    raise BadInput(suggest(kind, ["pandas", "polars", "pyarrow"], "kind of frame"))


def _as_native(series: Any, kind: Any) -> Any:
    """A pandas column in its original type, or unchanged if its values do not fit: intervals are not integers."""
    if hasattr(kind, "categories") and not set(series.dropna()) <= set(kind.categories):
        return series.astype("category")
    try:
        cast = series.astype(kind)
        same = cast.astype(series.dtype).equals(series)  # a mean is no integer, `*` no Boolean, and a year no date
    except (TypeError, ValueError):
        return series
    return cast if same else series
