//===- Worker.cpp - Processes that programs run in ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::pit::fuzz;

using Clock = std::chrono::steady_clock;

std::string mlir::pit::fuzz::encode(uint64_t seed, const Verdict &verdict,
                                    const Coverage &coverage) {
  llvm::json::Object counts;
  for (const auto &[what, times] : coverage)
    counts[what] = times;
  llvm::json::Value line =
      llvm::json::Object{{"seed", int64_t(seed)},
                         {"outcome", stringify(verdict.outcome)},
                         {"message", llvm::json::fixUTF8(verdict.message)},
                         {"compared", verdict.compared},
                         {"inexact", verdict.inexact},
                         {"exempt", verdict.exempt},
                         {"call", verdict.call},
                         {"last", verdict.isLast},
                         {"coverage", std::move(counts)}};
  std::string text;
  llvm::raw_string_ostream(text) << line << "\n";
  return text;
}

bool mlir::pit::fuzz::decode(StringRef line, uint64_t &seed, Verdict &verdict,
                             Coverage &coverage) {
  auto value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return false;
  seed = uint64_t(object->getInteger("seed").value_or(0));
  verdict.outcome = symbolizeOutcome(object->getString("outcome").value_or(""))
                        .value_or(Outcome::Crash);
  verdict.message = object->getString("message").value_or("").str();
  verdict.compared = object->getInteger("compared").value_or(0);
  verdict.inexact = object->getInteger("inexact").value_or(0);
  verdict.exempt = object->getInteger("exempt").value_or(0);
  verdict.call = object->getInteger("call").value_or(-1);
  verdict.isLast = object->getBoolean("last").value_or(false);
  if (const llvm::json::Object *counts = object->getObject("coverage"))
    for (const auto &[what, times] : *counts)
      coverage[what.str()] = times.getAsInteger().value_or(0);
  return true;
}

void mlir::pit::fuzz::writeAll(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0)
      ::_exit(3);
    text = text.drop_front(size_t(written));
  }
}

Worker::Worker(llvm::function_ref<void(int)> body) {
  int ends[2];
  if (::pipe(ends) != 0)
    llvm::report_fatal_error("pipe: out of file descriptors", false);
  llvm::outs().flush();
  pid = ::fork();
  if (pid < 0)
    llvm::report_fatal_error("fork: out of processes", false);
  if (pid == 0) {
    ::close(ends[0]);
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    // What a crash or a fatal error says is known by its signal.
    int null = ::open("/dev/null", O_WRONLY);
    if (null >= 0 && !::getenv("PIT_FUZZ_VERBOSE"))
      ::dup2(null, 2);
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
      ::signal(signal, SIG_DFL);
    body(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  pipe = ends[0];
  touch();
}

Worker::~Worker() {
  if (pid > 0)
    finish(/*kill=*/true);
  ::close(pipe);
}

void Worker::touch() {
  lastSign = lastAsked = Clock::now();
  computedThen = secondsComputed();
}

bool Worker::isSilent(int seconds) {
  Clock::time_point now = Clock::now();
  // Nobody asks for as long while the machine, or both processes, stand still.
  if (now - lastAsked > std::chrono::seconds(2))
    lastSign += now - lastAsked;
  lastAsked = now;
  double passed = std::chrono::duration<double>(now - lastSign).count();
  return passed > 10.0 * seconds ||
         (passed > seconds && secondsComputed() - computedThen > seconds);
}

bool Worker::receive() {
  char buffer[65536];
  ssize_t count = ::read(pipe, buffer, sizeof buffer);
  if (count <= 0)
    return false;
  pending.append(buffer, size_t(count));
  return true;
}

std::optional<std::string> Worker::takeLine() {
  size_t end = pending.find('\n');
  if (end == std::string::npos)
    return std::nullopt;
  std::string line = pending.substr(0, end);
  pending.erase(0, end + 1);
  return line;
}

std::string Worker::finish(bool kill) {
  if (kill)
    ::kill(pid, SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  pid = -1;
  if (WIFSIGNALED(status))
    return std::string("signal ") + ::strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status))
    return "exit code " + std::to_string(WEXITSTATUS(status));
  return "";
}

double Worker::secondsComputed() const {
  clockid_t clock;
  timespec time;
  if (::clock_getcpuclockid(pid, &clock) != 0 ||
      ::clock_gettime(clock, &time) != 0)
    return 0;
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

Verdict mlir::pit::fuzz::runGuarded(int seconds,
                                    llvm::function_ref<Verdict()> body) {
  Worker worker(
      [&](int pipe) { writeAll(pipe, encode(0, body(), Coverage())); });
  Verdict verdict;
  while (true) {
    pollfd entry{worker.getPipe(), POLLIN, 0};
    ::poll(&entry, 1, 200);
    if (entry.revents && !worker.receive()) {
      verdict.outcome = Outcome::Crash;
      verdict.message = worker.finish(false);
      return verdict;
    }
    if (std::optional<std::string> line = worker.takeLine()) {
      uint64_t seed;
      Coverage coverage;
      decode(*line, seed, verdict, coverage);
      worker.finish(false);
      return verdict;
    }
    if (worker.isSilent(seconds)) {
      worker.finish(/*kill=*/true);
      verdict.outcome = Outcome::Hang;
      verdict.message =
          "no result after " + std::to_string(seconds) + " seconds";
      return verdict;
    }
  }
}
