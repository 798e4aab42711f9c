"""Signs that a terminal would obey: escaped in tables, sentences, JSON, CSV, errors and progress lines alike."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from fairveil.cli.terminal import as_json
from tests.cli.conftest import Run

EVIL = "\x1b[2J\x07\x7f\x9b31m\u202e\u2066\u200f\u061c\u2028\u200b\ufeff\U000e0041"
"""Escape sequences, a bell, C1 controls, turns of direction, line separators, invisible and tagging signs."""
CLEAN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def obeyed(text: str) -> list[str]:
    return [repr(sign) for sign in text if sign != "\n" and unicodedata.category(sign) in CLEAN]


def test_json_reads_back_as_it_was() -> None:
    every = "x".join(map(chr, [*range(0x3000), *range(0xD800, 0xE100), *range(0xFE00, 0x10000), 0x1F600, 0xE0041]))
    content = {every: [every, {"a": every}]}
    printed = as_json(content)
    printed.encode("utf-8")
    assert obeyed(printed) == []
    assert json.loads(printed) == content
    assert "😀" in printed and "é" in printed


PLAN = """\
format = 1
[source]
path = "people.csv"
[schema]
quasi = ["age", "{sex}"]
sensitive = ["{illness}"]
protected = ["{sex}"]
decision = "credit"
denied = "no{value}"
[[guards]]
kind = "k-anonymity"
k = 2
"""


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    value = EVIL.replace("\u2028", "")
    lines = [f"age,sex{value},ill{value},credit"]
    lines += [
        f"2{i % 2},{'fm'[i % 2]}{value},{'ab'[i // 2 % 2]}{value},{('no', 'yes')[i % 3 == 0]}{value}" for i in range(12)
    ]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    spelled = json.dumps(value)[1:-1].replace("\\udb40\\udc41", "\\U000e0041")
    plan = PLAN.format(sex=f"sex{spelled}", illness=f"ill{spelled}", value=spelled)
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    return tmp_path


def test_no_command_prints_them(evil: Path, fairveil: Run) -> None:
    plan, people, out = evil / "plan.toml", evil / "people.csv", evil / f"out{EVIL}"
    name = people.read_text("utf-8").splitlines()[0].split(",")[1]
    lines: list[tuple[int, list[object]]] = [
        (0, ["release", plan, "--out", out, "--internal", evil / f"in{EVIL}.html"]),
        (2, ["release", plan, "--out", out]),
        (0, ["apply", out, people, "--out", evil / f"new{EVIL}.csv"]),
        (2, ["check", people, "--quasi", f"x{EVIL}", "--k", "2"]),
        (2, ["release", plan.with_name(f"no{EVIL}.toml"), "--out", evil / "x"]),
        (2, [f"com{EVIL}mand"]),
        (2, ["check", people, f"--opt{EVIL}"]),
    ]
    for form in ([], ["--json"]):
        lines += [
            (0, ["profile", people, *form]),
            (0, ["check", people, "--quasi", f"age,{name}", "--k", "2", *form]),
            (0, ["explore", plan, "--explain", *form]),
            (0, ["verify", out, *form]),
            (0, ["attack", out, *form]),
        ]
    lines += [(0, ["report", out, "--json"]), (0, ["explore", plan, "--csv", "--explain"])]
    for code, arguments in lines:
        said = fairveil(*arguments)
        assert obeyed(said.out) == [] and obeyed(said.err) == [], arguments
        assert code in (0, said.code), (arguments, said)
        assert said.code in (0, 1, 2), (arguments, said)
        if "--json" in arguments:
            json.loads(said.out)


def test_progress_lines_on_a_terminal(evil: Path) -> None:
    named = evil / f"pe\x07ople{EVIL[8:]}.csv"
    (evil / "people.csv").rename(named)
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "fairveil", "profile", str(named)],
        stdout=subprocess.DEVNULL, stderr=follower, env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    ) as process:  # fmt: skip
        os.close(follower)
        printed = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            printed += piece
    os.close(leader)
    text = printed.decode("utf-8", "replace")
    assert process.returncode == 0, text
    assert not set(text) & set("\x07\x7f\x9b\u202e\u2066\u200f\u061c\u200b\ufeff"), repr(text)
