"""What goes over the wire: requests are dataclasses, which are checked; answers are plain JSON objects.

`contract` turns this module into TypeScript. A `Cell` is a value of the data: always a JSON value, never markup. Shares
are from 0 to 1. Whatever has no value (an infinite risk, a measure that does not apply) is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, NotRequired, TypedDict, TypeVar

from fairveil.data.dialect import Dialect
from fairveil.run.origin import Origin
from fairveil.settings import Setting

Cell = str | int | float | bool | None
Spec = dict[str, Any]
"""A guard, method or hierarchy as a plan spells it: its `kind` and its settings."""
Role = Literal["identifier", "quasi", "sensitive", "protected", "decision", "plain", "drop"]
State = Literal["running", "done", "failed", "cancelled", "interrupted"]
T = TypeVar("T")


class Fault(TypedDict):
    """Every answer with a status from 400 on. `sentence` can be shown as it is."""

    code: str
    sentence: str


class Done(TypedDict):
    done: bool


class Welcome(TypedDict):
    """What the first page needs. `opened` is the session of the file or plan that the command named."""

    version: str
    most_upload_bytes: int
    opened: str | None
    examples: list[Example]
    sessions: list[SessionHead]


class Example(TypedDict):
    name: str
    title: str
    says: str


class SessionHead(TypedDict):
    id: str
    name: str
    source: str
    rows: int | None
    changed: str
    runs: int


class SourceSpec(TypedDict):
    """Where the data is and how it is read. `dataset` is bundled, `upload` lies in the session's folder."""

    dataset: NotRequired[str]
    path: NotRequired[str]
    upload: NotRequired[str]
    title: str
    options: ReadingOptions
    rows: NotRequired[int]


READING = tuple(setting for setting in Origin.plan_keys() if setting.name in (*Dialect().options, "columns"))
"""The settings by which a file is read: those of a dialect, and the columns."""


def _reading_type(setting: Setting) -> Any:
    """How a form gives a setting: texts, unless it is a list or a choice."""
    if setting.type == "choice":
        return Literal[setting.options]
    return list[str] if setting.type == "names" else str


if TYPE_CHECKING:
    ReadingOptions = dict[str, Any]
else:
    ReadingOptions = TypedDict("ReadingOptions", {s.name: NotRequired[_reading_type(s)] for s in READING})
    ReadingOptions.__doc__ = "How a file is read; options that are left out are detected or have their default."


class Clip(TypedDict):
    candidate: str
    note: str


class RunLabel(TypedDict):
    name: str
    note: str


class WalkLabel(RunLabel):
    """`path`: the steps that are in effect, by number from 1."""

    path: list[int]


class Document(TypedDict):
    """All that was decided; `undo` takes back any change of it. Roles, weights and the like are by column."""

    name: str
    notes: str
    source: SourceSpec | None
    roles: dict[str, list[Role]]
    denied: list[Cell]
    weights: dict[str, float]
    levels: dict[str, int]
    whole_numbers: dict[str, Literal["code", "quantity"]]
    pseudonyms: list[str]
    hierarchies: dict[str, Spec]
    guards: list[Spec]
    methods: list[Spec]
    measures: list[str]
    choose: str
    seed: int
    order: Literal["sorted", "keep"]
    format: Literal["csv", "parquet"]
    accept: list[str]
    report: dict[str, str]
    runs: dict[str, RunLabel]
    walks: dict[str, WalkLabel]
    clipboard: list[Clip]
    chosen: str | None


class HistoryEntry(TypedDict):
    """One change as a sentence. `done` is false for those that were undone and can be redone."""

    sentence: str
    at: str
    done: bool


class Problem(TypedDict):
    """Something that is wrong; `repair` is what one call of the repair endpoint would do. Where it `blocks`, no search
    can start."""

    where: Literal["source", "roles", "hierarchy", "guards", "methods"]
    column: str | None
    sentence: str
    repair: Repair | None
    blocks: bool


class Repair(TypedDict):
    id: str
    label: str


class HistoryView(TypedDict):
    """Every change, the first one first."""

    changes: list[HistoryEntry]


class Session(TypedDict):
    """The state of a session. Every endpoint that changes the document returns it. `undo` and `redo` are the changes
    that the next undo or redo is about, null where there is none."""

    id: str
    version: int
    document: Document
    undo: str | None
    redo: str | None
    problems: list[Problem]
    runs: list[RunHead]
    rows: int | None
    columns: list[str]


