//===- WordProductsTest.cpp - Several steps at once against plain sums ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of narrow numbers, whatever instructions the CPU has for them: the
// results are those of one multiply-add per step, in order, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir::pit;
using jit::Arguments;
using jit::Program;
using jit::View;

namespace {

/// Types of A and B, how they are extended, and the type of sums.
struct Kind {
  const char *a, *extendA, *b, *extendB, *sum;
};

const Kind kKinds[] = {
    {"i8", "extsi", "i8", "extsi", "i32"},
    {"i8", "extsi", "i8", "extui", "i32"},
    {"i8", "extui", "i8", "extsi", "i32"},
    {"i8", "extui", "i8", "extui", "i32"},
    {"i16", "extsi", "i16", "extsi", "i32"},
    {"i8", "extui", "i16", "extsi", "i32"},
    {"i16", "extui", "i16", "extui", "i32"},
    {"bf16", "extf", "bf16", "extf", "f32"},
};

/// Features that code may use, and bits of vectors, as far as this CPU has
/// them.
std::vector<CPUOptions> getTargets() {
  const std::pair<const char *, int64_t> all[] = {
      {"", 256},
      {"avx2", 256},
      {"avxvnni,avx2", 256},
      {"avx512f,avx512bw", 512},
      {"avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16", 256},
      {"avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16", 512},
  };
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::vector<CPUOptions> found;
  for (auto [features, bits] : all) {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(features).split(names, ',', -1, /*KeepEmpty=*/false);
    if (!llvm::all_of(names,
                      [&](llvm::StringRef name) { return host.lookup(name); }))
      continue;
    CPUOptions options;
    options.features = features;
    options.vectorBits = bits;
    found.push_back(options);
  }
  return found;
}

/// Numbers of 1 or 2 bytes in memory.
struct Numbers {
  std::vector<uint8_t> data;
  int64_t bytes;
  bool isSigned, isFloat;

  Numbers(const char *type, const char *extension, int64_t count, unsigned seed)
      : bytes(std::string(type) == "i8" ? 1 : 2),
        isSigned(std::string(extension) == "extsi"),
        isFloat(std::string(type) == "bf16") {
    std::mt19937 random(seed);
    data.resize(count * bytes + 64);
    for (int64_t i = 0; i < count; ++i) {
      uint16_t bits = random();
      if (isFloat) {
        float value = std::uniform_real_distribution<float>(-1, 1)(random);
        std::memcpy(&bits, reinterpret_cast<char *>(&value) + 2, 2);
      } else if (random() % 8 == 0) {
        bits = isSigned ? 0x8080 & -(random() % 2) : 0xffff;
      }
      std::memcpy(&data[i * bytes], &bits, bytes);
    }
  }
  double get(int64_t i) const {
    uint16_t bits = 0;
    std::memcpy(&bits, &data[i * bytes], bytes);
    if (isFloat) {
      float value = 0;
      std::memcpy(reinterpret_cast<char *>(&value) + 2, &bits, 2);
      return value;
    }
    if (isSigned)
      return bytes == 1 ? int8_t(bits) : int16_t(bits);
    return bits;
  }
};

/// The bits of a sum, one step further.
uint32_t addProduct(bool isFloat, double a, double b, uint32_t sum) {
  if (!isFloat)
    return sum + uint32_t(int64_t(a) * int64_t(b));
  float value;
  std::memcpy(&value, &sum, 4);
  value = std::fma(float(a), float(b), value);
  std::memcpy(&sum, &value, 4);
  return sum;
}

std::string writeOp(const Kind &kind, const std::string &maps,
                    const std::string &iterators, const std::string &typeA,
                    const std::string &typeB, const std::string &typeC) {
  bool isFloat = std::string(kind.sum) == "f32";
  std::string sum = kind.sum, suffix = isFloat ? "f " : "i ";
  return "func.func @f(%a: " + typeA + ", %b: " + typeB + ", %c: " + typeC +
         ") attributes {llvm.emit_c_interface} {\n"
         "linalg.generic {indexing_maps = [" +
         maps + "], iterator_types = [" + iterators +
         "]} ins(%a, %b : " + typeA + ", " + typeB + ") outs(%c : " + typeC +
         ") {\n^bb0(%x: " + kind.a + ", %y: " + kind.b + ", %z: " + sum +
         "):\n%0 = arith." + kind.extendA + " %x : " + kind.a + " to " + sum +
         "\n%1 = arith." + kind.extendB + " %y : " + kind.b + " to " + sum +
         "\n%2 = arith.mul" + suffix + "%0, %1 : " + sum + "\n%3 = arith.add" +
         suffix + "%z, %2 : " + sum + "\nlinalg.yield %3 : " + sum +
         "\n}\nreturn\n}";
}

/// One multiply-add of each pair of offsets, into the sum at another one.
using Visit = std::function<void(int64_t a, int64_t b, int64_t c)>;

void check(Program &program, const Kind &kind, const View<uint8_t> &viewA,
           const View<uint8_t> &viewB, const View<uint8_t> &viewC,
           int64_t sizeA, int64_t sizeB, int64_t sizeC,
           const std::function<void(Visit)> &walk, const std::string &what) {
  Numbers a(kind.a, kind.extendA, sizeA, 1), b(kind.b, kind.extendB, sizeB, 2);
  std::vector<uint32_t> c(sizeC + 16);
  bool isFloat = std::string(kind.sum) == "f32";
  for (size_t i = 0; i < c.size(); ++i) {
    float value = float(i) / 64;
    c[i] = i;
    if (isFloat)
      std::memcpy(&c[i], &value, 4);
  }
  std::vector<uint32_t> expected = c;
  walk([&](int64_t i, int64_t j, int64_t k) {
    expected[k] = addProduct(isFloat, a.get(i), b.get(j), expected[k]);
  });
  View<uint8_t> views[] = {viewA, viewB, viewC};
  views[0].data = a.data.data();
  views[1].data = b.data.data();
  views[2].data = reinterpret_cast<uint8_t *>(c.data());
  Arguments arguments;
  for (View<uint8_t> &view : views)
    arguments.add(view);
  ASSERT_TRUE(program.call("f", arguments));
  EXPECT_TRUE(c == expected) << what;
}

std::string describe(const Kind &kind, const CPUOptions &target) {
  return std::string(kind.a) + " " + kind.extendA + ", " + kind.b + " " +
         kind.extendB + " with '" + target.features + "', " +
         std::to_string(target.vectorBits) + " bits";
}

/// Along which dimension a matrix is contiguous: columns, rows, none.
enum Layout { Columns, Rows, Neither };

std::string writeMatrix(const char *element, Layout layout) {
  const char *strides[] = {"?, 1", "1, ?", "?, ?"};
  return std::string("memref<?x?x") + element + ", strided<[" +
         strides[layout] + "]>>";
}

View<uint8_t> makeView(int64_t rows, int64_t columns, Layout layout) {
  std::vector<int64_t> strides[] = {
      {columns + 1, 1}, {1, rows + 3}, {2 * columns + 1, 2}};
  return {nullptr, 0, {rows, columns}, strides[layout]};
}

} // namespace

