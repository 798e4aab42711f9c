"""Names: a class name stands once in the package, and a module's stem says what it holds."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import fairveil

HOME = Path(fairveil.__file__).parent


def test_every_class_name_stands_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(HOME)))
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def test_only_a_command_shares_its_name_with_another_module() -> None:
    """`cli/check.py` is the command, `run/check.py` what it does; any other two modules have different names."""
    homes: dict[str, list[Path]] = defaultdict(list)
    for path in HOME.rglob("*.py"):
        if path.name != "__init__.py" and path.relative_to(HOME).parts[0] != "cli":
            homes[path.stem].append(path.relative_to(HOME))
    assert {stem: modules for stem, modules in homes.items() if len(modules) > 1} == {}
