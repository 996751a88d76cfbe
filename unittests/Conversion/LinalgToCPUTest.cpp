//===- LinalgToCPUTest.cpp - CPU loops against plain arithmetic -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir::pit;
using jit::Arguments;
using jit::Program;
using jit::View;

namespace {

/// A buffer with room around every row, so that stray writes are seen.
struct Buffer {
  std::vector<float> data;
  View<float> view;

  static Buffer create(std::vector<int64_t> sizes, std::vector<int64_t> strides,
                       int64_t offset, unsigned seed) {
    Buffer buffer;
    int64_t extent = offset + 64;
    for (size_t i = 0; i < sizes.size(); ++i)
      extent += sizes[i] * strides[i];
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    buffer.data.resize(extent);
    for (float &value : buffer.data)
      value = uniform(random);
    buffer.view = {nullptr, offset, sizes, strides};
    return buffer;
  }
  View<float> get() {
    view.data = data.data();
    return view;
  }
  float &at(int64_t i, int64_t j) {
    return data[view.offset + i * view.strides[0] + j * view.strides[1]];
  }
};

struct Layout {
  const char *type;
  /// Strides of an (i, j) matrix.
  std::vector<int64_t> (*strides)(int64_t rows, int64_t columns);
  int64_t offset;
};

const Layout kLayouts[] = {
    {"memref<?x?xf32>",
     [](int64_t, int64_t n) {
       return std::vector<int64_t>{n, 1};
     },
     0},
    {"memref<?x?xf32, strided<[?, 1], offset: ?>>",
     [](int64_t, int64_t n) {
       return std::vector<int64_t>{n + 3, 1};
     },
     5},
    {"memref<?x?xf32, strided<[1, ?], offset: ?>>",
     [](int64_t m, int64_t) {
       return std::vector<int64_t>{1, m + 2};
     },
     7},
    {"memref<?x?xf32, strided<[?, ?], offset: ?>>",
     [](int64_t, int64_t n) {
       return std::vector<int64_t>{2 * n + 1, 2};
     },
     1},
};

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::unique_ptr<Program> compileMatmul(const Layout &a, const Layout &b,
                                       const Layout &c,
                                       int64_t vectorBits = 256) {
  std::string types = std::string(a.type) + ", " + b.type;
  std::string source =
      std::string("func.func @f(%a: ") + a.type + ", %b: " + b.type +
      ", %c: " + c.type +
      ") attributes {llvm.emit_c_interface} { linalg.matmul ins(%a, %b : " +
      types + ") outs(%c : " + c.type + ") return }";
  CPUOptions options;
  options.vectorBits = vectorBits;
  return Program::compile(source, options);
}

void checkMatmul(Program &program, const Layout &la, const Layout &lb,
                 const Layout &lc, int64_t m, int64_t n, int64_t k) {
  Buffer a = Buffer::create({m, k}, la.strides(m, k), la.offset, 1);
  Buffer b = Buffer::create({k, n}, lb.strides(k, n), lb.offset, 2);
  Buffer c = Buffer::create({m, n}, lc.strides(m, n), lc.offset, 3);
  Buffer expected = c;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p)
        expected.at(i, j) = std::fma(a.at(i, p), b.at(p, j), expected.at(i, j));
  Arguments arguments;
  for (Buffer *buffer : {&a, &b, &c})
    arguments.add(buffer->get());
  ASSERT_TRUE(program.call("f", arguments));
  EXPECT_TRUE(sameBits(c.data, expected.data))
      << m << " x " << n << " x " << k << " on " << la.type << ", " << lb.type
      << ", " << lc.type;
}

} // namespace

/// Every layout of each operand, with tails, extents of 0 and 1, and more than
/// one block of every loop. Results must be those of one fused multiply-add per
/// step in ascending order, bit for bit, and nothing else may be written.
TEST(LinalgToCPUTest, MatmulOfEveryLayoutIsExact) {
  const int64_t shapes[][3] = {{0, 3, 4},  {3, 0, 4},  {3, 4, 0},
                               {1, 1, 1},  {1, 17, 9}, {7, 1, 9},
                               {6, 16, 8}, {7, 17, 9}, {13, 33, 300}};
  for (size_t combination = 0; combination < 16; ++combination) {
    const Layout &a = kLayouts[combination % 4], &b = kLayouts[combination / 4];
    const Layout &c = kLayouts[(combination + combination / 4) % 4];
    auto program = compileMatmul(a, b, c);
    ASSERT_TRUE(program);
    for (auto &shape : shapes)
      checkMatmul(*program, a, b, c, shape[0], shape[1], shape[2]);
  }
}

