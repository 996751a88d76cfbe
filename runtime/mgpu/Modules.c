//===- Modules.c - Modules and their functions ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A module on one device.
typedef struct LoadedModule {
  const MgpuDevice *device;
  CUmodule module;
  MgpuFunction *functions;
  struct LoadedModule *next;
} LoadedModule;

struct MgpuModule {
  const void *image;
  /// -1 for code that the driver does not compile.
  int32_t level;
  LoadedModule *loaded;
};

/// Held for what hangs on modules; the driver compiles under it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static MgpuModule *makeModule(const char *function, const void *image,
                              int32_t level) {
  if (!image)
    mgpuFail(function, "there is no image");
  MgpuModule *module = calloc(1, sizeof(MgpuModule));
  if (!module)
    mgpuFail(function, "out of host memory");
  module->image = image;
  module->level = level;
  return module;
}

MgpuModule *mgpuModuleLoad(const void *image, size_t size) {
  // Images say themselves where they end.
  (void)size;
  return makeModule(__func__, image, -1);
}

MgpuModule *mgpuModuleLoadJIT(const void *image, int32_t level) {
  return makeModule(__func__, image, level < 0 ? 0 : level > 4 ? 4 : level);
}

static LoadedModule *load(const char *function, const PitCudaDriver *driver,
                          const MgpuDevice *device, MgpuModule *module) {
  LoadedModule *loaded = module->loaded;
  while (loaded && loaded->device != device)
    loaded = loaded->next;
  if (loaded)
    return loaded;
  loaded = calloc(1, sizeof(LoadedModule));
  if (!loaded)
    mgpuFail(function, "out of host memory");
  char log[4096] = "";
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                   CU_JIT_OPTIMIZATION_LEVEL};
  void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1),
                    (void *)(uintptr_t)module->level};
  CUresult result =
      driver->ModuleLoadDataEx(&loaded->module, module->image,
                               module->level < 0 ? 2 : 3, options, values);
  log[sizeof(log) - 1] = '\0';
  for (size_t length = strlen(log); length && log[length - 1] == '\n';)
    log[--length] = '\0';
  mgpuCheck(function, "cuModuleLoadDataEx", NULL, result, log);
  loaded->device = device;
  loaded->next = module->loaded;
  module->loaded = loaded;
  return loaded;
}

MgpuFunction *mgpuModuleGetFunction(MgpuModule *module, const char *name) {
  if (!module)
    mgpuFail(__func__, "%s: there is no module", name);
  MgpuDevice *device;
  const PitCudaDriver *driver = mgpuEnter(__func__, &device);
  pthread_mutex_lock(&lock);
  LoadedModule *loaded = load(__func__, driver, device, module);
  MgpuFunction *found = loaded->functions;
  while (found && strcmp(found->name, name) != 0)
    found = found->next;
  if (!found) {
    size_t bytes = strlen(name) + 1;
    found = calloc(1, sizeof(MgpuFunction) + bytes);
    if (!found)
      mgpuFail(__func__, "out of host memory");
    memcpy(found->name, name, bytes);
    MGPU_CALL_OF(driver, ModuleGetFunction, name,
                 (&found->function, loaded->module, name));
    found->next = loaded->functions;
    loaded->functions = found;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/// Unloads what one device has; its driver may be gone when a process ends.
static void unload(const char *function, LoadedModule *loaded) {
  const PitCudaDriver *driver = pitCudaDriver(NULL);
  CUcontext popped;
  CUresult result = driver->CtxPushCurrent(loaded->device->context);
  if (result == CUDA_SUCCESS) {
    result = driver->ModuleUnload(loaded->module);
    driver->CtxPopCurrent(&popped);
  }
  if (result != CUDA_ERROR_DEINITIALIZED)
    mgpuCheck(function, "cuModuleUnload", NULL, result, NULL);
  for (MgpuFunction *next, *one = loaded->functions; one; one = next) {
    next = one->next;
    free(one);
  }
  free(loaded);
}

void mgpuModuleUnload(MgpuModule *module) {
  if (!module)
    return;
  for (LoadedModule *next, *one = module->loaded; one; one = next) {
    next = one->next;
    unload(__func__, one);
  }
  free(module);
}
