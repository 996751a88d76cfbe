//===- Chips.cpp - Chips and the PTX versions that know them --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

struct Chip {
  StringRef name;
  /// The first PTX version that knows it.
  unsigned firstPTX;
  /// Shared memory that a block may have, in KB: table "Technical
  /// Specifications per Compute Capability" of the CUDA C++ Programming Guide.
  unsigned sharedKB;
};

} // namespace

/// A new chip is one more line.
static constexpr Chip kChips[] = {
    {"sm_75", 63, 64},    {"sm_80", 70, 163},   {"sm_86", 71, 99},
    {"sm_87", 74, 163},   {"sm_89", 78, 99},    {"sm_90", 78, 227},
    {"sm_90a", 80, 227},  {"sm_100", 86, 227},  {"sm_100a", 86, 227},
    {"sm_103", 88, 227},  {"sm_103a", 88, 227}, {"sm_110", 90, 227},
    {"sm_110a", 90, 227}, {"sm_120", 87, 99},   {"sm_120a", 87, 99},
    {"sm_121", 88, 99},   {"sm_121a", 88, 99}};

static const Chip *findChip(StringRef name) {
  const Chip *chip =
      llvm::find_if(kChips, [&](const Chip &c) { return c.name == name; });
  return chip == std::end(kChips) ? nullptr : chip;
}

static constexpr unsigned kPTXVersions[] = {63, 64, 65, 70, 71, 72, 73, 74,
                                            75, 76, 77, 78, 80, 81, 82, 83,
                                            84, 85, 86, 87, 88, 90};

static std::string listChips() {
  return llvm::join(
      llvm::map_range(kChips, [](const Chip &chip) { return chip.name; }),
      ", ");
}

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
  const Chip *chip = findChip(name);
  if (!chip)
    return emitError() << "unknown chip '" << name
                       << "'; known are: " << listChips();
  unsigned version = chip->firstPTX;
  StringRef digits = features;
  if (!features.empty() &&
      (!digits.consume_front("+ptx") || digits.getAsInteger(10, version) ||
       !llvm::is_contained(kPTXVersions, version) || version < chip->firstPTX))
    return emitError() << "'" << name << "' does not go with the features '"
                       << features << "'; possible is one of: "
                       << listVersions(chip->firstPTX);
  return PTXTarget{name.str(), "+ptx" + std::to_string(version), version};
}

int64_t mlir::pit::getSharedBytesPerBlock(StringRef name) {
  const Chip *chip = findChip(name);
  return chip ? int64_t(chip->sharedKB) << 10 : 0;
}

/// Whether a known chip has the compute capability, times 10, or a later one.
static bool isAtLeast(StringRef name, unsigned capability) {
  unsigned number;
  return findChip(name) &&
         !name.drop_front(3).rtrim('a').getAsInteger(10, number) &&
         number >= capability;
}

bool mlir::pit::hasAsyncCopies(StringRef name) { return isAtLeast(name, 80); }

bool mlir::pit::hasDependentLaunches(StringRef name) {
  return isAtLeast(name, 90);
}

bool mlir::pit::hasCachePolicies(StringRef name) {
  constexpr unsigned kFirstPTX = 74;
  return isAtLeast(name, 80) && findChip(name)->firstPTX >= kFirstPTX;
}

std::string mlir::pit::getBestChip(int major, int minor) {
  std::string exact = "sm_" + std::to_string(major * 10 + minor);
  // Code for sm_90a runs on 9.0 alone, code for sm_90 on what is newer, too.
  for (std::string name : {exact + "a", exact})
    if (llvm::any_of(kChips, [&](const Chip &c) { return c.name == name; }))
      return name;
  StringRef best;
  int bestNumber = 0;
  for (const Chip &chip : kChips) {
    int number;
    if (!chip.name.drop_front(3).getAsInteger(10, number) &&
        number <= major * 10 + minor && number > bestNumber) {
      best = chip.name;
      bestNumber = number;
    }
  }
  return best.str();
}
