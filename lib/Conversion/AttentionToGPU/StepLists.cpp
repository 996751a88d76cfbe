//===- StepLists.cpp - What lives of a mask that is data ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLists.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Lists/ListSearch.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

/// Whether a logit asks for anything by key but the modifier.
static bool asksByKey(AttendOp op, unsigned modifier) {
  Block &region = op.getRegion().front();
  for (BlockArgument argument : region.getArguments()) {
    if (argument.use_empty() || argument.getArgNumber() == 0)
      continue;
    unsigned number = argument.getArgNumber() - 1;
    unsigned numModifiers = op.getModifiers().size();
    if (number >= numModifiers) {
      if (number - numModifiers == op.getKeyAxis())
        return true;
      continue;
    }
    if (number != modifier &&
        op.getDimension(FirstModifier + number, op.getKeyAxis()))
      return true;
  }
  return false;
}

std::optional<unsigned> StepLists::findModifier(Problem &problem,
                                                const Guards &guards,
                                                int64_t queries, int64_t keys) {
  constexpr int64_t kQueries = 128, kKeys[] = {64, 128};
  if (queries != kQueries || !llvm::is_contained(kKeys, keys) ||
      guards.guards.size() != 1)
    return std::nullopt;
  const Guard &guard = guards.guards[0];
  auto argument = dyn_cast<BlockArgument>(guard.value);
  if (guard.kind != Guard::Kind::Condition || !argument)
    return std::nullopt;
  unsigned modifier = argument.getArgNumber() - 1;
  if (modifier >= problem.op.getModifiers().size() ||
      !Summaries::canHaveBits(problem, modifier, queries, keys) ||
      asksByKey(problem.op, modifier))
    return std::nullopt;
  // Where all steps of a row without a live logit are computed, keys that are
  // not there have to be told from dead ones.
  int64_t extent = problem.getKnownExtent(problem.getKeyAxis());
  if (guards.mayBeFinite && extent % keys != 0)
    return std::nullopt;
  return modifier;
}

StepLists::StepLists(Problem &problem, Summaries &summaries,
                     const Guards &guards, unsigned modifier, int64_t queries,
                     int64_t keys)
    : problem(problem), queries(queries), keys(keys), summaries(summaries),
      modifier(modifier), livesIf(guards.guards[0].liveIf) {}

Value StepLists::getTiles() {
  return problem.getTiles(problem.getQueryAxis(), queries);
}
Value StepLists::getPackedTiles() {
  return problem.host.ceilDiv(getTiles(), queries / getMostPacked());
}
Value StepLists::getSteps() {
  return problem.getTiles(problem.getKeyAxis(), keys);
}
Value StepLists::getWordsOfSteps() {
  return problem.host.ceilDiv(getSteps(), 32);
}

Value StepLists::getPoints() {
  Value points = problem.host.constant(1);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      points = problem.host.mul(points, problem.getExtent(axis));
  return points;
}

Value StepLists::allocate(Value words) {
  auto &host = problem.host;
  return sums::getBase(
      host, hopper::allocateBuffer(host, host.max(words, host.constant(1)),
                                   host.getI32Type()));
}

void StepLists::launch(gpu::GPUModuleOp module, StringRef name) {
  auto &host = problem.host;
  Value points = getPoints(), tiles = getTiles(), packed = getPackedTiles();
  Value ofAll = host.mul(points, host.add(tiles, packed)),
        ofTiles = host.mul(points, tiles);
  steps = allocate(host.mul(host.mul(ofAll, 2),
                            host.add(getWordsOfSteps(), host.constant(1))));
  unions = allocate(host.mul(host.mul(ofAll, 4), getWordsOfRow()));
  columns = allocate(host.mul(ofTiles, getMostColumns()));
  bitsOfColumns = allocate(host.mul(ofTiles, queries * getMostColumns() / 32));
  moved = allocate(host.mul(ofTiles, queries / 32));
  rows = allocate(host.mul(host.mul(points, packed), queries));
  numPacked = allocate(points);
  auto launchKernel = [&](const char *suffix, auto emit) {
    Kernel b(module, problem.op.getLoc(), (name + suffix).str(), kListThreads);
    Value blocks = emit(*this, b);
    b.finish(host, host.max(blocks, host.constant(1)));
  };
  launchKernel("_lists", emitListsOfTiles);
  launchKernel("_packed", emitPackedTiles);
}

Value StepLists::getPoint(Kernel &b, ArrayRef<Value> batch) {
  Value point = b.i32(0);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      point =
          b.add(b.mul(point, b.number(problem.getExtent(axis))), batch[axis]);
  return point;
}

Value StepLists::getSlot(Kernel &b, Value point, Value tile) {
  Value tiles = problem.host.add(getTiles(), getPackedTiles());
  return b.add(b.mul(point, b.number(tiles)), tile);
}

/// `place` words of `each` behind the buffer's first, in 64 bits.
static Value getWord(Kernel &b, Value buffer, Value place, Value each) {
  Value words = b.mul(b.extend(place), b.number(each, 64));
  return b.advance(b.pointer(buffer), b.mul(words, 4));
}

Value StepLists::getLive(Kernel &b, Value point, Value tile) {
  auto &host = problem.host;
  Value each = host.mul(host.add(getWordsOfSteps(), host.constant(1)), 2);
  return getWord(b, steps, getSlot(b, point, tile), each);
}
Value StepLists::getFull(Kernel &b, Value point, Value tile) {
  Value words = b.add(b.number(getWordsOfSteps()), 1);
  return b.element(getLive(b, point, tile), words, 4);
}
Value StepLists::getUnions(Kernel &b, Value point, Value tile) {
  return getWord(b, unions, getSlot(b, point, tile),
                 problem.host.mul(getWordsOfRow(), 4));
}

Value StepLists::getColumns(Kernel &b, Value point, Value tile) {
  return getWord(b, columns, b.add(b.mul(point, b.number(getTiles())), tile),
                 problem.host.constant(getMostColumns()));
}
Value StepLists::getBitsOfColumns(Kernel &b, Value point, Value tile,
                                  Value query) {
  Value place = b.add(b.mul(point, b.number(getTiles())), tile);
  return getWord(b, bitsOfColumns, b.add(b.mul(place, queries), query),
                 problem.host.constant(getMostColumns() / 32));
}
Value StepLists::getMoved(Kernel &b, Value point, Value tile) {
  return getWord(b, moved, b.add(b.mul(point, b.number(getTiles())), tile),
                 problem.host.constant(queries / 32));
}

Value StepLists::getRows(Kernel &b, Value point, Value tile) {
  Value place = b.add(b.mul(point, b.number(getPackedTiles())),
                      b.sub(tile, b.number(getTiles())));
  return getWord(b, rows, place, problem.host.constant(queries));
}
Value StepLists::getNumPacked(Kernel &b, Value point) {
  return b.element(b.pointer(numPacked), point, 4);
}

Value StepLists::getBits(Kernel &b, Value point, Value query) {
  Value extent = b.number(problem.getExtent(problem.getQueryAxis()));
  return getWord(b, summaries.getBits(modifier),
                 b.add(b.mul(point, extent), query), getWordsOfRow());
}
