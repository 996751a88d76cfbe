//===- StepLists.cpp - What lives of a mask that is data ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLists.h"
#include "Summaries.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Lists/ListSearch.h"
#include "PIT/Support/Remarks.h"

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

/// The modifier that a guard is, or is a cast of; nobody else may ask for it.
static std::optional<unsigned> getModifier(const Guard &guard, AttendOp op) {
  Value value = guard.value;
  if (guard.kind == Guard::Kind::Addend && value.hasOneUse() &&
      isa_and_present<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() == 0 ||
      argument.getArgNumber() > op.getModifiers().size() ||
      (guard.kind == Guard::Kind::Addend && !argument.hasOneUse()))
    return std::nullopt;
  return argument.getArgNumber() - 1;
}

static bool readsModifier(Value value, AttendOp op) {
  return llvm::any_of(op.getArgumentsOf(value), [&](BlockArgument argument) {
    return argument.getArgNumber() > 0 &&
           argument.getArgNumber() <= op.getModifiers().size();
  });
}

std::optional<unsigned> StepLists::findModifier(Problem &problem,
                                                const Guards &guards,
                                                int64_t queries, int64_t keys,
                                                StringRef &reason) {
  AttendOp op = problem.op;
  if (llvm::none_of(guards.guards, [&](const Guard &guard) {
        return readsModifier(guard.value, op);
      }))
    return std::nullopt;
  auto refuse = [&](StringRef why) {
    reason = why;
    return std::nullopt;
  };
  if (guards.guards.size() != 1)
    return refuse("logits have more than one mask");
  const Guard &guard = guards.guards[0];
  std::optional<unsigned> modifier = getModifier(guard, op);
  if (!modifier)
    return refuse("the mask is computed in the logit, or used twice there");
  unsigned operand = FirstModifier + *modifier;
  if (!op.getDimension(operand, problem.getQueryAxis()) ||
      !op.getDimension(operand, problem.getKeyAxis()))
    return refuse("the mask is the same for all queries, or for all keys");
  if (asksByKey(op, *modifier))
    return refuse("logits ask for more by key than the mask");
  bool isAdded = guard.kind == Guard::Kind::Addend;
  Type element = op.getModifierArgument(*modifier).getType();
  bool isShortFloat =
      isa<FloatType>(element) && (element.getIntOrFloatBitWidth() == 16 ||
                                  element.getIntOrFloatBitWidth() == 32);
  if (isAdded ? !isShortFloat : !element.isInteger(1))
    return refuse("the mask has neither truth values nor floats of 16 or 32 "
                  "bits");
  if (!Summaries::hasVectorsOfKeys(problem, *modifier, keys))
    return refuse("rows of the mask are not made of whole vectors of 16 bytes, "
                  "or are of unknown length");
  // Where all steps of a row without a live logit are computed, keys that are
  // not there have to be distinguished from dead ones.
  if (guards.mayBeFinite &&
      problem.getKnownExtent(problem.getKeyAxis()) % keys != 0)
    return refuse("dead logits may be finite, and keys are not made of whole "
                  "steps");
  if (queries != kQueries ||
      !llvm::is_contained({kLeastKeys, 2 * kLeastKeys}, keys))
    return refuse("tiles are not of 128 queries, or steps not of 64 or 128 "
                  "keys");
  return modifier;
}

void StepLists::reportUnpacked(AttendOp op, StringRef reason) {
  if (!reason.empty())
    remarks::missed(op, remarks::kKernels, "mask")
        << "queries and keys are computed where they lie"
        << remarks::reason(reason);
}

StepLists::StepLists(Problem &problem, const Guards &guards, unsigned modifier,
                     int64_t queries, int64_t keys)
    : problem(problem), queries(queries), keys(keys), modifier(modifier),
      liveIf(guards.guards[0].liveIf),
      isAdded(guards.guards[0].kind == Guard::Kind::Addend),
      deadUpTo(getHighestDead(guards.guards[0].value.getType())) {
  // Where a row turns out to have no live logit, parts cannot tell it alone.
  constexpr int64_t kMostParts = 4, kStepsOfPart = 16;
  int64_t extent = problem.getKnownExtent(problem.getKeyAxis());
  parts = guards.mayBeFinite ? 1
                             : std::clamp<int64_t>(extent / keys / kStepsOfPart,
                                                   1, kMostParts);
}

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
Value StepLists::getWordsOfRow() {
  return problem.host.mul(getSteps(), keys / 32);
}

Value StepLists::getPoints() {
  Value points = problem.host.constant(1);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      points = problem.host.mul(points, problem.getExtent(axis));
  return points;
}

/// Packed tiles of all points of the batch, and points of the mask's.
Value StepLists::getNumCounts() {
  auto &host = problem.host;
  return host.add(host.mul(problem.getBatchSize(), getPackedTiles()),
                  getPoints());
}

Value StepLists::allocate(Value words) {
  auto &host = problem.host;
  return sums::getBase(
      host, hopper::allocateBuffer(host, host.max(words, host.constant(1)),
                                   host.getI32Type()));
}

