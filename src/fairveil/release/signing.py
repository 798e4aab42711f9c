"""SSH signatures of the evidence, which prove who published a release.

The evidence contains the checksums of all other files, so one detached signature, `evidence.json.sig`, covers the
folder. Keys, agents and lists of revoked keys are OpenSSH's: `ssh-keygen -Y` signs and verifies, and never asks for a
passphrase. Because of the namespace, a signature made for another purpose is not accepted.
"""

from __future__ import annotations

import base64
import binascii
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
MAX_BYTES = 1 << 15
BEGIN, END = b"-----BEGIN SSH SIGNATURE-----\n", b"-----END SSH SIGNATURE-----\n"
PATIENCE = 60.0
"""Timeout in seconds: an agent may ask its user to touch a hardware key."""


@dataclass(frozen=True)
class Signers:
    """An OpenSSH file of allowed signers, the identity that must have signed (None: any) and a file of revoked keys."""

    allowed: Path
    identity: str | None = None
    revoked: Path | None = None

    @classmethod
    def of(cls, given: Signers | str | Path, revoked: str | Path | None = None) -> Signers:
        """Parse `allowed_signers` or `allowed_signers:identity`; the name of an existing file may contain a colon."""
        if isinstance(given, Signers):
            return given
        file, colon, identity = str(given).rpartition(":")
        whole = Path(given)
        named = cls(Path(file), identity) if colon and file and identity and not whole.is_file() else cls(whole)
        signers = cls(named.allowed, named.identity, None if revoked is None else Path(revoked))
        for path, what in ((signers.allowed, "allowed signers"), (signers.revoked, "revoked keys")):
            if path is not None and not path.is_file():
                raise BadInput(f"the file of {what}, {path}, does not exist")
        return signers


def refuse_key(key: str | Path) -> None:
    """Raise BadInput if a key cannot sign."""
    if not Path(key).is_file():
        raise BadInput(
            f"there is no key {key}: name the file of a private SSH key, or of a public one in the ssh-agent"
        )
    done = _run("sign", "-n", NAMESPACE, "-f", str(key))
    if done.returncode:
        raise BadInput(f"{key} cannot sign: {_reason(done)}")


def sign(folder: Path, key: str | Path) -> None:
    """Write a signature of the evidence into the folder."""
    done = _run("sign", "-n", NAMESPACE, "-f", str(key), str((folder / EVIDENCE).absolute()))
    if done.returncode or not (folder / SIGNATURE).is_file():
        raise BadInput(f"{key} cannot sign: {_reason(done)}")


def signer_of(folder: Path, signers: Signers) -> tuple[str, list[str]]:
    """Return which of the signers made the signature of a folder; if none did, an empty name and the reason."""
    if not (folder / SIGNATURE).is_file():
        return "", [f"the release is not signed: it has no {SIGNATURE}"]
    evidence, signature = _given(folder)
    names = _names_of_key(signature, signers)
    if signers.identity is not None and signers.identity not in names:
        # names may be patterns, which only ssh-keygen can match
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
    who = signers.identity or "any signer"
    return "", [f"the release is not signed by {who} that {signers.allowed} allows, with a key that is valid now"]


def proves_nothing(folder: Path) -> str:
    """Why the signature file of a folder is not a signature of its evidence, and nothing else; empty if it is one."""
    with open_plain(folder / SIGNATURE) as file:
        armored = file.read(MAX_BYTES)
    if not _is_one_signature(armored):
        return "it is not exactly one SSH signature"
    evidence, signature = _given(folder)
    checked = _run("check-novalidate", "-n", NAMESPACE, *signature, given=evidence)
    return f"it does not match the evidence: {_reason(checked)}" if checked.returncode else ""


def _is_one_signature(armored: bytes) -> bool:
    """Whether this is one armored block as ssh-keygen writes it, of version 1, in this namespace, without any other
    byte (PROTOCOL.sshsig in OpenSSH)."""
    try:
        blob = base64.b64decode(b"".join(armored.removeprefix(BEGIN).removesuffix(END).split(b"\n")), validate=True)
    except binascii.Error:
        return False
    text = base64.b64encode(blob)
    lines = [text[start : start + 70] + b"\n" for start in range(0, len(text), 70)]
    if armored != BEGIN + b"".join(lines) + END or not blob.startswith(b"SSHSIG\0\0\0\1"):
        return False
    fields, position = [], 10
    while position < len(blob):
        size = int.from_bytes(blob[position : position + 4], "big")
        fields.append(blob[position + 4 : position + 4 + size])
        position += 4 + size
    return position == len(blob) and len(fields) == 5 and fields[1:3] == [NAMESPACE.encode(), b""]


def _given(folder: Path) -> tuple[bytes, tuple[str, str]]:
    """The evidence, and the arguments of ssh-keygen that name its signature."""
    with open_plain(folder / EVIDENCE) as file:
        return file.read(), ("-s", str((folder / SIGNATURE).absolute()))


def _names_of_key(signature: Sequence[str], signers: Signers) -> list[str]:
    """The names under which the key of a signature is allowed."""
    principals = _run("find-principals", *signature, "-f", str(signers.allowed))
    lines = [] if principals.returncode else principals.stdout.decode(errors="replace").splitlines()
    return [name.strip() for line in lines for name in line.split(",") if name.strip()]


def _run(action: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen without a shell and without a terminal, so that it cannot prompt."""
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
    """The error of ssh-keygen in one line; for a key with a passphrase, what to do."""
    text = done.stderr.decode(errors="replace")
    if "passphrase" in text:
        return "it has a passphrase; add it to the ssh-agent (ssh-add) and name its public file (.pub)"
    lines = [line.strip() for line in text.replace("\r", "\n").splitlines() if line.strip()]
    return next((line.rstrip(".") for line in reversed(lines) if not line.startswith("Signing ")), "it failed")
