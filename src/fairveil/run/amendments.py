"""amendments: single changes of a request, and what each costs: one more promise, or a repair of a danger.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> costs = fv.promise_costs(credit.table, credit.schema, guards=fv.KAnonymity(2))
>>> print(costs[0].amendment.sentence, "at", costs[0].cost)
Promise k-anonymity with k 3 at loss of detail 0.4444, as before

The cost is the loss of the best release that one method finds with the change, and without it. A column that is left
out loses all of its detail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fairveil import guards as known_guards
from fairveil.attacks import dangers
from fairveil.data.dialect import Dialect, Missing
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.schema import Schema
from fairveil.display import Displayable
from fairveil.engines import Order, Source
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import Guard
from fairveil.messages import counted
from fairveil.methods.incognito import Incognito
from fairveil.progress import Progress, Report
from fairveil.release.source_dangers import findings_of
from fairveil.run.explore import explore_request
from fairveil.run.hierarchies import suggested
from fairveil.run.request import Request
from fairveil.run.sections import Origin

if TYPE_CHECKING:
    from fairveil.frontier.frontier import Frontier
    from fairveil.methods.method import Method

STEPS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "k-anonymity": ("k", (2, 3, 5, 10, 20, 50, 100)),
    "distinct-diversity": ("l", (2, 3, 4, 5)),
    "t-closeness": ("t", (0.3, 0.2, 0.15, 0.1, 0.05)),
    "alpha-protection": ("alpha", (2, 1.5, 1.2)),
}
"""The usual values of a promise's setting, from the weakest to the strictest."""
MAX_LEVELS = 3
"""How many levels of a hierarchy are tried to make a column coarser."""


@dataclass(frozen=True)
class Amendment:
    """One change of a request: further promises, or a column that is left out, or published at a level. `hierarchy` is
    given if the column has none."""

    sentence: str
    guards: tuple[Guard, ...] | None = None
    column: str | None = None
    level: int | None = None
    hierarchy: Hierarchy | None = None

    def of(self, request: Request, schema: Schema) -> Request:
        """Return the request with this change."""
        if self.guards is not None:
            return replace(request, guards=self.guards)
        assert self.column is not None
        if self.level is None:
            return replace(request, schema=schema.without([self.column]))
        rules = schema.hierarchies if self.hierarchy is None else {**schema.hierarchies, self.column: self.hierarchy}
        levels = {**schema.levels, self.column: self.level}
        return replace(request, schema=replace(schema, hierarchies=rules, levels=levels))


@dataclass(frozen=True, repr=False)
class AmendmentCost(Displayable):
    """What an amendment costs: the loss of the best release `before` and `after`; `problem` says why there is none.

    `danger` names what it repairs, if it is a repair, and `mends` says whether no such danger is left.
    """

    amendment: Amendment
    before: float
    after: float | None = None
    problem: str = ""
    danger: str = ""
    mends: bool = False

    def _headline(self) -> str:
        return f"{self.amendment.sentence}: {self.cost}"

    @property
    def cost(self) -> str:
        """The cost as a sentence."""
        if self.after is None:
            return f"no release keeps this ({self.problem})"
        same = f"{self.before:.4g}" == f"{self.after:.4g}"
        cost = f"loss of detail {self.before:.4g}" + (", as before" if same else f" → {self.after:.4g}")
        return f"{cost}; the danger {'is gone' if self.mends else 'remains'}" if self.danger else cost


