"""CSV files that are not even: every engine reads the same records, or refuses the file in the same sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.engines import open_source

READ = {
    "rows of delimiters": ("a,b\n,\n1,x\n,\n2,y\n,\n", 2),
    "rows of delimiters and blanks": ("a,b\n1,x\n , \n\t,\n2,y\n", 2),
    "lines of blanks": ("a,b\n1,x\n \n2,y\n  \n\n", 2),
    "quoted blanks": ('a,b\n1,x\n"",""\n" "," "\n2,y\n', 2),
    "blank lines in one column": ("a\n1\n\n2\n\n", 2),
    "a last field that is quoted": ('a,b\n1,x\n2,"y ""z"""', 2),
    "a last field that is empty": ('a,b\n1,x\n2,""', 2),
}
REFUSED = {
    "a short record": ("a,b\n1,x\n2\n3,z\n", "record 2 has 1 field, and the header has 2"),
    "a long record": ("a,b\n1,x\n2,y,z\n", "record 2 has 3 fields, and the header has 2"),
    "an open quotation mark": ('a,b\n1,x\n2,"y\n3,z\n', "a quotation mark is not closed"),
    "an open quotation mark at the end": ('a,b\n1,x\n2,"y', "a quotation mark is not closed"),
}


@pytest.mark.parametrize("engine", ["memory", "duckdb", "spark"])
@pytest.mark.parametrize("case", READ)
def test_what_holds_no_value_is_no_record(
    case: str, engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    text, rows = READ[case]
    if engine == "spark" and case == "lines of blanks":
        pytest.skip("Spark refuses them: FAILFAST has no exceptions")
    assert source(text, engine, tmp_path, request).rows == rows


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("case", REFUSED)
def test_an_uneven_file_is_refused_with_the_record(case: str, engine: str, tmp_path: Path) -> None:
    text, why = REFUSED[case]
    with pytest.raises(fv.BadInput, match=why):
        assert source(text, engine, tmp_path).rows


def source(text: str, engine: str, folder: Path, request: pytest.FixtureRequest | None = None) -> Any:
    if engine == "spark":
        assert request is not None
        request.getfixturevalue("spark")
    file = folder / "people.csv"
    file.write_text(text)
    return open_source(file, engine=engine)
