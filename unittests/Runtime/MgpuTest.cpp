//===- MgpuTest.cpp - Tests of the shim for mlir-runner -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shim is opened as mlir-runner opens it, against the fake driver. What
// compiled modules make of it is in test/Runtime/mgpu.mlir.
//
//===----------------------------------------------------------------------===//

#include "Mgpu.h"
#include "FakeCuda.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

namespace {

void *shim;

template <typename Function> Function *find(const char *name) {
  void *symbol = dlsym(shim, name);
  EXPECT_NE(symbol, nullptr) << name;
  Function *function;
  static_assert(sizeof(function) == sizeof(symbol));
  std::memcpy(&function, &symbol, sizeof(function));
  return function;
}
#define MGPU(name) (*find<decltype(name)>(#name))

const char kCode[] = ".visible .entry first(\n .param .u64 .ptr .align 1 a,\n"
                     " .param .u64 n\n)\n{ ret; }\n";

/// A memref of up to three axes, laid out as compiled code does.
struct MemRef {
  MemRef(void *data, int64_t offset, std::vector<int64_t> sizes,
         const std::vector<int64_t> &strides)
      : words{reinterpret_cast<intptr_t>(data),
              reinterpret_cast<intptr_t>(data), offset} {
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
  operator MgpuMemRef *() {
    return reinterpret_cast<MgpuMemRef *>(words.data());
  }
  std::vector<int64_t> words;
};

struct Mgpu : testing::Test {
  Mgpu() {
    MGPU(mgpuSetDefaultDevice)(0);
    fake_cuda_reset();
  }
  ~Mgpu() override { EXPECT_EQ(fake_cuda_live(), 0); }
  static bool logged(const std::string &line) {
    return std::string(fake_cuda_log()).find(line + "\n") != std::string::npos;
  }
  /// Launches `first`, whose arguments are live memory and 5.
  static void launch(MgpuModule *module, MgpuStream *stream, intptr_t grid = 4,
                     int32_t shared = 0, intptr_t block = 256) {
    void *memory = MGPU(mgpuMemAlloc)(64, stream, 0);
    int64_t count = 5;
    void *parameters[] = {&memory, &count};
    MGPU(mgpuLaunchKernel)(MGPU(mgpuModuleGetFunction)(module, "first"), grid,
                           1, 1, block, 1, 1, shared, stream, parameters,
                           nullptr, 2);
    MGPU(mgpuMemFree)(memory, stream);
  }
};
using MgpuDeathTest = Mgpu;

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

TEST_F(Mgpu, LoadsWhereAKernelIsFirstNeeded) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 3);
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 0);
  MgpuStream *stream = MGPU(mgpuStreamCreate)();
  for (int i = 0; i < 3; ++i)
    launch(module, stream);
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake_cuda_count("cuModuleGetFunction"), 1);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 3);
  EXPECT_TRUE(logged("load 1 kernels, level 3")) << fake_cuda_log();
  EXPECT_TRUE(logged("launch first grid 4,1,1 block 256,1,1 shared 0 args ptr "
                     "5"))
      << fake_cuda_log();
  MGPU(mgpuStreamDestroy)(stream);
  MGPU(mgpuModuleUnload)(module);
  EXPECT_EQ(fake_cuda_count("cuModuleUnload"), 1);
}

TEST_F(Mgpu, CodeThatIsCompiledHasNoLevel) {
  MgpuModule *module = MGPU(mgpuModuleLoad)(kCode, sizeof(kCode));
  launch(module, nullptr);
  EXPECT_TRUE(logged("load 1 kernels")) << fake_cuda_log();
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(Mgpu, ModulesFollowTheThreadsDevice) {
  // As in programs: the module is made before the device is chosen.
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  std::thread([&] {
    MGPU(mgpuSetDefaultDevice)(1);
    MgpuStream *stream = MGPU(mgpuStreamCreate)();
    launch(module, stream);
    MGPU(mgpuStreamDestroy)(stream);
  }).join();
  MgpuStream *stream = MGPU(mgpuStreamCreate)();
  launch(module, stream);
  MGPU(mgpuStreamDestroy)(stream);
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 2);
  MGPU(mgpuModuleUnload)(module);
  EXPECT_EQ(fake_cuda_count("cuModuleUnload"), 2);
}

