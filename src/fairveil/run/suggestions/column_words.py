"""The words in the name of a column, however it is written.

Names are split where the case changes, at digits and at signs, without accents; words that stand together are
taken apart as long as every part is known:

>>> sorted(words_of("patientLastName")), sorted(words_of("nwhite", ["white"])), sorted(words_of("agesq", ["age"]))
(['last', 'name', 'patient'], ['white'], ['age'])
>>> sorted(words_of("Geschäftsführer")), sorted(words_of("hispan", ["hispanic"])), sorted(words_of("Wages", ["wage"]))
(['geschaftsfuhrer'], ['hispanic'], ['wage'])
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


NAMED = 10
"""Values of fewer rows are not named: the plan, and thus the recipe, would disclose that they occur."""
AFFIXES = word_set(
    "n nn non not no nb num log ln l sq square squared is has had have was ever never pre post base hi high low "
    "poor my own wife wives husb husband mother father mom mum dad mat pat fam d f m h y c x first last total tot "
    "new old max min mean avg average med std cat grp group bin dummy flag ind code cd type val value pct per cur "
    "current curr prev prior lag lead rel abs adj est orig raw tr fr de la le les el los der die das von of the "
    "in on at by to and for z idx lvl level num cl resp head hh count ct cnt freq mth mnth yr yrs mom week form "
    "manage state status part port post out o pp hus young more less lt le ge gt under over gp gr grp grps abb typ "
    "oth other othr lev cm kg lbs oz gm grams mg dl years year big small amt ed yearly "
    "monthly weekly daily hourly annual annually dec band bracket range rng cde desc txt seit since clm q cum"
)
"""Parts of a word that say nothing of their own: the logarithm of a wage is a wage."""
JOINING = word_set("of for in de du des der von per")
"""What a name is about stands before these words."""
ENDINGS = ("s", "es", "en", "n", "e", "ness")
"""Of plurals, cases and nouns."""
HEAD, FEW_WORDS = 3, 4
"""The fewest letters of a last word that would say what a name is about, and the most words of such a name."""
SHARED = 3
"""From this number of columns on, a last word that says nothing is not what they are about."""
_LAST_WORD = re.compile(r"(?P<rest>.*[^\W_].*?)[\W_]+(?P<word>[^\W\d_]{2,})", re.DOTALL)
NO_HEADS = word_set("tract nation ability ration state rates items")
"""Words that others merely end with: urination, irritability."""
SHORT = frozenset(
    {"age", "job", "sex", "inc", "edu", "doc", "vis", "hrs", "kid", "bmi", "sch", "fam", "geb", "msa", "wgt", "gpa"}
)
NUMBERING = frozenset({"id", "nr"})
"""At the end of a word they say that it numbers: `childid`."""
SHORTEST = 4
"""Fewest letters of a known word after a single letter, so that `sill` is no illness; the SHORT ones may follow."""
MAX_NAME = 200
"""Letters of a name that are examined: finding words takes the square of them."""
MEANT = (0.4, 0.4, 0.6)
"""The smallest share of a word that its known parts make up, with up to one other part, and with several."""
OTHERS = word_set(
    "invalid proper super contra patron patrons massage message image package stage storage dosage mileage coverage "
    "related matrix overage leverage program programs programme deduct deducts deduction abstract"
)
"""Words that others merely begin or end with: properties, supervisors, contracts, patronymics, ages."""
LETTER, WHOSE = 6, "tshfmwcprg"
"""The letters that a word has at least after one that says whose it is, as in `tethnicity` of a teacher, and those for
teachers, students, heads, fathers, mothers, wives, children, parents, respondents and grandparents."""
PREFIX = 5
"""Fewest letters of a word that stands for a longer one: `hispan`, `relig`."""


def folded(text: str) -> str:
    """Lower case without accents: as names are compared."""
    text = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").lower())
    return "".join(letter for letter in text if not unicodedata.combining(letter))


def words_of(name: str, known: Collection[str] = ()) -> set[str]:
    """The words in a column's name; those among `known` words are found inside others as well."""
    vocabulary = known if isinstance(known, frozenset) else frozenset(known)
    words = _tokens(name)
    whole = "".join(words)
    if whole in vocabulary:
        return {*words, whole}
    if len(words) > 1 and all(len(word) == 1 for word in words):
        words = [whole]
    parts = {part for word in words for part in _known_parts(word, vocabulary)}
    if parts & vocabulary or len(words) < 2 or max(map(len, words)) > SHORTEST:
        return parts
    return parts | (_known_parts(whole, vocabulary) & vocabulary)


