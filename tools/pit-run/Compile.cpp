//===- Compile.cpp - From a program to the LLVM dialect -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "DoublePrecision.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Target/Object/Object.h"
#include "PIT/Target/Runtime/Passes.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::pit::run;

namespace {
/// Looks at a program on its way.
struct Inspection : PassWrapper<Inspection, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Inspection)

  explicit Inspection(std::function<void(ModuleOp)> inspect)
      : inspect(std::move(inspect)) {}
  StringRef getArgument() const override { return "inspect-kernels"; }
  void runOnOperation() override {
    inspect(getOperation());
    markAllAnalysesPreserved();
  }

  std::function<void(ModuleOp)> inspect;
};
} // namespace

OwningOpRef<ModuleOp> mlir::pit::run::compile(ModuleOp program, StringRef entry,
                                              const CompileOptions &options) {
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(program->clone()));
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  if (options.doublePrecision && failed(convertToDoublePrecision(*module)))
    return nullptr;

  MLIRContext *context = module->getContext();
  Builder builder(context);
  context->loadDialect<LLVM::LLVMDialect>();
  if (failed(selectEntryPoints(*module, entry.str())))
    return nullptr;
  if (options.chip.empty())
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      builder.getUnitAttr());
  PassManager manager(context);
  if (options.explanation)
    explainPasses(manager, options.explanation);
  // Other programs of the context are not explained.
  llvm::scope_exit stopExplaining([&] {
    if (options.explanation)
      context->setRemarkEngine(nullptr);
  });
  // What the entry does not call need not compile.
  manager.addPass(createSymbolDCEPass());
  if (!options.chip.empty()) {
    auto pipeline = PITToPTXOptions::createFromString(options.pipeline);
    if (!pipeline)
      return nullptr;
    pipeline->chip = options.chip;
    pipeline->dense = options.dense;
    pipeline->denseVariants = options.denseVariants;
    buildPITToPTXPipeline(manager, *pipeline);
    if (options.inspectKernels)
      manager.addPass(std::make_unique<Inspection>(options.inspectKernels));
    buildLaunchesToLLVMPipeline(manager);
    manager.addPass(createPITEmitProgramTable(
        PITEmitProgramTableOptions{"cuda", options.chip}));
    if (options.prepare)
      options.prepare(manager);
    if (failed(manager.run(*module)))
      return nullptr;
    return module;
  }
  auto pipeline = PITToCPUOptions::createFromString(options.pipeline);
  if (!pipeline)
    return nullptr;
  pipeline->dense = options.dense;
  pipeline->undefFill = options.undefFill;
  pipeline->undefNaN = options.undefNaN;
  pipeline->instrument = options.instrument;
  pipeline->denseVariants = options.denseVariants;
  if (!pipeline->features.getNumOccurrences())
    pipeline->features = mlir::pit::getHostFeatures();
  buildPITToCPUPipeline(manager, *pipeline);
  if (options.prepare)
    options.prepare(manager);
  if (failed(manager.run(*module)))
    return nullptr;
  return module;
}

/// Whether `attribute` is the mark of a pattern whose dead elements are undef.
static bool isUndefMark(Attribute attribute) {
  auto mark = dyn_cast_or_null<DictionaryAttr>(attribute);
  auto absent = mark ? mark.getAs<StringAttr>("absent") : StringAttr();
  return absent && absent.getValue() == "undef";
}

bool mlir::pit::run::hasUndef(ModuleOp program) {
  WalkResult result = program.walk([](Operation *op) {
    bool found = isUndefMark(op->getDiscardableAttr(
        mlir::pit::PITDialect::SparseAttrHelper::getNameStr()));
    if (auto sparse = dyn_cast<SparseOp>(op))
      found |= sparse.getPattern().getAbsent() == Absent::Undef;
    if (auto function = dyn_cast<func::FuncOp>(op))
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        found |= isUndefMark(function.getArgAttr(
            i, mlir::pit::PITDialect::SparseAttrHelper::getNameStr()));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
