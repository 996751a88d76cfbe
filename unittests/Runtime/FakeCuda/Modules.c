//===- Modules.c - The fake driver's modules and launches -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

/// Of eight bytes each, what a kernel may have.
enum { MAX_PARAMETERS = 512 };

typedef struct Function {
  char name[128];
  struct Module *module;
  int numParameters;
  int isPointer[MAX_PARAMETERS], bytes[MAX_PARAMETERS];
  int sharedLimit;
  Context *context;
} Function;
typedef struct Module {
  void *program; // of the engine
  int numFunctions;
  Function functions[];
} Module;

__attribute__((weak)) const Engine *fakeEngine = NULL;

/// Reads one entry's name and parameters; returns where to go on, null where it
/// has too many.
static const char *readEntry(const char *text, Function *function) {
  memset(function, 0, sizeof(*function));
  sscanf(text, " %127[A-Za-z0-9_$]", function->name);
  const char *end = strchr(text, ')');
  while (text && end && (text = strstr(text, ".param")) && text < end) {
    text += strlen(".param");
    char type[16] = "";
    const char *next = text;
    // ".align 64 .b8 name[128]" or ".u64 .ptr .align 1 name".
    int alignment, bytes = 8;
    if (sscanf(text, " .align %d .b8", &alignment) == 1) {
      next = strchr(text, '[');
      bytes = next && next < end ? atoi(next + 1) : 0;
    } else if (sscanf(text, " .%15[a-z0-9]", type) == 1) {
      bytes = atoi(type + 1) / 8;
    }
    if (function->numParameters == MAX_PARAMETERS)
      return NULL;
    int i = function->numParameters++;
    next = strpbrk(text, ",)");
    const char *pointer = strstr(text, ".ptr");
    function->isPointer[i] = pointer && pointer < next;
    function->bytes[i] = bytes;
  }
  return end;
}

FAKE(cuModuleLoadDataEx, Module **module, const char *image, unsigned count,
     int *options, void **values) {
  CALL(cuModuleLoadDataEx, module, image, count, options, values);
}
static int cuModuleLoadDataExBody(Module **module, const char *image,
                                  unsigned count, int *options, void **values) {
  if (fakeMayNotWait())
    return CAPTURE_UNSUPPORTED;
  enum { ERROR_LOG = 5, ERROR_LOG_SIZE = 6, LEVEL = 7 };
  char level[16] = "", nowhere[1], *log = nowhere;
  size_t logSize = sizeof(nowhere);
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == LEVEL)
      snprintf(level, sizeof(level), ", level %d", (int)(uintptr_t)values[i]);
    else if (options[i] == ERROR_LOG)
      log = values[i];
    else if (options[i] == ERROR_LOG_SIZE)
      logSize = (size_t)(uintptr_t)values[i];
  if (strstr(image, "syntax error")) {
    snprintf(log, logSize, "ptxas: line 1: syntax error\nmore");
    return 218;
  }
  void *program = NULL;
  int code = fakeEngine ? fakeEngine->load(image, &program, log, logSize) : 0;
  if (code)
    return code;
  size_t entries = 0;
  for (const char *text = image; (text = strstr(text, ".entry")); ++text)
    ++entries;
  Module *made = calloc(1, sizeof(Module) + entries * sizeof(Function));
  made->program = program;
  for (const char *text = image; text && (text = strstr(text, ".entry"));) {
    Function *function = &made->functions[made->numFunctions];
    text = readEntry(text + strlen(".entry"), function);
    if (!text && function->numParameters == MAX_PARAMETERS) {
      snprintf(log, logSize, "more than %d parameters", MAX_PARAMETERS);
      if (fakeEngine)
        fakeEngine->unload(program);
      free(made);
      return 218;
    }
    ++made->numFunctions;
  }
  for (int i = 0; i < made->numFunctions; ++i) {
    cuCtxGetCurrent(&made->functions[i].context);
    made->functions[i].module = made;
  }
  fakeNote("load %d kernels%s", made->numFunctions, level);
  const char *path = getenv("FAKE_CUDA_IMAGE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fputs(image, file);
    fclose(file);
  }
  *module = made;
  return 0;
}

FAKE(cuModuleUnload, Module *module) { CALL(cuModuleUnload, module); }
static int cuModuleUnloadBody(Module *module) {
  if (fakeEngine)
    fakeEngine->unload(module->program);
  free(module);
  return 0;
}

FAKE(cuModuleGetFunction, Function **function, Module *module,
     const char *name) {
  CALL(cuModuleGetFunction, function, module, name);
}
static int cuModuleGetFunctionBody(Function **function, Module *module,
                                   const char *name) {
  for (int i = 0; i < module->numFunctions; ++i)
    if (strcmp(module->functions[i].name, name) == 0) {
      *function = &module->functions[i];
      return 0;
    }
  return NOT_FOUND;
}

