//===- CheckExtents.cpp - What arguments' extents have to agree in --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "ComputedAccesses.h"
#include "GuardAccesses.h"
#include "GuardExtents.h"
#include "OpRequirements.h"
#include "OrderIterations.h"
#include "PIT/Dialect/PIT/IR/PITCheck.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCHECKEXTENTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// What runs, and under which condition
//===----------------------------------------------------------------------===//

namespace {

/// Writes what the ops of a region require.
class Collector {
public:
  explicit Collector(CheckWriter &writer) : writer(writer) {}
  void collect(Block &block, EntryValues &values);

private:
  void collectNested(Region &region, EntryValues &values, Value condition);
  void collectLoop(LoopLikeOpInterface loop, EntryValues &values);
  std::pair<Value, Value> getFirstAndLast(Value first, Value end, Value step);
  void collectIterations(LoopLikeOpInterface loop, EntryValues &values,
                         Value runs,
                         ArrayRef<std::pair<Value, Value>> firstAndLast);
  void collectCall(func::CallOp call, EntryValues &values);

  CheckWriter &writer;
  /// How many numbers of iterations are assumed.
  unsigned numVarying = 0;
};

} // namespace

/// Of a region whose first block runs where the condition holds; null where
/// that is not known.
void Collector::collectNested(Region &region, EntryValues &values,
                              Value condition) {
  if (region.empty())
    return;
  CheckWriter::Guard before = writer.addToGuard(condition);
  collect(region.front(), values);
  writer.addToGuard(Value());
  for (Block &block : llvm::drop_begin(region))
    collect(block, values);
  writer.setGuard(before);
}

/// Numbers of the first and the last iteration, of a loop that has some. They
/// are values of their own, so that what is computed from them is known.
std::pair<Value, Value> Collector::getFirstAndLast(Value first, Value end,
                                                   Value step) {
  Value one = writer.constant(1), zero = writer.constant(0);
  Value distance = writer.combine<arith::SubIOp>(end, first);
  distance = writer.combine<arith::SubIOp>(distance, one);
  if (getConstantIntValue(step) != 1) {
    step = writer.combine<arith::MaxSIOp>(step, one);
    Value steps = writer.combine<arith::DivUIOp>(distance, step);
    distance = writer.combine<arith::MulIOp>(steps, step);
  }
  Value last = writer.combine<arith::AddIOp>(first, distance);
  OpBuilder &builder = writer.getBuilder();
  auto makeOwn = [&](Value value) -> Value {
    return arith::AddIOp::create(builder, value.getLoc(), value, zero);
  };
  return {makeOwn(first), makeOwn(last)};
}

/// Loops in loops whose first and last iterations are looked at.
static constexpr unsigned kMostVarying = 4;

/// What is linear in the numbers of a loop's iteration and holds where each of
/// them is the first or the last one holds between.
void Collector::collectIterations(
    LoopLikeOpInterface loop, EntryValues &values, Value runs,
    ArrayRef<std::pair<Value, Value>> firstAndLast) {
  std::optional<SmallVector<Value>> numbers = loop.getLoopInductionVars();
  bool isKnown = runs && numbers && numbers->size() == firstAndLast.size() &&
                 numVarying + firstAndLast.size() <= kMostVarying;
  unsigned numCorners = isKnown ? 1u << firstAndLast.size() : 1;
  EntryValues::Known before = values.getKnown();
  unsigned numBefore = numVarying;
  for (unsigned corner = 0; corner < numCorners; ++corner) {
    if (isKnown)
      for (auto [i, ends] : llvm::enumerate(firstAndLast))
        values.assume((*numbers)[i],
                      corner >> i & 1 ? ends.second : ends.first);
    numVarying = numBefore + unsigned(isKnown ? firstAndLast.size() : 0);
    for (Region &region : loop->getRegions())
      collectNested(region, values, runs);
    values.setKnown(before);
  }
  numVarying = numBefore;
}

