"""DMPD against TDS and TDR: Tables 1 to 6 and Fig. 12 of Matatov, Rokach and Maimon (2010), ours beside theirs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.evaluation import bonferroni_dunn, combined_f_test, friedman, surface
from fairveil.guards import KAnonymity
from fairveil.reproduce import Sheet
from fairveil.reproduce.decomposition_paper import TABLE_1, TABLE_2, TABLES_3_TO_6
from fairveil.reproduce.decomposition_runs import Case, Runs, dmpd, file_of, prepared, schema_of
from fairveil.table import Column, Table

TITLE = "DMPD: columns split instead of values blurred, against TDS and TDR (Matatov, Rokach and Maimon 2010)"
INDUCERS = ("tree", "naive-bayes")
HEAD_1 = ("data", "inducer", "k", "paper", "dmpd", "difference", "dmpd+")
QUICK_DATA = ("vote", "heart", "pima")
METHODS = ("dmpd", "dmpd+", "tds", "tdr")
WHY = (
    "Accuracy in percent, mean of 5×2 cross-validation. dmpd is the paper's algorithm; dmpd+ also keeps k rows in "
    "every interval of numbers and suppresses single rare values.",
    "Trees are CART with entropy on 0/1 columns, not C4.5 with multiway splits: it branches finer on many categories "
    "(Nursery, Cmc: higher baselines) and prunes differently.",
    "Where TDR is above the paper's by more than two points, numbers are split by our own search, not by the "
    "authors' program; the halves and the ranking of the features differ as well.",
    "The paper's own deviations, up to 16 points (German Credit, k=50), show how far single halves lie apart.",
)

WHY_1 = (
    "Vote: a missing vote is a value of its own here, and too rare for k (11 of 435 for physician-fee-freeze), so the "
    "column is lost; the paper does not say what it does with missing values. dmpd+ suppresses the value instead.",
    "Other differences above two points are not explained one by one: the ranking that chooses the quasi-identifier, "
    "the halves and the tree are ours, and the quick form searches 15 generations of 20, not 100 of 50.",
)


def run(
    out: Path, *, full: bool = False, seed: int = 0, progress: Callable[[float, str], object] | None = None
) -> list[Sheet]:
    """All tables; the quick form takes some data sets, small populations, and a sample of Adult."""
    out.mkdir(parents=True, exist_ok=True)
    runs = Runs(out / ("decomposition-full.json" if full else "decomposition.json"), full, seed)
    cases = list(_cases(full))
    for done, case in enumerate(cases):
        if progress is not None:
            progress(0.9 * done / len(cases), f"{case.data}, top {case.top}, k={case.k}, {case.inducer}, {case.method}")
        runs.of(case)
    sheets = [_table_1(runs, full), *_comparisons(runs, full)]
    _tell(progress, 0.9, "runtime by rows")
    sheets.append(_table_2(out, full, seed))
    _tell(progress, 0.95, "accuracy against anonymity")
    sheets.append(_figure_12(out, full, seed))
    _tell(progress, 1.0, "done")
    return sheets


def _tell(progress: Callable[[float, str], object] | None, share: float, what: str) -> None:
    if progress is not None:
        progress(share, what)


def _data(full: bool) -> list[str]:
    return [name for name in (TABLE_1 if full else QUICK_DATA) if file_of(name)]


def _ks(data: str, full: bool) -> tuple[int, ...]:
    ks = TABLE_1[data][0]
    return ks if full else (ks[0], ks[-1])


def _tops(full: bool) -> tuple[int, ...]:
    return (5, 7, 9) if full else (9,)


def _compared(data: str, full: bool) -> tuple[int, ...]:
    """The values of k in Tables 3 to 6; a sample of Adult stands only the smallest."""
    return _ks(data, full) if full or data != "adult" else (50,)


def _cases(full: bool) -> Iterator[Case]:
    for data in _data(full):
        for inducer in INDUCERS:
            yield Case(data, _top(data), 1, inducer, "baseline")
            for k in (1, *_ks(data, full)):
                yield Case(data, _top(data), k, inducer, "dmpd")
                if k > 1:  # without a promise there is nothing to recode
                    yield Case(data, _top(data), k, inducer, "dmpd+")
    for data in ("german_credit", "adult"):
        for top in _tops(full):
            for inducer in INDUCERS:
                for k in _compared(data, full):
                    yield from (Case(data, top, k, inducer, method) for method in METHODS)


def _top(data: str) -> int:
    return 8 if data in ("nursery", "pima") else 9


def _cell(runs: Runs, case: Case) -> str:
    found = runs.of(case)
    return f"{found.mean():.2f} ± {found.std():.2f}"


def _table_1(runs: Runs, full: bool) -> Sheet:
    rows: list[Sequence[Any]] = []
    for data in _data(full):
        ks, printed = TABLE_1[data]
        for inducer in INDUCERS:
            paper = dict(zip((0, 1, *ks), printed[inducer], strict=True))
            for k in (0, 1, *_ks(data, full)):  # 0: the baseline
                case = Case(data, _top(data), max(k, 1), inducer, "dmpd" if k else "baseline")
                gap = runs.of(case).mean() - paper[k]
                more = _cell(runs, replace(case, method="dmpd+")) if k > 1 else ""
                rows.append((data, inducer, k or "baseline", f"{paper[k]:.2f}", _cell(runs, case), f"{gap:+.2f}", more))
    absent = [name for name in TABLE_1 if file_of(name) is None]
    notes = [*WHY[:2], *WHY_1, "Portfolio is a bank's own data and not public."]
    if absent:
        notes.append(f"Left out, their files were not found (set FAIRVEIL_DATA to their folder): {', '.join(absent)}.")
    return Sheet("Table 1: accuracy by k", HEAD_1, rows, notes)


def _comparisons(runs: Runs, full: bool) -> list[Sheet]:
    sheets, scores = [], []
    for data in ("adult", "german_credit"):
        rows: list[Sequence[Any]] = []
        for top in _tops(full):
            for inducer in INDUCERS:
                for k in _compared(data, full):
                    at = TABLE_1[data][0].index(k)
                    found = {method: runs.of(Case(data, top, k, inducer, method)) for method in METHODS}
                    scores += list(np.column_stack([found[m].ravel() for m in METHODS]))
                    shown = [f"{found[m].mean():.2f}{_star(found, m)}" for m in METHODS]
                    paper = [f"{TABLES_3_TO_6[data, m][top][inducer][at]:.2f}" for m in ("dmpd", "tds", "tdr")]
                    rows.append((f"top{top}", inducer, k, *paper, *shown))
        number = "Tables 3 and 4" if data == "adult" else "Tables 5 and 6"
        notes = [*WHY, "* significantly below dmpd+, ^ significantly above it (combined 5×2 F test, 95 %)."]
        if not full and data == "adult":
            notes.append("The quick form draws 6,000 rows of Adult, so k=50 is four times as strict as in the paper.")
        head = ("quasi", "inducer", "k", "paper dmpd", "paper tds", "paper tdr", *METHODS)
        sheets.append(Sheet(f"{number}: {data}", head, rows, notes))
    return [*sheets, _tests(np.array(scores))]


def _star(found: dict[str, np.ndarray], method: str) -> str:
    if method == "dmpd+":
        return ""
    test = combined_f_test(found["dmpd+"], found[method])
    return "" if not test.significant else "*" if test.difference > 0 else "^"


def _tests(scores: np.ndarray) -> Sheet:
    """The paper's test over all cases and halves, for either form of DMPD: adjusted Friedman, then Bonferroni-Dunn."""
    rows, ranks = [], []
    for form, column in (("dmpd", 0), ("dmpd+", 1)):
        three = scores[:, [column, 2, 3]]
        overall, against = friedman(three), bonferroni_dunn(three, 0)
        said = f"{overall.statistic:.2f}", f"{overall.p_value:.2g}"
        rows.append((f"adjusted Friedman with {form}", f"F{overall.degrees}", "56.79", *said))
        for other, name, paper in ((1, "TDS", "-6.53"), (2, "TDR", "-15.84")):
            said = f"{against[other].statistic:.2f}", f"{against[other].p_value:.2g}"
            rows.append((f"{form} against {name}", "z", paper, *said))
        ranks.append(", ".join(f"{n} {r:.2f}" for n, r in zip((form, "TDS", "TDR"), overall.ranks, strict=True)))
    notes = [f"Mean ranks (1 is best): {'; '.join(ranks)}. Below 0, DMPD is the better one.",
             "Each half counts as a case, as in the paper, though the halves of one data set are not independent.",
             "dmpd+ was given its form after seeing TDR ahead of dmpd on Adult and German Credit, so on these two it "
             "is no blind comparison.",
             "By the formulas of Demšar (2006) the paper's two z values imply F of about 265, not 56.79."]  # fmt: skip
    return Sheet("Over all cases of Tables 3 to 6", ("test", "statistic", "paper", "ours", "p"), rows, notes)


