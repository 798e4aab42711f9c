"""fairveil verify: re-check a release folder, from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairveil.cli.options import Json
from fairveil.plural import counted

if TYPE_CHECKING:
    from fairveil.release.verify import Verification


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.")],
    signer: Annotated[
        str | None,
        typer.Option(metavar="FILE[:WHO]", help="It must be signed by somebody in this file of allowed signers."),
    ] = None,
    revoked: Annotated[Path | None, typer.Option(metavar="FILE", help="Keys that are not trusted any more.")] = None,
    published: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database, where the rows are a table of one (docs/engines.md)."),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="The table, if it is not called as the evidence says.")
    ] = None,
    json: Json = False,
) -> int:
    """Re-check every promise of a release.

    DIR is the release folder; nothing but its files is needed. Exit code 0: all is as promised, 1: something is not,
    2: it is not a release, or a package that provides one of its guards is not installed. With --signer the release
    must also be signed (docs/signing.md).
    """
    from fairveil.cli.terminal import mark, say, say_json, working
    from fairveil.errors import BadInput
    from fairveil.published.folder import EVIDENCE
    from fairveil.release.verify import verify as verify_folder

    if folder.is_dir() and not (folder / EVIDENCE).exists():
        raise BadInput(f"{folder} is not a release: {EVIDENCE} is missing")
    with working(f"checking {folder.name}") as progress:
        verification = verify_folder(
            folder, signers=signer, revoked=revoked, published=published, table=table, progress=progress
        )
    if json:
        say_json({"path": str(folder), **verification.to_dict()})
        return _code(verification)
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
    return _code(verification)


def _code(verification: Verification) -> int:
    """The exit code: 2 if a missing package prevents verification."""
    return 0 if verification else 2 if verification.unknown and not verification.problems else 1
