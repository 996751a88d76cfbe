//===- CheckMarks.cpp - Attributes that no pass reads ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMarks.h"

#include "PIT/Dialect/PIT/IR/Marks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::pit;

/// Why marks in a function have no effect, or nothing where they have one.
static StringRef explainNoEffect(Operation *function, ModuleOp program) {
  if (!function)
    return "outside of functions";
  if (!isa<func::FuncOp>(function))
    return "in a function that is no func.func";
  if (function->getParentOp() != program)
    return "in a function that is not in the outermost module";
  if (cast<func::FuncOp>(function).isExternal())
    return "on a function that is only declared";
  return "";
}

static void warnOfMark(Attribute attr, StringRef noEffect,
                       function_ref<InFlightDiagnostic()> warn) {
  if (!noEffect.empty()) {
    warn()
        << "'pit.sparse' has no effect " << noEffect
        << "; it marks arguments of a func.func with a body in the outermost "
           "module, and ops in it";
    return;
  }
  auto mark = cast<DictionaryAttr>(attr);
  auto source = mark.getAs<StringAttr>("source");
  auto axes = mark.getAs<DenseI64ArrayAttr>("axes");
  if (mark.contains("at_most") && axes && axes.size() == 1)
    warn() << "'at_most' of a 'pit.sparse' mark has no effect with one axis; "
              "it bounds the live points of each row of a pattern";
  if (mark.contains("pad") && source && source.getValue() != "lengths")
    warn() << "'pad' of a 'pit.sparse' mark has no effect with the source "
           << source << "; it says which end of a sequence is padded where the "
           << "source is \"lengths\"";
}

/// Warns of names of the dialect that it does not declare, as far as they pass
/// its verifier.
static void warnOfMisspelt(DictionaryAttr attributes,
                           function_ref<InFlightDiagnostic()> warn) {
  if (!attributes)
    return;
  for (NamedAttribute entry : attributes)
    if (StringRef name = entry.getName().getValue();
        isa_and_present<PITDialect>(entry.getNameDialect()) &&
        isMisspeltHint(name))
      warn() << explainUnknownAttribute(name) << " It has no effect.";
}

static void warnOfMisspelt(Operation *op) {
  warnOfMisspelt(op->getDiscardableAttrDictionary(),
                 [&] { return op->emitWarning(); });
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    warnOfMisspelt(function.getArgAttrDict(i),
                   [&] { return op->emitWarning("argument ") << i << ": "; });
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    warnOfMisspelt(function.getResultAttrDict(i),
                   [&] { return op->emitWarning("result ") << i << ": "; });
}

/// Warns of names that no mark of the function is read from.
static void warnOfUnreadSources(FunctionOpInterface function) {
  StringRef sparse = PITDialect::SparseAttrHelper::getNameStr();
  llvm::StringSet<> areRead;
  auto note = [&](Attribute attr) {
    auto mark = dyn_cast_or_null<DictionaryAttr>(attr);
    if (auto from = mark ? mark.getAs<StringAttr>("from") : StringAttr())
      areRead.insert(from.getValue());
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    note(function.getArgAttr(i, sparse));
  SmallVector<Operation *> sources;
  function->walk([&](Operation *op) {
    note(op->getDiscardableAttr(sparse));
    if (op->hasAttr(PITDialect::SourceAttrHelper::getNameStr()))
      sources.push_back(op);
  });
  for (Operation *op : sources)
    for (StringRef name : getSourceNames(op))
      if (!name.empty() && !areRead.contains(name))
        op->emitWarning() << "'pit.source' has no effect, as no mark of the "
                             "function is read from \""
                          << name << "\"";
}

static bool readsDense(Operation *op) {
  return isa_and_present<linalg::LinalgDialect, tensor::TensorDialect>(
      op->getDialect());
}

/// Attributes of calls' operands and results reach no verifier of dialects.
static LogicalResult checkCall(ArgAndResultAttrsOpInterface call) {
  auto check = [&](ArrayAttr attrs, StringRef what) -> LogicalResult {
    if (!attrs)
      return success();
    for (auto [number, dictionary] :
         llvm::enumerate(attrs.getAsRange<DictionaryAttr>()))
      for (NamedAttribute entry : dictionary)
        if (isa_and_present<PITDialect>(entry.getNameDialect()))
          return call->emitOpError()
                 << what << " " << number << ": '" << entry.getName().getValue()
                 << "' has no meaning on " << what
                 << "s of calls; mark the function's own argument, or the op "
                    "that computes the value";
    return success();
  };
  if (failed(check(call.getArgAttrsAttr(), "operand")))
    return failure();
  return check(call.getResAttrsAttr(), "result");
}

LogicalResult pit::checkMarks(Operation *op, ModuleOp program) {
  warnOfMisspelt(op);
  StringRef sparse = PITDialect::SparseAttrHelper::getNameStr();
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    StringRef noEffect = explainNoEffect(function, program);
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (Attribute mark = function.getArgAttr(i, sparse))
        warnOfMark(mark, noEffect, [&] {
          return function->emitWarning("argument ") << i << ": ";
        });
    warnOfUnreadSources(function);
    return success();
  }
  if (Attribute mark = op->getDiscardableAttr(sparse))
    warnOfMark(
        mark,
        explainNoEffect(op->getParentOfType<FunctionOpInterface>(), program),
        [&] { return op->emitWarning(); });
  StringRef dense = PITDialect::DenseAttrHelper::getNameStr();
  if (op->hasAttr(dense) && !readsDense(op))
    op->emitWarning()
        << "'" << dense << "' has no effect on '" << op->getName()
        << "'; it leaves structured ops, and tensor ops that move "
           "data, as they are";
  if (auto call = dyn_cast<ArgAndResultAttrsOpInterface>(op))
    return checkCall(call);
  return success();
}
