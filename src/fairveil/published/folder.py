"""Reading a release folder.

data.csv, data.parquet or a folder data of Parquet files (projection-1, projection-2, … where the columns are split),
recipe.json, evidence.json. Nothing is verified here (see `release/verify.py`). `data_files.py` reads the data.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from json.encoder import encode_basestring
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fairveil import guards as known_guards
from fairveil import recipes
from fairveil.engines import PublishedTable, opened
from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.published.data_files import load_content, open_plain
from fairveil.published.published import Published
from fairveil.recipes.outcome import ONLY, PersonCounts
from fairveil.settings import current_names, settings_of
from fairveil.shapes import MAX_BYTES, each, either, from_json, integer, many, record, text

if TYPE_CHECKING:
    from fairveil.guards import Guard
    from fairveil.progress import Progress
    from fairveil.recipes.recipe import Recipe

EVIDENCE, RECIPE, REPORT = "evidence.json", "recipe.json", "report.html"
EARLIER = ("0.1.0",)
"""Versions whose releases are verified although their sentences differ. They published `risk_before`."""
WHOLE = integer(0, (1 << 63) - 1)
PERSONS = tuple(field.name for field in fields(PersonCounts))
NEEDED = record(
    {},
    {
        "types": each(either(text, each(text))), "guards": many(record({"kind": text}, more=True)),
        "rows": each(WHOLE), "persons": record(dict.fromkeys(PERSONS, WHOLE)), "seed": WHOLE, "files": each(text),
    },
    more=True,
)  # fmt: skip
"""The entries of the evidence that are needed to read the data."""
IN_FILES = "the published rows are in files, not in a database table"
_ANSWERS = ("holds", "worst", "limit", "broken_classes", "broken_rows", "sentence", "unit")


@dataclass(frozen=True)
class OpenedRelease:
    """A folder whose evidence and recipe were read, and its data not yet."""

    path: Path
    evidence: Mapping[str, Any]
    recipe: Recipe


@dataclass(frozen=True)
class LoadedRelease:
    """The evidence of a folder, not verified, and what the folder publishes."""

    path: Path
    evidence: Mapping[str, Any]
    published: Published


def load(
    given: OpenedRelease | str | os.PathLike[str],
    progress: Progress | None = None,
    *,
    database: Any = None,
    table: str | None = None,
) -> LoadedRelease:
    """Read a release folder, its columns in the types that the evidence names.

    If the rows are in a table, `database` is the URL of its database, or a connection of Ibis or DuckDB to it; `table`
    is its name, if it differs from the one in the evidence.
    """
    if isinstance(given, OpenedRelease):
        folder, evidence, recipe = given.path, given.evidence, given.recipe
    else:
        folder = Path(given)
        evidence, recipe = load_evidence(folder), recipes.from_dict(load_json(folder / RECIPE))
    counted: dict[str, PublishedTable] = {}
    if table_of(evidence) is not None:
        from fairveil.published.located import counted_table

        opened_database = None if database is None else opened(database)
        counted = {ONLY: counted_table(evidence, recipe, opened_database, table, progress)[0]}
    elif database is not None:
        raise BadInput(IN_FILES)
    return loaded(folder, evidence, recipe, progress, counted)


def loaded(
    folder: Path,
    evidence: Mapping[str, Any],
    recipe: Recipe,
    progress: Progress | None = None,
    counted: Mapping[str, PublishedTable] | None = None,
) -> LoadedRelease:
    """Read the data of a folder whose evidence and recipe are known; tables in `counted` are used, not read again."""
    types: Mapping[str, Any] = evidence.get("types", {})
    rows: Mapping[str, Any] = evidence.get("rows", {})
    guards = tuple(guard_of(claim) for claim in with_current_names(evidence).get("guards", []))
    persons = PersonCounts(**evidence["persons"]) if "persons" in evidence else None
    content: dict[str, PublishedTable] = {}
    for name in recipe.table_names:
        if progress is not None:
            progress.check(f"reading {name}")
        own_types = types if name == ONLY else types.get(name, {})
        table = (counted or {}).get(name)
        content[name] = table or load_content(folder, name, own_types, recipe, rows.get("published"), progress)
    published = Published(
        recipe,
        content,
        guards,
        rows.get("suppressed", 0),
        evidence.get("seed", 0),
        "keep" if evidence.get("order") == "keep" else "sorted",
        missing_counts=by_earlier(evidence),
        persons=persons,
        smallest=None if persons is None or recipe.schema.links else _smallest(evidence),
    )
    return LoadedRelease(folder, evidence, published)


def _smallest(evidence: Mapping[str, Any]) -> int | None:
    """The persons of the smallest class: the evidence states k, as an integer, where the files do not give it."""
    figures = evidence.get("measures")
    k = figures.get("k") if isinstance(figures, Mapping) else None
    return int(k) if isinstance(k, int | float) and isfinite(k) and k >= 1 else None


class HasPublished(Protocol):
    """A release in memory."""

    @property
    def published(self) -> Published: ...


Publishing = HasPublished | Published | OpenedRelease | str | os.PathLike[str]
"""A release, its folder, or what it publishes."""


def published_of(
    given: Publishing, progress: Progress | None = None, *, database: Any = None, table: str | None = None
) -> Published:
    """What a release publishes, from memory or from its folder, or from the table of a database (see `load`)."""
    if isinstance(given, OpenedRelease | str | os.PathLike):
        return load(given, progress, database=database, table=table).published
    if database is not None:
        raise BadInput(f"{option('published')} is for the folder of a release whose rows are in a database table")
    published = given if isinstance(given, Published) else getattr(given, "published", None)
    if not isinstance(published, Published):
        raise BadInput(f"a release is an fv.Release or the folder that it was saved to, not a {type(given).__name__}")
    return published


def is_release(path: Path) -> bool:
    return (path / EVIDENCE).is_file() and (path / RECIPE).is_file()


def load_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; raises BadInput if it is too large or not an object."""
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise BadInput(f"{path.name} is larger than {MAX_BYTES >> 20} MB, the maximum in a release")
        content = from_json(file.read(), path.name)
    if not isinstance(content, dict):
        raise BadInput(f"{path.name} does not contain a JSON object")
    return content


