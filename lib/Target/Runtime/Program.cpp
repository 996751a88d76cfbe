//===- Program.cpp - A program as its hosts see it ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Program.h"

#include "CallBuilder.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::pit;

int64_t ProgramFunction::getNumExtents() const {
  int64_t extents = 0;
  for (const ProgramValue &result : results)
    extents += int64_t(result.shape.size());
  return extents;
}

//===----------------------------------------------------------------------===//
// Before the pipelines
//===----------------------------------------------------------------------===//

LogicalResult mlir::pit::selectEntryPoints(ModuleOp program,
                                           ArrayRef<std::string> names) {
  for (const std::string &name : names) {
    auto function = program.lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal())
      return program.emitError("no function '") << name << "' is defined";
    function.setPublic();
  }
  Builder builder(program.getContext());
  program.getContext()->loadDialect<bufferization::BufferizationDialect>();
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  bool any = false;
  for (auto function : program.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (!names.empty() && !llvm::is_contained(names, function.getName())) {
      function.setPrivate();
      continue;
    }
    any = true;
    // Inputs are values: a call must not change what the next one reads.
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (isa<TensorType>(function.getArgument(i).getType()) &&
          !function.getArgAttr(i, writable))
        function.setArgAttr(i, writable, builder.getBoolAttr(false));
  }
  if (!any)
    return program.emitError("no public function is defined, so there is "
                             "nothing to call");
  return success();
}

//===----------------------------------------------------------------------===//
// After them
//===----------------------------------------------------------------------===//

ProgramValue mlir::pit::describeValue(Type type) {
  ProgramValue value;
  value.element = getElementTypeOrSelf(type);
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    value.isTensor = true;
    for (int64_t extent : shaped.getShape())
      value.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  }
  return value;
}

FailureOr<ProgramInfo> mlir::pit::readProgram(ModuleOp lowered) {
  auto facts = lowered->getAttrOfType<DictionaryAttr>(kProgramAttrName);
  auto target = facts ? facts.getAs<StringAttr>("target") : StringAttr();
  auto chip = facts ? facts.getAs<StringAttr>("chip") : StringAttr();
  if (!target || !chip)
    return lowered.emitError("the module is no compiled program: it lacks the "
                             "attribute '")
           << kProgramAttrName
           << "'; 'pit-opt --pit-to-cuda' and '--pit-to-cpu=entry-points' "
              "compile one";
  ProgramInfo program;
  program.target = target.getValue().str();
  program.chip = chip.getValue().str();
  if (auto phases = lowered->getAttrOfType<StringAttr>(
          PITDialect::PhasesAttrHelper::getNameStr()))
    program.phases = phases.getValue().str();
  for (auto function : lowered.getOps<LLVM::LLVMFuncOp>()) {
    auto entry = function->getAttrOfType<DictionaryAttr>(kEntryAttrName);
    if (!entry)
      continue;
    auto name = entry.getAs<StringAttr>("name");
    auto type = entry.getAs<TypeAttr>("type");
    auto signature =
        type ? dyn_cast<FunctionType>(type.getValue()) : FunctionType();
    if (!name || !signature)
      return function.emitOpError("has a malformed '")
             << kEntryAttrName << "': expected a name and a function's type";
    ProgramFunction described;
    described.name = name.getValue().str();
    for (Type input : signature.getInputs())
      described.arguments.push_back(describeValue(input));
    for (Type result : signature.getResults())
      described.results.push_back(describeValue(result));
    size_t numOperands =
        described.arguments.size() + described.results.size() + 4;
    if (function.getName() != described.getCallName() ||
        function.getNumArguments() != numOperands ||
        !lowered.lookupSymbol<LLVM::LLVMFuncOp>(described.getShapesName()))
      return function.emitOpError("is not the entry point that its '")
             << kEntryAttrName << "' describes";
    program.functions.push_back(std::move(described));
  }
  if (program.functions.empty())
    return lowered.emitError("the module has no entry points");
  return program;
}
