"""fairveil utility: the utility of a release, by models and statistics compared with the original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import HowToRead, Json, reading, split
from fairveil.errors import BadInput
from fairveil.plural import counted, verb

if TYPE_CHECKING:
    from fairveil.evaluation.utility import Utility

TRIED = {
    "release": "models learnt from the release and were tested on {test} of others",
    "recipe": "{test} of the original {were} set aside for testing; models learnt from the other {train:,}, as "
    "the recipe publishes them (it was made with all: a plan's [utility] repeats the search without the test rows)",
    "search": "{test} {were} set aside, the search was repeated with the other {train:,}, and models learnt from "
    "what it would publish (loss {loss:.3f}); the release itself holds all rows",
}


@reading
def utility(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.")],
    original: Annotated[Path, typer.Option(metavar="FILE", help="The data that was published.")],
    test: Annotated[
        str, typer.Option(metavar="FILE|SHARE", help="People who are not in it; or set a share of the original aside.")
    ] = "0.3",
    classifiers: Annotated[
        list[str], typer.Option(metavar="NAMES", help="Classifiers to train; tree and logistic if not given.")
    ] = [],  # noqa: B006
    queries: Annotated[int, typer.Option(min=1, metavar="N", help="Random counting queries to compare.")] = 500,
    resamples: Annotated[int, typer.Option(min=2, metavar="N", help="Resamples of the test rows for intervals.")] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="For splitting, sampling and training.")] = 0,
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    csv: Annotated[bool, typer.Option("--csv", help="Print the scores as CSV.")] = False,
    json: Json = False,
) -> int:
    """Measure what a release is good for.

    DIR is the release folder. Classifiers learn from the release and from the original and are tested on the same
    people; counts, distributions and associations are compared (docs/utility.md). Files are read as the source of the
    release was, unless options say otherwise. Nothing is written.
    """
    from fairveil.cli.terminal import say_json, working
    from fairveil.evaluation.utility import utility as utility_of
    from fairveil.learning.classifiers import USUAL, by_name
    from fairveil.learning.folds import need_share
    from fairveil.published.folder import load_recipe
    from fairveil.release.disclosure import plainly

    if csv and json:
        raise BadInput("--csv or --json, not both")
    share = _share(test)
    if share is not None:
        need_share(share, "--test")
    with working(f"trying {folder.name}", frames=True) as progress:
        untrained = by_name(split(classifiers) or USUAL)
        read = load_recipe(folder).schema.read
        table = how.table(original, read)
        tested_on = share if share is not None else how.table(test, read)
        measured = utility_of(
            folder, table, tested_on, classifiers=untrained, queries=queries, resamples=resamples, seed=seed,
            progress=progress,
        )  # fmt: skip
    if json:
        say_json({"path": str(folder), **plainly(measured)})
    elif csv:
        _print_csv(measured)
    else:
        show(measured)
    return 0


def _share(test: str) -> float | None:
    """The share as a number; None for a file."""
    try:
        return float(test)
    except ValueError:
        return None


def show(utility: Utility, *, brief: bool = False) -> None:
    """Print the results of models and statistics as tables; `brief` omits groups and columns."""
    from fairveil.cli.terminal import say, say_table, share

    if utility.guess is None:
        say("no column is the decision, so there is nothing for models to learn: only statistics are compared")
    else:
        _show_models(utility, brief=brief)
    if utility.survival is not None:
        survival = utility.survival
        median, mean = (_interval(survival.queries[name]) for name in ("median", "mean"))
        say(f"{survival.asked:,} random counts: half are off by at most {median}, on average by {mean}")
        if not brief:
            say_table(
                ["column", "distance of the distributions"], [[n, share(v)] for n, v in survival.marginals.items()]
            )
        say(f"association of two columns (Cramér's V): changed by {survival.association_error:.3f} on average")


def _show_models(utility: Utility, *, brief: bool) -> None:
    from fairveil.cli.terminal import say, say_table, share
    from fairveil.learning.scores import SCORES

    tested, were = counted(utility.test_rows, "row"), verb(utility.test_rows, "was", "were")
    say(TRIED[utility.learnt].format(test=tested, were=were, train=utility.train_rows, loss=utility.loss or 0.0))
    say_table(
        ["classifier", "learnt from", "tested on", *SCORES, "accuracy lost"],
        [
            [m.classifier, m.trained, m.tested, *(_interval(m.scores[name]) for name in SCORES),
             "–" if m.trained == "original" else _interval(m.lost["accuracy"])]
            for m in utility.models
        ],
    )  # fmt: skip
    unknown = f"; {counted(utility.unpublished, 'test row')} could not be recoded" if utility.unpublished else ""
    say(f"always saying the most frequent decision is right in {share(utility.guess or 0.0)} of the rows{unknown}")
    rows = _groups(utility)
    if rows and not brief:
        say_table(
            ["classifier", "learnt from", "tested on", "by", "favourable decisions", "gap", "equalised odds"], rows
        )


def _groups(utility: Utility) -> Sequence[Sequence[Any]]:
    """For every model and protected column: each group's results, and the gap between groups."""
    from fairveil.cli.terminal import share

    return [
        [m.classifier, m.trained, m.tested, fairness.column,
         ", ".join(f"{group['group']} {share(group['positive'])}" for group in fairness.groups),
         share(fairness.scores["demographic-parity-difference"]), share(fairness.scores["equalised-odds-difference"])]
        for m in utility.models
        for fairness in m.fairness
    ]  # fmt: skip


def _interval(estimate: Any) -> str:
    from math import isfinite

    ends = (estimate.value, estimate.low, estimate.high)
    return "{:.3f} ({:.3f} to {:.3f})".format(*ends) if all(map(isfinite, ends)) else "–"


def _print_csv(utility: Utility) -> None:
    from fairveil.cli.terminal import say_csv

    rows = utility.rows()
    if not rows:
        raise BadInput(
            "there are no scores to print: the schema names no decision, so no model was trained; use --json"
        )
    names = list(rows[0])
    say_csv([names, *([_blank(row.get(name)) for name in names] for row in rows)])


def _blank(value: object) -> object:
    return "" if value is None else value
