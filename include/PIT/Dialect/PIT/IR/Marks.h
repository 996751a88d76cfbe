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

/// What a `pit.sparse` dictionary says.
struct Mark {
  PatternAttr pattern;
  /// The function's argument that the pattern is read from.
  std::optional<unsigned> from;
  /// The share of the pattern's blocks that is expected to be live.
  FloatAttr live;
};

/// Reads the mark of a value of type `marked` in `function`. What is wrong with
/// it is one diagnostic that names the key.
FailureOr<Mark> readMark(Attribute mark, Type marked,
                         FunctionOpInterface function,
                         function_ref<InFlightDiagnostic()> emitError);

/// The value of a float of 0 to 1, or none if it is no such float.
std::optional<double> readShare(Attribute attr);

/// Says that the dialect declares no attribute `name`, and which ones it may
/// have been meant to be.
std::string explainUnknownAttribute(StringRef name);

/// Whether the dialect does not declare `name`, and every declared name near it
/// only chooses among ways to compute the same, or is for reading. The verifier
/// lets such names pass, for a warning. A misspelt `pit.sparse` is not among
/// them: a mark says what elements hold.
bool isMisspeltHint(StringRef name);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_MARKS_H
