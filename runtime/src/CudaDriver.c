//===- CudaDriver.c - Opening the CUDA driver -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static PitCudaDriver driver;
/// Empty when `driver` is complete.
static char openError[400];
static int32_t openStatus = PIT_OK;

static void failOpening(const char *what, const char *why) {
  openStatus = PIT_ERROR_UNSUPPORTED;
  snprintf(openError, sizeof(openError), "%s%s%s", what, why ? ": " : "",
           why ? why : "");
}

static void *findSymbol(void *library, const char *name, int required) {
  void *symbol = dlsym(library, name);
  if (!symbol && required && openStatus == PIT_OK)
    failOpening("the CUDA driver is too old: it has no function", name);
  return symbol;
}

/// A function of CUDA 12.0; null where the driver has none.
static void *findYounger(const char *name) {
  void *symbol = NULL;
  int found = 0;
  if (driver.GetProcAddress && driver.GetProcAddress(name, &symbol, 12000, 0,
                                                     &found) == CUDA_SUCCESS &&
      found == 0)
    return symbol;
  return NULL;
}

static void openDriver(void) {
  const char *path = getenv("PIT_CUDA_DRIVER");
  if (!path || !*path)
    path = "libcuda.so.1";
  if (strcmp(path, "none") == 0) {
    failOpening("no CUDA driver: PIT_CUDA_DRIVER is 'none'", NULL);
    return;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    failOpening("no CUDA driver", why ? why : path);
    return;
  }

  // A function's address is stored through a pointer to an object pointer:
  // what POSIX asks of dlsym's users, and memcpy keeps it in the language.
  void *symbol;
#define PIT_CUDA_LOAD(member, name, required, parameters)                      \
  symbol = findSymbol(library, name, required);                                \
  memcpy(&driver.member, &symbol, sizeof(symbol));
  PIT_CUDA_FUNCTIONS(PIT_CUDA_LOAD)
#undef PIT_CUDA_LOAD
  if (openStatus != PIT_OK)
    return;

  CUresult result = driver.Init(0);
  if (result != CUDA_SUCCESS) {
    const char *text = NULL;
    if (driver.GetErrorString(result, &text) != CUDA_SUCCESS)
      text = NULL;
    failOpening("cuInit", text ? text : "unknown error");
    return;
  }
  // What is younger than the oldest driver worth using.
  symbol = findYounger("cuTensorMapEncodeTiled");
  memcpy(&driver.TensorMapEncodeTiled, &symbol, sizeof(symbol));
  symbol = findYounger("cuTensorMapEncodeIm2col");
  memcpy(&driver.TensorMapEncodeIm2col, &symbol, sizeof(symbol));
}

const PitCudaDriver *pitCudaDriver(pit_context *context) {
  pthread_once(&opened, openDriver);
  if (openStatus == PIT_OK)
    return &driver;
  pit_context_set_error(context, openStatus, openError);
  return NULL;
}

static int32_t statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return PIT_OK;
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_INVALID_DEVICE:
    return PIT_ERROR_INVALID_ARGUMENT;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return PIT_ERROR_OUT_OF_MEMORY;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_NOT_SUPPORTED:
    return PIT_ERROR_UNSUPPORTED;
  default:
    return PIT_ERROR_DEVICE;
  }
}

int32_t pitCudaResultOf(pit_context *context, const char *function,
                        const char *detail, CUresult result) {
  if (result == CUDA_SUCCESS)
    return PIT_OK;
  const char *name = NULL, *text = NULL;
  if (driver.GetErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "unknown";
  if (driver.GetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "unknown error";
  char message[480];
  snprintf(message, sizeof(message), "%s: %s%s%s (%s, %d)", function,
           detail ? detail : "", detail && *detail ? ": " : "", text, name,
           result);
  int32_t status = statusOf(result);
  pit_context_set_error(context, status, message);
  return status;
}

int32_t pitCudaResult(pit_context *context, const char *function,
                      CUresult result) {
  return pitCudaResultOf(context, function, NULL, result);
}
