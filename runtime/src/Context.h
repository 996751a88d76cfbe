//===- Context.h - Inside of a runtime context ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_CONTEXT_H
#define PIT_RUNTIME_SRC_CONTEXT_H

#include "CudaDevice.h"
#include "pit_runtime_calls.h"

#include <pthread.h>
#include <stdatomic.h>

/// Error messages are kept in place, so that reporting one needs no memory.
enum { PIT_MESSAGE_BYTES = 512 };

/// A record and the name that messages use for its rule.
typedef struct pit_rule {
  pit_rule_record record;
  char *name;
} pit_rule;

struct pit_context {
  /// Read without the lock; written under it, together with `message`.
  _Atomic int32_t status;
  pthread_mutex_t lock;
  char message[PIT_MESSAGE_BYTES];
  /// Ordered by rule number.
  pit_rule *rules;
  size_t numRules;
  size_t capacity;
  PitCudaState cuda;
};

/// Resolves NULL to the default context.
pit_context *pitResolve(pit_context *context);

/// Returns the context that compiled code on this thread reports to.
pit_context *pitActive(void);

/// Finds a rule's entry or makes one. The lock must be held. Returns NULL,
/// with the status set, when memory runs out.
pit_rule *pitFindRule(pit_context *context, int64_t rule);

/// As pit_context_set_error, with the lock held.
void pitSetErrorLocked(pit_context *context, int32_t status,
                       const char *message);

#endif /* PIT_RUNTIME_SRC_CONTEXT_H */
