//===- ShardExperts.cpp - Rows and experts over ranks ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program of one rank. All ranks build the same index of all rows and
// experts. A rank computes the segments of its own experts, whose packed
// positions are those of the whole program, and adds up its own rows. Sums of
// rows read the packed results of all ranks in place, position p at
//
//   rank of p * positions of a rank's tensor + p
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "RankBuilder.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/StringSwitch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSHARDEXPERTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
struct PITShardExperts : pit::impl::PITShardExpertsBase<PITShardExperts> {
  using PITShardExpertsBase::PITShardExpertsBase;

  RankSums form = RankSums::Rows;
  RankReduction reduction;

  /// Whether the program says how anything is shared.
  static bool isSharded(func::FuncOp function) {
    auto said = function->getAttrOfType<DictionaryAttr>(
        PITDialect::SplitsAttrHelper::getNameStr());
    if (!said)
      return false;
    for (StringRef name : {"inputs", "results"})
      if (auto texts = said.getAs<ArrayAttr>(name))
        for (StringRef text : texts.getAsValueRange<StringAttr>())
          if (text != "any")
            return true;
    return false;
  }

  /// A gate in all but the number of its experts.
  LogicalResult checkExperts(DetectOp op) {
    std::optional<Gate> gate = getGate(op);
    if (!gate)
      return success();
    if (ShapedType::isDynamic(gate->experts))
      return op.emitError("cannot be split over ranks: the number of experts "
                          "is not known");
    if (gate->experts % ranks)
      return op.emitError("cannot split ")
             << gate->experts << " experts over " << int64_t(ranks) << " ranks";
    return success();
  }

  LogicalResult shard(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("cannot be split over ranks: it has branches");
    Splits splits(function, ranks);
    if (!isSharded(function)) {
      bool hasGate = false;
      for (auto detect : function.getBody().front().getOps<DetectOp>()) {
        hasGate |= splits.isOfGate(detect.getIndex());
        if (failed(checkExperts(detect)))
          return failure();
      }
      if (!hasGate)
        return function.emitError(
            "cannot be split over ranks: no gate of experts is found in it, "
            "and no argument is sharded; products that are too small for a "
            "list are left dense, see the option 'least-us'");
    }
    if (failed(splits.find()))
      return failure();
    SmallVector<Type> inputs, results;
    for (Value argument : function.getArguments())
      inputs.push_back(splits.getType(argument));
    for (auto [i, value] : llvm::enumerate(
             function.getBody().front().getTerminator()->getOperands())) {
      if (splits.get(value).kind == Split::Packed)
        return function.emitError(
            "cannot be split over ranks: it returns packed results");
      results.push_back(splits.getType(value.getType(), splits.getResult(i)));
    }
    OpBuilder builder(function);
    auto made =
        func::FuncOp::create(builder, function.getLoc(), function.getName(),
                             builder.getFunctionType(inputs, results));
    if (Attribute rules = function->getAttr("pit.rules"))
      made->setAttr("pit.rules", rules);
    if (failed(RankBuilder(function, made, splits, ranks, form, reduction)
                   .build())) {
      made.erase();
      return failure();
    }
    noteSplits(function, made, splits);
    // Conditions on extents are those of the dense program.
    if (auto checks = function->getAttrOfType<FlatSymbolRefAttr>("pit.checks"))
      if (Operation *op =
              SymbolTable::lookupNearestSymbolFrom(function, checks))
        op->erase();
    function.erase();
    return success();
  }

  /// How the host cuts arguments, and puts results together.
  void noteSplits(func::FuncOp from, func::FuncOp made, const Splits &splits) {
    Builder builder(&getContext());
    SmallVector<Attribute> inputs, results;
    for (Value value : from.getArguments())
      inputs.push_back(builder.getStringAttr(splits.get(value).print()));
    for (unsigned i = 0; i < from.getNumResults(); ++i)
      results.push_back(builder.getStringAttr(splits.getResult(i).print()));
    made->setAttr(
        PITDialect::SplitsAttrHelper::getNameStr(),
        builder.getDictionaryAttr(
            {builder.getNamedAttr("inputs", builder.getArrayAttr(inputs)),
             builder.getNamedAttr("results", builder.getArrayAttr(results))}));
  }

  /// The number of ranks: the option's, or that of the grid.
  LogicalResult findRanks(ModuleOp module) {
    auto refuse = [&] {
      return module.emitError("cannot split a program over ")
             << int64_t(ranks) << " ranks: 1 to 64 are possible";
    };
    if (ranks < 0 || ranks > 64)
      return refuse();
    Operation *symbol = module.lookupSymbol(kRankGrid);
    auto grid = dyn_cast_or_null<shard::GridOp>(symbol);
    if (symbol && !grid)
      return module.emitError("the module has a symbol '")
             << kRankGrid << "' already";
    if (ranks == 0 && !grid)
      return success();
    if (grid &&
        (grid.getRank() != 1 || ShapedType::isDynamic(grid.getShape()[0])))
      return grid.emitError(
          "a grid of ranks has one dimension of a known size");
    if (ranks == 0)
      ranks = grid.getShape()[0];
    if (ranks < 1 || ranks > 64)
      return refuse();
    if (grid)
      grid.erase();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    shard::GridOp::create(builder, module.getLoc(), kRankGrid,
                          ArrayRef<int64_t>{ranks});
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto found = llvm::StringSwitch<std::optional<RankSums>>(sums)
                     .Case("rows", RankSums::Rows)
                     .Case("partial", RankSums::Partial)
                     .Case("rounded", RankSums::Rounded)
                     .Default(std::nullopt);
    if (!found) {
      module.emitError("cannot add up results of ranks by '")
          << sums << "': sums are rows, partial or rounded";
      return signalPassFailure();
    }
    form = *found;
    if (reduce != "ordered" && reduce != "nccl") {
      module.emitError("cannot add up partial results of ranks by '")
          << reduce << "': it is ordered or nccl";
      return signalPassFailure();
    }
    reduction.byHost = reduce == "nccl";
    reduction.leastBytes = gatherFrom;
    if (failed(findRanks(module)))
      return signalPassFailure();
    if (ranks == 0)
      return;
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (failed(shard(function)))
        return signalPassFailure();
  }
};
} // namespace
