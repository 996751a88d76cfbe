//===- ScalarOps.h - Meaning of the ops in regions --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_SCALAROPS_H
#define PIT_TOOLS_PIT_FUZZ_SCALAROPS_H

#include "Number.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::pit::fuzz {

enum class ScalarCode {
  AddF,
  SubF,
  MulF,
  DivF,
  MaximumF,
  MinimumF,
  MaxNumF,
  MinNumF,
  NegF,
  AbsF,
  Exp,
  Tanh,
  Erf,
  Log,
  Sqrt,
  Rsqrt,
  Floor,
  Ceil,
  CmpF,
  CmpI,
  Select,
  ExtF,
  TruncF,
  SIToFP,
  UIToFP,
  AddI,
  SubI,
  MulI,
  DivSI,
  FloorDivSI,
  CeilDivSI,
  RemSI,
  DivUI,
  CeilDivUI,
  RemUI,
  MaxSI,
  MinSI,
  MaxUI,
  MinUI,
  AndI,
  OrI,
  XOrI,
  ExtSI,
  ExtUI,
  TruncI,
  IndexCast,
  AbsI
};

/// One op of a region, its operands and result as places in a frame.
struct ScalarInstruction {
  ScalarCode code;
  int predicate = 0;
  Scalar from, to;
  unsigned operands[3] = {0, 0, 0};
  unsigned result = 0;
};

/// The code of an op, or none for ops that the interpreter does not know.
/// Fills in everything but the places.
std::optional<ScalarInstruction> decodeScalarOp(Operation *op);

Number execute(const ScalarInstruction &instruction, const Number *frame);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_SCALAROPS_H