/// Steps that fill words and do not, one block of steps and several, rows and
/// columns that fill tiles and do not.
TEST(WordProductsTest, Matrices) {
  const Layout layouts[][2] = {
      {Columns, Columns}, {Rows, Rows}, {Neither, Neither}};
  const int64_t shapes[][3] = {{1, 1, 1},    {1, 40, 5},    {5, 1, 6},
                               {7, 17, 9},   {12, 32, 64},  {3, 4, 0},
                               {13, 33, 67}, {25, 70, 1100}};
  for (const Kind &kind : kKinds)
    for (const CPUOptions &target : getTargets())
      for (auto [a, b] : layouts) {
        auto program = Program::compile(
            writeOp(kind,
                    "affine_map<(i, j, p) -> (i, p)>, "
                    "affine_map<(i, j, p) -> (p, j)>, "
                    "affine_map<(i, j, p) -> (i, j)>",
                    R"("parallel", "parallel", "reduction")",
                    writeMatrix(kind.a, a), writeMatrix(kind.b, b),
                    writeMatrix(kind.sum, Columns)),
            target);
        ASSERT_TRUE(program) << describe(kind, target);
        for (auto [m, n, k] : shapes) {
          View<uint8_t> viewA = makeView(m, k, a), viewB = makeView(k, n, b),
                        viewC = makeView(m, n, Columns);
          auto at = [](const View<uint8_t> &view, int64_t i, int64_t j) {
            return i * view.strides[0] + j * view.strides[1];
          };
          check(
              *program, kind, viewA, viewB, viewC, at(viewA, m, k + 4) + 4,
              at(viewB, k, n + 4) + 4, at(viewC, m, n),
              [&, m = m, n = n, k = k](Visit visit) {
                for (int64_t i = 0; i < m; ++i)
                  for (int64_t j = 0; j < n; ++j)
                    for (int64_t p = 0; p < k; ++p)
                      visit(at(viewA, i, p), at(viewB, p, j), at(viewC, i, j));
              },
              describe(kind, target) + ": " + std::to_string(m) + " x " +
                  std::to_string(n) + " x " + std::to_string(k));
        }
      }
}

