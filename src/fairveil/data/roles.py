"""Roles: the columns of each role, and what is known of the population, declared apart from the schema, so that the
command line loads nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairveil.settings import setting
from fairveil.shapes import cell, either, many, optional


@dataclass(frozen=True, repr=False)
class Roles:
    """Columns by role; `denied` are values of the decision, `pseudonyms` some of the identifiers, or the person."""

    quasi: Sequence[str] = setting(
        (), "quasi-identifiers, which can be linked to other data: generalized until the guards hold", metavar="COLUMNS"
    )
    sensitive: Sequence[str] = setting((), "what nobody may learn about a person", metavar="COLUMNS")
    protected: Sequence[str] = setting(
        (),
        "grounds on which nobody may be discriminated against; usually quasi or sensitive as well",
        metavar="COLUMNS",
    )
    decision: str | None = setting(None, "the outcome that is learnt from the data", metavar="COLUMN")
    denied: Any = setting(
        None, "the unfavourable values of the decision", shape=optional(either(cell, many(cell))), metavar="VALUE"
    )
    identifier: Sequence[str] = setting(
        (), "columns that identify people by themselves: dropped, or replaced by a pseudonym", metavar="COLUMNS"
    )
    plain: Sequence[str] = setting((), "published unchanged and assumed not to be linkable")
    drop: Sequence[str] = setting((), "left out of the release")
    pseudonyms: Sequence[str] = setting(
        (), "identifiers, or the person, that are replaced by keyed pseudonyms instead of dropped"
    )
    person: str | None = setting(
        None,
        "who a record is about, where people have several records: guards then count persons, not records; left "
        "out, unless it is published as it is or as a pseudonym",
        metavar="COLUMN",
    )
    household: str | None = setting(None, "the household that a person belongs to: dropped", metavar="COLUMN")
    weight: str | None = setting(
        None, "the sampling weight: how many people of the population a record stands for", metavar="COLUMN"
    )


@dataclass(frozen=True, repr=False)
class PopulationFacts:
    """What may be known of the people that the data is a sample of; one of these is enough."""

    size: int | None = setting(
        None, "number of people in the population that the data is a sample of", min=1, metavar="N"
    )
    fraction: float | None = setting(
        None, "share of the population that the data holds", above=0, max=1, metavar="SHARE"
    )
    register: Any = setting(
        None, "a file with the quasi columns of everybody in the population; nothing of it is published",
        compare=False, metavar="FILE",
    )  # fmt: skip
