//===- CudaDevice.c - Devices, and what a context holds of them -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "Context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t outOfMemory(pit_context *context) {
  pit_context_set_error(context, PIT_ERROR_OUT_OF_MEMORY,
                        "out of host memory in the CUDA runtime");
  return PIT_ERROR_OUT_OF_MEMORY;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

int32_t pit_cuda_device_count(pit_context *context, int32_t *count) {
  if (!count)
    return PIT_ERROR_INVALID_ARGUMENT;
  *count = 0;
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  int number = 0;
  int32_t status = PIT_CUDA(context, driver, DeviceGetCount, (&number));
  *count = number;
  return status;
}

int32_t pit_cuda_get_device_info(pit_context *context, int32_t device,
                                 pit_cuda_device_info *info) {
  if (!info)
    return PIT_ERROR_INVALID_ARGUMENT;
  memset(info, 0, sizeof(*info));
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  CUdevice handle;
  size_t bytes = 0;
  int32_t status = PIT_CUDA(context, driver, DeviceGet, (&handle, device));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, DeviceGetName,
                      (info->name, (int)sizeof(info->name), handle));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, DeviceTotalMem, (&bytes, handle));
  if (status == PIT_OK)
    status =
        PIT_CUDA(context, driver, DriverGetVersion, (&info->driver_version));
  const struct {
    int attribute;
    int32_t *value;
  } attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &info->major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &info->minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info->multiprocessors}};
  for (size_t i = 0; i < 3 && status == PIT_OK; ++i)
    status = PIT_CUDA(context, driver, DeviceGetAttribute,
                      (attributes[i].value, attributes[i].attribute, handle));
  info->name[sizeof(info->name) - 1] = '\0';
  info->memory_bytes = (int64_t)bytes;
  return status;
}

/// Whether the primary context of a device is kept alive. With the lock held.
static int isRetained(const PitCudaState *state, int device) {
  for (int i = 0; i < state->numRetained; ++i)
    if (state->retained[i] == device)
      return 1;
  return 0;
}

int32_t pit_cuda_use_device(pit_context *context, int32_t device) {
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  PitCudaState *state = &pitResolve(context)->cuda;
  CUdevice handle;
  CUcontext primary = NULL;
  int32_t status = PIT_CUDA(context, driver, DeviceGet, (&handle, device));
  if (status == PIT_OK)
    status =
        PIT_CUDA(context, driver, DevicePrimaryCtxRetain, (&primary, handle));
  if (status != PIT_OK)
    return status;

  pthread_mutex_lock(&state->lock);
  int known = isRetained(state, handle);
  if (!known) {
    int *grown = realloc(state->retained,
                         (size_t)(state->numRetained + 1) * sizeof(int));
    if (grown) {
      state->retained = grown;
      state->retained[state->numRetained++] = handle;
    } else {
      status = outOfMemory(context);
      known = 1;
    }
  }
  pthread_mutex_unlock(&state->lock);
  // One count per pit_context is enough.
  if (known)
    driver->DevicePrimaryCtxRelease(handle);
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, CtxSetCurrent, (primary));
  return status;
}

//===----------------------------------------------------------------------===//
// What a context holds per device
//===----------------------------------------------------------------------===//

/// A pool of the runtime's own, so that the application's is left alone.
static void createPool(PitCudaDevice *device) {
  const PitCudaDriver *driver = device->driver;
  int supported = 0;
  if (!driver->MemPoolCreate || !driver->MemPoolDestroy ||
      !driver->MemPoolSetAttribute || !driver->MemAllocFromPoolAsync ||
      !driver->MemFreeAsync ||
      driver->DeviceGetAttribute(&supported,
                                 CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
                                 device->number) != CUDA_SUCCESS ||
      !supported)
    return;
  PitCudaPoolProps properties;
  memset(&properties, 0, sizeof(properties));
  properties.allocationType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device->number;
  if (driver->MemPoolCreate(&device->pool, &properties) != CUDA_SUCCESS) {
    device->pool = NULL;
    return;
  }
  // Memory stays in the pool between calls; by default it would go back to the
  // device at every synchronisation. It is no error when it does.
  uint64_t keep = UINT64_MAX;
  driver->MemPoolSetAttribute(device->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                              &keep);
}

