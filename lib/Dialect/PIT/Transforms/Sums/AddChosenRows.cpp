//===- AddChosenRows.cpp - Sums of rows by where a number sends them ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of an embedding, written dense, has for each row of the result a
// sum over all tokens of those whose number is that of the row. Each token is
// in one of the sums at most: a loop over tokens adds each to its row, in the
// same order in which the sums are written, and visits each once.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITADDCHOSENROWS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
/// A sum over tokens of what an op chooses for a row. Dimensions are those of
/// the op that chooses.
struct ChosenRows {
  linalg::GenericOp sum, choose;
  unsigned row;
  /// In the order of the sum.
  SmallVector<unsigned> tokens;
  /// The row of a token, and what is added to it, in the body of `choose`.
  Value number, term;
  /// The dimensions of the result.
  SmallVector<unsigned> dims;
};
} // namespace

/// Whether a tensor has at each place along its one dimension the number of it.
static bool isOfNumbers(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumLoops() != 1 || op.getNumDpsInputs() != 0 ||
      !op.getIndexingMapsArray().front().isIdentity())
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  while (yielded.getDefiningOp<arith::IndexCastOp>())
    yielded = yielded.getDefiningOp()->getOperand(0);
  return yielded.getDefiningOp<linalg::IndexOp>() != nullptr;
}

/// The dimension whose index a value of the body is, perhaps as another type,
/// computed there or read.
static std::optional<unsigned> findIndexed(linalg::GenericOp op, Value value) {
  while (value.getDefiningOp<arith::IndexCastOp>())
    value = value.getDefiningOp()->getOperand(0);
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return unsigned(index.getDim());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs() ||
      !isOfNumbers(op.getDpsInputs()[argument.getArgNumber()]))
    return std::nullopt;
  AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
  if (!map.isProjectedPermutation())
    return std::nullopt;
  return cast<AffineDimExpr>(map.getResult(0)).getPosition();
}

/// What of the body a value is computed by, in order; none if something else is
/// in it than arithmetic, or if it depends on a dimension that is not kept.
static std::optional<SetVector<Operation *>>
findParts(linalg::GenericOp op, Value value, ArrayRef<unsigned> kept) {
  SetVector<Operation *> parts;
  SmallVector<Value> todo{value};
  while (!todo.empty()) {
    Value next = todo.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next);
        argument && argument.getOwner() == op.getBlock()) {
      if (argument.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
      for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
        if (map.isFunctionOfDim(dim) && !llvm::is_contained(kept, dim))
          return std::nullopt;
      continue;
    }
    Operation *def = next.getDefiningOp();
    if (!def || def->getBlock() != op.getBlock())
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(def)) {
      if (!llvm::is_contained(kept, index.getDim()))
        return std::nullopt;
    } else if (def->getNumRegions() != 0 || !isPure(def)) {
      return std::nullopt;
    }
    parts.insert(def);
    llvm::append_range(todo, def->getOperands());
  }
  return parts;
}

