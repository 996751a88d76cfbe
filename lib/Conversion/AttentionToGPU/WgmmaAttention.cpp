//===- WgmmaAttention.cpp - Attention with products by warpgroups ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After Shah et al., "FlashAttention-3: Fast and Accurate Attention with
// Asynchrony and Low-precision" (2024). One warpgroup loads, each of the others
// has 64 queries. Weights of a step stay in registers, as the rows of the
// second product; while that runs, and the first product of the next step, the
// weights of that are computed. K and V have rings of stages of their own, as V
// is read a step later.
//
// All warps walk the same steps, each on its own: which of them are dead
// follows from positions, and from summaries of masks.
//
//===----------------------------------------------------------------------===//

#include "WgmmaAttention.h"

#include "RowTile.h"
#include "WgmmaShape.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Kernel/RegisterWgmma.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;
using mlir::pit::hopper::MatrixDescriptor;
using mlir::pit::hopper::SharedLayout;

static constexpr unsigned kMostAxesOfMap = 5;

bool mlir::pit::attention::canUseTensorMaps(AttendOp op) {
  return llvm::all_of(llvm::seq(3u), [&](unsigned operand) {
    return cast<ShapedType>(op->getOperand(operand).getType()).getRank() <=
           kMostAxesOfMap;
  });
}

int64_t mlir::pit::attention::getWgmmaSharedBytes(AttendOp op,
                                                  AttentionPlanAttr plan) {
  return WgmmaShape(op, plan).getBytes();
}

namespace {

class WgmmaEmitter {
public:
  WgmmaEmitter(Problem &problem, AttentionPlanAttr plan, const Guards &guards,
               Summaries &summaries, Kernel &b);
  /// Returns how many blocks there are to be.
  Value run();

private:
  using Vector = SmallVector<Value>;
  /// A stage of a ring, and the phase of its barriers.
  struct Place {
    Value stage, phase;
  };

  Value createMap(unsigned operand, unsigned axis, int64_t rows);
  Value barrier(int64_t offset) { return b.advance(shared, offset); }
  Value barrier(int64_t offset, Value stage) {
    return b.advance(shared,
                     b.add(b.mul(stage, WgmmaShape::kBarrierBytes), offset));
  }
  Value truth(bool value) {
    return arith::ConstantOp::create(b, b.getBoolAttr(value));
  }
  Place advance(Place place);

  void initBarriers();
  void emitTile(Value tile);

  void emitProducer(StepWalk &walk);
  Place load(StepWalk &walk, Value all, Place place);
  void copyRows(unsigned operand, Value map, int64_t panels, int64_t rows,
                Value first, int64_t offset, Value stageOffset, Value barrier);

  void emitConsumer(StepWalk &walk, LogitEmitter &logits);
  Vector emitRun(StepWalk &walk, Value all, Place place);
  Vector emitSteps(StepWalk &walk, const StepWalk::Step &first,
                   ArrayRef<Value> state, Place place);
  Value issueScores(Place place);
  Value issueSums(Value sums, ArrayRef<Value> words, Place place);
  Vector pinned(Value accumulator, int64_t columns);
  Value pack(ArrayRef<Value> elements);
  void release(int64_t offset, Value stage);
  void takeTurn();
  void endTurn();

  Problem &problem;
  const Guards &guards;
  Summaries &summaries;
  Kernel &b;
  const WgmmaShape shape;
  Value maps[3];
  Value shared, address;
  /// Of the block: the numbers of its batch, and its first query.
  Vector batch;
  Value first;
  /// Of the thread: its warpgroup among those that multiply, and whether it is
  /// that one's first.
  Value consumer, isLeader;
  std::unique_ptr<RowTile> rows;
};

} // namespace

/// Registers of the warpgroup that loads: it walks steps, and reads summaries.
static constexpr unsigned kLoadingRegisters = 40, kLoadingForThree = 32;

