//===- CudaTest.cpp - Tests of calls on CUDA devices ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run against the fake driver, which records what the runtime asks of it.
//
//===----------------------------------------------------------------------===//

#include "CudaFixture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

TEST_F(Cuda, KnowsItsDevice) {
  int32_t count = 0;
  EXPECT_EQ(pit_cuda_device_count(context, &count), PIT_OK);
  EXPECT_EQ(count, 2);
  pit_cuda_device_info info;
  EXPECT_EQ(pit_cuda_get_device_info(context, 1, &info), PIT_OK);
  EXPECT_STREQ(info.name, "Fake 1");
  EXPECT_EQ(info.major, 9);
  EXPECT_EQ(info.minor, 0);
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_EQ(pit_cuda_use_device(context, 9), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "cuDeviceGet: fake error (CUDA_ERROR_FAKE, 101)");
}

TEST_F(Cuda, LoadsAnImageOnce) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 3);
  // Contents decide, not addresses.
  EXPECT_EQ(launch(stream, 2), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 2);
  EXPECT_NE(std::string(fake_cuda_log())
                .find("launch first grid 4,1,1 block 256,1,1 shared 0 args "
                      "ptr 5"),
            std::string::npos);
  // Nothing waits, except that the two images' constants were uploaded.
  EXPECT_EQ(fake_cuda_count("cuStreamSynchronize"), 2);
}

TEST_F(Cuda, LoadsAnImageOncePerDevice) {
  pit_stream other = nullptr;
  ASSERT_EQ(pit_cuda_use_device(context, 1), PIT_OK);
  ASSERT_EQ(pit_cuda_stream_create(context, &other), PIT_OK);
  ASSERT_EQ(pit_cuda_use_device(context, 0), PIT_OK);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(launch(stream), PIT_OK);
    EXPECT_EQ(launch(other), PIT_OK);
  }
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 2);
  pit_cuda_stream_destroy(context, other);
}

TEST_F(Cuda, ThreadsShareModules) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      ASSERT_EQ(pit_cuda_use_device(context, t % 2), PIT_OK);
      pit_stream own = nullptr;
      ASSERT_EQ(pit_cuda_stream_create(context, &own), PIT_OK);
      for (int i = 0; i < 50; ++i)
        ASSERT_EQ(launch(own), PIT_OK);
      pit_cuda_stream_destroy(context, own);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 400);
}

TEST_F(Cuda, FirstErrorStopsTheCall) {
  fake_cuda_fail("cuLaunchKernel", 2, 700);
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(launch(stream), PIT_ERROR_DEVICE);
  EXPECT_EQ(error(), "cuLaunchKernel: first: an illegal memory access was "
                     "encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)");
  EXPECT_EQ(pit_context_status(context), PIT_ERROR_DEVICE);

  pit_context_clear_error(context);
  fake_cuda_reset();
  fake_cuda_fail("cuMemAllocFromPoolAsync", 1, 2);
  EXPECT_EQ(launch(stream), PIT_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 0);
  EXPECT_EQ(error(), "cuMemAllocFromPoolAsync: out of memory "
                     "(CUDA_ERROR_OUT_OF_MEMORY, 2)");
}

TEST_F(Cuda, EveryDriverErrorIsAStatus) {
  // Each of these fails at the first call that needs it, and frees what was
  // made before; the next call starts afresh.
  for (const char *function :
       {"cuModuleLoadDataEx", "cuModuleGetFunction", "cuStreamCreate",
        "cuMemAlloc_v2", "cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"}) {
    pit_context *fresh = nullptr, *old = context;
    ASSERT_EQ(pit_context_create(&fresh), PIT_OK);
    context = fresh;
    fake_cuda_reset();
    fake_cuda_fail(function, 1, 999);
    EXPECT_EQ(launch(stream), PIT_ERROR_DEVICE) << function;
    EXPECT_EQ(error().find(std::string(function).substr(0, 6)), 0u) << error();
    pit_context_clear_error(context);
    EXPECT_EQ(launch(stream), PIT_OK) << function;
    context = old;
    pit_context_destroy(fresh);
  }
  EXPECT_EQ(fake_cuda_live(), 0);
}

