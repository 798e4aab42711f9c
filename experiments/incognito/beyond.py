"""What the paper claims about its Algorithm 1, counted; the price of α-protection; section 7's extensions, measured."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import fairveil as fv
from experiments import Sheet
from experiments.incognito.algorithm1 import Counted
from experiments.incognito.classifiers import CLASSIFIERS, tree
from experiments.incognito.lab import CONTEXTS, GROUNDS, NAMES, RANDOM, SUPPORT, Lab, accuracy_of
from fairveil.frontier.frontier import Frontier
from fairveil.guards.rules.lift import MEASURES
from fairveil.methods.task import Task
from fairveil.recipes.full_domain import FullDomain

ALPHA = 1.2
GRANULARITIES = (2, 4, 6, 8)
EPSILONS = (0.1, 1.0, 10.0)
CLOSE = 0.25
"""Counts that differ by no more than this share are taken as not substantially different."""


def checks(lab: Lab, figure: int) -> Sheet:
    """Algorithm 1 written out: frequency sets computed for k-anonymity, itemsets for α-protection."""
    width = len(lab.data.schema.quasi)
    taus = sorted({*lab.study.pick(tiny=(2,), quick=GRANULARITIES, full=GRANULARITIES), width})
    variants: dict[str, dict[str, Any]] = {"Incognito": {}}
    whole = {"alpha": ALPHA, "share": SUPPORT, "tau": width}
    for tau in taus:
        variants[f"τ={tau}"] = {**whole, "measure": "slift", "tau": tau, "grounds": "DA1"}
    variants |= {f: {**whole, "measure": f, "grounds": "DA1"} for f in MEASURES}
    grounds = lab.study.pick(tiny=("DA1",), quick=tuple(GROUNDS[lab.name]), full=tuple(GROUNDS[lab.name]))
    variants |= {g: {**whole, "measure": "slift", "grounds": g} for g in grounds}
    task = Task.of(lab.data.table, lab.schema(), [fv.KAnonymity(2), fv.AlphaProtection(ALPHA, contexts=("quasi",))])
    counted = Counted(task.lattice, lab.schema())

    def count(k: int) -> dict[str, list[int]]:
        results = {}
        for label, settings in variants.items():
            lab.study.progress.check()
            given = dict(settings)
            protected = GROUNDS[lab.name][given.pop("grounds")] if given else ()
            ran = counted.run(k, protected=protected, **given)
            results[label] = [ran.anonymity, ran.protection, ran.solutions]
        return results

    done = {k: lab.once({"what": "checks", "k": k}, partial(count, k)) for k in lab.ks}
    cost = {label: [sum(done[k][label][:2]) for k in lab.ks] for label in variants}
    rows = [[v, *("{:,} + {:,} / {:,}".format(*done[k][v]) for k in lab.ks)] for v in variants]
    plain = np.array(cost["Incognito"])
    gaps = np.abs(np.array(cost[f"τ={width}"]) - plain)
    slower = [tau for tau in taus if (np.array(cost[f"τ={tau}"]) > plain).any()]
    elift, slift = (np.array(cost[f]) for f in ("elift", "slift"))
    protective = np.array([each for label, each in cost.items() if label != "Incognito"])
    holds = {
        "faster as k grows": all((np.diff(each) <= 0).all() for each in cost.values()),
        "the difference falls with k": bool((np.diff(gaps) <= 0).all()),
        "elift is faster than slift": bool((elift <= slift).all()),
        "elift and slift are close": bool((np.abs(elift / slift - 1) <= CLOSE).all()),
        "mostly faster than Incognito": bool((protective <= plain).mean() > 0.5),
    }
    if lab.name == "german_credit":
        holds["always faster than Incognito"] = all((np.array(each) <= plain).all() for each in cost.values())
    else:
        holds["slower only for τ of 6 or 8"] = set(slower) <= {6, 8}
    return Sheet(
        f"Algorithm 1 on {NAMES[lab.name]}, frequency sets for k-anonymity + itemsets for α-protection / solutions",
        ["variant", *(f"k={k}" for k in lab.ks)], rows,
        [
            f"f=slift, DA1, τ=|QI|={width}, α={ALPHA}, minimum support 5 % unless said. What is counted is what the "
            "algorithm must compute from the data, so it does not depend on a machine; the paper measured seconds.",
            f"Contradicted of section 6.2: {'; '.join(what for what, true in holds.items() if not true) or 'nothing'}. "
            f"Of {protective.size} cells {int((protective <= plain).sum())} need no more than Incognito. Close is read "
            f"as at most {CLOSE:.0%} apart.",
            f"More is computed than by Incognito, for some k, with τ of {', '.join(map(str, slower)) or 'none'}.",
            f"At k={lab.ks[0]} {', '.join(f'{f} needs {cost[f][0]:,}' for f in MEASURES)}. A table that keeps a "
            "measure more easily loses fewer nodes in small subsets, so more are left to check in larger ones.",
        ],
        of=[f"Figure {figure}"], holds=holds,
    )  # fmt: skip


def price(lab: Lab) -> Sheet:
    """The best by CM that still publishes a protected column: k-anonymous, and α-protective as well."""
    names = list(lab.data.schema.quasi)
    heights = {name: levels.height for name, levels in lab.data.schema.bind(lab.data.table).items()}

    def best(k: int, alpha: float | None) -> dict[str, Any]:
        guard = None if alpha is None else fv.AlphaProtection(alpha, min_support=SUPPORT, contexts=CONTEXTS)
        frontier = lab.search(k, guard)
        tops = np.array([heights[name] for name in names])
        protected = [names.index(name) for name in lab.schema().protected]
        kept = np.flatnonzero((frontier.nodes[:, protected] < tops[protected]).any(axis=1))
        if not len(kept):
            return {"solutions": 0}
        cm = frontier.values("cm")[kept]
        recipe = frontier.recipe(int(kept[int(cm.argmin())]))
        assert isinstance(recipe, FullDomain)
        shown = [name for name, level in recipe.levels.items() if level < heights[name]]
        return {"solutions": len(kept), "cm": float(cm.min()), "shown": shown,
                "ca": accuracy_of(lab, recipe, tree, 0)}  # fmt: skip

    rows: list[list[Any]] = []
    for k in (5, 50):
        for alpha in (None, 2.0, 1.6, 1.2):
            found = lab.once({"what": "price", "k": k, "alpha": alpha}, partial(best, k, alpha))
            label = "k-anonymous" if alpha is None else f"{alpha:g}-protective, too"
            if found["solutions"]:
                numbers = [f"{found['cm']:.4f}", f"{found['ca']:.2f}", ", ".join(found["shown"])]
                rows.append([k, label, found["solutions"], *numbers])
            else:
                rows.append([k, label, 0, "", "", ""])
    return Sheet(
        f"The price of α-protection on {NAMES[lab.name]}, among generalizations that publish a protected column",
        ["k", "promise", "generalizations", "least CM", "accuracy of J48", "published below the top"], rows,
        ["f=slift, DA1, minimum support 5 %. No generalization: to be α-protective, every protected column must go."],
    )  # fmt: skip


def choices(lab: Lab) -> Sheet:
    """Whether another choice among the 50-anonymous generalizations gives the paper's figures of Table 6."""
    learners = {name: learn for name, learn in CLASSIFIERS.items() if name not in RANDOM}
    frontier = lab.series(50, None)
    heights = {name: levels.height for name, levels in lab.data.schema.bind(lab.data.table).items()}
    cm, nodes = frontier.values("cm"), frontier.nodes
    lowest = [i for i, node in enumerate(nodes) if ((nodes <= node).all(axis=1)).sum() == 1]
    by_measure = {f"least {name.upper()}": int(frontier.values(name).argmin()) for name in ("cm", "gh", "dr")}

    def recipe_of(position: int) -> FullDomain:
        recipe = frontier.recipe(position)
        assert isinstance(recipe, FullDomain)
        return recipe

    def measured(position: int) -> dict[str, float]:
        return {name: accuracy_of(lab, recipe_of(position), learn, 0) for name, learn in learners.items()}

    results = {}
    lowest = lowest[: lab.study.pick(tiny=1, quick=len(lowest), full=len(lowest))]
    for i in sorted({*lowest, *by_measure.values()}):
        results[i] = lab.once({"what": "choice", "node": nodes[i].tolist()}, partial(measured, i))
    assert lab.data.test is not None
    answers = lab.data.test.column(str(lab.data.schema.decision)).codes
    largest = 100 * np.bincount(answers).max() / len(answers)
    empty = [i for i, each in results.items() if all(abs(value - largest) < 0.005 for value in each.values())]
    if empty:
        by_measure["least CM of those that tell nothing"] = min(empty, key=lambda i: cm[i])
    rows = [
        [
            label, ", ".join(f"{name} {level}" for name, level in recipe_of(i).levels.items() if level < heights[name]),
            f"{cm[i]:.4f}", *(f"{value:.2f}" for value in results[i].values()),
        ]
        for label, i in by_measure.items()
    ]  # fmt: skip
    return Sheet(
        f"Table 6 by other choices on {NAMES[lab.name]}, 50-anonymous, accuracy in percent",
        ["choice", "published below the top, at level", "CM", *learners], rows,
        [
            f"{largest:.2f} % is what a classifier gets that always gives the most frequent answer of the test data.",
            f"{len(nodes)} generalizations are 50-anonymous; {len(lowest)} of them have none below them. Of these and "
            f"those of the least GH and DR, {len(empty)} of {len(results)} give all these classifiers just that share.",
        ],
    )  # fmt: skip


