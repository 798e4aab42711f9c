"""How numbers and dates of a file are written, inferred from its texts: dates as m/d/Y or d.m.Y, with times or mixed,
thousands separators, units, top and bottom codes.

>>> date_formats(["03/15/2019", "3/1/2019", "4.12.2020 10:15"])
['%m/%d/%Y', '%d.%m.%Y %H:%M']
>>> date_formats(["04/29/2024 0343"])
['%m/%d/%Y %H%M']
>>> date_formats(["13-06-1971", "08-06-1971", "19821109"])
['%d-%m-%Y', '%Y%m%d']
>>> date_formats(["03/15/2019", "15/03/2019"])  # nobody can tell which is which
[]

A plan spells it out in [source], so that a release never guesses. It names signs and columns, and no other text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.spelling import ALIKE, THOUSANDS, Spelling
from fairveil.engines import Source, TooManyCells
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.fitting import rows_per_value
from fairveil.run.suggestions.looks import look_of

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.table import Column

UNITS = ("US$", "R$", "$", "€", "£", "¥", "₹", "%", "USD", "EUR", "GBP", "CHF", "JPY", "kg", "cm", "mm", "km", "lbs",
         "lb", "mg", "g", "°C", "mmHg", "bpm", "years", "yrs", "Jahre")  # fmt: skip
"""Signs beside numbers."""
FITTING = 0.95
"""The share of a column's rows that must be numbers, or dates, for the others to be missing values."""
SOME_DECIMALS = 0.1
"""From this share of texts with a decimal point, a file has decimal points, whatever its other columns look like."""
LONGEST = 15
"""The most characters of a number that was written as text: longer ones number something."""
EXAMINED = 2_000
"""Distinct texts that are examined first."""
_DATE = re.compile(
    r"(?:(?P<Y>\d{4})(?P<a>[-/.])(?P<m>\d{1,2})(?P=a)(?P<d>\d{1,2})"
    r"|(?P<one>\d{1,2})(?P<b>[-/.])(?P<two>\d{1,2})(?P=b)(?P<year>\d{4}|\d{2})"
    r"|(?P<day>\d{1,2})(?P<c>[- /])(?P<name>[A-Za-z]{3,9})(?P=c)(?P<then>\d{4}|\d{2})"
    r"|(?P<month>[A-Za-z]{3,9}) (?P<on>\d{1,2}), ?(?P<of>\d{4})"
    r"|(?P<packed_day>(?:18[5-9]|19\d|20\d)\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
    r"|(?P<only>0?[1-9]|1[0-2])(?P<e>[-/.])(?P<its>(?:18[5-9]|19\d|20\d)\d))"
    r"(?:(?P<gap> |T)(?:(?P<hour>\d{1,2}):\d{2}(?P<second>:\d{2}(?:\.\d+)?)?(?P<half> ?[AaPp]\.?[Mm]\.?)?"
    r"|(?P<packed>(?:[01]\d|2[0-3])[0-5]\d)))?", re.ASCII,
)  # fmt: skip
_NUMBERS = {".": r"-?\d+(?:\.\d+)?", ",": r"-?\d+(?:,\d+)?"}
_POINTED = re.compile(r"-?(?:\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d+)", re.ASCII)
"""Numbers in which a point cannot stand between thousands."""
_COMMA = re.compile(r"-?\d+,(?:\d{1,2}|\d{4,})", re.ASCII)
"""Numbers in which a comma cannot stand between thousands."""
_LABEL = re.compile(r"-?0\d", re.ASCII)
_NEVER = ("phone numbers", "card numbers", "bank account numbers", "social security numbers", "IP addresses", "UUIDs",
          "postcodes", "LOINC codes", "times of day")  # fmt: skip


