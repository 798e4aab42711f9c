"""Every sentence that states a number, against that number computed plainly (`plainly.py`) from the published table."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.cli import run
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.known import ANY_DANGER
from tests.reporting import plainly
from tests.reporting.plainly import many, of_report, share
from tests.reporting.reading import read

QUASI, PLAIN = ["zip", "sex"], ["note", "day"]
GROUPS = {"flu": "lungs", "cough": "lungs", "ulcer": "stomach", "gastritis": "stomach", "acne": "skin"}
SCHEMA = fv.Schema(
    quasi=QUASI, sensitive=["ill"], plain=PLAIN, decision="y", denied="no", protected=["sex"],
    hierarchies={
        "zip": fv.hierarchy.from_rows([[f"{a}{b}", f"{a}*", "**"] for a in "123" for b in "123"]),
        "ill": fv.hierarchy.from_rows([[ill, group, "*"] for ill, group in GROUPS.items()]),
    },
)  # fmt: skip


def people(seed: int, rows: int, odd: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "zip": [f"{a}{b}" for a, b in rng.integers(1, 4, (rows, 2))],
        "sex": rng.choice(["f", "m"], rows),
        "ill": rng.choice(list(GROUPS), rows, p=[0.55, 0.25, 0.1, 0.05, 0.05]),
        "note": rng.choice(list("abcdefgh"), rows),
        "day": rng.integers(1, 1 + max(rows // 2, 3), rows),
        "y": rng.choice(["no", "yes"], rows),
    })  # fmt: skip
    if odd:
        frame["sex"] = frame["sex"].mask(rng.random(rows) < odd)
    return frame


def made(frame: pd.DataFrame, zip_level: int, sex_level: int, k: int = 3) -> fv.Release:
    """A generalization whether or not it keeps the promise, so that broken ones are in words, too."""
    guards = [fv.KAnonymity(k), fv.DistinctDiversity(2)]
    return publish(frame, SCHEMA, guards, FullDomain(SCHEMA, {"zip": zip_level, "sex": sex_level}))


tables = st.builds(
    people,
    st.integers(0, 10**6),
    st.integers(3, 60),
    st.sampled_from([0.0, 0.2]),
)


@settings(max_examples=120, deadline=None)
@given(tables, st.integers(0, 2), st.integers(0, 1))
@example(people(244291, 39), 2, 1)  # one class: no gap, whatever the last bits are
def test_the_attacks_on_the_published_table(frame: pd.DataFrame, zip_level: int, sex_level: int) -> None:
    release = made(frame, zip_level, sex_level)
    table = release.to_frame("pandas")
    said = {finding["attack"]: finding for finding in release.evidence()["attacks"]}
    assert said["reidentification"]["verdict"] == plainly.reidentification(table, QUASI)
    assert said["homogeneity"]["verdict"] == plainly.homogeneity(table, QUASI, "ill")
    assert said["background"]["verdict"] == plainly.background(table, QUASI, "ill")
    assert said["uniqueness"]["verdict"] == plainly.uniqueness(table, QUASI, PLAIN, max(release.published.k, 2))
    skewed, expected = said["skewness"]["verdict"], plainly.skewness(table, QUASI, "ill")
    rises = r"rises from [^;]* to [^;]*"  # several values may rise alike
    away = r"\d\.\d\d"
    assert re.sub(away, "", re.sub(rises, "", skewed)) == re.sub(away, "", re.sub(rises, "", expected))
    numbers = [list(map(float, re.findall(away, text)[:2])) for text in (skewed, expected)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.0101)  # half a hundredth may be rounded either way
    affected, most = plainly.similarity(table, QUASI, "ill", GROUPS)
    if affected:
        verb = "is" if affected == 1 else "are"
        start = f"{affected:,} of {many(len(table), 'record')} {verb} in classes whose values of ill differ but mean"
        assert said["similarity"]["verdict"].startswith(start)
    else:
        assert said["similarity"]["verdict"].endswith(f"at most {share(most)} of a diverse class is alike")


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(0, 2), st.integers(0, 1), st.integers(2, 6))
def test_the_guards(frame: pd.DataFrame, zip_level: int, sex_level: int, k: int) -> None:
    if k > len(frame):
        return
    release = made(frame, zip_level, sex_level, k)
    groups = plainly.classes(release.to_frame("pandas"), QUASI)
    anonymity, diversity = (verdict.sentence for verdict in release.verdicts)
    small = [len(rows) for rows in groups if len(rows) < k]
    said = f"the smallest class has {many(min(map(len, groups)), 'record')} (k={k})"
    assert anonymity == said + broken(small)
    poor = [len(rows) for rows in groups if rows["ill"].nunique(dropna=False) < 2]
    least = min(rows["ill"].nunique(dropna=False) for rows in groups)
    assert (
        diversity
        == f"ill: the poorest class of records has {many(least, 'different sensitive value')} (ℓ=2)" + broken(poor)
    )


def broken(sizes: list[int]) -> str:
    if not sizes:
        return ""
    verb = "breaks" if sum(sizes) == 1 else "break"
    return f"; {many(sum(sizes), 'record')} in {many(len(sizes), 'class', 'classes')} {verb} it"


@settings(max_examples=40, deadline=None)
@given(tables, st.integers(0, 2), st.integers(0, 1))
def test_the_report(frame: pd.DataFrame, zip_level: int, sex_level: int) -> None:
    release = made(frame, zip_level, sex_level)
    table = release.to_frame("pandas")
    words = read(fv.report(release)).text.replace("\u00a0", " ")
    groups = plainly.classes(table, QUASI)
    sizes = sorted(map(len, groups))
    rows = len(table)
    assert f"{many(rows, 'record')} with {many(table.shape[1], 'column')}." in words
    assert "No record of the source was left out." in words
    middle = f"{np.median(sizes):,.0f}"
    assert (
        f"{many(rows, 'record')} in {many(len(sizes), 'group')} of records that look alike in the quasi columns: "
        f"the smallest "
        f"has {sizes[0]:,}, the largest {sizes[-1]:,}, the middle one {middle}."
    ) in words
    highest, average = of_report(1 / sizes[0]), of_report(len(sizes) / rows)
    assert f"picks out the right record with a chance of at most {highest}, {average} on average." in words
    assert "of them were unique." not in words  # the risk of the source is for its owner
    before = [len(rows) for rows in plainly.classes(frame, QUASI)]
    assert release.risk_before["uniqueness"] == round(before.count(1) / rows, 3)
    same = sum(len(c) for c in groups if c["y"].nunique(dropna=False) == 1)
    if same:
        verb = "is" if same == 1 else "are"
        assert (
            f"{many(same, 'record')} ({of_report(same / rows)}) {verb} in groups whose members all have the same "
            f"value of" in words
        )
    right = sum(plainly.counts(c["y"])[0] for c in groups) / rows
    guess = plainly.counts(table["y"])[0] / rows
    assert (
        f"The most frequent decision of a record’s group is the record’s own in {of_report(right)} of the cases, "
        f"that of all "
        f"records in {of_report(guess)}."
    ) in words


@pytest.mark.parametrize("suppression", [0.0, 0.2])
def test_what_was_left_out(suppression: float, tmp_path: Path) -> None:
    frame = people(3, 200)
    release = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(6, suppression=suppression)]).best("loss")
    folder = release.save(tmp_path / "out", accept=ANY_DANGER).path
    table = pd.read_csv(folder / "data.csv")
    gone = len(frame) - len(table)
    words = read((folder / "report.html").read_text()).text.replace("\u00a0", " ")
    if gone:
        assert f"Left out of 200 source records: {gone} ({of_report(gone / 200)}) to keep the promises." in words
    else:
        assert "No record of the source was left out." in words
    lost = [plainly_lost(table, "zip", 9), plainly_lost(table, "sex", 2)]
    loss = (sum(lost) * len(table) / 2 + gone) / 200
    assert f"Loss of detail: {of_report(loss)}," in words


def plainly_lost(table: pd.DataFrame, column: str, leaves: int) -> float:
    """Mean of (g-1)/(N-1): how many leaves a published value could stand for."""
    under = table[column].map(lambda v: leaves if set(str(v)) == {"*"} else 3 if "*" in str(v) else 1)
    return float(((under - 1) / (leaves - 1)).mean())


def test_the_words_of_attacks_with_the_original() -> None:
    frame, other = people(5, 300), people(6, 200)
    release = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4)]).best("loss")
    table = release.to_frame("pandas")
    findings = fv.attack(release, original=frame, control=other)
    sizes = [len(c) for c in plainly.classes(table, QUASI)]
    before = [len(c) for c in plainly.classes(frame, QUASI)]
    assert findings.of("linkage").verdict == (
        f"somebody who knows zip and sex picks the right record for {share(len(sizes) / 300)} of the people (for "
        f"one person, in "
        f"at most {share(1 / min(sizes))} of the cases); in the original data it would be "
        f"{share(len(before) / 300)} (at most "
        f"{share(1 / min(before))})"
    )
    levels = release.evidence()["levels"]
    coarse = other.assign(
        zip=other["zip"].map(lambda v: [v, v[0] + "*", "**"][levels["zip"][0]]),
        sex=other["sex"] if levels["sex"][0] == 0 else "*",
    )
    shown = set(map(tuple, table[QUASI].astype(str).to_numpy()))
    without = sum(tuple(row) not in shown for row in coarse[QUASI].astype(str).to_numpy())
    assert findings.of("membership").verdict == (
        f"an attacker guesses correctly whether a person is in the data in {share((1 + without / 200) / 2)} of the "
        f"cases (a coin: "
        f"50 %): {share(without / 200)} of 200 people who are not in it have no row that could be theirs"
    )


def test_two_releases_together() -> None:
    frame = people(7, 120)
    one, two = made(frame, 1, 1, 2), made(frame, 2, 0, 2)
    verdict = fv.attack(one, original=frame, other=two).of("intersection").verdict
    together = frame.assign(first=frame["zip"].str[0]).groupby(["first", "sex"])["zip"].transform("size")
    hidden = f"the two releases together still hide everybody in both among {together.min()} people"
    assert verdict == f"{hidden} (promised: 2)"
    narrow = made(frame, 1, 0, 30)
    verdict = fv.attack(narrow, original=frame, other=narrow).of("intersection").verdict
    sizes = frame.assign(first=frame["zip"].str[0]).groupby(["first", "sex"])["zip"].transform("size")
    below, alone = int((sizes < 30).sum()), int((sizes == 1).sum())
    assert verdict == (
        f"the two releases together leave k={sizes.min()} of the promised 30: {below} of 120 people in both are among "
        f"fewer than 30, "
        f"and {alone} {'is' if alone == 1 else 'are'} singled out"
    )


# The terminal


PLAN = """format = 1
[source]
path = "people.csv"
[schema]
quasi = ["zip", "sex"]
sensitive = "ill"
plain = ["note", "day"]
decision = "y"
[hierarchies.zip]
kind = "mask"
length = 2
[[guards]]
kind = "k-anonymity"
k = 4
suppression = 0.1
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    people(9, 150).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN.replace('path = "people.csv"', 'path = "people.csv"\ntext = "zip"'))
    return tmp_path


