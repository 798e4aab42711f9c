"""A plugin of pytest that registers the five recipes of CONTRIBUTING.md before tests are collected.

`python -m pytest -p tests.docs.recipes tests/contracts` then holds them to the contracts of all that is built in.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.docs.snippets import ROOT, run, session, snippets

NAMES: dict[str, Any] = {}


def pytest_configure() -> None:
    """Run the recipes of the page; not when this file is only imported."""
    with tempfile.TemporaryDirectory() as name:
        where = session(Path(name) / "examples")
        for snippet in snippets(ROOT / "CONTRIBUTING.md"):
            if snippet.language == "python":
                if "Plan.read" in snippet.text:
                    break  # all are registered; the plan is not needed here
                run(snippet, where)
    NAMES.update(where.names)


def pytest_collection_finish() -> None:
    """The examples that a guard and a hierarchy need to be tried with, as CONTRIBUTING.md says."""
    from tests.contracts import test_guards, test_hierarchies

    test_guards.EXAMPLES["not-too-large"] = {"max_share": 1.0}
    test_hierarchies.EXAMPLES["initial"] = (NAMES["Initial"](), ["red", "rose", "blue"], None)