static std::optional<ChosenRows> match(linalg::GenericOp sum) {
  if (!sum.hasPureTensorSemantics() || sum.getNumReductionLoops() == 0 ||
      sum.getNumDpsInputs() != 1 || sum.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = sum.getBlock();
  Value yielded = body->getTerminator()->getOperand(0);
  Operation *add = yielded.getDefiningOp();
  if (!isa_and_present<arith::AddFOp>(add) || body->getOperations().size() != 2)
    return std::nullopt;
  Value first = add->getOperand(0), second = add->getOperand(1);
  bool addsUp =
      (first == body->getArgument(0) && second == body->getArgument(1)) ||
      (first == body->getArgument(1) && second == body->getArgument(0));
  auto choose = sum.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  AffineMap from = sum.getIndexingMapsArray()[0],
            to = sum.getIndexingMapsArray()[1];
  if (!addsUp || !choose || !choose->hasOneUse() ||
      !choose.hasPureTensorSemantics() || choose.getNumReductionLoops() != 0 ||
      choose->getNumResults() != 1 || !from.isPermutation() ||
      !choose.getIndexingMapsArray().back().isIdentity() ||
      !to.isProjectedPermutation())
    return std::nullopt;
  // A dimension of `choose` for each loop of the sum.
  SmallVector<unsigned> dimOf(from.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(from.getResults()))
    dimOf[cast<AffineDimExpr>(expr).getPosition()] = dim;
  SmallVector<unsigned> reductions;
  sum.getReductionDims(reductions);
  ChosenRows rows{sum, choose, 0, {}, {}, {}, {}};
  for (unsigned loop : reductions)
    rows.tokens.push_back(dimOf[loop]);
  for (AffineExpr expr : to.getResults())
    rows.dims.push_back(dimOf[cast<AffineDimExpr>(expr).getPosition()]);
  if (rows.dims.size() + rows.tokens.size() != from.getNumDims())
    return std::nullopt;

  auto select = choose.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
    return std::nullopt;
  for (bool isSwapped : {false, true}) {
    Value index = isSwapped ? compare.getRhs() : compare.getLhs();
    std::optional<unsigned> row = findIndexed(choose, index);
    if (!row || !llvm::is_contained(rows.dims, *row))
      continue;
    rows.row = *row;
    rows.number = isSwapped ? compare.getLhs() : compare.getRhs();
    rows.term = select.getTrueValue();
    SmallVector<unsigned> withoutRow(rows.tokens);
    for (unsigned dim : rows.dims)
      if (dim != rows.row)
        withoutRow.push_back(dim);
    if (findParts(choose, rows.number, rows.tokens) &&
        findParts(choose, rows.term, withoutRow))
      return rows;
  }
  return std::nullopt;
}

/// A tensor of a value of the body along some dimensions, in that order.
static Value extract(OpBuilder &builder, linalg::GenericOp op, Value value,
                     ArrayRef<unsigned> dims) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(builder, loc, op.getDpsInits()[0]);
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> renamed(all.size(), builder.getAffineConstantExpr(0));
  for (auto [place, dim] : llvm::enumerate(dims)) {
    sizes.push_back(all[dim]);
    renamed[dim] = builder.getAffineDimExpr(place);
  }
  SetVector<Operation *> parts = *findParts(op, value, dims);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> numbers;
  for (auto [number, input] : llvm::enumerate(op.getDpsInputs())) {
    BlockArgument argument = op.getBlock()->getArgument(number);
    bool isRead = argument == value ||
                  llvm::any_of(argument.getUsers(), [&](Operation *user) {
                    return parts.contains(user);
                  });
    if (!isRead)
      continue;
    AffineMap map = op.getIndexingMapsArray()[number];
    inputs.push_back(input);
    numbers.push_back(number);
    maps.push_back(map.replaceDimsAndSymbols(renamed, {}, dims.size(), 0));
  }
  maps.push_back(builder.getMultiDimIdentityMap(dims.size()));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, value.getType());
  SmallVector<utils::IteratorType> parallel(dims.size(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), inputs, empty, maps,
             parallel,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               IRMapping mapping;
               for (auto [place, number] : llvm::enumerate(numbers))
                 mapping.map(op.getBlock()->getArgument(number), args[place]);
               for (Operation &inner : op.getBlock()->without_terminator()) {
                 if (!parts.contains(&inner))
                   continue;
                 Operation *copy = nested.clone(inner, mapping);
                 if (auto index = dyn_cast<linalg::IndexOp>(copy))
                   index.setDim(llvm::find(dims, index.getDim()) -
                                dims.begin());
               }
               linalg::YieldOp::create(nested, loc,
                                       mapping.lookupOrDefault(value));
             })
      .getResult(0);
}