class Histogram(TypedDict):
    """Bars in order: what each stands for, and how many rows it has. `rest` are rows in no bar."""

    labels: list[str]
    counts: list[int]
    rest: int


class ColumnFacts(TypedDict):
    """A column of the source. `unique` is the share of rows alone with their value, `risk` distinct values over rows;
    `suggested` roles come with a reason, `look` is what its values look like ("postcodes"), and `safe_harbor` which
    identifier of HIPAA's Safe Harbor rule it seems to be, if any. `least` and `most` are of numbers and dates,
    `shortest` and `longest` count the characters of texts. `code` says why integers look like codes, or is empty."""

    name: str
    type: str
    distinct: int
    missing: int
    unique: float
    risk: float
    commonest: Cell
    commonest_share: float
    least: Cell
    most: Cell
    shortest: int | None
    longest: int | None
    suggested: list[Role]
    reason: str
    look: str
    safe_harbor: str
    code: str
    histogram: Histogram


class TableFacts(TypedDict):
    """`options` are those that were set, and what was found in the file where nothing was."""

    rows: int
    dropped: int
    columns: list[ColumnFacts]
    options: ReadingOptions


class Pair(TypedDict):
    names: list[str]
    distinct: int
    unique: float
    risk: float


class Pairs(TypedDict):
    """Pairs of columns, the most identifying first."""

    pairs: list[Pair]


class Rows(TypedDict):
    """A window of the source."""

    offset: int
    total: int
    columns: list[str]
    rows: list[list[Cell]]


class HierarchyNode(TypedDict):
    """`id` is "level:label"; `rows` are those of the source below it; the top has no parent. `missing` is the leaf of
    the rows without a value, which no hierarchy has to name."""

    id: str
    label: str
    level: int
    parent: str | None
    rows: int
    leaves: int
    missing: bool


class HierarchyView(TypedDict):
    """The hierarchy of a column. `nodes` go from the top down; of very many leaves only the first are listed.
    `editable`: it is a tree; any other kind becomes one by its first edit. `spec` is null where none is set."""

    column: str
    spec: Spec | None
    kind: str
    height: int
    labels_per_level: list[int]
    nodes: list[HierarchyNode]
    listed_all: bool
    editable: bool
    problems: list[str]
    notes: list[str]


class FieldFacts(TypedDict):
    """One setting of a part. `least` and `most` are ends of a slider where there are such; `options` the choices."""

    name: str
    type: Literal["integer", "number", "boolean", "text", "names", "numbers", "choice", "other"]
    required: bool
    default: Any
    least: float | None
    most: float | None
    options: list[str] | None
    says: str


class PartFacts(TypedDict):
    """A guard, method or kind of hierarchy that can be asked for; `needs` are the roles without which it is refused.
    `false_values` is a word for why values that a method publishes may be false ("averages", "noise")."""

    kind: str
    says: str
    fields: list[FieldFacts]
    leaves_open: str
    needs: list[str]
    false_values: str


class MeasureFacts(TypedDict):
    """`cheap` measures come with every candidate; others are computed when asked for."""

    name: str
    family: Literal["loss", "risk", "fairness", "utility"]
    better: Literal["lower", "higher"]
    least: float | None
    most: float | None
    meaning: str
    cheap: bool
    needs_decision: bool


class RoleFacts(TypedDict):
    name: Role
    title: str
    says: str
    joins: list[Role]


class Catalog(TypedDict):
    """Everything that can be chosen, from the registries. It does not change while the server runs."""

    roles: list[RoleFacts]
    guards: list[PartFacts]
    methods: list[PartFacts]
    hierarchies: list[PartFacts]
    measures: list[MeasureFacts]
    attacks: list[NamedSentence]


class NamedSentence(TypedDict):
    name: str
    sentence: str


class Blame(TypedDict):
    """How many records would still break the guard if this column were left out."""

    column: str
    broken_rows: int


class Feasibility(TypedDict):
    """What a guard says of the source as it is. `reachable`: it holds once every quasi column is fully generalized.
    `blame`: the columns whose removal helps most, first. `problem`: why it cannot be judged at all."""

    guard: Spec
    promise: str
    holds: bool
    worst: float | None
    limit: float | None
    broken_rows: int
    rows: int
    sentence: str
    reachable: bool
    blame: list[Blame]
    problem: str | None


class FeasibilityAnswer(TypedDict):
    guards: list[Feasibility]
    milliseconds: float


