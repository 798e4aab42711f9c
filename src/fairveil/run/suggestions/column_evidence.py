"""Evidence of what a column is: its name, its values, how they spread, and the other columns.

Each clue speaks for a kind of column with a weight, and the weights of a kind add up. The kind with the largest sum is
suggested. The certainty is its share of the weights for and against: what would lead to another role is against it.

>>> facts = Facts("mother_name", "text", "text", distinct=900, unique=0.8, rows=1000)
>>> [(clue.kind, clue.weight) for clue in clues_of(facts) if clue.weight > 0]  # the last: it repeats too little
[('name', 4), ('name', 3), ('life', 3), ('text', 2.5)]

A weight of 1 is a hint, 3 says it, and a negative one speaks against a kind. What each look of values and each spread
is worth is said in `evidence_table.py`; the words of names are in `column_topics.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fairveil.data.text_form import as_text
from fairveil.run.suggestions.column_facts import FEW, MOST, NEARLY, SEVERAL, Facts
from fairveil.run.suggestions.column_topics import TOPICS, VOCABULARY, kinds_in
from fairveil.run.suggestions.column_values import VALUES
from fairveil.run.suggestions.column_words import (
    folded,
    has_unknown_head,
    head_of,
    spelled_words,
    word_set,
    words_of,
)
from fairveil.run.suggestions.evidence_table import FEW_EACH, TABLE
from fairveil.run.suggestions.topics_known import REACHED

KINDS: Mapping[str, str] = {
    "name": "names people, or how to reach them",
    "person": "numbers people, who have several rows",
    "number": "numbers rows or people",
    "household": "numbers households",
    "weight": "says how many people of the population a row stands for",
    "text": "remarks in words, which may name anybody",
    "ground": "a ground of discrimination, and others see it or can look it up",
    "belief": "a ground of discrimination, and nobody may learn it",
    "place": "others know where somebody lives or was",
    "date": "others know when it happened",
    "life": "others know it of people around them",
    "body": "others see it",
    "unit": "numbers places, institutions or groups, which others know",
    "health": "nobody may learn it: health",
    "genes": "nobody may learn it: genes",
    "money": "nobody may learn it: money",
    "crime": "nobody may learn it: crime",
    "politics": "nobody may learn it: politics or a union",
    "sexlife": "nobody may learn it: sex life",
    "score": "nobody may learn it: a score or an opinion",
    "outcome": "nobody may learn it: what became of somebody",
    "decision": "what is decided about people, or learnt from the data",
    "plain": "says nothing about a person",
    "staff": "names or numbers staff, who are people, too",
    "technical": "says how the record was kept, which nobody needs",
    "empty": "has no value",
    "code": "codes that nothing explains: they may number people",
    "thing": "names things, not people",
    "unknown": "nothing says what it is; nobody may learn it, to be on the safe side",
}
"""Every kind of column, and why it has its role."""
KNOWN_TO_OTHERS = ("ground", "place", "date", "life", "body", "unit", "thing")
"""Kinds that give way to others of the same weight."""
PRIOR, UNKNOWN = 1.0, 0.3
"""The weight of not knowing, and how sure a suggestion is then."""
UNEVEN = 0.1
"""A number that a larger share of the rows has, and that settles nothing that people keep for life, is no person's."""
MAX_EACH = 50
"""Up to this mean number of rows per value, a column may number people."""
MOST_SEXES = 4
"""The most values that are taken for sexes."""
TURN = "says when in a study a record was made"
FEWEST_NAMES = 5
"""The fewest values that are taken for names of people."""
OTHER_TOPICS, SECOND = ("life", "ground", "score"), 0.25
"""Kinds of which several topics in one name say no more than one does, and what the others are worth: the hours of
sleep in a school night are neither school nor work. So are words before a last one that says a place, or nothing."""
LENGTHY, SENTENCE, IN_PASSING = 6, 10, 0.3
"""From the first number of words, the name of a column is a question; from the second, words occur in passing, and are
worth this much."""
SAME_ANSWERS = 3
"""From this number of columns with the same texts, three of them or more, they may be answers to questions."""
MANY_ANSWERS = 6
"""From this number of columns with the same answers, they are a questionnaire, whatever they are called."""
ALIKE = 0.8
"""From this share of the columns with the same texts, they are answers to questions."""


