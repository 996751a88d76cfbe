//===- Scalar.cpp - Small scalar bodies -----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pit::proofs;

namespace {
struct OpInfo {
  const char *name;
  unsigned arity;
};
} // namespace

static constexpr OpInfo kOps[] = {
    {"addi", 2},       {"addi nsw", 2},  {"subi", 2},         {"muli", 2},
    {"maxsi", 2},      {"maxui", 2},     {"minsi", 2},        {"minui", 2},
    {"andi", 2},       {"ori", 2},       {"xori", 2},         {"divsi", 2},
    {"divui", 2},      {"ceildivsi", 2}, {"floordivsi", 2},   {"remsi", 2},
    {"remui", 2},      {"shli", 2},      {"shrsi", 2},        {"shrui", 2},
    {"select-slt", 4}, {"addf", 2},      {"addf reassoc", 2}, {"subf", 2},
    {"mulf", 2},       {"divf", 2},      {"maximumf", 2},     {"maxnumf", 2},
    {"minimumf", 2},   {"minnumf", 2},   {"negf", 1},         {"absf", 1},
    {"exp", 1},        {"fma", 3},       {"select-olt", 4},
};

StringRef mlir::pit::proofs::getName(ScalarOp op) {
  return kOps[static_cast<unsigned>(op)].name;
}

unsigned mlir::pit::proofs::getArity(ScalarOp op) {
  return kOps[static_cast<unsigned>(op)].arity;
}

unsigned mlir::pit::proofs::getCost(ScalarOp op) {
  return op == ScalarOp::LessSI || op == ScalarOp::LessF ? 2 : 1;
}

bool Body::contains(llvm::function_ref<bool(ScalarOp)> property) const {
  return llvm::any_of(nodes,
                      [&](const Node &node) { return property(node.op); });
}

std::string Body::str() const {
  SmallVector<std::string> names;
  for (const Leaf &leaf : leaves) {
    if (leaf.kind == Leaf::Argument)
      names.push_back("%" + std::to_string(leaf.number));
    else if (leaf.kind == Leaf::Index)
      names.push_back("index" + std::to_string(leaf.number));
    else
      llvm::raw_string_ostream(names.emplace_back())
          << llvm::format("%g", leaf.value);
  }
  for (const Node &node : nodes) {
    std::string text = getName(node.op).str() + "(";
    for (unsigned i = 0; i < getArity(node.op); ++i)
      text += (i ? ", " : "") + names[node.operands[i]];
    names.push_back(text + ")");
  }
  std::string text;
  for (uint8_t yield : yields)
    text += (text.empty() ? "" : "; ") + names[yield];
  return text;
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

/// Calls `visit` with every node of `op` on values below `numValues`.
static void forEachNode(ScalarOp op, unsigned numValues,
                        llvm::function_ref<void(const Node &)> visit) {
  unsigned arity = getArity(op);
  Node node{op};
  while (true) {
    visit(node);
    unsigned i = 0;
    while (i < arity && ++node.operands[i] == numValues)
      node.operands[i++] = 0;
    if (i == arity)
      return;
  }
}

/// Adds `body` with every choice of yields, if each node is used by one.
static void addWithYields(const Body &body, unsigned numYields,
                          std::vector<Body> &bodies) {
  unsigned numLeaves = body.leaves.size();
  unsigned numValues = numLeaves + body.nodes.size();
  SmallVector<uint8_t, 2> yields(numYields, 0);
  while (true) {
    llvm::SmallBitVector used(numValues);
    for (uint8_t yield : yields)
      used.set(yield);
    for (unsigned n = body.nodes.size(); n-- > 0;)
      if (used.test(numLeaves + n))
        for (unsigned i = 0; i < getArity(body.nodes[n].op); ++i)
          used.set(body.nodes[n].operands[i]);
    used.set(0, numLeaves);
    if (used.all()) {
      bodies.push_back(body);
      bodies.back().yields = yields;
    }
    unsigned i = 0;
    while (i < numYields && ++yields[i] == numValues)
      yields[i++] = 0;
    if (i == numYields)
      return;
  }
}

std::vector<Body> mlir::pit::proofs::enumerate(const BodySpace &space) {
  std::vector<Body> bodies;
  Body body;
  body.leaves = space.leaves;
  addWithYields(body, space.numYields, bodies);
  unsigned numLeaves = space.leaves.size();
  for (ScalarOp first : space.ops) {
    if (getCost(first) > space.maxCost)
      continue;
    forEachNode(first, numLeaves, [&](const Node &node) {
      body.nodes.assign({node});
      addWithYields(body, space.numYields, bodies);
      for (ScalarOp second : space.ops) {
        if (getCost(first) + getCost(second) > space.maxCost)
          continue;
        forEachNode(second, numLeaves + 1, [&](const Node &next) {
          body.nodes.assign({node, next});
          addWithYields(body, space.numYields, bodies);
        });
      }
    });
  }
  return bodies;
}

//===----------------------------------------------------------------------===//
// As operations
//===----------------------------------------------------------------------===//

static Value buildNode(ScalarOp op, ValueRange v, OpBuilder &b) {
  Location loc = b.getUnknownLoc();
  switch (op) {
  case ScalarOp::AddI:
    return arith::AddIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::AddINoWrap:
    return arith::AddIOp::create(b, loc, v[0], v[1],
                                 arith::IntegerOverflowFlags::nsw);
  case ScalarOp::SubI:
    return arith::SubIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MulI:
    return arith::MulIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MaxSI:
    return arith::MaxSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MaxUI:
    return arith::MaxUIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MinSI:
    return arith::MinSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MinUI:
    return arith::MinUIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::AndI:
    return arith::AndIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::OrI:
    return arith::OrIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::XOrI:
    return arith::XOrIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::DivSI:
    return arith::DivSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::DivUI:
    return arith::DivUIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::CeilDivSI:
    return arith::CeilDivSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::FloorDivSI:
    return arith::FloorDivSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::RemSI:
    return arith::RemSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::RemUI:
    return arith::RemUIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::ShLI:
    return arith::ShLIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::ShRSI:
    return arith::ShRSIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::ShRUI:
    return arith::ShRUIOp::create(b, loc, v[0], v[1]);
  case ScalarOp::LessSI: {
    Value less =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, v[0], v[1]);
    return arith::SelectOp::create(b, loc, less, v[2], v[3]);
  }
  case ScalarOp::AddF:
    return arith::AddFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::AddFReassoc:
    return arith::AddFOp::create(b, loc, v[0], v[1],
                                 arith::FastMathFlags::reassoc);
  case ScalarOp::SubF:
    return arith::SubFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MulF:
    return arith::MulFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::DivF:
    return arith::DivFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MaximumF:
    return arith::MaximumFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MaxNumF:
    return arith::MaxNumFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MinimumF:
    return arith::MinimumFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::MinNumF:
    return arith::MinNumFOp::create(b, loc, v[0], v[1]);
  case ScalarOp::NegF:
    return arith::NegFOp::create(b, loc, v[0]);
  case ScalarOp::AbsF:
    return math::AbsFOp::create(b, loc, v[0]);
  case ScalarOp::Exp:
    return math::ExpOp::create(b, loc, v[0]);
  case ScalarOp::Fma:
    return math::FmaOp::create(b, loc, v[0], v[1], v[2]);
  case ScalarOp::LessF: {
    Value less =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, v[0], v[1]);
    return arith::SelectOp::create(b, loc, less, v[2], v[3]);
  }
  }
  llvm_unreachable("all operations are listed");
}

