//===- ReductionKernel.cpp - Kernels of a reduction -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the inner loop is reduced over, the lanes of a warp or the threads of a
// block take vectors of one result side by side, and combine what they have by
// exchanges between lanes, then through shared memory. Where it is one of
// results, lanes have neighbouring ones, and threads that have the same ones
// combine them in shared memory.
//
// A thread has as many partial results as a vector has elements, threads are
// combined as a tree, and parts of one result, which several blocks have, by
// another kernel: always the same way, so that bits are the same in each run,
// and sums have about the error of pairwise ones (Higham, "The accuracy of
// floating point summation", 1993).
//
//===----------------------------------------------------------------------===//

#include "ReductionKernel.h"

#include "GPU/Lists/RowAccess.h"
#include "ReductionAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

namespace {

constexpr int64_t kWarpLanes = 32;
/// For what a warp has found, of up to 64 bits.
constexpr int64_t kSlotBytes = 8;

class ReductionEmitter {
public:
  ReductionEmitter(const Reduction &reduction, RowPlanAttr plan,
                   const Parts &parts, HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  /// Partial results: for each element of a vector, one for each result.
  using Results = SmallVector<SmallVector<Value>>;

  void emitRows(Kernel &b);
  void emitColumns(Kernel &b);
  SmallVector<Value> getStart(Kernel &b, ArrayRef<Value> ivs);
  Results accumulate(Kernel &b, ArrayRef<Value> ivs, Value begin, Value end,
                     Value lane, int64_t lanes, const Results &start);
  SmallVector<Value> addRest(Kernel &b, SmallVector<Value> ivs, Value part,
                             Value lane, SmallVector<Value> result);
  SmallVector<Value> at(Kernel &b, ArrayRef<Value> ivs, Value position);
  Results add(Kernel &b, ArrayRef<Value> ivs, const Loads &loads,
              const Results &before);
  SmallVector<Value> combine(Kernel &b, ValueRange left, ValueRange right) {
    return reduction.combiner.combine(b, b.getLoc(), left, right);
  }
  SmallVector<Value> combineVector(Kernel &b, Results results);
  SmallVector<Value> combineWarps(Kernel &b, SmallVector<Value> result);
  Results combineRows(Kernel &b, Results results, Value row);
  void store(Kernel &b, ArrayRef<Value> ivs, Value part,
             SmallVector<Value> result);
  Results group(ArrayRef<Value> values) const;

  const Reduction &reduction;
  RowPlanAttr plan;
  const Parts &parts;
  HostMath &host;
  ReductionAccess access;
  int64_t vector;
  /// What the inner loop has, in vectors where it is reduced over, and all
  /// that is reduced over together; values of the host.
  Value positions;
  /// Where threads leave what they found, for each result.
  SmallVector<Value> shared;
};

} // namespace

ReductionEmitter::ReductionEmitter(const Reduction &reduction, RowPlanAttr plan,
                                   const Parts &parts, HostMath &host)
    : reduction(reduction), plan(plan), parts(parts), host(host),
      access(reduction, plan.getVector(), parts, host),
      vector(plan.getVector()), positions(access.countPositions()) {}

ReductionEmitter::Results
ReductionEmitter::group(ArrayRef<Value> values) const {
  unsigned numResults = reduction.starts.size();
  Results results;
  for (size_t first = 0; first < values.size(); first += numResults)
    results.emplace_back(values.slice(first, numResults));
  return results;
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

/// What a thread starts from: nothing, or of an arg-max what was there.
SmallVector<Value> ReductionEmitter::getStart(Kernel &b, ArrayRef<Value> ivs) {
  SmallVector<Value> start;
  for (unsigned i = 0; i < reduction.starts.size(); ++i)
    start.push_back(
        reduction.combiner.isArgument()
            ? access.loadStart(b, i, ivs)
            : arith::ConstantOp::create(b, reduction.combiner.getNeutral(i))
                  .getResult());
  return start;
}

/// The loops' numbers at a position of all that is reduced over.
SmallVector<Value> ReductionEmitter::at(Kernel &b, ArrayRef<Value> ivs,
                                        Value position) {
  SmallVector<Value> moved(ivs);
  access.delinearize(b, position, reduction.reductions, moved);
  if (reduction.isAlongInner)
    moved[reduction.getInner()] = b.mul(moved[reduction.getInner()], vector);
  return moved;
}

ReductionEmitter::Results ReductionEmitter::add(Kernel &b, ArrayRef<Value> ivs,
                                                const Loads &loads,
                                                const Results &before) {
  Results results;
  for (auto [i, result] : llvm::enumerate(before)) {
    SmallVector<Value> moved(ivs);
    moved[reduction.getInner()] = b.add(moved[reduction.getInner()], i);
    results.push_back(access.emitBody(b, loads, i, result, moved));
  }
  return results;
}

/// Adds up what a lane has of the positions from `begin` to `end`, as many
/// loads at a time as planned.
ReductionEmitter::Results
ReductionEmitter::accumulate(Kernel &b, ArrayRef<Value> ivs, Value begin,
                             Value end, Value lane, int64_t lanes,
                             const Results &start) {
  int64_t unroll = plan.getUnroll(), step = lanes * unroll;
  auto flatten = [](const Results &results) {
    SmallVector<Value> values;
    for (const auto &result : results)
      llvm::append_range(values, result);
    return values;
  };
  // With `limit`, what is not below is loaded from `begin`, and not added.
  auto addSeveral = [&](Value first, Results results, Value limit) {
    SmallVector<std::pair<SmallVector<Value>, Loads>> loaded;
    SmallVector<Value> isInside;
    for (int64_t i = 0; i < unroll; ++i) {
      Value position = b.add(first, i * lanes);
      if (limit) {
        isInside.push_back(b.isLess(position, limit));
        position = b.select(isInside.back(), position, begin);
      }
      SmallVector<Value> moved = at(b, ivs, position);
      Loads loads = access.load(b, moved, vector);
      loaded.emplace_back(std::move(moved), std::move(loads));
    }
    for (auto [i, entry] : llvm::enumerate(loaded)) {
      Results next = add(b, entry.first, entry.second, results);
      if (limit)
        for (auto [one, before] : llvm::zip_equal(next, results))
          for (auto [value, old] : llvm::zip_equal(one, before))
            value = b.select(isInside[i], value, old);
      results = std::move(next);
    }
    return results;
  };
  Value whole = b.add(begin, b.mul(b.divide(b.sub(end, begin), step), step));
  SmallVector<Value> values =
      b.forLoop(begin, whole, b.i64(step), flatten(start),
                [&](Value first, ValueRange carried) {
                  return flatten(addSeveral(b.add(first, lane),
                                            group(SmallVector<Value>(carried)),
                                            /*limit=*/{}));
                });
  values = b.choose(
      b.isLess(whole, end),
      [&] {
        return flatten(addSeveral(b.add(whole, lane), group(values), end));
      },
      [&] { return values; });
  return group(values);
}

/// Elements behind the last vector, which a thread each of the last part adds.
SmallVector<Value> ReductionEmitter::addRest(Kernel &b, SmallVector<Value> ivs,
                                             Value part, Value lane,
                                             SmallVector<Value> result) {
  unsigned inner = reduction.getInner();
  Value extent = b.number(access.getExtent(inner), 64);
  Value first = b.mul(b.divide(extent, vector), vector);
  if (std::optional<int64_t> known = detect::getKnown(access.getExtent(inner));
      known && *known % vector == 0)
    return result;
  ivs[inner] = b.add(first, lane);
  Value isLast = b.compare(arith::CmpIPredicate::eq, b.add(part, 1),
                           b.number(parts.count, 64));
  Value exists = b.bitAnd(isLast, b.isLess(ivs[inner], extent));
  return b.choose(
      exists,
      [&] {
        Loads loads = access.load(b, ivs, /*length=*/1);
        return access.emitBody(b, loads, 0, result, ivs);
      },
      [&] { return result; });
}

//===----------------------------------------------------------------------===//
// Several threads
//===----------------------------------------------------------------------===//

SmallVector<Value> ReductionEmitter::combineVector(Kernel &b, Results results) {
  for (size_t count = results.size() / 2; count > 0; count /= 2)
    for (size_t i = 0; i < count; ++i)
      results[i] = combine(b, results[i], results[i + count]);
  return results[0];
}

/// Of all warps of the block, which each have one result; the same for all.
SmallVector<Value> ReductionEmitter::combineWarps(Kernel &b,
                                                  SmallVector<Value> result) {
  b.ifThen(b.isEqual(b.lane(), 0), [&] {
    for (auto [buffer, value] : llvm::zip_equal(shared, result))
      storeElement(b, value, b.element(buffer, b.warp(), kSlotBytes));
  });
  b.syncBlock();
  SmallVector<SmallVector<Value>> ofWarps;
  for (int64_t i = 0; i < plan.getThreads() / kWarpLanes; ++i) {
    SmallVector<Value> values;
    for (auto [buffer, value] : llvm::zip_equal(shared, result))
      values.push_back(
          loadElement(b, b.advance(buffer, kSlotBytes * i), value.getType()));
    ofWarps.push_back(values);
  }
  // Before the next ones are left there.
  b.syncBlock();
  while (ofWarps.size() > 1) {
    SmallVector<SmallVector<Value>> pairs;
    for (size_t i = 0; i + 1 < ofWarps.size(); i += 2)
      pairs.push_back(combine(b, ofWarps[i], ofWarps[i + 1]));
    if (ofWarps.size() % 2 == 1)
      pairs.push_back(ofWarps.back());
    ofWarps = std::move(pairs);
  }
  return ofWarps[0];
}

/// Of threads that have the same columns, which the first row of threads gets.
ReductionEmitter::Results
ReductionEmitter::combineRows(Kernel &b, Results results, Value row) {
  int64_t threads = plan.getThreads(), ofRow = plan.getThreadsOfRow();
  auto address = [&](unsigned result, unsigned element, Value thread) {
    int64_t bytes = getBytes(results[element][result].getType());
    return b.element(shared[result], b.add(thread, element * threads), bytes);
  };
  auto storeAll = [&](const Results &all) {
    for (auto [i, ofElement] : llvm::enumerate(all))
      for (auto [j, value] : llvm::enumerate(ofElement))
        storeElement(b, value, address(j, i, b.threadId()));
  };
  auto loadAll = [&](Value thread) {
    Results all;
    for (auto [i, ofElement] : llvm::enumerate(results)) {
      SmallVector<Value> values;
      for (auto [j, value] : llvm::enumerate(ofElement))
        values.push_back(
            loadElement(b, address(j, i, thread), value.getType()));
      all.push_back(values);
    }
    return all;
  };
  // Of the unit before, all must have been read.
  b.syncBlock();
  storeAll(results);
  b.syncBlock();
  for (int64_t count = plan.getRows() / 2; count > 0; count /= 2) {
    b.ifThen(b.isLess(row, b.i32(count)), [&] {
      Results mine = loadAll(b.threadId()),
              others = loadAll(b.add(b.threadId(), count * ofRow));
      for (auto [one, other] : llvm::zip_equal(mine, others))
        one = combine(b, one, other);
      storeAll(mine);
    });
    b.syncBlock();
  }
  return loadAll(b.threadId());
}

/// One result: of a part to where parts are, else combined with what the op
/// starts from.
void ReductionEmitter::store(Kernel &b, ArrayRef<Value> ivs, Value part,
                             SmallVector<Value> result) {
  if (!parts.buffers.empty()) {
    access.storePart(b, ivs, part, result);
    return;
  }
  if (!reduction.combiner.isArgument()) {
    SmallVector<Value> start;
    for (unsigned i = 0; i < result.size(); ++i)
      start.push_back(access.loadStart(b, i, ivs));
    result = combine(b, start, result);
  }
  access.store(b, ivs, result);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void ReductionEmitter::emitRows(Kernel &b) {
  int64_t lanes = plan.getThreadsOfRow(), rows = plan.getRows();
  bool isWide = rows == 1 && lanes != kWarpLanes;
  Value lane = b.extend(rows == 1 ? b.threadId() : b.lane());
  Value first =
      rows == 1 ? b.extend(b.blockId())
                : b.add(b.mul(b.extend(b.blockId()), rows), b.extend(b.warp()));
  Value step = b.mul(b.extend(b.gridSize()), rows);
  if (isWide)
    for (size_t i = 0; i < reduction.starts.size(); ++i)
      shared.push_back(
          b.sharedWords(plan.getThreads() / kWarpLanes * kSlotBytes / 4));
  Value count = b.number(parts.count, 64), all = b.number(positions, 64),
        ofPart = b.number(host.ceilDiv(positions, parts.count), 64);
  Value units =
      b.number(host.mul(access.countPoints(reduction.points), parts.count), 64);
  b.forLoop(first, units, step, {}, [&](Value unit, ValueRange) {
    Value part = b.remainder(unit, count);
    SmallVector<Value> ivs = access.createIvs(b);
    access.delinearize(b, b.divide(unit, count), reduction.points, ivs);
    Value begin = b.minimum(b.mul(part, ofPart), all);
    Value end = b.minimum(b.add(begin, ofPart), all);
    SmallVector<Value> start = getStart(b, ivs);
    Results results =
        accumulate(b, ivs, begin, end, lane, lanes, Results(vector, start));
    if (reduction.isOnePiece())
      results[0] = addRest(b, ivs, part, lane, results[0]);
    SmallVector<Value> result = combineVector(b, results);
    for (int64_t distance = 1; distance < kWarpLanes; distance *= 2) {
      SmallVector<Value> others;
      for (Value value : result)
        others.push_back(b.exchange(value, distance));
      result = combine(b, result, others);
    }
    if (isWide)
      result = combineWarps(b, result);
    b.ifThen(b.isEqual(b.truncate(lane), 0),
             [&] { store(b, ivs, part, result); });
    return SmallVector<Value>();
  });
  Value groups = host.mul(access.countPoints(reduction.points), parts.count);
  Value blocks =
      host.min(host.ceilDiv(groups, rows), host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}

void ReductionEmitter::emitColumns(Kernel &b) {
  int64_t lanes = plan.getThreadsOfRow(), rows = plan.getRows();
  unsigned inner = reduction.getInner();
  if (rows > 1)
    for (Type type : access.getResultTypes())
      shared.push_back(b.sharedWords(
          llvm::divideCeil(plan.getThreads() * vector * getBytes(type), 4)));
  ArrayRef<unsigned> outer = ArrayRef(reduction.points).drop_back();
  Value columns = access.getExtent(inner);
  Value tilesAcross = host.ceilDiv(columns, lanes * vector);
  Value tiles = host.mul(tilesAcross, access.countPoints(outer));
  Value across = b.number(tilesAcross, 64), ofUnit = b.number(tiles, 64);
  Value all = b.number(positions, 64),
        ofPart = b.number(host.ceilDiv(positions, parts.count), 64);
  Value units = host.mul(tiles, parts.count);
  Value row = b.divide(b.threadId(), lanes),
        lane = b.extend(b.remainder(b.threadId(), b.i32(lanes)));
  b.forLoop(b.extend(b.blockId()), b.number(units, 64), b.extend(b.gridSize()),
            {}, [&](Value unit, ValueRange) {
              // Blocks that run side by side read neighbouring columns.
              Value tile = b.remainder(unit, ofUnit),
                    part = b.divide(unit, ofUnit);
              SmallVector<Value> ivs = access.createIvs(b);
              access.delinearize(b, b.divide(tile, across), outer, ivs);
              Value column = b.mul(
                  b.add(b.mul(b.remainder(tile, across), lanes), lane), vector);
              Value exists = b.isLess(column, b.number(columns, 64));
              ivs[inner] = b.select(exists, column, b.i64(0));
              Value begin = b.minimum(b.mul(part, ofPart), all);
              Value end = b.minimum(b.add(begin, ofPart), all);
              Results start;
              for (int64_t i = 0; i < vector; ++i) {
                SmallVector<Value> moved(ivs);
                moved[inner] = b.add(ivs[inner], i);
                start.push_back(getStart(b, moved));
              }
              Results results =
                  accumulate(b, ivs, begin, b.select(exists, end, begin),
                             b.extend(row), rows, start);
              if (rows > 1)
                results = combineRows(b, results, row);
              b.ifThen(b.bitAnd(exists, b.isEqual(row, 0)), [&] {
                for (int64_t i = 0; i < vector; ++i) {
                  SmallVector<Value> moved(ivs);
                  moved[inner] = b.add(ivs[inner], i);
                  store(b, moved, part, results[i]);
                }
              });
              return SmallVector<Value>();
            });
  Value blocks = host.min(units, host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}

void ReductionEmitter::run(gpu::GPUModuleOp module, StringRef name) {
  Kernel b(module, host.getLoc(), name, plan.getThreads());
  if (reduction.isAlongInner)
    emitRows(b);
  else
    emitColumns(b);
}

void mlir::pit::rows::createReductionLaunch(const Reduction &reduction,
                                            RowPlanAttr plan,
                                            const Parts &parts, HostMath &host,
                                            gpu::GPUModuleOp module,
                                            StringRef name) {
  ReductionEmitter(reduction, plan, parts, host).run(module, name);
}