@dataclass(frozen=True)
class Clue:
    """A reason to take a column for a kind."""

    kind: str
    weight: float
    because: str


def clues_of(facts: Facts) -> list[Clue]:
    """The evidence of a column by itself."""
    words = facts.words
    worth = IN_PASSING if len(facts.name.split()) >= SENTENCE else 1
    clues: list[Clue] = []
    head, headless = head_of(facts.name, VOCABULARY), has_unknown_head(facts.name, VOCABULARY)
    placed = "place" in kinds_in(head)
    whole = "".join(letter for letter in folded(facts.name) if letter.isalnum())
    for topic in sorted((topic for topic in TOPICS if topic.said_by(words, whole)), key=lambda topic: -topic.weight):
        again = topic.weight > 0 and topic.kind in OTHER_TOPICS and any(clue.kind == topic.kind for clue in clues)
        passing = placed and topic.kind in _SPOKEN_OF - {"place"} and not topic.said_by(head, whole)
        passing = passing or (headless and topic.kind in ("life", "thing") and not topic.said_by(set(), whole))
        share = SECOND if again or passing else 1
        clues.append(Clue(topic.kind, topic.weight * worth * share, f"its name says {topic.about}"))
    clues += [Clue(topic.kind, topic.weight, f"its values are {topic.about}")
              for topic in VALUES if _share(facts, topic.words) > (0.25 if topic.kind == "name" else MOST)
              and (topic.kind != "name" or facts.distinct >= FEWEST_NAMES)
              and (topic.about != "sexes" or (facts.distinct <= MOST_SEXES and not _are_grades(facts)))
    ]  # fmt: skip
    if "race" in words and any(
        any(map(str.isdigit, as_text(value))) for value in facts.values if isinstance(value, str)
    ):
        clues.append(Clue("ground", -2.5, ""))  # races that are run: 5k, 10k
    if facts.look == "text" and facts.distinct <= FEW < SEVERAL <= facts.rows:
        reached = [clue.weight for clue in clues if clue.because == f"its name says {REACHED}"]
        clues += [Clue("name", -weight, "") for weight in reached]
        numbered = bool(facts.sample) and all(any(map(str.isdigit, text)) for text in facts.sample)
        clues += [Clue("thing", 2, "few values, which cannot reach anybody")] * bool(reached and numbered)
        clues += [Clue("place", 2, "few values, which say a kind of place")] * bool(reached and words & _ADDRESSES)
    ground = any(clue.kind == "ground" for clue in clues)
    clues += [Clue(topic.kind, 1, f"its name says {topic.about}") for topic in TOPICS
              if topic.weight > 0 and topic.kind not in ("name", "number", *(["life"] if ground else []))
              and topic.said_by(head)]  # fmt: skip
    if words & _NAMING and not words & _OF_PERSONS and {"place", "unit", "staff"} & kinds_in(words - _NAMING):
        clues.append(Clue("thing", 4, "its name says names of places or institutions"))
    if (facts.name.rstrip().endswith("?") or len(facts.name.split()) >= LENGTHY) and words & _OPINIONS:
        clues.append(Clue("score", 5, "its name asks for an opinion"))
    filled = {
        "look": facts.look,
        "naming": facts.naming,
        "unique": f"{facts.unique:.0%}",
        "each": f"{facts.rows / max(facts.distinct, 1):.1f}",
    }
    return clues + [
        Clue(kind, weight, because.format(**filled)) for test, kind, weight, because in TABLE if test(facts)
    ]


def _are_grades(facts: Facts) -> bool:
    """Whether the values are low, medium and high, of which two may be sexes."""
    return facts.distinct > 2 and _share(facts, _GRADES) == 1


def _share(facts: Facts, listed: frozenset[frozenset[str]]) -> float:
    """The share of the values that are listed."""
    values = [folded(as_text(value)) for value in facts.values if isinstance(value, str)] or list(facts.sample)
    plain = ["_".join(part for part in value.replace(".", " ").split() if not part.isdigit()) for value in values]
    return sum(frozenset({value}) in listed for value in plain) / len(plain) if len(plain) > 1 else 0.0


