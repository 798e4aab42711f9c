"""Columns that tell what others hide: a square of the age, a year of study beside the experience, a fare beside a
destination. What is published as it is would undo what is made coarser.

They are compared in some rows of the source, with the measure of the attack `derivation`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fairveil.attacks.derivation import Triples, known
from fairveil.data import hierarchy
from fairveil.data.text_form import as_text
from fairveil.engines import Source
from fairveil.messages import verb
from fairveil.run.profile import Profile
from fairveil.run.suggestions.fitting import Spec, fitted_to, rows_per_value
from fairveil.run.suggestions.looks import look_of_column
from fairveil.run.suggestions.narrow_intervals import finer_intervals
from fairveil.run.suggestions.same_columns import (
    Coded,
    Codes,
    codes_of,
    follows,
    nearly_same,
    some_rows,
    tied,
    told,
)
from fairveil.run.suggestions.shared_values import FEW_LABELS, closeness_of, fewest_values_of, numbers_records

Roles = dict[str, list[str]]

MAX_PAIRS = 1_500
"""Pairs of columns that are compared in full."""
BANDS, HALF, STRICT = (1, 2, 4, 8, 16), 1.6, 2.0
"""Bands in which a quasi column may be published, and how many of its values may be left of one: of a column that
nothing is known of, more than the attack allows."""
MANY = 20
"""From this number of quasi columns, one that nothing is known of and that tells another is left out."""
APART = 6
"""Up to this number of values, a column may be published with one value apart from all others."""
LABELS, SECRET_LABELS = 4, 3
"""The fewest labels at a fixed level that are worth publishing: of a column that nothing is known of, and of one that
nobody may learn."""
NAMED = 3
"""Columns that tell a quasi column which are named."""
UNSURE, SURE = 0.5, 1.5
"""What it costs to change the role of a column that nothing is known of, and of one that nobody may learn; to leave out
a quasi column costs 1."""
FEWEST_QUASI = 5
"""Quasi columns that stay, or half of them, before secrets that tell them become quasi."""
FINE = 1_000
"""From this number of values, a quasi column is too fine for much to be left of it."""
NEARLY_ALL, MOSTLY = 0.98, 0.8
"""The share of the doubt about a column that another takes: a column that says the same as a quasi column, and a
decision that tells a quasi column."""
FINER = 5
"""Numbers of schools and firms that have so many times more values than what follows from them do not replace it."""
MAX_PLAIN = 6
"""Combinations of values that columns may have which are published as they are."""
_DERIVED = re.compile(r"(?i)(sq|squared|\^2)$|^(log|ln|l_)")
"""Names of squares and logarithms."""
_ORDERED = ("dates", "times", "years", "ages", "amounts", "numbers", "integers")
_SECRET = ("health", "genes", "crime", "belief", "politics", "sexlife", "money")
"""Kinds that are published even if few people have another value than most."""
EXACT = 0.4
"""From this share of rows with unique values, sensitive numbers are published in intervals: exact ones nearly name
people."""
FEW_ROWS, HALF_OF_ROWS = 5, 0.5
"""The same if this share of the rows have a value that fewer rows than the first number have."""
EXACT_TEXT = 0.75
"""The same for names of places, which have no intervals."""
ROWS_EACH = 5
"""Rows with each value of a coarse place, on average."""
RARE, RARE_ROWS, FEWEST_ROWS, MAX_RARE = 0.005, 20, 10, 3
"""A sensitive column is rare if fewer rows than this share, or than this number, have another value than most: every
class must hold one of them, so that there can be few classes. So at most MAX_RARE of them are published, those that a
name or value says are secret, and none that fewer than FEWEST_ROWS have another value of."""


@dataclass
class Coarser:
    """Columns that are published at a fixed level of a hierarchy: the hierarchies, and the levels."""

    specs: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    """How many values are left at that level, where it was chosen so that nothing else is undone."""
    judged: dict[str, int] = field(default_factory=dict)
    """The level at which ℓ-diversity tells the values of a column apart that is published finer."""
    diversity: dict[str, int] = field(default_factory=dict)
    """The largest ℓ that a sensitive column allows, where people have several records and it is small."""
    closeness: dict[str, float] = field(default_factory=dict)
    """The t of a sensitive column of which everybody has one value."""
    ties: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    """Hierarchies of quasi columns that lead to a column that is left out."""


def untie(source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> Coarser:
    """Change roles so that no column undoes another; return what is published at a fixed level.

    Roles that the owner has given are kept.
    """
    published = [*roles["quasi"], *roles["sensitive"], *roles["plain"], *roles["decision"]]
    person = roles["person"][0] if roles["person"] else None
    codes = codes_of(source, [*published, *roles["weight"]], person)
    for decision in roles["decision"]:
        followers = [name for name in roles["quasi"] if name not in given and told(codes, name, by=decision) >= MOSTLY]
        move(
            roles,
            reasons,
            followers,
            "drop",
            "the decision, which is published, tells it: it could not be made coarser",
        )
    _drop_fine_units(profile, codes, roles, reasons, given)
    ties = _drop_repetitions(source, profile, codes, roles, reasons, given)
    _drop_exact_places(profile, roles, reasons, given)
    ticked = [name for name in roles["sensitive"] if name not in given and profile.column(name).distinct == 1
              and profile.column(name).missing and profile.column(name).kind in ("unknown", "score")]  # fmt: skip
    move(roles, reasons, ticked, "plain", "one value or none: ticked or not")
    _keep_few_plain(profile, roles, reasons, given)
    unscreened = len(_free(roles, given)) * len(roles["quasi"]) > MAX_PAIRS
    for name in _free(roles, given):
        vague = profile.column(name).kind in ("unknown", "plain")
        same = next((quasi for quasi in roles["quasi"] if told(codes, quasi, by=name) >= NEARLY_ALL or (
            vague and (unscreened or _as_fine(codes, name, quasi))
            and told(codes, name, by=quasi) >= NEARLY_ALL)), None)  # fmt: skip
        if same is not None and vague and told(codes, name, by=same) >= NEARLY_ALL:
            move(
                roles, reasons, [name], "drop", f"follows from {same}, and would undo it if it were published as it is"
            )
        elif same is not None and (vague or unscreened):
            move(
                roles,
                reasons,
                [name],
                "quasi",
                f"says the same as {same}, and would undo it if it were published as it is",
            )
    coarser = _coarsened(source, profile, roles, reasons, person)
    if person is not None:
        _note_shared(source, profile, roles, reasons, given, coarser, person)
    _drop_told(codes, roles, reasons, given)
    compared: set[str] = set()
    fewest = min(-(-len(roles["quasi"]) // 2), FEWEST_QUASI)
    while fresh := [name for name in roles["quasi"] if name not in compared]:  # what becomes quasi can be undone, too
        compared |= {*fresh}
        if len(_free(roles, given)) * len(fresh) <= MAX_PAIRS:
            _screen(source, profile, codes, roles, reasons, given, coarser, fresh, fewest)
    if person is not None:  # some are coarser now
        _note_shared(source, profile, roles, reasons, given, coarser, person)
    _drop_constant(source, roles, reasons, given, coarser)
    coarser.levels = {name: level for name, level in coarser.levels.items() if name in roles["sensitive"]}
    coarser.specs = {name: spec for name, spec in coarser.specs.items() if name in coarser.levels}
    coarser.judged = {name: level for name, level in coarser.judged.items() if level > coarser.levels.get(name, level)}
    coarser.ties = {name: spec for name, spec in ties.items() if name in roles["quasi"]}
    return coarser


def _as_fine(codes: Codes, name: str, quasi: str) -> bool:
    """Whether a column has about as many values as a quasi column; of fewer, it is compared what they tell."""
    return name in codes and quasi in codes and codes[name][1] * 2 >= codes[quasi][1]


def _free(roles: Roles, given: Set[str | None]) -> list[str]:
    """Columns that are published as they are, and that may get another role."""
    kept = {*given, *roles["protected"], *roles["decision"]}
    return [name for role in ("sensitive", "plain") for name in roles[role] if name not in kept]


def move(roles: Roles, reasons: dict[str, str], names: Sequence[str], to: str, because: str) -> None:
    for name in names:
        for role in ("quasi", "sensitive", "plain", *(["protected"] if to == "drop" else [])):
            if name in roles[role]:
                roles[role].remove(name)
        if name not in roles[to]:
            roles[to].append(name)
        reasons[name] = because


def _drop_repetitions(
    source: Source, profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]
) -> dict[str, tuple[Spec, str]]:
    """Leave out columns that say the same as another one: they say nothing new, and would be counted twice. Return
    hierarchies of columns that lead to one that is left out, as a city's leads to its state."""
    ordered = frozenset(name for name in codes if look_of_column(source.domain(name)) in _ORDERED)
    specs: dict[str, tuple[Spec, str]] = {}

    def worth(name: str) -> tuple[bool, bool, bool, float, bool, int]:
        """By what one of two columns is kept that say the same."""
        fixed, column = name in given or name in roles["decision"], profile.column(name)
        known = 0.0 if column.kind == "unknown" else column.certainty
        born = column.kind == "ground" and column.look in ("years", "dates", "dates as text", "dates as numbers")
        exact = column.look == "coordinates" or column.kind == "thing" or born
        return fixed, name in roles["protected"], not exact, known, _DERIVED.search(name) is None, -len(name)

    for role in ("quasi", "sensitive"):
        names = [name for name in roles[role] if name in codes]
        by_size = sorted(names, key=lambda name: (codes[name][1], worth(name), -names.index(name)))
        for name in by_size:  # the coarsest first
            for other in names if not worth(name)[0] else ():
                if other == name or not {name, other} <= {*roles[role]}:
                    continue
                both = follows(codes, ordered, other, by=name)
                ground, in_order = name in roles["protected"], {name, other} <= ordered
                lost = ground and (other not in roles["protected"] or not (both or in_order))
                finer = profile.column(other).kind in ("unit", "life") and codes[other][1] >= FINER * codes[name][1]
                if follows(codes, ordered, name, by=other) and (both or not finer):
                    if (both and worth(name) > worth(other)) or lost:
                        continue
                    if role == "sensitive" and (not both or _DERIVED.search(name) is None):
                        continue  # a secret may be said twice, and a coarser one is another
                    if not both and other not in ordered and codes[name][1] > 2:
                        spec = _tied(source, other, name)
                        if spec is None:
                            continue
                        specs[other] = spec, f"then {name}, which is left out as a column of its own"
                    says = "says the same as" if both else "follows from"
                elif role == "quasi" and nearly_same(codes, ordered, name, other) and worth(name) < worth(other):
                    says = "says nearly the same as"
                else:
                    continue
                move(roles, reasons, [name], "drop", f"{says} {other}, and would be counted twice")
    return specs


