//===- CommNccl.h - What communicators need of NCCL -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_COMMNCCL_H
#define PIT_RUNTIME_SRC_COMMNCCL_H

#include "Comm.h"

/// Values of nccl.h, which are part of its ABI.
enum { PIT_NCCL_UINT8 = 1, PIT_NCCL_SUM = 0 };

/// X(member, parameters); the symbol has "nccl" in front.
#define PIT_NCCL_FUNCTIONS(X)                                                  \
  X(CommCount, (void *, int *))                                                \
  X(CommUserRank, (void *, int *))                                             \
  X(CommAbort, (void *))                                                       \
  X(Broadcast, (const void *, void *, size_t, int, int, void *, CUstream))     \
  X(AllGather, (const void *, void *, size_t, int, void *, CUstream))          \
  X(AllReduce, (const void *, void *, size_t, int, int, void *, CUstream))

#define PIT_NCCL_MEMBER(member, parameters) int(*member) parameters;
typedef struct PitNccl {
  PIT_NCCL_FUNCTIONS(PIT_NCCL_MEMBER)
  const char *(*GetErrorString)(int);
} PitNccl;
#undef PIT_NCCL_MEMBER

/// Opens NCCL at the first call. Null where there is none, with the reason
/// recorded in the context.
const PitNccl *pitNccl(pit_context *context);

/// All ranks' pieces, one behind the other.
int32_t pitNcclGather(pit_comm *comm, CUstream stream, const void *piece,
                      void *all, int64_t bytes);
int32_t pitNcclBarrier(pit_comm *comm, CUstream stream);
/// Ends what streams wait for.
void pitNcclAbort(pit_comm *comm);

#endif /* PIT_RUNTIME_SRC_COMMNCCL_H */
