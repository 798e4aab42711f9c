"""Columns that undo others: what is published as it is tells what a quasi column hides. They are published coarser, or
one of the two gets another role. They are compared with the measure of the attack `derivation`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.derivation import Triples, known
from fairveil.data import hierarchy
from fairveil.messages import verb
from fairveil.run.suggestions.fitting import fitted_to
from fairveil.run.suggestions.moved_roles import Coarser, Roles, as_published, free_columns, move
from fairveil.run.suggestions.same_columns import Coded, Codes, some_rows

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.profile import Profile

Seen = Mapping[tuple[str, str], int]
"""In how many tried releases a column, the first, undid a quasi column, the second."""
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
FINE = 1_000
"""From this number of values, a quasi column is too fine for much to be left of it."""


def drop_told(codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None]) -> None:
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


def cure_undone(
    source: Source, profile: Profile, codes: Codes, roles: Roles, reasons: dict[str, str], given: Set[str | None],
    coarser: Coarser, quasi: Sequence[str], fewest: int, seen: Seen | None = None,
) -> None:  # fmt: skip
    """Publish what undoes a quasi column at a level at which it does not; make it quasi as well if there is none.

    Where releases were tried, only the pairs of columns that were `seen` there are changed.
    """
    telling: dict[str, list[str]] = {}
    rows = some_rows(source, next(iter(roles["person"]), None)) if codes else np.empty(0, dtype=np.int64)
    for name in [name for name in free_columns(roles, given) if name in codes]:
        known_kind = profile.column(name).kind != "unknown"
        half, labels = (STRICT, SECRET_LABELS) if known_kind else (HALF, LABELS)
        half = HALF if roles["household"] and not known_kind else half  # whose members agree in much
        if seen is None:
            undone = _undone(codes, quasi, as_published(source, name, coarser, codes, rows), half)
        else:
            undone = [other for other in quasi if (name, other) in seen]
        again = seen is not None and any(seen[name, other] > 1 for other in undone)
        if (
            undone
            and not again
            and name in roles["sensitive"]
            and (spec := coarser.specs.get(name) or fitted_to(source, name)) is not None
        ):
            height = hierarchy.from_dict(spec[0]).height or 1
            for level in range(coarser.levels.get(name, 0) + 1, height):
                coarser.specs[name], coarser.levels[name] = spec, level
                shown = as_published(source, name, coarser, codes, rows)
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
