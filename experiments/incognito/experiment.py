"""α-protective Incognito (Hajian et al., section 6): Tables 5 and 6, Figures 4 to 9; what is beyond is in
`beyond.py`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import fairveil as fv
from experiments import Sheet
from experiments.incognito import beyond
from experiments.incognito.classifiers import CLASSIFIERS, tree
from experiments.incognito.lab import CONTEXTS, NAMES, RANDOM, SUPPORT, Lab, accuracy_of
from experiments.incognito.plots import plot_quality, plot_time
from experiments.study import Study
from fairveil.frontier.frontier import Frontier
from fairveil.guards.rules.lift import MEASURES
from fairveil.recipes.full_domain import FullDomain

TITLE = "α-protective Incognito: Tables 5 and 6, Figures 4 to 9 of Hajian et al. (2014)"

SERIES: dict[str, tuple[str, float] | None] = {
    "I: k-anonymity": None,
    "II: DA2, α=1.2": ("DA2", 1.2),
    "III: DA2, α=1.6": ("DA2", 1.6),
    "IV: DA1, α=1.2": ("DA1", 1.2),
    "V: DA1, α=1.6": ("DA1", 1.6),
}


def run(study: Study) -> Iterator[Sheet]:
    """Everything is run whole but for the timings, which `full` repeats more often, and the seeds of RIPPER."""
    names = study.pick(tiny=("german_credit",), quick=tuple(NAMES), full=tuple(NAMES))
    for i, name in enumerate(names):
        lab, part = Lab.open(name, study), partial(_within, study, i, len(names))
        first = 4 + (name == "german_credit")
        part(0.0, f"{NAMES[name]}: times")
        yield times(lab, first, study.pick(tiny=1, quick=3, full=40))
        part(0.2, f"{NAMES[name]}: Algorithm 1, its checks counted")
        yield beyond.checks(lab, first)
        part(0.3, f"{NAMES[name]}: quality")
        yield quality(lab, first + 2, first + 4)
        part(0.5, f"{NAMES[name]}: classifiers")
        yield accuracies(lab, first + 1, part)
        part(0.9, f"{NAMES[name]}: the price where a protected column is published")
        yield beyond.price(lab)
        if name == "german_credit":
            yield beyond.choices(lab)
            yield beyond.groupings(lab)
    yield beyond.other_measures([Lab.open(name, study) for name in names])
    study.tell(0.95, "extensions of section 7")
    yield beyond.extensions(Lab.open(names[0], study))


def _within(study: Study, place: int, places: int, share: float, what: str) -> None:
    study.tell(0.95 * (place + share) / places, what)


def times(lab: Lab, figure: int, repeats: int) -> Sheet:
    """Processor seconds of whole searches, best of several, all variants of one k by turns."""
    width = len(lab.data.schema.quasi)
    variants: dict[str, tuple[str, fv.AlphaProtection | None]] = {"Incognito": ("DA1", None)}
    for tau in sorted({2, 4, 6, 8, width}):
        variants[f"τ={tau}"] = ("DA1", fv.AlphaProtection(1.2, "slift", SUPPORT, tau, CONTEXTS))
    variants |= {f: ("DA1", fv.AlphaProtection(1.2, f, SUPPORT, contexts=CONTEXTS)) for f in MEASURES}
    variants |= {
        grounds: (grounds, fv.AlphaProtection(1.2, "slift", SUPPORT, contexts=CONTEXTS))
        for grounds in ("DA1", "DA2", "DA3")
    }

    def measure(k: int) -> dict[str, Any]:
        best: dict[str, float] = {}
        numbers: dict[str, int] = {}
        for _ in range(repeats + 1):  # the first round compiles
            for label, (grounds, guard) in variants.items():
                started = time.process_time()
                solutions = lab.search(k, guard, grounds)
                best[label] = min(best.get(label, np.inf), time.process_time() - started)
                numbers[label] = len(solutions)
        return {"seconds": best, "solutions": numbers}

    results = {k: lab.once({"what": "times", "k": k, "repeats": repeats}, partial(measure, k)) for k in lab.ks}
    picture = f"figure-{figure}.png"
    plot_time(lab.study.out / picture, f"Figure {figure}: {NAMES[lab.name]}, time of our search", results)
    rows = [
        [label, *(f"{1e3 * results[k]['seconds'][label]:.1f} ms / {results[k]['solutions'][label]:,}" for k in lab.ks)]
        for label in variants
    ]
    return Sheet(
        f"Times of our own search on {NAMES[lab.name]}, with numbers of solutions",
        ["variant", *(f"k={k}" for k in lab.ks)],
        rows,
        [
            "f=slift, DA1, α=1.2, minimum support 5 % unless said. The paper prints no times, and what it claims about "
            "time is about its Algorithm 1: see the sheet with its checks. Ours looks at α-protection only inside the "
            "k-anonymous region and does not get faster by it.",
        ],
        pictures=[picture],
    )


def quality(lab: Lab, general: int, classified: int) -> Sheet:
    """GH, DR and CM of the minimal generalization by each, and the accuracy of the tree on that of CM."""

    def measure(k: int, what: tuple[str, float] | None) -> dict[str, float]:
        frontier = lab.series(k, what)
        values = {name: float(frontier.values(name).min()) for name in ("gh", "dr", "cm")}
        ties = int((frontier.values("cm") <= values["cm"] + 1e-12).sum())
        return {**values, "ca": accuracy_of(lab, minimal(frontier), tree, 0), "ties": ties}

    results = {
        label: {k: lab.once({"what": "quality", "series": label, "k": k}, partial(measure, k, what)) for k in lab.ks}
        for label, what in SERIES.items()
    }
    original = lab.once({"what": "original ca"}, partial(accuracy_of, lab, None, tree, 0))
    pictures = [f"figure-{general}.png", f"figure-{classified}.png"]
    for picture, number, pair in zip(pictures, (general, classified), (("gh", "dr"), ("cm", "ca")), strict=True):
        base = original if "ca" in pair else None
        plot_quality(lab.study.out / picture, f"Figure {number}: {NAMES[lab.name]}", pair, results, base)
    rows = [
        [label, *("{gh:.0f} / {dr:.3f} / {cm:.3f} / {ca:.2f}".format(**each[k]) for k in lab.ks)]
        for label, each in results.items()
    ]
    plain, *others = results.values()
    worse = [each[k][m] - plain[k][m] for each in others for k in lab.ks for m in ("gh", "dr", "cm")]
    rising = all(np.diff([each[k][m] for k in lab.ks]).min(initial=0) >= -1e-12
                 for each in results.values() for m in ("gh", "dr"))  # fmt: skip
    gain = max(each[k]["ca"] - plain[k]["ca"] for each in others for k in lab.ks)
    tied = [int(each[k]["ties"]) for each in results.values() for k in lab.ks]
    return Sheet(
        f"Quality on {NAMES[lab.name]}, least GH / DR / CM and accuracy of J48 in percent",
        ["series", *(f"k={k}" for k in lab.ks)],
        rows,
        [
            f"J48 on the original data: {original:.2f} %. f=slift, τ=|QI|, minimum support 5 %.",
            f"Ties: {max(tied)} at most share the least CM. Of equal ones the first that the search visits is taken: "
            "it goes through each column from its top level down, so that is one of the more general.",
            f"The largest gain in accuracy of an α-protective table over the k-anonymous one is {gain:+.2f} points.",
        ],
        of=[f"Figure {general}", f"Figure {classified}"],
        holds={"no better by GH, DR": min(worse) >= -1e-12, "no better by CM": min(worse) >= -1e-12,
               "rises with k": rising, "hardly more accurate": gain <= 1.0},
        pictures=pictures,
    )  # fmt: skip


def minimal(frontier: Frontier) -> FullDomain:
    """The generalization that is minimal by CM."""
    recipe = frontier.recipe(frontier.best_position("cm"))
    assert isinstance(recipe, FullDomain)
    return recipe


def accuracies(lab: Lab, number: int, part: Callable[[float, str], None]) -> Sheet:
    """Tables 5 and 6; of learners that draw at random, every cell with its range over seeds."""
    study = lab.study
    versions = {
        "original": None,
        "50-anonymous": minimal(lab.series(50, None)),
        "50-anonymous, 1.2-protective": minimal(lab.series(50, ("DA1", 1.2))),
    }
    few, many = (3, 10) if lab.name == "adult" else (8, 30)  # one takes half a minute on Adult
    tried = study.pick(tiny=1, quick=few, full=many)
    rows, ours = [], {}
    for place, (classifier, learn) in enumerate(CLASSIFIERS.items()):
        part(0.5 + 0.4 * place / len(CLASSIFIERS), f"{NAMES[lab.name]}: {classifier}")
        if study.size == "tiny" and classifier in RANDOM:
            continue
        cells = []
        for version, recipe in versions.items():
            levels = None if recipe is None else list(recipe.levels.values())
            of = {"what": "accuracy", "classifier": classifier, "levels": levels}
            seeds = range(study.seed, study.seed + (tried if classifier in RANDOM else 1))
            values = [lab.once({**of, "draw": s}, partial(accuracy_of, lab, recipe, learn, s)) for s in seeds]
            ours[f"{classifier}, {version}"] = values[0]
            spread = f" ({min(values):.2f} to {max(values):.2f})" if len(values) > 1 else ""
            cells.append(f"{values[0]:.2f}{spread}")
        rows.append([classifier, *cells])
    notes = [
        f"In brackets: the range over {tried} seeds of {', '.join(RANDOM)}, which draws at random; the others do not."
    ]
    bound = lab.data.schema.bind(lab.data.table)
    for version, recipe in versions.items():
        if recipe is not None:
            kept = [f"{name} at level {level}" for name, level in recipe.levels.items() if level < bound[name].height]
            notes.append(f"{version}: publishes {', '.join(kept)}; all else at the top level")
    same = versions["50-anonymous"] == versions["50-anonymous, 1.2-protective"]
    if same:
        notes.append(
            "The last two columns are the same table: the 50-anonymous one of least CM publishes no protected column, "
            "so it is α-protective as it is. They tell nothing about the price of α-protection: the next sheet does."
        )
    notes.append("The hierarchies are ours, with as many levels: the paper had Fung et al.'s and does not print them.")
    return Sheet(
        f"Accuracy on {NAMES[lab.name]}, in percent", ["classifier", *versions], rows, notes,
        of=[f"Table {number}"], ours=ours, holds={"no significant difference": _alike(ours)},
    )  # fmt: skip


def _alike(ours: Mapping[str, float]) -> bool:
    """Whether no classifier is two points apart on the two anonymous tables."""
    pairs = [(v, ours[f"{w}, 1.2-protective"]) for w, v in ours.items() if w.endswith(", 50-anonymous")]
    return all(abs(one - other) <= 2 for one, other in pairs)
