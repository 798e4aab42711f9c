"""α-protective Incognito (Hajian et al., section 6): Tables 5 and 6, Figures 4 to 9."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import fairveil as fv
from experiments import Sheet
from experiments.classifiers import CLASSIFIERS, Split, tree
from experiments.incognito_plots import plot_quality, plot_time
from experiments.study import Study
from fairveil.data.schema import Schema
from fairveil.datasets import Dataset
from fairveil.frontier.candidates import Frontier
from fairveil.guards import Guard
from fairveil.guards.rules.lift import MEASURES
from fairveil.progress import Report
from fairveil.recipes.full_domain import FullDomain

TITLE = "α-protective Incognito: Tables 5 and 6, Figures 4 to 9 of Hajian et al. (paper 000)"

KS = (5, 10, 25, 50, 100)
SUPPORT = 0.05
CONTEXTS = ("quasi",)  # the paper's
PAPER = {
    "adult": {
        "J48": (82.36, 82.01, 82.01),
        "Naïve Bayes": (79.40, 82.01, 82.01),
        "Logistic regression": (82.95, 82.08, 82.08),
        "RIPPER": (82.7, 81.34, 81.34),
        "PART": (82.48, 82.01, 82.01),
    },
    "german_credit": {
        "J48": (74.25, 71.25, 71.25),
        "Naïve Bayes": (71.25, 71.25, 71.25),
        "Logistic regression": (72.15, 71.25, 71.25),
        "RIPPER": (76.94, 71.25, 71.25),
        "PART": (66.46, 71.25, 70.95),
    },
}
GROUNDS = {
    "adult": {
        "DA1": ("race", "sex", "marital-status"),
        "DA2": ("race", "sex"),
        "DA3": ("race", "marital-status"),
    },
    "german_credit": {
        "DA1": ("sex", "marital_status", "foreign_worker"),
        "DA2": ("sex", "marital_status"),
        "DA3": ("sex", "foreign_worker"),
    },
}
SERIES: dict[str, tuple[str, float] | None] = {
    "I: k-anonymity": None,
    "II: DA2, α=1.2": ("DA2", 1.2),
    "III: DA2, α=1.6": ("DA2", 1.6),
    "IV: DA1, α=1.2": ("DA1", 1.2),
    "V: DA1, α=1.6": ("DA1", 1.6),
}
NAMES = {"adult": "Adult", "german_credit": "German Credit"}


@dataclass
class Lab:
    """One data set, and what has been measured on it so far, kept in a file of the output folder."""

    name: str
    data: Dataset
    store: Path
    done: dict[str, Any]

    @classmethod
    def open(cls, name: str, out: Path) -> Lab:
        store = out / f"incognito-{name}.json"
        done = json.loads(store.read_text(encoding="utf-8")) if store.is_file() else {}
        return cls(name, getattr(fv.datasets, name)(), store, done)

    def once(self, key: str, measure: Callable[[], Any]) -> Any:
        if key not in self.done:
            self.done[key] = measure()
            self.store.write_text(json.dumps(self.done, indent=1, ensure_ascii=False), encoding="utf-8")
        return self.done[key]

    def schema(self, grounds: str = "DA1") -> Schema:
        return replace(self.data.schema, protected=GROUNDS[self.name][grounds])

    def search(self, k: int, guard: Guard | None = None, grounds: str = "DA1") -> Frontier:
        guards = [fv.KAnonymity(k), *([guard] if guard else [])]
        return fv.search(self.data.table, self.schema(grounds), guards=guards)

    def series(self, k: int, what: tuple[str, float] | None) -> Frontier:
        if what is None:
            return self.search(k)
        return self.search(k, fv.AlphaProtection(what[1], min_support=SUPPORT, contexts=CONTEXTS), what[0])


def run(study: Study) -> Iterator[Sheet]:
    """Everything is run whole; `full` only repeats the timings more often."""
    out, full, seed, report = study.out, study.full, study.seed, study.tell
    for i, (name, figures) in enumerate({"adult": (4, 6, 8), "german_credit": (5, 7, 9)}.items()):
        lab = Lab.open(name, out)
        report(0.5 * i, f"{NAMES[name]}: times")
        yield _times(lab, out, figures[0], 40 if full else 10)
        report(0.5 * i + 0.1, f"{NAMES[name]}: quality")
        yield _quality(lab, out, figures[1:])
        report(0.5 * i + 0.2, f"{NAMES[name]}: classifiers")
        yield _accuracies(lab, 5 + i, seed, report)
    report(1.0, "done")


def _times(lab: Lab, out: Path, figure: int, repeats: int) -> Sheet:
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

    results = {k: lab.once(f"times {k}", partial(measure, k)) for k in KS}
    plot_time(out / f"figure-{figure}.png", f"Figure {figure}: {NAMES[lab.name]}, time of the search", results)
    rows = [
        [label, *(f"{1e3 * results[k]['seconds'][label]:.1f} ms / {results[k]['solutions'][label]:,}" for k in KS)]
        for label in variants
    ]
    return Sheet(
        f"Figure {figure}: {NAMES[lab.name]}, time / number of solutions (f=slift, DA1, α=1.2, ms=5 % unless said)",
        ["variant", *(f"k={k}" for k in KS)],
        rows,
        [
            "The paper prints no times. As there, α-protection costs little: it is looked at inside the k-anonymous "
            "region only, whatever τ, f and DA.",
        ],
    )


def _quality(lab: Lab, out: Path, figures: Sequence[int]) -> Sheet:
    """GH, DR and CM of the minimal generalization by each, and the accuracy of the tree on that of CM."""
    trained: dict[tuple[int, ...], float] = {}

    def accuracy(frontier: Frontier) -> float:
        recipe = minimal(frontier)
        node = tuple(recipe.levels.values())
        if node not in trained:
            trained[node] = _accuracy_of(lab, recipe, tree, 0)
        return trained[node]

    def measure(k: int, what: tuple[str, float] | None) -> dict[str, float]:
        frontier = lab.series(k, what)
        values = {name: float(frontier.values(name).min()) for name in ("gh", "dr", "cm")}
        return {**values, "ca": accuracy(frontier), "solutions": len(frontier)}

    results = {
        label: {k: lab.once(f"quality {label} {k}", partial(measure, k, what)) for k in KS}
        for label, what in SERIES.items()
    }
    original = lab.once("original ca", partial(_accuracy_of, lab, None, tree, 0))
    for figure, pair in zip(figures, (("gh", "dr"), ("cm", "ca")), strict=True):
        path = out / f"figure-{figure}.png"
        plot_quality(path, f"Figure {figure}: {NAMES[lab.name]}", pair, results, original if "ca" in pair else None)
    rows = [
        [label, *("{gh:.0f} / {dr:.3f} / {cm:.3f} / {ca:.2f}".format(**each[k]) for k in KS)]
        for label, each in results.items()
    ]
    return Sheet(
        f"Figures {figures[0]} and {figures[1]}: {NAMES[lab.name]}, least GH / DR / CM, and accuracy of J48 in percent",
        ["series", *(f"k={k}" for k in KS)],
        rows,
        [f"J48 on the original data: {original:.2f} %. f=slift, τ=|QI|, ms=5 %."],
    )


def minimal(frontier: Frontier) -> FullDomain:
    """The generalization that is minimal by CM."""
    recipe = frontier.recipe(frontier.best_position("cm"))
    assert isinstance(recipe, FullDomain)
    return recipe


def _accuracy_of(
    lab: Lab, recipe: FullDomain | None, classifier: Callable[[Split, int], np.ndarray], seed: int
) -> float:
    """Learn on the training data as published, try on the test data generalized the same way."""
    train, test = lab.data.table, lab.data.test
    assert test is not None
    if recipe is not None:
        train, test = recipe.apply(train).table, recipe.apply(test).table
    split = Split(train, test, lab.data.schema)
    return split.accuracy(classifier(split, seed))


def _accuracies(lab: Lab, number: int, seed: int, report: Report) -> Sheet:
    versions = {
        "original": None,
        "50-anonymous": minimal(lab.series(50, None)),
        "50-anonymous, 1.2-protective": minimal(lab.series(50, ("DA1", 1.2))),
    }
    rows: list[list[str]] = []
    apart: dict[str, list[str]] = {}
    for classifier, learn in CLASSIFIERS.items():
        report(0.5 * (number - 5) + 0.25, f"{NAMES[lab.name]}: {classifier}")
        cells = []
        for (version, recipe), theirs in zip(versions.items(), PAPER[lab.name][classifier], strict=True):
            levels = None if recipe is None else list(recipe.levels.values())
            key = f"accuracy {classifier} {levels} {seed}"
            ours = lab.once(key, partial(_accuracy_of, lab, recipe, learn, seed))
            cells.append(f"{ours:.2f} ({theirs:.2f})")
            if abs(ours - theirs) > 2:
                apart.setdefault(why(lab.name, classifier, version), []).append(
                    f"{classifier}, {version}: {ours - theirs:+.2f} points"
                )
        rows.append([classifier, *cells])
    notes = [f"{'; '.join(cases)}. {reason}" for reason, cases in apart.items()]
    bound = lab.data.schema.bind(lab.data.table)
    for version, recipe in versions.items():
        if recipe is not None:
            kept = [f"{name} at level {level}" for name, level in recipe.levels.items() if level < bound[name].height]
            notes.append(f"{version}: publishes {', '.join(kept)}; all else at the top level")
    notes.append("the hierarchies are ours, with as many levels: the paper had Fung et al.'s and does not print them")
    return Sheet(
        f"Table {number}: {NAMES[lab.name]}, accuracy in percent: ours (the paper's)",
        ["classifier", *versions],
        rows,
        notes,
    )


WHY = {
    (
        "german_credit",
        "anonymous",
    ): "71.25 % is the share of good credits in the test data: what a classifier gets that "
    "says good to all, as the paper's seem to. With our hierarchies two informative columns stay, and those that are "
    "not pruned to one leaf, as J48 is, use them.",
    ("german_credit", "RIPPER"): "Not the program: Weka's own JRip (3.9), on the same records, gives 71.56 % with its "
    "default seed, as ours does, and 68.3 to 76.0 % over 30 seeds. The paper's figure is that of another draw of the "
    "records or the seed.",
    ("german_credit", "PART"): "The paper seems to take existing_credits as a number: then Weka's own PART gives its "
    "66.47 % on our records, and 70.06 % with categories, as everything here is.",
}


def why(name: str, classifier: str, version: str) -> str:
    """What explains a difference of more than two points, as far as looked into."""
    key = classifier if version == "original" else "anonymous"
    return WHY.get((name, key), "Not looked into: it did not occur with the seeds tried.")
