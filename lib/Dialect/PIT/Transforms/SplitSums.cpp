//===- SplitSums.cpp - Sums over segments, row by row ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over an index of experts and their tokens, the results of several experts
// are added to one token's row. Over the inverse index each row is a segment:
//
//   y[t] += sum_f a[p, f] * w[e, f]     packed[p] = sum_f a[p, f] * w[e, f]
//   for p, t of expert e, all e    =>   y[t] += packed[p] for p of token t
//
// Positions ascend with the segments, so the order of each row's sum stays.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "DeviceScalars.h"
#include "IndexExtents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPLITSUMS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Splits one op.
class SumSplitter {
public:
  explicit SumSplitter(TiledOp op)
      : op(op), body(op.getRegion().front()), type(op.getIndexType()),
        numInputs(op.getInputs().size()) {}

  /// Whether the op can be split; to be asked first.
  bool match();
  Value run(RewriterBase &rewriter);

private:
  /// How an operand follows from the listed element.
  enum class Access {
    Packed,     ///< A row per position.
    Element,    ///< Gathered by coordinate and segment.
    Coordinate, ///< Gathered by the coordinate alone.
    Segment,    ///< The segment's slice.
    Whole
  };
  Access getAccess(unsigned operand);
  bool isContraction() { return sum.getNumReductionLoops() > 0; }
  bool matchRegion();
  FailureOr<OpFoldResult> getNumPositions(RewriterBase &rewriter);

  Value createInverse(RewriterBase &rewriter, OpFoldResult numPositions);
  Value createPackedProduct(RewriterBase &rewriter, OpFoldResult numPositions);
  Value createPackedNumbers(RewriterBase &rewriter, unsigned operand,
                            OpFoldResult numPositions);
  void moveToLists(RewriterBase &rewriter, OpFoldResult &numPositions);
  Value createEarlyNumbers(RewriterBase &rewriter, unsigned operand,
                           Value inverse, OpFoldResult numPositions);
  Value createSumOfRows(RewriterBase &rewriter, Value inverse, Value rows);
  Value createSumOfElements(RewriterBase &rewriter, Value inverse,
                            OpFoldResult numPositions);
  TiledOp createSum(RewriterBase &rewriter, Value inverse,
                    ArrayRef<Value> inputs, ArrayRef<Attribute> dims,
                    ArrayRef<Type> tileTypes, ArrayRef<AffineMap> maps,
                    ArrayRef<utils::IteratorType> iterators, Region *region);

