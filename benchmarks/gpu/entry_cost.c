//===- entry_cost.c - What a call costs the host --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// entry_cost MODEL.so [CALLS [ENTRY [EXTENT [BATCH]]]]
//
// Calls an entry point of a program for CUDA CALLS times and prints, as one
// line of JSON: the host's time per call, alone and with its kernels' time, the
// number of times that the driver was made to wait (with count_waits.c as
// PIT_CUDA_DRIVER, else null), and whether the call can be captured into a CUDA
// graph, which then gives the same bytes. Unknown extents are EXTENT (128).
// After every BATCH (64) calls the device catches up, which is not timed.
// Needs the CUDA driver and libpit_runtime.so; no LLVM, no CUDA toolkit.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "pit_runtime.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_VALUES = 64, MAX_RANK = 8 };

static pit_context *context;
static pit_stream stream;

static void require(int32_t status, const char *what) {
  if (status == PIT_OK)
    return;
  char text[512] = "";
  pit_context_last_error(context, text, sizeof(text));
  fprintf(stderr, "entry_cost: %s: %s (%s)\n", what, text,
          pit_status_string(status));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static uint64_t seed = 1;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

typedef struct Values {
  pit_tensor tensors[MAX_VALUES];
  int64_t extents[MAX_VALUES][MAX_RANK];
  size_t bytes[MAX_VALUES];
  int64_t scalars[MAX_VALUES];
  void *pointers[MAX_VALUES];
} Values;

/// Allocates a tensor; `shape` has its extents.
static void makeTensor(Values *values, int64_t i, const pit_value_type *type,
                       const int64_t *shape) {
  int64_t elements = 1;
  for (int32_t d = 0; d < type->rank; ++d)
    elements *= values->extents[i][d] = shape[d];
  values->bytes[i] = (size_t)elements * pit_dtype_size(type->dtype);
  values->tensors[i] = (pit_tensor){
      .dtype = type->dtype, .rank = type->rank, .shape = values->extents[i]};
  require(
      pit_cuda_allocate(context, values->bytes[i], &values->tensors[i].data),
      "allocation");
  values->pointers[i] = &values->tensors[i];
}

/// Small numbers, never all of them zero; masks and lengths stay in range.
static void fillTensor(const Values *values, int64_t i) {
  const pit_tensor *tensor = &values->tensors[i];
  char *host = malloc(values->bytes[i] + 1);
  size_t size = pit_dtype_size(tensor->dtype);
  for (size_t n = 0; host && n < values->bytes[i] / size; ++n) {
    float real = (float)(uniform() - 0.5);
    uint32_t bits;
    memcpy(&bits, &real, sizeof(bits));
    double wide = real;
    int64_t whole = 1;
    uint16_t half = (uint16_t)(bits >> 16);
    // Halves between 0.25 and 0.5.
    uint16_t small = (uint16_t)(0x3400 | (bits & 0x3ff));
    const void *from = tensor->dtype == PIT_DTYPE_F32    ? (void *)&real
                       : tensor->dtype == PIT_DTYPE_F64  ? (void *)&wide
                       : tensor->dtype == PIT_DTYPE_BF16 ? (void *)&half
                       : tensor->dtype == PIT_DTYPE_F16  ? (void *)&small
                                                         : (void *)&whole;
    memcpy(host + n * size, from, size);
  }
  require(
      pit_cuda_copy_in(context, stream, tensor->data, host, values->bytes[i]),
      "upload");
  require(pit_cuda_stream_synchronize(context, stream), "upload");
  free(host);
}

/// The bytes of all tensor results, one behind the other.
static char *download(const pit_entry_point *entry, const Values *results,
                      size_t total) {
  char *bytes = malloc(total + 1), *next = bytes;
  for (int64_t i = 0; i < entry->num_results; ++i)
    if (entry->results[i].rank >= 0) {
      require(pit_cuda_copy_out(context, stream, next, results->tensors[i].data,
                                results->bytes[i]),
              "download");
      next += results->bytes[i];
    }
  require(pit_cuda_stream_synchronize(context, stream), "download");
  return bytes;
}

/// Captures one call and launches the graph; 1 when the results are `expected`.
static int checkCapture(const pit_entry_point *entry, Values *arguments,
                        Values *results, void *workspace, int64_t bytes,
                        const char *expected, size_t total) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  int (*begin)(void *, int), (*end)(void *, void **);
  int (*instantiate)(void **, void *, unsigned long long);
  int (*launch)(void *, void *);
  if (!driver)
    return 0;
  *(void **)&begin = dlsym(driver, "cuStreamBeginCapture_v2");
  *(void **)&end = dlsym(driver, "cuStreamEndCapture");
  *(void **)&instantiate = dlsym(driver, "cuGraphInstantiateWithFlags");
  *(void **)&launch = dlsym(driver, "cuGraphLaunch");
  void *graph = NULL, *executable = NULL;
  if (!begin || !end || !instantiate || !launch)
    return 0;
  // 0 is the strictest mode: a wait or a plain allocation ends the capture.
  if (begin(stream, 0) != 0)
    return 0;
  int32_t status = entry->call(context, stream, arguments->pointers,
                               results->pointers, workspace, bytes);
  if (end(stream, &graph) != 0 || status != PIT_OK ||
      instantiate(&executable, graph, 0) != 0)
    return 0;
  for (int64_t i = 0; i < entry->num_results; ++i)
    if (entry->results[i].rank >= 0)
      require(pit_cuda_fill(context, stream, results->tensors[i].data, 0xff,
                            results->bytes[i]),
              "fill");
  if (launch(executable, stream) != 0)
    return 0;
  require(pit_cuda_check(context, stream), "graph");
  char *bytesNow = download(entry, results, total);
  int same = memcmp(bytesNow, expected, total) == 0;
  free(bytesNow);
  return same;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: entry_cost MODEL.so "
                    "[CALLS [ENTRY [EXTENT [BATCH]]]]\n");
    return 1;
  }
  int64_t calls = argc > 2 ? atoll(argv[2]) : 10000;
  const char *name = argc > 3 ? argv[3] : "main";
  int64_t extent = argc > 4 ? atoll(argv[4]) : 128;
  int64_t batch = argc > 5 ? atoll(argv[5]) : 64;
  if (calls < 1 || extent < 0 || batch < 1) {
    fprintf(stderr, "entry_cost: CALLS and BATCH are at least 1\n");
    return 1;
  }
  const pit_program *program;
  require(pit_context_create(&context), "context");
  require(pit_program_load(context, argv[1], &program), "load");
  const pit_entry_point *entry = pit_program_find(program, name);
  if (!entry || entry->num_arguments > MAX_VALUES ||
      entry->num_results > MAX_VALUES) {
    fprintf(stderr, "entry_cost: no entry point '%s', or too large\n", name);
    return 1;
  }
  require(pit_cuda_use_device(context, 0), "device");
  require(pit_cuda_stream_create(context, &stream), "stream");

  static Values arguments, results;
  for (int64_t i = 0; i < entry->num_arguments; ++i) {
    const pit_value_type *type = &entry->arguments[i];
    int64_t shape[MAX_RANK];
    if (type->rank < 0) {
      arguments.pointers[i] = &arguments.scalars[i];
      continue;
    }
    for (int32_t d = 0; d < type->rank; ++d)
      shape[d] = type->extents[d] < 0 ? extent : type->extents[d];
    makeTensor(&arguments, i, type, shape);
    fillTensor(&arguments, i);
  }
  int64_t extents[MAX_VALUES * MAX_RANK], bytes = 0;
  require(entry->shapes(context, arguments.pointers, extents, &bytes),
          "shapes");
  const int64_t *next = extents;
  size_t total = 0;
  for (int64_t i = 0; i < entry->num_results; ++i) {
    const pit_value_type *type = &entry->results[i];
    if (type->rank < 0) {
      results.pointers[i] = &results.scalars[i];
      continue;
    }
    makeTensor(&results, i, type, next);
    next += type->rank;
    total += results.bytes[i];
  }
  void *workspace = NULL;
  require(pit_cuda_allocate(context, (size_t)bytes, &workspace), "workspace");

  // The first call loads the code.
  double start = now();
  require(entry->call(context, stream, arguments.pointers, results.pointers,
                      workspace, bytes),
          "call");
  double first = now() - start;
  require(pit_cuda_check(context, stream), "check");
  char *expected = download(entry, &results, total);

  // Batches that fit the driver's queue, so that nothing waits for the device;
  // the waits between them are not timed, nor counted.
  int64_t (*waits)(void) = NULL;
  const char *counter = getenv("PIT_CUDA_DRIVER");
  void *shim = counter ? dlopen(counter, RTLD_NOW) : NULL;
  if (shim)
    *(void **)&waits = dlsym(shim, "pit_count_waits");
  int64_t numBatches = (calls + batch - 1) / batch, counted = 0;
  double *times = malloc(sizeof(double) * (size_t)numBatches), all = 0;
  for (int64_t b = -2; b < numBatches; ++b) {
    int64_t before = waits ? waits() : 0;
    start = now();
    for (int i = 0; i < batch; ++i) {
      int32_t status = entry->call(context, stream, arguments.pointers,
                                   results.pointers, workspace, bytes);
      if (status != PIT_OK)
        require(status, "call");
    }
    double elapsed = now() - start;
    counted += waits ? waits() - before : 0;
    require(pit_cuda_stream_synchronize(context, stream), "batch");
    if (b < 0)
      continue;
    times[b] = elapsed / (double)batch;
    all += now() - start;
  }
  require(pit_cuda_check(context, stream), "check");
  qsort(times, (size_t)numBatches, sizeof(double), compare);
  char *after = download(entry, &results, total);
  int same = memcmp(after, expected, total) == 0;
  int captured = checkCapture(entry, &arguments, &results, workspace, bytes,
                              expected, total);
  char waited[32] = "null";
  if (waits)
    snprintf(waited, sizeof(waited), "%" PRId64, counted);
  printf("{\"entry\": \"%s\", \"chip\": \"%s\", \"calls\": %" PRId64
         ", \"host_us_median\": %.3f, \"host_us_p10\": %.3f, "
         "\"host_us_p90\": %.3f, \"with_device_us\": %.3f, "
         "\"first_call_us\": %.0f, \"waits\": %s, \"same_bytes\": %s, "
         "\"captured\": %s, \"workspace_bytes\": %" PRId64 "}\n",
         name, program->chip, numBatches * batch, times[numBatches / 2],
         times[numBatches / 10], times[numBatches * 9 / 10],
         all / (double)(numBatches * batch), first, waited,
         same ? "true" : "false", captured ? "true" : "false", bytes);
  return same && captured && counted == 0 ? 0 : 1;
}
