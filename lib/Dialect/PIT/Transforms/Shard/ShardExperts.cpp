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

#include "RankLists.h"
#include "Splits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSHARDEXPERTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

constexpr StringLiteral kGrid = "ranks";

class RankBuilder {
public:
  RankBuilder(func::FuncOp from, func::FuncOp to, const Splits &splits,
              int64_t ranks)
      : from(from), splits(splits), ranks(ranks),
        b(from.getLoc(), from.getContext()) {
    Block *block = to.addEntryBlock();
    b.setInsertionPointToStart(block);
    for (auto [old, made] :
         llvm::zip_equal(from.getArguments(), block->getArguments()))
      parts[old] = made;
  }
  LogicalResult build();

private:
  LogicalResult buildTiled(TiledOp op);
  LogicalResult buildSum(TiledOp op, InvertOp inverse);
  /// Clones the op with a rank's operands; its results have the types of parts.
  Operation *cloneWith(Operation *op, ValueRange operands);

  /// The rank's part of a value, and all of it.
  Value part(Value value);
  Value whole(Value value);
  /// A scalar or an extent: of the whole program, or of the rank's part.
  Value scalar(Value value, bool ofWhole);
  /// Room for a result of the split.
  FailureOr<Value> room(Operation *op, Value init, Split split, bool ofWhole);
  Value rank();
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  Value ownIndex(Value index);
  /// The positions that the inverse lists, as rows of what ranks share.
  Value movedCoords(InvertOp inverse, Value pitch);

  func::FuncOp from;
  const Splits &splits;
  int64_t ranks;
  ImplicitLocOpBuilder b;
  DenseMap<Value, Value> parts, wholes, ownIndexes;
  DenseMap<std::pair<Value, unsigned>, Value> scalars;
  Value rankNumber;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RankBuilder::rank() {
  if (!rankNumber)
    rankNumber =
        shard::ProcessLinearIndexOp::create(b, b.getIndexType(), kGrid);
  return rankNumber;
}

Value RankBuilder::scalar(Value value, bool ofWhole) {
  Value &made = scalars[{value, ofWhole}];
  if (made)
    return made;
  Operation *op = value.getDefiningOp();
  if (!op)
    return made = parts.lookup(value);
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value tensor = ofWhole ? whole(dim.getSource()) : part(dim.getSource());
    Value number = scalar(dim.getIndex(), ofWhole);
    return scalars[{value, ofWhole}] = tensor::DimOp::create(b, tensor, number);
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand,
                isCheap(op) ? scalar(operand, ofWhole) : part(operand));
  Operation *clone = b.clone(*op, mapping);
  return scalars[{value, ofWhole}] =
             clone->getResult(cast<OpResult>(value).getResultNumber());
}

Value RankBuilder::part(Value value) {
  if (Value made = parts.lookup(value))
    return made;
  Operation *op = value.getDefiningOp();
  // What is made where it is needed, of the size that is needed there.
  if (isa<tensor::EmptyOp, linalg::FillOp>(op)) {
    Split split = splits.get(value);
    FailureOr<Value> made = room(op, value, split, /*ofWhole=*/!split.isCut());
    return failed(made) ? Value() : *made;
  }
  return scalar(value, /*ofWhole=*/false);
}

Value RankBuilder::whole(Value value) {
  Split split = splits.get(value);
  if (split.kind != Split::Rows)
    return part(value);
  Value &made = wholes[value];
  if (!made) {
    Value own = part(value);
    made = shard::AllGatherOp::create(b, value.getType(), kGrid,
                                      ArrayRef<int16_t>{0}, own,
                                      APInt(64, split.dim));
  }
  return made;
}