/// A loop runs if each of its bounds leaves something to iterate over.
void Collector::collectLoop(LoopLikeOpInterface loop, EntryValues &values) {
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> upper = loop.getLoopUpperBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  Value runs;
  SmallVector<std::pair<Value, Value>> firstAndLast;
  if (lower && upper && steps) {
    runs = arith::ConstantIntOp::create(writer.getBuilder(), loop.getLoc(),
                                        true, 1);
    for (auto [from, to, by] : llvm::zip(*lower, *upper, *steps)) {
      Value step = values.get(by);
      // What is checked are indexes; loops may count in integers.
      if (step && isa<IntegerType>(step.getType()))
        step = arith::IndexCastOp::create(writer.getBuilder(), loop.getLoc(),
                                          writer.getBuilder().getIndexType(),
                                          step);
      if (!getConstantIntValue(by))
        writer.requireWithin(loop, step, 1,
                             writer.constant(CheckWriter::kMostBytes),
                             "step {0} is not within 1 to {1}");
      Value first = values.get(from), end = values.get(to);
      // Of a loop inside another one, whose bounds vary, no corners are known.
      if (!first || !end || !step || !first.getType().isIndex() ||
          values.varies(first) || values.varies(end) || values.varies(step)) {
        runs = Value();
        break;
      }
      if (first.getType().isIndex())
        firstAndLast.push_back(getFirstAndLast(first, end, step));
      runs = writer.combine<arith::AndIOp>(
          runs, writer.compare(arith::CmpIPredicate::slt, first, end));
    }
  }
  collectIterations(loop, values, runs, firstAndLast);
}

void Collector::collectCall(func::CallOp call, EntryValues &values) {
  func::FuncOp callee = values.getCallee(call);
  if (!callee)
    return writer.miss(call);
  std::unique_ptr<EntryValues> inside = values.enter(call);
  CheckWriter::Guard before = writer.getGuard();
  collect(callee.getBody().front(), *inside);
  writer.addToGuard(Value());
  for (Block &block : llvm::drop_begin(callee.getBody()))
    collect(block, *inside);
  writer.setGuard(before);
}

/// Whether the op's regions compute elements. What they read of tensors belongs
/// to the op.
static bool computesElements(Operation *op) {
  return isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp>(op);
}

