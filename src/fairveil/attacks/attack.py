"""What an attack is, and what it finds: how often it succeeds, against which baseline, and what that means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.display import Displayable, DisplayTable
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene

Level = Literal["ok", "warn", "danger"]
LEVELS: tuple[Level, ...] = ("ok", "warn", "danger")
Run = Callable[["Scene"], Iterable["Finding"]]


@dataclass(frozen=True, repr=False)
class Finding(Displayable):
    """One attack's result. `best` is its success against the person it does best on, `average` over all of them.

    `baseline` is the success of the same guess in the situation that `against` names. The verdict is about `affected`
    of the `records`. Nothing in a finding names a person or a row.
    """

    attack: str
    level: Level
    verdict: str
    best: float
    average: float
    baseline: float
    against: str
    affected: int
    records: int
    column: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def _headline(self) -> str:
        return f"{self.level}, {self.attack}{f' of {self.column}' if self.column else ''}: {self.verdict}"

    def __bool__(self) -> bool:
        """True when nothing is wrong."""
        return self.level == "ok"

    def to_dict(self) -> dict[str, Any]:
        fields = {"attack": self.attack, "column": self.column, **vars(self)}
        return {name: _plain(value) for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Attack:
    """One way to attack a release."""

    name: str
    # "table" (one table is published) or "projections", "rows" (not only counts of them), "sensitive", "plain",
    # "hierarchies", "original", "recoded" (the recipe says how people of the original were published), "other" (a
    # second release), "control" (people who are not in the data)
    needs: frozenset[str]
    meaning: str
    run: Run
    cheap: bool = False  # it reads only what is published and takes about as long as checking a guard
    headline: bool = False  # its warnings, not only its dangers, are shown first
    persons: bool = True  # it assumes that every published row belongs to a person, unlike rows of a noisy table
    by_person: bool = False  # it counts persons where it is known who a record is about
    title: str = ""  # its name for readers, the name in words unless given
    # why it cannot be tried on a scene that has all it needs; empty when it can
    unfit: Callable[[Scene], str] = field(default=lambda scene: "", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name.replace("-", " "))


def attempt(*needs: str, name: str = "", **traits: Any) -> Callable[[Run], Attack]:
    """Make an attack of a function; its docstring is the meaning, its own name that of the attack unless given."""

    def make(run: Run) -> Attack:
        meaning = " ".join((run.__doc__ or "").split()).removesuffix(".")
        own = run.__name__.replace("_", "-")
        return Attack(name or own, frozenset(needs), meaning[:1].lower() + meaning[1:], run, **traits)

    return make


class Findings(Displayable, list[Finding]):
    """What all attacks found; `skipped` says which were not run, and why."""

    def __init__(self, findings: Iterable[Finding] = (), skipped: Mapping[str, str] | None = None) -> None:
        super().__init__(findings)
        self.skipped = dict(skipped or {})

    @property
    def level(self) -> Level:
        """The worst level of all."""
        return max((finding.level for finding in self), key=LEVELS.index, default="ok")

    def of(self, attack: str, column: str | None = None) -> Finding:
        """The first finding of one attack, or of one attack on one column."""
        for finding in self:
            if finding.attack == attack and column in (None, finding.column):
                return finding
        raise KeyError(self.skipped.get(attack, f"no finding of {attack!r}"))

    def _headline(self) -> str:
        return f"Findings: {counted(len(self), 'finding')}, the worst is {self.level}; not run: {len(self.skipped)}"

    def _tables(self) -> list[DisplayTable]:
        return [DisplayTable(COLUMNS, self.rows())]

    def rows(self) -> list[tuple[str, str, str, float, float, float, str]]:
        """Plain rows for a terminal or a page, in the order of `COLUMNS`; attacks not run come last."""
        ran = [(f.level, f.attack, f.column or "", f.best, f.average, f.baseline, f.verdict) for f in self]
        nan = float("nan")
        return ran + [("not run", name, "", nan, nan, nan, why) for name, why in self.skipped.items()]

    def to_dict(self) -> dict[str, Any]:
        return {"level": self.level, "attacks": [finding.to_dict() for finding in self], "not_run": self.skipped}


COLUMNS = ("level", "attack", "column", "best", "average", "baseline", "verdict")
"""The names of the fields of `Findings.rows()`."""


def percent(share: float) -> str:
    """A share in percent, never rounded down to nothing nor up to everything."""
    if not np.isfinite(share):
        return "–"
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def _plain(value: Any) -> Any:
    """Numbers as JSON stores them: twelve digits, nothing infinite."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(inner) for inner in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, float | np.floating):
        return float(f"{value:.12g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