FailureOr<Value> RankBuilder::room(Operation *op, Value init, Split split,
                                   bool ofWhole) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    FailureOr<Value> empty = room(op, fill.getOutputs()[0], split, ofWhole);
    if (failed(empty))
      return failure();
    Value value = scalar(fill.getInputs()[0], ofWhole);
    return linalg::FillOp::create(b, value, *empty).getResult(0);
  }
  if (auto empty = init.getDefiningOp<tensor::EmptyOp>()) {
    SmallVector<Value> sizes;
    for (Value size : empty.getDynamicSizes())
      sizes.push_back(scalar(size, ofWhole));
    return tensor::EmptyOp::create(b, splits.getType(init.getType(), split),
                                   sizes)
        .getResult();
  }
  if (!parts.contains(init) || !(splits.get(init) == split)) {
    op->emitError("cannot be split over ranks: its result starts from a tensor "
                  "that is split otherwise");
    return failure();
  }
  return part(init);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// The segments of the rank's experts. Their positions stay those of the whole
/// index, so that its list of coordinates is theirs, too.
Value RankBuilder::ownIndex(Value index) {
  Value &made = ownIndexes[index];
  if (made)
    return made;
  Value all = part(index);
  auto type = cast<SparseIndexType>(index.getType());
  SmallVector<int64_t> extents(type.getExtents().asArrayRef());
  int64_t &experts = extents[1 - type.getCoordinate()];
  experts /= ranks;
  auto own = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr(extents), type.getCoordinate(),
      type.getTile(), type.getWidth());
  Value offsets = OffsetsOp::create(b, listOf(b.getI64Type()), all);
  Value coords =
      CoordsOp::create(b, listOf(b.getIntegerType(type.getWidth())), all);
  Value first = arith::MulIOp::create(b, rank(), constant(experts));
  SmallVector<Value> sizes;
  if (type.getExtents().asArrayRef()[type.getCoordinate()] ==
      ShapedType::kDynamic)
    sizes.push_back(
        ExtentOp::create(b, all, b.getI64IntegerAttr(type.getCoordinate())));
  made = AssembleOp::create(
      b, own, offsetsFrom(b, offsets, first, constant(experts)), coords, sizes);
  return made;
}

Value RankBuilder::movedCoords(InvertOp inverse, Value pitch) {
  auto type = cast<SparseIndexType>(inverse.getIndex().getType());
  auto of = cast<SparseIndexType>(inverse.getSource().getType());
  Value coords = CoordsOp::create(b, listOf(b.getIntegerType(type.getWidth())),
                                  part(inverse.getIndex()));
  Value offsets =
      OffsetsOp::create(b, listOf(b.getI64Type()), part(inverse.getSource()));
  int64_t experts = of.getExtents()[1 - of.getCoordinate()] / ranks;
  return movedPositions(b, coords, offsets, experts, ranks, pitch);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Operation *RankBuilder::cloneWith(Operation *op, ValueRange operands) {
  IRMapping mapping;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    mapping.map(value, part(value));
  Operation *clone = op->clone(mapping);
  clone->setOperands(operands);
  for (auto [result, old] :
       llvm::zip_equal(clone->getResults(), op->getResults())) {
    result.setType(splits.getType(old));
    parts[old] = result;
  }
  b.insert(clone);
  return clone;
}

LogicalResult RankBuilder::buildTiled(TiledOp op) {
  const bool isOwn = splits.isOwn(op);
  SmallVector<Value> operands{isOwn ? ownIndex(op.getIndex())
                                    : part(op.getIndex())};
  for (Value input : op.getInputs())
    operands.push_back(whole(input));
  for (auto [init, result] :
       llvm::zip_equal(op.getOutputs(), op.getResults())) {
    FailureOr<Value> made =
        room(op, init, splits.get(result), /*ofWhole=*/true);
    if (failed(made))
      return failure();
    operands.push_back(*made);
  }
  cloneWith(op, operands);
  return success();
}

LogicalResult RankBuilder::buildSum(TiledOp op, InvertOp inverse) {
  SparseIndexType type = op.getIndexType();
  Value positions, pitch;
  SmallVector<Value> inputs;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Split split = splits.get(input);
    if (split.kind != Split::Packed) {
      inputs.push_back(part(input));
      continue;
    }
    if (pitch)
      return op.emitError(
          "cannot be split over ranks: it reads packed results twice");
    auto packed = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(packed.getShape());
    shape[split.dim] = ShapedType::kDynamic;
    auto gather = shard::AllGatherOp::create(b, packed.clone(shape), kGrid,
                                             ArrayRef<int16_t>{0}, part(input),
                                             APInt(64, split.dim));
    gather->setAttr("pit.in_place", b.getUnitAttr());
    inputs.push_back(gather.getResult());
    positions =
        tensor::DimOp::create(b, gather.getResult(), constant(split.dim));
    pitch = arith::DivUIOp::create(b, positions, constant(ranks));
  }
  // Other operands that are read at positions follow.
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t listed = op.getOperandDims(i)[type.getCoordinate()];
    if (!pitch || listed < 0 || splits.get(input).kind == Split::Packed)
      continue;
    if (cast<RankedTensorType>(input.getType()).getRank() != 1)
      return op.emitError("cannot be split over ranks: it reads packed rows "
                          "that all ranks have");
    inputs[i] = repeated(b, inputs[i], pitch, positions);
  }
  Value all = part(op.getIndex());
  SmallVector<int64_t> extents(type.getExtents().asArrayRef());
  SmallVector<Value> sizes;
  Value rows;
  const int64_t segment = 1 - type.getCoordinate();
  if (extents[segment] == ShapedType::kDynamic)
    sizes.push_back(rows = scalar(inverse.getExtents()[0], /*ofWhole=*/false));
  else
    rows = constant(extents[segment] /= ranks);
  if (pitch)
    extents[type.getCoordinate()] = ShapedType::kDynamic;
  if (extents[type.getCoordinate()] == ShapedType::kDynamic)
    sizes.push_back(
        pitch ? positions
              : scalar(inverse.getExtents().back(), /*ofWhole=*/true));
  Value coords =
      pitch
          ? movedCoords(inverse, pitch)
          : CoordsOp::create(b, listOf(b.getIntegerType(type.getWidth())), all)
                .getResult();
  Value offsets = OffsetsOp::create(b, listOf(b.getI64Type()), all);
  Value first = arith::MulIOp::create(b, rank(), rows);
  auto own = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr(extents), type.getCoordinate(),
      type.getTile(), type.getWidth());
  SmallVector<Value> operands{AssembleOp::create(
      b, own, offsetsFrom(b, offsets, first, rows), coords, sizes)};
  llvm::append_range(operands, inputs);
  for (auto [init, result] :
       llvm::zip_equal(op.getOutputs(), op.getResults())) {
    FailureOr<Value> made =
        room(op, init, splits.get(result), /*ofWhole=*/false);
    if (failed(made))
      return failure();
    operands.push_back(*made);
  }
  cloneWith(op, operands);
  return success();
}

