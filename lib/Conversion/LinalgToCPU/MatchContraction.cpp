//===- MatchContraction.cpp - Recognise contractions by structure ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// An input of the op's body and how it was extended.
struct Factor {
  BlockArgument argument;
  Extension extension;
};

} // namespace

/// Follows widening casts of one kind from `value` to a block argument.
static FailureOr<Factor> matchFactor(Value value, Block *body) {
  Extension extension = Extension::None;
  while (Operation *def = value.getDefiningOp()) {
    Extension kind;
    if (isa<arith::ExtFOp>(def))
      kind = Extension::Float;
    else if (isa<arith::ExtSIOp>(def))
      kind = Extension::Signed;
    else if (isa<arith::ExtUIOp>(def))
      kind = Extension::Unsigned;
    else
      return failure();
    if (extension != Extension::None && extension != kind)
      return failure();
    extension = kind;
    value = def->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != body)
    return failure();
  return Factor{argument, extension};
}

/// The two factors of `acc + a * b`, with the operands of both operations in
/// any order.
static FailureOr<std::pair<Value, Value>> matchMultiplyAdd(Value result,
                                                           Value acc) {
  if (auto fma = result.getDefiningOp<math::FmaOp>()) {
    if (fma.getC() != acc)
      return failure();
    return std::make_pair(fma.getA(), fma.getB());
  }
  Operation *add = result.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return failure();
  unsigned accPosition = add->getOperand(0) == acc ? 0 : 1;
  if (add->getOperand(accPosition) != acc)
    return failure();
  Operation *mul = add->getOperand(1 - accPosition).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul))
    return failure();
  return std::make_pair(mul->getOperand(0), mul->getOperand(1));
}

static bool isSupportedElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return width == 8 || width == 16 || width == 32 || width == 64;
  }
  return type.isF32() || type.isF64();
}

static bool isStridedBuffer(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  return type && !type.getMemorySpace() && type.isStrided();
}

static LogicalResult matchBody(linalg::LinalgOp op, Contraction &contraction,
                               const MatchLog &log) {
  Block *body = op.getBlock();
  constexpr StringLiteral kNoProduct =
      "its region is no sum of products of its inputs, each extended or not";
  if (body->getNumArguments() != 3)
    return log.refuse(kNoProduct);
  auto factors = matchMultiplyAdd(body->getTerminator()->getOperand(0),
                                  body->getArgument(2));
  if (failed(factors))
    return log.refuse(kNoProduct);
  FailureOr<Factor> first = matchFactor(factors->first, body);
  FailureOr<Factor> second = matchFactor(factors->second, body);
  if (failed(first) || failed(second))
    return log.refuse(kNoProduct);
  unsigned firstNumber = first->argument.getArgNumber(),
           secondNumber = second->argument.getArgNumber();
  if (firstNumber + secondNumber != 1)
    return log.refuse(kNoProduct);
  contraction.extensions[firstNumber] = first->extension;
  contraction.extensions[secondNumber] = second->extension;
  contraction.elementType = body->getArgument(2).getType();
  if (!isSupportedElement(contraction.elementType))
    return log.refuse("it accumulates in " + spell(contraction.elementType));
  return success();
}

static LogicalResult checkSubscripts(linalg::LinalgOp op, const MatchLog &log) {
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return log.refuse("an operand is read through more than loops' numbers, "
                        "as in a convolution");
  return success();
}

/// Whether subscripts of inputs are sums of loops with positive factors, and
/// each loop is a dimension somewhere.
static LogicalResult checkWindows(linalg::LinalgOp op, const MatchLog &log) {
  unsigned numLoops = op.getNumLoops();
  llvm::SmallBitVector isDimension(numLoops);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand) && !map.isProjectedPermutation())
      return log.refuse("its result has other subscripts than loops");
    for (AffineExpr subscript : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(subscript))
        isDimension.set(dim.getPosition());
      auto factors = getFactors(subscript, numLoops);
      if (!factors || factors->back() != 0 ||
          llvm::any_of(*factors, [](int64_t factor) { return factor < 0; }))
        return log.refuse("an input is read at something else than a sum of "
                          "loops times positive numbers");
    }
  }
  if (!isDimension.all())
    return log.refuse("a loop is no dimension of any operand");
  return success();
}

static LogicalResult matchLoops(linalg::LinalgOp op, Contraction &contraction,
                                const MatchLog &log) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool inLeft = maps[0].isFunctionOfDim(loop),
         inRight = maps[1].isFunctionOfDim(loop);
    if (maps[2].isFunctionOfDim(loop)) {
      if (kind != utils::IteratorType::parallel || (!inLeft && !inRight))
        return log.refuse("loop d" + Twine(loop) + " is on the result alone");
      (inLeft && inRight ? contraction.batch
       : inLeft          ? contraction.m
                         : contraction.n)
          .push_back(loop);
      continue;
    }
    if (kind != utils::IteratorType::reduction || !inLeft || !inRight)
      return log.refuse("it sums along loop d" + Twine(loop) +
                        ", which is not on both inputs");
    contraction.k.push_back(loop);
  }
  return success(!contraction.k.empty());
}

FailureOr<Contraction> mlir::pit::matchProductBody(linalg::LinalgOp op,
                                                   MatchLog log) {
  Contraction contraction;
  if (failed(matchBody(op, contraction, log)))
    return failure();
  return contraction;
}

FailureOr<Contraction> mlir::pit::matchContraction(linalg::LinalgOp op,
                                                   MatchLog log) {
  if (op.hasPureBufferSemantics() && op.getNumDpsInputs() == 2 &&
      op.getNumDpsInits() == 1 && op.getNumReductionLoops() > 0 &&
      !llvm::all_of(op->getOperands(), isStridedBuffer))
    return log.refuse("an operand is a scalar, has no strides, or is not in "
                      "the default memory space");
  return op.hasPureBufferSemantics() ? matchContractionLoops(op, log)
                                     : FailureOr<Contraction>(log.pass());
}

/// Loops and body, where subscripts pass a check.
static FailureOr<Contraction>
matchWith(llvm::function_ref<LogicalResult(linalg::LinalgOp, const MatchLog &)>
              checkMaps,
          linalg::LinalgOp op, const MatchLog &log) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return log.pass();
  if (op.hasIndexSemantics())
    return log.refuse("its region reads 'linalg.index'");
  Contraction contraction;
  if (failed(checkMaps(op, log)) || failed(matchLoops(op, contraction, log)) ||
      failed(matchBody(op, contraction, log)))
    return failure();
  return contraction;
}

FailureOr<Contraction> mlir::pit::matchContractionLoops(linalg::LinalgOp op,
                                                        MatchLog log) {
  return matchWith(checkSubscripts, op, log);
}

FailureOr<Contraction> mlir::pit::matchWindows(linalg::LinalgOp op,
                                               MatchLog log) {
  if (!op.hasPureBufferSemantics() ||
      llvm::all_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isProjectedPermutation(); }))
    return log.pass();
  if (!llvm::all_of(op->getOperands(), isStridedBuffer))
    return log.refuse("an operand is a scalar, has no strides, or is not in "
                      "the default memory space");
  return matchWith(checkWindows, op, log);
}
