# ===- lower_child.py - From the torch dialect to linalg, in a process of its own -===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""From the torch dialect to linalg, in a process of its own: some ops end it.

Reads a module from stdin and writes one to stdout; what is wrong goes to stderr. The argument has
attributes for selections, by their place. It imports neither torch nor this package, so that it
starts quickly.
"""

import json
import sys


def set_marks(ir, module, marks):
    """Sets `pit.sparse` on the one selection at each place."""
    left = dict(marks)

    def visit(op):
        if op.name == "linalg.generic" and any(o.operation.name == "arith.select" for o in op.regions[0].blocks[0].operations):
            for place in list(left):
                if f'"{place}"' in str(op.location):
                    op.attributes["pit.sparse"] = ir.Attribute.parse(left.pop(place))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    if left:
        raise RuntimeError(f"marks are lost: {', '.join(left)}")


PREPARE = "builtin.module(func.func(torch-match-quantized-custom-ops), torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops=aten.flatten.using_ints,aten.unflatten.int extra-library=})"

# What takes ops of torch one by one, in the order of torch-mlir's pipeline.
CONVERSIONS = ("convert-torch-to-tmtensor", "convert-torch-to-linalg", "convert-torch-to-scf", "convert-torch-to-arith", "convert-torch-to-tensor")


def list_left(ir, manager, text):
    """The names of the aten ops that no conversion takes. The pipeline's own message may name a constant next to them."""
    module, found = ir.Module.parse(text), []
    manager.parse(PREPARE).run(module.operation)
    manager.parse(f"builtin.module(func.func({','.join(CONVERSIONS)}))").run(module.operation)

    def visit(op):
        name = str(op.attributes["name"]).strip('"') if op.name == "torch.operator" else op.name
        if name.startswith("torch.aten.") and name not in found:
            found.append(name)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def list_foreign(ir, manager, text):
    """The names of the ops that become ops of the dialect tm_tensor, which is not linalg."""

    def count(module):
        found = {}

        def visit(op):
            if op.name.startswith("torch.aten."):
                found[op.name] = found.get(op.name, 0) + 1
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        return found

    module = ir.Module.parse(text)
    manager.parse(PREPARE).run(module.operation)
    before = count(module)
    manager.parse("builtin.module(func.func(convert-torch-to-tmtensor))").run(module.operation)
    after = count(module)
    return [name for name in before if before[name] > after.get(name, 0)]


def main():
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.passmanager import PassManager

    with ir.Context() as context:
        torch_dialect.register_dialect(context)
        # Passes may report an error and go on, which ends in an assertion.
        context.emit_error_diagnostics = True
        text = sys.stdin.read()
        module = ir.Module.parse(text)
        PassManager.parse(PREPARE).run(module.operation)
        try:
            PassManager.parse("builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)").run(module.operation)
        except Exception as error:
            names = list_left(ir, PassManager, text)
            if not names:
                raise
            raise RuntimeError("\n".join(f"error: failed to legalize operation '{name}'" for name in names)) from error
        if "tm_tensor." in str(module):
            names = list_foreign(ir, PassManager, text)
            if names:
                raise RuntimeError("\n".join(f"error: '{name}' op becomes one of tm_tensor, which is not linalg" for name in names))
        set_marks(ir, module, json.loads(sys.argv[1]) if len(sys.argv) > 1 else {})
        sys.stdout.write(module.operation.get_asm(enable_debug_info=True))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # Whatever it is, the parent wants its text.
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.exit(1)