def expanded(table: Table, factor: int, seed: int) -> Table:
    """Every row, and factor - 1 rows for each whose values are drawn at random from their domains (section 5.6)."""
    rng = np.random.default_rng(seed)
    extra = table.rows * (factor - 1)
    columns = [
        Column(column.name, np.concatenate([column.codes, rng.integers(0, len(column.values), extra)]), column.values)
        for column in table.columns
    ]
    return Table(tuple(columns))


def _table_2(out: Path, full: bool, seed: int) -> Sheet:
    table, quasi = prepared("german_credit", True)
    schema = schema_of(table, quasi[:5], {})
    method = dmpd("tree", full, False, **({} if full else {"generations": 6, "population": 12, "folds": 3}))
    guards = [KAnonymity(10)]
    method.partition(table.take(np.arange(200)), schema, guards)  # imported and compiled from here on
    repeats = 10 if full else 3
    measured = []
    for factor in TABLE_2:
        bigger = expanded(table, factor, seed)
        started, trained = time.process_time(), 0
        for repeat in range(repeats):
            trained += method.partition(bigger, schema, guards, seed=seed + repeat).trained
        spent = (time.process_time() - started) / repeats
        measured.append((factor, bigger.rows, spent, trained / repeats))
    rows = [
        (n, TABLE_2[factor], f"{seconds / 60:.3f}", f"{trained:.0f}", f"{1e3 * seconds / trained:.1f}")
        for factor, n, seconds, trained in measured
    ]
    sizes, seconds, trained = np.array([entry[1:] for entry in measured]).T
    whole, each = (np.corrcoef(sizes, values)[0, 1] ** 2 for values in (seconds, seconds / trained))
    _plot_runtime(out / "decomposition-runtime.png", sizes, 1e3 * seconds / trained)
    head = ("rows", "paper, minutes", "ours, minutes", "subsets trained", "ms per subset")
    note = (
        f"Processor time, mean of {repeats} runs. A straight line explains {whole:.1%} of the minutes and {each:.1%} "
        "of the time per subset; how many subsets a search meets is chance, the more so the shorter it is."
    )
    short = [] if full else ["A short search: 6 generations of 12, 3 folds, instead of 100 of 50."]
    return Sheet("Table 2: runtime", head, rows, [note, *short, "Plot: decomposition-runtime.png"])


