//===- EmulatedCudaTest.cpp - Tests of the emulated CUDA driver -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instructions give, and that mistakes are found. Whole kernels are in
// test/Emulated, against what numpy and the CPU compute.
//
//===----------------------------------------------------------------------===//

#include "DriverCalls.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kBadPtx = 218, kLaunchFailed = 719;

struct EmulatedCuda : testing::Test {
  EmulatedCuda() {
    void *context = nullptr;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuMemAlloc_v2(&in, 1024);
    cuMemAlloc_v2(&out, 1024);
    std::memset(inputs(), 0, 1024);
    std::memset(results(), 0x77, 1024);
    setTiming("late");
  }
  ~EmulatedCuda() override {
    cuMemFree_v2(in);
    cuMemFree_v2(out);
  }

  // Device memory is the host's here.
  uint32_t *inputs() { return reinterpret_cast<uint32_t *>(in); }
  uint32_t *results() { return reinterpret_cast<uint32_t *>(out); }
  static void setTiming(const char *timing) {
    setenv("EMULATED_CUDA_TIMING", timing, 1);
  }

  /// Runs a kernel of parameters `in` and `out`, which has some registers: %t
  /// is the thread, %o where its word of `out` is.
  int run(const std::string &body, unsigned threads = 32) {
    std::string text =
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>, %t;\n"
        ".reg .b64 %d<32>, %o;\n"
        ".shared .align 1024 .b8 words[16384];\n"
        ".shared .align 8 .b64 full;\n"
        "mov.u32 %t, %tid.x;\nld.param.u64 %d0, [in];\n"
        "ld.param.u64 %o, [out];\nmul.wide.u32 %d1, %t, 4;\n"
        "add.s64 %o, %o, %d1;\nadd.s64 %d2, %d0, %d1;\n"
        "ld.global.b32 %r0, [%d2];\n" +
        body + "\nret;\n}\n";
    void *module = nullptr, *function = nullptr;
    char log[256] = "";
    int options[] = {5, 6};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    int code = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    message = log;
    if (code)
      return code;
    EXPECT_EQ(cuModuleGetFunction(&function, module, "test"), 0);
    void *parameters[] = {&in, &out};
    testing::internal::CaptureStderr();
    code = cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr,
                          parameters, nullptr);
    message = testing::internal::GetCapturedStderr();
    cuModuleUnload(module);
    return code;
  }

  uint64_t in = 0, out = 0;
  std::string message;
};

uint32_t bits(float value) {
  uint32_t to;
  std::memcpy(&to, &value, sizeof(to));
  return to;
}

