//===- RemarksTest.cpp - Remarks, refusals and explanations ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/Explain.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

struct RemarksTest : testing::Test {
  RemarksTest() : module(ModuleOp::create(place("a.mlir", 3))) {}

  Location place(StringRef file, unsigned line) {
    return FileLineColLoc::get(&context, file, line, 1);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RemarksTest, FirstPlaceOfALocation) {
  Location unknown = UnknownLoc::get(&context);
  Location named =
      NameLoc::get(StringAttr::get(&context, "y"), place("b.mlir", 7));
  Location fused = FusedLoc::get(&context, {unknown, named, place("c", 1)});
  EXPECT_EQ(remarks::spell(fused), "b.mlir:7:1");
  EXPECT_EQ(remarks::getFileLocation(fused), place("b.mlir", 7));
  EXPECT_EQ(remarks::getFileLocation(unknown), unknown);
  EXPECT_EQ(remarks::spell(unknown), "an unknown place");
  Location call = CallSiteLoc::get(unknown, place("caller.mlir", 2));
  EXPECT_EQ(remarks::spell(call), "caller.mlir:2:1");
}

TEST_F(RemarksTest, NothingIsKeptWhereNobodyListens) {
  Refusals refusals(*module);
  MatchLog log(refusals, "a family");
  EXPECT_FALSE(bool(log));
  LogicalResult result = log.refuse("a reason");
  EXPECT_TRUE(failed(result));
  EXPECT_TRUE(refusals.get().empty());
  EXPECT_FALSE(bool(remarks::passed(*module, remarks::kKernels, "kernel")));
}

TEST_F(RemarksTest, LastReasonFirstAndOnce) {
  PassManager passes(&context);
  auto explanation = std::make_shared<Explanation>();
  explainPasses(passes, explanation);
  Refusals refusals(*module);
  MatchLog first(refusals, "first"), second(refusals, "second");
  (void)first.refuse("shared");
  FailureOr<int> number = first.refuse("of the first", "another one");
  std::optional<int> none = second.refuse("shared");
  (void)second.pass();
  EXPECT_TRUE(failed(number));
  EXPECT_FALSE(none.has_value());
  ASSERT_EQ(refusals.get().size(), 2u);
  EXPECT_EQ(refusals.get()[1].families.size(), 2u);
  refusals.tell(*module, "a kernel", "loops");
  remarks::kernel(*module, "loops");

  std::string text;
  llvm::raw_string_ostream os(text);
  explanation->print(os);
  EXPECT_EQ(text, "a.mlir:3:1 made by passes\n"
                  "  - kernels   not a kernel; tried next: loops\n"
                  "              because second, first: shared\n"
                  "              because first: of the first\n"
                  "              to change it: another one\n"
                  "  + kernels   loops\n"
                  "0 ops, 0 unexplained\n");
  EXPECT_EQ(explanation->getFamilies("a.mlir:3:1"),
            SmallVector<StringRef>{"loops"});
  EXPECT_TRUE(explanation->getFamilies("a.mlir:4:1").empty());
}

TEST_F(RemarksTest, RefusalsWithoutReasonsTellNothing) {
  PassManager passes(&context);
  auto explanation = std::make_shared<Explanation>();
  explainPasses(passes, explanation);
  Refusals(*module).tell(*module, "a kernel", "loops");
  std::string text;
  llvm::raw_string_ostream os(text);
  explanation->print(os);
  EXPECT_EQ(text, "");
}

} // namespace
