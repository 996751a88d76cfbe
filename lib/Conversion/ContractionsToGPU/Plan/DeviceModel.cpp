//===- DeviceModel.cpp - The device that kernels are planned for ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceModel.h"

#include "PIT/Selection/ChooseDatabase.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

FailureOr<DeviceModel> mlir::pit::hopper::lookupDevice(StringRef chip,
                                                       StringRef card,
                                                       int64_t multiprocessors,
                                                       MLIRContext *context) {
  FailureOr<const ChipModel *> model = lookupChip(chip, context);
  if (failed(model))
    return failure();
  Location loc = UnknownLoc::get(context);
  DeviceModel device;
  device.chip = *model;
  if (!device.chip->has(ChipFeature::WarpgroupProducts)) {
    SmallVector<StringRef> names;
    for (const ChipModel &other : ChipTable::get().getChips())
      if (other.has(ChipFeature::WarpgroupProducts))
        names.push_back(other.name);
    return emitError(loc) << "chip '" << chip
                          << "' has no wgmma; those that have: "
                          << llvm::join(names, ", ");
  }
  FailureOr<Card> found = lookupTunedCard(*device.chip, card, context);
  if (failed(found))
    return failure();
  device.tuned = *found;
  device.card = device.tuned.model;
  if (!device.tuned.database)
    return emitError(loc) << "nothing was measured of the kernels of chip '"
                          << chip << "'; pit-tune does";
  if (multiprocessors < 0)
    return emitError(loc) << "multiprocessors must not be negative, not "
                          << multiprocessors;
  device.multiprocessors =
      multiprocessors ? multiprocessors : device.card->multiprocessors;
  device.times = chooseDatabase(*device.chip, *device.card, "bf16").database;
  return device;
}

FailureOr<std::optional<DeviceModel>>
mlir::pit::hopper::findDevice(StringRef chip, StringRef card,
                              int64_t multiprocessors, MLIRContext *context) {
  FailureOr<const ChipModel *> model = lookupChip(chip, context);
  if (failed(model))
    return failure();
  if (!(*model)->has(ChipFeature::WarpgroupProducts))
    return std::optional<DeviceModel>();
  FailureOr<DeviceModel> device =
      lookupDevice(chip, card, multiprocessors, context);
  if (failed(device))
    return failure();
  return std::optional<DeviceModel>(std::move(*device));
}
