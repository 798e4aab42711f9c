"""catalog: everything that can be asked for, read off the registries, with what a form needs to know of each setting.

Types and defaults are those of the classes. What they do not tell is here: the range of a number that makes sense on a
slider, a line of explanation, and a sentence on the part itself. A part from outside has its types, its defaults and
its own sentence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fairveil.guards.closeness import DISTANCES
from fairveil.guards.rules.lift import MEASURES

Kind = Literal["whole", "number", "flag", "text", "names", "numbers", "choice", "other"]


@dataclass(frozen=True)
class Setting:
    """One setting of a part; `least` and `most` are inclusive, and None where there is no end."""

    name: str
    type: Kind
    required: bool
    default: Any
    least: float | None = None
    most: float | None = None
    options: tuple[str, ...] | None = None
    says: str = ""


Ends = tuple[float | None, float | None]
RANGES: Mapping[str, Ends] = {
    "k-anonymity.k": (2, None), "k-anonymity.suppression": (0, 1), "distinct-diversity.l": (2, None),
    "known-decision.k": (2, None),
    "entropy-diversity.l": (1, None), "recursive-diversity.c": (1e-9, None), "recursive-diversity.l": (2, None),
    "t-closeness.t": (0, 1), "alpha-protection.min_support": (1e-9, None), "no-redlining.min_support": (1e-9, None),
    "alpha-protection.granularity": (1, None), "no-redlining.granularity": (1, None),
    "no-redlining.confidence": (0, 1), "situation-testing.k": (1, None), "situation-testing.threshold": (0, 1),
    "situation-testing.limit": (0, 1), "mask.length": (1, 10_000),
}  # fmt: skip
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "t-closeness.distance": DISTANCES,
    "alpha-protection.measure": MEASURES,
    "no-redlining.measure": MEASURES,
    "dmpd.objective": ("accuracy", "pareto"),
    "mask.side": ("right", "left"),
}
SAYS: Mapping[str, str] = {
    "k": "how many records must look alike at least",
    "suppression": "share of the rows that may be left out to get there",
    "l": "how many different sensitive values there must be in effect",
    "c": "the most frequent value is less than this many times as frequent as the rest",
    "t": "how far a group's sensitive values may be from those of everybody",
    "distance": "how two values are compared",
    "sensitive": "the sensitive columns it is about; all of them if none is named",
    "alpha": "how many times as often a protected group may be denied at most; above 1",
    "measure": "how a group is compared with others",
    "min_support": "rules that fewer records support are not looked at: a share of the rows, or from 1 on a count",
    "granularity": "longest rules that are looked at",
    "preferences.granularity": "width of the bands of a column of numbers, by column",
    "contexts": "columns that may stand in the context of a rule; all published ones if none is named",
    "knowledge": "what an attacker knows, such as 'zip -> race'",
    "confidence": "how sure such knowledge must be",
    "legal": "columns by which people may lawfully be treated differently",
    "situation-testing.numbers": "such columns whose values are compared as numbers",
    "situation-testing.ordered": "such columns whose values are compared by their order",
    "threshold": "difference in denials between a person and those alike that calls for an explanation",
    "limit": "share of the records that may be denied without a lawful explanation",
    "largest": "nodes of a lattice up to which everything is looked at",
    "time_limit": "seconds after which the best so far is taken",
    "keep": "how many candidates are kept",
    "aspirations": "what is wished for each measure",
    "groups": "which groups of values may be formed",
    "ideal": "the best conceivable value of each measure",
    "evaluations": "how many groupings are tried",
    "population": "how many solutions a generation has",
    "generations": "how many generations the search takes at most",
    "crossover": "chance that two solutions are mixed",
    "mutation": "chance that a part of a solution changes",
    "polish": "share of the work that may go to improving the best solutions step by step",
    "exceptions": "share of the pairs of records that may contradict a rule",
    "coverage": "share of the pairs of records that rules are read off",
    "join": "also join rules that fit together",
    "most": "how many rules are kept at most",
    "relaxed": "records of one value may go to both sides of a cut",
    "numeric": "cut columns of numbers anywhere, not only along their hierarchies",
    "publish": "what is published for a group: its mean, or its range",
    "integers": "round means of whole numbers",
    "blocks": "work on this many blocks of records, one after the other",
    "size": "records in a group; the smallest that keeps the guards if not given",
    "tau": "how far labels are corrected: 0 not at all, 1 fully",
    "correction": "which labels may be corrected",
    "microaggregate": "also make the records of a group alike",
    "protected": "the protected column; the schema's if not given",
    "favoured": "the favoured group; read from the data if not given",
    "favourable": "the favourable label; read from the schema if not given",
    "composition": "how many unfavoured and favoured records a fairlet has",
    "leftovers": "what becomes of records that fill no fairlet",
    "protected_values": "what becomes of the protected column itself",
    "standardize": "compare numbers in standard deviations",
    "target": "the disparity that is aimed at where tau is found automatically",
    "epsilon": "privacy budget: smaller is more private and noisier",
    "choice": "share of the budget that is spent on choosing the generalization",
    "fairness": "how much a discriminatory rule counts against a generalization in the private choice",
    "cells": "cells of the noisy table at most",
    "rows": "rows that are published; about as many as came in if not given",
    "public": "what columns can hold: their values; or names of columns whose set of values is no secret",
    "missing": "columns in which a missing value counts as a value",
    "inducer": "the classifier that a split is judged by",
    "objective": "the most accurate split, or accuracy against anonymity",
    "folds": "parts that the data is cut into for testing",
    "patience": "generations without a gain after which the search ends",
    "cuts": "where columns of numbers are cut, by column",
    "least": "what every projection must reach",
    "set_check": "when sets of projections are checked together",
    "recode": "also generalize values, not only split columns",
    "overlap": "a column may stand in several projections",
    "levels": "edges of each level, the finest first",
    "edges": "where intervals begin and end",
    "widths": "widths of the levels, counted from the first edge",
    "open_ended": "values below the first and above the last edge have an interval, too (top and bottom coding)",
    "whole": "whether values are whole numbers",
    "length": "signs that every value has",
    "steps": "how much is hidden, level by level",
    "side": "from which end signs are hidden",
    "sign": "what stands for a hidden sign",
    "order": "all values in their order",
    "sizes": "how many neighbours are one value, level by level",
    "tree": "groups within groups, down to the values",
    "tree.rows": "a row per value: the value, level 1, …, top",
    "unlisted": "written by saved plans: how many levels values have that no row lists, all of them the top",
    "from_data": "written by saved plans: whether the edges were read off the data",
    "lengths": "how many characters are left, level by level, falling",
    "other": "what stands for all values that are not frequent",
    "frequent.levels": "the values that stay as they are, level by level",
    "dates.steps": "the levels, among day, month, quarter, year and decade",
    "csv.path": "a file with a line per value: value, level 1, …, top; relative to the plan",
    "csv.separator": "between the fields of that file",
}


SENTENCES: Mapping[str, str] = {
    "k-anonymity": "Nobody can be told apart from at least k − 1 others by what people may know about them.",
    "distinct-diversity": "Among people who look alike there are at least ℓ different sensitive values.",
    "entropy-diversity": "Among people who look alike, sensitive values are spread as evenly as ℓ equally likely ones.",
    "recursive-diversity": "Among people who look alike, no sensitive value is far more frequent than the others.",
    "t-closeness": "Among people who look alike, sensitive values are distributed nearly as among everybody.",
    "alpha-protection": "No rule that could be learnt denies a protected group α times as often as others.",
    "no-redlining": "No column that stands for a protected group is used to deny it α times as often as others.",
    "situation-testing": "Hardly anybody is denied what people alike, outside their protected group, are given.",
    "incognito": "Makes whole columns coarser, and finds every way of doing so that keeps the promises.",
    "best-first": "Makes whole columns coarser, and stops with the best ways found when its time is up.",
    "preferences": "Groups values freely, led by what you wish for each measure.",
    "roll-up": "Makes columns coarser along rules that still tell the decision.",
    "mondrian": "Cuts the records into regions, and makes values in each region only as coarse as it needs.",
    "top-down-greedy": "Splits the records into groups of near ones, and makes values coarse group by group.",
    "datafly": "Makes the most varied column coarser, again and again, until the promises hold: quick and rough.",
    "mdav": "Puts similar records into groups of k and publishes the average of each group.",
    "fair-mdav": "Publishes averages of groups that mix protected groups fairly, and corrects unfair decisions.",
    "noisy-table": "Publishes counts with random noise, so that nobody can tell whether a person is in the data.",
    "dmpd": "Leaves values as they are and splits the columns into several tables that still predict the decision.",
    "tds": "Starts with everything hidden and reveals, step by step, what helps to predict the decision.",
    "tdr": "Starts with everything hidden and reveals, step by step, single values that help to predict the decision.",
    "tree": "Groups within groups that you name, such as city, region, country.",
    "intervals": "Ranges of numbers, wider at each level.",
    "mask": "Characters hidden one after the other, as in 0854*.",
    "prefixes": "The first characters of a code, fewer at each level.",
    "dates": "Days, then months, quarters, years, decades.",
    "grouping": "Neighbours in an order that you give, in growing groups.",
    "frequent": "Frequent values as they are, all others as one.",
    "suppress": "The value as it is, or not at all.",
}
"""What a guard, a method or a kind of hierarchy does, in one sentence for the owner of the data."""


def sentence_of(part: Any) -> str:
    """One plain sentence; a part from outside brings its own as `says`, or the first line of its docstring."""
    first_line = (part.__doc__ or "").split("\n")[0].replace("`", "")
    return SENTENCES.get(part.kind) or getattr(part, "says", "") or first_line


def settings_of(part: type) -> list[Setting]:
    """The settings of a guard, method or kind of hierarchy."""
    kind = getattr(part, "kind", "")
    try:
        hints = get_type_hints(part)
    except NameError:  # a part from outside, whose types are known to its own module only
        hints = {}
    return [_setting(kind, field, hints.get(field.name, Any)) for field in dataclasses.fields(part)]


def _setting(kind: str, field: dataclasses.Field[Any], hint: Any) -> Setting:
    place = f"{kind}.{field.name}"
    type_, options = _type(hint)
    options = OPTIONS.get(place, options)
    least, most = RANGES.get(place, (None, None))
    required = field.default is MISSING and field.default_factory is MISSING
    default = None if required else field.default if field.default_factory is MISSING else field.default_factory()
    if isinstance(default, tuple):
        default = list(default)
    return Setting(
        field.name,
        "choice" if options else type_,
        required,
        default,
        least,
        most,
        options,
        SAYS.get(place, SAYS.get(field.name, "")),
    )


def _type(hint: Any) -> tuple[Kind, tuple[str, ...] | None]:
    plain: dict[Any, Kind] = {int: "whole", float: "number", bool: "flag", str: "text"}
    if hint in plain:
        return plain[hint], None
    origin, arguments = get_origin(hint), [argument for argument in get_args(hint) if argument is not NoneType]
    if origin is Literal:
        return "choice", tuple(str(option) for option in arguments)
    if origin in (Union, UnionType) and len(arguments) == 1:
        return _type(arguments[0])
    if origin in (tuple, list, Sequence) and arguments:
        return (
            ("names", None) if arguments[0] is str else ("numbers", None) if arguments[0] in plain else ("other", None)
        )
    return "other", None
