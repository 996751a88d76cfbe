//===- TileRules.cpp - Level 2 to level 3 ---------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/DenseVariants.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "Dialect/PIT/Transforms/Marks/DenseForm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITTILERULES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// How one operand of a pit.generic looks inside a tile.
struct TileForm {
  /// Dimensions of the operand (of its packed form when packed) per dimension
  /// of the pattern space, -1 if absent.
  SmallVector<int64_t> dims;
  /// Extents of the tile.
  SmallVector<int64_t> shape;
  /// The tile's indexing map, over the iteration axes that are left.
  SmallVector<AffineExpr> exprs;
};

/// Cuts one pit.generic.
class RuleTiler {
public:
  RuleTiler(GenericOp op, int64_t tileSize)
      : op(op), index(op.getIndex().getType()), axes(op.getIndexAxes()),
        tileSize(tileSize) {}

  TiledOp run(RewriterBase &rewriter);

private:
  /// Extent of a segment's slice along dimension `i`: known only when no
  /// micro-tile is cut short.
  int64_t getSegmentExtent(unsigned i) const {
    int64_t tile = index.getTile()[i], extent = index.getExtents()[i];
    bool whole = !ShapedType::isDynamic(extent) && extent % tile == 0;
    return tile == 1 || whole ? tile : ShapedType::kDynamic;
  }
  bool isDropped(unsigned i) const {
    return i != index.getCoordinate() && index.getTile()[i] == 1;
  }
  TileForm getTileForm(Value operand, AffineMap map, bool packed);
  bool isFlat(ArrayRef<TileForm> forms);
  Operation *createCompute(RewriterBase &rewriter, ValueRange inputs,
                           ValueRange outputs, ArrayRef<AffineMap> maps,
                           ArrayRef<utils::IteratorType> iterators,
                           ArrayRef<AffineExpr> renumbered);
  void usePlacesOfLoops(RewriterBase &rewriter, linalg::GenericOp compute,
                        ArrayRef<AffineExpr> renumbered);

  GenericOp op;
  SparseIndexType index;
  ArrayRef<int64_t> axes;
  int64_t tileSize;
};

} // namespace

TileForm RuleTiler::getTileForm(Value operand, AffineMap map, bool packed) {
  auto type = cast<RankedTensorType>(operand.getType());
  TileForm form;
  form.dims.assign(index.getRank(), -1);
  bool placed = false;
  int64_t packedDim = 0;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto axis = dyn_cast<AffineDimExpr>(expr);
    const auto *it = axis ? llvm::find(axes, axis.getPosition()) : axes.end();
    if (it == axes.end()) {
      form.exprs.push_back(expr);
      form.shape.push_back(type.getDimSize(packedDim++));
      continue;
    }
    unsigned i = it - axes.begin();
    if (!packed) {
      form.dims[i] = packedDim++;
      if (isDropped(i))
        continue;
      form.exprs.push_back(expr);
      form.shape.push_back(i == index.getCoordinate() ? ShapedType::kDynamic
                                                      : getSegmentExtent(i));
      continue;
    }
    if (placed)
      continue;
    placed = true;
    int64_t coordinate = index.getCoordinate();
    form.dims[coordinate] = packedDim++;
    form.exprs.push_back(getAffineDimExpr(axes[coordinate], op.getContext()));
    form.shape.push_back(ShapedType::kDynamic);
    for (int64_t segment : index.getSegmentDims()) {
      if (isDropped(segment))
        continue;
      form.dims[segment] = packedDim++;
      form.exprs.push_back(getAffineDimExpr(axes[segment], op.getContext()));
      form.shape.push_back(getSegmentExtent(segment));
    }
  }
  return form;
}

/// Tiles may cross segments when nothing depends on the segment and no
/// micro-tile is cut short on the way.
bool RuleTiler::isFlat(ArrayRef<TileForm> forms) {
  int64_t coordinate = index.getCoordinate();
  if (getSegmentExtent(coordinate) != index.getCoordinateTile())
    return false;
  for (int64_t segment : index.getSegmentDims()) {
    if (!isDropped(segment))
      return false;
    // Where an axis is summed over, segments have to follow each other.
    for (auto [form, packed] : llvm::zip(forms, op.getPacked()))
      if (!packed && form.dims[segment] >= 0)
        return false;
  }
  // One coordinate may occur in several segments: a tile must not write it
  // twice.
  for (size_t i = op.getInputs().size(); i < forms.size(); ++i)
    if (!op.getPacked()[i] && index.getRank() > 1)
      return false;
  return true;
}