TEST_F(Mgpu, ThreadsShareModules) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      MgpuStream *stream = MGPU(mgpuStreamCreate)();
      for (int i = 0; i < 50; ++i)
        launch(module, stream);
      MGPU(mgpuStreamDestroy)(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 400);
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(Mgpu, SharedMemoryIsAskedForWhenItGrows) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  for (int32_t bytes : {0, 1000, 500, 100000, 100000})
    launch(module, nullptr, 4, bytes);
  EXPECT_EQ(fake_cuda_count("cuFuncSetAttribute"), 2);
  EXPECT_TRUE(logged("attribute 8 of first is 100000")) << fake_cuda_log();
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(Mgpu, EmptyGridsAreLeftOut) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  launch(module, nullptr, 0);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), 0);
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(Mgpu, Clusters) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  void *memory = MGPU(mgpuMemAlloc)(64, nullptr, 0);
  int64_t count = 5;
  void *parameters[] = {&memory, &count};
  MGPU(mgpuLaunchClusterKernel)(MGPU(mgpuModuleGetFunction)(module, "first"), 2,
                                1, 1, 8, 4, 1, 128, 1, 1, 16, nullptr,
                                parameters, nullptr);
  EXPECT_TRUE(logged("launch first grid 8,4,1 block 128,1,1 cluster 2,1,1 "
                     "shared 16 args ptr 5"))
      << fake_cuda_log();
  MGPU(mgpuMemFree)(memory, nullptr);
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(Mgpu, UnloadingTellsOfNoDriverThatIsGone) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  launch(module, nullptr);
  fake_cuda_fail("cuModuleUnload", 1, /*CUDA_ERROR_DEINITIALIZED=*/4);
  MGPU(mgpuModuleUnload)(module);
  MGPU(mgpuModuleUnload)(nullptr);
}

//===----------------------------------------------------------------------===//
// Streams and memory
//===----------------------------------------------------------------------===//

TEST_F(Mgpu, StreamsAndEvents) {
  MgpuStream *one = MGPU(mgpuStreamCreate)(), *two = MGPU(mgpuStreamCreate)();
  MgpuEvent *event = MGPU(mgpuEventCreate)();
  MGPU(mgpuEventRecord)(event, one);
  MGPU(mgpuStreamWaitEvent)(two, event);
  MGPU(mgpuEventSynchronize)(event);
  MGPU(mgpuEventDestroy)(event);
  MGPU(mgpuStreamSynchronize)(two);
  MGPU(mgpuStreamDestroy)(one);
  MGPU(mgpuStreamDestroy)(two);
  EXPECT_STREQ(fake_cuda_log(), "wait for an event\nsynchronize\n");
}

TEST_F(Mgpu, Memory) {
  std::vector<uint32_t> words(10, 7);
  auto *device = static_cast<char *>(MGPU(mgpuMemAlloc)(40, nullptr, 0));
  void *shared = MGPU(mgpuMemAlloc)(40, nullptr, 1);
  MGPU(mgpuMemcpy)(device, words.data(), 40, nullptr);
  MGPU(mgpuMemset32)(device + 4, 0x10203, 2, nullptr);
  MGPU(mgpuMemset16)(device + 14, 0x405, 1, nullptr);
  MGPU(mgpuMemcpy)(shared, device, 40, nullptr);
  MGPU(mgpuMemcpy)(words.data(), shared, 40, nullptr);
  EXPECT_EQ(words, (std::vector<uint32_t>{7, 0x10203, 0x10203, 0x4050007, 7, 7,
                                          7, 7, 7, 7}));
  EXPECT_TRUE(logged("allocate 40 shared with the host"));
  fake_cuda_reset();
  MGPU(mgpuMemFree)(device, nullptr);
  MGPU(mgpuMemFree)(shared, nullptr);
  EXPECT_STREQ(fake_cuda_log(), "synchronize\nfree\nsynchronize\nfree\n");
}

TEST_F(Mgpu, NothingIsAskedForNothing) {
  void *memory = MGPU(mgpuMemAlloc)(0, nullptr, 0);
  EXPECT_EQ(memory, nullptr);
  MGPU(mgpuMemcpy)(nullptr, nullptr, 0, nullptr);
  MGPU(mgpuMemset32)(nullptr, 1, 0, nullptr);
  MGPU(mgpuMemset16)(nullptr, 1, 0, nullptr);
  MGPU(mgpuMemFree)(memory, nullptr);
  MemRef empty(nullptr, 0, {4, 0}, {0, 1});
  MGPU(mgpuMemHostRegisterMemRef)(2, empty, 4);
  MGPU(mgpuMemHostUnregisterMemRef)(2, empty, 4);
  EXPECT_STREQ(fake_cuda_log(), "");
}

