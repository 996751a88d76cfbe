//===- Jit.h - Compile a function with the CPU pipeline and call it -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_CONVERSION_JIT_H
#define PIT_UNITTESTS_CONVERSION_JIT_H

#include "PIT/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pit::jit {

/// A strided view of host memory, as the arguments of a memref parameter.
template <typename T> struct View {
  T *data = nullptr;
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
};

/// Argument list for ExecutionEngine::invokePacked: a pointer to each expanded
/// descriptor field.
class Arguments {
public:
  template <typename T> void add(const View<T> &view) {
    word(reinterpret_cast<int64_t>(view.data));
    word(reinterpret_cast<int64_t>(view.data));
    word(view.offset);
    for (int64_t size : view.sizes)
      word(size);
    for (int64_t stride : view.strides)
      word(stride);
  }
  SmallVector<void *> get() {
    SmallVector<void *> pointers;
    for (int64_t &value : words)
      pointers.push_back(&value);
    return pointers;
  }

private:
  void word(int64_t value) { words.push_back(value); }
  std::vector<int64_t> words;
};

/// A compiled module.
class Program {
public:
  /// Null with a message on stderr if something fails. `upstreamLoops` lowers
  /// structured ops with convert-linalg-to-loops instead, as a reference.
  static std::unique_ptr<Program> compile(const std::string &source,
                                          const CPUOptions &options,
                                          bool upstreamLoops = false) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto program = std::make_unique<Program>();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllToLLVMIRTranslations(registry);
    program->context.appendDialectRegistry(registry);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &program->context);
    if (!module)
      return nullptr;
    PassManager pm(&program->context);
    if (upstreamLoops)
      pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
    buildLinalgToLLVMPipeline(pm, options);
    if (failed(pm.run(*module)))
      return nullptr;
    auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!builder)
      return fail(builder.takeError());
    auto machine = builder->createTargetMachine();
    if (!machine)
      return fail(machine.takeError());
    auto transformer = makeOptimizingTransformer(3, 0, machine->get());
    ExecutionEngineOptions engineOptions;
    engineOptions.transformer = transformer;
    engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
    engineOptions.enableObjectDump = true;
    auto engine = ExecutionEngine::create(*module, engineOptions);
    if (!engine)
      return fail(engine.takeError());
    program->engine = std::move(*engine);
    return program;
  }

  bool call(const std::string &function, Arguments &arguments) {
    if (llvm::Error error = engine->invokePacked(function, arguments.get())) {
      fail(std::move(error));
      return false;
    }
    return true;
  }
  void dumpObject(const std::string &path) { engine->dumpToObjectFile(path); }

private:
  static std::unique_ptr<Program> fail(llvm::Error error) {
    llvm::logAllUnhandledErrors(std::move(error), llvm::errs(), "jit: ");
    return nullptr;
  }

  MLIRContext context;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::pit::jit

#endif // PIT_UNITTESTS_CONVERSION_JIT_H
