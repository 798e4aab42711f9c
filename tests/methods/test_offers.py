"""Searches in steps offer what they have so far: every candidate keeps the guards, and none is lost by a cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fairveil as fv
from fairveil.methods.method import Method, why_broken
from fairveil.progress import Progress
from fairveil.run.request import Request
from fairveil.run.sections import Origin

STEPS = [
    fv.RollUp(), fv.RollUp(exceptions=0.2), fv.RollUp(join=False), fv.DMPD(generations=2, population=6),
    fv.DMPD(generations=2, population=6, objective="pareto"),
]  # fmt: skip


class Offers(Progress):
    """Keeps every offer."""

    def __init__(self) -> None:
        super().__init__()
        self.proposals: list[Any] = []

    def offer(self, proposal: Callable[[], Any]) -> None:
        self.proposals.append(proposal())


@pytest.mark.parametrize("method", STEPS, ids=lambda method: method.kind)
def test_what_is_offered_keeps_the_guards(method: Method) -> None:
    data = fv.datasets.german_credit()
    rows = data.table.take(np.arange(200))
    progress = Offers()
    request = Request(Origin(data=rows), (fv.KAnonymity(3),), data.schema, (method,))
    task = request.task(progress)
    method.search(task)
    offered = [proposal for proposal in progress.proposals if proposal is not None]
    assert offered, "nothing was offered"
    for proposal in (offered[0], offered[-1]):
        assert len(proposal.changes) > 0
        assert not why_broken(task, proposal.changes[0]) and not why_broken(task, proposal.changes[-1])
