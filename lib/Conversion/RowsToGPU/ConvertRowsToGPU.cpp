//===- ConvertRowsToGPU.cpp - Rows from rows as kernels -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "FillKernel.h"
#include "GPU/Epilogue/Rounding.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "ReductionKernel.h"
#include "RowKernel.h"
#include "RowPlan.h"
#include "Scan/ScanReduction.h"
#include "WholeRows.h"
#include "WindowKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTROWSTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

namespace {

struct ConvertRowsToGPUPass
    : pit::impl::ConvertRowsToGPUBase<ConvertRowsToGPUPass> {
  using ConvertRowsToGPUBase::ConvertRowsToGPUBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertRowsToGPUBase::getDependentDialects(registry);
    // Launches are made before buffers are freed.
    hopper::registerLaunchEffects(registry);
  }
  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (succeeded(found))
      model = *found;
    return found;
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function);
  LogicalResult convert(TiledOp op, func::FuncOp function);
  LogicalResult convertWholeRows(func::FuncOp function,
                                 ArrayRef<linalg::LinalgOp> ops);
  LogicalResult convertWindows(func::FuncOp function,
                               ArrayRef<linalg::LinalgOp> ops);
  LogicalResult convertScan(func::FuncOp function,
                            ArrayRef<linalg::LinalgOp> ops);
  LogicalResult convertReduction(linalg::LinalgOp op, func::FuncOp function,
                                 bool isOfParts = false);
  LogicalResult convertFills(func::FuncOp function,
                             ArrayRef<linalg::FillOp> fills);

  const ChipModel *model = nullptr;
};

} // namespace

/// How a kernel computes rows, for those who ask what became of an op.
static void addPlan(remarks::InFlight &remark, RowPlanAttr plan) {
  remark << remarks::metric("Threads", plan.getThreads())
         << remarks::metric(
                "Tile",
                (Twine(plan.getRows()) + "x" + Twine(plan.getTile()[1])).str())
         << remarks::metric("Vector", plan.getVector())
         << remarks::metric("MaxBlocks", plan.getMaxBlocks());
}

static bool has16Bits(Value buffer) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(buffer));
  return element && element.getWidth() == 16;
}

/// Where all that is stored has 16 bits, functions and quotients of f32 that
/// are good to about the last bit are as good: of what they leave out, rounding
/// hides some 2^13 times as much.
static void allowApproximation(const RowsMatch &match) {
  if (!llvm::all_of(match.operands, [](const Operand &operand) {
        return !operand.isOutput || has16Bits(operand.buffer);
      }))
    return;
  for (Operation *step : match.steps)
    if (auto op = dyn_cast<linalg::LinalgOp>(step))
      allowApproximation(*op.getBlock());
}

