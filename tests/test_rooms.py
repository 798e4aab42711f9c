"""The order of the rooms: a module imports only from rooms before its own, inside functions and for types as well."""

from __future__ import annotations

import ast
from pathlib import Path

import fairveil

HOME = Path(fairveil.__file__).parent
ORDER = [
    "toml", "messages", "errors", "markup", "display", "progress_bars", "interrupts", "progress",
    "registry", "shapes", "settings", "data", "datasets", "counting", "learning", "measures", "guards", "recipes",
    "engines", "published", "choice", "methods", "evaluation", "attacks", "reporting", "release", "frontier", "run",
    "sklearn", "studio", "cli", "__main__",
]  # fmt: skip


def imports() -> dict[str, set[str]]:
    """For each room the rooms that its modules import, wherever the import stands."""
    rooms = {path.stem for path in HOME.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    graph: dict[str, set[str]] = {room: set() for room in sorted(rooms - {"__init__"})}
    for path in HOME.rglob("*.py"):
        room = path.relative_to(HOME).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and room != "__init__":
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                graph[room] |= {name.split(".")[1] for name in names if name.startswith("fairveil.")} & rooms - {room}
            elif isinstance(node, ast.Import) and room != "__init__":
                names = [alias.name for alias in node.names if alias.name.startswith("fairveil.")]
                graph[room] |= {name.split(".")[1] for name in names} - {room}
    return graph


def test_every_room_imports_only_from_rooms_before_it() -> None:
    graph = imports()
    print(*(f"{room}: {', '.join(sorted(graph[room], key=ORDER.index))}" for room in ORDER), sep="\n")
    assert set(graph) == set(ORDER)
    assert {room: {name for name in graph[room] if ORDER.index(name) > ORDER.index(room)} for room in ORDER} == {
        room: set() for room in ORDER
    }
