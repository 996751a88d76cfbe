//===- FuseTiles.cpp - Elementwise tiles into the tiles before them -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tiled op that reads a tile element by element, or only moves it, is put
// behind the op that computes that packed operand, inside one region; with
// several such operands, behind all of them. The tile between them never
// becomes a tensor.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "TileRegions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFUSETILES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A consumer, the producer of one of its inputs, and the input's number.
struct Fusion {
  TiledOp producer, consumer;
  unsigned input;

  /// The output that the consumer's region passes its tile on to unchanged.
  std::optional<unsigned> getPassedThrough();
  TiledOp run(RewriterBase &rewriter);

private:
  Value createTile(RewriterBase &rewriter, const IRMapping &tiles);
};

} // namespace

/// Whether all that follows from the tile is computed element by element.
static bool isUsedInPlace(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    auto structured = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!structured)
      return isa<YieldOp, ShapedDimOpInterface>(use.getOwner());
    return structured.getNumLoops() == structured.getNumParallelLoops() &&
           structured.getMatchingIndexingMap(&use).isIdentity() &&
           llvm::all_of(
               structured.getDpsInitsMutable(),
               [&](OpOperand &init) {
                 return structured.getMatchingIndexingMap(&init).isIdentity();
               }) &&
           llvm::all_of(structured->getResults(), isUsedInPlace);
  });
}

/// An operand of the op besides `input`, and the axis of its tile that lies
/// along a dimension of the index; none if there is none.
static std::optional<std::pair<unsigned, int64_t>>
findAlong(TiledOp op, unsigned dim, unsigned input) {
  for (unsigned i = 0, e = op.getRegion().front().getNumArguments(); i < e; ++i)
    if (int64_t axis = getDimOfTile(op, i, dim); i != input && axis >= 0)
      return std::make_pair(i, axis);
  return std::nullopt;
}

/// The operands with rows that contractions in the region multiply.
static llvm::SmallSetVector<Value, 2> getMultipliedRows(TiledOp op) {
  llvm::SmallSetVector<Value, 2> rows;
  for (auto product : op.getRegion().front().getOps<linalg::LinalgOp>())
    if (isProduct(product))
      for (Value input : product.getDpsInputs())
        if (auto tile = dyn_cast<BlockArgument>(input);
            tile && tile.getOwner() == &op.getRegion().front() &&
            getCoordinateDimOfTile(op, tile.getArgNumber()) >= 0)
          rows.insert(op->getOperand(1 + tile.getArgNumber()));
  return rows;
}

/// Whether contractions of the two, if both have some, multiply the same rows.
static bool multiplySameRows(TiledOp producer, TiledOp consumer) {
  llvm::SmallSetVector<Value, 2> before = getMultipliedRows(producer),
                                 behind = getMultipliedRows(consumer);
  return before.empty() || behind.empty() || before == behind;
}

/// Says, once for each op, why a producer of packed tiles is not computed where
/// they are read.
static void report(TiledOp consumer, bool sameRows) {
  auto refuse = [&](TiledOp producer, StringRef reason) {
    remarks::missed(consumer, remarks::kFusion, "tiles")
        << ("reads what the op at " + remarks::spell(producer.getLoc()) +
            " stores, tile by tile, instead of computing it")
        << remarks::reason(reason);
  };
  if (!remarks::areCollected(consumer) || consumer.isOnBuffers())
    return;
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    auto producer = input.getDefiningOp<TiledOp>();
    if (!producer)
      continue;
    if (producer->getNumResults() != 1 || !input.hasOneUse())
      refuse(producer, "other ops read its result, too");
    else if (!haveSameDomain(producer, consumer))
      refuse(producer, "the two ops run over different lists or tiles");
    else if (sameRows && !multiplySameRows(producer, consumer))
      refuse(producer, "the two multiply different rows");
    else if (unsigned output = producer.getInputs().size();
             !producer.getPacked()[output] || !consumer.getPacked()[i] ||
             producer.getOperandDims(output) != consumer.getOperandDims(i))
      refuse(producer, "it is not packed along the same axes for both");
    else
      refuse(producer,
             "the reader is not elementwise in it, or a tile's extents "
             "would be unknown");
  }
}

static std::optional<Fusion> matchFusion(TiledOp consumer, bool sameRows) {
  if (consumer.isOnBuffers())
    return std::nullopt;
  Block &body = consumer.getRegion().front();
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    auto producer = input.getDefiningOp<TiledOp>();
    if (!producer || producer->getNumResults() != 1 || !input.hasOneUse() ||
        producer->getBlock() != consumer->getBlock() ||
        !haveSameDomain(producer, consumer) ||
        (sameRows && !multiplySameRows(producer, consumer)))
      continue;
    unsigned output = producer.getInputs().size();
    // Both see the same elements of it.
    if (!producer.getPacked()[output] || !consumer.getPacked()[i] ||
        producer.getOperandDims(output) != consumer.getOperandDims(i))
      continue;
    // Where the extent of the tile is not the tensor's, another tile has it.
    auto tile = producer.getRegion().front().getArgument(output);
    auto type = cast<RankedTensorType>(tile.getType());
    int64_t coordinate = getCoordinateDimOfTile(producer, output);
    bool isKnown = true;
    for (int64_t segment : producer.getIndexType().getSegmentDims())
      if (int64_t dim = producer.getOperandDims(output)[segment]; dim >= 0)
        isKnown &= dim == coordinate || !type.isDynamicDim(dim) ||
                   findAlong(consumer, segment, i);
    if (isKnown && isOverwritten(tile) && isUsedInPlace(body.getArgument(i)))
      return Fusion{producer, consumer, unsigned(i)};
  }
  return std::nullopt;
}

