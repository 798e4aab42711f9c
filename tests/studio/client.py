"""A user of the studio, without a browser: it has the cookie and knows the API."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from fairveil.studio.safety import AccessControl
from fairveil.studio.serving import application
from fairveil.studio.sessions import Studio

PORT = 8765
HOME = f"http://127.0.0.1:{PORT}"


class User:
    """One studio over a state directory, and somebody who has opened its address."""

    def __init__(self, state: Path, **settings: Any) -> None:
        self.studio = Studio(state, **settings)
        self.access = AccessControl.of(state, PORT)
        self.http = TestClient(
            application(self.studio, self.access), base_url=HOME, follow_redirects=False, raise_server_exceptions=False
        )
        self.http.get("/", params={"token": self.access.token})
        self.session = ""

    def call(self, verb: str, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        """One request; `path` is of the session unless it starts with /api."""
        where = path if path.startswith("/api") else f"/api/sessions/{self.session}{path}"
        given = {} if body is None else {"json": body}
        answer = self.http.request(verb, where, params=query, **given)
        assert answer.status_code == status, (verb, path, answer.status_code, answer.text[:500])
        return answer.json() if answer.headers["content-type"] == "application/json" else answer

    def open(self, **what: Any) -> Any:
        """A new session, which further calls are about."""
        made = self.call("POST", "/api/sessions", what)
        self.session = made["id"]
        return made

    def upload(self, name: str, content: bytes, status: int = 200, **options: Any) -> Any:
        answer = self.http.put(
            f"/api/sessions/{self.session}/upload",
            params={"name": name, "options": json.dumps(options)},
            content=content,
            headers={"content-type": "application/octet-stream"},
        )
        assert answer.status_code == status, answer.text[:500]
        return answer.json()

    def finish(self, run: str) -> Any:
        """A run once it has ended."""
        for _ in range(600):
            view = self.call("GET", f"/runs/{run}", since=0)
            if view["run"]["state"] != "running":
                return view
            time.sleep(0.05)
        raise AssertionError("the run does not end")

    def search(self, *methods: str, guards: Any = ({"kind": "k-anonymity", "k": 3},)) -> Any:
        """A run of these methods, ended."""
        self.call("PUT", "/guards", {"guards": list(guards)})
        self.call("PUT", "/settings", {"methods": [{"kind": kind} for kind in methods or ("incognito",)]})
        return self.finish(self.call("POST", "/runs", {})["id"])

    def job(self, view: Any) -> Any:
        """A job once it has ended."""
        for _ in range(600):
            if view["state"] != "running":
                return view
            time.sleep(0.05)
            view = self.call("GET", f"/jobs/{view['id']}")
        raise AssertionError("the job does not end")

    def close(self) -> None:
        self.studio.close()
