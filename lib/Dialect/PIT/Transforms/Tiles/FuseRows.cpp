//===- FuseRows.cpp - Chains of ops on rows as one op ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer norm is two sums along rows and what is between and behind them. Each
// row needs itself only, so that one op can do it all while a row is at hand.
// Ops are taken in program order; each takes in those that computed what it
// reads.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "TileRegions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFUSEROWS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Which ops become one
//===----------------------------------------------------------------------===//

/// What computes one of the op's operands and may become part of it.
static TiledOp findProducer(TiledOp consumer) {
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    auto producer = input.getDefiningOp<TiledOp>();
    if (!producer || producer->getBlock() != consumer->getBlock() ||
        !haveSameDomain(producer, consumer) || !computesRows(producer))
      continue;
    bool fits = true;
    for (auto [k, result] : llvm::enumerate(producer.getResults())) {
      unsigned output = producer.getInputs().size() + k;
      fits &= producer.getPacked()[output] &&
              isOverwritten(producer.getRegion().front().getArgument(output));
      for (OpOperand &use : result.getUses()) {
        // Others get it later than before.
        if (use.getOwner() != consumer) {
          Operation *user =
              consumer->getBlock()->findAncestorOpInBlock(*use.getOwner());
          fits &= user && consumer->isBeforeInBlock(user);
          continue;
        }
        unsigned number = use.getOperandNumber() - 1;
        fits &=
            number < consumer.getInputs().size() &&
            consumer.getPacked()[number] &&
            consumer.getOperandDims(number) == producer.getOperandDims(output);
      }
    }
    if (fits)
      return producer;
  }
  return {};
}

/// Moves in front of `place` what defines a value there may be read from then
/// on: empty and filled tensors, and slices. Nothing is moved with `dry`.
static bool makeVisible(Value value, Operation *place, bool dry) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != place->getBlock() ||
      def->isBeforeInBlock(place))
    return true;
  if (!isa<tensor::EmptyOp, linalg::FillOp, tensor::ExtractSliceOp>(def) ||
      !llvm::all_of(def->getOperands(), [&](Value operand) {
        return makeVisible(operand, place, dry);
      }))
    return false;
  if (!dry)
    def->moveBefore(place);
  return true;
}

/// Whether one op that reads what both do is worth it: most that `op` reads,
/// the other one reads as well.
static bool readMuchTogether(TiledOp other, TiledOp op) {
  // A lane keeps a part of each row in registers.
  constexpr unsigned kMostOperands = 16;
  if (other->getNumOperands() + op->getNumOperands() > kMostOperands)
    return false;
  int64_t all = 0, shared = 0;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t bytes = getBytesOfRow(op, i).value_or(0);
    all += bytes;
    for (auto [k, same] : llvm::enumerate(other.getInputs()))
      if (same == input && op.getPacked()[i] == other.getPacked()[k] &&
          op.getDims()[i] == other.getDims()[k]) {
        shared += bytes;
        break;
      }
  }
  return shared > 0 && 2 * shared >= all;
}

/// An op before this one, of which it is independent, that reads much of what
/// it reads, and right behind which it may stand: it is moved there.
static TiledOp findSibling(TiledOp op, ArrayRef<TiledOp> earlier) {
  for (TiledOp other : llvm::reverse(earlier)) {
    if (other->getBlock() != op->getBlock() || !haveSameDomain(other, op) ||
        other.getFlat() != op.getFlat() || !readMuchTogether(other, op) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) {
          return operand.getDefiningOp() != other &&
                 makeVisible(operand, other, /*dry=*/true);
        }))
      continue;
    for (Value operand : op->getOperands())
      makeVisible(operand, other, /*dry=*/false);
    op->moveAfter(other);
    return other;
  }
  return {};
}

/// Says why rows that the op reads are stored by the op that computes them.
static void report(TiledOp consumer) {
  if (!remarks::areCollected(consumer))
    return;
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Value input : consumer.getInputs()) {
    auto producer = input.getDefiningOp<TiledOp>();
    if (!producer || !seen.insert(producer).second || !computesRows(producer))
      continue;
    remarks::missed(consumer, remarks::kFusion, "rows")
        << ("reads rows that the op at " + remarks::spell(producer.getLoc()) +
            " stores")
        << remarks::reason(producer->getBlock() != consumer->getBlock() ||
                                   !haveSameDomain(producer, consumer)
                               ? "the two ops run over different lists or tiles"
                               : "other ops read them before, or the two ops "
                                 "pack them differently");
  }
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

namespace {

/// Operands of the op to be, each once.
class Operands {
public:
  void add(TiledOp op, unsigned number, Value value) {
    Block &body = op.getRegion().front();
    BlockArgument tile = body.getArgument(number);
    Attribute row = op.getDims()[number];
    for (unsigned i = 0; i < values.size(); ++i)
      if (values[i] == value && dims[i] == row &&
          packed[i] == op.getPacked()[number] && types[i] == tile.getType()) {
        tiles.emplace_back(tile, i);
        return;
      }
    append(op, number, value);
  }
  void append(TiledOp op, unsigned number, Value value) {
    BlockArgument tile = op.getRegion().front().getArgument(number);
    tiles.emplace_back(tile, values.size());
    values.push_back(value);
    dims.push_back(op.getDims()[number]);
    packed.push_back(op.getPacked()[number]);
    types.push_back(tile.getType());
  }

