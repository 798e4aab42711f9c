"""Files and folders are written whole or not at all, whatever else happens in the same place."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairveil.data import atomic, renaming
from fairveil.data.atomic import sweep, whole_files, whole_folder, write_text
from fairveil.errors import BadInput

SHOP = ".fairveil-0123456789abcdef.part"


@pytest.fixture(params=["one step", "fallback"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """With the system's one-step renames, and without."""
    if request.param == "fallback":
        monkeypatch.setattr(renaming, "system_rename", None)
    yield request.param


def fill(folder: Path, text: str) -> None:
    for name in ("a", "b"):
        (folder / name).write_text(text)


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(folder.iterdir())}


def anything(path: Path) -> bool:
    return True


def test_a_folder_is_new_or_replaces_what_it_may(tmp_path: Path, way: str) -> None:
    for text, replaces in (("1", None), ("2", anything)):
        with whole_folder(tmp_path / "out", replaces=replaces) as folder:
            fill(folder, text)
            assert text == "1" or texts(tmp_path / "out") == {"a": "1", "b": "1"}
        assert texts(tmp_path / "out") == {"a": text, "b": text}
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("what", ["folder", "empty folder", "file", "link", "dangling link"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_what_appears_meanwhile_is_never_deleted(tmp_path: Path, way: str, what: str, overwrite: bool) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    fill(elsewhere, "precious")

    def appear() -> None:
        if "link" in what:
            out.symlink_to(elsewhere if what == "link" else tmp_path / "nowhere")
        elif what == "file":
            out.write_text("precious")
        else:
            out.mkdir()
            if what == "folder":
                fill(out, "precious")

    def is_ours(path: Path) -> bool:
        return (path / "a").is_file() and (path / "a").read_text() == "ours" and not path.is_symlink()

    with pytest.raises(BadInput, match="appeared"), whole_folder(out, replaces=is_ours if overwrite else None) as new:
        fill(new, "ours")
        appear()
    assert texts(elsewhere) == {"a": "precious", "b": "precious"}
    assert os.path.lexists(out) and out.is_symlink() == ("link" in what)
    assert what != "folder" or texts(out) == {"a": "precious", "b": "precious"}
    assert what != "file" or out.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "out"]


@pytest.mark.parametrize("what", ["folder", "file", "link"])
def test_a_file_that_appears_meanwhile_is_never_deleted(tmp_path: Path, way: str, what: str) -> None:
    out, other = tmp_path / "out.csv", tmp_path / "other.csv"
    other.write_text("precious")
    overwrite = what != "file"
    with (
        pytest.raises(BadInput, match="appeared"),
        whole_files([tmp_path / "first.csv", out], overwrite=overwrite) as asides,
    ):
        for aside in asides.values():
            aside.write_text("ours")
        if what == "link":
            out.symlink_to(other)
        elif what == "folder":
            out.mkdir()
            fill(out, "precious")
        else:
            out.write_text("precious")
    assert other.read_text() == "precious" and not (tmp_path / "first.csv").exists()
    assert out.is_symlink() == (what == "link")
    assert what != "folder" or texts(out) == {"a": "precious", "b": "precious"}
    assert what != "file" or out.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["other.csv", "out.csv"]


def test_it_was_a_release_when_we_looked_and_something_else_when_we_swapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    out, precious = tmp_path / "out", tmp_path / "precious"
    for folder, text in ((out, "old"), (precious, "precious")):
        folder.mkdir()
        fill(folder, text)
    swap = renaming.exchange

    def late(aside: Path, place: Path, spare: Path) -> Path | None:
        monkeypatch.setattr(atomic, "exchange", swap)
        os.rename(out, tmp_path / "moved")
        os.rename(precious, out)
        return swap(aside, place, spare)

    monkeypatch.setattr(atomic, "exchange", late)
    with (
        pytest.raises(BadInput, match="appeared"),
        whole_folder(out, replaces=lambda p: (p / "a").read_text() == "old") as new,
    ):
        fill(new, "new")
    assert texts(out) == {"a": "precious", "b": "precious"}
    assert sorted(os.listdir(tmp_path)) == ["moved", "out"]


def test_a_link_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "nowhere").symlink_to("gone")
    for name in ("link", "nowhere"):
        with pytest.raises(BadInput, match="symbolic link"), whole_folder(tmp_path / name, replaces=anything):
            raise AssertionError("nothing is written")
        with pytest.raises(BadInput, match="symbolic link"):
            write_text("x", tmp_path / name)
    with whole_folder(tmp_path / "link" / "out") as folder:  # a link on the way is followed
        fill(folder, "1")
    assert texts(tmp_path / "real" / "out") == {"a": "1", "b": "1"}


