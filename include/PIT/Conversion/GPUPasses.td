//===- GPUPasses.td - From ops on buffers to GPU kernels ---*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_GPUPASSES_TD
#define PIT_CONVERSION_GPUPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertDetectToGPU : Pass<"convert-detect-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn detection into kernels that run at the speed of memory";
  let description = [{
    Each `pit.detect_into` on buffers becomes two launches. The first reads the pattern once, with loads of 16 bytes where
    extents and strides allow it. It ORs each micro-tile in registers, and writes a bitmap of 32 micro-tiles per word, segment
    after segment, and the number of live ones per group of words. The second adds up the groups before its own and writes
    offsets and coordinates in order. Small patterns take one launch of one block. No position comes from an atomic, so the
    lists are the same in every run. What the lists cannot hold is not written, and reported in the status buffer (see
    docs/RuntimeABI.md); so are lengths outside their sequence.

    Each `pit.detect_bits_into` becomes the first launch alone, with the bitmap where its destination is.

    Any strides are taken. Bitmap and counts are buffers that the host allocates.

    Restrictions: ops of the function's top level; element types of `--pit-detect-into-lists`; extents below 2^31 each.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">
  ];
  let statistics = [
    Statistic<"numDetections", "num-detections", "Detections converted">,
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertInvertToGPU : Pass<"convert-invert-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn inversions of indexes into kernels";
  let description = [{
    Each `pit.invert_into` on buffers becomes one launch. A block makes the lists of 32 coordinates: it searches every segment
    for where they begin, which also says how many positions are listed before, gathers a bit per coordinate and
    segment in registers, and writes positions in order. Blocks share nothing, and there are no atomics. Positions that
    the list has no room for are dropped. Nothing is read back by the host.

    Restrictions: ops of the function's top level whose lists are contiguous; extents below 2^31 each.
  }];
  let statistics = [Statistic<"numInversions", "num-inversions", "Inversions converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertPiecesToGPU : Pass<"convert-pieces-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn waits for what other ranks push into kernels";
  let description = [{
    Each `pit.await_pieces` on buffers becomes one launch of one warp, which ends when all words are set. Products that wait
    for the pieces of each of their tiles have taken theirs before (`--convert-contractions-to-hopper`).

    Restrictions: ops of the function's top level.
  }];
  let statistics = [Statistic<"numWaits", "num-waits", "Waits converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect"];
}

def ConvertAttentionToGPU : Pass<"convert-attention-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn attention by sequences into kernels for the matrix units";
  let description = [{
    Each `pit.attend_sequences` on buffers becomes one launch, as its `#pit.attention_plan` says. A block has rows of a sequence and one
    head, each warp 16 of them; rows of K and V come step by step through shared memory, the next ones while the last ones are
    multiplied (`mma.sync`).
    Scores stay in registers: the softmax is computed step by step with a running maximum and sum (Milakov and Gimelshein,
    "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022). Blocks behind the end of their
    sequence leave at once.

    Restrictions: ops of the function's top level; 32, 64 or 128 elements per head; contiguous buffers; sm_80 and newer.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made">,
    Option<"plan", "plan", "bool", /*default=*/"true", "Plan what is not planned yet; otherwise every op has a plan">
  ];
  let statistics = [Statistic<"numAttentions", "num-attentions", "Ops converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertRowsToGPU : Pass<"convert-rows-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn ops that compute rows from rows into kernels with a warp per row";
  let description = [{
    Takes `pit.tiled` on buffers, at the top of a function, over a list of rows. Its region computes each row of its outputs
    from the same row of packed or listed operands, and from vectors that all rows share, by elementwise ops and reductions
    along the row, in any number (see `--pit-fuse-rows`). A warp has a row in registers from the loads to the stores; where
    there are more than 2048 elements, a block has. Reductions go through the lanes, so float sums are reassociated. The kernel
    also fills the output with a constant where a fill does so before the op, if the op lists the rows and nobody reads the
    output between them. With more than 16384 elements, a block goes over a row several times: once for each reduction that
    needs another one's result, and once to store. What several of these load stays in shared memory, as far as there is room.

    Reductions along the rows of a whole matrix become such kernels, too, with what is computed from the same rows behind them:
    a softmax, or the largest weight of an expert and where it is. The matrix has at least 32 columns, the ops are at the top of
    a function, and they start from a fill with a constant. What nobody else reads is not written to memory.

    Rows have up to 262144 elements. What does not fit is left as it is, for `--pit-expand-tiles`. Other fills of a MiB and
    more with a constant become kernels that store 16 bytes at a time.

    All other reductions of structured ops, over any axes, with static or dynamic extents, become kernels of the family
    `reduce`: an associative op with a neutral element, or an arg-max or arg-min, behind elementwise arithmetic on operands.
    Threads take neighbouring elements, 16 bytes of them where they are aligned; where there are too few results to keep the
    chip busy, a reduction is cut into parts, and a second kernel combines them, always in the same order. Reductions of fewer
    than 32 elements are left to threads of their own, and so are products of matrices with sums of up to 1024.

    Reductions over windows of at most 128 elements, which move along axes of an input (depthwise convolutions, pooling), become
    kernels of the family `windows`: a thread has several results side by side, whose windows it reads once. What `tensor.pad`
    became, a fill and a copy into its middle, is done by loads, and elementwise ops on what comes out by the same kernel.

    How kernels do it is what `#pit.row_plan`s say, see `--pit-plan-kernels`.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Leave float sums along rows of whole matrices as they are, in their order">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">,
    Option<"plan", "plan", "bool", /*default=*/"true",
           "Plan what is not planned yet; otherwise only what has a plan is converted">,
    Option<"freeBuffers", "free-buffers", "bool", /*default=*/"true",
           "Free what parts of reductions are in; otherwise a later pass does">
  ];
  let statistics = [Statistic<"numRows", "num-rows", "Ops on rows converted">,
                    Statistic<"numReductions", "num-reductions", "Other reductions converted">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::pit::PITDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertSumsToGPU : Pass<"convert-sums-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn sums of listed rows, and what they read per listed element, into kernels";
  let description = [{
    Takes two kinds of `pit.tiled` on buffers, at the top of a function, recognised by structure, whose region is one
    `linalg.generic`:

    * Sums of listed rows (see `--pit-split-sums`): each segment owns one row of the output, the operands are rows listed
      by the coordinate, numbers per listed element, rows per segment, and rows for all, and nothing but the coordinate is
      summed over. Neighbouring threads take neighbouring columns, 16 bytes of the widest operand each where rows allow
      it; several listed rows are loaded before the first is added. Sums are formed in the order of the list. A fill of the
      output before it is taken into the kernel, and so is an elementwise op behind it that alone reads the sums. With
      `cache-hints`, rows that are listed no more often than they are rows, as those of an inverse are, leave the L2 cache
      first; the loads that say so need `sm_80` and PTX 7.4.
    * Numbers per listed element: all operands have one number per listed element, packed or not. Each thread computes
      one.

    What does not fit is left as it is, for `--pit-expand-tiles`. How kernels do it is what `#pit.row_plan`s say, see
    `--pit-plan-kernels`.
  }];
  let options = [
    Option<"cacheHints", "cache-hints", "bool", /*default=*/"false", "The chip has loads with cache policies">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">,
    Option<"plan", "plan", "bool", /*default=*/"true",
           "Plan what is not planned yet; otherwise only what has a plan is converted">
  ];
  let statistics = [
    Statistic<"numSums", "num-sums", "Sums of listed rows converted">,
    Statistic<"numLists", "num-lists", "Ops with one number per listed element converted">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def MergeClearsIntoKernels : Pass<"merge-clears-into-kernels", "::mlir::ModuleOp"> {
  let summary = "Clear small buffers in kernels that run anyway (memset fusion)";
  let description = [{
    A fill with zero of up to 32 integers, in a buffer that the function allocates, becomes work of the first kernel
    that is launched. The first threads of its first block store the zeros. The kernel takes the buffer as one more
    argument.

    Restrictions: the kernel is a function of the LLVM dialect that is launched once, in a block of the function's top
    level; nothing uses the buffer before the fill. Other fills are left as they are.
  }];
  let statistics = [Statistic<"numClears", "num-clears", "Fills merged into kernels">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def PITLowerDeviceChecks : Pass<"pit-lower-device-checks", "::mlir::ModuleOp"> {
  let summary = "Make kernels report checks that fail";
  let description = [{
    A `pit.check` in the middle of a function, on buffers, becomes a branch around a report to the status buffer: status 1, the address of
    the check's message, and its two numbers. The messages of a function are bytes of a constant, which the host puts on the device with the
    others; each one ends with a zero and begins at a multiple of 64 bytes, so that whoever reads 64 at a time stays in the constant.
    Functions that hold the checks of arguments are left to the host.

    To be run in front of `--convert-linalg-to-gpu`, which makes the stores.
  }];
  let statistics = [Statistic<"numChecks", "num-checks", "Checks of kernels">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertLinalgToGPU : Pass<"convert-linalg-to-gpu", "::mlir::func::FuncOp"> {
  let summary = "Turn everything that touches memory into GPU kernels";
  let description = [{
    Takes functions on buffers (linalg, scf, memref, arith, math) and leaves the host with allocations, extents and
    `gpu.launch` ops, which run in order.

    A structured op of the function's top level becomes a grid with one point of the output per thread; neighbouring
    threads walk the output's contiguous axis, reductions run in order inside a thread. Inputs of elementwise ops that lie
    along another loop come through tiles of 32 x 32 in shared memory. Everything else (loops, loads,
    and scalars that depend on memory) is run by one block: structured ops inside are spread over its threads, scalar
    stores are done by its first thread, barriers keep dependent steps apart. Values that depend on memory never reach
    the host.

    Kernels take base pointers (memrefs of rank 0), integers and floats only; see docs/RuntimeABI.md. Buffers that
    loops allocate are allocated once by the host, with sizes it can bound. Where code reports errors to the runtime,
    the function gets a last argument with the attribute `pit.status`: four i64 (status code, rule, value, bound) which
    the caller clears and reads. Calls that count or time are dropped.

    Restrictions: one block per function, strided buffers, no calls, no results that are scalars read from memory.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"256", "Threads per block, a multiple of 32 up to 1024">
  ];
  let statistics = [
    Statistic<"numGridKernels", "num-grid-kernels", "Kernels that are spread over a grid">,
    Statistic<"numBlockKernels", "num-block-kernels", "Kernels that one block runs">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ApproximateMathForGPU : Pass<"approximate-math-for-gpu", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Replace math functions by what the device computes without a library";
  let description = [{
    Other functions of f32 become the same polynomials as on the CPU, so that both give the same bits up to fusion; narrower
    floats are computed in f32. What the device has instructions for becomes a call of the LLVM intrinsic; `exp`,
    `exp2`, `rsqrt` and `erf` of f32 that allow an approximation (`afn`) use the instructions for it, and `x / 2 (1 + erf(c x))`
    with such an `erf` becomes one polynomial and one power of two, shorter if the result is rounded to 16 bits. `exp`, `log`,
    `tanh` and `erf` of f64 become arithmetic of f64 with errors of at most 4 units in the last place; `sinh`, `cosh`, `asinh`,
    `acosh`, `atanh`, `exp2` and `powf` of f32 and narrower floats are computed through those. Anything else, such as `sin` or
    `powf` of f64 or a remainder of floats, is an error that names the op.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // PIT_CONVERSION_GPUPASSES_TD
