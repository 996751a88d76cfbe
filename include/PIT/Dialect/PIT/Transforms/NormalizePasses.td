//===- NormalizePasses.td - Passes that bring ops into forms to match -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZEPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZEPASSES_TD

include "mlir/Pass/PassBase.td"

def PITUnrollLoops : Pass<"pit-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "Unroll loops around structured ops, for GPUs";
  let description = [{
    Launches follow one another, so that what is in a loop is no launch of its own: one block of threads runs the whole loop. An `scf.for` at
    the top of a function that iterates a known number of times and holds structured ops is unrolled, with the loops in it. Then each
    iteration has the kernels that its ops have elsewhere, patterns pass from one to the next, and data stays where it is. A loop that would
    be more than `most` ops stays, and so does one whose bounds are only known at run time; `--pit-outline-loops` takes these.
  }];
  let options = [
    Option<"most", "most", "uint64_t", /*default=*/"2000", "Ops of a loop at most, unrolled">
  ];
  let statistics = [
    Statistic<"numUnrolled", "unrolled", "Loops that are unrolled">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PITOutlineLoops : Pass<"pit-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Have the host run loops around kernels";
  let description = [{
    An `scf.for` at the top of a function, around structured ops, becomes a `pit.host_loop`, and its body a private function, whose ops have
    the kernels that they have elsewhere. So do loops in the body. Marks of what the body uses, and what is computed from extents and scalars, come
    along. It has to be known on the host how often the loop iterates: from scalar arguments and extents, as arithmetic says. The loop
    carries tensors only, each with the same extents in every iteration, and no extent inside depends on which iteration it is. Other loops stay,
    and one block of threads runs each of them; a remark (category `pit-kernels`) says why. So does a loop whose structured ops have at most `few` points
    each, which a block computes faster than a launch starts.

    An `scf.if` around structured ops whose condition the host knows becomes two such loops, of at most one iteration each: one for each region. Its
    results are tensors of static extents; they have buffers of both loops, and one copy more. An `scf.while` that counts becomes an `scf.for` first, by
    upstream's utility. Remarks name the others.
  }];
  let options = [
    Option<"few", "few", "int64_t", /*default=*/"4096", "Points of structured ops that are left to one block of threads">
  ];
  let statistics = [
    Statistic<"numOutlined", "outlined", "Loops that the host runs">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::pit::PITDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITNormalize : Pass<"pit-normalize", "::mlir::func::FuncOp"> {
  let summary = "Bring structured ops into the form that patterns travel through";
  let description = [{
    Uses upstream's patterns throughout. It makes structured ops of arithmetic on whole tensors; decomposes aggregated ops,
    gathers, packing, unpacking and Winograd transforms; generalises named ops; folds reshapes into structured ops by splitting
    their axes; and folds transposes, broadcasts and one-use elementwise producers into their elementwise users. Patterns then
    lie along plain iteration axes instead of inside collapsed ones. An axis along which a mark lies, in an op or in others that
    share it, is not split: the pattern numbers it as it is. Sums keep their order. A widening cast in front of a yield moves to
    the readers instead.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITWidenSums : Pass<"pit-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "Keep sums of products of bf16 or f16 in f32, and round them once";
  let description = [{
    As exporters write them, products of 16 bits add up in 16 bits. Each `linalg.generic` on tensors whose body is a product of two
    inputs and its sum with the output, all of one type of 16 bits, takes exact products and adds them up in f32, which are rounded
    behind. What it starts from is widened. That is what frameworks compute for such a program, and what matrix units can; the result
    differs from that of rounding at every step, and is closer to the exact one. Other sums stay as they are.
  }];
  let statistics = [Statistic<"numWidened", "num-widened", "Sums that are kept in f32">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITSeparateStarts : Pass<"pit-separate-starts", "::mlir::func::FuncOp"> {
  let summary = "Split a product that adds to a tensor into one that starts from zeros, and an addition";
  let description = [{
    Kernels for matrix units start from zeros. This pass takes a `linalg.generic` in a function's own block that adds up products of
    bf16 or f16 in f32, of f64 in f64, or of i8 in i32, and whose destination is not a fill with zeros. Its destination becomes
    such a fill. What it was added to is added behind, elementwise, which the kernel does in its epilogue. What was broadcast or
    cast to f32 for the destination is read as it was before that. Sums are rounded in another order. Ops that do more to the
    sum than add to it stay as they are, and so do convolutions unless there are kernels for them (`convolutions`).
  }];
  let options = [Option<"convolutions", "convolutions", "bool", /*default=*/"false", "Take convolutions as well">];
  let statistics = [Statistic<"numSeparated", "num-separated", "Products that start from zeros now">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITCollapseProducts : Pass<"pit-collapse-products", "::mlir::func::FuncOp"> {
  let summary = "Merge axes of products and reductions, so that they are those of matrices";
  let description = [{
    Takes a contraction in a function's own block (`linalg.generic` on tensors, without batch axes). If its axes of rows are
    neighbours, in the same order in all operands that have them, they become one axis. The same is done with axes of columns
    and of the sum. A reduction gets one axis of results, and one that it reduces over. Operands are collapsed and the result is
    expanded. The expansion moves behind elementwise ops that follow; these are collapsed as well, with all that they read, and
    so are elementwise ops before. So a norm or a softmax over [batch, position, feature] is one of rows.
  }];
  let statistics = [Statistic<"numCollapsed", "num-collapsed", "Contractions and reductions with merged axes">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZEPASSES_TD
