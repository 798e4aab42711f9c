"""How people write numbers and dates: thousands separators, units, top and bottom codes, dates in the order of a
country. Each cell is rewritten by itself, before types are inferred, and only as the user has declared.

>>> spelling = Spelling(thousands=",", units=("$", "%"), dates=("%m/%d/%Y",), top_codes=("age",))
>>> [spelling.plain("cost", text) for text in ("$1,234.50", "12 %", "1,23", "3/14/2019", "31/12/2019", "007", "")]
['1234.50', '12', '1,23', '2019-03-14', '31/12/2019', '007', None]
>>> [spelling.plain("age", text) for text in (">90", "90+", "<5", "≤0.50", "<0.50")]
['91', '90', '4', '0.50', '0.49']

What does not fit stays as it is, so one cell never decides how another is read. A top code becomes the nearest number
that it can be, and never one that it cannot: `>90` is at least 91, and `<0.50` at most 0.49.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache, cached_property
from typing import TYPE_CHECKING

from fairveil.messages import literal, option

if TYPE_CHECKING:
    import pyarrow as pa

THOUSANDS = (",", ".", " ", "'")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DIRECTIVES = {
    "Y": r"(?P<Y>\d{4})", "y": r"(?P<y>\d{2})", "m": r"(?P<m>\d{1,2})", "d": r"(?P<d>\d{1,2})",
    "b": r"(?P<b>[A-Za-z]{3,9})\.?", "H": r"(?P<H>\d{1,2})", "I": r"(?P<I>\d{1,2})", "M": r"(?P<M>\d{2})",
    "S": r"(?P<S>\d{2})(?:\.(?P<f>\d{1,6})\d*)?", "p": r"(?P<p>[AaPp])\.?[Mm]\.?",
}  # fmt: skip
"""The parts of a date, as in Python's strftime. `%S` includes fractions, and `%b` short and long names."""
ALIKE = {**dict.fromkeys(map(ord, "\u00a0\u202f\u2009"), " "), ord("\u2019"): "'"}
"""Spaces that do not break and the typographic apostrophe stand for the plain signs."""
_VALUE = re.compile(r"-?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?|\d{4}-\d\d(?:-\d\d(?:[ T]\d\d:\d\d\S*)?)?", re.ASCII)
"""Numbers and dates as they are read."""
_TOP_CODE = re.compile(r"(?P<sign><=|>=|[<>≤≥])? ?(?P<number>-?\d{1,15}(?:[.,]\d{1,9})?)\+?", re.ASCII)


