"""The studio as a process: its one line, its start, its end, and what a killed one leaves."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

LINE = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=[\w-]{20,}\n")


@contextmanager
def studio(state: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A studio that is ready, and its address."""
    command = [sys.executable, "-m", "fairveil", "studio", "--no-open", "--state", str(state), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert LINE.fullmatch(line), (line, process.stderr and process.stderr.read())
        yield process, line.strip()
    finally:
        process.kill()
        process.wait()


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str, str]:
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    return process.returncode, out, err


def call(page: httpx.Client, verb: str, path: str, body: Any = None) -> Any:
    answer = page.request(verb, path, json=body) if body is not None else page.request(verb, path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_page_survives_a_kill_and_a_restart(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,sex,income\n" + "31,F,lo\n40,M,hi\n" * 20)
    with studio(tmp_path / "state", str(tmp_path / "people.csv"), "--port", "0") as (process, address):
        page = httpx.Client(base_url=address.split("/?")[0], timeout=60)
        assert page.get(address).status_code == 303
        opened = call(page, "GET", "/api/welcome")["opened"]
        home = f"/api/sessions/{opened}"
        assert call(page, "GET", home)["rows"] == 40
        call(page, "PUT", f"{home}/roles", {"roles": {"age": ["quasi"], "sex": ["quasi"], "income": ["plain"]}})
        call(page, "PUT", f"{home}/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
        run = call(page, "POST", f"{home}/runs", {"methods": [{"kind": "datafly"}]})["id"]
        while call(page, "GET", f"{home}/runs/{run}")["run"]["state"] == "running":
            time.sleep(0.05)
        before = call(page, "GET", home)
        process.kill()
        process.wait()
        port = address.split(":")[2].split("/")[0]
        with studio(tmp_path / "state", "--port", port) as (second, fresh):
            assert fresh != address and httpx.get(address).status_code == 401
            assert call(page, "GET", home) == before  # with the cookie of before
            assert call(page, "GET", f"{home}/runs/{run}")["run"]["state"] == "done"
            assert ended(second, signal.SIGINT) == (0, "", "")


def test_what_a_method_had_found_before_a_kill_is_there_after_a_restart(tmp_path: Path) -> None:
    """One method, killed in the middle of its search: its candidates arrive while it searches, and stay."""
    rows = "".join(f"{20 + i * 7 % 60},{i * 31 % 997},{'lo' if i % 3 else 'hi'}\n" for i in range(600))
    (tmp_path / "people.csv").write_text("age,wage,income\n" + rows)
    with studio(tmp_path / "state", str(tmp_path / "people.csv"), "--port", "0") as (process, address):
        page = httpx.Client(base_url=address.split("/?")[0], timeout=60)
        page.get(address)
        home = f"/api/sessions/{call(page, 'GET', '/api/welcome')['opened']}"
        roles = {"age": ["quasi"], "wage": ["quasi"], "income": ["plain"]}
        call(page, "PUT", f"{home}/roles", {"roles": roles})
        for column in ("age", "wage"):
            spec = {"kind": "intervals", "levels": [[*range(0, 1001, 10)], [0, 500, 1000]]}
            call(page, "PUT", f"{home}/hierarchy?column={column}", {"spec": spec})
        call(page, "PUT", f"{home}/guards", {"guards": [{"kind": "k-anonymity", "k": 5}]})
        method = {"kind": "preferences", "evaluations": 1_000_000_000}
        run = call(page, "POST", f"{home}/runs", {"methods": [method]})["id"]
        while not call(page, "GET", f"{home}/runs/{run}")["run"]["found"]:
            time.sleep(0.05)
        found = call(page, "GET", f"{home}/runs/{run}")
        assert found["run"]["state"] == "running"
        process.kill()
        process.wait()
        with studio(tmp_path / "state", "--port", address.split(":")[2].split("/")[0]):
            after = call(page, "GET", f"{home}/runs/{run}")
            assert after["run"]["state"] == "interrupted" and "stopped" in after["run"]["error"]
            assert after["run"]["found"] >= len(found["candidates"]["id"]) > 0
            for candidate in after["candidates"]["id"][:2]:  # it is not searched again: that would never end
                assert call(page, "GET", f"{home}/inspect?candidate={candidate}")["holds"]


def test_a_polite_kill_ends_it_with_a_run_going_on(tmp_path: Path) -> None:
    with studio(tmp_path / "state", "--port", "0") as (process, address):
        page = httpx.Client(base_url=address.split("/?")[0], timeout=60)
        page.get(address)
        home = "/api/sessions/" + call(page, "POST", "/api/sessions", {"dataset": "credit_decisions"})["id"]
        call(page, "PUT", f"{home}/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
        call(page, "POST", f"{home}/runs", {"methods": [{"kind": "preferences"}]})
        code, out, err = ended(process, signal.SIGTERM)
        assert (code, out, err) == (0, "", "")


def test_what_cannot_start_is_one_sentence(tmp_path: Path) -> None:
    def failed(*arguments: str) -> str:
        command = [sys.executable, "-m", "fairveil", "studio", "--no-open", "--state", str(tmp_path / "s"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and not done.stdout and done.stderr.count("\n") == 1, done
        return done.stderr

    assert "none.csv" in failed(str(tmp_path / "none.csv"))
    assert "70000" in failed("--port", "70000")
    assert "cannot listen" in failed("--host", "192.0.2.1", "--port", "0")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    failed(str(tmp_path / "broken.parquet"))
    assert not list((tmp_path / "s" / "sessions").glob("*"))
