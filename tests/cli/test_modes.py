"""Who may read what is written: what tells more than a release is its owner's alone, all else is as the umask says."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import fairveil as fv
from tests.cli.conftest import PLAN, Run

METHOD = (
    '\n[method]\nkind = "preferences"\naspirations = { necd = 0.3, nwp = 0.3 }\nevaluations = 200\npopulation = 20\n'
)
TOLD = "only you can read"


@pytest.fixture(params=[0o022, 0o077, 0o002], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(*paths: Path) -> dict[str, str]:
    return {str(path): oct(stat.S_IMODE(path.stat().st_mode)) for path in paths}


def expect(umask: int, *, common: list[Path], private: list[Path]) -> None:
    def mode(path: Path) -> str:
        return oct((0o777 if path.is_dir() else 0o666) & ~umask)

    owners = {str(path): oct(0o700 if path.is_dir() else 0o600) for path in private}
    assert modes(*common, *private) == {**{str(path): mode(path) for path in common}, **owners}


def test_release_report_and_apply(plan: Path, people: Path, fairveil: Run, umask: int) -> None:
    home = plan.parent / "new" / "home"
    for name, format in (("a", "csv"), ("b", "parquet")):
        for again in ([], ["--overwrite"]):
            written = fairveil("release", plan, "--out", home / name, "--format", format,
                               "--internal", home / f"{name}.inside.html", *again)  # fmt: skip
            assert written.code == 0 and TOLD in written.out, written
    as_data = fairveil("release", plan, "--out", home / "c", "--internal", home / "c.inside.json", "--json")
    assert as_data.code == 0 and TOLD in as_data.err and TOLD not in as_data.out
    for again in ([], ["--overwrite"]):
        assert fairveil("report", home / "a", *again).code == 0
        for ending in ("csv", "parquet"):
            out = home / f"applied.{ending}"
            done = fairveil("apply", home / "a", people, "--out", out, "--text", "zip", "--unknown", "suppress", *again)
            assert done.code == 0, done
    inside = sorted(home.glob("*.inside.*"))
    assert len(inside) == 3
    expect(umask, private=inside, common=[home, home.parent, *(p for p in home.rglob("*") if p not in inside)])


def test_explore(plan: Path, fairveil: Run, umask: int) -> None:
    kept, plot = plan.parent / "one" / "kept", plan.parent / "plot.png"
    for form in ([], ["--json"]):
        done = fairveil("explore", plan, "--keep", kept, "--plot", plot, "--measures", "k", *form)
        assert done.code == 0 and (done.err if form else done.out).count(TOLD) == 2, done
    expect(umask, private=[kept, *kept.iterdir(), plot], common=[kept.parent])
    assert list(kept.iterdir())


def test_sessions(plan: Path, fairveil: Run, umask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plan.write_text(PLAN + METHOD, encoding="utf-8")
    session, named = plan.parent / "one" / "walk.json", plan.parent / "named.json"
    for answers in (f"save {named}\nquit\n", "quit\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        done = fairveil("explore", plan, "--preferences", "--session", session)
        assert done.code == 0 and TOLD in done.out, done
    expect(umask, private=[session, named], common=[session.parent])


def test_what_is_written_from_python(plan: Path, tmp_path: Path, umask: int) -> None:
    loaded = fv.Plan.read(plan)
    frontier = loaded.search()[0]
    common = [loaded.save(tmp_path / "saved.toml"), frontier.best("loss").save(tmp_path / "out").path]
    bound = loaded.data[1].bind(loaded.data[0])
    fv.hierarchy.write_csv(bound["age"], tmp_path / "age.csv")
    expect(umask, private=[], common=[*common, *common[1].iterdir(), tmp_path / "age.csv"])


def test_demo(tmp_path: Path, fairveil: Run) -> None:
    before = os.umask(0o027)
    try:
        assert fairveil("demo", "--out", tmp_path / "demo").code == 0
    finally:
        os.umask(before)
    expect(0o027, private=[], common=[tmp_path / "demo", *(tmp_path / "demo").iterdir()])