TEST_F(Mgpu, RegistersWhatAMemRefSpans) {
  float data[100];
  MemRef scalar(data, 3, {}, {});
  MemRef dense(data, 4, {2, 8}, {8, 1});
  MemRef gaps(data, 20, {3, 2, 2}, {16, 2, 1});
  MemRef backwards(data, 63, {4}, {-1});
  for (auto [memref, rank] :
       {std::pair(&scalar, 0), {&dense, 2}, {&gaps, 3}, {&backwards, 1}})
    MGPU(mgpuMemHostRegisterMemRef)(rank, *memref, 4);
  EXPECT_STREQ(fake_cuda_log(), "register 4\nregister 64\nregister 144\n"
                                "register 16\n");
  // Where each of them starts.
  for (float *start : {data + 3, data + 4, data + 20, data + 60})
    MGPU(mgpuMemHostUnregister)(start);
  MGPU(mgpuMemHostRegister)(data + 60, 16);
  MGPU(mgpuMemHostUnregisterMemRef)(1, backwards, 4);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

TEST_F(Mgpu, TensorMapsOfMemRefs) {
  void *data = MGPU(mgpuMemAlloc)(4096, nullptr, 0);
  MemRef memref(data, 32, {100, 64}, {80, 1});
  const int64_t box[] = {8, 64};
  fake_cuda_reset();
  void *map = MGPU(mgpuTensorMapEncodeTiledMemref)(2, memref, /*bf16*/ 9, 0, 3,
                                                   2, 0, box);
  EXPECT_STREQ(fake_cuda_log(),
               "tensor map type 9 rank 2 extents 64,100 stride 160 box 64,8 "
               "modes 0 3 2 0\nallocate 128\ncopy in 128\nsynchronize\n");
  char bytes[128];
  MGPU(mgpuMemcpy)(bytes, map, 128, nullptr);
  EXPECT_EQ(bytes[127], 0x5a);
  MGPU(mgpuMemFree)(map, nullptr);
  MGPU(mgpuMemFree)(data, nullptr);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// One message on stderr, and status 1.
#define EXPECT_FAILURE(statement, message)                                     \
  EXPECT_EXIT(statement, testing::ExitedWithCode(1),                           \
              "^pit-mgpu: error: " message "\n$")

TEST_F(MgpuDeathTest, DriversErrorsEndTheProcess) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  fake_cuda_fail("cuMemAlloc_v2", 1, 2);
  EXPECT_FAILURE(MGPU(mgpuMemAlloc)(64, nullptr, 0),
                 "mgpuMemAlloc: cuMemAlloc: out of memory "
                 "\\(CUDA_ERROR_OUT_OF_MEMORY, 2\\)");
  fake_cuda_fail("cuLaunchKernel", 1, 700);
  EXPECT_FAILURE(
      launch(module, nullptr),
      "mgpuLaunchKernel: cuLaunchKernel: first: an illegal memory "
      "access was encountered \\(CUDA_ERROR_ILLEGAL_ADDRESS, 700\\)");
  fake_cuda_fail("cuStreamSynchronize", 1, 700);
  EXPECT_FAILURE(MGPU(mgpuStreamSynchronize)(nullptr),
                 "mgpuStreamSynchronize: cuStreamSynchronize: an illegal "
                 "memory .*");
  fake_cuda_fail("cuModuleUnload", 1, 700);
  EXPECT_FAILURE((launch(module, nullptr), MGPU(mgpuModuleUnload)(module)),
                 "mgpuModuleUnload: cuModuleUnload: an illegal memory .*");
  fake_cuda_reset();
  char byte;
  EXPECT_FAILURE(MGPU(mgpuMemcpy)(&byte, &byte, 1, nullptr),
                 "mgpuMemcpy: cuMemcpyAsync: fake error .*");
  EXPECT_FAILURE(MGPU(mgpuMemHostUnregister)(&byte),
                 "mgpuMemHostUnregister: cuMemHostUnregister: fake error "
                 "\\(CUDA_ERROR_FAKE, 713\\)");
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(MgpuDeathTest, ModulesThatDoNotLoad) {
  EXPECT_FAILURE(MGPU(mgpuModuleLoad)(nullptr, 0),
                 "mgpuModuleLoad: there is no image");
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)("syntax error", 2);
  EXPECT_FAILURE(MGPU(mgpuModuleGetFunction)(module, "first"),
                 "mgpuModuleGetFunction: cuModuleLoadDataEx: fake error "
                 "\\(CUDA_ERROR_FAKE, 218\\)\nptxas: line 1: syntax error\n"
                 "more");
  MGPU(mgpuModuleUnload)(module);
  EXPECT_FAILURE(MGPU(mgpuModuleGetFunction)(nullptr, "first"),
                 "mgpuModuleGetFunction: first: there is no module");
  module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  EXPECT_FAILURE(MGPU(mgpuModuleGetFunction)(module, "third"),
                 "mgpuModuleGetFunction: cuModuleGetFunction: third: fake "
                 "error \\(CUDA_ERROR_FAKE, 500\\)");
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(MgpuDeathTest, LaunchesThatCannotBe) {
  MgpuModule *module = MGPU(mgpuModuleLoadJIT)(kCode, 2);
  EXPECT_FAILURE(launch(module, nullptr, -1),
                 "mgpuLaunchKernel: first: a grid of -1 is out of range");
  EXPECT_FAILURE(launch(module, nullptr, 1, 0, intptr_t{1} << 32),
                 "mgpuLaunchKernel: first: a block of 4294967296 is out of "
                 "range");
  EXPECT_FAILURE(launch(module, nullptr, 1, -4),
                 "mgpuLaunchKernel: first: -4 bytes of shared memory");
  EXPECT_FAILURE(launch(module, nullptr, 1, 300000),
                 "mgpuLaunchKernel: cuFuncSetAttribute: first: fake error .*");
  EXPECT_FAILURE(MGPU(mgpuLaunchKernel)(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                        nullptr, nullptr, 0),
                 "mgpuLaunchKernel: there is no function");
  // The kernel is of one device, the stream of another.
  EXPECT_FAILURE(
      {
        MgpuStream *stream = MGPU(mgpuStreamCreate)();
        MGPU(mgpuSetDefaultDevice)(1);
        launch(module, stream);
      },
      "mgpuLaunchKernel: cuLaunchKernel: first: .*400.*");
  MGPU(mgpuModuleUnload)(module);
}

TEST_F(MgpuDeathTest, NoSuchDevice) {
  for (int32_t device : {2, -1})
    EXPECT_FAILURE(
        (MGPU(mgpuSetDefaultDevice)(device), MGPU(mgpuStreamCreate)()),
        "mgpuStreamCreate: no device -?[0-9]: the CUDA driver has "
        "2");
}

TEST_F(MgpuDeathTest, TensorMapsThatCannotBe) {
  alignas(16) char data[64];
  MemRef memref(data, 0, {4, 8}, {8, 1}), gaps(data, 0, {4, 4}, {8, 2});
  const int64_t box[] = {4, 8}, none[] = {4, 0};
  auto &encode = MGPU(mgpuTensorMapEncodeTiledMemref);
  EXPECT_FAILURE(encode(6, memref, 0, 0, 0, 0, 0, box),
                 "mgpuTensorMapEncodeTiledMemref: a tensor map has 1 to 5 "
                 "axes, not 6");
  EXPECT_FAILURE(encode(2, memref, 13, 0, 0, 0, 0, box),
                 "mgpuTensorMapEncodeTiledMemref: unknown type 13");
  EXPECT_FAILURE(encode(2, gaps, 0, 0, 0, 0, 0, box),
                 "mgpuTensorMapEncodeTiledMemref: the last axis has gaps: its "
                 "stride is 2");
  EXPECT_FAILURE(encode(2, memref, 0, 0, 0, 0, 0, none),
                 "mgpuTensorMapEncodeTiledMemref: the box has 0 along axis 1");
}

} // namespace

int main(int argc, char **argv) {
  // Before anything opens the driver.
  setenv("PIT_CUDA_DRIVER", FAKE_CUDA_LIBRARY, 1);
  testing::InitGoogleTest(&argc, argv);
  shim = dlopen(MGPU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!shim) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return RUN_ALL_TESTS();
}
