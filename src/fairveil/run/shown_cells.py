"""A first plan is tried, so that it can be run as it is: columns are left out that undo others in its release, and,
where it would hide more than half of the cells, those that cost the most.

A secret that few have other values of than most allows few classes, and a column of which nothing is shown makes all
others coarser. One after the other is left out until half of the cells are shown: first where that alone shows much
more, then the quasi column of which the least is shown. What the owner says, grounds of discrimination and decisions
stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.hierarchy.hierarchy import TOP
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, Infeasible
from fairveil.methods.mondrian import Mondrian
from fairveil.release.release import Release
from fairveil.release.source_dangers import source_dangers
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from fairveil.run.suggestions.first_plan import Draft, FirstLook, Wishes, draft
from fairveil.run.suggestions.plan_text import text_of
from fairveil.run.suggestions.undone_columns import Seen

if TYPE_CHECKING:
    from fairveil.methods.method import Method

IN_MEMORY = {"url": "data://memory", "table": "data in memory"}
"""Stands for a data frame in the text of a plan, which has no word for it."""
MOST_HIDDEN = 0.5
"""The share of cells above which a plan is changed."""
MAX_TRIED_CELLS, MAX_TRIALS, MAX_UNDONE, MIN_QUASI = 200_000, 6, 6, 4
"""Cells of a source up to which the release is tried for columns that undo others, how often, the most that are left
out, and the fewest quasi columns of which one may be."""
OFTEN_HIDDEN, MAX_OPTIONAL = 0.15, 6
"""The share of hidden cells above which columns that may be left out are tried, and how many of them."""
MAX_CELLS, MAX_TRIED = 400_000, 3
"""Cells of a source up to which a plan is tried, and the most columns of a kind that are tried one by one."""
GAIN = 0.03
"""By what share of the cells less must be hidden for a column to be left out."""
COMMON = 0.93
"""A sensitive column is rare if more rows than this share have its most frequent value."""
NEARLY_ALL = 0.98
"""The share of a column's cells from which nothing of it is shown."""


def tried_draft(look: FirstLook, wishes: Wishes | None = None) -> Draft:
    """The decisions of a first plan. Columns that may be left out are, where more cells than OFTEN_HIDDEN would be
    hidden with them, and others where more than half would be."""
    wishes = wishes or Wishes()
    cells = look.source.rows * len(look.source.names)
    if not look.source.has_rows or look.whole is not None or cells > MAX_CELLS:
        return draft(look, wishes)
    trial = _undoing_nothing(look, wishes, {})
    by_column = _hidden(look, trial)
    if by_column is not None and _share(by_column) > OFTEN_HIDDEN:
        quick, dropped = _hidden_by(look, trial.plan, Mondrian()), dict[str, str]()
        for name, because in list(trial.plan.optional.items())[:MAX_OPTIONAL]:
            tried = _hidden_by(look, draft(look, wishes, {**trial.left_out, **dropped, name: because}, trial.seen),
                               Mondrian())  # fmt: skip
            if quick is not None and tried is not None and _share(tried) < _share(quick) - GAIN:
                quick, dropped[name] = tried, because
        if dropped:
            trial = _undoing_nothing(look, wishes, dropped)
            by_column = _hidden(look, trial)
    best, left_out, seen = trial.plan, trial.left_out, trial.seen
    while by_column is not None and _share(by_column) > MOST_HIDDEN:
        for name, because in _costly(look, wishes, best, by_column):
            tried_plan = draft(look, wishes, {**left_out, name: because}, seen)
            hidden = _hidden(look, Trial(tried_plan))
            if hidden is not None and _share(hidden) < _share(by_column) - GAIN:
                break
        else:
            if not (name := _least_shown(look, wishes, best, by_column)):
                break
            because = "little of it would be shown, and more than half of all cells would be hidden"
            tried_plan = draft(look, wishes, {**left_out, name: because}, seen)
            hidden = _hidden(look, Trial(tried_plan))
        best, by_column, left_out = tried_plan, hidden, {**left_out, name: because}
    return best


@dataclass(frozen=True)
class Trial:
    """A draft, the columns that are left out of it, what undid what in releases that were tried, and its release."""

    plan: Draft
    left_out: Mapping[str, str] = field(default_factory=dict)
    seen: Seen | None = None
    release: Release | None = None


