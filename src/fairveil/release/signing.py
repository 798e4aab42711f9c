"""Signing: who published a release, proved by an SSH signature of its evidence.

The evidence holds the checksums of all other files, so one detached signature, `evidence.json.sig`, covers the folder.
Keys, agents and lists of revoked keys are OpenSSH's: `ssh-keygen -Y` does the work and never asks for a passphrase. The
namespace keeps a signature made for another purpose from counting here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairveil.errors import BadInput
from fairveil.published.data_files import open_plain
from fairveil.published.folder import EVIDENCE

NAMESPACE = "fairveil-release"
SIGNATURE = f"{EVIDENCE}.sig"
PROGRAM = "ssh-keygen"
PATIENCE = 60.0
"""Seconds that signing may take: an agent may ask its user to touch a key."""


@dataclass(frozen=True)
class Signers:
    """Who may have signed: an OpenSSH file of allowed signers, one of them by name or any, and keys not to trust."""

    allowed: Path
    identity: str | None = None
    revoked: Path | None = None

    @classmethod
    def of(cls, given: Signers | str | Path, revoked: str | Path | None = None) -> Signers:
        """`allowed_signers`, or `allowed_signers:identity`; a file whose own name has a colon is taken whole."""
        if isinstance(given, Signers):
            return given
        file, colon, identity = str(given).rpartition(":")
        whole = Path(given)
        named = cls(Path(file), identity) if colon and file and identity and not whole.is_file() else cls(whole)
        signers = cls(named.allowed, named.identity, None if revoked is None else Path(revoked))
        for path, what in ((signers.allowed, "allowed signers"), (signers.revoked, "revoked keys")):
            if path is not None and not path.is_file():
                raise BadInput(f"there is no file {path} of {what}")
        return signers


def refuse_key(key: str | Path) -> None:
    """Refuse a key that cannot sign, before any work."""
    if not Path(key).is_file():
        raise BadInput(
            f"there is no key {key}: name the file of a private SSH key, or of a public one in the ssh-agent"
        )
    done = _run("sign", "-n", NAMESPACE, "-f", str(key))
    if done.returncode:
        raise BadInput(f"{key} cannot sign: {_reason(done)}")


def sign(folder: Path, key: str | Path) -> None:
    """Put a signature of the evidence beside it."""
    done = _run("sign", "-n", NAMESPACE, "-f", str(key), str((folder / EVIDENCE).absolute()))
    if done.returncode or not (folder / SIGNATURE).is_file():
        raise BadInput(f"{key} cannot sign: {_reason(done)}")


def signer_of(folder: Path, signers: Signers) -> tuple[str, list[str]]:
    """Who of these signed the evidence of a folder; if nobody did, an empty name and the reason."""
    if not (folder / SIGNATURE).is_file():
        return "", [f"the release is not signed: it has no {SIGNATURE}"]
    with open_plain(folder / EVIDENCE) as file:
        evidence = file.read()
    signature = ("-s", str((folder / SIGNATURE).absolute()))
    whole = _run("check-novalidate", "-n", NAMESPACE, *signature, given=evidence)
    if whole.returncode:
        return "", [f"the signature is not one of this evidence: {_reason(whole)}"]
    names = _names_of_key(signature, signers)
    if signers.identity is not None and signers.identity not in names:
        # names may be patterns, so that only ssh-keygen can tell
        names = [signers.identity]
    for name in names:
        allowed = ("-I", name, "-f", str(signers.allowed))
        verified = _run("verify", "-n", NAMESPACE, *signature, *allowed, given=evidence)
        if verified.returncode:
            continue
        if signers.revoked is None:
            return name, []
        still = _run("verify", "-n", NAMESPACE, *signature, *allowed, "-r", str(signers.revoked), given=evidence)
        return ("", [f"the release is signed by {name}, whose key is revoked"]) if still.returncode else (name, [])
    who = signers.identity or "anybody"
    return "", [f"the release is not signed by {who} whom {signers.allowed} allows to, with a key that is valid now"]


def _names_of_key(signature: Sequence[str], signers: Signers) -> list[str]:
    """Under which names the key of a signature is allowed."""
    found = _run("find-principals", *signature, "-f", str(signers.allowed))
    lines = found.stdout.decode(errors="replace").splitlines() if not found.returncode else []
    return [name.strip() for line in lines for name in line.split(",") if name.strip()]


def _run(action: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """One call of ssh-keygen, without a shell, and without a terminal, so that it cannot ask anybody."""
    unasked = {k: v for k, v in os.environ.items() if k not in ("SSH_ASKPASS", "DISPLAY")}
    try:
        return subprocess.run(
            [PROGRAM, "-Y", action, *arguments], input=given, capture_output=True, timeout=PATIENCE, check=False,
            env={**unasked, "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"}, start_new_session=True,
        )  # fmt: skip
    except FileNotFoundError:
        raise BadInput(f"signatures need OpenSSH's {PROGRAM}, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise BadInput(f"{PROGRAM} gave no answer within {PATIENCE:.0f} seconds") from None


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """What ssh-keygen complains about, in one line; of a locked key, what to do."""
    text = done.stderr.decode(errors="replace")
    if "passphrase" in text:
        return "it has a passphrase; add it to the ssh-agent (ssh-add) and name its public file (.pub)"
    lines = [line.strip() for line in text.replace("\r", "\n").splitlines() if line.strip()]
    return next((line.rstrip(".") for line in reversed(lines) if not line.startswith("Signing ")), "it failed")
