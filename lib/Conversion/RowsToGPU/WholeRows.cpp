//===- WholeRows.cpp - Reductions of all rows of a matrix -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WholeRows.h"

#include "GPU/Host/BufferAccess.h"
#include "RowPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::findAccessBefore;
using mlir::pit::hopper::mayAccess;
using mlir::pit::hopper::mayChangeBetween;
using mlir::pit::hopper::mayShareMemory;

namespace {

/// Ops that are computed row by row.
class Group {
public:
  /// Without a plan, of the one that would be chosen. Why the last op was not
  /// taken becomes `reason`.
  Group(RowPlanAttr plan, bool strict, std::string &reason)
      : plan(plan), strict(strict), reason(&reason) {}

  /// Adds an op that comes after all others, and the fill that it starts from;
  /// or nothing, if it cannot be computed with them.
  bool join(linalg::LinalgOp op);
  int64_t getColumns() const { return shapes.getColumns(); }
  RowsMatch finish() const;

private:
  bool enter(linalg::LinalgOp op);
  bool enterOperand(linalg::LinalgOp op, OpOperand &use);
  bool enterOutput(Value output);
  bool enterOutputs(linalg::LinalgOp op) {
    return llvm::all_of(op.getDpsInits(),
                        [&](Value output) { return enterOutput(output); });
  }
  bool fitsIntoRegisters(linalg::LinalgOp last) const;
  bool canMoveTo(Operation *place) const;
  int64_t getThreads() const {
    return plan ? plan.getThreadsOfRow() : chooseThreadsOfRow(getColumns());
  }
  bool isLong() const { return isLongRow(getColumns(), getThreads()); }
  bool isStep(Operation *op) const { return llvm::is_contained(steps, op); }
  bool isWrittenHere(Value buffer) const { return written.contains(buffer); }

  bool refuse(const Twine &why) const {
    *reason = why.str();
    return false;
  }

  RowPlanAttr plan;
  bool strict;
  std::string *reason;
  RowShapes shapes;
  SmallVector<Operation *> steps;
  /// In the order of their first use.
  SmallVector<Value> buffers;
  DenseSet<Value> written;
  /// What computes columns that all rows share of their places.
  DenseMap<Value, linalg::LinalgOp> places;
};

} // namespace

/// The fill with a constant that a reduction into the buffer starts from; null
/// if it starts from something else.
static linalg::FillOp findStart(linalg::LinalgOp reduction, Value buffer) {
  auto fill =
      dyn_cast_or_null<linalg::FillOp>(findAccessBefore(reduction, buffer));
  return fill && fill.getOutputs()[0] == buffer &&
                 fill.getInputs()[0].getDefiningOp<arith::ConstantOp>() &&
                 !getPlan(fill)
             ? fill
             : nullptr;
}

/// Whether the map's first result is the loop of rows.
static bool startsWithRows(AffineMap map) {
  return map.getNumResults() > 0 && map.isProjectedPermutation() &&
         map.getDimPosition(0) == 0;
}

/// What computes each element of the vector of its place alone, and is the only
/// one to write it; null if nothing does.
static linalg::LinalgOp findPlaces(linalg::LinalgOp reader, Value vector) {
  constexpr size_t kMostOps = 8;
  if (!vector.getDefiningOp<memref::AllocOp>())
    return {};
  linalg::LinalgOp places;
  for (Operation *user : vector.getUsers()) {
    if (isa<memref::DeallocOp, memref::DimOp>(user))
      continue;
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || (places && op != places &&
                llvm::is_contained(op.getDpsInits(), vector)))
      return {};
    if (llvm::is_contained(op.getDpsInits(), vector))
      places = op;
  }
  if (!places || places->getNumOperands() != 1 || places.getNumLoops() != 1 ||
      places.getNumParallelLoops() != 1 || !places.hasPureBufferSemantics() ||
      places->getBlock() != reader->getBlock() ||
      !places->isBeforeInBlock(reader) ||
      places.payloadUsesValueFromOperand(places.getDpsInitOperand(0)) ||
      !places.getIndexingMapsArray()[0].isIdentity() ||
      places.getBlock()->getOperations().size() > kMostOps || !isBody(places))
    return {};
  return places;
}

/// Enters what the op says of an operand: rows come first, and what has columns
/// alone, all rows share.
bool Group::enterOperand(linalg::LinalgOp op, OpOperand &use) {
  Value buffer = use.get();
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || shapes.find(buffer))
    return true;
  AffineMap map = op.getMatchingIndexingMap(&use);
  bool hasRows = startsWithRows(map);
  bool hasColumns = map.getNumResults() > unsigned(hasRows);
  if (!type.isStrided() ||
      (hasColumns && type.getStridesAndOffset().first.back() != 1))
    return false;
  // Under another name, what is written would not be seen.
  if (llvm::any_of(buffers,
                   [&](Value other) { return mayShareMemory(other, buffer); }))
    return false;
  buffers.push_back(buffer);
  if (hasColumns && !hasRows)
    if (linalg::LinalgOp found = findPlaces(op, buffer))
      places[buffer] = found;
  return shapes.add(buffer, hasRows);
}