TEST(LinalgToCPUTest, MatmulAcrossBlocksIsExact) {
  auto program = compileMatmul(kLayouts[0], kLayouts[0], kLayouts[0]);
  ASSERT_TRUE(program);
  checkMatmul(*program, kLayouts[0], kLayouts[0], kLayouts[0], 150, 40, 520);
  checkMatmul(*program, kLayouts[0], kLayouts[0], kLayouts[0], 9, 2070, 17);
}

/// The result does not depend on the vector width, so neither does it on the
/// machine.
TEST(LinalgToCPUTest, EveryVectorWidthIsExact) {
  for (int64_t bits : {128, 512}) {
    auto program = compileMatmul(kLayouts[0], kLayouts[2], kLayouts[0], bits);
    ASSERT_TRUE(program);
    checkMatmul(*program, kLayouts[0], kLayouts[2], kLayouts[0], 25, 70, 33);
  }
}

namespace {

/// Runs a program twice, through this back end and through upstream's plain
/// loops, on the same random f32 arguments of the given shapes; the last one is
/// the output.
void compareWithLoops(const std::string &source,
                      std::vector<std::vector<int64_t>> shapes,
                      float tolerance) {
  std::vector<float> results[2];
  for (bool plain : {false, true}) {
    auto program = Program::compile(source, {}, plain);
    ASSERT_TRUE(program) << source;
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < shapes.size(); ++i) {
      std::vector<int64_t> strides(shapes[i].size(), 1);
      for (size_t dim = strides.size(); dim-- > 1;)
        strides[dim - 1] = strides[dim] * shapes[i][dim];
      buffers.push_back(Buffer::create(shapes[i], strides, 0, i));
    }
    Arguments arguments;
    for (Buffer &buffer : buffers)
      arguments.add(buffer.get());
    ASSERT_TRUE(program->call("f", arguments));
    results[plain] = buffers.back().data;
  }
  ASSERT_EQ(results[0].size(), results[1].size());
  for (size_t i = 0; i < results[0].size(); ++i)
    ASSERT_NEAR(results[0][i], results[1][i], tolerance) << "element " << i;
}

} // namespace

TEST(LinalgToCPUTest, BatchMatmul) {
  compareWithLoops(R"(
func.func @f(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.batch_matmul ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
})",
                   {{3, 7, 40}, {3, 40, 19}, {3, 7, 19}}, 1e-4f);
}

/// Two row, two column and two reduction loops, in orders that cannot be fused,
/// and an output that is contiguous along rows of the left input.
TEST(LinalgToCPUTest, ManyLoopsOfEachKind) {
  compareWithLoops(R"(
#a = affine_map<(m0, n0, k0, m1, n1, k1) -> (k1, m0, k0, m1)>
#b = affine_map<(m0, n0, k0, m1, n1, k1) -> (n1, k0, n0, k1)>
#c = affine_map<(m0, n0, k0, m1, n1, k1) -> (n0, m0, n1, m1)>
func.func @f(%a: memref<3x2x4x11xf32>, %b: memref<6x4x5x3xf32>, %c: memref<5x2x6x11xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x11xf32>, memref<6x4x5x3xf32>) outs(%c : memref<5x2x6x11xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  }
  return
})",
                   {{3, 2, 4, 11}, {6, 4, 5, 3}, {5, 2, 6, 11}}, 1e-4f);
}

TEST(LinalgToCPUTest, MatvecAndDot) {
  compareWithLoops(R"(
func.func @f(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.matvec ins(%a, %x : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
})",
                   {{29, 300}, {300}, {29}}, 1e-4f);
  compareWithLoops(R"(
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<f32>) attributes {llvm.emit_c_interface} {
  linalg.dot ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%z : memref<f32>)
  return
})",
                   {{300}, {300}, {}}, 1e-4f);
}

