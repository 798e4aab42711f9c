"""The comparisons of `verify`, leaf by leaf, and the checks of form for entries that it cannot recompute.

These do not follow from the files: the figures that `from_source` names, what attacks by persons found
(`by_persons`), the number of suppressed and dropped rows, the seed, the versions, notes, the facts of a method
(`facts`), the results of models (`utility`) and the candidates it was chosen from (`alternatives`). Only a signature
detects a forger who changes one of these consistently.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.attacks import ATTACKS, dangers, tried
from fairveil.attacks.attack import LEVELS
from fairveil.counting.rounding import coarse_share
from fairveil.data.about import About, problems_of
from fairveil.messages import counted, verb
from fairveil.published.folder import EARLIER, REPORT
from fairveil.release.evidence import from_source, rounding_rows
from fairveil.release.source_dangers import level_by_persons

if TYPE_CHECKING:
    from fairveil.published.published import Published
    from fairveil.recipes.outcome import PersonCounts

TOLERANCE = 1e-9
"""The last digits may differ between machines."""
OTHER_ENTRIES = {
    "fairveil": str, "versions": dict, "seed": int, "about": dict, "rows": dict, "persons": dict, "risk_before": dict,
    "from_source": list, "by_persons": list, "facts": dict, "utility": dict, "accepted": list, "notes": list,
    "alternatives": dict, "table": dict, "files": dict, "seal": str,
}  # fmt: skip
"""The entries of the evidence beside the claims, in their order, with their types."""
OPTIONAL = frozenset({"about", "persons", "risk_before", "by_persons", "facts", "utility", "alternatives", "table"})
ROWS = ("source", "dropped_for_missing_values", "suppressed", "published")
VERSIONS = ("python", "numpy", "pyarrow")
RISKS = ("highest-risk", "average-risk", "at-risk", "uniqueness")


def differences(
    expected: Mapping[str, Any], evidence: Mapping[str, Any], published: Published
) -> Iterator[tuple[str, str]]:
    """Where the evidence differs from the files: the kind ("text" or "value") and a sentence for each difference."""
    expected = json.loads(json.dumps(expected, default=str))  # as it would be in the file
    for key, value in expected.items():
        if key in ("measures", "loss_per_column"):
            rows = math.inf if evidence.get("fairveil") in EARLIER else rounding_rows(published)
            yield from _figures(key, value, evidence.get(key), published, rows)
        elif key not in evidence:
            yield "value", f"the evidence lacks {key!r}"
        else:
            yield from _differ(key, value, evidence[key])
    for key in evidence:
        known = key in OTHER_ENTRIES and (key != "risk_before" or evidence.get("fairveil") in EARLIER)
        if key not in expected and not known:
            yield "value", f"the evidence has an unknown entry {str(key)[:60]!r}"
    if list(evidence) != [key for key in {**expected, **OTHER_ENTRIES} if key in evidence]:
        yield "value", "the entries of the evidence are in another order"
    if isinstance(evidence.get("measures"), Mapping):
        figures = from_source(expected, evidence["measures"], published)
        also = ["risk_before"] if "risk_before" in evidence else []
        yield from _differ("from_source", [*figures, *also], evidence.get("from_source"))
    if evidence.get("fairveil") not in EARLIER:
        yield from _by_persons(expected["attacks"], evidence.get("by_persons", []), published)


def _by_persons(
    by_records: Sequence[Mapping[str, Any]], claimed: Any, published: Published
) -> Iterator[tuple[str, str]]:
    """Differences of what attacks by persons found: they are those that count records in the files, at some level, and
    nothing where readers can count persons themselves."""
    hidden = published.schema.person is not None and not published.schema.links
    counted = [f for f in by_records if hidden and ATTACKS.get(f["attack"]).by_person]
    stated = [entry if isinstance(entry, Mapping) else {} for entry in claimed] if isinstance(claimed, list) else []
    levels = [str(entry.get("level")) for entry in stated]
    expected = [
        {**{key: f[key] for key in ("attack", "column") if key in f}, **level_by_persons(level)}
        for f, level in zip(counted, levels, strict=False)
        if level in LEVELS
    ]
    if len(expected) != len(counted):
        yield "value", "the evidence does not say what each attack by persons found"
    else:
        yield from _differ("by_persons", expected, claimed)


def _figures(
    key: str, exact: Mapping[str, float], claimed: Any, published: Published, rows: float
) -> Iterator[tuple[str, str]]:
    """Differences of figures: those that the files give must match, others must be possible and rounded."""
    if not isinstance(claimed, Mapping):
        yield "value", f"the evidence lacks {key!r}"
        return
    for name, value in exact.items():
        if name not in claimed:
            yield "value", f"the evidence lacks {key}.{name}"
        else:
            yield from _differ(f"{key}.{name}", value, claimed[name])
    if key == "loss_per_column":
        ranges: dict[str, tuple[float, float]] = dict.fromkeys(published.schema.quasi, (0, 1))
    else:
        ranges = {m.name: m.range for m in measures.MEASURES if m.cost == "summary"}
    for name, value in claimed.items():
        if name not in exact and not (name in ranges and _is_rounded(value, *ranges[name], rows)):
            yield "value", f"the evidence says {_short(value)} of {key}.{str(name)[:60]}, which is not possible"
    if key == "measures" and list(claimed) != [m.name for m in measures.MEASURES if m.name in claimed]:
        yield "value", "the measures in the evidence are in another order"
    if key == "loss_per_column" and list(claimed) != list(published.schema.quasi):
        yield "value", "the evidence does not give the loss of every quasi column"


def _differ(path: str, expected: Any, claimed: Any) -> Iterator[tuple[str, str]]:
    """The differences of two pieces of plain data, as sentences."""
    if isinstance(expected, Mapping) and isinstance(claimed, Mapping):
        if list(expected) != list(claimed):
            yield "value", f"the evidence has other entries in {path} than the files give"
            return
        for key, value in expected.items():
            yield from _differ(f"{path}.{key}", value, claimed[key])
    elif isinstance(expected, list) and isinstance(claimed, list):
        if len(expected) != len(claimed):
            yield "value", f"the evidence has {len(claimed)} entries in {path}, the files give {len(expected)}"
            return
        for number, (value, other) in enumerate(zip(expected, claimed, strict=True)):
            yield from _differ(f"{path}.{number}", value, other)
    elif not _same(expected, claimed):
        kind = "text" if isinstance(expected, str) and " " in expected else "value"
        yield kind, f"the evidence says {_short(claimed)} of {path}, the files give {_short(expected)}"


def _same(expected: Any, claimed: Any) -> bool:
    if isinstance(expected, bool) or isinstance(claimed, bool) or expected is None:
        return expected is claimed
    if isinstance(expected, float) and isinstance(claimed, int | float):
        return math.isclose(expected, claimed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(claimed) is type(expected) and bool(claimed == expected)


def form_problems(evidence: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Problems of form in entries that cannot be recomputed."""
    for key, kind in OTHER_ENTRIES.items():
        if key not in evidence:
            if key not in OPTIONAL:
                yield f"the evidence lacks {key!r}"
        elif not isinstance(evidence[key], kind) or isinstance(evidence[key], bool):
            yield f"{key!r} of the evidence is not of type {kind.__name__}"
    yield from _rows(evidence.get("rows"))
    table = evidence.get("table", {"name": "", "digest": ""})
    if not isinstance(table, dict) or list(table) != ["name", "digest"] or not all(map(_is_text, table.values())):
        yield "the evidence does not name the published table and its digest"
    recipe, guards = published.recipe, published.guards
    persons, given, gone, unit = published.persons, published.rows + published.suppressed, published.suppressed, "row"
    if persons is not None:
        yield from _persons(persons, published)
        given, gone, unit = persons.source, persons.suppressed, "person"
    budget = max((guard.budget(given) for guard in guards), default=0)
    if gone > budget and not (recipe.groups_rows or recipe.splits):  # grouping may leave rows over
        yield f"{counted(gone, unit)} {verb(gone, 'is', 'are')} suppressed, and the promises allow {budget:,}"
    versions = evidence.get("versions")
    if not isinstance(versions, Mapping) or tuple(versions) != VERSIONS:
        yield "the evidence does not list the versions"
    else:
        yield from (
            f"{_short(v)} is not a version" for v in (evidence.get("fairveil"), *versions.values()) if not _version(v)
        )
    risks = evidence.get("risk_before")
    if isinstance(risks, Mapping):
        complete = not risks or tuple(risks) == RISKS
        if not complete or not all(_is_rounded(value, 0, 1) for value in risks.values()):
            yield "risk_before of the evidence is not a list of risks"
    about = evidence.get("about", {})
    if isinstance(about, Mapping) and (not set(about) <= set(vars(About())) or any(problems_of(dict(about)))):
        yield "'about' of the evidence is not a valid title, data set, publisher or date"
    for key, what in (("notes", "a note"), ("accepted", "an accepted danger")):
        listed = evidence.get(key)
        if isinstance(listed, list) and not all(isinstance(entry, str) for entry in listed):
            yield f"{what} of the evidence is not text"
        elif key == "accepted" and isinstance(listed, list) and listed != sorted(set(listed)):
            yield "the accepted dangers of the evidence are not sorted"


