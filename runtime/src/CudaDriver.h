//===- CudaDriver.h - The CUDA driver, by name ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA driver's types and functions that the runtime and its shim for
// mlir-runner use, declared here so that no CUDA headers are needed. Values are
// those of cuda.h, which are part of the driver's ABI.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_CUDADRIVER_H
#define PIT_RUNTIME_SRC_CUDADRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "pit_runtime_calls.h"

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
/// CUmemGenericAllocationHandle.
typedef unsigned long long CUmemoryHandle;

enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_NOT_SUPPORTED = 801
};

enum {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
};

enum {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_STREAM_NON_BLOCKING = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2,
  CU_MEM_ALLOCATION_TYPE_PINNED = 1,
  CU_MEM_LOCATION_TYPE_DEVICE = 1,
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
  CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6
};

/// CUmemPoolProps: 88 bytes.
typedef struct PitCudaPoolProps {
  int allocationType;
  int handleTypes;
  struct {
    int type;
    int id;
  } location;
  void *securityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} PitCudaPoolProps;

/// CUlaunchAttribute: the id, 4 bytes of padding and a value of 64 bytes.
typedef struct PitCudaLaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int programmatic;
  } value;
} PitCudaLaunchAttribute;

/// CUlaunchConfig.
typedef struct PitCudaLaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  CUstream stream;
  PitCudaLaunchAttribute *attributes;
  unsigned numAttributes;
} PitCudaLaunchConfig;

/// CUtensorMap: 128 bytes on a 64-byte boundary.
typedef struct PitCudaTensorMap {
  _Alignas(64) uint64_t words[16];
} PitCudaTensorMap;

/// CUmemAllocationProp: 32 bytes.
typedef struct PitCudaMemoryProps {
  int type;
  int handleTypes;
  struct {
    int type;
    int id;
  } location;
  void *metadata;
  unsigned char flags[8];
} PitCudaMemoryProps;

/// CUmemAccessDesc.
typedef struct PitCudaMemoryAccess {
  struct {
    int type;
    int id;
  } location;
  int flags;
} PitCudaMemoryAccess;

/// CUstreamBatchMemOpParams for words of 32 bits: 48 bytes.
typedef struct PitCudaWordOperation {
  int operation;
  CUdeviceptr address;
  uint64_t value;
  unsigned flags;
  CUdeviceptr alias;
  uint64_t padding;
} PitCudaWordOperation;

/// What several GPUs need of the driver, of CUDA 12; all else works without.
#define PIT_CUDA_COMM_FUNCTIONS(X)                                             \
  X(MemCreate, "cuMemCreate", 0,                                               \
    (CUmemoryHandle *, size_t, const PitCudaMemoryProps *,                     \
     unsigned long long))                                                      \
  X(MemRelease, "cuMemRelease", 0, (CUmemoryHandle))                           \
  X(MemGetAllocationGranularity, "cuMemGetAllocationGranularity", 0,           \
    (size_t *, const PitCudaMemoryProps *, int))                               \
  X(MemExportToShareableHandle, "cuMemExportToShareableHandle", 0,             \
    (void *, CUmemoryHandle, int, unsigned long long))                         \
  X(MemImportFromShareableHandle, "cuMemImportFromShareableHandle", 0,         \
    (CUmemoryHandle *, void *, int))                                           \
  X(MemAddressReserve, "cuMemAddressReserve", 0,                               \
    (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long))          \
  X(MemAddressFree, "cuMemAddressFree", 0, (CUdeviceptr, size_t))              \
  X(MemMap, "cuMemMap", 0,                                                     \
    (CUdeviceptr, size_t, size_t, CUmemoryHandle, unsigned long long))         \
  X(MemUnmap, "cuMemUnmap", 0, (CUdeviceptr, size_t))                          \
  X(MemSetAccess, "cuMemSetAccess", 0,                                         \
    (CUdeviceptr, size_t, const PitCudaMemoryAccess *, size_t))                \
  X(StreamBatchMemOp, "cuStreamBatchMemOp_v2", 0,                              \
    (CUstream, unsigned, PitCudaWordOperation *, unsigned))                    \
  X(StreamWaitEvent, "cuStreamWaitEvent", 0, (CUstream, CUevent, unsigned))    \
  X(StreamQuery, "cuStreamQuery", 0, (CUstream))                               \
  X(EventQuery, "cuEventQuery", 0, (CUevent))                                  \
  X(MemsetD32Async, "cuMemsetD32Async", 0,                                     \
    (CUdeviceptr, unsigned, size_t, CUstream))

