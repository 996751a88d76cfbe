//===- header-is-c11.c - headers are C11, and a C program links them ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pit_comm.h"
#include "pit_runtime.h"
#include "pit_runtime_calls.h"
#include "pit_runtime_times.h"

#include <stdio.h>
#include <string.h>

static int check(int condition, const char *what) {
  if (!condition)
    fprintf(stderr, "failed: %s\n", what);
  return condition ? 0 : 1;
}

int main(void) {
  int failures = 0;
  pit_context *context = NULL;
  failures += check(pit_context_create(&context) == PIT_OK, "create");
  pit_context_make_current(context);
  pit_rt_record_index(1, 3, 8);
  pit_rt_overflow(1, 9, 8);
  failures += check(pit_context_status(context) == PIT_ERROR_CAPACITY_EXCEEDED,
                    "status");
  char message[128];
  pit_context_last_error(context, message, sizeof(message));
  failures += check(strstr(message, "at most 8") != NULL, "message");
  pit_rule_record record;
  failures += check(pit_context_records(context, &record, 1) == 1, "records");
  failures += check(record.live == 3 && record.total == 8, "record");
  float data[2] = {0};
  const int64_t shape[1] = {2};
  pit_tensor tensor = {data, PIT_DTYPE_F32, 1, shape, NULL};
  failures += check(pit_tensor_check(&tensor) == PIT_OK, "tensor");
  pit_context_destroy(context);
  return failures;
}