FAKE(cuFuncSetAttribute, Function *function, int attribute, int value) {
  CALL(cuFuncSetAttribute, function, attribute, value);
}
static int cuFuncSetAttributeBody(Function *function, int attribute,
                                  int value) {
  fakeNote("attribute %d of %s is %d", attribute, function->name, value);
  if (value > 232448)
    return INVALID_VALUE;
  function->sharedLimit = value;
  return 0;
}

static int launch(Function *function, Stream *stream, const unsigned *grid,
                  const unsigned *block, const unsigned *cluster, int waits,
                  unsigned shared, void **parameters);

static int launchAgain(Node *node) {
  const unsigned *sizes = (const unsigned *)node->words;
  Function *function = node->object;
  void *parameters[MAX_PARAMETERS];
  unsigned char *next = node->memory;
  for (int i = 0; i < function->numParameters; ++i) {
    parameters[i] = next;
    next += function->bytes[i];
  }
  return launch(function, NULL, sizes, sizes + 3, sizes[9] ? sizes + 6 : NULL,
                (int)sizes[10], sizes[11], parameters);
}

/// What a graph needs to launch it again; parameters are as they are now.
static void remember(Node *node, Function *function, const unsigned *grid,
                     const unsigned *block, const unsigned *cluster, int waits,
                     unsigned shared, void **parameters) {
  unsigned *sizes = (unsigned *)node->words;
  memcpy(sizes, grid, 3 * sizeof(unsigned));
  memcpy(sizes + 3, block, 3 * sizeof(unsigned));
  if (cluster)
    memcpy(sizes + 6, cluster, 3 * sizeof(unsigned));
  sizes[9] = cluster != NULL;
  sizes[10] = (unsigned)waits;
  sizes[11] = shared;
  size_t bytes = 1;
  for (int i = 0; i < function->numParameters; ++i)
    bytes += (size_t)function->bytes[i];
  unsigned char *next = node->memory = malloc(bytes);
  for (int i = 0; i < function->numParameters; ++i) {
    memcpy(next, parameters[i], (size_t)function->bytes[i]);
    next += function->bytes[i];
  }
  node->object = function;
}

static int launch(Function *function, Stream *stream, const unsigned *grid,
                  const unsigned *block, const unsigned *cluster, int waits,
                  unsigned shared, void **parameters) {
  if (stream && stream->context != function->context)
    return INVALID_HANDLE;
  Node *node = fakeRecord(stream, launchAgain);
  if (node) {
    remember(node, function, grid, block, cluster, waits, shared, parameters);
    return 0;
  }
  char text[700] = "";
  size_t used = 0;
  int status = 0;
  for (int i = 0; i < function->numParameters && used < 600; ++i) {
    uint64_t value = 0;
    int bytes = function->bytes[i];
    memcpy(&value, parameters[i], bytes < 8 ? (size_t)bytes : 8);
    // An engine finds out itself; who reads nothing may be given anything.
    if (function->isPointer[i] && !fakeEngine && !fakeIsLive(value, 1)) {
      used += (size_t)snprintf(text + used, sizeof(text) - used, " DEAD");
      status = ILLEGAL_ADDRESS;
    } else if (bytes > 8)
      used +=
          (size_t)snprintf(text + used, sizeof(text) - used, " [%d]", bytes);
    else if (function->isPointer[i])
      used += (size_t)snprintf(text + used, sizeof(text) - used, " ptr");
    else
      used += (size_t)snprintf(text + used, sizeof(text) - used, " %lld",
                               (long long)value);
  }
  char clusters[64] = "";
  if (cluster)
    snprintf(clusters, sizeof(clusters), " cluster %u,%u,%u", cluster[0],
             cluster[1], cluster[2]);
  fakeNote("launch%s %s grid %u,%u,%u block %u,%u,%u%s shared %u args%s",
           waits ? " early" : "", function->name, grid[0], grid[1], grid[2],
           block[0], block[1], block[2], clusters, shared, text);
  if (shared > 48 * 1024 && (int)shared > function->sharedLimit)
    return INVALID_VALUE;
  if (strcmp(function->name, "pit_comm_barrier") == 0)
    return fakeBarrier(parameters);
  if (strcmp(function->name, "pit_comm_await") == 0)
    return fakeAwait(parameters);
  if (strcmp(function->name, "pit_comm_push") == 0 && !fakeEngine)
    return fakePush(parameters);
  if (status == 0 && fakeEngine)
    status = fakeEngine->launch(function->module->program, function->name, grid,
                                block, cluster, shared, parameters);
  return status;
}

