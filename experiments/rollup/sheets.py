"""What joining rules adds, and what an anonymity level leaves (Caruccio et al., Figures 4 to 18 and A.31 to A.33)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.papers import read
from experiments.rollup.runs import READINGS, SHARES, WITH_DECISION, Data, Kept

ByShare = Mapping[float, Kept]
Plain = Mapping[str, float]
UTILITIES = {"accuracy": "C4.5", "svm": "SVM", "ig": "gain"}
POINT = 0.01
NEAR_ZERO = 0.1
"""Of the largest gain that a rule of 5 % of the pairs has: what is below counts as near zero."""
LAST_OF_BASELINE = 4
"""Electricity's rules keep the accuracy and the gain of the table as it is up to this level, the paper says."""


def values(rules: Kept, utility: str, joined: bool | None = None) -> np.ndarray:
    """Of all rules, or of the joined or the extracted ones."""
    all_of_them = np.array(rules[utility], dtype=float)
    return all_of_them if joined is None else all_of_them[np.array(rules["is_joined"], dtype=bool) == joined]


def improvement(rules: Kept, utility: str) -> float:
    """Of joined rules over extracted ones, on average as the paper words it; NaN where nothing was joined."""
    both = [values(rules, utility, joined) for joined in (False, True)]
    return float(both[1].mean() - both[0].mean()) if all(map(len, both)) else float("nan")


def steps(rules: Kept, utility: str) -> dict[int, float]:
    """For every level that is reached, the best value of a rule of at least that level."""
    levels, all_of_them = np.array(rules["level"]), values(rules, utility)
    return {int(level): float(all_of_them[levels >= level].max()) for level in np.unique(levels)}


def joining(data: Data, by_share: ByShare, plain: Plain, others: Mapping[str, ByShare], picture: str) -> Sheet:
    rows = []
    for share, rules in by_share.items():
        cells: list[Any] = [f"{share:.0%}", rules["passing"], sum(rules["is_joined"])]
        for utility in UTILITIES:
            both = [values(rules, utility, joined) for joined in (False, True)]
            cells += [*(f"{part.mean():.4f}" if len(part) else "" for part in both)]
        rows.append(cells)
    columns = ["share", "extracted", "joined"]
    columns += [f"{name}, {kind}" for name in UTILITIES.values() for kind in ("extracted", "joined")]
    spread = [f"{share:.0%}: {_spread(rules)}" for share, rules in by_share.items() if rules["level"]]
    compared: dict[str, Any] = {}
    if data.of_paper:
        figures = {"electricity": (4, 7, 10), "adult": (5, 8, 11), "bank": (6, 9, 12)}[data.name]
        compared = {"of": [f"Figure {number}" for number in figures]}
        if data.whole:
            claims = _joining_claims(data.name, by_share, others)
            compared |= asked(compared["of"], _joining_numbers(by_share, plain), claims)
    return Sheet(
        f"{data.label}: what joining rules adds, means by share of the pairs", columns, rows,
        [*_about(data), "Rules of at least level 2. Standard deviations: " + "; ".join(spread),
         "Almost the same: at least four fifths of the rules within half a point of the median"],
        pictures=[picture], not_bundled=data.files, **compared,
    )  # fmt: skip


def _spread(rules: Kept) -> str:
    return ", ".join(f"{name} {values(rules, utility).std():.4f}" for utility, name in UTILITIES.items())


def _about(data: Data) -> list[str]:
    rows = data.task.table.rows
    return (
        []
        if data.whole
        else [f"{rows:,} of {data.rows_of_all:,} rows, drawn at random: levels are those of the sample"]
    )


def _joining_numbers(by_share: ByShare, plain: Plain) -> dict[str, float]:
    extracted = np.concatenate([values(rules, "accuracy", False) for rules in by_share.values()])
    return {"extracted rules": float(100 * extracted.mean()), "not anonymized": 100 * plain["accuracy"]}


