//===- GuardAccesses.cpp - Indexes that are looked at when they run -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardAccesses.h"

#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "Dialect/PIT/Transforms/Indexes/RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

using Kind = AccessNumber;

class AccessGuard {
public:
  AccessGuard(Operation *op, const AccessNumbers &numbers, ModuleOp module)
      : op(op), numbers(numbers), module(module), builder(op),
        loc(op->getLoc()) {}

  void guardExtract(tensor::ExtractOp extract);
  void guardInsert(tensor::InsertOp insert);
  bool guardSlice(Value whole, OffsetSizeAndStrideOpInterface slice);
  /// An insertion of as many elements as only elements say.
  void guardInsertion(tensor::InsertSliceOp insert);

private:
  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  }
  template <typename OpTy> Value combine(Value a, Value b) {
    return builder.createOrFold<OpTy>(loc, a, b);
  }
  Value getExtent(Value tensor, int64_t axis);
  Value getValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }
  /// The number where it is inside, and else 0, which is reported.
  Value guard(Kind kind, int64_t axis, Value number, Value isInside,
              Value bound);
  /// Looks at all indexes; all of them are inside where `isInside` is null or
  /// holds, and the tensor has an element where `hasElements` is null or holds.
  SmallVector<Value> guardIndexes(Kind kind, Value tensor, ValueRange indices,
                                  Value &isInside, Value &hasElements);
  bool guardSize(OpOperand &size, int64_t axis, Value bound);

  bool isLookedAt(int64_t axis) const { return numbers.axes >> axis & 1; }

  Operation *op;
  AccessNumbers numbers;
  ModuleOp module;
  OpBuilder builder;
  Location loc;
};

} // namespace

/// Extents are asked for in front of ops whose regions compute elements.
Value AccessGuard::getExtent(Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(unsigned(axis)))
    return constant(type.getDimSize(unsigned(axis)));
  OpBuilder::InsertionGuard before(builder);
  Operation *outermost = nullptr;
  for (Operation *parent = builder.getInsertionBlock()->getParentOp();
       isa_and_present<linalg::LinalgOp>(parent) ||
       (outermost == nullptr && isa_and_present<scf::IfOp>(parent));
       parent = parent->getParentOp())
    if (isa<linalg::LinalgOp>(parent))
      outermost = parent;
  if (outermost)
    builder.setInsertionPoint(outermost);
  return builder.createOrFold<tensor::DimOp>(loc, tensor, axis);
}

Value AccessGuard::guard(Kind kind, int64_t axis, Value number, Value isInside,
                         Value bound) {
  Value yes = arith::ConstantIntOp::create(builder, loc, true, 1);
  Value isOutside = combine<arith::XOrIOp>(isInside, yes);
  auto report =
      scf::IfOp::create(builder, loc, isOutside, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard before(builder);
    builder.setInsertionPointToStart(report.thenBlock());
    Type i64 = builder.getI64Type();
    auto widen = [&](Value value) -> Value {
      return arith::IndexCastOp::create(builder, loc, i64, value);
    };
    Value code = arith::ConstantIntOp::create(builder, loc, i64,
                                              getAccessCode(loc, axis, kind));
    createRuntimeCall(builder, loc, module, "pit_rt_bad_index",
                      {code, widen(number), widen(bound)});
  }
  return arith::SelectOp::create(builder, loc, isInside, number, constant(0));
}

/// Whether an index lies in the tensor by the extents that it counts.
static bool isSurelyInside(Value index, RankedTensorType type, int64_t axis) {
  if (type.isDynamicDim(unsigned(axis)))
    return false;
  ConstantIntRanges range = PlaceRanges().get(index);
  return range.smin().getSExtValue() >= 0 &&
         range.smax().getSExtValue() < type.getDimSize(unsigned(axis));
}

SmallVector<Value> AccessGuard::guardIndexes(Kind kind, Value tensor,
                                             ValueRange indices,
                                             Value &isInside,
                                             Value &hasElements) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto conjoin = [&](Value &all, Value one) {
    all = all ? combine<arith::AndIOp>(all, one) : one;
  };
  SmallVector<Value> guarded(indices);
  for (auto [axis, index] : llvm::enumerate(guarded)) {
    if (!isLookedAt(int64_t(axis)) ||
        isSurelyInside(index, type, int64_t(axis)))
      continue;
    if (kind == Kind::Read && !numbers.mayBeEmpty) {
      if (std::optional<HoistedIndex> hoisted = hoistIndex(op, index)) {
        OpBuilder::InsertionGuard before(builder);
        builder.setInsertionPoint(hoisted->op);
        Value number = hoisted->number;
        Value extent = getExtent(tensor, int64_t(axis));
        Value isThis = compare(arith::CmpIPredicate::ult, number, extent);
        if (hoisted->isUnused)
          isThis = combine<arith::OrIOp>(isThis, hoisted->isUnused);
        Value guarded = guard(kind, int64_t(axis), number, isThis, extent);
        hoisted->op->replaceUsesOfWith(number, guarded);
        index = hoisted->argument;
        continue;
      }
    }
    Value extent = getExtent(tensor, int64_t(axis));
    // Of negative numbers, too, as none is as large without a sign.
    Value isThis = compare(arith::CmpIPredicate::ult, index, extent);
    index = guard(kind, int64_t(axis), index, isThis, extent);
    conjoin(isInside, isThis);
    if (numbers.mayBeEmpty && type.isDynamicDim(unsigned(axis)))
      conjoin(hasElements,
              compare(arith::CmpIPredicate::ne, extent, constant(0)));
  }
  return guarded;
}

