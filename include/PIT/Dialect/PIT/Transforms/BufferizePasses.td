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
  let summary = "Make slices that drop some of several unit dimensions slices and reshapes";
  let description = [{
    A `tensor.extract_slice` that drops dimensions of size 1 while others are left becomes one that drops none and a
    `tensor.collapse_shape`, a `tensor.insert_slice` a `tensor.expand_shape` and one that adds none. Which dimensions go is known
    here; of a view of a buffer whose strides are unknown it would be guessed, wrongly at times. So tensors with dynamic extents
    behind the first dimension are concerned. Runs right before bufferization.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def PITSeparateFills : Pass<"pit-separate-fills", "::mlir::func::FuncOp"> {
  let summary = "Give each op that writes to a filled or empty tensor one of its own";
  let description = [{
    Where several ops write to one `linalg.fill` of a `tensor.empty`, or others read it, bufferization copies what is
    filled. This clones the fill in front of each of those ops instead, except for the first one if nobody only reads the
    fill. Ops in other blocks than the fill, such as loop bodies, and destinations of a fill whose contents do not matter stay
    as they are. Where several ops write to one `tensor.empty`, they would share one buffer, and one of them could not be
    computed while another's result is read: each gets an empty tensor of its own as well. `--cse` would undo it; so it runs
    right before bufferization. A `linalg.generic` that yields a constant everywhere becomes a `linalg.fill` first.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZEPASSES_TD
