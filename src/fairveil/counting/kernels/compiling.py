"""How kernels are compiled, and how they are stopped. What Python calls (`kernel`) is kept on disk; what kernels call
(`helper`) is part of them.

Numba optimizes every function that it compiles, generates machine code and wrappers to call it from Python;
then it links the function into each caller and optimizes it there again. A helper needs only the last step.

Some constructs are expensive to compile and are not used in kernels: NumPy's sorts, assigning slices to slices,
`np.diff`, `np.full`, `flatnonzero`, lists, arrays as indices, and sums of arrays. Loops cost a hundredth of that.
`python -m benchmarks first --kernels` shows where the time goes.
"""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import compiler, typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.runtime import rtsys
from numba.extending import intrinsic

KERNELS: list[Any] = []
"""Every kernel of the imported modules."""
PACKAGE = Path(__file__).parents[2]
_CHECKED: set[Path] = set()
"""Cache folders from which stale kernels were removed."""
_STAMP = "kernels.stamp"
NEVER = np.zeros(1, dtype=np.uint8)
"""For searches that nobody can stop. It is shared, so it must never be set."""
PAUSE = 0.05
"""Seconds between two checks whether a kernel is compiled; Python handles signals only in between."""


class _Linked(JITCodeLibrary):
    """Code that is linked into kernels unoptimized, and optimized and compiled only there."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerToLink(typed_passes.NativeLowering):
    """The last compiler pass, for helpers."""

    _name = "lower_to_link"

    def run_pass(self, state: Any) -> bool:
        state.library = _Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # Numba identifies a compiled function by a callable; this one rejects every argument list of a helper
        known_by = {}.update  # type: ignore[var-annotated]
        state["cr"] = compiler._LowerResult(lowered.fndesc, lowered.call_helper, cfunc=known_by, env=lowered.env)
        state.targetctx.insert_user_function(known_by, lowered.fndesc, [state.library])
        return True


class _Helpers(compiler.CompilerBase):
    """Numba's compiler with another last pass."""

    def define_pipelines(self) -> list[PassManager]:
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager("helpers")
        for step, what in usual.passes:
            passes.add_pass(_LowerToLink if step is typed_passes.NativeLowering else step, what)
        passes.finalize()
        return [passes]


_AS_WE_KNOW_IT = hasattr(compiler, "_LowerResult") and all(
    hasattr(JITCodeLibrary, name)
    for name in ("_optimize_functions", "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
)
"""Whether Numba has the internals that `_Linked` uses; otherwise helpers take longer to compile."""


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, once per installation."""
    compiled = njit(cache=True, nogil=True, no_cfunc_wrapper=True)(function)
    _load_without_compiler(compiled)
    compiled.compile = _undisturbed(compiled.compile)
    folder = cache_folder(compiled)
    if folder not in _CHECKED:
        _CHECKED.add(folder)
        forget_stale(PACKAGE, folder)
    KERNELS.append(compiled)
    return compiled


def _load_without_compiler(compiled: Any) -> None:
    """Load a kernel from disk without the functions and types that only compiling needs: Numba would import a hundred
    modules for them. Machine code needs Numba's runtime, which owns the arrays."""
    cache = compiled._cache
    if not all(hasattr(cache, name) for name in ("_load_overload", "_guard_against_spurious_io_errors")):
        return  # a version of Numba with other internals

    def load(signature: Any, context: Any) -> Any:
        rtsys.initialize(context)
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(signature, context)

    cache.load_overload = load


def _undisturbed(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Run work in a thread that Ctrl-C does not reach, because an exception inside the compiler's callbacks would break
    it. The main thread, which receives signals, waits, and may return while the work continues to its end.

    Nothing is garbage-collected meanwhile: most objects stay, and collecting would take a tenth of the time.
    """

    def uncollected(argument: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return work(argument)
        finally:
            if collecting:
                gc.enable()

    def waited_for(argument: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return uncollected(argument)
        aside = futures.ThreadPoolExecutor(1, "fairveil-compiling")
        answer = aside.submit(uncollected, argument)
        aside.shutdown(wait=False)
        while not answer.done():
            futures.wait([answer], PAUSE)
        return answer.result()

    return waited_for


def helper(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function that only kernels call. Python cannot call it; its `py_func` is the plain function."""
    how = _Helpers if _AS_WE_KNOW_IT else compiler.Compiler
    compiled = njit(nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=how, **options)(function)
    usual = compiled.get_call_template

    def template(arguments: Any, named: Any) -> Any:
        """Numba would compile a helper once for the literal that a variable starts with, and again for any integer."""
        return usual([types.unliteral(argument) for argument in arguments], named)

    compiled.get_call_template = template
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a helper that is inlined at every call: for the few lines inside the innermost loops."""
    return helper(function, forceinline=True)


def cache_folder(compiled: Any) -> Path:
    """Return the folder of compiled kernels: beside the package, or in the user's cache if that is read-only."""
    return Path(compiled.stats.cache_path)


def kernel_files(package: Path) -> list[Path]:
    """Return the modules with kernels: those that several rooms share, and the `…_kernels.py` beside their users."""
    return sorted([*package.glob("counting/kernels/*.py"), *package.rglob("*_kernels.py")])


def sources(package: Path) -> str:
    """Return a fingerprint of the kernels' sources: their paths, sizes and times of modification."""
    return repr([(str(file.relative_to(package)), *file.stat()[6:9:2]) for file in kernel_files(package)])


def forget_stale(package: Path, cache: Path) -> bool:
    """Delete kernels in a cache folder that were compiled from other sources; return whether there were any. Numba
    checks only the file that a kernel is in, not those of its helpers and of the records that it takes."""
    stamp = sources(package)
    with contextlib.suppress(OSError):  # a folder that cannot be written to contains none of our kernels
        if not cache.is_dir() or ((cache / _STAMP).is_file() and (cache / _STAMP).read_text(encoding="utf-8") == stamp):
            return False
        compiled = [*cache.glob("*.nbi"), *cache.glob("*.nbc")]
        for file in compiled:
            file.unlink(missing_ok=True)
        (cache / _STAMP).write_text(stamp, encoding="utf-8")
        return bool(compiled)
    return False


@intrinsic
def stopped(typing_context, stop):
    """Whether another thread has set the one element of `stop`. The load is atomic, because the compiler would read a
    plain `stop[0]` once and keep it in a register for the whole loop."""

    def load(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        flag = builder.load_atomic(data, "monotonic", 1)
        return builder.icmp_unsigned("!=", flag, flag.type(0))

    return types.boolean(stop), load
