//===- PlaceValues.cpp - What a sum adds at a chosen place ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<OpFoldResult> pit::getLoopExtents(OpBuilder &builder,
                                              linalg::GenericOp op) {
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  return llvm::map_to_vector(structured.createLoopRanges(builder, op.getLoc()),
                             [](const Range &range) { return range.size; });
}

/// What nobody needs of a body.
static void eraseDead(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<Operation *> all;
  for (Operation &inner : op.getBlock()->without_terminator())
    all.push_back(&inner);
  for (Operation *inner : llvm::reverse(all))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
}

PlaceValues::PlaceValues(RewriterBase &rewriter, const ChosenPlaces &chosen,
                         unsigned place)
    : rewriter(rewriter), chosen(chosen), place(place),
      loc(chosen.op->getLoc()) {
  rewriter.setInsertionPoint(chosen.op);
  sizes = getLoopExtents(rewriter, chosen.op);
  for (unsigned loop : chosen.dims)
    extents.push_back(
        getValueOrCreateConstantIndexOp(rewriter, loc, sizes[loop]));
  IRMapping mapping;
  op = cast<linalg::GenericOp>(rewriter.clone(*chosen.op, mapping));
  for (Operation *condition : chosen.places[place].conditions) {
    Operation *copy = mapping.lookup(condition);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(copy);
    Value holds = arith::ConstantIntOp::create(rewriter, loc, true, 1);
    rewriter.replaceAllUsesWith(copy->getResult(0), holds);
  }
  simplify();
  term = getTerm(op);
  rewriter.setInsertionPoint(chosen.op);
  hoist();
}

PlaceValues::~PlaceValues() { rewriter.eraseOp(op); }

/// Folds what follows from conditions, and drops what nobody needs.
void PlaceValues::simplify() {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation &inner :
       llvm::make_early_inc_range(op.getBlock()->without_terminator())) {
    rewriter.setInsertionPoint(&inner);
    SmallVector<Value> folded;
    if (isMemoryEffectFree(&inner) &&
        succeeded(rewriter.tryFold(&inner, folded)) && !folded.empty())
      rewriter.replaceOp(&inner, folded);
  }
  eraseDead(rewriter, op);
}

//===----------------------------------------------------------------------===//
// Parts of bodies
//===----------------------------------------------------------------------===//

PlaceValues::Slice PlaceValues::getSlice(linalg::GenericOp source,
                                         ArrayRef<Value> values) {
  Slice slice;
  SmallVector<Value> todo(values);
  while (!todo.empty()) {
    Value next = todo.pop_back_val();
    if (hoisted.contains(next)) {
      slice.hoisted.insert(next);
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() == source.getBlock())
        slice.arguments.insert(argument);
      continue;
    }
    Operation *def = next.getDefiningOp();
    if (def->getBlock() == source.getBlock() && slice.ops.insert(def))
      llvm::append_range(todo, def->getOperands());
  }
  return slice;
}

bool PlaceValues::needsPlace(linalg::GenericOp source, const Slice &slice) {
  return llvm::any_of(slice.ops,
                      [&](Operation *inner) {
                        auto index = dyn_cast<linalg::IndexOp>(inner);
                        return index &&
                               llvm::is_contained(chosen.dims,
                                                  unsigned(index.getDim()));
                      }) ||
         llvm::any_of(slice.arguments, [&](BlockArgument argument) {
           return runsAlongAny(source,
                               &source->getOpOperand(argument.getArgNumber()),
                               chosen.dims);
         });
}

/// Whether a value of the body depends on the loops of a place and its numbers
/// alone.
bool PlaceValues::isNarrow(Value value) {
  auto [entry, isNew] = narrow.try_emplace(value, true);
  if (!isNew)
    return entry->second;
  auto isOne = [&](unsigned loop) {
    return llvm::is_contained(chosen.dims, loop) ||
           llvm::is_contained(chosen.choosers, loop);
  };
  bool result = true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == op.getBlock()) {
      AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
      result = argument.getArgNumber() < op.getNumDpsInputs();
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        result &= !map.isFunctionOfDim(loop) || isOne(loop);
    }
  } else if (Operation *def = value.getDefiningOp();
             def->getBlock() == op.getBlock()) {
    auto index = dyn_cast<linalg::IndexOp>(def);
    result = index ? isOne(unsigned(index.getDim()))
                   : llvm::all_of(def->getOperands(), [&](Value operand) {
                       return isNarrow(operand);
                     });
  }
  narrow[value] = result;
  return result;
}

