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
#define PIT_RUNTIME_VERSION_MINOR 6

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
  /// No CUDA driver or device, or one that does not support the code or the
  /// copy.
  PIT_ERROR_UNSUPPORTED = 5,
  /// The CUDA driver reports an error of another kind; the message names the
  /// driver's function and its own text.
  PIT_ERROR_DEVICE = 6
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
  PIT_DTYPE_I64 = 8,
  /// Four bits of exponent and three of mantissa; finite but for one NaN.
  PIT_DTYPE_F8E4M3FN = 9,
  PIT_DTYPE_I16 = 10, /* since 0.6 */
  /// Five bits of exponent and two of mantissa, with infinities. Since 0.6.
  PIT_DTYPE_F8E5M2 = 11
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

/// The status: PIT_OK, or the code of the first error since the last clear. It
/// is sticky, so that one check after a run is enough.
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
  int64_t live_elements;    /* live elements among those that were computed */
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
// Memory of the host
//===----------------------------------------------------------------------===//

/// Gives back what was kept of buffers that programs on the CPU have freed, and
/// returns how many bytes that was. Since 0.6.
PIT_RUNTIME_API size_t pit_release_host_memory(void);

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
// CUDA devices
//===----------------------------------------------------------------------===//
//
// The driver, libcuda.so.1, is opened at the first call of this section; no
// CUDA installation is needed to build this library or to run on the CPU. The
// environment variable PIT_CUDA_DRIVER names another file; "none" stands for
// no driver.
//
// All functions return a status code and record the error in the context. A
// device pointer is a CUdeviceptr, as an address. Kernels, constants, pools
// and the status word belong to one pair of pit_context and CUcontext and are
// freed with the pit_context, whose device work must have ended by then.

/// A stream: CUstream or cudaStream_t. NULL is the legacy default stream of
/// the CUDA context that is current on the calling thread.
typedef void *pit_stream;

/// Properties of a device.
typedef struct pit_cuda_device_info {
  char name[128];
  /// Compute capability: 9 and 0 for an H200.
  int32_t major, minor;
  int32_t multiprocessors;
  /// The CUDA version that the driver supports: 13000 for CUDA 13.0.
  int32_t driver_version;
  int64_t memory_bytes;
} pit_cuda_device_info;

/// Sets `count` to the number of devices. PIT_ERROR_UNSUPPORTED without a
/// driver.
PIT_RUNTIME_API int32_t pit_cuda_device_count(pit_context *context,
                                              int32_t *count);

PIT_RUNTIME_API int32_t pit_cuda_get_device_info(pit_context *context,
                                                 int32_t device,
                                                 pit_cuda_device_info *info);

/// Makes the device's primary CUDA context current on the calling thread, as
/// cudaSetDevice does, and keeps it alive while `context` lives. Hosts that
/// use CUDA themselves need not call it: what is current is used.
PIT_RUNTIME_API int32_t pit_cuda_use_device(pit_context *context,
                                            int32_t device);

/// Waits for the stream and reads the status word of its device: errors that
/// kernels reported since the last check, and errors of the launches
/// themselves. The message is that of pit_rt_overflow and the like. The word is
/// cleared, so that each error is reported once. Entry points never wait, so
/// results are valid only after this returns PIT_OK.
PIT_RUNTIME_API int32_t pit_cuda_check(pit_context *context, pit_stream stream);

// Memory, streams and times, for hosts that do not use CUDA themselves. They
// work on the calling thread's current CUDA context; see pit_cuda_use_device.

/// Allocates device memory, at least 256-byte aligned; the caller frees it. 0
/// bytes give NULL.
PIT_RUNTIME_API int32_t pit_cuda_allocate(pit_context *context, size_t bytes,
                                          void **memory);
/// Waits for the device. NULL is ignored.
PIT_RUNTIME_API int32_t pit_cuda_free(pit_context *context, void *memory);
/// Copies host to device, device to host or within the device, in the order of
/// the stream. Host memory that is not pinned is read before the call returns,
/// and written before a wait for the stream does.
PIT_RUNTIME_API int32_t pit_cuda_copy_in(pit_context *context,
                                         pit_stream stream, void *device,
                                         const void *host, size_t bytes);
PIT_RUNTIME_API int32_t pit_cuda_copy_out(pit_context *context,
                                          pit_stream stream, void *host,
                                          const void *device, size_t bytes);