class RunProgress(TypedDict):
    """How far a run is. `remaining` seconds are an estimate, null while there is none."""

    id: str
    state: State
    share: float
    doing: str
    seconds: float
    remaining: float | None
    found: int


class RunHead(RunProgress):
    """A run of one or several methods."""

    name: str
    note: str
    started: str
    methods: list[Spec]
    guards: list[Spec]
    measures: list[str]
    stale: bool
    failed: list[str]
    notes: list[str]
    error: str | None


class Pulse(TypedDict):
    """What a page polls: it fetches the session again when the version or the state of a run has changed."""

    version: int
    runs: list[RunProgress]


class RunView(TypedDict):
    """A run and its candidates from `since` on."""

    run: RunHead
    since: int
    candidates: CandidateColumns


class CandidateColumns(TypedDict):
    """Candidates column by column. `id` names one everywhere ("r1-2.15"); `run` and `method` are places in `runs` and
    `methods`. `levels` has a list per quasi column, null where the method has no levels. Measures by name.
    `false_values` has a word for each of `methods` ("averages", "noise"), empty where all that it publishes is true."""

    id: list[str]
    run: list[int]
    method: list[int]
    runs: list[str]
    methods: list[str]
    false_values: list[str]
    levels: dict[str, list[int | None]]
    heights: dict[str, int]
    measures: dict[str, list[float | None]]
    total: int


class LatticeView(TypedDict):
    """All generalizations of the quasi columns. Node number n has level `n // stride % (height + 1)` in each column.

    `flags` are bytes in base64, one a node: 1 k-anonymous, 2 keeps the guards about rules (such as alpha-protection),
    4 keeps all guards, 8 minimal. `nodes` are the node numbers of the run's candidates `ids`, in the same order.
    """

    run: str
    columns: list[str]
    heights: list[int]
    strides: list[int]
    size: int
    flags: str
    nodes: list[int]
    ids: list[str]
    labels: list[str]
    too_large: bool


class Front(TypedDict):
    """The candidates that no other beats in these measures, and the best compromise among them."""

    ids: list[str]
    knee: str | None


class ColumnAfter(TypedDict):
    level: int | None
    height: int | None
    loss: float | None
    distinct: int
    examples: list[Cell]
    published: bool


class ColumnPair(TypedDict):
    name: str
    roles: list[Role]
    one: ColumnAfter
    other: ColumnAfter


class MeasurePair(TypedDict):
    name: str
    better: Literal["lower", "higher"]
    meaning: str
    one: float | None
    other: float | None


class Compared(TypedDict):
    one: str
    other: str
    columns: list[ColumnPair]
    measures: list[MeasurePair]


class VerdictFacts(TypedDict):
    guard: Spec
    promise: str
    holds: bool
    sentence: str
    worst: float | None
    limit: float | None


class Inspected(TypedDict):
    """What can be said of a candidate at once. Long figures come from the `report` job."""

    candidate: str
    method: str
    settings: Spec
    holds: bool
    verdicts: list[VerdictFacts]
    rows: dict[str, int]
    columns: list[InspectedColumn]
    measures: dict[str, float | None]
    before: dict[str, float | None]
    class_sizes: list[ClassSizes]
    notes: list[str]
    private_notes: list[str]


class InspectedColumn(ColumnAfter):
    name: str
    roles: list[Role]


class ClassSizes(TypedDict):
    """Classes of `least` to `most` records: how many classes, and how many records are in them."""

    least: int
    most: int
    classes: int
    records: int


class ChangedRow(TypedDict):
    """`after` is null where the row is suppressed; a column that is not published has null in its place."""

    row: int
    before: list[Cell]
    after: list[Cell] | None
    class_size: int | None


class ChangedRows(TypedDict):
    offset: int
    total: int
    columns: list[str]
    published: list[bool]
    rows: list[ChangedRow]


class Distribution(TypedDict):
    """A column before and after, each with its own labels."""

    column: str
    published: bool
    before: Histogram
    after: Histogram


class Contingency(TypedDict):
    """Counts of two columns together, before and after: a row per label of the first."""

    columns: list[str]
    before: Counts
    after: Counts | None


class Counts(TypedDict):
    rows: list[str]
    columns: list[str]
    counts: list[list[int]]


class Risky(TypedDict):
    """Records of the candidate in its smallest classes, before (in the source) and after."""

    offset: int
    total: int
    columns: list[str]
    rows: list[RiskyRow]


