//===- MergeAlternatives.cpp - One function of several versions -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a function and its alternative the host runs one, so that they neither
// wait for each other nor need memory at the same time. The first launch of
// each waits for all that was launched before.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "GPU/Host/LeftOut.h"
#include "GPU/Host/StatusBuffer.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITMERGEALTERNATIVES
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A function, the op in it that names another one, and that one.
struct Alternative {
  func::FuncOp function;
  AlternativeOp op;
  func::FuncOp other;
};

struct PITMergeAlternatives
    : pit::impl::PITMergeAlternativesBase<PITMergeAlternatives> {
  void runOnOperation() override;
};

} // namespace

static bool launchesOnly(func::FuncOp function) {
  return llvm::all_of(function.getBody().front(), [](Operation &op) {
    return isa<gpu::LaunchFuncOp, memref::AllocOp, memref::DeallocOp,
               AlternativeOp, func::ReturnOp>(op) ||
           isMemoryEffectFree(&op);
  });
}

static OperandRange getReturned(func::FuncOp function) {
  return function.getBody().front().getTerminator()->getOperands();
}

static bool isWholeView(Operation *op) {
  return isa_and_present<memref::CastOp, memref::ExpandShapeOp,
                         memref::CollapseShapeOp>(op);
}

/// The buffer that a function allocates for a result, through views of all of
/// it; null if it returns something else, or the same one twice.
static memref::AllocOp findAllocation(func::FuncOp function, unsigned result) {
  auto find = [&](Value value) {
    while (isWholeView(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value.getDefiningOp<memref::AllocOp>();
  };
  OperandRange returned = getReturned(function);
  memref::AllocOp found = find(returned[result]);
  for (unsigned i = 0; found && i < result; ++i)
    if (find(returned[i]) == found)
      return {};
  return found;
}

/// Whether a result of one function can be written to the buffer of the other
/// one: it has the same type, or is one of which `viewBack` makes the first.
static bool isOneBuffer(memref::AllocOp own, memref::AllocOp other,
                        Value ofOther) {
  if (!own || !other || own.getType() == other.getType())
    return own && other;
  while (ofOther != other.getResult()) {
    if (ofOther.getDefiningOp<memref::CollapseShapeOp>())
      return false;
    ofOther = ofOther.getDefiningOp()->getOperand(0);
  }
  return true;
}

/// The view of `returned` that has the type of the buffer of which another
/// function returns the view `ofOther`.
static Value viewBack(OpBuilder &builder, Value returned, Value ofOther) {
  Operation *def = ofOther.getDefiningOp();
  if (!isWholeView(def))
    return returned;
  Location loc = returned.getLoc();
  auto type = cast<MemRefType>(def->getOperand(0).getType());
  Value view;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(def))
    view = memref::CollapseShapeOp::create(builder, loc, type, returned,
                                           expand.getReassociationIndices());
  else
    view = memref::CastOp::create(builder, loc, type, returned);
  return viewBack(builder, view, def->getOperand(0));
}

/// Why the functions cannot become one; empty if they can.
static StringRef findObstacle(Alternative alternative) {
  if (!launchesOnly(alternative.function) || !launchesOnly(alternative.other))
    return "one of both does something else than to launch kernels";
  for (unsigned i = 0; i < alternative.function.getNumResults(); ++i)
    if (!isOneBuffer(findAllocation(alternative.function, i),
                     findAllocation(alternative.other, i),
                     getReturned(alternative.other)[i]))
      return "the buffers of their results differ";
  return "";
}

/// Leaves the launch out where `runs` does not hold.
static void restrict(gpu::LaunchFuncOp launch, Value runs) {
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  Value none = arith::ConstantIndexOp::create(b, 0);
  Value condition = getConditionOf(launch);
  Value rows = launch.getGridSizeY();
  if (condition) {
    rows = arith::ConstantIndexOp::create(b, 1);
    runs = arith::AndIOp::create(b, condition, runs);
  }
  launch.getGridSizeXMutable().assign(
      arith::SelectOp::create(b, runs, launch.getGridSizeX(), none));
  launch.getGridSizeYMutable().assign(
      arith::SelectOp::create(b, runs, rows, none));
}

/// Moves the op in front of the first launch, and what results are written to
/// in front of the op, with what both are computed from.
static LogicalResult hoist(Alternative alternative) {
  IRRewriter rewriter(alternative.op->getContext());
  auto moveBefore = [&](Operation *op, Operation *place) -> LogicalResult {
    if (op->isBeforeInBlock(place))
      return success();
    if (failed(moveOperationDependencies(rewriter, op, place)))
      return failure();
    rewriter.moveOpBefore(op, place);
    return success();
  };
  auto launches =
      alternative.function.getBody().front().getOps<gpu::LaunchFuncOp>();
  if (!launches.empty() &&
      failed(moveBefore(alternative.op, *launches.begin())))
    return failure();
  for (unsigned i = 0; i < alternative.function.getNumResults(); ++i)
    if (failed(moveBefore(findAllocation(alternative.function, i),
                          alternative.op)) ||
        failed(moveValueDefinitions(
            rewriter, getReturned(alternative.function)[i], alternative.op)))
      return failure();
  return success();
}

/// The first unknown extent is 1 where the alternative does not run.
static void shrink(memref::AllocOp alloc, Value runs) {
  if (alloc.getDynamicSizes().empty())
    return;
  ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value size = alloc.getDynamicSizes().front();
  alloc.getDynamicSizesMutable().slice(0, 1).assign(
      arith::SelectOp::create(b, runs, size, one));
}

/// The module of a function's kernels; null if it launches none.
static gpu::GPUModuleOp findKernels(func::FuncOp function) {
  auto launches = function.getBody().front().getOps<gpu::LaunchFuncOp>();
  if (launches.empty())
    return {};
  return SymbolTable::lookupNearestSymbolFrom<gpu::GPUModuleOp>(
      function, (*launches.begin()).getKernelModuleName());
}

/// Of a function, or of the memory that launches say the size of.
static bool isDeclaration(Operation *op) {
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return global.getLinkage() == LLVM::Linkage::External &&
           global.getInitializerRegion().empty() && !global.getValueAttr();
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && function.isExternal();
}

/// Moves the kernels of one module to the other, with all that they use.
static void moveKernels(gpu::GPUModuleOp from, gpu::GPUModuleOp to,
                        func::FuncOp launching) {
  SymbolTable symbolsOfFrom(from), symbolsOfTo(to);
  llvm::StringMap<StringAttr> names;
  for (auto symbol :
       llvm::make_early_inc_range(from.getOps<SymbolOpInterface>())) {
    std::string name = symbol.getName().str();
    if (Operation *known = symbolsOfTo.lookup(name)) {
      if (isDeclaration(symbol) && isDeclaration(known))
        continue;
      (void)symbolsOfFrom.renameToUnique(symbol, {&symbolsOfTo});
    }
    names[name] = symbol.getNameAttr();
    symbolsOfFrom.remove(symbol);
    symbol->remove();
    symbolsOfTo.insert(symbol);
  }
  for (auto launch : launching.getBody().front().getOps<gpu::LaunchFuncOp>())
    if (launch.getKernelModuleName() == from.getSymName())
      launch.setKernelAttr(SymbolRefAttr::get(
          to.getSymNameAttr(),
          FlatSymbolRefAttr::get(names.at(launch.getKernelName()))));
  from.erase();
}

static void merge(Alternative alternative) {
  func::FuncOp function = alternative.function, other = alternative.other;
  gpu::GPUModuleOp from = findKernels(other), to = findKernels(function);
  if (from && to && from != to)
    moveKernels(from, to, other);
  Value condition = alternative.op.getCondition();
  ImplicitLocOpBuilder b(alternative.op.getLoc(), alternative.op);
  Value holdsNot = arith::XOrIOp::create(
      b, condition, arith::ConstantIntOp::create(b, b.getI1Type(), 1));
  for (auto launch : function.getBody().front().getOps<gpu::LaunchFuncOp>())
    restrict(launch, holdsNot);

  IRMapping mapping;
  for (BlockArgument argument : other.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isStatus = isStatusBuffer(other, number);
    mapping.map(argument, isStatus ? getStatusBuffer(function)
                                   : function.getArgument(number));
  }
  llvm::SmallDenseSet<Operation *> results;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    memref::AllocOp own = findAllocation(function, i);
    memref::AllocOp written = findAllocation(other, i);
    Value buffer =
        own.getType() == written.getType()
            ? own.getResult()
            : viewBack(b, getReturned(function)[i], getReturned(other)[i]);
    mapping.map(written.getResult(), buffer);
    results.insert(written);
  }
  for (Operation &op : other.getBody().front().without_terminator()) {
    if (results.contains(&op))
      continue;
    Operation *copy = b.clone(op, mapping);
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(copy))
      restrict(launch, condition);
    else if (auto alloc = dyn_cast<memref::AllocOp>(copy))
      shrink(alloc, condition);
  }
}

/// Kernels that only this function launches go with it.
static void drop(func::FuncOp function) {
  gpu::GPUModuleOp kernels = findKernels(function);
  auto module = function->getParentOfType<ModuleOp>();
  function.erase();
  if (kernels && SymbolTable::symbolKnownUseEmpty(kernels, module))
    kernels.erase();
}

void PITMergeAlternatives::runOnOperation() {
  SmallVector<Alternative> alternatives;
  getOperation().walk([&](AlternativeOp op) {
    alternatives.push_back(
        {op->getParentOfType<func::FuncOp>(), op, op.findFunction()});
  });
  for (Alternative alternative : alternatives) {
    StringRef obstacle = findObstacle(alternative);
    if (obstacle.empty() && failed(hoist(alternative)))
      obstacle = "extents of results follow from what the launches compute";
    if (obstacle.empty()) {
      merge(alternative);
      ++numMerged;
    } else {
      remarks::missed(alternative.function, remarks::kKernels, "alternative")
          << remarks::reason("there is no dense version for short inputs: " +
                             obstacle);
    }
    alternative.op.erase();
    drop(alternative.other);
  }
}