  /// Where the inverse is made.
  OpBuilder::InsertPoint inversePoint;
  TiledOp op;
  Block &body;
  SparseIndexType type;
  unsigned numInputs;
  /// The op that adds to the output's tile.
  linalg::GenericOp sum;
  /// The output's dimension along the coordinate.
  int64_t rowDim = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

SumSplitter::Access SumSplitter::getAccess(unsigned operand) {
  if (op.getPacked()[operand])
    return Access::Packed;
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  bool hasSegment = llvm::any_of(type.getSegmentDims(), [&](int64_t segment) {
    return dims[segment] >= 0;
  });
  if (dims[type.getCoordinate()] >= 0)
    return hasSegment ? Access::Element : Access::Coordinate;
  return hasSegment ? Access::Segment : Access::Whole;
}

/// Whether the region's payload adds one value to the accumulator.
static bool isAddition(linalg::GenericOp op) {
  Block *payload = op.getBlock();
  Value accumulator = payload->getArguments().back();
  Operation *add = payload->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::AddFOp, arith::AddIOp>(add) &&
         accumulator.hasOneUse() && *accumulator.user_begin() == add;
}

/// One op adds to the output's tile, and its result is what the region yields.
bool SumSplitter::matchRegion() {
  Value tile = body.getArguments().back();
  sum = body.getTerminator()->getOperand(0).getDefiningOp<linalg::GenericOp>();
  if (!sum || sum->getBlock() != &body || sum.getNumDpsInits() != 1 ||
      sum.getDpsInits()[0] != tile || !tile.hasOneUse() ||
      !sum.payloadUsesValueFromOperand(sum.getDpsInitOperand(0)))
    return false;
  if (isContraction())
    return isAddition(sum);
  // The loops are renumbered, and the operands become others.
  if (sum.hasIndexSemantics() ||
      !llvm::hasSingleElement(body.without_terminator()) ||
      !sum.getMatchingIndexingMap(sum.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  return llvm::all_of(sum.getDpsInputs(), [&](Value input) {
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument || argument.getOwner() != &body)
      return false;
    // Numbers per listed element are packed, whole rows are not.
    Access access = getAccess(argument.getArgNumber());
    return access != Access::Segment &&
           (access != Access::Element ||
            cast<ShapedType>(argument.getType()).getRank() == 1);
  });
}

bool SumSplitter::match() {
  if (op.isOnBuffers() || op.getOutputs().size() != 1 || op.getFlat() ||
      type.getRank() < 2 ||
      !llvm::all_of(type.getTile().asArrayRef(),
                    [](int64_t size) { return size == 1; }))
    return false;
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !function.getBody().hasOneBlock() ||
      getAccess(numInputs) != Access::Coordinate)
    return false;
  rowDim = op.getOperandDims(numInputs)[type.getCoordinate()];
  return matchRegion() && !isCrossedByScalar(op);
}

/// Makes a number of the host again where the rewriter is, from values that are
/// known there. Returns null where it depends on others.
static Value remake(RewriterBase &rewriter, Value value,
                    const DominanceInfo &dominance) {
  Block::iterator here = rewriter.getInsertionPoint();
  Operation *def = value.getDefiningOp();
  if (!def || dominance.properlyDominates(value, &*here))
    return value;
  if (auto dim = dyn_cast<tensor::DimOp>(def)) {
    // Results of structured ops are as large as what they start from.
    Value source = dim.getSource();
    while (auto op = source.getDefiningOp<DestinationStyleOpInterface>())
      source = op.getTiedOpOperand(cast<OpResult>(source))->get();
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (auto empty = source.getDefiningOp<tensor::EmptyOp>(); empty && axis)
      return remake(rewriter, empty.getDynamicSize(unsigned(*axis)), dominance);
  }
  if (!value.getType().isIndex() || !isMemoryEffectFree(def) ||
      def->getNumRegions() != 0)
    return Value();
  IRMapping operands;
  for (Value operand : def->getOperands()) {
    Value made = remake(rewriter, operand, dominance);
    if (!made)
      return Value();
    operands.map(operand, made);
  }
  return rewriter.clone(*def, operands)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

/// Moves to right behind the lists, which are in the caches then: products on
/// the way to the sum would drive them out. Stays where the number of
/// positions is not known there.
void SumSplitter::moveToLists(RewriterBase &rewriter,
                              OpFoldResult &numPositions) {
  Operation *index = op.getIndex().getDefiningOp();
  if (!index || index->getBlock() != op->getBlock())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(index);
  if (auto number = dyn_cast<Value>(numPositions)) {
    Value made = remake(rewriter, number, DominanceInfo(op));
    if (!made)
      return;
    numPositions = made;
  }
  inversePoint = rewriter.saveInsertionPoint();
}

/// The extent that tensors packed by the index have.
FailureOr<OpFoldResult> SumSplitter::getNumPositions(RewriterBase &rewriter) {
  for (unsigned i = 0; i < numInputs; ++i)
    if (op.getPacked()[i])
      return tensor::getMixedSize(rewriter, op.getLoc(), op.getInputs()[i],
                                  op.getOperandDims(i)[type.getCoordinate()]);
  auto detect = op.getIndex().getDefiningOp<DetectOp>();
  if (!detect)
    return failure();
  return createCapacity(
      rewriter, op.getLoc(), detect.getPattern(), type,
      getIndexExtents(rewriter, op.getLoc(), type, op.getIndex()));
}

//===----------------------------------------------------------------------===//
// The parts
//===----------------------------------------------------------------------===//

Value SumSplitter::createInverse(RewriterBase &rewriter,
                                 OpFoldResult numPositions) {
  OpFoldResult extents[] = {
      getIndexExtents(rewriter, op.getLoc(), type,
                      op.getIndex())[type.getCoordinate()],
      numPositions};
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  int64_t width = !ShapedType::isDynamic(shape[1]) && shape[1] > kMost
                      ? 64
                      : type.getWidth();
  auto inverse = SparseIndexType::get(
      rewriter.getContext(), rewriter.getDenseI64ArrayAttr(shape),
      /*coordinate=*/1, rewriter.getDenseI64ArrayAttr({1, 1}), width);
  return InvertOp::create(rewriter, op.getLoc(), inverse, op.getIndex(),
                          dynamic);
}

/// A packed tensor with the other extents of `like`.
static Value createPacked(RewriterBase &rewriter, Location loc, Value like,
                          int64_t dim, OpFoldResult numPositions) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, like);
  sizes[dim] = numPositions;
  return tensor::EmptyOp::create(rewriter, loc, sizes,
                                 getElementTypeOrSelf(like.getType()));
}