def unaccepted(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Dangers of the evidence that nobody accepted, and accepted ones that are none; some only the source shows."""
    found, accepted = dangers(tried(evidence)), evidence["accepted"]
    yield from (f"the evidence does not accept the danger {name}" for name in found if name not in accepted)
    possible = [*found, *(attack.name for attack in ATTACKS if not attack.cheap)]
    yield from (f"the evidence accepts {_short(name)}, which is no danger" for name in accepted if name not in possible)


def _rows(rows: Any) -> Iterator[str]:
    if not isinstance(rows, Mapping) or tuple(rows) != ROWS:
        yield "the evidence does not list the source, dropped, suppressed and published rows"
        return
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in rows.values()):
        yield "a number of rows in the evidence is not a non-negative integer"
    elif rows["source"] != sum(rows[name] for name in ROWS[1:]):
        yield "the number of source rows is not the sum of those published, suppressed and dropped"


def _persons(persons: PersonCounts, published: Published) -> Iterator[str]:
    schema, classes = published.schema, published.classes
    if schema.person is None:
        yield "the evidence counts persons, and no column says who a record is about"
        return
    source, suppressed, remaining = persons.source, persons.suppressed, persons.published
    if not max(suppressed, remaining) <= source <= suppressed + remaining:
        yield "the number of persons of the source does not fit those published and suppressed"
    elif not published.recipe.groups_rows and source != suppressed + remaining:
        yield "the number of persons of the source is not the sum of those published and suppressed"
    for number, rows, what in (
        (remaining, published.rows, "published"),
        (suppressed, published.suppressed, "suppressed"),
    ):
        if number > rows or (number == 0) != (rows == 0):
            yield f"{counted(number, 'person')} cannot have {counted(rows, f'{what} row')}"
    if schema.links and classes is not None and remaining != (here := len(np.unique(classes.codes[schema.person]))):
        yield f"the evidence says that {counted(remaining, 'person')} are published, and the files have {here:,}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _version(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 40 and re.fullmatch(r"\d+(\.\w+)*([+.-][\w.]*)?", value) is not None


def _is_rounded(value: Any, low: float, high: float, rows: float = math.inf) -> bool:
    """Whether this is a number in its range, rounded as published."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    return low <= value <= high and coarse_share(value, rows) == value


def before_report(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence as it was when the report was made: before the report's own checksum and the seal."""
    files = {name: checksum for name, checksum in evidence["files"].items() if name != REPORT}
    return {key: files if key == "files" else value for key, value in evidence.items() if key != "seal"}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "…"
