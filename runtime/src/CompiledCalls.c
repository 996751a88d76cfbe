//===- CompiledCalls.c - Entry points that compiled code calls ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For clock_gettime under a strict -std=c11.
#define _POSIX_C_SOURCE 200809L

#include "Call.h"
#include "Context.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Writes "rule 3 (model.mlir:4:8)", or without the name where there is none.
static void describeRule(pit_context *context, int64_t rule, char *buffer,
                         size_t size) {
  pit_rule *entry = pitFindRule(context, rule);
  if (entry && entry->name)
    snprintf(buffer, size, "rule %" PRId64 " (%s)", rule, entry->name);
  else
    snprintf(buffer, size, "rule %" PRId64, rule);
}

void pit_rt_overflow(int64_t rule, int64_t count, int64_t capacity) {
  pit_context *context = pitActive();
  pthread_mutex_lock(&context->lock);
  char name[256], message[PIT_MESSAGE_BYTES];
  describeRule(context, rule, name, sizeof(name));
  snprintf(message, sizeof(message),
           "%s: capacity exceeded: %" PRId64 " live micro-tiles where at most "
           "%" PRId64 " fit",
           name, count, capacity);
  pitSetErrorLocked(context, PIT_ERROR_CAPACITY_EXCEEDED, message);
  pthread_mutex_unlock(&context->lock);
  pitHostCallFail(PIT_ERROR_CAPACITY_EXCEEDED);
}

/// Writes what is wrong with a number of an access that a program computes.
static void describeAccess(int64_t code, int64_t value, int64_t bound,
                           char *buffer, size_t size) {
  const int64_t number = -2 - code;
  const int kind = (int)(number % 4), axis = (int)(number / 4 % 16);
  char line[32] = "";
  if (number / 64)
    snprintf(line, sizeof(line), "line %" PRId64 ": ", number / 64);
  if (kind == 3 && bound < 0)
    snprintf(buffer, size, "%san assertion of the program does not hold", line);
  else if (kind < 2)
    snprintf(buffer, size,
             "%sindex out of range: %s index %" PRId64
             " of dimension %d, which is %" PRId64,
             line, kind ? "writes to" : "reads", value, axis, bound);
  else
    snprintf(buffer, size,
             "%sindex out of range: the %s %" PRId64
             " of dimension %d of a slice is not within 0 to %" PRId64,
             line, kind == 2 ? "offset" : "size", value, axis, bound);
}

void pit_rt_bad_index(int64_t rule, int64_t value, int64_t bound) {
  pit_context *context = pitActive();
  pthread_mutex_lock(&context->lock);
  char name[256], message[PIT_MESSAGE_BYTES];
  describeRule(context, rule, name, sizeof(name));
  if (rule < -1)
    describeAccess(rule, value, bound, message, sizeof(message));
  else if (bound < 0)
    snprintf(message, sizeof(message),
             "index out of range: the list of segment %" PRId64
             " does not ascend, or leaves its bounds",
             value);
  else
    snprintf(message, sizeof(message),
             "%s: index out of range: %" PRId64 " is not in [0, %" PRId64 "]",
             name, value, bound);
  pitSetErrorLocked(context, PIT_ERROR_BAD_INDEX, message);
  pthread_mutex_unlock(&context->lock);
  pitHostCallFail(PIT_ERROR_BAD_INDEX);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void pit_rt_record_index(int64_t rule, int64_t live, int64_t total) {
  pit_context *context = pitActive();
  pthread_mutex_lock(&context->lock);
  pit_rule *entry = pitFindRule(context, rule);
  if (entry) {
    pit_rule_record *record = &entry->record;
    record->indexes = saturatingAdd(record->indexes, 1);
    record->live = saturatingAdd(record->live, live);
    record->total = saturatingAdd(record->total, total);
  }
  pthread_mutex_unlock(&context->lock);
}

void pit_rt_record_coverage(int64_t rule, int64_t live, int64_t covered) {
  pit_context *context = pitActive();
  pthread_mutex_lock(&context->lock);
  pit_rule *entry = pitFindRule(context, rule);
  if (entry) {
    pit_rule_record *record = &entry->record;
    record->live_elements = saturatingAdd(record->live_elements, live);
    record->covered_elements = saturatingAdd(record->covered_elements, covered);
  }
  pthread_mutex_unlock(&context->lock);
}

//===----------------------------------------------------------------------===//
// Timers
//===----------------------------------------------------------------------===//

typedef struct OpenTimer {
  pit_context *context;
  int64_t rule;
  int64_t start;
} OpenTimer;

enum { MAX_OPEN_TIMERS = 64 };
static _Thread_local OpenTimer openTimers[MAX_OPEN_TIMERS];
static _Thread_local int numOpenTimers = 0;

static int64_t now(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
    return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void pit_rt_timer_start(int64_t rule) {
  if (numOpenTimers == MAX_OPEN_TIMERS)
    return;
  OpenTimer *timer = &openTimers[numOpenTimers++];
  timer->context = pitActive();
  timer->rule = rule;
  timer->start = now();
}

void pit_rt_timer_stop(int64_t rule) {
  int64_t stop = now();
  pit_context *context = pitActive();
  int i = numOpenTimers - 1;
  while (i >= 0 &&
         (openTimers[i].rule != rule || openTimers[i].context != context))
    --i;
  if (i < 0)
    return;
  int64_t elapsed = stop - openTimers[i].start;
  // Timers opened later and never stopped, on an error path say, go with it.
  numOpenTimers = i;

  pthread_mutex_lock(&context->lock);
  pit_rule *entry = pitFindRule(context, rule);
  if (entry) {
    pit_rule_record *record = &entry->record;
    record->timed = saturatingAdd(record->timed, 1);
    record->nanoseconds = saturatingAdd(record->nanoseconds, elapsed);
  }
  pthread_mutex_unlock(&context->lock);
}