def promise_costs(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    method: Method | None = None,
    missing: Missing = "category",
    order: Order = "sorted",
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> list[AmendmentCost]:
    """Return what one more promise would cost: for the next k, ℓ-diversity and t-closeness of each sensitive column,
    and α-protection where there is a decision, the loss of the best release of `method` with it and without. `order` is
    that of the rows, as in `search`."""
    request = _request(table, schema, guards, method, missing, order, seed)
    return costs_of_promises(request, progress=progress)


def _request(
    table: Any, schema: Schema, guards: Sequence[Guard] | Guard, method: Method | None, missing: Missing, order: Order,
    seed: int,
) -> Request:  # fmt: skip
    promised = (guards,) if isinstance(guards, Guard) else tuple(guards)
    origin = Origin(data=table, dialect=Dialect(missing=missing))
    return Request(origin, promised, schema, (method or Incognito(),), order=order, seed=seed)


def costs_of_promises(
    request: Request, *, method: Method | None = None, progress: Progress | Report | bool | None = None
) -> list[AmendmentCost]:
    """Like `promise_costs`, for a request; `method` is its first one unless given."""
    return _costs(request, method, lambda trial: further_promises(trial.source, trial.schema, request.guards), progress)


def repair_costs(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    method: Method | None = None,
    missing: Missing = "category",
    order: Order = "sorted",
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> list[AmendmentCost]:
    """Return what could be done about each danger of the best release of `method`, and what it costs: stricter
    promises, a coarser column, or one column less. `order` is that of the rows, as in `search`."""
    request = _request(table, schema, guards, method, missing, order, seed)
    return costs_of_all_repairs(request, progress=progress)


def costs_of_all_repairs(request: Request, *, progress: Progress | Report | bool | None = None) -> list[AmendmentCost]:
    """Like `repair_costs`, for a request and its first method."""
    progress = Progress.visible(progress)

    def work() -> list[AmendmentCost]:
        trial = _Trial.of(request, request.methods[0], progress)
        frontier, position = trial.best(None, progress.part(0.0, 0.2))
        problems = [finding for finding in findings_of(frontier.release(position)) if finding["level"] == "danger"]
        shares = [0.2 + 0.8 * done / max(len(problems), 1) for done in range(len(problems) + 1)]
        parts = [progress.part(start, end) for start, end in pairwise(shares)]
        each = [
            costs_of_repairs(trial.request, finding, progress=part)
            for finding, part in zip(problems, parts, strict=True)
        ]
        return [cost for costs in each for cost in costs]

    return progress.run(work)


def costs_of_repairs(
    request: Request,
    finding: Mapping[str, Any],
    *,
    method: Method | None = None,
    progress: Progress | Report | bool | None = None,
) -> list[AmendmentCost]:
    """Return what could be done about a danger that an attack found (`Finding.to_dict()`), what each repair costs, and
    whether the danger is then gone; those that help come first."""
    costs = _costs(
        request, method, lambda trial: repairs(trial.source, trial.schema, request.guards, finding), progress,
        str(finding["attack"]),
    )  # fmt: skip
    helpful = {id(cost): not any(_coarser_helps(other, cost) for other in costs) for cost in costs}
    costs = [cost for cost in costs if helpful[id(cost)]]
    return sorted(costs, key=lambda cost: (not cost.mends, cost.after is None, cost.after or 0.0))


def _coarser_helps(other: AmendmentCost, cost: AmendmentCost) -> bool:
    """Whether another level of the same column makes this one superfluous: the finest that helps will do."""
    own, its = cost.amendment, other.amendment
    if own.level is None or its.level is None or own.column != its.column or own is its:
        return False
    return its.level < own.level if cost.mends and other.mends else bool(other.mends) or its.level > own.level


def further_promises(source: Source, schema: Schema, guards: Sequence[Guard]) -> Iterator[Amendment]:
    """Return each promise that is the next step from these `guards`."""
    yield from _stricter("k-anonymity", guards)
    for column in schema.sensitive:
        only = {"sensitive": [column]} if len(schema.sensitive) > 1 else {}
        if len([value for value in source.domain(column).domain if value is not None]) > 1:
            yield from _stricter("distinct-diversity", guards, f" of {column}", only)
            yield from _stricter("t-closeness", guards, f" of {column}", only)
    if schema.decision is not None and schema.protected:
        yield from _stricter("alpha-protection", guards)


def _stricter(kind: str, guards: Sequence[Guard], of: str = "", only: Mapping[str, Any] = {}) -> Iterator[Amendment]:
    """The next usual value of a promise: one step from the strictest that is given, or the first."""
    setting, values = STEPS[kind]
    same = [
        guard
        for guard in guards
        if guard.kind == kind and (not only or not getattr(guard, "sensitive", ()) or
                                   set(only["sensitive"]) & set(getattr(guard, "sensitive", ())))
    ]  # fmt: skip
    rising = values[0] < values[-1]
    given = [float(getattr(guard, setting)) for guard in same]
    stricter = [value for value in values if all(value > own if rising else value < own for own in given)]
    if not stricter:
        return
    value = stricter[0] if given else {"k-anonymity": 5, "t-closeness": 0.2}.get(kind, values[0])
    value = int(value) if float(value).is_integer() else value
    title = known_guards.GUARDS.get(kind).title
    if same and kind == "k-anonymity":  # its other settings stay
        promised = tuple(replace(guard, **{setting: value}) if guard in same else guard for guard in guards)
    else:
        promised = (*guards, known_guards.from_dict({"kind": kind, setting: value, **only}))
    yield Amendment(f"Promise {title}{of} with {setting} {value:g}", guards=promised)


def repairs(source: Source, schema: Schema, guards: Sequence[Guard], finding: Mapping[str, Any]) -> Iterator[Amendment]:
    """Return what could be done about a danger: stricter promises, coarser columns, or fewer of them."""
    columns = _columns_of(finding, schema)
    if finding["attack"] in ("reidentification", "linkage", "trajectory"):
        yield from _stricter("k-anonymity", guards)
    for column in columns:
        if column in schema.sensitive:
            only = {"sensitive": [column]} if len(schema.sensitive) > 1 else {}
            yield from _stricter("t-closeness", guards, f" of {column}", only)
            yield from _stricter("distinct-diversity", guards, f" of {column}", only)
        if column not in schema.quasi and column != schema.decision:
            yield from _coarser(source, schema, column)
        if column != schema.decision:
            yield Amendment(f"Leave out {column}", column=column)


def _columns_of(finding: Mapping[str, Any], schema: Schema) -> list[str]:
    """The columns that a danger is about, those that tell most first."""
    if finding.get("column"):
        named = [str(finding["column"])]
    else:
        shares = finding.get("details", {}).get("below_k_by_column", {})
        named = sorted(shares, key=lambda name: -shares[name])[:2]
    return [name for name in named if name in schema.published]


def _coarser(source: Source, schema: Schema, column: str) -> Iterator[Amendment]:
    """The column at the next levels of its hierarchy, or of one that fits its values."""
    own = schema.hierarchies.get(column)
    try:
        rule = own or suggested(source, column)[0]
        bound, problems = rule.try_bind(source.domain(column).domain)
    except BadInput:
        return
    if problems:
        return
    start = schema.levels.get(column, 0) + 1
    for level in range(start, min(start + MAX_LEVELS, bound.height)):
        labels = [str(label) for label in bound.labels[level]]
        such = f" ({', '.join(labels[:2])}, …)" if len(labels) > 2 else ""
        sentence = f"Make {column} coarser: {counted(len(labels), 'value')}{such}"
        yield Amendment(sentence, column=column, level=level, hierarchy=None if own else rule)


@dataclass(frozen=True)
class _Trial:
    """A request whose data is open, searched with one method."""

    request: Request
    source: Source
    schema: Schema

    @classmethod
    def of(cls, request: Request, method: Method, progress: Progress) -> _Trial:
        if method.declares_domains:
            raise BadInput(f"{method.kind} must not be chosen by what records contain, so nothing is tried with it")
        source, schema = request.open(progress, by_cell=False)
        origin = Origin(data=source, dialect=request.source.dialect)
        settings: dict[str, Any] = {"methods": (method,), "measures": (), "choose": "loss", "utility": None}
        prepared: dict[str, Any] = {"one_row_per_person": None, "by": None, "walk": None, "candidate": None}
        return cls(replace(request, source=origin, schema=schema, **settings, **prepared), source, schema)

    def best(self, amendment: Amendment | None, progress: Progress) -> tuple[Frontier, int]:
        request = self.request if amendment is None else amendment.of(self.request, self.schema)
        frontier = explore_request(request, ["loss"], progress=progress)
        return frontier, frontier.best_position("loss")

    def loss(self, frontier: Frontier, position: int, amendment: Amendment | None = None) -> float:
        """The loss of a candidate over all quasi columns: one that is left out has lost everything."""
        loss = float(frontier.values("loss")[position])
        if amendment is None or amendment.level is not None or amendment.column not in self.schema.quasi:
            return loss
        columns = len(self.schema.quasi)
        return (loss * (columns - 1) + 1) / columns


def _costs(
    request: Request,
    method: Method | None,
    amendments: Callable[[_Trial], Iterator[Amendment]],
    progress: Progress | Report | bool | None,
    danger: str = "",
) -> list[AmendmentCost]:
    progress = Progress.visible(progress)

    def work() -> list[AmendmentCost]:
        trial = _Trial.of(request, method or request.methods[0], progress)
        before = trial.loss(*trial.best(None, progress.part(0.0, 0.1)))
        listed, costs = list(amendments(trial)), []
        shares = [0.1 + 0.9 * done / max(len(listed), 1) for done in range(len(listed) + 1)]
        for amendment, (start, end) in zip(listed, pairwise(shares), strict=True):
            part = progress.part(start, end, f"{amendment.sentence}: ")
            try:
                frontier, position = trial.best(amendment, part)
                after = trial.loss(frontier, position, amendment)
                mends = bool(danger) and danger not in dangers(findings_of(frontier.release(position)))
                costs.append(AmendmentCost(amendment, before, after, danger=danger, mends=mends))
            except (Infeasible, BadInput) as problem:
                costs.append(AmendmentCost(amendment, before, problem=str(problem), danger=danger))
        return costs

    return progress.run(work)
