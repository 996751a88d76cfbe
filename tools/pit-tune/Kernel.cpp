//===- Kernel.cpp - A program that is measured ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Target/Runtime/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <atomic>
#include <thread>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::tune;

/// From buffers to the LLVM dialect; null with a diagnostic.
static OwningOpRef<ModuleOp>
lower(const std::string &text, const std::string &chip, MLIRContext &context) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "candidate");
  if (!module)
    return nullptr;
  PassManager manager(&context);
  PITToPTXOptions options;
  options.chip = chip;
  buildTilesToKernelsPipeline(manager, options);
  buildLinalgToPTXPipeline(manager, options);
  buildLaunchesToLLVMPipeline(manager);
  manager.addPass(
      createPITEmitProgramTable(PITEmitProgramTableOptions{"cuda", chip}));
  if (failed(manager.run(*module)))
    return nullptr;
  return module;
}

llvm::Expected<std::unique_ptr<Kernel>>
Kernel::compile(const DialectRegistry &registry, const std::string &program,
                const std::string &chip) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::string why;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (why.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      why = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = lower(program, chip, context);
  if (!module)
    return llvm::createStringError(why.empty() ? "does not compile" : why);
  std::unique_ptr<Kernel> kernel(new Kernel());
  if (pit_context_create(&kernel->context) != PIT_OK)
    return llvm::createStringError("no memory for a context");
  // Host code is a few calls.
  auto table = run::TableProgram::create(*module, "main", /*device=*/nullptr,
                                         /*optLevel=*/0);
  if (!table)
    return table.takeError();
  kernel->program = std::move(*table);
  return std::move(kernel);
}

Kernel::~Kernel() {
  if (context)
    pit_context_destroy(context);
}

llvm::Error Kernel::takeError(int32_t status) {
  if (status == PIT_OK && pit_context_status(context) == PIT_OK)
    return llvm::Error::success();
  std::string text(pit_context_last_error(context, nullptr, 0), '\0');
  pit_context_last_error(context, text.data(), text.size() + 1);
  pit_context_clear_error(context);
  return llvm::createStringError(text.empty() ? pit_status_string(status)
                                              : text);
}

static SmallVector<void *> getArguments(ArrayRef<pit_tensor> tensors) {
  SmallVector<void *> arguments;
  for (const pit_tensor &tensor : tensors)
    arguments.push_back(const_cast<pit_tensor *>(&tensor));
  return arguments;
}

llvm::Expected<int64_t>
Kernel::getWorkspaceBytes(ArrayRef<pit_tensor> tensors) {
  SmallVector<void *> arguments = getArguments(tensors);
  int64_t extents[8], bytes = 0;
  if (llvm::Error error = takeError(program->getEntry().shapes(
          context, arguments.data(), extents, &bytes)))
    return std::move(error);
  return bytes;
}

llvm::Error Kernel::call(pit_stream stream, ArrayRef<pit_tensor> tensors,
                         void *workspace, int64_t workspaceBytes) {
  SmallVector<void *> arguments = getArguments(tensors);
  return takeError(program->getEntry().call(
      context, stream, arguments.data(), nullptr, workspace, workspaceBytes));
}

llvm::Error Kernel::check(pit_stream stream) {
  return takeError(pit_cuda_check(context, stream));
}

void mlir::pit::tune::forEach(size_t count, unsigned threads,
                              function_ref<void(size_t)> work) {
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads && i < count; ++i)
    others.emplace_back(run);
  run();
  for (std::thread &other : others)
    other.join();
}
