"""Walks: reference directions in a file of the session. Steps are only appended, each with its predecessor, so that
numbers of solutions never change; the document lists the steps that are in effect."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fairveil import shapes
from fairveil.data.atomic import write_text
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.shapes import each, many, number, optional, record, text, whole
from fairveil.studio.faults import unknown

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection
    from fairveil.studio.sessions import OpenSession

FORMAT = 1
_SOLUTION = record({
    "point": each(number()), "k": whole(0), "cuts": text, "reached_from": many(whole(1)), "groups": each(whole(1)),
})  # fmt: skip
_SHAPE = record({
    "format": whole(FORMAT, FORMAT), "request": record({}, more=True), "method": record({}, more=True),
    "start": optional(each(number())), "points": whole(1),
    "steps": many(record({
        "start": each(number()), "aspirations": each(number()), "points": whole(1), "solutions": many(_SOLUTION),
        "chosen": optional(whole(0)), "after": optional(whole(1)),
    }, {"pool": many(text)})),
})  # fmt: skip


def read_walk(session: OpenSession, id: str) -> dict[str, Any]:
    """Return the saved content of a walk."""
    if id not in session.document["walks"]:
        raise unknown("walk", id)
    path = session.folder_of("runs") / f"{id}.json"
    content: dict[str, Any] = _SHAPE(shapes.from_json(shapes.read_bytes(path, "walk"), "the walk's file"), "")
    return content


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
    from fairveil.choice.achievement import Aspirations
    from fairveil.frontier.reference_direction import EfficientSolution, ReferenceDirection, Step
    from fairveil.studio.requests import guards_of, methods_of, need_source, schema_of

    request = content["request"]
    if id not in session.walks:
        [method] = methods_of([content["method"]])
        relay = Relay(progress)
        walk = ReferenceDirection(
            need_source(session, request), schema_of(request), guards=guards_of(request["guards"]), method=method,  # type: ignore[arg-type]
            start=content["start"], points=content["points"], seed=request["seed"], progress=relay,
        )  # fmt: skip
        session.walks[id] = (walk, relay)
    walk, relay = session.walks[id]
    relay.current = progress
    walk.steps = []
    for number_ in path:
        spec = content["steps"][number_ - 1]
        solutions = [
            EfficientSolution(**{**one, "reached_from": tuple(one["reached_from"])}) for one in spec["solutions"]
        ]
        pool = tuple(spec.get("pool", ()))
        walk.steps.append(Step(spec["start"], spec["aspirations"], spec["points"], tuple(solutions), pool))
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
    place: int | None = step
    while place is not None:
        path.insert(0, place)
        place = content["steps"][place - 1]["after"]
    return path
