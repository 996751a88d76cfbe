//===- DiscardableAttributes.cpp - Attributes that any op may have --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies that discardable attributes of the dialect are those that
// PITDialect.td declares. A misspelt name of one without which the program
// computes the same passes; `--pit-check-program` warns of it.
//
//===----------------------------------------------------------------------===//

#include "DeclaredAttributes.h"

#include "PIT/Dialect/PIT/IR/Marks.h"

using namespace mlir;
using namespace mlir::pit;

/// The declared attributes that are the fewest edits away, if that is few.
static SmallVector<const Declared *> findNearest(StringRef name) {
  constexpr unsigned kMostEdits = 3;
  unsigned fewest = kMostEdits + 1;
  SmallVector<const Declared *> nearest;
  for (const Declared &entry : getDeclaredAttributes()) {
    unsigned edits = name.edit_distance(entry.name);
    if (edits < fewest)
      nearest.clear();
    fewest = std::min(fewest, edits);
    if (edits == fewest && edits <= kMostEdits)
      nearest.push_back(&entry);
  }
  return nearest;
}

std::string pit::explainUnknownAttribute(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<const Declared *> nearest = findNearest(name);
  bool isNear = !nearest.empty();
  if (!isNear)
    for (const Declared &entry : getDeclaredAttributes())
      nearest.push_back(&entry);
  os << "the pit dialect has no attribute '" << name << "'; "
     << (isNear ? "did you mean " : "it has ");
  llvm::interleave(
      nearest, os,
      [&](const Declared *near) { os << "'" << near->name << "'"; },
      isNear ? " or " : ", ");
  if (isNear)
    os << "?";
  return text;
}

bool pit::isMisspeltHint(StringRef name) {
  if (findDeclared(name))
    return false;
  SmallVector<const Declared *> nearest = findNearest(name);
  return !nearest.empty() && llvm::none_of(nearest, [](const Declared *near) {
    return near->hasMeaning;
  });
}

static LogicalResult verifyDeclared(const Subject &subject) {
  const Declared *declared = findDeclared(subject.getName());
  if (!declared && isMisspeltHint(subject.getName()))
    return success();
  if (!declared)
    return subject.emitError() << explainUnknownAttribute(subject.getName());
  if (!declared->mayStandOn(subject))
    return subject.emitError() << "'" << declared->name << "' stands on "
                               << declared->places << ", not here";
  return declared->verify(subject);
}

LogicalResult PITDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  return verifyDeclared({op, std::nullopt, attribute});
}

LogicalResult PITDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("argument ")
           << argument << ": '" << attribute.getName().getValue()
           << "' stands on arguments of functions alone";
  return verifyDeclared({op, argument, attribute});
}

LogicalResult PITDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  const Declared *declared = findDeclared(name);
  if (!declared && isMisspeltHint(name))
    return success();
  if (!declared)
    return op->emitOpError("result ")
           << result << ": " << explainUnknownAttribute(name);
  return op->emitOpError("result ") << result << ": '" << name << "' stands on "
                                    << declared->places << ", not on a result";
}