void Collector::collect(Block &block, EntryValues &values) {
  // Extents may be said by ops that are put in front of others.
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops) {
    OpRequirements(values, writer).write(op);
    if (computesElements(op)) {
      if (!isa<linalg::LinalgOp>(op))
        op->walk([&](tensor::ExtractOp extract) { writer.miss(extract); });
      continue;
    }
    if (auto call = dyn_cast<func::CallOp>(op)) {
      collectCall(call, values);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      collectLoop(loop, values);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Value condition = values.get(branch.getCondition());
      Value otherwise;
      if (condition) {
        Value holds = arith::ConstantIntOp::create(writer.getBuilder(),
                                                   op->getLoc(), true, 1);
        otherwise = writer.combine<arith::XOrIOp>(condition, holds);
      }
      collectNested(branch.getThenRegion(), values, condition);
      collectNested(branch.getElseRegion(), values, otherwise);
    } else {
      for (Region &region : op->getRegions())
        collectNested(region, values, Value());
    }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Of checks with the same condition, the first one is enough.
static void dropRepeated(func::FuncOp checks) {
  IRRewriter rewriter(checks.getContext());
  DominanceInfo dominance(checks);
  eliminateCommonSubExpressions(rewriter, dominance, checks);
  llvm::SmallPtrSet<Value, 16> seen;
  for (auto check :
       llvm::make_early_inc_range(checks.getBody().front().getOps<CheckOp>()))
    if (!seen.insert(check.getCondition()).second)
      check.erase();
  // What only those used that are gone.
  eliminateCommonSubExpressions(rewriter, dominance, checks);
}

namespace {

struct PITCheckExtents : pit::impl::PITCheckExtentsBase<PITCheckExtents> {
  using PITCheckExtentsBase::PITCheckExtentsBase;

  void runOnOperation() override {
    guarded.clear();
    missed.clear();
    SymbolTableCollection symbols;
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic() &&
          !PITDialect::ChecksAttrHelper(&getContext()).isAttrPresent(function))
        functions.push_back(function);
    for (auto function : getOperation().getOps<func::FuncOp>())
      decomposeComputedAccesses(function, computedExtents);
    for (func::FuncOp function : functions)
      writeChecks(function, symbols);
    if (computedExtents)
      orderUnknownWrites();
    for (auto &[op, numbers] : guarded)
      if (!guardAccess(op, numbers, getOperation()))
        missed.insert(op);
    if (computedExtents)
      return guardExtents(missed.getArrayRef(), getOperation(), device);
    for (Operation *op : missed)
      CheckWriter::sayUnchecked(op);
  }

  /// Reports call the runtime under a condition.
  void getDependentDialects(DialectRegistry &registry) const override {
    PITCheckExtentsBase::getDependentDialects(registry);
    registry
        .insert<func::FuncDialect, linalg::LinalgDialect, scf::SCFDialect>();
  }

  void writeChecks(func::FuncOp function, SymbolTableCollection &symbols) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(function);
    auto checks = func::FuncOp::create(
        builder, function.getLoc(), (function.getName() + "_checks").str(),
        builder.getFunctionType(function.getArgumentTypes(), {}));
    checks.setPrivate();
    Block *body = checks.addEntryBlock();
    builder.setInsertionPointToStart(body);
    CheckWriter writer(builder);
    EntryValues values(function, builder, symbols,
                       {[&](BlockArgument argument) -> Value {
                          return body->getArgument(argument.getArgNumber());
                        },
                        [&](BlockArgument argument, int64_t axis) -> Value {
                          return tensor::DimOp::create(
                              builder, argument.getLoc(),
                              body->getArgument(argument.getArgNumber()), axis);
                        }});
    for (BlockArgument argument : function.getArguments())
      requireSize(function, argument, values, writer);
    Collector collector(writer);
    collector.collect(function.getBody().front(), values);
    writer.addToGuard(Value());
    for (Block &block : llvm::drop_begin(function.getBody()))
      collector.collect(block, values);
    writer.writeSizes();
    for (auto &[op, numbers] : writer.getGuarded()) {
      auto [entry, isNew] = guarded.insert({op, numbers});
      entry->second.axes |= numbers.axes;
      entry->second.mayBeEmpty |= numbers.mayBeEmpty;
    }
    missed.insert_range(writer.getMissed());
    func::ReturnOp::create(builder, function.getLoc());
    dropRepeated(checks);
    if (!holdsChecks(checks))
      return checks.erase();
    symbols.getSymbolTable(getOperation()).insert(checks);
    PITDialect::ChecksAttrHelper(&getContext())
        .setAttr(function, FlatSymbolRefAttr::get(checks));
    numChecks +=
        unsigned(llvm::range_size(checks.getBody().front().getOps<CheckOp>()));
  }

  /// Of loops whose iterations write where elements say.
  void orderUnknownWrites() {
    llvm::SmallSetVector<scf::ForallOp, 4> foralls;
    for (Operation *op : missed)
      if (isa<tensor::ParallelInsertSliceOp>(op))
        foralls.insert(op->getParentOfType<scf::ForallOp>());
    for (scf::ForallOp forall : foralls) {
      Operation *loop = forall;
      SmallVector<Operation *> inserts;
      for (Operation &op : *forall.getTerminator().getBody())
        inserts.push_back(&op);
      SmallVector<scf::ForOp> loops;
      SmallVector<tensor::InsertSliceOp> writes;
      if (!orderIterations(forall, loops, writes))
        continue;
      // They are gone, and only their addresses are looked at.
      for (Operation *insert : inserts) {
        missed.remove(insert);
        guarded.erase(insert);
      }
      if (missed.remove(loop))
        missed.insert_range(loops);
      for (tensor::InsertSliceOp write : writes)
        guarded[write] = AccessNumbers();
    }
  }

  static void requireSize(func::FuncOp function, BlockArgument argument,
                          EntryValues &values, CheckWriter &writer) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      return;
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(unsigned(axis)))
        extents.push_back(values.getExtent(argument, axis));
    writer.requireSize(function, type, extents,
                       "argument " + Twine(argument.getArgNumber()));
  }

  GuardedAccesses guarded;
  llvm::SmallSetVector<Operation *, 8> missed;
};

} // namespace
