//===- ReductionLoops.cpp - Reductions in registers of the CPU ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Threads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

/// What a sum adds up before it is added to others: errors grow with the root
/// of that, and of how many of them there are.
static constexpr int64_t kMostOfLane = 1 << 9;
/// Sums of fewer elements are as exact without.
static constexpr int64_t kLong = 256;
/// Maxima of fewer are no faster side by side.
static constexpr int64_t kLongRow = 32;

/// Elements of a result that the loops from there on add up, if that is known.
static std::optional<int64_t> countElements(linalg::LinalgOp op,
                                            ArrayRef<unsigned> loops) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(extents[loop]))
      return std::nullopt;
    count *= extents[loop];
  }
  return count;
}

/// Whether elements of a result are neighbours in memory, and so many that each
/// has vectors of partial results; else neighbouring results are computed side
/// by side.
bool LoopLowering::hasLongRows() {
  std::optional<int64_t> count = countElements(op, order.back());
  if (!combiner || countScattered(order.back()) != 0)
    return false;
  // Sums of few elements, or of as many as are live, keep their order: what is
  // zero may be left out, and bits are the same.
  return combiner->dependsOnOrder() ? count && *count > kLong
                                    : !count || *count >= kLongRow;
}

/// Whether the loops from there on combine so many elements that partial
/// results are worth it.
bool LoopLowering::isLong(unsigned depth) const {
  if (!combiner || depth >= order.size())
    return false;
  bool isInner = depth + 1 == order.size(),
       isOfVectors = isInner && !jammedLoop;
  // Without rounding errors, only floats need help to become vectors.
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op->getOperands().back()));
  if (!combiner->dependsOnOrder() && (!isOfVectors || !isFloat))
    return false;
  std::optional<int64_t> count =
      countElements(op, ArrayRef(order).drop_front(depth));
  return !count || *count > (combiner->dependsOnOrder() ? kLong : kLongRow - 1);
}

/// An outer loop in chunks of about as many elements as a lane adds up.
void LoopLowering::emitChunks(
    unsigned depth, int64_t jam,
    MutableArrayRef<SmallVector<Value>> accumulators) {
  unsigned numResults = op.getNumDpsInits(), loop = order[depth];
  int64_t inside = countElements(op, ArrayRef(order).drop_front(depth + 1))
                       .value_or(kMostOfLane);
  Value chunk =
      cst(std::max<int64_t>(1, kMostOfLane / std::max<int64_t>(1, inside)));
  auto flatten = [&](ArrayRef<SmallVector<Value>> lists) {
    SmallVector<Value> values;
    for (const auto &list : lists)
      values.append(list);
    return values;
  };
  auto slice = [&](ValueRange values) {
    SmallVector<SmallVector<Value>> lists;
    for (int64_t copy = 0; copy < jam; ++copy)
      lists.push_back(
          llvm::to_vector(values.slice(copy * numResults, numResults)));
    return lists;
  };
  SmallVector<SmallVector<Value>> neutral(jam);
  for (auto &list : neutral)
    for (unsigned result = 0; result < numResults; ++result)
      list.push_back(arith::ConstantOp::create(builder, loc,
                                               combiner->getNeutral(result)));
  auto combine = [&](ArrayRef<SmallVector<Value>> left,
                     ArrayRef<SmallVector<Value>> right) {
    SmallVector<SmallVector<Value>> lists;
    for (auto [a, b] : llvm::zip_equal(left, right))
      lists.push_back(combiner->combine(builder, loc, a, b));
    return lists;
  };
  auto chunks = scf::ForOp::create(builder, loc, cst(0), extents[loop], chunk,
                                   flatten(neutral));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(chunks.getBody());
    Value first = chunks.getInductionVar();
    Value end = builder.createOrFold<arith::AddIOp>(loc, first, chunk);
    end = builder.createOrFold<arith::MinUIOp>(loc, end, extents[loop]);
    auto rows =
        scf::ForOp::create(builder, loc, first, end, cst(1), flatten(neutral));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(rows.getBody());
      ivs[loop] = rows.getInductionVar();
      SmallVector<SmallVector<Value>> carried = slice(rows.getRegionIterArgs());
      emitReductions(depth + 1, jam, carried);
      scf::YieldOp::create(builder, loc, flatten(carried));
    }
    SmallVector<SmallVector<Value>> sums =
        combine(slice(chunks.getRegionIterArgs()), slice(rows.getResults()));
    scf::YieldOp::create(builder, loc, flatten(sums));
  }
  SmallVector<SmallVector<Value>> results =
      combine(llvm::to_vector(accumulators), slice(chunks.getResults()));
  llvm::copy(results, accumulators.begin());
}

