"""Whatever a folder holds, `verify` answers False and says why: no traceback, and nothing is waited for."""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.methods import METHODS
from fairveil.release.verify import Verification
from tests.contracts.people import ONE_PER_RECIPE, quick, search, source
from tests.known import ANY_DANGER
from tests.release.forging import at, evidence_of, leaves, put, reseal

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 2**80, -(2**63), 1e308, "", "x", "*", "\x00", "é" * 300, "..", [], {}, [[]], {"": {}},
    [None], ["x"], {"x": 1}, {"kind": "tree"}, {"format": 1, "kind": "full-domain"}, [1, 2], [[1, "x"]], "0" * 5000,
)  # fmt: skip
"""Values that no place expects, or only one."""
TRIES = 60


@pytest.fixture(scope="module", params=[m.kind for m in ONE_PER_RECIPE])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    [method] = [method for method in METHODS if method.kind == request.param]
    return (
        search(quick(method), source())
        .release(0)
        .save(tmp_path_factory.mktemp("release") / "out", accept=ANY_DANGER)
        .path
    )


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return search(fv.Incognito(), source()).best("loss").save(tmp_path / "out").path


def denied(folder: Path) -> str:
    """What is wrong with a folder, found in a thread so that waiting forever would show."""
    answers: list[Any] = []

    def ask() -> None:
        try:
            answers.append(fv.verify(folder))
        except BaseException as problem:
            answers.append(problem)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(30)
    assert answers, "verify waits for something"
    assert isinstance(answers[0], Verification), repr(answers[0])
    assert not answers[0]
    assert all(problem.strip() and "\n" not in problem.strip() for problem in answers[0].problems)
    json.dumps(answers[0].to_dict())
    return " ".join(answers[0].problems)


def mutated(content: Any, rng: random.Random) -> Any:
    """Plain data with one to three places replaced, left out or repeated."""
    content = copy.deepcopy(content)
    for _ in range(rng.randint(1, 3)):
        places = list(leaves(content))
        path = rng.choice(places)
        path = path[: rng.randint(1, len(path))] if path else path
        if not path:
            return rng.choice(ODD)
        if rng.random() < 0.25 and isinstance(path[-1], str):
            del at(content, path[:-1])[path[-1]]
        elif rng.random() < 0.1:
            put(content, path, copy.deepcopy(at(content, rng.choice(places))))
        else:
            put(content, path, copy.deepcopy(rng.choice(ODD)))
    return content


def test_edited_json_with_all_checksums_right(release: Path, tmp_path: Path) -> None:
    rng = random.Random(release.parent.name)
    whole = {name: json.loads((release / name).read_text()) for name in ("recipe.json", "evidence.json")}
    for number in range(TRIES):
        folder = tmp_path / str(number)
        shutil.copytree(release, folder)
        name = rng.choice(list(whole))
        forged = mutated(whole[name], rng)
        (folder / name).write_text(json.dumps(forged))
        if name == "recipe.json":
            reseal(folder, copy.deepcopy(whole["evidence.json"]), report=False)
        elif isinstance(forged, dict) and isinstance(forged.get("files", {}), dict):
            reseal(folder, forged, report=False)
        verification = fv.verify(folder)
        assert isinstance(verification, Verification)
        json.dumps(verification.to_dict())
        shutil.rmtree(folder)


