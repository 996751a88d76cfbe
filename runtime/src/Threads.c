//===- Threads.c - Ranges that several threads compute --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pool of threads for a process. A call cuts a range into chunks, and the
// calling thread and the workers take one after the other. A worker that comes
// late finds the job closed, so nobody waits for a thread to wake up. Whoever
// finds the pool in use computes alone: calls of several threads, and ranges
// within ranges, never wait for each other.
//
// It is a pool of its own and not OpenMP's: a process that has two of those
// runtimes ends with an error, a forked child cannot use its parent's, and
// hosts bring one themselves.
//
//===----------------------------------------------------------------------===//

// For CPU_COUNT, pthread_atfork and clock_gettime under a strict -std=c11.
#define _GNU_SOURCE

#include "Threads.h"

#include "Call.h"
#include "Context.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_THREADS = 1024,
  /// Chunks of a thread where there is enough work: some threads are slower.
  CHUNKS_PER_THREAD = 4,
  /// Multiply-adds in a unit of work.
  PRODUCTS_PER_UNIT = 8,
  /// How long a worker looks for the next range before it sleeps, in ns. Ranges
  /// of one program follow each other within this time.
  SPIN_NANOSECONDS = 50000,
  /// Of `inside`: nobody may join.
  CLOSED = INT_MIN
};

static struct {
  /// Of `numWorkers`, and of those who fall asleep.
  pthread_mutex_t lock;
  int32_t numWorkers;
  /// Whether a thread has a job in the pool.
  atomic_flag isBusy;
  /// Workers inside of the job, and CLOSED.
  _Atomic int32_t inside;
  /// Workers with lower numbers may join.
  _Atomic int32_t helpers;
  /// Who sleeps, each on a condition of its own.
  _Atomic int8_t isAsleep[MOST_THREADS];
  pthread_cond_t wakes[MOST_THREADS];
  /// Chunks that nobody has taken; below 0 once all are.
  _Atomic int64_t left;

  // The job, for those inside.

  pit_range body;
  void *values;
  int64_t count, chunk, numChunks;
  uint64_t roundings;
  pit_context *context;
  PitCall *call;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .isBusy = ATOMIC_FLAG_INIT,
          .inside = CLOSED};

/// What the host asked for; 0 before that, and for the default.
static _Atomic int64_t wantedThreads;

/// Whether this thread computes a part of a range.
static _Thread_local int isInRange = 0;

//===----------------------------------------------------------------------===//
// How many threads
//===----------------------------------------------------------------------===//

/// A number of threads in an environment variable, or 0.
static int64_t readNumber(const char *variable) {
  const char *text = getenv(variable);
  if (!text)
    return 0;
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  return errno == 0 && end != text && value > 0 ? (int64_t)value : 0;
}

/// CPUs' worth of time that the container may use, or 0 without a limit.
static int64_t readQuota(void) {
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (!file)
    return 0;
  long long quota, period;
  int count = fscanf(file, "%lld %lld", &quota, &period);
  fclose(file);
  return count == 2 && quota > 0 && period > 0
             ? (int64_t)((quota + period - 1) / period)
             : 0;
}

static int64_t defaultThreads;

/// Work that is worth a wake-up, in units of pit_rt_parallel: about 10 us. For
/// tests, the environment may say another number.
static int64_t leastWork = 1 << 16;

static void readDefaults(void) {
  int64_t work = readNumber("PIT_THREAD_WORK");
  if (work > 0)
    leastWork = work;
  int64_t threads = readNumber("PIT_NUM_THREADS");
  if (threads == 0)
    threads = readNumber("OMP_NUM_THREADS");
  if (threads == 0) {
    // The set is too small for machines of more CPUs than it has.
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    threads = sched_getaffinity(0, sizeof(cpus), &cpus) == 0
                  ? CPU_COUNT(&cpus)
                  : sysconf(_SC_NPROCESSORS_ONLN);
    int64_t quota = readQuota();
    if (quota > 0 && quota < threads)
      threads = quota;
  }
  defaultThreads = threads < 1              ? 1
                   : threads > MOST_THREADS ? MOST_THREADS
                                            : threads;
}

int64_t pit_num_threads(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readDefaults);
  int64_t wanted = atomic_load_explicit(&wantedThreads, memory_order_relaxed);
  return wanted > 0 ? wanted : defaultThreads;
}

void pit_set_num_threads(int64_t threads) {
  atomic_store(&wantedThreads, threads < 0              ? 0
                               : threads > MOST_THREADS ? MOST_THREADS
                                                        : threads);
}

/// Threads for a range that this thread begins.
static int64_t countThreads(void) { return isInRange ? 1 : pit_num_threads(); }

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

