"""Every key that a plan may hold: its section, the values it takes and what it means. docs/plan.md is tested
against this list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from fairveil.errors import suggest
from fairveil.published.about import is_day
from fairveil.shapes import is_number, is_whole, shown


@dataclass(frozen=True)
class Key:
    """One key: `takes` says in words what `fits` accepts."""

    takes: str
    fits: Callable[[Any], bool]
    meaning: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_seed(value: Any) -> bool:
    return is_whole(value) and 0 <= value < 1 << 63


def _is_day(value: Any) -> bool:
    return is_day(value) if isinstance(value, str) else type(value) is date


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 1


def _is_names(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and all(map(_is_text, value)))


def _is_weights(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def _is_sections(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def text(meaning: str) -> Key:
    return Key("text", _is_text, meaning)


def names(meaning: str) -> Key:
    return Key("a name or a list of names", _is_names, meaning)


def choice(meaning: str, *options: str) -> Key:
    return Key(" or ".join(f'"{option}"' for option in options), lambda value: value in options, meaning)


def between(least: int, most: int, meaning: str) -> Key:
    return Key(
        f"a whole number of at least {least} and at most {most}",
        lambda value: is_whole(value) and least <= value <= most,
        meaning,
    )


def section(meaning: str) -> Key:
    return Key("a section", lambda value: isinstance(value, dict), meaning)


KEYS: Mapping[str, Mapping[str, Key]] = {
    "": {
        "format": Key("1", lambda value: is_whole(value) and value == 1, "version of the plan format"),
        "seed": Key("a whole number of at least 0", _is_seed, "start of every random choice"),
        "source": section("where the data is"),
        "schema": section("the role of each column"),
        "hierarchies": section("the generalization levels of each column"),
        "guards": Key("[[guards]] sections", _is_sections, "the promises that the release must keep"),
        "method": section("the search"),
        "methods": Key("[[methods]] sections", _is_sections, "several searches instead of one"),
        "choose": text("the measure by which the release is picked"),
        "truthful": Key(
            "true or false", lambda value: isinstance(value, bool), "leave out methods that publish false values"
        ),
        "measures": names("further measures to show for every candidate"),
        "accept": names("dangers that attacks find and that are published knowingly, by name"),
        "output": section("how the release is written"),
        "report": section("what the report begins with"),
        "candidate": Key(
            'the number of a candidate, such as 15 or "2.15"',
            lambda value: is_whole(value) or _is_text(value),
            "the candidate of `explore` that is published instead of the best",
        ),
        "walk": section("the steps along reference directions whose solution is published"),
        "utility": section("what the release is good for: models and statistics to try with it"),
    },
    "source": {
        "path": text("a file relative to the plan, or a pattern such as 2024-*.csv"),
        "url": text("a database instead of a file, without password"),
        "table": text("the table of the database"),
        "engine": text("where the work is done"),
        "memory": text("the most memory that the engine may use, such as 4GB"),
        "master": text("where Spark runs, such as local[4] or sc://host"),
        "dataset": text("bundled data instead of a file"),
        "missing": choice("what becomes of missing values", "category", "drop"),
        "missing_values": Key(
            "a list of text",
            lambda value: isinstance(value, list) and all(isinstance(entry, str) for entry in value),
            "texts that stand for a missing value, besides the empty cell",
        ),
        "columns": names("the columns to read; all unless given (bundled data: default or all)"),
        "text": names("columns that are text although they look like numbers"),
        "separator": Key(
            "one character", lambda value: isinstance(value, str) and len(value) == 1, "between the fields of a CSV"
        ),
        "encoding": text("the encoding of a CSV"),
        "decimal": choice("the sign before fractions in a CSV", ".", ","),
        "sheet": Key(
            "a name or a number from 1",
            lambda value: _is_text(value) or (is_whole(value) and value >= 1),
            "the sheet of a workbook",
        ),
    },
    "schema": {
        "quasi": names("can be linked to other data: generalized until the guards hold"),
        "sensitive": names("what nobody may learn about a person"),
        "protected": names("grounds on which nobody may be discriminated against"),
        "decision": text("the outcome that is learnt from the data"),
        "denied": Key(
            "a value or a list of values",
            lambda value: not any(isinstance(v, dict | list) for v in (value if isinstance(value, list) else [value])),
            "the unfavourable values of the decision",
        ),
        "identifier": names("names people by itself: dropped, or made a pseudonym"),
        "plain": names("published untouched and taken as unlinkable"),
        "drop": names("left out of the release"),
        "pseudonyms": names("identifiers that are replaced by keyed pseudonyms instead of dropped"),
        "levels": Key(
            "a level per column",
            lambda value: isinstance(value, dict) and all(map(is_whole, value.values())),
            "sensitive, protected or plain columns that are published at this level of their hierarchy",
        ),
        "weights": Key("a number per column", _is_weights, "what each quasi column counts in weighted losses"),
        "whole_numbers": Key(
            '"code" or "quantity" per column',
            lambda value: isinstance(value, dict) and set(value.values()) <= {"code", "quantity"},
            "whether whole numbers are codes, which have no mean",
        ),
    },
    "output": {
        "format": choice("file format of the published data", "csv", "parquet", "parts"),
        "order": choice("order of the published rows", "sorted", "keep"),
        "table": text("a table of the source's database that the rows are written into, instead of a file"),
    },
    "report": {
        "title": text("the title of the report"),
        "dataset": text("the name of the data set"),
        "publisher": text("who publishes the data"),
        "date": Key("a day such as 2026-11-16", _is_day, "the day of the release, as you say it"),
    },
    "walk": {
        "pick": Key("a whole number of at least 1", _is_count, "the solution of the last step that is published"),
        "points": Key("a whole number of at least 1", _is_count, "preference points of the first step"),
        "start": Key("a number per measure", _is_weights, "where the first step starts; the worst point unless given"),
        "steps": Key(
            "[[walk.steps]] sections",
            _is_sections,
            "further steps: `choose` a solution of the step before, and optionally other `aspirations` and `points`",
        ),
    },
    "utility": {
        "test": Key(
            "a share of the rows between 0 and 1, or a file",
            lambda value: _is_text(value) or (isinstance(value, float) and 0 < value < 1),
            "people to test models on: a share of the source, or a file of others",
        ),
        "classifiers": names("the classifiers to train"),
        "queries": between(1, 1_000_000, "random counting queries to compare"),
        "resamples": between(2, 100_000, "resamples of the test rows that intervals are taken from"),
        "seed": Key("a whole number of at least 0", _is_seed, "start of the random choices of this section"),
    },
}
"""Section -> key -> what it takes; hierarchies, guards and methods have the keys of their kind."""


def problems_of(content: Mapping[str, Any], place: str) -> list[str]:
    """What is wrong with the keys of one section and the shape of their values."""
    keys = KEYS[place]
    label = f"key in [{place}] of the plan:" if place else "key in the plan:"
    problems = [suggest(key, keys, label) for key in content if key not in keys]
    return problems + [
        f"{f'{place}.{key}' if place else key} must be {keys[key].takes}, not {shown(value)}"
        for key, value in content.items()
        if key in keys and not keys[key].fits(value)
    ]
