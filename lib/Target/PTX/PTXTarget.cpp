//===- PTXTarget.cpp - A chip and a PTX version ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/PTXTarget.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr unsigned kPTXVersions[] = {63, 64, 65, 70, 71, 72, 73, 74,
                                            75, 76, 77, 78, 80, 81, 82, 83,
                                            84, 85, 86, 87, 88, 90};

static std::string listVersions(unsigned first) {
  std::string list;
  for (unsigned version : kPTXVersions)
    if (version >= first)
      list += (list.empty() ? "+ptx" : ", +ptx") + std::to_string(version);
  return list;
}

FailureOr<PTXTarget>
mlir::pit::resolvePTXTarget(StringRef name, StringRef features,
                            function_ref<InFlightDiagnostic()> emitError) {
  llvm::Expected<const ChipModel *> found = ChipTable::get().lookup(name);
  if (!found)
    return emitError() << llvm::toString(found.takeError());
  const ChipModel &chip = **found;
  unsigned version = chip.firstPTX;
  StringRef digits = features;
  if (!features.empty() &&
      (!digits.consume_front("+ptx") || digits.getAsInteger(10, version) ||
       !llvm::is_contained(kPTXVersions, version) || version < chip.firstPTX))
    return emitError() << "'" << name << "' does not go with the features '"
                       << features << "'; possible is one of: "
                       << listVersions(chip.firstPTX);
  return PTXTarget{name.str(), "+ptx" + std::to_string(version), version};
}
