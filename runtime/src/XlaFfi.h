//===- XlaFfi.h - What XLA passes to a foreign function ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of XLA's foreign function interface that a handler needs, version
// 0.x of its C ABI, declared here so that the runtime is built without XLA.
// Every struct begins with its size as the caller knows it; fields are only
// added at the end. Names are this library's, layouts are XLA's.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_XLAFFI_H
#define PIT_RUNTIME_SRC_XLAFFI_H

#include <stddef.h>
#include <stdint.h>

/// A link of the list that each struct may have behind it.
typedef struct PitXlaExtension {
  size_t size;
  int32_t type;
  struct PitXlaExtension *next;
} PitXlaExtension;

enum { PIT_XLA_EXTENSION_METADATA = 1 };
enum { PIT_XLA_STAGE_EXECUTE = 3 };
enum { PIT_XLA_BUFFER = 1 };

/// Codes of errors, those of absl::Status.
enum {
  PIT_XLA_INVALID_ARGUMENT = 3,
  PIT_XLA_RESOURCE_EXHAUSTED = 8,
  PIT_XLA_FAILED_PRECONDITION = 9,
  PIT_XLA_OUT_OF_RANGE = 11,
  PIT_XLA_UNIMPLEMENTED = 12,
  PIT_XLA_INTERNAL = 13
};

typedef struct PitXlaVersion {
  size_t size;
  PitXlaExtension *extensions;
  int major, minor;
} PitXlaVersion;

/// What a handler says of itself when XLA asks, in place of a call.
typedef struct PitXlaMetadata {
  size_t size;
  PitXlaVersion version;
  uint32_t traits;
} PitXlaMetadata;

typedef struct PitXlaMetadataExtension {
  PitXlaExtension base;
  PitXlaMetadata *metadata;
} PitXlaMetadataExtension;

/// An array, row-major without gaps unless the caller asked for another
/// layout.
typedef struct PitXlaBuffer {
  size_t size;
  PitXlaExtension *extensions;
  int32_t type;
  void *data;
  int64_t rank;
  int64_t *extents;
} PitXlaBuffer;

/// Arguments, or results.
typedef struct PitXlaValues {
  size_t size;
  PitXlaExtension *extensions;
  int64_t count;
  int32_t *kinds;
  void **values;
} PitXlaValues;

typedef struct PitXlaErrorCreate {
  size_t size;
  PitXlaExtension *extensions;
  const char *message;
  int32_t code;
} PitXlaErrorCreate;

typedef struct PitXlaStreamGet {
  size_t size;
  PitXlaExtension *extensions;
  void *context;
  void *stream;
} PitXlaStreamGet;

/// Memory that is allocated in the order of the stream.
typedef struct PitXlaAllocate {
  size_t size;
  PitXlaExtension *extensions;
  void *context;
  size_t bytes, alignment;
  void *data;
} PitXlaAllocate;

typedef struct PitXlaFree {
  size_t size;
  PitXlaExtension *extensions;
  void *context;
  size_t bytes;
  void *data;
} PitXlaFree;

/// An error belongs to who gets it; a handler that returns it passes it on.
typedef void *PitXlaError;

/// Functions of XLA. Those that are not called here have no type.
typedef struct PitXlaApi {
  size_t size;
  PitXlaExtension *extensions;
  PitXlaVersion version;
  const void *internal;
  PitXlaError (*createError)(PitXlaErrorCreate *);
  void *getMessage;
  void (*destroyError)(void *);
  void *registerHandler;
  PitXlaError (*getStream)(PitXlaStreamGet *);
  void *registerType, *getContext, *setState, *getState;
  PitXlaError (*allocate)(PitXlaAllocate *);
  PitXlaError (*release)(PitXlaFree *);
} PitXlaApi;

typedef struct PitXlaErrorDestroy {
  size_t size;
  PitXlaExtension *extensions;
  PitXlaError error;
} PitXlaErrorDestroy;

typedef struct PitXlaFrame {
  size_t size;
  PitXlaExtension *extensions;
  const PitXlaApi *api;
  void *context;
  int32_t stage;
  PitXlaValues arguments, results;
} PitXlaFrame;

#endif /* PIT_RUNTIME_SRC_XLAFFI_H */
