"""Known weaknesses, by name, that a release of this kind has, whatever its data: what `release` warns about.

They follow from the guards, the schema and the recipe, which are published anyway. So an attacker learns nothing new.
For the same reason none says whether the release *is* minimal: only the original shows that (`fv.attack`).
"""

from __future__ import annotations

from collections.abc import Iterator

from fairveil.published.folder import Publishing, published_of
from fairveil.published.published import Published

WEAKNESSES = (
    "keeps-nothing", "row-order", "homogeneity", "skewness", "attribute-disclosure", "plain-columns", "minimality",
)  # fmt: skip
"""Their names, which stay the same: plans, `--accept` and evidence files refer to them."""


def weaknesses(release: Publishing) -> dict[str, str]:
    """Name and sentence of each weakness that applies."""
    return dict(_all(published_of(release)))


def _all(published: Published) -> Iterator[tuple[str, str]]:
    schema, recipe = published.schema, published.recipe
    nothing = _keeps_nothing(published)
    if nothing:
        yield "keeps-nothing", nothing
    if published.keeps_order:
        yield (
            "row-order",
            "the rows stand in the order of the source, so the number of a row says whose it is to everybody who knows "
            'that order, whatever k is (publish them by their values: order = "sorted")',
        )
    guarded = {
        attack: {name for guard in published.guards if attack in guard.covers for name in guard.columns(schema)}
        for attack in ("homogeneity", "skewness")
    }
    open_columns = [name for name in schema.sensitive if name not in guarded["homogeneity"]]
    if open_columns:
        yield (
            "homogeneity",
            f"no guard looks at {', '.join(open_columns)}: k-anonymity alone allows a class in which everybody has the "
            "same value (add ℓ-diversity or t-closeness)",
        )
    skewed = [name for name in schema.sensitive if name in guarded["homogeneity"] - guarded["skewness"]]
    if skewed:
        yield (
            "skewness",
            f"ℓ-diversity of {', '.join(skewed)} allows classes far from the whole table, and values that differ only "
            "in name (add t-closeness)",
        )
    if not schema.sensitive:
        yield (
            "attribute-disclosure",
            "no column is called sensitive, so nothing is promised about what a class says about its people",
        )
    if schema.plain:
        yield "plain-columns", f"{', '.join(schema.plain)}: published untouched, and no guard looks at it"
    if recipe.minimizes and any(recipe.level_of(name) != 0 for name in schema.quasi):
        yield (
            "minimality",
            "if this is the least general release that keeps the guards, that alone says something about the values "
            "behind it (where this matters, choose a release above the minimal border)",
        )


def _keeps_nothing(published: Published) -> str:
    """The warning about a release that says nothing about its people; empty for any other release."""
    if not published.rows:
        return "no record is published: the release is empty"
    quasi = published.schema.quasi
    values = {
        name: max((len(content.domain(name)) for content in published.content.values() if name in content.names),
                  default=0)
        for name in quasi
    }  # fmt: skip
    untouched = all(published.recipe.level_of(name) == 0 for name in quasi)
    if any(number > 1 for number in values.values()) or (untouched and all(values.values())):
        return ""
    what = "the quasi column" if len(quasi) == 1 else f"all {len(quasi)} quasi columns"
    return (
        f"nothing is left of {what}: every record shows the same there, so the release tells nobody apart and nothing "
        "about any group (ask for less, or allow more to be suppressed)"
    )
