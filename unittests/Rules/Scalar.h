//===- Scalar.h - Small scalar bodies, enumerated and evaluated -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The bodies over which PIT's rules are checked. What a body computes is said
// here a second time, by plain functions on numbers; it shares nothing with the
// analyses but the names of the operations that it builds.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RULES_SCALAR_H
#define PIT_UNITTESTS_RULES_SCALAR_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::pit::proofs {

/// One operation of a body. `Less*` stand for a comparison and a select on it,
/// which count as two operations: `x < y ? z : w`.
enum class ScalarOp : uint8_t {
  // Integers.
  AddI,
  AddINoWrap,
  SubI,
  MulI,
  MaxSI,
  MaxUI,
  MinSI,
  MinUI,
  AndI,
  OrI,
  XOrI,
  DivSI,
  DivUI,
  CeilDivSI,
  FloorDivSI,
  RemSI,
  RemUI,
  ShLI,
  ShRSI,
  ShRUI,
  LessSI,
  // Floats.
  AddF,
  AddFReassoc,
  SubF,
  MulF,
  DivF,
  MaximumF,
  MaxNumF,
  MinimumF,
  MinNumF,
  NegF,
  AbsF,
  Exp,
  Fma,
  LessF,
};

StringRef getName(ScalarOp op);
unsigned getArity(ScalarOp op);
/// Operations that it counts for.
unsigned getCost(ScalarOp op);

/// A leaf of a body: an argument, the position on a loop, or a constant.
struct Leaf {
  enum Kind : uint8_t { Argument, Index, Constant } kind = Argument;
  unsigned number = 0;
  double value = 0;
};

/// Values are numbered: leaves first, then the results of the nodes.
struct Node {
  ScalarOp op;
  uint8_t operands[4] = {0, 0, 0, 0};
};

struct Body {
  SmallVector<Leaf, 8> leaves;
  SmallVector<Node, 2> nodes;
  SmallVector<uint8_t, 2> yields;

  bool contains(llvm::function_ref<bool(ScalarOp)> property) const;
  std::string str() const;
};

struct BodySpace {
  SmallVector<ScalarOp> ops;
  SmallVector<Leaf, 8> leaves;
  unsigned numYields = 1;
  /// Operations in a body, at most.
  unsigned maxCost = 2;
};

/// All bodies of `space` in which every node is used.
std::vector<Body> enumerate(const BodySpace &space);

/// Builds `body` into an empty block with `numArguments` arguments of `type`;
/// ends it with a `linalg.yield`.
void build(const Body &body, Block &block, unsigned numArguments, Type type,
           MLIRContext *context);

} // namespace mlir::pit::proofs

#endif // PIT_UNITTESTS_RULES_SCALAR_H