WgmmaEmitter::WgmmaEmitter(Problem &problem, AttentionPlanAttr plan,
                           const Guards &guards, Summaries &summaries,
                           Kernel &b)
    : problem(problem), guards(guards), summaries(summaries), b(b),
      shape(problem.op, plan) {
  shared = b.dynamicShared(shape.getBytes());
  address = LLVM::PtrToIntOp::create(b, b.getI32Type(), shared);
  maps[Query] =
      b.tensorMap(createMap(Query, problem.getQueryAxis(), shape.queries));
  maps[Key] = b.tensorMap(createMap(Key, problem.getKeyAxis(), shape.keys));
  maps[Values] =
      b.tensorMap(createMap(Values, problem.getKeyAxis(), shape.keys));
}

/// The tensor map of an operand as axes of the batch, rows and elements, for
/// boxes of so many rows and a panel.
Value WgmmaEmitter::createMap(unsigned operand, unsigned axis, int64_t rows) {
  HostMath &host = problem.host;
  Value buffer = problem.op->getOperand(operand);
  auto type = cast<MemRefType>(buffer.getType());
  unsigned elements =
      operand == Values ? problem.op.getValueAxis() : problem.op.getScoreAxis();
  SmallVector<unsigned> axes;
  for (unsigned ofBatch = 0; ofBatch < problem.getNumBatchAxes(); ++ofBatch)
    axes.push_back(ofBatch);
  axes.append({axis, elements});
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<int64_t> box;
  for (unsigned number : axes) {
    std::optional<unsigned> dimension =
        problem.op.getDimension(operand, number);
    if (!dimension)
      continue;
    sizes.push_back(
        getAsOpFoldResult(sums::getExtent(host, buffer, *dimension)));
    strides.push_back(
        getAsOpFoldResult(getBufferStride(host, buffer, *dimension)));
    box.push_back(number == elements ? WgmmaShape::kPanel
                  : number == axis   ? rows
                                     : 1);
  }
  SmallVector<int64_t> unused;
  int64_t offset;
  (void)type.getStridesAndOffset(unused, offset);
  Value view = memref::ReinterpretCastOp::create(
      host, buffer, OpFoldResult(host.getIndexAttr(offset)), sizes, strides);
  return hopper::createTensorMapOf(host, view, box,
                                   nvgpu::TensorMapL2PromoKind::L2PROMO_256B);
}

WgmmaEmitter::Place WgmmaEmitter::advance(Place place) {
  Value stage = b.add(place.stage, 1);
  Value wraps = b.isEqual(stage, shape.stages);
  return {b.select(wraps, b.i32(0), stage),
          b.select(wraps, b.bitXor(place.phase, 1), place.phase)};
}

