"""No text that fewer than ten rows hold reaches a plan by `init` or `profile --plan`, or the recipe of its release."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.first_plan import MISSING

ROWS = 240


def people(seed: int) -> tuple[pd.DataFrame, set[str]]:
    """A file with a column of every kind, and rare texts in each: made up ones, and those that often mean missing."""
    rng = np.random.default_rng(seed)
    dates = pd.to_datetime(rng.integers(0, 10**9, ROWS), unit="s")
    frame = pd.DataFrame({
        "name": [f"Person {chr(65 + i % 26)}{i}" for i in range(ROWS)],
        "zip": rng.choice(["10115", "10117", "20095", "20097", "80331", "80333", "50667"], ROWS),
        "age": rng.integers(20, 60, ROWS).astype(str),
        "born": dates.strftime("%Y-%m-%d"),
        "seen": dates.strftime("%Y-%m-%d %H:%M"),
        "day": dates.strftime("%d.%m.%Y"),
        "city": rng.choice(["Bern", "Rome", "Oslo", "Linz", "Graz", "Nice"], ROWS),
        "code": [f"K{n:03d}" for n in rng.integers(0, 40, ROWS)],
        "icd": [f"{rng.choice(list('ABC'))}{n}.1" for n in rng.integers(10, 19, ROWS)],
        "amount": rng.integers(0, 9999, ROWS).astype(str),
        "diagnosis": rng.choice(["flu", "cold", "pox"], ROWS),
        "granted": ["yes"] * ROWS,
    })  # fmt: skip
    rare = {str(word) for word in rng.choice(MISSING, 3, replace=False)}
    for column in frame.columns.drop("granted"):
        few = [f"q{rng.integers(10**8)}x", *rng.choice(sorted(rare), 1)]
        for row, text in zip(rng.choice(ROWS, int(rng.integers(1, 3)), replace=False), few, strict=False):
            frame.loc[row, column] = text
            rare.add(text)
    unwanted = str(rng.choice(["no", "refused", "rejected"]))
    frame.loc[rng.choice(ROWS, int(rng.integers(1, NAMED)), replace=False), "granted"] = unwanted
    held = frame.melt()["value"].value_counts()
    return frame, {text for text in {*rare, unwanted} if 0 < held.get(text, 0) < NAMED}


def values(content: object) -> set[str]:
    if isinstance(content, dict):
        return {text for value in content.values() for text in values(value)}
    return {text for value in content for text in values(value)} if isinstance(content, list) else {str(content)}


@pytest.mark.parametrize("seed", range(5))
def test_no_rare_text_is_in_a_plan(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame, rare = people(seed)
    assert len(rare) > 3
    for ending, write in (("csv", frame.to_csv), ("parquet", frame.to_parquet)):
        file, plan = tmp_path / f"p.{ending}", tmp_path / f"{ending}.toml"
        write(file, index=False)
        words = ["init", str(file), "--out"] if seed % 2 else ["profile", str(file), "--pairs", "0", "--plan"]
        assert run([*words, str(plan)]) == 0, capsys.readouterr()
        text = plan.read_text()
        told = rare & values(tomllib.loads(text)) | {word for word in rare if len(word) > 4 and word in text}
        assert not told
        assert "denied = " not in text.replace("# denied = ", "")
        assert "which value is the unfavourable decision?" in text and "may mean a missing value" in text


def test_what_ten_rows_hold_is_named(tmp_path: Path) -> None:
    frame, _ = people(0)
    frame.loc[: NAMED - 1, ["city", "granted"]] = ["N/A", "no"]
    frame.loc[NAMED:, "granted"] = "yes"
    frame.to_csv(tmp_path / "p.csv", index=False)
    assert run(["init", str(tmp_path / "p.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    plan = fv.Plan.read(tmp_path / "plan.toml")
    assert "N/A" in plan.source.dialect.missing_values and plan.schema is not None and plan.schema.denied == "no"


def test_no_rare_text_is_in_the_recipe(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({
        "zip": rng.choice(["10115", "10117", "20095"], 300), "sex": rng.choice(["female", "male"], 300),
        "diagnosis": rng.choice(["flu", "cold", "pox"], 300), "granted": rng.choice(["yes", "no"], 300),
    })  # fmt: skip
    frame.loc[0, ["zip", "diagnosis"]] = ["99999", "N/A"]
    frame.to_csv(tmp_path / "p.csv", index=False)
    assert run(["init", str(tmp_path / "p.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    plan = (tmp_path / "plan.toml").read_text().replace('kind = "mondrian"', 'kind = "datafly"')
    (tmp_path / "plan.toml").write_text(plan)
    release = fv.Plan.read(tmp_path / "plan.toml").run()
    folder = release.save(tmp_path / "out").path
    assert release.suppressed and not any(word in (folder / "recipe.json").read_text() for word in ("N/A", "99999"))