def _drop_fine_units(
    profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]
) -> None:
    """Leave out numbers of groups from which others follow: of a teacher and their state, the state says more."""
    units = [name for name in roles["quasi"] if profile.column(name).kind == "unit" and name not in given]
    for unit in units:
        others = [name for name in roles["quasi"] if name not in units]
        followers = [name for name in others if follows(codes, frozenset(), name, by=unit)]
        if followers and profile.column(unit).type == "integers":
            move(roles, reasons, [unit], "drop", f"tells {followers[0]}, which is kept")


def _drop_told(codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
    """Leave out weights that tell a quasi column, and quasi columns that a ground of discrimination tells which is
    published as it is; or that ground, if what it tells is one, too."""
    quasi = [name for name in roles["quasi"] if name not in given and name not in roles["protected"]]
    for name in [name for name in roles["weight"] if name in codes and name not in given]:
        if hidden := _undone(codes, roles["quasi"], codes[name][0], STRICT):
            roles["weight"].remove(name)
            roles["drop"].append(name)
            reasons[name] += f"; it tells {hidden[0]}, and is left out"
    for name in [name for name in roles["sensitive"] if name in roles["protected"] and name in codes]:
        grounds = [other for other in roles["quasi"] if other in roles["protected"]]
        if name not in given and (undone_grounds := _undone(codes, grounds, codes[name][0], STRICT)):
            because = f"tells {undone_grounds[0]}, and would undo it if it were published as it is"
            move(roles, reasons, [name], "drop", because)
            continue
        for undone in _undone(codes, quasi, codes[name][0], STRICT):
            if undone in roles["quasi"]:
                move(roles, reasons, [undone], "drop", f"{name}, which is published as it is, tells it")


def _drop_exact_places(profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
    """Leave out coordinates, tracts and other numbers of places that nearly name people, if a coarser place is kept."""
    places = [profile.column(name) for name in roles["quasi"] if profile.column(name).kind in ("place", "unit")]
    coarse = [column for column in places if column.distinct * ROWS_EACH <= profile.rows]
    exact = [column.name for column in places if column.unique >= (EXACT_TEXT if column.type == "text" else EXACT)]
    for name in exact if coarse else ():
        if name not in given and name not in roles["protected"]:
            kept = coarse[0].name
            move(
                roles, reasons, [name], "drop", f"says the place so exactly that it nearly names people; {kept} is kept"
            )


def _keep_few_plain(profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
    """Leave out columns that are published as they are, if those before them have many values together: with the others
    they would tell people apart who look alike."""
    together = 1
    for name in [name for name in roles["plain"] if name not in given]:
        values = max(profile.column(name).distinct + (profile.column(name).missing > 0), 1)
        if values > 1 and together * values > MAX_PLAIN:
            move(
                roles, reasons, [name], "drop", f"{reasons[name]}; left out, because with others it tells people apart"
            )
        else:
            together *= values


def _tied(source: Source, fine: str, coarse: str) -> Spec | None:
    if not source.has_rows:
        return None
    table = source.table
    return tied(table.column(fine), table.column(coarse), np.ones(1))


def _coarsened(source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], person: str | None) -> Coarser:
    """Leave out sensitive columns that no class could hide; publish those that nearly name people in intervals: in
    narrow ones that many people share, and judged in wide ones."""
    coarser, rare = Coarser(), list[str]()
    for name in list(roles["sensitive"]):
        column = profile.column(name)
        others = profile.rows - column.missing
        others -= round(column.commonest_share * profile.rows) if column.commonest is not None else 0
        exact = column.unique >= EXACT or _nearly_alone(source, name)
        spec = fitted_to(source, name) if exact else None
        if spec is not None and spec[0]["kind"] in ("intervals", "dates"):
            coarser.specs[name], coarser.levels[name] = spec, 1
            if (finer := finer_intervals(source, name, spec[0], person)) is not None:
                coarser.specs[name], coarser.judged[name] = (finer, spec[1]), 2
        elif name in roles["decision"]:
            continue
        elif column.unique >= EXACT or column.distinct < 2:
            because = "its values nearly name people" if column.distinct > 1 else "it has one value only"
            move(roles, reasons, [name], "drop", f"{reasons[name]}; left out, because {because}")
        elif others < max(RARE * profile.rows, RARE_ROWS):
            if column.kind in _SECRET and others >= FEWEST_ROWS and len(rare) < MAX_RARE:
                rare.append(name)
                continue
            move(
                roles,
                reasons,
                [name],
                "drop",
                f"{reasons[name]}; left out, because so few have another value than most",
            )
    return coarser


def _nearly_alone(source: Source, name: str) -> bool:
    """Whether half of the rows or more share their number with a few others at most, as of interest rates."""
    if source.domain(name).values.type not in (pa.float64(), pa.int64()):
        return False
    rows = rows_per_value(source, name)
    return float(rows[rows < FEW_ROWS].sum()) >= HALF_OF_ROWS * float(rows.sum())


def _note_shared(
    source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None], coarser: Coarser,
    person: str,
) -> None:  # fmt: skip
    """Find sensitive columns of which everybody has one value: say what can still be promised, or change their role."""
    if not source.has_rows:
        return
    for name in list(roles["sensitive"]):
        column = source.table.column(name)
        rows = np.flatnonzero(column.codes < len(column.values) - column.has_missing)  # missing is last
        people = source.table.column(person).codes[rows]
        shown = _shown(source, name, coarser, {name: Coded(column.codes[rows], 0)}, rows, judged=True)
        coarser.diversity[name] = fewest_values_of(shown, people) if len(rows) else 2
        if coarser.diversity[name] > 1 or name in given:
            continue
        if name in coarser.judged:
            coarser.levels[name] = coarser.judged.pop(name)
        index = numbers_records(shown, people)
        if not index and (closeness := closeness_of(shown, people)):
            coarser.closeness[name] = closeness
            continue
        known = index or profile.column(name).kind == "unknown" or len(np.unique(shown)) > FEW_LABELS
        because = "everybody has one value of it in some record, so that it hides nothing"
        move(roles, reasons, [name], "quasi" if known else "drop", because)


def _drop_constant(
    source: Source, roles: Roles, reasons: dict[str, str], given: Set[str | None], coarser: Coarser
) -> None:
    """Leave out sensitive columns that have one known value as they would be published: blanks are no values, and no
    class can be diverse."""
    if not source.has_rows:
        return
    for name in [name for name in roles["sensitive"] if name not in given and name not in roles["decision"]]:
        column = source.table.column(name)
        labels, codes = tuple(column.domain), column.codes
        if name in coarser.levels:
            levels = hierarchy.from_dict(coarser.specs[name][0]).bind(column.domain, name)
            level = max(coarser.levels[name], coarser.judged.get(name, 0))
            labels, codes = levels.labels[level], levels.codes[level][codes]
        texts = {as_text(labels[code]).strip() for code in np.unique(codes) if labels[code] is not None}
        if len(texts - {""}) < 2:
            move(roles, reasons, [name], "drop", f"{reasons[name]}; left out, because it would have one value only")


def _screen(
    source: Source, profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None],
    coarser: Coarser, quasi: Sequence[str], fewest: int,
) -> None:  # fmt: skip
    """Publish what undoes a quasi column at a level at which it does not; make it quasi as well if there is none."""
    telling: dict[str, list[str]] = {}
    rows = some_rows(source, next(iter(roles["person"]), None)) if codes else np.empty(0, dtype=np.int64)
    for name in [name for name in _free(roles, given) if name in codes]:
        known_kind = profile.column(name).kind != "unknown"
        half, labels = (STRICT, SECRET_LABELS) if known_kind else (HALF, LABELS)
        half = HALF if roles["household"] and not known_kind else half  # whose members agree in much
        undone = _undone(codes, quasi, _shown(source, name, coarser, codes, rows), half)
        if (
            undone
            and name in roles["sensitive"]
            and (spec := coarser.specs.get(name) or fitted_to(source, name)) is not None
        ):
            height = hierarchy.from_dict(spec[0]).height or 1
            for level in range(coarser.levels.get(name, 0) + 1, height):
                coarser.specs[name], coarser.levels[name] = spec, level
                shown = _shown(source, name, coarser, codes, rows)
                coarser.labels[name] = len(np.unique(shown))
                if coarser.labels[name] < labels or not (undone := _undone(codes, undone, shown, half)):
                    break
        if known_kind:
            fine = [other for other in undone if codes[other][1] >= FINE and other not in given]
            move(roles, reasons, fine, "drop", f"{name} tells it, and nothing would be left of it")
        if undone:
            telling[name] = undone
    _change_few(profile, roles, reasons, given, telling, fewest)