/// The op itself, with rows of its own for every segment.
Value SumSplitter::createPackedProduct(RewriterBase &rewriter,
                                       OpFoldResult numPositions) {
  Location loc = op.getLoc();
  Value rows =
      createPacked(rewriter, loc, op.getOutputs()[0], rowDim, numPositions);
  SmallVector<Attribute> dims(op.getDims().getValue());
  SmallVector<int64_t> packedDims(type.getRank(), -1);
  packedDims[type.getCoordinate()] = rowDim;
  dims.back() = rewriter.getDenseI64ArrayAttr(packedDims);
  SmallVector<bool> packed(op.getPacked());
  packed.back() = true;
  auto product = TiledOp::create(
      rewriter, loc, rows.getType(), op.getIndex(), op.getInputs(), rows,
      rewriter.getArrayAttr(dims), rewriter.getDenseBoolArrayAttr(packed),
      op.getTileSizeAttr(), op.getFlatAttr(), op.getRuleAttr());
  IRMapping mapping;
  OpBuilder::InsertionGuard guard(rewriter);
  op.getRegion().cloneInto(&product.getRegion(), mapping);
  Operation *first = mapping.lookup(sum.getOperation());
  rewriter.setInsertionPoint(first);
  Value tile = product.getRegion().front().getArguments().back();
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(getElementTypeOrSelf(tile)));
  Value start = linalg::FillOp::create(rewriter, loc, zero, tile).getResult(0);
  rewriter.modifyOpInPlace(first, [&] {
    cast<linalg::GenericOp>(first).getDpsInitsMutable().assign(start);
  });
  return product.getResult(0);
}

/// One number per listed element, in the order of the list.
Value SumSplitter::createPackedNumbers(RewriterBase &rewriter, unsigned operand,
                                       OpFoldResult numPositions) {
  Location loc = op.getLoc();
  Value numbers = op.getInputs()[operand];
  Type element = getElementTypeOrSelf(numbers.getType());
  Value packed = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{numPositions}, element);
  SmallVector<int64_t> packedDims(type.getRank(), -1);
  packedDims[type.getCoordinate()] = 0;
  auto copy = TiledOp::create(
      rewriter, loc, packed.getType(), op.getIndex(), numbers, packed,
      rewriter.getArrayAttr(
          {op.getDims()[operand], rewriter.getDenseI64ArrayAttr(packedDims)}),
      rewriter.getDenseBoolArrayAttr({false, true}), op.getTileSizeAttr(),
      op.getFlatAttr(), IntegerAttr());
  auto tile = RankedTensorType::get({ShapedType::kDynamic}, element);
  OpBuilder::InsertionGuard guard(rewriter);
  Block *block =
      rewriter.createBlock(&copy.getRegion(), {}, {tile, tile}, {loc, loc});
  AffineMap map = rewriter.getMultiDimIdentityMap(1);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, tile, block->getArgument(0), block->getArgument(1),
      ArrayRef<AffineMap>{map, map},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [](OpBuilder &b, Location loc, ValueRange values) {
        linalg::YieldOp::create(b, loc, values[0]);
      });
  YieldOp::create(rewriter, loc, generic.getResults());
  return copy.getResult(0);
}

//===----------------------------------------------------------------------===//
// The sum
//===----------------------------------------------------------------------===//

/// A type without one of its dimensions.
static Type dropDim(Type type, int64_t dim) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// The sum over the inverse index into the output; `region`, if given, is the
/// payload, else the one input is added.
TiledOp SumSplitter::createSum(RewriterBase &rewriter, Value inverse,
                               ArrayRef<Value> inputs, ArrayRef<Attribute> dims,
                               ArrayRef<Type> tileTypes,
                               ArrayRef<AffineMap> maps,
                               ArrayRef<utils::IteratorType> iterators,
                               Region *region) {
  Location loc = op.getLoc();
  auto tiled = TiledOp::create(
      rewriter, loc, op.getResultTypes(), inverse, inputs, op.getOutputs(),
      rewriter.getArrayAttr(dims),
      rewriter.getDenseBoolArrayAttr(SmallVector<bool>(dims.size(), false)),
      op.getTileSizeAttr(), UnitAttr(), op.getRuleAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  Block *block =
      rewriter.createBlock(&tiled.getRegion(), {}, tileTypes,
                           SmallVector<Location>(tileTypes.size(), loc));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, tileTypes.back(), block->getArguments().drop_back(),
      block->getArguments().back(), maps, iterators);
  IRMapping mapping;
  if (region) {
    region->cloneInto(&generic.getRegion(), mapping);
  } else {
    Type element = getElementTypeOrSelf(tileTypes.back());
    OpBuilder::InsertionGuard guard(rewriter);
    Block *payload = rewriter.createBlock(&generic.getRegion(), {},
                                          {element, element}, {loc, loc});
    Value row = payload->getArgument(0), before = payload->getArgument(1);
    Value total =
        isa<FloatType>(element)
            ? arith::AddFOp::create(rewriter, loc, before, row).getResult()
            : arith::AddIOp::create(rewriter, loc, before, row).getResult();
    linalg::YieldOp::create(rewriter, loc, total);
  }
  YieldOp::create(rewriter, loc, generic.getResults());
  return tiled;
}

