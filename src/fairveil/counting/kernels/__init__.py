"""Compiled counting: few, small functions on packed 64-bit keys. Each has a plain-NumPy twin in the tests.

The first call in a new installation compiles them, once; what is compiled is kept beside the package. It names the
records that kernels take: once a record has another name, what was kept cannot even be read. So all of it is thrown
away whenever a kernel's source has changed.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

_STAMP = "kernels.stamp"


def forget_stale(folder: Path) -> bool:
    """Throw away what was compiled from other sources than those of now; whether there was anything to throw away."""
    sources = [(source.name, *source.stat()[6:9:2]) for source in sorted(folder.glob("*.py"))]
    cache, stamp = folder / "__pycache__", repr(sources)
    with contextlib.suppress(OSError):  # a folder that cannot be written to holds nothing of ours
        if not cache.is_dir() or ((cache / _STAMP).is_file() and (cache / _STAMP).read_text(encoding="utf-8") == stamp):
            return False
        compiled = [*cache.glob("*.nbi"), *cache.glob("*.nbc")]
        for file in compiled:
            file.unlink(missing_ok=True)
        (cache / _STAMP).write_text(stamp, encoding="utf-8")
        return bool(compiled)
    return False


forget_stale(Path(__file__).parent)
