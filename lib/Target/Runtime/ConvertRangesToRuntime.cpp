//===- ConvertRangesToRuntime.cpp - From ranges to the runtime's threads --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"

#include "CallBuilder.h"
#include "PIT/Dialect/PIT/IR/PITThreads.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTRANGESTORUNTIME
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static Value cast(ImplicitLocOpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, type, value).getResult(0);
}

namespace {

class RangeOutliner {
public:
  RangeOutliner(ModuleOp module, SymbolTable &symbols)
      : module(module), symbols(symbols), types(module.getContext()) {}
  LogicalResult run(ParallelRangeOp range);

private:
  LogicalResult findCaptured(ParallelRangeOp range);
  static void replaceInside(ParallelRangeOp range,
                            const llvm::DenseMap<Value, Value> &made);
  func::FuncOp outline(ParallelRangeOp range, LLVM::LLVMStructType values);

  ModuleOp module;
  SymbolTable &symbols;
  LLVMTypeConverter types;
  /// What a region reads from outside, and its types in memory.
  SmallVector<Value> captured;
  SmallVector<Type> stored;
};

} // namespace

/// Replaces values by others in a range. What a range reads is looked at, and
/// not who reads a value: all ranges of a program read its constants.
void RangeOutliner::replaceInside(ParallelRangeOp range,
                                  const llvm::DenseMap<Value, Value> &made) {
  range.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Value other = made.lookup(operand.get()))
        operand.set(other);
  });
}

LogicalResult RangeOutliner::findCaptured(ParallelRangeOp range) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(range->getRegions(), above);
  captured.clear();
  stored.clear();
  OpBuilder builder(range.getContext());
  llvm::DenseMap<Value, Value> copies;
  for (Value value : above) {
    if (matchPattern(value, m_Constant())) {
      builder.setInsertionPointToStart(&range.getBody().front());
      copies[value] = builder.clone(*value.getDefiningOp())->getResult(0);
      continue;
    }
    Type type = types.convertType(value.getType());
    if (!type)
      return range.emitOpError("reads a value of type ")
             << value.getType()
             << " from outside, which cannot be passed to threads";
    captured.push_back(value);
    stored.push_back(type);
  }
  replaceInside(range, copies);
  return success();
}

/// A function of the region.
func::FuncOp RangeOutliner::outline(ParallelRangeOp range,
                                    LLVM::LLVMStructType values) {
  auto parent = range->getParentOfType<func::FuncOp>();
  ImplicitLocOpBuilder builder(range.getLoc(), range.getContext());
  builder.setInsertionPoint(parent);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()),
       i64 = builder.getI64Type();
  auto function =
      func::FuncOp::create(builder, (parent.getName() + "_range").str(),
                           builder.getFunctionType({pointer, i64, i64}, {}));
  function.setPrivate();
  symbols.insert(function, Block::iterator(parent));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  RuntimeCalls calls(builder, module);
  llvm::DenseMap<Value, Value> passed;
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value place =
        LLVM::GEPOp::create(builder, pointer, values, entry->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    Value loaded = LLVM::LoadOp::create(builder, stored[i], place);
    passed[value] = cast(builder, loaded, value.getType());
  }
  replaceInside(range, passed);
  Block &body = range.getBody().front();
  Value bounds[] = {calls.toIndex(entry->getArgument(1)),
                    calls.toIndex(entry->getArgument(2))};
  for (auto [argument, bound] : llvm::zip_equal(body.getArguments(), bounds))
    argument.replaceAllUsesWith(bound);
  entry->getOperations().splice(entry->end(), body.getOperations());
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder);
  return function;
}

LogicalResult RangeOutliner::run(ParallelRangeOp range) {
  if (failed(findCaptured(range)))
    return failure();
  ImplicitLocOpBuilder builder(range.getLoc(), range);
  RuntimeCalls calls(builder, module);
  auto values = LLVM::LLVMStructType::getLiteral(range.getContext(), stored);
  Value memory = calls.allocate(values, 1);
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value place =
        LLVM::GEPOp::create(builder, calls.pointerType(), values, memory,
                            ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    LLVM::StoreOp::create(builder, cast(builder, value, stored[i]), place);
  }
  func::FuncOp function = outline(range, values);
  Value address =
      cast(builder,
           func::ConstantOp::create(builder, function.getFunctionType(),
                                    FlatSymbolRefAttr::get(function)),
           calls.pointerType());
  calls.call("pit_rt_parallel", {address, memory, calls.toI64(range.getCount()),
                                 calls.i64(int64_t(range.getMultiple())),
                                 calls.toI64(range.getWork())});
  range.erase();
  return success();
}

static void lowerExtents(TaskExtentsOp op, ModuleOp module) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  RuntimeCalls calls(builder, module);
  SmallVector<Value> operands;
  for (Value extent : op.getOperands())
    operands.push_back(calls.toI64(extent));
  operands.push_back(calls.i64(int64_t(op.getRowUnit())));
  operands.push_back(calls.i64(int64_t(op.getColumnUnit())));
  auto call = [&](StringRef name) {
    return calls.toIndex(calls.call(name, operands, builder.getI64Type()));
  };
  op.getRows().replaceAllUsesWith(call("pit_rt_task_rows"));
  op.getColumns().replaceAllUsesWith(call("pit_rt_task_columns"));
  op.erase();
}

namespace {

struct ConvertRangesToRuntime
    : pit::impl::ConvertRangesToRuntimeBase<ConvertRangesToRuntime> {
  void runOnOperation() override {
    SmallVector<TaskExtentsOp> extents;
    // Inner ranges first.
    SmallVector<ParallelRangeOp> ranges;
    getOperation().walk([&](Operation *op) {
      if (auto found = dyn_cast<TaskExtentsOp>(op))
        extents.push_back(found);
      else if (auto range = dyn_cast<ParallelRangeOp>(op))
        ranges.push_back(range);
    });
    for (TaskExtentsOp op : extents)
      lowerExtents(op, getOperation());
    SymbolTable symbols(getOperation());
    RangeOutliner outliner(getOperation(), symbols);
    for (ParallelRangeOp range : ranges)
      if (failed(outliner.run(range)))
        return signalPassFailure();
  }
};

} // namespace
