//===- Reduction.cpp - Reductions that kernels split ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"

#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/Payload.h"
#include "GPU/Lists/RowAccess.h"
#include "RowShapes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether a step of the loop is a step of one element in the buffer.
static bool isContiguousAlong(Value buffer, AffineMap map, unsigned loop) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || map.getNumResults() == 0)
    return false;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim && dim.getPosition() == loop &&
         type.getStridesAndOffset().first.back() == 1 &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(loop);
         });
}

bool Reduction::isContiguous(OpOperand &operand) const {
  linalg::LinalgOp structured = op;
  return isContiguousAlong(
      operand.get(), structured.getMatchingIndexingMap(&operand), getInner());
}

int64_t Reduction::getExtent(ArrayRef<unsigned> loops) const {
  linalg::LinalgOp structured = op;
  SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
  int64_t extent = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(ranges[loop]))
      return ShapedType::kDynamic;
    extent *= ranges[loop];
  }
  return extent;
}

bool Reduction::isOnePiece() const {
  linalg::LinalgOp structured = op;
  return points.empty() && reductions.size() == 1 &&
         llvm::all_of(structured.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = structured.getMatchingIndexingMap(input);
           return map.getNumDims() == 0 || map.isConstant() ||
                  !isa<MemRefType>(input->get().getType()) ||
                  (map.getNumResults() == 1 && isContiguous(*input));
         });
}

bool Reduction::fitsVector(int64_t length) const {
  if (length == 1)
    return true;
  linalg::LinalgOp structured = op;
  int64_t extent = structured.getStaticLoopRanges()[getInner()];
  if (!isOnePiece() && (ShapedType::isDynamic(extent) || extent % length != 0))
    return false;
  return llvm::all_of(structured.getDpsInputOperands(), [&](OpOperand *input) {
    if (!isContiguous(*input))
      return true;
    auto type = cast<MemRefType>(input->get().getType());
    int64_t bits = std::max(8u, type.getElementTypeBitWidth());
    return sums::isAligned(type, std::min(length, 128 / bits));
  });
}

/// How well the loop does as the inner one, the less the better: buffers that
/// it steps through otherwise than element by element, then those that it does.
static std::pair<int64_t, int64_t> rateAsInner(linalg::LinalgOp op,
                                               unsigned loop) {
  int64_t scattered = 0, contiguous = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (isContiguousAlong(input->get(), map, loop))
      ++contiguous;
    else if (map.isFunctionOfDim(loop))
      ++scattered;
  }
  return {scattered, -contiguous};
}

/// The loops in the order in which the largest input lies in memory, those
/// first that it has not.
static SmallVector<unsigned> orderLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> order;
  AffineMap largest;
  auto countLoops = [&](AffineMap map) {
    return llvm::count_if(
        llvm::seq<unsigned>(0, op.getNumLoops()),
        [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!largest || countLoops(map) > countLoops(largest))
      largest = map;
  }
  if (largest)
    for (AffineExpr expr : llvm::reverse(largest.getResults()))
      for (unsigned loop = op.getNumLoops(); loop-- > 0;)
        if (expr.isFunctionOfDim(loop) && !llvm::is_contained(order, loop))
          order.push_back(loop);
  for (unsigned loop = op.getNumLoops(); loop-- > 0;)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  std::reverse(order.begin(), order.end());
  return order;
}

static void chooseLoops(Reduction &reduction) {
  linalg::LinalgOp op = reduction.op;
  SmallVector<unsigned> order = orderLoops(op);
  unsigned inner = order.back();
  for (unsigned loop : llvm::reverse(order))
    if (rateAsInner(op, loop) < rateAsInner(op, inner))
      inner = loop;
  llvm::erase(order, inner);
  order.push_back(inner);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (unsigned loop : order)
    (kinds[loop] == utils::IteratorType::parallel ? reduction.points
                                                  : reduction.reductions)
        .push_back(loop);
  reduction.isAlongInner = kinds[inner] == utils::IteratorType::reduction;
}

//===----------------------------------------------------------------------===//
// Match
//===----------------------------------------------------------------------===//

/// Of what kernels load and store; one bit has a byte in memory.
static bool isElementType(Type type) {
  return sums::isElement(type) || type.isSignlessInteger(1) ||
         isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3Type, Float8E3M4Type>(
             type);
}

static bool isOperand(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return value.getType().isIntOrFloat() &&
           value.getDefiningOp<arith::ConstantOp>();
  return !type.getMemorySpace() && type.isStrided() &&
         isElementType(type.getElementType());
}

/// Whether loops that are not reduced over are subscripts of each result, one
/// each, and others are none.
static bool writesPoints(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t numPoints = op.getNumParallelLoops();
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.getNumResults() == numPoints &&
           llvm::all_of(map.getResults(), [&](AffineExpr expr) {
             return kinds[cast<AffineDimExpr>(expr).getPosition()] ==
                    utils::IteratorType::parallel;
           });
  });
}