def head_of(name: str, known: frozenset[str]) -> set[str]:
    """The known words in the last word of a name of several, which is what it is about in English and German.

    >>> head_of("JobSatisfaction", frozenset({"job", "satisfaction"}))
    {'satisfaction'}
    >>> head_of("Month of absence", frozenset({"month", "absence"}))
    {'month'}
    """
    words, several = _before_joint(name)
    return set(_known_parts(words[-1], known) & known) if several else set()


def has_unknown_head(name: str, known: frozenset[str]) -> bool:
    """Whether a name of a few words ends with one that says nothing: what others say is then said in passing.

    >>> has_unknown_head("job_seek", frozenset({"job"})), has_unknown_head("job_title", frozenset({"job", "title"}))
    (True, False)
    """
    words, _ = _before_joint(name)
    return (
        1 < len(words) <= FEW_WORDS
        and len(words[-1]) >= HEAD
        and _tokens(name)[-1] == words[-1]
        and not _known_parts(words[-1], known) & known
    )


def without_shared_ends(names: Sequence[str], known: frozenset[str]) -> list[str]:
    """The names of a file's columns without a last word that says nothing and that several of them share, such as whom
    they are about; names that are known as a whole stay.

    >>> without_shared_ends(["Sexo Vic", "Ocupa Vic", "Hijos Vic", "Fecha"], frozenset({"sexo", "hijos", "fecha"}))
    ['Sexo', 'Ocupa', 'Hijos', 'Fecha']
    """
    ends = [_LAST_WORD.fullmatch(name) if "".join(_tokens(name)) not in known else None for name in names]
    words = [folded(end["word"]) if end is not None else "" for end in ends]
    times = Counter(words)
    shared = {word for word in times if word and times[word] >= SHARED and not _known_parts(word, known) & known}
    return [
        end["rest"] if end is not None and word in shared else name
        for name, end, word in zip(names, ends, words, strict=True)
    ]


def _before_joint(name: str) -> tuple[list[str], bool]:
    """The words of a name before one that joins, without those that say nothing of their own, and whether it had
    others."""
    tokens = _tokens(name)
    joint = next((place for place, word in enumerate(tokens) if place and word in JOINING), len(tokens))
    words = [word for word in tokens[:joint] if word not in AFFIXES]
    return words, len(words) > 1 or bool(words and joint < len(tokens))


def spelled_words(name: str) -> list[str]:
    """The words of a name as it is written, in their order, without accents.

    >>> spelled_words("Arrêt_travail (jours)")
    ['arret', 'travail', 'jours']
    """
    return _tokens(name)


def _tokens(name: str) -> list[str]:
    """The words of a name as it is written, in their order."""
    spaced = re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ]{2,})", " ", name[:MAX_NAME])
    return [word for word in re.split(r"[\W\d_]+", folded(spaced)) if word]