/// Enters a buffer that is written once, and read only behind that, where
/// nobody else sees it under another name.
bool Group::enterOutput(Value output) {
  if (!output.getDefiningOp<memref::AllocOp>() ||
      llvm::any_of(steps, [&](Operation *step) {
        return llvm::is_contained(step->getOperands(), output);
      }))
    return false;
  return written.insert(output).second;
}

/// Whether a lane can hold its columns of the buffers that are needed at once,
/// in words of 32 bits: what is read, from the start of a row on; what is
/// written, from that step on, where it is stored as well; each until its last
/// use.
bool Group::fitsIntoRegisters(linalg::LinalgOp last) const {
  constexpr int64_t kMostWords = 192;
  int64_t columns = getColumns(), threads = getThreads();
  if (steps.empty() || isLong())
    return true;
  SmallVector<Operation *> all(steps);
  all.push_back(last);
  SmallVector<int64_t> words(all.size());
  for (Value buffer : buffers) {
    if (!shapes.find(buffer)->hasColumns)
      continue;
    auto uses = [&](Operation *step) {
      return llvm::is_contained(step->getOperands(), buffer);
    };
    int64_t bits = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(),
            count = llvm::divideCeil(columns, threads);
    auto begin = words.begin(), end = words.end();
    // The last op has not been entered as a writer yet.
    if (isWrittenHere(buffer) || buffer == last.getDpsInits()[0]) {
      begin += llvm::find_if(all, uses) - all.begin();
      bits = std::max<int64_t>(bits, 32);
    }
    end -= llvm::find_if(llvm::reverse(all), uses) - all.rbegin();
    for (int64_t &word : llvm::make_range(begin, end))
      word += llvm::divideCeil(bits * count, 32);
  }
  return *llvm::max_element(words) <= kMostWords;
}

/// Whether all steps may stand at a place behind them: what they read is still
/// the same there, and nobody but steps has accessed what they write.
bool Group::canMoveTo(Operation *place) const {
  for (Operation *step : steps)
    for (Value operand : step->getOperands()) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      if (!isWrittenHere(operand)) {
        if (mayChangeBetween(step, place, operand))
          return false;
        continue;
      }
      for (Operation *op = step->getNextNode(); op != place;
           op = op->getNextNode())
        if (!isStep(op) && mayAccess(op, operand))
          return false;
    }
  return true;
}

bool Group::enter(linalg::LinalgOp op) {
  // Those of one buffer are as many rows.
  bool sharesRows =
      steps.empty() || llvm::any_of(op->getOperands(), [&](Value operand) {
        const RowShapes::Shape *shape = shapes.find(operand);
        return shape && shape->hasRows;
      });
  if (!sharesRows || !llvm::all_of(op->getOpOperands(), [&](OpOperand &use) {
        return enterOperand(op, use);
      }))
    return refuse("an operand has no contiguous columns of a number that is "
                  "known, or shares memory with another one");
  if (!shapes.accept(op, /*isWhole=*/true))
    return refuse("its region or its operands are not elementwise along rows "
                  "with one combining op");
  if (!fitsIntoRegisters(op))
    return refuse("a row does not fit into a warp's registers");
  if (op.getNumReductionLoops() > 0) {
    SmallVector<Operation *> starts;
    for (Value init : op.getDpsInits())
      if (linalg::FillOp start = findStart(op, init))
        starts.push_back(start);
    if (int64_t(starts.size()) != op.getNumDpsInits())
      return refuse("it does not start from a constant: nothing fills its "
                    "result right before");
    if (strict && matchCombiner(op)->dependsOnOrder())
      return refuse("with 'strict', its sums keep their order");
    if (starts.size() > 1 && isLong())
      return refuse("rows are long, and it has two results");
    if (!enterOutputs(op) || !canMoveTo(op))
      return refuse("its result is the function's own or is accessed by "
                    "others before");
    llvm::append_range(steps, starts);
  } else if (!enterOutputs(op) || !canMoveTo(op)) {
    return refuse("its result, or what the others access, is accessed by "
                  "something else before");
  }
  steps.push_back(op);
  return true;
}

bool Group::join(linalg::LinalgOp op) {
  Group extended = *this;
  if (!extended.enter(op))
    return false;
  *this = std::move(extended);
  return true;
}