/// Computes once for each place what columns share, if it has to be read where
/// numbers say, or is more than an op or two.
void PlaceValues::hoist() {
  constexpr size_t kFewOps = 3;
  SetVector<Value> found;
  auto add = [&](Value value) {
    Operation *def = value.getDefiningOp();
    bool isInside =
        def ? def->getBlock() == op.getBlock()
            : cast<BlockArgument>(value).getOwner() == op.getBlock();
    if (!isInside || !isNarrow(value) || matchPattern(value, m_Constant()))
      return;
    Slice slice = getSlice(op, value);
    if (needsPlace(op, slice) || slice.ops.size() > kFewOps)
      found.insert(value);
  };
  if (isNarrow(term))
    add(term);
  for (Operation *inner : getSlice(op, term).ops)
    if (!isNarrow(inner->getResult(0)))
      for (Value operand : inner->getOperands())
        add(operand);
  SmallVector<std::pair<Value, Value>> tensors;
  for (Value value : found) {
    SmallVector<OpFoldResult> shape;
    for (unsigned loop : chosen.choosers)
      shape.push_back(sizes[loop]);
    Value init = tensor::EmptyOp::create(rewriter, loc, shape, value.getType());
    tensors.push_back(
        {value, build(op, chosen.choosers, value, init, /*asksIfThere=*/false,
                      [&](Body body) { return body.mapping.lookup(value); })});
  }
  for (auto [value, tensor] : tensors)
    hoisted[value] = tensor;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Value PlaceValues::computeTerm(ArrayRef<unsigned> loops, Value init,
                               bool asksIfThere, Finish finish) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(chosen.op);
  return build(op, loops, term, init, asksIfThere, [&](Body body) {
    return finish(body.builder, body.loc, body.mapping.lookupOrDefault(term),
                  body.isThere, body.before);
  });
}

std::optional<SmallVector<PlaceValues::Input>>
PlaceValues::getInputs(ArrayRef<unsigned> columns) {
  Slice slice = getSlice(op, term);
  if (needsPlace(op, slice) || llvm::any_of(slice.ops, [](Operation *inner) {
        return isa<linalg::IndexOp>(inner);
      }))
    return std::nullopt;
  SmallVector<unsigned> both(chosen.choosers);
  llvm::append_range(both, columns);
  SmallVector<Input> inputs;
  for (BlockArgument argument : slice.arguments) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto isOver = [&](ArrayRef<unsigned> loops) {
      return map == AffineMap::getMultiDimMapWithTargets(
                        op.getNumLoops(), loops, rewriter.getContext());
    };
    Input input{operand.get(), !isOver(columns), !isOver(chosen.choosers)};
    if (input.ofChoosers && input.ofColumns && !isOver(both))
      return std::nullopt;
    inputs.push_back(input);
  }
  for (Value value : slice.hoisted)
    inputs.push_back({hoisted[value], true, false});
  return inputs;
}