static int64_t now(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
    return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// How this thread rounds, and whether it has denormal numbers, as far as that
/// can be told: workers compute as the thread that calls.
static uint64_t getRoundings(void) {
#if defined(__x86_64__)
  // Without the flags of what was found.
  return __builtin_ia32_stmxcsr() & ~(uint64_t)0x3f;
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return 0;
#endif
}

static void setRoundings(uint64_t roundings) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((unsigned)roundings);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(roundings));
#else
  (void)roundings;
#endif
}

/// Takes chunks until none is left.
static void takeChunks(void) {
  isInRange = 1;
  for (;;) {
    int64_t left =
        atomic_fetch_sub_explicit(&pool.left, 1, memory_order_relaxed);
    if (left <= 0)
      break;
    int64_t begin = (pool.numChunks - left) * pool.chunk;
    int isLast = pool.count - begin <= pool.chunk;
    pool.body(pool.values, begin, isLast ? pool.count : begin + pool.chunk);
  }
  isInRange = 0;
}

static int canJoin(int32_t number) {
  return atomic_load(&pool.inside) >= 0 && atomic_load(&pool.left) > 0 &&
         number < atomic_load(&pool.helpers);
}

static int join(int32_t number) {
  if (!canJoin(number))
    return 0;
  int32_t inside = atomic_load(&pool.inside);
  while (inside >= 0)
    if (atomic_compare_exchange_weak(&pool.inside, &inside, inside + 1)) {
      // It may be another job by now.
      if (number < atomic_load(&pool.helpers))
        return 1;
      atomic_fetch_sub(&pool.inside, 1);
      return 0;
    }
  return 0;
}

/// Waits until there is a job to join: a while awake, then asleep.
static void awaitJob(int32_t number) {
  int64_t start = now();
  for (int i = 0; !canJoin(number); ++i) {
    relax();
    if (i % 64 != 63 || now() - start < SPIN_NANOSECONDS)
      continue;
    // Whoever opens a job looks for sleepers after that, and we for the job
    // after we are one: at least one of the two sees the other.
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.isAsleep[number], 1);
    while (!canJoin(number))
      pthread_cond_wait(&pool.wakes[number], &pool.lock);
    atomic_store(&pool.isAsleep[number], 0);
    pthread_mutex_unlock(&pool.lock);
  }
}

/// Wakes those up who may join.
static void wakeHelpers(int32_t helpers) {
  int32_t first = 0;
  while (first < helpers && !atomic_load(&pool.isAsleep[first]))
    ++first;
  if (first == helpers)
    return;
  pthread_mutex_lock(&pool.lock);
  for (int32_t number = first; number < helpers; ++number)
    if (atomic_load(&pool.isAsleep[number]))
      pthread_cond_signal(&pool.wakes[number]);
  pthread_mutex_unlock(&pool.lock);
}

static void *work(void *argument) {
  int32_t number = (int32_t)(intptr_t)argument;
  for (;;) {
    awaitJob(number);
    if (!join(number))
      continue;
    pit_context *context = pit_context_make_current(pool.context);
    PitCall *call = pitSetHostCall(pool.call);
    setRoundings(pool.roundings);
    takeChunks();
    pitSetHostCall(call);
    pit_context_make_current(context);
    atomic_fetch_sub(&pool.inside, 1);
  }
  return NULL;
}

/// A forked child has this thread alone.
static void resetInChild(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pool.numWorkers = 0;
  atomic_store(&pool.inside, CLOSED);
  for (int32_t number = 0; number < MOST_THREADS; ++number)
    atomic_store(&pool.isAsleep[number], 0);
  atomic_flag_clear(&pool.isBusy);
}

static void watchForks(void) { pthread_atfork(NULL, NULL, resetInChild); }

