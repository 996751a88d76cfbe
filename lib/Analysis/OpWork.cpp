//===- OpWork.cpp - Bytes and operations of a structured op ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Analysis/OpWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void ExtentCount::add(double factor, SmallVector<unsigned> axes) {
  if (factor == 0)
    return;
  llvm::sort(axes);
  terms[axes] += factor;
}

std::optional<double> ExtentCount::getNumber() const {
  double number = 0;
  for (const auto &[axes, factor] : terms) {
    if (!axes.empty())
      return std::nullopt;
    number += factor;
  }
  return number;
}

/// 3.2 MB rather than 3200000 B.
static void printShort(raw_ostream &os, double number, StringRef unit) {
  constexpr double kStep = 1000;
  const char *prefix = "\0kMGTPE";
  while (number >= kStep && prefix[1]) {
    number /= kStep;
    ++prefix;
  }
  os << llvm::format(*prefix ? "%.1f" : "%.0f", number);
  if (*prefix || !unit.empty())
    os << ' ';
  if (*prefix)
    os << *prefix;
  os << unit;
}

std::string ExtentCount::spell(StringRef unit) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (terms.empty())
    printShort(os, 0, unit);
  llvm::interleave(
      terms, os,
      [&](const auto &term) {
        printShort(os, term.second, unit);
        for (unsigned axis : term.first)
          os << " d" << axis;
      },
      " + ");
  return text;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The bytes of an operand whose dimensions the map's results walk along.
static bool addBytes(ExtentCount &bytes, ShapedType type, AffineMap map,
                     ArrayRef<int64_t> loops) {
  Type element = type.getElementType();
  if (!element.isIntOrIndexOrFloat() || !type.hasRank())
    return false;
  double factor =
      element.isIndex()
          ? sizeof(int64_t)
          : double(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  SmallVector<unsigned> axes;
  for (auto [extent, result] :
       llvm::zip_equal(type.getShape(), map.getResults())) {
    if (!ShapedType::isDynamic(extent)) {
      factor *= double(extent);
      continue;
    }
    auto axis = dyn_cast<AffineDimExpr>(result);
    if (!axis)
      return false;
    if (int64_t loop = loops[axis.getPosition()]; !ShapedType::isDynamic(loop))
      factor *= double(loop);
    else
      axes.push_back(axis.getPosition());
  }
  bytes.add(factor, std::move(axes));
  return true;
}

/// Extents of axes, from any operand that says them.
static SmallVector<int64_t> getLoops(linalg::LinalgOp op) {
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [extent, result] : llvm::zip_equal(
             type.getShape(), op.getMatchingIndexingMap(&operand).getResults()))
      if (auto axis = dyn_cast<AffineDimExpr>(result);
          axis && !ShapedType::isDynamic(extent))
        loops[axis.getPosition()] = extent;
  }
  return loops;
}

OpWork mlir::pit::getOpWork(linalg::LinalgOp op) {
  OpWork work;
  SmallVector<int64_t> loops = getLoops(op);
  work.bytes.emplace();
  llvm::SmallPtrSet<Value, 4> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !seen.insert(operand.get()).second)
      continue;
    if (!addBytes(*work.bytes, type, op.getMatchingIndexingMap(&operand),
                  loops)) {
      work.bytes.reset();
      break;
    }
  }

  unsigned multiplications = 0, additions = 0;
  op.getBlock()->walk([&](Operation *scalar) {
    multiplications += isa<arith::MulFOp, arith::MulIOp>(scalar);
    additions += isa<arith::AddFOp, arith::AddIOp>(scalar);
  });
  if (!op.getNumReductionLoops() || !multiplications || !additions)
    return work;
  double factor = double(multiplications) + double(additions);
  SmallVector<unsigned> axes;
  for (auto [axis, extent] : llvm::enumerate(loops)) {
    if (ShapedType::isDynamic(extent))
      axes.push_back(unsigned(axis));
    else
      factor *= double(extent);
  }
  work.flops.add(factor, std::move(axes));
  work.multiplied = getElementTypeOrSelf(op->getOperand(0));
  return work;
}