// The driver of the tests once had room for 64 of them, and wrote behind it.
TEST_F(Cuda, ModulesOfManyKernels) {
  std::string code;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) {
    names.push_back("kernel" + std::to_string(i));
    code += ".visible .entry " + names.back() + "(\n .param .u64 n\n)\n";
  }
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  pit_image image = {{5, 5},          "many", code.c_str(), 300,
                     pointers.data(), 0,      nullptr};
  pit_call call;
  int64_t number = 9;
  void *arguments[] = {&number};
  pit_rt_begin(&call, context, stream);
  void *module = pit_rt_module(&call, &image);
  int64_t sizes[10] = {1, 1, 1, 32, 1, 1};
  pit_rt_launch(&call, module, 299, sizes, arguments);
  EXPECT_EQ(pit_rt_end(&call), PIT_OK) << error();
  EXPECT_NE(std::string(fake_cuda_log()).find("launch kernel299 grid 1,1,1"),
            std::string::npos);
}

TEST_F(Cuda, CompilersMessageIsKept) {
  pit_call call;
  pit_image image = {{3, 3}, "bad", "syntax error", 0, nullptr, 0, nullptr};
  pit_rt_begin(&call, context, stream);
  EXPECT_EQ(pit_rt_module(&call, &image), nullptr);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_DEVICE);
  EXPECT_EQ(error(), "cuModuleLoadDataEx: bad: ptxas: line 1: syntax error: "
                     "fake error (CUDA_ERROR_FAKE, 218)");
}