@dataclass
class Detected:
    """The keys of [source] that say how numbers and dates are written, and what to ask the owner about them."""

    thousands: dict[str, list[str]] = field(default_factory=dict)
    """Columns by the thousands separator that they need."""
    units: dict[str, list[str]] = field(default_factory=dict)
    """Columns by unit."""
    dates: list[str] = field(default_factory=list)
    top_codes: list[str] = field(default_factory=list)
    others_missing: list[str] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    """Columns whose days may be months."""
    commas: list[str] = field(default_factory=list)
    """Columns of numbers with decimal commas."""
    pointed: bool = False
    """Whether there are numbers with decimal points, which a point between thousands would change."""
    inferred: bool = True

    def keys(self) -> dict[str, Any]:
        """The settings of a dialect; the separator is that of most columns."""
        usable = [sign for sign in sorted(self.thousands) if sign != "." or not self.pointed]
        separator = max(usable, key=lambda sign: len(self.thousands[sign]), default=None)
        odd = {name for sign, names in self.thousands.items() if sign != separator for name in names}
        lists: Mapping[str, Sequence[str]] = {
            "units": sorted(self.units), "dates": self.dates,
            "top_codes": [name for name in self.top_codes if name not in odd],
            "others_missing": [name for name in self.others_missing if name not in odd],
        }  # fmt: skip
        comma = self.commas and not self.pointed and not self.thousands
        return {
            **({"decimal": ","} if comma else {}),
            **({"thousands": separator} if separator else {}),
            **{key: value for key, value in lists.items() if value},
        }


def detect(source: Source, missing: Sequence[str] = (), inferred: bool = True) -> Detected:
    """What the texts of a source say. Whether a text occurs is told by its column only, and by signs that many hold.

    `inferred`: texts that are all numbers, or all ISO dates, have this type already, unless the source says that they
    are texts, as frames, workbooks and databases do.
    """
    found, has_commas = Detected(inferred=inferred), getattr(source, "read_as", {}).get("decimal") == ","
    for name in source.names:
        try:
            column = source.domain(name)
        except TooManyCells:
            continue
        if str(column.values.type) == "string":
            _look_at(source, column, {*missing}, found)
        found.pointed |= str(column.values.type) == "double" and not has_commas
    return found


