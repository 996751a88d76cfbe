//===- ChosenDevice.h - The device that options ask for ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_CHOSENDEVICE_H
#define PIT_TOOLS_PIT_RUN_CHOSENDEVICE_H

#include "Device.h"
#include "Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace pit::run {

/// Opens the device that the options ask for, null for the CPU. Completes the
/// chip, the card, and what kernels are compiled with. Errors: no such device,
/// a chip that is not known, an option that is for devices alone.
llvm::Expected<std::unique_ptr<CudaDevice>> openDevice(mlir::ModuleOp module,
                                                       Options &options);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_CHOSENDEVICE_H
