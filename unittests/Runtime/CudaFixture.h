//===- CudaFixture.h - A context on a device that needs none ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RUNTIME_CUDAFIXTURE_H
#define PIT_UNITTESTS_RUNTIME_CUDAFIXTURE_H

#include "FakeCuda.h"
#include "pit_runtime_calls.h"

#include "gtest/gtest.h"

#include <string>

inline const char kCode[] =
    ".visible .entry first(\n .param .u64 .ptr .align 1 a,\n"
    " .param .u64 n\n)\n{ ret; }\n"
    ".visible .entry second(\n .param .u64 n\n)\n{ ret; }\n";
inline const char *const kKernels[] = {"first", "second"};
inline const float kConstant[] = {1, 2, 3};
inline const pit_constant kConstants[] = {{kConstant, sizeof(kConstant)},
                                          {"", 0}};

inline pit_image makeImage(uint64_t id) {
  return {{id, 7}, "kernels", kCode, 2, kKernels, 2, kConstants};
}

/// A context on device 0, with a stream.
struct Cuda : testing::Test {
  Cuda() {
    EXPECT_EQ(pit_context_create(&context), PIT_OK);
    EXPECT_EQ(pit_cuda_use_device(context, 0), PIT_OK);
    EXPECT_EQ(pit_cuda_stream_create(context, &stream), PIT_OK);
    fake_cuda_set_pools(1);
    fake_cuda_set_capturing(0);
    fake_cuda_reset();
  }
  ~Cuda() override {
    pit_cuda_stream_destroy(context, stream);
    pit_context_destroy(context);
    EXPECT_EQ(fake_cuda_live(), 0);
  }
  std::string error() {
    char buffer[600];
    pit_context_last_error(context, buffer, sizeof(buffer));
    return buffer;
  }
  /// One call that launches a kernel on `bytes` of workspace.
  int32_t launch(pit_stream on, uint64_t id = 1, int64_t bytes = 1000,
                 int64_t shared = 0, void *workspace = nullptr,
                 int64_t given = 0) {
    pit_call call;
    pit_image image = makeImage(id);
    pit_rt_begin(&call, context, on);
    void *module = pit_rt_module(&call, &image);
    void *memory = pit_rt_workspace(&call, workspace, given, bytes);
    int64_t count = 5;
    void *arguments[] = {&memory, &count};
    int64_t sizes[10] = {4, 1, 1, 256, 1, 1, 0, 0, 0, shared};
    pit_rt_launch(&call, module, 0, sizes, arguments);
    return pit_rt_end(&call);
  }
  pit_context *context = nullptr;
  pit_stream stream = nullptr;
};

#endif // PIT_UNITTESTS_RUNTIME_CUDAFIXTURE_H
