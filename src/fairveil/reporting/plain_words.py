"""The summary in plain words: what was published, what is promised, what it cost, what remains at risk.

Each function returns sentences. A sentence is a list of parts, so that names from the data can be marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairveil.attacks import first_to_say
from fairveil.markup import DataText, listed, shown
from fairveil.plural import verb
from fairveil.reporting.context import ReportContext, ReportedColumn
from fairveil.reporting.numbers import count, percent, times

Sentence = list[Any]
MOST_NAMES = 8


def title(c: ReportContext) -> Sentence:
    """The owner's title, else one by the name of the data set."""
    about = c.about
    if about.get("title"):
        return [DataText(about["title"]), " (internal report)" if c.internal else ""]
    of = ["the release of ", DataText(about["dataset"])] if about.get("dataset") else ["a release"]
    return ["Internal report on " if c.internal else "Report on ", *of]


def verdict(c: ReportContext) -> tuple[bool, list[Sentence]]:
    """Whether all is well, and why, in a few sentences."""
    guards, left_out = c.guards, c.rows["suppressed"] + c.rows["dropped_for_missing_values"]
    broken = [guard for guard, claim in guards if not claim.get("holds")]
    findings = [finding for finding in c.evidence.get("attacks", []) if isinstance(finding, dict)]
    dangers = list(dict.fromkeys(str(f.get("attack")) for f in findings if f.get("level") == "danger"))
    all_of_them = {1: "The one promise was", 2: "Both promises were"}
    how_many = all_of_them.get(len(guards), f"All {len(guards)} promises were")
    checked: Sentence = [f"{how_many} checked on the published data itself."]
    if c.problems:
        first: Sentence = ["Do not rely on this release: its files are not as they were sealed."]
        checked = ["What is wrong with them is listed below."]
    elif broken:
        first = [f"{len(broken)} of {times(len(guards), 'promise')} {verb(len(broken), 'does', 'do')} not hold: "]
        first += [*listed([guard.kind for guard in broken]), "."]
        checked = ["The section “The promises” says what was found."]
    elif not guards:
        first, checked = ["Nothing was promised, so nothing can be relied on."], []
    elif dangers:
        first = ["Everything that was promised holds, but attacks on the release are a danger: ", *listed(dangers), "."]
    else:
        first = ["Everything that was promised holds."]
    tried = ["No attack that was tried is a danger."] if findings and not dangers and not c.problems else []
    some = f"{count(left_out)} of the source’s {times(c.rows['source'], 'record')}" if left_out else "No record"
    out = [] if c.recipe.invents else [[f"{some} {verb(max(left_out, 1), 'was', 'were')} left out."]]
    good = not (c.problems or broken or dangers or not guards)
    return good, [first, *([checked] if checked else []), *([tried] if tried else []), *out]


def published(c: ReportContext) -> list[Sentence]:
    rows, columns = c.rows, [column for column in c.columns if column.published]
    split = f", in {len(c.tables)} tables whose rows are in no common order" if len(c.tables) > 1 else ""
    sentences: list[Sentence] = [[f"{times(rows['published'], 'record')} with {times(len(columns), 'column')}{split}."]]
    if c.recipe.invents:
        sentences.append([
            "They are made of noisy counts: none of them is a person’s. How many records the source had is not told."
        ])  # fmt: skip
    reasons, whole = [], max(rows["source"], 1)
    if rows["suppressed"]:
        reasons.append(f"{count(rows['suppressed'])} ({percent(rows['suppressed'] / whole)}) to keep the promises")
    missing = rows["dropped_for_missing_values"]
    if missing:
        reasons.append(f"{count(missing)} ({percent(missing / whole)}) because a value was missing")
    left_out = ["Left out of ", f"{times(rows['source'], 'source record')}: ", *listed(reasons), "."]
    if not c.recipe.invents:
        sentences.append(left_out if reasons else ["No record of the source was left out."])
    sentences += _named("A person could be recognized by ", c.schema.quasi)
    sentences += _named("Nobody should learn about a person: ", c.schema.sensitive)
    sentences += _named("Removed: ", [column.name for column in c.columns if not column.published])
    sentences += _named("Replaced by pseudonyms: ", c.schema.pseudonyms)
    return sentences


def promised(c: ReportContext) -> list[Sentence]:
    sentences: list[Sentence] = []
    for guard, claim in c.guards:
        promise = guard.promise() or f"{guard.kind}: {claim.get('sentence', '')}."
        sentences.append([promise] if claim.get("holds") else ["Not kept: ", promise])
    return sentences or [["Nothing is promised."]]


def cost(c: ReportContext) -> list[Sentence]:
    quasi = [column for column in c.columns if "quasi" in column.roles]
    hidden = [column for column in quasi if column.hidden]
    coarser = [column for column in quasi if column.changed and not column.hidden]
    treatment = "made coarser" if c.evidence.get("levels") else "changed"
    unchanged = [column for column in quasi if not column.changed and not column.hidden]
    sentences: list[Sentence] = []
    for group, words in ((unchanged, "kept as before"), (coarser, treatment), (hidden, "hidden altogether")):
        sentences += [[f"{times(len(group), 'column')} {words}: ", *_names(group), "."]] if group else []
    if "loss" in c.measures:
        sentences.append([
            f"Loss of detail: {percent(c.measures['loss'])}, where 0 % means that every value is published as it was "
            "and 100 % that none is."
        ])  # fmt: skip
    lossy = [column for column in quasi if column.loss is not None and not column.hidden]
    if lossy and len(quasi) > 1:
        most = max(lossy, key=lambda column: column.loss or 0.0)
        if most.loss:
            sentences.append(["Of what is still visible, ", DataText(most.name), f" lost most: {percent(most.loss)}."])
    return sentences + learnt(c)