TEST_F(Cuda, WorkspaceOfTheCaller) {
  void *memory = nullptr;
  ASSERT_EQ(pit_cuda_allocate(context, 1000, &memory), PIT_OK);
  EXPECT_EQ(launch(stream, 1, 1000, 0, memory, 1000), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemAllocFromPoolAsync"), 0);
  EXPECT_EQ(launch(stream, 1, 1001, 0, memory, 1000),
            PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "the workspace has 1000 bytes, 1001 are needed");
  pit_cuda_free(context, memory);
}

TEST_F(Cuda, WorkspaceOfThePool) {
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemPoolCreate"), 1);
  EXPECT_EQ(fake_cuda_count("cuMemAllocFromPoolAsync"), 2);
  EXPECT_EQ(fake_cuda_count("cuMemFreeAsync"), 2);
}

TEST_F(Cuda, WorkspaceWithoutPools) {
  fake_cuda_set_pools(0);
  EXPECT_EQ(launch(stream), PIT_OK);
  int before = fake_cuda_count("cuMemAlloc_v2");
  // The same stream takes its block again, another one does not.
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemAlloc_v2"), before);
  pit_stream other = nullptr;
  ASSERT_EQ(pit_cuda_stream_create(context, &other), PIT_OK);
  EXPECT_EQ(launch(other), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemAlloc_v2"), before + 1);
  // What a graph holds is never given to anybody else.
  fake_cuda_set_capturing(1);
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemAlloc_v2"), before + 2);
  fake_cuda_set_capturing(0);
  EXPECT_EQ(launch(stream), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuMemAlloc_v2"), before + 2);
  pit_cuda_stream_destroy(context, other);
}

TEST_F(Cuda, LargeSharedMemoryIsAskedForOnce) {
  for (int64_t bytes : {1000, 100000, 100000, 200000, 49152})
    EXPECT_EQ(launch(stream, 1, 8, bytes), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuFuncSetAttribute"), 2);
  EXPECT_EQ(launch(stream, 1, 8, 300000), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error().find("cuFuncSetAttribute: first: "), 0u);
}

TEST_F(Cuda, Launches) {
  pit_call call;
  pit_image image = makeImage(1);
  int64_t number = -3;
  void *arguments[] = {&number};
  pit_rt_begin(&call, context, stream);
  void *module = pit_rt_module(&call, &image);
  int64_t empty[10] = {0, 1, 1, 32, 1, 1};
  pit_rt_launch(&call, module, 1, empty, arguments);
  int64_t clusters[10] = {4, 1, 1, 32, 1, 1, 2, 1, 1, 0};
  pit_rt_launch(&call, module, 1, clusters, arguments);
  EXPECT_EQ(pit_rt_end(&call), PIT_OK);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 0);
  EXPECT_NE(std::string(fake_cuda_log())
                .find("launch second grid 4,1,1 block 32,1,1 cluster 2,1,1 "
                      "shared 0 args -3"),
            std::string::npos);

  pit_rt_begin(&call, context, stream);
  module = pit_rt_module(&call, &image);
  int64_t huge[10] = {int64_t(1) << 40, 1, 1, 32, 1, 1};
  pit_rt_launch(&call, module, 1, huge, arguments);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(),
            "kernel second: a launch cannot have a size of 1099511627776");
}

TEST_F(Cuda, LaunchesEarlyBehindItsOwnKernelsOnly) {
  pit_call call;
  pit_image image = makeImage(1);
  int64_t number = 0;
  void *arguments[] = {&number};
  int64_t empty[10] = {0, 1, 1, 32, 1, 1}, some[10] = {4, 1, 1, 32, 1, 1},
          clusters[10] = {4, 1, 1, 32, 1, 1, 2, 1, 1, 0},
          leftOut[10] = {0, 0, 1, 32, 1, 1};
  pit_rt_begin(&call, context, stream);
  void *module = pit_rt_module(&call, &image);
  auto launch = [&](int64_t which, const int64_t *sizes) {
    number = which;
    pit_rt_launch_waiting(&call, module, 1, sizes, arguments);
  };
  // What came before the call is not known to have waited, and an empty grid
  // does not wait either.
  launch(1, empty);
  launch(2, some);
  launch(3, some);
  launch(4, clusters);
  auto *memory = static_cast<char *>(pit_rt_workspace(&call, nullptr, 0, 1000));
  pit_rt_copy(&call, memory, memory + 8, 8);
  launch(5, some);
  launch(6, some);
  launch(1, empty);
  launch(8, some);
  // Nothing follows what the caller chose to leave out.
  launch(1, leftOut);
  launch(9, some);
  number = 7;
  pit_rt_launch(&call, module, 1, some, arguments);
  EXPECT_EQ(pit_rt_end(&call), PIT_OK);
  std::string log = fake_cuda_log(), order;
  for (size_t at = log.find("launch"); at != std::string::npos;
       at = log.find("launch", at + 1)) {
    std::string line = log.substr(at, log.find('\n', at) - at);
    order += line.find("launch early") == 0 ? " early " : " ";
    order += line.back();
  }
  EXPECT_EQ(order, " 2 early 3 early 4 5 early 6 8 early 9 7");
  EXPECT_NE(log.find("early second grid 4,1,1 block 32,1,1 cluster 2,1,1"),
            std::string::npos);
}

TEST_F(Cuda, Constants) {
  pit_call call;
  pit_image image = makeImage(1);
  pit_rt_begin(&call, context, stream);
  void *module = pit_rt_module(&call, &image);
  void *first = pit_rt_constant(&call, module, 0);
  EXPECT_NE(pit_rt_constant(&call, module, 1), nullptr);
  EXPECT_EQ(std::memcmp(first, kConstant, sizeof(kConstant)), 0);
  EXPECT_EQ(pit_rt_constant(&call, module, 2), nullptr);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Cuda, StatusIsReportedOnce) {
  EXPECT_EQ(pit_cuda_check(context, stream), PIT_OK);
  pit_call call;
  pit_rt_begin(&call, context, stream);
  auto *words = static_cast<int64_t *>(pit_rt_status(&call));
  EXPECT_EQ(pit_rt_end(&call), PIT_OK);
  EXPECT_EQ(words[0], 0);
  pit_context_name_rule(context, 2, "moe.mlir:4:5");
  words[0] = PIT_ERROR_CAPACITY_EXCEEDED;
  words[1] = 2;
  words[2] = 70;
  words[3] = 64;
  EXPECT_EQ(pit_cuda_check(context, stream), PIT_ERROR_CAPACITY_EXCEEDED);
  EXPECT_EQ(error(), "rule 2 (moe.mlir:4:5): capacity exceeded: 70 live "
                     "micro-tiles where at most 64 fit");
  EXPECT_EQ(pit_cuda_check(context, stream), PIT_OK);
  fake_cuda_fail("cuStreamSynchronize", 1, 700);
  EXPECT_EQ(pit_cuda_check(context, stream), PIT_ERROR_DEVICE);
}

/// Kernels leave the address of a constant, which is read in pieces of 64 bytes
/// up to its end.
TEST_F(Cuda, MessagesOfChecksAreRead) {
  pit_call call;
  pit_rt_begin(&call, context, stream);
  auto *words = static_cast<int64_t *>(pit_rt_status(&call));
  EXPECT_EQ(pit_rt_end(&call), PIT_OK);
  auto report = [&](const std::string &message) {
    pit_context_clear_error(context);
    void *memory = nullptr;
    EXPECT_EQ(pit_cuda_allocate(context, message.size(), &memory), PIT_OK);
    std::memcpy(memory, message.data(), message.size());
    words[0] = PIT_ERROR_INVALID_ARGUMENT;
    words[1] = int64_t(intptr_t(memory));
    words[2] = -5;
    words[3] = 8;
    int32_t status = pit_cuda_check(context, stream);
    EXPECT_EQ(pit_cuda_free(context, memory), PIT_OK);
    return status;
  };
  auto pad = [](std::string message) {
    message.resize((message.size() + 64) / 64 * 64, '\0');
    return message;
  };
  EXPECT_EQ(report(pad("model.mlir:4:5: 'tensor.pad': {0} of {1}")),
            PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "model.mlir:4:5: 'tensor.pad': -5 of 8");
  EXPECT_EQ(words[0], 0);
  // Up to the end of a piece, and one byte more.
  EXPECT_EQ(report(pad(std::string(63, 'x'))), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), std::string(63, 'x'));
  EXPECT_EQ(report(pad(std::string(64, 'y'))), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), std::string(64, 'y'));
  // Longer than errors are.
  EXPECT_EQ(report(pad(std::string(1000, 'z'))), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error().find_first_not_of('z'), std::string::npos);
  EXPECT_GT(error().size(), 400u);
  // What says where the message is, is read first.
  fake_cuda_fail("cuMemcpyDtoHAsync_v2", 2, 700);
  EXPECT_EQ(report(pad("message")), PIT_ERROR_DEVICE);
}