void AccessGuard::guardExtract(tensor::ExtractOp extract) {
  Value isInside, hasElements;
  SmallVector<Value> indices =
      guardIndexes(Kind::Read, extract.getTensor(), extract.getIndices(),
                   isInside, hasElements);
  if (!hasElements) {
    extract.getIndicesMutable().assign(indices);
    return;
  }
  auto zero = builder.getZeroAttr(extract.getType());
  auto read = scf::IfOp::create(
      builder, loc, hasElements,
      [&](OpBuilder &b, Location loc) {
        Value element =
            tensor::ExtractOp::create(b, loc, extract.getTensor(), indices);
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) {
        Value none = arith::ConstantOp::create(b, loc, zero);
        scf::YieldOp::create(b, loc, none);
      });
  extract.replaceAllUsesWith(read.getResult(0));
  extract.erase();
}

void AccessGuard::guardInsert(tensor::InsertOp insert) {
  Value isInside, hasElements;
  Value dest = insert.getDest();
  SmallVector<Value> indices = guardIndexes(
      Kind::Write, dest, insert.getIndices(), isInside, hasElements);
  if (!isInside)
    return;
  auto write = [&](OpBuilder &b, Location loc) -> Value {
    Value before = tensor::ExtractOp::create(b, loc, dest, indices);
    Value written =
        arith::SelectOp::create(b, loc, isInside, insert.getScalar(), before);
    return tensor::InsertOp::create(b, loc, written, dest, indices);
  };
  Value result;
  if (hasElements) {
    result = scf::IfOp::create(
                 builder, loc, hasElements,
                 [&](OpBuilder &b, Location loc) {
                   scf::YieldOp::create(b, loc, write(b, loc));
                 },
                 [&](OpBuilder &b, Location loc) {
                   scf::YieldOp::create(b, loc, dest);
                 })
                 .getResult(0);
  } else {
    result = write(builder, loc);
  }
  insert.replaceAllUsesWith(result);
  insert.erase();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Other uses of a size say how large tensors are that go with the slice, so
/// that they see the same number, if the bound is known where it is computed.
bool AccessGuard::guardSize(OpOperand &size, int64_t axis, Value bound) {
  Value number = size.get();
  OpBuilder::InsertionGuard before(builder);
  DominanceInfo dominance(op->getParentOfType<FunctionOpInterface>());
  Operation *definition = number.getDefiningOp();
  bool goesEarly = true;
  SmallVector<Operation *> cone;
  if (definition) {
    // The bound's own ops, which may stand behind the number.
    std::function<bool(Value)> collect = [&](Value value) {
      Operation *maker = value.getDefiningOp();
      if (dominance.properlyDominates(value, definition))
        return true;
      if (!maker || value == number || !isMemoryEffectFree(maker) ||
          maker->getNumRegions())
        return false;
      if (!llvm::all_of(maker->getOperands(), collect))
        return false;
      if (!llvm::is_contained(cone, maker))
        cone.push_back(maker);
      return true;
    };
    goesEarly = collect(bound);
  }
  if (goesEarly && definition) {
    builder.setInsertionPointAfter(definition);
    IRMapping mapping;
    for (Operation *maker : cone)
      builder.clone(*maker, mapping);
    bound = mapping.lookupOrDefault(bound);
  }
  goesEarly &= definition != nullptr;
  bool areAllSeen = goesEarly || number.hasOneUse();
  Value isInside = combine<arith::AndIOp>(
      compare(arith::CmpIPredicate::sge, number, constant(0)),
      compare(arith::CmpIPredicate::sle, number, bound));
  Value guarded = guard(Kind::Size, axis, number, isInside, bound);
  // Everything behind the guard, which itself is new to `dominance`.
  DominanceInfo now(op->getParentOfType<FunctionOpInterface>());
  number.replaceUsesWithIf(guarded, [&](OpOperand &use) {
    return now.properlyDominates(guarded.getDefiningOp(), use.getOwner());
  });
  return areAllSeen;
}

bool AccessGuard::guardSlice(Value whole,
                             OffsetSizeAndStrideOpInterface slice) {
  bool isSafe = true;
  auto type = cast<RankedTensorType>(whole.getType());
  unsigned offsetsAt = slice.getOffsetSizeAndStrideStartOperandIndex();
  auto findOperand = [&](unsigned number) -> OpOperand & {
    return slice->getOpOperand(offsetsAt + number);
  };
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    auto dim = unsigned(axis);
    if (!isLookedAt(axis))
      continue;
    bool hasOffset = slice.isDynamicOffset(dim);
    bool hasSize = slice.isDynamicSize(dim);
    if (slice.isDynamicStride(dim)) {
      isSafe = false;
      continue;
    }
    if (!hasOffset && !hasSize)
      continue;
    int64_t stride = slice.getStaticStride(dim);
    if (stride <= 0) {
      isSafe = false;
      continue;
    }
    Value extent = getExtent(whole, axis);
    if (hasOffset) {
      // Elements that must be behind the offset; all of them are in front of a
      // size that is looked at below.
      OpOperand &operand =
          findOperand(slice.getIndexOfDynamicOffset(dim) - offsetsAt);
      Value last = extent;
      if (!hasSize) {
        int64_t size = slice.getStaticSize(dim);
        int64_t span = size == 0 ? 0 : (size - 1) * stride + 1;
        last = combine<arith::SubIOp>(extent, constant(span));
        // A tensor that is too small for any offset.
        isSafe &= !numbers.mayBeEmpty ||
                  (!type.isDynamicDim(dim) && type.getDimSize(dim) >= span);
      }
      Value number = operand.get();
      Value isInside = combine<arith::AndIOp>(
          compare(arith::CmpIPredicate::sge, number, constant(0)),
          compare(arith::CmpIPredicate::sle, number, last));
      operand.set(guard(Kind::Offset, axis, number, isInside, last));
    }
    if (!hasSize)
      continue;
    Value rest =
        combine<arith::SubIOp>(extent, getValue(slice.getMixedOffsets()[dim]));
    if (stride != 1)
      rest = combine<arith::CeilDivSIOp>(rest, constant(stride));
    isSafe &= guardSize(
        findOperand(slice.getIndexOfDynamicSize(dim) - offsetsAt), axis, rest);
  }
  return isSafe;
}