Value PlaceValues::emitTerm(OpBuilder &builder, ValueRange elements) {
  Slice slice = getSlice(op, term);
  IRMapping mapping;
  unsigned next = 0;
  for (BlockArgument argument : slice.arguments)
    mapping.map(argument, elements[next++]);
  for (Value value : slice.hoisted)
    mapping.map(value, elements[next++]);
  for (Operation &inner : op.getBlock()->without_terminator())
    if (slice.ops.contains(&inner))
      builder.clone(inner, mapping);
  return mapping.lookupOrDefault(term);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// An element where there is one: of a tensor without rows none is read.
Value PlaceValues::emitRead(OpBuilder &builder, Value tensor,
                            ArrayRef<Value> at, Value isThere) {
  bool hasRows = llvm::all_of(chosen.dims, [&](unsigned loop) {
    std::optional<int64_t> extent = getConstantIntValue(sizes[loop]);
    return extent && *extent > 0;
  });
  if (hasRows)
    return tensor::ExtractOp::create(builder, loc, tensor, at);
  return scf::IfOp::create(
             builder, loc, isThere,
             [&](OpBuilder &b, Location loc) {
               Value element = tensor::ExtractOp::create(b, loc, tensor, at);
               scf::YieldOp::create(b, loc, element);
             },
             [&](OpBuilder &b, Location loc) {
               Type type = getElementTypeOrSelf(tensor.getType());
               Value zero =
                   arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
               scf::YieldOp::create(b, loc, zero);
             })
      .getResult(0);
}

Value PlaceValues::build(linalg::GenericOp source, ArrayRef<unsigned> loops,
                         ArrayRef<Value> values, Value init, bool asksIfThere,
                         function_ref<Value(Body)> emit) {
  Slice slice = getSlice(source, values);
  bool isAtPlace = asksIfThere || needsPlace(source, slice);
  if (isAtPlace)
    computeNumbers();
  SmallVector<AffineExpr> renamed(source.getNumLoops(),
                                  rewriter.getAffineConstantExpr(0));
  for (auto [at, loop] : llvm::enumerate(loops))
    renamed[loop] = rewriter.getAffineDimExpr(unsigned(at));
  auto rename = [&](AffineMap map) {
    return map.replaceDimsAndSymbols(renamed, {}, unsigned(loops.size()), 0);
  };
  SmallVector<AffineExpr> ofChoosers;
  for (unsigned loop : chosen.choosers)
    ofChoosers.push_back(renamed[loop]);
  AffineMap choosersMap = AffineMap::get(unsigned(loops.size()), 0, ofChoosers,
                                         rewriter.getContext());

  SmallVector<Value> inputs, read;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> gathered;
  for (BlockArgument argument : slice.arguments) {
    OpOperand *operand = &source->getOpOperand(argument.getArgNumber());
    if (runsAlongAny(source, operand, chosen.dims)) {
      gathered.push_back(argument);
      continue;
    }
    inputs.push_back(operand->get());
    maps.push_back(rename(source.getMatchingIndexingMap(operand)));
    read.push_back(argument);
  }
  for (Value value : slice.hoisted) {
    inputs.push_back(hoisted[value]);
    maps.push_back(choosersMap);
    read.push_back(value);
  }
  if (isAtPlace)
    for (Value tensor : numberTensors) {
      inputs.push_back(tensor);
      maps.push_back(choosersMap);
    }
  maps.push_back(rewriter.getMultiDimIdentityMap(unsigned(loops.size())));

  auto emitBody = [&](OpBuilder &b, Location, ValueRange arguments) {
    IRMapping mapping;
    for (auto [value, argument] : llvm::zip(read, arguments))
      mapping.map(value, argument);
    llvm::SmallDenseMap<unsigned, Value> places;
    for (auto [at, loop] : llvm::enumerate(loops))
      places[loop] = linalg::IndexOp::create(b, loc, int64_t(at));
    Value isThere;
    if (isAtPlace)
      for (auto [i, loop] : llvm::enumerate(chosen.dims)) {
        Value number = arguments[read.size() + i];
        if (i == 0) {
          Value zero =
              arith::ConstantIntOp::create(b, loc, number.getType(), 0);
          isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                          number, zero);
          number = arith::MaxSIOp::create(b, loc, number, zero);
        }
        places[loop] =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
      }
    for (BlockArgument argument : gathered) {
      OpOperand *operand = &source->getOpOperand(argument.getArgNumber());
      SmallVector<Value> at;
      for (AffineExpr result :
           source.getMatchingIndexingMap(operand).getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(result);
        at.push_back(dim ? places[dim.getPosition()]
                         : arith::ConstantIndexOp::create(b, loc, 0));
      }
      mapping.map(argument, emitRead(b, operand->get(), at, isThere));
    }
    for (Operation &inner : source.getBlock()->without_terminator()) {
      if (!slice.ops.contains(&inner))
        continue;
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), places[unsigned(index.getDim())]);
      else
        b.clone(inner, mapping);
    }
    Value result = emit({b, loc, mapping, isThere, arguments.back()});
    linalg::YieldOp::create(b, loc, result);
  };
  SmallVector<utils::IteratorType> parallel(loops.size(),
                                            utils::IteratorType::parallel);
  auto built = linalg::GenericOp::create(rewriter, loc, init.getType(), inputs,
                                         init, maps, parallel, emitBody);
  // Positions that nobody asks for.
  eraseDead(rewriter, built);
  return built.getResult(0);
}