Value SumSplitter::createSumOfRows(RewriterBase &rewriter, Value inverse,
                                   Value rows) {
  Type tile = body.getArguments().back().getType();
  unsigned rank = cast<RankedTensorType>(tile).getRank();
  AffineMap map = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[rowDim] = utils::IteratorType::reduction;
  return createSum(rewriter, inverse, rows,
                   {rewriter.getDenseI64ArrayAttr({-1, rowDim}),
                    rewriter.getDenseI64ArrayAttr({rowDim, -1})},
                   {tile, dropDim(tile, rowDim)}, {map, map.dropResult(rowDim)},
                   iterators, /*region=*/nullptr)
      .getResult(0);
}

/// Numbers next to the inverse, if what they are is known there.
Value SumSplitter::createEarlyNumbers(RewriterBase &rewriter, unsigned operand,
                                      Value inverse,
                                      OpFoldResult numPositions) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *made = inverse.getDefiningOp();
  if (DominanceInfo().properlyDominates(op.getInputs()[operand], made))
    rewriter.setInsertionPointAfter(made);
  return createPackedNumbers(rewriter, operand, numPositions);
}

/// The loop over the coordinate becomes one over the positions of a row.
Value SumSplitter::createSumOfElements(RewriterBase &rewriter, Value inverse,
                                       OpFoldResult numPositions) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> dims;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps;
  for (OpOperand &use : sum->getOpOperands()) {
    unsigned operand = cast<BlockArgument>(use.get()).getArgNumber();
    bool isInput = sum.isDpsInput(&use);
    Type tile = use.get().getType();
    AffineMap map = sum.getMatchingIndexingMap(&use);
    int64_t dim = op.getOperandDims(operand)[type.getCoordinate()];
    int64_t ofCoordinate = -1, ofPosition = -1;
    Value input = isInput ? op.getInputs()[operand] : Value();
    switch (getAccess(operand)) {
    case Access::Element:
      input = createEarlyNumbers(rewriter, operand, inverse, numPositions);
      ofPosition = 0;
      break;
    case Access::Packed:
      ofPosition = dim;
      break;
    case Access::Coordinate:
      ofCoordinate = dim;
      tile = dropDim(tile, dim);
      map = map.dropResult(dim);
      break;
    case Access::Segment:
    case Access::Whole:
      break;
    }
    if (isInput)
      inputs.push_back(input);
    dims.push_back(rewriter.getDenseI64ArrayAttr({ofCoordinate, ofPosition}));
    types.push_back(tile);
    maps.push_back(map);
  }
  SmallVector<utils::IteratorType> iterators = sum.getIteratorTypesArray();
  AffineMap outputMap = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
  iterators[outputMap.getDimPosition(rowDim)] = utils::IteratorType::reduction;
  return createSum(rewriter, inverse, inputs, dims, types, maps, iterators,
                   &sum.getRegion())
      .getResult(0);
}

Value SumSplitter::run(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  FailureOr<OpFoldResult> numPositions = getNumPositions(rewriter);
  if (failed(numPositions))
    return Value();
  inversePoint = rewriter.saveInsertionPoint();
  moveToLists(rewriter, *numPositions);
  rewriter.restoreInsertionPoint(inversePoint);
  Value inverse = createInverse(rewriter, *numPositions);
  rewriter.setInsertionPoint(op);
  if (!isContraction())
    return createSumOfElements(rewriter, inverse, *numPositions);
  Value rows = createPackedProduct(rewriter, *numPositions);
  return createSumOfRows(rewriter, inverse, rows);
}

namespace {
struct PITSplitSums : pit::impl::PITSplitSumsBase<PITSplitSums> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    for (TiledOp op : worklist) {
      SumSplitter splitter(op);
      if (!splitter.match())
        continue;
      if (Value result = splitter.run(rewriter)) {
        rewriter.replaceOp(op, result);
        ++numSums;
      }
    }
  }
};
} // namespace
