"""ε is kept, and nothing that depends on one record is said, whichever way a differentially private plan is run: on the
command line, in the studio and on Spark. The noise is held still, as in `test_neighbouring_files`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairveil.data.dialect import Dialect
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from tests.cli.conftest import Run, fairveil  # noqa: F401 - a fixture
from tests.contracts.test_neighbouring_files import (  # noqa: F401 - a fixture
    CELLS,
    LINES,
    MANY,
    RULES,
    compare_lines,
    distance,
    lines_of,
    method_of,
    records,
    schema_of,
    still,
    total,
    write_csv,
    write_parquet,
)
from tests.contracts.test_neighbouring_files import answer_of as rows_of
from tests.studio.client import User

KINDS = ("intervals", "fractions", "codes", "missing")


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    opened = User(tmp_path / "state")
    yield opened
    opened.close()


def plan_in(folder: Path, kind: str) -> Path:
    """A plan that publishes p.csv with noise."""
    plan = Plan(Origin(path="p.csv"), (MANY,), schema_of(kind), (method_of(kind),), folder=folder)
    (folder / "plan.toml").write_text(plan.to_toml())
    return folder / "plan.toml"


def neighbours(folder: Path, kind: str, step: int, rows: int = 12) -> Iterator[bytes | None]:
    """Write p.csv without, then with each of some further lines."""
    lines, start = lines_of(kind, rows), list(RULES).index(kind) % step
    for line in (None, *LINES[start::step], *lines[:1]):
        write_csv(folder, "semicolons", [*lines[:3], *([line] if line is not None else []), *lines[3:]])
        yield line


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_command_line_says_follows_from_what_is_published(
    kind: str,
    tmp_path: Path,
    fairveil: Run,  # noqa: F811
) -> None:
    """Files that publish the same counts are answered with the same words, whatever the record more is."""
    plan, answers = plan_in(tmp_path, kind), defaultdict[bytes, set[Any]](set)
    for _ in neighbours(tmp_path, kind, 12):
        runs = [fairveil("release", plan, "--out", tmp_path / "out", "--overwrite"), fairveil("explore", plan)]
        assert all(run.code == 0 for run in runs), runs
        answers[(tmp_path / "out" / "data.csv").read_bytes()].add(str(runs))
    assert all(len(words) == 1 for words in answers.values()), [*map(sorted, answers.values())]
    counts = [Counter(data.splitlines()) for data in answers]
    assert len(answers) > 1 and all(distance(counts[0], other) <= 1 for other in counts)


def test_the_command_line_refuses_all_or_none(tmp_path: Path, fairveil: Run) -> None:  # noqa: F811
    """What is not declared is refused by name, whatever records hold, also if there are none."""
    plan = plan_in(tmp_path, "words")
    plan.write_text(plan.read_text().replace('y = ["no", "yes"]', ""))
    answers = set()
    for rows in (0, 1, 12):
        for _ in neighbours(tmp_path, "words", 12, rows):
            answer = fairveil("release", plan, "--out", tmp_path / "out")
            answers.add((answer.code, answer.out, answer.err))
    assert len(answers) == 1 and answers.pop()[0] == 2


def published(user: User, view: Any) -> Counter[Any]:
    run = user.studio.session(user.session).runs[view["run"]["id"]]
    table = run.release(run.candidates.number[0]).published.tables["data"]
    return Counter(zip(*(column.to_arrow().to_pylist() for column in table.columns), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_the_studio_says_the_same(kind: str, tmp_path: Path, user: User) -> None:
    """What a run answers and publishes, of a plan that is opened; and nothing blocks it."""
    plan, tables, words = plan_in(tmp_path, kind), [], set()
    for _ in neighbours(tmp_path, kind, 12):
        opened = user.open(path=str(plan))
        assert not [problem for problem in opened["problems"] if problem["blocks"]]
        view = user.finish(user.call("POST", "/runs", {})["id"])
        head = {name: view["run"][name] for name in ("state", "notes", "failed", "error", "found")}
        words.add(str((head, view["candidates"]["heights"])))
        tables.append(published(user, view))
    assert len(words) == 1
    assert all(distance(tables[0], table) <= 1 for table in tables[1:])


@pytest.mark.parametrize("file", ["p.csv", "p.parquet"])
def test_one_record_more_on_spark(file: str, spark: Any, tmp_path: Path) -> None:
    if file == "p.csv":
        compare_lines(tmp_path, "codes", "semicolons", LINES[::12], engine="spark")
        return
    source = Origin(path=str(tmp_path / file), engine="spark", dialect=Dialect(missing_values=["-1"]))
    write_parquet(tmp_path / file, records("intervals"))
    base = rows_of(source, "intervals")
    assert total(base) == 12
    for cell in CELLS[::5]:
        write_parquet(tmp_path / file, [*records("intervals"), (cell, "f", "no")])
        assert distance(base, rows_of(source, "intervals")) <= 1, cell