TEST_F(Cuda, ArgumentsAndResults) {
  const int64_t wanted[] = {-1, 256}, given[] = {7, 256}, odd[] = {7, 255};
  int64_t values[3];
  void *memory = nullptr;
  ASSERT_EQ(pit_cuda_allocate(context, 7 * 256 * 4, &memory), PIT_OK);
  pit_tensor good{memory, PIT_DTYPE_F32, 2, given, nullptr};
  pit_tensor bad{memory, PIT_DTYPE_F32, 2, odd, nullptr};
  pit_call call;
  pit_rt_begin(&call, context, stream);
  pit_rt_argument(&call, 0, &good, PIT_DTYPE_F32, 2, wanted, values);
  EXPECT_EQ(values[0], int64_t(intptr_t(memory)));
  EXPECT_EQ(values[1], 7);
  EXPECT_EQ(pit_rt_result(&call, 0, &good, PIT_DTYPE_F32, 2, given), memory);
  pit_rt_argument(&call, 1, &bad, PIT_DTYPE_F32, 2, wanted, values);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(values[2], 256);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "argument 1: got 7x255xf32; expected ?x256xf32");

  // Extents are asked for before there is data, and without a device.
  pit_context_clear_error(context);
  good.data = nullptr;
  pit_rt_begin_shapes(&call, context);
  pit_rt_argument(&call, 0, &good, PIT_DTYPE_F32, 2, wanted, values);
  EXPECT_EQ(pit_rt_end(&call), PIT_OK);
  EXPECT_EQ(values[1], 7);
  pit_rt_begin(&call, context, stream);
  pit_rt_result(&call, 0, &good, PIT_DTYPE_F32, 2, given);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "result 0: the tensor has no data; expected 7x256xf32");
  pit_cuda_free(context, memory);
}