/// A loop over the innermost reduction that carries results of several steps
/// side by side: maxima of floats, which LLVM makes no vectors of in a loop,
/// but of which it does side by side.
void LoopLowering::emitSideBySide(unsigned depth,
                                  SmallVector<Value> &accumulators) {
  constexpr int64_t kLanes = 16;
  unsigned numResults = op.getNumDpsInits(), loop = order[depth];
  SmallVector<Value> neutral;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    for (unsigned result = 0; result < numResults; ++result)
      neutral.push_back(arith::ConstantOp::create(
          builder, loc, combiner->getNeutral(result)));
  auto slice = [&](ValueRange values, int64_t lane) {
    return llvm::to_vector(values.slice(lane * numResults, numResults));
  };
  auto emitCarried = [&](Value from, Value to, int64_t width,
                         ValueRange start) -> SmallVector<Value> {
    auto nest = scf::ForOp::create(builder, loc, from, to, cst(width), start);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    SmallVector<Value> next;
    for (int64_t lane = 0; lane < width; ++lane) {
      ivs[loop] = builder.createOrFold<arith::AddIOp>(
          loc, nest.getInductionVar(), cst(lane));
      llvm::append_range(next,
                         emitBody(0, slice(nest.getRegionIterArgs(), lane)));
    }
    scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector_of<Value>(nest.getResults());
  };
  Value rest =
      builder.createOrFold<arith::RemUIOp>(loc, extents[loop], cst(kLanes));
  Value whole = builder.createOrFold<arith::SubIOp>(loc, extents[loop], rest);
  SmallVector<Value> found = emitCarried(cst(0), whole, kLanes, neutral);
  SmallVector<SmallVector<Value>> parts;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    parts.push_back(slice(found, lane));
  parts[0] = emitCarried(whole, extents[loop], 1, parts[0]);
  for (int64_t count = kLanes / 2; count > 0; count /= 2)
    for (int64_t i = 0; i < count; ++i)
      parts[i] = combiner->combine(builder, loc, parts[i], parts[i + count]);
  accumulators = combiner->combine(builder, loc, accumulators, parts[0]);
}

/// Lets LLVM have vectors of partial sums.
static void allowVectors(Value sum) {
  Operation *combine = sum.getDefiningOp();
  if (auto op = dyn_cast_or_null<arith::ArithFastMathInterface>(combine))
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(
                    op->getContext(), op.getFastMathFlagsAttr().getValue() |
                                          arith::FastMathFlags::reassoc));
}

/// The innermost loop in chunks, each with sums of its own. That of one result
/// is made of vectors, those of `jam` results side by side are one each.
void LoopLowering::emitLongReduction(
    unsigned depth, int64_t jam,
    MutableArrayRef<SmallVector<Value>> accumulators) {
  constexpr int64_t kPartsOfVectors = 16;
  unsigned numResults = op.getNumDpsInits(), loop = order[depth];
  int64_t chunk = (jam == 1 ? kPartsOfVectors : 1) * kMostOfLane;
  Value extent = extents[loop];
  auto slice = [&](ValueRange values, int64_t copy) {
    return llvm::to_vector(values.slice(copy * numResults, numResults));
  };
  SmallVector<Value> neutral;
  for (int64_t copy = 0; copy < jam; ++copy)
    for (unsigned result = 0; result < numResults; ++result)
      neutral.push_back(arith::ConstantOp::create(
          builder, loc, combiner->getNeutral(result)));
  auto emitCarried =
      [&](Value from, Value to, int64_t step, ValueRange start,
          function_ref<SmallVector<Value>(Value, ValueRange)> body)
      -> SmallVector<Value> {
    auto nest = scf::ForOp::create(builder, loc, from, to, cst(step), start);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    scf::YieldOp::create(
        builder, loc, body(nest.getInductionVar(), nest.getRegionIterArgs()));
    return llvm::to_vector_of<Value>(nest.getResults());
  };
  auto combineAll = [&](ValueRange left, ValueRange right) {
    SmallVector<Value> all;
    for (int64_t copy = 0; copy < jam; ++copy)
      llvm::append_range(all, combiner->combine(builder, loc, slice(left, copy),
                                                slice(right, copy)));
    return all;
  };
  SmallVector<Value> sums = emitCarried(
      cst(0), extent, chunk, neutral, [&](Value first, ValueRange before) {
        Value end = builder.createOrFold<arith::AddIOp>(loc, first, cst(chunk));
        end = builder.createOrFold<arith::MinUIOp>(loc, end, extent);
        SmallVector<Value> partial = emitCarried(
            first, end, 1, neutral, [&](Value iv, ValueRange carried) {
              SmallVector<Value> next;
              ivs[loop] = iv;
              for (int64_t copy = 0; copy < jam; ++copy)
                llvm::append_range(next, emitBody(copy, slice(carried, copy)));
              if (jam == 1)
                llvm::for_each(next, allowVectors);
              return next;
            });
        return combineAll(before, partial);
      });
  for (int64_t copy = 0; copy < jam; ++copy)
    accumulators[copy] =
        combiner->combine(builder, loc, accumulators[copy], slice(sums, copy));
}

