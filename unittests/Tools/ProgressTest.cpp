//===- ProgressTest.cpp - Tests of what pit-run says while it works -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "gtest/gtest.h"

#include <future>

using namespace pit::run;

namespace {

StepTeller::Time at(double seconds) { return StepTeller::Time(seconds); }

TEST(ProgressTest, ShortStepsAreNotTold) {
  StepTeller teller(at(2));
  EXPECT_FALSE(teller.isActive());
  EXPECT_EQ(teller.tell(at(50)), "");
  teller.begin("compiling", 0, at(100));
  EXPECT_EQ(teller.getNext(), at(102));
  EXPECT_EQ(teller.tell(at(101.9)), "");
  // The next step has its own time.
  teller.begin("running", 0, at(101.9));
  EXPECT_EQ(teller.tell(at(103.8)), "");
  teller.end();
  EXPECT_EQ(teller.tell(at(200)), "");
}

TEST(ProgressTest, LongStepsAreToldEverLessOften) {
  StepTeller teller(at(2));
  teller.begin("compiling", 0, at(100));
  EXPECT_EQ(teller.tell(at(102)), "compiling (since 2 s)");
  EXPECT_EQ(teller.tell(at(102)), "");
  EXPECT_EQ(teller.getNext(), at(104));
  EXPECT_EQ(teller.tell(at(104.5)), "compiling (since 4 s)");
  EXPECT_EQ(teller.getNext(), at(108));
  // Who asks late hears it once.
  EXPECT_EQ(teller.tell(at(140)), "compiling (since 40 s)");
  EXPECT_EQ(teller.tell(at(140)), "");
  EXPECT_EQ(teller.getNext(), at(164));
}

TEST(ProgressTest, CountsSayWhereTheyAre) {
  StepTeller teller(at(2));
  teller.begin("timing run", 20, at(0));
  teller.advance();
  teller.advance();
  EXPECT_EQ(teller.tell(at(2.5)), "timing run 3 of 20 (since 2 s)");
  teller.begin("comparing", 0, at(3));
  EXPECT_EQ(teller.tell(at(5)), "comparing (since 2 s)");
}

TEST(ProgressTest, EverythingIsToldAtOnceWithoutAThreshold) {
  StepTeller teller(at(0));
  teller.begin("timing run", 2, at(7));
  EXPECT_EQ(teller.tell(at(7)), "timing run 1 of 2");
  teller.advance();
  EXPECT_EQ(teller.tell(at(7)), "timing run 2 of 2");
}

/// Lines that a step printed.
std::string say(std::optional<double> threshold) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(threshold);
    progress.begin("compiling");
    progress.begin("timing run", 2);
    progress.advance();
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, LinesGoToStderr) {
  EXPECT_EQ(say(0.0), "pit-run: compiling\npit-run: timing run 1 of 2\n"
                      "pit-run: timing run 2 of 2\n");
  EXPECT_EQ(say(std::nullopt), "");
  // An hour, and a time that no clock counts, end with the run.
  EXPECT_EQ(say(3600), "");
  EXPECT_EQ(say(1e300), "");
}

TEST(ProgressTest, AStepIsToldWhileItLasts) {
  std::promise<std::string> said;
  std::once_flag once;
  Progress progress(1e-6, [&](const std::string &line) {
    std::call_once(once, [&] { said.set_value(line); });
  });
  progress.begin("compiling");
  // The step lasts until it is told.
  EXPECT_EQ(said.get_future().get().find("compiling"), 0u);
}

} // namespace