def _undoing_nothing(look: FirstLook, wishes: Wishes, without: Mapping[str, str]) -> Trial:
    """A draft without these columns in whose release no column undoes another.

    What columns disclose depends on how values are published. So the release of a small source is tried before a role
    is changed for it, first with a quick method; that of others, and of one that still undoes something after
    MAX_TRIALS, is predicted.
    """
    if look.source.rows * len(look.source.names) > MAX_TRIED_CELLS:
        return Trial(draft(look, wishes, without), without)
    seen: Counter[tuple[str, str]] = Counter()
    quick: tuple[Method, ...] = (Mondrian(),)
    for _ in range(MAX_TRIALS):
        plan = draft(look, wishes, without, seen)
        release = _released(look, plan, *quick)
        pairs = _undone_pairs(wishes, plan, release)
        if not pairs and not quick:
            return Trial(plan, without, seen, release)
        quick = quick if pairs else ()
        seen.update((teller, undone) for undone, teller in pairs)
    left_out = dict(without)
    plan = draft(look, wishes, left_out)
    while len(left_out) < MAX_UNDONE + len(without):
        release = _released(look, plan)
        undone, teller = next(iter(_undone_pairs(wishes, plan, release)), ("", ""))
        if not undone:
            return Trial(plan, left_out, None, release)
        if undone in _fixed(wishes, plan) or len(plan.roles["quasi"]) < MIN_QUASI:
            left_out[teller] = f"tells {undone}, and would undo it if it were published as it is"
        else:
            left_out[undone] = f"{teller} tells it, and would undo it"
        plan = draft(look, wishes, left_out)
    return Trial(plan, left_out)


def _undone_pairs(wishes: Wishes, plan: Draft, release: Release | None) -> list[tuple[str, str]]:
    """Quasi columns that others undo in the release of a plan, each with the other; without pairs in which neither may
    be changed."""
    dangers = source_dangers(release) if release is not None else []
    pairs = [(str(danger["details"]["undoes"]), str(danger["column"])) for danger in dangers]
    fixed = _fixed(wishes, plan)
    return [pair for pair in pairs if not {*pair} <= fixed]


def _fixed(wishes: Wishes, plan: Draft) -> set[str]:
    """Columns whose role stays: what the owner says, grounds of discrimination, and decisions."""
    given = {name for names in wishes.roles.values() for name in names}
    return {*plan.roles["protected"], *given, *plan.roles["decision"]}


def _costly(look: FirstLook, wishes: Wishes, plan: Draft, hidden: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Columns that may be left out, each with the reason: the rarest secrets, then what is hidden anyway."""
    kept = {name for names in wishes.roles.values() for name in names} | {*plan.roles["decision"]}
    shares = {name: look.profile.column(name).commonest_share for name in plan.roles["sensitive"] if name not in kept}
    rare = sorted((name for name, share in shares.items() if share > COMMON), key=lambda name: -shares[name])
    for name in rare[:MAX_TRIED]:
        yield name, "so few have another value than most that more than half of all cells would be hidden"
    grounds = {*plan.roles["protected"]} | kept
    nothing = [name for name in plan.roles["quasi"] if hidden.get(name, 0) >= NEARLY_ALL and name not in grounds]
    most = sorted(nothing, key=lambda name: -look.profile.column(name).distinct)
    for name in most[:MAX_TRIED] if len(plan.roles["quasi"]) > 2 else ():
        yield name, "nothing of it would be shown, and more than half of all cells would be hidden"


def _least_shown(look: FirstLook, wishes: Wishes, plan: Draft, hidden: Mapping[str, float]) -> str:
    """The quasi column of which the least is shown, and of these the one with the most values; empty if none may be
    left out."""
    kept = {name for names in wishes.roles.values() for name in names} | {*plan.roles["protected"]}
    free = [name for name in plan.roles["quasi"] if name not in kept]
    worth = {name: (hidden.get(name, 0.0), look.profile.column(name).distinct) for name in free}
    return max(free, key=lambda name: worth[name]) if free and len(plan.roles["quasi"]) > 1 else ""


def _hidden(look: FirstLook, trial: Trial) -> dict[str, float] | None:
    """The share of hidden cells of each column if the plan is run: with one method, and with all if that one hides more
    than half. None where it fails."""
    if trial.release is not None:
        return _of_release(trial.release, look.source.rows)
    quick = _hidden_by(look, trial.plan, Mondrian())
    if quick is None or _share(quick) <= MOST_HIDDEN:
        return quick
    whole = _hidden_by(look, trial.plan)
    return quick if whole is None else whole


def _hidden_by(look: FirstLook, plan: Draft, *methods: Method) -> dict[str, float] | None:
    """The same by these methods, or by those of the plan."""
    release = _released(look, plan, *methods)
    return None if release is None else _of_release(release, look.source.rows)


def _released(look: FirstLook, plan: Draft, *methods: Method) -> Release | None:
    """What a plan publishes by these methods, or by its own; None where it fails."""
    request = replace(Plan.from_toml(text_of(plan, look, IN_MEMORY)), source=Origin(data=look.source.table))
    try:
        return replace(request, methods=methods or request.methods).run(progress=False)
    except (BadInput, Infeasible):
        return None


def _of_release(release: Release, rows: int) -> dict[str, float]:
    shares = {}
    for column in release.table.columns:
        tops = [code for code, value in enumerate(column.values.to_pylist()) if as_text(value) == TOP]
        shares[column.name] = 1 - float(np.count_nonzero(~np.isin(column.codes, tops))) / rows
    return shares


def _share(by_column: Mapping[str, float]) -> float:
    return sum(by_column.values()) / max(len(by_column), 1)
