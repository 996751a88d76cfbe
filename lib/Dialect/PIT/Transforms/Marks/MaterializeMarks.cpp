//===- MaterializeMarks.cpp - From mark attributes to pit.sparse ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/Marks.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

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

/// Marks of arguments: what they became, and which are being read.
struct ArgumentMarks {
  DenseMap<Value, Value> marked;
  DenseSet<unsigned> visiting;
};

struct PITMaterializeMarks
    : pit::impl::PITMaterializeMarksBase<PITMaterializeMarks> {
  FailureOr<Value> materialize(func::FuncOp func, Attribute attr, Value value,
                               OpBuilder &builder,
                               const ArgumentMarks &arguments,
                               function_ref<InFlightDiagnostic()> emitError) {
    FailureOr<Mark> mark = readMark(attr, value.getType(), func, emitError);
    if (failed(mark))
      return failure();
    Value by = mark->from ? func.getArgument(*mark->from) : Value();
    if (Value marked = arguments.marked.lookup(by))
      by = marked;
    PatternAttr pattern =
        clampTile(mark->pattern, cast<RankedTensorType>(value.getType()));
    auto op = SparseOp::create(builder, value.getLoc(), value.getType(), value,
                               by, pattern);
    if (mark->live)
      PITDialect::LiveAttrHelper(op->getContext()).setAttr(op, mark->live);
    value.replaceAllUsesExcept(op.getResult(), op);
    return op.getResult();
  }

  /// A pattern that is read from a marked argument is read from that mark's
  /// result, so that mark comes first.
  LogicalResult materializeArgument(func::FuncOp func, BlockArgument argument,
                                    OpBuilder &builder,
                                    ArgumentMarks &arguments) {
    StringRef name = PITDialect::SparseAttrHelper::getNameStr();
    unsigned number = argument.getArgNumber();
    Attribute attr = func.getArgAttr(number, name);
    if (!attr)
      return success();
    auto emitError = [&] {
      return func.emitOpError("argument ") << number << ": ";
    };
    if (!arguments.visiting.insert(number).second)
      return emitError() << "its 'pit.sparse' mark is read from arguments "
                            "whose marks are read from it";
    FailureOr<Mark> mark = readMark(attr, argument.getType(), func, emitError);
    if (failed(mark))
      return failure();
    if (mark->from && *mark->from != number &&
        failed(materializeArgument(func, func.getArgument(*mark->from), builder,
                                   arguments)))
      return failure();
    FailureOr<Value> result =
        materialize(func, attr, argument, builder, arguments, emitError);
    if (failed(result))
      return failure();
    arguments.marked[argument] = *result;
    func.removeArgAttr(number, name);
    return success();
  }

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    func::FuncOp func = getOperation();
    StringRef name = PITDialect::SparseAttrHelper::getNameStr();
    // Without a body nothing reads what they mark; once tensors are buffers,
    // they would stand on what cannot be marked.
    if (func.isExternal()) {
      for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
        func.removeArgAttr(i, name);
      return;
    }
    ArgumentMarks arguments;
    // Marks on ops first: they may read arguments that get marked.
    WalkResult result = func.getBody().walk([&](Operation *op) {
      Attribute attr = op->getDiscardableAttr(name);
      if (!attr)
        return WalkResult::advance();
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      if (failed(materialize(func, attr, op->getResult(0), builder, arguments,
                             [&] { return op->emitOpError(); })))
        return WalkResult::interrupt();
      op->removeDiscardableAttr(name);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
    for (BlockArgument argument : func.getArguments())
      if (failed(materializeArgument(func, argument, builder, arguments)))
        return signalPassFailure();
  }
};
} // namespace
