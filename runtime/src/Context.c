//===- Context.c - Contexts, their status word and their records ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Stands in where a thread has no current context. It is never destroyed.
static pit_context defaultContext = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .cuda = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static _Thread_local pit_context *currentContext = NULL;

pit_context *pitResolve(pit_context *context) {
  return context ? context : &defaultContext;
}

pit_context *pitActive(void) { return pitResolve(currentContext); }

//===----------------------------------------------------------------------===//
// Life time
//===----------------------------------------------------------------------===//

int32_t pit_context_create(pit_context **context) {
  if (!context)
    return PIT_ERROR_INVALID_ARGUMENT;
  *context = NULL;
  pit_context *made = calloc(1, sizeof(pit_context));
  if (!made)
    return PIT_ERROR_OUT_OF_MEMORY;
  if (pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return PIT_ERROR_OUT_OF_MEMORY;
  }
  if (pthread_mutex_init(&made->cuda.lock, NULL) != 0) {
    pthread_mutex_destroy(&made->lock);
    free(made);
    return PIT_ERROR_OUT_OF_MEMORY;
  }
  *context = made;
  return PIT_OK;
}

void pit_context_destroy(pit_context *context) {
  if (!context || context == &defaultContext)
    return;
  if (currentContext == context)
    currentContext = NULL;
  pitCudaDestroy(context, &context->cuda);
  pthread_mutex_destroy(&context->cuda.lock);
  for (size_t i = 0; i < context->numRules; ++i)
    free(context->rules[i].name);
  free(context->rules);
  pthread_mutex_destroy(&context->lock);
  free(context);
}

pit_context *pit_context_make_current(pit_context *context) {
  pit_context *previous = currentContext;
  currentContext = context;
  return previous;
}

pit_context *pit_context_current(void) { return currentContext; }

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void pitSetErrorLocked(pit_context *context, int32_t status,
                       const char *message) {
  if (status == PIT_OK || atomic_load(&context->status) != PIT_OK)
    return;
  snprintf(context->message, sizeof(context->message), "%s",
           message ? message : pit_status_string(status));
  atomic_store(&context->status, status);
}

int32_t pit_context_status(pit_context *context) {
  return atomic_load(&pitResolve(context)->status);
}

size_t pit_context_last_error(pit_context *context, char *buffer, size_t size) {
  context = pitResolve(context);
  pthread_mutex_lock(&context->lock);
  size_t length = strlen(context->message);
  if (buffer && size > 0)
    snprintf(buffer, size, "%s", context->message);
  pthread_mutex_unlock(&context->lock);
  return length;
}

void pit_context_set_error(pit_context *context, int32_t status,
                           const char *message) {
  context = pitResolve(context);
  pthread_mutex_lock(&context->lock);
  pitSetErrorLocked(context, status, message);
  pthread_mutex_unlock(&context->lock);
}

void pit_context_clear_error(pit_context *context) {
  context = pitResolve(context);
  pthread_mutex_lock(&context->lock);
  context->message[0] = '\0';
  atomic_store(&context->status, PIT_OK);
  pthread_mutex_unlock(&context->lock);
}

//===----------------------------------------------------------------------===//
// Rules and their records
//===----------------------------------------------------------------------===//

pit_rule *pitFindRule(pit_context *context, int64_t rule) {
  size_t low = 0, high = context->numRules;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (context->rules[middle].record.rule < rule)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < context->numRules && context->rules[low].record.rule == rule)
    return &context->rules[low];

  if (context->numRules == context->capacity) {
    size_t capacity = context->capacity ? 2 * context->capacity : 16;
    pit_rule *grown = realloc(context->rules, capacity * sizeof(pit_rule));
    if (!grown) {
      pitSetErrorLocked(context, PIT_ERROR_OUT_OF_MEMORY,
                        "out of memory while recording a rule");
      return NULL;
    }
    context->rules = grown;
    context->capacity = capacity;
  }
  memmove(&context->rules[low + 1], &context->rules[low],
          (context->numRules - low) * sizeof(pit_rule));
  memset(&context->rules[low], 0, sizeof(pit_rule));
  context->rules[low].record.rule = rule;
  ++context->numRules;
  return &context->rules[low];
}

int32_t pit_context_name_rule(pit_context *context, int64_t rule,
                              const char *name) {
  context = pitResolve(context);
  char *copy = NULL;
  if (name) {
    size_t bytes = strlen(name) + 1;
    copy = malloc(bytes);
    if (!copy)
      return PIT_ERROR_OUT_OF_MEMORY;
    memcpy(copy, name, bytes);
  }
  pthread_mutex_lock(&context->lock);
  pit_rule *entry = pitFindRule(context, rule);
  if (entry) {
    char *old = entry->name;
    entry->name = copy;
    copy = old;
  }
  pthread_mutex_unlock(&context->lock);
  free(copy);
  return entry ? PIT_OK : PIT_ERROR_OUT_OF_MEMORY;
}

size_t pit_context_records(pit_context *context, pit_rule_record *records,
                           size_t capacity) {
  context = pitResolve(context);
  pthread_mutex_lock(&context->lock);
  size_t count = context->numRules;
  if (records)
    for (size_t i = 0; i < count && i < capacity; ++i)
      records[i] = context->rules[i].record;
  pthread_mutex_unlock(&context->lock);
  return count;
}

void pit_context_reset_records(pit_context *context) {
  context = pitResolve(context);
  pthread_mutex_lock(&context->lock);
  for (size_t i = 0; i < context->numRules; ++i) {
    pit_rule_record *record = &context->rules[i].record;
    int64_t rule = record->rule;
    memset(record, 0, sizeof(*record));
    record->rule = rule;
  }
  pthread_mutex_unlock(&context->lock);
}
