# ===- lower_child.py - From StableHLO to linalg, in a process of its own ---------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""From StableHLO to linalg by jaxlib's own passes, in a process of its own.

Reads a module from stdin and writes one to stdout; what is wrong goes to stderr.
"""

import sys


def main():
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, stablehlo

    with ir.Context() as context:
        dialects = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(dialects)
        context.append_dialect_registry(dialects)
        context.load_all_available_dialects()
        chlo.register_dialect(context)
        stablehlo.register_dialect(context)
        stablehlo.register_stablehlo_passes()
        module = ir.Module.parse(sys.stdin.read())
        for pipeline in (
            "builtin.module(inline,symbol-dce)",
            "builtin.module(func.func(chlo-legalize-to-stablehlo))",
            "builtin.module(stablehlo-convert-to-signless)",
            "builtin.module(stablehlo-legalize-to-linalg)",
        ):
            passmanager.PassManager.parse(pipeline).run(module.operation)
        sys.stdout.write(module.operation.get_asm(enable_debug_info=True))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # Whatever it is, the parent wants its text.
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.exit(1)