TEST_F(EmulatedCuda, Instructions) {
  // Of %r1 and %r2 into %r3.
  struct {
    const char *code;
    uint32_t a, b, result;
  } cases[] = {
      {"add.s32 %r3, %r1, %r2;", 7, uint32_t(-9), uint32_t(-2)},
      {"sub.s32 %r3, %r1, %r2;", 0, 1, ~0u},
      {"mul.lo.s32 %r3, %r1, %r2;", 1u << 31, 2, 0},
      {"mul.hi.u32 %r3, %r1, %r2;", 1u << 31, 6, 3},
      {"mul.hi.s32 %r3, %r1, %r2;", uint32_t(-1), 5, ~0u},
      {"div.s32 %r3, %r1, %r2;", uint32_t(-7), 2, uint32_t(-3)},
      {"div.u32 %r3, %r1, %r2;", uint32_t(-7), 2, 0x7ffffffc},
      {"rem.s32 %r3, %r1, %r2;", uint32_t(-7), 2, uint32_t(-1)},
      {"min.s32 %r3, %r1, %r2;", uint32_t(-7), 2, uint32_t(-7)},
      {"max.u32 %r3, %r1, %r2;", uint32_t(-7), 2, uint32_t(-7)},
      {"shl.b32 %r3, %r1, %r2;", 1, 32, 0},
      {"shr.s32 %r3, %r1, %r2;", 1u << 31, 99, ~0u},
      {"shr.u32 %r3, %r1, %r2;", 1u << 31, 31, 1},
      {"bfe.u32 %r3, %r1, %r2, 8;", 0x12345678, 12, 0x45},
      {"bfe.s32 %r3, %r1, %r2, 8;", 0x12385678, 12, 0xffffff85},
      {"prmt.b32 %r3, %r1, %r2, 0x7610;", 0x33221100, 0x77665544, 0x77661100},
      {"popc.b32 %r3, %r1;", 0xf0f, 0, 8},
      {"clz.b32 %r3, %r1;", 1, 0, 31},
      {"mad.lo.s32 %r3, %r1, %r2, %r1;", 5, 6, 35},
      {"setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, 1, 2, %p1;", ~0u, 0, 1},
      {"setp.lt.u32 %p1, %r1, %r2; selp.b32 %r3, 1, 2, %p1;", ~0u, 0, 2},
      {"add.rn.f32 %r3, %r1, %r2;", bits(1.5f), bits(2), bits(3.5f)},
      {"fma.rn.f32 %r3, %r1, %r2, 0f3F800000;", bits(3), bits(4), bits(13)},
      {"min.f32 %r3, %r1, %r2;", bits(NAN), bits(4), bits(4)},
      {"setp.le.f32 %p1, %r1, %r2; selp.b32 %r3, 1, 2, %p1;", bits(NAN), 0, 2},
      {"setp.leu.f32 %p1, %r1, %r2; selp.b32 %r3, 1, 2, %p1;", bits(NAN), 0, 1},
      {"copysign.f32 %r3, %r1, %r2;", bits(-1), bits(4), bits(-4)},
      {"cvt.rn.bf16x2.f32 %r3, %r1, %r2;", bits(1), bits(-2), 0x3f80c000},
      {"cvt.rn.f16x2.f32 %r3, %r1, %r2;", bits(1), bits(-2), 0x3c00c000},
      // Ties go to even, and what is too large becomes infinite.
      {"cvt.rn.f16x2.f32 %r3, %r1, %r2;", bits(2049), bits(2051), 0x68006802},
      {"cvt.rn.f16x2.f32 %r3, %r1, %r2;", bits(65520), bits(0x1p-25f),
       0x7c000000},
      {"cvt.rn.bf16x2.f32 %r3, %r1, %r2;", 0x3f808000, 0x3f818000, 0x3f803f82},
      {"cvt.rna.tf32.f32 %r3, %r1;", 0x3f801000, 0, 0x3f802000},
      {"cvt.rzi.s32.f32 %r3, %r1;", bits(-2.7f), 0, uint32_t(-2)},
      {"cvt.rzi.s32.f32 %r3, %r1;", bits(3e9f), 0, 0x7fffffff},
      {"cvt.rmi.f32.f32 %r3, %r1;", bits(-2.2f), 0, bits(-3)},
      {"mov.b32 {%h1, %h2}, %r1; cvt.f32.f16 %r3, %h2;", 0xc0000000, 0,
       bits(-2)},
      {"mov.b32 {%h1, %h2}, %r1; mov.b32 %r3, {%h2, %h1};", 0x12345678, 0,
       0x56781234},
      {"add.rn.bf16x2 %r3, %r1, %r2;", 0x3f80c000, 0x3f803f80, 0x4000bf80},
      {"max.s16x2 %r3, %r1, %r2;", 0xffff0001, 0x00050000, 0x00050001},
      {"setp.lt.f16x2 %p1|%p2, %r1, %r2; selp.b32 %r3, 1, 0, %p1; "
       "@%p2 add.s32 %r3, %r3, 2;",
       0x3c00bc00, 0x00000000, 1},
      {"max.relu.s32 %r3, %r1, %r2;", uint32_t(-4), uint32_t(-7), 0},
      {"max.relu.s16x2 %r3, %r1, %r2;", 0xfffe0001, 0xfffd0005, 0x00000005},
      {"min.relu.s16x2 %r3, %r1, %r2;", 0x00070001, 0x0003ffff, 0x00030000},
      {"bfi.b32 %r3, %r1, %r2, 8, 4;", 0xfa, 0x12345678, 0x12345a78},
      {"shfl.sync.bfly.b32 %r3, %t, 0, 31, -1; add.s32 %r3, %r3, %r1;", 5, 0,
       5},
      {"vote.sync.ballot.b32 %r3, %p0, -1;", 0, 0, 0},
  };
  for (const auto &c : cases) {
    std::string body = "mov.pred %p0, 0;\nmov.b32 %r1, " + std::to_string(c.a) +
                       ";\nmov.b32 %r2, " + std::to_string(c.b) + ";\n" +
                       c.code + "\nst.global.b32 [%o], %r3;";
    ASSERT_EQ(run(body, 1), 0) << c.code << message;
    EXPECT_EQ(results()[0], c.result) << c.code;
  }
}

