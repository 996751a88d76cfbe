//===- LaunchOps.cpp - What hosts pass to kernels -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITLaunchOps.cpp.inc"

LogicalResult RoundedTensorMapOp::verify() {
  auto buffer = cast<BaseMemRefType>(getTensor().getType());
  MemRefType tile = getTensorMap().getType().getTensor();
  if (!buffer.getElementType().isF32() || !tile.getElementType().isF32() ||
      !getRounded().isTF32())
    return emitOpError("H1: rounds f32 to tf32, not ")
           << buffer.getElementType() << ", in tiles of "
           << tile.getElementType() << ", to " << getRounded();
  if (int64_t(getBoxDimensions().size()) != tile.getRank())
    return emitOpError("H2: has ")
           << getBoxDimensions().size() << " extents of a box for a tile of "
           << tile.getRank() << " axes";
  return success();
}

Value RoundedTensorMapOp::getViewSource() { return getTensor(); }

LogicalResult WindowTensorMapOp::verify() {
  int64_t rank = getTensorMap().getType().getTensor().getRank();
  if (rank != 2 || getBoxDimensions().size() != 2)
    return emitOpError("W1: has ")
           << getBoxDimensions().size() << " extents of a box and a tile of "
           << rank << " axes; windows have two: how many, and channels";
  return success();
}

Value WindowTensorMapOp::getViewSource() { return getTensor(); }

Value SignaledOp::getViewSource() { return getSource(); }

//===----------------------------------------------------------------------===//
// pit.host_loop
//===----------------------------------------------------------------------===//

func::FuncOp HostLoopOp::findBody() {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                            getBodyAttr());
}

LogicalResult HostLoopOp::verify() {
  size_t count = getCarried().size();
  if (getOuts().size() != 2 * count)
    return emitOpError("L1: has ")
           << getOuts().size() << " destinations for " << count
           << " tensors that are carried, and not two for each";
  for (auto [i, out] : llvm::enumerate(getOuts())) {
    auto carried = cast<ShapedType>(getCarried()[i % count].getType());
    auto type = cast<ShapedType>(out.getType());
    // Casts between static and dynamic extents may come to any of them.
    bool fits = isa<RankedTensorType>(type) == isa<RankedTensorType>(carried) &&
                type.getElementType() == carried.getElementType() &&
                succeeded(verifyCompatibleShape(type, carried));
    if (!fits)
      return emitOpError("L1: destination ")
             << i << " is a " << type << " for a " << carried;
  }
  bool isOnBuffers =
      llvm::all_of(getOuts().getTypes(), llvm::IsaPred<MemRefType>);
  if (isOnBuffers && getOuts().size() > 0 && getNumResults() != 0)
    return emitOpError("L1: has results on buffers");
  if (!isOnBuffers &&
      TypeRange(getResultTypes()) != TypeRange(getOuts().getTypes()))
    return emitOpError("L1: results are not of the types of the destinations");
  return success();
}

LogicalResult HostLoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto body = symbols.lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                            getBodyAttr());
  if (!body || body.isExternal() || !body.isPrivate() ||
      !body.getBody().hasOneBlock())
    return emitOpError("L2: '")
           << getBody() << "' is no private function of one block";
  unsigned numTaken = 1 + getCarried().size() + getCaptured().size();
  unsigned numArguments = body.getNumArguments();
  if (numArguments == numTaken + 1 && isStatusBuffer(body, numTaken))
    --numArguments;
  if (numArguments != numTaken || body.getNumResults() != getCarried().size() ||
      !body.getArgument(0).getType().isIndex())
    return emitOpError("L2: '")
           << getBody() << "' does not take the number of an iteration, "
           << getCarried().size() << " tensors that are carried and "
           << getCaptured().size() << " that are captured";
  return success();
}

void HostLoopOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

std::optional<TensorMap> mlir::pit::getTensorMap(Operation *op) {
  if (auto create = dyn_cast_or_null<nvgpu::TmaCreateDescriptorOp>(op))
    return TensorMap{create.getTensor(), create.getBoxDimensions(),
                     create.getTensorMap().getType(),
                     getElementTypeOrSelf(create.getTensor())};
  if (auto rounded = dyn_cast_or_null<RoundedTensorMapOp>(op))
    return TensorMap{rounded.getTensor(), rounded.getBoxDimensions(),
                     rounded.getTensorMap().getType(), rounded.getRounded()};
  if (auto windows = dyn_cast_or_null<WindowTensorMapOp>(op))
    return TensorMap{windows.getTensor(), windows.getBoxDimensions(),
                     windows.getTensorMap().getType(),
                     getElementTypeOrSelf(windows.getTensor()),
                     windows.getWindow()};
  return std::nullopt;
}

Value mlir::pit::getPassedMemory(Value operand) {
  while (auto signaled = operand.getDefiningOp<SignaledOp>())
    operand = signaled.getSource();
  return operand;
}

bool mlir::pit::isStatusBuffer(FunctionOpInterface function,
                               unsigned argument) {
  return bool(function.getArgAttr(argument,
                                  PITDialect::StatusAttrHelper::getNameStr()));
}

func::FuncOp AlternativeOp::findFunction() {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                            getFunctionAttr());
}

/// Without the status buffer.
static ArrayRef<Type> getProgramArguments(func::FuncOp function) {
  ArrayRef<Type> types = function.getArgumentTypes();
  return !types.empty() && isStatusBuffer(function, types.size() - 1)
             ? types.drop_back()
             : types;
}

LogicalResult AlternativeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto other = symbols.lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                             getFunctionAttr());
  auto own = (*this)->getParentOfType<func::FuncOp>();
  if (!own || !other || other == own || other.isExternal() ||
      !other.isPrivate() || !other.getBody().hasOneBlock())
    return emitOpError("A1: '") << getFunction()
                                << "' is no other private function of one "
                                   "block";
  if (getProgramArguments(own) != getProgramArguments(other) ||
      own.getResultTypes() != other.getResultTypes())
    return emitOpError("A1: '")
           << getFunction() << "' has the type " << other.getFunctionType()
           << ", and not " << own.getFunctionType();
  return success();
}
