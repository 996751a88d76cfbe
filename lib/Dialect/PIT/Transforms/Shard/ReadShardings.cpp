//===- ReadShardings.cpp - What a program says of its ranks ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "RankBuilder.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITREADSHARDINGS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// The shardings of a function's arguments and results.
class ShardingReader {
public:
  ShardingReader(func::FuncOp function, int64_t ranks, StringRef cuts)
      : cuts(cuts), function(function), ranks(ranks),
        inputs(function.getNumArguments(), "any"),
        results(function.getNumResults(), "any") {}

  LogicalResult read() {
    if (failed(checkPlaces()) || failed(readCuts()))
      return failure();
    SmallVector<shard::ShardOp> ops;
    function.walk([&](shard::ShardOp op) { ops.push_back(op); });
    for (shard::ShardOp op : ops)
      if (failed(read(op)))
        return failure();
    for (shard::ShardOp op : ops) {
      op.getResult().replaceAllUsesWith(op.getSrc());
      op.erase();
    }
    Builder b(function.getContext());
    function->setAttr(
        PITDialect::SplitsAttrHelper::getNameStr(),
        b.getDictionaryAttr(
            {b.getNamedAttr("inputs", b.getStrArrayAttr(getRefs(inputs))),
             b.getNamedAttr("results", b.getStrArrayAttr(getRefs(results)))}));
    return success();
  }

private:
  static SmallVector<StringRef> getRefs(ArrayRef<std::string> texts) {
    return {texts.begin(), texts.end()};
  }

  /// No other op of the dialect is for users.
  LogicalResult checkPlaces() {
    WalkResult result = function.walk([&](Operation *op) {
      if (!isa_and_nonnull<shard::ShardDialect>(op->getDialect()) ||
          isa<shard::ShardOp, shard::ShardingOp>(op))
        return WalkResult::advance();
      op->emitError(
          "is not part of a dense program: what ranks pass on follows "
          "from shardings of arguments and results");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Pairs of an argument and a dimension, or -1 for a whole.
  LogicalResult readCuts() {
    SmallVector<StringRef> pairs;
    if (function.isPublic())
      cuts.split(pairs, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef pair : pairs) {
      auto [argument, dim] = pair.split(':');
      int64_t number, along;
      if (argument.getAsInteger(10, number) || dim.getAsInteger(10, along) ||
          number < 0 || along < -1)
        return function.emitError("cannot read '")
               << pair << "': a cut is ARGUMENT:DIMENSION, or ARGUMENT:-1 for "
               << "a tensor that all ranks have";
      if (number >= int64_t(inputs.size()))
        return function.emitError("cannot cut argument ")
               << number << ": there are " << int64_t(inputs.size());
      auto type =
          dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
      Split split = Split::along(along);
      if (!type || along >= type.getRank())
        return function.emitError("cannot cut argument ")
               << number << " along dimension " << along << ": it is of type "
               << function.getArgumentTypes()[number];
      if (failed(checkParts(function, type, split)))
        return failure();
      inputs[number] = split.print();
    }
    return success();
  }

  LogicalResult checkParts(Operation *at, RankedTensorType type, Split split) {
    if (split.isCut() && !type.isDynamicDim(split.dim) &&
        type.getDimSize(split.dim) % ranks)
      return at->emitError("cannot cut ")
             << type.getDimSize(split.dim) << " elements along dimension "
             << split.dim << " of " << type << " into " << ranks
             << " equal parts";
    return success();
  }

  FailureOr<Split> getSplit(shard::ShardOp op) {
    shard::Sharding sharding(op.getSharding());
    if (!sharding.getStaticHaloSizes().empty() ||
        !sharding.getStaticShardedDimsOffsets().empty())
      return op.emitError("halos and parts of unequal size are not supported");
    auto type = cast<RankedTensorType>(op.getSrc().getType());
    Split split;
    for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes())) {
      if (axes.empty())
        continue;
      if (split.isCut())
        return op.emitError("a tensor is cut along one dimension at most");
      if (int64_t(dim) >= type.getRank())
        return op.emitError("cuts dimension ")
               << dim << " of a tensor of type " << type;
      split = {Split::Cut, int64_t(dim)};
    }
    if (failed(checkParts(op, type, split)))
      return failure();
    return split;
  }

  LogicalResult note(shard::ShardOp op, std::string &place, Split split) {
    std::string text = split.print();
    if (place != "any" && place != text)
      return op.emitError("the tensor has another sharding already: '")
             << place << "' and '" << text << "'";
    place = text;
    return success();
  }

  LogicalResult read(shard::ShardOp op) {
    FailureOr<Split> split = getSplit(op);
    if (failed(split))
      return failure();
    Value source = op.getSrc();
    while (auto inner = source.getDefiningOp<shard::ShardOp>())
      source = inner.getSrc();
    bool isKnown = false;
    Block &entry = function.getBody().front();
    if (auto argument = dyn_cast<BlockArgument>(source);
        argument && argument.getOwner() == &entry) {
      isKnown = true;
      if (failed(note(op, inputs[argument.getArgNumber()], *split)))
        return failure();
    } else {
      // A chain of these says of the value what its last one says of its use.
      SmallVector<Value> names{op.getResult()};
      for (unsigned i = 0; i < names.size(); ++i)
        for (OpOperand &use : names[i].getUses()) {
          if (auto outer = dyn_cast<shard::ShardOp>(use.getOwner()))
            names.push_back(outer.getResult());
          if (!isa<func::ReturnOp>(use.getOwner()))
            continue;
          isKnown = true;
          if (failed(note(op, results[use.getOperandNumber()], *split)))
            return failure();
        }
    }
    if (!isKnown)
      return op.emitError(
          "only arguments and results of functions are sharded; "
          "how ranks share what is in between follows");
    return success();
  }

  StringRef cuts;
  func::FuncOp function;
  int64_t ranks;
  SmallVector<std::string> inputs, results;
};

struct PITReadShardings : pit::impl::PITReadShardingsBase<PITReadShardings> {
  using PITReadShardingsBase::PITReadShardingsBase;

