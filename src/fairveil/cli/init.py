"""fairveil init: a first plan for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fairveil.cli.options import (
    ROLES,
    DataFile,
    Given,
    How,
    Overwrite,
    Where,
    columns,
    is_url,
    number_of,
    opt,
    reading,
    taking,
    working_on,
)  # fmt: skip
from fairveil.cli.terminal import say, short, working
from fairveil.errors import BadInput, refuse

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.suggestions.first_plan import FirstLook, Wishes


@reading
@working_on
@taking("roles", [ROLES[name] for name in ("quasi", "sensitive", "protected", "decision", "denied")])
def init(
    file: DataFile,
    *,
    out: Annotated[Path, opt("PLAN", "Where the plan goes.", "--out")] = Path("plan.toml"),
    how: How,
    where: Where,
    overwrite: Overwrite = False,
    epsilon: Annotated[float | None, opt("E", "A differentially private table for this budget.")] = None,
    ranges: Annotated[
        list[str], opt("COLUMN=LOW:HIGH:WIDTHS", "With --epsilon: the numbers of a column: age=0:100:5,20.", "--range")
    ] = [],  # noqa: B006 - Typer wants a list
    values: Annotated[list[str], opt("COLUMN=A,B", "With --epsilon: the values that a column can hold.")] = [],  # noqa: B006
    roles: Given,
    drop: Annotated[list[str], opt("COLUMNS", "Columns to leave out.")] = [],  # noqa: B006
    person: Annotated[str | None, opt("COLUMN", "The column that numbers people, who may have several rows.")] = None,
    k: Annotated[int | None, opt("K", "The fewest people who look alike.", min=2)] = None,
    audience: Annotated[
        str, opt("WHO", "Who gets the release: public, partners or internal; it decides who is assumed to attack.")
    ] = "partners",
    preset: Annotated[
        str | None, opt("NAME", "A rule that the plan follows: hipaa-safe-harbor, ema-0070 or cell-count.")
    ] = None,
) -> int:
    """Write a first plan for a file, with a reason for everything in it.

    Roles, hierarchies and promises suit the columns and the audience; the roles that you give win. The plan runs as it
    is. Read it, correct the roles, and go on with `fairveil explore` and `fairveil release`. With --epsilon, it is a
    plan for a differentially private table, made of what you declare and of no value in the file.
    """
    from fairveil.run.plan.presets import least_k

    need_room(out, overwrite, "--out")
    declared = {"range": ranges, "values": values}
    suggested = {
        "quasi": roles.get("quasi"),
        "sensitive": roles.get("sensitive"),
        "drop": drop,
        "person": person,
        "k": k,
        "preset": preset,
    }
    if epsilon is not None:
        refuse([f"--{name} is not for a differentially private table: it publishes what --range and --values declare"
                for name, value in suggested.items() if value])  # fmt: skip
        summary = _write_noisy_plan(file, out, how, where, epsilon, ranges, values, roles, overwrite=overwrite)
    elif given := [f"--{name}" for name, value in declared.items() if value]:
        raise BadInput(f"{given[0]} is for a differentially private table: give --epsilon as well")
    else:
        how = with_header(file, how)
        least = least_k(preset) if preset is not None else None
        if k is not None and least is not None and k < least:
            raise BadInput(f"preset {preset} needs k of at least {least}, not {k}")
        wishes = _wishes({**roles, "drop": drop}, person, k or least, audience, how.header(file)[0])
        with working(f"looking at {short(file)}") as progress:
            look = first_look(file, how, where, progress, wishes)
            if preset is not None and least is None:
                wishes = _on_columns(preset, wishes, look)
            summary = progress.run(
                lambda: write_first_plan(look, file, out, how, where, wishes, preset, overwrite=overwrite)
            )
    for line in summary:
        say(line)
    return 0


def need_room(out: Path, overwrite: bool, option: str) -> None:
    """Refuse, before any work, to replace an existing plan."""
    if out.exists() and not overwrite:
        raise BadInput(f"{out} already exists: give --overwrite to replace it, or another {option}")


def _wishes(given: Given, person: str | None, k: int | None, audience: str, names: Sequence[str]) -> Wishes:
    """What the options say about roles and promises."""
    from fairveil.run.suggestions.first_plan import Wishes
    from fairveil.run.suggestions.suggested_roles import AUDIENCES

    if audience not in AUDIENCES:
        raise BadInput(f"--audience must be public, partners or internal, not {audience!r}")
    roles = {role: columns(given.get(role, ()), names) for role in ("quasi", "sensitive", "protected", "drop")}
    decision, denied = given.get("decision"), given.get("denied", ())
    roles["decision"] = [decision] if decision else []
    values = [denied] if isinstance(denied, str) else list(denied)
    return Wishes(roles, person, k, [number_of(value) for value in values], next(a for a in AUDIENCES if a == audience))


def _on_columns(preset: str, wishes: Wishes, look: FirstLook) -> Wishes:
    """Wishes that also leave out what a rule on columns leaves out."""
    from fairveil.run.plan.presets import expanded

    dropped = expanded({"preset": preset}, lambda: look.profile.columns)["schema"].get("identifier", [])
    roles = {role: [name for name in names if name not in dropped] for role, names in wishes.roles.items()}
    return replace(wishes, roles={**roles, "drop": [*roles.get("drop", ()), *dropped]})


def with_header(file: str, how: How) -> How:
    """How a file is read, also if its first line is a record."""
    from fairveil.run.suggestions.detected_spelling import with_header as detected

    return How(detected(Path(file), how.given))


def first_look(file: str, how: How, where: Where, progress: Progress, wishes: Wishes | None = None) -> FirstLook:
    """The file, read as its values suggest."""
    from tempfile import TemporaryDirectory

    from fairveil.data.dialect import Dialect
    from fairveil.run.suggestions.first_plan import Wishes, look_at
    from fairveil.run.suggestions.sampling import part_of

    header, dialect = how.header(file)
    names = where.origin(file, dialect).names(Path()) or header
    folder = TemporaryDirectory()  # as long as the look needs the part
    part = None if is_url(file) else part_of(Path(file), Path(folder.name))

    def read(missing_values: Sequence[str], text: Sequence[str], columns: Sequence[str] = (), **spelled: Any) -> Source:
        given = how.given
        given = replace(given, missing_values=[*given.missing_values, *missing_values], text=[*given.text, *text])
        given = given.over(Dialect(**spelled))
        dialect = How(given).header(file)[1] if not where.given.get("join") else given
        from_part = part is not None and not columns and folder is not None
        return where.open(str(part) if from_part else file, dialect, columns or None, progress=progress)

    look = progress.run(lambda: look_at(read, names, progress, (wishes or Wishes()).audience))
    if part is None:
        return look
    return replace(
        look,
        whole=lambda columns: read(
            look.missing_values, [c for c in look.text if c in columns], columns, **look.spelled
        ),
    )


def write_first_plan(
    look: FirstLook, file: str, out: Path, how: How, where: Where, wishes: Wishes | None = None,
    preset: str | None = None, *, overwrite: bool,
) -> list[str]:  # fmt: skip
    """Write the plan; return a summary of it, what is left to the owner, and the next step."""
    from fairveil.data.atomic import write_text
    from fairveil.messages import counted
    from fairveil.run.plan import Plan
    from fairveil.run.shown_cells import tried_draft
    from fairveil.run.suggestions.plan_text import questions, text_of, understood

    plan, settings = tried_draft(look, wishes), _source(file, out, how, where)
    text = text_of(plan, look, settings)
    if preset is not None:
        text = text.replace("\nformat = 1\n", f'\nformat = 1\npreset = "{preset}"\n', 1)
        Plan.from_toml(text, out.parent)  # raises before a plan is written that contradicts the rule
    write_text(text, out, overwrite=overwrite)
    methods = len(Plan.read(out).methods)
    facts = [(len(plan.roles["quasi"]), "quasi column"), (len(plan.roles["sensitive"]), "sensitive column"),
             (len(plan.guards), "promise"), (methods, "method")]  # fmt: skip
    summary = ", ".join(counted(*fact) for fact in facts)
    if plan.persons.column is not None:
        summary += f"; promises count the {counted(plan.persons.people, 'person')} of {plan.persons.column!r}"
    after = f"Read it, correct the roles (--quasi, --sensitive, --drop …, or in the plan), then: fairveil explore {out}"
    return [f"{out}: {summary}, for {plan.audience}", *understood(look, settings), *questions(plan), after]


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
    settings = {**where.plan_keys(out.resolve().parent), **how.given.to_dict()}
    if is_url(file):
        return {"url": file, **settings}
    path, home = Path(file).resolve(), out.resolve().parent
    return {"path": (path.relative_to(home) if path.is_relative_to(home) else path).as_posix(), **settings}
