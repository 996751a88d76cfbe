//===- PeakMemory.cpp - How much memory a function needs at once ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakMemory.h"

#include "CallBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

/// More than any machine has, and so little that sums of it do not overflow.
static constexpr int64_t kTooMuch = int64_t(1) << 48;

/// What a size is computed from, in order; nothing if it needs more than the
/// arguments.
static bool collectSlice(Value value, Block &entry,
                         llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == &entry;
  if (slice.contains(op))
    return true;
  if (isa<memref::AllocOp>(op) || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op) || !isSpeculatable(op))
    return false;
  for (Value operand : op->getOperands())
    if (!collectSlice(operand, entry, slice))
      return false;
  slice.insert(op);
  return true;
}

namespace {

/// Adds up what is allocated, in the order of the ops: an amount is a number of
/// bytes that is known here, and a value of what follows from the arguments.
class Meter {
public:
  Meter(Block &entry, ImplicitLocOpBuilder &builder, const IRMapping &arguments,
        function_ref<bool(memref::AllocOp)> isOfCaller)
      : entry(entry), builder(builder), mapping(arguments),
        isOfCaller(isOfCaller) {}

  void follow(Block &block);
  /// The most that was allocated at once; null where that is little.
  Value getPeak();

private:
  struct Amount {
    int64_t known = 0;
    Value computed;
  };
  std::optional<Amount> measure(memref::AllocOp alloc);
  Value add(Value a, Value b) {
    return a && b ? arith::AddIOp::create(builder, a, b).getResult()
                  : (a ? a : b);
  }
  Value max(Value a, Value b) {
    return a && b && a != b ? arith::MaxUIOp::create(builder, a, b).getResult()
                            : (a ? a : b);
  }

  Block &entry;
  ImplicitLocOpBuilder &builder;
  IRMapping mapping;
  function_ref<bool(memref::AllocOp)> isOfCaller;
  llvm::DenseMap<Value, Amount> live;
  Amount running;
  /// Both parts at their largest: they seldom are at different places.
  Amount peak;
};

} // namespace

std::optional<Meter::Amount> Meter::measure(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity() || isOfCaller(alloc))
    return std::nullopt;
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent) &&
        llvm::MulOverflow(bytes, extent, bytes))
      bytes = kTooMuch;
  bytes = std::min(bytes, kTooMuch);
  if (alloc.getDynamicSizes().empty())
    return Amount{bytes, {}};
  llvm::SetVector<Operation *> slice;
  if (!llvm::all_of(alloc.getDynamicSizes(), [&](Value size) {
        return collectSlice(size, entry, slice);
      }))
    return std::nullopt;
  for (Operation *op : slice)
    if (!llvm::all_of(op->getResults(),
                      [&](Value v) { return mapping.contains(v); }))
      builder.clone(*op, mapping);
  Value size = arith::ConstantIndexOp::create(builder, bytes);
  for (Value extent : alloc.getDynamicSizes())
    size =
        arith::MulIOp::create(builder, size, mapping.lookupOrDefault(extent));
  Value most = arith::ConstantIndexOp::create(builder, kTooMuch);
  return Amount{0, arith::MinUIOp::create(builder, size, most)};
}

void Meter::follow(Block &block) {
  for (Operation &op : block) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      std::optional<Amount> amount = measure(alloc);
      if (!amount)
        continue;
      live[alloc] = *amount;
      running.known = std::min(running.known + amount->known, kTooMuch);
      running.computed = add(running.computed, amount->computed);
      peak.known = std::max(peak.known, running.known);
      if (amount->computed)
        peak.computed = max(peak.computed, running.computed);
      continue;
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      Amount amount = live.lookup(dealloc.getMemref());
      live.erase(dealloc.getMemref());
      running.known -= std::min(running.known, amount.known);
      if (amount.computed)
        running.computed =
            arith::SubIOp::create(builder, running.computed, amount.computed);
      continue;
    }
    // One region of a branch runs, and an iteration frees what it allocates.
    Amount before = running, after = running;
    for (Region &region : op.getRegions()) {
      if (!isa<scf::IfOp, scf::ForOp>(op) || region.empty())
        continue;
      running = before;
      follow(region.front());
      after.known = std::max(after.known, running.known);
      after.computed = max(after.computed, running.computed);
    }
    running = isa<scf::IfOp>(op) ? after : before;
  }
}

Value Meter::getPeak() {
  // What is small is there.
  constexpr int64_t kSmall = int64_t(1) << 26;
  if (!peak.computed && peak.known <= kSmall)
    return {};
  Value known =
      peak.known
          ? arith::ConstantIndexOp::create(builder, peak.known).getResult()
          : Value();
  return add(known, peak.computed);
}

Value mlir::pit::makePeakMemory(
    Block &body, ImplicitLocOpBuilder &builder, const IRMapping &arguments,
    function_ref<bool(memref::AllocOp)> isOfCaller) {
  Meter meter(body, builder, arguments, isOfCaller);
  meter.follow(body);
  return meter.getPeak();
}
