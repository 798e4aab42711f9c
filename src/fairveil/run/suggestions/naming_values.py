"""Values that name or number people whatever their column is called: addresses, points, plates, documents, cases, user
names, names in small letters, and sentences that people wrote.

>>> naming_look(["50 Park Rd", "12 Mill Lane", "7a Church St"]), naming_look(["C/ Mayor 75, 7ºA", "Avda. Sol 3"])
('street addresses', 'street addresses')
>>> naming_look(["26 Js 4/23", "3 Ls 112/22"]), naming_look(["Sales", "North", "Mill Lane"])
('numbers of cases', '')
>>> is_told(["not here often, ask me", "Dog person. I love my garden"]), is_told(["Theft of a vehicle", "Sale of wine"])
(True, False)

A look is assigned if nearly all texts have it, and says nothing about how many values there are: `evidence_table.py`
says how many people they tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fairveil.run.suggestions.column_words import folded, word_set
from fairveil.run.suggestions.known_names import GIVEN_NAMES, SURNAMES

NEARLY, HALF, SOME = 0.8, 0.5, 0.3
"""The share of the texts that have a look; that name a street, among those with a number; and that are sentences."""

_STREETS = word_set(
    "street st road rd avenue ave av lane ln drive dr close court ct way crescent cres terrace square sq boulevard "
    "blvd grove gardens mews highway hwy parkway pkwy flat apt apartment unit suite rue allee chemin impasse bd place "
    "quai cours route "
    "calle c avda avenida plaza pza paseo camino ctra carretera travesia ronda via viale piazza corso largo vicolo "
    "strada rua travessa praca alameda rodovia estrada ul ulica aleja utca ulitsa calea strasse weg platz am ring "
    "steinweg markt laan straat plein"
)
"""Words of streets."""
_STREET_ENDS = ("str", "strasse", "weg", "allee", "platz", "gasse", "damm", "ufer", "straat", "laan", "plein", "gracht",
                "kade", "dijk", "steeg", "singel", "vej", "gade", "gatan", "vagen", "veien", "katu", "tie")  # fmt: skip
_HOUSE = re.compile(
    r"\d+\s?[a-z]?(-\d+)?(\s(bis|ter))?[\s,]+[^\W\d].*"  # 12 bis, rue de la Paix
    r"|[^\W\d].*?[\s,]+(n[°ºo]?\.?\s?)?\d{1,5}\s?([-/]\s?[\divx]+|[a-z])?([\s,;].*)?"  # Hauptstr. 12a
)
_LOOKS: Mapping[str, re.Pattern[str]] = {
    "points on a map": re.compile(
        r"\(?-?\d{1,3}[.,]\d{3,}\s?[,; ]\s?-?\d{1,3}[.,]\d{3,}\)?|point ?\(-?[\d.]+ -?[\d.]+\)"
        r"|\d{1,2}°[\d.'’′\"″ ]*[ns][ ,]*\d{1,3}°[\d.'’′\"″ ]*[ewo]"
    ),
    "numbers of identity documents": re.compile(
        r"\d{8}-?[a-z]|[xyz]-?\d{7}-?[a-z]"  # Spain
        r"|[a-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[a-d]"  # Britain
        r"|[a-z]{6}\d{2}[a-z]\d{2}[a-z]\d{3}[a-z]"  # Italy
        r"|[1-478] ?\d{2} ?[0-9]{2} ?[\dab]{2} ?\d{3} ?\d{3}( ?\d{2})?"  # France
        r"|\d{2} ?\d{6} ?[a-z] ?\d{3}|\d{2} \d{3} \d{3} \d{3}"  # Germany
        r"|\d{3}\.\d{3}\.\d{3}-\d{2}|756\.\d{4}\.\d{4}\.\d{2}"  # Brazil, Switzerland
        r"|(\d{2})?\d{6}[-+]\d{4}|\d{4} \d{4} \d{4}|\d{3} \d{3} \d{4}|\d{3}-\d{2}-\d{4}"
    ),
    "number plates": re.compile(
        r"[a-zäöü]{1,3}-[a-z]{1,2} ?\d{1,4}[eh]?|[a-z]{2}-\d{3}-[a-z]{2}|[a-z]{2}\d{2} ?[a-z]{3}"
        r"|\d{4}[ -]?[bcdfghjklmnpqrstvwxyz]{3}|[a-z]{2} ?\d{3} ?[a-z]{2}|[a-z]{3}-?\d[a-z\d]\d{2}"
    ),
    "initials": re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}"),
    "phone numbers": re.compile(
        r"\+\d{1,3}[ ./-]?[\d ()./-]{6,}\d"
        r"|(?!\d{1,2}[/.]\d{1,2}[/.]\d{2})\(?0\d{1,4}[) ./-]{1,2}[\d ./-]{4,}\d"  # dates are none
    ),
    "surnames with initials": re.compile(
        r"([^\W\d_]\.[ -]?){1,3}[^\W\d_]{3,}([ -][^\W\d_]+)?|[^\W\d_]{3,}([ -][^\W\d_]+)?,? ([^\W\d_]\.[ -]?){1,3}"
    ),
    "addresses of devices": re.compile(r"([\da-f]{2}[:-]){5}[\da-f]{2}"),
    "numbers of cases": re.compile(
        r"\d{1,4} [a-z]{1,4} \d{1,5}[/-]\d{2,4}|[a-z]{1,5}[ -]?\d{1,6}/(19|20)?\d{2}(-[a-z\d]+)?"
    ),
    "user names": re.compile(r"@[\w.]{3,}|[a-z]\.[a-z]{3,}\d{0,3}"),
    "web addresses": re.compile(r"([a-z\d-]+\.)+[a-z]{2,}/\S+"),
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}"),
}  # fmt: skip
"""Looks in small letters."""
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NAME = re.compile(r"[^\W\d_][^\W\d_'’.-]*(,? [^\W\d_][^\W\d_'’.-]*){1,3}")
_KNOWN = word_set(GIVEN_NAMES) | word_set(SURNAMES)
_SPEAKING = word_set(
    "i i'm i've i'd my me we our us you your he she his her they their don't doesn't didn't can't won't isn't wasn't "
    "it's that's let's is are was were am has had have will would please just never always lol "
    "ich mir mich mein meine wir uns sie ihr ist sind war waren hat hatte wird wurde nicht kein keine bitte "
    "je j'ai j'aime moi mon ma mes nous vous c'est est sont etait n'est pas qui "
    "yo mi mis me nos soy es esta fue son tiene tengo no muy porque "
    "io mio mia sono sei ho ha non molto eu meu minha sou foi nao tem ik mijn wij zijn heeft niet geen"
)
"""Words of people who speak of themselves or of others, which labels seldom have."""
LONGEST = 150
"""Letters of a text that are examined."""
FEWEST_WORDS = 3
"""A sentence has at least so many words."""


def naming_look(texts: Sequence[str]) -> str:
    """What nearly all of these texts look like that names or numbers people; empty if nothing."""
    plain = [" ".join(folded(text[:LONGEST]).split()) for text in texts if text.strip()]
    if not plain:
        return ""
    for look, pattern in _LOOKS.items():
        if sum(pattern.fullmatch(text) is not None for text in plain) >= NEARLY * len(plain):
            return look
    housed = [text for text in plain if _HOUSE.fullmatch(text)]
    if len(housed) >= NEARLY * len(plain) and sum(map(_names_street, housed)) >= HALF * len(plain):
        return "street addresses"
    if sum(map(_names_somebody, plain)) >= HALF * len(plain):
        return "names of people"
    return ""


def is_told(texts: Sequence[str]) -> bool:
    """Whether many of these texts are sentences in which people speak of themselves or others."""
    words = [[*map(folded, _WORDS.findall(text))] for text in texts]
    return sum(len(own) >= FEWEST_WORDS and bool({*own} & _SPEAKING) for own in words) >= SOME * max(len(words), 1)


def _names_street(text: str) -> bool:
    words = [word for part in _WORDS.findall(text) for word in part.split("'")]
    return any(word in _STREETS or word.endswith(_STREET_ENDS) for word in words)


def _names_somebody(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and any(word in _KNOWN for word in _WORDS.findall(text))
