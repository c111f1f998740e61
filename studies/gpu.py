"""What the kernel of Middle-Ages would need on a GPU: its optimised LLVM code, translated for NVIDIA's GPUs.

No kernel is changed for this.  The code that Numba has optimised for the processor gets another target, the policy
is called directly instead of through its address, and `ptxas`, if it is given, prints how many registers are needed.

    python -m studies.gpu greedy --ptxas path/to/ptxas     # from: pip install nvidia-cuda-nvcc-cu12
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

GAME = "middle-ages"
MACHINE = "sm_90"
LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
CALL = re.compile(r"^  (%[\w.]+) = (?:tail )?call i32 %[\w.]+\((ptr [^()]*?), (i32|i64) (%[\w.]+|\d+)\)[^\n]*\n", re.M)
DRIVE = re.compile(r"call i32 %[\w.]+(\(ptr [^()]*, i64 1, i64 -1\))")


def optimised(policy: str) -> list[str]:
    """Compile a game and a policy for a generic processor; return the LLVM code of batches, driver and policy."""
    os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    os.environ["EQUIPOISE_CACHE_DIR"] = tempfile.mkdtemp(prefix="equipoise-gpu-")
    from simcore.game import load_game
    from simcore.kernel import parts
    from simcore.running.warm import compile_kernels
    from strategies.library import load_strategy

    found: dict[str, str] = {}
    usual = parts.Whole._optimize_final_module

    def keep(self: Any) -> None:
        usual(self)
        found[self._name] = str(self._final_module)

    parts.Whole._optimize_final_module = keep
    compile_kernels(GAME)
    batch, driver = found["play_batch"], found["play_on"]
    found.clear()
    _ = load_strategy(load_game(GAME), policy).address
    return [batch, driver, *found.values()]


def retargeted(code: str) -> str:
    """Return LLVM code for another target, without wrappers for Python and C and without reference counts."""
    code = re.sub(r'target triple = ".*"', 'target triple = "nvptx64-nvidia-cuda"', code)
    code = re.sub(r'target datalayout = ".*"', f'target datalayout = "{LAYOUT}"', code)
    code = re.sub(r'"(target-cpu|target-features|probe-stack|stack-probe-size)"="[^"]*"', "", code)
    code = re.sub(r"^define [^\n]*@(_ZN7cpython|cfunc\.)[^\n]*\{\n.*?^\}\n", "", code, flags=re.M | re.S)
    empty = r"define linkonce_odr void @\1(ptr %p) {\n  ret void\n}\n"
    return re.sub(r"^define [^\n]*@(NRT_\w+)\([^\n]*\{\n.*?^\}\n", empty, code, flags=re.M | re.S)


def linked(batch: str, driver: str, policy: str) -> tuple[str, str]:
    """Return the code of batches, with an entry point for a GPU, and of the driver, both with direct calls."""
    play, drive = (
        _first(code, rf"_ZN7simcore\w*{name}\w*") for code, name in ((batch, "play_batch"), (driver, "play_on"))
    )
    choose = _first(policy, r"_ZN10strategies\w*")

    def direct(found: re.Match[str]) -> str:
        result, records, kind, seat = found.groups()
        if kind == "i64":
            return f"  {result} = call i32 @{choose}({records}, i64 {seat})\n"
        wide = f"{result}.seat"
        return f"  {wide} = zext {kind} {seat} to i64\n  {result} = call i32 @{choose}({records}, i64 {wide})\n"

    batch, driver = DRIVE.sub(rf"call i32 @{drive}\1", batch), CALL.sub(direct, driver)
    head = re.search(rf"^define [^@\n]*@{play}\((.*)\) [^()\n]*\{{$", batch, re.M)
    assert head
    kinds = re.findall(r"(?:^|, )(ptr|i\d+) ", head[1])[2:]
    taken = ", ".join(f"{kind} %a{number}" for number, kind in enumerate(kinds))
    entry = f"""
declare i32 @{drive}(ptr, ptr, ptr, ptr, ptr, ptr, i64, i64)
define ptx_kernel void @play({taken}) {{
  %r = alloca i64
  %e = alloca ptr
  %c = call i32 @{play}(ptr %r, ptr %e, {taken})
  ret void
}}
"""
    return batch + entry, f"{driver}\ndeclare i32 @{choose}(ptr, ptr, ptr, ptr, ptr, i64)\n"


def _first(code: str, name: str) -> str:
    found = re.search(rf"^define [^@\n]*@({name})\(", code, re.M)
    assert found, name
    return found[1]


def translated(batch: str, driver: str, policy: str) -> str:
    """Return the PTX of a game and a policy."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu=MACHINE, opt=3)
    batch, driver, policy = map(retargeted, (batch, driver, policy))
    module, *rest = map(binding.parse_assembly, (*linked(batch, driver, policy), policy))
    for code in rest:
        module.link_in(code)
    for function in module.functions:
        if not function.is_declaration and function.name != "play":
            function.linkage = "internal"
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return str(machine.emit_assembly(module))


def main(
    policy: Annotated[str, typer.Argument()] = "greedy",
    ptxas: Annotated[Path | None, typer.Option()] = None,
    out: Annotated[Path, typer.Option()] = Path("play.ptx"),
) -> None:
    """Write the PTX of Middle-Ages with a policy, and print what it needs."""
    ptx = translated(*optimised(policy)[:3])
    out.write_text(ptx, encoding="utf-8")
    typer.echo(f"{out}: {len(ptx.splitlines()):,} lines")
    if ptxas:
        line = [str(ptxas), "-v", "--gpu-name", MACHINE, "-o", os.devnull, str(out)]
        typer.echo(subprocess.run(line, capture_output=True, text=True, check=True).stderr)


if __name__ == "__main__":
    typer.run(main)