class RiskyRow(TypedDict):
    row: int
    values: list[Cell]
    class_before: int
    class_after: int | None


class JobView(TypedDict, Generic[T]):
    """A background job. `answer` is null until the job is done."""

    id: str
    what: str
    state: State
    share: float
    doing: str
    seconds: float
    error: str | None
    answer: T | None


class RuleFacts(TypedDict):
    """A discriminatory rule: `a1` of `n1` records of the group are denied, `a2` of `n2` of the others. `value` is null
    where it is infinite."""

    group: dict[str, Any]
    context: dict[str, Any]
    measure: str
    value: float | None
    a1: int
    n1: int
    a2: int
    n2: int


class GuardRules(TypedDict):
    """The strongest rules that a guard finds."""

    kind: str
    rules: list[RuleFacts]


class GuardBefore(GuardRules):
    """A guard's verdict on the source."""

    holds: bool
    sentence: str


class AttackFacts(TypedDict):
    """The result of an attack; `baseline` is what `against` would reach without the release."""

    attack: str
    level: str
    verdict: str
    average: float | None
    baseline: float | None
    against: str


class EstimateFacts(TypedDict):
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class GroupOutcome(TypedDict):
    """The share of favourable decisions in one group."""

    group: str
    positive: float
    low: float
    high: float


class FairnessFacts(TypedDict):
    column: str
    groups: list[GroupOutcome]


class ModelFacts(TypedDict):
    """A model: the data that it was `trained` and `tested` on, and what it `lost` against one trained on the source."""

    classifier: str
    trained: str
    tested: str
    scores: dict[str, EstimateFacts]
    lost: dict[str, EstimateFacts]
    fairness: list[FairnessFacts]


class UtilityFacts(TypedDict):
    """`guess` is the accuracy of always predicting the most frequent decision."""

    models: list[ModelFacts]
    guess: float
    test_rows: int


class ReportSections(TypedDict):
    summary: dict[str, list[str]]
    rules: list[GuardRules]
    guards_before: list[GuardBefore]


class InternalReport(TypedDict):
    """The parts of the internal report that the page shows; its figures are those of report.html."""

    attacks: NotRequired[list[AttackFacts]]
    weaknesses: NotRequired[dict[str, str]]
    utility: NotRequired[UtilityFacts]
    report: ReportSections


class ReportAnswer(TypedDict):
    candidate: str
    report: InternalReport


class Solution(TypedDict):
    """`id` names it as a candidate, once it was picked."""

    id: str
    point: dict[str, float]
    k: int
    groups: dict[str, int]
    reached_from: list[int]


class WalkStep(TypedDict):
    """`chosen` is the solution (from 0) of the step before that it went on from."""

    number: int
    start: dict[str, float]
    aspirations: dict[str, float]
    points: int
    chosen: int | None
    solutions: list[Solution]


class Walk(TypedDict):
    """A walk along reference directions: the path in effect. Undo, redo and `back` move along it."""

    id: str
    name: str
    note: str
    method: Spec
    objectives: list[str]
    steps: list[WalkStep]
    stale: bool


class Walks(TypedDict):
    walks: list[Walk]


class DangerView(TypedDict):
    name: str
    sentence: str
    accepted: bool


class ReleaseAnswer(TypedDict):
    """The result of a release job. `id` serves its files; `path` is where the folder is, if one was asked for; it was
    written `at` that time. `refused` is the reason why nothing was written."""

    id: str | None
    candidate: str
    at: str
    path: str | None
    refused: str | None
    dangers: list[DangerView]
    verified: bool
    problems: list[str]
    verdicts: list[VerdictFacts]
    files: list[str]
    rows: dict[str, int]


class Releases(TypedDict):
    """What was published from a session, the last one first."""

    releases: list[ReleaseAnswer]


class PlanText(TypedDict):
    """The session as a plan.toml. `command` replays it."""

    text: str
    command: str


# requests


@dataclass(frozen=True)
class NewSession:
    """An empty session, or one that opens something at once (see `Open`)."""

    name: str = ""
    dataset: str | None = None
    path: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Open:
    """One of: bundled data by name, a file on this machine (data or plan.toml). Whatever was described before goes.
    `options` are ReadingOptions."""

    dataset: str | None = None
    path: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenPlan:
    """The text of a plan.toml. Its file is looked for on this machine, relative to `folder`."""

    text: str
    folder: str = ""


