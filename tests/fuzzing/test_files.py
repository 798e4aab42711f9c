"""Files that broke a reader once, or would: each is read or refused in a sentence, in little memory and time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import fairveil as fv
from fairveil import recipes
from fairveil.engines import source_of
from fairveil.errors import BadInput, Infeasible
from fairveil.published.folder import load_json
from fairveil.recipes import Change
from tests.contracts.people import source
from tests.fuzzing import bombs

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).with_name("corpus")


def files(folder: str) -> list[Path]:
    return sorted((CORPUS / folder).iterdir())


def sentence(problem: Exception) -> bool:
    return 0 < len(str(problem)) < 2000 and "\n" not in str(problem)


@pytest.mark.parametrize("path", files("plan"), ids=lambda path: path.name)
def test_plans(path: Path, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,sex\n1,f\n2,m\n")
    (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(BadInput) as problem:
        fv.Plan.read(tmp_path / path.name)
    assert sentence(problem.value) and path.name in str(problem.value)


@pytest.mark.parametrize("path", files("json"), ids=lambda path: path.name)
def test_documents(path: Path, tmp_path: Path) -> None:
    table = fv.datasets.employee_codes().table
    readers: list[Any] = [
        lambda: recipes.from_dict(load_json(path)),
        lambda: Change.from_dict(load_json(path)),
        lambda: fv.ReferenceDirection.load(path, table),
    ]
    for read in readers:
        with pytest.raises(BadInput) as problem:
            read()
        assert sentence(problem.value)


@pytest.mark.parametrize("path", files("csv"), ids=lambda path: path.name)
def test_tables(path: Path) -> None:
    for read in (fv.Table.read, lambda path: source_of(path).count(["a"])):
        try:
            read(path)
        except BadInput as problem:
            assert sentence(problem)


@pytest.mark.parametrize("path", files("hierarchy"), ids=lambda path: path.name)
def test_hierarchies(path: Path) -> None:
    try:
        fv.hierarchy.read_csv(path)
    except BadInput as problem:
        assert sentence(problem) and path.name in str(problem)


def test_damaged_bytes(tmp_path: Path) -> None:
    """Every kind of table file with bytes changed, cut off, repeated or put in."""
    rng, faults = random.Random(0), []
    pa.csv.write_csv(source(), tmp_path / "t.csv")
    pa.parquet.write_table(source(), tmp_path / "t.parquet")
    (tmp_path / "t.csv.gz").write_bytes(__import__("gzip").compress((tmp_path / "t.csv").read_bytes(), mtime=0))
    signs = [b"\x00", b"\xff", b'"', b",", b"\n", b"\r", b"'", b"\xc3\x28", b"9" * 400, b"-", b"e", b"1e999", b"NaN"]
    for name in ("t.csv", "t.parquet", "t.csv.gz"):
        whole = (tmp_path / name).read_bytes()
        target = tmp_path / f"damaged-{name}"
        for _ in range(60):
            at, width = rng.randrange(len(whole)), rng.choice((0, 1, 1, 8, 200))
            damaged = whole[:at] + rng.choice(signs) + whole[at + width :]
            target.write_bytes(damaged[: rng.choice((len(damaged), len(damaged), at))])
            try:
                fv.Table.read(target)
            except (BadInput, Infeasible) as problem:
                if not sentence(problem):
                    faults.append(f"{name} at {at}: it says {problem}")
            except Exception as problem:
                faults.append(f"{name} at {at}: {type(problem).__name__}: {problem}")
    assert faults == []


@pytest.mark.parametrize(
    "name",
    ["one_line_without_end", "one_row_without_end", "many_columns", "packed_array", "fine_intervals", "deep_documents"],
)
def test_bombs(name: str, tmp_path: Path) -> None:
    assert hasattr(bombs, name)
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing.bombs", name, str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert json.dumps(done.stdout)
