"""Whatever is printed as code in README.md, CONTRIBUTING.md and docs/ runs as printed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from docs.making.session import Failed, commands_of
from fairveil.recipes import RECIPES
from fairveil.registry import Registry
from tests.docs.snippets import BUILT, PAGES, ROOT, SHELLS, SHOWN, Snippet, run, session, snippets

ALL = [snippet for page in PAGES for snippet in snippets(page)]
REGISTRIES: list[Registry[Any]] = [
    fv.guards.GUARDS, fv.measures.MEASURES, fv.methods.METHODS, fv.attacks.ATTACKS, fv.hierarchy.KINDS, RECIPES,
]  # fmt: skip


@pytest.fixture(autouse=True)
def registries() -> Iterator[None]:
    """What a page registers is taken out again."""
    before = [set(registry.names) for registry in REGISTRIES]
    yield
    for registry, names in zip(REGISTRIES, before, strict=True):
        for name in set(registry.names) - names:
            registry.unregister(name)


def runs(snippet: Snippet) -> bool:
    return snippet.why_not is None and snippet.language in ("python", "toml", *SHELLS)


@pytest.mark.parametrize("page", [page for page in PAGES if any(map(runs, snippets(page)))], ids=lambda page: page.stem)
@pytest.mark.filterwarnings("ignore")
def test_every_snippet_of_a_page(page: Path, tmp_path: Path) -> None:
    where = session(tmp_path / "examples")
    for snippet in filter(runs, snippets(page)):
        try:
            run(snippet, where)
        except BaseException as problem:
            raise AssertionError(f"{snippet.place} does not run as printed: {problem}") from problem


def test_every_block_says_what_it_is() -> None:
    known = {"python", "toml", *SHELLS, *SHOWN, *BUILT}
    assert [s.place for s in ALL if s.language not in known] == []
    assert [s.place for s in ALL if s.language in SHOWN and "fairveil " in s.text.splitlines()[0]] == []


def test_few_snippets_are_not_run_and_each_has_a_reason() -> None:
    left_out = [snippet for snippet in ALL if snippet.why_not is not None]
    assert len(left_out) <= 12, [snippet.place for snippet in left_out]
    assert all(len(str(snippet.why_not)) > 20 for snippet in left_out)
    assert sum(map(runs, ALL)) > 50


def test_the_recipes_keep_the_contracts_of_all_that_is_built_in() -> None:
    """The recipes of CONTRIBUTING.md, registered before tests/contracts is collected."""
    files = [f"tests/contracts/test_{name}.py" for name in ("guards", "measures", "methods", "hierarchies")]
    chosen = "not-too-large or topmost or initial or (test_measures and groups)"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-vv",
        "-p",
        "tests.docs.recipes",
        "-p",
        "no:cacheprovider",
        "-k",
        chosen,
    ]
    done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    for name in ("not-too-large", "topmost", "initial", "groups"):
        assert len(re.findall(rf"\[.*{name}.*\] PASSED", done.stdout)) >= 3, name


def test_a_snippet_that_fails_is_noticed(tmp_path: Path) -> None:
    where = session(tmp_path / "examples")
    with pytest.raises(Failed, match="exit code 2"):
        where.shell("fairveil profile people.csv\nfairveil verify nowhere")
    with pytest.raises(Failed, match="exit code 3"):
        where.shell("sh -c 'exit 3'")
    with pytest.raises(NameError):
        where.python("no_such_name")
    assert commands_of("$ one \\\n  two\n# three\n\nfour") == ["one    two", "four"]
