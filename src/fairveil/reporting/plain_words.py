"""The summary in plain words: what was published, what is promised, what it cost, what remains at risk.

Each function returns sentences. A sentence is a list of parts, so that names from the data can be marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fairveil.attacks import first_to_say
from fairveil.markup import DataText, listed, shown
from fairveil.messages import verb
from fairveil.reporting.numbers import count, percent, times

if TYPE_CHECKING:
    from fairveil.recipes.outcome import PersonCounts
    from fairveil.reporting.context import ReportContext

Sentence = list[Any]
MAX_NAMES = 8


def title(c: ReportContext) -> Sentence:
    """The owner's title, else one by the name of the data set."""
    about = c.evidence.get("about", {})
    if about.get("title"):
        return [DataText(about["title"]), " (internal report)" if c.internal else ""]
    of = ["the release of ", DataText(about["dataset"])] if about.get("dataset") else ["a release"]
    return ["Internal report on " if c.internal else "Report on ", *of]


def doubts(c: ReportContext) -> list[Sentence]:
    """Why a reader should hesitate although every promise holds."""
    guarded = {name for guard, _ in c.guards if "homogeneity" in guard.covers for name in guard.columns(c.schema)}
    open_columns = [name for name in c.schema.sensitive if name not in guarded]
    sentences: list[Sentence] = []
    if accepted := c.evidence.get("accepted"):
        sentences.append(["The publisher accepted a danger: ", *listed(accepted), "."])
    if not guarded and not c.recipe.invents:
        of = [" (", *_names(open_columns), ")"] if open_columns else []
        sentences.append(["Nothing sensitive is guarded", *of, ": what a group of alike records shows may be true of "
                          "each of them."])  # fmt: skip
    if c.hidden_share > 0.5:
        sentences.append([f"Most of the values by which a person could be recognized, {percent(c.hidden_share)}, are "
                          "hidden."])  # fmt: skip
    return sentences


def verdict(c: ReportContext) -> tuple[bool, list[Sentence]]:
    """Whether all is well, and why, in a few sentences."""
    guards, left_out = c.guards, c.rows["suppressed"] + c.rows["dropped_for_missing_values"]
    broken = [guard for guard, claim in guards if not claim.get("holds")]
    accepted = c.evidence.get("accepted", [])
    dangers = list(dict.fromkeys(str(f.get("attack")) for f in c.findings if f.get("level") == "danger"))
    unaccepted = [name for name in dangers if name not in accepted]
    all_of_them = {1: "The one promise was", 2: "Both promises were"}
    how_many = all_of_them.get(len(guards), f"All {len(guards)} promises were")
    hidden = c.schema.person is not None and not c.schema.links
    on = "with persons counted, whose column is not published" if hidden else "on the published data itself"
    checked: Sentence = [f"{how_many} checked {on}."]
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
    reservations = [] if c.problems or broken or not guards else doubts(c)
    tried = ["No attack that was tried is a danger."] if c.findings and not (dangers or accepted or c.problems) else []
    some = f"{count(left_out)} of the source’s {times(c.rows['source'], 'record')}" if left_out else "No record"
    whom = f", {_whose(c.published.persons)}" if c.published.persons and c.published.persons.suppressed else ""
    out = [] if c.recipe.invents else [[f"{some} {verb(max(left_out, 1), 'was', 'were')} left out{whom}."]]
    good = not (c.problems or broken or unaccepted or not guards)
    return good, [first, *reservations, *([checked] if checked else []), *([tried] if tried else []), *out]


def _whose(persons: PersonCounts) -> str:
    """Of whom records are suppressed."""
    what = "all records" if persons.apart else "records"
    share = percent(persons.suppressed / max(persons.source, 1))
    return f"{what} of {count(persons.suppressed)} of the {times(persons.source, 'person')} ({share})"


def published(c: ReportContext) -> Iterator[Sentence]:
    rows, columns, tables = c.rows, [column for column in c.columns if column.published], len(c.published.content)
    split = f", in {tables} tables whose rows are in no common order" if tables > 1 else ""
    of = f" of {times(c.published.persons.published, 'person')}, each" if c.published.persons is not None else ""
    yield [f"{times(rows['published'], 'record')}{of} with {times(len(columns), 'column')}{split}."]
    persons = c.published.persons
    whose = f", {_whose(persons)}" if persons is not None and persons.suppressed else ""
    reasons = [
        f"{count(rows[key])} ({percent(rows[key] / max(rows['source'], 1))}) {why}"
        for key, why in (("suppressed", f"to keep the promises{whose}"),
                         ("dropped_for_missing_values", "because a value was missing"))
        if rows[key]
    ]  # fmt: skip
    if c.recipe.invents:
        yield ["They are made of noisy counts: none is a person’s. How many records the source had is not disclosed."]
    elif reasons:
        yield [f"Left out of {times(rows['source'], 'source record')}: ", *listed(reasons), "."]
    else:
        yield ["No record of the source was left out."]
    yield from _named("A person could be recognized by ", c.schema.quasi)
    yield from _named("Nobody should learn about a person: ", c.schema.sensitive)
    yield from _named("Removed: ", [column.name for column in c.columns if not column.published])
    yield from _named("Replaced by pseudonyms: ", c.schema.pseudonyms)