def groupings(lab: Lab) -> Sheet:
    """Every grouping of the values of two columns, in place of the paper's, which are not printed."""
    schema, tied = lab.schema(), ("checking_status", "credit_history")
    domains = {name: [str(value) for value in lab.data.table.column(name).domain] for name in tied}
    middle = {name: [g for g in partitions(domain) if 1 < len(g) < len(domain)] for name, domain in domains.items()}
    pairs = list(product(*middle.values()))
    pairs = pairs[: lab.study.pick(tiny=3, quick=len(pairs), full=len(pairs))]

    def least() -> list[list[float]]:
        """The least CM of 50-anonymous tables and of 50-anonymous 1.2-protective ones, for each."""
        found = []
        alpha = fv.AlphaProtection(ALPHA, min_support=SUPPORT, contexts=CONTEXTS)
        for groups in pairs:
            rules = {
                name: fv.hierarchy.from_rows([(value, " or ".join(group), "*") for group in each for value in group])
                for name, each in zip(tied, groups, strict=True)
            }
            tried = replace(schema, hierarchies={**schema.hierarchies, **rules})
            guards = ([fv.KAnonymity(50)], [fv.KAnonymity(50), alpha])
            found.append([float(fv.search(lab.data.table, tried, guards=g).values("cm").min()) for g in guards])
        return found

    results = np.array(lab.once({"what": "groupings", "of": len(pairs)}, least))
    denied = np.isin(lab.data.table.column(str(schema.decision)).domain, schema.denied_values)
    bad = float(denied[lab.data.table.column(str(schema.decision)).codes].mean())
    silent = (results >= bad - 1e-9).mean(axis=0)
    rows = [[version, len(pairs), f"{100 * share:.1f} %", f"{least:.4f}"]
            for version, share, least in zip(("50-anonymous", "50-anonymous, 1.2-protective"), silent,
                                             results.min(axis=0), strict=True)]  # fmt: skip
    return Sheet(
        f"Table 6 by other hierarchies on {NAMES[lab.name]}, all groupings of two columns",
        ["table", "groupings", "in which no class of any such table has most credits bad", "least CM of all"], rows,
        [
            f"All middle levels of {' and '.join(tied)}, {' times '.join(str(len(m)) for m in middle.values())};"
            " all other columns as they are. The paper does not print its hierarchies.",
            f"Where the least CM is the share of bad credits ({bad:.4f}), no published class has mostly bad credits. "
            "Whichever table is chosen, a classifier of the classes then says good to all, and is right for the share "
            "of good credits in the test data, which is what the paper prints.",
        ],
    )  # fmt: skip