void mlir::pit::proofs::build(const Body &body, Block &block,
                              unsigned numArguments, Type type,
                              MLIRContext *context) {
  OpBuilder b(context);
  Location loc = b.getUnknownLoc();
  b.setInsertionPointToStart(&block);
  for (unsigned i = 0; i < numArguments; ++i)
    block.addArgument(type, loc);
  llvm::SmallBitVector used(body.leaves.size());
  auto use = [&](unsigned value) {
    if (value < used.size())
      used.set(value);
  };
  for (const Node &node : body.nodes)
    for (unsigned i = 0; i < getArity(node.op); ++i)
      use(node.operands[i]);
  for (uint8_t yield : body.yields)
    use(yield);

  SmallVector<Value> values;
  for (auto [i, leaf] : llvm::enumerate(body.leaves)) {
    if (!used.test(i)) {
      values.push_back(Value());
    } else if (leaf.kind == Leaf::Argument) {
      values.push_back(block.getArgument(leaf.number));
    } else if (leaf.kind == Leaf::Index) {
      Value index = linalg::IndexOp::create(b, loc, leaf.number);
      Type integer = type.isIntOrIndex() ? type : b.getI64Type();
      Value cast = arith::IndexCastOp::create(b, loc, integer, index);
      if (!type.isIntOrIndex())
        cast = arith::SIToFPOp::create(b, loc, type, cast);
      values.push_back(cast);
    } else if (auto floatType = dyn_cast<FloatType>(type)) {
      values.push_back(arith::ConstantOp::create(
          b, loc, cast<TypedAttr>(FloatAttr::get(floatType, leaf.value))));
    } else {
      values.push_back(arith::ConstantOp::create(
          b, loc,
          cast<TypedAttr>(
              IntegerAttr::get(type, static_cast<int64_t>(leaf.value)))));
    }
  }
  for (const Node &node : body.nodes) {
    SmallVector<Value> operands;
    for (unsigned i = 0; i < getArity(node.op); ++i)
      operands.push_back(values[node.operands[i]]);
    values.push_back(buildNode(node.op, operands, b));
  }
  SmallVector<Value> yields;
  for (uint8_t yield : body.yields)
    yields.push_back(values[yield]);
  linalg::YieldOp::create(b, loc, yields);
}