void StepLists::launch(gpu::GPUModuleOp module, StringRef name) {
  auto &host = problem.host;
  Value points = getPoints(), packed = getPackedTiles(),
        tiles = host.mul(points, getTiles()),
        ofQueries = host.mul(points, problem.getExtent(problem.getQueryAxis()));
  bits = allocate(host.mul(ofQueries, getWordsOfRow()));
  numKeys = allocate(ofQueries);
  steps = allocate(host.mul(
      tiles, host.mul(host.add(getWordsOfSteps(), host.constant(1)), 2)));
  unions = allocate(host.mul(tiles, host.mul(getWordsOfRow(), 4)));
  columns = allocate(host.mul(tiles, getMostColumns()));
  bitsOfColumns = allocate(host.mul(tiles, queries * getMostColumns() / 32));
  moved = allocate(host.mul(tiles, queries / 32));
  numSteps = allocate(tiles);
  if (isAdded)
    others = allocate(tiles);
  order = allocate(tiles);
  rows = allocate(host.mul(host.mul(points, packed), queries));
  numPacked = allocate(points);
  counts = allocate(getNumCounts());
  if (parts > 1)
    partials =
        allocate(host.mul(host.mul(problem.getBatchSize(), packed),
                          parts * queries * (problem.getValueWidth() + 2)));
  auto launchKernel = [&](const char *suffix, int64_t threads, auto emit) {
    Kernel b(module, problem.op.getLoc(), (name + suffix).str(), threads);
    Value blocks = emit(*this, b);
    b.finish(host, host.max(blocks, host.constant(1)));
  };
  launchKernel("_bits", kBitsThreads, emitBits);
  launchKernel("_lists", kListThreads, emitLists);
}

Value StepLists::getPoint(Kernel &b, ArrayRef<Value> batch) {
  Value point = b.i32(0);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      point =
          b.add(b.mul(point, b.number(problem.getExtent(axis))), batch[axis]);
  return point;
}

/// `place` times so many words behind the buffer's first, in 64 bits.
static Value getWord(Kernel &b, Value buffer, Value place, Value each) {
  Value words = b.mul(b.extend(place), b.number(each, 64));
  return b.advance(b.pointer(buffer), b.mul(words, 4));
}
static Value getWord(Kernel &b, StepLists &lists, Value buffer, Value place,
                     int64_t each = 1) {
  return getWord(b, buffer, place, lists.problem.host.constant(each));
}

Value StepLists::getPlace(Kernel &b, Value point, Value tile) {
  return b.add(b.mul(point, b.number(getTiles())), tile);
}

Value StepLists::getLive(Kernel &b, Value point, Value tile) {
  auto &host = problem.host;
  return getWord(b, steps, getPlace(b, point, tile),
                 host.mul(host.add(getWordsOfSteps(), host.constant(1)), 2));
}
Value StepLists::getFull(Kernel &b, Value point, Value tile) {
  Value words = b.add(b.number(getWordsOfSteps()), 1);
  return b.element(getLive(b, point, tile), words, 4);
}
Value StepLists::getUnions(Kernel &b, Value point, Value tile) {
  return getWord(b, unions, getPlace(b, point, tile),
                 problem.host.mul(getWordsOfRow(), 4));
}
Value StepLists::getColumns(Kernel &b, Value point, Value tile) {
  return getWord(b, *this, columns, getPlace(b, point, tile), getMostColumns());
}
Value StepLists::getBitsOfColumns(Kernel &b, Value point, Value tile,
                                  Value query) {
  Value place = b.add(b.mul(getPlace(b, point, tile), queries), query);
  return getWord(b, *this, bitsOfColumns, place, getMostColumns() / 32);
}
Value StepLists::getMoved(Kernel &b, Value point, Value tile) {
  return getWord(b, *this, moved, getPlace(b, point, tile), queries / 32);
}

Value StepLists::getNumSteps(Kernel &b, Value point, Value tile) {
  return getWord(b, *this, numSteps, getPlace(b, point, tile));
}
Value StepLists::getOthers(Kernel &b, Value point, Value tile) {
  return getWord(b, *this, others, getPlace(b, point, tile));
}
Value StepLists::getOrder(Kernel &b, Value point, Value n) {
  return getWord(b, *this, order, getPlace(b, point, n));
}

Value StepLists::getRows(Kernel &b, Value point, Value packedTile) {
  Value place = b.add(b.mul(point, b.number(getPackedTiles())), packedTile);
  return getWord(b, *this, rows, place, queries);
}
Value StepLists::getNumPacked(Kernel &b, Value point) {
  return getWord(b, *this, numPacked, point);
}

Value StepLists::getBits(Kernel &b, Value point, Value query) {
  Value extent = b.number(problem.getExtent(problem.getQueryAxis()));
  return getWord(b, bits, b.add(b.mul(point, extent), query), getWordsOfRow());
}
Value StepLists::getNumKeys(Kernel &b, Value point, Value query) {
  Value extent = b.number(problem.getExtent(problem.getQueryAxis()));
  return getWord(b, *this, numKeys, b.add(b.mul(point, extent), query));
}

Value StepLists::getPlaceOfBatch(Kernel &b, Value pointOfBatch,
                                 Value packedTile) {
  return b.add(b.mul(pointOfBatch, b.number(getPackedTiles())), packedTile);
}
Value StepLists::getDone(Kernel &b, Value pointOfBatch, Value packedTile) {
  return getWord(b, *this, counts,
                 getPlaceOfBatch(b, pointOfBatch, packedTile));
}
Value StepLists::getListed(Kernel &b, Value point) {
  Value before =
      b.number(problem.host.mul(problem.getBatchSize(), getPackedTiles()));
  return getWord(b, *this, counts, b.add(before, point));
}
Value StepLists::getPartial(Kernel &b, Value pointOfBatch, Value packedTile,
                            Value part, Value query) {
  Value place =
      b.add(b.mul(getPlaceOfBatch(b, pointOfBatch, packedTile), parts), part);
  return getWord(b, *this, partials, b.add(b.mul(place, queries), query),
                 problem.getValueWidth() + 2);
}