void WgmmaEmitter::initBarriers() {
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    for (int64_t stage = 0; stage < shape.stages; ++stage) {
      int64_t place = stage * WgmmaShape::kBarrierBytes;
      b.initBarrier(barrier(shape.getEmptyKeys() + place), shape.consumers);
      b.initBarrier(barrier(shape.getEmptyValues() + place), shape.consumers);
      b.initBarrier(barrier(shape.getFullKeys() + place), 1);
      b.initBarrier(barrier(shape.getFullValues() + place), 1);
    }
    b.initBarrier(barrier(shape.getFullQueries()), 1);
    b.storeShared(b.i32(0), barrier(shape.getAgain()), 4);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

//===----------------------------------------------------------------------===//
// The warpgroup that loads
//===----------------------------------------------------------------------===//

/// Copies rows from `first` on, panel by panel.
void WgmmaEmitter::copyRows(unsigned operand, Value map, int64_t panels,
                            int64_t rows, Value first, int64_t offset,
                            Value stageOffset, Value barrier) {
  int64_t panelBytes = rows * WgmmaShape::kRowBytes;
  b.arriveExpectingBytes(barrier, panels * panelBytes);
  for (int64_t panel = 0; panel < panels; ++panel) {
    Vector coordinates{b.i32(panel * WgmmaShape::kPanel), first};
    for (unsigned axis = problem.getNumBatchAxes(); axis-- > 0;)
      if (problem.op.getDimension(operand, axis))
        coordinates.push_back(batch[axis]);
    Value target = b.advance(
        b.advance(shared, b.add(stageOffset, panel * panelBytes)), offset);
    b.copyBox(target, map, barrier, coordinates);
  }
}

/// Fills the rings with the steps that live; returns where it stopped.
WgmmaEmitter::Place WgmmaEmitter::load(StepWalk &walk, Value all, Place place) {
  Value isFirst = b.isEqual(b.lane(), 0);
  auto [step, state] = walk.next(walk.begin(all));
  Vector carried = StepWalk::flatten(step);
  carried.append({place.stage, place.phase});
  llvm::append_range(carried, state);
  Vector after = b.whileLoop(
      carried,
      [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
      [&](ValueRange values) {
        StepWalk::Step step = StepWalk::restore(values);
        Place place{values[3], values[4]};
        Value row = b.mul(step.number, shape.keys);
        auto fill = [&](unsigned operand, int64_t empty, int64_t full,
                        int64_t panels, int64_t offset, int64_t bytes) {
          // All lanes wait, one of them loads.
          b.waitBarrier(barrier(empty, place.stage), b.bitXor(place.phase, 1));
          b.ifThen(isFirst, [&] {
            copyRows(operand, maps[operand], panels, shape.keys, row, offset,
                     b.mul(place.stage, bytes), barrier(full, place.stage));
          });
        };
        fill(Key, shape.getEmptyKeys(), shape.getFullKeys(),
             shape.getScorePanels(), shape.getKeys(), shape.getKeyBytes());
        fill(Values, shape.getEmptyValues(), shape.getFullValues(),
             shape.getValuePanels(), shape.getValues(), shape.getValueBytes());
        auto [later, state] = walk.next(values.drop_front(5));
        Place next = advance(place);
        Vector result = StepWalk::flatten(later);
        result.append({next.stage, next.phase});
        llvm::append_range(result, state);
        return result;
      });
  return {after[3], after[4]};
}

void WgmmaEmitter::emitProducer(StepWalk &walk) {
  b.setMaxRegisters(shape.consumers > 2 ? kLoadingForThree : kLoadingRegisters,
                    /*increase=*/false);
  Value isLoading = b.isLess(b.threadId(), b.i32(32));
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    copyRows(Query, maps[Query], shape.getScorePanels(), shape.queries, first,
             /*offset=*/0, b.i32(0), barrier(shape.getFullQueries()));
  });
  auto loadAll = [&](Value all, Place place) {
    Vector after = b.choose(
        isLoading,
        [&] {
          Place end = load(walk, all, place);
          return Vector{end.stage, end.phase};
        },
        [&] {
          return Vector{place.stage, place.phase};
        });
    return Place{after[0], after[1]};
  };
  Place start{b.i32(0), b.i32(0)};
  if (!guards.mayBeFinite) {
    loadAll(truth(false), start);
    return;
  }
  Place end = loadAll(truth(false), start);
  b.syncBlock();
  Value again = b.loadShared(barrier(shape.getAgain()), b.getI32Type(), 4);
  b.ifThen(b.compare(arith::CmpIPredicate::ne, again, b.i32(0)),
           [&] { loadAll(truth(true), end); });
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

/// Elements that are there once the wait before this is over.
WgmmaEmitter::Vector WgmmaEmitter::pinned(Value accumulator, int64_t columns) {
  Vector elements = b.getElements(accumulator, columns / 2);
  for (Value &element : elements)
    element = b.pin(element);
  return elements;
}

Value WgmmaEmitter::pack(ArrayRef<Value> elements) {
  Value accumulator =
      LLVM::UndefOp::create(b, b.accumulatorType(2 * elements.size()));
  for (auto [i, element] : llvm::enumerate(elements))
    accumulator = LLVM::InsertValueOp::create(b, accumulator, element,
                                              ArrayRef<int64_t>{int64_t(i)});
  return accumulator;
}

void WgmmaEmitter::release(int64_t offset, Value stage) {
  b.ifThen(isLeader, [&] { b.arrive(barrier(offset, stage)); });
}

// Warpgroups take turns at issuing products, so that while one of them weighs
// scores, the matrix units have those of another one. Each waits at a barrier
// of its own for the one before it; barrier 0 is the block's.

void WgmmaEmitter::takeTurn() {
  NVVM::BarrierOp::create(b, Type(), b.add(consumer, 1), b.i32(256),
                          NVVM::BarrierReductionAttr(), Value());
}

/// Passes the turn on.
void WgmmaEmitter::endTurn() {
  Value isLast = b.isEqual(consumer, shape.consumers - 1);
  NVVM::BarrierArriveOp::create(
      b, b.select(isLast, b.i32(1), b.add(consumer, 2)), b.i32(256));
}

/// The products of the warpgroup's queries with the keys of a stage.
Value WgmmaEmitter::issueScores(Place place) {
  constexpr int64_t kStepBytes = 32, kStepsOfPanel = 4;
  b.waitBarrier(barrier(shape.getFullKeys(), place.stage), place.phase);
  Value ofQueries =
      b.add(address, b.mul(consumer, WgmmaShape::kRowsOfWarpgroup *
                                         WgmmaShape::kRowBytes));
  Value ofKeys = b.add(b.add(address, shape.getKeys()),
                       b.mul(place.stage, shape.getKeyBytes()));
  MatrixDescriptor queries =
      b.matrixDescriptor(ofQueries, SharedLayout::KMajor);
  MatrixDescriptor keys = b.matrixDescriptor(ofKeys, SharedLayout::KMajor);
  Value scores = LLVM::UndefOp::create(b, b.accumulatorType(shape.keys));
  b.beginProducts();
  for (int64_t step = 0; step < shape.scoreWidth / 16; ++step) {
    int64_t panel = step / kStepsOfPanel,
            inPanel = step % kStepsOfPanel * kStepBytes;
    auto at = [&](MatrixDescriptor descriptor, int64_t rows) {
      return b.advanceDescriptor(
          descriptor, panel * rows * WgmmaShape::kRowBytes + inPanel);
    };
    scores =
        b.multiply(scores, at(queries, shape.queries), at(keys, shape.keys),
                   shape.keys, problem.getElement(), SharedLayout::KMajor,
                   SharedLayout::KMajor, /*overwrite=*/step == 0);
  }
  b.commitProducts();
  return scores;
}

/// Adds the products of weights with the values of a stage.
Value WgmmaEmitter::issueSums(Value sums, ArrayRef<Value> words, Place place) {
  constexpr int64_t kGroupBytes = 8 * WgmmaShape::kRowBytes,
                    kStepBytes = 16 * WgmmaShape::kRowBytes;
  constexpr unsigned kSwizzle128Bytes = 1;
  b.waitBarrier(barrier(shape.getFullValues(), place.stage), place.phase);
  Value ofValues = b.add(b.add(address, shape.getValues()),
                         b.mul(place.stage, shape.getValueBytes()));
  MatrixDescriptor values =
      b.matrixDescriptor(ofValues, shape.keys * WgmmaShape::kRowBytes,
                         kGroupBytes, kSwizzle128Bytes);
  b.beginProducts();
  for (int64_t step = 0; step < shape.keys / 16; ++step)
    sums = hopper::multiplyFromRegisters(
        b, sums, hopper::RegisterOperand(words.slice(4 * step, 4)),
        b.advanceDescriptor(values, step * kStepBytes), shape.valueWidth,
        problem.getElement(), SharedLayout::MNMajor);
  b.commitProducts();
  return sums;
}

static RowState getRowState(ValueRange values) {
  return {{values[0], values[1]}, {values[2], values[3]}};
}

static SmallVector<Value> flatten(const RowState &state) {
  return {state.top[0], state.top[1], state.sum[0], state.sum[1]};
}

/// From the first step on, which there is. Returns the rows' state, the sums,
/// and the place behind the last step.
WgmmaEmitter::Vector WgmmaEmitter::emitSteps(StepWalk &walk,
                                             const StepWalk::Step &first,
                                             ArrayRef<Value> state,
                                             Place place) {
  Value scores = issueScores(place);
  b.waitProducts(0);
  Vector elements = pinned(scores, shape.keys);
  release(shape.getEmptyKeys(), place.stage);
  RowTile::Weighed weighed =
      rows->weigh(walk, first, shape.keys, elements, OnlineSoftmax(b).begin());
  auto [second, afterFirst] = walk.next(state);
  size_t numState = afterFirst.size(), numWords = shape.keys / 4;
  // The step whose scores come next and its place; the weights, the place of
  // their values, and all sums, of the one before.
  Place next = advance(place);
  Vector carried = StepWalk::flatten(second);
  carried.append({next.stage, next.phase, place.stage, place.phase});
  llvm::append_range(carried, afterFirst);
  llvm::append_range(carried, rows->round(weighed.weights));
  llvm::append_range(carried, flatten(weighed.state));
  carried.push_back(b.zeroAccumulator(shape.valueWidth));
  constexpr size_t kHead = 7;
  Vector result = b.whileLoop(
      carried,
      [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
      [&](ValueRange values) {
        StepWalk::Step step = StepWalk::restore(values);
        Place ofKeys{values[3], values[4]}, ofValues{values[5], values[6]};
        ValueRange rest = values.drop_front(kHead + numState);
        Vector words(rest.take_front(numWords));
        RowState before = getRowState(rest.slice(numWords, 4));
        Value sums = rest.back();

        if (shape.consumers > 1)
          takeTurn();
        Value scores = issueScores(ofKeys);
        sums = issueSums(sums, words, ofValues);
        if (shape.consumers > 1)
          endTurn();
        b.waitProducts(1);
        Vector elements = pinned(scores, shape.keys);
        release(shape.getEmptyKeys(), ofKeys.stage);
        RowTile::Weighed weighed =
            rows->weigh(walk, step, shape.keys, elements, before);
        auto [later, state] = walk.next(values.slice(kHead, numState));
        // In front of the wait, not behind: the weights are computed while sums
        // are under way. Registers that products read are written behind it, or
        // the assembler lets products wait for each other.
        for (Value &weight : weighed.weights)
          weight = b.pin(weight);
        b.waitProducts(0);
        Vector rounded = rows->round(weighed.weights);
        Vector scaled = pinned(sums, shape.valueWidth);
        release(shape.getEmptyValues(), ofValues.stage);
        for (auto [i, sum] : llvm::enumerate(scaled))
          sum = arith::MulFOp::create(b, sum, weighed.shrinks[i % 4 / 2]);

        Place next = advance(ofKeys);
        Vector result = StepWalk::flatten(later);
        result.append({next.stage, next.phase, ofKeys.stage, ofKeys.phase});
        llvm::append_range(result, state);
        llvm::append_range(result, rounded);
        llvm::append_range(result, flatten(weighed.state));
        result.push_back(pack(scaled));
        return result;
      });
  ValueRange rest = ValueRange(result).drop_front(kHead + numState);
  Value sums = issueSums(rest.back(), Vector(rest.take_front(numWords)),
                         {result[5], result[6]});
  b.waitProducts(0);
  Vector elementsOfSums = pinned(sums, shape.valueWidth);
  release(shape.getEmptyValues(), result[5]);
  Vector after(rest.slice(numWords, 4));
  llvm::append_range(after, elementsOfSums);
  after.append({result[3], result[4]});
  return after;
}

/// All steps that live, or all there are.
WgmmaEmitter::Vector WgmmaEmitter::emitRun(StepWalk &walk, Value all,
                                           Place place) {
  auto [step, state] = walk.next(walk.begin(all));
  auto first = step;
  auto afterFirst = state;
  return b.choose(
      first.exists, [&] { return emitSteps(walk, first, afterFirst, place); },
      [&] {
        Vector none = flatten(OnlineSoftmax(b).begin());
        none.append(shape.valueWidth / 2,
                    arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f)));
        none.append({place.stage, place.phase});
        return none;
      });
}