/// What the shim for mlir-runner alone calls; the runtime works without.
#define PIT_CUDA_SHIM_FUNCTIONS(X)                                             \
  X(MemAllocManaged, "cuMemAllocManaged", 0,                                   \
    (CUdeviceptr *, size_t, unsigned))                                         \
  X(MemHostRegister, "cuMemHostRegister_v2", 0, (void *, size_t, unsigned))    \
  X(MemHostUnregister, "cuMemHostUnregister", 0, (void *))                     \
  X(MemcpyAsync, "cuMemcpyAsync", 0,                                           \
    (CUdeviceptr, CUdeviceptr, size_t, CUstream))                              \
  X(MemsetD16Async, "cuMemsetD16Async", 0,                                     \
    (CUdeviceptr, unsigned short, size_t, CUstream))

/// The functions: X(member, symbol, required, parameters). Symbols carry the
/// version that their prototype belongs to.
#define PIT_CUDA_FUNCTIONS(X)                                                  \
  X(Init, "cuInit", 1, (unsigned))                                             \
  X(DriverGetVersion, "cuDriverGetVersion", 1, (int *))                        \
  X(GetErrorName, "cuGetErrorName", 1, (CUresult, const char **))              \
  X(GetErrorString, "cuGetErrorString", 1, (CUresult, const char **))          \
  X(DeviceGetCount, "cuDeviceGetCount", 1, (int *))                            \
  X(DeviceGet, "cuDeviceGet", 1, (CUdevice *, int))                            \
  X(DeviceGetName, "cuDeviceGetName", 1, (char *, int, CUdevice))              \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", 1, (int *, int, CUdevice))     \
  X(DeviceTotalMem, "cuDeviceTotalMem_v2", 1, (size_t *, CUdevice))            \
  X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", 1,                     \
    (CUcontext *, CUdevice))                                                   \
  X(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", 1, (CUdevice))    \
  X(CtxGetCurrent, "cuCtxGetCurrent", 1, (CUcontext *))                        \
  X(CtxSetCurrent, "cuCtxSetCurrent", 1, (CUcontext))                          \
  X(CtxPushCurrent, "cuCtxPushCurrent_v2", 1, (CUcontext))                     \
  X(CtxPopCurrent, "cuCtxPopCurrent_v2", 1, (CUcontext *))                     \
  X(CtxGetDevice, "cuCtxGetDevice", 1, (CUdevice *))                           \
  X(StreamGetCtx, "cuStreamGetCtx", 1, (CUstream, CUcontext *))                \
  X(StreamCreate, "cuStreamCreate", 1, (CUstream *, unsigned))                 \
  X(StreamDestroy, "cuStreamDestroy_v2", 1, (CUstream))                        \
  X(StreamSynchronize, "cuStreamSynchronize", 1, (CUstream))                   \
  X(StreamIsCapturing, "cuStreamIsCapturing", 0, (CUstream, int *))            \
  X(ThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", 0,   \
    (int *))                                                                   \
  X(EventCreate, "cuEventCreate", 1, (CUevent *, unsigned))                    \
  X(EventDestroy, "cuEventDestroy_v2", 1, (CUevent))                           \
  X(EventRecord, "cuEventRecord", 1, (CUevent, CUstream))                      \
  X(EventSynchronize, "cuEventSynchronize", 1, (CUevent))                      \
  X(EventElapsedTime, "cuEventElapsedTime", 1, (float *, CUevent, CUevent))    \
  X(ModuleLoadDataEx, "cuModuleLoadDataEx", 1,                                 \
    (CUmodule *, const void *, unsigned, int *, void **))                      \
  X(ModuleUnload, "cuModuleUnload", 1, (CUmodule))                             \
  X(ModuleGetFunction, "cuModuleGetFunction", 1,                               \
    (CUfunction *, CUmodule, const char *))                                    \
  X(FuncSetAttribute, "cuFuncSetAttribute", 1, (CUfunction, int, int))         \
  X(LaunchKernel, "cuLaunchKernel", 1,                                         \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))                                    \
  X(LaunchKernelEx, "cuLaunchKernelEx", 0,                                     \
    (const PitCudaLaunchConfig *, CUfunction, void **, void **))               \
  X(MemAlloc, "cuMemAlloc_v2", 1, (CUdeviceptr *, size_t))                     \
  X(MemFree, "cuMemFree_v2", 1, (CUdeviceptr))                                 \
  X(MemPoolCreate, "cuMemPoolCreate", 0,                                       \
    (CUmemoryPool *, const PitCudaPoolProps *))                                \
  X(MemPoolDestroy, "cuMemPoolDestroy", 0, (CUmemoryPool))                     \
  X(MemPoolSetAttribute, "cuMemPoolSetAttribute", 0,                           \
    (CUmemoryPool, int, void *))                                               \
  X(MemAllocFromPoolAsync, "cuMemAllocFromPoolAsync", 0,                       \
    (CUdeviceptr *, size_t, CUmemoryPool, CUstream))                           \
  X(MemFreeAsync, "cuMemFreeAsync", 0, (CUdeviceptr, CUstream))                \
  X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", 1,                                \
    (CUdeviceptr, const void *, size_t, CUstream))                             \
  X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", 1,                                \
    (void *, CUdeviceptr, size_t, CUstream))                                   \
  X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", 1,                                \
    (CUdeviceptr, CUdeviceptr, size_t, CUstream))                              \
  X(MemsetD8Async, "cuMemsetD8Async", 1,                                       \
    (CUdeviceptr, unsigned char, size_t, CUstream))                            \
  X(GetProcAddress, "cuGetProcAddress_v2", 0,                                  \
    (const char *, void **, int, uint64_t, int *))                             \
  PIT_CUDA_COMM_FUNCTIONS(X)                                                   \
  PIT_CUDA_SHIM_FUNCTIONS(X)

