"""Optional packages: the base install needs none of them, and whoever lacks one is told how to install it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil import cli
from fairveil.data.file_formats import LABELLED, WORKBOOKS
from fairveil.engines import ENGINES, open_source
from fairveil.errors import PACKAGES, need
from fairveil.methods import METHODS
from tests.contracts.people import quick, search, source

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {
    "scikit-learn": "sklearn", "scikit-lego": "sklego", "python-multipart": "python_multipart",
    "ibis-framework": "ibis",
}  # fmt: skip
"""The modules of packages whose names differ from them."""
THE_CALLERS = {"polars", "pandas", "IPython"}
"""Imported only where the caller uses them, who therefore has them."""
COMES_WITH = {"grpc": "pyspark"}


@pytest.fixture
def base_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no optional package were installed."""
    for module in PACKAGES:
        monkeypatch.setitem(sys.modules, module, None)


def sentence(module: str, extra: str = "") -> str:
    package, own = PACKAGES[module]
    return rf"{package}, which is not installed: pip install 'fairveil\[{extra or own}\]'"


def modules_of(requirements: list[str]) -> set[str]:
    names = [re.split(r"[\[<>=!~ ;]", requirement)[0] for requirement in requirements]
    return {MODULES.get(name, name) for name in names} - {"fairveil"}


def test_every_extra_installs_what_its_sentence_says() -> None:
    extras = {name: modules_of(needs) for name, needs in PROJECT["optional-dependencies"].items()}
    for module, (_, extra) in PACKAGES.items():
        assert module in extras[extra], f"the extra {extra!r} does not install {module}"


def test_everything_that_is_imported_is_installed_by_the_base_or_has_a_sentence() -> None:
    base = modules_of(PROJECT["dependencies"])
    assert not base & PACKAGES.keys()
    for path in (ROOT / "src" / "fairveil").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"fairveil"}:
                owner = COMES_WITH.get(name, name)
                assert owner in base | PACKAGES.keys() | THE_CALLERS, f"{path.name} imports {name}"


@pytest.mark.usefixtures("base_install")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_method_works_with_the_base_install_or_says_what_it_needs(method: Any) -> None:
    if method.packages:
        with pytest.raises(fv.BadInput, match=f"^{method.kind} needs {sentence(method.packages[0])}$"):
            search(quick(method), source())
    else:
        assert len(search(quick(method), source()))


@pytest.mark.usefixtures("base_install")
@pytest.mark.parametrize("ending", [*WORKBOOKS, *LABELLED])
def test_every_reader_says_what_it_needs(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"people{ending}"
    path.write_bytes(b"")
    with pytest.raises(fv.BadInput, match=sentence("fastexcel" if ending in WORKBOOKS else "pyreadstat")):
        fv.Table.read(path)


@pytest.mark.usefixtures("base_install")
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_works_with_the_base_install_or_says_what_it_needs(engine: str, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("sex\nF\nM\n")
    if engine == "sql":
        with pytest.raises(fv.BadInput, match=f"^a database needs {sentence('ibis')}$"):
            open_source("postgresql://nobody@localhost/none", engine=engine, table="people")
    elif engine == "spark":
        with pytest.raises(fv.BadInput, match=f"^Spark needs {sentence('pyspark')}$"):
            open_source(tmp_path / "people.csv", engine=engine)
    else:
        assert open_source(tmp_path / "people.csv", engine=engine).rows == 2


@pytest.mark.usefixtures("base_install")
@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [(["studio", "--no-open"], "starlette", ""), (["reproduce", "incognito"], "matplotlib", "reproduce"),
     (["explore", "people.toml", "--plot", "plot.svg"], "matplotlib", "")],
)  # fmt: skip
def test_commands_say_what_they_need(
    command: list[str], module: str, extra: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "docs" / "examples")
    assert cli.run(command) == 2
    assert re.search(sentence(module, extra), capsys.readouterr().err)


def test_an_installed_package_is_not_missed() -> None:
    need("pymoo", "preferences")
