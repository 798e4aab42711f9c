"""Values to codes, piece by piece, and the type of a column of texts from its distinct values.

>>> coder = Coder("age")
>>> coder.add(pa.array(["31", "9"]))
>>> coder.add(pa.array(["31", None]))
>>> column = typed(coder)
>>> column.codes.tolist(), column.domain
([1, 0, 1, 2], [9, 31, None])
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import filled, numbers, plain
from fairveil.data.arrow import texts as arrow_texts
from fairveil.data.table import Column, narrow
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.messages import option

_WHOLE = re.compile(r"[+-]?\d+")
_LABEL = re.compile(r"[+-]?0\d+|\+.*")
_COMMA = re.compile(r"[+-]?\d+,\d+")
_POINT = re.compile(r"[+-]?\d+(\.\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class Coder:
    """Codes one column piece by piece; codes are given in the order of first appearance, then sorted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.known: pa.Array | None = None
        self.pieces: list[np.ndarray] = []

    def add(self, piece: pa.Array) -> None:
        self.pieces.append(self.encode(piece))

    def encode(self, piece: pa.Array) -> np.ndarray:
        """Codes from 1 in the order of first appearance, 0 where a value is missing: small unsigned types hold them."""
        encoded = piece if pa.types.is_dictionary(piece.type) else piece.dictionary_encode()
        if self.known is None:
            self.known = encoded.dictionary.slice(0, 0)
        fresh = encoded.dictionary.drop_null()
        unknown = fresh.filter(pc.invert(pc.is_in(fresh, value_set=self.known))).unique()
        if len(unknown):
            self.known = pa.concat_arrays([self.known, unknown])
        place = filled(pc.index_in(encoded.dictionary, value_set=self.known, skip_nulls=True), -1)
        local = filled(encoded.indices, len(encoded.dictionary))
        return narrow(np.append(place + 1, 0)[local], self.size)

    @property
    def size(self) -> int:
        """How many codes there are so far, the missing one among them."""
        return 1 + (0 if self.known is None else len(self.known))

    def finish(self, values: pa.Array | None = None) -> Column:
        """The column, its values sorted; `values` may retype what is known, one for one."""
        values = self.known if values is None else values
        assert values is not None, "finish comes after add"
        order = plain(pc.sort_indices(values)).astype(np.int64)
        ordered = values.take(numbers(order))
        codes = np.concatenate(self.pieces)
        self.pieces.clear()
        rank = np.empty(len(order) + 1, dtype=np.int64)
        rank[order + 1] = np.arange(len(order))
        rank[0] = len(order)
        if (codes == 0).any():
            ordered = pa.concat_arrays([ordered, pa.nulls(1, ordered.type)])
        return Column(self.name, narrow(rank, len(ordered) + 1)[codes], ordered)


def typed(coder: Coder, keep_text: bool = False, counts: np.ndarray | None = None, decimal: str | None = ".") -> Column:
    """A column of texts in the type that its distinct values have. `counts`: how often each coded row occurs.

    `decimal` is the sign before the fraction of a number; None: a point, or a comma where no number has a point.
    """
    if coder.known is None or keep_text or len(coder.known) == 0:
        return coder.finish()
    texts = coder.known.to_pylist()
    if decimal != ".":
        spelled = with_points(coder.name, texts, decimal)
        if spelled is not None:
            return _merge_equal(coder, one_zero(arrow_texts(spelled).cast(pa.float64())))
    numeric = np.array([_is_number(text) for text in texts])
    if numeric.all() and not any(map(_LABEL.fullmatch, texts)):
        try:
            whole = all(map(_WHOLE.fullmatch, texts))
            return _merge_equal(
                coder, coder.known.cast(pa.int64()) if whole else one_zero(coder.known.cast(pa.float64()))
            )
        except pa.ArrowInvalid:  # more digits than a 64-bit integer holds: such a column holds labels
            return coder.finish()
    if all(map(_DATE.fullmatch, texts)):
        try:
            return coder.finish(coder.known.cast(pa.date32()))
        except pa.ArrowInvalid:
            return coder.finish()
    if numeric.any() and not numeric.all():
        _refuse_mixed(coder, texts, numeric, counts)
    return coder.finish()


def with_points(name: str, texts: Sequence[str], decimal: str | None) -> list[str] | None:
    """Numbers with decimal commas as numbers with points; None where these are none.

    >>> with_points("income", ["1,5", "-20"], None), with_points("income", ["1.5"], None)
    (['1.5', '-20'], None)
    """
    commas = [text for text in texts if _COMMA.fullmatch(text)]
    if decimal == "," and not commas and all(map(_POINT.fullmatch, texts)) and any("." in text for text in texts):
        odd = next(text for text in texts if "." in text)
        raise BadInput(
            f"column {name!r} is written with decimal points (such as {odd!r}), and decimal is ',': leave "
            f"{option('decimal')} out, or keep the column as text by {option('text', [name])}"
        )
    if not commas or not all(_COMMA.fullmatch(text) or _WHOLE.fullmatch(text) for text in texts):
        return None
    if any(map(_LABEL.fullmatch, texts)):
        return None
    if decimal is None and all(map(_THOUSANDS.fullmatch, commas)):
        raise BadInput(
            f"column {name!r} holds {commas[0]!r}, which may be a fraction or thousands: say "
            f"{option('decimal', ',')} or {option('decimal', '.')}"
        )
    return [text.replace(",", ".") for text in texts]


def alike(columns: Sequence[Column]) -> tuple[tuple[np.ndarray, ...], int]:
    """Columns of several tables coded by one list of values: the codes of each, and how many there are.

    Values are compared as text, so that 1, 1.0 and "1" of a file are the same.

    >>> from fairveil.data.table import Table
    >>> one, other = (Table.from_frame(pa.table({"x": x})).column("x") for x in ([2, 1], ["3", "1"]))
    >>> [codes.tolist() for codes in alike([one, other])[0]]
    [[1, 0], [2, 0]]
    """
    numbers: dict[str | None, int] = {}
    lookups = []
    for column in columns:
        names = [None if value is None else as_text(value) for value in column.domain]
        lookups.append(np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64))
    return tuple(lookup[column.codes] for lookup, column in zip(lookups, columns, strict=True)), max(len(numbers), 1)


def one_zero(numbers: pa.Array) -> pa.Array:
    """-0.0 as 0.0: two spellings of one number."""
    return pc.add(numbers, pa.scalar(0, numbers.type))


def _merge_equal(coder: Coder, values: pa.Array) -> Column:
    """A column whose texts may spell one number in several ways ("1.0" and "1")."""
    distinct = values.unique()
    if len(distinct) < len(values):
        place = np.append(plain(pc.index_in(values, value_set=distinct)) + 1, 0)
        place = np.roll(place, 1)
        coder.pieces = [narrow(place[piece], len(distinct) + 1) for piece in coder.pieces]
    return coder.finish(distinct)


def _refuse_mixed(coder: Coder, texts: list[str], numeric: np.ndarray, counts: np.ndarray | None) -> None:
    rows = np.bincount(np.concatenate(coder.pieces), weights=counts, minlength=len(texts) + 1)[1:]
    if rows[numeric].sum() > rows[~numeric].sum():
        odd = texts[int(np.flatnonzero(~numeric)[0])]
        raise BadInput(
            f"column {coder.name!r} mixes numbers and text (such as {odd!r}): if that means "
            f"missing, say {option('missing_values', [odd])}; to keep all as text, {option('text', [coder.name])}"
        )


def _is_number(text: str) -> bool:
    try:
        return np.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False
