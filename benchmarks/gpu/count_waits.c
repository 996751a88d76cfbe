//===- count_waits.c - Counts what makes the host wait --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library to stand before the CUDA driver: PIT_CUDA_DRIVER names it, and it
// needs libcuda.so.1, where everything is found that it does not define itself.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static _Atomic int64_t waits;

/// How often a function below was called.
int64_t pit_count_waits(void) { return atomic_load(&waits); }

static int forward(const char *name, void *argument) {
  int (*function)(void *);
  void *symbol = dlsym(RTLD_NEXT, name);
  memcpy(&function, &symbol, sizeof(symbol));
  atomic_fetch_add(&waits, 1);
  // CUDA_ERROR_NOT_FOUND.
  return function ? function(argument) : 500;
}

int cuStreamSynchronize(void *stream) {
  return forward("cuStreamSynchronize", stream);
}
int cuEventSynchronize(void *event) {
  return forward("cuEventSynchronize", event);
}
int cuCtxSynchronize(void) { return forward("cuCtxSynchronize", 0); }

/// Freeing memory waits for the device.
int cuMemFree_v2(unsigned long long memory) {
  int (*function)(unsigned long long);
  void *symbol = dlsym(RTLD_NEXT, "cuMemFree_v2");
  memcpy(&function, &symbol, sizeof(symbol));
  atomic_fetch_add(&waits, 1);
  return function ? function(memory) : 500;
}
