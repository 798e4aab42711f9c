"""Signatures by the real ssh-keygen: who published a release, and every way in which that can be wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.release import signing

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None and os.environ.get("FAIRVEIL_REAL_PARTS") != "required", reason="no ssh-keygen"
)
FRAME = pd.DataFrame({"q": list("aabb"), "s": list("uvuv")})


@pytest.fixture(scope="module")
def release() -> fv.Release:
    return fv.search(FRAME, fv.Schema(quasi=["q"], sensitive=["s"]), guards=[fv.KAnonymity(2)]).best("loss")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two people's keys, a locked one, and files of allowed signers."""
    home = tmp_path_factory.mktemp("keys")
    for name, kind, phrase in (("ann", "ed25519", ""), ("bob", "ecdsa", ""), ("locked", "ed25519", "a secret")):
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", phrase, "-C", name, "-f", home / name], check=True)
    ann, bob = ((home / f"{name}.pub").read_text() for name in ("ann", "bob"))
    (home / "allowed").write_text(f'ann@example.org namespaces="fairveil-release" {ann}')
    (home / "both").write_text(f"ann@example.org,editor@example.org {ann}*@other.org {bob}")
    (home / "for git").write_text(f'ann@example.org namespaces="git" {ann}')
    (home / "expired").write_text(f'ann@example.org valid-before="20200101" {ann}')
    (home / "odd:name").write_text(f"ann@example.org {ann}")
    (home / "revoked").write_text(ann)
    return home


@pytest.fixture
def signed(release: fv.Release, home: Path, tmp_path: Path) -> Path:
    return release.save(tmp_path / "out", sign=home / "ann").path


def test_a_signed_release_holds_with_and_without_signers(signed: Path, home: Path) -> None:
    assert fv.verify(signed)
    assert fv.verify(signed).signed
    for signers in ("allowed", "allowed:ann@example.org", "both", "both:editor@example.org", "odd:name",
                    "odd:name:ann@example.org"):  # fmt: skip
        assert fv.verify(signed, signers=f"{home}/{signers}"), signers
    assert fv.verify(signed, signers=home / "allowed", revoked=home / "bob.pub")


@pytest.mark.parametrize(
    ("signers", "reason"),
    [
        ("allowed:bob@example.org", "not signed by bob@example.org"),
        ("both:ann@other.org", "not signed by ann@other.org"),
        ("for git", "not signed by any signer"),
        ("expired", "not signed by any signer"),
    ],
)
def test_other_signers_do_not_count(signed: Path, home: Path, signers: str, reason: str) -> None:
    answer = fv.verify(signed, signers=f"{home}/{signers}")
    assert not answer
    assert reason in answer.problems[0]


