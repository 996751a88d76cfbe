//===- Passes.td - From kernels to PTX ------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_PASSES_TD
#define PIT_TARGET_PTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def PITAttachPTXTarget : Pass<"pit-attach-ptx-target", "::mlir::ModuleOp"> {
  let summary = "Say for which chip the GPU modules are compiled";
  let description = [{
    Gives every `gpu.module` the target `#nvvm.target<chip, features>`. The chip and the PTX version are checked
    together, before the back end sees them: it does not survive a chip that its PTX version does not know.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip, such as sm_80 or sm_90a">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "The PTX version, such as +ptx83; by default the first that knows the chip">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}

def PITOverlapLaunches : Pass<"pit-overlap-launches", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let a kernel start while the one before it ends";
  let description = [{
    Every kernel waits, in all of its blocks and before one of them touches memory, until the launches before it have ended
    (`nvvm.griddepcontrol wait`). Then it allows the next one to start. Such kernels have the attribute `pit.waits`, also in the
    table of a `gpu.binary`, and may be launched by programmatic stream serialization. What a kernel does at its start, and the
    time that launching takes, then overlap with the end of the one before. Each waits for all of the one before, which has
    waited itself, so memory is read and written as if one ran after the other. Launched otherwise, such kernels do not wait.

    What a block does before it touches memory of the device (numbers of threads, barriers in shared memory) stays ahead of the
    wait. Where an argument has the attribute `pit.waits_last` and is not 0, a kernel allows the next one to start at once,
    works, and waits at its end, in one thread. Kernels for chips older than sm_90, and kernels that have the attribute, are left as they are.

    Restrictions: kernels in the LLVM dialect, in modules with a target.
  }];
  let statistics = [Statistic<"numKernels", "num-kernels", "Kernels that wait">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def PITDelayLaunches : Pass<"pit-delay-launches", "::mlir::ModuleOp"> {
  let summary = "Find launches that need not wait for the one before them";
  let description = [{
    A launch that writes only lists (buffers of one dimension) moves behind the launches that are independent of it, up to the
    first one that is not. So an index that is needed at the end of a program, such as that of a token's experts, is made while
    the last blocks of a matrix product run.

    Then launches that are independent of those that may still run when they start say so to their kernels, in a new last
    argument with the attribute `pit.waits_last`, for `--pit-overlap-launches`. Of three products with the same input, the first
    one so lets the other two start where it leaves multiprocessors free.

    Two launches depend on each other if one writes what the other reads or writes; what kernels do with their arguments is read
    off their code. Buffers that both take through `pit.signaled` do not count: the first launch writes all of them, the second
    only reads some, and waits inside for what it reads. These ops are removed.

    Restrictions: kernels in the LLVM dialect for chips from sm_90 on, buffers passed as one pointer, launches at the top level of
    functions of one block; others are left as they are. Launches are in one stream.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numDelayed", "num-delayed", "Launches that went behind others">,
                    Statistic<"numIndependent", "num-independent", "Launches that may wait at their end">];
}

def PITShareWorkspace : Pass<"pit-share-workspace", "::mlir::func::FuncOp"> {
  let summary = "Let buffers with disjoint lifetimes share memory";
  let description = [{
    A buffer that the function allocates and frees is live from the first launch that gets it, or a view of it, to the last.
    Buffers of one type and the same sizes with disjoint lifetimes become one. So a model of many layers has the workspace of
    one layer. What launches write is not initialised between them.

    Buffers that are returned, or used by anything but views and launches at the top level of a function of one block, stay.
  }];
  let statistics = [Statistic<"numShared", "num-shared", "Buffers that became another one">];
}

def PITSerializeToPTX : Pass<"pit-serialize-to-ptx", "::mlir::ModuleOp"> {
  let summary = "Compile GPU modules in the LLVM dialect to PTX text";
  let description = [{
    Replaces every `gpu.module`, whose kernels are functions of the LLVM dialect and whose target is known, by a
    `gpu.binary` that holds PTX. The binary's table of kernels keeps the arguments, block size and shared memory that
    the manifest lists.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // PIT_TARGET_PTX_PASSES_TD