def _joining_claims(name: str, by_share: ByShare, others: Mapping[str, ByShare]) -> dict[str, bool]:
    better = {u: {share: improvement(rules, u) for share, rules in by_share.items()} for u in UTILITIES}
    low = [share for share in by_share if share < 0.5]
    holds = {
        "C4.5 gains below 50 %": all(better["accuracy"][share] > 0 for share in low),
        "C4.5 does not gain at 50 %": not better["accuracy"].get(0.5, 0.0) > 0,
        "very limited": all(not gained > POINT for gained in better["accuracy"].values()),
        "no rule at 50 %": 0.5 in by_share and not by_share[0.5]["level"],
        "over 75 %": all(values(by_share[share], "accuracy", False).mean() > 0.75 for share in low),
        "SVM spreads less": all(
            values(rules, "svm").std() < values(rules, "accuracy").std()
            for rules in by_share.values()
            if rules["level"]
        ),
        "SVM gains at 5 %": better["svm"][min(by_share)] > 0,
        "SVM almost the same": all(_alike(rules) >= 0.8 for rules in by_share.values() if rules["level"]),
        "gain grows": all(not gained <= 0 for gained in better["ig"].values()),
    }
    if "electricity" in others and name != "electricity":
        first = {share: improvement(rules, "accuracy") for share, rules in others["electricity"].items()}
        holds["less than Electricity"] = all(
            better["accuracy"][share] < first[share] for share in low if share in first
        )
    return holds


def asked(figures: Sequence[str], ours: Mapping[str, float], holds: Mapping[str, bool]) -> dict[str, Any]:
    """Of numbers and claims those that the paper has of these figures."""
    printed = [sheet for sheet in read("rollup").printed if sheet.name in figures]
    return {
        "ours": {what: value for what, value in ours.items() if any(what in sheet.numbers for sheet in printed)},
        "holds": {what: bool(held) for what, held in holds.items() if any(what in sheet.claims for sheet in printed)},
    }


def _alike(rules: Kept) -> float:
    svm = values(rules, "svm")
    return float((np.abs(svm - np.median(svm)) <= POINT / 2).mean())


def tradeoff(data: Data, by_share: ByShare, plain: Plain, figures: list[str], picture: str) -> Sheet:
    """What a level leaves: the largest level of each share, its rule, and the best of every utility."""
    rows: list[list[Any]] = []
    for share, rules in by_share.items():
        if not rules["level"]:
            rows.append([f"{share:.0%}", *["none"] * 3, *[""] * 9])
            continue
        top = int(np.argmax(rules["level"]))
        row: list[Any] = [f"{share:.0%}", rules["level"][top], rules["rules"][top], rules["k"][top]]
        for utility in UTILITIES:
            best = list(steps(rules, utility).values())
            row += [f"{best[0]:.4f}", f"{best[-1]:.4f}"]
        rows.append([*row, *(near_zero_from(by_share, share, gain) or "never" for gain in GAINS)])
    columns = ["share", "largest level", "its rule", "its k"]
    columns += [f"{name}, {end}" for name in UTILITIES.values() for end in ("best", "at largest")]
    compared: dict[str, Any] = {}
    if data.of_paper:
        compared = {"of": figures}
        if data.whole:
            compared |= asked(figures, _levels(by_share), _tradeoff_claims(by_share, plain))
    return Sheet(
        f"{data.label}: what an anonymity level leaves, by share of the pairs",
        [*columns, *(f"near zero from ({words})" for words in GAINS.values())], rows,
        [*_about(data), "level: the fewest rows that are alike in the rule's columns and in the decision, as the paper "
         "counts; k: the same of the quasi columns, which is k-anonymity",
         f"not anonymized: C4.5 {plain['accuracy']:.4f}, SVM {plain['svm']:.4f}, gain {plain['ig']:.4f}",
         f"near zero: the level from which the gain is less than {NEAR_ZERO:.0%} of the largest of the rules of 5 %, "
         "for three ways to make one number of the gains of a rule's columns; the first is the one compared",
         "losses of accuracy are compared in whole percents",
         *_against_printed(data, by_share)],
        pictures=[picture], not_bundled=data.files, **compared,
    )  # fmt: skip


def _against_printed(data: Data, by_share: ByShare) -> list[str]:
    """Electricity: what is kept up to level 4, which the paper says is its baseline of 75 %."""
    if data.name != "electricity" or not data.whole:
        return []
    words = []
    for share, rules in by_share.items():
        best = steps(rules, "accuracy")
        within = [value for level, value in best.items() if level <= LAST_OF_BASELINE]
        beyond = [value for level, value in best.items() if level > LAST_OF_BASELINE]
        words.append(f"{share:.0%}: {min(within):.4f} up to level {LAST_OF_BASELINE}, {max(beyond):.4f} beyond")
    return ["best accuracy of a rule, " + "; ".join(words)]


GAINS = {"ig": "mean", "largest ig": "best column", "joint ig": "all together"}
"""How the gains of a rule's columns may become one number."""


def near_zero_from(by_share: ByShare, share: float, gain: str = "ig") -> int | None:
    """The lowest level of this share's rules from which no rule has more gain than near zero."""
    most = max(by_share[min(by_share)][gain], default=0.0)
    return next((level for level, best in steps(by_share[share], gain).items() if best < NEAR_ZERO * most), None)


