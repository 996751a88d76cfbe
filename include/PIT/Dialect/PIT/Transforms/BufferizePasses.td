//===- BufferizePasses.td - Passes that prepare bufferization -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZEPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZEPASSES_TD

include "mlir/Pass/PassBase.td"

def PITSeparateDroppedDims : Pass<"pit-separate-dropped-dims", "::mlir::func::FuncOp"> {
  let summary = "Split slices that drop some of several unit dimensions into slices and reshapes";
  let description = [{
    A `tensor.extract_slice` that drops some dimensions of size 1 and keeps others becomes a slice that drops none, and
    a `tensor.collapse_shape`. A `tensor.insert_slice` becomes a `tensor.expand_shape`, and an insertion that adds no
    dimension. On tensors it is known which dimensions are dropped. Views of buffers with dynamic strides have to guess,
    and sometimes guess wrong. So this matters for tensors with dynamic extents behind the first dimension. It runs
    right before bufferization.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def PITSeparateFills : Pass<"pit-separate-fills", "::mlir::func::FuncOp"> {
  let summary = "Give each op that writes to a filled or empty tensor its own destination";
  let description = [{
    Where several ops write to one `linalg.fill` of a `tensor.empty`, or others read it, bufferization copies what is
    filled. This clones the fill in front of each of those ops instead, except for the first one if nobody only reads the
    fill. Ops in other blocks than the fill, such as loop bodies, and destinations of a fill whose contents do not matter stay
    as they are. Where several ops write to one `tensor.empty`, they would share one buffer, and one of them could not be
    computed while another's result is read: each gets an empty tensor of its own as well. `--cse` would undo it; so it runs
    right before bufferization. A `linalg.generic` that yields a constant everywhere becomes a `linalg.fill` first.

    With `group=N`, each N ops share an empty tensor, and ops that yield constants stay as they are. Upstream's analysis of what may be
    written in place compares all ops that write to one tensor with each other; thousands take it minutes.
  }];
  let options = [Option<"group", "group", "int64_t", /*default=*/"1", "How many ops share an empty tensor">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITPlaceParts : Pass<"pit-place-parts", "::mlir::func::FuncOp"> {
  let summary = "Compute parts of a concatenation in place";
  let description = [{
    After bufferization, each part of a `tensor.concat` is a buffer of its own, and a `memref.copy` moves it to a slice
    of the whole. If nothing else accesses that slice before the copy, the ops that compute the part write to the slice
    directly, and the copy is removed. The pass takes parts of static extents that structured and tiled ops, products
    and copies access.
  }];
  let statistics = [Statistic<"numPlaced", "num-placed", "Buffers that became slices">];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PITCarryInPlace : Pass<"pit-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Give each tensor that a loop or branch passes on one buffer";
  let description = [{
    Kernels allocate nothing. So a loop cannot pass a new buffer to its next iteration, nor a branch one to what follows. This
    pass writes what a loop carries (`scf.for`, `scf.while`) back into the tensor that the iteration got, by a `linalg.copy`.
    What a branch yields (`scf.if`, `scf.index_switch`) is written into one tensor in front of it. An `arith.select` of tensors
    becomes a structured op, which all threads of a device share. A tensor that is only changed in place stays as it is. So does
    one whose extents are not known in front of the branch, or may change from one iteration to the next. `--canonicalize` may
    undo it; so it runs right before bufferization.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZEPASSES_TD
