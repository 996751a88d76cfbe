//===- Cases.cpp - What is tried, each in a process of its own ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
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

/// A process that leaves no core, with a pipe to this one.
static pid_t forkWithPipe(int (&ends)[2]) {
  std::fflush(nullptr);
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) {
    std::perror("fork");
    std::exit(2);
  }
  if (child == 0) {
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
  }
  return child;
}

/// One line, so that what a process has said can be told apart.
static void answer(int file, std::string text) {
  text.resize(text.size() < 400 ? text.size() : 400);
  for (char &character : text)
    if (character == '\n')
      character = ' ';
  text += '\n';
  if (::write(file, text.data(), text.size()) != ssize_t(text.size()))
    _exit(3);
}

void Cases::count(const Entry &entry, const std::string &difference) {
  Family &counts = families[entry.family];
  ++counts.cases;
  ++counts.outcomes[entry.outcome];
  if (difference.empty())
    return;
  ++counts.failures;
  std::printf("%s: %s: expected '%s': %s\n", entry.family.c_str(),
              entry.name.c_str(), entry.outcome.c_str(), difference.c_str());
}

void Cases::run(const std::string &family, const std::string &name,
                const std::string &outcome, const Body &body, Process process) {
  if ((family + ": " + name).find(filter) == std::string::npos)
    return;
  if (mode == Mode::List) {
    list.push_back({family, name, outcome, process});
    return;
  }
  if (mode == Mode::Part) {
    size_t number = next++;
    if (number < first || number >= last)
      return;
    // The first case of a process also begins with the device.
    alarm(30);
    answer(answers, body());
    return;
  }
  int ends[2];
  pid_t child = forkWithPipe(ends);
  if (child == 0) {
    alarm(10);
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
  count({family, name, outcome, process}, difference);
}

//===----------------------------------------------------------------------===//
// Many cases in one process
//===----------------------------------------------------------------------===//

struct Cases::Batch {
  pid_t child;
  int answers;
  size_t next, last;
  std::string text;
};

Cases::Batch Cases::start(const std::function<void(Cases &)> &enumerate,
                          size_t first, size_t last) {
  int ends[2];
  pid_t child = forkWithPipe(ends);
  if (child == 0) {
    Cases part(filter);
    part.mode = Mode::Part;
    part.first = first;
    part.last = last;
    part.answers = ends[1];
    enumerate(part);
    _exit(0);
  }
  close(ends[1]);
  return {child, ends[0], first, last, ""};
}

void Cases::runInBatches(const std::function<void(Cases &)> &enumerate,
                         int jobs, int perProcess) {
  Cases all(filter);
  all.mode = Mode::List;
  enumerate(all);
  const std::vector<Entry> &entries = all.list;
  // Parts that are still to begin, the first one last.
  std::vector<std::pair<size_t, size_t>> parts;
  for (size_t i = 0; i < entries.size();) {
    size_t end = i + 1;
    while (entries[i].process == Process::Shared && end < entries.size() &&
           entries[end].process == Process::Shared &&
           end - i < size_t(perProcess))
      ++end;
    parts.emplace_back(i, end);
    i = end;
  }
  std::reverse(parts.begin(), parts.end());
  std::vector<Batch> running;
  while (!parts.empty() || !running.empty()) {
    while (!parts.empty() && running.size() < size_t(jobs)) {
      auto [first, last] = parts.back();
      parts.pop_back();
      running.push_back(start(enumerate, first, last));
    }
    std::vector<pollfd> files;
    for (const Batch &batch : running)
      files.push_back({batch.answers, POLLIN, 0});
    poll(files.data(), nfds_t(files.size()), -1);
    for (size_t i = running.size(); i-- > 0;) {
      if (!files[i].revents)
        continue;
      Batch &batch = running[i];
      char buffer[4096];
      ssize_t got = read(batch.answers, buffer, sizeof buffer);
      if (got > 0) {
        batch.text.append(buffer, size_t(got));
        size_t line;
        while ((line = batch.text.find('\n')) != std::string::npos) {
          count(entries[batch.next++], batch.text.substr(0, line));
          batch.text.erase(0, line + 1);
        }
        continue;
      }
      int status = 0;
      close(batch.answers);
      waitpid(batch.child, &status, 0);
      if (batch.next < batch.last) {
        count(entries[batch.next], describe(status));
        if (batch.next + 1 < batch.last)
          parts.emplace_back(batch.next + 1, batch.last);
      }
      running.erase(running.begin() + long(i));
    }
  }
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