RowsMatch Group::finish() const {
  RowsMatch match;
  match.steps = steps;
  match.columns = getColumns();
  for (Value buffer : buffers) {
    const RowShapes::Shape *shape = shapes.find(buffer);
    // What nobody else reads is in no memory.
    if (isWrittenHere(buffer) &&
        llvm::all_of(buffer.getUsers(),
                     [&](Operation *user) { return isStep(user); }))
      continue;
    Operand operand;
    operand.buffer = operand.inside = buffer;
    operand.rows =
        shape->hasRows ? Operand::Rows::Packed : Operand::Rows::Shared;
    operand.hasColumns = shape->hasColumns;
    operand.isOutput = isWrittenHere(buffer);
    operand.places = places.lookup(buffer);
    match.operands.push_back(operand);
  }
  return match;
}

/// Elementwise ops before the reduction, in the same block and in no plan, that
/// compute rows which it or another of them reads; in their order.
static SmallVector<linalg::LinalgOp> findProducers(linalg::LinalgOp reduction) {
  // What is read as rows, by ops behind.
  DenseSet<Value> rows;
  auto addRows = [&](linalg::LinalgOp op) {
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<MemRefType>(input->get().getType()) &&
          startsWithRows(op.getMatchingIndexingMap(input)))
        rows.insert(input->get());
  };
  addRows(reduction);
  SmallVector<linalg::LinalgOp> producers;
  for (Operation *op = reduction->getPrevNode(); op; op = op->getPrevNode()) {
    auto producer = dyn_cast<linalg::LinalgOp>(op);
    if (!producer || isa<linalg::FillOp>(op) || getPlan(op) ||
        !producer.hasPureBufferSemantics() || producer.getNumDpsInits() != 1 ||
        producer.getNumReductionLoops() > 0)
      continue;
    OpOperand *output = producer.getDpsInitOperand(0);
    if (!rows.contains(output->get()) ||
        !startsWithRows(producer.getMatchingIndexingMap(output)))
      continue;
    producers.push_back(producer);
    addRows(producer);
  }
  std::reverse(producers.begin(), producers.end());
  return producers;
}

std::optional<RowsMatch>
mlir::pit::rows::matchWholeRows(linalg::LinalgOp reduction, bool strict,
                                MatchLog log) {
  // One is no row.
  constexpr int64_t kFewestColumns = 2;
  constexpr int64_t kMostOfFew = 1 << 16;
  if (reduction.getNumReductionLoops() != 1 || reduction.getNumLoops() != 2)
    return log.pass();
  std::string reason;
  const Group none(/*plan=*/{}, strict, reason);
  Group group = none;
  for (linalg::LinalgOp producer : findProducers(reduction))
    group.join(producer);
  // Perhaps it can be without them.
  if (!group.join(reduction)) {
    group = none;
    if (!group.join(reduction))
      return log.refuse(reason);
  }
  if (group.getColumns() < kFewestColumns)
    return log.refuse("rows have " + Twine(group.getColumns()) +
                      " columns, too few to share");
  for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode())
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      if (!isa<linalg::FillOp>(op) && !getPlan(op))
        group.join(structured);
  RowsMatch match = group.finish();
  // Several blocks may add up one long row; one that goes over it again has it
  // at hand.
  if (isLongRow(match.columns, chooseThreadsOfRow(match.columns))) {
    constexpr int64_t kFewRows = 64;
    int64_t rows = reduction.getStaticLoopRanges()[0];
    if (!llvm::any_of(match.operands, [](const Operand &operand) {
          return operand.isOutput && operand.hasColumns;
        }))
      return log.refuse("rows are long, and only numbers of them are stored");
    if (!ShapedType::isDynamic(rows) && rows < kFewRows &&
        match.columns > kMostOfFew)
      return log.refuse("rows are long and few, so that more blocks than one "
                        "have each");
  }
  bool isNeeded = llvm::any_of(
      match.operands, [](const Operand &operand) { return operand.isOutput; });
  return isNeeded ? std::optional(std::move(match)) : std::nullopt;
}

FailureOr<RowsMatch>
mlir::pit::rows::matchPlannedRows(ArrayRef<linalg::LinalgOp> ops, bool strict) {
  RowPlanAttr plan = getPlan(ops[0]);
  std::string reason;
  Group group(plan, strict, reason);
  for (linalg::LinalgOp op : ops) {
    if (getPlan(op) != plan)
      return op->emitOpError("is planned otherwise than others of group ")
             << plan.getGroup();
    if (!group.join(op))
      return op->emitOpError("no kernel of the family 'row_wise' can compute "
                             "it")
             << (op == ops[0] ? ": " : " with the others of its group: ")
             << reason;
  }
  return group.finish();
}
