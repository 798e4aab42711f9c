"""Presets: what a rule asks for, put into a plan that then spells it out.

`preset = "ema-0070"` in a plan adds what the rule needs, or refuses what contradicts it; `Plan.to_toml` and `Plan.save`
write the plan with everything in it, and without the preset. A rule on counts adds a guard. HIPAA's Safe Harbor is a
rule on columns: it drops or coarsens them, promises no k, and adds no guard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from fairveil.errors import BadInput, suggest
from fairveil.guards import KAnonymity
from fairveil.run.profile import ColumnProfile
from fairveil.run.suggestions.column_words import words_of
from fairveil.run.suggestions.evidence_words import BORN

CELL_COUNTS = (3, 5, 10, 11)
PRESETS: Mapping[str, str] = {
    "hipaa-safe-harbor": "HIPAA Safe Harbor, 45 CFR 164.514(b)(2): a rule on columns, not k",
    "ema-0070": "EMA policy 0070: a highest risk of 0.09, so k is at least 12, because 1/11 is above it",
    "cell-count": "no cell below 11; cell-count-3, -5 and -10 for other thresholds",
}
"""Presets by name, and what they ask for."""
Columns = Callable[[], Sequence[ColumnProfile]]
Content = Mapping[str, Any]


def least_k(preset: str) -> int | None:
    """The k that a preset asks for at least; None if it asks for none. Raises BadInput for unknown presets.

    >>> least_k("ema-0070"), least_k("cell-count-3"), least_k("hipaa-safe-harbor")
    (12, 3, None)
    """
    match = re.fullmatch(r"cell-count(?:-(\d+))?", preset)
    if match and int(match[1] or 11) in CELL_COUNTS:
        return int(match[1] or 11)
    if preset not in PRESETS:
        raise BadInput(suggest(preset, [*PRESETS, *(f"cell-count-{n}" for n in CELL_COUNTS)], "preset"))
    return 12 if preset == "ema-0070" else None


def expanded(content: Content, columns: Columns) -> dict[str, Any]:
    """The content of a plan without its preset, and with everything that it asks for. `columns` profiles the source,
    for rules on columns. Raises BadInput if the plan contradicts the preset."""
    content = dict(content)
    preset = content.pop("preset", None)
    if preset is None:
        return content
    k = least_k(preset)
    if k is None:
        return _safe_harbor(content, columns())
    guards = list(content.get("guards", ()))
    counted = [guard for guard in guards if guard.get("kind") == "k-anonymity" and _on_all_columns(guard)]
    weak = [guard["k"] for guard in counted if isinstance(guard.get("k"), int) and guard["k"] < k]
    if weak:
        raise BadInput(f"preset {preset} needs k-anonymity with k of at least {k}, not {weak[0]}")
    return {**content, "guards": guards if counted else [{"kind": "k-anonymity", "k": k}, *guards]}


def _on_all_columns(guard: Content) -> bool:
    """Whether a section of k-anonymity is about all quasi columns together, not only about key sets."""
    try:
        return KAnonymity(**{key: value for key, value in guard.items() if key != "kind"}).on_all
    except (BadInput, TypeError):  # the reader of the plan names what is wrong
        return True


def _safe_harbor(content: dict[str, Any], columns: Sequence[ColumnProfile]) -> dict[str, Any]:
    """Safe Harbor: identifiers dropped; years for dates, 90+ for ages, three digits for postcodes, at fixed levels."""
    schema, rules = dict(content.get("schema", {})), dict(content.get("hierarchies", {}))
    coarse, dropped = {}, []
    for column in columns:
        born = bool(words_of(column.name) & BORN)
        if column.safe_harbor == "ages over 89":
            coarse[column.name] = {"kind": "top-code", "above": [90]}
        elif column.look == "postcodes" and column.safe_harbor:
            coarse[column.name] = {"kind": "zip3"}
        elif column.look == "years" and born:
            coarse[column.name] = {"kind": "top-code", "below": [date.today().year - 89]}
        elif column.safe_harbor == "dates more exact than a year" and column.look in ("dates", "times") and not born:
            coarse[column.name] = {"kind": "dates", "steps": ["year"]}
        elif column.safe_harbor:  # a year of birth may reveal an age over 89
            dropped.append(column.name)
    counted = {schema.get("person"), schema.get("household")}  # left out, unless they are in one of these roles
    taken = {*coarse, *dropped}
    for role in ("quasi", "plain", "identifier", "drop", "pseudonyms"):
        listed = [schema[role]] if isinstance(schema.get(role), str) else list(schema.get(role, ()))
        schema[role] = [name for name in listed if name not in taken]
    named = {*_names(schema.get("sensitive")), *_names(schema.get("protected")), *_names(schema.get("decision"))}
    schema["identifier"] = [*schema["identifier"], *(name for name in dropped if name not in {*named, *counted})]
    schema["plain"] = [*schema["plain"], *(name for name in coarse if name not in named)]
    schema["levels"] = {**schema.get("levels", {}), **dict.fromkeys(coarse, 1)}
    if refused := sorted(named.intersection(dropped)):
        raise BadInput(f"preset hipaa-safe-harbor drops column {refused[0]!r}, which the schema gives another role")
    schema = {key: value for key, value in schema.items() if value not in ([], {})}
    return {**content, "schema": schema, "hierarchies": {**rules, **coarse}}


def _names(listed: Any) -> Sequence[str]:
    return [listed] if isinstance(listed, str) else listed or ()
