//===- pit_runtime_calls.h - What compiled programs call --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled programs call, by name; hosts need none of it. Plain C11, no
// LLVM, with the rules of pit_runtime.h.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_CALLS_H
#define PIT_RUNTIME_CALLS_H

#include "pit_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Called by compiled code, on the current context
//===----------------------------------------------------------------------===//

/// `count` live micro-tiles were found where `capacity` fit.
PIT_RUNTIME_API void pit_rt_overflow(int64_t rule, int64_t count,
                                     int64_t capacity);

/// `value` was read as a number that must lie in [0, bound], such as the length
/// of a sequence of `bound` positions. With a bound of -1, the list of segment
/// `value` of an index does not ascend, or leaves its bounds. A rule below -1
/// stands for an access whose index the program computes, -2 - (LINE * 64 +
/// DIMENSION * 4 + KIND). Kinds: 0 and 1, an element that is read or written at
/// `value` of a dimension of `bound`; 2 and 3, the offset or the size of a
/// slice, which is within 0 to `bound`. Kind 3 with a bound of -1 is an
/// assertion of the program that does not hold.
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

//===----------------------------------------------------------------------===//
// Called by compiled entry points
//===----------------------------------------------------------------------===//
//
// An entry point begins a call, makes these calls on its frame, and ends it.
// The first error stays in the frame: everything after it does nothing, and
// the end returns it. So entry points for CUDA have no branches for errors, and
// those for the CPU have one. Nothing here waits for the device, except the
// first use of an image in a context, which waits for the upload of its
// constants.

/// The state of one call, which an entry point allocates on its stack, aligned
/// as a pointer. Only the runtime reads and writes it.
typedef struct pit_call {
  void *words[16];
} pit_call;

/// Bytes that are copied to the device at an image's first use.
typedef struct pit_constant {
  const void *data;
  int64_t bytes;
} pit_constant;

/// Code and constants as they lie in a compiled program. Loaded once per
/// context and device, and found again by `id`, a hash of all the contents.
typedef struct pit_image {
  uint64_t id[2];
  /// The name for messages.
  const char *name;
  /// PTX that ends with a zero, or a cubin; NULL without kernels.
  const void *code;
  int64_t num_kernels;
  const char *const *kernels;
  int64_t num_constants;
  const pit_constant *constants;
} pit_image;

/// Begins a call that launches on `stream`.
PIT_RUNTIME_API void pit_rt_begin(pit_call *call, pit_context *context,
                                  pit_stream stream);
/// Begins a call that only computes extents; no device is needed.
PIT_RUNTIME_API void pit_rt_begin_shapes(pit_call *call, pit_context *context);
/// Begins a call that computes on the CPU: the context is the thread's current
/// one until the end, and an error that compiled code reports fails the call.
PIT_RUNTIME_API void pit_rt_begin_host(pit_call *call, pit_context *context);
/// Returns 1 unless the call has failed. Code for the CPU asks before it
/// accesses memory.
PIT_RUNTIME_API int32_t pit_rt_ok(pit_call *call);
/// Frees what the call allocated, in the order of the stream, and returns the
/// call's status.
PIT_RUNTIME_API int32_t pit_rt_end(pit_call *call);

/// Checks argument `number` against what the program was compiled for
/// (extents of -1 may be anything) and stores its data pointer, then its
/// extents. After an error it stores NULL, and 1 for unknown extents.
PIT_RUNTIME_API void pit_rt_argument(pit_call *call, int64_t number,
                                     const pit_tensor *tensor, int32_t dtype,
                                     int32_t rank, const int64_t *extents,
                                     int64_t *values);
/// Fails the call unless `holds` is true. The error is `message`, with the
/// numbers for "{0}" and "{1}". If `call` is NULL, code without an entry point
/// reports to the current context. Since 0.6.
PIT_RUNTIME_API void pit_rt_check(pit_call *call, int32_t holds,
                                  const char *message, int64_t first,
                                  int64_t second);
/// Returns whether `bytes` of host memory can be allocated at once. If not,
/// reports it as pit_rt_check does. Small amounts are not tried. Since 0.6.
PIT_RUNTIME_API int32_t pit_rt_memory(pit_call *call, int64_t bytes);
/// The same for a tensor whose size code for the CPU computes while it runs.
/// Returns 0 if there is not enough memory. Since 0.6.
PIT_RUNTIME_API int64_t pit_rt_room(int64_t bytes);

/// Allocates a buffer of a program on the CPU, on a boundary of 64 bytes, or
/// returns NULL. Large blocks that were freed are kept for the next call.
/// Since 0.6.
PIT_RUNTIME_API void *pit_rt_allocate(size_t bytes);
PIT_RUNTIME_API void pit_rt_free(void *memory);

