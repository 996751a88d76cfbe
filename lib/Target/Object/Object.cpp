//===- Object.cpp - Object code of programs for this host -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Object/Object.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::pit;

/// The CPU that stands for all of its kind; null for kinds not named here.
static const char *getBaseline(const llvm::Triple &triple) {
  return triple.getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
}

/// The features of the machine at hand, which its CPU's name alone may promise
/// too many of.
static std::string getFeatures(StringRef cpu) {
  std::string features;
  if (cpu != llvm::sys::getHostCPUName())
    return features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    features += features.empty() ? "" : ",";
    features += feature.second ? '+' : '-';
    features += feature.first();
  }
  return features;
}

static const llvm::Target *findTarget(const llvm::Triple &triple,
                                      Location loc) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string why;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!target)
    emitError(loc, "no code generator for this host: ") << why;
  return target;
}

/// What code is made with beside features of the CPU. Gathers and scatters of
/// x86 are slower than the loads and stores that they stand for.
static std::string getTuning(const llvm::Triple &triple) {
  return triple.isX86() ? "+prefer-no-gather,+prefer-no-scatter" : "";
}

FailureOr<std::string> mlir::pit::resolveCPU(StringRef name, Location loc) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target = findTarget(triple, loc);
  if (!target)
    return failure();
  if (name.empty())
    return std::string(getBaseline(triple));
  if (name == "native")
    return llvm::sys::getHostCPUName().str();
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!info || !info->isCPUStringValid(name))
    return emitError(loc, "unknown CPU '")
           << name << "' for '" << triple.getArchName()
           << "'; 'native' is the one at hand";
  return name.str();
}

std::string mlir::pit::getCPUFeatures(StringRef cpu) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::InitializeNativeTarget();
  std::string why, names;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, why);
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target ? target->createMCSubtargetInfo(triple, cpu, getFeatures(cpu))
             : nullptr);
  if (!info)
    return names;
  for (const llvm::SubtargetFeatureKV &feature :
       info->getEnabledProcessorFeatures())
    names += (names.empty() ? "" : ",") + std::string(feature.Key);
  return names;
}

std::string mlir::pit::getHostFeatures() {
  return getCPUFeatures(llvm::sys::getHostCPUName());
}

/// Null behind one diagnostic: the translation's own, where it has one.
static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               llvm::LLVMContext &context) {
  bool isExplained = false;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        isExplained |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        // Whoever listens prints it.
        return failure();
      });
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "pit");
  if (!code && !isExplained)
    module.emitError("the program cannot be translated to LLVM IR");
  return code;
}

LogicalResult mlir::pit::writeObject(ModuleOp module, StringRef cpu,
                                     StringRef path) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target = findTarget(triple, module.getLoc());
  if (!target)
    return failure();
  std::string features = getFeatures(cpu), tuning = getTuning(triple);
  if (!features.empty() && !tuning.empty())
    features += ",";
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features + tuning, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));

  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translate(module, context);
  if (!code)
    return failure();
  code->setTargetTriple(triple);
  code->setDataLayout(machine->createDataLayout());
  code->setPICLevel(llvm::PICLevel::BigPIC);
  auto optimize =
      makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, machine.get());
  if (llvm::Error e = optimize(code.get()))
    return module.emitError("the program cannot be optimized: ")
           << llvm::toString(std::move(e));

  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_None);
  if (error)
    return module.emitError("cannot write '")
           << path << "': " << error.message();
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, file, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return module.emitError("the host's code generator makes no objects");
  passes.run(*code);
  file.close();
  if (file.has_error()) {
    error = file.error();
    file.clear_error();
    return module.emitError("cannot write '")
           << path << "': " << error.message();
  }
  return success();
}