def promised(c: ReportContext) -> Iterator[Sentence]:
    """Each promise once: columns of which the same is promised, each on its own, are listed before it."""
    columns: dict[tuple[bool, str], list[str]] = {}
    for guard, claim in c.guards:
        promise = guard.promise_about(c.schema) or f"{guard.kind}: {claim.get('sentence', '')}."
        subject = guard.subjects(c.schema)[0] if len(guard.subjects(c.schema)) == 1 else ""
        alone = promise.removeprefix(f"{subject}: ")
        columns.setdefault((bool(claim.get("holds")), alone), []).extend([subject] if alone != promise else [])
    for (holds, promise), names in columns.items():
        of = [*_names(names), ": " if len(names) == 1 else ", each on its own: "] if names else []
        yield [*([] if holds else ["Not kept: "]), *of, promise]
    if not c.guards:
        yield ["Nothing is promised."]


def cost(c: ReportContext) -> Iterator[Sentence]:
    quasi = [column for column in c.columns if "quasi" in column.roles]
    visible = [column for column in quasi if not column.hidden]
    groups = {
        "kept as before": [column for column in visible if not column.changed],
        "made coarser" if c.evidence.get("levels") else "changed": [column for column in visible if column.changed],
        "hidden altogether": [column for column in quasi if column.hidden],
    }
    for words, group in groups.items():
        yield from _named(f"{times(len(group), 'column')} {words}: ", [column.name for column in group])
    if "loss" in c.measures:
        yield [
            f"Loss of detail: {percent(c.measures['loss'])}, where 0 % means that every value is published as it was "
            "and 100 % that none is."
        ]  # fmt: skip
    worst = max(visible, key=lambda column: column.loss or 0.0, default=None)
    if worst is not None and worst.loss and len(quasi) > 1:
        yield ["Of what is still visible, ", DataText(worst.name), f" lost most: {percent(worst.loss)}."]
    yield from learnt(c)


def learnt(c: ReportContext) -> Iterator[Sentence]:
    """How well the first classifier that was tried learns from the release, for somebody who has its recipe; where none
    was tried, what groups of records that look alike say about the decision."""
    tried = {(model["trained"], model["tested"]): model for model in reversed(c.utility.get("models", []))}
    before, after = tried.get(("original", "original")), tried.get(("release", "recoded"))
    if before is not None and after is not None:
        from fairveil.learning.classifiers import spoken

        value, low, high = (percent(after["scores"]["accuracy"][end]) for end in ("value", "low", "high"))
        yield [
            "A ", shown(spoken(after["classifier"])),
            f" that learns from the release predicts {value} of the decisions correctly ({low} to {high}); one that "
            f"learns from the source {percent(before['scores']['accuracy']['value'])}, and always predicting the most "
            f"frequent one is right in {percent(c.utility['guess'])} of the cases.",
        ]  # fmt: skip
    elif c.right_by_group is not None:
        right, guess = map(percent, c.right_by_group)
        own = f"The most frequent decision of a record’s group is the record’s own in {right} of the cases"
        yield [f"{own}, that of all records in {guess}."]


def at_risk(c: ReportContext) -> Iterator[Sentence]:
    after, before = c.measures, c.before
    if c.recipe.invents:
        yield ["No published record is a person’s, so nobody can be picked out by one."]
    elif "highest-risk" in after:
        yield [
            "Somebody who knows a person's values in the recognizable columns, and that the person is in the data, "
            f"picks out the right {c.by_unit('record')} with a chance of at most {percent(after['highest-risk'])}"
            + (f", {percent(after['average-risk'])} on average." if "average-risk" in after else ".")
        ]  # fmt: skip
    if "average-risk" in before:
        highest, average, unique = (percent(before[name]) for name in ("highest-risk", "average-risk", "uniqueness"))
        same = c.by_unit("the same records")
        yield [f"Before, it was up to {highest} for {same}, {average} on average, and {unique} of them were unique."]
    tried = {finding.get("column") for finding in c.findings if finding.get("attack") == "homogeneity"}
    for name, rows in c.same_answer.items():
        if rows and name not in tried:
            share = percent(rows / max(c.rows["published"], 1))
            yield [
                f"{times(rows, 'record')} ({share}) {verb(rows, 'is', 'are')} in groups whose members all have the "
                "same value of ", DataText(name), ": anybody who knows that a person is in one knows it.",
            ]  # fmt: skip
    weaknesses = c.evidence.get("weaknesses", {})
    if weaknesses:
        yield ["Known weaknesses: ", *listed(weaknesses), "."]
    yield from _named("Published untouched, on the assumption that nobody can link them: ", c.schema.untouched)
    yield ["The promises have limits, which are listed under “What is not covered”."]


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


def not_covered(c: ReportContext) -> Iterator[Sentence]:
    """What no release promises, then what each of this one's guards leaves open."""
    if c.schema.untouched:
        untouched = " (published untouched). A column such as a birth date would defeat any promise."
        yield ["That plain columns cannot be linked: ", *_names(c.schema.untouched), untouched]
    yield from ([sentence] for sentence in NO_RELEASE_PROMISES)
    if c.recipe.minimizes:
        yield [MINIMAL]
    for guard in {guard.kind: guard for guard, _ in c.guards}.values():
        if guard.leaves_open:
            yield [f"{guard.kind} leaves open: {guard.leaves_open}."]


def _named(start: str, columns: Sequence[str]) -> list[Sentence]:
    names = _names(columns)
    return [[start, *names, *([] if str(names[-1]).endswith(".") else ["."])]] if names else []


def _names(columns: Sequence[str]) -> list[Any]:
    names = [DataText(name) for name in columns]
    more = [f"{len(names) - MAX_NAMES + 1} more"] if len(names) > MAX_NAMES else []
    return listed([*(names[: MAX_NAMES - 1] if more else names), *more])