@dataclass(frozen=True)
class Judgement:
    """The kind of a column, how sure that is from 0 to 1, the reason, and the kind that comes next."""

    kind: str
    certainty: float
    reason: str
    otherwise: str = ""


def judge(clues: Sequence[Clue], same: Callable[[str, str], bool]) -> Judgement:
    """The kind with the most evidence; kinds of the `same` role do not make it less certain."""
    sums: dict[str, float] = {"unknown": PRIOR}
    for clue in clues:
        sums[clue.kind] = sums.get(clue.kind, 0.0) + clue.weight
    order = sorted(sums, key=lambda kind: (-sums[kind], kind in KNOWN_TO_OTHERS))
    kind = order[0]
    otherwise = next((other for other in order[1:] if sums[other] > 0 and not same(kind, other)), "")
    against = max(sums.get(otherwise, 0.0), 0.0)
    certainty = UNKNOWN if kind == "unknown" else sums[kind] / (sums[kind] + against + PRIOR / 2)
    reasons = [
        clue.because for clue in sorted(clues, key=lambda clue: -clue.weight) if clue.kind == kind and clue.because
    ]
    return Judgement(kind, round(certainty, 2), reasons[0] if reasons else KINDS[kind], otherwise)


def of_each_other(
    columns: Sequence[Facts], clues: Sequence[list[Clue]], same: Callable[[str, str], bool]
) -> list[Judgement]:
    """The judgements of all columns of a file, each in the light of the others."""
    alone = [judge(column, same) for column in clues]
    more = [list(column) for column in clues]
    numbered = _numbered(columns)
    unhealthy = sum(judgement.kind == "health" for judgement in alone)
    sick = unhealthy >= 3 and unhealthy >= 0.1 * len(columns)
    row_number = {c.name for c, j in zip(columns, alone, strict=True) if _counts_rows(c, j)}
    owned = any(j.kind in ("number", "person") and c.unique >= NEARLY and c.name not in row_number
                for c, j in zip(columns, alone, strict=True))  # fmt: skip
    kinds = {column.name: judgement.kind for column, judgement in zip(columns, alone, strict=True)}
    answers = [column.values for column in columns if column.type == "text" or column.distinct >= SAME_ANSWERS]
    settling = _settling(columns, alone, clues)
    families = Counter(_stem(column.name) for column in columns)
    spells = {"start", "stop"} <= {column.name.lower().lstrip("t") for column in columns if column.numeric}
    each = _rows_of_person(columns, alone)
    followed = any(column.words & _BECAME for column in columns)
    tall = any(column.words & {"height", "hgt", "ht", "bmi"} for column in columns)
    for position, (facts, judgement) in enumerate(zip(columns, alone, strict=True)):
        extra = more[position]
        if sick:
            extra.append(Clue("health", 1.2, "stands among columns about health"))
        if spells and facts.numeric and facts.name.lower().lstrip("t") in ("start", "stop"):
            extra.append(Clue("health", 6, "says how long somebody was followed up"))
        if each > 1 and _is_turn(facts, each, followed):
            extra.append(Clue("plain", 6, TURN))
        if tall and "body" in kinds_in(facts.words):
            extra.append(Clue("weight", -4, ""))
        siblings = [kinds[name] for name in facts.apart if kinds[name] in ("life", "place", "ground", "date", "health")]
        if judgement.kind == "unknown" and siblings:
            kind = max(sorted(set(siblings)), key=siblings.count)
            kind = "life" if siblings == ["ground"] else kind  # who plays football is not pregnant
            extra.append(Clue(kind, 2, "never true together with others of this kind"))
        if judgement.kind == "life" and [kinds[name] for name in facts.apart].count("health") >= 3:
            extra.append(Clue("health", 4, "never true together with others about health"))
        if judgement.kind == "unknown" and (kind := _said_by_values(facts)):
            extra.append(Clue(kind, 1.5, "words in its values say so"))
        if judgement.kind == "decision" and families[_stem(facts.name)] > 1:
            extra.append(Clue("decision", -9, ""))  # one of several offers, visits or campaigns
            extra.append(Clue("outcome", 3, "one of several numbered outcomes"))
        if facts.name in settling:
            spread = f"its values number people, who have {facts.rows / max(facts.distinct, 1):.1f} rows on average"
            extra.append(Clue("person", sum(max(clue.weight, 0) for clue in clues[position]) + 2, spread))
        if facts.name in numbered and not (
            judgement.kind in ("life", "place", "unit", "staff") and _is_named(clues[position])
        ):
            extra.append(numbered[facts.name])
        if facts.values and answers.count(facts.values) >= max(ALIKE * len(columns), FEW):
            extra.append(Clue("score", 5, "one of many columns with the same answers, as of a questionnaire"))
        elif len(facts.values) >= SAME_ANSWERS and (times := answers.count(facts.values)) >= SAME_ANSWERS:
            worth = 3.5 if times >= MANY_ANSWERS else 1.5 if facts.type == "text" else 0
            extra.append(Clue("score", worth, "one of several columns with the same answers, as of a questionnaire"))
        if (
            judgement.kind == "number"
            and (_says_number(clues[position]) or facts.numbers_accounts)
            and not facts.words & _GROUPS
            and facts.unique < NEARLY
        ):
            spread = f"its values number people, who have {facts.rows / max(facts.distinct, 1):.1f} rows on average"
            numbers = sum(clue.weight for clue in extra if clue.kind == "number")
            others = (facts.settled == () or owned) and not _says_person(clues[position])
            group = "staff" if "staff" in kinds_in(facts.words) else "unit"
            groups = {"unit", "place", "life", "staff"}
            grouped = facts.rows > MAX_EACH * facts.distinct and kinds_in(facts.words) & groups
            if grouped and not _says_person(clues[position]):
                extra.append(Clue(group, max(numbers, 4) + 2, "numbers groups of rows"))
            elif facts.settled == () and facts.commonest > UNEVEN and not _says_person(clues[position]):
                extra.append(Clue("code", max(numbers, 4) + 2, "numbers groups of rows, some of them large"))
            elif not others:
                extra.append(Clue("person", max(numbers, 4) + 2, spread))
            elif kinds_in(facts.words) & {"unit", "place", "staff"}:
                extra.append(Clue(group, max(numbers, 4) + 2, "its name says an institution, a group or staff"))
        elif judgement.kind == "number" and facts.words & _GROUPS and facts.rows > FEW_EACH * facts.distinct:
            extra.append(Clue("unit", 6, "numbers groups of rows"))
    return [judge(column, same) for column in more]


