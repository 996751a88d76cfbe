//===- Target.cpp - What programs are compiled for ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"

#include "PIT/GPU/ChipModel.h"

using namespace mlir::pit;
using namespace mlir::pit::fuzz;

/// The best chip for the device, as a verdict that another process reads.
static Verdict askDevice() {
  Verdict verdict;
  verdict.outcome = Outcome::RuntimeError;
  auto device = ::pit::run::CudaDevice::open(verdict.message);
  if (!device)
    return verdict;
  const pit_cuda_device_info &info = device->getInfo();
  const ChipModel *chip = ChipTable::get().findBest(info.major, info.minor);
  if (!chip) {
    verdict.message = std::string("no known chip fits '") + info.name + "'";
    return verdict;
  }
  verdict.outcome = Outcome::Agrees;
  verdict.message = chip->name.str();
  return verdict;
}

llvm::Expected<std::string> mlir::pit::fuzz::findChip(const std::string &named,
                                                      bool needsDevice) {
  std::string chip = named;
  if (needsDevice) {
    // The driver may take its time where many processes start.
    Verdict verdict = runGuarded(/*seconds=*/60, askDevice);
    if (verdict.outcome != Outcome::Agrees)
      return llvm::createStringError("target 'cuda': " + verdict.message);
    if (chip.empty())
      chip = verdict.message;
  }
  return chip.empty() ? kDefaultChip.str() : chip;
}
