"""Roles that a column might have, each with its reason; the safe choice if nothing suggests one.

Identifiers listed in the Safe Harbor rule of HIPAA are detected and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from fairveil.messages import counted
from fairveil.run.suggestions import column_words as known
from fairveil.run.suggestions.column_words import words_of
from fairveil.run.suggestions.looks import Look

NEARLY = 0.9
"""From this share of rows with unique values, a column nearly names people."""
MOST = 0.5
"""The same for texts and codes, which cannot be put into intervals."""
SOME = 0.01
"""Below this share of rows with unique values, few values cover many people each."""
FEW_EACH = 10
"""Up to this mean number of rows per value, an id identifies people with several rows, not categories."""
MANY = 100
"""From this number of codes with a few rows each, codes denote people or cases, not categories."""
HOW_MANY_DECIDE = 10
"""A decision has few values."""

_LISTED = ("text", "integers", "codes", "ICD codes", "postcodes")
"""Looks of values that come from a list, unlike measurements."""
_NAMING: Mapping[Look, str] = {
    "e-mail addresses": "e-mail addresses", "web addresses": "URLs", "IP addresses": "IP addresses",
    "UUIDs": "other unique codes", "bank account numbers": "account numbers", "card numbers": "account numbers",
    "social security numbers": "social security numbers", "phone numbers": "telephone numbers",
    "names of people": "names",
}  # fmt: skip
"""Looks that identify on their own, and their names in the Safe Harbor rule."""
_HARBOR: Mapping[str, Set[str]] = {
    "names": known.NAMING, "fax numbers": {"fax"}, "telephone numbers": known.PHONED,
    "medical record numbers": {"mrn", "record"},
    "health plan numbers": {"policy", "insurance", "beneficiary"}, "account numbers": {"account", "konto", "iban"},
    "licence numbers": {"licence", "license", "certificate"}, "vehicle identifiers": {"vin", "plate", "vehicle"},
    "device identifiers": {"device", "serial"}, "biometric identifiers": {"fingerprint", "biometric", "voiceprint"},
    "photographs": {"photo", "photograph", "image"}, "social security numbers": {"ssn"},
    "e-mail addresses": {"email", "mail"},
    "URLs": {"url"}, "IP addresses": {"ip"}, "places smaller than a state": known.PLACED | {"address", "street"},
}  # fmt: skip


@dataclass(frozen=True)
class Suggestion:
    """Roles for a column, why, and which identifier of the Safe Harbor rule it is, if any."""

    roles: tuple[str, ...]
    reason: str
    safe_harbor: str = ""


def suggest_roles(name: str, look: Look, distinct: int, unique: float, rows: int, missing: int = 0) -> Suggestion:
    """Roles for a column of this name and look, with these numbers of distinct values and rows, and this share of
    rows with unique values. `missing` rows have no value and do not count."""
    words = words_of(name)
    harbor = _safe_harbor(words, look, distinct, unique)
    if distinct + (missing > 0) <= 1:
        return Suggestion(("plain",), "all rows have the same value, so it tells nobody apart", harbor)
    return Suggestion(*_roles(words, look, distinct, unique, rows), harbor)


def _roles(words: set[str], look: Look, distinct: int, unique: float, rows: int) -> tuple[tuple[str, ...], str]:
    if look in _NAMING:
        return ("identifier",), f"its values look like {look}"
    if look == "free text":
        return ("drop",), "its values look like free text, which may name anybody and anything"
    if words & known.IDENTIFYING and unique >= NEARLY / 2 and look not in ("numbers", "amounts"):
        return ("identifier",), f"its name says that it identifies, and {unique:.0%} of the rows have a unique value"
    if _numbers_people(words, distinct, rows) and look not in ("numbers", "amounts", "dates", "times"):
        return ("identifier",), f"its name says that it numbers people, who have {rows / distinct:.1f} rows on average"
    if look == "codes" and distinct > MANY and rows <= FEW_EACH / 2 * distinct:
        return ("identifier",), f"codes of {rows / distinct:.1f} rows each on average: they number people or cases"
    if unique >= (MOST if look in ("text", "codes") else NEARLY) and look in _LISTED:
        return ("identifier",), f"{unique:.0%} of the rows have a unique value: it nearly identifies people"
    if words & known.DECIDING and distinct <= HOW_MANY_DECIDE:
        return ("decision",), f"its name suggests an outcome, and it has only {counted(distinct, 'value')}"
    if look == "ICD codes" or words & known.HURTING:
        return ("sensitive",), "its name or values suggest something that nobody may learn about a person"
    if words & known.PROTECTED:
        return ("quasi", "protected"), "often known to others, and a ground on which people are discriminated against"
    return ("quasi",), _known_to_others(words, look, distinct)


def _numbers_people(words: set[str], distinct: int, rows: int) -> bool:
    """Whether a column numbers people, who may have several rows."""
    if distinct <= HOW_MANY_DECIDE:
        return False
    of_people = bool(words & known.PEOPLE and words & known.NUMBERED) or bool(words & known.PERSON_NUMBERS)
    return of_people or bool(words & known.NUMBERING and distinct > 2 * FEW_EACH and rows <= FEW_EACH * distinct)


def _known_to_others(words: set[str], look: Look, distinct: int) -> str:
    if look in ("dates", "times", "years", "dates as text"):
        return "dates are often known to others: a dates hierarchy coarsens them"
    if look == "postcodes" or words & known.PLACED:
        return "where somebody lives is often known to others"
    if look in ("numbers", "integers", "amounts", "ages") and distinct > 20:
        return f"{distinct:,} different numbers may be known to others: intervals coarsen them"
    return "may be known to others; make it plain only if it cannot be"


def _safe_harbor(words: set[str], look: Look, distinct: int, unique: float) -> str:
    """The name of this column in the Safe Harbor rule; empty if it is not listed."""
    if look in _NAMING:
        return _NAMING[look]
    told_apart = unique >= SOME or (look in ("postcodes", "text") and distinct > 20)
    for called, meant in _HARBOR.items():
        if words & meant and told_apart:
            return called
    if look == "postcodes":
        return "places smaller than a state"
    if look in ("dates", "times", "dates as text") or (look != "years" and words & known.BORN):
        return "dates more exact than a year"
    if look == "ages":
        return "ages over 89"
    return "other unique codes" if unique >= NEARLY and look in ("codes", "text", "integers") else ""
