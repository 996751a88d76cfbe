//===- StructuredOps.cpp - Structured sparse ops and tiled ops ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics start with a constraint's number, as in PITOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<AffineMap> GenericOp::getIndexingMapsArray() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

SmallVector<utils::IteratorType> GenericOp::getIteratorTypesArray() {
  return llvm::map_to_vector(getIteratorTypes(), [](Attribute attr) {
    return cast<linalg::IteratorTypeAttr>(attr).getValue();
  });
}

ArrayRef<int64_t> GenericOp::getFurtherIndexAxes(unsigned i) {
  return cast<DenseI64ArrayAttr>((*getFurtherAxes())[i]).asArrayRef();
}

LogicalResult GenericOp::verify() {
  SparseIndexType index = getIndex().getType();
  size_t numOperands = getInputs().size() + getOutputs().size();
  int64_t numLoops = getIteratorTypes().size();
  for (Attribute attr : getIteratorTypes())
    if (!isa<linalg::IteratorTypeAttr>(attr))
      return emitOpError(
                 "G1: iterator_types must hold linalg iterator types, got ")
             << attr;
  if (getIndexingMaps().size() != numOperands)
    return emitOpError("G1: got ") << getIndexingMaps().size() << " maps for "
                                   << numOperands << " operands";
  if (getPacked().size() != numOperands)
    return emitOpError("G3: got ") << getPacked().size() << " packed flags for "
                                   << numOperands << " operands";
  ArrayRef<int64_t> axes = getIndexAxes();
  llvm::SmallDenseSet<int64_t> axisSet(axes.begin(), axes.end());
  if (axes.size() != index.getRank() || axisSet.size() != axes.size() ||
      llvm::any_of(axes,
                   [&](int64_t axis) { return axis < 0 || axis >= numLoops; }))
    return emitOpError("G2: index_axes must name ")
           << index.getRank() << " distinct iteration axes";
  size_t numFurther = getFurtherAxes() ? getFurtherAxes()->size() : 0;
  if (numFurther != getFurtherIndexes().size())
    return emitOpError("G6: got ")
           << numFurther << " rows of further_axes for "
           << getFurtherIndexes().size() << " further indexes";
  for (auto [i, further] : llvm::enumerate(getFurtherIndexes())) {
    auto row = dyn_cast<DenseI64ArrayAttr>((*getFurtherAxes())[i]);
    int64_t rank = cast<SparseIndexType>(further.getType()).getRank();
    if (!row || row.size() != rank ||
        llvm::any_of(row.asArrayRef(), [&](int64_t axis) {
          return axis < 0 || axis >= numLoops || !axisSet.insert(axis).second;
        }))
      return emitOpError("G6: further_axes must name ")
             << rank << " iteration axes of no other index for further index "
             << i;
  }
  if (getFurtherRules() && getFurtherRules()->size() != numFurther)
    return emitOpError("G6: further_rules needs one entry per further index");

  int64_t wideSegments =
      llvm::count_if(index.getSegmentDims(),
                     [&](int64_t dim) { return index.getTile()[dim] > 1; });
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  auto operands = llvm::concat<Value>(getInputs(), getOutputs());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineMap map = maps[i];
    if (static_cast<int64_t>(map.getNumDims()) != numLoops ||
        map.getNumSymbols() != 0)
      return emitOpError("G1: map ")
             << i << " must be over " << numLoops << " axes, got "
             << AffineMapAttr::get(map);
    llvm::SmallDenseSet<int64_t> used;
    for (AffineExpr expr : map.getResults())
      for (int64_t axis : axisSet) {
        if (!expr.isFunctionOfDim(axis))
          continue;
        if (!isa<AffineDimExpr>(expr) || !used.insert(axis).second)
          return emitOpError("G1: map ")
                 << i << " must use the index axis " << axis
                 << " once, as a plain dimension, got "
                 << AffineMapAttr::get(map);
      }
    int64_t governed =
        llvm::count_if(axes, [&](int64_t axis) { return used.contains(axis); });
    int64_t rank = map.getNumResults();
    if (getPacked()[i]) {
      if (governed != static_cast<int64_t>(axes.size()))
        return emitOpError("G3: packed operand ")
               << i << " does not use every index axis";
      rank += 1 + wideSegments - governed;
    }
    if (cast<RankedTensorType>(operand.getType()).getRank() != rank)
      return emitOpError("G4: operand ") << i << " should have rank " << rank
                                         << ", got " << operand.getType();
  }
  Block &body = getRegion().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != numOperands || !yield ||
      yield.getNumOperands() != getOutputs().size())
    return emitOpError("G5: the region needs one argument per operand and one "
                       "yielded value per output");
  for (auto [argument, operand] : llvm::zip(body.getArguments(), operands))
    if (argument.getType() !=
        cast<RankedTensorType>(operand.getType()).getElementType())
      return emitOpError("G5: region argument ")
             << argument.getArgNumber() << " must have the element type of "
             << operand.getType();
  return success();
}

