"""The interface of every guard: whether it holds, how far off it is, and which records break it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.cells import Cells, Classes, several, spelt_alike
from fairveil.counting.tuples import group_of
from fairveil.data.numeric import significant
from fairveil.display import Displayable
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted, option, verb
from fairveil.settings import Part, setting
from fairveil.shapes import columns

if TYPE_CHECKING:
    from fairveil.counting.class_histogram import ClassHistogram
    from fairveil.counting.lattice import Lattice
    from fairveil.counting.value_sets import AskedValues
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections

NOTHING_KNOWN = "no sensitive value is known, so none can be given away"
NOTHING_PUBLISHED = "nothing is published, so nothing can break"

SLACK = 1e-9
"""The tolerance for rounding in a sum of shares."""

EARLIER = "\0earlier"
"""The hidden column of a source with the number of each row's combination of earlier classes."""


@dataclass(frozen=True, repr=False)
class Verdict(Displayable):
    """A guard's result for one table. `worst` is the worst value in it, `limit` the promised value; `unit` is what was
    counted."""

    guard: Guard
    holds: bool
    worst: float
    limit: float
    broken_classes: int
    broken_rows: int
    worst_class: int | None
    sentence: str
    unit: str = "records"

    def _headline(self) -> str:
        return f"{'✓' if self.holds else '✗'} {self.guard.kind}: {self.sentence}"

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        names = ("holds", "worst", "limit", "broken_classes", "broken_rows", "sentence")
        figures = {name: getattr(self, name) for name in names}
        worst = float(significant(self.worst)) if np.isfinite(self.worst) else None
        unit = {} if self.unit == "records" else {"unit": self.unit}
        return {**self.guard.to_dict(), **figures, "worst": worst, **unit}


