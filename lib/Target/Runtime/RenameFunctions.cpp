//===- RenameFunctions.cpp - Names that the C library has -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Host.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITRENAMEFUNCTIONS
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// What buffers and copies of them become, whatever the program computes.
static bool isOfMemory(StringRef name) {
  return llvm::is_contained({"aligned_alloc", "calloc", "free", "malloc",
                             "memcpy", "memmove", "memset", "realloc"},
                            name);
}

/// Functions of libm that ops may become: `tanh` of an f64, `tanhf` of others.
static llvm::StringSet<> collectMathNames(ModuleOp module) {
  llvm::StringSet<> names;
  module.walk([&](Operation *op) {
    if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
        op->getNumResults() == 0)
      return;
    StringRef stem = op->getName().stripDialect();
    if (stem == "powf" || stem == "absf")
      stem = stem == "powf" ? "pow" : "fabs";
    bool isDouble = getElementTypeOrSelf(op->getResult(0).getType()).isF64();
    names.insert((stem + (isDouble ? "" : "f")).str());
  });
  return names;
}

namespace {
struct PITRenameFunctions
    : pit::impl::PITRenameFunctionsBase<PITRenameFunctions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::TargetLibraryInfoImpl library{
        llvm::Triple(llvm::sys::getProcessTriple())};
    SymbolTable symbols(module);
    SmallVector<SymbolOpInterface> clashing;
    for (auto symbol : module.getOps<SymbolOpInterface>()) {
      llvm::LibFunc known;
      auto function = dyn_cast<FunctionOpInterface>(symbol.getOperation());
      if (library.getLibFunc(symbol.getName(), known) &&
          !(function && function.isExternal()))
        clashing.push_back(symbol);
    }
    if (clashing.empty())
      return;
    llvm::StringSet<> mathNames = collectMathNames(module);
    for (SymbolOpInterface symbol : clashing) {
      StringRef name = symbol.getName();
      if (symbol.isPrivate()) {
        if (failed(symbols.renameToUnique(symbol, {})))
          return signalPassFailure();
        continue;
      }
      if (isOfMemory(name) || mathNames.contains(name)) {
        symbol->emitOpError("is public and called '")
            << name << "', like a function of the C library that the compiled "
            << "program calls; give it another name";
        return signalPassFailure();
      }
    }
  }
};
} // namespace