def _change_few(
    profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None],
    telling: Mapping[str, Sequence[str]], fewest: int,
) -> None:  # fmt: skip
    """Change as few roles as possible, so that no column of `telling` undoes those that it tells: leave out a quasi
    column that several tell, or make quasi what tells several. What nothing is known of changes first; grounds of
    discrimination stay, and the `fewest` quasi columns."""
    pairs = {(teller, name) for teller, undone in telling.items() for name in undone if name in roles["quasi"]}
    droppable = [name for name in roles["quasi"] if name not in {*given, *roles["protected"]}]
    for changed in _cover(pairs, profile, droppable, len(roles["quasi"]) - fewest):
        if changed not in telling:
            names = [teller for teller in telling if (teller, changed) in pairs][:NAMED]
            says = verb(len(names), "tells", "tell")
            move(roles, reasons, [changed], "drop", f"{', '.join(names)} {says} it, and would undo it")
            continue
        first = next(name for name in telling[changed] if (changed, name) in pairs)
        if profile.column(changed).kind == "unknown" and len(roles["quasi"]) >= MANY:
            because = f"tells {first}, and little would be left if one more of many columns were made coarser"
            move(roles, reasons, [changed], "drop", because)
        else:
            because = f"tells {first}, and would undo it if it were published as it is"
            move(roles, reasons, [changed], "quasi", because)


