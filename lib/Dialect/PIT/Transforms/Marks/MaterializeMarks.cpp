//===- MaterializeMarks.cpp - From mark attributes to pit.sparse ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PlaceSources.h"

#include "PIT/Dialect/PIT/IR/Marks.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/ScopeExit.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITMATERIALIZEMARKS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Micro-tiles that reach over the end of a tensor are cut there: the same
/// pattern with extents that fit.
PatternAttr clampTile(PatternAttr pattern, RankedTensorType type) {
  if (!pattern.getTile())
    return pattern;
  SmallVector<int64_t> tile(pattern.getTile().asArrayRef());
  for (auto [size, axis] : llvm::zip(tile, pattern.getAxes().asArrayRef()))
    if (axis < type.getRank() && !type.isDynamicDim(axis))
      size = std::min(size, std::max(type.getDimSize(axis), int64_t(1)));
  return PatternAttr::get(
      pattern.getContext(), pattern.getKind(), pattern.getAxes(),
      pattern.getAbsent(), pattern.getPad(),
      DenseI64ArrayAttr::get(pattern.getContext(), tile), pattern.getAtMost());
}

/// The marks of one function.
class Materializer {
public:
  explicit Materializer(func::FuncOp func) : func(func), dominance(func) {}

  LogicalResult run();

private:
  LogicalResult materializeOp(Operation *op);
  LogicalResult materializeArgument(BlockArgument argument, bool areComputed);
  /// What a mark reads: the tensor that it names, or what that tensor's own
  /// mark makes of it, as elements that the pattern's kind takes. `builder` is
  /// where conversions of arguments stand.
  Value getSource(const Mark &mark, Value marked, OpBuilder &builder);
  Value create(const Mark &mark, Value value, Value by, OpBuilder &builder);

  func::FuncOp func;
  DominanceInfo dominance;
  /// What marks made of values.
  DenseMap<Value, Value> marked;
  /// Where sources are not zero.
  DenseMap<Value, Value> nonZero;
  DenseSet<Operation *> areDone;
  DenseSet<unsigned> visiting;
  /// In front of this op stand marks of arguments.
  Operation *firstOfProgram = nullptr;
};

struct PITMaterializeMarks
    : pit::impl::PITMaterializeMarksBase<PITMaterializeMarks> {
  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    func::FuncOp func = getOperation();
    // Without a body nothing reads what they mark; once tensors are buffers,
    // they would stand on what cannot be marked.
    if (func.isExternal()) {
      for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
        func.removeArgAttr(i, PITDialect::SparseAttrHelper::getNameStr());
      return;
    }
    if (failed(Materializer(func).run()))
      return signalPassFailure();
  }
};

} // namespace

static constexpr StringLiteral kSparse =
    PITDialect::SparseAttrHelper::getNameStr();

/// Whether a pattern of this kind is read from truth values alone.
static bool needsTruth(PatternKind kind, Type element) {
  if (kind == PatternKind::Mask || kind == PatternKind::Blocks)
    return !element.isInteger(1);
  return kind == PatternKind::Routing && element.isIndex();
}

Value Materializer::getSource(const Mark &mark, Value value,
                              OpBuilder &builder) {
  Value source = mark.source;
  if (mark.from)
    source = func.getArgument(*mark.from);
  if (!source)
    return source;
  if (Value result = marked.lookup(source); result && source != value)
    source = result;
  if (!needsTruth(mark.pattern.getKind(),
                  getElementTypeOrSelf(source.getType())))
    return source;
  Value &known = nonZero[source];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    if (source.getDefiningOp())
      builder.setInsertionPointAfterValue(source);
    known = createNonZero(builder, source.getLoc(), source);
  }
  return known;
}

Value Materializer::create(const Mark &mark, Value value, Value by,
                           OpBuilder &builder) {
  PatternAttr pattern =
      clampTile(mark.pattern, cast<RankedTensorType>(value.getType()));
  auto op = SparseOp::create(builder, value.getLoc(), value.getType(), value,
                             by, pattern);
  if (mark.live)
    PITDialect::LiveAttrHelper(op->getContext()).setAttr(op, mark.live);
  // What a value's own pattern is computed from stays as it is, and so do
  // extents, from which patterns of arguments may be computed.
  SmallPtrSet<Operation *, 4> excepted{op};
  if (Value own = nonZero.lookup(value); own && own == by)
    for (Operation *user : value.getUsers())
      if (user == own.getDefiningOp() ||
          (isa<tensor::DimOp>(user) && user->getBlock() == op->getBlock() &&
           user->isBeforeInBlock(op)))
        excepted.insert(user);
  if (isa<BlockArgument>(value) && isa_and_present<OpResult>(by))
    for (Operation *user : value.getUsers())
      if (isa<tensor::DimOp>(user))
        excepted.insert(user);
  value.replaceAllUsesExcept(op.getResult(), excepted);
  return marked[value] = op.getResult();
}

