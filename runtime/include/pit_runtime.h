//===- pit_runtime.h - The C ABI of compiled PIT programs -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a host calls to run compiled programs; what those call is in
// pit_runtime_calls.h. Plain C11, no LLVM. Rules that hold for every function
// here:
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
#define PIT_RUNTIME_VERSION_MINOR 9

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
/// returns how many bytes that was; 0 while another thread allocates. Since
/// 0.6.
PIT_RUNTIME_API size_t pit_release_host_memory(void);

//===----------------------------------------------------------------------===//
// Threads of the host
//===----------------------------------------------------------------------===//

/// Threads that a call of a program on the CPU may use, with the calling one.
/// Until it is set: the environment variable PIT_NUM_THREADS, else
/// OMP_NUM_THREADS, else the CPUs that the process may use. Since 0.7.
PIT_RUNTIME_API int64_t pit_num_threads(void);

/// Sets it for the whole process, at most 1024; 0 stands for the default.
/// Results have the same bits with any number. One call at a time uses threads;
/// other threads' calls meanwhile compute alone. Since 0.7.
PIT_RUNTIME_API void pit_set_num_threads(int64_t threads);

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
  /// How hosts call the entry points of a program for several ranks, as a text
  /// in JSON, see docs/SeveralGPUs.md; NULL in other programs. Only there if
  /// `runtime_version` is 8 or more. Since 0.8.
  const char *phases;
  /// For each entry point, a function for XLA's foreign function interface, as
  /// JAX calls it (docs/RuntimeABI.md); NULL where there is none. Only there if
  /// `runtime_version` is 9 or more. Since 0.9.
  void *(*const *xla_handlers)(void *frame);
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

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_H */
