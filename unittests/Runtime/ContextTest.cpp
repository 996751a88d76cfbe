//===- ContextTest.cpp - Tests of contexts, status and records ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pit_runtime_calls.h"

#include "gtest/gtest.h"

#include <string>
#include <thread>
#include <vector>

namespace {

/// A context that is current while it lives.
struct Current {
  Current() {
    EXPECT_EQ(pit_context_create(&context), PIT_OK);
    previous = pit_context_make_current(context);
  }
  ~Current() {
    pit_context_make_current(previous);
    pit_context_destroy(context);
  }
  std::string error() {
    char buffer[600];
    pit_context_last_error(context, buffer, sizeof(buffer));
    return buffer;
  }
  std::vector<pit_rule_record> records() {
    std::vector<pit_rule_record> result(
        pit_context_records(context, nullptr, 0));
    pit_context_records(context, result.data(), result.size());
    return result;
  }
  pit_context *context = nullptr, *previous = nullptr;
};

TEST(Context, StartsClean) {
  Current current;
  EXPECT_EQ(pit_context_status(current.context), PIT_OK);
  EXPECT_EQ(pit_context_last_error(current.context, nullptr, 0), 0u);
  EXPECT_TRUE(current.records().empty());
  EXPECT_EQ(pit_context_create(nullptr), PIT_ERROR_INVALID_ARGUMENT);
}

TEST(Context, FirstErrorStays) {
  Current current;
  EXPECT_EQ(pit_context_name_rule(current.context, 3, "moe.mlir:12:5"), PIT_OK);
  pit_rt_overflow(3, 70, 64);
  pit_rt_bad_index(4, -1, 128);
  EXPECT_EQ(pit_context_status(current.context), PIT_ERROR_CAPACITY_EXCEEDED);
  EXPECT_EQ(current.error(),
            "rule 3 (moe.mlir:12:5): capacity exceeded: 70 live micro-tiles "
            "where at most 64 fit");

  pit_context_clear_error(current.context);
  EXPECT_EQ(pit_context_status(current.context), PIT_OK);
  pit_rt_bad_index(4, -1, 128);
  EXPECT_EQ(pit_context_status(current.context), PIT_ERROR_BAD_INDEX);
  EXPECT_EQ(current.error(),
            "rule 4: index out of range: -1 is not in [0, 128]");
}

TEST(Context, AccessesThatAProgramComputes) {
  Current current;
  auto report = [&](int64_t line, int64_t axis, int64_t kind, int64_t value,
                    int64_t bound) {
    pit_context_clear_error(current.context);
    pit_rt_bad_index(-2 - (line * 64 + axis * 4 + kind), value, bound);
    EXPECT_EQ(pit_context_status(current.context), PIT_ERROR_BAD_INDEX);
    return current.error();
  };
  EXPECT_EQ(report(12, 0, 0, 7, 5), "line 12: index out of range: reads index "
                                    "7 of dimension 0, which is 5");
  EXPECT_EQ(report(92, 0, 3, 0, -1),
            "line 92: an assertion of the program does not hold");
  EXPECT_EQ(report(0, 3, 1, -1, 0), "index out of range: writes to index -1 of "
                                    "dimension 3, which is 0");
  EXPECT_EQ(report(70000, 1, 2, 3, 2),
            "line 70000: index out of range: the offset 3 of dimension 1 of a "
            "slice is not within 0 to 2");
  EXPECT_EQ(report(1, 15, 3, -9, 4),
            "line 1: index out of range: the size -9 of dimension 15 of a "
            "slice is not within 0 to 4");
}

TEST(Context, MessageIsCutToTheBuffer) {
  Current current;
  pit_context_set_error(current.context, PIT_OK, "ignored");
  EXPECT_EQ(pit_context_status(current.context), PIT_OK);
  pit_context_set_error(current.context, PIT_ERROR_UNSUPPORTED, "abcdef");
  char buffer[4];
  EXPECT_EQ(pit_context_last_error(current.context, buffer, sizeof(buffer)),
            6u);
  EXPECT_STREQ(buffer, "abc");

  pit_context_clear_error(current.context);
  pit_context_set_error(current.context, 99, nullptr);
  EXPECT_EQ(current.error(), "unknown status");
  pit_context_clear_error(current.context);
  std::string longText(5000, 'x');
  pit_context_set_error(current.context, PIT_ERROR_UNSUPPORTED,
                        longText.c_str());
  EXPECT_LT(current.error().size(), 600u);
}

TEST(Context, RecordsAreOrderedAndSummed) {
  Current current;
  for (int64_t rule : {9, 2, 5, 2})
    pit_rt_record_index(rule, rule, 10);
  auto records = current.records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].rule, 2);
  EXPECT_EQ(records[0].indexes, 2);
  EXPECT_EQ(records[0].live, 4);
  EXPECT_EQ(records[0].total, 20);
  EXPECT_EQ(records[1].rule, 5);
  EXPECT_EQ(records[2].rule, 9);

  pit_rt_record_index(9, INT64_MAX, 1);
  EXPECT_EQ(current.records()[2].live, INT64_MAX);

  pit_context_reset_records(current.context);
  records = current.records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].rule, 2);
  EXPECT_EQ(records[0].live, 0);
}