LogicalResult Materializer::materializeOp(Operation *op) {
  Attribute attr = op->getDiscardableAttr(kSparse);
  if (!attr || !areDone.insert(op).second)
    return success();
  auto emitError = [&] { return op->emitOpError(); };
  Value value = op->getResult(0);
  FailureOr<Mark> mark = readMark(attr, value.getType(), func, emitError);
  if (failed(mark))
    return failure();
  if (OpResult source = mark->source; source && source != value) {
    if (!dominance.properlyDominates(source, op)) {
      InFlightDiagnostic diagnostic = emitError();
      diagnostic << "'from' of a 'pit.sparse' mark names the source "
                 << cast<DictionaryAttr>(attr).get("from")
                 << ", which is computed behind this op, or where it may not "
                    "run; it has to be computed in front";
      diagnostic.attachNote(source.getLoc()) << "the source";
      return diagnostic;
    }
    if (failed(materializeOp(source.getOwner())))
      return failure();
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Value by = getSource(*mark, value, builder);
  // Behind its pattern, if that is computed from the value itself.
  builder.setInsertionPointAfter(
      by && nonZero.lookup(value) == by ? by.getDefiningOp() : op);
  create(*mark, value, by, builder);
  op->removeDiscardableAttr(kSparse);
  return success();
}

/// A pattern that is read from a marked argument is read from that mark's
/// result, so that mark comes first. Marks of what arguments hold stand in
/// front of the program, those of what it computes behind their sources.
LogicalResult Materializer::materializeArgument(BlockArgument argument,
                                                bool areComputed) {
  unsigned number = argument.getArgNumber();
  Attribute attr = func.getArgAttr(number, kSparse);
  if (!attr)
    return success();
  auto emitError = [&] {
    return func.emitOpError("argument ") << number << ": ";
  };
  if (!visiting.insert(number).second)
    return emitError() << "its 'pit.sparse' mark is read from arguments "
                          "whose marks are read from it";
  llvm::scope_exit leave([&] { visiting.erase(number); });
  FailureOr<Mark> mark = readMark(attr, argument.getType(), func, emitError);
  if (failed(mark))
    return failure();
  if (mark->source && !areComputed)
    return success();
  if (mark->from && *mark->from != number) {
    BlockArgument from = func.getArgument(*mark->from);
    if (failed(materializeArgument(from, areComputed)))
      return failure();
    // It is one of those that wait.
    if (func.getArgAttr(*mark->from, kSparse))
      return success();
  }
  OpBuilder builder(firstOfProgram);
  Value by = getSource(*mark, argument, builder);
  if (areComputed) {
    Attribute from = cast<DictionaryAttr>(attr).get("from");
    if (failed(moveInFrontOfReaders(cast<OpResult>(by), from, argument,
                                    emitError)))
      return failure();
    builder.setInsertionPointAfterValue(by);
  }
  create(*mark, argument, by, builder);
  func.removeArgAttr(number, kSparse);
  return success();
}

LogicalResult Materializer::run() {
  // Marks on ops first: they may read arguments that get marked.
  SmallVector<Operation *> ops;
  func.getBody().walk([&](Operation *op) {
    if (op->getDiscardableAttr(kSparse))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(materializeOp(op)))
      return failure();
  // Comparisons of arguments read what their marks make of them.
  nonZero.clear();
  firstOfProgram = &func.getBody().front().front();
  for (bool areComputed : {false, true})
    for (BlockArgument argument : func.getArguments())
      if (failed(materializeArgument(argument, areComputed)))
        return failure();
  StringRef source = PITDialect::SourceAttrHelper::getNameStr();
  func.getBody().walk(
      [&](Operation *op) { op->removeDiscardableAttr(source); });
  return success();
}
