"""Saving a release: verified from its files before it appears, and never over what was not meant."""

from __future__ import annotations

import os
import resource
import threading
from pathlib import Path

import pytest

import fairveil as fv
from fairveil.errors import BadInput, Infeasible
from fairveil.release import verify as verifying
from tests.release.killing import contents, releases


@pytest.fixture(scope="module")
def pair() -> tuple[fv.Release, fv.Release]:
    return releases()


def test_files_that_would_not_verify_are_not_written(
    pair: tuple[fv.Release, fv.Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = pair[0].save(tmp_path / "out").path
    before, seen = contents(out), []

    def no(path: Path, *_: object) -> verifying.Verification:
        seen.append(sorted(os.listdir(path)))
        return verifying.Verification(path, (f"{path / 'data.csv'} is wrong",), (), 0)

    monkeypatch.setattr(verifying, "verify_written", no)
    for place, overwrite in ((out, True), (tmp_path / "deep" / "new", False)):
        with pytest.raises(Infeasible, match="would not verify") as problem:
            pair[1].save(place, overwrite=overwrite)
        assert f"{place / 'data.csv'} is wrong" in str(problem.value)
    assert contents(out) == before and os.listdir(tmp_path) == ["out"]
    assert all("evidence.json" in names and "report.html" in names for names in seen) and len(seen) == 2


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_link_is_not_written_to(pair: tuple[fv.Release, fv.Release], tmp_path: Path, overwrite: bool) -> None:
    real = pair[0].save(tmp_path / "real").path
    before = contents(real)
    (tmp_path / "link").symlink_to(real)
    with pytest.raises(BadInput, match="symbolic link"):
        pair[1].save(tmp_path / "link", overwrite=overwrite)
    assert contents(real) == before and (tmp_path / "link").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_full_disk(pair: tuple[fv.Release, fv.Release], tmp_path: Path, format: str) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(BadInput, match="cannot be written"):
            pair[0].save(tmp_path / "out", format=format)  # type: ignore[arg-type]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("overwrite", [False, True])
def test_two_runs_at_once(pair: tuple[fv.Release, fv.Release], tmp_path: Path, overwrite: bool) -> None:
    out, said = tmp_path / "out", list[str]()
    whole = [contents(release.save(tmp_path / name).path) for release, name in zip(pair, "ab", strict=True)]

    def save(release: fv.Release) -> None:
        try:
            release.save(out, overwrite=overwrite)
        except BadInput as problem:
            said.append(str(problem))

    for _ in range(5):
        runs = [threading.Thread(target=save, args=(release,)) for release in pair]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        assert contents(out) in whole
        assert fv.verify(out)
    assert all("appeared" in sentence or "already exists" in sentence for sentence in said)
    assert overwrite != bool(said)
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "out"]
