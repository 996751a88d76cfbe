//===- CudaCalls.c - What entry points for CUDA call ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

void pit_rt_begin(pit_call *frame, pit_context *context, pit_stream stream) {
  PitCall *call = pitCall(frame);
  memset(call, 0, sizeof(*call));
  call->context = context;
  call->stream = (CUstream)stream;
  call->hasData = 1;
  call->status =
      pitCudaEnter(context, call->stream, &call->device, &call->pushed);
}

void pitCudaEnd(PitCall *call) {
  if (call->workspace) {
    int32_t status = pitCudaRelease(call->context, call->device, call->stream,
                                    call->workspace);
    if (call->status == PIT_OK)
      call->status = status;
    call->workspace = 0;
  }
  pitCudaLeave(call->device, call->pushed);
  call->pushed = 0;
}

//===----------------------------------------------------------------------===//
// Memory and modules
//===----------------------------------------------------------------------===//

void *pit_rt_workspace(pit_call *frame, void *workspace, int64_t size,
                       int64_t needed) {
  PitCall *call = pitCall(frame);
  if (call->status != PIT_OK || needed == 0)
    return workspace;
  if (workspace || needed < 0) {
    if (needed >= 0 && size >= needed)
      return workspace;
    char message[128];
    snprintf(message, sizeof(message),
             "the workspace has %" PRId64 " bytes, %" PRId64 " are needed",
             size, needed);
    pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, message);
    return NULL;
  }
  call->status = pitCudaAcquire(call->context, call->device, call->stream,
                                (size_t)needed, &call->workspace);
  return (void *)(uintptr_t)call->workspace;
}

void *pit_rt_status(pit_call *frame) {
  PitCall *call = pitCall(frame);
  CUdeviceptr status = 0;
  if (call->status == PIT_OK)
    call->status = pitCudaStatus(call->context, call->device, &status);
  return (void *)(uintptr_t)status;
}

void *pit_rt_module(pit_call *frame, const pit_image *image) {
  PitCall *call = pitCall(frame);
  PitCudaModule *module = NULL;
  if (call->status == PIT_OK)
    call->status = pitCudaLoad(call->context, call->device, image, &module);
  return module;
}

void *pit_rt_constant(pit_call *frame, void *handle, int64_t number) {
  PitCall *call = pitCall(frame);
  const PitCudaModule *module = (const PitCudaModule *)handle;
  if (call->status != PIT_OK)
    return NULL;
  if (number < 0 || number >= module->numConstants) {
    pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, "no such constant");
    return NULL;
  }
  return (void *)(uintptr_t)module->constants[number];
}

void pit_rt_copy(pit_call *frame, void *to, const void *from, int64_t bytes) {
  PitCall *call = pitCall(frame);
  if (call->status != PIT_OK || bytes <= 0 || to == from)
    return;
  call->behindKernel = 0;
  call->status =
      PIT_CUDA(call->context, call->device->driver, MemcpyDtoDAsync,
               ((CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)from,
                (size_t)bytes, call->stream));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static void failLaunch(PitCall *call, const PitCudaKernel *kernel,
                       const char *function, CUresult result) {
  call->status = pitCudaResultOf(call->context, function, kernel->name, result);
}

/// Lets a kernel use more dynamic shared memory than every kernel may.
static int raiseSharedLimit(PitCall *call, PitCudaKernel *kernel,
                            int64_t bytes) {
  if (bytes <= atomic_load(&kernel->sharedLimit))
    return 1;
  pthread_mutex_lock(&call->device->lock);
  if (bytes > atomic_load(&kernel->sharedLimit)) {
    CUresult result = call->device->driver->FuncSetAttribute(
        kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        (int)bytes);
    if (result == CUDA_SUCCESS)
      atomic_store(&kernel->sharedLimit, bytes);
    else
      failLaunch(call, kernel, "cuFuncSetAttribute", result);
  }
  pthread_mutex_unlock(&call->device->lock);
  return call->status == PIT_OK;
}

/// Whether all sizes are what a launch can have; a grid may be empty.
static int checkSizes(PitCall *call, const PitCudaKernel *kernel,
                      const int64_t *sizes) {
  for (int i = 0; i < 10; ++i)
    if (sizes[i] < 0 || sizes[i] > INT32_MAX) {
      char message[256];
      snprintf(message, sizeof(message),
               "kernel %s: a launch cannot have a size of %" PRId64,
               kernel->name, sizes[i]);
      pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, message);
      return 0;
    }
  return 1;
}

