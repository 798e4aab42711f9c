"""Forgers who make all checksums fit again are caught wherever what they changed can be computed from the files."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.writers import write_table
from fairveil.methods import METHODS
from fairveil.release.release import Release
from fairveil.release.verify import Verification
from tests.contracts.people import SCHEMA, quick, search, source
from tests.known import ANY_DANGER
from tests.release.forging import at, evidence_of, leaves, put, reseal

NOT_COMPUTED = (
    r"seed", r"fairveil", r"versions\.\w+", r"notes(\.\d+)?", r"facts\..*", r"utility\..*", r"alternatives\..*",
    r"guards\.\d+\..*",
    r"measures\.(loss|nwp|entropy)", r"loss_per_column\..*",  # those that `from_source` names
)  # fmt: skip
"""What nobody can compute from the files (docs/verify.md says so): all else that verify believes is a fault."""


def full_domain() -> Release:
    rules = {**SCHEMA.hierarchies, "sex": fv.hierarchy.from_rows([["f", "*"], ["m", "*"]])}
    schema = replace(SCHEMA, hierarchies=rules)
    guards = [fv.KAnonymity(3, suppression=0.1), fv.TCloseness(0.9, distance="ordered"), fv.AlphaProtection(30.0)]
    found = fv.search(source(rows=200), schema, guards=guards)
    return replace(found.best("loss"), show_choice=True)


def released(kind: str) -> Release:
    if kind == "full-domain":
        return full_domain()
    [method] = [method for method in METHODS if method.kind == kind]
    return search(quick(method), source()).release(0)


TRIED: set[tuple[Any, ...]] = set()
"""The leaves that were forged in some release."""
RELEASES = ("full-domain", "fair-mdav", "mondrian", "dmpd", "noisy-table", "preferences", "tds")


@pytest.fixture(scope="module", params=RELEASES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(request.param).save(tmp_path_factory.mktemp("release") / "out", accept=ANY_DANGER).path


def other(value: Any) -> list[Any]:
    """Small changes that a forger would make, which leave everything plausible."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value + 0.001, value / 2 if value else 0.5]
    if isinstance(value, str):
        return [value + "x"]
    return [1] if value is None else ["x"]


def test_every_leaf_of_the_evidence(folder: Path, tmp_path: Path) -> None:
    """Every leaf once, and again in a third of the releases: most are computed alike whatever the recipe."""
    evidence, believed = evidence_of(folder), set()
    told, shift = set(evidence["from_source"]), len(TRIED)
    for number, path in enumerate(leaves({k: v for k, v in evidence.items() if k not in ("seal", "files")})):
        if path in TRIED and (number + shift) % 3:
            continue
        TRIED.add(path)
        forged = copy.deepcopy(evidence)
        put(forged, path, other(at(evidence, path))[number % len(other(at(evidence, path)))])
        copied = tmp_path / "forged"
        shutil.rmtree(copied, ignore_errors=True)
        shutil.copytree(folder, copied)
        reseal(copied, forged)
        if fv.verify(copied):
            believed.add(".".join(map(str, path)))
    allowed = {name for name in believed if any(re.fullmatch(pattern, name) for pattern in NOT_COMPUTED)}
    assert believed == allowed
    for name in believed:
        if name.startswith("guards."):  # another promise, and what is said of it is true
            setting = name.split(".")[2]
            assert setting not in ("holds", "worst", "limit", "broken_classes", "broken_rows", "sentence", "kind")
    figures = {name for name in believed if name.startswith(("measures.", "loss_per_column."))}
    assert figures <= told, figures - told


def test_leaves_that_are_added_or_taken_away(folder: Path, tmp_path: Path) -> None:
    evidence = evidence_of(folder)
    edits: list[Callable[[dict[str, Any]], object]] = [
        lambda e: e.update(more="trust me"),
        lambda e: e["measures"].update(privacy=1.0),
        lambda e: e["guards"].append(e["guards"][0] | {"k": 2} if "k" in e["guards"][0] else e["guards"][0]),
        lambda e: e["weaknesses"].update(none="there is none"),
        lambda e: e["attacks"].append({"attack": "none"}),
        lambda e: e["types"].update(ssn="string"),
        lambda e: e["rows"].update(more=1),
        lambda e: e["from_source"].append("measures.k"),
        *(lambda e, key=key: e.pop(key) for key in evidence if key not in ("utility", "alternatives", "facts", "seal")),
    ]
    for number, edit in enumerate(edits):
        forged, copied = copy.deepcopy(evidence), tmp_path / str(number)
        edit(forged)
        shutil.copytree(folder, copied)
        if "files" in forged:
            reseal(copied, forged)
        else:
            (copied / "evidence.json").write_text(json.dumps(forged))
        assert not fv.verify(copied), (number, fv.verify(copied))


