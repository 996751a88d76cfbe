//===- CudaDevice.h - What a context holds per device -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pit_context holds for each CUDA context that calls were made in.
//
// Everything of a device is made at its first use, under the device's lock, and
// freed with the pit_context; so pointers to modules stay valid in between and
// need no lock.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_CUDADEVICE_H
#define PIT_RUNTIME_SRC_CUDADEVICE_H

#include "CudaDriver.h"

#include <pthread.h>
#include <stdatomic.h>

/// A kernel and the dynamic shared memory that it may be launched with.
typedef struct PitCudaKernel {
  CUfunction function;
  _Atomic int64_t sharedLimit;
  /// A copy: the program may be gone before the context.
  char *name;
} PitCudaKernel;

/// A loaded image.
typedef struct PitCudaModule {
  uint64_t id[2];
  CUmodule module;
  int64_t numKernels;
  PitCudaKernel *kernels;
  int64_t numConstants;
  CUdeviceptr *constants;
  struct PitCudaModule *next;
} PitCudaModule;

/// A block of workspace, where the device has no memory pools.
typedef struct PitCudaBlock {
  CUdeviceptr memory;
  size_t bytes;
  CUstream stream;
  int inUse;
  struct PitCudaBlock *next;
} PitCudaBlock;

typedef struct PitCudaDevice {
  const PitCudaDriver *driver;
  CUcontext context;
  CUdevice number;
  pthread_mutex_t lock;
  PitCudaModule *modules;
  /// Null where the device has none.
  CUmemoryPool pool;
  PitCudaBlock *blocks;
  /// Four i64: status code, rule, value, bound.
  CUdeviceptr status;
  /// For uploads, apart from the caller's streams.
  CUstream uploads;
  struct PitCudaDevice *next;
} PitCudaDevice;

/// A launch between two events, of the CUDA context that it was made in.
typedef struct PitCudaTimedLaunch {
  const PitCudaDriver *driver;
  CUcontext context;
  CUevent start, stop;
  /// Of a module, which stays until the pit_context goes.
  const char *kernel;
} PitCudaTimedLaunch;

/// The devices of a pit_context, and the primary contexts it keeps alive.
typedef struct PitCudaState {
  pthread_mutex_t lock;
  /// Whether launches are timed; read without the lock.
  atomic_int timesLaunches;
  PitCudaTimedLaunch *timed;
  size_t numTimed, timedCapacity;
  PitCudaDevice *devices;
  int *retained;
  int numRetained;
} PitCudaState;

/// Finds the CUDA context of a stream, or the current one, and what `context`
/// holds for it. When another CUDA context is current, that of the stream is
/// pushed and `pushed` set: the caller pops it.
int32_t pitCudaEnter(pit_context *context, CUstream stream,
                     PitCudaDevice **device, int *pushed);
void pitCudaLeave(PitCudaDevice *device, int pushed);

/// Frees everything. The device's work must have ended.
void pitCudaDestroy(pit_context *context, PitCudaState *state);

/// Allows, on this thread, what a capture in progress would otherwise forbid:
/// allocating and loading. Returns the mode to restore.
int pitCudaRelaxCapture(const PitCudaDriver *driver);
void pitCudaRestoreCapture(const PitCudaDriver *driver, int mode);

/// Loads an image at its first use.
int32_t pitCudaLoad(pit_context *context, PitCudaDevice *device,
                    const pit_image *image, PitCudaModule **module);
void pitCudaUnload(PitCudaDevice *device, PitCudaModule *module);

/// Puts the event in front of a launch, and the one behind it, where it is
/// noted; what the launch itself ended with is passed on.
int32_t pitCudaStartTime(pit_context *context, PitCudaDevice *device,
                         CUstream stream, CUevent events[2]);
int32_t pitCudaStopTime(pit_context *context, PitCudaDevice *device,
                        CUstream stream, CUevent events[2], int32_t status,
                        const char *kernel);
/// Frees what is noted. The device's work must have ended.
void pitCudaForgetTimes(PitCudaState *state);

/// Stream-ordered memory: from the pool, or from blocks that are kept.
int32_t pitCudaAcquire(pit_context *context, PitCudaDevice *device,
                       CUstream stream, size_t bytes, CUdeviceptr *memory);
int32_t pitCudaRelease(pit_context *context, PitCudaDevice *device,
                       CUstream stream, CUdeviceptr memory);

/// The status buffer, zeroed when it is made.
int32_t pitCudaStatus(pit_context *context, PitCudaDevice *device,
                      CUdeviceptr *status);

#endif /* PIT_RUNTIME_SRC_CUDADEVICE_H */
