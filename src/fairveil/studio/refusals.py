"""Refusals: how requests fail, and in which words. A status, a code for programs, and one sentence for people.

Messages name options by the labels of their fields on the page. An answer never contains a traceback.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from fairveil.errors import BadInput, Cancelled, Infeasible
from fairveil.messages import Language, plainly

FIELDS: Mapping[str, str] = {
    "separator": "Delimiter",
    "missing": "Missing values",
    "missing_values": "Treat as missing",
    "decimal": "Decimal separator",
    "choose": "Choose the best by",
    "format": "Format",
    "overwrite": "Overwrite an existing folder",
    "accept": "Dangers",
    "dataset": "Dataset name",
    "publisher": "Publisher",
    "keys": "Sets of columns that attackers know",
    "subsets": "All sets of this many columns",
    "on": "Column of this data",
    "prefix": "Prefix of the new columns",
    "unmatched": "Rows without a partner",
    "repeat": "Allow several partners",
}
"""The labels of fields that differ from the option's name."""
VALUES: Mapping[tuple[str, Any], str] = {
    ("missing", "drop"): "Drop the row",
    ("missing", "category"): "Keep as a category",
    ("unmatched", "keep"): "Keep them",
    ("unmatched", "drop"): "Leave them out",
    ("measure", "slift"): "times the others",
    ("measure", "elift"): "times the average",
    ("measure", "clift"): "times the most favoured group",
    ("measure", "olift"): "odds, times those of the others",
}


class RequestRefused(Exception):
    """Raised to answer a request with this status."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence = status, code, sentence


def unknown(what: str, name: str) -> RequestRefused:
    return RequestRefused(404, f"no-{what}", f"There is no {what} {name[:60]!r} here: it may have been removed.")


_PAGE = re.compile(r" \(docs/[\w-]+\.md\)")


@cache
def _titles() -> tuple[re.Pattern[str], dict[str, str]]:
    """The codes of parts that no reader would use, and what they are called instead."""
    from fairveil import attacks, guards, methods

    titles = {guard.kind: guard.title for guard in guards.GUARDS}
    titles |= {method.kind: f"“{method.title}”" for method in methods.METHODS}
    titles |= {attack.name: f"“{attack.title}”" for attack in attacks.ATTACKS if "-" in attack.name}
    codes = {code: title for code, title in titles.items() if not re.search(rf"\b{code}\b", title)}
    listed = "|".join(sorted(map(re.escape, codes), key=len, reverse=True))
    return re.compile(rf"(?<![\w“-])(?:{listed})(?![\w-]| rule)"), codes


def titled(text: str) -> str:
    """Return a sentence with the titles of guards, methods and attacks instead of their codes, and without pages of the
    documentation, which the studio does not have.

    >>> titled("fair-mdav cannot keep distinct-diversity")
    '“averages of fair groups (Fair-MDAV)” cannot keep ℓ-diversity (distinct values)'
    """
    pattern, titles = _titles()
    return pattern.sub(lambda match: titles[match[0]], _PAGE.sub("", text))


def titled_note(text: str) -> str:
    """Return a note with titles instead of codes; that of the method which it begins with needs no quotation marks.

    >>> titled_note("dmpd: dmpd cannot keep risk-limit")
    'Columns split into tables (DMPD): it cannot keep limit on the risk'
    """
    from fairveil import methods

    kind, colon, rest = text.partition(": ")
    if not colon or kind not in methods.METHODS.names:
        return titled(text)
    rest = re.sub(rf"^{kind}(?= (?!rule))", "it", rest)
    title = methods.METHODS.get(kind).title
    return f"{title[0].upper()}{title[1:]}: {titled(rest)}"


def refusal_of(problem: BaseException) -> RequestRefused:
    """Return any exception as a response; of an unexpected one only the type, since its text may contain data."""
    if isinstance(problem, RequestRefused):
        return problem
    if isinstance(problem, BadInput):
        return RequestRefused(400, "bad-input", titled(str(problem)))
    if isinstance(problem, Infeasible):
        return RequestRefused(409, "infeasible", titled(str(problem)))
    if isinstance(problem, Cancelled):
        return RequestRefused(409, "cancelled", "It was cancelled.")
    if isinstance(problem, MemoryError):
        return RequestRefused(507, "memory", "There is not enough memory for that: try fewer columns or rows.")
    sentence = f"Something in fairveil failed ({type(problem).__name__}): this is a bug in fairveil, not your mistake."
    return RequestRefused(500, "internal", sentence)


def label_of(option: str) -> str:
    """Return the label of an option's field."""
    spaced = option if len(option) <= 2 else option.replace("_", " ").replace("-", " ").capitalize()
    return FIELDS.get(option, spaced)


def value_label(option: str, value: str) -> str:
    """Return the label of a choice of an option."""
    return VALUES.get((option, value), value.replace("_", " ").replace("-", " "))


def _name(option: str) -> str:
    return f"“{label_of(option)}”"


def _given(option: str, value: Any) -> str:
    if (option, value) == ("engine", "memory"):  # the page has no such field
        return "a file with these rows"
    if value is ... or value is True:
        return _name(option)
    listed = value if isinstance(value, list | tuple) else [value]
    return f"{_name(option)}: {', '.join(_value(option, entry) for entry in listed)}"


def _value(option: str, value: Any) -> str:
    if value is ...:
        return "…"
    return f"“{VALUES.get((option, value), value)}”" if isinstance(value, str) else plainly(value)


STUDIO = Language(_name, _given, plainly)