@lru_cache(maxsize=20_000)
def _known_parts(word: str, known: frozenset[str]) -> frozenset[str]:
    """The known words in a word: itself, its singular, its parts if all are known, or the only longer one it begins."""
    if word in OTHERS or (word in AFFIXES and word not in known):
        return frozenset({word})
    singular = [word.removesuffix(end) for end in ENDINGS if word.endswith(end) and len(word) > len(end) + 3]
    singular += [f"{word[:-3]}y"] if word.endswith("ies") else []
    for form in (word, *singular, _abbreviated(known).get(word, "")):
        if form in known:
            return frozenset({form})
    if parts := _parts(word, known):
        return frozenset(part for part in parts if part in known and _means(part))
    for end in ("num", "nr", "no", "id", "code"):
        stem = word.removesuffix(end)
        if stem != word and len(stem) >= SHORTEST and (places := [entry for entry in known if entry.startswith(stem)]):
            return frozenset({min(places, key=lambda entry: (len(entry), entry)), end})  # villnum
    plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    if plain != word and len(word) > LETTER and (found := _known_parts(plain, known)) & known:
        return found  # nationalitaet
    stem = word[:-2]
    if stem in known and len(stem) >= SHORTEST and stem not in AFFIXES and not {*word[-2:]} & _VOICED:
        return frozenset({stem})  # educwm, of a wife's mother
    longer = {entry for entry in known if len(word) >= PREFIX and entry.startswith(word) and word not in AFFIXES
              and 2 * len(word) >= len(entry)}  # fmt: skip
    ends = {word[start:] for start in range(2, len(word) - PREFIX + 1)}  # the end of a compound is its head
    ends |= {word[1:]} if len(word) > LETTER and word[0] in WHOSE else set()
    ends &= known - NO_HEADS
    if longer or ends:
        return frozenset({min(longer, key=len) if longer else max(ends, key=len)})
    short = [entry for entry in known if _is_short_for(word, entry)]
    return frozenset({min(short, key=lambda entry: (len(entry), entry))} if short else {word})


def _is_short_for(short: str, word: str) -> bool:
    """Whether a word becomes a shorter one by leaving out some letters in the middle, as educatn."""
    if len(short) >= len(word) or short[:STEM] != word[:STEM] or short[-1] != word[-1]:
        return False
    letters = iter(word)
    return len(short) >= max(PREFIX, MOST_LEFT * len(word)) and all(letter in letters for letter in short)


def _means(part: str) -> bool:
    """Whether a known part of a word means what it would mean alone: `ed` at the end of `grouped` is no education."""
    return len(part) >= SHORTEST or part in SHORT or part in NUMBERING


def _parts(word: str, known: frozenset[str]) -> list[str]:
    """Known words and affixes that make up a word, the fewest of them, at least one of them known; empty if none do."""
    best: dict[int, list[str]] = {0: []}
    short = _abbreviated(known)
    for end in range(1, len(word) + 1):
        for start in range(end):
            part = word[start:end]
            last = part in NUMBERING and end == len(word) and start >= SHORTEST
            meant = part in known and (len(part) >= SHORTEST or part in SHORT or last)
            meant = meant or (part in short and len(short[part]) > len(part) + 1)
            if start in best and (
                meant
                or part in AFFIXES
                or (len(part) == 1 and end == len(word) and best[start][-1:] and best[start][-1] in known)
                or (part.endswith("s") and part[:-1] in known and end - start > SHORTEST)
            ):
                whole = [
                    *best[start],
                    part if part in known or part in AFFIXES or len(part) == 1 else short.get(part, part[:-1]),
                ]
                if end not in best or _worth(whole, known) > _worth(best[end], known):
                    best[end] = whole
    found = best.get(len(word), [])
    meaning = [part for part in found if part in known and (len(part) >= SHORTEST or part in SHORT)]
    letters, affixes = sum(map(len, meaning)), len(found) - len(meaning)
    return found if letters >= max(3, MEANT[min(affixes, 2)] * len(word)) else []


STEM, MOST_LEFT = 3, 0.7
"""First letters that a shortened word keeps, beside the last one, and the share of its letters: educatn, voluntr."""
_VOICED = frozenset("aeiouy")
VOWELS = str.maketrans("", "", "aeiou")
"""What abbreviations leave out."""


@lru_cache(maxsize=8)
def _abbreviated(known: frozenset[str]) -> dict[str, str]:
    """Known words by their first letter and their consonants, as names are often shortened.

    >>> _abbreviated(frozenset({"mental", "health"}))
    {'hlth': 'health', 'mntl': 'mental'}
    """
    short: dict[str, str] = {}
    for word in sorted(sorted(known), key=len):
        letters = word[:1] + word[1:].translate(VOWELS)
        if SHORTEST <= len(letters) < len(word):
            short.setdefault(letters, word)
    return short


def _worth(parts: Sequence[str], known: frozenset[str]) -> tuple[int, int]:
    return sum(len(part) for part in parts if part in known), -len(parts)