@dataclass(frozen=True)
class Guard(Part):
    """A promise that a release must keep. Other code asks a guard for its traits, never for its type."""

    monotone: ClassVar[bool] = False  # if a node keeps it, so does every more general one (nothing suppressed)
    monotone_when_suppressing: ClassVar[bool] = False  # also when classes that break it are suppressed within a budget
    published: ClassVar[bool] = False  # it reads the published values of the quasi columns
    per_class: ClassVar[bool] = False  # each class keeps or breaks it independently: breaking ones can be suppressed
    per_record: ClassVar[bool] = False  # single records break it, and `reasons` explains why
    alone: ClassVar[bool] = False  # whether a class keeps it does not depend on what else is published
    owners: ClassVar[bool] = False  # only the owner can judge it: it is kept, and not among the guards of the release
    across: ClassVar[bool] = False  # a class keeps it together with others that agree with it in some quasi columns
    by_size: ClassVar[bool] = False  # only class sizes matter: each must be at least `least_rows`
    on_projections: ClassVar[bool] = False  # it has a verdict on a table that is published in projections
    on_overlapping: ClassVar[bool] = True  # also if they share columns besides the decision
    covers: ClassVar[frozenset[str]] = frozenset()  # the attacks that it protects against: "homogeneity", "skewness"
    unstated: ClassVar[Mapping[str, Any]] = {}  # settings that evidence of version 0.1 does not have, as it meant them
    finds_rules: ClassVar[bool] = False  # it looks for discriminatory rules, and can list them
    takes_knowledge: ClassVar[bool] = False  # its settings `knowledge` and `confidence` say what stands for a column
    leaves_open: ClassVar[str] = ""  # what attackers can still do, in the words of the report
    needs: ClassVar[tuple[str, ...]] = ("quasi",)  # the roles that it requires
    # its weakest settings, first the one that `worst` of a verdict is a value of; none if a table has no such value
    weakest: ClassVar[Mapping[str, Any]] = {}

    @property
    def least_rows(self) -> int:
        """The minimum number of rows of every class."""
        return 1

    @property
    def least_on_sets(self) -> int:
        """The minimum number of rows of every class by one of its key sets; 0 if it promises none."""
        return 0

    def budget(self, units: int) -> int:
        """The maximum number of rows that may be suppressed of so many, or of persons where these are counted."""
        return 0

    def check_rows(self, rows: int) -> list[str]:
        """The problems with this guard for a table of `rows` rows."""
        return []

    def note(self) -> str:
        """What a release says of a guard that only its owner can judge."""
        return ""

    def promise(self) -> str:
        """The promise in one sentence, for people who have never heard of this guard."""
        return ""

    def promise_by(self, unit: str) -> str:
        """The promise if `unit` is counted: "records" or "persons"."""
        return by_unit(self.promise(), unit)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        """The columns, besides the quasi ones, that the guard looks at."""
        return ()

    def counts_missing(self, schema: Schema) -> tuple[str, ...]:
        """The sensitive columns in which a missing value counts as a value for it."""
        return ()

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        """The columns, besides the quasi ones, that the promise is about."""
        return self.columns(schema)

    def promise_about(self, schema: Schema) -> str:
        """The promise in one sentence that names the columns it is about: all quasi ones, if no others."""
        promise = self.promise_by(self.unit(schema))
        return about(self.subjects(schema) or schema.quasi, promise) if promise else ""

    def unit(self, schema: Schema) -> str:
        """What it counts: "persons" if the schema says who a record is about, else "records"."""
        return "records" if schema.person is None else "persons"

    def check_schema(self, schema: Schema) -> list[str]:
        """The problems with this guard for this schema."""
        return []

    def simplest(self, schema: Schema) -> Guard:
        """The guard that promises the same of data with this schema, without settings that change nothing there."""
        return self

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        raise NotImplementedError

    def without_persons(self, classes: Classes, schema: Schema) -> Verdict:
        """The verdict on a release that does not say who a record is about, although persons were counted."""
        return self.verdict(classes, replace(schema, person=None))

    def verdict_parts(self, parts: Projections) -> Verdict:
        """The verdict on a table that is published in projections; raises BadInput for guards without one."""
        raise BadInput(f"{self.kind} is not defined for projections")

    def passing(self, classes: Classes, schema: Schema) -> np.ndarray:
        """Which classes keep it; all of them if the guard is not about single classes."""
        return np.ones(len(classes), dtype=bool)

    def asked_values(self, cells: Cells | Classes, schema: Schema) -> AskedValues | None:
        """What it asks of the values of every class in some columns, if that is all that it asks for."""
        return None

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        """Which cells hold records that break it; none if the guard is not about single classes or records."""
        return ~self.passing(classes, schema)[classes.ids]

    def reasons(self, classes: Classes, schema: Schema, cells: np.ndarray) -> list[dict[str, Any]]:
        """Why the records of each of these cells break it, each with a `sentence`: for the data owner only."""
        return []

    def details(self, classes: Classes, schema: Schema, max_reasons: int) -> list[dict[str, Any]]:
        """Why it does not hold, worst first, each reason with a `sentence`, for guards that can give reasons."""
        return []

    @property
    def rules_by(self) -> str:
        """The measure of a rule's strength, for guards that look for rules."""
        return ""

    def strongest_rules(self, classes: Classes, schema: Schema, max_rules: int) -> list[dict[str, Any]]:
        """The strongest rules of a table, however weak, for guards that look for rules."""
        return []

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        """Whether a node that breaks it rules out all nodes below it, for these cells."""
        return self.monotone_when_suppressing if suppressing else self.monotone

    def holds(self, classes: Classes, schema: Schema, stop: np.ndarray | None = None) -> bool:
        """Whether the guard holds; guards may compute this faster than the verdict.

        Returns early when `stop` (see Progress) is set; the result is then undefined.
        """
        return self.verdict(classes, schema).holds

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        """Which nodes of an up-set keep this guard with nothing suppressed; None if they must be checked one by one."""
        return None

    def excess(self, lattice: Lattice, schema: Schema, nodes: np.ndarray, denied: np.ndarray) -> np.ndarray:
        """How far each node is from keeping a guard that looks for rules: a number that one record changes by at most
        1, for choices that must be private. `denied` are the cells with a denied decision. 0 for all other guards."""
        return np.zeros(len(nodes))

    def remarks(self, lattice: Lattice, schema: Schema, nodes: np.ndarray, solutions: np.ndarray) -> tuple[str, ...]:
        """Remarks for the user on the `solutions` that remain of the k-anonymous `nodes`."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in super().to_dict().items() if value != []}


@dataclass(frozen=True)
class ClassGuard(Guard):
    """A guard that each equivalence class keeps or breaks independently, so classes that break it can be suppressed."""

    per_class: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    needs_persons: ClassVar[bool] = True  # counts of records say nothing about it if it is judged by persons
    bound: ClassVar[str]  # the name of the setting that limits the values

    @property
    def limit(self) -> float:
        return float(getattr(self, self.bound))

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        """The guarded value of each class; for several columns, the worst one."""
        raise NotImplementedError

    def worst_values(self, classes: Classes, schema: Schema) -> np.ndarray:
        """The guarded value of each class; if the release says which records are of one person, the worst one of the
        class and of the groups of people with records in the same classes as somebody in it."""
        values = self.values(classes, schema)
        if schema.person is None or not schema.links:
            return values
        linked, worst = classes.linked(schema.person), values.copy()
        of_people = self.values(linked, schema)[linked.ids]
        (np.minimum if self.higher_is_better else np.maximum).at(worst, classes.ids, of_people)
        return worst

    def passing(self, classes: Classes, schema: Schema) -> np.ndarray:
        if not schema.links:
            return self.within(self.values(classes, schema))
        broken = np.zeros(len(classes), dtype=bool)
        broken[classes.ids[self.breaking(classes, schema)]] = True
        return ~broken

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        if schema.person is None or not schema.links:
            return super().breaking(classes, schema)
        linked = classes.linked(schema.person)
        both = ((classes.ids, self.values(classes, schema)), (linked.ids, self.values(linked, schema)))
        kept = [self.within(values)[ids] for ids, values in both]
        breaking: np.ndarray = ~(kept[0] & kept[1])
        return breaking

    def within(self, values: np.ndarray) -> np.ndarray:
        """Whether each of these values is within the limit."""
        return values >= self.limit - SLACK if self.higher_is_better else values <= self.limit + SLACK

    def worst_of(self, values: np.ndarray) -> int:
        """The number of the class with the worst of these values, the first of equal ones."""
        return int(np.argmin(values) if self.higher_is_better else np.argmax(values))

    def describe(self, worst: float) -> str:
        raise NotImplementedError

    def nothing_published(self) -> Verdict:
        return Verdict(self, True, float("nan"), self.limit, 0, 0, None, NOTHING_PUBLISHED)

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        if not len(classes):
            return self.nothing_published()
        exact = self.worst_values(classes, schema)
        values, breaking = significant(exact), ~(self.passing(classes, schema) if schema.links else self.within(exact))
        worst_class = self.worst_of(values)
        worst = float(values[worst_class])
        return self.stated(classes, schema, worst, self.limit, worst_class, self.worst_words(worst, schema), breaking)

    def worst_words(self, worst: float, schema: Schema) -> str:
        """The worst value in words."""
        nothing = self.higher_is_better and worst == np.inf
        return NOTHING_KNOWN if nothing else by_unit(self.describe(worst), self.unit(schema))

    def stated(
        self, classes: Classes, schema: Schema, worst: float, limit: float, worst_class: int, described: str,
        breaking: np.ndarray,
    ) -> Verdict:  # fmt: skip
        """The verdict on classes of which some are `breaking` the guard."""
        records, broken = int(classes.rows[breaking].sum()), int(breaking.sum())
        sentence = about(self.subjects(schema), described)
        if records:
            where = counted(broken, "class", "classes")
            sentence += f"; {counted(records, 'record')} in {where} {verb(records, 'breaks', 'break')} it"
        return Verdict(self, not records, worst, limit, broken, records, worst_class, sentence, self.unit(schema))

    def without_persons(self, classes: Classes, schema: Schema) -> Verdict:
        """The verdict on a release that does not say who a record is about: what was counted by persons is stated, and
        what records alone disprove is said."""
        by_records = self.verdict(classes, replace(schema, person=None))
        if not len(classes):
            return by_records
        if self.needs_persons:
            stated = "by persons, whose column is not published"
            kept = about(self.subjects(schema), f"judged {stated}: {by_unit(self.describe(self.limit), 'persons')}")
            by_records = Verdict(self, True, self.limit, self.limit, 0, 0, None, kept)
        elif by_records.holds:
            by_persons = f"by persons, counted before their column was left out, at least {self.limit:g}"
            kept = f"{by_records.sentence}; {by_persons}"
            by_records = replace(by_records, worst=self.limit, worst_class=None, sentence=kept)
        return replace(by_records, unit="persons")


@dataclass(frozen=True)
class SensitiveGuard(ClassGuard):
    """A class guard over sensitive columns: all of the schema's, or those named.

    A missing or blank cell is not a sensitive value, and spellings that differ in case or outer blanks are one value: a
    class is judged by its known values, as an attacker does who knows that a person has one. A class without any known
    value gives none away, and keeps every such guard. So merging a class that breaks one with a class of missing values
    does not mend it: where values are missing, nothing is monotone when classes are suppressed. `missing="value"` takes
    cells as they are: a missing value is one more value, as in version 0.1.
    """

    needs: ClassVar[tuple[str, ...]] = ("quasi", "sensitive")
    unstated: ClassVar[Mapping[str, Any]] = {"missing": "value"}
    _: KW_ONLY
    sensitive: Sequence[str] = setting(
        (), "the sensitive columns to guard; all of the schema's by default", shape=columns
    )
    missing: Literal["ignore", "value"] = setting(
        "ignore", "whether a missing cell is no sensitive value, or one more value; `value` also tells spellings apart"
    )

    @property
    def subject(self) -> str:
        """The sensitive values, as sentences name them."""
        return "sensitive values" + (" (a missing one counts as a value)" if self.missing == "value" else "")

    def counts_missing(self, schema: Schema) -> tuple[str, ...]:
        return self.columns(schema) if self.missing == "value" else ()

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        known = (None if self.missing == "value" else spelt_alike(cells, name) for name in self.columns(schema))
        unknown = suppressing and any(same is not None and (same < 0).any() for same in known)
        return super().monotone_on(cells, schema, suppressing) and not unknown and not self._mixed(cells, schema)

    def _mixed(self, cells: Cells, schema: Schema) -> bool:
        """Whether persons are counted, and `mixes` is true of any column."""
        if schema.person is None:
            return False
        persons, of_quasi = cells.codes[schema.person], quasi_cells(cells, schema)
        return any(self.mixes(persons, of_quasi, cells.codes[column]) for column in self.columns(schema))

    def mixes(self, persons: np.ndarray, cells: np.ndarray, values: np.ndarray) -> bool:
        """Whether merging classes may break the guard by persons, given the person, the cell of the quasi columns and
        the value of each cell: where somebody is in two classes, shares of persons are not mixed as those of records.
        """
        return several(persons, cells)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        return tuple(self.sensitive) or tuple(schema.sensitive)

    def check_schema(self, schema: Schema) -> list[str]:
        if not self.columns(schema):
            return [f"{self.kind} needs a sensitive column: {option('sensitive', ...)} names it"]
        return [f"{self.kind}: {suggest(name, schema.sensitive, 'sensitive column')}"
                for name in self.sensitive if name not in schema.sensitive]  # fmt: skip

    def known_codes(self, classes: Cells | Classes, column: str) -> np.ndarray:
        """The codes of a column by which values are told apart; negative ones are no values."""
        same = spelt_alike(classes, column) if self.missing == "ignore" else None
        return classes.codes[column] if same is None else same[classes.codes[column]]

    def of_histogram(self, histogram: ClassHistogram, levels: Levels | None) -> np.ndarray:
        """The guarded value of each class for one column, which may have a hierarchy; anything if `rows` is 0."""
        raise NotImplementedError

    def of_column(self, classes: Classes, column: str, schema: Schema) -> np.ndarray:
        """The guarded value of each class for one column; the best possible one for a class without known values."""
        histogram = classes.histogram(column, self.missing == "ignore", schema.person)
        values = self.of_histogram(histogram, classes.levels.get(column))
        if histogram.rows is not classes.rows:
            values = np.where(histogram.rows > 0, values, np.inf if self.higher_is_better else 0.0)
        return values

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        per_column = [self.of_column(classes, column, schema) for column in self.columns(schema)]
        worst: np.ndarray = (np.minimum if self.higher_is_better else np.maximum).reduce(per_column)
        return worst


def quasi_cells(cells: Cells, schema: Schema) -> np.ndarray:
    """The number of the distinct quasi values of each cell."""
    return group_of([(cells.codes[name], cells.sizes[name]) for name in schema.quasi], len(cells))[0]


def by_unit(sentence: str, unit: str) -> str:
    """A sentence about records, or about persons if those are counted."""
    return sentence.replace("record", "person") if unit == "persons" else sentence


def about(names: Sequence[str], sentence: str) -> str:
    """The sentence of a verdict with the columns that it is about."""
    return f"{', '.join(names)}: {sentence}" if names else sentence


def guarded_columns(guards: Iterable[Guard], schema: Schema) -> list[str]:
    """The columns, besides the quasi ones, that these guards look at, and the one that says who a record is about."""
    person = [] if schema.person is None else [schema.person]
    return list(dict.fromkeys([*(name for guard in guards for name in guard.columns(schema)), *person]))


def published_columns(schema: Schema) -> list[str]:
    """The columns that a release publishes unchanged or generalized; not pseudonyms, which identify single people."""
    left_out = (*schema.drop, *schema.identifier, schema.person, schema.household)
    return [name for name in schema.columns if name not in left_out]


def need_columns(guard: Guard, classes: Classes, names: Iterable[str]) -> None:
    """Raise BadInput if columns are missing: a guard that skips a column promises too much."""
    for name in names:
        if name not in classes.codes:
            raise BadInput(f"{guard.kind} needs column {name!r}, which the data does not have")
