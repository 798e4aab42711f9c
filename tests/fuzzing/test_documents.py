"""Recipes, changes, kept searches, sessions, evidence with anything wrong in them: read, or refused in a sentence."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil import recipes
from fairveil.errors import BadInput, Infeasible
from fairveil.methods import METHODS, Method
from fairveil.published.folder import load, load_recipe, seal, sha256
from fairveil.recipes import Change
from fairveil.run.cache import _seal
from fairveil.run.report import report_dict
from tests.contracts.people import GUARDS, ONE_PER_RECIPE, SCHEMA, quick, search, source
from tests.fuzzing.mutations import mutated
from tests.known import ANY_DANGER

TIMES = 250


def tracebacks(document: Any, use: Callable[[Any], object], times: int = TIMES, seed: int = 0) -> list[str]:
    """What comes out besides the two ways to fail, and sentences that are none."""
    faults = []
    for what, damaged in mutated(document, times, seed):
        try:
            use(damaged)
        except (BadInput, Infeasible) as problem:
            if not str(problem) or len(str(problem)) > 2000 or "\n" in str(problem):
                faults.append(f"{what}: it says {str(problem)[:300]!r}")
        except Exception as problem:
            faults.append(f"{what}: {type(problem).__name__}: {str(problem)[:120]}")
    return faults


def test_every_kind_of_recipe_is_damaged() -> None:
    kinds = [{type(search(quick(method), source()).recipe(0)) for method in some} for some in (METHODS, ONE_PER_RECIPE)]
    assert kinds[0] == kinds[1]


@pytest.fixture(scope="module", params=ONE_PER_RECIPE, ids=lambda method: method.kind)
def found(request: pytest.FixtureRequest) -> fv.Frontier:
    method: type[Method] = request.param
    return search(quick(method), source())


def plain(content: Any) -> Any:
    return json.loads(json.dumps(content, default=str))


def test_recipes(found: fv.Frontier) -> None:
    def use(spec: Any) -> None:
        recipe = recipes.from_dict(spec)
        json.dumps(recipe.to_dict(), default=str)
        assert isinstance(recipe.table_names, tuple)
        for name in recipe.schema.quasi:
            recipe.level_of(name)
            recipe.labels_of(name)

    document = plain(found.recipe(0).to_dict())
    use(document)  # it is sound itself
    assert tracebacks(document, use) == []


def test_changes(found: fv.Frontier) -> None:
    rows = found.task.rows

    def use(spec: Any) -> None:
        change = Change.from_dict(spec, rows)
        assert change.groups is None or len(change.groups) == rows
        Change.from_dict(spec)

    document = plain(found.change(0).to_dict())
    use(document)
    assert tracebacks(document, use, times=120) == []


def test_release_folders(found: fv.Frontier, tmp_path: Path) -> None:
    """Damaged and sealed again, as by somebody who knows how: whoever reads the release gets a sentence at most."""
    whole = found.release(0).save(tmp_path / "whole", accept=ANY_DANGER).path
    folder, people = tmp_path / "damaged", source()

    def use(name: str) -> Callable[[Any], None]:
        def look(content: Any) -> None:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(whole, folder)
            text = json.dumps(content)
            (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
            evidence = content if name == "evidence.json" else json.loads((folder / "evidence.json").read_text("utf-8"))
            if name == "recipe.json":
                evidence["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            if isinstance(evidence, dict):
                with suppress(UnicodeEncodeError):
                    evidence["seal"] = seal(evidence)
                (folder / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8", errors="surrogatepass")
            problems = []
            for action in (
                lambda: load(folder),
                lambda: fv.report(folder),
                lambda: report_dict(folder),
                lambda: fv.attack(folder, original=people),
                lambda: load_recipe(folder).outcome(people, unknown="suppress"),
            ):
                try:
                    action()
                except (BadInput, Infeasible) as problem:
                    problems.append(str(problem))
            assert all(problem and "\n" not in problem for problem in problems)

        return look

    for name in ("recipe.json", "evidence.json"):
        document = json.loads((whole / name).read_text("utf-8"))
        assert sha256(whole / name)
        assert tracebacks(document, use(name), times=20, seed=2) == []


def test_kept_searches(tmp_path: Path) -> None:
    """Whatever is wrong with what was kept, the search is done again and finds the same."""

    def explored() -> fv.Frontier:
        return fv.explore(source(), SCHEMA, guards=GUARDS, methods=[fv.Incognito()], max_candidates=3, keep=tmp_path)

    expected = explored().records(["loss", "k"])
    [file] = tmp_path.iterdir()
    document = json.loads(file.read_text("utf-8"))
    again = plain({**document, "seal": _seal({key: v for key, v in document.items() if key != "seal"})})
    assert again == document

    def damaged(content: Any) -> None:
        file.write_text(json.dumps(content), encoding="utf-8", errors="surrogatepass")
        assert explored().records(["loss", "k"]) == expected

    assert tracebacks(document, damaged, times=80) == []

    def sealed_again(content: Any) -> None:
        if isinstance(content, dict):
            content["seal"] = _seal(content)
        file.write_text(json.dumps(content), encoding="utf-8", errors="surrogatepass")
        explored()

    assert tracebacks(document, sealed_again, times=120, seed=1) == []


def test_sessions(tmp_path: Path) -> None:
    codes = fv.datasets.employee_codes()
    method = fv.Preferences({"necd": 0.1, "nwp": 0.1}, groups="full-domain")
    session = fv.ReferenceDirection(codes.table, codes.schema, guards=[fv.KAnonymity(2)], method=method, points=3)
    session.step()
    path = session.save(tmp_path / "walk.json")
    document = json.loads(path.read_text("utf-8"))

    def use(content: Any) -> None:
        path.write_text(json.dumps(content), encoding="utf-8", errors="surrogatepass")
        taken_up = fv.ReferenceDirection.load(path, codes.table)
        taken_up.release(0)
        if taken_up.points <= 10:
            taken_up.step(0)

    use(document)
    assert tracebacks(document, use, times=200) == []
