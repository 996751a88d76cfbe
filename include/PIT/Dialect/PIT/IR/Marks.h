//===- Marks.h - Marks of IR that does not know the dialect -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_MARKS_H
#define PIT_DIALECT_PIT_IR_MARKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>

namespace mlir::pit {

/// On `pit.sparse` ops that no op follows: they say where another mark leaves
/// lines without a number. `--pit-select-marks` puts it there.
inline constexpr StringLiteral kCompletes("__completes");

/// The contents of a `pit.sparse` dictionary.
struct Mark {
  PatternAttr pattern;
  /// What the pattern is read from: an argument of the function, by its number,
  /// or the result of an op, by its name. At most one of them is given.
  std::optional<unsigned> from;
  OpResult source;
  /// The share of the pattern's blocks that is expected to be live.
  FloatAttr live;
};

/// Reads the mark of a value of type `marked` in `function`. An invalid mark is
/// reported by one diagnostic that names the key.
FailureOr<Mark> readMark(Attribute mark, Type marked,
                         FunctionOpInterface function,
                         function_ref<InFlightDiagnostic()> emitError);

/// The names that `pit.source` gives to results of the op, one for each, empty
/// where a result has none. Nothing where the op has no such attribute.
SmallVector<StringRef> getSourceNames(Operation *op);

/// The type of `pit.source`, and that a name stands for one ranked tensor of
/// the function. Failures are reported by one diagnostic.
LogicalResult verifySourceNames(Operation *op, Attribute names,
                                function_ref<InFlightDiagnostic()> emitError);

/// The value of a float attribute in [0, 1]; none for any other attribute.
std::optional<double> readShare(Attribute attr);

/// The text of a diagnostic: the dialect declares no attribute `name`, and
/// these declared ones have similar names.
std::string explainUnknownAttribute(StringRef name);

/// Whether `name` is undeclared and resembles only hints: attributes that
/// choose among ways to compute the same, or only inform. The verifier accepts
/// such a name with a warning. A misspelt `pit.sparse` is an error, as a mark
/// defines what elements hold.
bool isMisspeltHint(StringRef name);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_MARKS_H
