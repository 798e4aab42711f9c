"""fairveil verify: re-check a release folder, from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fairveil.cli.options import Json, PublishedAt, PublishedIn, ReleaseFolder, opt
from fairveil.cli.terminal import mark, say, say_json, working
from fairveil.messages import counted


def verify(
    folder: ReleaseFolder,
    signer: Annotated[str | None, opt("FILE[:WHO]", "It must be signed by one of these allowed signers.")] = None,
    revoked: Annotated[Path | None, opt("FILE", "Keys that are no longer trusted.")] = None,
    published: PublishedAt = None,
    table: PublishedIn = None,
    register: Annotated[
        Path | None, opt("FILE", "The register of the population, if a promise was judged by one.")
    ] = None,
    json: Json = False,
) -> int:
    """Re-check every promise of a release.

    Nothing but the files of the folder is needed. Exit code 0: all is as promised, 1: something is not,
    2: it is not a release, or a package that provides one of its guards is not installed. With --signer the release
    must also be signed (docs/signing.md).
    """
    from fairveil.errors import BadInput
    from fairveil.published.folder import EVIDENCE
    from fairveil.release.verify import verify as verify_folder

    if folder.is_dir() and not (folder / EVIDENCE).exists():
        raise BadInput(f"{folder} is not a release: {EVIDENCE} is missing")
    with working(f"checking {folder.name}") as progress:
        verification = verify_folder(
            folder,
            signers=signer,
            revoked=revoked,
            published=published,
            table=table,
            register=register,
            progress=progress,
        )
    code = 0 if verification else 2 if verification.unknown and not verification.problems else 1
    if json:
        say_json({"path": str(folder), **verification.to_dict()})
        return code
    for verdict in verification.verdicts:
        say(mark(verdict))
    for problem in verification.problems:
        say(f"✗ {problem}")
    for note in verification.notes:
        say(f"note: {note}")
    if verification.unknown:
        say(f"? {verification.unknown}")
    if verification.signer:
        say(f"✓ signed by {verification.signer}")
    elif verification.signed and signer is None:
        say("it is signed; --signer FILE checks by whom")
    say(f"{folder}: {counted(verification.rows, 'row')}, {verification.conclusion}")
    return code
