"""What an expert says of first plans for files that the suggestions were not made for: the roles that they would
change, columns that name or number people and are published, and cells that show nothing.

Files come from held_out.toml, where a folder holds their data, and from extracts.toml, which are drawn at random.
"""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import fairveil as fv
from experiments.first_hour.expert import HELD_OUT, Expected, column_roles, expected, identifying, unacceptable
from experiments.first_hour.extracts import described, expected_of, written
from experiments.first_hour.judging import hidden
from experiments.first_hour.labelled import smallest_class

ASKED, MOST = 0.2, 0.5
"""The share of hidden cells that half of the files may have, and any of them."""
FEWEST = 3
"""The fewest people among whom a first plan hides anybody."""


@dataclass
class Judged:
    """A file: its roles, those that an expert would change, and what its release is like."""

    name: str
    columns: int
    changes: list[str]
    published: list[str]
    """Columns that name or number people and are published."""
    hidden: float | None = None
    """The share of the cells that are hidden; None without a release."""
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        share = "no release" if self.hidden is None else f"{self.hidden:.0%} hidden"
        complaints = [*(f"{name} IS PUBLISHED" for name in self.published), *self.faults, *self.changes]
        head = f"{self.name}: {self.columns - len(self.changes)} of {self.columns}, {share}, {self.seconds:.1f} s"
        return "\n    ".join([head, *complaints])


def files(home: Path | None, folder: Path, only: Sequence[str] = ()) -> Iterator[tuple[str, Path | None, Expected]]:
    """Name, place and acceptable roles of each file; no place where its data is not here."""
    for name, extract in described().items():
        if not only or name in only:
            place = folder / f"{name}.csv"
            written(extract).to_csv(place, index=False)
            yield f"{name}", place, expected_of(extract)
    for name, wanted in expected(HELD_OUT).items():
        if home is not None and (not only or name in only):
            place = home / f"{name}.csv"
            yield name, place if place.exists() else None, wanted


def judge(
    name: str, place: Path, wanted: Expected, folder: Path, released: bool = True, person: str | None = None
) -> Judged:
    """Suggest a plan for a file, publish it, and judge both; `person` is the column that says who rows are about."""
    start = time.perf_counter()
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            plan = fv.init(place, progress=False)
    except fv.BadInput as problem:
        return Judged(name, 0, [], [], faults=[f"no plan: {str(problem).splitlines()[0]}"])
    assert plan.schema is not None
    roles = column_roles(plan.schema.to_dict())
    result = Judged(name, len(roles), unacceptable(wanted, roles), identifying(wanted, roles))
    if released:
        release = folder / "release"
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                published = plan.run(progress=False)
                plan.save_release(published, release, overwrite=True, progress=False)
            result.hidden = hidden(folder)
            result.faults = [] if fv.verify(release) else ["its promises do not hold"]
            people = smallest_class(place, published, person)
            if people < promised(plan, person):
                result.faults.append(f"a class has {people} people, fewer than promised")
        except (fv.BadInput, fv.Infeasible) as problem:
            result.faults = [str(problem).splitlines()[0]]
    result.seconds = time.perf_counter() - start
    return result


def promised(plan: fv.Plan, person: str | None) -> int:
    """The fewest people who look alike by a plan. Where it counts rows, k is that of rows: then at least FEWEST."""
    k = next(int(guard.k) for guard in plan.guards if isinstance(guard, fv.KAnonymity))
    counts_people = plan.schema is not None and plan.schema.person is not None
    return k if counts_people or person is None else min(k, FEWEST)


def summary(judged: Sequence[Judged]) -> str:
    """The figures over all files."""
    columns, changes = sum(file.columns for file in judged), sum(len(file.changes) for file in judged)
    shares = [file.hidden for file in judged if file.hidden is not None]
    lines = [
        f"{columns - changes} of {columns} roles are acceptable ({(columns - changes) / max(columns, 1):.1%})",
        f"{sum(len(file.published) for file in judged)} columns that name or number people are published",
        hidden_cells(shares),
        f"{sum(bool(file.faults) for file in judged)} of {len(judged)} files without a release that keeps its promises",
    ]
    return "\n".join(lines)


def hidden_cells(shares: Sequence[float]) -> str:
    """Median and maximum of the shares of hidden cells, and how many files are above what is asked for."""
    if not shares:
        return "no release was made"
    above = [sum(share > limit for share in shares) for limit in (ASKED, MOST)]
    return (
        f"hidden cells: median {median(shares):.0%}, maximum {max(shares):.0%}; {above[0]} of {len(shares)} files "
        f"above {ASKED:.0%}, {above[1]} above {MOST:.0%}"
    )