/// A part of a range: the iterations from `begin` to before `end`, with what
/// the caller passes.
typedef void (*pit_range)(void *values, int64_t begin, int64_t end);
/// Calls `body` for parts of the `count` iterations of a range until all are
/// done, perhaps on several threads at once. Parts begin at multiples of
/// `multiple`. An iteration takes about `work` units; a unit is a simple
/// operation on an element, about .15 ns. Errors that the body reports are the
/// calling thread's. Since 0.7.
PIT_RUNTIME_API void pit_rt_parallel(pit_range body, void *values,
                                     int64_t count, int64_t multiple,
                                     int64_t work);
/// Rows and columns of the result that a task should compute of `batches`
/// products of m x n x k: multiples of the units, or all of them; at least 1.
/// Since 0.7.
PIT_RUNTIME_API int64_t pit_rt_task_rows(int64_t batches, int64_t m, int64_t n,
                                         int64_t k, int64_t row_unit,
                                         int64_t column_unit);
PIT_RUNTIME_API int64_t pit_rt_task_columns(int64_t batches, int64_t m,
                                            int64_t n, int64_t k,
                                            int64_t row_unit,
                                            int64_t column_unit);

/// Checks result `number`, which the caller allocated, and returns its data.
PIT_RUNTIME_API void *pit_rt_result(pit_call *call, int64_t number,
                                    const pit_tensor *tensor, int32_t dtype,
                                    int32_t rank, const int64_t *extents);
/// Returns `workspace`. If that is NULL, returns `needed` bytes from a pool,
/// which live until the end of the call. A workspace that is too small is an
/// error.
PIT_RUNTIME_API void *pit_rt_workspace(pit_call *call, void *workspace,
                                       int64_t size, int64_t needed);
/// Returns four i64 on the device, where kernels report errors.
PIT_RUNTIME_API void *pit_rt_status(pit_call *call);
/// Returns the image's kernels and constants on the call's device.
PIT_RUNTIME_API void *pit_rt_module(pit_call *call, const pit_image *image);
PIT_RUNTIME_API void *pit_rt_constant(pit_call *call, void *module,
                                      int64_t number);
/// Launches a kernel of a module. `sizes` are the grid's, the block's and the
/// cluster's three extents (0 for no clusters) and the bytes of dynamic shared
/// memory; a grid without blocks launches nothing. One that has neither rows
/// nor columns is a launch that the caller left out: what follows does not
/// count on it to have waited for what came before. `arguments` point to the
/// values of the kernel's parameters.
PIT_RUNTIME_API void pit_rt_launch(pit_call *call, void *module, int64_t kernel,
                                   const int64_t *sizes, void **arguments);
/// The same for a kernel that itself waits for the end of the kernel before
/// (programmatic dependent launch). Directly behind another launch of the call,
/// it may start before that one has ended. Since 0.4.
PIT_RUNTIME_API void pit_rt_launch_waiting(pit_call *call, void *module,
                                           int64_t kernel, const int64_t *sizes,
                                           void **arguments);
/// Copies within the device.
PIT_RUNTIME_API void pit_rt_copy(pit_call *call, void *to, const void *from,
                                 int64_t bytes);
/// An element type of tensor maps alone: f32 that TMA rounds to tf32, to
/// nearest, as it loads them. Since 0.5.
enum { PIT_TENSOR_MAP_TF32 = 32 };
/// Encodes a tensor map for TMA into 128 bytes on a 64-byte boundary. `dtype`
/// is a pit_dtype or PIT_TENSOR_MAP_TF32.
/// Extents, strides (elements, the last one 1) and box are in the order of the
/// program, outermost first; `modes` are interleave, swizzle, L2 promotion and
/// fill, as CUDA numbers them. The map of a tensor without elements is all
/// zeros; nothing may be read through it.
PIT_RUNTIME_API void
pit_rt_tensor_map(pit_call *call, void *map, int32_t dtype, int32_t rank,
                  void *data, const int64_t *extents, const int64_t *strides,
                  const int64_t *box, const int32_t *modes);
/// The same for copies of windows (CUDA's im2col mode) of a tensor [image,
/// position ..., channel] of 3 to 5 axes. `box` is the number of windows and of
/// channels of a copy. `window` is three lists, each with one number for each
/// axis of positions, outermost first: the zeros in front of the axis, the
/// number of windows along it, and their stride. Since 0.6.
PIT_RUNTIME_API void
pit_rt_window_map(pit_call *call, void *map, int32_t dtype, int32_t rank,
                  void *data, const int64_t *extents, const int64_t *strides,
                  const int64_t *box, const int64_t *window,
                  const int32_t *modes);

//===----------------------------------------------------------------------===//
// Called by handlers for XLA
//===----------------------------------------------------------------------===//

/// Makes the call that `frame` describes, an XLA_FFI_CallFrame, on the CPU or,
/// if `onDevice` is set, on the stream of the frame. Arrays are row-major
/// without gaps. Returns what a handler returns: NULL, or an XLA_FFI_Error with
/// the message of the call. On a device, what kernels report is found later, by
/// `pit_cuda_check(NULL, stream)`. Since 0.9.
PIT_RUNTIME_API void *pit_rt_xla_call(const pit_entry_point *entry,
                                      int32_t onDevice, void *frame);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_CALLS_H */
