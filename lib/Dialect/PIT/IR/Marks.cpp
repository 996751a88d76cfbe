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

//===----------------------------------------------------------------------===//
// Names of sources
//===----------------------------------------------------------------------===//

SmallVector<StringRef> mlir::pit::getSourceNames(Operation *op) {
  Attribute attr =
      op->getDiscardableAttr(PITDialect::SourceAttrHelper::getNameStr());
  if (auto name = dyn_cast_or_null<StringAttr>(attr))
    return {name.getValue()};
  SmallVector<StringRef> names;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attr))
    for (Attribute entry : array)
      if (auto name = dyn_cast<StringAttr>(entry))
        names.push_back(name.getValue());
  return names;
}

/// Calls `visit` with each name in the function and what it stands for, until
/// that returns false.
static void walkSources(FunctionOpInterface function,
                        function_ref<bool(StringRef, OpResult)> visit) {
  function->walk([&](Operation *op) {
    for (auto [name, result] : llvm::zip(getSourceNames(op), op->getResults()))
      if (!name.empty() && !visit(name, result))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
}

/// The first result of the name.
static OpResult findSource(FunctionOpInterface function, StringRef wanted) {
  OpResult found;
  walkSources(function, [&](StringRef name, OpResult result) {
    if (name == wanted)
      found = result;
    return !found;
  });
  return found;
}

LogicalResult
mlir::pit::verifySourceNames(Operation *op, Attribute attr,
                             function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<StringRef> names = getSourceNames(op);
  unsigned results = op->getNumResults();
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!isa<StringAttr>(attr) && (!array || array.size() != names.size()))
    return emitError() << "'pit.source' must be a string, or an array of "
                          "strings, one for each result, got "
                       << attr;
  if (names.size() != results)
    return emitError() << "has " << results << " results and " << names.size()
                       << (names.size() == 1 ? " name" : " names")
                       << " in 'pit.source'; give an array of strings, one for "
                          "each result, empty for none";
  if (llvm::all_of(names, [](StringRef name) { return name.empty(); }))
    return emitError() << "'pit.source' has no name that is not empty";
  auto function = op->getParentOfType<FunctionOpInterface>();
  for (auto [name, result] : llvm::zip(names, op->getResults())) {
    if (name.empty())
      continue;
    if (!isa<RankedTensorType>(result.getType()))
      return emitError() << "'pit.source' names a result \"" << name
                         << "\" of the type " << result.getType()
                         << "; patterns are read from ranked tensors";
    OpResult first = function ? findSource(function, name) : result;
    if (first == result)
      continue;
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "'pit.source' names a result \"" << name
               << "\", as another one in the function is named";
    if (first.getOwner() != op)
      diagnostic.attachNote(first.getLoc()) << "the other one";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// What a pattern may be read from instead of these elements, or nothing where
/// it may be read from them.
static std::string explainElements(PatternKind kind, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  auto number = dyn_cast<FloatType>(element);
  bool isNumber =
      (integer && integer.isSignless()) || isa<IndexType>(element) ||
      (number && APFloat::semanticsHasZero(number.getFloatSemantics()));
  if (kind == PatternKind::Values)
    return "";
  if (kind != PatternKind::Lengths)
    return isNumber ? ""
                    : "it takes signless integers, indices and floats that "
                      "have a zero, and what is not zero is live; compute "
                      "tensor<...xi1> of them, and name that by 'pit.source'";
  if (element.isInteger(1))
    return "it takes integers and indices; of truth values, the source is "
           "\"mask\"";
  if (number)
    return "it takes integers and indices; convert them by arith.fptosi, and "
           "name the result by 'pit.source'";
  return isNumber ? "" : "it takes signless integers and indices";
}

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
    if (failed(axes) || failed(tile) || failed(atMost))
      return failure();
    if (!*axes)
      return emitError() << "a 'pit.sparse' mark needs 'axes'";
    // In a pattern, 0 says that there is no bound.
    if (*atMost == int64_t(0))
      return emitError() << "P5: at_most must be positive, got 0";
    std::optional<unsigned> from;
    OpResult source;
    if (failed(readFrom(*kind, from, source)))
      return failure();
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
    return Mark{pattern, from, source, cast_or_null<FloatAttr>(live)};
  }

private:
  /// Reads what the pattern is read from, and whether it may be.
  LogicalResult readFrom(PatternKind kind, std::optional<unsigned> &from,
                         OpResult &source) {
    constexpr StringLiteral kSubject = "'from' of a 'pit.sparse' mark ";
    Attribute attr = mark.get("from");
    if (!attr)
      return success();
    std::string what;
    Type type;
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (auto name = dyn_cast<StringAttr>(attr)) {
      source = func ? findSource(func, name) : OpResult();
      if (!source)
        return reportUnknownSource(name);
      what = ("the source \"" + name.getValue() + "\"").str();
      type = source.getType();
    } else if (integer && !isa<BoolAttr>(attr) &&
               integer.getValue().isSignedIntN(64)) {
      int64_t number = integer.getValue().getSExtValue();
      int64_t count = func ? func.getNumArguments() : 0;
      if (number < 0 || number >= count)
        return emitError() << kSubject << "names argument " << number
                           << ", the function has " << count;
      from = unsigned(number);
      what = "argument " + std::to_string(number);
      type = func.getArgumentTypes()[number];
    } else {
      return emitError() << kSubject
                         << "must be the number of an argument, or the name of "
                            "a source, got "
                         << attr;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return emitError() << kSubject << "names " << what
                         << ", which is no ranked tensor but " << type;
    std::string reason = explainElements(kind, tensor.getElementType());
    if (reason.empty())
      return success();
    return emitError() << kSubject << "names " << what << " of elements "
                       << tensor.getElementType()
                       << ", from which the source \""
                       << stringifyPatternKind(kind) << "\" cannot be read; "
                       << reason;
  }

  LogicalResult reportUnknownSource(StringAttr wanted) {
    SmallVector<std::string> names;
    if (func)
      walkSources(func, [&](StringRef name, OpResult) {
        names.push_back(("\"" + name + "\"").str());
        return true;
      });
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "'from' of a 'pit.sparse' mark names the source " << wanted
               << "; ";
    if (names.empty())
      diagnostic << "no op of the function has a name, which is the attribute "
                    "'pit.source'; where nothing reads its results, clean-ups "
                    "remove an op that has one, so let "
                    "'--pit-materialize-marks' run in front of them";
    else
      diagnostic << "the function has " << llvm::join(names, ", ");
    return diagnostic;
  }

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