/// Inputs narrower than the accumulator, converted inside the body, and
/// integers.
TEST(LinalgToCPUTest, ExtendedInputs) {
  for (const char *narrow : {"f16", "bf16"}) {
    std::string type = narrow;
    std::string source = R"(
func.func @f(%a: memref<9x20xf32>, %b: memref<20x35xf32>, %c: memref<9x35xf32>) attributes {llvm.emit_c_interface} {
  %na = memref.alloc() : memref<9x20xELT>
  %nb = memref.alloc() : memref<20x35xELT>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%a : memref<9x20xf32>) outs(%na : memref<9x20xELT>) {
  ^bb0(%x: f32, %y: ELT):
    %t = arith.truncf %x : f32 to ELT
    linalg.yield %t : ELT
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%b : memref<20x35xf32>) outs(%nb : memref<20x35xELT>) {
  ^bb0(%x: f32, %y: ELT):
    %t = arith.truncf %x : f32 to ELT
    linalg.yield %t : ELT
  }
  linalg.matmul ins(%na, %nb : memref<9x20xELT>, memref<20x35xELT>) outs(%c : memref<9x35xf32>)
  memref.dealloc %na : memref<9x20xELT>
  memref.dealloc %nb : memref<20x35xELT>
  return
})";
    for (size_t at = 0; (at = source.find("ELT", at)) != std::string::npos;)
      source.replace(at, 3, type);
    compareWithLoops(source, {{9, 20}, {20, 35}, {9, 35}}, 1e-4f);
  }
  compareWithLoops(R"(
func.func @f(%a: memref<8x20xf32>, %b: memref<20x35xf32>, %c: memref<8x35xf32>) attributes {llvm.emit_c_interface} {
  %ia = memref.alloc() : memref<8x20xi8>
  %ib = memref.alloc() : memref<20x35xi8>
  %ic = memref.alloc() : memref<8x35xi32>
  %zero = arith.constant 0 : i32
  %scale = arith.constant 100.0 : f32
  linalg.fill ins(%zero : i32) outs(%ic : memref<8x35xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x20xf32>) outs(%ia : memref<8x20xi8>) {
  ^bb0(%x: f32, %y: i8):
    %m = arith.mulf %x, %scale : f32
    %t = arith.fptosi %m : f32 to i8
    linalg.yield %t : i8
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%b : memref<20x35xf32>) outs(%ib : memref<20x35xi8>) {
  ^bb0(%x: f32, %y: i8):
    %m = arith.mulf %x, %scale : f32
    %t = arith.fptosi %m : f32 to i8
    linalg.yield %t : i8
  }
  linalg.matmul ins(%ia, %ib : memref<8x20xi8>, memref<20x35xi8>) outs(%ic : memref<8x35xi32>)
  linalg.map { arith.sitofp } ins(%ic : memref<8x35xi32>) outs(%c : memref<8x35xf32>)
  memref.dealloc %ia : memref<8x20xi8>
  memref.dealloc %ib : memref<20x35xi8>
  memref.dealloc %ic : memref<8x35xi32>
  return
})",
                   {{8, 20}, {20, 35}, {8, 35}}, 0.0f);
}

/// A contraction inside a loop: scratch memory is taken once around it.
TEST(LinalgToCPUTest, ContractionInLoop) {
  compareWithLoops(R"(
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c5 {
    %rest = arith.subi %m, %i : index
    %rows = arith.minui %rest, %c5 : index
    %sa = memref.subview %a[%i, 0] [%rows, %k] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %sc = memref.subview %c[%i, 0] [%rows, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.matmul ins(%sa, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
                  outs(%sc : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }
  return
})",
                   {{23, 40}, {40, 19}, {23, 19}}, 1e-4f);
}

//===----------------------------------------------------------------------===//
// Other structured ops: the same operations in the same order, hence the same
// bits
//===----------------------------------------------------------------------===//

TEST(LinalgToCPUTest, Reductions) {
  // Sums that may be long have partial ones.
  constexpr float kRounding = 4e-6f;
  compareWithLoops(R"(
func.func @f(%a: memref<?x?x?xf32>, %s: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.reduce { arith.addf } ins(%a : memref<?x?x?xf32>) outs(%s : memref<?xf32>) dimensions = [1, 2]
  return
})",
                   {{19, 5, 7}, {19}}, kRounding);
  compareWithLoops(R"(
func.func @f(%a: memref<?x?x?xf32>, %s: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.reduce { arith.maximumf } ins(%a : memref<?x?x?xf32>) outs(%s : memref<?xf32>) dimensions = [0, 1]
  return
})",
                   {{5, 7, 19}, {19}}, 0.0f);
  compareWithLoops(R"(
func.func @f(%a: memref<?x?xf32>, %s: memref<f32>) attributes {llvm.emit_c_interface} {
  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>) outs(%s : memref<f32>) dimensions = [0, 1]
  return
})",
                   {{5, 7}, {}}, kRounding);
}

