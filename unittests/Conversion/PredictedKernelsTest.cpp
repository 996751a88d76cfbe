//===- PredictedKernelsTest.cpp - Families as marks promise them ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that choose micro-tiles of marks take the catalog's word for which
// family will compute a product. Here, programs go all the way to plans, and
// the family there must be the one that was predicted, or none.
//
//===----------------------------------------------------------------------===//

#include "Dialect/PIT/Transforms/Marks/MarkedProducts.h"

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/InitAllDialects.h"
#include "PIT/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

enum class Epilogue { Rounding, Before, After };

struct Case {
  int64_t rows, depth; ///< Of a micro-tile.
  bool isMasked = false, marksB = false;
  /// Stored [k, m] and [n, k].
  bool turnsA = false, turnsB = false;
  int64_t m = 512, n = 512, k = 1024;
  const char *type = "bf16";
  Epilogue epilogue = Epilogue::Rounding;
};

std::string spellType(ArrayRef<int64_t> extents, StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += ShapedType::isDynamic(extent) ? "?x" : std::to_string(extent) + "x";
  return text + element.str() + ">";
}

std::string spellElementwise(StringRef name, StringRef input, StringRef from,
                             StringRef to, bool relu, const Case &c) {
  std::string body;
  std::string source = spellType({c.m, c.n}, from),
              result = spellType({c.m, c.n}, to);
  std::string value = "%x";
  if (relu) {
    body += "%z0 = arith.constant 0.0 : " + from.str() + "\n";
    body += "%v0 = arith.maximumf %x, %z0 : " + from.str() + "\n";
    value = "%v0";
  }
  if (from != to) {
    body += "%v1 = arith.truncf " + value + " : " + from.str() + " to " +
            to.str() + "\n";
    value = "%v1";
  }
  std::string extents = ShapedType::isDynamic(c.m) ? "%dim" : "";
  return "%" + name.str() + "_e = tensor.empty(" + extents + ") : " + result +
         "\n%" + name.str() +
         " = linalg.generic {indexing_maps = [#id, #id], iterator_types = "
         "[\"parallel\", \"parallel\"]} ins(" +
         input.str() + " : " + source + ") outs(%" + name.str() +
         "_e : " + result + ") {\n^bb0(%x: " + from.str() +
         ", %o: " + to.str() + "):\n" + body + "linalg.yield " + value + " : " +
         to.str() + "\n} -> " + result + "\n";
}

std::string spell(const Case &c) {
  using Extents = SmallVector<int64_t, 2>;
  Extents extentsA = c.turnsA ? Extents{c.k, c.m} : Extents{c.m, c.k},
          extentsB = c.turnsB ? Extents{c.n, c.k} : Extents{c.k, c.n};
  std::string a = spellType(extentsA, c.type), b = spellType(extentsB, c.type);
  bool isF32 = StringRef(c.type) == "f32";
  std::string result = isF32 ? "bf16" : c.type;
  // Micro-tiles lie along the axes of what is marked.
  bool rowsFirst = c.marksB ? c.turnsB : !c.turnsA;
  Extents tile =
      rowsFirst ? Extents{c.rows, c.depth} : Extents{c.depth, c.rows};
  const Extents &marked = c.marksB ? extentsB : extentsA;
  Extents grid{
      int64_t(llvm::divideCeil(std::max<int64_t>(marked[0], 1), tile[0])),
      int64_t(llvm::divideCeil(std::max<int64_t>(marked[1], 1), tile[1]))};
  std::string mask = spellType(grid, "i1");
  std::string tiles = std::to_string(tile[0]) + ", " + std::to_string(tile[1]);
  std::string source = c.marksB ? "%b" : "%a", type = c.marksB ? b : a;
  std::string text = "#id = affine_map<(i, j) -> (i, j)>\n"
                     "#a = affine_map<(m, n, k) -> " +
                     std::string(c.turnsA ? "(k, m)" : "(m, k)") +
                     ">\n#b = affine_map<(m, n, k) -> " +
                     std::string(c.turnsB ? "(n, k)" : "(k, n)") +
                     ">\n#c = affine_map<(m, n, k) -> (m, n)>\n"
                     "func.func @main(%a: " +
                     a + ", %b: " + b + (c.isMasked ? ", %live: " + mask : "") +
                     ", %dim: index) -> " + spellType({c.m, c.n}, result) +
                     " {\n%zero = arith.constant 0.0 : f32\n";
  text += "%s = pit.sparse " + source +
          (c.isMasked ? " by(%live : " + mask + ") <kind = blocks"
                      : " <kind = values") +
          ", axes = [0, 1], tile = [" + tiles + "]> : " + type + "\n";
  std::string sums = spellType({c.m, c.n}, "f32");
  text += "%e = tensor.empty(" +
          std::string(ShapedType::isDynamic(c.m) ? "%dim" : "") +
          ") : " + sums +
          "\n%f = linalg.fill ins(%zero : f32) outs(%e : " + sums + ") -> " +
          sums + "\n";
  text += "%p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = "
          "[\"parallel\", \"parallel\", \"reduction\"]} ins(" +
          std::string(c.marksB ? "%a, %s" : "%s, %b") + " : " + a + ", " + b +
          ") outs(%f : " + sums + ") {\n^bb0(%x: " + c.type +
          ", %y: " + c.type + ", %z: f32):\n";
  if (isF32)
    text += "%0 = arith.mulf %x, %y : f32\n";
  else
    text += "%l = arith.extf %x : " + std::string(c.type) +
            " to f32\n%r = arith.extf %y : " + c.type +
            " to f32\n%0 = arith.mulf %l, %r : f32\n";
  text += "%1 = arith.addf %z, %0 : f32\nlinalg.yield %1 : f32\n} -> " + sums +
          "\n";
  text += spellElementwise("t", "%p", "f32", result,
                           c.epilogue == Epilogue::Before, c);
  std::string last = "%t";
  if (c.epilogue == Epilogue::After) {
    text += spellElementwise("u", "%t", result, result, /*relu=*/true, c);
    last = "%u";
  }
  return text + "return " + last + " : " + spellType({c.m, c.n}, result) +
         "\n}\n";
}