SparseIndexType TiledOp::getIndexType() {
  return pit::getIndexType(getIndex());
}

void TiledOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!isOnBuffers())
    return;
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

ArrayRef<int64_t> TiledOp::getOperandDims(unsigned i) {
  return cast<DenseI64ArrayAttr>(getDims()[i]).asArrayRef();
}

LogicalResult TiledOp::verify() {
  SparseIndexType index = getIndexType();
  size_t numOperands = getInputs().size() + getOutputs().size();
  if (getDims().size() != numOperands)
    return emitOpError("T1: got ") << getDims().size() << " rows of dims for "
                                   << numOperands << " operands";
  for (auto [row, operand] : llvm::zip_equal(
           getDims(), llvm::concat<Value>(getInputs(), getOutputs()))) {
    auto dims = dyn_cast<DenseI64ArrayAttr>(row);
    if (!dims || dims.size() != index.getRank())
      return emitOpError("T1: each row of dims needs one entry per dimension "
                         "of the index, got ")
             << row;
    int64_t rank = cast<ShapedType>(operand.getType()).getRank();
    llvm::SmallDenseSet<int64_t> used;
    for (int64_t dim : dims.asArrayRef())
      if (dim < -1 || dim >= rank || (dim >= 0 && !used.insert(dim).second))
        return emitOpError("T1: a row of dims names distinct dimensions of its "
                           "operand, or -1, got ")
               << row << " for " << operand.getType();
  }
  if (getPacked().size() != numOperands || getTileSize() <= 0)
    return emitOpError("T2: packed needs one entry per operand, and the tile "
                       "size must be positive");
  if (getFlat())
    for (size_t i = 0; i < numOperands; ++i)
      if (!getPacked()[i])
        for (int64_t dim : index.getSegmentDims())
          if (getOperandDims(i)[dim] >= 0)
            return emitOpError("T3: operand ")
                   << i << " depends on the segment in a flat domain";
  bool onBuffers = isOnBuffers();
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (operand.getOperandNumber() > 0 &&
        isa<MemRefType>(operand.get().getType()) != onBuffers)
      return emitOpError("T5: the index and all operands must be tensors, or "
                         "all of them buffers, got ")
             << operand.get().getType() << " beside " << getIndex().getType();
  if (RowPlanAttr plan = getPlanAttr()) {
    if (!onBuffers)
      return emitOpError("T6: a plan is for an op on buffers");
    if (plan.getFamily() == RowFamily::Fill ||
        plan.getFamily() == RowFamily::Reduce ||
        plan.getFamily() == RowFamily::Windows ||
        plan.getFamily() == RowFamily::Scan || plan.getGroup() >= 0)
      return emitOpError("T6: is planned as '")
             << stringifyRowFamily(plan.getFamily()) << "'"
             << (plan.getGroup() >= 0 ? " of a group" : "")
             << ", which is for structured ops";
  }
  Block &body = getRegion().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != numOperands || !yield ||
      yield.getNumOperands() != (onBuffers ? 0 : getOutputs().size()))
    return emitOpError("T4: the region needs one argument per operand and one "
                       "yielded value per output, none on buffers");
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(),
                 llvm::concat<Value>(getInputs(), getOutputs()))) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || isa<MemRefType>(type) != onBuffers ||
        type.getElementType() !=
            cast<ShapedType>(operand.getType()).getElementType())
      return emitOpError("T4: region argument ")
             << argument.getArgNumber() << " is no tile of "
             << operand.getType();
  }
  return success();
}
