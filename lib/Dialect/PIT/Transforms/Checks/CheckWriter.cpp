//===- CheckWriter.cpp - Conditions of ops as checks ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckWriter.h"

#include "PIT/Dialect/PIT/IR/PITCheck.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr llvm::StringLiteral kChecks = "pit-checks";

Value CheckWriter::constant(int64_t number) {
  return arith::ConstantIndexOp::create(builder, getLoc(), number);
}

Value CheckWriter::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(getLoc(), predicate, a, b);
}

CheckWriter::Guard CheckWriter::addToGuard(Value condition) {
  Guard before = guard;
  if (!condition)
    guard = {Value(), /*isKnown=*/false};
  else if (guard.condition)
    guard.condition = combine<arith::AndIOp>(guard.condition, condition);
  else if (!matchPattern(condition, m_One()))
    guard.condition = condition;
  return before;
}

void CheckWriter::sayUnchecked(Operation *op) {
  remarks::missed(op, kChecks, "extents") << remarks::reason(
      "what it requires of extents and indexes is not checked: "
      "it does not follow from the extents of arguments, or "
      "the op may not run");
}

void CheckWriter::miss(Operation *op) {
  if (isGuardable(op))
    guarded[op] = AccessNumbers();
  else
    missed.insert(op);
}

void CheckWriter::guardAxis(Operation *op, int64_t axis) {
  auto [entry, isNew] = guarded.insert({op, {0, /*mayBeEmpty=*/false}});
  entry->second.axes |= uint64_t(1) << axis;
  entry->second.mayBeEmpty |= !guard.isKnown;
}

void CheckWriter::require(Operation *op, Value condition, Value first,
                          Value second, const Twine &message) {
  if (!condition || !first || !second)
    return miss(op);
  if (matchPattern(condition, m_One()))
    return;
  if (!guard.isKnown)
    return miss(op);
  if (guard.condition) {
    Value holds = arith::ConstantIntOp::create(builder, getLoc(), true, 1);
    condition = builder.createOrFold<arith::SelectOp>(getLoc(), guard.condition,
                                                      condition, holds);
  }
  if (matchPattern(condition, m_One()))
    return;
  conditions.push_back(condition);
  CheckOp::create(builder, op->getLoc(), condition,
                  (remarks::spell(op->getLoc()) + ": '" +
                   op->getName().getStringRef() + "': " + message)
                      .str(),
                  first, second);
}

/// In front of the op, what the function computes says it: what was given the
/// same extent where it was made.
bool CheckWriter::areEqual(Value first, Value second) {
  if (first == second || equal.isEquivalent(first.getAsOpaquePointer(),
                                            second.getAsOpaquePointer()))
    return true;
  if (place == Place::Entry)
    return false;
  FailureOr<bool> known = ValueBoundsConstraintSet::areEqual(first, second);
  return succeeded(known) && *known;
}

void CheckWriter::requireEqual(Operation *op, Value first, Value second,
                               const Twine &message) {
  if (!first || !second)
    return miss(op);
  if (areEqual(first, second))
    return;
  require(op, compare(arith::CmpIPredicate::eq, first, second), first, second,
          message);
  if (!guard.condition && guard.isKnown)
    equal.unionSets(first.getAsOpaquePointer(), second.getAsOpaquePointer());
}

/// An extent of a tensor is never negative.
static bool isNeverNegative(Value number) {
  std::optional<int64_t> constant = getConstantIntValue(number);
  return constant ? *constant >= 0
                  : number.getDefiningOp<tensor::DimOp>() != nullptr;
}

void CheckWriter::requireWithin(Operation *op, Value number, int64_t lower,
                                Value upper, const Twine &message) {
  if (!number || !upper)
    return miss(op);
  // Nothing is taken of a tensor, or it begins where the tensor does.
  std::optional<int64_t> constant = getConstantIntValue(number);
  if (constant == 0 && lower <= 0 && isNeverNegative(upper))
    return;
  Value condition = compare(arith::CmpIPredicate::sle, number, upper);
  if (lower > 0 || !isNeverNegative(number))
    condition = combine<arith::AndIOp>(
        compare(arith::CmpIPredicate::sge, number, this->constant(lower)),
        condition);
  require(op, condition, number, upper, message);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t CheckWriter::getStaticBytes(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bytes =
      element.isIntOrFloat()
          ? int64_t(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u))
          : 8;
  for (int64_t extent : type.getShape())
    if (extent > 0 && llvm::MulOverflow(bytes, extent, bytes))
      return CheckWriter::kMostBytes;
  return std::max<int64_t>(1, bytes);
}

void CheckWriter::requireSize(Operation *op, RankedTensorType type,
                              ArrayRef<Value> dynamicExtents,
                              const Twine &what) {
  if (!llvm::all_of(dynamicExtents, [](Value extent) { return bool(extent); }))
    return miss(op);
  // Extents of tensors that there are make one that is too large in no program
  // that anybody runs, so that it is refused where it may not run, too.
  Guard before = guard;
  if (!guard.isKnown) {
    if (!llvm::all_of(dynamicExtents, isNeverNegative))
      return miss(op);
    guard = Guard();
  }
  std::vector<void *> key{guard.condition.getAsOpaquePointer()};
  SmallVector<Value> extents;
  int64_t bytes = getStaticBytes(type);
  for (Value extent : dynamicExtents) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (known && *known >= 0 &&
        !llvm::MulOverflow(bytes, std::max<int64_t>(1, *known), bytes))
      continue;
    extents.push_back(extent);
    key.push_back(extent.getAsOpaquePointer());
  }
  auto [entry, isNew] = sizeOf.try_emplace(key, sizes.size());
  if (isNew)
    sizes.push_back({extents, {op, type, what.str(), bytes, guard}});
  else if (Size &size = sizes[entry->second].second; size.staticBytes < bytes)
    size = {op, type, what.str(), bytes, guard};
  guard = before;
}

/// One extent after the other: as many as fit beside those before.
void CheckWriter::writeSize(ArrayRef<Value> dynamicExtents, const Size &size) {
  Value rest = constant(std::max<int64_t>(1, kMostBytes / size.staticBytes));
  std::string type;
  llvm::raw_string_ostream(type) << size.type;
  for (auto [i, extent] : llvm::enumerate(dynamicExtents)) {
    requireWithin(size.op, extent, 0, rest,
                  size.what + " of type " + type + ": its " +
                      (dynamicExtents.size() == 1
                           ? Twine("dynamic extent")
                           : "dynamic extent " + Twine(i)) +
                      " is {0}, where 0 to {1} fit into 2^56 bytes");
    if (i + 1 == dynamicExtents.size())
      break;
    Value atLeastOne = combine<arith::MaxSIOp>(extent, constant(1));
    rest = combine<arith::DivUIOp>(rest, atLeastOne);
  }
}

void CheckWriter::writeSizes() {
  Guard before = guard;
  for (auto &[extents, size] : sizes) {
    guard = size.guard;
    writeSize(extents, size);
  }
  guard = before;
  sizes.clear();
  sizeOf.clear();
}
