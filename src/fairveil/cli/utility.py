"""fairveil utility: the utility of a release, by models and statistics compared with the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

from fairveil.cli.options import (
    ORIGINAL,
    Given,
    How,
    Json,
    OriginalTable,
    PublishedAt,
    PublishedIn,
    ReleaseFolder,
    flag,
    is_database,
    number_of,
    opt,
    reading,
    split,
    taking,
)
from fairveil.cli.terminal import say, say_csv, say_json, say_table, share, working
from fairveil.errors import BadInput, refuse
from fairveil.messages import counted, verb
from fairveil.run.sections import Tryout
from fairveil.settings import settings_of

if TYPE_CHECKING:
    from fairveil.evaluation.mined_patterns import MinedPatterns
    from fairveil.evaluation.utility import Utility

MAX_GROUPS = 12
"""Groups of a protected column whose decisions are listed; `--json` has all."""
TRIED = {
    "release": "models learnt from the release and were tested on {test} of others",
    "recipe": "{test} of the original {were} set aside for testing; models learnt from the other {train:,}, as "
    "the recipe publishes them (it was made with all: a plan's [utility] repeats the search without the test rows)",
    "search": "{test} {were} set aside, the search was repeated with the other {train:,}, and models learnt from "
    "what it would publish (loss {loss:.3f}); the release itself holds all rows",
}


@reading
@taking("options", settings_of(Tryout), defaults=True)
def utility(
    folder: ReleaseFolder,
    *,
    original: Annotated[str, opt("FILE", ORIGINAL)],
    options: Given,
    how: How,
    original_table: OriginalTable = None,
    published: PublishedAt = None,
    table: PublishedIn = None,
    csv: Annotated[bool, flag("--csv", "Print the scores as CSV.")] = False,
    json: Json = False,
) -> int:
    """Measure what a release is good for.

    Classifiers learn from the release and from the original and are tested on the same
    people; counts, distributions and associations are compared (docs/utility.md). Files are read as the source of the
    release was, unless options say otherwise. Nothing is written.
    """
    from fairveil.evaluation.utility import utility as utility_of
    from fairveil.learning.classifiers import by_name, problems_of
    from fairveil.learning.folds import need_share
    from fairveil.published.folder import open_release
    from fairveil.release.disclosure import plainly

    if csv and json:
        raise BadInput("--csv or --json, not both")
    tryout = Tryout(**options)
    test = number_of(str(tryout.test))
    if not isinstance(test, str):
        need_share(test, "--test")
    refuse(problems_of(split(tryout.classifiers)))
    opened = open_release(folder)
    schema = opened.recipe.schema
    with working(f"trying {folder.name}", frames=schema.decision is not None) as progress:
        untrained = None if schema.decision is None else by_name(split(tryout.classifiers))
        read = schema.read
        # a file is not read here: of a large one, only a sample is
        people = how.original(original, original_table, schema) if is_database(original) or original_table else original
        measured = utility_of(
            opened, people, how.table(test, read) if isinstance(test, str) else test,
            classifiers=untrained, queries=tryout.queries, resamples=tryout.resamples, hidden=tryout.hidden,
            seed=tryout.seed or 0, published=published, table=table, dialect=how.header(original, read)[1],
            progress=progress,
        )  # fmt: skip
    if json:
        say_json({"path": str(folder), **plainly(measured)})
    elif csv:
        rows = measured.rows()
        if not rows:
            raise BadInput("there are no scores: the schema names no decision, so no model was trained; use --json")
        names = list(rows[0])
        say_csv([names, *(["" if row.get(name) is None else row[name] for name in names] for row in rows)])
    else:
        show(measured)
    return 0


def show(utility: Utility, *, brief: bool = False) -> None:
    """Print the results of models and statistics as tables; `brief` omits groups and columns."""
    if utility.sampled:
        sample, rows = utility.sampled
        say(f"of the {rows:,} rows of the release a random sample of {sample:,} was used, and at most as many of the "
            "original: differences include chance")  # fmt: skip
    if utility.guess is None:
        say("no column is the decision, so there is nothing for models to learn: only statistics are compared")
    else:
        _show_models(utility, brief=brief)
    if utility.survival is not None:
        survival = utility.survival
        median, mean = (_interval(survival.queries[name]) for name in ("median", "mean"))
        say(f"{survival.asked:,} random counts: half are off by at most {median}, on average by {mean}")
        if not brief:
            say_table(["column", "distance of distributions"], [[n, share(d)] for n, d in survival.marginals.items()])
        say(f"association of two columns (Cramér's V): changed by {survival.association_error:.3f} on average")
    if utility.patterns is not None:
        _show_patterns(utility.patterns)


def _show_patterns(patterns: MinedPatterns) -> None:
    if patterns.kept is not None:
        held = f"{share(patterns.kept)} hold in the release"
        added = "" if patterns.added is None else f"; {share(patterns.added)} of the release's rules are not in it"
        say(f"{counted(patterns.rules, 'association rule')} of the original: {held}{added}")
    if patterns.agreement is not None:
        say(f"clusters (k-means) agree with those of the original by {patterns.agreement:.2f} (adjusted Rand index)")


def _show_models(utility: Utility, *, brief: bool) -> None:
    from fairveil.learning.scores import SCORES

    tested, were = counted(utility.test_rows, "row"), verb(utility.test_rows, "was", "were")
    say(TRIED[utility.learnt].format(test=tested, were=were, train=utility.train_rows, loss=utility.loss or 0.0))
    rows = [[m.classifier, m.trained, m.tested, *(_interval(m.scores[name]) for name in SCORES),
             "–" if m.trained == "original" else _interval(m.lost["accuracy"])] for m in utility.models]  # fmt: skip
    say_table(["classifier", "learnt from", "tested on", *SCORES, "accuracy lost"], rows)
    unknown = f"; {counted(utility.unpublished, 'test row')} could not be recoded" if utility.unpublished else ""
    say(f"always predicting the most frequent decision is right in {share(utility.guess or 0.0)} of the rows{unknown}")
    groups = [
        [m.classifier, m.trained, m.tested, fairness.column,
         _favoured(fairness.groups),
         share(fairness.scores["demographic-parity-difference"]), share(fairness.scores["equalised-odds-difference"]),
         "–" if m.individual.consistency is None else share(m.individual.consistency),
         share(m.individual.counterfactual.get(fairness.column, 0.0))]
        for m in utility.models if m.individual is not None
        for fairness in m.fairness
    ]  # fmt: skip
    if groups and not brief:
        head = ["classifier", "learnt from", "tested on", "by", "favourable decisions", "gap", "equalised odds",
                "similar people alike", "changes with the group"]  # fmt: skip
        say_table(head, groups)


def _favoured(groups: Sequence[Mapping[str, Any]]) -> str:
    """The share of favourable decisions in the largest groups, in their order, and how many others there are."""
    largest = sorted(range(len(groups)), key=lambda place: -groups[place]["rows"])[:MAX_GROUPS]
    told = [f"{groups[place]['group']} {share(groups[place]['positive'])}" for place in sorted(largest)]
    others = len(groups) - len(told)
    return ", ".join(told) + (f" and {counted(others, 'smaller group')}" if others else "")


def _interval(estimate: Any) -> str:
    ends = (estimate.value, estimate.low, estimate.high)
    return "{:.3f} ({:.3f} to {:.3f})".format(*ends) if all(map(isfinite, ends)) else "–"
