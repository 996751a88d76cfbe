//===- ReportPasses.td - Passes that report and measure ----*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_REPORTPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_REPORTPASSES_TD

include "mlir/Pass/PassBase.td"

def PITAnnotateAxes : Pass<"pit-annotate-axes"> {
  let summary = "Attach to every structured op which of its axes are PIT-axes";
  let description = [{
    Attaches `pit.axes`, an array with one entry per iteration axis in order, to every op that has
    iteration axes PIT can read: all structured ops of linalg, `pit.generic`, and the ops of other dialects
    that implement `linalg::LinalgOp`. Each entry is `"parallel"`, `"reduction"` or
    `"refused: <reason>"`; each refusal is also a remark at the op.

    Aggregated ops such as `linalg.softmax` have no region to read, so they are first replaced by the
    structured ops that they stand for. One that cannot be decomposed (on buffers, for instance) is left
    without the attribute, with a remark.

    ```mlir
    %0 = linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Refuse axes along which a float sum or product would be reassociated">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::pit::PITDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PITPropagateSparsity : Pass<"pit-propagate-sparsity", "::mlir::func::FuncOp"> {
  let summary = "Attach what is known of each value where a pattern is dead";
  let description = [{
    Runs the two-way propagation and attaches, to every op it learnt something of, `pit.facts` (what the results hold
    where a pattern is dead) and, to ops that may skip points, `pit.restricted` (pattern, iteration axes and reason).
    Patterns are numbered in the order of their first mark. The attributes are for reading: no pass needs them.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">
  ];
}

def PITTimeRules : Pass<"pit-time-rules", "::mlir::ModuleOp"> {
  let summary = "Put timers around rules";
  let description = [{
    Calls `pit_rt_timer_start` and `pit_rt_timer_stop` of the runtime around each `pit.tiled` that carries the number of a
    rule, and around each structured op with the attribute `pit.rule` (see `number-only` of `--convert-linalg-to-pit`). The timer of
    a dense variant of rule `r` (`pit.dense_variant_of`) is number 2^33 + r.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_REPORTPASSES_TD