TiledOp RuleTiler::run(RewriterBase &rewriter) {
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> operands =
      llvm::to_vector(llvm::concat<Value>(op.getInputs(), op.getOutputs()));
  size_t numInputs = op.getInputs().size();
  SmallVector<TileForm> forms;
  for (auto [operand, map, packed] : llvm::zip(operands, maps, op.getPacked()))
    forms.push_back(getTileForm(operand, map, packed));

  // Packed results that start from a constant start from it in the tile: the
  // rest of the capacity stays untouched.
  SmallVector<Value> tileFill(operands.size());
  for (size_t i = numInputs; i < operands.size(); ++i)
    if (op.getPacked()[i])
      if (auto fill = operands[i].getDefiningOp<linalg::FillOp>()) {
        tileFill[i] = fill.getInputs()[0];
        operands[i] = fill.getOutputs()[0];
      }

  // Axes that are gone inside a segment.
  SmallVector<AffineExpr> renumbered(op.getNumLoops());
  SmallVector<utils::IteratorType> iterators;
  for (auto [axis, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    const auto *it = llvm::find(axes, axis);
    if (it != axes.end() && isDropped(it - axes.begin())) {
      renumbered[axis] = rewriter.getAffineConstantExpr(0);
      continue;
    }
    renumbered[axis] = rewriter.getAffineDimExpr(iterators.size());
    iterators.push_back(type);
  }
  SmallVector<AffineMap> tileMaps;
  SmallVector<Attribute> dims;
  SmallVector<Type> tileTypes;
  for (auto [form, operand] : llvm::zip(forms, operands)) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : form.exprs)
      exprs.push_back(expr.replaceDims(renumbered));
    tileMaps.push_back(
        AffineMap::get(iterators.size(), 0, exprs, rewriter.getContext()));
    dims.push_back(rewriter.getDenseI64ArrayAttr(form.dims));
    tileTypes.push_back(RankedTensorType::get(
        form.shape, getElementTypeOrSelf(operand.getType())));
  }

  // Whole micro-tiles along the coordinate.
  int64_t size = std::max(tileSize / index.getCoordinateTile(), int64_t(1)) *
                 index.getCoordinateTile();
  ValueRange inputs = ValueRange(operands).take_front(numInputs);
  ValueRange outputs = ValueRange(operands).drop_front(numInputs);
  bool flat = isFlat(forms);
  auto tiled = TiledOp::create(
      rewriter, loc, outputs.getTypes(), op.getIndex(), inputs, outputs,
      rewriter.getArrayAttr(dims), op.getPackedAttr(),
      rewriter.getI64IntegerAttr(size),
      flat ? rewriter.getUnitAttr() : UnitAttr(), op.getRuleAttr());
  PITDialect::DenseVariantAttrHelper wish(op->getContext());
  if (wish.isAttrPresent(op))
    wish.setAttr(tiled, wish.getAttr(op));
  Block *body =
      rewriter.createBlock(&tiled.getRegion(), {}, tileTypes,
                           SmallVector<Location>(tileTypes.size(), loc));
  SmallVector<Value> tiles(body->getArguments());
  for (size_t i = numInputs; i < operands.size(); ++i)
    if (tileFill[i])
      tiles[i] = linalg::FillOp::create(rewriter, loc, tileFill[i], tiles[i])
                     .getResult(0);
  ValueRange tileInputs = ValueRange(tiles).take_front(numInputs);
  ValueRange tileOutputs = ValueRange(tiles).drop_front(numInputs);
  Operation *compute = createCompute(rewriter, tileInputs, tileOutputs,
                                     tileMaps, iterators, renumbered);
  YieldOp::create(rewriter, loc, compute->getResults());
  return tiled;
}

