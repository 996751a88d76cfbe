//===- Internal.h - Devices and errors of the shim --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the shim's files share: how a call finds its device, and how it fails.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_MGPU_INTERNAL_H
#define PIT_RUNTIME_MGPU_INTERNAL_H

#include "CudaDriver.h"
#include "Mgpu.h"

/// A device that was used. Its primary context is kept until the process ends.
typedef struct MgpuDevice {
  int number;
  CUcontext context;
  struct MgpuDevice *next;
} MgpuDevice;

/// Prints a message that names `function` and ends the process.
_Noreturn void mgpuFail(const char *function, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Fails with the driver's error, if there is one. `detail`, if any, says what
/// was being worked on, and `log`, if any, follows the message.
void mgpuCheck(const char *function, const char *driverFunction,
               const char *detail, CUresult result, const char *log);

/// Opens the driver and makes this thread's default device current.
const PitCudaDriver *mgpuEnter(const char *function, MgpuDevice **device);

/// Calls a function of the driver, which older ones may lack.
#define MGPU_CALL_OF(driver, member, detail, arguments)                        \
  do {                                                                         \
    if (!(driver)->member)                                                     \
      mgpuFail(__func__, "the CUDA driver has no cu" #member);                 \
    mgpuCheck(__func__, "cu" #member, detail, (driver)->member arguments,      \
              NULL);                                                           \
  } while (0)
#define MGPU_CALL(driver, member, arguments)                                   \
  MGPU_CALL_OF(driver, member, NULL, arguments)

/// A kernel of a module, on one device.
struct MgpuFunction {
  CUfunction function;
  /// The dynamic shared memory that it may be launched with by now.
  int32_t sharedLimit;
  MgpuFunction *next;
  char name[];
};

#endif /* PIT_RUNTIME_MGPU_INTERNAL_H */