@dataclass(frozen=True)
class Spelling:
    """What a dialect declares about the spelling of numbers and dates; `text` are columns that are read as they are."""

    thousands: str | None = None
    units: Sequence[str] = ()
    dates: Sequence[str] = ()
    top_codes: Sequence[str] = ()
    others_missing: Sequence[str] = ()
    text: Sequence[str] = ()

    def covers(self, name: str) -> bool:
        """Whether cells of a column may be rewritten, so that its type is inferred from its texts."""
        general = self.thousands or self.units or any(not column for column, _ in self._dates)
        named = (
            name in self.top_codes or name in self.others_missing or any(column == name for column, _ in self._dates)
        )
        return name not in self.text and bool(general or named)

    def plain(self, name: str, text: str) -> str | None:
        """The cell as fairveil reads numbers and dates; empty text is missing."""
        plain = self._plain(name, text) if text else None
        odd = plain is not None and name in self.others_missing and not _VALUE.fullmatch(plain)
        return None if odd else plain

    def _plain(self, name: str, text: str) -> str:
        for column, form in self._dates:
            if column in ("", name) and (moment := _moment(form, text)) is not None:
                return moment
        bare = text.translate(ALIKE).strip()
        if name in self.top_codes and (match := _TOP_CODE.fullmatch(self._ungrouped(bare))):
            return _limit(match)
        if self._number is not None and (number := self._number.fullmatch(bare)):
            plain = (number["sign"] or number["minus"] or "") + number["digits"].replace(self.thousands or "\0", "")
            return plain + (number["rest"] or "")
        return text

    def _ungrouped(self, text: str) -> str:
        """The text without the separators between groups of three digits."""
        sign = self.thousands
        return text if sign is None else _groups(sign).sub(lambda group: group[0].replace(sign, ""), text)

    def respelled(self, name: str, values: pa.Array) -> pa.Array:
        """The values of a column with every text rewritten; other types stay as they are."""
        if not self.covers(name):
            return values
        import pyarrow as pa  # here, because a dialect does not need it

        if pa.types.is_dictionary(values.type) and pa.types.is_string(values.type.value_type):
            return pa.DictionaryArray.from_arrays(values.indices, self._each(name, values.dictionary.to_pylist()))
        return self._each(name, values.to_pylist()) if pa.types.is_string(values.type) else values

    def _each(self, name: str, texts: Iterable[str | None]) -> pa.Array:
        from fairveil.data.arrow import texts as arrow_texts

        return arrow_texts([None if text is None else self.plain(name, text) for text in texts])

    @cached_property
    def _dates(self) -> list[tuple[str, str]]:
        """The formats, each with its column or an empty name."""
        parts = [entry.rpartition("=") for entry in self.dates]
        return [(column, with_percent(form)) for column, _, form in parts]

    @cached_property
    def _number(self) -> re.Pattern[str] | None:
        if not (self.thousands or self.units):
            return None
        unit = "|".join(map(re.escape, sorted(self.units, key=len, reverse=True))) or r"(?!)"
        grouped = rf"[1-9]\d{{0,2}}(?:{re.escape(self.thousands)}\d{{3}})+|" if self.thousands else ""
        point = {",": r"\.", ".": ","}.get(self.thousands or "", "[.,]")
        return re.compile(
            rf"(?P<sign>-)?(?:(?:{unit}) ?)?(?P<minus>-)?(?P<digits>{grouped}0|[1-9]\d*)(?P<rest>{point}\d+)?"
            rf"(?: ?(?:{unit}))?", re.ASCII,
        )  # fmt: skip

    def problems(self, names: Sequence[str] | None = None) -> list[str]:
        """What cannot be meant: formats without a day, month or year, and columns that do not exist."""
        problems = []
        for entry, (column, form) in zip(self.dates, self._dates, strict=True):
            parts = {"m" if part == "b" else part.upper() if part == "y" else part for part in re.findall("%(.)", form)}
            if not parts <= _DIRECTIVES.keys() or not ({"Y", "m", "d"} <= parts or parts == {"Y", "m"}):
                problems.append(
                    f"{option('dates')} must name day, month and year as %d/%m/%Y or COLUMN=%d/%m/%Y does, or month "
                    f"and year, not {literal(entry)}"
                )
            elif column and names is not None and column not in names:
                problems.append(f"{option('dates')} names column {column!r}, which does not exist")
        return problems


def with_percent(form: str) -> str:
    """A date format with percent signs, which may be left out.

    >>> with_percent("d.m.Y"), with_percent("%d.%m.%Y %H:%M")
    ('%d.%m.%Y', '%d.%m.%Y %H:%M')
    """
    spelled = form if "%" in form else re.sub("[A-Za-z]", r"%\g<0>", form)
    return spelled.replace("%B", "%b").replace("%T", "%H:%M:%S").replace("%F", "%Y-%m-%d")


@cache
def _groups(thousands: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,])[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+(?!\d)", re.ASCII)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split("%(.)", form)
    return re.compile("".join(
        re.escape(part) if position % 2 == 0 else _DIRECTIVES.get(part, "(?!)") for position, part in enumerate(parts)
    ), re.ASCII)  # fmt: skip


def _moment(form: str, text: str) -> str | None:
    """A date, or a date with a time, as ISO 8601 writes it; None if the text is not one of this form."""
    match = _pattern(form).fullmatch(text.strip())
    if match is None:
        return None
    part = match.groupdict()
    try:
        month = int(part["m"]) if "m" in part else 1 + MONTHS.index(part["b"][:3].lower())
        year = int(part["Y"]) if "Y" in part else int(part["y"]) + (1900 if int(part["y"]) > 68 else 2000)
        hour = int(part.get("H") or 0)
        if "I" in part:
            hour = int(part["I"]) % 12 + (12 if (part.get("p") or "a").lower() == "p" else 0)
        moment = datetime(
            year, month, int(part.get("d") or 1), hour, int(part.get("M") or 0), int(part.get("S") or 0),
            int(f"{part.get('f') or '0':0<6}"),
        )  # fmt: skip
    except ValueError:  # no such month, day or hour
        return None
    if "d" not in part:
        return moment.date().isoformat()[:7]
    return moment.isoformat(" ") if part.keys() & {"H", "I"} else moment.date().isoformat()


def _limit(match: re.Match[str]) -> str:
    """The nearest number that a top or bottom code can be, in its own decimals."""
    comma, number = "," in match["number"], Decimal(match["number"].replace(",", "."))
    step = Decimal(1).scaleb(int(number.as_tuple().exponent))
    number += {">": step, "<": -step}.get(match["sign"] or "", 0)
    return str(number).replace(".", ",") if comma else str(number)
