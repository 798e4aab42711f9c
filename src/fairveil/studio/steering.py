"""Steer: walk along reference directions, choose a solution, change direction, go back.

A walk is a file of the session. Steps are only appended, each with its predecessor, so that numbers of solutions never
change; the document lists the steps that are in effect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from fairveil import shapes
from fairveil.choice.achievement import Aspirations
from fairveil.data.atomic import write_text
from fairveil.errors import BadInput
from fairveil.frontier.reference_direction import ReferenceDirection, Step, step_from
from fairveil.progress import Progress
from fairveil.release.release import Release
from fairveil.run.plan import Plan
from fairveil.run.sections import WalkSteps
from fairveil.settings import read
from fairveil.shapes import each, integer, many, number, optional, record
from fairveil.studio.answers import Answer, Spec, plain
from fairveil.studio.document import (
    REQUEST,
    completed,
    current_parts,
    guards_of,
    methods_of,
    need_source,
    plan_of,
    requested,
    schema_of,
)
from fairveil.studio.endpoints import endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.refusals import unknown
from fairveil.studio.sessions import OpenSession

FORMAT = 1
FROM = {"chosen": optional(integer(0)), "after": optional(integer(1))}
"""What a saved step has besides the settings of a `Step`: where it went on from."""
_SHAPE = record({
    "format": integer(FORMAT, FORMAT), "request": record({}, more=True), "method": record({}, more=True),
    "start": optional(each(number())), "points": integer(1),
    "steps": many(record(FROM, more=True)),
})  # fmt: skip


class Solution(Answer):
    """`id` names it as a candidate, once it was picked."""

    id: str
    point: dict[str, float]
    k: int
    groups: dict[str, int]


class WalkStep(Answer):
    """`chosen` is the solution (from 0) of the step before that it went on from."""

    number: int
    start: dict[str, float]
    aspirations: dict[str, float]
    points: int
    chosen: int | None
    solutions: list[Solution]


class Walk(Answer):
    """A walk along reference directions: the path in effect. Undo, redo and `back` move along it."""

    id: str
    name: str
    note: str
    method: Spec
    objectives: list[str]
    steps: list[WalkStep]
    stale: bool


def read_walk(session: OpenSession, id: str) -> dict[str, Any]:
    """Return the saved content of a walk."""
    if id not in session.document["walks"]:
        raise unknown("walk", id)
    path = session.folder_of("runs") / f"{id}.json"
    stored = current_parts(shapes.from_json(shapes.read_bytes(path, "walk"), "the walk's file"))
    content: dict[str, Any] = _SHAPE(stored, "")
    for step in content["steps"]:
        read(Step, _own(step), "a step")
    return {**content, "request": completed(content["request"])}


def _own(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in FROM}


def write_walk(session: OpenSession, id: str, content: dict[str, Any]) -> None:
    text = json.dumps({"format": FORMAT, **content}, ensure_ascii=False, default=str)
    write_text(text, session.folder_of("runs") / f"{id}.json", private=True)


class Relay:
    """The progress of a walk, which outlives the job that computes one of its steps."""

    def __init__(self, current: Progress) -> None:
        self.current = current

    def __call__(self, share: float, what: str) -> None:
        self.current.tell(share, what)


def direction(
    session: OpenSession, id: str, content: dict[str, Any], path: list[int], progress: Progress
) -> ReferenceDirection:
    """Return the walk as a `ReferenceDirection`, positioned at the end of a path (step numbers from 1)."""
    request = content["request"]
    if id not in session.walks:
        relay = Relay(progress)
        plan = plan_of(session, {**request, "methods": [content["method"]]}, need_source(session, request))
        session.walks[id] = (plan.direction(relay, start=content["start"], points=content["points"]), relay)
    walk, relay = session.walks[id]
    relay.current = progress
    walk.steps = [step_from(_own(content["steps"][step - 1]), walk) for step in path]
    if walk.steps:
        last = walk.steps[-1]
        walk.start, walk.points = dict(last.start), last.points
        walk.aspirations = Aspirations(last.aspirations, walk.aspirations.ideal)
    return walk


def added(content: dict[str, Any], walk: ReferenceDirection, chosen: int | None, after: int | None) -> dict[str, Any]:
    """Return the walk with its latest step appended."""
    step = json.loads(json.dumps(asdict(walk.steps[-1])))
    steps = [*content["steps"], {**step, "chosen": chosen, "after": after}]
    return {**content, "steps": steps}


def path_to(content: dict[str, Any], step: int) -> list[int]:
    """Return the steps that led to a step, and the step itself; numbers from 1."""
    if not 1 <= step <= len(content["steps"]):
        raise BadInput(f"the walk has no step {step}")
    path: list[int] = []
    before: int | None = step
    while before is not None:
        path.insert(0, before)
        before = content["steps"][before - 1]["after"]
    return path


def need_solution(session: OpenSession, id: str, called: str) -> tuple[dict[str, Any], list[int], int]:
    """Return the walk, the path to the step, and the solution (from 0) of a candidate's number."""
    content = read_walk(session, id)
    step, _, solution = called.partition(".")
    if not solution or not 1 <= int(step) <= len(content["steps"]):
        raise unknown("candidate", f"{id}-{called}")
    if not 1 <= int(solution) <= len(content["steps"][int(step) - 1]["solutions"]):
        raise unknown("candidate", f"{id}-{called}")
    return content, path_to(content, int(step)), int(solution) - 1


def walk_release(session: OpenSession, id: str, called: str) -> Release:
    content, path, solution = need_solution(session, id, called)
    return direction(session, id, content, path, Progress()).release(solution)


