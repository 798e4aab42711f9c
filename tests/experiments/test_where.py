"""The experiments lie in a checkout and not in the wheel: the command finds them, or says where they are."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import fairveil
from fairveil.errors import BadInput

reproduce = import_module("fairveil.cli.reproduce")  # the package has a command of the same name


def test_a_checkout_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert set(reproduce.experiments().EXPERIMENTS) >= {"incognito", "preferences", "fair-mdav"}


def test_what_is_installed_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairveil, "__file__", str(tmp_path / "lib" / "site-packages" / "fairveil" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "__init__.py").write_text("raise SystemExit('not ours, never run')")
    with pytest.raises(BadInput, match="run this command in a checkout"):
        reproduce.experiments()


def test_the_wheel_holds_the_package_only() -> None:
    import tomllib

    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/fairveil"]
    assert not list((Path(__file__).parents[2] / "src" / "fairveil").rglob("experiments"))
