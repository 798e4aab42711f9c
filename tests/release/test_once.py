"""Evidence is computed once: attacks run once, the report is built once, and the written rows are grouped once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import reporting
from fairveil.published.published import Published
from fairveil.release import claims


def test_what_is_written_is_judged_attacked_and_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def call(*given: Any, **named: Any) -> Any:
            calls[name] += 1
            return original(*given, **named)

        monkeypatch.setattr(owner, name, call)

    counted(Published, "_classes")
    counted(claims, "cheap")
    counted(reporting, "public_report")
    people = pa.table({"age": [31, 32, 40, 41] * 5, "sex": ["F", "M"] * 10})
    release = fv.search(people, fv.Schema(quasi=["age", "sex"]), guards=[fv.KAnonymity(2)]).best("loss")
    saved = release.save(tmp_path / "out")
    assert saved.verification and saved.evidence["holds"]
    assert calls == {"_classes": 1, "cheap": 1, "public_report": 1}