  void forget(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<shard::ShardOp, shard::ShardingOp, shard::GridOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (auto shard = dyn_cast<shard::ShardOp>(op))
        shard.getResult().replaceAllUsesWith(shard.getSrc());
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  LogicalResult read(ModuleOp module) {
    auto grids = llvm::to_vector(module.getOps<shard::GridOp>());
    if (grids.empty() && (cuts.empty() || ranks == 0)) {
      if (!cuts.empty())
        return module.emitError("arguments are cut, but there are no ranks");
      return success();
    }
    OpBuilder start = OpBuilder::atBlockBegin(module.getBody());
    if (grids.empty())
      grids.push_back(shard::GridOp::create(start, module.getLoc(), "pit_grid",
                                            ArrayRef<int64_t>{ranks}));
    if (grids.size() > 1)
      return grids[1].emitError("a program has one grid of ranks");
    if (grids[0].getRank() != 1 ||
        ShapedType::isDynamic(grids[0].getShape()[0]))
      return grids[0].emitError(
          "a grid of ranks has one dimension of a known size");
    int64_t count = ranks ? ranks : grids[0].getShape()[0];
    if (count < 1 || count > 64)
      return grids[0].emitError("cannot split a program over ")
             << count << " ranks: 1 to 64 are possible";
    SmallVector<shard::ShardingOp> shardings;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (failed(ShardingReader(function, count, cuts).read()))
        return failure();
      function.walk([&](shard::ShardingOp op) { shardings.push_back(op); });
    }
    for (shard::ShardingOp op : shardings)
      op.erase();
    Operation *other = module.lookupSymbol(kRankGrid);
    if (other && other != grids[0])
      return other->emitError("the module has a symbol '")
             << kRankGrid << "' already";
    OpBuilder b(grids[0]);
    shard::GridOp::create(b, grids[0].getLoc(), kRankGrid,
                          ArrayRef<int64_t>{count});
    grids[0].erase();
    return success();
  }

  void runOnOperation() override {
    if (drop)
      return forget(getOperation());
    if (failed(read(getOperation())))
      signalPassFailure();
  }
};
} // namespace
