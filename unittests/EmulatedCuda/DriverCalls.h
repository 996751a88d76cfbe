//===- DriverCalls.h - What tests call of the driver ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_DRIVERCALLS_H
#define PIT_UNITTESTS_EMULATEDCUDA_DRIVERCALLS_H

#include <cstddef>
#include <cstdint>

extern "C" {
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuModuleLoadDataEx(void **module, const char *image, unsigned count,
                       int *options, void **values);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes);
int cuMemFree_v2(uint64_t pointer);
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuTensorMapEncodeTiled(void *map, int dtype, unsigned rank, void *data,
                           const uint64_t *extents, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion,
                           int fill);
}

#endif // PIT_UNITTESTS_EMULATEDCUDA_DRIVERCALLS_H
