"""fairveil init: a first plan for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import DataFile, HowToRead, Overwrite, WhereToWork, is_url, reading, short, working_on

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.suggestions.plan import Found


@reading
@working_on
def init(
    file: DataFile,
    out: Annotated[Path, typer.Option("--out", metavar="PLAN", help="Where the plan goes.")] = Path("plan.toml"),
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008
    overwrite: Overwrite = False,
) -> int:
    """Write a first plan for a file, with a reason for everything in it.

    Roles, hierarchies and promises suit the columns. The plan runs as it is. Read it, correct the roles, and go on with
    `fairveil explore` and `fairveil release`.
    """
    from fairveil.cli.terminal import say, working

    need_room(out, overwrite, "--out")
    with working(f"looking at {short(file)}") as progress:
        found = looked_at(file, how, where, progress)
        summary = progress.run(lambda: write_first_plan(found, file, out, how, where, overwrite=overwrite))
    for line in summary:
        say(line)
    return 0


def need_room(out: Path, overwrite: bool, option: str) -> None:
    """Refuse to replace a plan before any work is done for it."""
    from fairveil.errors import BadInput

    if out.exists() and not overwrite:
        raise BadInput(f"{out} is already there: give --overwrite to replace it, or another {option}")


def looked_at(file: str, how: HowToRead, where: WhereToWork, progress: Progress) -> Found:
    """The file, read as its values suggest."""
    from fairveil.run.suggestions.plan import look_at

    names = how.names(file)

    def read(missing_values: Sequence[str], text: Sequence[str]) -> Source:
        told = replace(how, missing_values=[*how.missing_values, *missing_values], text=[*how.text, *text])
        return where.open(file, told.dialect(names), progress=progress)

    return progress.run(lambda: look_at(read, names, progress))


def write_first_plan(
    found: Found, file: str, out: Path, how: HowToRead, where: WhereToWork, *, overwrite: bool
) -> list[str]:
    """Write the plan; what to say about it, and what comes next."""
    from fairveil.data.placing import write_text
    from fairveil.plural import counted
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.plan import first_plan

    write_text(first_plan(found, _source(file, out, how, where)), out, overwrite=overwrite)
    plan = Plan.read(out)
    quasi = plan.schema.quasi if plan.schema else ()
    facts = [counted(len(quasi), "quasi column"), counted(len(plan.guards), "promise")]
    return [
        f"{out}: {', '.join(facts)}, {counted(len(plan.methods), 'method')}",
        f"Read it, correct the roles, then: fairveil explore {out}",
    ]


def _source(file: str, out: Path, how: HowToRead, where: WhereToWork) -> dict[str, Any]:
    """What is known of the plan's [source]."""
    known = {**vars(where), **vars(how)}
    if is_url(file):
        return {"url": file, **known}
    place, home = Path(file).resolve(), out.resolve().parent
    return {"path": (place.relative_to(home) if place.is_relative_to(home) else place).as_posix(), **known}
