"""Promise: evaluates guards on the unchanged source, while the user moves a slider."""

from __future__ import annotations

import json
import time
from typing import Any

from fairveil.run.feasibility import FeasibilityResult, GuardFeasibility
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.requests import guards_of, need_source, schema_of
from fairveil.studio.views import number, plain

COUNTED = ("source", "roles", "denied", "levels", "hierarchies")
"""The entries of the document that the counts depend on."""


def feasibility(call: Call) -> api.FeasibilityAnswer:
    began = time.perf_counter()
    asked: api.SetGuards = call.body
    session, document = call.session, call.session.document
    key = json.dumps([document[name] for name in COUNTED], sort_keys=True, default=str)

    def make() -> GuardFeasibility:
        return GuardFeasibility(need_source(session), schema_of(document))

    counted: GuardFeasibility = session.keep(("feasibility", key), make)
    rows = counted.source.rows
    answers: list[Any] = [_view(answer, rows) for answer in counted.of(guards_of(asked.guards))]
    return {"guards": answers, "milliseconds": round(1000 * (time.perf_counter() - began), 1)}


def _view(answer: FeasibilityResult, rows: int) -> api.Feasibility:
    verdict = answer.verdict
    return {
        "guard": plain(answer.guard.to_dict()), "promise": answer.guard.promise(),
        "holds": verdict is not None and verdict.holds, "worst": None if verdict is None else number(verdict.worst),
        "limit": None if verdict is None else number(verdict.limit),
        "broken_rows": 0 if verdict is None else verdict.broken_rows, "rows": rows,
        "sentence": "" if verdict is None else verdict.sentence, "reachable": answer.reachable,
        "blame": [{"column": blame.column, "broken_rows": blame.broken_rows} for blame in answer.blame],
        "problem": answer.problem,
    }  # fmt: skip
