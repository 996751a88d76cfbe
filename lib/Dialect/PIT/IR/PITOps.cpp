//===- PITOps.cpp - Verifiers of the pit ops ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each diagnostic starts with the number that docs/Semantics.md and the op's description give the constraint.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITOps.cpp.inc"

static bool extentsDiffer(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Checks `by` against a pattern space of the given extents (dynamic allowed).
static LogicalResult verifyPatternSource(Operation *op, RankedTensorType by, PatternAttr pattern,
                                         ArrayRef<int64_t> extents) {
  Type element = by.getElementType();
  int64_t rank = pattern.getKind() == PatternKind::Lengths ? 1 : pattern.getRank();
  if (by.getRank() != rank)
    return op->emitOpError("C3: 'by' of a ")
           << stringifyPatternKind(pattern.getKind()) << " pattern must have rank " << rank << ", got "
           << by;
  bool typeFits = false;
  switch (pattern.getKind()) {
  case PatternKind::Mask:
  case PatternKind::Blocks:
    typeFits = element.isInteger(1);
    break;
  case PatternKind::Lengths:
    typeFits = element.isIntOrIndex() && !element.isInteger(1);
    break;
  case PatternKind::Routing:
    typeFits = element.isIntOrFloat();
    break;
  case PatternKind::Values:
    break;
  }
  if (!typeFits)
    return op->emitOpError("C3: 'by' of a ")
           << stringifyPatternKind(pattern.getKind()) << " pattern cannot have element type " << element;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t expected = extents[i];
    if (pattern.getKind() == PatternKind::Blocks && !ShapedType::isDynamic(expected))
      expected = llvm::divideCeil(expected, pattern.getTileExtent(i));
    if (extentsDiffer(expected, by.getDimSize(i)))
      return op->emitOpError("C4: extent ")
             << i << " of 'by' is " << by.getDimSize(i) << ", the pattern space needs " << expected;
  }
  return success();
}

LogicalResult SparseOp::verify() {
  auto type = cast<RankedTensorType>(getSource().getType());
  PatternAttr pattern = getPattern();
  bool isValues = pattern.getKind() == PatternKind::Values;
  if (isValues == static_cast<bool>(getBy()))
    return emitOpError("C1: ") << (isValues ? "a values pattern takes no 'by' tensor"
                                            : "this pattern kind needs a 'by' tensor");
  SmallVector<int64_t> extents;
  for (int64_t axis : pattern.getAxes().asArrayRef()) {
    if (axis >= type.getRank())
      return emitOpError("C2: axis ") << axis << " is not a dimension of " << type;
    extents.push_back(type.getDimSize(axis));
  }
  if (!type.getElementType().isIntOrIndexOrFloat())
    return emitOpError("C6: elements must be integers, indices or floats, got ") << type;
  if (pattern.getAbsent() == Absent::NegInf && !isa<FloatType>(type.getElementType()))
    return emitOpError("C5: neg_inf needs a floating-point element type, got ") << type;
  if (!isValues)
    return verifyPatternSource(*this, cast<RankedTensorType>(getBy().getType()), pattern, extents);
  return success();
}

