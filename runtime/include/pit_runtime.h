//===- pit_runtime.h - The C ABI of compiled PIT programs -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled programs call, and what a host calls to run them. Plain C11,
// no LLVM. Rules that hold for every function here:
//
//  * Errors are status codes with a message; nothing aborts, exits or throws.
//  * A context may be used from several threads at once, except that it must
//    outlive every call that uses it.
//  * Compiled code finds its context as the calling thread's current one
//    (pit_context_make_current). Where a thread has none, a process-wide
//    default context takes its place; so passing NULL for a context, anywhere
//    in this header, means that default context.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_H
#define PIT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define PIT_RUNTIME_API
#else
#define PIT_RUNTIME_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Version and status
//===----------------------------------------------------------------------===//

/// The ABI's version. The major number is also the shared library's soname:
/// it changes when something here is removed or changes its meaning.
#define PIT_RUNTIME_VERSION_MAJOR 0
#define PIT_RUNTIME_VERSION_MINOR 1

/// Returns major * 1000 + minor of the library that is loaded.
PIT_RUNTIME_API int32_t pit_runtime_version(void);

/// Status codes. Compiled entry points return them as int32_t.
typedef enum pit_status {
  PIT_OK = 0,
  PIT_ERROR_INVALID_ARGUMENT = 1,
  PIT_ERROR_OUT_OF_MEMORY = 2,
  /// More live micro-tiles than the bound (`at_most`) that sized the buffers.
  PIT_ERROR_CAPACITY_EXCEEDED = 3,
  /// A length, routing entry or coordinate outside the tensor it indexes.
  PIT_ERROR_BAD_INDEX = 4,
  PIT_ERROR_UNSUPPORTED = 5
} pit_status;

/// Returns a short English name for `status`; never NULL.
PIT_RUNTIME_API const char *pit_status_string(int32_t status);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Element types. The numbers are part of the ABI and of manifests.
typedef enum pit_dtype {
  PIT_DTYPE_INVALID = 0,
  PIT_DTYPE_F16 = 1,
  PIT_DTYPE_BF16 = 2,
  PIT_DTYPE_F32 = 3,
  PIT_DTYPE_F64 = 4,
  PIT_DTYPE_I1 = 5, /* one byte per element, 0 or 1 */
  PIT_DTYPE_I8 = 6,
  PIT_DTYPE_I32 = 7,
  PIT_DTYPE_I64 = 8
} pit_dtype;

/// Bytes per element, or 0 for a value that is no element type.
PIT_RUNTIME_API size_t pit_dtype_size(int32_t dtype);

/// MLIR's spelling of the type ("f32"), or "invalid".
PIT_RUNTIME_API const char *pit_dtype_name(int32_t dtype);

/// A tensor in memory that the caller owns. `data` points to the element with
/// all indices 0; strides count elements and may be NULL for row-major order.
typedef struct pit_tensor {
  void *data;
  int32_t dtype; /* pit_dtype */
  int32_t rank;
  const int64_t *shape;
  const int64_t *strides;
} pit_tensor;

/// Computes the number of elements of a shape. Fails on a negative extent and
/// when the number, or the number times `element_size`, passes INT64_MAX.
PIT_RUNTIME_API int32_t pit_shape_elements(int32_t rank, const int64_t *shape,
                                           size_t element_size,
                                           int64_t *elements);

/// Checks a descriptor: known type, rank and extents in range, data present
/// unless the tensor is empty.
PIT_RUNTIME_API int32_t pit_tensor_check(const pit_tensor *tensor);

/// Returns 1 when the elements lie in row-major order without gaps.
PIT_RUNTIME_API int32_t pit_tensor_is_contiguous(const pit_tensor *tensor);

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The sticky status, the first error's message and the records of one user.
typedef struct pit_context pit_context;

PIT_RUNTIME_API int32_t pit_context_create(pit_context **context);

/// Destroys a context. It must not be any thread's current one, except the
/// calling thread's, which is then left without. NULL is ignored.
PIT_RUNTIME_API void pit_context_destroy(pit_context *context);

/// Makes `context` the calling thread's current one and returns the previous.
PIT_RUNTIME_API pit_context *pit_context_make_current(pit_context *context);

/// Returns the calling thread's current context, or NULL when it has none.
PIT_RUNTIME_API pit_context *pit_context_current(void);

/// The status word: PIT_OK, or the code of the first error since the last
/// clear. It is sticky, so one look after a run is enough.
PIT_RUNTIME_API int32_t pit_context_status(pit_context *context);

/// Copies the first error's message, cut to `size` bytes and always
/// terminated. Returns the message's full length without the terminator, 0
/// when there is none. `buffer` may be NULL when `size` is 0.
PIT_RUNTIME_API size_t pit_context_last_error(pit_context *context,
                                              char *buffer, size_t size);

/// Records an error. The first one since the last clear is kept, others are
/// dropped. A `status` of PIT_OK is ignored.
PIT_RUNTIME_API void pit_context_set_error(pit_context *context, int32_t status,
                                           const char *message);

/// Forgets the error, so that the next one becomes the first.
PIT_RUNTIME_API void pit_context_clear_error(pit_context *context);

/// Names a rule for messages, usually by its source location. The text is
/// copied; NULL removes the name.
PIT_RUNTIME_API int32_t pit_context_name_rule(pit_context *context,
                                              int64_t rule, const char *name);

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// What one rule did since the last reset. Counters saturate at INT64_MAX.
typedef struct pit_rule_record {
  int64_t rule;
  int64_t indexes;          /* how many indexes were recorded */
  int64_t live;             /* live micro-tiles, summed over those indexes */
  int64_t total;            /* all micro-tiles, summed likewise */
  int64_t live_elements;    /* of the micro-tiles below, how much mattered */
  int64_t covered_elements; /* elements of micro-tiles that were computed */
  int64_t timed;            /* how many start/stop pairs were timed */
  int64_t nanoseconds;      /* their wall-clock time, summed */
} pit_rule_record;

/// Copies up to `capacity` records, ordered by rule, and returns how many
/// there are. `records` may be NULL when `capacity` is 0.
PIT_RUNTIME_API size_t pit_context_records(pit_context *context,
                                           pit_rule_record *records,
                                           size_t capacity);

/// Sets every counter to 0. Rule names and the error are kept.
PIT_RUNTIME_API void pit_context_reset_records(pit_context *context);

//===----------------------------------------------------------------------===//
// Called by compiled code, on the current context
//===----------------------------------------------------------------------===//

/// `count` live micro-tiles were found where `capacity` fit.
PIT_RUNTIME_API void pit_rt_overflow(int64_t rule, int64_t count,
                                     int64_t capacity);

/// `value` was read as an index that must lie in [0, bound).
PIT_RUNTIME_API void pit_rt_bad_index(int64_t rule, int64_t value,
                                      int64_t bound);

PIT_RUNTIME_API void pit_rt_record_index(int64_t rule, int64_t live,
                                         int64_t total);

/// A rule computed `covered` elements, of which `live` mattered; the rest is
/// coverage waste.
PIT_RUNTIME_API void pit_rt_record_coverage(int64_t rule, int64_t live,
                                            int64_t covered);

/// Start and stop may nest and are matched per thread and rule. A stop
/// without a start, or more than 64 open timers, are ignored.
PIT_RUNTIME_API void pit_rt_timer_start(int64_t rule);
PIT_RUNTIME_API void pit_rt_timer_stop(int64_t rule);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_H */