FAKE(cuLaunchKernel, Function *function, unsigned gx, unsigned gy, unsigned gz,
     unsigned bx, unsigned by, unsigned bz, unsigned shared, Stream *stream,
     void **parameters, void **extra) {
  CALL(cuLaunchKernel, function, gx, gy, gz, bx, by, bz, shared, stream,
       parameters, extra);
}
static int cuLaunchKernelBody(Function *function, unsigned gx, unsigned gy,
                              unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, Stream *stream,
                              void **parameters, void **extra) {
  (void)extra;
  unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  return launch(function, stream, grid, block, NULL, 0, shared, parameters);
}

typedef struct Config {
  unsigned grid[3], block[3], shared;
  Stream *stream;
  struct {
    int id, padding;
    unsigned value[16];
  } * attributes;
  unsigned numAttributes;
} Config;

FAKE(cuLaunchKernelEx, const Config *config, Function *function,
     void **parameters, void **extra) {
  CALL(cuLaunchKernelEx, config, function, parameters, extra);
}
static int cuLaunchKernelExBody(const Config *config, Function *function,
                                void **parameters, void **extra) {
  (void)extra;
  enum { CLUSTER = 4, PROGRAMMATIC = 6 };
  const unsigned *cluster = NULL;
  int waits = 0;
  for (unsigned i = 0; i < config->numAttributes; ++i) {
    if (config->attributes[i].id == CLUSTER)
      cluster = config->attributes[i].value;
    else if (config->attributes[i].id == PROGRAMMATIC)
      waits = (int)config->attributes[i].value[0];
    else
      return INVALID_VALUE;
  }
  return launch(function, config->stream, config->grid, config->block, cluster,
                waits, config->shared, parameters);
}

EXPORT int cuTensorMapEncodeTiled(void *map, int dtype, unsigned rank,
                                  void *data, const uint64_t *extents,
                                  const uint64_t *strides, const uint32_t *box,
                                  const uint32_t *steps, int interleave,
                                  int swizzle, int promotion, int fill) {
  pthread_mutex_lock(&fakeLock);
  fakeNote("tensor map type %d rank %u extents %d,%d stride %d box %u,%u modes "
           "%d %d %d %d",
           dtype, rank, (int)extents[0], rank > 1 ? (int)extents[1] : 0,
           rank > 1 ? (int)strides[0] : 0, box[0], rank > 1 ? box[1] : 0,
           interleave, swizzle, promotion, fill);
  pthread_mutex_unlock(&fakeLock);
  if ((uintptr_t)map % 64)
    return INVALID_VALUE;
  for (unsigned i = 0; i < rank; ++i)
    if (extents[i] == 0)
      return INVALID_VALUE;
  if (fakeEngine)
    return fakeEngine->encodeTensorMap(map, dtype, rank, data, extents, strides,
                                       box, steps, interleave, swizzle, fill);
  memset(map, 0x5a, 128);
  return 0;
}

EXPORT int cuTensorMapEncodeIm2col(void *map, int dtype, unsigned rank,
                                   void *data, const uint64_t *extents,
                                   const uint64_t *strides, const int *lower,
                                   const int *upper, unsigned channels,
                                   unsigned windows, const uint32_t *steps,
                                   int interleave, int swizzle, int promotion,
                                   int fill) {
  if (rank < 3 || rank > 5 || (uintptr_t)map % 64)
    return INVALID_VALUE;
  pthread_mutex_lock(&fakeLock);
  fakeNote("window map type %d rank %u extents %d,%d stride %d corners %d %d "
           "copies %u,%u steps %u modes %d %d %d %d",
           dtype, rank, (int)extents[0], (int)extents[1], (int)strides[0],
           lower[0], upper[0], channels, windows, steps[1], interleave, swizzle,
           promotion, fill);
  pthread_mutex_unlock(&fakeLock);
  if (fakeEngine)
    return fakeEngine->encodeWindowMap(map, dtype, rank, data, extents, strides,
                                       lower, upper, channels, windows, steps,
                                       interleave, swizzle, fill);
  memset(map, 0x5a, 128);
  return 0;
}

EXPORT int cuGetProcAddress_v2(const char *name, void **function, int version,
                               uint64_t flags, int *found) {
  (void)version, (void)flags;
  int (*tiled)(void *, int, unsigned, void *, const uint64_t *,
               const uint64_t *, const uint32_t *, const uint32_t *, int, int,
               int, int) = cuTensorMapEncodeTiled;
  int (*windows)(void *, int, unsigned, void *, const uint64_t *,
                 const uint64_t *, const int *, const int *, unsigned, unsigned,
                 const uint32_t *, int, int, int, int) =
      cuTensorMapEncodeIm2col;
  *found = 0;
  if (strcmp(name, "cuTensorMapEncodeTiled") == 0)
    memcpy(function, &tiled, sizeof(tiled));
  else if (strcmp(name, "cuTensorMapEncodeIm2col") == 0)
    memcpy(function, &windows, sizeof(windows));
  else
    *found = 1;
  return *found ? NOT_FOUND : 0;
}
