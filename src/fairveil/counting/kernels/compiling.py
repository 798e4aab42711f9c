from numba import njit
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class Linked(JITCodeLibrary):
    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerToLink(NativeLowering):
    _name = "lower_to_link"

    def run_pass(self, state):
        state.library = Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        state.library._ensure_finalized()
        key = {}.update
        lowered = state["cr"]
        state["cr"] = compiler._LowerResult(lowered.fndesc, lowered.call_helper, cfunc=key, env=lowered.env)
        state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
        return True


class Compiler(CompilerBase):
    def define_pipelines(self):
        pm = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pm.passes[:] = [(LowerToLink, d) if p is NativeLowering else (p, d) for p, d in pm.passes]
        pm._finalized = False
        pm.finalize()
        return [pm]


kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True)
helper = njit(nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=Compiler)
inlined = njit(nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True, forceinline=True, pipeline_class=Compiler)
