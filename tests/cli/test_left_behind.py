"""A command that has ended leaves nothing in the folder of temporary files, however it worked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {
    "check": ("check", "people.csv", "--quasi", "age"),
    "profile": ("profile", "people.csv"),
    "release by counting": ("release", "incognito.toml", "--out", "out", "--format", "parquet"),
    "release by rows": ("release", "mondrian.toml", "--out", "out"),
    "explore": ("explore", "mondrian.toml"),
}
PLAN = """\
format = 1
[source]
path = "people.csv"
[schema]
quasi = ["age", "sex"]
sensitive = ["ill"]
[[guards]]
kind = "k-anonymity"
k = 2
[method]
kind = "{method}"
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_on_duckdb(command: str, tmp_path: Path) -> None:
    rows = [f"{20 + i % 5},{'fm'[i % 2]},{'xyz'[i % 3]}" for i in range(90)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,ill", *rows]))
    for method in ("incognito", "mondrian"):
        (tmp_path / f"{method}.toml").write_text(PLAN.format(method=method))
    (scratch := tmp_path / "scratch").mkdir()
    program = [sys.executable, "-m", "fairveil", *COMMANDS[command], "--engine", "duckdb"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    ended = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert not list(scratch.iterdir())
