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

  LogicalResult shard(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("cannot be split over ranks: it has branches");
    bool hasIndex = false;
    function.walk([&](DetectOp) { hasIndex = true; });
    if (!hasIndex)
      return function.emitError(
          "cannot be split over ranks: no gate of experts is found in it");
    Splits splits(function, ranks);
    if (failed(splits.find()))
      return failure();
    SmallVector<Type> inputs, results;
    for (Value argument : function.getArguments())
      inputs.push_back(splits.getType(argument));
    for (Value value :
         function.getBody().front().getTerminator()->getOperands()) {
      if (splits.get(value).kind == Split::Packed)
        return function.emitError(
            "cannot be split over ranks: it returns packed results");
      results.push_back(splits.getType(value));
    }
    OpBuilder builder(function);
    auto made =
        func::FuncOp::create(builder, function.getLoc(), function.getName(),
                             builder.getFunctionType(inputs, results));
    if (Attribute rules = function->getAttr("pit.rules"))
      made->setAttr("pit.rules", rules);
    if (failed(RankBuilder(function, made, splits, ranks, form).build())) {
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
    auto text = [&](Value value) {
      Split split = splits.get(value);
      StringRef kind = split.kind == Split::Rows      ? "rows"
                       : split.kind == Split::Experts ? "experts"
                                                      : "whole";
      return builder.getStringAttr(split.isCut() ? kind + " " + Twine(split.dim)
                                                 : Twine(kind));
    };
    SmallVector<Attribute> inputs, results;
    for (Value value : from.getArguments())
      inputs.push_back(text(value));
    for (Value value : from.getBody().front().getTerminator()->getOperands())
      results.push_back(text(value));
    made->setAttr(
        "pit.splits",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("inputs", builder.getArrayAttr(inputs)),
             builder.getNamedAttr("results", builder.getArrayAttr(results))}));
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (ranks < 1 || ranks > 64) {
      module.emitError("cannot split a program over ")
          << int64_t(ranks) << " ranks: 1 to 64 are possible";
      return signalPassFailure();
    }
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
    if (module.lookupSymbol(kRankGrid)) {
      module.emitError("the module has a symbol '") << kRankGrid << "' already";
      return signalPassFailure();
    }
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    shard::GridOp::create(builder, module.getLoc(), kRankGrid,
                          ArrayRef<int64_t>{ranks});
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