def _look_at(source: Source, column: Column, missing: set[str], found: Detected) -> None:
    name, distinct = column.name, [text for text in column.domain if text is not None and text not in missing]
    examined = distinct[:: max(len(distinct) // EXAMINED, 1)]
    decimals = sum(_POINTED.fullmatch(text.strip()) is not None for text in examined)
    found.pointed |= decimals > SOME_DECIMALS * len(examined)
    if not distinct or sum(any(map(str.isdigit, text)) for text in examined) < len(examined) / 2:
        return
    decimal = [text for text in examined if _COMMA.fullmatch(text)]
    if decimal and all(text in decimal or text.removeprefix("-").isdigit() for text in examined):
        found.commas.append(name)
    if formats := date_formats(examined):
        _note_dates(source, column, formats, missing, found)
    elif look_of(examined, name) not in _NEVER:
        _note_numbers(source, column, missing, found)


def _note_dates(source: Source, column: Column, formats: list[str], missing: set[str], found: Detected) -> None:
    forms = tuple(f"{column.name}={form}" for form in formats)
    strict = Spelling(dates=forms, others_missing=(column.name,))
    rest = _other_rows(source, column, strict, missing)
    if rest is None:
        return
    present = [text for text in column.domain if text is not None and text not in missing]
    respelled = any(strict.plain(column.name, text) not in (text, None) for text in present)
    found.dates += forms if respelled or (found.inferred and not rest) else ()
    found.others_missing += [column.name] if rest else []
    if _months_or_days(column.domain, formats):
        found.ambiguous.append(column.name)


def _note_numbers(source: Source, column: Column, missing: set[str], found: Detected) -> None:
    name, decimal = column.name, getattr(source, "decimal", ".") or ""
    for sign in (None, *THOUSANDS):
        decimals = {",": ".", ".": ","}.get(sign or "", decimal)
        for point in (decimals,) if decimals else (".", ","):
            number = re.compile(_NUMBERS[point], re.ASCII)
            spelling = Spelling(sign, UNITS, (), (name,))
            texts = [text for text in column.domain if text is not None and text not in missing]
            plain = {text: spelling.plain(name, text) or "" for text in texts}
            fitting = [text for text in texts if number.fullmatch(plain[text])]
            changed = [text for text in fitting if plain[text] != text.strip()]
            odd = [text for text in texts if not number.fullmatch(plain[text])]
            if any(map(_LABEL.match, fitting)):
                return
            if fitting and not changed and not odd:
                found.pointed |= point == "." and any("." in text for text in fitting)
                padded = any(text != text.strip() for text in fitting)
                found.top_codes += [name] if padded else []  # read without the spaces around them
                texts_by_type = found.inferred and max(map(len, fitting)) <= LONGEST
                found.others_missing += [name] if texts_by_type and not padded else []
                return
            if not fitting or any(any(map(str.isdigit, text)) and text[:1] != "#" for text in odd):
                continue
            if odd and _other_rows(source, column, Spelling(sign, UNITS, (), (name,), (name,)), missing) is None:
                continue
            _note(source, column, sign, fitting, changed, found)
            found.others_missing += [name] if odd else []
            return


def _note(
    source: Source, column: Column, sign: str | None, fitting: Sequence[str], changed: Sequence[str], found: Detected
) -> None:
    """Note the signs that texts of many rows have; a unit that fewer have is not named."""
    rows = dict(zip(column.domain, rows_per_value(source, column.name).tolist(), strict=False))
    if sign is not None and any(sign in text.translate(ALIKE) for text in changed):
        found.thousands.setdefault(sign, []).append(column.name)
    for unit in UNITS:
        holding = [
            text for text in changed if re.sub(r"[\d.,' <>=≤≥+-]", "", text.translate(ALIKE)) == unit.replace(" ", "")
        ]
        if sum(rows[text] for text in holding) >= NAMED:
            found.units.setdefault(unit, []).append(column.name)
    if any(text[0] in "<>≤≥" or text.endswith("+") for text in map(str.strip, fitting)):
        found.top_codes.append(column.name)


def _other_rows(source: Source, column: Column, strict: Spelling, missing: set[str]) -> int | None:
    """The rows whose text is neither a number nor a date; None if there are more than a few."""
    rows = rows_per_value(source, column.name)
    texts = [(text, count) for text, count in zip(column.domain, rows.tolist(), strict=False)
             if text is not None and text not in missing]  # fmt: skip
    rest = int(sum(count for text, count in texts if strict.plain(column.name, text) is None))
    return rest if rest <= (1 - FITTING) * sum(count for _, count in texts) else None


def date_formats(texts: Sequence[str]) -> list[str]:
    """The formats of dates, the most frequent first; empty if these are not dates, or nobody can tell days from months.
    Whole ISO dates need no format."""
    shapes: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for text in texts:
        match = _DATE.fullmatch(text.strip())
        if match:
            shapes.setdefault(_shape(match), []).append((int(match["one"] or 1), int(match["two"] or 1)))
    if sum(map(len, shapes.values())) < FITTING * len(texts) or {form for form, *_ in shapes} == {"%Y%m%d"}:
        return []  # digits alone are dates where nothing else says so only by their column's name
    formats = []
    for (form, sign, clock), numbers in sorted(shapes.items(), key=lambda shape: -len(shape[1])):
        first, second = np.array(numbers).max(axis=0)
        if first > 12 and second > 12:
            return []
        day_first = first > 12 or (second <= 12 and sign in ".-")
        order = form.replace("one", "%d" if day_first else "%m").replace("two", "%m" if day_first else "%d")
        formats.append(order + clock)
    return formats


def _shape(match: re.Match[str]) -> tuple[str, str, str]:
    """The form of a date, with `one` and `two` for day and month in unknown order; its sign; and its time."""
    if match["Y"]:
        form, sign = "%Y{0}%m{0}%d".format(match["a"]), match["a"]
    elif match["one"]:
        form, sign = "one{0}two{0}{1}".format(match["b"], "%Y" if len(match["year"]) == 4 else "%y"), match["b"]
    elif match["packed_day"]:
        form, sign = "%Y%m%d", ""
    elif match["only"]:
        form, sign = f"%m{match['e']}%Y", match["e"]
    elif match["day"]:
        form, sign = "%d{0}%b{0}{1}".format(match["c"], "%Y" if len(match["then"]) == 4 else "%y"), match["c"]
    else:
        form, sign = f"%b %d,{' ' if ', ' in match[0] else ''}%Y", " "
    if match["packed"]:
        return form, sign, f"{match['gap']}%H%M"
    if not match["hour"]:
        return form, sign, ""
    half = match["half"] or ""
    clock = f"{'%I' if half else '%H'}:%M{':%S' if match['second'] else ''}{' ' if half[:1] == ' ' else ''}"
    return form, sign, match["gap"] + clock + ("%p" if half else "")


def _months_or_days(texts: Sequence[Any], formats: Sequence[str]) -> bool:
    """Whether days and months could be exchanged in all dates."""
    matches = [_DATE.fullmatch(str(text).strip()) for text in texts if text is not None]
    both = [(int(match["one"]), int(match["two"])) for match in matches if match and match["one"]]
    return bool(both) and max(map(max, both)) <= 12 and any("/" in form for form in formats)


_AS_VALUE = re.compile(r"[$€£<>≤≥]?[-+]?[\d.,' ]*\d[\d.,' ]*[%+]?", re.ASCII)


def with_header(path: Path, dialect: Dialect) -> Dialect:
    """How a CSV file or a sheet is read, also if its first line is a record."""
    from fairveil.data import csv_reader, excel
    from fairveil.data.file_formats import CSV, WORKBOOKS

    name = path.name.lower()
    first = csv_reader.first_records if name.endswith(CSV) else excel.first_records
    if not name.endswith((*CSV, *WORKBOOKS)) or not path.is_file() or dialect.header == "no":
        return dialect
    return replace(dialect, header="no") if lacks_header(first(path, dialect)) else dialect


def lacks_header(lines: Sequence[Sequence[str]]) -> bool:
    """Whether the first line of a file is a record, as those below it: it has values where they have numbers or dates;
    or, where they have none, each of its texts occurs in its own column, and there are several.

    >>> lacks_header([["f", "31"], ["m", "40"]]), lacks_header([["sex", "2019"], ["m", "40"]])
    (True, False)
    >>> lacks_header([["f", "flu"], ["m", "flu"], ["f", "cold"]]), lacks_header([["sex", "flu"], ["f", "flu"]])
    (True, False)
    """
    if len(lines) < 2:
        return False
    first, rest = lines[0], [line for line in lines[1:] if len(line) == len(lines[0])]
    valued, again = [], 0
    for position, name in enumerate(first):
        cells = [line[position].strip() for line in rest if line[position].strip()]
        again += name.strip() in cells
        if cells and sum(map(_is_value, cells)) > len(cells) / 2:
            valued.append(name.strip())
    if not valued:
        return again == len(first) > 1
    whole = [int(name) for name in valued if name.isascii() and name.isdigit() and len(name) < 9]
    named = len(whole) == len(valued) and (
        all(1900 <= number <= 2100 for number in whole) or whole == list(range(whole[0], whole[0] + len(whole)))
    )  # years, or columns that are numbered
    return all(map(_is_value, valued)) and (not named or (len(whole) == 1 and whole[0] < 1900))


def _is_value(text: str) -> bool:
    return bool(_AS_VALUE.fullmatch(text) or _DATE.fullmatch(text))
