//===- CommKernels.h - Kernels of communicators -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is short takes less time in a kernel than the same done by operations of
// the stream (cuStreamBatchMemOp) and copy engines, which do it where a device
// does not take these kernels.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_COMMKERNELS_H
#define PIT_RUNTIME_SRC_COMMKERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

#define PIT_COMM_BARRIER_KERNEL "pit_comm_barrier"
#define PIT_COMM_PUSH_KERNEL "pit_comm_push"
#define PIT_COMM_AWAIT_KERNEL "pit_comm_await"

/// A push moves vectors of so many bytes, by blocks of so many threads.
enum { PIT_COMM_VECTOR = 16, PIT_COMM_PUSH_THREADS = 256 };

/// The PTX of all, for devices of compute capability 7.0 and later.
extern const char pitCommKernels[];

#ifdef __cplusplus
}
#endif

#endif /* PIT_RUNTIME_SRC_COMMKERNELS_H */
