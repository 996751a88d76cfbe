//===- MaterializeMarks.cpp - From mark attributes to pit.sparse ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MarkAttributes.h"

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
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

/// Reads one mark. Every failure is one diagnostic that names the key.
class MarkReader {
public:
  MarkReader(DictionaryAttr mark, func::FuncOp func,
             function_ref<InFlightDiagnostic()> emitError)
      : mark(mark), func(func), emitError(emitError) {}

  FailureOr<std::pair<PatternAttr, Value>> read() {
    for (NamedAttribute entry : mark)
      if (!llvm::is_contained({"source", "from", "axes", "absent", "pad",
                               "granularity", "at_most", "live"},
                              entry.getName().getValue()))
        return emitError() << "unknown key '" << entry.getName().getValue()
                           << "' in a 'pit.sparse' mark";
    FailureOr<PatternKind> kind =
        readEnum<PatternKind>("source", std::nullopt, symbolizePatternKind);
    FailureOr<Absent> absent =
        readEnum<Absent>("absent", Absent::Zero, symbolizeAbsent);
    FailureOr<Padding> pad =
        readEnum<Padding>("pad", Padding::Right, symbolizePadding);
    if (failed(kind) || failed(absent) || failed(pad))
      return failure();
    FailureOr<DenseI64ArrayAttr> axes = readArray("axes");
    FailureOr<DenseI64ArrayAttr> tile = readArray("granularity");
    FailureOr<std::optional<int64_t>> atMost = readInteger("at_most");
    FailureOr<std::optional<int64_t>> from = readInteger("from");
    if (failed(axes) || failed(tile) || failed(atMost) || failed(from))
      return failure();
    if (!*axes)
      return emitError() << "a 'pit.sparse' mark needs 'axes'";
    Value by;
    if (from->has_value()) {
      int64_t number = **from;
      if (number < 0 || number >= static_cast<int64_t>(func.getNumArguments()))
        return emitError() << "'from' names argument " << number
                           << ", the function has " << func.getNumArguments();
      by = func.getArgument(number);
      if (!isa<RankedTensorType>(by.getType()))
        return emitError() << "'from' names argument " << number
                           << ", which is no ranked tensor but "
                           << by.getType();
    }
    auto pattern =
        PatternAttr::getChecked(emitError, mark.getContext(), *kind, *axes,
                                *absent, *pad, *tile, atMost->value_or(0));
    if (!pattern)
      return failure();
    return std::make_pair(pattern, by);
  }

private:
  template <typename Enum>
  FailureOr<Enum> readEnum(StringRef key, std::optional<Enum> defaultValue,
                           std::optional<Enum> (*symbolize)(StringRef)) {
    Attribute attr = mark.get(key);
    if (!attr && defaultValue)
      return *defaultValue;
    auto string = dyn_cast_or_null<StringAttr>(attr);
    std::optional<Enum> value =
        string ? symbolize(string.getValue()) : std::nullopt;
    if (value)
      return *value;
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "'" << key << "' of a 'pit.sparse' mark ";
    if (attr)
      return diagnostic << "cannot be " << attr;
    return diagnostic << "is missing";
  }

  FailureOr<DenseI64ArrayAttr> readArray(StringRef key) {
    Attribute attr = mark.get(key);
    if (!attr)
      return DenseI64ArrayAttr();
    if (auto array = dyn_cast<DenseI64ArrayAttr>(attr))
      return array;
    return emitError() << "'" << key
                       << "' of a 'pit.sparse' mark must be an array<i64>, got "
                       << attr;
  }

  FailureOr<std::optional<int64_t>> readInteger(StringRef key) {
    Attribute attr = mark.get(key);
    if (!attr)
      return std::optional<int64_t>();
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      return std::optional<int64_t>(integer.getInt());
    return emitError() << "'" << key
                       << "' of a 'pit.sparse' mark must be an integer, got "
                       << attr;
  }

  DictionaryAttr mark;
  func::FuncOp func;
  function_ref<InFlightDiagnostic()> emitError;
};

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
    auto mark = dyn_cast<DictionaryAttr>(attr);
    if (!mark)
      return emitError() << "'pit.sparse' must be a dictionary, got " << attr;
    if (!isa<RankedTensorType>(value.getType()))
      return emitError() << "'pit.sparse' marks a ranked tensor, got "
                         << value.getType();
    FailureOr<std::pair<PatternAttr, Value>> read =
        MarkReader(mark, func, emitError).read();
    if (failed(read))
      return failure();
    Value by = read->second;
    if (Value marked = arguments.marked.lookup(by))
      by = marked;
    PatternAttr pattern =
        clampTile(read->first, cast<RankedTensorType>(value.getType()));
    auto op = SparseOp::create(builder, value.getLoc(), value.getType(), value,
                               by, pattern);
    if (Attribute live = mark.get("live")) {
      if (!readShare(live))
        return emitError()
               << "'live' of a 'pit.sparse' mark must be a share, a "
                  "float of 0 to 1, got "
               << live;
      op->setDiscardableAttr(kLiveAttrName, live);
    }
    value.replaceAllUsesExcept(op.getResult(), op);
    return op.getResult();
  }

  /// A pattern that is read from a marked argument is read from that mark's
  /// result, so that mark comes first.
  LogicalResult materializeArgument(func::FuncOp func, BlockArgument argument,
                                    OpBuilder &builder,
                                    ArgumentMarks &arguments) {
    StringRef name = PITDialect::kMarkAttrName;
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
    auto mark = dyn_cast<DictionaryAttr>(attr);
    auto from = mark ? mark.getAs<IntegerAttr>("from") : IntegerAttr();
    if (from && from.getValue().ult(func.getNumArguments()) &&
        from.getValue() != number &&
        failed(materializeArgument(func, func.getArgument(from.getInt()),
                                   builder, arguments)))
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
    if (func.isExternal())
      return;
    StringRef name = PITDialect::kMarkAttrName;
    ArgumentMarks arguments;
    // Marks on ops first: they may read arguments that get marked.
    WalkResult result = func.getBody().walk([&](Operation *op) {
      Attribute attr = op->getDiscardableAttr(name);
      if (!attr)
        return WalkResult::advance();
      if (op->getNumResults() != 1) {
        op->emitOpError("has ")
            << op->getNumResults()
            << " results; 'pit.sparse' marks an op with one";
        return WalkResult::interrupt();
      }
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
