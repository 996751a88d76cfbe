//===- AttentionBackward.cpp - Kernels of gradients of attention
//-------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After Dao, "FlashAttention-2" (2023): weights are computed again from scores
// and the logarithms of their sums. There, blocks of keys add to gradients of
// queries in memory, in any order. Here a second kernel computes these, with
// two products more, so that each sum has one owner and one order.
//
//===----------------------------------------------------------------------===//

#include "AttentionBackward.h"

#include "BackwardEmitter.h"

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

static constexpr unsigned kMostAxesOfMap = 5;

/// Kernels of an op; that of modifiers stands for each of them.
static SmallVector<BackwardPass> getPasses(AttendBackwardOp op) {
  // Registers hold sums of rows of together 320 elements beside scores of 32
  // columns.
  constexpr int64_t kMostTogether = 320;
  SmallVector<BackwardPass> passes{BackwardPass::Queries};
  if (!op.getDmodifiers().empty())
    passes.push_back(BackwardPass::Modifier);
  if (op.getAxisExtent(op.getScoreAxis()) +
          op.getAxisExtent(op.getValueAxis()) <=
      kMostTogether)
    passes.push_back(BackwardPass::KeysAndValues);
  else
    passes.append({BackwardPass::Keys, BackwardPass::Values});
  return passes;
}

/// Whether rows along the operand's last dimension start at multiples of 16
/// bytes, as the copy engine needs them.
static bool hasPlainRows(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getMemorySpace() ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  constexpr int64_t kElements = 8;
  return llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
    return !ShapedType::isDynamic(stride) ? stride % kElements == 0
                                          : type.getLayout().isIdentity();
  });
}

StringRef mlir::pit::attention::getBackwardLimit(AttendBackwardOp op,
                                                 const ChipModel &chip) {
  if (!op.isOnBuffers() || !chip.hasTileKernels() ||
      !chip.has(ChipFeature::WarpgroupProducts))
    return "kernels of gradients need products by warpgroups";
  if (StringRef limit = getAttentionLimit(
          cast<ShapedType>(op.getQuery().getType()).getElementType(),
          op.getAxisExtent(op.getScoreAxis()),
          op.getAxisExtent(op.getValueAxis()));
      !limit.empty())
    return limit;
  for (unsigned operand : {0u, 1u, 2u, op.kGradient}) {
    Value buffer = op->getOperand(operand);
    if (cast<MemRefType>(buffer.getType()).getRank() > kMostAxesOfMap)
      return "a tensor map has at most five axes";
    if (!hasPlainRows(buffer))
      return "rows of operands must lie side by side, at multiples of 16 bytes";
  }
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    auto type = cast<MemRefType>(init.getType());
    Type element = type.getElementType();
    if ((number < 3 && !hasPlainRows(init)) ||
        (!element.isF32() && !element.isBF16() && !element.isF16()))
      return "gradients must be f32, bf16 or f16, in rows side by side";
  }
  for (unsigned i = 0; i < op.getDmodifiers().size(); ++i)
    for (unsigned axis : {op.getQueryAxis(), op.getKeyAxis()})
      if (!op.getDimension(op.getFirstInit() + 3 + i, axis))
        return "gradients of what is added need an axis of queries and one of "
               "keys";
  return "";
}

int64_t mlir::pit::attention::getBackwardSharedBytes(AttendBackwardOp op,
                                                     AttentionPlanAttr plan) {
  int64_t bytes = 0;
  for (BackwardPass pass : getPasses(op))
    bytes = std::max(bytes, BackwardShape(op, plan, pass).getBytes());
  return bytes;
}