def _rows_of_person(columns: Sequence[Facts], judged: Sequence[Judgement]) -> float:
    """How many rows people have on average; 1 where no column numbers people who have several."""
    numbers = [
        column
        for column, own in zip(columns, judged, strict=True)
        if column.distinct and (own.kind == "person" or (own.kind == "number" and column.unique < MOST))
    ]
    return max((column.rows / column.distinct for column in numbers), default=1.0)


def _is_turn(facts: Facts, each: float, followed: bool) -> bool:
    """Whether a column counts the records of a person, as visits, waves and weeks of a study do; months and days of a
    calendar have other numbers, and where people are `followed` up, a time is an outcome."""
    words = spelled_words(facts.name)
    if not 0 < len(words) <= 2 or words[-1] not in _TURNS or facts.look in ("dates", "times", "months", "years"):
        return False
    if facts.numeric and facts.low == 1 and facts.high in CALENDAR:
        return False
    measured = words in (["time"], ["hour"], ["minute"]) and each >= FEWEST_MEASURED
    return 1 < facts.distinct <= max(2 * each, FEW) or (facts.numeric and measured and not followed)


FEWEST_MEASURED = 3
"""From this number of records of a person, a time without a status is when each was made."""
_BECAME = word_set("status event censor censored cens death died dead fustat delta outcome")
CALENDAR = (7, 12, 28, 29, 30, 31)
"""The last day of a week or month, and the last month."""
_TURNS = word_set(
    "visit visits visitno visitnum occasion period wave week weeks time day days date month months session trial rep "
    "replicate attempt round enum phase timepoint measurement assessment besuch woche welle visite vague semaine "
    "visita semana ola settimana meting hour hours minute minutes"
)
"""Words of names that count the records of a person."""
_GRADES = frozenset(frozenset({letter}) for letter in "lmh")
_SPOKEN_OF = {"place", "life", "health", "crime", "politics", "money", "belief", "sexlife"}
_ADDRESSES = word_set("address adresse direccion street anschrift")
_GROUPS = word_set(
    "case set pair group cluster strata stratum match school firm team ad job hospital doctor ward class"
)
"""Words of what has numbers as people have, and is not a person."""