def partitions(values: list[str]) -> list[list[list[str]]]:
    """Return every way to group values."""
    if not values:
        return [[]]
    first, *rest = values
    return [
        joined
        for groups in partitions(rest)
        for joined in (
            [[first], *groups],
            *([*groups[:i], [first, *groups[i]], *groups[i + 1 :]] for i in range(len(groups))),
        )
    ]


def other_measures(labs: list[Lab]) -> Sheet:
    """Section 6.3: the same for other discrimination measures, and both data sets side by side."""

    def least(lab: Lab, k: int, f: str | None) -> list[float]:
        guard = None if f is None else fv.AlphaProtection(ALPHA, f, min_support=SUPPORT, contexts=CONTEXTS)
        frontier = lab.search(k, guard)
        return [float(frontier.values(name).min()) for name in ("gh", "dr", "cm")]

    found = {
        (lab.name, f): np.array(
            [lab.once({"what": "least", "k": k, "f": f}, partial(least, lab, k, f)) for k in lab.ks]
        )
        for lab in labs
        for f in (None, *MEASURES)
    }
    alike = [
        (each >= found[name, None] - 1e-12).all() and (np.diff(each[:, :2], axis=0) >= -1e-12).all()
        for (name, f), each in found.items()
        if f is not None
    ]
    holds = {"similar trend": all(alike)}
    if len(labs) == 2:
        adult, german = (
            np.array([each[:, 2] for (name, _), each in found.items() if name == lab.name]) for lab in labs
        )
        holds["higher on German Credit"] = bool((german > adult).all())
    rows = [
        [NAMES[name], f or "k-anonymity alone", *("{:.0f} / {:.3f} / {:.3f}".format(*each) for each in by_k)]
        for (name, f), by_k in found.items()
    ]
    head = ["data", "f", *(f"k={k}" for k in labs[0].ks)]
    note = (
        f"Least GH / DR / CM. DA1, α={ALPHA}, τ=|QI|, minimum support 5 %. Similar: never better than k-anonymity "
        "alone, and GH and DR rise with k."
    )
    return Sheet("Section 6.3: other discrimination measures", head, rows, [note], of=["Section 6.3"], holds=holds)