linalg::FillOp mlir::pit::rows::findFill(linalg::LinalgOp op, Value buffer) {
  while (true) {
    if (auto view = buffer.getDefiningOp<memref::CollapseShapeOp>())
      buffer = view.getSrc();
    else if (auto view = buffer.getDefiningOp<memref::ExpandShapeOp>())
      buffer = view.getSrc();
    else
      break;
  }
  auto fill =
      dyn_cast_or_null<linalg::FillOp>(hopper::findAccessBefore(op, buffer));
  if (!fill || fill.getOutputs()[0] != buffer || getPlan(fill))
    return {};
  Value value = fill.getInputs()[0];
  bool isConstant = value.getDefiningOp<arith::ConstantOp>() &&
                    value.getType() == getElementTypeOrSelf(buffer.getType());
  return isConstant ? fill : linalg::FillOp();
}

LogicalResult mlir::pit::rows::checkPoints(linalg::LinalgOp op, MatchLog log) {
  if (!llvm::all_of(op.getIteratorTypesArray(), [](utils::IteratorType kind) {
        return kind == utils::IteratorType::parallel ||
               kind == utils::IteratorType::reduction;
      }))
    return log.refuse("a loop is neither parallel nor a reduction");
  if (!writesPoints(op))
    return log.refuse("its results have other axes than its parallel loops");
  if (!llvm::all_of(op->getOperands(), isOperand))
    return log.refuse("an operand is no strided buffer of numbers of 1, 8, 16, "
                      "32 or 64 bits, and no constant");
  if (!isBody(op))
    return log.refuse("its body is more than arithmetic on its operands");
  return success();
}

std::optional<Reduction> mlir::pit::rows::matchReductionOp(linalg::LinalgOp op,
                                                           bool strict,
                                                           MatchLog log,
                                                           bool isOfParts) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics())
    return log.pass();
  if (failed(checkPoints(op, log)))
    return std::nullopt;
  std::optional<Combiner> combiner = Combiner::match(op, log, isOfParts);
  if (!combiner)
    return std::nullopt;
  if (strict && combiner->dependsOnOrder())
    return log.refuse("with 'strict', its sums keep their order");
  Reduction reduction(op, *combiner);
  chooseLoops(reduction);
  for (Value init : op.getDpsInits())
    reduction.starts.push_back(findFill(op, init));
  return reduction;
}

//===----------------------------------------------------------------------===//
// Merged loops
//===----------------------------------------------------------------------===//

/// Loops next to each other, of one kind, that could be one; none whose index
/// the body asks for.
static SmallVector<ReassociationIndices> findMergeable(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Windows are no dimensions.
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  DenseSet<unsigned> isAskedFor;
  op.getBlock()->walk(
      [&](linalg::IndexOp index) { isAskedFor.insert(index.getDim()); });
  // Whether all buffers have the loops as dimensions of one piece.
  auto isOnePiece = [&](const ReassociationIndices &loops) {
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!type)
        return true;
      SmallVector<ReassociationIndices> dims;
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        bool joins = dim && dim.getPosition() != unsigned(loops[0]) &&
                     llvm::is_contained(loops, dim.getPosition());
        if (joins && !dims.empty())
          dims.back().push_back(i);
        else
          dims.push_back({int64_t(i)});
      }
      return memref::CollapseShapeOp::isGuaranteedCollapsible(type, dims);
    });
  };
  SmallVector<ReassociationIndices> groups;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!groups.empty() && groups.back().back() + 1 == loop &&
        kinds[groups.back().back()] == kinds[loop] &&
        !isAskedFor.contains(groups.back().back()) &&
        !isAskedFor.contains(loop)) {
      ReassociationIndices longer = groups.back();
      longer.push_back(loop);
      if (linalg::areDimSequencesPreserved(maps, {longer}) &&
          isOnePiece(longer)) {
        groups.back() = longer;
        continue;
      }
    }
    groups.push_back({int64_t(loop)});
  }
  llvm::erase_if(groups, [](const ReassociationIndices &group) {
    return group.size() < 2;
  });
  return groups;
}

linalg::LinalgOp mlir::pit::rows::mergeLoops(linalg::LinalgOp op) {
  SmallVector<ReassociationIndices> groups = findMergeable(op);
  if (groups.empty())
    return op;
  IRRewriter rewriter(op);
  if (!isa<linalg::GenericOp>(op)) {
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return op;
    op = cast<linalg::LinalgOp>(generic->getOperation());
  }
  FailureOr<linalg::CollapseResult> merged =
      linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(merged))
    return op;
  rewriter.eraseOp(op);
  return merged->collapsedOp;
}
