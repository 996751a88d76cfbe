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
    Kernels are launched one after another, so an op inside a loop has no launch of its own: one block of threads runs
    the whole loop. This pass unrolls an `scf.for` at the top of a function that holds structured ops and iterates a
    known number of times, together with the loops in it. The ops of each iteration then get the same kernels as outside
    of loops, and patterns pass from one iteration to the next. A loop that would become more than `most` ops stays. So
    does one whose bounds are only known at run time; `--pit-outline-loops` takes these.
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
    An `scf.for` at the top of a function, around structured ops, becomes a `pit.host_loop`. Its body becomes a private
    function, whose ops get the same kernels as outside of loops. Nested loops are outlined, too. Marks of values that
    the body uses, and values computed from extents and scalars, are copied into it. The pass takes a loop if the host
    knows the number of iterations, from scalar arguments and extents by arithmetic; if it carries only tensors, with
    the same extents in every iteration; and if no extent inside depends on the iteration. Other loops stay: one block
    of threads runs each of them, and a remark (category `pit-kernels`) says why. So does a loop whose structured ops
    have at most `few` points each, which a block computes in less time than a launch takes.

    An `scf.if` around structured ops whose condition the host knows becomes two such loops, of at most one iteration
    each: one for each region. Its results are tensors of static extents. They have buffers of both loops, and one copy
    more. An `scf.while` that counts becomes an `scf.for` first, by upstream's utility. Remarks name the others.
  }];
  let options = [
    Option<"few", "few", "int64_t", /*default=*/"4096", "The most points of structured ops for which one block of threads runs the loop">
  ];
  let statistics = [
    Statistic<"numOutlined", "outlined", "Loops that the host runs">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::pit::PITDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITNormalize : Pass<"pit-normalize", "::mlir::func::FuncOp"> {
  let summary = "Bring structured ops into the normal form that propagation expects";
  let description = [{
    Uses upstream's patterns. It turns arithmetic on whole tensors into structured ops; decomposes aggregated ops,
    gathers, packing, unpacking and Winograd transforms; generalises named ops; folds reshapes into structured ops by
    splitting their axes; and folds transposes, broadcasts and one-use elementwise producers into their elementwise
    users. A loop whose number maps divide by a constant that divides its extent, such as that of heads whose groups share keys, becomes two. Patterns then lie along plain iteration axes instead of inside collapsed ones. An axis along which a mark
    lies, in an op or in others that share it, is not split, as the pattern refers to its positions. Sums keep their
    order. A widening cast in front of a yield moves to the readers instead. An op
    without a reduction reads the number that its destination is filled with, so
    that a product along common axes alone is elementwise. What a product of matrices computes of one factor alone, such as a
    dequantised weight or a ReLU, becomes an elementwise op of its own, as kernels multiply elements; elements that are one
    of several numbers of 16 bits stay such numbers. Few rows (less than 16) keep it, as they read a weight hardly oftener.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITDefineDivisions : Pass<"pit-define-divisions", "::mlir::func::FuncOp"> {
  let summary = "Give divisions of integers a result for every divisor";
  let description = [{
    A division of integers by zero, and one of the smallest number by -1, end the process on CPUs and give whatever the
    chip likes on GPUs. This pass gives them the results that NumPy does: by zero, the quotient and the remainder are 0;
    the smallest number by -1 stays as it is, without a remainder. Zero divided by anything thus is zero, so that a
    pattern of zeros passes a division. Divisors that are constants other than 0 and -1 are left as they are.
  }];
  let statistics = [Statistic<"numDefined", "num-defined", "Divisions whose divisor is compared">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PITWidenSums : Pass<"pit-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "Keep sums of products of bf16 or f16 in f32, and round them once";
  let description = [{
    Exporters write products of 16 bits with sums of 16 bits. This pass takes each `linalg.generic` on tensors whose
    body multiplies two inputs and adds to the output, all of one 16-bit type. Products become exact, sums are in f32,
    and the result is rounded once. The initial value is widened. Frameworks compute such a program in the same way, and
    so do matrix units. The result differs from that of rounding at every step, and is closer to the exact one. Other
    sums stay as they are.
  }];
  let statistics = [Statistic<"numWidened", "num-widened", "Sums that are kept in f32">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITDeferRounding : Pass<"pit-defer-rounding", "::mlir::func::FuncOp"> {
  let summary = "Round what is added to a sum of bf16 once, behind it";
  let description = [{
    Exporters write a linear layer of bf16 as a product that is rounded, and a bias that is added to it and rounded again. In
    elementwise ops on tensors, this pass computes additions, subtractions and multiplications of what was rounded from f32 to bf16
    in f32, and rounds their results instead, as frameworks do: what follows a sum is rounded once. Comparisons and what is
    stored see rounded values, as before. f16 stays as it is written, as programs may rely on its range.
  }];
  let statistics = [Statistic<"numDeferred", "num-deferred", "Operations behind which values are rounded now">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PITSeparateStarts : Pass<"pit-separate-starts", "::mlir::func::FuncOp"> {
  let summary = "Split a product with an initial value into a product from zero and an addition";
  let description = [{
    Kernels of products start from zero. This pass takes a `linalg.generic` in a function's own block that adds up
    products of bf16, f16 or f32 in f32, of f64 in f64, or of i8 in i32, and whose destination is not filled with zeros. The
    product gets a destination of zeros. The initial value is added behind it, elementwise, which the kernel does in its
    epilogue. If the initial value is a broadcast or a cast to f32, the addition reads its operand. Sums are rounded in
    another order. Ops that do more to the sum than add to it stay as they are, and so do convolutions, unless there are
    kernels for them (`convolutions`).
  }];
  let options = [Option<"convolutions", "convolutions", "bool", /*default=*/"false", "Take convolutions as well">];
  let statistics = [Statistic<"numSeparated", "num-separated", "Products that start from zeros now">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITUnrollParts : Pass<"pit-unroll-parts", "::mlir::func::FuncOp"> {
  let summary = "Compute with the parts of a concatenation one by one";
  let description = [{
    Takes a `tensor.concat` of at most 16 parts of extent 1 which is read by structured ops alone: elementwise ones, and
    at last reductions along the concatenated axis. The ops are unrolled over that axis. An elementwise op becomes one
    for each part, and a reduction becomes one elementwise op that adds the parts in their order. An elementwise op that
    one reduction reads becomes part of it. The concatenation is gone. All results are bit for bit the same. A router
    that puts its k largest weights side by side then computes with numbers of its rows, in one kernel with the softmax
    and the choices.

    An element of a row that is looked up at the position of an arg-max over as many columns becomes a sum over the row
    in which one element counts.
  }];
  let statistics = [Statistic<"numUnrolled", "num-unrolled", "Ops that were unrolled">,
                    Statistic<"numLookups", "num-lookups", "Lookups that became sums over rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITCollapseProducts : Pass<"pit-collapse-products", "::mlir::func::FuncOp"> {
  let summary = "Merge axes of products and reductions, so that they are those of matrices";
  let description = [{
    Takes contractions in a function's own block (`linalg.generic` on tensors, without batch axes). Axes of rows become
    one axis if they are neighbours, in the same order, in all operands that have them. The same is done for axes of
    columns and of the sum. A reduction gets one axis of results, and one that it reduces over. Operands are collapsed,
    and the result is expanded. The expansion moves behind elementwise ops that follow. These are collapsed as well,
    with all their operands, and so are elementwise ops in front. A norm or a softmax over [batch, position, feature]
    thus becomes one of rows.
  }];
  let statistics = [Statistic<"numCollapsed", "num-collapsed", "Contractions and reductions with merged axes">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZEPASSES_TD