def _levels(by_share: ByShare) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for share, rules in by_share.items():
        if rules["level"]:
            numbers[f"largest level, {share:.0%}"] = max(rules["level"])
            numbers[f"gain near zero from, {share:.0%}"] = near_zero_from(by_share, share) or max(rules["level"]) + 1
            gains = steps(rules, "ig")
            high = [level for level, best in gains.items() if best >= NEAR_ZERO * max(by_share[min(by_share)]["ig"])]
            numbers[f"last level of high gain, {share:.0%}"] = max(high, default=0)
            numbers[f"accuracy up to level 4, {share:.0%}"] = 100 * min(
                (best for level, best in steps(rules, "accuracy").items() if level <= LAST_OF_BASELINE), default=0.0
            )
    return numbers


def _tradeoff_claims(by_share: ByShare, plain: Plain) -> dict[str, bool]:
    some = {share: rules for share, rules in by_share.items() if rules["level"]}
    best = {u: {share: list(steps(rules, u).values()) for share, rules in some.items()} for u in UTILITIES}
    lost = [round(100 * (plain["accuracy"] - value)) for line in best["accuracy"].values() for value in line]
    tops = {share: max(rules["level"]) for share, rules in some.items()}
    return {
        "accuracy falls": all(line[0] > line[-1] for line in best["accuracy"].values()),
        "SVM falls": all(line[0] > line[-1] for line in best["svm"].values()),
        "gain falls": all(line[0] > line[-1] for line in best["ig"].values()),
        "gain falls faster": all(
            best["ig"][share][-1] / best["ig"][share][0] < best["accuracy"][share][-1] / best["accuracy"][share][0]
            for share in some
        ),
        "highest at 5 %": max(tops, key=lambda share: tops[share]) == min(by_share),
        "no rule at 50 %": 0.5 in by_share and 0.5 not in some,
        "baseline kept up to 4": all(_kept(rules, "accuracy", plain, POINT) for rules in some.values()),
        "baseline gain kept up to 4": all(
            _kept(rules, "ig", plain, NEAR_ZERO * plain["ig"]) for rules in some.values()
        ),
        "none at the baseline": all(line[0] < plain["accuracy"] for line in best["accuracy"].values()),
        "loss of 5 to 10": min(lost) >= 5 and max(lost) <= 10,
        "loss of at most 1": max(lost) <= 1,
    }


def _kept(rules: Kept, utility: str, plain: Plain, allowed: float) -> bool:
    return all(
        best >= plain[utility] - allowed for level, best in steps(rules, utility).items() if level <= LAST_OF_BASELINE
    )


def losses(data: Data, by_share: ByShare, baseline: float) -> bool:
    """Whether what the text says of Figures 13 to 15 holds for this accuracy of the table as it is."""
    plain = {"accuracy": baseline, "svm": 1.0, "ig": 1.0}
    claim = {"electricity": "baseline kept up to 4", "adult": "loss of 5 to 10", "bank": "loss of at most 1"}
    best = max(max(rules["accuracy"]) for rules in by_share.values() if rules["level"])
    return baseline >= best - POINT and bool(_tradeoff_claims(by_share, plain)[claim[data.name]])


def levels_sheet(readings: Mapping[str, Kept], files: list[str]) -> Sheet:
    """The largest level by what the sampling and k may mean, beside what the paper prints."""
    figures = {"electricity": "Figure 13", "adult": "Figure 14", "bank": "Figure 15"}
    printed = {sheet.name: sheet.numbers for sheet in read("rollup").printed}
    wanted = [
        (name, share, int(printed[figures[name]][key]))
        for name in readings
        for share in SHARES
        if (key := f"largest level, {share:.0%}") in printed[figures[name]]
    ]
    rows: list[list[Any]] = [["the paper", *(level for _, _, level in wanted), ""]]
    for reading in READINGS:
        for label in (WITH_DECISION, ""):
            ours = [readings[name]["readings"][reading + label][str(share)] for name, share, _ in wanted]
            same = sum(one == level for one, (_, _, level) in zip(ours, wanted, strict=True))
            rows.append([reading + label, *ours, f"{same} of {len(wanted)}"])
    return Sheet(
        "Largest anonymity level of an extracted rule, by what the paper's sampling and its k may mean",
        ["reading", *(f"{name} {share:.0%}" for name, share, _ in wanted), "as printed"], rows,
        ["The first reading is the one used. It was found by trying these six against the printed levels."],
        not_bundled=files,
    )  # fmt: skip