def json_text(content: Mapping[str, Any]) -> str:
    """The text of a JSON file of a release: that of `json.dumps(…, indent=2, ensure_ascii=False, default=str)`, whose
    encoder hands each piece through as many generators as the content is deep."""
    pieces: list[str] = []
    _append_json(content, "\n", pieces.append)
    return "".join(pieces) + "\n"


def _append_json(value: Any, line: str, add: Callable[[str], None]) -> None:
    """Add the text of a value; `line` is a line break with the indentation of what is around it."""
    if isinstance(value, str):
        add(encode_basestring(value))
    elif isinstance(value, dict) and value:
        inner = line + "  "
        before = "{" + inner
        for key, entry in value.items():
            add(before + (encode_basestring(key) if type(key) is str else json.dumps({key: 0})[1:-4]) + ": ")
            _append_json(entry, inner, add)
            before = "," + inner
        add(line + "}")
    elif isinstance(value, list | tuple) and value:
        inner = line + "  "
        before = "[" + inner
        for entry in value:
            add(before)
            _append_json(entry, inner, add)
            before = "," + inner
        add(line + "]")
    elif type(value) is int or (type(value) is float and isfinite(value)):
        add(repr(value))
    else:
        add(json.dumps(value, ensure_ascii=False, default=str))


def load_evidence(folder: Path) -> dict[str, Any]:
    """Read the evidence; raises BadInput if needed entries have the wrong form."""
    evidence: dict[str, Any] = NEEDED(load_json(folder / EVIDENCE), "evidence")
    return evidence


def by_earlier(evidence: Mapping[str, Any]) -> bool:
    """Whether a version wrote a release whose sentences and readings were others."""
    return evidence.get("fairveil") in EARLIER


def table_of(evidence: Mapping[str, Any]) -> str | None:
    """The name of the database table that holds the rows of a release; None if they are in files."""
    table = evidence.get("table")
    name = table.get("name") if isinstance(table, Mapping) else None
    return name if isinstance(name, str) else None


def in_database(given: Publishing | None) -> bool:
    """Whether this is the folder of a release whose rows are in a database table."""
    if isinstance(given, OpenedRelease):
        return table_of(given.evidence) is not None
    return isinstance(given, str | os.PathLike) and table_of(load_evidence(Path(given))) is not None


def open_release(folder: Path) -> OpenedRelease:
    """Read the evidence and the recipe of a folder; raises BadInput if the recipe was changed after it was sealed."""
    evidence, content = load_evidence(folder), load_json(folder / RECIPE)
    if sha256(folder / RECIPE) != evidence.get("files", {}).get(RECIPE):
        raise BadInput(f"{folder / RECIPE} was changed: its SHA-256 is not the one in the evidence")
    return OpenedRelease(folder, evidence, recipes.from_dict(content))


def load_recipe(folder: Path) -> Recipe:
    """The recipe of a release; raises BadInput if it was changed after it was sealed."""
    return open_release(folder).recipe


def guard_of(claim: Mapping[str, Any]) -> Guard:
    """The guard of a claim in the evidence, without its results; some guards have a setting called `limit`."""
    settings = [field.name for field in fields(known_guards.GUARDS.get(claim.get("kind")))]
    return known_guards.from_dict({key: v for key, v in claim.items() if key not in _ANSWERS or key in settings})


def with_current_names(evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    """The evidence with the settings of guards under their own names, and with those that an earlier version did not
    have, as it meant them."""

    def renamed(claim: Mapping[str, Any]) -> dict[str, Any]:
        guard: Any = known_guards.GUARDS.get(claim["kind"])
        if by_earlier(evidence) and guard.unstated:
            stated = {**guard.unstated, **claim}
            names = ["kind", *(field.name for field in fields(guard)), *_ANSWERS]
            claim = {name: stated[name] for name in dict.fromkeys((*names, *stated)) if name in stated}
        return current_names(settings_of(guard), claim, claim["kind"])

    return {**evidence, "guards": list(map(renamed, evidence["guards"]))} if "guards" in evidence else evidence


def sha256(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def seal(evidence: Mapping[str, Any]) -> str:
    """The SHA-256 of the evidence without its seal, so that a changed promise is detected."""
    stated = {key: value for key, value in evidence.items() if key != "seal"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
