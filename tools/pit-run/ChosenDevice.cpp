//===- ChosenDevice.cpp - The device that options ask for -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChosenDevice.h"

#include "PIT/Selection/CardDatabase.h"
#include "PIT/Target/PTX/PTXTarget.h"

#include "mlir/IR/Diagnostics.h"

#include <cstdlib>

using namespace mlir;

namespace pit::run {

llvm::Expected<std::unique_ptr<CudaDevice>> openDevice(ModuleOp module,
                                                       Options &options) {
  std::string why;
  std::unique_ptr<CudaDevice> device;
  if (options.target != "cpu")
    device = CudaDevice::open(why);
  if (!device && options.target == "cuda")
    return llvm::createStringError("target 'cuda': " + why);
  if (!device && !options.onlyForCUDA.empty())
    return llvm::createStringError("--" + options.onlyForCUDA +
                                   " is for target 'cuda'" +
                                   (why.empty() ? "" : ": " + why));
  if (!device)
    return nullptr;
  const pit_cuda_device_info &info = device->getInfo();
  if (options.chip.empty()) {
    const mlir::pit::ChipModel *best =
        mlir::pit::ChipTable::get().findBest(info.major, info.minor);
    if (!best)
      return llvm::createStringError(
          "no known chip fits '%s' of compute capability %d.%d; --chip names "
          "one",
          info.name, info.major, info.minor);
    options.chip = best->name.str();
  }
  // Before anything is compiled, so that a wrong chip is reported at once.
  std::string known;
  {
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
      known = d.str();
      return success();
    });
    auto emitError = [&] { return mlir::emitError(module.getLoc()); };
    if (succeeded(mlir::pit::resolvePTXTarget(options.chip, options.features,
                                              emitError)))
      known.clear();
  }
  if (!known.empty())
    return llvm::createStringError(known);
  options.kernelPipeline += " chip=" + options.chip;
  if (!options.features.empty())
    options.kernelPipeline += " features=" + options.features;
  const char *card = std::getenv("PIT_CARD");
  if (options.card.empty() && card)
    options.card = card;
  options.card = mlir::pit::chooseCardText(
      *mlir::pit::ChipTable::get().find(options.chip), options.card, info.name);
  // In quotes, as paths may have spaces.
  if (!options.card.empty())
    options.kernelPipeline += " card='" + options.card + "'";
  return std::move(device);
}

} // namespace pit::run
