//===- DialectInitialization.cpp - What the pit dialect registers ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/IR/PITBitmap.h"
#include "PIT/Dialect/PIT/IR/PITCheck.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Dialect/PIT/IR/PITPacked.h"
#include "PIT/Dialect/PIT/IR/PITPieces.h"
#include "PIT/Dialect/PIT/IR/PITThreads.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Transforms/InliningUtils.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

#include "PIT/Dialect/PIT/IR/PITDialect.cpp.inc"
#include "PIT/Dialect/PIT/IR/PITEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "PIT/Dialect/PIT/IR/PITAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "PIT/Dialect/PIT/IR/PITTypes.cpp.inc"

namespace {

/// All ops may stand in another function as well.
struct PITInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void PITDialect::initialize() {
  addInterfaces<PITInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "PIT/Dialect/PIT/IR/PITAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "PIT/Dialect/PIT/IR/PITTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITBitmapOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITPackedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITAttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITCheckOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITLaunchOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITThreadOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PIT/Dialect/PIT/IR/PITPiecesOps.cpp.inc"
      >();
}

Operation *PITDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// #pit.pattern
//===----------------------------------------------------------------------===//

LogicalResult PatternAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  PatternKind kind, DenseI64ArrayAttr axes,
                                  Absent absent, Padding pad,
                                  DenseI64ArrayAttr tile, int64_t atMost) {
  if (!axes || axes.empty())
    return emitError() << "P1: a pattern needs at least one axis";
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t axis : axes.asArrayRef())
    if (axis < 0 || !seen.insert(axis).second)
      return emitError() << "P1: axes must be distinct and not negative, got "
                         << axis;
  if (tile) {
    if (tile.size() != axes.size())
      return emitError() << "P2: tile has " << tile.size() << " entries for "
                         << axes.size() << " axes";
    for (int64_t extent : tile.asArrayRef())
      if (extent <= 0)
        return emitError() << "P2: micro-tile extents must be positive, got "
                           << extent;
  }
  if (kind == PatternKind::Lengths && axes.size() != 2)
    return emitError() << "P3: lengths need two axes (sequence, position), got "
                       << axes.size();
  if (kind == PatternKind::Values && absent == Absent::Undef)
    return emitError() << "P4: undef is not a value that can be detected";
  if (atMost < 0)
    return emitError() << "P5: at_most must be positive, got " << atMost;
  return success();
}

//===----------------------------------------------------------------------===//
// !pit.index
//===----------------------------------------------------------------------===//

bool SparseIndexType::isDynamicExtent(unsigned i) const {
  return ShapedType::isDynamic(getExtents()[i]);
}

unsigned SparseIndexType::getNumDynamicExtents() const {
  return llvm::count_if(getExtents().asArrayRef(), ShapedType::isDynamic);
}

SmallVector<int64_t> SparseIndexType::getSegmentDims() const {
  SmallVector<int64_t> dims;
  for (int64_t i = 0, e = getRank(); i < e; ++i)
    if (i != getCoordinate())
      dims.push_back(i);
  return dims;
}

LogicalResult
SparseIndexType::verify(function_ref<InFlightDiagnostic()> emitError,
                        DenseI64ArrayAttr extents, int64_t coordinate,
                        DenseI64ArrayAttr tile, int64_t width) {
  if (extents.empty() || extents.size() != tile.size())
    return emitError() << "I1: extents and tile need the same, positive number "
                          "of entries, got "
                       << extents.size() << " and " << tile.size();
  if (coordinate < 0 || coordinate >= static_cast<int64_t>(extents.size()))
    return emitError() << "I2: coordinate " << coordinate
                       << " is not a dimension of a pattern space of rank "
                       << extents.size();
  for (int64_t extent : tile.asArrayRef())
    if (extent <= 0)
      return emitError() << "I3: micro-tile extents must be positive, got "
                         << extent;
  if (width != 32 && width != 64)
    return emitError() << "I4: coordinate width must be 32 or 64, got "
                       << width;
  return success();
}

FailureOr<bufferization::BufferLikeType>
SparseIndexType::getBufferType(const bufferization::BufferizationOptions &,
                               function_ref<InFlightDiagnostic()>) const {
  return cast<bufferization::BufferLikeType>(
      IndexBufferType::get(getContext(), *this));
}

LogicalResult SparseIndexType::verifyCompatibleBufferType(
    bufferization::BufferLikeType bufferType,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (auto buffer = dyn_cast<IndexBufferType>(bufferType))
    if (buffer.getIndex() == *this)
      return success();
  return emitError() << bufferType << " is not the buffer of " << *this;
}

Type SparseIndexType::parse(AsmParser &parser) {
  SmallVector<int64_t> extents, tile;
  int64_t coordinate = 0, width = 32;
  SMLoc loc = parser.getCurrentLocation();
  auto parseExtent = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      extents.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(extents.emplace_back());
  };
  auto parseTileExtent = [&] {
    return parser.parseInteger(tile.emplace_back());
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseExtent) ||
      parser.parseComma() || parser.parseKeyword("coordinate") ||
      parser.parseEqual() || parser.parseInteger(coordinate) ||
      parser.parseComma() || parser.parseKeyword("tile") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseTileExtent) ||
      parser.parseComma() || parser.parseKeyword("width") ||
      parser.parseEqual() || parser.parseInteger(width) ||
      parser.parseGreater())
    return {};
  MLIRContext *ctx = parser.getContext();
  return getChecked([&] { return parser.emitError(loc); }, ctx,
                    DenseI64ArrayAttr::get(ctx, extents), coordinate,
                    DenseI64ArrayAttr::get(ctx, tile), width);
}

void SparseIndexType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getExtents().asArrayRef(), printer,
                        [&](int64_t extent) {
                          if (ShapedType::isDynamic(extent))
                            printer << '?';
                          else
                            printer << extent;
                        });
  printer << "], coordinate = " << getCoordinate() << ", tile = [";
  llvm::interleaveComma(getTile().asArrayRef(), printer);
  printer << "], width = " << getWidth() << ">";
}
