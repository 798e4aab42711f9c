"""Dangers: what a publisher has to accept by name before it is published, and what every reader must see first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairveil.errors import suggest

LOUD = ("keeps-nothing", "row-order")
"""Weaknesses that a reader must not miss."""


def dangers(evidence: Mapping[str, Any]) -> dict[str, str]:
    """What the attacks of a release's evidence call a danger: the name to accept it by, and what was found."""
    found: dict[str, list[str]] = {}
    for finding in evidence["attacks"]:
        if finding["level"] == "danger":
            found.setdefault(finding["attack"], []).append(finding["verdict"])
    return {name: "; ".join(verdicts) for name, verdicts in found.items()}


def unaccepted(found: Mapping[str, str], accepted: Sequence[str]) -> list[str]:
    """One sentence for each danger of those `found`, by name, that is not among the `accepted`."""
    return [f"{name}: {sentence}" for name, sentence in found.items() if name not in accepted]


def accept_problems(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """A problem for each name to accept that is neither an attack nor a weakness."""
    return [suggest(name, known, "attack or weakness") for name in names if name not in known]


def headline(
    attacks: Sequence[Mapping[str, Any]], weaknesses: Mapping[str, str], loud: Sequence[str]
) -> list[tuple[str, str]]:
    """What the first screen must say, from the evidence: dangers, warnings of `loud` attacks, loud weaknesses."""
    said = [(name, str(why)) for name, why in weaknesses.items() if name in LOUD]
    found = [
        (str(finding.get("attack", "")), str(finding.get("verdict", "")))
        for finding in attacks
        if finding.get("level") == "danger" or (finding.get("level") == "warn" and finding.get("attack") in loud)
    ]
    named = {name for name, _ in found}
    return [*((name, why) for name, why in said if name not in named), *found]