AttentionPlanAttr
mlir::pit::attention::chooseBackwardPlan(AttendBackwardOp op,
                                         const ChipModel &chip) {
  // Three warpgroups where registers hold them: measured on an H100, heads of
  // 64 take .85 of the time without a mask, .88 with a causal one. Masks that
  // are data leave out more with tiles of 128 rows (.51 of the time).
  int64_t width = std::max(op.getAxisExtent(op.getScoreAxis()),
                           op.getAxisExtent(op.getValueAxis()));
  // Going over heads that share keys takes registers that three do not have.
  bool hasGroups = false;
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis)
    hasGroups |= !op.getDimension(/*number=*/1, axis);
  bool isCapped = !op.getSlope()->caps.empty();
  bool isSmall =
      width <= 64 && op.getModifiers().empty() && !hasGroups && !isCapped;
  int64_t consumers = isSmall ? 3 : 2;
  // Beside sums of wide rows there are registers for scores of 32 columns, and
  // as few where weights are kept with and without caps.
  int64_t columns = width <= (isCapped ? 64 : 128) ? 64 : 32;
  for (int64_t stages : {4, 3, 2, 1}) {
    auto plan = AttentionPlanAttr::get(
        op.getContext(), KernelEngine::Wgmma,
        DenseI64ArrayAttr::get(op.getContext(), {64 * consumers, columns}),
        4 * consumers + 4, stages, /*groups=*/false, /*parts=*/1);
    if (getBackwardSharedBytes(op, plan) <= chip.getSharedBytes())
      return plan;
  }
  return {};
}

LogicalResult mlir::pit::attention::checkBackwardPlan(AttendBackwardOp op,
                                                      const ChipModel &chip) {
  if (StringRef limit = getBackwardLimit(op, chip); !limit.empty())
    return op.emitOpError("has no kernel: ") << limit;
  AttentionPlanAttr plan = op.getPlanAttr();
  if (!plan)
    return op.emitOpError("has no plan, which '--pit-plan-kernels' makes");
  if (plan.getEngine() != KernelEngine::Wgmma || plan.getGroups() ||
      plan.getParts() != 1)
    return op.emitOpError("its plan is for kernels that gradients have not: "
                          "they have 'wgmma', and one part");
  if (plan.getQueries() != 128 && plan.getQueries() != 192)
    return op.emitOpError("its plan has ")
           << plan.getQueries() << " rows, and kernels have 128 or 192";
  if (plan.getKeys() % 32 != 0 || plan.getKeys() > 128)
    return op.emitOpError("its plan has ")
           << plan.getKeys()
           << " columns, and kernels have multiples of 32 up to 128";
  if (int64_t bytes = getBackwardSharedBytes(op, plan);
      bytes > chip.getSharedBytes())
    return op.emitOpError("its plan needs ")
           << bytes << " bytes of shared memory, of which a block has "
           << chip.getSharedBytes();
  return success();
}

void mlir::pit::attention::launchAttentionBackward(AttendBackwardOp op,
                                                   HostMath &host,
                                                   gpu::GPUModuleOp module,
                                                   StringRef name,
                                                   const ChipModel &chip) {
  AttentionPlanAttr plan = op.getPlanAttr();
  BackwardProblem backward(op, host);
  int64_t cachedBytes = getCachedBytes(backward.guards, chip);
  auto launch = [&](BackwardPass pass, Summaries &summaries, StringRef suffix,
                    std::optional<unsigned> gradient = std::nullopt) {
    Kernel b(module, op.getLoc(), (name + suffix).str(),
             BackwardShape(op, plan, pass).getThreads());
    BackwardEmitter emitter(backward, pass, summaries, b, gradient);
    Value blocks = emitter.run(cachedBytes);
    b.finish(host, blocks);
  };
  Summaries ofQueries(backward.problem, plan.getQueries(), plan.getKeys()),
      ofKeys(backward.problem, plan.getKeys(), plan.getQueries());
  ofQueries.launch(backward.guards, module, (name + "_dq_mask").str());
  for (BackwardPass pass : getPasses(op))
    switch (pass) {
    case BackwardPass::Queries:
      launch(pass, ofQueries, "_dq");
      break;
    case BackwardPass::Modifier:
      for (unsigned i = 0; i < op.getDmodifiers().size(); ++i)
        launch(pass, ofQueries, ("_dm" + Twine(i)).str(), i);
      break;
    case BackwardPass::KeysAndValues:
      ofKeys.launch(backward.guards, module, (name + "_dkv_mask").str());
      launch(pass, ofKeys, "_dkv");
      break;
    case BackwardPass::Keys:
      ofKeys.launch(backward.guards, module, (name + "_dkv_mask").str());
      launch(pass, ofKeys, "_dk");
      break;
    case BackwardPass::Values:
      launch(pass, ofKeys, "_dv");
      break;
    }
}
