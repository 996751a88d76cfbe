//===- Mgpu.h - What gpu-to-llvm's code calls -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that code from MLIR's gpu-to-llvm and nvgpu-to-nvvm passes and
// from its translation of gpu.binary calls, as MLIR 22 declares them. They are
// for modules that mlir-runner runs; programs that PIT compiles call pit_rt_*.
//
// A call that fails prints one message and ends the process with status 1:
// nobody looks at what these functions return, and what would be computed from
// there on would be wrong.
//
// Handles of modules and functions are the shim's own; streams, events and
// memory are the driver's.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_MGPU_MGPU_H
#define PIT_RUNTIME_MGPU_MGPU_H

#include <stddef.h>
#include <stdint.h>

#define MGPU_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MgpuModule MgpuModule;
typedef struct MgpuFunction MgpuFunction;
typedef struct CUstream_st MgpuStream;
typedef struct CUevent_st MgpuEvent;

/// A memref's descriptor: the sizes of all axes are followed by their strides,
/// in elements.
typedef struct MgpuMemRef {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
} MgpuMemRef;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Chooses the device of this thread's further calls; by default it is 0.
MGPU_API void mgpuSetDefaultDevice(int32_t device);

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

/// A module of device code. `image` must stay until the module is unloaded: it
/// is loaded where a device first needs it, as modules are made before the
/// program chooses its device.
MGPU_API MgpuModule *mgpuModuleLoad(const void *image, size_t size);
/// The same of PTX, which the driver compiles with this level of optimization.
MGPU_API MgpuModule *mgpuModuleLoadJIT(const void *image, int32_t level);
MGPU_API void mgpuModuleUnload(MgpuModule *module);
MGPU_API MgpuFunction *mgpuModuleGetFunction(MgpuModule *module,
                                             const char *name);

/// A launch whose grid is empty is left out.
MGPU_API void mgpuLaunchKernel(MgpuFunction *function, intptr_t gridX,
                               intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                               intptr_t blockY, intptr_t blockZ,
                               int32_t sharedBytes, MgpuStream *stream,
                               void **parameters, void **extra,
                               size_t numParameters);
MGPU_API void mgpuLaunchClusterKernel(MgpuFunction *function, intptr_t clusterX,
                                      intptr_t clusterY, intptr_t clusterZ,
                                      intptr_t gridX, intptr_t gridY,
                                      intptr_t gridZ, intptr_t blockX,
                                      intptr_t blockY, intptr_t blockZ,
                                      int32_t sharedBytes, MgpuStream *stream,
                                      void **parameters, void **extra);

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

MGPU_API MgpuStream *mgpuStreamCreate(void);
MGPU_API void mgpuStreamDestroy(MgpuStream *stream);
MGPU_API void mgpuStreamSynchronize(MgpuStream *stream);
MGPU_API void mgpuStreamWaitEvent(MgpuStream *stream, MgpuEvent *event);
MGPU_API MgpuEvent *mgpuEventCreate(void);
MGPU_API void mgpuEventDestroy(MgpuEvent *event);
MGPU_API void mgpuEventSynchronize(MgpuEvent *event);
MGPU_API void mgpuEventRecord(MgpuEvent *event, MgpuStream *stream);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Null for no bytes. Memory that is shared with the host moves on demand.
MGPU_API void *mgpuMemAlloc(uint64_t bytes, MgpuStream *stream,
                            uint8_t isHostShared);
/// Waits for the stream, which may still use the memory.
MGPU_API void mgpuMemFree(void *memory, MgpuStream *stream);
/// The addresses tell the direction.
MGPU_API void mgpuMemcpy(void *to, const void *from, size_t bytes,
                         MgpuStream *stream);
MGPU_API void mgpuMemset32(void *to, uint32_t value, size_t count,
                           MgpuStream *stream);
MGPU_API void mgpuMemset16(void *to, uint16_t value, size_t count,
                           MgpuStream *stream);

/// Lets kernels access host memory.
MGPU_API void mgpuMemHostRegister(void *memory, uint64_t bytes);
MGPU_API void mgpuMemHostUnregister(void *memory);
/// The same of a memref, with the gaps between its elements.
MGPU_API void mgpuMemHostRegisterMemRef(int64_t rank, MgpuMemRef *descriptor,
                                        int64_t elementBytes);
MGPU_API void mgpuMemHostUnregisterMemRef(int64_t rank, MgpuMemRef *descriptor,
                                          int64_t elementBytes);

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// The driver's cuTensorMapEncodeTiled.
MGPU_API void mgpuTensorMapEncodeTiled(void *map, int32_t dtype, uint32_t rank,
                                       void *data, const uint64_t *extents,
                                       const uint64_t *byteStrides,
                                       const uint32_t *box,
                                       const uint32_t *elementStrides,
                                       int32_t interleave, int32_t swizzle,
                                       int32_t promotion, int32_t fill);
/// A map of a memref, in device memory that lasts as long as the process. The
/// box has the memref's order of axes; the rest are the driver's enumerators.
MGPU_API void *mgpuTensorMapEncodeTiledMemref(
    int64_t rank, MgpuMemRef *descriptor, int64_t dtype, int64_t interleave,
    int64_t swizzle, int64_t promotion, int64_t fill, const int64_t *box);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_MGPU_MGPU_H */
