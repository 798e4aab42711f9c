"""Reading and returning data frames: pandas, Polars, PyArrow, and any other that narwhals supports."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

import narwhals as nw
import pyarrow as pa

from fairveil.data.coding import Coder
from fairveil.data.file_problems import refuse_repeated
from fairveil.data.readers import plain_piece
from fairveil.data.table import Column
from fairveil.errors import BadInput, suggest


def eager(frame: Any) -> Any:
    """The frame itself; a lazy frame, on any engine, is collected."""
    if isinstance(frame, nw.DataFrame):
        return frame.to_native()
    if isinstance(frame, pa.RecordBatch | pa.Table) or hasattr(frame, "iloc"):
        return frame  # narwhals would fail on duplicate names, which are reported later
    try:
        lazy = nw.from_native(frame, pass_through=True)
    except TypeError:
        return frame
    return lazy.collect("pyarrow").to_native() if isinstance(lazy, nw.LazyFrame) else frame


def read_frame(frame: Any) -> tuple[list[Column], str]:
    """Return the columns of a data frame and its kind."""
    if isinstance(frame, pa.RecordBatch):
        frame = pa.table(frame)
    refuse_repeated([str(name) for name in getattr(frame, "column_names", getattr(frame, "columns", []))])
    try:
        wrapped = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise BadInput(
            f"a {type(frame).__name__} is not a data frame: give pandas, Polars or PyArrow data, or a file's path"
        ) from None
    kind = str(wrapped.implementation.name).lower()
    columns = []
    for name, native in zip(map(str, wrapped.columns), _native_columns(frame, wrapped, kind), strict=True):
        coder = Coder(name)
        for piece in native:
            coder.add(plain_piece(name, piece))
        columns.append(coder.finish())
    return columns, kind


def native_types(frame: Any, kind: str) -> dict[str, Any]:
    """The types of the columns, so that the same types can be returned."""
    if kind == "pandas":
        return {str(name): frame[name].dtype for name in frame.columns}
    if kind == "polars":
        return dict(frame.schema.items())
    return dict(zip(frame.schema.names, frame.schema.types, strict=True)) if kind == "pyarrow" else {}


def _native_columns(frame: Any, wrapped: Any, kind: str) -> Iterable[list[pa.Array]]:
    if kind == "pandas":
        for position, name in enumerate(frame.columns):
            try:
                yield [pa.Array.from_pandas(frame.iloc[:, position])]
            except (pa.ArrowInvalid, pa.ArrowTypeError):
                types = sorted({type(v).__name__ for v in frame.iloc[:, position] if v is not None})
                raise BadInput(f"column {str(name)!r} mixes types ({', '.join(types)}): make it all one type") from None
    else:
        table = frame if kind == "pyarrow" else wrapped.to_arrow()
        for column in table.columns:
            yield column.chunks or [pa.nulls(0, column.type)]


def to_kind(table: pa.Table, kind: str, native: Mapping[str, Any]) -> Any:
    """An Arrow table as a frame of this kind, columns in their `native` type if the values still fit."""
    if kind == "pyarrow":
        for place, field in enumerate(table.schema):
            wanted = native.get(field.name)
            if isinstance(wanted, pa.DataType) and wanted != field.type:
                table = _in_type(table, place, wanted)
        return table
    if kind == "pandas":
        frame = table.to_pandas()
        for name in frame.columns:
            if name in native and frame[name].dtype != native[name]:
                frame[name] = _as_native(frame[name], native[name])
        return frame
    if kind == "polars":
        import polars

        frame = polars.from_arrow(table)
        fitting = {name: kind for name, kind in native.items() if name in frame.columns}
        for name, wanted in fitting.items():
            with contextlib.suppress(polars.exceptions.PolarsError, TypeError):
                cast = frame[name].cast(wanted)
                frame = frame.with_columns(cast) if cast.cast(frame[name].dtype).equals(frame[name]) else frame
        return frame
    raise BadInput(suggest(kind, ["pandas", "polars", "pyarrow"], "kind of frame"))


def _in_type(table: pa.Table, place: int, wanted: pa.DataType) -> pa.Table:
    """The table with one column in its original type, or unchanged if its values do not fit."""
    column = table.column(place)
    try:
        cast = column.cast(wanted)
        same = cast.cast(column.type).equals(column)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return table
    return table.set_column(place, table.schema.names[place], cast) if same else table


def _as_native(series: Any, kind: Any) -> Any:
    """A pandas column in its original type, or unchanged if its values do not fit: intervals are not integers."""
    if hasattr(kind, "categories") and not set(series.dropna()) <= set(kind.categories):
        return series.astype("category")
    try:
        cast = series.astype(kind)
    except (TypeError, ValueError):
        return series
    truncated = series.dtype.kind == "f" and not ((cast == series) | series.isna()).all()  # a mean of integers
    return series if truncated else cast