TEST_F(EmulatedCuda, LanesThatPartMeetAgain) {
  // Each lane goes round as often as its number; all shuffle at the end.
  ASSERT_EQ(run("mov.b32 %r1, 0;\nAGAIN:\nsetp.ge.u32 %p1, %r1, %t;\n"
                "@%p1 bra OUT;\nadd.s32 %r1, %r1, 1;\nbra AGAIN;\nOUT:\n"
                "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n"
                "st.global.b32 [%o], %r2;"),
            0)
      << message;
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(results()[lane], lane ^ 1);
}

TEST_F(EmulatedCuda, WarpsWaitForOneAnother) {
  const char *exchange = "mov.u32 %r1, words;\nmad.lo.s32 %r2, %t, 4, %r1;\n"
                         "xor.b32 %r3, %t, 32;\nmad.lo.s32 %r3, %r3, 4, %r1;\n"
                         "st.shared.b32 [%r2], %t;\n%SYNC\n"
                         "ld.shared.b32 %r4, [%r3];\nst.global.b32 [%o], %r4;";
  auto with = [&](const char *sync) {
    std::string body = exchange;
    return body.replace(body.find("%SYNC"), 5, sync);
  };
  ASSERT_EQ(run(with("bar.sync 0;"), 64), 0) << message;
  EXPECT_EQ(results()[0], 32u);
  EXPECT_EQ(results()[63], 31u);
  // The first warp sees what nobody wrote.
  ASSERT_EQ(run(with(""), 64), 0) << message;
  EXPECT_EQ(results()[0], ~0u);
}

/// A copy of 256 bytes by the copy engine, and %SYNC.
const char kBulkCopy[] =
    "mov.u32 %r1, words;\nmov.u32 %r2, full;\nsetp.ne.s32 %p1, %t, 0;\n"
    "@%p1 bra READY;\nmbarrier.init.shared.b64 [%r2], 1;\n"
    "mbarrier.arrive.expect_tx.shared.b64 %d5, [%r2], 256;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
    "[%d0], 256, [%r2];\nREADY:\nbar.sync 0;\n%SYNC\n"
    "mad.lo.s32 %r3, %t, 4, %r1;\nld.shared.b32 %r4, [%r3];\n"
    "st.global.b32 [%o], %r4;\n";
const char kWait[] = "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r2], "
                     "0;\n@!%p2 bra WAIT;\n";

TEST_F(EmulatedCuda, CopiesAreSeenByWhoWaits) {
  for (unsigned i = 0; i < 64; ++i)
    inputs()[i] = 100 + i;
  std::string waits = kBulkCopy, hastes = kBulkCopy;
  waits.replace(waits.find("%SYNC"), 5, kWait);
  hastes.replace(hastes.find("%SYNC"), 5, "");
  for (const char *timing : {"late", "early", "7"}) {
    setTiming(timing);
    ASSERT_EQ(run(waits, 64), 0) << message;
    EXPECT_EQ(results()[63], 163u) << timing;
  }
  // Whenever the last copy ends, those that wait for it go on.
  for (unsigned seed = 0; seed < 64; ++seed) {
    setTiming(std::to_string(seed).c_str());
    ASSERT_EQ(run(waits, 64), 0) << message;
  }
  setTiming("late");
  ASSERT_EQ(run(hastes, 64), 0) << message;
  EXPECT_EQ(results()[63], ~0u);
}

TEST_F(EmulatedCuda, AsyncCopiesAreSeenByWhoWaits) {
  inputs()[5] = 55;
  std::string body = "mov.u32 %r1, words;\nmad.lo.s32 %r2, %t, 4, %r1;\n"
                     "cp.async.ca.shared.global [%r2], [%d2], 4;\n"
                     "cp.async.commit_group;\n%SYNC\n"
                     "ld.shared.b32 %r4, [%r2];\nst.global.b32 [%o], %r4;\n";
  std::string hastes = body;
  body.replace(body.find("%SYNC"), 5, "cp.async.wait_group 0;");
  hastes.replace(hastes.find("%SYNC"), 5, "cp.async.wait_group 1;");
  ASSERT_EQ(run(body), 0) << message;
  EXPECT_EQ(results()[5], 55u);
  ASSERT_EQ(run(hastes), 0) << message;
  EXPECT_EQ(results()[5], ~0u);
}

