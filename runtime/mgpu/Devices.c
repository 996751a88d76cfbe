//===- Devices.c - Devices and errors -------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void mgpuFail(const char *function, const char *format, ...) {
  // Never unlocked: where several threads fail, the first one speaks.
  static pthread_mutex_t failing = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&failing);
  // What the program has printed comes first, and is not lost.
  fflush(stdout);
  fprintf(stderr, "pit-mgpu: error: %s: ", function);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  fflush(stderr);
  // Destructors would run beside threads that still work.
  _Exit(EXIT_FAILURE);
}

void mgpuCheck(const char *function, const char *driverFunction,
               const char *detail, CUresult result, const char *log) {
  if (result == CUDA_SUCCESS)
    return;
  char message[512];
  pitCudaResultOf(NULL, driverFunction, detail, result);
  pit_context_last_error(NULL, message, sizeof(message));
  mgpuFail(function, "%s%s%s", message, log && *log ? "\n" : "",
           log ? log : "");
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static _Thread_local int32_t defaultDevice = 0;

void mgpuSetDefaultDevice(int32_t device) { defaultDevice = device; }

static MgpuDevice *findDevice(const char *function, const PitCudaDriver *driver,
                              int number) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static MgpuDevice *devices = NULL;
  pthread_mutex_lock(&lock);
  MgpuDevice *device = devices;
  while (device && device->number != number)
    device = device->next;
  if (!device) {
    int count = 0;
    CUdevice handle = 0;
    mgpuCheck(function, "cuDeviceGetCount", NULL,
              driver->DeviceGetCount(&count), NULL);
    if (number < 0 || number >= count)
      mgpuFail(function, "no device %d: the CUDA driver has %d", number, count);
    mgpuCheck(function, "cuDeviceGet", NULL, driver->DeviceGet(&handle, number),
              NULL);
    device = calloc(1, sizeof(MgpuDevice));
    if (!device)
      mgpuFail(function, "out of host memory");
    device->number = number;
    mgpuCheck(function, "cuDevicePrimaryCtxRetain", NULL,
              driver->DevicePrimaryCtxRetain(&device->context, handle), NULL);
    device->next = devices;
    devices = device;
  }
  pthread_mutex_unlock(&lock);
  return device;
}

const PitCudaDriver *mgpuEnter(const char *function, MgpuDevice **device) {
  const PitCudaDriver *driver = pitCudaDriver(NULL);
  if (!driver) {
    char message[512];
    pit_context_last_error(NULL, message, sizeof(message));
    mgpuFail(function, "%s", message);
  }
  MgpuDevice *found = findDevice(function, driver, defaultDevice);
  // Other libraries of the process may have made another context current.
  CUcontext current = NULL;
  mgpuCheck(function, "cuCtxGetCurrent", NULL, driver->CtxGetCurrent(&current),
            NULL);
  if (current != found->context)
    mgpuCheck(function, "cuCtxSetCurrent", NULL,
              driver->CtxSetCurrent(found->context), NULL);
  if (device)
    *device = found;
  return driver;
}
