//===- CudaTimesTest.cpp - Tests of times of launches ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaFixture.h"
#include "pit_runtime_times.h"

namespace {

TEST_F(Cuda, TimesLaunches) {
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuEventRecord"), 0);
  EXPECT_EQ(pit_cuda_time_launches(context, 1), PIT_OK);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(launch(stream, 1 + i % 2), PIT_OK);
  size_t count = 0;
  EXPECT_EQ(pit_cuda_launch_times(context, nullptr, 0, &count), PIT_OK);
  EXPECT_EQ(count, 100u);
  pit_cuda_launch_time times[2] = {};
  EXPECT_EQ(pit_cuda_launch_times(context, times, 2, &count), PIT_OK);
  EXPECT_EQ(count, 100u);
  EXPECT_STREQ(times[1].kernel, "first");
  EXPECT_EQ(times[1].milliseconds, 0.25f);
  EXPECT_EQ(times[1].start_milliseconds, 0.25f);
  // Twice is anew; what is still noted at the end goes with the context.
  EXPECT_EQ(pit_cuda_time_launches(context, 1), PIT_OK);
  EXPECT_EQ(pit_cuda_launch_times(context, nullptr, 0, &count), PIT_OK);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(pit_cuda_launch_times(context, nullptr, 0, nullptr),
            PIT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Cuda, TimesOfLaunchesThatFail) {
  EXPECT_EQ(pit_cuda_time_launches(context, 1), PIT_OK);
  size_t count = 1;
  for (const char *function :
       {"cuEventCreate", "cuEventRecord", "cuLaunchKernel"})
    for (int nth : {1, 2}) {
      if (nth == 2 && std::string(function) == "cuLaunchKernel")
        continue;
      fake_cuda_reset();
      fake_cuda_fail(function, nth, 700);
      EXPECT_EQ(launch(stream), PIT_ERROR_DEVICE) << function << nth;
      EXPECT_EQ(fake_cuda_count("cuEventCreate"),
                fake_cuda_count("cuEventDestroy_v2") +
                    (std::string(function) == "cuEventCreate"))
          << function << nth;
      pit_context_clear_error(context);
    }
  EXPECT_EQ(pit_cuda_launch_times(context, nullptr, 0, &count), PIT_OK);
  EXPECT_EQ(count, 0u);
}

} // namespace
