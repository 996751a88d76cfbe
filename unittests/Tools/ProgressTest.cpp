//===- ProgressTest.cpp - Tests of what tools report while they work ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fcntl.h>
#include <future>
#include <unistd.h>

using namespace pit::tools;

namespace {

StepReporter::Time at(double seconds) { return StepReporter::Time(seconds); }

TEST(ProgressTest, ShortStepsAreNotReported) {
  StepReporter reporter(at(2));
  EXPECT_FALSE(reporter.isActive());
  EXPECT_EQ(reporter.report(at(50)), "");
  reporter.begin("compiling", 0, at(100));
  EXPECT_EQ(reporter.getNext(), at(102));
  EXPECT_EQ(reporter.report(at(101.9)), "");
  // The next step has its own time.
  reporter.begin("running", 0, at(101.9));
  EXPECT_EQ(reporter.report(at(103.8)), "");
  reporter.end();
  EXPECT_EQ(reporter.report(at(200)), "");
}

TEST(ProgressTest, LongStepsAreReportedEverLessOften) {
  StepReporter reporter(at(2));
  reporter.begin("compiling", 0, at(100));
  EXPECT_EQ(reporter.report(at(102)), "compiling (since 2 s)");
  EXPECT_EQ(reporter.report(at(102)), "");
  EXPECT_EQ(reporter.getNext(), at(104));
  EXPECT_EQ(reporter.report(at(104.5)), "compiling (since 4 s)");
  EXPECT_EQ(reporter.getNext(), at(108));
  // Who asks late hears it once.
  EXPECT_EQ(reporter.report(at(140)), "compiling (since 40 s)");
  EXPECT_EQ(reporter.report(at(140)), "");
  EXPECT_EQ(reporter.getNext(), at(164));
}

TEST(ProgressTest, CountsSayWhereTheyAre) {
  StepReporter reporter(at(2));
  reporter.begin("timing run", 20, at(0));
  reporter.advance();
  reporter.advance();
  EXPECT_EQ(reporter.report(at(2.5)), "timing run 3 of 20 (since 2 s)");
  reporter.begin("comparing", 0, at(3));
  EXPECT_EQ(reporter.report(at(5)), "comparing (since 2 s)");
}

TEST(ProgressTest, EverythingIsReportedAtOnceWithoutAThreshold) {
  StepReporter reporter(at(0));
  reporter.begin("timing run", 2, at(7));
  EXPECT_EQ(reporter.report(at(7)), "timing run 1 of 2");
  reporter.advance();
  EXPECT_EQ(reporter.report(at(7)), "timing run 2 of 2");
}

/// Lines that a step printed.
std::string say(std::optional<double> threshold) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(threshold, "pit-tool");
    progress.begin("compiling");
    progress.begin("timing run", 2);
    progress.advance();
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, LinesGoToStderr) {
  EXPECT_EQ(say(0.0), "pit-tool: compiling\npit-tool: timing run 1 of 2\n"
                      "pit-tool: timing run 2 of 2\n");
  EXPECT_EQ(say(std::nullopt), "");
  // An hour, and a time that no clock counts, end with the run.
  EXPECT_EQ(say(3600), "");
  EXPECT_EQ(say(1e300), "");
}

/// The default where stderr is `file`, which is closed.
std::optional<double> getDefaultOn(int file) {
  int saved = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  std::optional<double> threshold = getDefaultThreshold();
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(file);
  return threshold;
}

TEST(ProgressTest, TerminalsHaveADefaultAndFilesHaveNone) {
  EXPECT_EQ(getDefaultOn(open("/dev/null", O_WRONLY)), std::nullopt);
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  int user = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(user, 0);
  EXPECT_EQ(getDefaultOn(user), 2.0);
  close(terminal);
}

TEST(ProgressTest, AStepIsReportedWhileItLasts) {
  std::promise<std::string> said;
  std::once_flag once;
  Progress progress(1e-6, [&](const std::string &line) {
    std::call_once(once, [&] { said.set_value(line); });
  });
  progress.begin("compiling");
  // The step lasts until it is reported.
  EXPECT_EQ(said.get_future().get().find("compiling"), 0u);
}

} // namespace
