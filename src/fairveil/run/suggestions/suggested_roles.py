"""Roles of the columns of a file, each with its reason and how sure it is, for the audience that will read the release.

The kinds of columns come from the evidence (`column_evidence.py`). `ROLES` says which role each kind has, and
`KNOWN_TO` whom a release has to be safe from: what the attackers of an audience can look up or see is quasi, and
the rest is sensitive. Identifiers listed in the Safe Harbor rule of HIPAA are detected and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from fairveil.run.suggestions.column_evidence import KINDS, Clue, Judgement, clues_of, of_each_other
from fairveil.run.suggestions.column_facts import NEARLY, Facts
from fairveil.run.suggestions.column_topics import VOCABULARY
from fairveil.run.suggestions.column_words import without_shared_ends, word_set
from fairveil.run.suggestions.evidence_words import BORN
from fairveil.run.suggestions.standards import said_by_standards

if TYPE_CHECKING:
    from fairveil.run.suggestions.looks import Look

Audience = Literal["public", "partners", "internal"]
AUDIENCES: tuple[Audience, ...] = get_args(Audience)
UNSURE = 0.6
"""Suggestions that are less certain are asked for."""
SOME = 0.01
"""Below this share of rows with unique values, few values cover many people each."""

FEW_NUMBERED = 10
"""Different codes in a column that its name calls numbers of people, who may have several records each."""

ROLES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("name", "number"), ("identifier",)),
    **{"person": ("person",), "household": ("household",), "weight": ("weight",)},
    **dict.fromkeys(("text", "code", "empty", "technical", "staff"), ("drop",)),
    "ground": ("quasi", "protected"),
    "belief": ("sensitive", "protected"),
    **dict.fromkeys(("place", "date", "life", "body", "unit", "thing"), ("quasi",)),
    **dict.fromkeys(("health", "genes", "money", "crime", "politics", "sexlife", "score", "outcome"), ("sensitive",)),
    "unknown": ("sensitive",),
    "decision": ("decision",),
    "plain": ("plain",),
}  # fmt: skip
"""The roles of each kind, in the schema that there is."""
KNOWN_TO: Mapping[str, Set[Audience]] = {"life": {"public", "partners"}, "body": {"public", "partners"}}
"""Kinds that only these audiences' attackers know; to others they are sensitive."""
ATTACKERS: Mapping[Audience, tuple[str, str, str]] = {
    "public": (
        "Anybody: neighbours, colleagues, journalists, companies with data of their own.",
        "They know or see sex, age, origin, family, home, school, work, dates and places, and search for people.",
        "They must not learn health, money, crime, opinions or scores.",
    ),
    "partners": (
        "Partners who sign a licence, and anybody who gets the file from them.",
        "They know or see sex, age, origin, family, home, school, work, dates and places of a person they recognise.",
        "They must not learn health, money, crime, opinions or scores.",
    ),
    "internal": (
        "Colleagues under contract, in a safe room, who do not search for anybody.",
        "They could recognise somebody by sex, age, origin, dates and places; they look nothing else up.",
        "They must not learn health, money, crime, opinions or family.",
    ),
}  # fmt: skip
"""Who is assumed to attack, in three lines."""

_NAMING: Mapping[Look, str] = {
    "e-mail addresses": "e-mail addresses", "web addresses": "URLs", "IP addresses": "IP addresses",
    "UUIDs": "other unique codes", "bank account numbers": "account numbers", "card numbers": "account numbers",
    "social security numbers": "social security numbers", "phone numbers": "telephone numbers",
    "names of people": "names",
}  # fmt: skip
"""Looks that identify on their own, and their names in the Safe Harbor rule."""
_HARBOR: Mapping[str, Set[str]] = {
    "fax numbers": {"fax"}, "telephone numbers": {"phone", "telephone", "tel", "telefon", "mobile"},
    "medical record numbers": {"mrn", "record"},
    "health plan numbers": {"policy", "insurance", "beneficiary"}, "account numbers": {"account", "konto", "iban"},
    "licence numbers": {"licence", "license", "certificate"}, "vehicle identifiers": {"vin", "plate", "vehicle"},
    "device identifiers": {"device", "serial"}, "biometric identifiers": {"fingerprint", "biometric", "voiceprint"},
    "photographs": {"photo", "photograph", "image"}, "social security numbers": {"ssn"},
    "e-mail addresses": {"email", "mail"}, "URLs": {"url"}, "IP addresses": {"ip"},
}  # fmt: skip
SMALLER = word_set(
    "city town village county parish municipality borough precinct tract street address district suburb neighborhood "
    "neighbourhood geocode geohash"
)
"""Words of places smaller than a state, however many of them occur."""
WIDE = word_set("state country nation nationality continent")
"""Words of places that Safe Harbor lets stay."""
ABOUT_PLACES = word_set("size type kind population density class urban rural distance number count state country")
"""Words of what says no more of a place than these."""