namespace {
/// Emits the loops over tokens, and what adds one of them to its row.
class RowAdder {
public:
  explicit RowAdder(ChosenRows &rows)
      : rows(rows), builder(rows.sum), loc(rows.sum.getLoc()) {}
  Value run();

private:
  Value cst(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value loopOver(unsigned depth, Value all);
  Value addToken(Value all);
  Value addRow(Value number, Value all);

  ChosenRows &rows;
  OpBuilder builder;
  Location loc;
  Value numbers, terms;
  /// Extents of the result, and which dimension of it is that of rows.
  SmallVector<OpFoldResult> sizes;
  size_t place = 0;
  /// The token.
  SmallVector<Value> ivs;
};
} // namespace

Value RowAdder::addRow(Value number, Value all) {
  auto type = cast<RankedTensorType>(all.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + place);
  auto rowType = RankedTensorType::get(shape, type.getElementType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);

  SmallVector<OpFoldResult> offsets(ivs.begin(), ivs.end()),
      lengths(ivs.size(), one);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (dim == place)
      continue;
    offsets.push_back(zero);
    lengths.push_back(size);
  }
  Value term = tensor::ExtractSliceOp::create(
      builder, loc, rowType, terms, offsets, lengths,
      SmallVector<OpFoldResult>(offsets.size(), one));
  SmallVector<OpFoldResult> at(sizes.size(), zero), extents(sizes),
      strides(sizes.size(), one);
  at[place] = number;
  extents[place] = one;
  Value before = tensor::ExtractSliceOp::create(builder, loc, rowType, all, at,
                                                extents, strides);
  AffineMap identity = builder.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> parallel(shape.size(),
                                            utils::IteratorType::parallel);
  auto add = [](OpBuilder &inner, Location loc, ValueRange args) {
    Value sum = arith::AddFOp::create(inner, loc, args[1], args[0]);
    linalg::YieldOp::create(inner, loc, sum);
  };
  Value after =
      linalg::GenericOp::create(builder, loc, TypeRange(rowType), term, before,
                                ArrayRef({identity, identity}), parallel, add)
          .getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, after, all, at, extents,
                                       strides);
}

Value RowAdder::addToken(Value all) {
  Value number = tensor::ExtractOp::create(builder, loc, numbers, ivs);
  if (!number.getType().isIndex())
    number = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        number);
  // What is no row is in no sum; negative numbers are large ones.
  Value count = getValueOrCreateConstantIndexOp(builder, loc, sizes[place]);
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        number, count);
  auto branch = scf::IfOp::create(builder, loc, all.getType(), isThere,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, addRow(number, all));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, all);
  return branch.getResult(0);
}

Value RowAdder::loopOver(unsigned depth, Value all) {
  if (depth == rows.tokens.size())
    return addToken(all);
  Value count = builder.createOrFold<tensor::DimOp>(loc, numbers, depth);
  auto loop = scf::ForOp::create(builder, loc, cst(0), count, cst(1), all);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ivs.push_back(loop.getInductionVar());
  Value after = loopOver(depth + 1, loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, after);
  return loop.getResult(0);
}

Value RowAdder::run() {
  numbers = extract(builder, rows.choose, rows.number, rows.tokens);
  SmallVector<unsigned> dims(rows.tokens);
  for (unsigned dim : rows.dims)
    if (dim != rows.row)
      dims.push_back(dim);
  terms = extract(builder, rows.choose, rows.term, dims);
  Value init = rows.sum.getDpsInits()[0];
  sizes = tensor::getMixedSizes(builder, loc, init);
  place = llvm::find(rows.dims, rows.row) - rows.dims.begin();
  return loopOver(0, init);
}

static void rewrite(ChosenRows &rows) {
  linalg::GenericOp sum = rows.sum;
  Value added = RowAdder(rows).run();
  remarks::passed(sum, remarks::kRules, "sums of chosen rows")
      << "adds each row to the one that its number says";
  linalg::GenericOp choose = rows.choose;
  sum.getResult(0).replaceAllUsesWith(added);
  sum.erase();
  choose.erase();
}

namespace {

struct PITAddChosenRows : pit::impl::PITAddChosenRowsBase<PITAddChosenRows> {
  void runOnOperation() override {
    SmallVector<ChosenRows> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<ChosenRows> rows = match(op))
        found.push_back(*rows);
    });
    for (ChosenRows &rows : found) {
      rewrite(rows);
      ++numSums;
    }
  }
};

} // namespace
