//===- Marks.cpp - Marks of IR that does not know the dialect -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/Marks.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Reads one mark. Every failure is one diagnostic that names the key.
class MarkReader {
public:
  MarkReader(DictionaryAttr mark, FunctionOpInterface func,
             function_ref<InFlightDiagnostic()> emitError)
      : mark(mark), func(func), emitError(emitError) {}

  static constexpr llvm::StringLiteral kKeys[] = {
      "source", "from",        "axes",    "absent",
      "pad",    "granularity", "at_most", "live"};

  FailureOr<Mark> read() {
    for (NamedAttribute entry : mark)
      if (!llvm::is_contained(kKeys, entry.getName().getValue()))
        return reportUnknown(entry.getName().getValue());
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
    // In a pattern, 0 says that there is no bound.
    if (*atMost == int64_t(0))
      return emitError() << "P5: at_most must be positive, got 0";
    std::optional<unsigned> by;
    if (from->has_value()) {
      int64_t number = **from;
      int64_t count = func ? func.getNumArguments() : 0;
      if (number < 0 || number >= count)
        return emitError() << "'from' of a 'pit.sparse' mark names argument "
                           << number << ", the function has " << count;
      Type type = func.getArgumentTypes()[number];
      if (!isa<RankedTensorType>(type))
        return emitError() << "'from' of a 'pit.sparse' mark names argument "
                           << number << ", which is no ranked tensor but "
                           << type;
      by = unsigned(number);
    }
    auto pattern =
        PatternAttr::getChecked(emitError, mark.getContext(), *kind, *axes,
                                *absent, *pad, *tile, atMost->value_or(0));
    if (!pattern)
      return failure();
    Attribute live = mark.get("live");
    if (live && !readShare(live))
      return emitError() << "'live' of a 'pit.sparse' mark must be a share, a "
                            "float of 0 to 1, got "
                         << live;
    return Mark{pattern, by, cast_or_null<FloatAttr>(live)};
  }

private:
  /// Names the key that is the fewest edits away, if one is near.
  LogicalResult reportUnknown(StringRef key) {
    const llvm::StringLiteral *nearest =
        llvm::min_element(kKeys, [&](StringRef a, StringRef b) {
          return key.edit_distance(a) < key.edit_distance(b);
        });
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "unknown key '" << key << "' in a 'pit.sparse' mark";
    if (key.edit_distance(*nearest) * 2 < nearest->size())
      diagnostic << "; did you mean '" << *nearest << "'?";
    else
      diagnostic << "; the keys are " << llvm::join(ArrayRef(kKeys), ", ");
    return diagnostic;
  }

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
      diagnostic << "cannot be " << attr;
    else
      diagnostic << "is missing";
    SmallVector<StringRef> names;
    for (uint32_t i = 0; !stringifyEnum(Enum(i)).empty(); ++i)
      names.push_back(stringifyEnum(Enum(i)));
    return diagnostic << "; it is one of " << llvm::join(names, ", ");
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
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (integer && integer.getValue().isSignedIntN(64))
      return std::optional<int64_t>(integer.getValue().getSExtValue());
    return emitError() << "'" << key
                       << "' of a 'pit.sparse' mark must be an integer, got "
                       << attr;
  }

  DictionaryAttr mark;
  FunctionOpInterface func;
  function_ref<InFlightDiagnostic()> emitError;
};

} // namespace

FailureOr<Mark>
mlir::pit::readMark(Attribute attr, Type marked, FunctionOpInterface function,
                    function_ref<InFlightDiagnostic()> emitError) {
  auto mark = dyn_cast<DictionaryAttr>(attr);
  if (!mark)
    return emitError() << "'pit.sparse' must be a dictionary, got " << attr;
  if (!isa<RankedTensorType>(marked))
    return emitError() << "'pit.sparse' marks a ranked tensor, got " << marked;
  return MarkReader(mark, function, emitError).read();
}

std::optional<double> mlir::pit::readShare(Attribute attr) {
  auto share = dyn_cast_or_null<FloatAttr>(attr);
  if (!share || !(share.getValueAsDouble() >= 0) ||
      !(share.getValueAsDouble() <= 1))
    return std::nullopt;
  return share.getValueAsDouble();
}