/// A warpgroup multiplies zeros by zeros, onto what its registers hold.
std::string product(const std::string &end) {
  return "mov.u32 %r1, words;\nmad.lo.s32 %r2, %t, 16, %r1;\n"
         "mov.b32 %r3, 0;\nst.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3};\n"
         "st.shared.v4.b32 [%r2+2048], {%r3, %r3, %r3, %r3};\nbar.sync 0;\n"
         "mov.b32 %r4, 0f40000000;\nmov.b32 %r5, %r4;\nmov.b32 %r6, %r4;\n"
         "mov.b32 %r7, %r4;\nshr.u32 %r8, %r1, 4;\ncvt.u64.u32 %d4, %r8;\n"
         "or.b64 %d4, %d4, 0x4000004000010000;\nsetp.eq.s32 %p1, 0, 1;\n"
         "wgmma.fence.sync.aligned;\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
         "{%r4, %r5, %r6, %r7}, %d4, %d4, %p1, 1, 1, 0, 0;\n"
         "wgmma.commit_group.sync.aligned;\n" +
         end + "st.global.b32 [%o], %r4;\n";
}

TEST_F(EmulatedCuda, ProductsAreSeenByWhoWaits) {
  ASSERT_EQ(run(product("wgmma.wait_group.sync.aligned 0;\n"), 128), 0)
      << message;
  EXPECT_EQ(results()[0], bits(0));
  ASSERT_EQ(run(product(""), 128), 0) << message;
  EXPECT_EQ(results()[0], bits(2));
}

/// Elements of matrices: A is [16, k], B is [k, 8].
int elementOfA(int row, int k) { return 3 * row + 5 * k - 20; }
int elementOfB(int k, int column) { return 7 * k - 2 * column + 1; }

/// Sets a register to rows * (lane / 4) + places * (lane % 4) + more.
std::string linear(const std::string &to, int rows, int places, int more) {
  return "mad.lo.s32 " + to + ", %r20, " + std::to_string(rows) + ", " +
         std::to_string(more) + ";\nmad.lo.s32 " + to + ", %r21, " +
         std::to_string(places) + ", " + to + ";\n";
}

std::string list(const std::string &name, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i)
    text += (i ? ", " : "") + name + std::to_string(first + i);
  return text + "}";
}

const std::string kPlaces = "shr.u32 %r20, %t, 2;\nand.b32 %r21, %t, 3;\n";

/// m x 8 x k of f64 onto ones; each lane stores its sum `number`.
std::string productOfF64(int m, int k, int number) {
  std::string text = kPlaces;
  int rows = m / 8, parts = k / 4;
  for (int i = 0; i < rows * parts; ++i) {
    int row = 8 * (i % rows), at = 4 * (i / rows);
    text += linear("%r5", 3, 5, elementOfA(row, at)) + "cvt.rn.f64.s32 %d" +
            std::to_string(8 + i) + ", %r5;\n";
  }
  for (int i = 0; i < parts; ++i)
    text += linear("%r5", -2, 7, elementOfB(4 * i, 0)) + "cvt.rn.f64.s32 %d" +
            std::to_string(16 + i) + ", %r5;\n";
  for (int i = 0; i < 2 * rows; ++i)
    text += "mov.b64 %d" + std::to_string(4 + i) + ", 0d3FF0000000000000;\n";
  std::string sums = list("%d", 4, 2 * rows);
  return text + "mma.sync.aligned.m" + std::to_string(m) + "n8k" +
         std::to_string(k) + ".row.col.f64.f64.f64.f64 " + sums + ", " +
         list("%d", 8, rows * parts) + ", " + list("%d", 16, parts) + ", " +
         sums + ";\ncvt.rzi.s32.f64 %r5, %d" + std::to_string(4 + number) +
         ";\nst.global.b32 [%o], %r5;\n";
}

