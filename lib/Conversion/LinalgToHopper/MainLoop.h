//===- MainLoop.h - The warp-specialised, persistent main loop --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H

#include "Scheduler.h"
#include "TileProduct.h"

namespace mlir::pit::hopper {

/// Emits the whole body of a kernel, put together from its parts.
void emitMainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelState &state, Loader &loader,
                  Scheduler &scheduler, TileProduct &product);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H