def test_the_report(folder: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(folder, tmp_path / "out")
    report = copied / "report.html"
    for edit in (lambda text: text.replace("records", "record "), lambda text: text + " ", lambda text: ""):
        report.write_text(edit((folder / "report.html").read_text(encoding="utf-8")), encoding="utf-8")
        reseal(copied, evidence_of(copied), report=False)
        assert any("report.html is not the report" in problem for problem in fv.verify(copied).problems)


def test_a_text_of_another_version_is_not_called_a_forgery(folder: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(folder, tmp_path / "out")
    reseal(copied, evidence_of(copied) | {"fairveil": "0.0.9"}, report=False)
    [problem] = fv.verify(copied).problems
    assert "it was written by 0.0.9, verify it with that version" in problem


@pytest.mark.parametrize("format", ["csv", "parquet"])
class TestTheData:
    @pytest.fixture
    def out(self, tmp_path: Path, format: str) -> Path:
        return full_domain().save(tmp_path / "out", format=format).path  # type: ignore[arg-type]

    def edit(self, out: Path, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Verification:
        [file] = out.glob("data.*")
        read = {"keep_default_na": False, "dtype": str}
        frame = pq.read_table(file).to_pandas() if file.suffix == ".parquet" else pd.read_csv(file, **read)
        changed = change(frame)
        kept = fv.Table.from_frame(changed if len(changed) else frame).take(np.arange(len(changed)))
        write_table(kept, out, "data", file.suffix[1:])  # type: ignore[arg-type]
        reseal(out, evidence_of(out))
        return fv.verify(out)

    def test_a_release_that_is_only_resealed_is_believed(self, out: Path) -> None:
        reseal(out, evidence_of(out))
        assert fv.verify(out)

    def test_a_column_more(self, out: Path) -> None:
        said = self.edit(out, lambda frame: frame.assign(name=[f"person {i}" for i in range(len(frame))]))
        assert any("'name' should have been removed" in problem for problem in said.problems)

    def test_a_column_of_the_source_that_is_not_published(self, out: Path) -> None:
        def also_said(frame: pd.DataFrame) -> pd.DataFrame:
            evidence = evidence_of(out)
            evidence["types"]["ssn"] = "string"
            (out / "evidence.json").write_text(json.dumps(evidence))
            return frame.assign(ssn="1")

        assert not self.edit(out, also_said)

    @pytest.mark.parametrize("name", ["zip", "illness", "credit"])
    def test_a_column_less(self, out: Path, name: str) -> None:
        said = self.edit(out, lambda frame: frame.drop(columns=name))
        assert any(f"{name!r} is missing" in problem for problem in said.problems), said

    def test_columns_in_another_order(self, out: Path) -> None:
        assert not self.edit(out, lambda frame: frame[list(reversed(frame.columns))])

    def test_rows_in_another_order(self, out: Path) -> None:
        said = self.edit(out, lambda frame: frame.sample(frac=1, random_state=1))
        assert any("not sorted by value" in problem for problem in said.problems)

    def test_rows_less(self, out: Path) -> None:
        assert not self.edit(out, lambda frame: frame[:-1])

    def test_rows_twice(self, out: Path) -> None:
        assert not self.edit(out, lambda frame: pd.concat([frame, frame[:1]]))

    def test_another_value(self, out: Path) -> None:
        def swap(frame: pd.DataFrame) -> pd.DataFrame:
            frame.loc[0, "illness"] = "pox" if frame.loc[0, "illness"] != "pox" else "flu"
            return frame.sort_values(list(frame.columns))

        assert not self.edit(out, swap)

    def test_nothing_but_names(self, out: Path) -> None:
        assert not self.edit(out, lambda frame: frame[:0])


class TestTheFolder:
    @pytest.fixture
    def out(self, tmp_path: Path) -> Path:
        return full_domain().save(tmp_path / "out").path

    def test_data_twice(self, out: Path) -> None:
        full_domain().save(out.parent / "other", format="parquet")
        shutil.copy(out.parent / "other" / "data.parquet", out)
        reseal(out, evidence_of(out))
        assert any("it contains several" in problem for problem in fv.verify(out).problems)

    @pytest.mark.parametrize("name", ["names.csv", "data.csv.bak", ".hidden", "projection-1.csv", "data.CSV"])
    def test_a_file_more_even_if_it_is_sealed(self, out: Path, name: str) -> None:
        (out / name).write_text("Ann")
        assert not fv.verify(out)
        reseal(out, evidence_of(out))
        assert not fv.verify(out)

    def test_a_folder_in_it(self, out: Path) -> None:
        (out / "more").mkdir()
        assert not fv.verify(out)

    def test_a_link_in_place_of_a_file(self, out: Path) -> None:
        moved = (out / "data.csv").rename(out.parent / "elsewhere.csv")
        (out / "data.csv").symlink_to(moved)
        assert not fv.verify(out)

    @pytest.mark.parametrize("name", ["../data.csv", "/etc/passwd", "sub/data.csv", ".", "..", ""])
    def test_a_path_in_place_of_a_name(self, out: Path, name: str) -> None:
        shutil.copy(out / "data.csv", out.parent)
        evidence = evidence_of(out)
        evidence["files"][name] = evidence["files"]["data.csv"]
        from tests.release.forging import write

        write(out, evidence)
        assert not fv.verify(out)