std::optional<unsigned> Fusion::getPassedThrough() {
  Block &body = consumer.getRegion().front();
  Value tile = body.getArgument(input);
  for (auto [k, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Value output = body.getArgument(consumer.getInputs().size() + k);
    if (value == tile && output.use_empty() &&
        output.getType() == tile.getType() && tile.hasOneUse())
      return k;
  }
  return std::nullopt;
}

/// A tile for the producer's output, which no tensor is behind any more.
/// `tiles` holds those of the consumer's operands.
Value Fusion::createTile(RewriterBase &rewriter, const IRMapping &tiles) {
  Location loc = producer.getLoc();
  unsigned output = producer.getInputs().size();
  auto type = cast<RankedTensorType>(
      producer.getRegion().front().getArgument(output).getType());
  int64_t coordinate = getCoordinateDimOfTile(producer, output);
  Block &body = consumer.getRegion().front();
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    if (dim != coordinate) {
      Value source = producer.getOutputs()[0];
      int64_t axis = dim;
      // A segment's end may cut the tile.
      for (int64_t segment : producer.getIndexType().getSegmentDims())
        if (producer.getOperandDims(output)[segment] == dim)
          if (auto other = findAlong(consumer, segment, input)) {
            source = tiles.lookup(body.getArgument(other->first));
            axis = other->second;
          }
      dynamic.push_back(tensor::DimOp::create(rewriter, loc, source, axis));
      continue;
    }
    // An output of the consumer lies along the coordinate as well, or there is
    // nothing to learn its extent from but an input of the producer's.
    for (BlockArgument argument : body.getArguments()) {
      int64_t from = getCoordinateDimOfTile(consumer, argument.getArgNumber());
      if (argument.getArgNumber() == input || from < 0)
        continue;
      dynamic.push_back(
          tensor::DimOp::create(rewriter, loc, tiles.lookup(argument), from));
      break;
    }
  }
  if (dynamic.size() != type.getNumDynamicDims())
    return Value();
  return tensor::EmptyOp::create(rewriter, loc, type, dynamic);
}

TiledOp Fusion::run(RewriterBase &rewriter) {
  size_t numOfProducer = producer.getInputs().size();
  SmallVector<Value> inputs(producer.getInputs());
  SmallVector<Attribute> dims(
      producer.getDims().getValue().take_front(numOfProducer));
  SmallVector<bool> packed(producer.getPacked().take_front(numOfProducer));
  SmallVector<BlockArgument> arguments(
      producer.getRegion().front().getArguments().take_front(numOfProducer));
  for (BlockArgument argument : consumer.getRegion().front().getArguments()) {
    unsigned i = argument.getArgNumber();
    if (i == input)
      continue;
    if (i < consumer.getInputs().size())
      inputs.push_back(consumer.getInputs()[i]);
    dims.push_back(consumer.getDims()[i]);
    packed.push_back(consumer.getPacked()[i]);
    arguments.push_back(argument);
  }

  Location loc = producer.getLoc();
  rewriter.setInsertionPoint(consumer);
  auto fused = TiledOp::create(
      rewriter, loc, consumer->getResultTypes(), consumer.getIndex(), inputs,
      consumer.getOutputs(), rewriter.getArrayAttr(dims),
      rewriter.getDenseBoolArrayAttr(packed), consumer.getTileSizeAttr(),
      producer.getFlat() ? consumer.getFlatAttr() : UnitAttr(),
      producer.getRuleAttr());
  // What is asked of either is asked of both; where that differs, of the one
  // whose rule this is.
  NamedAttrList wishes(consumer->getDiscardableAttrDictionary());
  for (NamedAttribute wish : producer->getDiscardableAttrDictionary())
    wishes.set(wish.getName(), wish.getValue());
  fused->setDiscardableAttrs(wishes.getDictionary(rewriter.getContext()));
  SmallVector<Type> types;
  for (BlockArgument argument : arguments)
    types.push_back(argument.getType());
  Block *body = rewriter.createBlock(&fused.getRegion(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(arguments, body->getArguments()))
    mapping.map(from, to);

  Block &first = producer.getRegion().front();
  Block &second = consumer.getRegion().front();
  Value tile;
  if (std::optional<unsigned> output = getPassedThrough())
    tile = mapping.lookup(
        second.getArgument(consumer.getInputs().size() + *output));
  else
    tile = createTile(rewriter, mapping);
  mapping.map(first.getArgument(numOfProducer), tile);
  for (Operation &nested : first.without_terminator())
    rewriter.clone(nested, mapping);
  mapping.map(second.getArgument(input),
              mapping.lookup(first.getTerminator()->getOperand(0)));
  for (Operation &nested : second)
    rewriter.clone(nested, mapping);
  return fused;
}

namespace {
struct PITFuseTiles : pit::impl::PITFuseTilesBase<PITFuseTiles> {
  using PITFuseTilesBase::PITFuseTilesBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    // In program order, so that a fused op is the next one's producer.
    for (TiledOp op : worklist) {
      while (std::optional<Fusion> fusion = matchFusion(op, sameRows)) {
        TiledOp fused = fusion->run(rewriter);
        TiledOp producer = fusion->producer;
        rewriter.replaceOp(op, fused.getResults());
        rewriter.eraseOp(producer);
        op = fused;
        ++numFused;
      }
      report(op, sameRows);
    }
  }
};
} // namespace