def test_release_says_what_it_published(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accept = ["--accept", "uniqueness", "--accept", "homogeneity"]
    assert run(["release", str(home / "plan.toml"), "--out", str(home / "out"), *accept]) == 0
    said = capsys.readouterr().out
    table = pd.read_csv(home / "out" / "data.csv", dtype=str, keep_default_na=False)
    sizes = [len(c) for c in plainly.classes(table, QUASI)]
    assert f"✓ k-anonymity: the smallest class has {many(min(sizes), 'record')} (k=4)" in said
    assert f"{len(table):,} of 150 rows published, {150 - len(table):,} suppressed" in said
    assert plainly.uniqueness(table, QUASI, PLAIN, 4) in said.splitlines()[0] + said.splitlines()[1]
    for sentence in (plainly.homogeneity(table, QUASI, "ill"), plainly.background(table, QUASI, "ill")):
        if "no class gives away" not in sentence or "but for" in sentence:
            assert sentence in said


def test_check_says_who_breaks_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(home / "people.csv", dtype=str)
    sizes = frame.groupby(QUASI)["zip"].transform("size")
    worst = int(sizes.min())
    k = worst + 2
    assert (
        run(
            [
                "check",
                str(home / "people.csv"),
                "--text",
                "zip",
                "--quasi",
                "zip,sex",
                "--k",
                str(k),
                "--records",
                "500",
            ]
        )
        == 1
    )
    said = capsys.readouterr().out
    rows = [str(i + 1) for i in range(len(frame)) if sizes[i] < k]
    groups = len(frame[sizes < k].groupby(QUASI))
    verb = "breaks" if len(rows) == 1 else "break"
    assert "people.csv: 150 rows, quasi columns zip, sex" in said
    assert (
        f"the smallest class has {many(worst, 'record')} (k={k}); {many(len(rows), 'record')} in "
        f"{many(groups, 'class', 'classes')} "
        f"{verb} it"
    ) in said
    assert f"({many(worst, 'row')})" in said
    assert f"rows that break it (the first after the header is 1): {', '.join(rows)}\n" in said


def test_profile_counts(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(home / "people.csv", dtype=str)
    assert run(["profile", str(home / "people.csv"), "--text", "zip"]) == 0
    said = capsys.readouterr().out
    assert "people.csv: 150 rows, 6 columns" in said
    for name in frame:
        line = next(line.split() for line in said.splitlines() if line.split()[:1] == [name])
        alone = plainly.counts(frame[name]).count(1) / 150
        expected = [str(frame[name].nunique()), "0", percent(alone), percent(frame[name].nunique() / 150)]
        assert " ".join(line).replace(" %", "%").split()[-4:] == expected


def percent(value: float) -> str:
    return "0%" if value == 0 else f"{value:.1%}"


def test_explore_counts_its_candidates(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explore", str(home / "plan.toml"), "--csv"]) == 0
    candidates = capsys.readouterr().out.count("\n") - 1
    assert run(["explore", str(home / "plan.toml")]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{many(candidates, 'candidate')}, best loss first")
    assert run(["explore", str(home / "plan.toml"), "--top", "1"]) == 0
    said = capsys.readouterr().out
    assert (f"{candidates - 1:,} more:" in said) == (candidates > 1)


def test_one_of_anything_is_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame({"q": ["a", "b", "b"], "s": ["u", "v", "v"]})
    release = publish(frame, fv.Schema(quasi=["q"], sensitive=["s"], plain=[]), [fv.KAnonymity(2)],
                      FullDomain(fv.Schema(quasi=["q"], sensitive=["s"]), {"q": 0}))  # fmt: skip
    said = [fv.report(release), str(release.evidence())]
    frame.to_csv(tmp_path / "p.csv", index=False)
    run(["check", str(tmp_path / "p.csv"), "--quasi", "q", "--sensitive", "s", "--k", "2", "--l", "2"])
    said.append(capsys.readouterr().out)
    frame[:1].to_csv(tmp_path / "one.csv", index=False)
    run(["profile", str(tmp_path / "one.csv")])
    said.append(capsys.readouterr().out)
    for text in said:
        wrong = re.findall(
            r"(?<![\d,.])1 (?:different sensitive )?(?:records|rows|classes|people|values|groups|columns|candidates)\b",
            text,
        )
        assert wrong == []


def test_a_name_that_ends_with_a_full_stop_ends_the_sentence() -> None:
    frame = pd.DataFrame({"zip.": ["a", "a", "b", "b"], "ill.": list("uvuv")})
    schema = fv.Schema(quasi=["zip."], sensitive=["ill."])
    page = re.sub(r"<[^>]*>", "", fv.report(fv.search(frame, schema, guards=[fv.KAnonymity(2)]).best("loss")))
    assert "recognized by zip." in page and "about a person: ill." in page
    assert "zip.." not in page and "ill.." not in page
