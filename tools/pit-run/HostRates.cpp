//===- HostRates.cpp - What the CPU does at most, measured ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostRates.h"

#include "pit_runtime_calls.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

using namespace pit::run;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
typedef float F32x4 __attribute__((vector_size(16)));
typedef float F32x8 __attribute__((vector_size(32)));
typedef float F32x16 __attribute__((vector_size(64)));
typedef double F64x2 __attribute__((vector_size(16)));
typedef double F64x4 __attribute__((vector_size(32)));
typedef double F64x8 __attribute__((vector_size(64)));
} // namespace

// Sums that do not wait for each other: more than an FMA unit's latency times
// the units of a core, fewer than its registers.
static constexpr int kSums = 12;

// So that sums are in registers.
#ifdef __clang__
#define PIT_UNROLL _Pragma("unroll")
#else
#define PIT_UNROLL _Pragma("GCC unroll 12")
#endif

// Each function is for one set of instructions, which a template's instances
// cannot be.
#define PIT_RATE_LOOPS(NAME, TARGET, VECTOR)                                   \
  TARGET static double multiply##NAME(int64_t rounds) {                        \
    VECTOR sums[kSums] = {}, factor = {}, addend = {};                         \
    factor += 0.999f;                                                          \
    addend += 1.0f;                                                            \
    /* Not the same, or one would do for all. */                               \
    for (int j = 0; j < kSums; ++j)                                            \
      sums[j] += float(j);                                                     \
    for (int64_t i = 0; i < rounds; ++i)                                       \
      PIT_UNROLL                                                               \
    for (int j = 0; j < kSums; ++j)                                            \
      sums[j] = sums[j] * factor + addend;                                     \
    double all = 0;                                                            \
    for (VECTOR & sum : sums)                                                  \
      all += double(sum[0]);                                                   \
    return all;                                                                \
  }
#define PIT_READ_LOOP(NAME, TARGET, VECTOR)                                    \
  TARGET static double read##NAME(const void *data, int64_t bytes) {           \
    constexpr int kAtOnce = 8;                                                 \
    VECTOR sums[kAtOnce] = {};                                                 \
    auto *vectors = static_cast<const VECTOR *>(data);                         \
    for (int64_t i = 0; i < bytes / int64_t(sizeof(VECTOR)); i += kAtOnce)     \
      PIT_UNROLL                                                               \
    for (int j = 0; j < kAtOnce; ++j)                                          \
      sums[j] += vectors[i + j];                                               \
    double all = 0;                                                            \
    for (VECTOR & sum : sums)                                                  \
      all += double(sum[0]);                                                   \
    return all;                                                                \
  }

PIT_RATE_LOOPS(F32, , F32x4)
PIT_RATE_LOOPS(F64, , F64x2)
PIT_READ_LOOP(Plain, , F32x4)
#ifdef __x86_64__
#define PIT_AVX2 __attribute__((target("avx2,fma")))
#define PIT_AVX512 __attribute__((target("avx512f")))
PIT_RATE_LOOPS(F32AVX2, PIT_AVX2, F32x8)
PIT_RATE_LOOPS(F64AVX2, PIT_AVX2, F64x4)
PIT_READ_LOOP(AVX2, PIT_AVX2, F32x8)
PIT_RATE_LOOPS(F32AVX512, PIT_AVX512, F32x16)
PIT_RATE_LOOPS(F64AVX512, PIT_AVX512, F64x8)
PIT_READ_LOOP(AVX512, PIT_AVX512, F32x16)
#endif

namespace {
struct Loops {
  double (*multiplyF32)(int64_t), (*multiplyF64)(int64_t);
  double (*read)(const void *, int64_t);
  int64_t vectorBytes;
};
} // namespace

static Loops chooseLoops() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return {multiplyF32AVX512, multiplyF64AVX512, readAVX512, sizeof(F32x16)};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {multiplyF32AVX2, multiplyF64AVX2, readAVX2, sizeof(F32x8)};
#endif
  return {multiplyF32, multiplyF64, readPlain, sizeof(F32x4)};
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Seconds of the fastest of some calls.
template <typename Call> static double getLeastTime(int tries, Call call) {
  // What nobody reads would not be computed.
  static volatile double sink;
  double least = 0;
  for (int i = 0; i < tries; ++i) {
    auto begin = std::chrono::steady_clock::now();
    sink = sink + call();
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    least = i == 0 ? took.count() : std::min(least, took.count());
  }
  return least;
}

/// What one thread computes, by all that programs use, at once.
template <typename Call>
static double computeOnThreads(int64_t threads, Call call) {
  // About as much as makes the runtime give each thread one iteration.
  constexpr int64_t kWork = 1 << 16;
  struct State {
    Call &call;
    std::atomic<double> all;
  } state{call, 0};
  pit_rt_parallel(
      [](void *values, int64_t begin, int64_t end) {
        auto *state = static_cast<State *>(values);
        for (int64_t i = begin; i < end; ++i)
          state->all = state->call();
      },
      &state, threads, /*multiple=*/1, kWork);
  return state.all;
}

HostRates pit::run::measureHostRates() {
  const int64_t threads = pit_num_threads();
  constexpr int kTries = 5;
  constexpr int64_t kRounds = 1 << 15;
  constexpr double kGiga = 1e9;
  Loops loops = chooseLoops();
  HostRates rates;
  rates.threads = threads;
  auto getRate = [&](double (*multiply)(int64_t), int64_t elementBytes) {
    double flops = 2. * kSums * kRounds *
                   double(loops.vectorBytes / elementBytes * threads);
    return flops / kGiga / getLeastTime(kTries, [&] {
             return computeOnThreads(threads,
                                     [&] { return multiply(kRounds); });
           });
  };
  rates.f32 = getRate(loops.multiplyF32, sizeof(float));
  rates.f64 = getRate(loops.multiplyF64, sizeof(double));

  // From what a core has for itself to what no cache holds.
  constexpr int64_t kSizes[] = {128 << 10, 1 << 20, 8 << 20, 64 << 20};
  constexpr int64_t kAlignment = 64, kLargest = 64 << 20, kOnce = 4 << 20;
  auto buffer = std::make_unique<char[]>(kLargest + kAlignment);
  auto *data = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(buffer.get()) + kAlignment - 1) /
      kAlignment * kAlignment);
  for (int64_t bytes : kSizes) {
    int64_t passes = std::max<int64_t>(1, kOnce / bytes);
    double time = getLeastTime(kTries, [&] {
      return computeOnThreads(threads, [&] {
        double all = 0;
        for (int64_t i = 0; i < passes; ++i)
          all += loops.read(data, bytes);
        return all;
      });
    });
    rates.memory.push_back(
        {bytes, double(bytes * passes * threads) / kGiga / time});
  }
  return rates;
}

double HostRates::getMemoryRate(double bytes) const {
  for (const Memory &size : memory)
    if (bytes <= double(size.bytes))
      return size.rate;
  return memory.empty() ? 0 : memory.back().rate;
}