_OPINIONS = word_set(
    "should would rude think feel agree favor favour opinion believe acceptable important prefer support oppose "
    "consider"
)
"""Words of questions that ask for an opinion."""
_NAMING = word_set("name names nom nombre nome naam")
_OF_PERSONS = word_set("patient mother father doctor customer client employee student person user child spouse")


def _says_number(clues: Sequence[Clue]) -> bool:
    """Whether the name says that a column numbers rows or people; a `number` may also be one of things."""
    return any(clue.kind == "number" and clue.because.startswith("its name") and clue.weight > 2 for clue in clues)


def _said_by_values(facts: Facts) -> str:
    """The kind that words in most of a few texts say, such as that of places in `Suburban communes`; empty if none."""
    texts = [value for value in facts.values if isinstance(value, str)]
    kinds = Counter(kind for text in texts for kind in kinds_in(words_of(text, VOCABULARY)) & _SPOKEN_OF)
    kind, times = kinds.most_common(1)[0] if kinds else ("", 0)
    return kind if len(texts) > 2 and times > MOST * len(texts) else ""


def _is_named(clues: Sequence[Clue]) -> bool:
    """Whether the name says what a column is about, not in passing."""
    return any(clue.weight > 2 and clue.because.startswith("its name") for clue in clues)


def _settling(columns: Sequence[Facts], judged: Sequence[Judgement], clues: Sequence[Sequence[Clue]]) -> set[str]:
    """Columns whose values settle what people keep for life, and thus number people: those with a name that says so,
    if there are any, as an exact age settles the same."""
    each = zip(columns, judged, clues, strict=True)
    settling = {facts.name: _says_number(own) for facts, judgement, own in each
                if facts.settled and (len(facts.settled) > 1 or judgement.kind in ("unknown", "number"))
                and not (facts.look == "text" and not _says_number(own) and facts.phrased)}  # fmt: skip
    return {name for name, says in settling.items() if says or not any(settling.values())}


def _stem(name: str) -> str:
    """A name without the number at its end."""
    return name.rstrip("0123456789").lower()


def _says_person(clues: Sequence[Clue]) -> bool:
    return any(clue.because == "its name says numbers of people" for clue in clues)


def _counts_rows(facts: Facts, judgement: Judgement) -> bool:
    """Whether a column numbers the rows of the file, and no people."""
    return (
        judgement.kind == "number"
        and facts.dense
        and bool(facts.words & {"row", "rowname", "rownames", "index", "obs", "unnamed", "column"})
    )


def _numbered(columns: Sequence[Facts]) -> dict[str, Clue]:
    """Columns that are numbered and alike, as the items of a questionnaire and the indicators of years are."""
    stems: dict[str, list[Facts]] = {}
    for column in columns:
        stem = column.name.rstrip("0123456789")
        if stem != column.name and stem:
            stems.setdefault(stem.lower(), []).append(column)
    clues = {}
    for stem, group in stems.items():
        for column in group:
            number = column.name[len(stem) :]
            if stem.strip("_.") in ("y", "yr", "year", "d") and len(number) in (2, 4) and column.two_numbers:
                clues[column.name] = Clue("date", 7, "says whether it was that year")
            elif len(group) >= 3 and len({other.distinct for other in group}) == 1 and 3 <= column.distinct <= FEW:
                clues[column.name] = Clue(
                    "score", 2, "one of several numbered columns with the same scale, as of a questionnaire"
                )
    return clues
