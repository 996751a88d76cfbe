//===- Programs.cpp - Programs that pit-tune compiles ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::pit;
using namespace mlir::pit::tune;

//===----------------------------------------------------------------------===//
// What is measured
//===----------------------------------------------------------------------===//

std::vector<Tiling> mlir::pit::tune::getTilings(Family family) {
  if (family == Family::Grouped)
    return {{128, 256, 4},       {128, 128, 5},       {160, 256, 4, true},
            {144, 256, 4, true}, {128, 256, 4, true}, {112, 256, 4, true},
            {80, 256, 5, true},  {48, 256, 5, true},  {160, 128, 6, true},
            {128, 128, 6, true}, {80, 128, 8, true}};
  std::vector<Tiling> tilings{
      {128, 256, 4}, {128, 128, 6}, {128, 192, 5}, {128, 64, 8}, {64, 256, 5}};
  for (int64_t rows : {16, 32, 64})
    tilings.push_back({rows, 128, 8, true});
  tilings.push_back({128, 128, 6, true});
  for (int64_t splits : {1, 2})
    for (int64_t rows : {16, 32, 64, 128})
      tilings.push_back({rows, 64,
                         rows < 64    ? 12
                         : rows < 128 ? 10
                                      : 7,
                         true, splits});
  tilings.push_back({16, 64, 12, true, 4});
  return tilings;
}

std::vector<Product> mlir::pit::tune::getProducts(Family family) {
  std::vector<Product> products;
  auto add = [&](int64_t batches, int64_t n, int64_t k,
                 std::initializer_list<int64_t> rows) {
    for (int64_t m : rows)
      products.push_back({family, batches, m, n, k});
  };
  if (family == Family::Gemm)
    for (auto [n, k] : {std::pair<int64_t, int64_t>{4096, 4096},
                        {14336, 4096},
                        {1024, 1024},
                        {4096, 14336},
                        {3072, 768},
                        {2048, 8192},
                        {512, 2048}})
      add(1, n, k,
          {1, 16, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192});
  if (family == Family::Grouped) {
    // Layers of experts: first and second products.
    add(128, 1536, 2048, {16, 32, 64, 96, 128, 192, 256, 384, 512, 1024});
    add(128, 2048, 768, {16, 32, 64, 96, 128, 192, 256, 384, 512, 1024});
    add(8, 4096, 14336, {32, 64, 128, 256, 512, 1024, 2048});
    add(8, 28672, 4096, {32, 64, 128, 256, 512, 1024});
    add(64, 2048, 1024, {16, 32, 64, 128, 256, 384, 512, 1024});
    add(64, 768, 3072, {16, 32, 64, 128, 256, 384, 512, 1024});
    add(32, 512, 2048, {32, 64, 128, 256, 512, 1024, 2048});
    add(64, 3072, 768, {16, 32, 64, 128, 256, 512, 1024});
  }
  return products;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Stages that a block has room for: rows of A and B with 128 bytes each, and
/// what is beside the ring.
static int64_t fitStages(const Tiling &tiling, int64_t consumers,
                         int64_t extraRows, int64_t sharedBytes) {
  constexpr int64_t kRowBytes = 128, kBeside = 1024;
  int64_t rows = tiling.swapped ? llvm::alignTo(tiling.rows, 16)
                                : llvm::alignTo(tiling.rows + extraRows, 32);
  int64_t staging =
      (extraRows || tiling.swapped ? 1 : 2) * 4 * 2048 * consumers;
  int64_t partial = tiling.splitsK > 1 ? tiling.rows * tiling.columns * 4 : 0;
  int64_t room = sharedBytes - kBeside - staging - partial;
  return std::clamp<int64_t>(room / ((rows + tiling.columns) * kRowBytes), 1,
                             tiling.stages);
}

static std::string writePlan(const Site &site, const Tiling &tiling,
                             int64_t sharedBytes) {
  constexpr int64_t kExtraRows = 24;
  bool isGrouped = site.family == Family::Grouped;
  int64_t extraRows = isGrouped && !tiling.swapped ? kExtraRows : 0,
          consumers = tiling.getConsumers(isGrouped);
  std::string text = llvm::formatv(
      "<family = {0}, tile = [{1}, {2}], stages = {3}, consumers = {4}",
      getName(site.family), tiling.rows, tiling.columns,
      fitStages(tiling, consumers, extraRows, sharedBytes), consumers);
  if (tiling.splitsK > 1)
    text += llvm::formatv(", split_k = {0}", tiling.splitsK);
  if (tiling.swapped)
    text += ", swap_ab = true";
  else if (isGrouped)
    text += llvm::formatv(", swap_tails = true, extra_rows = {0}", extraRows);
  if (!tiling.swapped)
    text += ", tma_store = true";
  if (isGrouped)
    text += ", dynamic = true";
  return text + ">";
}

std::string mlir::pit::tune::writeProgram(const Site &site,
                                          const Tiling &tiling,
                                          int64_t sharedBytes) {
  std::string plan = writePlan(site, tiling, sharedBytes);
  if (site.family == Family::Gemm)
    return llvm::formatv(R"(
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: memref<?x{1}xbf16>, %b: memref<{1}x{0}xbf16>,
                %c: memref<?x{0}xbf16>) {{
  pit.contract dense
      ins(%a, %b : memref<?x{1}xbf16>, memref<{1}x{0}xbf16>)
      outs(%c : memref<?x{0}xbf16>)
      plan {2}
      {{indexing_maps = [#mk, #kn, #mn],
       listed = array<i1: false, false, false>}
  return
}
)",
                         site.n, site.k, plan);
  return llvm::formatv(R"(
#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, {3}], coordinate = 0, tile = [1, 1],
                                      width = 32>>
func.func @main(%a: memref<?x{1}xbf16>, %b: memref<{3}x{1}x{0}xbf16>,
                %offsets: memref<{4}xi64>, %rows: memref<?xi32>,
                %c: memref<?x{0}xbf16>) {{
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x{1}xbf16>
  %i = pit.assemble %offsets, %rows extents(%m)
      : memref<{4}xi64>, memref<?xi32> -> !lists
  pit.contract segments over(%i : !lists)
      ins(%a, %b : memref<?x{1}xbf16>, memref<{3}x{1}x{0}xbf16>)
      outs(%c : memref<?x{0}xbf16>)
      plan {2}
      {{indexing_maps = [#smk, #skn, #smn],
       listed = array<i1: false, false, false>}
  return
}
)",
                       site.n, site.k, plan, site.batches, site.batches + 1);
}

std::string mlir::pit::tune::writeCopy() {
  return R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: memref<?x4096xf32>, %b: memref<?x4096xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x4096xf32>) outs(%b : memref<?x4096xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %one : f32
    linalg.yield %s : f32
  }
  return
}
)";
}
