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
  let summary = "Set the chip for which GPU modules are compiled";
  let description = [{
    Gives every `gpu.module` the target `#nvvm.target<chip, features>`. The pass checks that chip and PTX version fit
    together, as LLVM's back end crashes on a chip that the PTX version does not have. Kernels whose names PTX does not
    allow, because a function is called `a.b`, get others.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip, such as sm_80 or sm_90a">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "The PTX version, such as +ptx83; by default the first that knows the chip">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}

def PITOverlapLaunches : Pass<"pit-overlap-launches", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let a kernel start while the kernel before ends (programmatic dependent launch)";
  let description = [{
    Every block of a kernel waits (`nvvm.griddepcontrol wait`), before it accesses memory, until the launches before
    have ended. Then it allows the next kernel to start. Such kernels have the attribute `pit.waits`, also in the table
    of a `gpu.binary`, and may be launched by programmatic stream serialization. The launch and the start of a kernel
    then overlap with the end of the kernel before. Each kernel waits for all of the kernel before, which has waited
    itself, so memory is accessed as if they ran one after another. Launched otherwise, such kernels do not wait.

    What a block does before it touches memory of the device (numbers of threads, barriers in shared memory) stays ahead of the
    wait. Where an argument has the attribute `pit.waits_last` and is not 0, a kernel allows the next one to start at once,
    works, and waits at its end, in one thread. Kernels for chips older than sm_90, and kernels that have the attribute, are left as they are.

    Restrictions: kernels in the LLVM dialect, in modules with a target.
  }];
  let statistics = [Statistic<"numKernels", "num-kernels", "Kernels that wait">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def PITDelayLaunches : Pass<"pit-delay-launches", "::mlir::ModuleOp"> {
  let summary = "Find launches that need not wait for the launch before";
  let description = [{
    A launch that writes only lists (buffers of one dimension) moves behind following launches that are independent of
    it, up to the first that is not. An index that is needed only at the end of a program, such as that of a token's
    experts, is then computed while the last blocks of a matrix product run.

    A launch may also be independent of all launches that may still run when it starts. Its kernel then gets a new last
    argument with the attribute `pit.waits_last`, which `--pit-overlap-launches` reads. For example, the first of three
    products with the same input lets the other two start on multiprocessors that it leaves idle.

    Two launches depend on each other if one writes what the other reads or writes. The code of the kernels says what
    they do with their arguments. Buffers that both launches take through `pit.signaled` do not count: the first launch
    writes all of them, the second reads some of them, and waits inside for what it reads. These ops are removed.

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
    A buffer that the function allocates and frees is live from the first launch that takes it, or a view of it, to the
    last. Buffers of the same type and sizes with disjoint lifetimes become one. A model of many layers thus needs the
    workspace of one layer. Contents are not initialised between lifetimes.

    Buffers that are returned stay. So do buffers with uses other than views and launches at the top level of a function
    of one block.
  }];
  let statistics = [Statistic<"numShared", "num-shared", "Buffers that became another one">];
}

def PITSpreadBlocks : Pass<"pit-spread-blocks", "::mlir::ModuleOp"> {
  let summary = "Keep the blocks of early launches from crowding few multiprocessors";
  let description = [{
    A launch that starts while the one before ends (`--pit-overlap-launches`) has its blocks placed where room is at that moment:
    several on the first multiprocessors that are free, and none on others. A product of as many tiles as there are
    multiprocessors then takes several times as long. So launches take more dynamic shared memory than they need, as much as
    leaves a multiprocessor of the card room for its share of the blocks, and no more.

    This is done for kernels with the attribute `pit.waits` that have dynamic shared memory, and no clusters. How many blocks there are may be known when the
    host launches. Launches on chips that no card is known of are left as they are.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip, such as sm_90a">,
    Option<"card", "card", "std::string", /*default=*/"\"\"", "The card with the chip, for the number of its multiprocessors">
  ];
  let statistics = [Statistic<"numSpread", "num-spread", "Launches that take more shared memory">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PITMergeAlternatives : Pass<"pit-merge-alternatives", "::mlir::ModuleOp"> {
  let summary = "Make one function of a function and its alternative";
  let description = [{
    Puts the launches of the function that a `pit.alternative` names in the place of the op. Which of both run is said by
    their grids: the host leaves out a launch without blocks. Both write the same results. Other buffers of the alternative
    have 1 for an unknown extent where it does not run, so that it needs memory for short inputs alone.

    The pass comes when it is decided which launches wait for which, as that is so for each function by itself.
    An alternative is dropped, with a remark (category `pit-kernels`), if a function does something else than launch kernels,
    or if the buffers of their results differ.
  }];
  let statistics = [Statistic<"numMerged", "num-merged", "Alternatives that became part of a function">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
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
