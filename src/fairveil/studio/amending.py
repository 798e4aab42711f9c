"""Amend: what one more promise would cost, what repairs a danger at which cost, and one click that does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairveil.errors import BadInput
from fairveil.methods.method import Method
from fairveil.progress import Progress
from fairveil.release.source_dangers import findings_of
from fairveil.run.amendments import AmendmentCost, costs_of_promises, costs_of_repairs
from fairveil.run.plan import Plan
from fairveil.studio.answers import Answer, Spec, number
from fairveil.studio.candidate_store import need_candidate, release_of, split_id
from fairveil.studio.deciding import change, put_roles
from fairveil.studio.document import guards_of, methods_of, need_source, plan_of, rule_of, schema_of, stored
from fairveil.studio.endpoints import endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.runs import place_of
from fairveil.studio.sessions import OpenSession
from fairveil.studio.steering import read_walk


class AmendmentSpec(Answer):
    """A change of the document: other promises, or a column that is left out (`level` is null) or published at a level
    of its hierarchy, or of this one."""

    sentence: str
    guards: list[Spec] | None
    column: str | None
    level: int | None
    hierarchy: Spec | None


class CostFacts(Answer):
    """What a change costs; `after` is null where no release keeps it, `mends` says whether the danger is then gone."""

    amendment: AmendmentSpec
    cost: str
    before: float | None
    after: float | None
    mends: bool


class Costs(Answer):
    costs: list[CostFacts]


@endpoint("POST", "/promise-costs")
def promise_costs(session: OpenSession, method: Mapping[str, Any] | None = None) -> JobView[Costs]:
    """Return what one more promise would cost: with this method, or the first of the document that can be tried."""
    chosen = methods_of(session.document["methods"] if method is None else [method])
    usable = [own for own in chosen if not own.declares_domains]
    if not usable:
        raise BadInput("choose a method first; methods with noise must not be chosen by what records contain")
    guards_of(session.document["guards"])
    plan = plan_of(session, session.document, need_source(session))
    return started(
        session, "promise costs",
        lambda progress: _facts(costs_of_promises(plan, method=usable[0], progress=progress)),
    )  # fmt: skip


@endpoint("POST", "/repairs")
def repairs(session: OpenSession, candidate: str, danger: str) -> JobView[Costs]:
    """Return what could be done about a danger of a candidate, and what each repair costs."""
    need_candidate(session, candidate)
    plan, method = _request(session, candidate)

    def work(progress: Progress) -> Costs:
        release = release_of(session, candidate)
        dangers = [
            finding for finding in findings_of(release) if finding["attack"] == danger and finding["level"] == "danger"
        ]
        costs: dict[str, AmendmentCost] = {}
        for done, finding in enumerate(dangers):
            part = progress.part(done / len(dangers), (done + 1) / len(dangers))
            for cost in costs_of_repairs(plan, finding, method=method, progress=part):
                costs.setdefault(cost.amendment.sentence, cost)
        return _facts(list(costs.values()))

    return started(session, "repairs", work)


def _request(session: OpenSession, candidate: str) -> tuple[Plan, Method]:
    """The request that a candidate was found by, and its method."""
    owner, called = split_id(candidate)
    if owner in session.runs:
        request = session.runs[owner].request
        method = methods_of(request["methods"])[place_of(called) - 1]
    else:
        content = read_walk(session, owner)
        request, [method] = content["request"], methods_of([content["method"]])
    return plan_of(session, {**session.document, **request}, need_source(session, request), walk=None), method


def _facts(costs: Sequence[AmendmentCost]) -> Costs:
    def facts(cost: AmendmentCost) -> CostFacts:
        own = cost.amendment
        guards = None if own.guards is None else [stored(guard) for guard in own.guards]
        rule = None if own.hierarchy is None else stored(own.hierarchy)
        spec = AmendmentSpec(own.sentence, guards, own.column, own.level, rule)
        return CostFacts(spec, cost.cost, number(cost.before), number(cost.after), cost.mends)

    return Costs([facts(cost) for cost in costs])


@endpoint("POST", "/amend")
def amend(
    session: OpenSession,
    sentence: str,
    guards: Sequence[Any] | None = None,
    column: str | None = None,
    level: int | None = None,
    hierarchy: Mapping[str, Any] | None = None,
) -> None:
    """Make such a change, as one step that can be undone."""
    promised = None if guards is None else [stored(guard) for guard in guards_of(guards)]
    rule = None if hierarchy is None else stored(rule_of(hierarchy))
    if promised is None and column not in schema_of(session.document).published:
        raise BadInput(f"column {column!r} is not published: there is nothing to change")

    def edit(document: dict[str, Any]) -> None:
        if promised is not None:
            document["guards"] = promised
        elif level is None:
            put_roles(document, {str(column): ["drop"]})
        else:
            document["levels"][column] = level
            if rule is not None:
                document["hierarchies"][column] = rule

    change(session, sentence[:200], edit)
