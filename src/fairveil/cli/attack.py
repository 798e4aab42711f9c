"""fairveil attack: what an attacker with other data could do to a release, tested in advance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fairveil.cli.options import (
    ORIGINAL,
    REQUEST,
    Given,
    How,
    Json,
    OriginalTable,
    PublishedAt,
    PublishedIn,
    ReleaseFolder,
    columns,
    opt,
    reading,
    split,
    taking,
)
from fairveil.cli.terminal import say, say_json, say_table, working
from fairveil.messages import counted, verb

VERDICTS = {
    "ok": "no attack succeeded", "warn": "some attacks succeed more often than they should",
    "danger": "NOT safe: see the findings marked danger",
}  # fmt: skip


@reading
@taking("options", [REQUEST["seed"]], defaults=True)
def attack(
    folder: ReleaseFolder,
    *,
    original: Annotated[str | None, opt("FILE", ORIGINAL)] = None,
    original_table: OriginalTable = None,
    known: Annotated[list[str], opt("COLUMNS", "What the attacker knows; all quasi columns if not given.")] = [],  # noqa: B006
    other: Annotated[list[Path], opt("DIR", "Another release, such as an earlier one; may be repeated.")] = [],  # noqa: B006
    control: Annotated[Path | None, opt("FILE", "People like those in the data who are not in it.")] = None,
    only: Annotated[list[str], opt("NAMES", "Only these attacks.")] = [],  # noqa: B006
    published: PublishedAt = None,
    table: PublishedIn = None,
    options: Given,
    how: How,
    json: Json = False,
) -> int:
    """Attack a release before anybody else does.

    Tries every attack that the given files allow (docs/attacks.md). They are read as the
    source of the release was, unless options say otherwise.
    Exit code 0: nothing worse than a warning, 1: an attack is a danger. Nothing is written.
    """
    from fairveil.attacks import COLUMNS
    from fairveil.attacks import attack as attack_release
    from fairveil.counting.threads import side_by_side
    from fairveil.published.folder import open_release, published_of

    with working(f"attacking {folder.name}") as progress:
        opened = open_release(folder)
        schema = opened.recipe.schema
        people, strangers, release = side_by_side(
            lambda: None if original is None else how.original(original, original_table, schema),
            lambda: None if control is None else how.table(control, schema.read),
            lambda: opened if published is not None else published_of(opened, progress, table=table),
        )
        names = people.names if people is not None else []
        findings = attack_release(
            release, original=people, known=columns(known, names) or None, other=other or None, control=strangers,
            only=split(only) or None, seed=options.get("seed", 0), published=published, table=table, progress=progress,
        )  # fmt: skip
    if json:
        say_json({"path": str(folder), **findings.to_dict()})
    else:
        say_table(COLUMNS, findings.rows())
        count = len(findings.skipped)
        skipped = f"; {counted(count, 'attack')} {verb(count, 'was', 'were')} not run" if count and findings else ""
        say(f"{folder}: {VERDICTS[findings.level] if findings else 'no attack could be run'}{skipped}")
    return 1 if findings.level == "danger" else 0
