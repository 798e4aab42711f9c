"""Known weaknesses, by name, that a release of this kind has, whatever its data: what `release` warns about; and
dangers, which the attacks found and a publisher has to accept by name.

Weaknesses follow from the guards, the schema and the recipe, which are published anyway. So an attacker learns nothing
new. For the same reason none says whether the release *is* minimal: only the original shows that (`fv.attack`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from fairveil.published.folder import Publishing, published_of

if TYPE_CHECKING:
    from fairveil.published.published import Published

WEAKNESSES = (
    "keeps-nothing", "row-order", "homogeneity", "skewness", "attribute-disclosure", "plain-columns", "minimality",
)  # fmt: skip
"""Their names, which stay the same: plans, `--accept` and evidence files refer to them."""
LOUD = ("keeps-nothing", "row-order")
"""Weaknesses that a reader must not miss."""


def weaknesses(release: Publishing) -> dict[str, str]:
    """Name and sentence of each weakness that applies."""
    published = published_of(release)
    schema, recipe = published.schema, published.recipe
    sentences = {"keeps-nothing": _keeps_nothing(published)}
    if published.keeps_order:
        sentences["row-order"] = (
            "the rows are in the order of the source, so everybody who knows that order knows whose each row is, "
            'whatever k is (publish them sorted by their values: order = "sorted")'
        )
    guarded = {
        attack: {name for guard in published.guards if attack in guard.covers for name in guard.columns(schema)}
        for attack in ("homogeneity", "skewness")
    }
    open_columns = [name for name in schema.sensitive if name not in guarded["homogeneity"]]
    if open_columns:
        sentences["homogeneity"] = (
            f"no guard protects {', '.join(open_columns)}: k-anonymity alone allows a class in which everybody has the "
            "same value (add ℓ-diversity or t-closeness)"
        )
    skewed = [name for name in schema.sensitive if name in guarded["homogeneity"] - guarded["skewness"]]
    if skewed:
        sentences["skewness"] = (
            f"ℓ-diversity of {', '.join(skewed)} allows classes far from the whole table, and values that differ only "
            "in name (add t-closeness)"
        )
    if not schema.sensitive:
        sentences["attribute-disclosure"] = (
            "no column has the role sensitive, so nothing is promised about what a class says about its people"
        )
    if schema.untouched:
        sentences["plain-columns"] = f"{', '.join(schema.untouched)}: published unchanged, and no guard covers it"
    if recipe.minimizes and any(recipe.level_of(name) != 0 for name in schema.quasi):
        sentences["minimality"] = (
            "if this is the least general release that keeps the guards, that alone says something about the values "
            "behind it (where this matters, choose a release above the minimal border)"
        )
    return {name: sentence for name, sentence in sentences.items() if sentence}


def _keeps_nothing(published: Published) -> str:
    """The warning about a release that says nothing about its people; empty for any other release."""
    if not published.rows:
        return "no record is published: the release is empty"
    quasi = published.schema.quasi
    domains = [
        [len(content.domain(name)) for content in published.content.values() if name in content.names] for name in quasi
    ]
    untouched = all(published.recipe.level_of(name) == 0 for name in quasi)
    if any(size > 1 for sizes in domains for size in sizes) or (untouched and all(max(s, default=0) for s in domains)):
        return ""
    what = "the quasi column" if len(quasi) == 1 else f"all {len(quasi)} quasi columns"
    return (
        f"nothing is left of {what}: every record has the same value there, so the release distinguishes neither "
        "people nor groups (ask for less, or allow more to be suppressed)"
    )


def dangers(findings: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What attacks call a danger, from their `findings` as plain data: the name to accept it by, and what was found."""
    verdicts: dict[str, list[str]] = {}
    for finding in findings:
        if finding["level"] == "danger":
            verdicts.setdefault(finding["attack"], []).append(finding["verdict"])
    return {name: "; ".join(sentences) for name, sentences in verdicts.items()}
