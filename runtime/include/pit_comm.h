//===- pit_comm.h - Programs on several GPUs --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Communicators of several ranks: memory that all of them see, and barriers
// between their streams. A rank is a process or a thread with a GPU; several
// ranks may share one GPU, for tests. Ranks are on one host and reach each
// other's memory (NVLink or PCIe). The rules of pit_runtime.h hold here, too.
// docs/SeveralGPUs.md shows how a program is run on them.
//
// Collective calls are made by all ranks, in the same order and with the same
// numbers. What differs is an error on all of them.
//
// A communicator belongs to one thread at a time. It has the CUDA context that
// was current when it was made; collective calls need it to be current, too.
//
// Nothing waits longer than the communicator's time limit. A rank that ends,
// fails or says nothing for so long is an error on all others: the
// communicator is then broken, waits of streams end, further calls return the
// error, and results are not valid. A broken communicator can only be
// destroyed. Since 0.8.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_COMM_H
#define PIT_COMM_H

#include "pit_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ranks of one host.
#define PIT_COMM_MAX_RANKS 64
/// Numbers of barriers are 0 to this minus 1.
#define PIT_COMM_CHANNELS 16

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

/// What the ranks of one communicator, and no others, have in common.
typedef struct pit_comm_id {
  uint8_t bytes[16];
} pit_comm_id;

typedef struct pit_comm pit_comm;

/// Draws a new id, which the host then hands to all ranks.
PIT_RUNTIME_API int32_t pit_comm_make_id(pit_context *context, pit_comm_id *id);

/// Makes an id of a text that all ranks know, such as MASTER_ADDR, MASTER_PORT
/// and the number of a run. Two communicators that live at the same time need
/// different texts.
PIT_RUNTIME_API int32_t pit_comm_name_id(pit_context *context, const char *text,
                                         pit_comm_id *id);

/// Collective. Joins rank `rank` of `ranks` and waits until all are there.
/// `limit` is the time limit in milliseconds, 1 or more: for this and later
/// collective calls, and for how long a barrier may keep a stream waiting. It
/// has to be longer than the longest work between two barriers. Ranks must
/// belong to one user and one network namespace.
///
/// Errors: PIT_ERROR_INVALID_ARGUMENT for numbers out of range, a rank that is
/// there already, or ranks that disagree; PIT_ERROR_UNSUPPORTED if the driver
/// or the device lacks what is needed; PIT_ERROR_DEVICE if ranks are missing
/// after the limit.
PIT_RUNTIME_API int32_t pit_comm_create(pit_context *context,
                                        const pit_comm_id *id, int32_t rank,
                                        int32_t ranks, int64_t limit,
                                        pit_comm **comm);

/// Collective. The same for the ranks of a communicator of NCCL (ncclComm_t),
/// which the host keeps for as long. NCCL is opened at the first call:
/// libnccl.so.2, or what the environment variable PIT_NCCL names. With it,
/// pit_comm_all_reduce works. If `maps` is 0, or a rank's device cannot map the
/// memory of another one, NCCL moves what otherwise is read in place; results
/// are the same. If the communicator breaks then, that of NCCL is aborted: the
/// host must not use it any more, and not destroy it.
PIT_RUNTIME_API int32_t pit_comm_from_nccl(pit_context *context, void *nccl,
                                           int64_t limit, int32_t maps,
                                           pit_comm **comm);

/// Leaves. The calling rank's streams must have no barrier of it left to do.
/// Peers keep what they have mapped. Frees all buffers of the communicator on
/// this rank. NULL is ignored.
PIT_RUNTIME_API void pit_comm_destroy(pit_comm *comm);

PIT_RUNTIME_API int32_t pit_comm_rank(const pit_comm *comm);
PIT_RUNTIME_API int32_t pit_comm_ranks(const pit_comm *comm);
/// 1 if ranks read each other's memory in place, 0 if NCCL moves it.
PIT_RUNTIME_API int32_t pit_comm_maps(const pit_comm *comm);

/// PIT_OK, or why the communicator is broken; waits for nothing, and may be
/// called by any thread. The message is recorded in the context.
PIT_RUNTIME_API int32_t pit_comm_status(pit_comm *comm);

/// Breaks the communicator on all ranks, with a message for them. Any thread
/// may call it; a host does so if it cannot go on.
PIT_RUNTIME_API void pit_comm_abort(pit_comm *comm, const char *message);

/// Waits for the stream, at most for the limit, and returns the communicator's
/// status. If a kernel failed, or the limit is over, it breaks the communicator
/// first. Hosts that replay graphs wait with this: nothing else bounds a graph.
/// It does not read the status word of kernels; see pit_cuda_check.
PIT_RUNTIME_API int32_t pit_comm_check(pit_comm *comm, pit_stream stream);

//===----------------------------------------------------------------------===//
// Memory that all ranks see
//===----------------------------------------------------------------------===//

/// A buffer with a part on each rank's device. Every rank sees all parts, one
/// behind the other, from one address: part r begins at r * pitch.
typedef struct pit_comm_buffer {
  /// Address of part 0, for kernels and copies of this rank.
  void *parts;
  /// Address of this rank's own part.
  void *own;
  /// Bytes from one part to the next: `bytes` rounded up.
  int64_t pitch;
  int64_t bytes;
} pit_comm_buffer;

