//===- Names.cpp - Names that PTX allows ----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

static bool isInsideName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

bool mlir::pit::isPTXName(StringRef name) {
  if (name.empty() || !llvm::all_of(name, isInsideName))
    return false;
  return llvm::isAlpha(name.front()) ||
         (!llvm::isDigit(name.front()) && name.size() > 1);
}

LogicalResult mlir::pit::renameForPTX(gpu::GPUModuleOp module,
                                      ModuleOp program) {
  SymbolTable symbols(module);
  SmallVector<SymbolOpInterface> wrong;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    // What is only declared has its name from elsewhere, such as `llvm.fabs`.
    auto function = dyn_cast<FunctionOpInterface>(symbol.getOperation());
    if (!(function && function.isExternal()) && !isPTXName(symbol.getName()))
      wrong.push_back(symbol);
  }
  for (SymbolOpInterface symbol : wrong) {
    std::string stem = "k_";
    for (char c : symbol.getName())
      stem += isInsideName(c) ? c : '_';
    std::string name = stem;
    for (unsigned i = 0; symbols.lookup(name); ++i)
      name = stem + "_" + llvm::utostr(i);
    // Launches name the module, too, so their uses are those of the program.
    auto renamed = StringAttr::get(module.getContext(), name);
    if (failed(SymbolTable::replaceAllSymbolUses(symbol, renamed, program)) ||
        failed(symbols.rename(symbol, renamed)))
      return symbol.emitOpError("has a name that PTX does not allow, and uses "
                                "that cannot be found");
  }
  return success();
}