/// 16 x 8 x 32 of bytes of either kind, onto ones.
std::string productOfBytes(const std::string &types, int number) {
  std::string text = kPlaces;
  auto word = [&](int to, auto addByte) {
    text += "mov.b32 %r6, 0;\n";
    for (int byte = 0; byte < 4; ++byte) {
      addByte(byte);
      text += "and.b32 %r5, %r5, 255;\nshl.b32 %r5, %r5, " +
              std::to_string(8 * byte) + ";\nor.b32 %r6, %r6, %r5;\n";
    }
    text += "mov.b32 %r" + std::to_string(to) + ", %r6;\n";
  };
  for (int i = 0; i < 4; ++i)
    word(8 + i, [&](int byte) {
      text +=
          linear("%r5", 3, 20, elementOfA(8 * (i % 2), 16 * (i / 2) + byte));
    });
  for (int i = 0; i < 2; ++i)
    word(12 + i, [&](int byte) {
      text += linear("%r5", -2, 28, elementOfB(16 * i + byte, 0));
    });
  for (int i = 0; i < 4; ++i)
    text += "mov.b32 %r" + std::to_string(14 + i) + ", 1;\n";
  return text + "mma.sync.aligned.m16n8k32.row.col.s32." + types + ".s32 " +
         "{%r14, %r15, %r16, %r17}, {%r8, %r9, %r10, %r11}, {%r12, %r13}, "
         "{%r14, %r15, %r16, %r17};\nst.global.b32 [%o], %r" +
         std::to_string(14 + number) + ";\n";
}

TEST_F(EmulatedCuda, ProductsOfF64) {
  const int shapes[][2] = {{8, 4}, {16, 4}, {16, 8}, {16, 16}};
  for (auto [m, k] : shapes)
    for (int i = 0; i < m / 4; ++i) {
      ASSERT_EQ(run(productOfF64(m, k, i)), 0) << message;
      for (int lane = 0; lane < 32; ++lane) {
        int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        int sum = 1;
        for (int at = 0; at < k; ++at)
          sum += elementOfA(row, at) * elementOfB(at, column);
        EXPECT_EQ(int(results()[lane]), sum) << m << " " << k << " " << lane;
      }
    }
}

TEST_F(EmulatedCuda, ProductsOfBytes) {
  for (std::string types : {"s8.s8", "s8.u8", "u8.s8", "u8.u8"})
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(run(productOfBytes(types, i)), 0) << message;
      auto read = [&](int element, size_t place) {
        return types[place] == 's' ? int(int8_t(element))
                                   : int(uint8_t(element));
      };
      for (int lane = 0; lane < 32; ++lane) {
        int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        int sum = 1;
        for (int at = 0; at < 32; ++at)
          sum += read(elementOfA(row, at), 0) * read(elementOfB(at, column), 3);
        EXPECT_EQ(int(results()[lane]), sum) << types << " " << lane;
      }
    }
}

TEST_F(EmulatedCuda, MistakesAreErrors) {
  struct {
    const char *body, *says;
  } cases[] = {
      {"st.global.b32 [%o+1024], %t;", "4 bytes at address"},
      {"add.s64 %o, %o, 1;\nst.global.b32 [%o], %t;", "not aligned"},
      {"mov.b32 %r1, 0;\nst.shared.b32 [%r1+40000], %t;", "of shared memory"},
      {"mov.u32 %r1, full;\nmbarrier.arrive.shared.b64 %d5, [%r1];",
       "no mbarrier"},
      {"mov.u32 %r1, full;\nmbarrier.init.shared.b64 [%r1], 1;\nWAIT:\n"
       "mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 0;\n@!%p2 bra WAIT;",
       "nothing can go on; block 0, warp 0 at line"},
      {"setp.lt.u32 %p1, %t, 8;\n@%p1 bra OUT;\nbar.warp.sync 0x00ffff01;\n"
       "OUT:\nbar.sync 0;",
       "nothing can go on"},
      {"cp.async.ca.shared.global [%r1], [%d2+1], 4;", "shared memory"},
      {"trap;", "trap"},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(run(c.body), kLaunchFailed) << c.body;
    EXPECT_NE(message.find(c.says), std::string::npos) << c.body << message;
  }
}

