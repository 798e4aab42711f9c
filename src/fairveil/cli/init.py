"""fairveil init: a first plan for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import (
    DataFile,
    HowToRead,
    Overwrite,
    WhereToWork,
    columns,
    is_url,
    reading,
    short,
    working_on,
)

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.suggestions.first_plan import FirstLook


@reading
@working_on
def init(
    file: DataFile,
    out: Annotated[Path, typer.Option("--out", metavar="PLAN", help="Where the plan goes.")] = Path("plan.toml"),
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008
    overwrite: Overwrite = False,
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="A differentially private table for this budget.")
    ] = None,
    ranges: Annotated[
        list[str],
        typer.Option("--range", metavar="COLUMN=LOW:HIGH:WIDTHS", help="With --epsilon: numbers it can hold."),
    ] = [],  # noqa: B006 - Typer wants a list
    values: Annotated[
        list[str], typer.Option(metavar="COLUMN=A,B", help="With --epsilon: the values that a column can hold.")
    ] = [],  # noqa: B006
    decision: Annotated[str | None, typer.Option(metavar="COLUMN", help="With --epsilon: the decision.")] = None,
    denied: Annotated[list[str], typer.Option(metavar="VALUE", help="With --epsilon: the unfavourable one.")] = [],  # noqa: B006
    protected: Annotated[
        list[str], typer.Option(metavar="COLUMNS", help="With --epsilon: grounds on which nobody may be denied.")
    ] = [],  # noqa: B006
) -> int:
    """Write a first plan for a file, with a reason for everything in it.

    Roles, hierarchies and promises suit the columns. The plan runs as it is. Read it, correct the roles, and go on with
    `fairveil explore` and `fairveil release`. With --epsilon, it is a plan for a differentially private table, made of
    what you declare and of no value in the file.
    """
    from fairveil.cli.terminal import say, working
    from fairveil.errors import BadInput

    need_room(out, overwrite, "--out")
    declared = {"--range": ranges, "--values": values, "--decision": decision, "--denied": denied,
                "--protected": protected}  # fmt: skip
    if epsilon is not None:
        for line in _write_noisy_plan(file, out, how, where, epsilon, declared, overwrite=overwrite):
            say(line)
        return 0
    if given := [option for option, value in declared.items() if value]:
        raise BadInput(f"{given[0]} is for a differentially private table: give --epsilon as well")
    with working(f"looking at {short(file)}") as progress:
        found = looked_at(file, how, where, progress)
        summary = progress.run(lambda: write_first_plan(found, file, out, how, where, overwrite=overwrite))
    for line in summary:
        say(line)
    return 0


def need_room(out: Path, overwrite: bool, option: str) -> None:
    """Refuse, before any work, to replace an existing plan."""
    from fairveil.errors import BadInput

    if out.exists() and not overwrite:
        raise BadInput(f"{out} already exists: give --overwrite to replace it, or another {option}")


def looked_at(file: str, how: HowToRead, where: WhereToWork, progress: Progress) -> FirstLook:
    """The file, read as its values suggest."""
    from fairveil.run.suggestions.first_plan import look_at

    names = how.names(file)

    def read(missing_values: Sequence[str], text: Sequence[str]) -> Source:
        given = how.given
        given = replace(given, missing_values=[*given.missing_values, *missing_values], text=[*given.text, *text])
        return where.open(file, HowToRead(given).dialect(names), progress=progress)

    return progress.run(lambda: look_at(read, names, progress))


def write_first_plan(
    found: FirstLook, file: str, out: Path, how: HowToRead, where: WhereToWork, *, overwrite: bool
) -> list[str]:
    """Write the plan; return a summary of it and the next step."""
    from fairveil.data.atomic import write_text
    from fairveil.plural import counted
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.first_plan import first_plan

    write_text(first_plan(found, _source(file, out, how, where)), out, overwrite=overwrite)
    plan = Plan.read(out)
    quasi = plan.schema.quasi if plan.schema else ()
    facts = [counted(len(quasi), "quasi column"), counted(len(plan.guards), "promise")]
    return [
        f"{out}: {', '.join(facts)}, {counted(len(plan.methods), 'method')}",
        f"Read it, correct the roles, then: fairveil explore {out}",
    ]


def _write_noisy_plan(
    file: str,
    out: Path,
    how: HowToRead,
    where: WhereToWork,
    epsilon: float,
    told: Mapping[str, Any],
    *,
    overwrite: bool,
) -> list[str]:
    """Write the plan as declared; return the columns left out and the next step."""
    from fairveil.data.atomic import write_text
    from fairveil.errors import BadInput
    from fairveil.run.plan import Plan
    from fairveil.run.suggestions.declared import Declared, noisy_plan

    if not 0 < epsilon < inf:
        raise BadInput(f"--epsilon must be a number above 0, not {epsilon:g}")
    names = how.names(file) or where.open(file, how.dialect([])).names
    declared = Declared.of(names, ranges=told["--range"], values=told["--values"])
    text = noisy_plan(
        declared, _source(file, out, how, where), epsilon=epsilon, decision=told["--decision"],
        denied=told["--denied"], protected=columns(told["--protected"], names),
    )  # fmt: skip
    Plan.from_toml(text, out.parent)  # raises before an invalid plan is written
    write_text(text, out, overwrite=overwrite)
    left_out = [
        f"{name!r} is left out, because nothing is declared of it: --values '{name}=A,B' or --range "
        f"'{name}=LOW:HIGH:WIDTH' would publish it"
        for name in declared.left_out(str(told["--decision"]))
    ]
    return [f"{out}: ε={epsilon:g}", *left_out, f"Read it, then: fairveil release {out} --out DIR"]


def _source(file: str, out: Path, how: HowToRead, where: WhereToWork) -> dict[str, Any]:
    """Known keys of the plan's [source]."""
    known = {**where.given, **how.given.to_dict()}
    if is_url(file):
        return {"url": file, **known}
    place, home = Path(file).resolve(), out.resolve().parent
    return {"path": (place.relative_to(home) if place.is_relative_to(home) else place).as_posix(), **known}