class PredictedKernelsTest : public testing::Test {
protected:
  PredictedKernelsTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// What passes on marks are given.
  std::string predict(ModuleOp module, const Case &c) {
    std::string family = "unmatched";
    module.walk([&](SparseOp mark) {
      auto products = matchMarkedProducts(mark);
      if (failed(products) || products->size() != 1)
        return;
      MarkedProduct marked = products->front();
      KernelCatalog catalog(*ChipTable::get().find("sm_90a"));
      MicroTile tile{c.rows, c.depth};
      CatalogAnswer answer =
          c.isMasked ? findKernelForGivenMicroTiles(catalog, tile, marked)
                     : catalog.find(marked.product, tile);
      family = answer.family ? getPlanName(*answer.family).str() : "none";
    });
    return family;
  }

  /// What is planned in the end.
  std::string plan(ModuleOp module) {
    PassManager pm(&context);
    PITToPTXOptions options;
    options.chip = "sm_90a";
    PITToCPUOptions shared;
    shared.copyProgramOptions(options);
    shared.widenSums = true;
    shared.tileSize = options.tileSize.getValue();
    buildLinalgToPITPipeline(pm, shared);
    pm.addNestedPass<func::FuncOp>(createPITSeparateStarts());
    shared.tilesOnBuffers = true;
    buildPITToBuffersPipeline(pm, shared, &options);
    pm.addPass(createPITFormKernels());
    pm.addPass(createPITPlanKernels());
    if (failed(pm.run(module)))
      return "failed";
    std::string family = "none";
    module.walk([&](ContractOp op) {
      PlanAttr planned = op.getPlanAttr();
      if (planned && op.getDomain() == ContractDomain::MicroTiles)
        family = stringifyKernelFamily(planned.getFamily()).str();
    });
    return family;
  }

  void check(const Case &c) {
    std::string text = spell(c);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    std::string predicted = predict(*module, c);
    std::string planned = plan(*module);
    EXPECT_EQ(predicted, planned) << text;
    ++counts[predicted];
  }
  /// Each way to store and mark operands.
  void checkLayouts(Case c) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      c.marksB = bits & 1;
      c.turnsA = bits & 2;
      c.turnsB = bits & 4;
      check(c);
    }
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  llvm::StringMap<unsigned> counts;
};

const MicroTile kTiles[] = {{1, 1},    {1, 64},  {2, 64},  {16, 1},  {32, 8},
                            {64, 16},  {8, 1},   {8, 64},  {24, 64}, {32, 64},
                            {40, 64},  {72, 64}, {96, 64}, {4, 64},  {32, 2},
                            {32, 32},  {32, 24}, {64, 64}, {12, 64}, {128, 128},
                            {256, 64}, {16, 192}};

TEST_F(PredictedKernelsTest, MicroTilesOfValues) {
  for (MicroTile tile : kTiles)
    checkLayouts({tile.rows, tile.depth});
  for (StringRef family :
       {"row_piece_spmm", "packed_spmm", "block_spmm", "none"})
    EXPECT_GT(counts[family], 0u) << family.str();
  EXPECT_EQ(counts["unmatched"], 0u);
}

TEST_F(PredictedKernelsTest, MicroTilesOfMasks) {
  for (MicroTile tile : kTiles) {
    Case c{tile.rows, tile.depth};
    c.isMasked = true;
    checkLayouts(c);
  }
  for (StringRef family :
       {"row_piece_spmm", "packed_spmm", "block_spmm", "none"})
    EXPECT_GT(counts[family], 0u) << family.str();
}

TEST_F(PredictedKernelsTest, ExtentsAndAlignment) {
  for (MicroTile tile :
       {MicroTile{1, 64}, {32, 16}, {32, 32}, {32, 64}, {16, 72}, {12, 64}})
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{512, 96, 1024},
                           {512, 100, 1024},
                           {512, 512, 1000},
                           {512, 512, 1004},
                           {512, 512, 384},
                           {512, 520, 1032},
                           {16, 512, 1024},
                           {8, 64, 64},
                           {12, 512, 72}}) {
      Case c{tile.rows, tile.depth};
      c.m = m, c.n = n, c.k = k;
      checkLayouts(c);
    }
}

TEST_F(PredictedKernelsTest, ElementsAndEpilogues) {
  for (MicroTile tile : {MicroTile{1, 64}, {32, 16}, {32, 64}})
    for (bool isMasked : {false, true})
      for (const char *type : {"bf16", "f16", "f32"})
        for (Epilogue epilogue :
             {Epilogue::Rounding, Epilogue::Before, Epilogue::After}) {
          Case c{tile.rows, tile.depth};
          c.isMasked = isMasked;
          c.type = type;
          c.epilogue = epilogue;
          checkLayouts(c);
          c.m = ShapedType::kDynamic;
          // Nobody knows how many blocks a mask has then.
          if (!isMasked)
            check(c);
        }
}

} // namespace