/// Whether the elements of a vector are their places.
static bool holdsPlaces(Value vector) {
  auto op = vector.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumLoops() != 1 || op.getNumDpsInputs() != 0)
    return false;
  auto cast = op.getBlock()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<arith::IndexCastOp>();
  return cast && cast.getIn().getDefiningOp<linalg::IndexOp>();
}

/// In a tile, an arg-max knows places along what it reduces over by its loop,
/// if that is whole there: rules have operands for them. Kernels of rows take
/// those that ask for it.
void RuleTiler::usePlacesOfLoops(RewriterBase &rewriter,
                                 linalg::GenericOp compute,
                                 ArrayRef<AffineExpr> renumbered) {
  if (compute.getNumDpsInits() < 2 || compute.getNumReductionLoops() != 1)
    return;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    AffineMap map = op.getIndexingMapsArray()[i];
    if (!holdsPlaces(input) || op.getPacked()[i] || map.getNumResults() != 1)
      continue;
    auto axis = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!axis || llvm::is_contained(axes, int64_t(axis.getPosition())))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(renumbered[axis.getPosition()]);
    if (!loop || compute.getIteratorTypesArray()[loop.getPosition()] !=
                     utils::IteratorType::reduction)
      continue;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(compute.getBody());
    BlockArgument number = compute.getBody()->getArgument(i);
    Value place =
        linalg::IndexOp::create(rewriter, op.getLoc(), loop.getPosition());
    number.replaceAllUsesWith(arith::IndexCastOp::create(rewriter, op.getLoc(),
                                                         number.getType(),
                                                         place)
                                  .getResult());
  }
}

/// The op on tiles: dense, or what the first of the further indexes leaves of
/// it, cut in its turn.
Operation *RuleTiler::createCompute(RewriterBase &rewriter, ValueRange inputs,
                                    ValueRange outputs,
                                    ArrayRef<AffineMap> maps,
                                    ArrayRef<utils::IteratorType> iterators,
                                    ArrayRef<AffineExpr> renumbered) {
  if (op.getFurtherIndexes().empty()) {
    linalg::GenericOp compute =
        createDenseForm(rewriter, op, inputs, outputs, maps, iterators);
    usePlacesOfLoops(rewriter, compute, renumbered);
    return compute;
  }

  Location loc = op.getLoc();
  SmallVector<DenseI64ArrayAttr> rows;
  for (unsigned i = 0, e = op.getFurtherIndexes().size(); i < e; ++i)
    rows.push_back(rewriter.getDenseI64ArrayAttr(llvm::map_to_vector(
        op.getFurtherIndexAxes(i), [&](int64_t axis) -> int64_t {
          return cast<AffineDimExpr>(renumbered[axis]).getPosition();
        })));
  ArrayAttr restRows;
  if (rows.size() > 1)
    restRows = rewriter.getArrayAttr(llvm::map_to_vector(
        ArrayRef(rows).drop_front(),
        [](DenseI64ArrayAttr row) -> Attribute { return row; }));
  IntegerAttr rule;
  DenseI64ArrayAttr restRules;
  if (std::optional<ArrayRef<int64_t>> rules = op.getFurtherRules()) {
    rule = rewriter.getI64IntegerAttr(rules->front());
    if (restRows)
      restRules = rewriter.getDenseI64ArrayAttr(rules->drop_front());
  }
  auto iteratorAttrs = llvm::map_to_vector(
      iterators, [&](utils::IteratorType type) -> Attribute {
        return linalg::IteratorTypeAttr::get(rewriter.getContext(), type);
      });
  auto rest = GenericOp::create(
      rewriter, loc, outputs.getTypes(), op.getFurtherIndexes().front(),
      op.getFurtherIndexes().drop_front(), inputs, outputs,
      rewriter.getAffineMapArrayAttr(maps),
      rewriter.getArrayAttr(iteratorAttrs), rows[0],
      rewriter.getDenseBoolArrayAttr(SmallVector<bool>(maps.size(), false)),
      restRows, rule, restRules);
  IRMapping mapping;
  op.getRegion().cloneInto(&rest.getRegion(), mapping);
  TiledOp tiled = RuleTiler(rest, tileSize).run(rewriter);
  rewriter.setInsertionPointAfter(tiled);
  rewriter.eraseOp(rest);
  return tiled;
}

