"""Dialect: how a file is read, as the user states it. Every reading option is declared here; `Table.read`
repeats their names for editors, which a test compares.

A recipe keeps the dialect of its source, so that new files are read alike: "NULL" is missing there, too, if many rows
hold it (`missing_texts.py`). What is *detected* in a file is not part of it: an encoding, say, may depend on one letter
of one name, and is detected again in each file.

>>> given = Dialect(missing_values=["?"], encoding="cp1252", sheet="2024")
>>> given.remembered(["?"]).to_dict()
{'missing_values': ['?'], 'encoding': 'cp1252'}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from fairveil import shapes
from fairveil.data.spelling import THOUSANDS, Spelling
from fairveil.errors import BadInput, refuse
from fairveil.messages import option
from fairveil.settings import read, setting
from fairveil.shapes import choice, either, integer, many, optional, shape

Missing = Literal["category", "drop"]
Header = Literal["yes", "no"]
CHARACTER = shape("one character", lambda value: isinstance(value, str) and len(value) == 1)


@dataclass(frozen=True)
class Dialect:
    """The options of `Table.read`; None: detected in the file."""

    by_cell: ClassVar[bool] = False

    missing: Missing = setting(
        "category",
        "what happens to missing values: a category of their own, or their rows are dropped and counted",
        metavar="category|drop",
    )
    missing_values: Sequence[str] = setting(
        (),
        "texts that mean a missing value, such as '?', besides the empty cell",
        shape=many(shapes.text),
        metavar="TEXT",
    )
    text: Sequence[str] = setting((), "columns to read as text although they look like numbers", metavar="COLUMNS")
    separator: str | None = setting(
        None, "delimiter of a CSV file; detected by default", shape=optional(CHARACTER), metavar="CHARACTER"
    )
    encoding: str | None = setting(
        None, "encoding of a CSV file, such as cp1252; detected by default", shape=optional(shapes.name), metavar="NAME"
    )
    decimal: str | None = setting(
        None, "decimal separator of a CSV file; detected by default", shape=optional(choice(".", ",")), metavar=".|,"
    )
    sheet: str | int | None = setting(
        None,
        "sheet of a workbook, by name or by number from 1; the first by default",
        shape=optional(either(shapes.name, integer(1))),
        metavar="NAME",
    )
    thousands: str | None = setting(
        None, "thousands separator of numbers: , . ' or a space", shape=optional(choice(*THOUSANDS)), metavar="SIGN"
    )
    units: Sequence[str] = setting(
        (), "signs before or after numbers that are left out, such as $ or %", shape=many(shapes.name), metavar="SIGN"
    )
    dates: Sequence[str] = setting(
        (), "how dates are written: %m/%d/%Y for all columns, or COLUMN=%d.%m.%Y for one; the first that fits",
        metavar="FORMAT",
    )  # fmt: skip
    top_codes: Sequence[str] = setting(
        (), "columns of numbers with top and bottom codes: >90 is read as 91, 90+ as 90, <5 as 4", metavar="COLUMNS"
    )
    others_missing: Sequence[str] = setting(
        (), "columns of numbers or dates in which whatever else is written is a missing value", metavar="COLUMNS"
    )
    header: Header = setting(
        "yes", "whether the first line names the columns; no: they are called column_1, column_2 …", metavar="yes|no"
    )

    def __post_init__(self) -> None:
        for name in ("missing_values", "text", "units", "dates", "top_codes", "others_missing"):
            given = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))
        refuse(self.spelling.problems())
        if self.thousands is not None and self.thousands == self.decimal:
            raise BadInput(f"{option('thousands')} and {option('decimal')} are both {self.thousands!r}")

    @property
    def spelling(self) -> Spelling:
        """How numbers and dates are written."""
        return Spelling(self.thousands, self.units, self.dates, self.top_codes, self.others_missing, self.text)

    @property
    def decimals(self) -> str | None:
        """The decimal separator, as given, or as the thousands separator implies."""
        return self.decimal or {",": ".", ".": ","}.get(self.thousands or "")

    @property
    def options(self) -> dict[str, Any]:
        """All options by name."""
        return dict(vars(self))

    def remembered(self, missing_values: Sequence[str] = ()) -> Dialect:
        """The options that a recipe keeps for other files of the same kind, with those `missing_values` that many rows
        hold; separator and sheet belong to one file."""
        return Dialect(**{**self.options, "separator": None, "sheet": None, "missing_values": missing_values})

    def given(self, missing_values: Sequence[str] = ()) -> Dialect | None:
        """The `remembered` options of data that is not in a file; None if all have their default."""
        remembered = self.remembered(missing_values)
        return remembered if remembered.to_dict() else None

    def among(self, names: Sequence[str]) -> Dialect:
        """The options for a table with these columns: what they say of other columns is left out."""
        own: dict[str, Any] = {
            option: tuple(name for name in getattr(self, option) if name in names)
            for option in ("text", "top_codes", "others_missing")
        }
        dates = tuple(text for text in self.dates if text.rpartition("=")[0] in ("", *names))
        return replace(self, dates=dates, **own)

    @property
    def cell_by_cell(self) -> CellDialect:
        """The same options, for a file that is read cell by cell."""
        return CellDialect(**self.options)

    def over(self, other: Dialect) -> Dialect:
        """This dialect; options that have their default here are taken from the other one."""
        return type(self)(**{**other.options, **self._changed})

    @property
    def _changed(self) -> dict[str, Any]:
        default = Dialect()
        return {name: value for name, value in self.options.items() if value != getattr(default, name)}

    def to_dict(self) -> dict[str, Any]:
        """The options that differ from their default."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self._changed.items()}

    @classmethod
    def from_dict(cls, spec: Any) -> Dialect:
        return cls(**read(cls, spec, "the dialect of the source"))


@dataclass(frozen=True)
class CellDialect(Dialect):
    """A dialect for methods that declare what columns can hold: every cell is read by itself. Nothing is detected from
    records, so none decides how another is read or whether the file is refused.

    A record of a CSV file is a line, also if it contains a quotation mark that is not closed; a line with too many or
    too few fields is skipped. The delimiter is the header's, the encoding that of the byte order mark or UTF-8, with
    invalid bytes replaced, and the decimal separator a point, unless given.
    """

    by_cell: ClassVar[bool] = True