void WgmmaEmitter::emitConsumer(StepWalk &walk, LogitEmitter &logits) {
  constexpr unsigned kForTwo = 232, kForThree = 160;
  b.setMaxRegisters(shape.consumers > 2 ? kForThree : kForTwo,
                    /*increase=*/true);
  // The same for a warp: descriptors stay in uniform registers.
  Value warp = b.broadcastFirstLane(b.warp());
  consumer = b.sub(b.shiftRight(warp, 2), 1);
  isLeader = b.isEqual(b.bitAnd(b.threadId(), 127), 0);
  rows = std::make_unique<RowTile>(b, problem, guards, logits, batch,
                                   b.add(first, b.mul(b.sub(warp, 4), 16)));
  b.waitBarrier(barrier(shape.getFullQueries()), b.i32(0));
  // The first turn is that of the first one.
  if (shape.consumers > 1)
    b.ifThen(b.isEqual(consumer, shape.consumers - 1), [&] { endTurn(); });
  Place start{b.i32(0), b.i32(0)};
  Vector result = emitRun(walk, truth(false), start);
  if (guards.mayBeFinite) {
    // Where a row turns out to have no live logit, dead ones are its weights:
    // then nothing is left out.
    b.ifThen(rows->hasDeadRow(getRowState(result)),
             [&] { b.storeShared(b.i32(1), barrier(shape.getAgain()), 4); });
    b.syncBlock();
    Value again = b.loadShared(barrier(shape.getAgain()), b.getI32Type(), 4);
    size_t numResults = result.size();
    Place end{result[numResults - 2], result[numResults - 1]};
    result = b.choose(
        b.compare(arith::CmpIPredicate::ne, again, b.i32(0)),
        [&] { return emitRun(walk, truth(true), end); },
        [&] { return result; });
  }
  rows->store(getRowState(result), ArrayRef(result).drop_front(4).drop_back(2));
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void WgmmaEmitter::emitTile(Value tile) {
  first = b.mul(tile, shape.queries);
  LogitEmitter logits(b, problem, guards, summaries, batch);
  TileStates states(b, problem, guards, summaries, logits, batch);
  StepWalk walk(b, problem, guards.guards.empty() ? nullptr : &states, tile,
                shape.queries, shape.keys);
  initBarriers();
  b.ifThenElse(
      b.isLess(b.threadId(), b.i32(128)), [&] { emitProducer(walk); },
      [&] { emitConsumer(walk, logits); });
}

Value WgmmaEmitter::run() {
  b.setBlocksAtOnce(1);
  return problem.forEachTile(b, shape.queries,
                             [&](ArrayRef<Value> ofBatch, Value tile) {
                               batch.assign(ofBatch.begin(), ofBatch.end());
                               emitTile(tile);
                             });
}

void mlir::pit::attention::launchWgmmaAttention(AttendOp op, HostMath &host,
                                                gpu::GPUModuleOp module,
                                                StringRef name) {
  AttentionPlanAttr plan = op.getPlanAttr();
  Problem problem(op, host);
  Guards guards = findGuards(op);
  Summaries summaries(problem, plan.getQueries(), plan.getKeys());
  summaries.launch(guards, module, (name + "_mask").str());
  Kernel b(module, op.getLoc(), name, WgmmaShape(op, plan).getThreads());
  Value blocks = WgmmaEmitter(problem, plan, guards, summaries, b).run();
  b.finish(host, blocks);
}