/// A read or write of a whole tensor through an index is the copy, structured.
static GenericOp createWholeCopy(RewriterBase &rewriter, Location loc,
                                 Value full, Value packed, Value dest,
                                 Value index, ArrayRef<int64_t> dims,
                                 bool accumulate) {
  auto type = cast<RankedTensorType>(full.getType());
  MLIRContext *ctx = rewriter.getContext();
  unsigned numAxes = type.getRank();
  SmallVector<int64_t> axes;
  SmallVector<Attribute> iterators(
      numAxes,
      linalg::IteratorTypeAttr::get(ctx, utils::IteratorType::parallel));
  for (int64_t dim : dims) {
    // A segment dimension that the tensor does not have: segments follow each
    // other on the same element.
    if (dim < 0) {
      iterators.push_back(
          linalg::IteratorTypeAttr::get(ctx, utils::IteratorType::reduction));
      dim = numAxes++;
    }
    axes.push_back(dim);
  }
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < numAxes; ++i)
    exprs.push_back(getAffineDimExpr(i, ctx));
  AffineMap packedMap = AffineMap::get(numAxes, 0, exprs, ctx);
  AffineMap fullMap = packedMap.getMajorSubMap(type.getRank());
  bool intoPacked = dest.getType() == packed.getType() && dest == packed;
  Value source = intoPacked ? full : packed;
  SmallVector<AffineMap> maps{intoPacked ? fullMap : packedMap,
                              intoPacked ? packedMap : fullMap};
  auto copy = GenericOp::create(
      rewriter, loc, TypeRange(dest.getType()), index, ValueRange(),
      ValueRange(source), ValueRange(dest),
      rewriter.getAffineMapArrayAttr(maps), rewriter.getArrayAttr(iterators),
      rewriter.getDenseI64ArrayAttr(axes),
      rewriter.getDenseBoolArrayAttr({!intoPacked, intoPacked}), ArrayAttr(),
      IntegerAttr(), DenseI64ArrayAttr());
  Type element = type.getElementType();
  Block *body = rewriter.createBlock(&copy.getRegion(), {}, {element, element},
                                     {loc, loc});
  Value value = body->getArgument(0);
  if (accumulate)
    value =
        isa<FloatType>(element)
            ? arith::AddFOp::create(rewriter, loc, body->getArgument(1), value)
                  .getResult()
            : arith::AddIOp::create(rewriter, loc, body->getArgument(1), value)
                  .getResult();
  YieldOp::create(rewriter, loc, value);
  return copy;
}

namespace {
struct PITTileRules : pit::impl::PITTileRulesBase<PITTileRules> {
  using PITTileRulesBase::PITTileRulesBase;

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    if (tileSize <= 0) {
      getOperation().emitError("tile-size must be positive, got ")
          << tileSize.getValue();
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> worklist;
    getOperation().walk([&](Operation *op) {
      bool whole = false;
      if (auto read = dyn_cast<SReadOp>(op))
        whole = read.getTile().empty();
      else if (auto write = dyn_cast<SWriteOp>(op))
        whole = write.getTile().empty();
      if (whole || isa<GenericOp>(op))
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<GenericOp>(op);
      if (auto read = dyn_cast<SReadOp>(op)) {
        auto type = cast<RankedTensorType>(read.getType());
        Value dest = tensor::EmptyOp::create(rewriter, op->getLoc(), type,
                                             read.getResultExtents());
        generic = createWholeCopy(rewriter, op->getLoc(), read.getSource(),
                                  dest, dest, read.getIndex(), read.getDims(),
                                  /*accumulate=*/false);
      } else if (auto write = dyn_cast<SWriteOp>(op)) {
        generic = createWholeCopy(rewriter, op->getLoc(), write.getDest(),
                                  write.getSource(), write.getDest(),
                                  write.getIndex(), write.getDims(),
                                  write.getMode() == WriteMode::Accumulate);
      }
      rewriter.setInsertionPoint(op);
      TiledOp tiled = RuleTiler(generic, tileSize).run(rewriter);
      if (generic != op)
        rewriter.replaceOp(generic, tiled.getResults());
      rewriter.replaceOp(op, tiled.getResults());
    }
  }
};
} // namespace