TEST_F(EmulatedCuda, WaitsForWhatOthersWrite) {
  // The host writes the word that the kernel looks at while it runs.
  inputs()[0] = 0;
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    __atomic_store_n(&inputs()[0], 7, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(run("WAIT:\nld.acquire.sys.global.u32 %r1, [%d0];\n"
                "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n"
                "st.global.b32 [%o], %r1;"),
            0)
      << message;
  host.join();
  EXPECT_EQ(results()[31], 7u);
  // Blocks alone write what is read so.
  inputs()[0] = 0;
  EXPECT_EQ(run("WAIT:\nld.acquire.gpu.global.u32 %r1, [%d0];\n"
                "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra WAIT;"),
            kLaunchFailed);
  EXPECT_NE(message.find("nothing can go on"), std::string::npos) << message;
}

TEST_F(EmulatedCuda, WhatIsNotEmulatedIsRefused) {
  for (const char *body :
       {"tcgen05.fence::before_thread_sync;", "add.sat.s32 %r1, %r1, %r1;",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4, "
        "%r5, %r6, %r7, %r8}, {%r1, %r2}, {%r3, %r4}, {%r1, %r2, %r3, %r4, "
        "%r5, %r6, %r7, %r8};",
        "bra NOWHERE;", "add.s32 %r1, %nothing, nobody;"}) {
    EXPECT_EQ(run(body), kBadPtx) << body;
    EXPECT_NE(message.find("line "), std::string::npos) << body << message;
  }
}

TEST_F(EmulatedCuda, ModulesHaveAsManyKernelsAsTheyHave) {
  // A backward pass with dynamic extents has a hundred.
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n";
  constexpr int kKernels = 200;
  auto nameOf = [](int i) { return "test" + std::to_string(i); };
  for (int i = 0; i < kKernels; ++i)
    text += ".visible .entry " + nameOf(i) +
            "(.param .u64 out)\n{\n.reg .b64 %d<2>;\n.reg .b32 %r<2>;\n"
            "ld.param.u64 %d0, [out];\nmov.u32 %r0, " +
            std::to_string(i) + ";\nst.global.u32 [%d0], %r0;\nret;\n}\n";
  void *module = nullptr;
  ASSERT_EQ(cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr), 0);
  for (int i = 0; i < kKernels; ++i) {
    void *function = nullptr, *parameters[] = {&out};
    ASSERT_EQ(cuModuleGetFunction(&function, module, nameOf(i).c_str()), 0);
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters,
                             nullptr),
              0);
    EXPECT_EQ(results()[0], unsigned(i));
  }
  cuModuleUnload(module);
}

TEST_F(EmulatedCuda, BlocksBeginInEitherOrder) {
  // All blocks write one word: the last to run remains.
  const char *text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry test(.param .u64 out)\n{\n"
      ".reg .b32 %r;\n.reg .b64 %d;\nld.param.u64 %d, [out];\n"
      "mov.u32 %r, %ctaid.x;\nst.global.b32 [%d], %r;\nret;\n}\n";
  void *module = nullptr, *function = nullptr;
  ASSERT_EQ(cuModuleLoadDataEx(&module, text, 0, nullptr, nullptr), 0);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "test"), 0);
  void *parameters[] = {&out};
  auto run = [&] {
    EXPECT_EQ(cuLaunchKernel(function, 5, 1, 1, 1, 1, 1, 0, nullptr, parameters,
                             nullptr),
              0);
    return results()[0];
  };
  EXPECT_EQ(run(), 4u);
  setenv("EMULATED_CUDA_BLOCKS", "last", 1);
  EXPECT_EQ(run(), 0u);
  unsetenv("EMULATED_CUDA_BLOCKS");
  cuModuleUnload(module);
}

TEST_F(EmulatedCuda, KernelsOfTooManyParametersAreRefused) {
  auto load = [](int count) {
    std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                       ".visible .entry test(";
    for (int i = 0; i < count; ++i)
      text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
    text += ")\n{\nret;\n}\n";
    void *module = nullptr;
    int code = cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr);
    if (code == 0)
      cuModuleUnload(module);
    return code;
  };
  // 4096 bytes, which is what all devices take.
  EXPECT_EQ(load(512), 0);
  EXPECT_EQ(load(513), kBadPtx);
}

TEST_F(EmulatedCuda, TensorMapsAreHeldToTheirLimits) {
  alignas(64) char map[128];
  uint64_t extents[] = {64, 4}, strides[] = {128};
  uint32_t box[] = {64, 2}, steps[] = {1, 1};
  auto encode = [&](uint64_t data, int swizzle) {
    return cuTensorMapEncodeTiled(map, 9, 2, reinterpret_cast<void *>(data),
                                  extents, strides, box, steps, 0, swizzle, 0,
                                  0);
  };
  EXPECT_EQ(encode(in, 3), 0);
  EXPECT_NE(encode(in + 8, 3), 0);
  EXPECT_NE(encode(in, 2), 0); // rows of 128 bytes in a pattern of 64
  strides[0] = 136;
  EXPECT_NE(encode(in, 3), 0);
  strides[0] = 128;
  box[1] = 257;
  EXPECT_NE(encode(in, 3), 0);
}

} // namespace