LogicalResult DetectOp::verify() {
  PatternAttr pattern = getPattern();
  SparseIndexType index = getIndex().getType();
  bool isValues = pattern.getKind() == PatternKind::Values;
  if (static_cast<bool>(getSource()) != isValues || static_cast<bool>(getBy()) == isValues)
    return emitOpError("D1: a values pattern takes 'values', any other kind takes 'by'");
  if (index.getRank() != pattern.getRank())
    return emitOpError("D2: the index has rank ")
           << index.getRank() << ", the pattern space has rank " << pattern.getRank();
  for (unsigned i = 0; i < pattern.getRank(); ++i)
    if (index.getTile()[i] != pattern.getTileExtent(i))
      return emitOpError("D2: the micro-tile of the index differs from the pattern's along axis ") << i;
  if (getExtents().size() != index.getNumDynamicExtents())
    return emitOpError("D3: got ") << getExtents().size() << " extents for "
                                   << index.getNumDynamicExtents() << " dynamic extents of the index";
  if (isValues) {
    auto type = cast<RankedTensorType>(getSource().getType());
    if (!type.getElementType().isIntOrIndexOrFloat())
      return emitOpError("C6: elements must be integers, indices or floats, got ") << type;
    for (auto [i, axis] : llvm::enumerate(pattern.getAxes().asArrayRef()))
      if (axis >= type.getRank() || extentsDiffer(type.getDimSize(axis), index.getExtents()[i]))
        return emitOpError("D2: axis ") << axis << " of " << type << " does not fit extent " << i
                                        << " of the index";
    return success();
  }
  return verifyPatternSource(*this, cast<RankedTensorType>(getBy().getType()), pattern,
                             index.getExtents());
}

/// The type of an index, whether it lies in a tensor or a buffer.
static SparseIndexType getIndexType(Value index) {
  if (auto buffer = dyn_cast<IndexBufferType>(index.getType()))
    return buffer.getIndex();
  return cast<SparseIndexType>(index.getType());
}

LogicalResult AssembleOp::verify() {
  SparseIndexType index = ::getIndexType(getIndex());
  if (cast<ShapedType>(getCoords().getType()).getElementTypeBitWidth() != index.getWidth())
    return emitOpError("A1: coordinates must have the index's width of ") << index.getWidth() << " bits";
  if (getExtents().size() != index.getNumDynamicExtents())
    return emitOpError("A2: got ") << getExtents().size() << " extents for "
                                   << index.getNumDynamicExtents() << " dynamic extents of the index";
  bool isBuffer = isa<IndexBufferType>(getIndex().getType());
  if (isBuffer != isa<MemRefType>(getOffsets().getType()) || isBuffer != isa<MemRefType>(getCoords().getType()))
    return emitOpError("A3: ") << getOffsets().getType() << " and " << getCoords().getType() << " do not make a "
                               << getIndex().getType();
  return success();
}

LogicalResult ExtentOp::verify() {
  unsigned rank = ::getIndexType(getIndex()).getRank();
  if (getDim() >= rank)
    return emitOpError("E1: dimension ") << getDim() << " of a pattern space of rank " << rank;
  return success();
}

//===----------------------------------------------------------------------===//
// SRead and SWrite
//===----------------------------------------------------------------------===//

/// Shared by R1..R4 and W1..W4: `full` is the indexed side, `packed` the packed one.
static LogicalResult verifyIndexedAccess(Operation *op, char letter, RankedTensorType full,
                                         RankedTensorType packed, SparseIndexType index,
                                         ArrayRef<int64_t> dims, size_t numTileOperands) {
  if (dims.size() != index.getRank())
    return op->emitOpError() << letter << "1: got " << dims.size() << " dims for an index of rank "
                             << index.getRank();
  if (dims[index.getCoordinate()] < 0)
    return op->emitOpError() << letter << "1: the coordinate must index a dimension";
  llvm::SmallDenseSet<int64_t> indexed;
  for (int64_t dim : dims) {
    if (dim < 0)
      continue;
    if (dim >= full.getRank() || !indexed.insert(dim).second)
      return op->emitOpError() << letter << "2: dims must be distinct dimensions of " << full << ", got "
                               << dim;
  }
  // Segment dimensions with wide micro-tiles keep one micro-tile's extent behind the packed dimension.
  SmallVector<int64_t> wide;
  for (int64_t dim : index.getSegmentDims())
    if (dims[dim] >= 0 && index.getTile()[dim] > 1)
      wide.push_back(index.getTile()[dim]);
  if (packed.getRank() !=
      full.getRank() - static_cast<int64_t>(indexed.size()) + 1 + static_cast<int64_t>(wide.size()))
    return op->emitOpError() << letter << "3: " << packed << " is not the packed form of " << full;
  int64_t packedDim = 0;
  bool placed = false;
  for (int64_t dim = 0; dim < full.getRank(); ++dim) {
    if (indexed.contains(dim)) {
      if (!placed) {
        ++packedDim;
        for (int64_t extent : wide)
          if (extentsDiffer(packed.getDimSize(packedDim++), extent))
            return op->emitOpError() << letter << "3: " << packed << " should hold micro-tiles of extent "
                                     << extent;
      }
      placed = true;
      continue;
    }
    if (extentsDiffer(full.getDimSize(dim), packed.getDimSize(packedDim)))
      return op->emitOpError() << letter << "3: extent " << packedDim << " of " << packed
                               << " does not agree with extent " << dim << " of " << full;
    ++packedDim;
  }
  if (numTileOperands != 0 && numTileOperands != 2)
    return op->emitOpError() << letter << "4: a tile has an offset and a size, got " << numTileOperands
                             << " operands";
  if (numTileOperands == 2 && indexed.size() != 1)
    return op->emitOpError() << letter << "4: a tile lies in one segment, so segment dims must be -1";
  if (packed.getElementType() != full.getElementType())
    return op->emitOpError() << letter << "3: element types differ";
  return success();
}

