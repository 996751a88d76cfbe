//===- PITPasses.td - From structured ops to the pit dialect -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_PITPASSES_TD
#define PIT_CONVERSION_PITPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToPIT : Pass<"convert-linalg-to-pit", "::mlir::func::FuncOp"> {
  let summary = "Restrict structured ops to the live points of sparsity patterns";
  let description = [{
    Runs the two-way sparsity propagation and turns every structured op that may skip points into a
    `pit.generic` over an index. One `pit.detect` is made per pattern and shared by all ops it governs. Results
    that keep the pattern stay packed until an op needs them whole; then they are written with `pit.swrite` into
    what the dead elements hold.

    Ops that no rule fits stay as they are; a remark says why when a pattern reached them.

    Regions of control flow are rewritten as the block around them, from what is known of values that they read: those of
    `scf.if`, `scf.for`, `scf.while` and other `RegionBranchOpInterface` ops, if each region is one block and iterations do not
    run side by side. An index is made where its pattern is marked. With `regions=false`, and in regions of other ops, ops are
    left as they are; each that a pattern reaches, and each mark there, is a warning. So is a mark in a function of several
    blocks.

    Restrictions: one pattern per op; structured ops must be
    on tensors and their maps must use the restricted axes as plain dimensions; nothing is known of what a loop carries, or of
    what comes out of a region.

    A mark that `--pit-select-marks=rows` kept restricts ops along whose operands' rows its pattern lies, for which GPUs have kernels of listed
    rows; others, and ops that only these read, stay dense.

    With `number-only` nothing is restricted: each op that would be gets the attribute `pit.rule` with the number of its
    rule, so that the dense program can be measured rule by rule.

    With `kernels`, products are restricted along listed rows, and experts. Along k and blocks, only those of bf16 and f16 are, and
    those only with `list-kernels`, as chips have with products of warpgroups; along columns, none are: for the rest, a GPU has no kernel, and a loop over what is live takes longer than the dense kernel. What reads a tensor to find its
    zeros, and computes no product, stays dense, too.

    With `least-us`, a pattern whose products together take less than that each, at the speed of long ones, is not listed, unless
    it is one of experts: kernels that list and pack take longer. This is so for products of 16 bits, and for listed rows of any
    type. `--pit-create-alternatives` does the same where only the caller knows extents.

    `finite` takes live data to be finite, so that `0 * x` may be skipped; `strict` refuses to compact
    floating-point sums even though the compacted sum keeps the order of the remaining terms.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">,
    Option<"regions", "regions", "bool", /*default=*/"true", "Rewrite ops in regions of control flow, too">,
    Option<"numberOnly", "number-only", "bool", /*default=*/"false", "Only number the rules, restrict nothing">,
    Option<"kernels", "kernels", "bool", /*default=*/"false",
           "Restrict what a GPU's kernels are faster for than for the dense op, as far as types tell">,
    Option<"listKernels", "list-kernels", "bool", /*default=*/"true",
           "With `kernels`: they skip k and blocks in products of bf16 and f16">,
    Option<"leastMicroseconds", "least-us", "double", /*default=*/"0.0",
           "The least mean time of products that a list is made for, in microseconds, as far as extents are known">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRestricted", "num-restricted", "Structured ops restricted to a pattern">,
    Statistic<"numIndexes", "num-indexes", "Indexes built">
  ];
}

#endif // PIT_CONVERSION_PITPASSES_TD