@dataclass(frozen=True)
class Suggestion:
    """Roles for a column and why; how sure that is from 0 to 1, and what it could be otherwise; which identifier of
    the Safe Harbor rule it is, if any."""

    roles: tuple[str, ...]
    reason: str
    kind: str
    certainty: float
    otherwise: tuple[str, ...] = ()
    safe_harbor: str = ""


def roles_of_kind(kind: str, audience: Audience) -> tuple[str, ...]:
    """The roles of a kind of column, for an audience."""
    return ROLES[kind] if audience in KNOWN_TO.get(kind, AUDIENCES) else ("sensitive",)


def suggest_roles(columns: Sequence[Facts], audience: Audience = "partners") -> list[Suggestion]:
    """Roles for the columns of a file, in their order; at most one of them is the decision."""

    def same(kind: str, other: str) -> bool:
        return roles_of_kind(kind, audience) == roles_of_kind(other, audience)

    names = without_shared_ends([column.name for column in columns], VOCABULARY)
    alone = [clues_of(replace(column, name=name)) for column, name in zip(columns, names, strict=True)]
    for position, said in said_by_standards([column.name for column in columns]).items():
        alone[position].append(Clue(*said))
    judged = of_each_other(columns, alone, same)
    decisions = [position for position, judgement in enumerate(judged) if judgement.kind == "decision"]
    for position in decisions[:-1]:  # the last one is usually the outcome
        judged[position] = replace(
            judged[position], kind="outcome", reason="looks like an outcome, and there is one decision"
        )
    return [_suggestion(column, judgement, audience) for column, judgement in zip(columns, judged, strict=True)]


def _suggestion(column: Facts, judgement: Judgement, audience: Audience) -> Suggestion:
    roles = roles_of_kind(judgement.kind, audience)
    otherwise = roles_of_kind(judgement.otherwise, audience) if judgement.otherwise else ()
    if judgement.kind == "decision" and judgement.otherwise != "unknown" and otherwise[:1] == ("sensitive",):
        roles, otherwise = ("sensitive", "decision"), ()  # an income is a decision, and nobody's business
    reason = judgement.reason
    if judgement.reason != KINDS[judgement.kind] and roles[-1] != "decision" and roles[0] in ("quasi", "sensitive"):
        reason = f"{reason}: {_who(judgement.kind, roles)}"
    return Suggestion(
        roles, reason, judgement.kind, judgement.certainty, otherwise, _safe_harbor(column, judgement.kind)
    )


_WHO = {
    "place": "others know where somebody lives", "date": "others know when it happened", "body": "others see it",
    "unit": "others know it", "thing": "others know it",
}  # fmt: skip


def _who(kind: str, roles: tuple[str, ...]) -> str:
    """Who could know a column of this kind."""
    if roles == ("quasi", "protected"):
        return "others see it or can look it up, and it is a ground of discrimination"
    if roles == ("sensitive", "protected"):
        return "nobody may learn it, and it is a ground of discrimination"
    if roles == ("quasi",):
        return _WHO.get(kind, "others know it of people around them")
    return "nobody may learn it"


def _safe_harbor(column: Facts, kind: str) -> str:
    """The name of this column in the Safe Harbor rule; empty if it is not listed."""
    words, look = column.words, column.look
    if look in _NAMING:
        return _NAMING[look]
    if column.distinct > 1 and words & SMALLER and not words & ABOUT_PLACES:
        return "places smaller than a state"
    if words & WIDE and look in ("text", "codes"):
        return ""
    told_apart = column.unique >= SOME or (look in ("postcodes", "text") and column.distinct > 20)
    numbers = told_apart or (look == "codes" and column.distinct >= FEW_NUMBERED)
    for called, meant in _HARBOR.items():
        if words & meant and numbers:
            return called
    if kind == "name" and told_apart:
        return "names"
    if look == "postcodes" or (kind == "place" and told_apart):
        return "places smaller than a state"
    if look in ("dates", "times", "dates as text", "dates as numbers", "months") or (look != "years" and words & BORN):
        return "dates more exact than a year"
    if look == "ages":
        return "ages over 89"
    return "other unique codes" if column.unique >= NEARLY and look in ("codes", "text", "integers") else ""