def walk_plan(session: OpenSession, id: str, called: str) -> Plan:
    """Return the plan that repeats the steps and publishes this solution."""
    content, path, solution = need_solution(session, id, called)
    steps = []
    for last, step in pairwise(content["steps"][taken - 1] for taken in path):
        turned = {name: step[name] for name in ("aspirations", "points") if step[name] != last[name]}
        steps.append({"choose": step["chosen"] + 1, **turned})
    walk = WalkSteps(solution + 1, content["points"], content["start"], tuple(steps))
    document = {**session.document, **content["request"], "methods": [content["method"]]}
    return plan_of(session, document, walk=walk, candidate=None, utility=None)


@endpoint("GET", "/walks")
def walks(session: OpenSession) -> list[Walk]:
    return [show(session, id) for id in session.document["walks"]]


@endpoint("GET", "/walks/{walk}")
def show(session: OpenSession, walk: str) -> Walk:
    content = read_walk(session, walk)
    label = session.document["walks"][walk]
    steps = []
    for taken in label["path"]:
        step = content["steps"][taken - 1]
        solutions = [
            Solution(f"{walk}-{taken}.{position}", solution["point"], solution["k"], solution["groups"])
            for position, solution in enumerate(step["solutions"], start=1)
        ]
        kept = {name: step[name] for name in ("start", "aspirations", "points", "chosen")}
        steps.append(WalkStep(taken, solutions=solutions, **kept))
    stale = any(content["request"][name] != session.document[name] for name in REQUEST)
    objectives = list(content["method"]["aspirations"])
    return Walk(walk, label["name"], label["note"], content["method"], objectives, steps, stale)


@endpoint("POST", "/walks")
def start(
    session: OpenSession,
    name: str = "",
    aspirations: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    points: int = 10,
    method: Mapping[str, Any] | None = None,
) -> JobView[Walk]:
    """Start a walk with its first step; raises before it starts if the request cannot be met.

    `aspirations` are by measure, such as {"necd": 0.1, "nwp": 0.2}; `start` is the worst point unless given. `method`
    is a preferences method; among the levels of the hierarchies unless given, which is exact and quick.
    """
    spec = dict(method or {"kind": "preferences", "groups": "full-domain"})
    if aspirations:
        spec["aspirations"] = dict(aspirations)
    [search] = methods_of([spec])
    if not search.walks:
        raise BadInput(f"method {search.kind} has no reference directions: use preferences")
    guards_of(session.document["guards"])
    schema_of(session.document), need_source(session)
    content: dict[str, Any] = {
        "request": requested(session.document), "method": plain(search.to_dict()),
        "start": None if start is None else dict(start), "points": points, "steps": [],
    }  # fmt: skip
    id, file = session.reserve("w", "runs", ".json")
    label = {"name": name or f"Walk {id[1:]}", "note": "", "path": [1]}

    def work(progress: Progress) -> Walk:
        try:
            walk = direction(session, id, content, [], progress)
            walk.step()
            write_walk(session, id, added(content, walk, None, None))
        except BaseException:
            session.walks.pop(id, None)
            file.unlink(missing_ok=True)
            raise
        session.change(f"Started {label['name']}", lambda document: document["walks"].update({id: label}))
        return show(session, id)

    return started(session, "walk", work)


@endpoint("POST", "/walks/{walk}/step")
def step(
    session: OpenSession,
    walk: str,
    choose: int,
    aspirations: Mapping[str, float] | None = None,
    points: int | None = None,
) -> JobView[Walk]:
    """Go on from a solution of the last step (from 0), toward the same or other aspirations."""
    content = read_walk(session, walk)
    label = session.document["walks"][walk]
    path = list(label["path"])
    if not path:
        raise BadInput("this walk has no step to go on from")
    solutions = content["steps"][path[-1] - 1]["solutions"]
    if not 0 <= choose < len(solutions):
        raise BadInput(f"no solution {choose}: the last step has 0 to {len(solutions) - 1}")

    def work(progress: Progress) -> Walk:
        walked = direction(session, walk, content, path, progress)
        walked.step(choose, aspirations=aspirations, points=points)
        with session.lock:
            longer = added(read_walk(session, walk), walked, choose, path[-1])
            write_walk(session, walk, longer)
            turned = "" if aspirations is None else " toward other aspirations"
            sentence = f"Went on from solution {choose + 1} of {session.document['walks'][walk]['name']}{turned}"
            _set_path(session, walk, [*path, len(longer["steps"])], sentence)
        return show(session, walk)

    return started(session, "walk", work)


@endpoint("POST", "/walks/{walk}/back")
def back(session: OpenSession, walk: str, steps: int) -> Walk:
    """Go back to an earlier step: so many steps of the walk stay."""
    read_walk(session, walk)
    label = session.document["walks"][walk]
    if not 1 <= steps <= len(label["path"]):
        raise BadInput(f"the walk has 1 to {len(label['path'])} steps, not {steps}")
    _set_path(session, walk, label["path"][:steps], f"Went back to step {steps} of {label['name']}")
    return show(session, walk)


def _set_path(session: OpenSession, walk: str, path: list[int], sentence: str) -> None:
    session.change(sentence, lambda document: document["walks"][walk].update(path=path))


@endpoint("PUT", "/walks/{walk}")
def label(session: OpenSession, walk: str, name: str | None = None, note: str | None = None) -> None:
    read_walk(session, walk)
    session.label("walks", walk, name, note)


@endpoint("DELETE", "/walks/{walk}")
def delete(session: OpenSession, walk: str) -> None:
    read_walk(session, walk)
    session.remove("walks", walk)
