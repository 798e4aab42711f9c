"""Columns that tell what others hide: a square of the age, a year of study beside the experience, a fare beside a
destination. What is published as it is would undo what is made coarser.

They are compared in some rows of the source, with the measure of the attack `derivation`.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fairveil.data import hierarchy
from fairveil.data.text_form import as_text
from fairveil.run.suggestions.fitting import fitted_to, rows_per_value
from fairveil.run.suggestions.moved_roles import Coarser, Roles, as_published, free_columns, move
from fairveil.run.suggestions.narrow_intervals import finer_intervals
from fairveil.run.suggestions.repeated_columns import (
    EXACT,
    ROWS_EACH,
    drop_exact_places,
    drop_fine_units,
    drop_repetitions,
    keep_few_plain,
)
from fairveil.run.suggestions.same_columns import Coded, Codes, codes_of, told
from fairveil.run.suggestions.shared_values import (
    FEW_LABELS,
    INDEX,
    closeness_of,
    fewest_values_of,
    numbers_records,
    shares_of,
)
from fairveil.run.suggestions.undone_columns import Seen, cure_undone, drop_told

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.profile import ColumnProfile, Profile

MAX_PAIRS = 1_500
"""Pairs of columns that are compared in full."""
FEWEST_QUASI = 5
"""Quasi columns that stay, or half of them, before secrets that tell them become quasi."""
MAX_TICK = 40
"""Letters up to which a text may be a tick in a list."""
NEARLY_ALL, MOSTLY = 0.98, 0.8
"""The share of the doubt about a column that another takes: a column that says the same as a quasi column, and a
decision that tells a quasi column."""
FEW_ROWS, HALF_OF_ROWS = 5, 0.5
"""The same if this share of the rows have a value that fewer rows than the first number have."""
FEWEST_ROWS = 3
"""A sensitive column is left out if fewer rows have another value than most: who they are may be known."""


def untie(
    source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None],
    seen: Seen | None = None,
) -> Coarser:  # fmt: skip
    """Change roles so that no column undoes another; return what is published at a fixed level.

    Roles that the owner has given are kept. What undoes what is predicted, or was `seen` in releases that were tried.
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
    drop_fine_units(profile, codes, roles, reasons, given)
    ties, optional = drop_repetitions(source, profile, codes, roles, reasons, given)
    drop_exact_places(profile, roles, reasons, given)
    worded = [name for name in roles["sensitive"] if name not in given and profile.column(name).ticked
              and any(len(as_text(value or "")) > MAX_TICK
                      for value in (profile.column(name).commonest, *profile.column(name).values))]  # fmt: skip
    move(roles, reasons, worded, "drop", "remarks in words, which may name anybody")
    keep_few_plain(profile, roles, reasons, given)
    unscreened = len(free_columns(roles, given)) * len(roles["quasi"]) > MAX_PAIRS
    for name in free_columns(roles, given):
        vague = profile.column(name).kind in ("unknown", "plain")
        same = next((quasi for quasi in roles["quasi"] if told(codes, quasi, by=name) >= NEARLY_ALL or (
            vague and (unscreened or _as_fine(codes, name, quasi))
            and told(codes, name, by=quasi) >= NEARLY_ALL)), None)  # fmt: skip
        derived = next((quasi for quasi in roles["quasi"] if vague and name in codes and quasi in codes
                        and codes[quasi][1] * ROWS_EACH <= profile.rows and codes[name][1] < codes[quasi][1]
                        and told(codes, name, by=quasi) >= NEARLY_ALL), None)  # fmt: skip
        if derived is not None and profile.column(name).distinct > 1:
            move(roles, reasons, [name], "drop", f"follows from {derived}, and would undo it")
        elif same is not None and vague and told(codes, name, by=same) >= NEARLY_ALL:
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
    drop_told(codes, roles, reasons, given)
    compared: set[str] = set()
    fewest = min(-(-len(roles["quasi"]) // 2), FEWEST_QUASI)
    while fresh := [name for name in roles["quasi"] if name not in compared]:  # what becomes quasi can be undone, too
        compared |= {*fresh}
        if seen is not None or len(free_columns(roles, given)) * len(fresh) <= MAX_PAIRS:
            cure_undone(source, profile, codes, roles, reasons, given, coarser, fresh, fewest, seen)
    if person is not None:  # some are coarser now
        _note_shared(source, profile, roles, reasons, given, coarser, person)
    _drop_constant(source, profile, roles, reasons, given, coarser)
    coarser.levels = {name: level for name, level in coarser.levels.items() if name in roles["sensitive"]}
    coarser.specs = {name: spec for name, spec in coarser.specs.items() if name in coarser.levels}
    coarser.judged = {name: level for name, level in coarser.judged.items() if level > coarser.levels.get(name, level)}
    kept = {*roles["quasi"], *roles["sensitive"]}
    coarser.optional = {name: because for name, because in {**optional, **coarser.optional}.items() if name in kept}
    coarser.ties = {name: spec for name, spec in ties.items() if name in roles["quasi"]}
    return coarser


def _as_fine(codes: Codes, name: str, quasi: str) -> bool:
    """Whether a column has about as many values as a quasi column; of fewer, it is compared what they tell."""
    return name in codes and quasi in codes and codes[name][1] * 2 >= codes[quasi][1]


def _coarsened(source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], person: str | None) -> Coarser:
    """Leave out sensitive columns that no class could hide; publish those that nearly name people in intervals: in
    narrow ones that many people share, and judged in wide ones."""
    coarser = Coarser()
    for name in list(roles["sensitive"]):
        column = profile.column(name)
        exact = column.unique >= EXACT or _nearly_alone(source, name)
        spec = fitted_to(source, name) if exact else None
        if spec is not None and spec[0]["kind"] in ("intervals", "dates"):
            coarser.specs[name], coarser.levels[name] = spec, 1
            if (finer := finer_intervals(source, name, spec[0], person)) is not None:
                coarser.specs[name], coarser.judged[name] = (finer, spec[1]), 2
        elif name in roles["decision"]:
            continue
        elif column.unique >= EXACT or (column.distinct < 2 and not column.ticked):
            because = "its values nearly name people" if column.distinct > 1 else "it has one value only"
            move(roles, reasons, [name], "drop", f"{reasons[name]}; left out, because {because}")
        elif rows_with_others(profile, column) < FEWEST_ROWS:
            because = "left out, because so few have another value than most"
            move(roles, reasons, [name], "drop", f"{reasons[name]}; {because}")
    return coarser


def rows_with_others(profile: Profile, column: ColumnProfile) -> int:
    """How many rows have another value of a column than most have; of a box, another state."""
    known = profile.rows - column.missing
    if column.ticked:
        return min(column.missing, known)
    return known - (round(column.commonest_share * profile.rows) if column.commonest is not None else 0)


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
        blank = column.has_missing and not profile.column(name).ticked
        rows = np.flatnonzero(column.codes < len(column.values) - blank)  # missing is last
        people = source.table.column(person).codes[rows]
        shown = as_published(source, name, coarser, {name: Coded(column.codes[rows], 0)}, rows, judged=True)
        coarser.diversity[name] = fewest_values_of(shown, people) if len(rows) else 2
        if coarser.diversity[name] > 1 or name in given:
            continue
        if name in coarser.judged:
            coarser.levels[name] = coarser.judged.pop(name)
        if shares_of(shown, people)[-1] >= INDEX:
            move(roles, reasons, [name], "plain", "nearly everybody has each of its values: it tells nobody apart")
            continue
        index = numbers_records(shown, people)
        if not index and (closeness := closeness_of(shown, people)):
            coarser.closeness[name] = closeness
            continue
        if not index and _close_in_intervals(source, name, coarser, rows, people):
            continue
        known = index or profile.column(name).kind == "unknown" or len(np.unique(shown)) > FEW_LABELS
        because = "everybody has one value of it in some record, so that it hides nothing"
        move(roles, reasons, [name], "quasi" if known else "drop", because)


def _close_in_intervals(source: Source, name: str, coarser: Coarser, rows: np.ndarray, people: np.ndarray) -> bool:
    """Publish a number of which everybody has one value at the first level that has few values and whose t classes can
    keep; whether there is one."""
    spec = coarser.specs.get(name) or fitted_to(source, name)
    if spec is None or spec[0]["kind"] != "intervals":
        return False
    for level in range(coarser.levels.get(name, 0) + 1, hierarchy.from_dict(spec[0]).height or 1):
        shown = as_published(source, name, Coarser({name: spec}, {name: level}), {}, rows)
        if len(np.unique(shown)) <= FEW_LABELS and (closeness := closeness_of(shown, people)):
            coarser.specs[name], coarser.levels[name], coarser.closeness[name] = spec, level, closeness
            return True
    return False


def _drop_constant(
    source: Source, profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None], coarser: Coarser
) -> None:
    """Leave out sensitive columns that have one known value as they would be published: blanks are no values, unless
    all others are ticks, and no class can be diverse."""
    if not source.has_rows:
        return
    fixed = {*given, *roles["decision"], *(column.name for column in profile.columns if column.ticked)}
    for name in [name for name in roles["sensitive"] if name not in fixed]:
        column = source.table.column(name)
        labels, codes = tuple(column.domain), column.codes
        if name in coarser.levels:
            levels = hierarchy.from_dict(coarser.specs[name][0]).bind(column.domain, name)
            level = max(coarser.levels[name], coarser.judged.get(name, 0))
            labels, codes = levels.labels[level], levels.codes[level][codes]
        texts = {as_text(labels[code]).strip() for code in np.unique(codes) if labels[code] is not None}
        if len(texts - {""}) < 2:
            move(roles, reasons, [name], "drop", f"{reasons[name]}; left out, because it would have one value only")