/// Sets every byte.
PIT_RUNTIME_API int32_t pit_cuda_fill(pit_context *context, pit_stream stream,
                                      void *device, uint8_t value,
                                      size_t bytes);
/// Streams do not synchronise with the legacy default stream.
PIT_RUNTIME_API int32_t pit_cuda_stream_create(pit_context *context,
                                               pit_stream *stream);
PIT_RUNTIME_API int32_t pit_cuda_stream_destroy(pit_context *context,
                                                pit_stream stream);
PIT_RUNTIME_API int32_t pit_cuda_stream_synchronize(pit_context *context,
                                                    pit_stream stream);
/// Events mark places in streams; the time between two is the device's, in
/// milliseconds. Reading it waits for `stop`.
PIT_RUNTIME_API int32_t pit_cuda_event_create(pit_context *context,
                                              void **event);
PIT_RUNTIME_API int32_t pit_cuda_event_destroy(pit_context *context,
                                               void *event);
PIT_RUNTIME_API int32_t pit_cuda_event_record(pit_context *context,
                                              pit_stream stream, void *event);
PIT_RUNTIME_API int32_t pit_cuda_event_elapsed(pit_context *context,
                                               void *start, void *stop,
                                               float *milliseconds);

//===----------------------------------------------------------------------===//
// Compiled programs
//===----------------------------------------------------------------------===//
//
// A compiled program is a shared object with one table, under the name
// PIT_PROGRAM_SYMBOL, from which a host that was not compiled for it finds its
// entry points. Hosts that were include the header that the compiler writes,
// and call the functions by their names.

#define PIT_PROGRAM_SYMBOL "pit_program"
/// Changes if readers of the previous version would misread the table.
#define PIT_PROGRAM_VERSION 1

/// The type of an argument or a result.
typedef struct pit_value_type {
  int32_t dtype; /* pit_dtype */
  /// -1 for a scalar.
  int32_t rank;
  /// -1 for an extent that is only known at run time. NULL for rank 0 and -1.
  const int64_t *extents;
} pit_value_type;

/// A function of the program, for hosts that learn its signature at run time.
/// `arguments` and `results` are arrays of pointers: to a pit_tensor for a
/// tensor, to the value on the host for a scalar (f16 and bf16 as their bits,
/// i1 as one byte, 0 or 1). Everything else is as for `pit_NAME` and
/// `pit_NAME_shapes` in docs/RuntimeABI.md. Tensors of programs for CUDA are in
/// device memory.
typedef struct pit_entry_point {
  /// The name in the compiled program; the C symbol is `pit_` and this name.
  const char *name;
  int64_t num_arguments;
  const pit_value_type *arguments;
  int64_t num_results;
  const pit_value_type *results;
  /// Stores the extents of all tensor results, one after the other, and the
  /// bytes of workspace. Reads only the extents of tensors, not their data.
  int32_t (*shapes)(pit_context *context, void *const *arguments,
                    int64_t *extents, int64_t *workspace_size);
  int32_t (*call)(pit_context *context, pit_stream stream,
                  void *const *arguments, void *const *results, void *workspace,
                  int64_t workspace_size);
} pit_entry_point;

typedef struct pit_program {
  int32_t version; /* PIT_PROGRAM_VERSION */
  /// pit_runtime_version() of the library it was compiled for.
  int32_t runtime_version;
  /// "cpu" or "cuda".
  const char *target;
  /// The chip or CPU that the code is for, such as "sm_90a" or "x86-64".
  const char *chip;
  int64_t num_entries;
  const pit_entry_point *entries;
} pit_program;

/// Opens a shared object with a program and checks its versions. `path` is as
/// for dlopen: without a slash it is looked for where libraries are. The
/// program stays loaded until the process ends. Fails with
/// PIT_ERROR_UNSUPPORTED if the file is no program, or needs another version of
/// this library.
PIT_RUNTIME_API int32_t pit_program_load(pit_context *context, const char *path,
                                         const pit_program **program);

/// Returns the entry point of that name, or NULL.
PIT_RUNTIME_API const pit_entry_point *
pit_program_find(const pit_program *program, const char *name);

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
/// memory; a grid without blocks launches nothing. `arguments` point to the
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

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_H */