def extensions(lab: Lab) -> Sheet:
    """Section 7, which the paper describes and does not measure."""
    data, schema = lab.data, lab.schema()
    alpha = fv.AlphaProtection(ALPHA, min_support=SUPPORT, contexts=CONTEXTS)
    sensitive = "occupation" if lab.name == "adult" else "purpose"
    quasi = tuple(name for name in schema.quasi if name != sensitive)
    apart = replace(schema, quasi=quasi, sensitive=(sensitive,),
                    hierarchies={n: r for n, r in schema.hierarchies.items() if n in quasi})  # fmt: skip
    hidden = tuple(name for name in schema.protected if name != "foreign_worker")[:2]
    without = replace(schema, quasi=tuple(n for n in schema.quasi if n not in hidden), protected=hidden, drop=hidden,
                      hierarchies={n: r for n, r in schema.hierarchies.items() if n not in hidden})  # fmt: skip
    legal = [name for name in schema.quasi if name not in schema.protected][:2]

    def tried(what: str) -> list[str]:
        guards: list[Any] = [fv.KAnonymity(5)]
        if what == "ℓ-diversity":
            frontier = fv.search(data.table, apart, guards=[*guards, alpha, fv.DistinctDiversity(3)])
            return _headline(frontier, len(fv.search(data.table, apart, guards=[*guards, alpha])))
        if what == "t-closeness":
            frontier = fv.search(data.table, apart, guards=[*guards, alpha, fv.TCloseness(0.3)])
            return _headline(frontier, len(fv.search(data.table, apart, guards=[*guards, alpha])))
        if what == "no redlining":
            knowledge = fv.background_knowledge(data.table, hidden, columns=without.quasi, confidence=0.7)
            if not knowledge:
                return ["no column stands for them with a confidence of 0.7", "", ""]
            guard = fv.NoRedlining(ALPHA, min_support=SUPPORT, contexts=CONTEXTS, knowledge=knowledge, confidence=0.7)
            frontier = fv.search(data.table, without, guards=[*guards, guard])
            told = _headline(frontier, len(fv.search(data.table, without, guards=guards)))
            return [f"{told[0]}; stand for them: {', '.join(guard.indirect)}", *told[1:]]
        guard_of = fv.SituationTesting(tuple(legal), limit=0.05)
        plain = fv.search(data.table, schema, guards=guards)
        share = plain.values(guard_of.measure())
        keeps = np.flatnonzero(share <= 0.05)
        best = float(plain.values("cm")[keeps].min()) if len(keeps) else float("nan")
        return [f"{len(keeps):,} of {len(plain):,}", f"{best:.4f}", f"{float(plain.values('cm').min()):.4f}"]

    asked = {
        "7.1.1 ℓ-diversity": (f"3 values of {sensitive}, α-protective", "ℓ-diversity"),
        "7.1.1 t-closeness": (f"t=0.3 on {sensitive}, α-protective", "t-closeness"),
        "7.2.1 no redlining": (f"{', '.join(hidden)} not published", "no redlining"),
        "7.2.2 situation testing": (f"at most 5 % unexplained by {', '.join(legal)}", "situation testing"),
    }
    rows = []
    for label, (words, what) in asked.items():
        lab.study.progress.check()
        rows.append([label, words, *lab.once({"what": "extension", "which": what}, partial(tried, what))])
    for epsilon in lab.study.pick(tiny=(1.0,), quick=EPSILONS, full=EPSILONS):
        told = lab.once(
            {"what": "extension", "which": "noise", "epsilon": epsilon}, partial(_noisy, lab, alpha, epsilon)
        )
        rows.append(["7.1.2 differential privacy", f"ε={epsilon:g}, α-protective", *told])
    return Sheet(
        f"Section 7 on {NAMES[lab.name]}, k=5 and α={ALPHA} unless said",
        ["extension", "promise", "solutions", "least CM", "least CM without it"], rows,
        ["The paper describes these extensions and measures none. Noise has no seed, so those rows differ from run to "
         "run; their CM is that of the noisy table."],
    )  # fmt: skip


def _headline(frontier: Frontier, without: int) -> list[str]:
    return [f"{len(frontier):,} of {without:,}", f"{float(frontier.values('cm').min()):.4f}", ""]


def _noisy(lab: Lab, alpha: fv.AlphaProtection, epsilon: float) -> list[str]:
    schema = lab.schema()
    method = fv.NoisyTable(epsilon=epsilon, public=(*schema.quasi, str(schema.decision)))
    try:
        frontier = fv.search(lab.data.table, schema, guards=[alpha], method=method)
    except fv.Infeasible:
        return ["none", "", ""]
    free = fv.search(lab.data.table, schema, guards=[fv.KAnonymity(2)], method=method)
    return [f"{len(frontier):,}", f"{float(frontier.values('cm').min()):.4f}", f"{float(free.values('cm').min()):.4f}"]
