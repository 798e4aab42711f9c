"""Join: a further table whose columns are added to rows with the same key, as the user states it.

>>> Join.of("towns.csv:on=town,key=name,prefix=town_")
Join(path='towns.csv', table=None, on=('town',), key=('name',), columns=(), prefix='town_', unmatched='keep', \
repeat=False, sheet=None)

Keys are compared by value, so every engine finds the same partners; a missing key has none. `engines/joining.py` joins.
The command line derives its options from this declaration whenever it starts, so this module loads nothing heavy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from fairveil.errors import BadInput
from fairveil.messages import counted, literal, option
from fairveil.settings import Setting, changed, check, read, required, setting, settings_of
from fairveil.shapes import Shape, either, integer, many, name, named, optional, wrong

_SETTINGS = re.compile(r":(?=\s*\w+\s*=)")


@dataclass(frozen=True)
class Join:
    """A section [[source.join]]: a file (`path`), or another table of the source's database (`table`).

    A row without a partner keeps its values, and the added columns are missing. Several partners of one row are refused
    unless `repeat` allows them: a person may then have several records.
    """

    path: str | None = setting(None, "a file, relative to the plan; it is read like the source", shape=optional(name))
    table: str | None = setting(None, "another table of the source's database", shape=optional(name))
    on: Sequence[str] = field(
        default=(), metadata=required("the columns of the source that are the key: a row and its partner agree in them")
    )
    key: Sequence[str] = setting((), "the same columns of the joined table, in the same order, if their names differ")
    columns: Sequence[str] = setting((), "the columns to add; by default all but the key")
    prefix: str = setting("", "text before the names of the added columns, where the source has the same names")
    unmatched: Literal["keep", "drop"] = setting(
        "keep", "what happens to rows without a partner: their new columns are missing, or the rows are left out"
    )
    repeat: bool = setting(
        False, "a row may have several partners, and is repeated for each: a column must say whose records they are"
    )
    sheet: str | int | None = setting(
        None, "sheet of a workbook, by name or by number from 1; the first by default",
        shape=optional(either(name, integer(1))),
    )  # fmt: skip

    def __post_init__(self) -> None:
        for many_names in ("on", "key", "columns"):
            given = getattr(self, many_names)
            object.__setattr__(self, many_names, (given,) if isinstance(given, str) else tuple(given))
        check(self, "join")
        if (self.path is None) == (self.table is None):
            raise BadInput("join needs one of these: path (a file), table (of the source's database)")
        if not self.on:
            raise BadInput(f"joining {self} needs its key: {option('on')} names the columns that both tables have")
        if self.key and len(self.key) != len(self.on):
            raise BadInput(
                f"joining {self}: {option('on')} has {counted(len(self.on), 'column')} and {option('key')} "
                f"{len(self.key)}: name them in the same order"
            )

    def __str__(self) -> str:
        return Path(self.path).name if self.path else str(self.table)

    @property
    def keys(self) -> dict[str, str]:
        """The key: column of the source -> column of the joined table."""
        return dict(zip(self.on, self.key or self.on, strict=True))

    @classmethod
    def of(cls, given: Any) -> Join:
        """The join that is `given`: as a section, or as a text such as `towns.csv:on=town,key=name`."""
        if isinstance(given, Join):
            return given
        if isinstance(given, str):
            place, *rest = _SETTINGS.split(given, maxsplit=1)
            given = {"path": place.strip(), **_spelled(given, rest[0] if rest else "")}
            if "table" in given and not place.strip():
                del given["path"]
        return cls(**read(cls, given, "join"))

    def added(self, names: Sequence[str]) -> dict[str, str]:
        """The columns that are added, of a table with these names: column of that table -> its new name."""
        chosen = self.columns or [name for name in names if name not in self.keys.values()]
        return {name: f"{self.prefix}{name}" for name in chosen}

    def moved(self, seen_from_there: Callable[[str], str]) -> Join:
        """The same, for a plan at another place, from where `seen_from_there(path)` is the same file."""
        return self if self.path is None else replace(self, path=seen_from_there(self.path))

    def to_dict(self) -> dict[str, Any]:
        """The keys of the section."""
        return changed(self)


def _spelled(text: str, settings: str) -> dict[str, Any]:
    """The settings of a text, `on=town,year,prefix=t_`: text without a setting's name continues the list before it."""
    known, given, latest = {one.name: one for one in settings_of(Join)}, dict[str, Any](), ""
    for piece in filter(None, settings.split(",")):
        key, equals, value = piece.partition("=")
        if not equals and latest:
            given[latest] = [*_listed(given[latest]), piece.strip()]
            continue
        if not equals:
            raise BadInput(f"{option('join')} must be FILE:on=COLUMN, not {literal(text)}")
        latest = key.strip()
        given[latest] = _typed(known.get(latest), value.strip())
    return given


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _typed(setting: Setting | None, text: str) -> Any:
    if setting is None or setting.type != "boolean":
        return text
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)


def _joins(value: Any, where: str) -> tuple[Join, ...]:
    if isinstance(value, str | Join | Mapping):
        value = [value]
    if not isinstance(value, list | tuple):
        raise wrong(where, "[[source.join]] sections", value)
    return tuple(many(lambda given, _: Join.of(given))(list(value), where))


JOINS: Shape = named(_joins, "[[source.join]] sections")
