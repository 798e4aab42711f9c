"""The same release has the same bytes on every processor, and tests of figures pass there."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.contracts import processors
from tests.contracts.people import contents


def test_a_processor_without_wide_instructions_publishes_the_same_bytes(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.contracts.processors", str(tmp_path / "narrow")]
    environment = {**os.environ, **processors.narrow()}
    with subprocess.Popen(
        command, env=environment, cwd=pytestconfig.rootpath, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as other:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            processors.write(tmp_path / "wide")
        output, _ = other.communicate()
    assert other.returncode == 0, output
    here, there = contents(tmp_path / "wide"), contents(tmp_path / "narrow")
    assert list(here) == list(there)
    assert [name for name in here if here[name] != there[name]] == []
