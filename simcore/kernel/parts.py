"""How a kernel is compiled: its helpers are parts, which are optimised and translated once, together with the whole.

Numba by itself does this for every function with all that it calls, and then again for each of its callers: a function
that is ten calls deep is compiled ten times.  This took two thirds of the compilation time of a game's kernels.  This
module uses internal classes of Numba; it is imported only with the versions of Numba for which it was made.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.typed_passes import NativeLowering

ROUNDS = 2
_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def prepare_to_load(target: Any) -> None:
    """Prepare Numba's target context to load our compiled kernels, which need nothing but its memory functions.

    Numba's compiler and SciPy's linear algebra are loaded only when something is compiled.  Loading them would make a
    warm start a third longer.
    """
    rtsys.initialize(target)


TUNING = {"vectorizer-min-trip-count": ("8", "16")}  # loops over eight of a kind are done several at a time
"""Options of LLVM, each with our value and the usual one."""

if platform.machine() in ("x86_64", "AMD64"):
    TUNING["x86-cmov-converter"] = ("false", "true")  # selects depend on chance: as branches, they are guessed wrong


@contextmanager
def _tuned() -> Iterator[None]:
    """Let LLVM work as our kernels need it.

    The options apply to the whole process.  They are set only while a whole is translated, under Numba's lock, so that
    functions that users compile with Numba are translated as usual.
    """
    for name, (ours, _) in TUNING.items():
        binding.set_option("equipoise", f"-{name}={ours}")
    try:
        yield
    finally:
        for name, (_, usual) in TUNING.items():
            binding.set_option("equipoise", f"-{name}={usual}")


class _Library(JITCodeLibrary):
    """The code of a function."""

    def _called(self) -> Iterator[Any]:
        """Yield the library of every function that it calls, each once."""
        seen = {self}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in seen:
                seen.add(library)
                yield library
                waiting.extend(library._linking_libraries if isinstance(library, Part) else ())


class Part(_Library):
    """The code of a helper, which is compiled with a whole."""

    environment: tuple[str, Any]
    """What Numba needs if the helper prints or raises something: its name and the helper itself."""

    def finalize(self) -> None:
        """Do nothing, because the whole does everything."""
        self._finalized = True

    def _get_module_for_linking(self) -> binding.ModuleRef:
        """Return this code with everything that it calls."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in self._called():
                code = library._final_module if isinstance(library, Part) else library._get_module_for_linking()
                module.link_in(code, preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class Whole(_Library):
    """The code of a function that is run."""

    def _optimize_final_module(self) -> None:
        """Optimise everything at once, twice: the second round uses what the first one has simplified."""
        for _ in range(ROUNDS):
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)

    def finalize(self) -> None:
        """Optimise and translate, and give the parts what they need in order to print."""
        with _tuned():
            super().finalize()
        for part in self._called():
            if isinstance(part, Part) and self._codegen._engine.is_symbol_defined(part.environment[0]):
                self._codegen.set_env(*part.environment)  # type: ignore[attr-defined]


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    _name = "equipoise_lower_part"

    def run_pass(self, state: Any) -> bool:
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        key, result = object(), state["cr"]
        state.library.environment = state.targetctx.get_env_name(result.fndesc), result.env
        state.targetctx.insert_user_function(key, result.fndesc, [state.library])
        state["cr"] = result._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):
    _name = "equipoise_lower_whole"

    def run_pass(self, state: Any) -> bool:
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _Compiler(Compiler):
    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (self.lowering if step is NativeLowering else step, name) for step, name in pipeline.passes
            ]
        return pipelines


class _PartCompiler(_Compiler):
    lowering = _LowerPart


class WholeCompiler(_Compiler):
    """The compiler of functions that are run, for the `pipeline_class` of Numba's decorators."""

    lowering = _LowerWhole


class _Parts(CPUDispatcher):
    """The compiled parts of a helper, by the types of its arguments."""

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result  # not for Python, which would call it


class Helper(CPUDispatcher):
    """A function that kernels call as a part; if Python calls it, it is a whole.

    function: The function.
    options: Options of `numba.jit`.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        options |= {"no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=WholeCompiler)

    @cached_property
    def _made_parts(self) -> Any:
        """The parts, which are made when a kernel is compiled; a kernel that comes from the disk needs none."""
        return _Parts(self.py_func, targetoptions=self.targetoptions | _UNWRAPPED, pipeline_class=_PartCompiler)

    def get_call_template(self, *arguments: Any) -> Any:
        """Compile the part for a call, and return what Numba wants to know about it."""
        return self._made_parts.get_call_template(*arguments)

    def get_overload(self, *arguments: Any) -> Any:
        """Return the key of a part."""
        return self._made_parts.get_overload(*arguments)
