"""Encoding values as codes, piece by piece, and inferring the type of a column of texts from its distinct values.

>>> coder = Coder("age")
>>> coder.add(pa.array(["31", "9"]))
>>> coder.add(pa.array(["31", None]))
>>> column = typed(coder)
>>> column.codes.tolist(), column.domain
([1, 0, 1, 2], [9, 31, None])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import isfinite, isnan
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from fairveil.data.arrow import filled, numbers, plain
from fairveil.data.arrow import texts as arrow_texts
from fairveil.data.common_types import wider
from fairveil.data.table import Column, narrow
from fairveil.data.text_form import as_text
from fairveil.data.types import FAR_TIMES, MONTHS, readable, source_type, unpublishable
from fairveil.errors import BadInput, Unpublishable
from fairveil.messages import option

_INTEGER, _LABEL, _COMMA, _POINT, _THOUSANDS, _DATE = (
    re.compile(pattern, re.ASCII)  # Arrow reads no other digits
    for pattern in (
        r"[+-]?\d+", r"[+-]?0\d+|\+.*", r"[+-]?\d+,\d+", r"[+-]?\d+(\.\d+)?", r"[+-]?[1-9]\d{0,2}(,\d{3})+",
        r"\d{4}-\d{2}-\d{2}",
    )
)  # fmt: skip


def plain_piece(name: str, piece: Any) -> pa.Array:
    """A chunk of a type that can be coded: not nested, NaN as missing, one text type."""
    if isinstance(piece, pa.ChunkedArray):
        piece = piece.combine_chunks()
    kind = readable(name, piece.type.value_type if pa.types.is_dictionary(piece.type) else piece.type)
    if piece.type != kind:
        piece = piece.cast(kind)
    if pa.types.is_floating(kind):
        piece = pc.if_else(pc.is_nan(piece), pa.scalar(None, kind), _one_zero(piece))
    return piece


def source_piece(name: str, piece: Any) -> pa.Array:
    """A chunk of a source in the type that every engine reads it in (`types.source_type`)."""
    if isinstance(piece, pa.ChunkedArray):
        piece = piece.combine_chunks()
    kind = source_type(name, piece.type)
    if pa.types.is_run_end_encoded(piece.type):
        return source_piece(name, pc.run_end_decode(piece))
    if isinstance(piece.type, pa.UuidType):
        piece = _uuid_texts(piece.storage.dictionary_encode())
    elif pa.types.is_interval(piece.type):
        piece = durations(name, piece.to_pylist())
    plain = plain_piece(name, piece)
    return plain if plain.type == kind else plain.cast(kind)


def _uuid_texts(encoded: pa.DictionaryArray) -> pa.Array:
    spelled = arrow_texts([str(UUID(bytes=value)) for value in encoded.dictionary.to_pylist()])
    return spelled.take(encoded.indices)


def durations(name: str, intervals: Iterable[Any]) -> pa.Array:
    """Intervals (months, days, nanoseconds) as durations; raises Unpublishable for months."""
    counts: list[int | None] = []
    for interval in intervals:
        months, days, nanoseconds = interval or (0, 0, 0)
        if months or nanoseconds % 1000:
            raise unpublishable(name, MONTHS)
        counts.append(None if interval is None else days * 86_400_000_000 + nanoseconds // 1000)
    return pa.array(counts, pa.int64()).cast(pa.duration("us"))


def present_only(piece: Any) -> pa.Array:
    """True where a chunk of any type has a value, else null: all that is known of what cannot be published."""
    valid = (piece.combine_chunks() if isinstance(piece, pa.ChunkedArray) else piece).is_valid()
    return pc.if_else(valid, pa.scalar(True), pa.scalar(None, pa.bool_()))


def cell_piece(name: str, piece: Any) -> pa.Array:
    """A chunk of any type, read cell by cell: what cannot be coded, such as lists or invalid UTF-8, becomes text."""
    try:
        plain = source_piece(name, piece)
        plain.validate(full=True)
        return plain
    except (BadInput, pa.ArrowException):
        is_text = pa.types.is_string(piece.type) or pa.types.is_large_string(piece.type)
        return cell_texts((piece.cast(pa.binary()) if is_text else piece).to_pylist())


def cell_texts(values: Iterable[Any]) -> pa.Array:
    """Each value as text by itself, whatever the types of others; a missing one is null."""
    plain = (value.decode(errors="replace") if isinstance(value, bytes) else value for value in values)
    present = (None if isinstance(value, float) and isnan(value) else value for value in plain)
    return arrow_texts([None if v is None else str(v).encode(errors="replace").decode() for v in present])


WAITING = 1 << 14
"""As many distinct values, counted in each piece, wait before they are looked up, however few are known."""


class Coder:
    """Encodes one column piece by piece; codes are assigned in order of first appearance, and sorted by `finish`.
    `unreadable` is why its values cannot be published; then only which are missing is known.

    A piece is coded by its own distinct values first. Those of several pieces are looked up together, once they are as
    many as the known ones: looking up each piece by itself would take time that grows with pieces × distinct values.
    """

    def __init__(self, name: str, unreadable: str = "") -> None:
        self.name = name
        self.unreadable = unreadable
        self._known: pa.Array | None = None
        self._pieces: list[np.ndarray] = []
        self._waiting: list[tuple[pa.Array, np.ndarray]] = []

    @property
    def known(self) -> pa.Array | None:
        """The distinct values so far, in order of first appearance; None before the first piece."""
        self._look_up()
        return self._known

    @property
    def pieces(self) -> list[np.ndarray]:
        """The codes of each piece in a small unsigned type: 0 for a missing value, else 1 + position in `known`."""
        self._look_up()
        return self._pieces

    @pieces.setter
    def pieces(self, codes: list[np.ndarray]) -> None:
        self._pieces = codes

    def like(self, piece: pa.Array) -> pa.Array:
        """A piece in the type of those before; if their types differ, all of them become text."""
        if self._known is None or self._known.type == piece.type:
            return piece
        self._look_up()
        self._known = cell_texts(self._known.to_pylist())
        return cell_texts(piece.to_pylist())

    def read(self, piece: Any) -> None:
        """Add a chunk of a source, of any type."""
        try:
            piece = present_only(piece) if self.unreadable else source_piece(self.name, piece)
        except Unpublishable as problem:
            self.pieces = [(codes > 0).astype(np.uint8) for codes in self.pieces]
            self.unreadable = str(problem)
            self._known = None if self._known is None else numbers(np.ones(1, dtype=bool))
            piece = present_only(piece)
        self.add(piece)

    def add(self, piece: pa.Array) -> None:
        if self._known is not None and self._known.type != piece.type and not pa.types.is_dictionary(piece.type):
            piece = self._widened(piece)
        encoded = piece if pa.types.is_dictionary(piece.type) else piece.dictionary_encode()
        if self._known is None:
            self._known = encoded.dictionary.slice(0, 0)
        distinct = len(encoded.dictionary)
        self._waiting.append((encoded.dictionary, narrow(filled(encoded.indices, distinct), distinct + 1)))
        if sum(len(values) for values, _ in self._waiting) > max(len(self._known), WAITING):
            self._look_up()

    def _widened(self, piece: pa.Array) -> pa.Array:
        """A piece in a type that holds the values known so far, too, which are cast to it."""
        self._look_up()
        assert self._known is not None
        if piece.null_count == len(piece):
            return pa.nulls(len(piece), self._known.type)
        kind = wider(self._known.type, piece.type) if len(self._known) else piece.type
        self._known = self._known.cast(kind or pa.float64())
        return piece.cast(self._known.type)

    def _look_up(self) -> None:
        """Code the waiting pieces by the known values, and know their new ones."""
        if not self._waiting:
            return
        assert self._known is not None
        together = pa.chunked_array([self._known, *(values for values, _ in self._waiting)]).dictionary_encode()
        codes, start = np.zeros(0, dtype=np.int64), len(self._known)
        if together.num_chunks:  # empty ones are left out, and all have the same dictionary
            codes = np.concatenate([filled(chunk.indices, -1) for chunk in together.chunks]) + 1
            self._known = together.chunk(0).dictionary
        for values, local in self._waiting:
            own = np.append(codes[start : start + len(values)], 0)
            self._pieces.append(narrow(own, len(self._known) + 1).take(local))
            start += len(values)
        self._waiting.clear()

    def encode(self, piece: pa.Array) -> np.ndarray:
        """The codes of a piece, which is not kept."""
        self.add(piece)
        return self.pieces.pop()

    @property
    def size(self) -> int:
        """The number of codes so far, including that of a missing value."""
        return 1 + (0 if self.known is None else len(self.known))

    def finish(self, values: pa.Array | None = None) -> Column:
        """The column, with sorted values; `values` may replace the known values one by one, in another type."""
        values = self.known if values is None else values
        assert values is not None, "call add before finish"
        order = plain(pc.sort_indices(values)).astype(np.int64)
        ordered = values.take(numbers(order))
        codes = np.concatenate(self.pieces)
        self.pieces.clear()
        rank = np.empty(len(order) + 1, dtype=np.int64)
        rank[order + 1] = np.arange(len(order))
        rank[0] = len(order)
        if (codes == 0).any():
            ordered = pa.concat_arrays([ordered, pa.nulls(1, ordered.type)])
        unreadable = self.unreadable or _far(self.name, ordered[: len(order)])
        return Column(self.name, narrow(rank, len(ordered) + 1)[codes], ordered, unreadable)


def _far(name: str, ordered: pa.Array) -> str:
    """Why sorted times cannot be published: Python has no calendar for them. Empty for anything else."""
    if pa.types.is_temporal(ordered.type) and len(ordered) and getattr(ordered.type, "unit", "") != "ns":
        try:
            (ordered[0].as_py(), ordered[-1].as_py())
        except (OverflowError, ValueError):
            return str(unpublishable(name, FAR_TIMES))
    return ""


def typed(coder: Coder, keep_text: bool = False, counts: np.ndarray | None = None, decimal: str | None = ".") -> Column:
    """A column of texts in the type inferred from its distinct values. `counts`: how often each coded row occurs.

    `decimal` is the decimal separator; None: a point, or a comma if no number has a point.
    """
    if coder.known is None or keep_text or len(coder.known) == 0:
        return coder.finish()
    texts = coder.known.to_pylist()
    if decimal != ".":
        with_points = _with_points(coder.name, texts, decimal)
        if with_points is not None:
            return _merge_equal(coder, _one_zero(arrow_texts(with_points).cast(pa.float64())))
    if all(map(_DATE.fullmatch, texts)):  # none of these is a number
        with suppress(pa.ArrowInvalid):
            return coder.finish(coder.known.cast(pa.date32()))
        return coder.finish()
    numeric = np.array([_is_number(text) for text in texts])
    if numeric.all() and not any(map(_LABEL.fullmatch, texts)):
        with suppress(pa.ArrowInvalid):  # too many digits for a 64-bit integer: these are labels
            integers = all(map(_INTEGER.fullmatch, texts))
            return _merge_equal(coder, _one_zero(coder.known.cast(pa.int64() if integers else pa.float64())))
    elif numeric.any() and not numeric.all():
        _refuse_mixed(coder, texts, numeric, counts)
    return coder.finish()


def _with_points(name: str, texts: Sequence[str], decimal: str | None) -> list[str] | None:
    """Numbers with decimal commas as numbers with decimal points; None if these are not such numbers.

    >>> _with_points("income", ["1,5", "-20"], None), _with_points("income", ["1.5"], None)
    (['1.5', '-20'], None)
    """
    commas = [text for text in texts if "," in text and _COMMA.fullmatch(text)]
    if decimal == "," and not commas and all(map(_POINT.fullmatch, texts)) and any("." in text for text in texts):
        odd = next(text for text in texts if "." in text)
        raise BadInput(
            f"column {name!r} has decimal points (such as {odd!r}), and decimal is ',': leave "
            f"{option('decimal')} out, or keep the column as text by {option('text', [name])}"
        )
    if not commas:
        return None
    if not all(_COMMA.fullmatch(text) or _INTEGER.fullmatch(text) for text in texts):
        return None
    if any(map(_LABEL.fullmatch, texts)):
        return None
    if decimal is None and all(map(_THOUSANDS.fullmatch, commas)):
        raise BadInput(
            f"column {name!r} contains {commas[0]!r}, which may be a fraction or thousands: set "
            f"{option('decimal', ',')} or {option('decimal', '.')}"
        )
    return [text.replace(",", ".") for text in texts]


def alike(columns: Sequence[Column]) -> tuple[tuple[NDArray[np.int64], ...], int]:
    """Encode columns of several tables by one list of values: the codes of each column, and the number of codes.

    Values are compared as text, so that 1, 1.0 and "1" are the same.

    >>> from fairveil.data.table import Table
    >>> first, second = (Table.from_frame(pa.table({"x": x})).column("x") for x in ([2, 1], ["3", "1"]))
    >>> [codes.tolist() for codes in alike([first, second])[0]]
    [[1, 0], [2, 0]]
    """
    numbers: dict[str | None, int] = {}
    lookups = []
    for column in columns:
        names = [None if value is None else as_text(value) for value in column.domain]
        lookups.append(np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64))
    return tuple(lookup[column.codes] for lookup, column in zip(lookups, columns, strict=True)), max(len(numbers), 1)


def _one_zero(numbers: pa.Array) -> pa.Array:
    """The numbers with -0.0 replaced by 0.0."""
    return pc.add(numbers, pa.scalar(0, numbers.type))


def _merge_equal(coder: Coder, values: pa.Array) -> Column:
    """The column of a coder, with spellings of the same number ("1.0" and "1") merged."""
    distinct = values.unique()
    if len(distinct) < len(values):
        merged = np.concatenate([[0], plain(pc.index_in(values, value_set=distinct)) + 1])
        coder.pieces = [narrow(merged[piece], len(distinct) + 1) for piece in coder.pieces]
    return coder.finish(distinct)


def _refuse_mixed(coder: Coder, texts: list[str], numeric: np.ndarray, counts: np.ndarray | None) -> None:
    rows = np.bincount(np.concatenate(coder.pieces), weights=counts, minlength=len(texts) + 1)[1:]
    if rows[numeric].sum() > rows[~numeric].sum():
        odd = texts[int(np.flatnonzero(~numeric)[0])]
        raise BadInput(
            f"column {coder.name!r} mixes numbers and text (such as {odd!r}): if that is a "
            f"missing value, set {option('missing_values', [odd])}; to keep all as text, {option('text', [coder.name])}"
        )


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text)) and "_" not in text and text.isascii()
    except ValueError:
        return False
