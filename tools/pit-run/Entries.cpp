//===- Entries.cpp - Functions that a caller may name ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entries.h"

using namespace mlir;

/// Functions that a caller may name.
static SmallVector<func::FuncOp> getEntries(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      entries.push_back(function);
  return entries;
}

func::FuncOp pit::run::findEntry(ModuleOp module, StringRef name) {
  auto entry = module.lookupSymbol<func::FuncOp>(name.empty() ? "main" : name);
  if (entry && !entry.isDeclaration())
    return entry;
  SmallVector<func::FuncOp> entries = getEntries(module);
  return name.empty() && entries.size() == 1 ? entries.front() : nullptr;
}

std::string pit::run::describeEntries(ModuleOp module) {
  SmallVector<func::FuncOp> entries = getEntries(module);
  if (entries.empty())
    return ", and no other public one";
  constexpr size_t kMost = 5;
  std::string text = "; --entry names another:";
  for (func::FuncOp entry : ArrayRef(entries).take_front(kMost))
    text += " '" + entry.getName().str() + "'";
  if (entries.size() > kMost)
    text += " and " + std::to_string(entries.size() - kMost) + " more";
  return text;
}
