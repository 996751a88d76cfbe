//===- DeclaredAttributes.h - The dialect's discardable ones ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A new discardable attribute is a declaration in PITDialect.td and an entry in
// the table of DeclaredAttributes.cpp: where it may stand, and what it may be.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_DECLAREDATTRIBUTES_H
#define PIT_LIB_DIALECT_PIT_IR_DECLAREDATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::pit {

/// An attribute of an op, or of an argument of a function.
struct Subject {
  Operation *op;
  std::optional<unsigned> argument;
  NamedAttribute attribute;

  StringRef getName() const { return attribute.getName().getValue(); }
  Attribute getValue() const { return attribute.getValue(); }
  Type getArgumentType() const {
    return cast<FunctionOpInterface>(op).getArgumentTypes()[*argument];
  }
  InFlightDiagnostic emitError() const {
    InFlightDiagnostic diagnostic = op->emitOpError();
    if (argument)
      diagnostic << "argument " << *argument << ": ";
    return diagnostic;
  }
  LogicalResult refuse(const Twine &allowed) const {
    return emitError() << "'" << getName() << "' must be " << allowed
                       << ", got " << getValue();
  }
};

/// An attribute that the dialect declares.
struct Declared {
  StringLiteral name;
  /// In words; the checks say whether a subject is one of them.
  StringLiteral places;
  bool (*mayStandOn)(const Subject &);
  LogicalResult (*verify)(const Subject &);
  /// Whether a program means something else without it, as without a mark.
  /// Others choose among ways to compute the same, or are for reading.
  bool hasMeaning = false;
};

/// All of them, by name.
ArrayRef<Declared> getDeclaredAttributes();

/// The one with that name, or null.
const Declared *findDeclared(StringRef name);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_IR_DECLAREDATTRIBUTES_H