typedef CUresult
PitTensorMapEncodeTiled(PitCudaTensorMap *map, int dtype, unsigned rank,
                        void *data, const uint64_t *extents,
                        const uint64_t *byteStrides, const uint32_t *box,
                        const uint32_t *elementStrides, int interleave,
                        int swizzle, int promotion, int fill);

typedef CUresult
PitTensorMapEncodeIm2col(PitCudaTensorMap *map, int dtype, unsigned rank,
                         void *data, const uint64_t *extents,
                         const uint64_t *byteStrides, const int *lower,
                         const int *upper, unsigned channels, unsigned windows,
                         const uint32_t *elementStrides, int interleave,
                         int swizzle, int promotion, int fill);

#define PIT_CUDA_MEMBER(member, symbol, required, parameters)                  \
  CUresult(*member) parameters;
typedef struct PitCudaDriver {
  PIT_CUDA_FUNCTIONS(PIT_CUDA_MEMBER)
  /// Null before CUDA 12.0.
  PitTensorMapEncodeTiled *TensorMapEncodeTiled;
  PitTensorMapEncodeIm2col *TensorMapEncodeIm2col;
} PitCudaDriver;
#undef PIT_CUDA_MEMBER

/// Opens the driver at the first call. Null where there is none, with the
/// reason recorded in the context.
const PitCudaDriver *pitCudaDriver(pit_context *context);

/// Turns a driver function's result into a status code; on an error records a
/// message that names `function` and what the driver says.
int32_t pitCudaResult(pit_context *context, const char *function,
                      CUresult result);

/// As pitCudaResult, with `detail` before the driver's text where not empty.
int32_t pitCudaResultOf(pit_context *context, const char *function,
                        const char *detail, CUresult result);

/// Calls a function of `driver`: PIT_CUDA(context, driver, MemFree, (pointer)).
#define PIT_CUDA(context, driver, member, arguments)                           \
  pitCudaResult(context, "cu" #member, (driver)->member arguments)

#endif /* PIT_RUNTIME_SRC_CUDADRIVER_H */