TEST(Context, Coverage) {
  Current current;
  pit_rt_record_coverage(1, 30, 64);
  pit_rt_record_coverage(1, 34, 64);
  auto records = current.records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].live_elements, 64);
  EXPECT_EQ(records[0].covered_elements, 128);
  EXPECT_EQ(records[0].indexes, 0);
}

TEST(Context, ManyRules) {
  Current current;
  for (int64_t rule = 1000; rule-- > 0;)
    pit_rt_record_index(rule, 1, 1);
  auto records = current.records();
  ASSERT_EQ(records.size(), 1000u);
  for (int64_t rule = 0; rule < 1000; ++rule)
    EXPECT_EQ(records[size_t(rule)].rule, rule);
}

TEST(Context, Timers) {
  Current current;
  pit_rt_timer_stop(1); // Never started.
  EXPECT_TRUE(current.records().empty());
  pit_rt_timer_start(1);
  pit_rt_timer_start(2);
  pit_rt_timer_stop(2);
  pit_rt_timer_stop(1);
  auto records = current.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].timed, 1);
  EXPECT_GE(records[0].nanoseconds, records[1].nanoseconds);
  // More open timers than are kept: no crash, and later ones work again.
  for (int i = 0; i < 200; ++i)
    pit_rt_timer_start(3);
  for (int i = 0; i < 200; ++i)
    pit_rt_timer_stop(3);
  EXPECT_EQ(current.records()[2].timed, 64);
}

TEST(Context, ThreadsHaveTheirOwn) {
  Current current;
  std::thread other([] {
    EXPECT_EQ(pit_context_current(), nullptr);
    Current mine;
    pit_rt_bad_index(0, 5, 5);
    EXPECT_EQ(pit_context_status(mine.context), PIT_ERROR_BAD_INDEX);
  });
  other.join();
  EXPECT_EQ(pit_context_status(current.context), PIT_OK);
}

TEST(Context, ThreadsShareOne) {
  Current current;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([context = current.context] {
      pit_context_make_current(context);
      for (int n = 0; n < 1000; ++n)
        pit_rt_record_index(n % 7, 1, 2);
      pit_rt_overflow(1, 2, 1);
    });
  for (std::thread &thread : threads)
    thread.join();
  int64_t live = 0;
  for (const pit_rule_record &record : current.records())
    live += record.live;
  EXPECT_EQ(live, 4000);
  EXPECT_EQ(pit_context_status(current.context), PIT_ERROR_CAPACITY_EXCEEDED);
}

TEST(Context, DefaultTakesOver) {
  ASSERT_EQ(pit_context_current(), nullptr);
  pit_rt_bad_index(7, 1, 1);
  EXPECT_EQ(pit_context_status(nullptr), PIT_ERROR_BAD_INDEX);
  pit_context_clear_error(nullptr);
  EXPECT_EQ(pit_context_status(nullptr), PIT_OK);
  pit_context_destroy(nullptr);
}

TEST(Context, DestroyingTheCurrentOneLeavesNone) {
  pit_context *context;
  ASSERT_EQ(pit_context_create(&context), PIT_OK);
  pit_context_make_current(context);
  pit_context_destroy(context);
  EXPECT_EQ(pit_context_current(), nullptr);
}

} // namespace
