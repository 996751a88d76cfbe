//===- RegionAnalysisTest.cpp - Absent operands in scalar bodies ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

using Values = SmallVector<std::optional<AbstractScalar>>;

class RegionAnalysisTest : public ::testing::Test {
protected:
  RegionAnalysisTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }

  /// A `linalg.generic` over one axis with `inputs` inputs of element type
  /// `type`, one output without axes, and the given body, which yields `%r` and
  /// names its arguments `%a`, `%b`, `%c`, ... and `%acc`. `%n` is captured.
  linalg::GenericOp parse(unsigned inputs, StringRef body,
                          StringRef type = "f32", StringRef capture = "f32") {
    std::string args, names, types, maps, scalars;
    for (unsigned i = 0; i < inputs; ++i) {
      std::string name = "%t" + std::to_string(i);
      std::string tensor = ("tensor<?x" + type + ">").str();
      args += ", " + name + ": " + tensor;
      names += (i ? ", " : "") + name;
      types += (i ? ", " : "") + tensor;
      maps += "affine_map<(d0) -> (d0)>, ";
      scalars += std::string("%") + char('a' + i) + ": " + type.str() + ", ";
    }
    std::string source =
        ("func.func @f(%n: " + capture + ", %out: tensor<" + type + ">" + args +
         ") -> tensor<" + type +
         "> {\n %0 = linalg.generic {indexing_maps = [" + maps +
         "affine_map<(d0) -> ()>], iterator_types = [\"reduction\"]}" +
         (inputs ? " ins(" + names + " : " + types + ")" : std::string()) +
         " outs(%out : tensor<" + type + ">) {\n ^bb0(" + scalars +
         "%acc: " + type + "):\n" + body + "\n linalg.yield %r : " + type +
         "\n } -> tensor<" + type + ">\n return %0 : tensor<" + type + ">\n}\n")
            .str();
    module = parseSourceString<ModuleOp>(source, &context);
    linalg::GenericOp result;
    if (module)
      module->walk([&](linalg::GenericOp op) { result = op; });
    return result;
  }

  /// What the body yields, in words.
  std::string interpret(linalg::GenericOp op, const Values &values,
                        bool finite = true, bool maskConstants = false) {
    if (!op)
      return "parse error";
    std::string before, after, result;
    llvm::raw_string_ostream(before) << *module;
    SmallVector<AbstractScalar> yielded = interpretBody(
        *op.getBlock(), op.getNumDpsInputs(), values, finite, maskConstants);
    llvm::raw_string_ostream(after) << *module;
    EXPECT_EQ(before, after) << "the analysis changed the program";
    llvm::raw_string_ostream os(result);
    for (const AbstractScalar &value : yielded)
      value.print(os);
    return result;
  }

  AbstractScalar number(double value, StringRef type = "f32") {
    return AbstractScalar::getConstant(
        cast<TypedAttr>(FloatAttr::get(parseType(type, &context), value)));
  }
  AbstractScalar integer(int64_t value, StringRef type) {
    return AbstractScalar::getConstant(
        cast<TypedAttr>(IntegerAttr::get(parseType(type, &context), value)));
  }
  AbstractScalar negInf() {
    return number(-std::numeric_limits<double>::infinity());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr const char *kZero = "constant 0.000000e+00 : f32";
constexpr const char *kNegInf = "constant 0xFF800000 : f32";

constexpr const char *kMulAdd = "%0 = arith.mulf %a, %b : f32\n"
                                "%r = arith.addf %acc, %0 : f32";

TEST_F(RegionAnalysisTest, ZeroFactorLeavesTheAccumulator) {
  linalg::GenericOp op = parse(2, kMulAdd);
  EXPECT_EQ(interpret(op, {number(0.0)}), "accumulator #0");
  EXPECT_EQ(interpret(op, {std::nullopt, number(-0.0)}), "accumulator #0");
  EXPECT_EQ(interpret(op, {}), "depends on {0, 1, 2}");
  EXPECT_EQ(interpret(op, {number(2.0)}), "depends on {1, 2}");
  EXPECT_EQ(interpret(op, {AbstractScalar::getUndef()}), "undef");
}

TEST_F(RegionAnalysisTest, WithoutTheFiniteLicenceZeroDoesNotAnnihilate) {
  linalg::GenericOp op = parse(2, kMulAdd);
  EXPECT_EQ(interpret(op, {number(0.0)}, /*finite=*/false),
            "depends on {1, 2}");
  EXPECT_EQ(interpret(op, {number(0.0), number(3.0)}, /*finite=*/false),
            "accumulator #0");
}

TEST_F(RegionAnalysisTest, FusedMultiplyAdd) {
  linalg::GenericOp op = parse(2, "%r = math.fma %a, %b, %acc : f32");
  EXPECT_EQ(interpret(op, {number(0.0)}), "accumulator #0");
  EXPECT_EQ(interpret(op, {}), "depends on {0, 1, 2}");
  // The product is NaN, as for separate operations.
  EXPECT_EQ(interpret(op, {number(0.0), negInf()}), "depends on {2}");
  EXPECT_EQ(interpret(op, {negInf(), number(0.0)}), "depends on {2}");
}

TEST_F(RegionAnalysisTest, ActivationsAtZero) {
  EXPECT_EQ(interpret(parse(1, "%z = arith.constant 0.0 : f32\n"
                               "%r = arith.maximumf %a, %z : f32"),
                      {number(0.0)}),
            kZero);
  EXPECT_EQ(interpret(parse(1, "%z = arith.constant 0.0 : f32\n"
                               "%p = arith.cmpf ugt, %a, %z : f32\n"
                               "%r = arith.select %p, %a, %z : f32"),
                      {number(0.0)}),
            kZero);
  const char *silu = "%one = arith.constant 1.0 : f32\n"
                     "%m = arith.negf %a : f32\n"
                     "%e = math.exp %m : f32\n"
                     "%d = arith.addf %e, %one : f32\n"
                     "%r = arith.divf %a, %d : f32";
  EXPECT_EQ(interpret(parse(1, silu), {number(0.0)}), kZero);
}

TEST_F(RegionAnalysisTest, ActivationsOfNarrowTypes) {
  const char *gelu = "%one = arith.constant 1.0 : bf16\n"
                     "%half = arith.constant 0.5 : bf16\n"
                     "%e = math.erf %a : bf16\n"
                     "%s = arith.addf %e, %one : bf16\n"
                     "%h = arith.mulf %a, %half : bf16\n"
                     "%r = arith.mulf %h, %s : bf16";
  EXPECT_EQ(interpret(parse(1, gelu, "bf16"), {number(0.0, "bf16")}),
            "constant 0.000000e+00 : bf16");
}

TEST_F(RegionAnalysisTest, BiasReplacesZero) {
  linalg::GenericOp op = parse(2, "%r = arith.addf %a, %b : f32");
  EXPECT_EQ(interpret(op, {number(0.0)}), "depends on {1}");
  EXPECT_EQ(interpret(op, {negInf()}), kNegInf);
  EXPECT_EQ(interpret(op, {negInf()}, /*finite=*/false), "depends on {1}");
}

TEST_F(RegionAnalysisTest, SoftmaxOfMaskedScores) {
  linalg::GenericOp exp = parse(2, "%0 = arith.subf %a, %b : f32\n"
                                   "%r = math.exp %0 : f32");
  EXPECT_EQ(interpret(exp, {negInf()}), kZero);
  linalg::GenericOp max = parse(1, "%r = arith.maximumf %a, %acc : f32");
  EXPECT_EQ(interpret(max, {negInf()}), "accumulator #0");
  EXPECT_EQ(interpret(max, {negInf()}, /*finite=*/false), "accumulator #0");
  linalg::GenericOp maxnum = parse(1, "%r = arith.maxnumf %a, %acc : f32");
  EXPECT_EQ(interpret(maxnum, {negInf()}), "accumulator #0");
  EXPECT_EQ(interpret(maxnum, {negInf()}, /*finite=*/false), "depends on {1}");
  linalg::GenericOp sum = parse(1, "%r = arith.addf %a, %acc : f32");
  EXPECT_EQ(interpret(sum, {number(0.0)}), "accumulator #0");
}

TEST_F(RegionAnalysisTest, ZeroDividedNotesItsDivisor) {
  linalg::GenericOp op = parse(2, "%r = arith.divf %a, %b : f32");
  EXPECT_EQ(interpret(op, {number(0.0)}),
            "constant 0.000000e+00 : f32, divided by {1}");
  EXPECT_EQ(interpret(op, {number(0.0), number(2.0)}), kZero);
  EXPECT_EQ(interpret(op, {number(0.0)}, /*finite=*/false), "depends on {1}");
  EXPECT_EQ(interpret(parse(1, "%r = arith.divf %a, %n : f32"), {number(0.0)}),
            "constant 0.000000e+00 : f32, divided by {2}");
}

TEST_F(RegionAnalysisTest, ASelectNotesDivisorsOfBothArms) {
  // Both arms are zero, whichever is chosen; so the divisor of either counts.
  linalg::GenericOp op = parse(2, "%d = arith.divf %a, %b : f32\n"
                                  "%c = arith.cmpf ogt, %n, %b : f32\n"
                                  "%r = arith.select %c, %a, %d : f32");
  EXPECT_EQ(interpret(op, {number(0.0)}),
            "constant 0.000000e+00 : f32, divided by {1}");
  // An arm that is not chosen divides by nothing.
  op = parse(2, "%d = arith.divf %a, %b : f32\n"
                "%c = arith.constant true\n"
                "%r = arith.select %c, %a, %d : f32");
  EXPECT_EQ(interpret(op, {number(0.0)}), kZero);
}

TEST_F(RegionAnalysisTest, Selects) {
  linalg::GenericOp op =
      parse(2, "%r = arith.select %n, %a, %b : f32", "f32", "i1");
  EXPECT_EQ(interpret(op, {}), "depends on {0, 1}");
  EXPECT_EQ(interpret(op, {number(0.0), number(0.0)}), kZero);
  // The other arm may be chosen, so one undef arm leaves the result defined.
  EXPECT_EQ(interpret(op, {number(0.0), AbstractScalar::getUndef()}),
            "depends on {}");
  EXPECT_EQ(
      interpret(op, {AbstractScalar::getUndef(), AbstractScalar::getUndef()}),
      "undef");
  linalg::GenericOp chosen = parse(1, "%t = arith.constant true\n"
                                      "%r = arith.select %t, %acc, %a : f32");
  EXPECT_EQ(interpret(chosen, {AbstractScalar::getUndef()}), "accumulator #0");
}

TEST_F(RegionAnalysisTest, MaskConstantsReadAsNegativeInfinity) {
  linalg::GenericOp op = parse(2, "%m = arith.constant -3.40282347E+38 : f32\n"
                                  "%0 = arith.mulf %b, %m : f32\n"
                                  "%r = arith.addf %a, %0 : f32");
  EXPECT_EQ(interpret(op, {std::nullopt, number(1.0)}), "depends on {0}");
  EXPECT_EQ(interpret(op, {std::nullopt, number(1.0)}, /*finite=*/true,
                      /*maskConstants=*/true),
            kNegInf);
}

TEST_F(RegionAnalysisTest, Integers) {
  EXPECT_EQ(interpret(parse(2,
                            "%0 = arith.muli %a, %b : i32\n"
                            "%r = arith.addi %0, %acc : i32",
                            "i32", "i32"),
                      {integer(0, "i32")}),
            "accumulator #0");
  EXPECT_EQ(interpret(parse(1, "%r = arith.ori %acc, %a : i1", "i1"),
                      {integer(0, "i1")}),
            "accumulator #0");
  EXPECT_EQ(interpret(parse(2, "%r = arith.divsi %a, %b : i32", "i32", "i32"),
                      {integer(0, "i32")}),
            "constant 0 : i32");
}

TEST_F(RegionAnalysisTest, PositionsAndCapturedValues) {
  EXPECT_EQ(interpret(parse(1, "%i = linalg.index 0 : index\n"
                               "%j = arith.index_cast %i : index to i32\n"
                               "%x = arith.sitofp %j : i32 to f32\n"
                               "%r = arith.mulf %a, %x : f32"),
                      {}),
            "depends on {0}, axes {0}");
  EXPECT_EQ(interpret(parse(1, "%r = arith.addf %a, %n : f32"), {number(0.0)}),
            "depends on {}");
}

TEST_F(RegionAnalysisTest, AxesWithoutTheAttachedInterface) {
  linalg::GenericOp op = parse(2, kMulAdd);
  ASSERT_TRUE(op);
  ASSERT_FALSE(isa<PITAxisOpInterface>(op.getOperation()));
  FailureOr<SmallVector<AxisInfo>> axes = inferPITAxes(op.getOperation());
  ASSERT_TRUE(succeeded(axes));
  ASSERT_EQ(axes->size(), 1u);
  EXPECT_EQ(axes->front().str(), "reduction");
  EXPECT_TRUE(failed(inferPITAxes(module->getOperation())));

  DialectRegistry registry;
  registerPITAxisOpInterfaceExternalModels(registry);
  context.appendDialectRegistry(registry);
  EXPECT_TRUE(isa<PITAxisOpInterface>(op.getOperation()));
}

} // namespace