LogicalResult SReadOp::verify() {
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyIndexedAccess(*this, 'R', cast<RankedTensorType>(getSource().getType()), result,
                                 getIndex().getType(), getDims(), getTile().size())))
    return failure();
  if (getResultExtents().size() != static_cast<size_t>(result.getNumDynamicDims()))
    return emitOpError("R3: got ") << getResultExtents().size() << " sizes for "
                                   << result.getNumDynamicDims() << " dynamic extents of the result";
  return success();
}

LogicalResult SWriteOp::verify() {
  return verifyIndexedAccess(*this, 'W', cast<RankedTensorType>(getDest().getType()),
                             cast<RankedTensorType>(getSource().getType()), getIndex().getType(),
                             getDims(), getTile().size());
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

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
      return emitOpError("G1: iterator_types must hold linalg iterator types, got ") << attr;
  if (getIndexingMaps().size() != numOperands)
    return emitOpError("G1: got ") << getIndexingMaps().size() << " maps for " << numOperands
                                   << " operands";
  if (getPacked().size() != numOperands)
    return emitOpError("G3: got ") << getPacked().size() << " packed flags for " << numOperands
                                   << " operands";
  ArrayRef<int64_t> axes = getIndexAxes();
  llvm::SmallDenseSet<int64_t> axisSet(axes.begin(), axes.end());
  if (axes.size() != index.getRank() || axisSet.size() != axes.size() ||
      llvm::any_of(axes, [&](int64_t axis) { return axis < 0 || axis >= numLoops; }))
    return emitOpError("G2: index_axes must name ") << index.getRank() << " distinct iteration axes";
  size_t numFurther = getFurtherAxes() ? getFurtherAxes()->size() : 0;
  if (numFurther != getFurtherIndexes().size())
    return emitOpError("G6: got ") << numFurther << " rows of further_axes for " << getFurtherIndexes().size()
                                   << " further indexes";
  for (auto [i, further] : llvm::enumerate(getFurtherIndexes())) {
    auto row = dyn_cast<DenseI64ArrayAttr>((*getFurtherAxes())[i]);
    int64_t rank = cast<SparseIndexType>(further.getType()).getRank();
    if (!row || row.size() != rank || llvm::any_of(row.asArrayRef(), [&](int64_t axis) {
          return axis < 0 || axis >= numLoops || !axisSet.insert(axis).second;
        }))
      return emitOpError("G6: further_axes must name ")
             << rank << " iteration axes of no other index for further index " << i;
  }
  if (getFurtherRules() && getFurtherRules()->size() != numFurther)
    return emitOpError("G6: further_rules needs one entry per further index");

  int64_t wideSegments = llvm::count_if(index.getSegmentDims(),
                                        [&](int64_t dim) { return index.getTile()[dim] > 1; });
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  auto operands = llvm::concat<Value>(getInputs(), getOutputs());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineMap map = maps[i];
    if (static_cast<int64_t>(map.getNumDims()) != numLoops || map.getNumSymbols() != 0)
      return emitOpError("G1: map ") << i << " must be over " << numLoops << " axes, got "
                                     << AffineMapAttr::get(map);
    llvm::SmallDenseSet<int64_t> used;
    for (AffineExpr expr : map.getResults())
      for (int64_t axis : axisSet) {
        if (!expr.isFunctionOfDim(axis))
          continue;
        if (!isa<AffineDimExpr>(expr) || !used.insert(axis).second)
          return emitOpError("G1: map ") << i << " must use the index axis " << axis
                                         << " once, as a plain dimension, got " << AffineMapAttr::get(map);
      }
    int64_t governed = llvm::count_if(axes, [&](int64_t axis) { return used.contains(axis); });
    int64_t rank = map.getNumResults();
    if (getPacked()[i]) {
      if (governed != static_cast<int64_t>(axes.size()))
        return emitOpError("G3: packed operand ") << i << " does not use every index axis";
      rank += 1 + wideSegments - governed;
    }
    if (cast<RankedTensorType>(operand.getType()).getRank() != rank)
      return emitOpError("G4: operand ") << i << " should have rank " << rank << ", got "
                                         << operand.getType();
  }
  Block &body = getRegion().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != numOperands || !yield ||
      yield.getNumOperands() != getOutputs().size())
    return emitOpError("G5: the region needs one argument per operand and one yielded value per output");
  for (auto [argument, operand] : llvm::zip(body.getArguments(), operands))
    if (argument.getType() != cast<RankedTensorType>(operand.getType()).getElementType())
      return emitOpError("G5: region argument ") << argument.getArgNumber() << " must have the element type of "
                                                 << operand.getType();
  return success();
}