  SmallVector<Value> values;
  SmallVector<Attribute> dims;
  SmallVector<bool> packed;
  SmallVector<Type> types;
  /// Tiles of the two regions, and which operand each is of.
  SmallVector<std::pair<BlockArgument, unsigned>> tiles;
};

} // namespace

/// The extents of a tile that no tensor is behind any more: those of the tensor
/// that it was cut of, with as many rows as another tile has.
static Value createTile(RewriterBase &rewriter, Location loc, Value tensor,
                        RankedTensorType type, Value numRows) {
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(
          dim == 0
              ? numRows
              : tensor::DimOp::create(rewriter, loc, tensor, dim).getResult());
  return tensor::EmptyOp::create(rewriter, loc, type, dynamic);
}

static TiledOp fuse(TiledOp producer, TiledOp consumer,
                    RewriterBase &rewriter) {
  Location loc = consumer.getLoc();
  Operands operands;
  for (auto [i, input] : llvm::enumerate(producer.getInputs()))
    operands.add(producer, i, input);
  for (auto [i, input] : llvm::enumerate(consumer.getInputs()))
    if (input.getDefiningOp() != producer)
      operands.add(consumer, i, input);
  unsigned numInputs = operands.values.size();
  // What nobody else reads is no result any more.
  SmallVector<unsigned> kept;
  for (auto [k, result] : llvm::enumerate(producer.getResults())) {
    if (llvm::all_of(result.getUsers(),
                     [&](Operation *user) { return user == consumer; }))
      continue;
    kept.push_back(k);
    operands.append(producer, producer.getInputs().size() + k,
                    producer.getOutputs()[k]);
  }
  for (auto [k, output] : llvm::enumerate(consumer.getOutputs()))
    operands.append(consumer, consumer.getInputs().size() + k, output);

  rewriter.setInsertionPoint(consumer);
  ArrayRef<Value> values(operands.values);
  ValueRange outputs(values.drop_front(numInputs));
  auto fused =
      TiledOp::create(rewriter, loc, outputs.getTypes(), consumer.getIndex(),
                      values.take_front(numInputs), outputs,
                      rewriter.getArrayAttr(operands.dims),
                      rewriter.getDenseBoolArrayAttr(operands.packed),
                      consumer.getTileSizeAttr(),
                      producer.getFlat() ? consumer.getFlatAttr() : UnitAttr(),
                      consumer.getRuleAttr());
  Block *body =
      rewriter.createBlock(&fused.getRegion(), {}, operands.types,
                           SmallVector<Location>(operands.types.size(), loc));
  IRMapping mapping;
  for (auto &[tile, number] : operands.tiles)
    mapping.map(tile, body->getArgument(number));

  Block &first = producer.getRegion().front();
  Block &second = consumer.getRegion().front();
  Value rows;
  for (auto [k, result] : llvm::enumerate(producer.getResults())) {
    BlockArgument tile = first.getArgument(producer.getInputs().size() + k);
    if (mapping.contains(tile))
      continue;
    // All outputs of the consumer have rows.
    if (!rows)
      rows =
          tensor::DimOp::create(rewriter, loc, body->getArguments().back(), 0);
    mapping.map(tile, createTile(rewriter, loc, producer.getOutputs()[k],
                                 cast<RankedTensorType>(tile.getType()), rows));
  }
  for (Operation &nested : first.without_terminator())
    rewriter.clone(nested, mapping);
  SmallVector<Value> computed =
      llvm::map_to_vector(first.getTerminator()->getOperands(),
                          [&](Value v) { return mapping.lookupOrDefault(v); });
  for (auto [i, input] : llvm::enumerate(consumer.getInputs()))
    if (input.getDefiningOp() == producer)
      mapping.map(second.getArgument(i),
                  computed[cast<OpResult>(input).getResultNumber()]);
  for (Operation &nested : second.without_terminator())
    rewriter.clone(nested, mapping);
  SmallVector<Value> yielded;
  for (unsigned k : kept)
    yielded.push_back(computed[k]);
  for (Value value : second.getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  YieldOp::create(rewriter, loc, yielded);

  for (auto [i, k] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(producer.getResult(k), fused.getResult(i));
  rewriter.replaceOp(consumer, fused.getResults().drop_front(kept.size()));
  rewriter.eraseOp(producer);
  return fused;
}

namespace {

struct PITFuseRows : pit::impl::PITFuseRowsBase<PITFuseRows> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    // A producer is always an earlier op of the list, or what became of it.
    SmallVector<TiledOp> chains;
    auto join = [&](TiledOp other, TiledOp op) {
      llvm::erase(chains, other);
      ++numFused;
      return fuse(other, op, rewriter);
    };
    for (TiledOp op : worklist) {
      if (!computesRows(op))
        continue;
      while (TiledOp producer = findProducer(op))
        op = join(producer, op);
      report(op);
      chains.push_back(op);
    }
    // Once each has taken in what it is made of.
    SmallVector<TiledOp> earlier;
    for (TiledOp op : SmallVector<TiledOp>(chains)) {
      if (TiledOp sibling = findSibling(op, earlier)) {
        llvm::erase(earlier, sibling);
        op = join(sibling, op);
      }
      earlier.push_back(op);
    }
  }
};

} // namespace
