//===- DevicePieces.cpp - What of a function runs on the device -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePieces.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Whether everything the op uses from outside itself is known on the host.
static bool usesOnlyHostValues(Operation *op, const DeviceAnalysis &analysis) {
  return !op->walk([&](Operation *nested) {
              for (Value operand : nested->getOperands()) {
                Operation *owner = operand.getParentBlock()->getParentOp();
                bool isOutside = !op->isAncestor(owner);
                if (isOutside && !analysis.isKnownOnHost(operand))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
}

/// Whether `op` or anything in it uses a value of one of `defs`.
static bool usesAny(Operation *op, const llvm::SetVector<Operation *> &defs) {
  return op
      ->walk([&](Operation *nested) {
        return llvm::any_of(nested->getOperands(),
                            [&](Value operand) {
                              Operation *def = operand.getDefiningOp();
                              return def && defs.contains(def);
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<SmallVector<DevicePiece>>
mlir::pit::cutDevicePieces(func::FuncOp function,
                           const DeviceAnalysis &analysis) {
  Block &body = function.getBody().front();
  SmallVector<Operation *> device;
  for (Operation &op : body.without_terminator())
    if (analysis.isDevice(&op) || isa<gpu::LaunchFuncOp, HostLoopOp>(op))
      device.push_back(&op);

  for (Value operand : body.getTerminator()->getOperands())
    if (!analysis.isKnownOnHost(operand))
      return emitError(operand.getLoc(),
                       "a result is a scalar that the device computes; return "
                       "a tensor of rank 0 instead");

  SmallVector<DevicePiece> pieces;
  llvm::SetVector<Operation *> open;
  auto close = [&] {
    if (!open.empty())
      pieces.push_back({SmallVector<Operation *>(open.begin(), open.end())});
    open.clear();
  };
  for (auto [i, op] : llvm::enumerate(device)) {
    auto shape = DevicePiece::Shape::Block;
    if (usesOnlyHostValues(op, analysis)) {
      if (isa<linalg::LinalgOp>(op))
        shape = DevicePiece::Shape::Points;
      else if (isLoopOverBlocks(op))
        shape = DevicePiece::Shape::Blocks;
    }
    bool isNeeded =
        llvm::any_of(ArrayRef<Operation *>(device).drop_front(i),
                     [&](Operation *later) { return usesAny(later, open); });
    if (isa<gpu::LaunchFuncOp, HostLoopOp>(op)) {
      // Kernels run in order, so nothing may be moved past one.
      if (isNeeded)
        return op->emitOpError("stands between a scalar that the device "
                               "computes and its use");
      close();
      continue;
    }
    if (shape != DevicePiece::Shape::Block && !isNeeded) {
      close();
      pieces.push_back({{op}, shape});
      continue;
    }
    open.insert(op);
  }
  close();
  return pieces;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// What a kernel may hold.
bool mlir::pit::isLoopOverBlocks(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  if (!forall || forall.getRank() != 1 || !forall.isNormalized() ||
      !forall.getOutputs().empty() || !isa<func::FuncOp>(op->getParentOp()))
    return false;
  std::optional<ArrayAttr> mapping = forall.getMapping();
  auto blocks = mapping && mapping->size() == 1
                    ? dyn_cast<gpu::GPUBlockMappingAttr>((*mapping)[0])
                    : gpu::GPUBlockMappingAttr();
  return blocks && blocks.getRelativeIndex() == 0;
}

/// The address of a constant, such as a message.
static bool isConstantAddress(Operation *op) {
  auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op);
  return address && address.getSource().getDefiningOp<memref::GetGlobalOp>();
}

static bool isDeviceOp(Operation *op) {
  if (isa<scf::InParallelOp>(op) || isLoopOverBlocks(op) ||
      isConstantAddress(op))
    return true;
  if (isa<linalg::LinalgOp, linalg::IndexOp, linalg::YieldOp,
          affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return true;
  if (isa<memref::LoadOp, memref::StoreOp, memref::AllocOp, memref::AllocaOp,
          memref::DeallocOp, memref::DimOp, memref::GetGlobalOp,
          memref::ExtractStridedMetadataOp>(op))
    return true;
  if (isa<ViewLikeOpInterface>(op) &&
      isa<memref::MemRefDialect>(op->getDialect()))
    return true;
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
          scf::ConditionOp, scf::YieldOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect, math::MathDialect, ub::UBDialect>(
      op->getDialect());
}

/// What the host of an earlier pass' kernels does.
static bool isHostOp(Operation *op) {
  return isa<gpu::LaunchFuncOp, HostLoopOp, AlternativeOp, SignaledOp,
             nvgpu::TmaCreateDescriptorOp, RoundedTensorMapOp,
             WindowTensorMapOp>(op) &&
         isa<func::FuncOp>(op->getParentOp());
}

static LogicalResult checkStructuredOp(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return op->emitOpError("works on tensors; bufferize before converting to "
                           "GPU kernels");
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType());
        type && !type.isStrided())
      return op->emitOpError("has an operand of type ")
             << type << ", whose layout has no strides";
  return success();
}

static bool isComplex(Type type) {
  return isa<ComplexType>(getElementTypeOrSelf(type));
}

/// Addresses are compared where buffers are freed that a loop or a branch may
/// have passed on, which has no buffer of its own then.
static LogicalResult refuseAddress(Operation *op, func::FuncOp function) {
  Operation *passesOn = op;
  function.walk([&](Operation *nested) {
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp,
             arith::SelectOp>(nested) ||
        llvm::none_of(nested->getResultTypes(), llvm::IsaPred<MemRefType>))
      return WalkResult::advance();
    passesOn = nested;
    return WalkResult::interrupt();
  });
  return emitError(passesOn->getLoc(),
                   "a loop or a branch passes a tensor on, and its extents may "
                   "change there; kernels have one buffer for all iterations");
}

static LogicalResult refuseOp(Operation *op, func::FuncOp function) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return refuseAddress(op, function);
  // Programs have no ops on buffers: what these are made of is at the place.
  if (isa<memref::MemRefDialect>(op->getDialect()))
    return emitError(op->getLoc(), "needs '")
           << op->getName() << "', which cannot be part of a GPU kernel";
  // Folders make others of these than the program has.
  if (op->getName().getDialectNamespace() == "index")
    return emitError(op->getLoc(),
                     "computes in the 'index' dialect, which has no code for "
                     "the device; the 'arith' dialect has");
  return op->emitOpError("cannot be part of a GPU kernel");
}

static bool isWideFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() > 64;
}

LogicalResult mlir::pit::checkDeviceOps(func::FuncOp function) {
  auto check = [&](Operation *op) -> LogicalResult {
    if (op == function.getOperation() || isa<func::ReturnOp>(op) ||
        isHostOp(op))
      return success();
    if (auto call = dyn_cast<func::CallOp>(op))
      return call.emitOpError("calls '")
             << call.getCallee()
             << "', which is no function of the device; inline it first";
    if (llvm::any_of(op->getOperandTypes(), isComplex) ||
        llvm::any_of(op->getResultTypes(), isComplex))
      return emitError(op->getLoc(), "computes with complex numbers, which "
                                     "have no code for the device");
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (isWideFloat(type))
          return emitError(op->getLoc(), "computes with ")
                 << getElementTypeOrSelf(type)
                 << ", which no device computes with";
    if (!isDeviceOp(op))
      return refuseOp(op, function);
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      return checkStructuredOp(structured);
    return success();
  };
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has several blocks; GPU kernels are made of "
                                "structured control flow");
  LogicalResult result = success();
  function.walk([&](Operation *op) {
    result = check(op);
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result;
}