def _figure_12(out: Path, full: bool, seed: int) -> Sheet:
    data, tops, repeats = ("adult", (5, 9), 10) if full else ("german_credit", (9,), 5)
    table, ranked = prepared(data, full)
    rows: list[Sequence[Any]] = []
    panels = []
    for top in tops:
        method = dmpd("tree", full, False, objective="pareto", keep=1_000)
        schema = schema_of(table, ranked[:top], {})
        fronts = []
        for repeat in range(repeats):
            found = method.partition(table, schema, [], seed=seed + repeat)
            reached = [recipe.apply(table).summary(schema).smallest[0] for recipe in found.recipes]
            fronts.append(np.column_stack([found.accuracies, reached]))
        surfaces = {name: surface(fronts, share) for name, share in (("worst", 0.0), ("median", 0.5), ("best", 1.0))}
        panels.append((f"{data.replace('_', ' ').title()}, top {top} features quasi", surfaces))
        levels, median = surfaces["median"]
        rows += [(f"top{top}", f"{level:,.0f}", f"{accuracy:.2%}") for level, accuracy in _some(levels, median)]
    _plot_surfaces(out / "decomposition-frontier.png", panels, repeats)
    notes = [f"Median attainment surface of {repeats} runs; accuracy in the search's own cross-validation.",
             "Plot: decomposition-frontier.png"]  # fmt: skip
    return Sheet(f"Fig. 12: accuracy against anonymity level, {data}", ("quasi", "k at least", "accuracy"), rows, notes)


def _some(levels: np.ndarray, values: np.ndarray, most: int = 12) -> list[tuple[float, float]]:
    """Points of a surface where it falls, at most a dozen."""
    known = ~np.isnan(values)
    levels, values = levels[known], values[known]
    falls = np.flatnonzero(np.append(np.diff(values) < 0, True))
    chosen = falls[np.unique(np.linspace(0, len(falls) - 1, min(most, len(falls))).astype(int))]
    return [(float(levels[i]), float(values[i])) for i in chosen]


def _plot_runtime(path: Path, sizes: np.ndarray, times: np.ndarray) -> None:
    from fairveil.reproduce.decomposition_plots import runtime

    runtime(path, sizes, times)


def _plot_surfaces(path: Path, panels: list[tuple[str, dict[str, tuple[np.ndarray, np.ndarray]]]], runs: int) -> None:
    from fairveil.reproduce.decomposition_plots import surfaces

    surfaces(path, panels, runs)