/// Two outputs and the loop's own index: the position of each row's maximum.
TEST(LinalgToCPUTest, ArgMax) {
  compareWithLoops(R"(
func.func @f(%a: memref<?x?xf32>, %max: memref<?xf32>, %at: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xf32>) outs(%max, %at : memref<?xf32>, memref<?xf32>) {
  ^bb0(%x: f32, %best: f32, %where: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ij = arith.addi %i, %j : index
    %n = arith.index_cast %ij : index to i32
    %here = arith.sitofp %n : i32 to f32
    %more = arith.cmpf ogt, %x, %best : f32
    %0 = arith.select %more, %x, %best : f32
    %1 = arith.select %more, %here, %where : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
})",
                   {{21, 33}, {21}, {21}}, 0.0f);
}

/// They are products here, with one fused multiply-add per step; upstream's
/// loops round twice.
TEST(LinalgToCPUTest, Convolutions) {
  compareWithLoops(R"(
func.func @f(%a: memref<2x9x8x5xf32>, %w: memref<3x3x5x6xf32>, %c: memref<2x4x3x6xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%a, %w : memref<2x9x8x5xf32>, memref<3x3x5x6xf32>) outs(%c : memref<2x4x3x6xf32>)
  return
})",
                   {{2, 9, 8, 5}, {3, 3, 5, 6}, {2, 4, 3, 6}}, 1e-4f);
  compareWithLoops(R"(
func.func @f(%a: memref<2x5x9x8xf32>, %w: memref<6x5x3x3xf32>, %c: memref<2x6x7x6xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nchw_fchw ins(%a, %w : memref<2x5x9x8xf32>, memref<6x5x3x3xf32>) outs(%c : memref<2x6x7x6xf32>)
  return
})",
                   {{2, 5, 9, 8}, {6, 5, 3, 3}, {2, 6, 7, 6}}, 1e-4f);
}

TEST(LinalgToCPUTest, TransposeAndCopy) {
  compareWithLoops(R"(
func.func @f(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>) attributes {llvm.emit_c_interface} {
  linalg.transpose ins(%a : memref<?x?x?xf32>) outs(%b : memref<?x?x?xf32>) permutation = [2, 0, 1]
  return
})",
                   {{3, 17, 35}, {35, 3, 17}}, 0.0f);
  compareWithLoops(R"(
func.func @f(%a: memref<9x20xf32>, %b: memref<20x20xf32>) attributes {llvm.emit_c_interface} {
  %d = memref.subview %b[1, 2] [9, 10] [2, 1] : memref<20x20xf32> to memref<9x10xf32, strided<[40, 1], offset: 22>>
  %s = memref.subview %a[0, 0] [9, 10] [1, 2] : memref<9x20xf32> to memref<9x10xf32, strided<[20, 2]>>
  memref.copy %s, %d : memref<9x10xf32, strided<[20, 2]>> to memref<9x10xf32, strided<[40, 1], offset: 22>>
  return
})",
                   {{9, 20}, {20, 20}}, 0.0f);
}

/// Vector and scalar forms of exp, tanh and erf give the same bits: a row of 1
/// never fills a vector.
TEST(LinalgToCPUTest, MathIsTheSameInVectorsAndScalars) {
  for (const char *name : {"exp", "tanh", "erf", "log"}) {
    auto program = Program::compile(std::string(R"(
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.)") + name + R"( ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
})",
                                    {});
    ASSERT_TRUE(program);
    Buffer a = Buffer::create({1000}, {1}, 0, 1),
           whole = Buffer::create({1000}, {1}, 0, 2), single = whole;
    for (float &value : a.data)
      value *= 12;
    Arguments arguments;
    arguments.add(a.get());
    arguments.add(whole.get());
    ASSERT_TRUE(program->call("f", arguments));
    for (int64_t i = 0; i < 1000; ++i) {
      Arguments one;
      one.add(View<float>{a.data.data() + i, 0, {1}, {1}});
      one.add(View<float>{single.data.data() + i, 0, {1}, {1}});
      ASSERT_TRUE(program->call("f", one));
    }
    EXPECT_TRUE(sameBits(whole.data, single.data)) << name;
  }
}
