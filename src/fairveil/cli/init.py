"""fairveil init: a first plan for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import (
    ROLES,
    DataFile,
    Given,
    How,
    Overwrite,
    Where,
    columns,
    is_url,
    opt,
    reading,
    taking,
    working_on,
)  # fmt: skip
from fairveil.cli.terminal import say, short, working
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.suggestions.first_plan import FirstLook


@reading
@working_on
@taking("roles", [ROLES[name] for name in ("decision", "denied", "protected")], before="With --epsilon: ")
def init(
    file: DataFile,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="PLAN", help="Where the plan goes.")] = Path("plan.toml"),
    how: How,
    where: Where,
    overwrite: Overwrite = False,
    epsilon: Annotated[float | None, opt("E", "A differentially private table for this budget.")] = None,
    ranges: Annotated[
        list[str], opt("COLUMN=LOW:HIGH:WIDTHS", "With --epsilon: the numbers of a column: age=0:100:5,20.", "--range")
    ] = [],  # noqa: B006 - Typer wants a list
    values: Annotated[list[str], opt("COLUMN=A,B", "With --epsilon: the values that a column can hold.")] = [],  # noqa: B006
    roles: Given,
) -> int:
    """Write a first plan for a file, with a reason for everything in it.

    Roles, hierarchies and promises suit the columns. The plan runs as it is. Read it, correct the roles, and go on with
    `fairveil explore` and `fairveil release`. With --epsilon, it is a plan for a differentially private table, made of
    what you declare and of no value in the file.
    """
    need_room(out, overwrite, "--out")
    if epsilon is not None:
        summary = _write_noisy_plan(file, out, how, where, epsilon, ranges, values, roles, overwrite=overwrite)
    elif given := [f"--{name}" for name, value in {"range": ranges, "values": values, **roles}.items() if value]:
        raise BadInput(f"{given[0]} is for a differentially private table: give --epsilon as well")
    else:
        with working(f"looking at {short(file)}") as progress:
            look = first_look(file, how, where, progress)
            summary = progress.run(lambda: write_first_plan(look, file, out, how, where, overwrite=overwrite))
    for line in summary:
        say(line)
    return 0


def need_room(out: Path, overwrite: bool, option: str) -> None:
    """Refuse, before any work, to replace an existing plan."""
    if out.exists() and not overwrite:
        raise BadInput(f"{out} already exists: give --overwrite to replace it, or another {option}")


def first_look(file: str, how: How, where: Where, progress: Progress) -> FirstLook:
    """The file, read as its values suggest."""
    from fairveil.run.suggestions.first_plan import look_at

    names = how.header(file)[0]

    def read(missing_values: Sequence[str], text: Sequence[str]) -> Source:
        given = how.given
        given = replace(given, missing_values=[*given.missing_values, *missing_values], text=[*given.text, *text])
        return where.open(file, How(given).header(file)[1], progress=progress)

    return progress.run(lambda: look_at(read, names, progress))


def write_first_plan(look: FirstLook, file: str, out: Path, how: How, where: Where, *, overwrite: bool) -> list[str]:
    """Write the plan; return a summary of it and the next step."""
    from fairveil.data.atomic import write_text
    from fairveil.messages import counted
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.first_plan import first_plan

    write_text(first_plan(look, _source(file, out, how, where)), out, overwrite=overwrite)
    plan = Plan.read(out)
    quasi = plan.schema.quasi if plan.schema else ()
    facts = [(len(quasi), "quasi column"), (len(plan.guards), "promise"), (len(plan.methods), "method")]
    summary = ", ".join(counted(*fact) for fact in facts)
    return [f"{out}: {summary}", f"Read it, correct the roles, then: fairveil explore {out}"]


def _write_noisy_plan(
    file: str, out: Path, how: How, where: Where, epsilon: float, ranges: Sequence[str],
    values: Sequence[str], roles: Given, *, overwrite: bool,
) -> list[str]:  # fmt: skip
    """Write the plan as declared; return the columns left out and the next step."""
    from fairveil.data.atomic import write_text
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.declared import Declared, noisy_plan

    if not 0 < epsilon < inf:
        raise BadInput(f"--epsilon must be a number above 0, not {epsilon:g}")
    header, dialect = How(how.given.cell_by_cell).header(file)  # no record decides how the header is read
    names = header or where.open(file, dialect).names
    declared = Declared.of(names, ranges=ranges, values=values)
    decision, denied = roles.get("decision"), roles.get("denied", ())
    text = noisy_plan(
        declared, _source(file, out, how, where), epsilon=epsilon, decision=decision, denied=denied,
        protected=columns(roles.get("protected", ()), names),
    )  # fmt: skip
    Plan.from_toml(text, out.parent)  # raises before an invalid plan is written
    write_text(text, out, overwrite=overwrite)
    reason = "is left out, because nothing is declared of it"
    left_out = [f"{name!r} {reason}: --values '{name}=A,B' or --range '{name}=LOW:HIGH:WIDTH' would publish it"
                for name in declared.left_out(str(decision))]  # fmt: skip
    return [f"{out}: ε={epsilon:g}", *left_out, f"Read it, then: fairveil release {out} --out DIR"]


def _source(file: str, out: Path, how: How, where: Where) -> dict[str, Any]:
    """Known keys of the plan's [source]."""
    settings = {**where.given, **how.given.to_dict()}
    if is_url(file):
        return {"url": file, **settings}
    path, home = Path(file).resolve(), out.resolve().parent
    return {"path": (path.relative_to(home) if path.is_relative_to(home) else path).as_posix(), **settings}
