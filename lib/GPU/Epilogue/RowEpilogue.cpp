//===- RowEpilogue.cpp - Epilogue work while rows are stored --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEpilogue.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit::hopper;

//===----------------------------------------------------------------------===//
// Which functions have such a part
//===----------------------------------------------------------------------===//

/// The last op that rounds to the type, to nearest even.
static arith::TruncFOp findRounding(Block &body, Type type) {
  for (Operation &op : llvm::reverse(body))
    if (auto truncate = dyn_cast<arith::TruncFOp>(op);
        truncate && truncate.getType() == type &&
        truncate.getIn().getType().isF32() &&
        truncate.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) ==
            arith::RoundingMode::to_nearest_even)
      return truncate;
  return nullptr;
}

/// The ops of its block, which none has regions of, that an op is computed
/// from, and itself.
static DenseSet<Operation *> getOrigins(Operation *op) {
  DenseSet<Operation *> origins{op};
  for (Operation &before : llvm::reverse(
           llvm::make_range(op->getBlock()->begin(), op->getIterator())))
    if (llvm::any_of(before.getUsers(),
                     [&](Operation *user) { return origins.contains(user); }))
      origins.insert(&before);
  return origins;
}

std::shared_ptr<EpilogueFunction>
mlir::pit::hopper::splitAtRounding(EpilogueFunction &function, Type type) {
  Block &body = function.getBody();
  arith::TruncFOp rounding = findRounding(body, type);
  bool hasOneProduct =
      llvm::count_if(function.inputs, [](const EpilogueFunction::Input &input) {
        return input.isProduct;
      }) == 1;
  if (!rounding || !hasOneProduct)
    return nullptr;

  DenseSet<Operation *> before = getOrigins(rounding);
  auto isBefore = [&](Operation *op) { return before.contains(op); };
  auto canFollow = [&](const EpilogueFunction::Input &input) {
    if (input.isProduct)
      return false;
    const EpilogueOperand &operand = function.operands[input.number];
    return operand.rowStride != 0 && operand.columnStride == 0 &&
           !operand.isListed;
  };
  // Each is used on one side of the rounding.
  SmallVector<bool> follows;
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), function.inputs)) {
    follows.push_back(canFollow(input) && !argument.use_empty() &&
                      llvm::none_of(argument.getUsers(), isBefore));
    if (!follows.back() && !llvm::all_of(argument.getUsers(), isBefore))
      return nullptr;
  }
  if (!llvm::is_contained(follows, true))
    return nullptr;
  for (Operation *op : before)
    if (op != rounding && !op->hasTrait<OpTrait::ConstantLike>() &&
        !llvm::all_of(op->getUsers(), isBefore))
      return nullptr;

  auto split = std::make_shared<EpilogueFunction>();
  split->operands = function.operands;
  split->region = std::make_unique<Region>();
  split->rowRegion = std::make_unique<Region>();
  auto *first = new Block(), *second = new Block();
  split->region->push_back(first);
  split->rowRegion->push_back(second);
  IRMapping ofFirst, ofSecond;
  Location loc = rounding.getLoc();
  ofSecond.map(rounding.getResult(), second->addArgument(type, loc));
  for (auto [argument, input, isOfRow] :
       llvm::zip_equal(body.getArguments(), function.inputs, follows)) {
    Block *block = isOfRow ? second : first;
    (isOfRow ? ofSecond : ofFirst)
        .map(argument, block->addArgument(argument.getType(), loc));
    if (isOfRow)
      split->rowOperands.push_back(input.number);
    else
      split->inputs.push_back(input);
  }
  OpBuilder builder(rounding.getContext());
  for (Operation &op : body) {
    bool isConstant = op.hasTrait<OpTrait::ConstantLike>();
    if (isBefore(&op) && &op != rounding) {
      builder.setInsertionPointToEnd(first);
      builder.clone(op, ofFirst);
    }
    if (!isBefore(&op) || isConstant) {
      builder.setInsertionPointToEnd(second);
      builder.clone(op, ofSecond);
    }
  }
  builder.setInsertionPointToEnd(first);
  linalg::YieldOp::create(builder, loc, ofFirst.lookup(rounding.getIn()));
  return split;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

SmallVector<Value> RowEpilogue::load(KernelBuilder &b, ArrayRef<Value> pointers,
                                     Value numRows, TilePosition tile,
                                     Value row) const {
  if (tailM)
    row = b.minimum(row, b.sub(tile.end ? tile.end : numRows, 1));
  SmallVector<Value> operands;
  for (unsigned number : function->rowOperands) {
    const EpilogueOperand &operand = function->operands[number];
    int64_t bytes = operand.getBytes();
    Value pointer = b.advance(pointers[number],
                              b.mul(b.extend(row), operand.rowStride * bytes));
    if (Value offset = operand.getSegmentBytes(b, tile, numRows))
      pointer = b.advance(pointer, offset);
    operands.push_back(operand.load(b, pointer));
  }
  return operands;
}

Value RowEpilogue::apply(KernelBuilder &b, ArrayRef<Value> operands,
                         Value chunk) const {
  Type type = outputType;
  Block &body = function->getRowBody();
  auto chunkType = cast<VectorType>(chunk.getType());
  int64_t numValues = 2 * chunkType.getNumElements();
  Value values =
      LLVM::BitcastOp::create(b, VectorType::get({numValues}, type), chunk);
  SmallVector<Value> results;
  for (int64_t i = 0; i < numValues; ++i) {
    IRMapping mapping;
    mapping.map(body.getArgument(0),
                LLVM::ExtractElementOp::create(b, values, b.i32(i)));
    mapping.map(body.getArguments().drop_front(), operands);
    for (Operation &op : body.without_terminator())
      b.clone(op, mapping);
    results.push_back(
        mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
  }
  Value words = LLVM::UndefOp::create(b, chunkType);
  for (int64_t i = 0; i < numValues; i += 2)
    words = LLVM::InsertElementOp::create(
        b, words, b.packPair(results[i], results[i + 1], type), b.i32(i / 2));
  return words;
}