def _cover(pairs: Set[tuple[str, str]], profile: Profile, droppable: Sequence[str], room: int) -> list[str]:
    """Columns that are in all pairs of a column and a quasi one that it tells: few, and those that cost little; at most
    `room` of them are quasi."""
    cost = {teller: UNSURE if profile.column(teller).kind == "unknown" else SURE for teller, _ in pairs}
    cost |= dict.fromkeys(droppable, 1.0)
    chosen: list[str] = []
    left = pairs
    while left:
        times = Counter(name for pair in left for name in pair)
        full = sum(name in droppable for name in chosen) >= room
        worth = {name: number / cost[name] for name, number in sorted(times.items())
                 if name in cost and not (full and name in droppable)}  # fmt: skip
        chosen.append(max(worth, key=lambda name: worth[name]))
        left = {pair for pair in left if chosen[-1] not in pair}
    for name in sorted(chosen, key=lambda name: -cost[name]):  # what later choices have made needless
        others = {*chosen} - {name}
        if all(others & {*pair} for pair in pairs):
            chosen.remove(name)
    return chosen


def _shown(
    source: Source, name: str, coarser: Coarser, codes: Codes, rows: np.ndarray, judged: bool = False
) -> np.ndarray:
    """A column as it would be published, or `judged`, as codes in the given rows, of which `codes` are."""
    if name not in coarser.levels:
        return codes[name][0]
    column = source.table.column(name)
    levels = hierarchy.from_dict(coarser.specs[name][0]).bind(column.domain, name)
    level = max(coarser.levels[name], coarser.judged.get(name, 0) if judged else 0)
    at_level: np.ndarray = levels.codes[level][column.codes[rows]]
    return np.asarray(at_level, dtype=np.int64)


def _undone(codes: Codes, quasi: Sequence[str], shown: np.ndarray, half: float) -> list[str]:
    """The quasi columns that a column as `shown` undoes, if they are published in a few bands, or not at all."""
    return [
        name
        for name in quasi
        if name in codes
        and any(
            known(Triples.of_rows(published, codes[name][0], shown), half) != (1.0, 1.0)
            for published in _coarse(codes[name])
        )
    ]


def _coarse(column: Coded) -> Iterator[np.ndarray]:
    """A quasi column as it may be published: not at all, in bands of neighbours, and, of few values, one apart from the
    others. Below the top, missing values are published as such (`Hierarchy`)."""
    present = column.values - column.missing
    missing = column.codes == present
    yield np.zeros_like(column.codes)
    for bands in [bands for bands in BANDS if 1 < bands < present]:
        yield np.where(missing, bands, column.codes * bands // present)
    if 2 < present <= APART:
        yield from (np.where(missing, 2, column.codes == value) for value in range(present))