def test_damaged_bytes(release: Path, tmp_path: Path) -> None:
    rng = random.Random(7)
    for number in range(TRIES // 2):
        folder = tmp_path / str(number)
        shutil.copytree(release, folder)
        file = rng.choice(sorted(folder.iterdir()))
        content = bytearray(file.read_bytes())
        for _ in range(rng.randint(1, 8)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        if rng.random() < 0.3:
            content = content[: rng.randrange(len(content))]
        if bytes(content) == (release / file.name).read_bytes():
            continue
        file.write_bytes(bytes(content))
        if file.name != "evidence.json" and rng.random() < 0.7:
            reseal(folder, evidence_of(folder), report=False)
        verification = fv.verify(folder)
        assert isinstance(verification, Verification)
        shutil.rmtree(folder)


TEXTS = {
    "nothing": b"", "no JSON": b"{", "no object": b"[]", "a number": b"1", "null": b"null", "no text": b"\xff\xfe\x00",
    "deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "deep lists": b"[" * 200_000, "NaN": b'{"format": NaN}',
    "a huge number": b'{"format": ' + b"9" * 10_000 + b"}", "a key twice": b'{"format": 1, "format": 2}',
    "an empty object": b"{}", "zeros": bytes(1000), "only format": b'{"format": 1}',
}  # fmt: skip


@pytest.mark.parametrize("name", ["recipe.json", "evidence.json"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_odd_json(out: Path, name: str, text: bytes) -> None:
    (out / name).write_bytes(text)
    denied(out)
    if name == "recipe.json":
        reseal(out, evidence_of(out), report=False)
        denied(out)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"\xff\xff", b'"a', b"a,a\n1,2\n",
                                     b"\n\n\n", b'"zip"\n', b",,,\n", bytes(50), b'"' * 3_000_001])  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_odd_data(out: Path, content: bytes, ending: str) -> None:
    (out / "data.csv").unlink()
    (out / f"data.{ending}").write_bytes(content)
    evidence = evidence_of(out)
    del evidence["files"]["data.csv"]
    reseal(out, evidence, report=False)
    denied(out)


def link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.parent.parent / "pipe")
    path.symlink_to("../pipe")


SPECIAL: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": lambda path: path.mkdir(),
    "a dead link": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a pipe": link_to_a_pipe,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": lambda path: socket.socket(socket.AF_UNIX).bind(str(path)),
}


@pytest.mark.parametrize("name", ["data.csv", "recipe.json", "evidence.json", "report.html", "more.txt"])
@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
def test_what_is_no_plain_file(out: Path, name: str, make: Callable[[Path], object], monkeypatch: Any) -> None:
    (out / name).unlink(missing_ok=True)
    monkeypatch.chdir(out)  # the name of a socket must be short
    make(out / name if make is not SPECIAL["a socket"] else Path(name))
    assert "regular file" in denied(out)
    for use in (fv.report, fv.attack):  # whoever else reads a folder does not wait either
        if name in ("data.csv", "recipe.json", "evidence.json"):
            with pytest.raises(fv.BadInput):
                use(out)


@pytest.mark.parametrize("name", ["data.csv", "recipe.json", "evidence.json", "report.html"])
def test_a_missing_file(out: Path, name: str) -> None:
    (out / name).unlink()
    assert name.partition(".")[0] in denied(out)


def test_other_things_than_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").mkdir()
    for name in ("file", "loop", "pipe", "empty"):
        denied(tmp_path / name)
    with pytest.raises(fv.BadInput, match=r"the folder .* does not exist"):
        fv.verify(tmp_path / "none")
    with pytest.raises(fv.BadInput):
        fv.verify("nul\0byte")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(out: Path) -> None:
    (out / "data.csv").chmod(0)
    assert "cannot be read" in denied(out)
    out.chmod(0)
    try:
        assert "cannot be read" in denied(out)
    finally:
        out.chmod(0o755)


def test_a_link_to_a_release_is_followed(out: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(out)
    assert fv.verify(tmp_path / "link")


@pytest.mark.parametrize("name", ["ö;é", "a b", "x" * 200, "tab\tand\nline", "'quote\"", "bad\udcffbytes"])
def test_odd_names_of_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    release = search(fv.Incognito(), source()).best("loss")
    for format in ("csv", "parquet"):
        assert fv.verify(release.save(folder, format=format, overwrite=True).path)
    (folder / "evidence.json").unlink()
    assert "evidence.json" in denied(folder)


def test_it_can_be_cancelled(out: Path) -> None:
    with pytest.raises(fv.Cancelled):
        fv.verify(out, progress=lambda share, what: False)
    heard: list[float] = []
    assert fv.verify(out, progress=lambda share, what: heard.append(share))
    assert heard == sorted(heard) and len(heard) > 3
