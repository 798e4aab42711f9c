"""Columns that say what others say: repetitions, exact places beside coarse ones, and plain columns that tell people
apart together. They are left out, or become a level of another column's hierarchy."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING

import numpy as np

from fairveil.run.suggestions.column_evidence import TURN
from fairveil.run.suggestions.looks import look_of_column
from fairveil.run.suggestions.moved_roles import Roles, move
from fairveil.run.suggestions.same_columns import Codes, follows, nearly_same, tied

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.profile import Profile
    from fairveil.run.suggestions.fitting import Spec

FINER = 5
"""Numbers of schools and firms that have so many times more values than what follows from them do not replace it."""
MAX_PLAIN = 6
"""Combinations of values that columns may have which are published as they are."""
MOST_TURNS = 30
"""Up to this number, records of a study are made at the same times for all."""
_DERIVED = re.compile(r"(?i)(sq|squared|\^2|[._](\d|copy|dup|dupe|duplicate|kopie))$|^(log|ln|l_)")
"""Names of squares and logarithms, and of columns that are in a file twice."""
_ORDERED = ("dates", "times", "years", "ages", "amounts", "numbers", "integers")
EXACT = 0.4
"""From this share of rows with unique values, sensitive numbers are published in intervals: exact ones nearly name
people."""
EXACT_TEXT = 0.75
"""The same for names of places, which have no intervals."""
OTHERS_KEPT = 3
"""From more quasi columns than these, exact points are left out even if no coarser place is kept."""
ROWS_EACH = 5
"""Rows with each value of a coarse place, on average."""


def drop_repetitions(
    source: Source, profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]
) -> tuple[dict[str, tuple[Spec, str]], dict[str, str]]:
    """Leave out columns that say the same as another one, and those of which nothing is known that follow from one:
    they say nothing new, and would be counted twice. Return hierarchies of columns that lead to another one, as a
    city's leads to its state, and the columns that follow from another, each with the reason to leave it out."""
    ordered = frozenset(name for name in codes if look_of_column(source.domain(name)) in _ORDERED)
    specs: dict[str, tuple[Spec, str]] = {}
    optional: dict[str, str] = {}

    def worth(name: str) -> tuple[bool, bool, bool, float, bool, int]:
        """By what one of two columns is kept that say the same."""
        fixed, column = name in given or name in roles["decision"], profile.column(name)
        known = 0.0 if column.kind == "unknown" else column.certainty
        born = column.kind == "ground" and column.look in ("years", "dates", "dates as text", "dates as numbers")
        exact = column.look == "coordinates" or column.kind == "thing" or born
        exact = exact or (column.kind == "place" and column.look in ("integers", "postcodes"))
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
                        specs[other] = spec, f"then {name}"
                    says = "says the same as" if both else "follows from"
                elif role == "quasi" and nearly_same(codes, ordered, name, other) and worth(name) < worth(other):
                    says = "says nearly the same as"
                else:
                    continue
                because = f"{says} {other}, and would be counted twice"
                told_apart = says == "follows from" or (
                    says != "says the same as" and profile.column(name).kind == "date"
                )
                if told_apart and profile.column(name).kind != "unknown" and _DERIVED.search(name) is None:
                    optional[name] = because  # others know both, and each is as coarse as it has to be
                    continue
                move(roles, reasons, [name], "drop", because)
    return specs, optional


def drop_fine_units(
    profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]
) -> None:
    """Leave out numbers of groups from which others follow: of a teacher and their state, the state says more."""
    units = [name for name in roles["quasi"] if profile.column(name).kind == "unit" and name not in given]
    for unit in units:
        others = [name for name in roles["quasi"] if name not in units and profile.column(name).look != "coordinates"]
        followers = [name for name in others if follows(codes, frozenset(), name, by=unit)]
        if followers and profile.column(unit).type == "integers":
            move(roles, reasons, [unit], "drop", f"tells {followers[0]}, which is kept")


def drop_exact_places(profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
    """Leave out coordinates, tracts and other numbers of places that nearly name people, if a coarser place is kept."""
    places = [profile.column(name) for name in roles["quasi"] if profile.column(name).kind in ("place", "unit")]
    coarse = [column for column in places if column.distinct * ROWS_EACH <= profile.rows]
    exact = [column.name for column in places if column.unique >= (EXACT_TEXT if column.type == "text" else EXACT)]
    for name in exact:
        pointed = profile.column(name).look == "coordinates" and len(roles["quasi"]) > OTHERS_KEPT
        if name not in given and name not in roles["protected"] and (coarse or pointed):
            kept = f"; {coarse[0].name} is kept" if coarse else ""
            move(roles, reasons, [name], "drop", f"says the place so exactly that it nearly names people{kept}")


def keep_few_plain(profile: Profile, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
    """Leave out columns that are published as they are, if those before them have many values together: with the others
    they would tell people apart who look alike. The turns of a study tell no persons apart: they have them all."""
    together = 1
    turns = [column.name for column in profile.columns if column.reason == TURN and column.distinct <= MOST_TURNS]
    shared = turns if roles["person"] else []
    for name in [name for name in roles["plain"] if name not in {*given, *shared}]:
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