SparseIndexType TiledOp::getIndexType() { return ::getIndexType(getIndex()); }

void TiledOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
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
    return emitOpError("T1: got ") << getDims().size() << " rows of dims for " << numOperands
                                   << " operands";
  for (Attribute row : getDims()) {
    auto dims = dyn_cast<DenseI64ArrayAttr>(row);
    if (!dims || dims.size() != index.getRank())
      return emitOpError("T1: each row of dims needs one entry per dimension of the index, got ") << row;
  }
  if (getPacked().size() != numOperands || getTileSize() <= 0)
    return emitOpError("T2: packed needs one entry per operand, and the tile size must be positive");
  if (getFlat())
    for (size_t i = 0; i < numOperands; ++i)
      if (!getPacked()[i])
        for (int64_t dim : index.getSegmentDims())
          if (getOperandDims(i)[dim] >= 0)
            return emitOpError("T3: operand ") << i << " depends on the segment in a flat domain";
  bool onBuffers = isOnBuffers();
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (operand.getOperandNumber() > 0 && isa<MemRefType>(operand.get().getType()) != onBuffers)
      return emitOpError("T5: the index and all operands must be tensors, or all of them buffers, got ")
             << operand.get().getType() << " beside " << getIndex().getType();
  Block &body = getRegion().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != numOperands || !yield ||
      yield.getNumOperands() != (onBuffers ? 0 : getOutputs().size()))
    return emitOpError("T4: the region needs one argument per operand and one yielded value per output, none on buffers");
  for (auto [argument, operand] : llvm::zip(body.getArguments(), llvm::concat<Value>(getInputs(), getOutputs()))) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || isa<MemRefType>(type) != onBuffers ||
        type.getElementType() != cast<ShapedType>(operand.getType()).getElementType())
      return emitOpError("T4: region argument ") << argument.getArgNumber() << " is no tile of " << operand.getType();
  }
  return success();
}