/// Nothing is inserted where it does not fit.
void AccessGuard::guardInsertion(tensor::InsertSliceOp insert) {
  Value dest = insert.getDest(), fits;
  auto require = [&](Kind kind, int64_t axis, Value number, Value isInside,
                     Value bound) {
    guard(kind, axis, number, isInside, bound);
    fits = fits ? combine<arith::AndIOp>(fits, isInside) : isInside;
  };
  auto isBetween = [&](Value number, Value bound) {
    return combine<arith::AndIOp>(
        compare(arith::CmpIPredicate::sge, number, constant(0)),
        compare(arith::CmpIPredicate::sle, number, bound));
  };
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  int64_t partAxis = 0;
  for (int64_t axis = 0; axis < insert.getDestType().getRank(); ++axis) {
    Value extent = getExtent(dest, axis);
    Value offset = getValue(insert.getMixedOffsets()[size_t(axis)]);
    Value size = getValue(insert.getMixedSizes()[size_t(axis)]);
    Value stride = getValue(insert.getMixedStrides()[size_t(axis)]);
    require(Kind::Offset, axis, offset, isBetween(offset, extent), extent);
    Value rest = combine<arith::SubIOp>(extent, offset);
    if (getConstantIntValue(stride) != 1) {
      Value isPositive =
          compare(arith::CmpIPredicate::sgt, stride, constant(0));
      require(Kind::Offset, axis, stride, isPositive, extent);
      rest = combine<arith::CeilDivSIOp>(
          rest, combine<arith::MaxSIOp>(stride, constant(1)));
    }
    require(Kind::Size, axis, size, isBetween(size, rest), rest);
    if (dropped.test(unsigned(axis)))
      continue;
    Value given = getExtent(insert.getSource(), partAxis++);
    require(Kind::Size, axis, given,
            compare(arith::CmpIPredicate::eq, given, size), size);
  }
  auto written = scf::IfOp::create(
      builder, loc, fits,
      [&](OpBuilder &b, Location loc) {
        Operation *clone = b.clone(*insert);
        scf::YieldOp::create(b, loc, clone->getResult(0));
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, dest); });
  insert.replaceAllUsesWith(written.getResult(0));
  insert.erase();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool pit::isGuardable(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isa<RankedTensorType>(extract.getTensor().getType()) &&
           extract.getType().isIntOrIndexOrFloat();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return isa<RankedTensorType>(insert.getDest().getType());
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

bool pit::guardAccess(Operation *op, const AccessNumbers &numbers,
                      ModuleOp module) {
  AccessGuard guard(op, numbers, module);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    guard.guardExtract(extract);
    return true;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    guard.guardInsert(insert);
    return true;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return guard.guardSlice(slice.getSource(), slice);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    // Of a size that is known, all that may be wrong is where it goes.
    if (slice.getSourceType().hasStaticShape() && slice.getStrides().empty())
      return guard.guardSlice(slice.getDest(), slice);
    guard.guardInsertion(slice);
    return true;
  }
  return false;
}
