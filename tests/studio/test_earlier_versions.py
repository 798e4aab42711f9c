"""A session that version 0.1 wrote is opened: its request, roles and guards, its run, and its history."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import fairveil as fv
from fairveil.run.plan import Plan
from fairveil.studio.document import blank
from tests.studio.client import User

SAVED = Path(__file__).parent / "session-0.1"
RENAMED = {"kind": "roll-up", "most": 7}
GUARDS = (fv.KAnonymity(3), fv.AlphaProtection(1.5, min_support=2))


def test_a_session_of_version_0_1_is_opened(tmp_path: Path) -> None:
    saved: dict[str, Any] = json.loads((SAVED / "session.json").read_text(encoding="utf-8"))
    user = User(tmp_path / "state")
    user.session = "0123456789abcdef"
    shutil.copytree(SAVED, tmp_path / "state" / "sessions" / user.session)
    try:
        session = user.call("GET", "")
        assert session["document"] == blank() | saved["document"] and session["rows"] == 10
        assert session["document"]["roles"]["Sex"] == ["quasi", "protected"]
        assert [guard["kind"] for guard in session["document"]["guards"]] == [guard.kind for guard in GUARDS]
        assert not [problem for problem in session["problems"] if problem["blocks"]]

        plan = Plan.from_toml(user.call("GET", "/plan"))
        assert plan.guards == GUARDS and plan.seed == 3 and plan.about.title == "Ours"
        assert plan.schema is not None and plan.schema.weights == {"Hours": 2.0}
        assert {"Hours", "Sex"} <= set(plan.schema.quasi) and "Sex" in plan.schema.protected

        candidates = user.call("GET", "/candidates")
        assert session["runs"][0]["state"] == "done" and len(candidates["id"]) == session["runs"][0]["found"] > 0
        assert session["document"]["chosen"] == candidates["id"][-1]
        assert user.call("GET", "/inspect", candidate=candidates["id"][-1])["holds"]

        assert [entry["done"] for entry in user.call("GET", "/history")].count(False) == 1
        assert user.call("POST", "/redo")["document"]["notes"] == "undone"
        first = user.call("POST", "/history", {"steps": 0})["document"]
        assert first["source"] is None and first["roles"] == {} and first["guards"] == []
    finally:
        user.close()


def test_settings_of_version_0_1_have_their_names_of_today(tmp_path: Path) -> None:
    """In the document, in what undo restores, and in the request of a run."""
    folder = tmp_path / "state" / "sessions" / "0123456789abcdef"
    shutil.copytree(SAVED, folder)
    saved: dict[str, Any] = json.loads((folder / "session.json").read_text(encoding="utf-8"))
    saved["document"]["methods"] = [RENAMED]
    chosen = next(c for entry in saved["changes"] for c in entry["changes"] if c[0] == ["methods"])
    chosen[2] = [RENAMED]
    (folder / "session.json").write_text(json.dumps(saved), encoding="utf-8")
    run: dict[str, Any] = json.loads((folder / "runs" / "r1.json").read_text(encoding="utf-8"))
    run["request"] |= {"most": 1, "methods": [RENAMED]}
    (folder / "runs" / "r1.json").write_text(json.dumps(run), encoding="utf-8")
    user = User(tmp_path / "state")
    user.session = folder.name
    try:
        today = [{"kind": "roll-up", "max_rules": 7}]
        session = user.call("GET", "")
        assert session["document"]["methods"] == session["runs"][0]["methods"] == today
        assert user.studio.session(folder.name).runs["r1"].request["max_candidates"] == 1
        user.call("POST", "/history", {"steps": 0})
        assert user.call("POST", "/history", {"steps": 9})["document"]["methods"] == today
        assert "max_rules = 7" in user.call("GET", "/plan")
        assert "most" not in json.loads((folder / "session.json").read_text(encoding="utf-8"))["document"]["methods"][0]
    finally:
        user.close()