LogicalResult RankBuilder::build() {
  for (Operation &op : from.getBody().front()) {
    b.setLoc(op.getLoc());
    if (isCheap(&op))
      continue;
    if (auto tiled = dyn_cast<TiledOp>(op)) {
      InvertOp inverse = getInverse(tiled);
      if (failed(inverse ? buildSum(tiled, inverse) : buildTiled(tiled)))
        return failure();
      continue;
    }
    const bool ofIndex = isa<DetectOp, InvertOp>(op);
    SmallVector<Value> operands;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    for (OpOperand &use : op.getOpOperands()) {
      Value value = use.get();
      if (structured && structured.isDpsInit(&use)) {
        Split split = splits.get(structured.getTiedOpResult(&use));
        FailureOr<Value> made =
            room(&op, value, split, /*ofWhole=*/!split.isCut());
        if (failed(made))
          return failure();
        operands.push_back(*made);
      } else if (isa<IndexType>(value.getType())) {
        operands.push_back(scalar(value, ofIndex));
      } else {
        operands.push_back(ofIndex ? whole(value) : part(value));
      }
      if (!operands.back())
        return op.emitError("cannot be split over ranks");
    }
    cloneWith(&op, operands);
  }
  return success();
}

namespace {
struct PITShardExperts : pit::impl::PITShardExpertsBase<PITShardExperts> {
  using PITShardExpertsBase::PITShardExpertsBase;

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
    if (failed(RankBuilder(function, made, splits, ranks).build())) {
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
    if (module.lookupSymbol(kGrid)) {
      module.emitError("the module has a symbol '") << kGrid << "' already";
      return signalPassFailure();
    }
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    shard::GridOp::create(builder, module.getLoc(), kGrid,
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