LogicalResult ConvertRowsToGPUPass::convert(TiledOp op, func::FuncOp function) {
  RowPlanAttr plan = op.getPlanAttr();
  std::optional<RowsMatch> match = matchRows(op);
  if (!match || !sums::hasPlainLists(op.getIndex()))
    return op.emitOpError("no kernel of the family 'row_wise' can take it");
  if (failed(checkPlan(op, *match, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(op.getLoc(), op);
  sums::SourceLists lists = *sums::getLists(op.getIndex(), host);
  if (remarks::InFlight remark = remarks::kernel(op, "listed rows")) {
    remark << remarks::metric("Columns", match->columns);
    addPlan(remark, plan);
  }
  remarks::kernelOfRegion(op);
  allowApproximation(*match);
  for (Operand &operand : match->operands)
    if (operand.fill)
      remarks::partOfKernel(operand.fill, op);
  createRowsLaunch(*match, plan, &lists, model->getSharedBytes(), host, *module,
                   makeKernelName(*module, function.getName(), "_rows_"));
  ++numRows;
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  op.erase();
  for (Operand &operand : match->operands)
    if (operand.fill)
      operand.fill->erase();
  if (assemble->use_empty())
    assemble.erase();
  return success();
}

/// Erases an allocation that nobody but its end uses, and views that nobody
/// does.
static void eraseUnused(Value buffer) {
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isa<memref::ExpandShapeOp>(user) && user->use_empty())
      user->erase();
  if (!llvm::all_of(buffer.getUsers(), [](Operation *user) {
        return isa<memref::DeallocOp>(user);
      }))
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    user->erase();
  buffer.getDefiningOp()->erase();
}

/// Erases what computes columns of their places, and its buffer, if nobody
/// reads it any more.
static void eraseUnread(linalg::LinalgOp places) {
  Value buffer = places.getDpsInits()[0];
  if (!llvm::all_of(buffer.getUsers(), [&](Operation *user) {
        return user == places || isa<memref::DeallocOp>(user);
      }))
    return;
  places.erase();
  eraseUnused(buffer);
}

/// Takes the plans off the ops of a group, of which the first one has it: work
/// that keeps one would be somebody else's.
static RowPlanAttr takePlan(ArrayRef<linalg::LinalgOp> ops) {
  RowPlanAttr plan = getPlan(ops.front());
  PITDialect::PlanAttrHelper helper(plan.getContext());
  for (linalg::LinalgOp op : ops)
    helper.removeAttr(op);
  return plan;
}

/// Checks that a group is its first op, for which a kernel of the plan's family
/// was found, and perhaps the work behind it, which is left out otherwise.
template <typename Found>
static LogicalResult restrictToGroup(std::optional<Found> &found,
                                     ArrayRef<linalg::LinalgOp> ops,
                                     RowPlanAttr plan) {
  StringRef family = stringifyRowFamily(plan.getFamily());
  linalg::LinalgOp op = ops.front();
  if (!found)
    return op->emitOpError("no kernel of the family '")
           << family << "' can take it";
  if (ops.size() == 1)
    found->behind = {};
  if (ops.size() > 2 || (ops.size() == 2 && found->behind.op != ops[1]))
    return ops.back()->emitOpError("no kernel of the family '")
           << family << "' can compute it with the others of its group";
  return checkPlan(*found, plan);
}

static void addPartsOfKernel(linalg::LinalgOp op, linalg::LinalgOp behind,
                             ArrayRef<linalg::FillOp> starts) {
  if (behind)
    remarks::partOfKernel(behind, op);
  for (linalg::FillOp start : starts)
    if (start)
      remarks::partOfKernel(start, op);
}

/// Erases what a kernel computes now: the op, the work behind it, which leaves
/// the op's result in no memory, and what results start from.
static void eraseWithWork(linalg::LinalgOp op, linalg::LinalgOp behind,
                          ArrayRef<linalg::FillOp> starts) {
  Value result = op.getDpsInits()[0];
  if (behind)
    behind.erase();
  op.erase();
  for (linalg::FillOp start : starts)
    if (start)
      start.erase();
  if (behind)
    eraseUnused(result);
}

/// Ops of one group on all rows of a matrix.
LogicalResult
ConvertRowsToGPUPass::convertWholeRows(func::FuncOp function,
                                       ArrayRef<linalg::LinalgOp> ops) {
  FailureOr<RowsMatch> match = matchPlannedRows(ops, strict);
  Operation *first = ops.front(), *last = ops.back();
  RowPlanAttr plan = getPlan(first);
  if (failed(match) || failed(checkPlan(first, *match, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(last->getLoc(), last);
  if (remarks::InFlight remark = remarks::kernel(first, "whole rows")) {
    remark << remarks::metric("Columns", match->columns)
           << remarks::metric("Steps", match->steps.size());
    addPlan(remark, plan);
  }
  for (Operation *step : match->steps)
    if (step != first)
      remarks::partOfKernel(step, first);
  for (const Operand &operand : match->operands)
    if (operand.places)
      remarks::partOfKernel(operand.places, first);
  allowApproximation(*match);
  createRowsLaunch(*match, plan, /*lists=*/nullptr, model->getSharedBytes(),
                   host, *module,
                   makeKernelName(*module, function.getName(), "_rows_"));
  ++numRows;
  for (Operation *step : match->steps)
    step->erase();
  for (const Operand &operand : match->operands)
    if (operand.places)
      eraseUnread(operand.places);
  return success();
}

/// Lets products of floats of at most 16 bits be one instruction with the sum:
/// in f32 and wider they are exact, so that nothing changes.
static void contractExactProducts(Block &body) {
  auto isNarrow = [](Value value) {
    auto extend = value.getDefiningOp<arith::ExtFOp>();
    return extend && extend.getIn().getType().getIntOrFloatBitWidth() <= 16;
  };
  auto allow = [](auto op) {
    op.setFastmath(op.getFastmath() | arith::FastMathFlags::contract);
  };
  for (auto product : body.getOps<arith::MulFOp>()) {
    if (!isNarrow(product.getLhs()) || !isNarrow(product.getRhs()) ||
        !product->hasOneUse())
      continue;
    if (auto sum = dyn_cast<arith::AddFOp>(*product->user_begin())) {
      allow(product);
      allow(sum);
    }
  }
}

/// The first op of a group, which has windows, and the work behind it.
LogicalResult
ConvertRowsToGPUPass::convertWindows(func::FuncOp function,
                                     ArrayRef<linalg::LinalgOp> ops) {
  linalg::LinalgOp op = ops.front();
  RowPlanAttr plan = takePlan(ops);
  std::optional<WindowReduction> windows = matchWindowReduction(op);
  if (failed(restrictToGroup(windows, ops, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  linalg::LinalgOp last = windows->getLast();
  detect::HostMath host(last.getLoc(), last);
  if (remarks::InFlight remark = remarks::kernel(op, "windows")) {
    remark << remarks::metric("Elements", windows->getNumTaps())
           << remarks::metric("Results", (Twine(plan.getTile()[0]) + "x" +
                                          Twine(plan.getUnroll()))
                                             .str());
    addPlan(remark, plan);
  }
  addPartsOfKernel(op, windows->behind.op, windows->starts);
  for (const WindowInput &input : windows->inputs)
    if (input.copy)
      remarks::partOfKernel(input.copy, op);
  contractExactProducts(*op.getBlock());
  if (windows->behind.op && llvm::all_of(last.getDpsInits(), has16Bits))
    allowApproximation(*last.getBlock());
  createWindowsLaunch(*windows, plan, host, *module,
                      makeKernelName(*module, function.getName(), "_windows_"));
  ++numReductions;
  eraseWithWork(op, windows->behind.op, windows->starts);
  for (WindowInput &input : windows->inputs)
    erasePadding(input);
  return success();
}

/// The first op of a group, which is a scan, and the work behind it: one
/// kernel, or two.
LogicalResult
ConvertRowsToGPUPass::convertScan(func::FuncOp function,
                                  ArrayRef<linalg::LinalgOp> ops) {
  linalg::LinalgOp op = ops.front();
  RowPlanAttr plan = takePlan(ops);
  std::optional<ScanReduction> scan = matchScanReduction(op, strict);
  if (failed(restrictToGroup(scan, ops, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  linalg::LinalgOp last = scan->getLast();
  detect::HostMath host(last.getLoc(), last);
  Value parts = countParts(*scan, plan, host);
  std::optional<int64_t> known = detect::getKnown(parts);
  if (remarks::InFlight remark = remarks::kernel(op, "scan")) {
    if (known)
      remark << remarks::metric("Parts", *known);
    addPlan(remark, plan);
  }
  addPartsOfKernel(op, scan->behind.op, scan->start);
  Value sums;
  if (known != 1) {
    sums = allocateParts(*scan, parts, host);
    createScanLaunch(*scan, plan, parts, sums, /*isOfSums=*/true, host, *module,
                     makeKernelName(*module, function.getName(), "_sums_"));
  }
  createScanLaunch(*scan, plan, parts, sums, /*isOfSums=*/false, host, *module,
                   makeKernelName(*module, function.getName(), "_scan_"));
  if (sums && freeBuffers)
    memref::DeallocOp::create(host, sums);
  ++numReductions;
  eraseWithWork(op, scan->behind.op, scan->start);
  return success();
}

/// A kernel for the op, or two: the second one, of what the op becomes,
/// combines parts that the first one found.
LogicalResult ConvertRowsToGPUPass::convertReduction(linalg::LinalgOp op,
                                                     func::FuncOp function,
                                                     bool isOfParts) {
  // Columns have their parts one below the other if these are fewer.
  constexpr int64_t kFewParts = 32;
  RowPlanAttr plan = getPlan(op);
  std::optional<Reduction> reduction =
      matchReductionOp(op, strict && !isOfParts, {}, isOfParts);
  if (!reduction)
    return op->emitOpError("no kernel of the family 'reduce' can take it");
  if (failed(checkPlan(*reduction, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(op.getLoc(), op);
  Parts parts;
  parts.count =
      isOfParts ? host.constant(1) : countParts(*reduction, plan, host);
  std::optional<int64_t> known = detect::getKnown(parts.count);
  bool isSplit = known != 1;
  if (isSplit) {
    parts.isFirst = !reduction->isAlongInner && known && *known < kFewParts;
    parts.buffers = allocateParts(*reduction, parts.count, parts.isFirst, host);
  }
  if (remarks::InFlight remark = remarks::kernel(op, "reduction")) {
    if (known)
      remark << remarks::metric("Parts", *known);
    addPlan(remark, plan);
  }
  createReductionLaunch(*reduction, plan, parts, host, *module,
                        makeKernelName(*module, function.getName(),
                                       isOfParts ? "_parts_" : "_reduce_"));
  numReductions += !isOfParts;
  if (!isSplit) {
    for (linalg::FillOp start : reduction->starts)
      if (start)
        remarks::partOfKernel(start, op);
    op.erase();
    for (linalg::FillOp start : reduction->starts)
      if (start)
        start.erase();
    return success();
  }
  linalg::LinalgOp rest = createCombinationOfParts(*reduction, parts, host);
  std::optional<Reduction> ofParts =
      matchReductionOp(rest, /*strict=*/false, {}, /*isOfParts=*/true);
  if (!ofParts)
    return rest->emitOpError("combines parts otherwise than kernels do");
  PITDialect::PlanAttrHelper(rest.getContext())
      .setAttr(rest, planReduction(*ofParts, *model));
  if (freeBuffers)
    for (Value buffer : parts.buffers)
      memref::DeallocOp::create(host, buffer);
  op.erase();
  return convertReduction(rest, function, /*isOfParts=*/true);
}

/// Fills of one group: one launch, where the first of them is.
LogicalResult
ConvertRowsToGPUPass::convertFills(func::FuncOp function,
                                   ArrayRef<linalg::FillOp> fills) {
  linalg::FillOp first = fills.front();
  RowPlanAttr plan = getPlan(first);
  if (failed(checkPlan(fills, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(first.getLoc(), first);
  if (remarks::InFlight remark = remarks::kernel(first, "fill"))
    addPlan(remark, plan);
  for (linalg::FillOp fill : fills.drop_front())
    remarks::partOfKernel(fill, first);
  createFillLaunch(fills, plan, host, *module,
                   makeKernelName(*module, function.getName(), "_fill_"));
  for (linalg::FillOp fill : fills)
    fill.erase();
  return success();
}

LogicalResult ConvertRowsToGPUPass::convert(func::FuncOp function) {
  if (this->plan)
    planRows(function, {*model, strict}, /*taken=*/{});
  SmallVector<TiledOp> listed;
  llvm::MapVector<int64_t, SmallVector<linalg::LinalgOp>> groups, windows,
      scans;
  llvm::MapVector<int64_t, SmallVector<linalg::FillOp>> fills;
  SmallVector<linalg::LinalgOp> reductions;
  SmallVector<Operation *> launches;
  int64_t numAlone = 0; // of fills, whose groups count downwards
  function.walk([&](Operation *op) {
    if (auto tiled = dyn_cast<TiledOp>(op)) {
      RowPlanAttr plan = tiled.getPlanAttr();
      if (!plan || plan.getFamily() != RowFamily::RowWise)
        return;
      listed.push_back(tiled);
    } else if (RowPlanAttr plan = getPlan(op)) {
      if (auto fill = dyn_cast<linalg::FillOp>(op))
        fills[plan.getGroup() < 0 ? --numAlone : plan.getGroup()].push_back(
            fill);
      else if (plan.getFamily() == RowFamily::Reduce)
        reductions.push_back(cast<linalg::LinalgOp>(op));
      else if (plan.getFamily() == RowFamily::Scan)
        scans[plan.getGroup()].push_back(cast<linalg::LinalgOp>(op));
      else if (plan.getFamily() == RowFamily::Windows)
        windows[plan.getGroup()].push_back(cast<linalg::LinalgOp>(op));
      else
        groups[plan.getGroup()].push_back(cast<linalg::LinalgOp>(op));
    } else {
      return;
    }
    launches.push_back(op);
  });
  if (launches.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (Operation *op : launches)
    if (failed(analysis.checkLaunch(op)))
      return failure();
  for (TiledOp op : listed)
    if (failed(convert(op, function)))
      return failure();
  for (const auto &[group, ops] : groups)
    if (failed(convertWholeRows(function, ops)))
      return failure();
  for (const auto &[group, ops] : scans)
    if (failed(convertScan(function, ops)))
      return failure();
  for (const auto &[group, ops] : windows)
    if (failed(convertWindows(function, ops)))
      return failure();
  for (linalg::LinalgOp op : reductions)
    if (failed(convertReduction(op, function)))
      return failure();
  for (const auto &[group, ops] : fills)
    if (failed(convertFills(function, ops)))
      return failure();
  return success();
}

void ConvertRowsToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