/// Starts workers up to this number, or as many as the system allows.
static void startWorkers(int32_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watchForks);
  pthread_mutex_lock(&pool.lock);
  if (pool.numWorkers < count) {
    // Signals are for the host's threads, but for those of the code itself.
    const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i)
      sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.numWorkers < count) {
      pthread_t thread;
      if (pthread_cond_init(&pool.wakes[pool.numWorkers], NULL) != 0)
        break;
      if (pthread_create(&thread, NULL, work,
                         (void *)(intptr_t)pool.numWorkers) != 0)
        break;
      pthread_detach(thread);
      ++pool.numWorkers;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_mutex_unlock(&pool.lock);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static int64_t divideUp(int64_t value, int64_t by) {
  return value / by + (value % by != 0);
}

int64_t pitChunkOfRange(int64_t count, int64_t multiple, int64_t work,
                        int64_t threads) {
  double most = (double)count * (double)work / (double)leastWork;
  double parts = (double)threads;
  if (most >= parts * CHUNKS_PER_THREAD)
    parts *= CHUNKS_PER_THREAD;
  else if (most < parts)
    parts = most;
  if (parts < 2)
    return count;
  int64_t chunk = (int64_t)((double)count / parts);
  if ((double)chunk * parts < (double)count)
    ++chunk;
  if (multiple > 1)
    chunk = (chunk + multiple - 1) / multiple * multiple;
  return chunk < count ? chunk : count;
}

void pit_rt_parallel(pit_range body, void *values, int64_t count,
                     int64_t multiple, int64_t work) {
  if (count <= 0)
    return;
  int64_t threads = countThreads();
  int64_t chunk =
      threads > 1 ? pitChunkOfRange(count, multiple, work, threads) : count;
  if (chunk >= count ||
      atomic_flag_test_and_set_explicit(&pool.isBusy, memory_order_acquire)) {
    body(values, 0, count);
    return;
  }
  int64_t numChunks = divideUp(count, chunk);
  int32_t helpers = (int32_t)((threads < numChunks ? threads : numChunks) - 1);
  startWorkers(helpers);
  pool.body = body;
  pool.values = values;
  pool.count = count;
  pool.chunk = chunk;
  pool.numChunks = numChunks;
  pool.roundings = getRoundings();
  pool.context = pit_context_current();
  pool.call = pitGetHostCall();
  atomic_store(&pool.helpers, helpers);
  atomic_store(&pool.left, numChunks);
  atomic_store(&pool.inside, 0);
  wakeHelpers(helpers);
  takeChunks();
  atomic_fetch_or(&pool.inside, CLOSED);
  // Where a worker has lost its CPU, give it this one.
  for (int i = 0; atomic_load(&pool.inside) != CLOSED; ++i) {
    relax();
    if (i % 1024 == 1023)
      sched_yield();
  }
  atomic_flag_clear_explicit(&pool.isBusy, memory_order_release);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The extent of one of `parts` pieces that are multiples of `unit`.
static int64_t findPiece(int64_t extent, int64_t parts, int64_t unit) {
  return divideUp(divideUp(extent, parts), unit) * unit;
}

void pitSplitProduct(int64_t batches, int64_t m, int64_t n, int64_t k,
                     int64_t rowUnit, int64_t columnUnit, int64_t threads,
                     int64_t *rows, int64_t *columns) {
  *rows = m > 0 ? m : 1;
  *columns = n > 0 ? n : 1;
  if (batches <= 0 || m <= 0 || n <= 0 || k <= 0)
    return;
  double tasks = (double)batches * (double)m * (double)n * (double)k /
                 PRODUCTS_PER_UNIT / (double)leastWork;
  if (tasks > (double)threads)
    tasks = (double)threads;
  if (tasks < 2 || batches >= CHUNKS_PER_THREAD * threads)
    return;
  // Each task packs its own rows and columns, so pieces that are square pack
  // least. An element takes about as long to pack as this many to multiply.
  const double packing = 16;
  int64_t most = divideUp(2 * (int64_t)tasks, batches);
  double least = 0;
  for (int64_t rowParts = 1; rowParts <= most; ++rowParts) {
    int64_t height = findPiece(m, rowParts, rowUnit);
    if (rowParts > 1 && height >= findPiece(m, rowParts - 1, rowUnit))
      continue;
    // So many columns that each thread has a task, or twice as many.
    int64_t enough = divideUp((int64_t)tasks, divideUp(m, height) * batches);
    for (int64_t columnParts = enough; columnParts <= 2 * enough;
         columnParts += enough) {
      int64_t width = findPiece(n, columnParts, columnUnit);
      int64_t pieces = divideUp(m, height) * divideUp(n, width) * batches;
      double rounds = (double)divideUp(pieces, (int64_t)tasks);
      double h = (double)height, w = (double)width;
      double time = rounds * (h * w + packing * (h + w));
      if (least > 0 && time >= least)
        continue;
      least = time;
      *rows = height < m ? height : m;
      *columns = width < n ? width : n;
    }
  }
}

int64_t pit_rt_task_rows(int64_t batches, int64_t m, int64_t n, int64_t k,
                         int64_t row_unit, int64_t column_unit) {
  int64_t rows, columns;
  pitSplitProduct(batches, m, n, k, row_unit, column_unit, countThreads(),
                  &rows, &columns);
  return rows;
}

int64_t pit_rt_task_columns(int64_t batches, int64_t m, int64_t n, int64_t k,
                            int64_t row_unit, int64_t column_unit) {
  int64_t rows, columns;
  pitSplitProduct(batches, m, n, k, row_unit, column_unit, countThreads(),
                  &rows, &columns);
  return columns;
}
