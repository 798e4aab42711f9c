"""What a method has found while it still searches: real candidates, which stay if it is stopped."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fairveil as fv
from fairveil import measures
from fairveil.methods import METHODS, Method
from fairveil.run import explore
from fairveil.run.request import Request
from fairveil.run.sections import Origin
from tests.contracts.people import GUARDS, SCHEMA, quick, source

OFFERS = {"best-first", "tds", "tdr", "mdav", "fair-mdav", "preferences"}
"""Those that search long enough, and have several candidates to show."""


@pytest.fixture(params=METHODS, ids=lambda method: method.kind)
def method(request: pytest.FixtureRequest) -> Method:
    kept: dict[str, Any] = {
        "mdav": {"k": [3, 4, 6]},
        "fair-mdav": {"tau": [0.9, 0.95, 1.0]},
        "preferences": {"groups": "free", "evaluations": 2000},
    }
    return replace(quick(request.param), **kept.get(request.param.kind, {}))


def test_what_is_found_meanwhile_can_be_published_after_a_cancel(
    method: Method, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hours = count(0, 3600)
    monkeypatch.setattr(explore, "time", SimpleNamespace(monotonic=lambda: float(next(hours))))  # always time to ask
    heard: list[list[Any]] = []

    def first(records: list[Any]) -> None:
        heard.append(records)
        if str(records[0]["candidate"]).endswith("*"):
            raise fv.Cancelled("enough")

    request = Request(Origin(data=source()), tuple(GUARDS), SCHEMA, (method,))
    cheap = [measures.get("loss"), measures.get("k")]
    try:
        task = request.task(fv.Progress(on_found=first))
        explore.explore_task(task, [method], cheap, keep=tmp_path)
        assert method.kind not in OFFERS
        return
    except fv.Cancelled:
        numbers = [record["candidate"] for record in heard[-1]]
        assert all(str(number).endswith("*") for number in numbers)
    kept = explore.explore_task(request.task(), [method], cheap, keep=tmp_path, only=1, interim=True)
    assert kept.numbers == numbers
    assert np.allclose(kept.values("loss"), [record["loss"] for record in heard[-1]], equal_nan=True)
    for number in numbers[:3]:
        assert kept.release(kept.position_of(number)).holds
    whole = explore.explore_task(request.task(), [method], cheap, keep=tmp_path)
    alone = explore.explore_task(request.task(), [method], cheap)
    assert whole.numbers == alone.numbers  # what was stopped does not change what is found
    with pytest.raises(fv.BadInput, match=r"numbers with \*"):
        whole.position_of(numbers[0])
