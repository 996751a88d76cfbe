//===- CudaModule.c - Images become modules, once per device --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The driver compiles PTX here; what its compiler has to say is kept.
static int32_t loadCode(pit_context *context, PitCudaDevice *device,
                        const pit_image *image, CUmodule *module) {
  char log[320] = "";
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1)};
  CUresult result =
      device->driver->ModuleLoadDataEx(module, image->code, 2, options, values);
  if (result == CUDA_SUCCESS)
    return PIT_OK;
  log[sizeof(log) - 1] = '\0';
  // One line for one message.
  size_t length = strcspn(log, "\n");
  log[length] = '\0';
  char detail[400];
  snprintf(detail, sizeof(detail), "%s%s%s", image->name, *log ? ": " : "",
           log);
  *module = NULL;
  return pitCudaResultOf(context, "cuModuleLoadDataEx", detail, result);
}

static int32_t findKernels(pit_context *context, PitCudaDevice *device,
                           const pit_image *image, PitCudaModule *module) {
  for (int64_t i = 0; i < image->num_kernels; ++i) {
    CUresult result = device->driver->ModuleGetFunction(
        &module->kernels[i].function, module->module, image->kernels[i]);
    if (result != CUDA_SUCCESS)
      return pitCudaResultOf(context, "cuModuleGetFunction", image->kernels[i],
                             result);
    // What every kernel may use without asking.
    atomic_init(&module->kernels[i].sharedLimit, 48 * 1024);
    size_t bytes = strlen(image->kernels[i]) + 1;
    module->kernels[i].name = malloc(bytes);
    if (module->kernels[i].name)
      memcpy(module->kernels[i].name, image->kernels[i], bytes);
    ++module->numKernels;
  }
  return PIT_OK;
}

static int32_t uploadConstants(pit_context *context, PitCudaDevice *device,
                               const pit_image *image, PitCudaModule *module) {
  const PitCudaDriver *driver = device->driver;
  int32_t status = PIT_OK;
  // A stream of its own: the caller's may be capturing.
  if (image->num_constants > 0 && !device->uploads)
    status = PIT_CUDA(context, driver, StreamCreate,
                      (&device->uploads, CU_STREAM_NON_BLOCKING));
  for (int64_t i = 0; i < image->num_constants && status == PIT_OK; ++i) {
    const pit_constant *constant = &image->constants[i];
    // An empty constant still needs an address.
    size_t bytes = constant->bytes > 0 ? (size_t)constant->bytes : 1;
    status =
        PIT_CUDA(context, driver, MemAlloc, (&module->constants[i], bytes));
    if (status != PIT_OK)
      break;
    ++module->numConstants;
    if (constant->bytes > 0)
      status = PIT_CUDA(
          context, driver, MemcpyHtoDAsync,
          (module->constants[i], constant->data, bytes, device->uploads));
  }
  if (image->num_constants > 0 && status == PIT_OK)
    status = PIT_CUDA(context, driver, StreamSynchronize, (device->uploads));
  return status;
}

void pitCudaUnload(PitCudaDevice *device, PitCudaModule *module) {
  for (int64_t i = 0; i < module->numConstants; ++i)
    device->driver->MemFree(module->constants[i]);
  if (module->module)
    device->driver->ModuleUnload(module->module);
  for (int64_t i = 0; i < module->numKernels; ++i)
    free(module->kernels[i].name);
  free(module->kernels);
  free(module->constants);
  free(module);
}

static int32_t makeModule(pit_context *context, PitCudaDevice *device,
                          const pit_image *image, PitCudaModule **made) {
  *made = NULL;
  PitCudaModule *module = calloc(1, sizeof(PitCudaModule));
  if (module) {
    module->kernels =
        calloc((size_t)image->num_kernels + 1, sizeof(PitCudaKernel));
    module->constants =
        calloc((size_t)image->num_constants + 1, sizeof(CUdeviceptr));
  }
  if (!module || !module->kernels || !module->constants) {
    if (module) {
      free(module->kernels);
      free(module->constants);
    }
    free(module);
    pit_context_set_error(context, PIT_ERROR_OUT_OF_MEMORY,
                          "out of host memory while loading a module");
    return PIT_ERROR_OUT_OF_MEMORY;
  }
  memcpy(module->id, image->id, sizeof(module->id));
  int32_t status = PIT_OK;
  if (image->code)
    status = loadCode(context, device, image, &module->module);
  if (status == PIT_OK)
    status = findKernels(context, device, image, module);
  if (status == PIT_OK)
    status = uploadConstants(context, device, image, module);
  if (status != PIT_OK) {
    pitCudaUnload(device, module);
    return status;
  }
  *made = module;
  return PIT_OK;
}

int32_t pitCudaLoad(pit_context *context, PitCudaDevice *device,
                    const pit_image *image, PitCudaModule **module) {
  int32_t status = PIT_OK;
  // Held while the driver compiles: other threads wait for the one result.
  pthread_mutex_lock(&device->lock);
  PitCudaModule *known = device->modules;
  while (known && memcmp(known->id, image->id, sizeof(known->id)) != 0)
    known = known->next;
  if (!known) {
    int mode = pitCudaRelaxCapture(device->driver);
    status = makeModule(context, device, image, &known);
    pitCudaRestoreCapture(device->driver, mode);
    if (known) {
      known->next = device->modules;
      device->modules = known;
    }
  }
  pthread_mutex_unlock(&device->lock);
  *module = known;
  return status;
}
