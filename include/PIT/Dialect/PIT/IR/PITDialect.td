//===- PITDialect.td - The pit dialect ---------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITDIALECT_TD
#define PIT_DIALECT_PIT_IR_PITDIALECT_TD

include "mlir/IR/OpBase.td"

def PIT_Dialect : Dialect {
  let name = "pit";
  let cppNamespace = "::mlir::pit";
  let summary = "Dynamic sparsity of programs written as if they were dense";
  let description = [{
    The `pit` dialect describes where the zeros of a dense-written program come from (level 1,
    `pit.sparse`), the index of live micro-tiles found at run time (level 2, `pit.detect`), structured
    ops that run over such an index (level 2, `pit.generic`), and the same ops cut into dense tiles that
    are filled by gathering (level 3, `pit.tiled`, `pit.sread`, `pit.swrite`).

    It rests on the permutation-invariant transformation of Zheng et al., "PIT: Optimization of Dynamic
    Sparse Deep Learning Models via Permutation Invariant Transformation", SOSP 2023: along a PIT-axis
    any permutation of the data leaves the result unchanged, or permutes it the same way, so live
    micro-tiles may be packed into full tiles while they are loaded.

    Numbered constraints (`C1`, `C2`, ...) in the descriptions are those of `docs/Semantics.md` and of
    the verifiers' diagnostics.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Discardable dictionary attribute that marks a function argument or an op's result as sparse in IR
    /// that does not know this dialect. `--pit-materialize-marks` turns it into `pit.sparse`.
    static constexpr ::llvm::StringLiteral kMarkAttrName = "pit.sparse";
    /// Discardable unit attribute: leave this op as it is.
    static constexpr ::llvm::StringLiteral kOptOutAttrName = "pit.dense";
    /// Discardable attribute of a structured op that is left dense: the number of the rule that would apply.
    static constexpr ::llvm::StringLiteral kRuleAttrName = "pit.rule";
    /// Attached by `--pit-annotate-axes`.
    static constexpr ::llvm::StringLiteral kAxesAttrName = "pit.axes";
    /// On functions: what `pit-run --report` says of each rule that was applied.
    static constexpr ::llvm::StringLiteral kRulesAttrName = "pit.rules";
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITDIALECT_TD
