//===- PITEnums.td - Enumerations of the pit dialect -------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITENUMS_TD
#define PIT_DIALECT_PIT_IR_PITENUMS_TD

include "mlir/IR/EnumAttr.td"
include "PIT/Dialect/PIT/IR/PITDialect.td"

class PIT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::pit";
  let genSpecializedAttr = 0;
}

def PIT_PatternKind : PIT_Enum<"PatternKind", "where a sparsity pattern comes from", [
  I32EnumAttrCase<"Values", 0, "values">,   // live where the tensor itself is not absent
  I32EnumAttrCase<"Mask", 1, "mask">,       // live where an i1 tensor is true
  I32EnumAttrCase<"Lengths", 2, "lengths">, // live inside each sequence's length
  I32EnumAttrCase<"Routing", 3, "routing">, // live where a gate tensor is not zero
  I32EnumAttrCase<"Blocks", 4, "blocks">    // live where the micro-tile's bit is true
]>;

def PIT_Absent : PIT_Enum<"Absent", "what an element outside the pattern stands for", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"NegInf", 1, "neg_inf">,
  I32EnumAttrCase<"Undef", 2, "undef">
]>;

def PIT_Padding : PIT_Enum<"Padding", "the side on which sequences are padded", [
  I32EnumAttrCase<"Right", 0, "right">,
  I32EnumAttrCase<"Left", 1, "left">
]>;

def PIT_WriteMode : PIT_Enum<"WriteMode", "how swrite combines a tile with its destination", [
  I32EnumAttrCase<"Store", 0, "store">,
  I32EnumAttrCase<"Accumulate", 1, "accumulate">
]>;

def PIT_WriteModeAttr : EnumAttr<PIT_Dialect, PIT_WriteMode, "write_mode">;

#endif // PIT_DIALECT_PIT_IR_PITENUMS_TD