def learnt(c: ReportContext) -> list[Sentence]:
    """How well the first classifier that was tried learns from the release, for somebody who has its recipe."""
    utility = c.utility
    tried = {(model["trained"], model["tested"]): model for model in reversed(utility.get("models", []))}
    before, after = tried.get(("original", "original")), tried.get(("release", "recoded"))
    if before is None or after is None:
        return _by_groups(c)
    from fairveil.learning.classifiers import spoken

    right = after["scores"]["accuracy"]
    low, high = (percent(right[end]) for end in ("low", "high"))
    return [[
        "A ", shown(spoken(after["classifier"])),
        f" that learns from the release predicts {percent(right['value'])} of the decisions correctly "
        f"({low} to {high}); "
        "one that learns from the source "
        f"{percent(before['scores']['accuracy']['value'])}, and always saying the most frequent one is right in "
        f"{percent(utility['guess'])} of the cases.",
    ]]  # fmt: skip


def _by_groups(c: ReportContext) -> list[Sentence]:
    """The sentences for a release on which no model was tried."""
    if c.right_by_group is None:
        return []
    right, guess = map(percent, c.right_by_group)
    return [[f"The most frequent decision of a record’s group is the record’s own in {right} of the cases, that of all "
             f"records in {guess}."]]  # fmt: skip


def at_risk(c: ReportContext) -> list[Sentence]:
    sentences: list[Sentence] = []
    after, before = c.measures, c.before
    if c.recipe.invents:
        sentences.append(["No published record is a person’s, so nobody can be picked out by one."])
    elif "highest-risk" in after:
        sentences.append([
            "Somebody who knows a person's values in the recognizable columns, and that the person is in the data, "
            f"picks out the right record with a chance of at most {percent(after['highest-risk'])}"
            + (f", {percent(after['average-risk'])} on average." if "average-risk" in after else ".")
        ])  # fmt: skip
    if "average-risk" in before:
        sentences.append([
            f"Before, it was up to {percent(before['highest-risk'])} for the same records, "
            f"{percent(before['average-risk'])} on average, and "
            f"{percent(before['uniqueness'])} of them were unique."
        ])  # fmt: skip
    findings = [finding for finding in c.evidence.get("attacks", []) if isinstance(finding, dict)]
    tried = {finding.get("column") for finding in findings if finding.get("attack") == "homogeneity"}
    for name, rows in c.same_answer.items():
        if rows and name not in tried:
            share = percent(rows / max(c.rows["published"], 1))
            where = (
                f"{times(rows, 'record')} ({share}) {verb(rows, 'is', 'are')} in groups whose members all have the "
                "same value of "
            )
            sentences.append([where, DataText(name), ": anybody who places a person there knows it."])
    weaknesses = c.evidence.get("weaknesses", {})
    if weaknesses:
        sentences.append(["Known weaknesses: ", *listed(weaknesses), "."])
    sentences += _named("Published untouched, on the assumption that nobody can link them: ", c.schema.plain)
    sentences.append(["The promises have limits, which are listed under “What is not covered”."])
    return sentences


def headline(c: ReportContext) -> list[tuple[str, Sentence]]:
    """What a reader must see before anything else: the name of each weakness, and what it means here."""
    accepted = c.evidence.get("accepted", [])
    return [
        (name, [shown(why, 600), ".", " Published knowingly." if name in accepted else ""])
        for name, why in first_to_say(c.evidence)
    ]


SUMMARY = (
    ("published", "What was published", published),
    ("promised", "What is promised", promised),
    ("cost", "What it cost", cost),
    ("at_risk", "What remains at risk", at_risk),
)


NO_RELEASE_PROMISES = (
    "That several releases of the same people stay safe together. Publish once, or treat all of them as one release.",
    "That the recipe is harmless if the hierarchies are not: recipe.json contains them, with every value they name.",
    "Who published it, unless it is signed: the checksums notice accidents and careless edits, but anybody can make "
    "new ones. A release with evidence.json.sig is signed: “fairveil verify FOLDER --signer FILE” says by whom.",
    "That nothing can be inferred about a group. What is true of most people with certain values can be guessed about "
    "anybody who has these values, in the data or not.",
)
MINIMAL = (
    "What the choice itself gives away: if the least general release that keeps the promises was taken, an attacker "
    "knows that nothing less general kept them (minimality and downcoding attacks)."
)


def not_covered(c: ReportContext) -> list[Sentence]:
    """What no release promises, then what each of this one's guards leaves open."""
    sentences: list[Sentence] = []
    if c.schema.plain:
        untouched = " (published untouched). A column such as a birth date would defeat any promise."
        sentences.append(["That plain columns cannot be linked: ", *_names(c.schema.plain), untouched])
    sentences += [[sentence] for sentence in NO_RELEASE_PROMISES]
    if c.recipe.minimizes:
        sentences.append([MINIMAL])
    for guard in {guard.kind: guard for guard, _ in c.guards}.values():
        if guard.leaves_open:
            sentences.append([f"{guard.kind} leaves open: {guard.leaves_open}."])
    return sentences


def _named(start: str, names: Sequence[str]) -> list[Sentence]:
    return [[start, *_names(names), "."]] if names else []


def _names(columns: Iterable[str | ReportedColumn]) -> list[Any]:
    names = [DataText(column.name if isinstance(column, ReportedColumn) else column) for column in columns]
    more = [f"{len(names) - MOST_NAMES + 1} more"] if len(names) > MOST_NAMES else []
    return listed([*(names[: MOST_NAMES - 1] if more else names), *more])
