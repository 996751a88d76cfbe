//===- CheckDamage.cpp - Nothing that is written is ignored in silence ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongMarks/Damage.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

/// Whether an error names the attribute, or a constraint that Semantics.md
/// numbers.
static bool isAbout(StringRef message, StringRef name) {
  if (message.contains(name) || message.contains("'pit.") ||
      message.contains("the pit dialect has no attribute"))
    return true;
  for (size_t i = 0; i + 2 < message.size(); ++i)
    if (llvm::isUpper(message[i]) && llvm::isDigit(message[i + 1]) &&
        message[i + 2] == ':')
      return true;
  return false;
}

/// Whether a warning says that the attribute has no effect.
static bool isWarnedOf(ModuleOp program, StringRef name) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(program->clone()));
  bool isWarned = false;
  ScopedDiagnosticHandler handler(
      program.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
          isWarned |= StringRef(diagnostic.str()).contains(name);
        return success();
      });
  PassManager manager(program.getContext());
  manager.addPass(mlir::pit::createPITCheckProgram());
  manager.addNestedPass<func::FuncOp>(mlir::pit::createPITMaterializeMarks());
  (void)manager.run(*copy);
  return isWarned;
}

static size_t countMarks(ModuleOp program) {
  size_t count = 0;
  program.walk([&](mlir::pit::SparseOp) { ++count; });
  return count;
}

/// Attributes of ops, arguments and results with the name.
static size_t countAttributes(ModuleOp program, StringRef name) {
  size_t count = 0;
  program.walk([&](Operation *op) {
    count += op->hasAttr(name);
    auto function = dyn_cast<FunctionOpInterface>(op);
    for (unsigned i = 0, e = function ? function.getNumArguments() : 0; i < e;
         ++i)
      count += bool(function.getArgAttr(i, name));
    for (unsigned i = 0, e = function ? function.getNumResults() : 0; i < e;
         ++i)
      count += bool(function.getResultAttr(i, name));
  });
  return count;
}

/// Each mark becomes an op.
static bool areAllUnderstood(ModuleOp program, StringRef name) {
  if (name != mlir::pit::PITDialect::SparseAttrHelper::getNameStr())
    return true;
  OwningOpRef<ModuleOp> marked = materializeMarks(program);
  return marked && countMarks(*marked) ==
                       countMarks(program) + countAttributes(program, name);
}

Verdict mlir::pit::fuzz::checkDamage(ModuleOp program,
                                     const RunOptions &options,
                                     Coverage &coverage) {
  Verdict verdict;
  auto function = program.lookupSymbol<func::FuncOp>("main");
  auto damage = function ? function->getAttrOfType<StringAttr>(kDamageAttrName)
                         : StringAttr();
  if (!damage) {
    verdict.outcome = Outcome::Invalid;
    verdict.message = "'main' has no attribute 'damage' with the name of one";
    return verdict;
  }
  StringRef name = damage.getValue();
  verdict = check(program, options);
  switch (verdict.outcome) {
  case Outcome::Invalid:
  case Outcome::Diagnostic: {
    if (!isAbout(verdict.message, name))
      return verdict;
    ++coverage["attribute refused"];
    verdict = Verdict();
    return verdict;
  }
  case Outcome::RuntimeError:
    // A mark that promises more than is true of the data, or whose source has
    // other extents.
    if (!StringRef(verdict.message).contains("capacity exceeded") &&
        !StringRef(verdict.message).contains("of its mask is") &&
        !StringRef(verdict.message).contains("index out of range"))
      return verdict;
    ++coverage["attribute at odds with the data"];
    verdict = Verdict();
    return verdict;
  case Outcome::Skipped: {
    // Of a mark that cannot be read there is no reference.
    auto lowered = lower(program, options.chip, std::nullopt);
    if (lowered)
      break;
    verdict.outcome = Outcome::Diagnostic;
    verdict.message = llvm::toString(lowered.takeError());
    if (!isAbout(verdict.message, name))
      return verdict;
    ++coverage["attribute refused"];
    verdict = Verdict();
    return verdict;
  }
  case Outcome::Agrees:
    break;
  default:
    return verdict;
  }
  if (isWarnedOf(program, name)) {
    ++coverage["attribute warned of"];
  } else if (areAllUnderstood(program, name)) {
    ++coverage["attribute understood"];
  } else {
    verdict.outcome = Outcome::Ignored;
    verdict.message = ("nothing says what became of '" + name + "'").str();
  }
  return verdict;
}