/// Finds or makes the entry of the current CUDA context.
static int32_t findDevice(pit_context *context, const PitCudaDriver *driver,
                          CUcontext current, PitCudaDevice **found) {
  PitCudaState *state = &pitResolve(context)->cuda;
  pthread_mutex_lock(&state->lock);
  PitCudaDevice *device = state->devices;
  while (device && device->context != current)
    device = device->next;
  int32_t status = PIT_OK;
  if (!device) {
    device = calloc(1, sizeof(PitCudaDevice));
    if (!device || pthread_mutex_init(&device->lock, NULL) != 0) {
      free(device);
      device = NULL;
      status = outOfMemory(context);
    } else {
      device->driver = driver;
      device->context = current;
      status = PIT_CUDA(context, driver, CtxGetDevice, (&device->number));
      if (status == PIT_OK) {
        int mode = pitCudaRelaxCapture(driver);
        createPool(device);
        pitCudaRestoreCapture(driver, mode);
        device->next = state->devices;
        state->devices = device;
      } else {
        pthread_mutex_destroy(&device->lock);
        free(device);
        device = NULL;
      }
    }
  }
  pthread_mutex_unlock(&state->lock);
  *found = device;
  return status;
}

int32_t pitCudaEnter(pit_context *context, CUstream stream,
                     PitCudaDevice **device, int *pushed) {
  *device = NULL;
  *pushed = 0;
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  CUcontext current = NULL, wanted = NULL;
  int32_t status = PIT_CUDA(context, driver, CtxGetCurrent, (&current));
  if (status != PIT_OK)
    return status;
  if (stream) {
    status = PIT_CUDA(context, driver, StreamGetCtx, (stream, &wanted));
    if (status != PIT_OK)
      return status;
  } else {
    wanted = current;
  }
  if (!wanted) {
    pit_context_set_error(context, PIT_ERROR_INVALID_ARGUMENT,
                          "no CUDA context is current on this thread; "
                          "pit_cuda_use_device makes one current");
    return PIT_ERROR_INVALID_ARGUMENT;
  }
  if (wanted != current) {
    status = PIT_CUDA(context, driver, CtxPushCurrent, (wanted));
    if (status != PIT_OK)
      return status;
    *pushed = 1;
  }
  status = findDevice(context, driver, wanted, device);
  if (status != PIT_OK && *pushed) {
    driver->CtxPopCurrent(&wanted);
    *pushed = 0;
  }
  return status;
}

void pitCudaLeave(PitCudaDevice *device, int pushed) {
  CUcontext popped;
  if (device && pushed)
    device->driver->CtxPopCurrent(&popped);
}

int pitCudaRelaxCapture(const PitCudaDriver *driver) {
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (driver->ThreadExchangeStreamCaptureMode)
    driver->ThreadExchangeStreamCaptureMode(&mode);
  return mode;
}

void pitCudaRestoreCapture(const PitCudaDriver *driver, int mode) {
  if (driver->ThreadExchangeStreamCaptureMode)
    driver->ThreadExchangeStreamCaptureMode(&mode);
}

void pitCudaDestroy(pit_context *context, PitCudaState *state) {
  (void)context;
  const PitCudaDriver *driver = NULL;
  pitCudaForgetTimes(state);
  for (PitCudaDevice *device = state->devices, *next; device; device = next) {
    next = device->next;
    driver = device->driver;
    // A CUDA context that its owner has destroyed took everything along; then
    // the push fails.
    CUcontext popped;
    if (driver->CtxPushCurrent(device->context) == CUDA_SUCCESS) {
      for (PitCudaModule *module = device->modules, *after; module;
           module = after) {
        after = module->next;
        pitCudaUnload(device, module);
      }
      for (PitCudaBlock *block = device->blocks; block; block = block->next)
        driver->MemFree(block->memory);
      if (device->status)
        driver->MemFree(device->status);
      if (device->uploads)
        driver->StreamDestroy(device->uploads);
      if (device->pool)
        driver->MemPoolDestroy(device->pool);
      driver->CtxPopCurrent(&popped);
    }
    for (PitCudaBlock *block = device->blocks, *after; block; block = after) {
      after = block->next;
      free(block);
    }
    pthread_mutex_destroy(&device->lock);
    free(device);
  }
  state->devices = NULL;
  if (state->numRetained > 0 && (driver = pitCudaDriver(context)))
    for (int i = 0; i < state->numRetained; ++i)
      driver->DevicePrimaryCtxRelease(state->retained[i]);
  free(state->retained);
  state->retained = NULL;
  state->numRetained = 0;
}
