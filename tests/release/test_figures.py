"""The figures of a release against the same figures computed plainly, and what they may depend on."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.rounding import MIN_ROWS, STEPS, coarse_share
from fairveil.methods import METHODS, Method
from fairveil.release.claims import lost, measured, summary_of
from fairveil.release.figures import with_source
from fairveil.release.release import publish
from tests.contracts.people import contents, quick, search, source
from tests.known import ANY_DANGER, levels_of, source_rows_of
from tests.randomly import drawn_case

AGE = fv.hierarchy.intervals([0, 100], widths=(10, 50))


def evidence_of(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("seed", range(12))
def test_the_evidence_against_plain_arithmetic(seed: int, tmp_path: Path) -> None:
    """Of random tables with listed hierarchies, everything is computed again from the CSV file with pandas alone."""
    case = drawn_case(seed)
    found = fv.search(case.table, case.schema, guards=[fv.KAnonymity(2, suppression=0.3)])
    for number in {0, len(found) // 2, len(found) - 1}:
        release = found.release(number)
        evidence = evidence_of(release.save(tmp_path / str(number), accept=ANY_DANGER).path)
        frame = pd.read_csv(tmp_path / str(number) / "data.csv", dtype=str, keep_default_na=False)
        quasi, rows = list(case.schema.quasi), evidence["rows"]
        sizes = frame.groupby(quasi).size() if len(frame) else pd.Series(dtype=int)
        left = rows["suppressed"]
        whole = len(frame) + left
        assert rows == {"source": whole, "dropped_for_missing_values": 0, "suppressed": left, "published": len(frame)}
        if not len(frame):
            continue
        measures = evidence["measures"]
        assert measures["k"] == sizes.min() and measures["highest-risk"] == pytest.approx(1 / sizes.min())
        assert measures["average-risk"] == pytest.approx(len(sizes) / len(frame))
        assert measures["dm"] == (sizes**2).sum() + left * whole
        assert measures["class-size"] == pytest.approx(whole / (len(sizes) + (left > 0)))
        lost = {name: plain_loss(case, name, level, frame, left) for name, level in levels_of(release).items()}
        assert evidence["loss_per_column"] == pytest.approx(lost)
        assert measures["loss"] == pytest.approx(np.mean(list(lost.values())))
        assert "measures.loss" not in evidence["from_source"]
        kept = [case.rows[row] for row in source_rows_of(release)]
        coarse = coarse_share(plain_entropy(case, frame, kept, left), len(kept))
        assert measures.get("entropy", 0.0) == pytest.approx(coarse)
        before = pd.DataFrame(kept, columns=case.names).groupby(quasi).size()
        assert release.risk_before["average-risk"] == round(len(before) / len(kept), 3)


def plain_loss(case: Any, name: str, level: int, frame: pd.DataFrame, left: int) -> float:
    paths = case.paths(name)
    under = pd.Series([path[level] for path in paths]).value_counts()
    paid = sum((under[value] - 1) / max(len(paths) - 1, 1) for value in frame[name])
    return float((paid + left) / (len(frame) + left))


def bits(values: list[Any]) -> float:
    shares = pd.Series(values).value_counts(normalize=True)
    return float(-(shares * np.log2(shares)).sum())


def plain_entropy(case: Any, frame: pd.DataFrame, kept: list[Any], left: int) -> float:
    hidden = total = 0.0
    for name in case.schema.quasi:
        own = pd.Series([row[case.names.index(name)] for row in kept])
        hidden += sum(bits(list(part)) * len(part) for _, part in own.groupby(frame[name].to_numpy()))
        hidden, total = hidden + bits(list(own)) * left, total + bits(list(own)) * (len(kept) + left)
    return hidden / total if total else 0.0


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_figures_of_the_source_are_coarse_and_named(method: type[Method], tmp_path: Path) -> None:
    """A step of each figure is worth ten rows: times the number of rows, none is a count of the source."""
    release = search(quick(method), source()).release(0)
    evidence = evidence_of(release.save(tmp_path / "out", accept=ANY_DANGER).path)
    rows = evidence["rows"]["published"]
    for name in evidence["from_source"]:
        head, _, rest = name.partition(".")
        assert_coarse(evidence[head][rest], rows)
    assert method is fv.NoisyTable or "measures.entropy" in evidence["from_source"]
    assert "measures.k" not in evidence["from_source"] and "risk_before" not in evidence
    facts = evidence.get("facts", {})
    for name in ("information_loss", "sse_over_sst"):
        if name in facts:
            assert_coarse(facts[name], rows)
    for value in facts.get("positive_ratios", {}).get("before", {}).values():
        assert_coarse(value, rows / 2)
    for value in facts.get("labels_changed", {}).values():
        assert value % MIN_ROWS == 0
    for note in evidence["notes"]:
        for number in re.findall(r"about ([\d.]+)", note):
            assert_coarse(float(number), rows)


def assert_coarse(value: float, rows: float) -> None:
    """The value is a multiple of a step that at least ten rows make up, or of one half where there are few rows."""
    assert any(
        math.isclose(value * steps, round(value * steps), abs_tol=1e-9) for steps in STEPS
        if steps == 2 or rows >= steps * MIN_ROWS
    ), (value, rows)  # fmt: skip


@pytest.mark.parametrize("method", [fv.Incognito(), fv.Mondrian(), fv.MDAV(), fv.TDS()], ids=lambda m: m.kind)
@pytest.mark.parametrize("rows", [60, 400])
def test_who_knows_all_but_one_value_learns_nothing_from_the_figures(method: Method, rows: int) -> None:
    """An attacker tries each age that the person may have, and keeps those that give the published figures."""
    guessed = found = 0.0
    for seed in range(2):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({
            "age": rng.integers(20, 60, rows), "zip": [f"{z:02d}" for z in rng.integers(0, 40, rows)],
            "sex": rng.choice(["f", "m"], rows), "credit": rng.choice(["yes", "no"], rows),
        })  # fmt: skip
        rules = {"age": fv.hierarchy.intervals([20, 60], widths=(10, 20)), "zip": fv.hierarchy.mask(2)}
        schema = fv.Schema(quasi=["age", "zip", "sex"], decision="credit", denied="no", hierarchies=rules)
        guards = [fv.KAnonymity(5)]
        release = fv.search(frame, schema, guards=guards, method=method).release(0)
        known = figures_of(release)
        assert known and release.source_rows is not None
        for person in rng.choice(release.source_rows, 2, replace=False):
            fits = []
            for age in sorted({frame.loc[person, "age"], *range(20, 60, 3)}):
                other = frame.copy()
                other.loc[person, "age"] = age
                tried = publish(other, schema, guards, release.judged.change)
                if method.kind != "mdav" and not tried.to_frame().equals(release.to_frame()):
                    continue  # the published rows rule it out (a mean of a group does so for every other value)
                fits.append((figures_of(tried) == known, other.loc[person, "age"] == frame.loc[person, "age"]))
            guessed += 1 / len(fits)
            found += sum(fit and true for fit, true in fits) / max(sum(fit for fit, _ in fits), 1)
    assert found <= 1.5 * guessed


def figures_of(release: fv.Release) -> list[float]:
    published = release.published
    whole, stated = with_source(summary_of(published), release), summary_of(published)
    known = {**measured(whole), **lost(whole, published)}
    named = {**measured(stated), **lost(stated, published)}
    return [coarse_share(value, published.rows) for name, value in known.items() if name not in named]


@pytest.mark.parametrize("odd", ["x", "2.5", "", "2020-01-01", "99999999999999999999", "007"])
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_suppressed_row_does_not_decide_on_the_type_of_a_column(odd: str, format: str, tmp_path: Path) -> None:
    """Read from a text file, one odd text makes a whole column text, or a number with a fraction."""
    folders = []
    for number, text in enumerate(["7", odd]):
        lines = [f"{'a' if i % 2 else 'b'},{i % 3 + 1},{10 * (i % 2)}" for i in range(12)]
        path = tmp_path / f"{number}.csv"
        path.write_text("\n".join(["q,plain,when", *lines, f"rare,{text},{text}"]) + "\n")
        # of numbers and one word the owner must say what it is, and a release says what was said about reading
        table = fv.Table.read(path, missing_values=[odd] if odd in ("x", "2020-01-01") else [])
        schema = fv.Schema(quasi=["q"], plain=["plain", "when"])
        release = fv.search(table, schema, guards=[fv.KAnonymity(3, suppression=0.1)]).release(0)
        assert release.suppressed == 1
        folders.append(contents(release.save(tmp_path / f"out-{number}", format=format).path))  # type: ignore[arg-type]
    assert folders[0] == folders[1]


@pytest.mark.parametrize("odd", [1.5, None, 2.0**60, float("inf")])
def test_nor_does_one_in_a_frame(odd: float | None, tmp_path: Path) -> None:
    folders = []
    for value in (7, odd):
        frame = pd.DataFrame({"q": ["a", "b"] * 6 + ["rare"], "n": [1, 2, 3] * 4 + [value]})
        schema = fv.Schema(quasi=["q"], plain=["n"])
        release = fv.search(frame, schema, guards=[fv.KAnonymity(3, suppression=0.1)]).release(0)
        folders.append(contents(release.save(tmp_path / str(value), format="parquet").path))
    assert folders[0] == folders[1]


def test_a_frame_comes_back_in_its_own_types() -> None:
    for kind in (pa.float64(), pa.int8(), pa.decimal128(30, 5), pa.timestamp("s"), pa.uint64()):
        table = pa.table({"q": ["a", "a", "b", "b"], "n": pa.array([1, 2, 3, None]).cast(kind)})
        release = fv.search(table, fv.Schema(quasi=["q"], plain=["n"]), guards=[fv.KAnonymity(2)]).best("loss")
        assert release.to_frame().schema.field("n").type == kind


def test_labels_of_a_fixed_level_keep_the_order_of_their_hierarchy(tmp_path: Path) -> None:
    """By ordered distance 5-9 comes before 10-14, in memory and in the folder; labels of a tree as it lists them."""
    rules = {"s": fv.hierarchy.intervals([0, 200], widths=(5, 100)),
             "t": fv.hierarchy.tree({"*": {"low": ["a"], "middle": ["b"], "high": ["c"]}})}  # fmt: skip
    table = pa.table({"q": list("aaaabbbb"), "s": [5, 5, 105, 105, 105, 105, 95, 95], "t": list("abcabcab")})
    schema = fv.Schema(quasi=["q"], sensitive=["s", "t"], hierarchies=rules, levels={"s": 1, "t": 1})
    release = fv.search(table, schema, guards=[fv.KAnonymity(2), fv.TCloseness(0.9, distance="ordered")]).release(0)
    from fairveil.published.folder import load

    for format in ("csv", "parquet"):
        folder = release.save(tmp_path / format, format=format).path
        back = load(folder).published.table
        assert back.column("s").domain == release.table.column("s").domain == ["5-9", "95-99", "105-109"]
        assert back.column("t").domain == release.table.column("t").domain == ["low", "middle", "high"]
        assert fv.verify(folder)
    assert math.isfinite(release.verdicts[1].worst)


@pytest.mark.parametrize("denied", [0, 0.0, "0", "0.0"])
def test_denied_decisions_are_found_in_whatever_type_they_are_published(denied: Any, tmp_path: Path) -> None:
    """A decision of floats is published as integers; the fairness promise must still see who was denied."""
    frame = pd.DataFrame({"sex": ["f"] * 6 + ["m"] * 6, "y": [0.0] * 5 + [1.0] + [0.0] + [1.0] * 5})
    schema = fv.Schema(quasi=["sex"], protected=["sex"], decision="y", denied=denied)
    from fairveil.recipes.full_domain import FullDomain
    from fairveil.release.release import publish

    release = publish(frame, schema, [fv.KAnonymity(2), fv.AlphaProtection(1.2)], FullDomain(schema, {"sex": 0}))
    assert not release.holds and release.published.verdicts()[1].worst == pytest.approx(5.0)
