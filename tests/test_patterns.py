"""Every regular expression of the package, on texts made to slow one down; and cells with digits of other scripts."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.data.text_form import as_text, interval_of
from fairveil.run.suggestions.looks import _CODE, look_of

ODD = ["A²", "²", "1²3", "١٢", "1,٥", "३.५", "1" * 40 + "!", "1" * 5000, "-" * 300, "1-" * 200, "30-39", "2020-02-30",
       "٢٠٢٠-٠١-٠١", "1e999", "…", "𝟙𝟚", "½", "a." * 200 + "@", "+" * 200, "0x1F", "1_000", " 7 "]  # fmt: skip


def patterns() -> list[re.Pattern[str]]:
    """Every compiled pattern that a module of the package holds, alone, in a tuple or in a dictionary."""
    held: dict[str, re.Pattern[str]] = {}
    for module in pkgutil.walk_packages(fv.__path__, "fairveil."):
        if module.name.endswith("__main__") or ".kernels" in module.name or module.name.endswith("_kernels"):
            continue
        try:
            names = vars(import_module(module.name))
        except ImportError:  # an extra that is not installed
            continue
        for value in names.values():
            several = (
                value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
            )
            held |= {p.pattern: p for p in several if isinstance(p, re.Pattern) and isinstance(p.pattern, str)}
    return list(held.values())


def slowing(size: int) -> list[str]:
    """Long texts of one or two characters in turn, and an end that fits nothing."""
    pieces = [
        "1",
        "a",
        "A",
        "1a",
        "1.",
        "-1",
        " ",
        ",1",
        '"',
        '""',
        "1:",
        "f:",
        "a.",
        "a@",
        "é ",
        "(1",
        "./",
        "${",
        "<",
        "://a:",
    ]
    return [
        f"{start}{piece * (size // len(piece))}{end}"
        for start, piece, end in product(("", "A", "["), pieces, ("", "!", "\0"))
    ]


def main() -> None:
    for pattern in patterns():
        for text in slowing(2000):
            pattern.fullmatch(text)
            pattern.match(text)


def test_no_pattern_backtracks_for_long() -> None:
    """Two thousand characters: what is exponential or cubic is not done in the lifetime of this test."""
    found = patterns()
    assert len(found) > 20 and _CODE in found
    subprocess.run(
        [sys.executable, "-m", "tests.test_patterns"], check=True, timeout=300, cwd=Path(__file__).parents[1]
    )


@pytest.mark.parametrize("cell", ODD)
def test_any_cell_is_profiled_and_published(cell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [f"A{i % 20}" for i in range(60)] + [cell]
    assert look_of([*dict.fromkeys(codes)], "code")
    fv.profile(pa.table({"code": codes}))
    as_text(cell), interval_of(cell, dates=True)
    numbers = pa.table({"n": [str(i) for i in range(60)] + [cell], "q": ["x", "y"] * 30 + ["x"]})
    file = tmp_path / "n.csv"
    file.write_text("n;q\n" + "".join(f"{n};{q}\n" for n, q in zip(*numbers.to_pydict().values(), strict=True)))
    assert run(["profile", str(file), "--text", "n"]) == 0
    for decimal in (".", ","):
        assert run(["profile", str(file), "--decimal", decimal]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err
    assert run(["init", str(file), "--out", str(tmp_path / "plan.toml")]) in (0, 2)


if __name__ == "__main__":
    main()
