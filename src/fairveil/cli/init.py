"""fairveil init: a first plan for a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairveil.cli.options import DataFile, Overwrite, Separator

if TYPE_CHECKING:
    from fairveil.engines import Source


def init(
    file: DataFile,
    out: Annotated[Path, typer.Option("--out", metavar="PLAN", help="Where the plan goes.")] = Path("plan.toml"),
    separator: Separator = None,
    overwrite: Overwrite = False,
) -> int:
    """Write a first plan for a file, with a reason for everything in it.

    Roles, hierarchies and promises suit the columns. The plan runs as it is. Read it, correct the roles, and go on with
    `fairveil explore` and `fairveil release`.
    """
    from fairveil.cli.terminal import say, working
    from fairveil.data.placing import write_text
    from fairveil.data.reading import column_names
    from fairveil.data.table import Table
    from fairveil.engines import source_of
    from fairveil.errors import BadInput
    from fairveil.plural import counted
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.plan import first_plan

    if out.exists() and not overwrite:
        raise BadInput(f"{out} is already there: give --overwrite to replace it, or another --out")

    def read(missing_values: Sequence[str], text: Sequence[str]) -> Source:
        return source_of(Table.read(file, missing_values=missing_values, text=text, separator=separator))

    names = column_names(file, separator)
    place = file.resolve()
    parent = out.resolve().parent
    path = str(place.relative_to(parent)) if place.is_relative_to(parent) else str(place)
    with working(f"looking at {file.name}") as progress:
        text = progress.run(lambda: first_plan(read, names, {"path": path, "separator": separator}, progress))
    write_text(text, out, overwrite=overwrite)
    plan = Plan.read(out)
    quasi = plan.schema.quasi if plan.schema else ()
    facts = [counted(len(quasi), "quasi column"), counted(len(plan.guards), "promise")]
    say(f"{out}: {', '.join(facts)}, {counted(len(plan.methods), 'method')}")
    say(f"Read it, correct the roles, then: fairveil explore {out}")
    return 0
