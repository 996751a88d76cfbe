//===- MatchLog.cpp - Why matchers refuse what they look at ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/MatchLog.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;

void Refusals::add(StringRef family, const Twine &reason,
                   const Twine &suggestion) {
  Entry entry{{family}, reason.str(), suggestion.str()};
  // Two families may share a matcher and its reasons.
  auto *known = llvm::find_if(entries, [&](const Entry &other) {
    return other.reason == entry.reason;
  });
  if (known != entries.end()) {
    for (StringRef other : known->families)
      if (other != family)
        entry.families.push_back(other);
    entries.erase(known);
  }
  entries.push_back(std::move(entry));
}

void Refusals::tell(Operation *op, const Twine &what, const Twine &next) const {
  if (entries.empty())
    return;
  remarks::InFlight remark = remarks::missed(op, remarks::kKernels, "kernel");
  if (!remark)
    return;
  remark << ("not " + what + "; tried next: " + next).str();
  for (const Entry &entry : llvm::reverse(entries)) {
    remark << remarks::reason(llvm::join(entry.families, ", ") + ": " +
                              entry.reason);
    if (!entry.suggestion.empty())
      remark << remarks::suggestion(entry.suggestion);
  }
}

std::string mlir::pit::spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}
