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

/// What stands for a line that is nothing but a negation, with or without a
/// guard; nothing for others, as inline assembly may have them.
static std::string spellOutNegation(StringRef line) {
  StringRef rest = line.trim(), guard;
  if (rest.starts_with("@")) {
    guard = rest.take_until(llvm::isSpace);
    rest = rest.drop_front(guard.size()).ltrim();
  }
  if (!rest.consume_front("neg.s") || !rest.consume_back(";"))
    return "";
  StringRef bits = rest.take_while(llvm::isDigit);
  auto [to, from] = rest.drop_front(bits.size()).split(',');
  to = to.trim();
  from = from.trim();
  auto isOperand = [](StringRef text) {
    return !text.empty() && llvm::all_of(text, [](char c) {
      return llvm::isAlnum(c) || c == '%' || c == '_' || c == '-';
    });
  };
  if (!isOperand(to) || !isOperand(from))
    return "";
  std::string start = "\t" + guard.str() + (guard.empty() ? "" : " ");
  return (start + "not.b" + bits + " \t" + to + ", " + from + ";\n" + start +
          "add.s" + bits + " \t" + to + ", " + to + ", 1;")
      .str();
}

std::string mlir::pit::spellOutNegations(StringRef ptx) {
  std::string result;
  result.reserve(ptx.size());
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    std::string instead =
        line.contains("neg.s") ? spellOutNegation(line) : std::string();
    result += instead.empty() ? line.str() : instead;
    if (line.size() < ptx.size())
      result += '\n';
    ptx = rest;
  }
  return result;
}