/// Collective. Allocates `bytes` bytes, 1 or more, on each rank. The pitch is a
/// multiple of `unit` bytes, 1 or more, and of the device's granularity, so
/// that a buffer of rows of `unit` bytes is one array of rows. Memory is zero.
PIT_RUNTIME_API int32_t pit_comm_buffer_create(pit_comm *comm, int64_t bytes,
                                               int64_t unit,
                                               pit_comm_buffer **buffer);

/// Unmaps the buffer on this rank, whose work on it must have ended. Peers may
/// still use it; memory goes with the last mapping. Not collective. NULL is
/// ignored.
PIT_RUNTIME_API int32_t pit_comm_buffer_destroy(pit_comm *comm,
                                                pit_comm_buffer *buffer);

/// Copies `bytes` bytes of this rank, from device memory, to all ranks' parts
/// of the buffer, at `offset` + rank * `bytes`, in the order of the stream.
/// When all ranks have done so and passed a barrier, the part of each rank has
/// the pieces of all ranks, one behind the other: an all-gather. Can be
/// captured.
PIT_RUNTIME_API int32_t pit_comm_gather(pit_comm *comm, pit_stream stream,
                                        pit_comm_buffer *buffer, int64_t offset,
                                        const void *piece, int64_t bytes);

/// Gives in `side` a stream of the communicator whose later work starts when
/// the earlier work of `stream` has ended, for gathers and barriers beside
/// kernels of `stream`. There is one: it has to be joined before the next fork.
/// Where NCCL moves data, `side` is `stream` itself. Can be captured. Since
/// 0.9.
PIT_RUNTIME_API int32_t pit_comm_fork(pit_comm *comm, pit_stream stream,
                                      pit_stream *side);

/// Later work of `stream` starts when the earlier work of the side stream has
/// ended. Can be captured.
PIT_RUNTIME_API int32_t pit_comm_join(pit_comm *comm, pit_stream stream);

/// Collective in the order of streams. Lets all ranks read this rank's part of
/// the buffer behind the next barrier. Parts that are mapped need nothing;
/// without, this copies all parts to all ranks. Can be captured.
PIT_RUNTIME_API int32_t pit_comm_share(pit_comm *comm, pit_stream stream,
                                       pit_comm_buffer *buffer);

/// Collective in the order of streams. Adds up `count` elements of all ranks,
/// in device memory, through NCCL; `to` may be `from`. Floats are added in
/// NCCL's order: the same bits on all ranks. PIT_ERROR_UNSUPPORTED for a
/// communicator that was not made from one of NCCL; types are f16, bf16, f32,
/// f64, i8, i32 and i64.
PIT_RUNTIME_API int32_t pit_comm_all_reduce(pit_comm *comm, pit_stream stream,
                                            const void *from, void *to,
                                            int64_t count, int32_t dtype);

//===----------------------------------------------------------------------===//
// Pieces that arrive while kernels run
//===----------------------------------------------------------------------===//

/// As pit_comm_gather, and sets, in the memory of each other rank, the word of
/// this rank and the channel when its piece is there. Kernels may look at the
/// words, see pit_comm_arrivals. `stream` has to be another one than that of
/// these kernels, as pit_comm_fork gives. This rank's own piece comes by a copy
/// within the device, for which pit_comm_join_own waits: it has to be called,
/// and before a capture ends. PIT_ERROR_UNSUPPORTED
/// without mapped memory (pit_comm_maps). Can be captured. Since 0.9.
PIT_RUNTIME_API int32_t pit_comm_push(pit_comm *comm, pit_stream stream,
                                      int32_t channel, pit_comm_buffer *buffer,
                                      int64_t offset, const void *piece,
                                      int64_t bytes);

/// Later work of `stream` starts when this rank's own pieces of earlier pushes
/// are there. Can be captured. Since 0.9.
PIT_RUNTIME_API int32_t pit_comm_join_own(pit_comm *comm, pit_stream stream);

/// The words of a channel in this rank's memory: an i32 for each other rank,
/// which is not 0 from when its piece is there, or the communicator is broken,
/// until pit_comm_await. Since 0.9.
PIT_RUNTIME_API int32_t pit_comm_arrivals(pit_comm *comm, int32_t channel,
                                          void **words);

/// Later work of `stream` starts when the pieces of all other ranks' pushes of
/// the channel are there. Sets their words back to 0. Each push needs one, and
/// the next push of the channel a barrier behind that. Can be captured. Since
/// 0.9.
PIT_RUNTIME_API int32_t pit_comm_await(pit_comm *comm, pit_stream stream,
                                       int32_t channel);

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Later work of the stream starts when the earlier work of all ranks' streams
/// has ended, up to their barriers of the same channel. The host does not wait
/// (on the emulated device it does). Signals are words in the memory of the
/// rank that waits, which the peers' streams write.
///
/// Barriers that follow each other need different channels, also from the last
/// one of a graph to its first: a rank may set a signal again only when the
/// other has seen it. Can be captured and replayed.
PIT_RUNTIME_API int32_t pit_comm_barrier(pit_comm *comm, pit_stream stream,
                                         int32_t channel);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_COMM_H */
