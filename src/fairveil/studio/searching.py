"""Search: start, watch, cancel, name and remove runs."""

from __future__ import annotations

from typing import Any

from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.candidate_store import columns_of
from fairveil.studio.faults import unknown
from fairveil.studio.requests import methods_of
from fairveil.studio.runs import Run, request_from, requested
from fairveil.studio.views import plain, session_view


def start(call: Call) -> api.RunHead:
    """Start a run; raises before it starts if the request cannot be met."""
    asked: api.StartRun = call.body
    session = call.session
    specs = session.document["methods"] if asked.methods is None else list(asked.methods)
    further = session.document["measures"] if asked.measures is None else list(asked.measures)
    chosen = methods_of(specs)
    if not chosen:
        raise BadInput("nothing to search with: choose at least one method")
    if asked.most is not None and asked.most < 1:
        raise BadInput(f"{option('most')} must be at least 1, not {asked.most}")
    request = requested(
        session.document,
        methods=[_finite(method.to_dict()) for method in chosen],
        measures=further,
        most=asked.most,
    )
    task = request_from(session, request).task()
    with session.lock:
        run = Run(session, f"r{session.next_number('r')}", request)
        session.runs[run.id] = run
        kinds = " and ".join(dict.fromkeys(method.kind for method in chosen))
        label = {"name": asked.name or f"{kinds} {run.id[1:]}", "note": ""}
        session.change(f"Started {label['name']}", lambda document: document["runs"].update({run.id: label}))
        run.start(task)
    return run.head()


def _finite(spec: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain(spec).items() if value is not None}


def pulse(call: Call) -> api.Pulse:
    """Return a short status: pages request it several times a second during a run."""
    session = call.session
    with session.lock:
        runs = [run.progress() for id, run in session.runs.items() if id in session.document["runs"]]
        return {"version": session.history.version, "runs": runs}


def need_run(call: Call, id: str | None = None) -> Run:
    id = call.path["run"] if id is None else id
    if id not in call.session.runs or id not in call.session.document["runs"]:
        raise unknown("run", id)
    return call.session.runs[id]


def show(call: Call) -> api.RunView:
    run, since = need_run(call), int(call.query.get("since", 0))
    if since < 0:
        raise BadInput("since must be at least 0")
    with call.session.lock:
        found = run.found.since(since)
        return {
            "run": run.head(),
            "since": since,
            "candidates": columns_of([(run.id, found, run.heights)], len(run.found)),
        }


def cancel(call: Call) -> api.RunHead:
    run = need_run(call)
    if run.job is not None and run.state == "running":
        run.job.progress.cancel()
        run.job.thread.join(2.0)
    return run.head()


def again(call: Call) -> api.RunHead:
    """Repeat a run with the same request and name, after a restart, a cancellation or a failure."""
    run = need_run(call)
    if run.state == "running":
        raise BadInput("this run is still going on")
    run.start()
    return run.head()


def label(call: Call) -> api.Session:
    asked: api.SetLabel = call.body
    run = need_run(call)
    changed = {name: value for name, value in vars(asked).items() if value is not None}
    words = [f"named {run.id} {asked.name}"] if asked.name is not None else []
    words += [f"changed the note of {run.id}"] if asked.note is not None else []
    sentence = " and ".join(words) or "changed nothing"
    call.session.change(sentence[:1].upper() + sentence[1:], lambda document: document["runs"][run.id].update(changed))
    return session_view(call.session)


def delete(call: Call) -> api.Session:
    """Remove a run from the document; its file is kept until the session is deleted, so that undo restores it."""
    run = need_run(call)
    if run.job is not None:
        run.job.progress.cancel()
    name = call.session.document["runs"][run.id]["name"]

    def edit(document: dict[str, Any]) -> None:
        del document["runs"][run.id]
        document["clipboard"] = [c for c in document["clipboard"] if not c["candidate"].startswith(f"{run.id}-")]
        if str(document["chosen"]).startswith(f"{run.id}-"):
            document["chosen"] = None

    call.session.change(f"Removed {name}", edit)
    return session_view(call.session)
