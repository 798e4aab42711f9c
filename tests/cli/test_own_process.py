"""The settings of a command's process."""

import os
import subprocess
import sys

import pytest

FAULTS = """
import ctypes, resource, sys
import numpy as np
from fairveil.cli.own_process import prepare

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.ones(1 << 23)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults()
usual = faults()
prepare(lasting=sys.argv[1:] == ["studio"])
faults()
print(usual, faults(), hasattr(ctypes.CDLL(None), "gnu_get_libc_version"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="page faults are not counted on Windows")
@pytest.mark.parametrize("own", ["", "studio", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES"])
def test_freed_memory_is_used_again_but_by_the_studio_and_where_the_user_has_settings(own: str) -> None:
    values = {"MALLOC_ARENA_MAX": "2", "GLIBC_TUNABLES": "glibc.malloc.arena_max=2"}
    settings = {name: value for name, value in os.environ.items() if name not in values}
    settings |= {own: values[own]} if own in values else {}
    settings["NUMPY_MADVISE_HUGEPAGE"] = "0"  # so that there is one fault for each small page
    done = subprocess.run([sys.executable, "-c", FAULTS, own], env=settings, capture_output=True, text=True, check=True)
    usual, later, is_gnu = done.stdout.split()
    is_kept = is_gnu == "True" and not own
    if int(usual) < 1000:
        pytest.skip("the system gives memory in large pages")
    assert int(later) < 100 if is_kept else int(later) > 1000