@dataclass(frozen=True)
class SetOptions:
    """How the file is read; it is read again."""

    options: Mapping[str, Any]


@dataclass(frozen=True)
class SetRoles:
    """The roles of columns; those that are not named keep theirs. An empty list takes the role away."""

    roles: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class SetDenied:
    denied: Sequence[Any]


@dataclass(frozen=True)
class SetColumn:
    """Facts of one column; what is null stays. `level` 0, `weight` 0 and "unsaid" take the setting away."""

    column: str
    weight: float | None = None
    level: int | None = None
    pseudonym: bool | None = None
    whole_numbers: Literal["code", "quantity", "unsaid"] | None = None


@dataclass(frozen=True)
class SetHierarchy:
    """A hierarchy as a plan spells it, or null to take it away."""

    spec: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class EditTree:
    """One edit of a tree. Nodes are "level:label".

    move    `nodes` go below `to`, a node one level above them
    rename  the only node of `nodes` is called `label`
    group   `nodes`, all of one level, go below a new node `label` on the level above, which stands where their
            parents stand
    add     the same, and the new node stands below `to`, two levels above `nodes`
    remove  `nodes` go; what is below them goes to `to`, a node of the same level. With `level`: this level goes
    level   a level is added above `level`, every node named as below
    """

    action: Literal["move", "rename", "add", "remove", "group", "level"]
    nodes: Sequence[str] = ()
    to: str | None = None
    label: str | None = None
    level: int | None = None


@dataclass(frozen=True)
class ImportHierarchy:
    """A file with a line per leaf: value, level 1, …, top."""

    text: str
    separator: str = ";"


@dataclass(frozen=True)
class SetGuards:
    guards: Sequence[Any]


@dataclass(frozen=True)
class SetSettings:
    """Whatever is not null is set."""

    name: str | None = None
    notes: str | None = None
    methods: Sequence[Any] | None = None
    measures: Sequence[str] | None = None
    choose: str | None = None
    seed: int | None = None
    order: Literal["sorted", "keep"] | None = None
    format: Literal["csv", "parquet"] | None = None
    accept: Sequence[str] | None = None
    report: Mapping[str, str] | None = None


@dataclass(frozen=True)
class ApplyRepair:
    id: str


@dataclass(frozen=True)
class GoTo:
    """How many steps of the history shall be in effect."""

    steps: int


@dataclass(frozen=True)
class StartRun:
    """The document's methods and measures are used unless others are named. At most `most` candidates a method."""

    name: str = ""
    methods: Sequence[Any] | None = None
    measures: Sequence[str] | None = None
    most: int | None = None


@dataclass(frozen=True)
class SetLabel:
    """Name and note of a run or walk; what is null stays."""

    name: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class MeasureMore:
    """Measures that take longer, for all candidates of these runs (all runs if none is named)."""

    measures: Sequence[str]
    runs: Sequence[str] = ()


@dataclass(frozen=True)
class AskFront:
    measures: Sequence[str]
    runs: Sequence[str] = ()


@dataclass(frozen=True)
class SetClipboard:
    """All clips, in order: objects with `candidate` and `note`."""

    clipboard: Sequence[Any]


@dataclass(frozen=True)
class Choose:
    candidate: str | None = None


@dataclass(frozen=True)
class AskReport:
    """The internal report of a candidate. `utility`: try models on it, which takes long."""

    candidate: str
    utility: bool = False


@dataclass(frozen=True)
class StartWalk:
    """`aspirations` by measure, such as {"necd": 0.1, "nwp": 0.2}; `start` is the worst point unless given. `method` is
    a preferences method; among the levels of the hierarchies unless given, which is exact and quick."""

    name: str = ""
    aspirations: Mapping[str, float] = field(default_factory=dict)
    start: Mapping[str, float] | None = None
    points: int = 10
    method: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TakeStep:
    """Go on from a solution of the last step (from 0), toward the same or other aspirations."""

    choose: int
    aspirations: Mapping[str, float] | None = None
    points: int | None = None


@dataclass(frozen=True)
class GoBack:
    """How many steps of the walk stay."""

    steps: int


@dataclass(frozen=True)
class MakeRelease:
    """Publish a candidate: into a folder of this machine at `path`, or, without one, to be downloaded as a zip.
    `accept` names dangers that are published knowingly."""

    candidate: str
    path: str | None = None
    accept: Sequence[str] = ()
    overwrite: bool = False
    sign: str | None = None