def test_workshops_of_dead_runs_go_and_nothing_else(tmp_path: Path) -> None:
    def workshop(number: int, *names: str) -> Path:
        home = tmp_path / f".fairveil-{number:016x}.part"
        home.mkdir()
        for name in names:
            (home / name).mkdir() if name in ("new", "old") else (home / name).write_text("out")
        return home

    dead = [workshop(1), workshop(2, "target"), workshop(3, "target", "new")]
    foreign = [workshop(4, "thesis.txt"), workshop(5, "target", "new", "thesis.txt"), workshop(6, "new")]
    strange = [tmp_path / ".fairveil-x.part", tmp_path / ".out-abc", tmp_path / ".out.csv.part", tmp_path / "data.part"]
    for folder in strange:
        folder.mkdir()
    (tmp_path / ".fairveil-00000000000000aa.part").write_text("a file")
    (tmp_path / ".fairveil-00000000000000bb.part").symlink_to(strange[0])
    linked = sorted(tmp_path.glob(".fairveil-00000000000000*.part"))
    if os.geteuid() == 0:
        foreign.append(workshop(7, "target", "new"))
        os.chown(foreign[-1], 12345, 12345)
    write_text("x", tmp_path / "out.txt")
    assert not any(folder.exists() for folder in dead)
    assert all(folder.exists() for folder in (*foreign, *strange, tmp_path / ".fairveil-00000000000000aa.part"))
    assert (tmp_path / ".fairveil-00000000000000bb.part").is_symlink() and len(linked) >= 2


def test_the_workshop_of_a_living_run_stays(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\nfrom fairveil.data.atomic import whole_folder\n"
        "with whole_folder(pathlib.Path(sys.argv[1])) as f:\n"
        "    (f / 'a').write_text('1'); print('ready', flush=True); sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "out")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        write_text("x", tmp_path / "other.txt")
        assert len(list(tmp_path.glob(".fairveil-*"))) == 1
        process.stdin.write("\n")
        process.stdin.close()
        assert process.wait() == 0
    assert texts(tmp_path / "out") == {"a": "1"}
    assert sorted(os.listdir(tmp_path)) == ["other.txt", "out"]


def test_what_was_cut_between_two_steps_is_put_back(tmp_path: Path) -> None:
    home = tmp_path / SHOP
    (home / "old").mkdir(parents=True)
    (home / "new").mkdir()
    (home / "target").write_text("out")
    fill(home / "old", "old")
    sweep(tmp_path)
    assert texts(tmp_path / "out") == {"a": "old", "b": "old"}
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_many_runs_at_once_never_mix(tmp_path: Path, way: str, overwrite: bool) -> None:
    wrong: list[object] = []

    def is_whole(path: Path) -> bool:
        return not path.is_symlink() and (path / "b").is_file()

    def run(number: int) -> None:
        try:
            with whole_folder(tmp_path / "out", replaces=is_whole if overwrite else None) as folder:
                fill(folder, str(number))
        except BadInput as problem:
            if "appeared" not in str(problem):
                wrong.append(problem)
        except BaseException as problem:
            wrong.append(problem)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(set(texts(tmp_path / "out").values())) == 1
    assert os.listdir(tmp_path) == ["out"]


def test_a_full_disk_leaves_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text("old", tmp_path / "page.html")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(BadInput, match=r"page\.html cannot be written: File too large"):
            write_text("x" * 5000, tmp_path / "page.html")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left on device"), whole_folder(tmp_path / "deep" / "er" / "out"):
        pass
    assert os.listdir(tmp_path) == ["page.html"] and (tmp_path / "page.html").read_text() == "old"


def test_all_is_flushed_before_it_is_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    flushed, renamed = os.fsync, renaming.system_rename

    def fsync(handle: int) -> None:
        events.append(os.readlink(f"/proc/self/fd/{handle}"))
        flushed(handle)

    def rename(old: Path, new: Path, swap: bool) -> int:
        events.append("rename")
        assert renamed is not None
        return renamed(old, new, swap)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(renaming, "system_rename", rename)
    with whole_folder(tmp_path / "out") as folder:
        fill(folder, "1")
    before, after = events[: events.index("rename")], events[events.index("rename") + 1 :]
    assert {Path(path).name for path in before} >= {"a", "b", "new"}
    assert str(tmp_path) in after


def test_modes_follow_the_umask_and_private_ones_do_not(tmp_path: Path) -> None:
    for umask in (0o022, 0o077, 0o002):
        before = os.umask(umask)
        try:
            home = tmp_path / oct(umask)
            with whole_folder(home / "out") as folder:
                assert os.stat(folder.parent).st_mode & 0o777 == 0o700
                fill(folder, "1")
            write_text("x", home / "open.txt")
            write_text("x", home / "private.txt", private=True)
            atomic.private_folder(home / "kept" / "here")
        finally:
            os.umask(before)
        modes = {path.name: path.stat().st_mode & 0o777 for path in home.rglob("*")}
        files, folders = 0o666 & ~umask, 0o777 & ~umask
        assert modes == {"out": folders, "a": files, "b": files, "open.txt": files, "private.txt": 0o600,
                         "kept": folders, "here": 0o700}  # fmt: skip


def test_a_long_or_strange_name_is_no_problem(tmp_path: Path) -> None:
    for name in ("x" * 250, os.fsdecode(b"caf\xe9"), "a\nb", " "):
        with whole_folder(tmp_path / name) as folder:
            fill(folder, "1")
        with whole_folder(tmp_path / name, replaces=anything) as folder:
            fill(folder, "2")
        assert texts(tmp_path / name) == {"a": "2", "b": "2"}
    assert len(os.listdir(tmp_path)) == 4