/// Launches with attributes, which older drivers do not know.
static void launchExtended(PitCall *call, const PitCudaKernel *kernel,
                           const int64_t *sizes, int waits, void **arguments) {
  PitCudaLaunchAttribute attributes[2];
  memset(attributes, 0, sizeof(attributes));
  unsigned count = 0;
  if (sizes[6] > 0) {
    PitCudaLaunchAttribute *cluster = &attributes[count++];
    cluster->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster->value.cluster.x = (unsigned)sizes[6];
    cluster->value.cluster.y = (unsigned)sizes[7];
    cluster->value.cluster.z = (unsigned)sizes[8];
  }
  if (waits) {
    PitCudaLaunchAttribute *programmatic = &attributes[count++];
    programmatic->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    programmatic->value.programmatic = 1;
  }
  PitCudaLaunchConfig config = {
      .grid = {(unsigned)sizes[0], (unsigned)sizes[1], (unsigned)sizes[2]},
      .block = {(unsigned)sizes[3], (unsigned)sizes[4], (unsigned)sizes[5]},
      .sharedBytes = (unsigned)sizes[9],
      .stream = call->stream,
      .attributes = attributes,
      .numAttributes = count};
  CUresult result = call->device->driver->LaunchKernelEx(
      &config, kernel->function, arguments, NULL);
  if (result != CUDA_SUCCESS)
    failLaunch(call, kernel, "cuLaunchKernelEx", result);
}

static void launchKernel(PitCall *call, const PitCudaKernel *kernel,
                         const int64_t *sizes, int waits, void **arguments) {
  if (sizes[6] > 0 || waits) {
    launchExtended(call, kernel, sizes, waits, arguments);
    return;
  }
  CUresult result = call->device->driver->LaunchKernel(
      kernel->function, (unsigned)sizes[0], (unsigned)sizes[1],
      (unsigned)sizes[2], (unsigned)sizes[3], (unsigned)sizes[4],
      (unsigned)sizes[5], (unsigned)sizes[9], call->stream, arguments, NULL);
  if (result != CUDA_SUCCESS)
    failLaunch(call, kernel, "cuLaunchKernel", result);
}

static void launch(PitCall *call, PitCudaModule *module, int64_t number,
                   const int64_t *sizes, int waits, void **arguments) {
  if (call->status != PIT_OK)
    return;
  if (number < 0 || number >= module->numKernels) {
    pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, "no such kernel");
    return;
  }
  PitCudaKernel *kernel = &module->kernels[number];
  if (!checkSizes(call, kernel, sizes))
    return;
  if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0) {
    // What follows may rely on this one to have waited, unless it was compiled
    // to know that this one may be left out.
    if (sizes[0] || sizes[1])
      call->behindKernel = 0;
    return;
  }
  if (!raiseSharedLimit(call, kernel, sizes[9]))
    return;
  const PitCudaDriver *driver = call->device->driver;
  // What the caller put into the stream before is not known to have waited for
  // what came before that.
  waits = waits && call->behindKernel && driver->LaunchKernelEx;
  call->behindKernel = 1;
  if (sizes[6] > 0 && !driver->LaunchKernelEx) {
    pitCallFail(call, PIT_ERROR_UNSUPPORTED,
                "the CUDA driver cannot launch clusters");
    return;
  }
  // An event in front of it: the kernel starts behind the one before.
  int timed = atomic_load(&pitResolve(call->context)->cuda.timesLaunches);
  CUevent events[2];
  if (timed)
    call->status =
        pitCudaStartTime(call->context, call->device, call->stream, events);
  if (call->status == PIT_OK)
    launchKernel(call, kernel, sizes, waits && !timed, arguments);
  if (timed)
    call->status = pitCudaStopTime(call->context, call->device, call->stream,
                                   events, call->status, kernel->name);
}

void pit_rt_launch(pit_call *frame, void *handle, int64_t number,
                   const int64_t *sizes, void **arguments) {
  launch(pitCall(frame), (PitCudaModule *)handle, number, sizes, /*waits=*/0,
         arguments);
}

void pit_rt_launch_waiting(pit_call *frame, void *handle, int64_t number,
                           const int64_t *sizes, void **arguments) {
  launch(pitCall(frame), (PitCudaModule *)handle, number, sizes, /*waits=*/1,
         arguments);
}
