"""Steer: walk along reference directions, choose a solution, change direction, go back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.document import REQUEST
from fairveil.studio.faults import unknown
from fairveil.studio.jobs import started
from fairveil.studio.requests import guards_of, methods_of, need_source, plan_of, schema_of
from fairveil.studio.runs import requested
from fairveil.studio.sessions import OpenSession
from fairveil.studio.views import plain, session_view
from fairveil.studio.walks import added, direction, path_to, read_walk, write_walk

if TYPE_CHECKING:
    from fairveil.release.release import Release
    from fairveil.run.plan import Plan


def walks(call: Call) -> api.Walks:
    return {"walks": [_view(call.session, id) for id in call.session.document["walks"]]}


def show(call: Call) -> api.Walk:
    return _view(call.session, call.path["walk"])


def _view(session: OpenSession, id: str) -> api.Walk:
    content = read_walk(session, id)
    label = session.document["walks"][id]
    steps: list[api.WalkStep] = []
    for number in label["path"]:
        step = content["steps"][number - 1]
        solutions: list[api.Solution] = [
            {"id": f"{id}-{number}.{place}", "point": one["point"], "k": one["k"], "groups": one["groups"],
             "reached_from": one["reached_from"]}
            for place, one in enumerate(step["solutions"], start=1)
        ]  # fmt: skip
        steps.append({
            "number": number, "start": step["start"], "aspirations": step["aspirations"], "points": step["points"],
            "chosen": step["chosen"], "solutions": solutions,
        })  # fmt: skip
    return {
        "id": id, "name": label["name"], "note": label["note"], "method": content["method"],
        "objectives": list(content["method"]["aspirations"]), "steps": steps,
        "stale": any(content["request"][name] != session.document[name] for name in REQUEST),
    }  # fmt: skip


def start(call: Call) -> api.JobView[api.Walk]:
    """Start a walk with its first step; raises before it starts if the request cannot be met."""
    asked: api.StartWalk = call.body
    session = call.session
    spec = dict(asked.method or {"kind": "preferences", "groups": "full-domain"})
    if asked.aspirations:
        spec["aspirations"] = dict(asked.aspirations)
    [method] = methods_of([spec])
    if method.kind != "preferences":
        raise BadInput(f"method {method.kind} has no reference directions: use preferences")
    guards_of(session.document["guards"])
    schema_of(session.document), need_source(session)
    content: dict[str, Any] = {
        "request": requested(session.document), "method": plain(method.to_dict()),
        "start": None if asked.start is None else dict(asked.start), "points": asked.points, "steps": [],
    }  # fmt: skip
    with session.lock:
        id = f"w{session.next_number('w')}"
        (session.folder_of("runs") / f"{id}.json").touch(mode=0o600)  # reserves the number
    name = asked.name or f"Walk {id[1:]}"

    def work(progress: Progress) -> api.Walk:
        try:
            walk = direction(session, id, content, [], progress)
            walk.step()
            write_walk(session, id, added(content, walk, None, None))
        except BaseException:
            session.walks.pop(id, None)
            (session.folder_of("runs") / f"{id}.json").unlink(missing_ok=True)
            raise
        label = {"name": name, "note": "", "path": [1]}
        session.change(f"Started {name}", lambda document: document["walks"].update({id: label}))
        return _view(session, id)

    return started(call, "walk", work)


def step(call: Call) -> api.JobView[api.Walk]:
    asked: api.TakeStep = call.body
    session, id = call.session, call.path["walk"]
    content = read_walk(session, id)
    path = list(session.document["walks"][id]["path"])
    if not path:
        raise BadInput("this walk has no step to go on from")
    solutions = content["steps"][path[-1] - 1]["solutions"]
    if not 0 <= asked.choose < len(solutions):
        raise BadInput(f"no solution {asked.choose}: the last step has 0 to {len(solutions) - 1}")

    def work(progress: Progress) -> api.Walk:
        walk = direction(session, id, content, path, progress)
        walk.step(asked.choose, aspirations=asked.aspirations, points=asked.points)
        with session.lock:
            whole = added(read_walk(session, id), walk, asked.choose, path[-1])
            write_walk(session, id, whole)
            turned = "" if asked.aspirations is None else " toward other aspirations"
            name = session.document["walks"][id]["name"]
            session.change(
                f"Went on from solution {asked.choose + 1} of {name}{turned}",
                lambda document: document["walks"][id].update(path=[*path, len(whole["steps"])]),
            )
        return _view(session, id)

    return started(call, "walk", work)


def back(call: Call) -> api.Walk:
    asked: api.GoBack = call.body
    session, id = call.session, call.path["walk"]
    read_walk(session, id)
    path = session.document["walks"][id]["path"]
    if not 1 <= asked.steps <= len(path):
        raise BadInput(f"the walk has 1 to {len(path)} steps, not {asked.steps}")
    name = session.document["walks"][id]["name"]
    session.change(
        f"Went back to step {asked.steps} of {name}",
        lambda document: document["walks"][id].update(path=path[: asked.steps]),
    )
    return _view(session, id)


def label(call: Call) -> api.Session:
    asked: api.SetLabel = call.body
    id = call.path["walk"]
    read_walk(call.session, id)
    changed = {name: value for name, value in vars(asked).items() if value is not None}
    sentence = f"Named {id} {asked.name}" if asked.name is not None else f"Changed the note of {id}"
    call.session.change(sentence, lambda document: document["walks"][id].update(changed))
    return session_view(call.session)


def delete(call: Call) -> api.Session:
    id = call.path["walk"]
    read_walk(call.session, id)
    name = call.session.document["walks"][id]["name"]

    def edit(document: dict[str, Any]) -> None:
        del document["walks"][id]
        document["clipboard"] = [c for c in document["clipboard"] if not c["candidate"].startswith(f"{id}-")]
        if str(document["chosen"]).startswith(f"{id}-"):
            document["chosen"] = None

    call.session.change(f"Removed {name}", edit)
    return session_view(call.session)


def need_solution(session: OpenSession, id: str, called: str) -> tuple[dict[str, Any], int, int]:
    """Return the walk, the step (from 1) and the solution (from 0) of a candidate's number."""
    content = read_walk(session, id)
    step, _, solution = called.partition(".")
    if not solution or not 1 <= int(step) <= len(content["steps"]):
        raise unknown("candidate", f"{id}-{called}")
    if not 1 <= int(solution) <= len(content["steps"][int(step) - 1]["solutions"]):
        raise unknown("candidate", f"{id}-{called}")
    return content, int(step), int(solution) - 1


def release(session: OpenSession, id: str, called: str) -> Release:
    content, step_number, solution = need_solution(session, id, called)
    walk = direction(session, id, content, path_to(content, step_number), Progress())
    return walk.release(solution)


def walk_plan(session: OpenSession, id: str, called: str) -> Plan:
    """Return the plan that repeats the steps and publishes this solution."""
    from fairveil.run.request.walk import WalkSteps

    content, step_number, solution = need_solution(session, id, called)
    path = path_to(content, step_number)
    steps = []
    for before, number in pairwise(path):
        last, step = content["steps"][before - 1], content["steps"][number - 1]
        turned = {"aspirations": step["aspirations"]} if step["aspirations"] != last["aspirations"] else {}
        points = {"points": step["points"]} if step["points"] != last["points"] else {}
        steps.append({"choose": step["chosen"] + 1, **turned, **points})
    walk = WalkSteps(solution + 1, content["points"], content["start"], tuple(steps))
    document = {**session.document, **content["request"], "methods": [content["method"]]}
    return plan_of(session, document, walk=walk)
