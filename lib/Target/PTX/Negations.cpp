//===- Negations.cpp - What the assembler gets wrong ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Negations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

std::string mlir::pit::spellOutNegations(StringRef ptx) {
  constexpr StringLiteral kNegation = "neg.s32";
  std::string result;
  while (true) {
    size_t at = ptx.find(kNegation);
    StringRef before = ptx.take_front(at);
    result += before;
    if (at == StringRef::npos)
      return result;
    // What is left starts with the operands: "\t%r2, %r1;".
    ptx = ptx.drop_front(at + kNegation.size());
    size_t end = ptx.find(';');
    auto [to, from] = ptx.take_front(end).split(',');
    to = to.trim();
    from = from.trim();
    // A guard in front holds for both.
    StringRef guard = before.substr(before.rfind('\n') + 1).trim();
    result +=
        ("not.b32 \t" + to + ", " + from + ";\n\t" + guard +
         (guard.empty() ? "" : " ") + "add.s32 \t" + to + ", " + to + ", 1")
            .str();
    ptx = ptx.drop_front(std::min(end, ptx.size()));
  }
}