/// Images whose channels come last, whose windows are rows, and first, whose
/// windows are columns; steps of 1 and 2; an odd number of elements in a
/// window.
TEST(WordProductsTest, Convolutions) {
  constexpr int64_t kImages = 2, kHeight = 9, kWidth = 21, kChannels = 3,
                    kColumns = 19, kWindow = 3;
  for (const Kind &kind : kKinds)
    for (const CPUOptions &target : getTargets())
      for (auto [stride, isLast] :
           {std::pair<int64_t, bool>(2, true), {1, false}, {2, false}}) {
        int64_t height = (kHeight - kWindow) / stride + 1,
                width = (kWidth - kWindow) / stride + 1;
        std::vector<int64_t> image =
            isLast ? std::vector<int64_t>{kImages, kHeight, kWidth, kChannels}
                   : std::vector<int64_t>{kImages, kChannels, kHeight, kWidth};
        std::vector<int64_t> weight =
            isLast
                ? std::vector<int64_t>{kWindow, kWindow, kChannels, kColumns}
                : std::vector<int64_t>{kColumns, kChannels, kWindow, kWindow};
        std::vector<int64_t> result =
            isLast ? std::vector<int64_t>{kImages, height, width, kColumns}
                   : std::vector<int64_t>{kImages, kColumns, height, width};
        auto getType = [](llvm::ArrayRef<int64_t> shape,
                          const std::string &element) {
          std::string text = "memref<";
          for (int64_t size : shape)
            text += std::to_string(size) + "x";
          return text + element + ">";
        };
        auto getView = [](llvm::ArrayRef<int64_t> shape) {
          View<uint8_t> view{nullptr, 0, shape.vec(), shape.vec()};
          int64_t step = 1;
          for (size_t i = shape.size(); i-- > 0; step *= shape[i])
            view.strides[i] = step;
          return view;
        };
        std::string s = " * " + std::to_string(stride);
        std::string loops = isLast ? "affine_map<(n, y, x, f, u, v, c) -> "
                                   : "affine_map<(n, f, y, x, c, u, v) -> ";
        std::string window = "y" + s + " + u, x" + s + " + v";
        std::string maps =
            isLast ? loops + "(n, " + window + ", c)>, " + loops +
                         "(u, v, c, f)>, " + loops + "(n, y, x, f)>"
                   : loops + "(n, c, " + window + ")>, " + loops +
                         "(f, c, u, v)>, " + loops + "(n, f, y, x)>";
        auto program = Program::compile(
            writeOp(kind, maps,
                    R"("parallel", "parallel", "parallel", "parallel",
                         "reduction", "reduction", "reduction")",
                    getType(image, kind.a), getType(weight, kind.b),
                    getType(result, kind.sum)),
            target);
        ASSERT_TRUE(program) << describe(kind, target);
        auto count = [](llvm::ArrayRef<int64_t> shape) {
          int64_t elements = 1;
          for (int64_t size : shape)
            elements *= size;
          return elements;
        };
        auto at = [&](llvm::ArrayRef<int64_t> shape, int64_t i, int64_t j,
                      int64_t k, int64_t l) {
          return ((i * shape[1] + j) * shape[2] + k) * shape[3] + l;
        };
        auto walk = [&](Visit visit) {
          for (int64_t n = 0; n < kImages; ++n)
            for (int64_t f = 0; f < kColumns; ++f)
              for (int64_t i = 0; i < height * width; ++i)
                for (int64_t p = 0; p < kWindow * kWindow * kChannels; ++p) {
                  int64_t y = i / width, x = i % width;
                  int64_t u, v, c;
                  if (isLast) {
                    c = p % kChannels;
                    v = p / kChannels % kWindow;
                    u = p / kChannels / kWindow;
                    visit(at(image, n, y * stride + u, x * stride + v, c),
                          at(weight, u, v, c, f), at(result, n, y, x, f));
                  } else {
                    v = p % kWindow;
                    u = p / kWindow % kWindow;
                    c = p / kWindow / kWindow;
                    visit(at(image, n, c, y * stride + u, x * stride + v),
                          at(weight, f, c, u, v), at(result, n, f, y, x));
                  }
                }
        };
        check(*program, kind, getView(image), getView(weight), getView(result),
              count(image), count(weight), count(result), walk,
              describe(kind, target) + (isLast ? ", last" : ", first") +
                  ", step " + std::to_string(stride));
      }
}

/// vpdpbf16ps takes numbers below 2^-126 as zero, which `strict` does not.
TEST(WordProductsTest, StrictKeepsSubnormals) {
  const Kind &kind = kKinds[std::size(kKinds) - 1];
  for (CPUOptions target : getTargets()) {
    target.strict = true;
    std::string matrix = "memref<1x2xbf16>", result = "memref<1x1xf32>";
    auto program =
        Program::compile(writeOp(kind,
                                 "affine_map<(i, j, p) -> (i, p)>, "
                                 "affine_map<(i, j, p) -> (j, p)>, "
                                 "affine_map<(i, j, p) -> (i, j)>",
                                 R"("parallel", "parallel", "reduction")",
                                 matrix, matrix, result),
                         target);
    ASSERT_TRUE(program);
    uint16_t a[2] = {1, 0}, b[2] = {0x3f80, 0x3f80};
    float c = 0;
    auto view = [](void *data, int64_t columns) {
      return View<uint8_t>{
          static_cast<uint8_t *>(data), 0, {1, columns}, {columns, 1}};
    };
    Arguments arguments;
    arguments.add(view(a, 2));
    arguments.add(view(b, 2));
    arguments.add(view(&c, 1));
    ASSERT_TRUE(program->call("f", arguments));
    EXPECT_EQ(c, std::ldexp(1.0f, -133)) << describe(kind, target);
  }
}
