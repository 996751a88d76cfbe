//===- Launches.c - Launches of kernels -----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <inttypes.h>
#include <pthread.h>

/// Grid, block and cluster, in the driver's types.
typedef struct Sizes {
  unsigned grid[3], block[3], cluster[3];
} Sizes;

static void convertSizes(const char *caller, const char *kernel,
                         const char *what, const intptr_t *from, unsigned *to) {
  for (int i = 0; i < 3; ++i) {
    if (from[i] < 0 || from[i] > INT32_MAX)
      mgpuFail(caller, "%s: a %s of %" PRIdPTR " is out of range", kernel, what,
               from[i]);
    to[i] = (unsigned)from[i];
  }
}

/// Prepares a launch; 0 if there is nothing to launch.
static int prepare(const char *caller, MgpuFunction *function,
                   const intptr_t *sizes, int32_t sharedBytes,
                   const PitCudaDriver **driver, Sizes *converted) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!function)
    mgpuFail(caller, "there is no function");
  convertSizes(caller, function->name, "grid", sizes, converted->grid);
  convertSizes(caller, function->name, "block", sizes + 3, converted->block);
  convertSizes(caller, function->name, "cluster", sizes + 6,
               converted->cluster);
  if (sharedBytes < 0)
    mgpuFail(caller, "%s: %" PRId32 " bytes of shared memory", function->name,
             sharedBytes);
  // The driver calls that an error; a program whose sizes are only known at run
  // time means it.
  if (!converted->grid[0] || !converted->grid[1] || !converted->grid[2])
    return 0;
  *driver = mgpuEnter(caller, NULL);
  pthread_mutex_lock(&lock);
  // Also for few bytes: what every kernel may use without asking includes its
  // static memory, which is not known here.
  if (sharedBytes > function->sharedLimit) {
    mgpuCheck(caller, "cuFuncSetAttribute", function->name,
              (*driver)->FuncSetAttribute(
                  function->function,
                  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes),
              NULL);
    function->sharedLimit = sharedBytes;
  }
  pthread_mutex_unlock(&lock);
  return 1;
}

void mgpuLaunchKernel(MgpuFunction *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, MgpuStream *stream,
                      void **parameters, void **extra, size_t numParameters) {
  (void)numParameters;
  const intptr_t sizes[] = {gridX,  gridY, gridZ, blockX, blockY,
                            blockZ, 1,     1,     1};
  const PitCudaDriver *driver;
  Sizes to;
  if (prepare(__func__, function, sizes, sharedBytes, &driver, &to))
    MGPU_CALL_OF(driver, LaunchKernel, function->name,
                 (function->function, to.grid[0], to.grid[1], to.grid[2],
                  to.block[0], to.block[1], to.block[2], (unsigned)sharedBytes,
                  stream, parameters, extra));
}

void mgpuLaunchClusterKernel(MgpuFunction *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, MgpuStream *stream,
                             void **parameters, void **extra) {
  const intptr_t sizes[] = {gridX,  gridY,    gridZ,    blockX,  blockY,
                            blockZ, clusterX, clusterY, clusterZ};
  const PitCudaDriver *driver;
  Sizes to;
  if (!prepare(__func__, function, sizes, sharedBytes, &driver, &to))
    return;
  PitCudaLaunchAttribute cluster = {
      .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
      .value.cluster = {to.cluster[0], to.cluster[1], to.cluster[2]}};
  PitCudaLaunchConfig config = {
      .grid = {to.grid[0], to.grid[1], to.grid[2]},
      .block = {to.block[0], to.block[1], to.block[2]},
      .sharedBytes = (unsigned)sharedBytes,
      .stream = stream,
      .attributes = &cluster,
      .numAttributes = 1};
  MGPU_CALL_OF(driver, LaunchKernelEx, function->name,
               (&config, function->function, parameters, extra));
}