def test_another_persons_key(release: fv.Release, home: Path, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out", sign=home / "bob").path
    assert not fv.verify(folder, signers=home / "allowed")
    assert fv.verify(folder, signers=f"{home}/both:bob@other.org")


def test_a_revoked_key(signed: Path, home: Path) -> None:
    answer = fv.verify(signed, signers=home / "allowed", revoked=home / "revoked")
    assert answer.problems == ("the release is signed by ann@example.org, whose key is revoked",)


def test_an_unsigned_release_does_not_hold_where_a_signature_is_asked_for(
    release: fv.Release, home: Path, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out").path
    assert fv.verify(folder)
    assert not fv.verify(folder).signed
    answer = fv.verify(folder, signers=home / "allowed")
    assert answer.problems == ("the release is not signed: it has no evidence.json.sig",)


def other_namespace(folder: Path, home: Path) -> None:
    (folder / "evidence.json.sig").unlink()
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", home / "ann", folder / "evidence.json"],
        check=True, capture_output=True,
    )  # fmt: skip


def other_evidence(folder: Path, home: Path) -> None:
    """A forger who makes all checksums right again."""
    from fairveil.published.folder import seal

    evidence = json.loads((folder / "evidence.json").read_text())
    evidence["notes"] = ["all is well"]
    evidence["seal"] = seal(evidence)
    (folder / "evidence.json").write_text(json.dumps(evidence, indent=2, ensure_ascii=False) + "\n")


def no_signature(folder: Path, home: Path) -> None:
    (folder / "evidence.json.sig").write_text("-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n")


def empty(folder: Path, home: Path) -> None:
    (folder / "evidence.json.sig").write_bytes(b"")


@pytest.mark.parametrize("change", [other_namespace, other_evidence, no_signature, empty])
def test_whatever_is_not_this_signature_fails_with_a_reason(
    signed: Path, home: Path, change: Callable[[Path, Path], None]
) -> None:
    change(signed, home)
    answer = fv.verify(signed, signers=home / "allowed")
    assert not answer
    assert any(
        problem.startswith("evidence.json.sig is a signature file that proves nothing: ") for problem in answer.problems
    )
    assert not fv.verify(signed) and not fv.verify(signed).signed


def test_changed_data_is_found_although_the_signature_holds(signed: Path, home: Path) -> None:
    (signed / "data.csv").write_text((signed / "data.csv").read_text() + '"a","u"\n')
    answer = fv.verify(signed, signers=home / "allowed")
    assert "data.csv was changed" in answer.problems[0]


def test_what_cannot_be_used_is_said_in_one_sentence_before_any_work(
    release: fv.Release, signed: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(fv.BadInput, match="there is no key"):
        release.save(tmp_path / "a", sign=home / "nobody")
    with pytest.raises(fv.BadInput, match="it has a passphrase; add it to the ssh-agent"):
        release.save(tmp_path / "b", sign=home / "locked")
    with pytest.raises(fv.BadInput, match="cannot sign"):
        release.save(tmp_path / "c", sign=home / "allowed")
    with pytest.raises(fv.BadInput, match=r"file of allowed signers, .* does not exist"):
        fv.verify(signed, signers=home / "nobody")
    with pytest.raises(fv.BadInput, match=r"file of revoked keys, .* does not exist"):
        fv.verify(signed, signers=home / "allowed", revoked=home / "nobody")
    with pytest.raises(fv.BadInput, match="signers"):
        fv.verify(signed, revoked=home / "revoked")
    monkeypatch.setattr(signing, "PROGRAM", "no-such-program")
    for work in (
        lambda: release.save(tmp_path / "d", sign=home / "ann"),
        lambda: fv.verify(signed, signers=home / "both"),
    ):
        try:
            answer = work()
        except fv.BadInput as problem:
            assert "which is not installed" in str(problem)
        else:
            assert "which is not installed" in answer.problems[0]  # type: ignore[union-attr]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_key_in_the_agent_signs_by_its_public_file(release: fv.Release, home: Path, tmp_path: Path) -> None:
    agent = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    found = dict(part.split("=", 1) for part in agent.replace("\n", ";").split(";") if "=" in part)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSH_AUTH_SOCK", found["SSH_AUTH_SOCK"])
        try:
            subprocess.run(["ssh-add", "-q", home / "bob"], check=True, capture_output=True)
            folder = release.save(tmp_path / "out", sign=home / "bob.pub").path
        finally:
            subprocess.run(
                ["ssh-agent", "-k"], env={**os.environ, "SSH_AGENT_PID": found["SSH_AGENT_PID"]}, check=False
            )
    assert fv.verify(folder, signers=f"{home}/both:bob@other.org")


def test_the_command_line(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.to_csv(tmp_path / "p.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        'format = 1\n[source]\npath = "p.csv"\n[schema]\nquasi = "q"\nsensitive = "s"\n'
        '[[guards]]\nkind = "k-anonymity"\nk = 2\n'
    )
    out = str(tmp_path / "out")
    assert run(["release", str(tmp_path / "plan.toml"), "--out", out, "--sign", str(home / "ann")]) == 0
    assert run(["verify", out]) == 0
    assert "it is signed" in capsys.readouterr().out
    assert run(["verify", out, "--signer", f"{home}/allowed:ann@example.org"]) == 0
    assert run(["verify", out, "--signer", str(home / "allowed"), "--revoked", str(home / "revoked")]) == 1
    assert "whose key is revoked" in capsys.readouterr().out
    assert run(["verify", out, "--signer", str(home / "for git")]) == 1
    assert run(["release", str(tmp_path / "plan.toml"), "--out", f"{out}2", "--sign", str(home / "locked")]) == 2
    assert not Path(f"{out}2").exists()