/// Whether the loops from there on are reductions around one along which
/// results are contiguous, and have as many elements.
bool LoopLowering::hasLongColumns(unsigned depth) const {
  linalg::LinalgOp structured = op;
  if (!combiner || !combiner->dependsOnOrder() || depth + 1 >= order.size() ||
      firstCarried != order.size())
    return false;
  SmallVector<utils::IteratorType> kinds = structured.getIteratorTypesArray();
  bool isInside = kinds[order.back()] == utils::IteratorType::parallel &&
                  kinds[order[depth]] == utils::IteratorType::reduction;
  if (!isInside ||
      (depth > 0 && kinds[order[depth - 1]] == utils::IteratorType::reduction))
    return false;
  ArrayRef<unsigned> loops = ArrayRef(order).drop_front(depth).drop_back();
  for (OpOperand &init : structured.getDpsInitsMutable())
    for (unsigned loop : loops)
      if (maps[init.getOperandNumber()].isFunctionOfDim(loop))
        return false;
  std::optional<int64_t> count = countElements(op, loops);
  return !count || *count > kLong;
}

/// Columns in pieces that fit into the first cache, and rows in chunks: partial
/// sums of a chunk are added to the results.
void LoopLowering::emitLongColumns(unsigned depth) {
  constexpr int64_t kColumns = 1024;
  unsigned inner = order.back(), outer = order[depth];
  linalg::LinalgOp structured = op;
  int64_t rows = kLong;
  for (unsigned loop : ArrayRef(order).drop_front(depth + 1).drop_back()) {
    int64_t extent = structured.getStaticLoopRanges()[loop];
    rows = ShapedType::isDynamic(extent) || extent == 0 ? 1 : rows / extent;
    rows = std::max<int64_t>(1, rows);
  }
  SmallVector<Value> buffers;
  {
    // Once for a call, however often the op is run.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(getStackBlock(builder));
    for (Value init : structured.getDpsInits())
      buffers.push_back(memref::AllocaOp::create(
          builder, loc,
          MemRefType::get({kColumns}, getElementTypeOrSelf(init))));
  }
  auto end = [&](Value first, int64_t count, unsigned loop) {
    Value last = builder.createOrFold<arith::AddIOp>(loc, first, cst(count));
    return builder.createOrFold<arith::MinUIOp>(loc, last, getLast(loop));
  };
  auto load = [&](Value place) {
    return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
      return memref::LoadOp::create(builder, loc, buffer, place);
    });
  };
  auto store = [&](ValueRange values, Value place) {
    for (auto [value, buffer] : llvm::zip_equal(values, buffers))
      memref::StoreOp::create(builder, loc, value, buffer, place);
  };
  emitLoop(getFirst(inner), getLast(inner), kColumns, [&](Value first) {
    Value last = end(first, kColumns, inner);
    auto forColumns = [&](function_ref<void(Value)> body) {
      emitLoop(first, last, 1, [&](Value column) {
        ivs[inner] = column;
        body(builder.createOrFold<arith::SubIOp>(loc, column, first));
      });
    };
    std::function<void(unsigned)> emitRows = [&](unsigned at) {
      if (at + 1 == order.size())
        return forColumns(
            [&](Value place) { store(emitBody(0, load(place)), place); });
      emitLoop(cst(0), extents[order[at]], 1, [&](Value iv) {
        ivs[order[at]] = iv;
        emitRows(at + 1);
      });
    };
    emitLoop(cst(0), extents[outer], rows, [&](Value begin) {
      forColumns([&](Value place) {
        SmallVector<Value> neutral;
        for (unsigned i = 0; i < buffers.size(); ++i)
          neutral.push_back(
              arith::ConstantOp::create(builder, loc, combiner->getNeutral(i)));
        store(neutral, place);
      });
      emitLoop(begin, end(begin, rows, outer), 1, [&](Value iv) {
        ivs[outer] = iv;
        emitRows(depth + 1);
      });
      forColumns([&](Value place) {
        SmallVector<Value> before;
        for (unsigned i = 0; i < buffers.size(); ++i)
          before.push_back(loadOperand(op.getNumDpsInputs() + i, 0));
        storeResults(0, combiner->combine(builder, loc, before, load(place)));
      });
    });
  });
}

