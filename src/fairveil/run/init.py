"""init: a first plan for a data frame or a file, with a reason for each role: `fairveil init` in Python.

>>> import fairveil as fv
>>> plan = fv.init(fv.datasets.adult().table, sensitive=["occupation"], k=10, progress=False)
>>> "occupation" in plan.schema.sensitive, plan.guards[0].k, plan.reasons["occupation"]
(True, 10, 'you said so')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import refuse_repeated
from fairveil.data.table import Table
from fairveil.display import DisplayTable
from fairveil.engines import Source, source_of
from fairveil.errors import BadInput, suggest
from fairveil.progress import Progress, Report
from fairveil.run.given import given_data
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from fairveil.run.shown_cells import IN_MEMORY, tried_draft
from fairveil.run.suggestions.detected_spelling import with_header
from fairveil.run.suggestions.first_plan import Draft, FirstLook, Wishes, look_at
from fairveil.run.suggestions.plan_text import questions, text_of
from fairveil.run.suggestions.sampling import LARGE_CELLS, ROWS, part_of
from fairveil.run.suggestions.suggested_roles import AUDIENCES, Audience
from fairveil.shapes import column_name, columns


@dataclass(frozen=True, repr=False)
class FirstPlan(Plan):
    """A plan that was suggested: `reasons` says why each column has its role, and `questions` what to check first."""

    reasons: Mapping[str, str] = field(default_factory=dict, kw_only=True, compare=False)
    questions: tuple[str, ...] = field(default=(), kw_only=True, compare=False)

    def _tables(self) -> list[DisplayTable]:
        assert self.schema is not None
        rows = [[name, ", ".join(self.schema.roles(name)), reason] for name, reason in self.reasons.items()]
        return [DisplayTable(["column", "role", "reason"], rows)]


def init(
    data: Any,
    *,
    quasi: Sequence[Any] = (),
    sensitive: Sequence[Any] = (),
    protected: Sequence[Any] = (),
    decision: Any = None,
    denied: Any = None,
    drop: Sequence[Any] = (),
    person: Any = None,
    k: int | None = None,
    audience: Audience = "partners",
    table: str | None = None,
    progress: Progress | Report | bool | None = None,
    **reading: Any,
) -> FirstPlan:
    """Return a first plan for `data`, which runs as it is: a data frame of any kind, a Table, a file's path, or the URL
    of a database with a `table`. What you say wins over every suggestion.

    `quasi`, `sensitive`, `protected`, `decision`, `denied` and `drop` are columns by role (see `Schema`), `person` is
    the column that numbers people, `k` the fewest people who look alike, and `audience` who gets the release:
    "public", "partners" or "internal". `reading` are options of `Table.read`, such as `separator`.
    """
    if audience not in AUDIENCES:
        raise BadInput(suggest(audience, AUDIENCES, "audience"))
    single = {"decision": decision, "person": person}
    named = {role: None if name is None else column_name(name) for role, name in single.items()}
    listed = {"quasi": quasi, "sensitive": sensitive, "protected": protected, "drop": drop}
    roles = {role: columns(names, role) for role, names in listed.items()}
    roles["decision"] = [] if named["decision"] is None else [named["decision"]]
    values = [] if denied is None else list(denied) if isinstance(denied, list | tuple | set) else [denied]
    wishes = Wishes(roles, named["person"], k, values, audience)
    steps = Progress.visible(progress)

    def work() -> FirstPlan:
        origin = origin_of(data, table, reading)
        look, decisions, plan = first_draft(origin, wishes, steps)
        settings = {f.name: getattr(plan, f.name) for f in fields(plan)}
        if origin.data is not None:
            settings["source"] = _as_looked_at(origin, look)
        return FirstPlan(**settings, reasons=decisions.reasons, questions=tuple(questions(decisions)))

    return steps.run(work)


def origin_of(data: Any, table: str | None, reading: Mapping[str, Any]) -> Origin:
    """Where data is that a caller names or passes."""
    dialect = Dialect(**reading)
    if not isinstance(data, str | Path):
        return Origin(data=given_data(data), dialect=dialect)
    if "://" in str(data):
        return Origin(url=str(data), table=table, dialect=dialect)
    return Origin(path=str(data), table=table, dialect=with_header(Path(data), dialect))


def first_draft(origin: Origin, wishes: Wishes, progress: Progress) -> tuple[FirstLook, Draft, Plan]:
    """What a first look at the data finds, what is suggested, and the plan that says so."""
    with TemporaryDirectory() as folder:
        if origin.data is None:
            look = _look_at_file(origin, Path(folder), wishes.audience, progress)
        else:
            look = _look_at_frame(origin.data, origin.dialect, wishes.audience, progress)
        decisions = tried_draft(look, wishes)
        written = IN_MEMORY if origin.data is not None else origin.to_dict()
        return look, decisions, Plan.from_toml(text_of(decisions, look, written))


def as_written(origin: Origin, progress: Progress) -> Origin:
    """The file, read as its values suggest: missing values, text, and how numbers and dates are written."""
    with TemporaryDirectory() as folder:
        return _as_looked_at(origin, _look_at_file(origin, Path(folder), "partners", progress))


def _as_looked_at(origin: Origin, look: FirstLook) -> Origin:
    found = Dialect(missing_values=look.missing_values, text=look.text, **look.spelled)
    return replace(origin, dialect=origin.dialect.over(found))


def _look_at_file(origin: Origin, folder: Path, audience: Audience, progress: Progress) -> FirstLook:
    """A file or table, read as its values suggest; of a large file, a part that is written to the folder."""
    names = origin.names(Path()) or []
    part = None if origin.path is None else part_of(Path(origin.path), folder)

    def read(missing: Sequence[str], text: Sequence[str], columns: Sequence[str] = (), **spelled: Any) -> Source:
        own = origin.dialect
        dialect = replace(own, missing_values=[*own.missing_values, *missing], text=[*own.text, *text])
        dialect = dialect.over(Dialect(**spelled))
        path = origin.path if part is None or columns else str(part)
        return replace(origin, path=path, dialect=dialect, columns=tuple(columns)).open(progress=progress)

    look = look_at(read, names, progress, audience)
    if part is None:
        return look

    def whole(few: Sequence[str]) -> Source:
        return read(look.missing_values, [name for name in look.text if name in few], few, **look.spelled)

    return replace(look, whole=whole)


def _look_at_frame(data: Any, own: Dialect, audience: Audience, progress: Progress) -> FirstLook:
    """A frame, whose texts are read as their values suggest; of a large one in memory, some rows."""
    import narwhals as nw

    if hasattr(data, "iloc"):  # narwhals would fail on duplicate names
        refuse_repeated(list(map(column_name, data.columns)))
    frame: Any = None if isinstance(data, Table) else nw.from_native(data, eager_only=True, pass_through=True)
    large = isinstance(frame, nw.DataFrame) and len(frame) > ROWS and len(frame) * len(frame.columns) >= LARGE_CELLS
    some = frame.gather_every(-(-len(frame) // ROWS)).to_native() if large else data

    def opened(given: Any, missing: Sequence[str], text: Sequence[str], **spelled: Any) -> Source:
        dialect = replace(own, missing_values=[*own.missing_values, *missing], text=[*own.text, *text])
        return source_of(given, dialect=dialect.over(Dialect(**spelled)), progress=progress)

    names = source_of(some).names if not large else list(map(column_name, frame.columns))
    look = look_at(partial(opened, some), names, progress, audience)
    if not large:
        return look

    def whole(few: Sequence[str]) -> Source:
        chosen = frame[:, [names.index(name) for name in few]].to_native()
        return opened(chosen, look.missing_values, [name for name in look.text if name in few], **look.spelled)

    return replace(look, whole=whole)
