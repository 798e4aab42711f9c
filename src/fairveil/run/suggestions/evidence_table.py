"""What each look of values and each spread is worth as evidence of a kind of column.

Each line of `TABLE` has a test of what is known of a column, the kind that it speaks for, a weight, and the reason in
words: a weight of 1 is a hint, 3 says it, and a negative one speaks against a kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fairveil.run.suggestions.column_facts import FEW, LONG, MOST, NEARLY, OWN, SEVERAL, Facts
from fairveil.run.suggestions.column_topics import TOPICS, kinds_in
from fairveil.run.suggestions.column_words import folded, spelled_words, word_set
from fairveil.run.suggestions.evidence_of_names import NAMING
from fairveil.run.suggestions.evidence_of_studies import STUDIES
from fairveil.run.suggestions.evidence_words import BORN, DURATIONS, HOMES, MARKS, MARRYING, PEOPLE, SPECIFIED, WEIGHING
from fairveil.run.suggestions.unfavourable_values import decides, unfavourable

FEW_EACH = 10
"""Up to this mean number of rows per value, numbers identify people with several rows."""
MANY_CODES, LONG_CODE = 30, 6
"""From this number of values, or of letters and digits in each, codes may number people."""
EVEN = 1.5
"""Up to how many times its share the most frequent of a few people has rows, in a study that measures all alike."""
HEAVY, BULKY = 700, 20_000
"""Above this, the middle of a column of weights is of no bodies, in kilograms or in pounds, and of no cars."""

_ADDRESSED = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_NUMBERED_FIRST = re.compile(r"id(?![eil])[\W_]?[a-z]{2}")
"""Names that begin with a number of something: id_femme, idhous; not ideas, idioms and idleness."""
_WEIGHING = re.compile(
    r"(^w_|^wt|wt\d*$|we?i?ght|wgt|^pond|pond$|^pes[oa]_|^poids|^pds|_pds$|^fa[ck]tor$|^fexp|^cciw|redr|^gew(_|icht)|gewicht$"
    r"|hochr|hrf$|^coef_|calage|^elev|^expan|^rak|^iptw|^fac_?(exp|elev|pond))"
)
"""Names of sampling weights, as surveys write them; of bodies, the largest is not far above the usual one."""
_NUMBER_SIGN = re.compile(r"^(#|№|n[°º])|(#|№|\bn[°º])\s*$", re.IGNORECASE)
_SNP = re.compile(r"rs\d{3,}", re.IGNORECASE)
Test = Callable[[Facts], bool]
_PERSONAL = ("e-mail addresses", "UUIDs", "bank account numbers", "card numbers", "social security numbers",
             "phone numbers", "web addresses", "IP addresses")  # fmt: skip
_LISTED = ("text", "integers", "codes", "ICD codes", "postcodes")


def _looks(*looks: str) -> Test:
    return lambda facts: facts.look in looks


_COUNTING = (
    "num",
    "number of",
    "no. of",
    "no of",
    "nb_",
    "nb ",
    "count",
    "anzahl",
    "nombre de",
    "numero de",
    "cantidad",
)


_SHORTENED = word_set("kuerzel kurzel initials initialen initiales iniciales iniziali voorletters")
"""Words of names that say what somebody is called in short."""
_TEAMS = word_set("team teams club clubs squad franchise mannschaft verein equipe equipo equipos")
_ANSWERS = word_set("true false yes no y n 0 1 t f ja nein oui non si sim nao")
_GROUPS_OF_PEOPLE = word_set(
    "white black hispanic asian latino nonwhite minority immigrant foreign native blck whte hisp hispan"
)
_INHABITANTS = word_set("population pop popn")
_RATES = word_set("average avg mean per rate calls call minutes mins charge")
"""Words of names with a day or a month that say how much there is of something in it."""
_HOURS = word_set("hours hrs hour wks weeks work worked working")
_EXTENTS = word_set("area volume vol")
"""What is measured of something, and of a place only where others have the same."""
_PERCENT = word_set("p pc pct perc percent percentage prozent")
MAX_DAY = 53.0
"""Days, weeks and months have no larger numbers, if they have decimals."""
LARGE_GROUPS = 25
"""From this mean number of rows per value, codes are of groups."""
MOST_RUNS = 4
"""The most dates of payments or examinations of many people at once."""
LISTED = 0.02
"""Up to this share of rows with unique values, long texts may be chosen from a list."""
HASHED = 8
"""From this number of hexadecimal digits, values are hashed."""


def _is_hashed(facts: Facts) -> bool:
    """Whether nearly all values are hexadecimal digits of one length, with letters."""
    lengths = {len(text) for text in facts.sample}
    return len(lengths) == 1 and all(map(_HEXADECIMAL.fullmatch, facts.sample)) and facts.distinct > FEW


_HEXADECIMAL = re.compile(r"[0-9a-f]+")


def _is_listed(facts: Facts) -> bool:
    """Whether long texts are chosen from a list, as nearly all rows share theirs with many others."""
    return facts.unique <= LISTED and facts.rows > FEW_EACH * facts.distinct


def _is_axis(name: str) -> bool:
    """Whether a name says one of two coordinates, as x.loc and gps_n."""
    words = spelled_words(name)
    return bool({*words} & _AXES) and bool({*words} & _POSITIONS)


_AXES, _POSITIONS = word_set("x y n e lat lon"), word_set("loc location point map coord coords coordinate gps position")


TABLE: tuple[tuple[Test, str, float, str], ...] = (
    # what the values look like
    (_looks(*_PERSONAL), "name", 8, "its values look like {look}"),
    (lambda c: c.look == "names of people" and c.rows <= 2 * FEW_EACH * c.distinct, "name", 6,
     "its values look like names of people"),
    (lambda c: c.look not in _PERSONAL and any(map(_ADDRESSED.search, c.spelled)), "name", 20,
     "some of its values are e-mail addresses"),
    (lambda c: c.type == "text" and c.titled, "name", 20, "its values are names with titles"),
    *NAMING,
    (lambda c: c.look == "names of people" and bool(kinds_in(c.words) & {"life", "place", "thing"})
     and "name" not in kinds_in(c.words), "name", -3, ""),
    (lambda c: c.look == "names of people" and bool(kinds_in({*spelled_words(c.name)[-1:], *c.words}) & {"place"})
     and "name" not in kinds_in(c.words), "name", -3, ""),
    (lambda c: c.look == "names of people" and bool(c.words & _TEAMS) and c.rows > 2 * c.distinct, "name", -6, ""),
    (lambda c: c.look == "text" and c.distinct >= FEW and "text" in kinds_in(c.words), "text", 2,
     "its name says remarks in words"),
    (lambda c: c.look == "text" and c.distinct > 2 and "text" in kinds_in(c.words) and c.phrased, "text", 6,
     "its name says remarks in words, and its values are some"),
    (lambda c: c.distinct == 0, "empty", 30, "it has no value"),
    (lambda c: c.look in ("text", "codes") and c.distinct > SEVERAL and bool({*spelled_words(c.name)} & _SHORTENED),
     "number", 9, "its name says initials, which number people"),
    (lambda c: c.look == "text" and c.distinct > SEVERAL and c.rows <= FEW_EACH * c.distinct and c.one_length
     and not c.decimal and not kinds_in(c.words) - {"name", "number", "text"}, "number", 11,
     "texts of one length, of {each} rows each on average: they number people or cases"),
    (lambda c: "rownames" in c.words and c.unique >= MOST, "number", 9, "its name says numbers of rows or people"),
    (lambda c: c.words == {"ind"} and c.two_numbers, "life", 2, "its name says an industry"),
    (lambda c: c.look == "free text" and not _is_listed(c), "text", 8,
     "its values look like free text, which may name anybody and anything"),
    (_looks("ICD codes", "ATC codes", "LOINC codes"), "health", 4, "its values look like {look}"),
    (lambda c: c.look == "LOINC codes" and "date" in kinds_in(c.words), "health", -4, ""),
    (_looks("postcodes"), "place", 2, "its values look like postcodes"),
    (_looks("coordinates"), "place", 4, "its values look like coordinates"),
    (_looks("dates", "times", "dates as text", "dates as numbers", "months", "times of day"), "date", 3,
     "its values are {look}"),
    (_looks("years"), "date", 2, "its values look like years"),
    (_looks("ages"), "ground", 1, "its values look like ages"),
    (_looks("dates", "times", "dates as numbers", "months"), "health", -3, ""),
    (_looks("dates", "times", "dates as numbers", "months"), "money", -3, ""),
    (_looks("dates", "times", "dates as numbers", "months"), "score", -3, ""),
    (_looks("amounts"), "money", 1.5, "its values have cents, as amounts of money have"),
    (_looks("money"), "money", 3, "its values have a currency sign"),
    # how they spread
    (lambda c: c.distinct + (c.missing > 0) <= 1 and not (c.distinct and "text" in kinds_in(c.words)), "plain", 20,
     "all rows have the same value: it tells nobody apart"),
    (lambda c: c.distinct <= 2 and c.look not in _PERSONAL, "name", -8, ""),
    (lambda c: c.numeric and c.distinct <= FEW, "name", -8, ""),
    (lambda c: c.numeric and c.look != "integers", "name", -4, ""),
    (lambda c: c.look == "integers" and c.high < LONG and c.unique < MOST, "name", -5, ""),  # counts reach nobody
    (lambda c: c.look in ("numbers", "amounts", "dates", "times", "true or false"), "number", -6, ""),
    (lambda c: c.unique >= NEARLY and c.dense, "number", 4, "its values are numbered one after the other"),
    (lambda c: c.unique >= OWN and c.dense and c.look == "amounts" and c.distinct > SEVERAL, "number", 12,
     "its values are numbered one after the other"),
    (lambda c: c.look == "codes" and c.distinct > SEVERAL and c.rows <= FEW_EACH / 3 * c.distinct
     and not kinds_in(c.words) & {"health"}, "number", 3.5,
     "codes of {each} rows each on average: they number people or cases"),
    (lambda c: c.look in ("text", "codes") and c.unique >= NEARLY, "name", 3,
     "{unique} of the rows have a unique value: it nearly identifies people"),
    (lambda c: c.look == "codes" and MOST <= c.unique < NEARLY, "name", 2.5,
     "{unique} of the rows have a unique value: it nearly identifies people"),
    (lambda c: c.look == "text" and MOST <= c.unique < NEARLY, "text", 2.5,
     "{unique} of the rows have a unique value: it nearly identifies people"),
    (lambda c: c.look in ("text", "names of people") and c.distinct > FEW and bool(c.words & PEOPLE) and c.worded
     and not kinds_in(c.words) & {"place", "date", "ground"},
     "name", 6,
     "its name says people, and its values are words that begin with a capital, as names do"),
    (lambda c: c.look == "integers" and c.unique >= OWN and c.distinct >= (SEVERAL if c.dense else 2 * SEVERAL),
     "number", 3.5,
     "{unique} of the rows have a number of their own"),
    (lambda c: c.look == "integers" and c.distinct > SEVERAL and c.rows <= FEW_EACH / 3 * c.distinct
     and "life" in kinds_in(c.words) and "body" not in kinds_in(c.words) and not c.words & _HOURS, "number", 3.5,
     "so many numbers are not counted of anybody: they number people"),
    (lambda c: spelled_words(c.name)[-1:] in (["id"], ["ids"], ["uuid"]) and c.distinct > FEW
     and not kinds_in(c.words) & {"unit", "staff", "place", "thing", "date", "life", "household"}, "number", 3,
     "its name ends as those of numbers do"),
    (lambda c: _NUMBERED_FIRST.match(folded(c.name)) is not None and c.look in ("integers", "codes", "text")
     and c.distinct > SEVERAL and not kinds_in(c.words) & {"unit", "staff", "place", "thing", "date", "household"},
     "number", 4,
     "its name begins as those of numbers do"),
    (lambda c: c.look == "integers" and c.distinct > MANY_CODES and c.rows <= FEW_EACH * c.distinct
     and bool(c.words & HOMES), "household", 6, "so many numbers are no sizes of households: they number them"),
    (lambda c: c.numeric and c.distinct > FEW and bool(c.words & MARRYING), "ground", -2.5, ""),
    (lambda c: c.numeric and c.distinct > FEW and bool(c.words & MARRYING), "life", 3, "its name says a marriage"),
    (lambda c: c.numbers_accounts, "number", 5, "long numbers of one length, as those of accounts and people are"),
    (lambda c: c.coded and not c.decimal and (c.distinct > MANY_CODES or (c.distinct > FEW and c.longest >= LONG_CODE)),
     "code", 1.5, "codes that nothing explains: they may number people"),
    (lambda c: c.distinct > 2 and c.keyed, "code", 1.5, "codes that nothing explains: they may number people"),
    (lambda c: c.look == "dates" and c.distinct <= MOST_RUNS and c.rows >= SEVERAL * c.distinct, "plain", 12,
     "so few dates are those of what was done for many"),
    (lambda c: c.look in ("integers", "ICD codes", "postcodes") and c.unique >= NEARLY, "number", 1.1,
     "{unique} of the rows have a unique value: it nearly identifies people"),
    (lambda c: c.measures and c.unique >= NEARLY, "number", -6, ""),
    (lambda c: c.look == "integers" and c.unique >= NEARLY and folded(c.name).endswith(("id", "nr", "num")),
     "number", 4, "its name ends as those of numbers do"),
    (lambda c: c.distinct > SEVERAL and _NUMBER_SIGN.search(c.name) is not None, "number", 7,
     "its name has the sign of numbers"),
    (lambda c: c.look == "integers" and c.unique >= NEARLY and c.high >= LONG, "number", 2,
     "{unique} of the rows have a unique long number: it nearly identifies people"),
    (lambda c: c.look in ("integers", "codes") and c.unique >= MOST and set() < c.words <= PEOPLE, "number", 6,
     "{unique} of the rows have a number of their own"),
    (lambda c: c.distinct <= FEW or c.rows > 2 * c.distinct * SEVERAL, "number", -8, ""),
    (lambda c: c.look == "integers" and 2 < c.distinct <= FEW and set() < c.words <= PEOPLE
     and c.commonest * c.distinct <= EVEN and c.rows >= FEW_EACH * c.distinct, "number", 22,
     "its name says people, and each has as many rows"),
    (lambda c: c.decimal, "number", -8, ""),
    (lambda c: c.look == "text" and c.worded and c.unique < MOST, "number", -6, ""),  # words number nobody
    (lambda c: c.look == "text" and c.distinct < SEVERAL and c.rows > FEW_EACH * c.distinct, "number", -6, ""),
    (lambda c: c.look in ("dates", "dates as text", "dates as numbers", "months", "years") and bool(c.words & BORN),
     "ground", 5, "its name says when somebody was born"),
    (lambda c: c.look == "text", "money", -1, ""),
    (lambda c: c.look == "integers" and c.low == 0 and c.unique < NEARLY, "number", -2, ""),  # counts begin with none
    (lambda c: c.decimal, "name", -8, ""),
    (lambda c: c.look in ("numbers", "amounts") and not _is_axis(c.name), "place", -2.5, ""),
    (lambda c: c.look == "numbers" and c.unique >= MOST and bool({*spelled_words(c.name)} & _EXTENTS), "place", -6, ""),
    (lambda c: c.numeric and c.distinct <= FEW and c.words in ({"state"}, {"estado"}), "place", -3, ""),
    (lambda c: c.look == "text" and c.distinct > SEVERAL and c.unique < MOST and not c.decimal, "thing", 1.2,
     "so many texts tell people apart"),
    (lambda c: not c.numeric and bool(c.words & _INHABITANTS), "place", -6, ""),
    (lambda c: c.look == "text" and (c.name.rstrip().endswith("?") or len(c.name.split()) > 5), "date", -3, ""),
    (lambda c: c.look == "numbers" and c.distinct > FEW and bool(c.words & _GROUPS_OF_PEOPLE), "ground", -6, ""),
    (lambda c: c.look == "numbers" and c.distinct > FEW and bool(c.words & _GROUPS_OF_PEOPLE), "place", 6,
     "so many shares of a group are those of an area"),
    (lambda c: c.look in ("integers", "numbers") and bool(_RATES & {*spelled_words(c.name)}), "date", -3, ""),
    (lambda c: c.look == "numbers" and "date" in kinds_in(c.words) and c.high > MAX_DAY, "date", -2.5, ""),
    (lambda c: c.numeric and c.distinct > MANY_CODES and c.low >= 0 and c.high <= 100 and c.middle >= 30
     and bool(_PERCENT & {*spelled_words(c.name)[-1:]}), "score", 5, "its name and numbers say percentages of marks"),
    (lambda c: c.look == "integers" and c.distinct > SEVERAL and set() < c.words <= PEOPLE, "number", 5,
     "its name says people, and it has too many numbers for anything else"),
    (lambda c: c.coded and c.look != "integers" and c.longest >= HASHED and _is_hashed(c) and not c.words & HOMES,
     "number", 8, "its values are hashed"),
    (lambda c: c.look in ("numbers", "amounts") and c.distinct > SEVERAL and c.low > 0 and c.high > 4 * c.middle
     and _WEIGHING.search(folded(c.name)) is not None, "weight", 6,
     "its name and its largest value, far above the usual one, say a sampling weight"),
    (lambda c: c.look in ("numbers", "amounts") and c.distinct > SEVERAL and c.low > 0 and 0.5 <= c.middle <= 1.5
     and c.high > 2 * c.middle and _WEIGHING.search(folded(c.name)) is not None, "weight", 6,
     "its name and values around one say a sampling weight"),
    (lambda c: c.distinct > FEW and c.rows > LARGE_GROUPS * c.distinct and not c.words & PEOPLE
     and c.look in ("text", "codes", "integers") and spelled_words(c.name)[1:][-1:] in (["id"], ["code"], ["cd"]),
     "thing", 2.5, "codes that many rows share each"),
    (lambda c: c.look == "text" and c.distinct > FEW and c.rows > LARGE_GROUPS * c.distinct and not c.words & PEOPLE
     and spelled_words(c.name)[1:][-1:] in (["name"], ["nom"], ["nombre"], ["nome"])
     and not kinds_in(c.words) - {"name"}
     and "names of people" not in {topic.about for topic in TOPICS if topic.said_by(c.words)},
     "thing", 4, "names that many rows share each"),
    (lambda c: (c.numeric and c.low < 0) or c.distinct <= 2, "body", -3, ""),
    (lambda c: c.words == {"hospital"} and c.distinct > (FEW if c.numeric else 2), "unit", 4,
     "its name says an institution"),
    (lambda c: bool(WEIGHING & c.words) and c.numeric and 25 <= c.middle <= 300 and c.high <= 4 * c.middle, "body", 4,
     "people weigh that much"),
    (lambda c: c.distinct <= 2, "household", -6, ""),
    (lambda c: c.blocks, "household", 3, "a few neighbouring rows hold each of its values, and no others do"),
    (lambda c: c.distinct <= FEW and "weights" not in spelled_words(c.name), "weight", -6, ""),
    (lambda c: c.look == "text" and c.distinct > FEW and bool(SPECIFIED & {*spelled_words(c.name)[-1:]}), "text", 6,
     "its name says what was written beside the answers"),
    (lambda c: c.numeric and c.middle > 0 and c.high > 20 * c.middle and bool(WEIGHING & c.words), "weight", 4,
     "its largest value is far above the usual one, as of sampling weights"),
    (lambda c: c.look in ("numbers", "amounts", "integers") and bool(WEIGHING & c.words) and (
        c.middle > (BULKY if c.look == "integers" else HEAVY) or (c.low > 0 and 0.5 <= c.middle <= 1.5)), "weight", 4,
     "nobody weighs that much or little, and sampling weights are such numbers"),
    (lambda c: c.words == {"event"} and c.two_numbers, "outcome", 4,
     "its name and values say whether something happened"),
    (lambda c: c.look in ("text", "true or false"), "weight", -8, ""),
    (lambda c: c.distinct > FEW or not unfavourable(c.name, c.values), "decision", -9, ""),
    (lambda c: 2 < c.distinct <= FEW and unfavourable(c.name, c.values) != [], "decision", 3,
     "its name and values say what was granted and refused"),
    (lambda c: decides(c.values), "decision", 6, "its values say what was granted and refused"),
    (lambda c: c.distinct > FEW and not c.numeric, "score", -1, ""),
    (lambda c: c.distinct <= 2 and (c.two_numbers or not c.numeric), "date", -2, ""),
    (lambda c: c.distinct == 2 and {folded(str(value)) for value in c.values} <= _ANSWERS, "date", -4, ""),
    (lambda c: c.distinct <= 2, "unit", -3, ""),
    (lambda c: c.distinct <= 2, "staff", -1.5, ""),
    (lambda c: c.look in ("integers", "numbers") and bool(DURATIONS & {*spelled_words(c.name)}), "date", -3, ""),
    (lambda c: c.numeric and bool(MARKS & {*spelled_words(c.name)[:1], *spelled_words(c.name)[-1:]}), "score", 4,
     "its name and numbers say marks"),
    (lambda c: c.numeric and "grade" in c.words and 6 <= c.low < c.high <= 13, "life", 8,
     "its name and numbers say a school year"),
    (lambda c: _SNP.match(c.name) is not None, "genes", 6, "its name is that of a genetic variant"),
    (lambda c: c.name.lower().startswith(_COUNTING), "date", -4, ""),
    (lambda c: c.look == "integers" and c.unique < MOST and c.name.lower().startswith(("no_", "n_", "nb_", "num_")),
     "number", -3, ""),
    (lambda c: c.numeric and c.distinct > FEW and "rank" in c.words, "score", 4, "its name and numbers say ranks"),
    (lambda c: c.distinct > FEW and "train" in c.words, "plain", -6, ""),  # so many are no parts of a sample
    *STUDIES,
)  # fmt: skip
"""Looks and spreads of values: whether a column has it, the kind that it speaks for, its weight, and the reason."""
