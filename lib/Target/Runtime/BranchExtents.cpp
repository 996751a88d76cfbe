//===- BranchExtents.cpp - Extents of buffers that branches make ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether both are the same value, or computed alike from the same values.
static bool areAlike(Value a, Value b) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first || !second || first->getNumRegions() != 0 ||
      !isMemoryEffectFree(first) ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
      first, second, [](Value x, Value y) { return success(areAlike(x, y)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether `size` is read from dimension `dimension` of `buffer`.
static bool isExtentOf(Value size, Value buffer, int64_t dimension) {
  auto dim = size.getDefiningOp<memref::DimOp>();
  return dim && dim.getSource() == buffer &&
         dim.getConstantIndex() == dimension;
}

static bool isSameExtent(const ExtentSource &a, const ExtentSource &b) {
  if (a.size && b.size)
    return areAlike(a.size, b.size);
  if (a.size)
    return isExtentOf(a.size, b.buffer, b.dimension);
  if (b.size)
    return isExtentOf(b.size, a.buffer, a.dimension);
  return a.buffer == b.buffer && a.dimension == b.dimension;
}

/// The source of a dimension that `a` and `b` have alike.
static std::optional<ExtentSource> findCommonSource(Value a, Value b,
                                                    int64_t dimension) {
  std::optional<ExtentSource> source = findExtentSource(a, dimension);
  std::optional<ExtentSource> other = findExtentSource(b, dimension);
  if (!source || !other || !isSameExtent(*source, *other))
    return std::nullopt;
  return source;
}

std::optional<ExtentSource> mlir::pit::findExtentSource(Value buffer,
                                                        int64_t dimension) {
  auto type = cast<MemRefType>(buffer.getType());
  Operation *def = buffer.getDefiningOp();
  if (auto alloc = dyn_cast_if_present<memref::AllocOp>(def)) {
    if (!type.isDynamicDim(unsigned(dimension)))
      return ExtentSource{{}, buffer, dimension};
    unsigned number = type.getDynamicDimIndex(unsigned(dimension));
    return ExtentSource{alloc.getDynamicSizes()[number], buffer, dimension};
  }
  if (auto branch = dyn_cast_if_present<scf::IfOp>(def)) {
    unsigned number = cast<OpResult>(buffer).getResultNumber();
    return findCommonSource(branch.thenYield().getOperand(number),
                            branch.elseYield().getOperand(number), dimension);
  }
  // A branch that was only left to choose is folded to that.
  if (auto select = dyn_cast_if_present<arith::SelectOp>(def))
    return findCommonSource(select.getTrueValue(), select.getFalseValue(),
                            dimension);
  if (auto loop = dyn_cast_if_present<scf::ForOp>(def)) {
    auto result = cast<OpResult>(buffer);
    std::optional<ExtentSource> yielded = findExtentSource(
        loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(result))
            ->get(),
        dimension);
    ExtentSource carried{{}, loop.getTiedLoopRegionIterArg(result), dimension};
    if (!yielded || !isSameExtent(*yielded, carried))
      return std::nullopt;
    return findExtentSource(loop.getTiedLoopInit(result)->get(), dimension);
  }
  return ExtentSource{{}, buffer, dimension};
}

bool mlir::pit::makesBuffer(Operation *op) {
  return isa<memref::AllocOp, arith::SelectOp, scf::IfOp, scf::ForOp>(op);
}
