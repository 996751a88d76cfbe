//===- Threads.h - How ranges and products are cut --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_THREADS_H
#define PIT_RUNTIME_SRC_THREADS_H

#include "pit_runtime_calls.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Iterations that a thread takes at once: a multiple of `multiple`, or `count`
/// where the range is not worth a second thread.
int64_t pitChunkOfRange(int64_t count, int64_t multiple, int64_t work,
                        int64_t threads);

/// Rows and columns of a task of `batches` products of m x n x k: multiples of
/// the units, or all; at least 1.
void pitSplitProduct(int64_t batches, int64_t m, int64_t n, int64_t k,
                     int64_t rowUnit, int64_t columnUnit, int64_t threads,
                     int64_t *rows, int64_t *columns);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_SRC_THREADS_H */
