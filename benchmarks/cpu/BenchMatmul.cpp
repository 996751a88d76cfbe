//===- BenchMatmul.cpp - Compiled matrix products against OpenBLAS --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: bench-cpu-matmul [--json FILE] [MxNxK ...]
// Times linalg.matmul on f32 buffers, compiled by the CPU pipeline, and
// cblas_sgemm with one thread on the same data.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <random>

using namespace mlir::pit;

namespace {

struct Shape {
  int64_t m, n, k;
};

struct Result {
  Shape shape;
  double pit, blas, difference;
};

using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int,
                       const float *, int, float, float *, int);

const char *kSource = R"(
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
)";

/// Best seconds per call over about a quarter of a second.
template <typename F> double timeBest(F call) {
  double best = 1e30, total = 0;
  for (int i = 0; i < 3 || total < 0.25; ++i) {
    auto start = std::chrono::steady_clock::now();
    call();
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

Result measure(jit::Program &program, Sgemm sgemm, Shape shape) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  auto [m, n, k] = shape;
  std::vector<float> a(m * k), b(k * n), c(m * n), reference(m * n);
  for (std::vector<float> *values : {&a, &b})
    for (float &value : *values)
      value = uniform(random);
  jit::Arguments arguments;
  arguments.add(jit::View<float>{a.data(), 0, {m, k}, {k, 1}});
  arguments.add(jit::View<float>{b.data(), 0, {k, n}, {n, 1}});
  arguments.add(jit::View<float>{c.data(), 0, {m, n}, {n, 1}});
  program.call("matmul", arguments);
  Result result{shape, 0, 0, 0};
  double flops = 2.0 * m * n * k;
  if (sgemm) {
    auto call = [&](float beta) {
      sgemm(101, 111, 111, m, n, k, 1.0f, a.data(), k, b.data(), n, beta,
            reference.data(), n);
    };
    call(0.0f);
    for (int64_t i = 0; i < m * n; ++i)
      result.difference =
          std::max(result.difference, double(std::fabs(c[i] - reference[i])));
    result.blas = flops / timeBest([&] { call(1.0f); }) * 1e-9;
  }
  result.pit =
      flops / timeBest([&] { program.call("matmul", arguments); }) * 1e-9;
  return result;
}

} // namespace

int main(int argc, char **argv) {
  const char *json = nullptr;
  std::vector<Shape> shapes;
  for (int i = 1; i < argc; ++i) {
    Shape shape;
    long m, n, k;
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc) {
      json = argv[++i];
    } else if (std::sscanf(argv[i], "%ldx%ldx%ld", &m, &n, &k) == 3 && m > 0 &&
               n > 0 && k > 0) {
      shape = {m, n, k};
      shapes.push_back(shape);
    } else {
      std::fprintf(stderr,
                   "usage: %s [--json FILE] [MxNxK ...]; cannot read '%s'\n",
                   argv[0], argv[i]);
      return 2;
    }
  }
  if (shapes.empty())
    shapes = {{64, 64, 64},       {512, 512, 512}, {1024, 1024, 1024},
              {2048, 2048, 2048}, {4096, 64, 512}, {64, 4096, 512},
              {32, 4096, 1024},   {1, 4096, 1024}, {4096, 1, 1024},
              {1000, 1000, 7}};

  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  Sgemm sgemm = nullptr;
  if (void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL))
    sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  else
    std::fprintf(stderr, "libopenblas.so.0 not found: no comparison\n");

  auto program = jit::Program::compile(kSource, {});
  if (!program)
    return 1;
  if (const char *object = std::getenv("PIT_BENCH_OBJECT"))
    program->dumpObject(object);
  std::vector<Result> results;
  std::printf("%18s %12s %12s %7s %12s\n", "m x n x k", "PIT GF/s", "OpenBLAS",
              "ratio", "max |diff|");
  for (Shape shape : shapes) {
    Result r = measure(*program, sgemm, shape);
    results.push_back(r);
    std::printf("%6ld x%5ld x%5ld %11.2f %12.2f %7.2f %12.2e\n", long(shape.m),
                long(shape.n), long(shape.k), r.pit, r.blas,
                r.blas > 0 ? r.pit / r.blas : 0.0, r.difference);
    std::fflush(stdout);
  }
  if (!json)
    return 0;
  FILE *file = std::fopen(json, "w");
  if (!file) {
    std::fprintf(stderr, "cannot write %s\n", json);
    return 1;
  }
  std::fprintf(file, "[\n");
  for (size_t i = 0; i < results.size(); ++i) {
    const Result &r = results[i];
    std::fprintf(file,
                 "  {\"m\": %ld, \"n\": %ld, \"k\": %ld, \"pit_gflops\": %.3f, "
                 "\"openblas_gflops\": %.3f}%s\n",
                 long(r.shape.m), long(r.shape.n), long(r.shape.k), r.pit,
                 r.blas, i + 1 < results.size() ? "," : "");
  }
  std::fprintf(file, "]\n");
  std::fclose(file);
  return 0;
}