/// Encodes the map of a matrix.
static int32_t encode(pit_context *context, void *stream, char *map,
                      std::array<int64_t, 2> extents,
                      std::array<int64_t, 2> strides,
                      int32_t dtype = PIT_DTYPE_BF16) {
  const int64_t box[] = {8, 64};
  const int32_t modes[] = {0, 3, 2, 0};
  pit_call call;
  pit_rt_begin(&call, context, stream);
  pit_rt_tensor_map(&call, map, dtype, 2, nullptr, extents.data(),
                    strides.data(), box, modes);
  return pit_rt_end(&call);
}

TEST_F(Cuda, TensorMaps) {
  alignas(64) char map[128];
  EXPECT_EQ(encode(context, stream, map, {100, 64}, {80, 1}), PIT_OK);
  EXPECT_NE(std::string(fake_cuda_log())
                .find("tensor map type 9 rank 2 extents 64,100 stride 160 box "
                      "64,8 modes 0 3 2 0"),
            std::string::npos);
  EXPECT_EQ(encode(context, stream, map, {100, 64}, {160, 2}),
            PIT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Cuda, TensorMapsThatRoundToTF32) {
  alignas(64) char map[128];
  EXPECT_EQ(
      encode(context, stream, map, {100, 32}, {36, 1}, PIT_TENSOR_MAP_TF32),
      PIT_OK);
  // Elements have 4 bytes in memory.
  EXPECT_NE(std::string(fake_cuda_log())
                .find("tensor map type 11 rank 2 extents 32,100 stride 144 "),
            std::string::npos);
  EXPECT_EQ(
      encode(context, stream, map, {100, 32}, {72, 2}, PIT_TENSOR_MAP_TF32),
      PIT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Cuda, TensorMapsOfNothing) {
  alignas(64) char map[128];
  EXPECT_EQ(encode(context, stream, map, {0, 64}, {80, 1}), PIT_OK);
  EXPECT_TRUE(
      std::all_of(map, map + sizeof(map), [](char byte) { return byte == 0; }));
}

TEST_F(Cuda, TensorMapsOfWindows) {
  alignas(64) char map[128];
  auto encode = [&](int32_t rank, int64_t channels) {
    // Outermost first: images, rows, columns, channels.
    const int64_t extents[] = {4, 14, 15, channels},
                  strides[] = {14 * 15 * 64, 15 * 64, 64, 1}, box[] = {128, 64},
                  window[] = {1, 2, 14, 7, 1, 2};
    const int32_t modes[] = {0, 3, 2, 0};
    pit_call call;
    pit_rt_begin(&call, context, stream);
    pit_rt_window_map(&call, map, PIT_DTYPE_BF16, rank, nullptr, extents,
                      strides, box, window, modes);
    return pit_rt_end(&call);
  };
  EXPECT_EQ(encode(4, 64), PIT_OK);
  // Along columns, the last of 7 windows 2 apart starts at 12 - 2, which is 4
  // in front of the last of 15.
  EXPECT_NE(std::string(fake_cuda_log())
                .find("window map type 9 rank 4 extents 64,15 stride 128 "
                      "corners -2 -4 copies 64,128 steps 2 modes 0 3 2 0"),
            std::string::npos)
      << fake_cuda_log();
  EXPECT_EQ(encode(2, 64), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(encode(4, 0), PIT_OK);
  EXPECT_TRUE(
      std::all_of(map, map + sizeof(map), [](char byte) { return byte == 0; }));
}

TEST_F(Cuda, NeedsAContextToBeCurrent) {
  std::thread([&] {
    EXPECT_EQ(launch(nullptr), PIT_ERROR_INVALID_ARGUMENT);
  }).join();
  EXPECT_EQ(error(), "no CUDA context is current on this thread; "
                     "pit_cuda_use_device makes one current");
  // A stream says where it belongs, so that any thread may launch on it.
  std::thread([&] { EXPECT_EQ(launch(stream), PIT_OK); }).join();
}

} // namespace

int main(int argc, char **argv) {
  // Before anything opens the driver.
  setenv("PIT_CUDA_DRIVER", FAKE_CUDA_LIBRARY, 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
