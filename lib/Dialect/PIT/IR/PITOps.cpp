//===- PITOps.cpp - Verifiers of the pit ops ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each diagnostic starts with the number that docs/Semantics.md and the op's
// description give the constraint.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "Verification.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

LogicalResult pit::verifyPatternSource(Operation *op, ShapedType by,
                                       PatternAttr pattern,
                                       ArrayRef<int64_t> extents) {
  Type element = by.getElementType();
  int64_t rank =
      pattern.getKind() == PatternKind::Lengths ? 1 : pattern.getRank();
  if (by.getRank() != rank)
    return op->emitOpError("C3: 'by' of a ")
           << stringifyPatternKind(pattern.getKind())
           << " pattern must have rank " << rank << ", got " << by;
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
           << stringifyPatternKind(pattern.getKind())
           << " pattern cannot have element type " << element;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t expected = extents[i];
    if (pattern.getKind() == PatternKind::Blocks &&
        !ShapedType::isDynamic(expected))
      expected = llvm::divideCeil(expected, pattern.getTileExtent(i));
    if (extentsDiffer(expected, by.getDimSize(i)))
      return op->emitOpError("C4: extent ")
             << i << " of 'by' is " << by.getDimSize(i)
             << ", the pattern space needs " << expected;
  }
  return success();
}

LogicalResult SparseOp::verify() {
  auto type = cast<RankedTensorType>(getSource().getType());
  PatternAttr pattern = getPattern();
  bool isValues = pattern.getKind() == PatternKind::Values;
  if (isValues == static_cast<bool>(getBy()))
    return emitOpError("C1: ")
           << (isValues ? "a values pattern takes no 'by' tensor"
                        : "this pattern kind needs a 'by' tensor");
  SmallVector<int64_t> extents;
  for (int64_t axis : pattern.getAxes().asArrayRef()) {
    if (axis >= type.getRank())
      return emitOpError("C2: axis ")
             << axis << " is not a dimension of " << type;
    extents.push_back(type.getDimSize(axis));
  }
  if (!type.getElementType().isIntOrIndexOrFloat())
    return emitOpError("C6: elements must be integers, indices or floats, got ")
           << type;
  if (pattern.getAbsent() == Absent::NegInf &&
      !isa<FloatType>(type.getElementType()))
    return emitOpError("C5: neg_inf needs a floating-point element type, got ")
           << type;
  if (!isValues)
    return verifyPatternSource(*this, cast<RankedTensorType>(getBy().getType()),
                               pattern, extents);
  return success();
}

LogicalResult AssembleOp::verify() {
  SparseIndexType index = ::getIndexType(getIndex());
  if (cast<ShapedType>(getCoords().getType()).getElementTypeBitWidth() !=
      index.getWidth())
    return emitOpError("A1: coordinates must have the index's width of ")
           << index.getWidth() << " bits";
  if (getExtents().size() != index.getNumDynamicExtents())
    return emitOpError("A2: got ")
           << getExtents().size() << " extents for "
           << index.getNumDynamicExtents() << " dynamic extents of the index";
  bool isBuffer = isa<IndexBufferType>(getIndex().getType());
  if (isBuffer != isa<MemRefType>(getOffsets().getType()) ||
      isBuffer != isa<MemRefType>(getCoords().getType()))
    return emitOpError("A3: ")
           << getOffsets().getType() << " and " << getCoords().getType()
           << " do not make a " << getIndex().getType();
  return success();
}

LogicalResult ExtentOp::verify() {
  unsigned rank = ::getIndexType(getIndex()).getRank();
  if (getDim() >= rank)
    return emitOpError("E1: dimension ")
           << getDim() << " of a pattern space of rank " << rank;
  return success();
}

//===----------------------------------------------------------------------===//
// SRead and SWrite
//===----------------------------------------------------------------------===//

/// Shared by R1..R4 and W1..W4: `full` is the indexed side, `packed` the packed
/// one.
static LogicalResult
verifyIndexedAccess(Operation *op, char letter, RankedTensorType full,
                    RankedTensorType packed, SparseIndexType index,
                    ArrayRef<int64_t> dims, size_t numTileOperands) {
  if (dims.size() != index.getRank())
    return op->emitOpError()
           << letter << "1: got " << dims.size()
           << " dims for an index of rank " << index.getRank();
  if (dims[index.getCoordinate()] < 0)
    return op->emitOpError()
           << letter << "1: the coordinate must index a dimension";
  llvm::SmallDenseSet<int64_t> indexed;
  for (int64_t dim : dims) {
    if (dim < 0)
      continue;
    if (dim >= full.getRank() || !indexed.insert(dim).second)
      return op->emitOpError()
             << letter << "2: dims must be distinct dimensions of " << full
             << ", got " << dim;
  }
  // Segment dimensions with wide micro-tiles keep one micro-tile's extent
  // behind the packed dimension.
  SmallVector<int64_t> wide;
  for (int64_t dim : index.getSegmentDims())
    if (dims[dim] >= 0 && index.getTile()[dim] > 1)
      wide.push_back(index.getTile()[dim]);
  if (packed.getRank() != full.getRank() -
                              static_cast<int64_t>(indexed.size()) + 1 +
                              static_cast<int64_t>(wide.size()))
    return op->emitOpError() << letter << "3: " << packed
                             << " is not the packed form of " << full;
  int64_t packedDim = 0;
  bool placed = false;
  for (int64_t dim = 0; dim < full.getRank(); ++dim) {
    if (indexed.contains(dim)) {
      if (!placed) {
        ++packedDim;
        for (int64_t extent : wide)
          if (extentsDiffer(packed.getDimSize(packedDim++), extent))
            return op->emitOpError()
                   << letter << "3: " << packed
                   << " should hold micro-tiles of extent " << extent;
      }
      placed = true;
      continue;
    }
    if (extentsDiffer(full.getDimSize(dim), packed.getDimSize(packedDim)))
      return op->emitOpError()
             << letter << "3: extent " << packedDim << " of " << packed
             << " does not agree with extent " << dim << " of " << full;
    ++packedDim;
  }
  if (numTileOperands != 0 && numTileOperands != 2)
    return op->emitOpError()
           << letter << "4: a tile has an offset and a size, got "
           << numTileOperands << " operands";
  if (numTileOperands == 2 && indexed.size() != 1)
    return op->emitOpError()
           << letter
           << "4: a tile lies in one segment, so segment dims must be -1";
  if (packed.getElementType() != full.getElementType())
    return op->emitOpError() << letter << "3: element types differ";
  return success();
}

LogicalResult SReadOp::verify() {
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyIndexedAccess(
          *this, 'R', cast<RankedTensorType>(getSource().getType()), result,
          getIndex().getType(), getDims(), getTile().size())))
    return failure();
  if (getResultExtents().size() !=
      static_cast<size_t>(result.getNumDynamicDims()))
    return emitOpError("R3: got ")
           << getResultExtents().size() << " sizes for "
           << result.getNumDynamicDims() << " dynamic extents of the result";
  return success();
}

LogicalResult SWriteOp::verify() {
  return verifyIndexedAccess(*this, 'W',
                             cast<RankedTensorType>(getDest().getType()),
                             cast<RankedTensorType>(getSource().getType()),
                             getIndex().getType(), getDims(), getTile().size());
}
