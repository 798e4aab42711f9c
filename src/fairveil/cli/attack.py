"""fairveil attack: what an attacker with other data could do to a release, tested in advance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairveil.cli.options import HowToRead, Json, columns, reading, split


@reading
def attack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.")],
    original: Annotated[Path | None, typer.Option(metavar="FILE", help="The data that was published.")] = None,
    known: Annotated[
        list[str],
        typer.Option(metavar="COLUMNS", help="What the attacker knows about people; all quasi columns if not given."),
    ] = [],  # noqa: B006
    other: Annotated[Path | None, typer.Option(metavar="DIR", help="A second release of the same people.")] = None,
    control: Annotated[
        Path | None, typer.Option(metavar="FILE", help="People like those in the data who are not in it.")
    ] = None,
    only: Annotated[list[str], typer.Option(metavar="NAMES", help="Only these attacks.")] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(metavar="N", help="For the attacks that sample.")] = 0,
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    json: Json = False,
) -> int:
    """Attack a release before anybody else does.

    DIR is the release folder. Tries every attack that the given files allow (docs/attacks.md). They are read as the
    source of the release was, unless options say otherwise.
    Exit code 0: nothing worse than a warning, 1: an attack is a danger. Nothing is written.
    """
    from fairveil.attacks import COLUMNS
    from fairveil.attacks import attack as attack_release
    from fairveil.cli.terminal import say, say_json, say_table, working
    from fairveil.published.folder import load_recipe

    with working(f"attacking {folder.name}") as progress:
        read = load_recipe(folder).schema.read if original or control else None
        tables = [None if file is None else how.table(file, read) for file in (original, control)]
        names = tables[0].names if tables[0] is not None else []
        findings = attack_release(
            folder,
            original=tables[0],
            known=columns(known, names) or None,
            other=other,
            control=tables[1],
            only=split(only) or None,
            seed=seed,
            progress=progress,
        )
    if json:
        say_json({"path": str(folder), **findings.to_dict()})
    else:
        say_table(COLUMNS, findings.rows())
        verdict = {
            "ok": "no attack got anywhere",
            "warn": "some attacks get further than they should",
            "danger": "NOT safe: see what is marked danger",
        }[findings.level]
        count = len(findings.skipped)
        skipped = f"; {count} {'attack was' if count == 1 else 'attacks were'} not run" if count and findings else ""
        say(f"{folder}: {verdict if findings else 'no attack could be run'}{skipped}")
    return 1 if findings.level == "danger" else 0
