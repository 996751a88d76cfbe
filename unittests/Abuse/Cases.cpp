//===- Cases.cpp - What is tried, each in a process of its own ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pit::abuse;

Guarded::Guarded(size_t bytes, bool atEnd) {
  auto page = size_t(sysconf(_SC_PAGESIZE));
  pageBytes = (bytes + page - 1) / page * page;
  if (pageBytes == 0)
    pageBytes = page;
  void *area = mmap(nullptr, pageBytes + 2 * page, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  pages = static_cast<char *>(area) + page;
  if (mprotect(pages, pageBytes, PROT_READ | PROT_WRITE) != 0) {
    std::perror("mprotect");
    std::exit(2);
  }
  memory = atEnd ? pages + pageBytes - bytes : pages;
}

void Guarded::protect() {
  if (mprotect(pages, pageBytes, PROT_READ) != 0) {
    std::perror("mprotect");
    std::exit(2);
  }
}

static std::string describe(int status) {
  if (WIFSIGNALED(status))
    return std::string("signal ") + strsignal(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

void Cases::run(const std::string &family, const std::string &name,
                const std::string &outcome, const Body &body) {
  if ((family + ": " + name).find(filter) == std::string::npos)
    return;
  int ends[2];
  std::fflush(nullptr);
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) {
    std::perror("fork");
    std::exit(2);
  }
  if (child == 0) {
    alarm(10);
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::string answer = body();
    answer.resize(answer.size() < 400 ? answer.size() : 400);
    ssize_t written = ::write(ends[1], answer.data(), answer.size());
    _exit(written == ssize_t(answer.size()) ? 0 : 3);
  }
  close(ends[1]);
  std::string difference;
  char buffer[512];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    difference.append(buffer, size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0)
    difference = describe(status);
  Family &counts = families[family];
  ++counts.cases;
  ++counts.outcomes[outcome];
  if (difference.empty())
    return;
  ++counts.failures;
  std::printf("%s: %s: expected '%s': %s\n", family.c_str(), name.c_str(),
              outcome.c_str(), difference.c_str());
}

int Cases::numCases() const {
  int sum = 0;
  for (const auto &[name, family] : families)
    sum += family.cases;
  return sum;
}

int Cases::numFailures() const {
  int sum = 0;
  for (const auto &[name, family] : families)
    sum += family.failures;
  return sum;
}

void Cases::print() const {
  for (const auto &[name, family] : families) {
    std::printf("%s: %d cases", name.c_str(), family.cases);
    for (const auto &[outcome, times] : family.outcomes)
      std::printf(", %d %s", times, outcome.c_str());
    std::printf("\n");
  }
  std::printf("%d cases, %d failures\n", numCases(), numFailures());
}

bool Cases::write(const std::string &path) const {
  FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return false;
  std::fprintf(file, "{\n \"schema\": \"pit-abuse\",\n \"version\": 1,\n");
  std::fprintf(file, " \"cases\": %d,\n \"failures\": %d,\n \"families\": {",
               numCases(), numFailures());
  const char *separator = "\n";
  for (const auto &[name, family] : families) {
    std::fprintf(file, "%s  \"%s\": {\"cases\": %d, \"failures\": %d",
                 separator, name.c_str(), family.cases, family.failures);
    for (const auto &[outcome, times] : family.outcomes)
      std::fprintf(file, ", \"%s\": %d", outcome.c_str(), times);
    std::fprintf(file, "}");
    separator = ",\n";
  }
  std::fprintf(file, "\n }\n}\n");
  return std::fclose(file) == 0;
}
