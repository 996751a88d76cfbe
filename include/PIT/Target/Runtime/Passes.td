//===- Passes.td - From launches to runtime calls -------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_RUNTIME_PASSES_TD
#define PIT_TARGET_RUNTIME_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLaunchesToRuntime : Pass<"convert-launches-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turn host functions that launch kernels into entry points of the C ABI";
  let description = [{
    Every public function `NAME` whose kernels are in a `gpu.binary` becomes two functions:

    * `i32 pit_NAME(context, stream, arguments..., results..., workspace, workspace_size)` launches the kernels on the
      caller's stream. Tensors are pointers to `pit_tensor`; scalar arguments are passed by value, scalar results
      through a pointer.
    * `i32 pit_NAME_shapes(context, arguments..., extents, workspace_size)` stores the extents of all tensor results,
      one after the other, and the bytes of workspace for these arguments. It needs no device.

    Buffers that the function allocates lie in the workspace, one behind the other on 256-byte boundaries; a buffer that
    is returned is the caller's result, any other returned value is copied there. Everything else is a call of
    `libpit_runtime.so` (see docs/RuntimeABI.md): the code and the constants of a `gpu.binary` become a constant
    that the runtime loads once per context and device; there are no global constructors. The function's `pit.status`
    argument is the context's status word. `nvgpu.tma.create.descriptor` makes a tensor map on the host, which a
    kernel takes as 128 bytes by value.

    Buffers are still memrefs afterwards, made from the calls' pointers by `builtin.unrealized_conversion_cast`;
    upstream's conversions to the LLVM dialect do the rest.

    Restrictions: straight-line functions; host code computes sizes and launches, and touches no element; calls are to
    be inlined before.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ConvertFunctionsToRuntime : Pass<"convert-functions-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turn functions on buffers into entry points of the C ABI for the CPU";
  let description = [{
    Every public function `NAME` becomes the two functions that `--convert-launches-to-runtime` makes, with the same
    signatures. The stream is not looked at, and the workspace is empty: what the code needs it takes from the heap.

    A buffer that the function allocates and returns becomes the caller's memory. Any other returned buffer is copied
    there and freed. After a wrong argument, nothing is computed. An error that the code reports to the runtime, such as
    an exceeded capacity, is the status that the call returns.

    Restrictions: extents of results follow from extents and numbers that are arguments.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ConvertRangesToRuntime : Pass<"convert-ranges-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Let the runtime's threads compute parts of ranges";
  let description = [{
    The region of a `pit.parallel_range` becomes a private function of what it reads from outside and of the bounds of a
    part, and the op a call of `pit_rt_parallel`, which calls it. `pit.task_extents` becomes calls of `pit_rt_task_rows` and
    `pit_rt_task_columns`. Values from outside are passed in memory, as their LLVM types; casts between the two are left for
    upstream's conversions. Constants are copied into the function.

    To be run on loops, before branches: a region is one block.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def PITLowerChecks : Pass<"pit-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Make functions without entry points check their arguments";
  let description = [{
    A function with the attribute `pit.checks` is renamed, and a wrapper takes its name. The wrapper calls it if all
    checks hold. If one fails, the error goes to the runtime (`pit_rt_check`), and nothing of the program runs. The
    results are then zeros, and buffers without contents whose unknown extents are 0, as such a function has no other
    way to report failure. The same happens if the system has not enough memory for the largest buffer of a call
    (`pit_rt_memory`). Entry points of the C ABI make their own calls, and return a status.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def PITRenameFunctions : Pass<"pit-rename-functions", "::mlir::ModuleOp"> {
  let summary = "Give functions names that the C library does not have";
  let description = [{
    Code in the LLVM dialect calls functions of the C library by name: `malloc`, `free`, `memcpy`, functions of libm. A
    private function or global of the program with a name that LLVM knows as a library function is renamed.

    A public function keeps its name, as callers use it. It is refused if the compiled program needs the library
    function of that name: one that allocates, frees, copies or sets memory, or that of a function of `math` in the
    program.
  }];
}

def PITEmitProgramTable : Pass<"pit-emit-program-table", "::mlir::ModuleOp"> {
  let summary = "Emit the table by which a host finds a program's entry points";
  let description = [{
    To be run when everything is in the LLVM dialect. Makes the constant `pit_program` (see `pit_runtime.h`) of all
    functions with the attribute `pit.entry`, and for each of them two functions that take their arguments from arrays,
    so that a host can call what it was not compiled for, and `pit_NAME_xla`, which XLA calls by its foreign function
    interface, unless another function has that name. Other functions and globals become internal: a shared object
    exports entry points and the table. The module's attribute `pit.program` holds what the table says of the whole.

    Code for the CPU calls `pit_rt_allocate` and `pit_rt_free` instead of `malloc` and `free`: the runtime keeps what a call
    freed for the next one.

    Restrictions: the module has at least one entry point, and no table yet.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"", "Where the entry points' tensors are: cpu or cuda">,
    Option<"chip", "chip", "std::string", /*default=*/"", "What the code is made for, such as sm_90a; for information">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PIT_TARGET_RUNTIME_PASSES_TD