/// Whether the loops from there on are reductions of few elements around one
/// along which results are neighbours.
bool LoopLowering::hasFewTaps(unsigned depth) const {
  constexpr int64_t kMostTaps = 64;
  linalg::LinalgOp structured = op;
  if (depth + 1 >= order.size() || firstCarried != order.size())
    return false;
  SmallVector<utils::IteratorType> kinds = structured.getIteratorTypesArray();
  ArrayRef<unsigned> loops = ArrayRef(order).drop_front(depth).drop_back();
  bool isAround = kinds[order.back()] == utils::IteratorType::parallel &&
                  llvm::all_of(loops, [&](unsigned loop) {
                    return kinds[loop] == utils::IteratorType::reduction;
                  });
  for (OpOperand &init : structured.getDpsInitsMutable())
    for (unsigned loop : loops)
      isAround &= !maps[init.getOperandNumber()].isFunctionOfDim(loop);
  std::optional<int64_t> count = countElements(op, loops);
  return isAround && count && *count > 0 && *count <= kMostTaps;
}

/// All elements of a result in the body of the loop over results, which is made
/// of vectors: each is loaded and stored once.
void LoopLowering::emitFewTaps(unsigned depth) {
  linalg::LinalgOp structured = op;
  ArrayRef<unsigned> loops = ArrayRef(order).drop_front(depth).drop_back();
  SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
  unsigned inner = order.back();
  emitLoop(getFirst(inner), getLast(inner), 1, [&](Value iv) {
    ivs[inner] = iv;
    SmallVector<Value> results;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      results.push_back(loadOperand(op.getNumDpsInputs() + i, 0));
    std::function<void(size_t)> emitTaps = [&](size_t at) {
      if (at == loops.size()) {
        results = emitBody(0, results);
        return;
      }
      for (int64_t tap = 0; tap < ranges[loops[at]]; ++tap) {
        ivs[loops[at]] = cst(tap);
        emitTaps(at + 1);
      }
    };
    emitTaps(0);
    storeResults(0, results);
  });
}

/// The carried reduction loops: `accumulators` holds one list per side-by-side
/// copy, and is replaced by the results.
void LoopLowering::emitReductions(
    unsigned depth, int64_t jam,
    MutableArrayRef<SmallVector<Value>> accumulators) {
  if (depth == order.size()) {
    for (int64_t copy = 0; copy < jam; ++copy)
      accumulators[copy] = emitBody(copy, accumulators[copy]);
    return;
  }
  if (isLong(depth)) {
    if (depth + 1 == order.size() && jam == 1 && !combiner->dependsOnOrder())
      emitSideBySide(depth, accumulators[0]);
    else if (depth + 1 == order.size())
      emitLongReduction(depth, jam, accumulators);
    else
      emitChunks(depth, jam, accumulators);
    return;
  }
  SmallVector<Value> init;
  for (const auto &values : accumulators)
    init.append(values);
  auto loop = scf::ForOp::create(builder, loc, cst(0), extents[order[depth]],
                                 cst(1), init);
  auto split = [&](ValueRange values) {
    unsigned perCopy = op.getNumDpsInits();
    for (int64_t copy = 0; copy < jam; ++copy)
      accumulators[copy] =
          llvm::to_vector(values.slice(copy * perCopy, perCopy));
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ivs[order[depth]] = loop.getInductionVar();
    split(loop.getRegionIterArgs());
    emitReductions(depth + 1, jam, accumulators);
    SmallVector<Value> yielded;
    for (const auto &values : accumulators)
      yielded.append(values);
    scf::YieldOp::create(builder, loc, yielded);
  }
  split(loop.getResults());
}

void LoopLowering::emitJammed(unsigned depth, int64_t jam) {
  SmallVector<SmallVector<Value>> accumulators(jam);
  unsigned numInputs = op.getNumDpsInputs();
  for (int64_t copy = 0; copy < jam; ++copy)
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      accumulators[copy].push_back(loadOperand(numInputs + i, copy));
  emitReductions(depth, jam, accumulators);
  for (int64_t copy = 0; copy < jam; ++copy)
    storeResults(copy, accumulators[copy]);
}
