//===- GuardedMemory.cpp - Memory that notices wrong accesses -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongArguments/GuardedMemory.h"

#include "SanitizedCode.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace mlir::pit::fuzz;

static constexpr int kFill = 0xff;
static constexpr size_t kAlignment = 16;
/// More is not there. Right calls need little.
static constexpr size_t kMostBytes = size_t(1) << 32;

static size_t getPageSize() {
  static const auto size = size_t(::sysconf(_SC_PAGESIZE));
  return size;
}

static bool isFilled(const char *begin, const char *end) {
  return std::all_of(begin, end, [](char c) { return c == char(kFill); });
}

GuardedMemory::GuardedMemory(size_t bytes) : bytes(bytes) {
  size_t page = getPageSize();
  size_t inner = llvm::alignTo(std::max<size_t>(bytes, 1), page);
  mapped = inner + 2 * page;
  void *start = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    llvm::report_fatal_error("mmap: out of memory", false);
  pages = static_cast<char *>(start);
  std::memset(pages + page, kFill, inner);
  ::mprotect(pages, page, PROT_NONE);
  ::mprotect(pages + page + inner, page, PROT_NONE);
  memory = pages + page + inner - llvm::alignTo(bytes, kAlignment);
  ASAN_POISON_MEMORY_REGION(pages + page, memory - (pages + page));
  ASAN_POISON_MEMORY_REGION(memory + bytes,
                            pages + mapped - page - (memory + bytes));
}

GuardedMemory::GuardedMemory(GuardedMemory &&other) noexcept
    : pages(std::exchange(other.pages, nullptr)), mapped(other.mapped),
      memory(other.memory), bytes(other.bytes) {}

GuardedMemory::~GuardedMemory() {
  if (!pages)
    return;
  ASAN_UNPOISON_MEMORY_REGION(pages, mapped);
  ::munmap(pages, mapped);
}

void GuardedMemory::protect() {
  size_t page = getPageSize();
  ::mprotect(pages + page, mapped - 2 * page, PROT_READ);
}

bool GuardedMemory::areSurroundingsIntact() const {
  size_t page = getPageSize();
  ASAN_UNPOISON_MEMORY_REGION(pages, mapped);
  return isFilled(pages + page, memory) &&
         isFilled(memory + bytes, pages + mapped - page);
}

bool GuardedMemory::isUntouched() const {
  return isFilled(memory, memory + bytes);
}

//===----------------------------------------------------------------------===//
// The heap of compiled code
//===----------------------------------------------------------------------===//

namespace {
/// Compiled code calls functions, which know no object, from several threads.
struct GuardedHeap {
  std::mutex mutex;
  std::map<void *, GuardedMemory> blocks;
  HeapCounts counts;
};
} // namespace

static GuardedHeap &getHeap() {
  static GuardedHeap heap;
  return heap;
}

static void *allocate(size_t bytes) {
  if (bytes > kMostBytes)
    return nullptr;
  GuardedMemory block(bytes);
  void *memory = block.data();
  GuardedHeap &heap = getHeap();
  std::lock_guard<std::mutex> lock(heap.mutex);
  heap.blocks.emplace(memory, std::move(block));
  return memory;
}

static void release(void *memory) {
  GuardedHeap &heap = getHeap();
  std::lock_guard<std::mutex> lock(heap.mutex);
  auto block = heap.blocks.find(memory);
  if (block == heap.blocks.end()) {
    heap.counts.unknown += memory != nullptr;
    return;
  }
  heap.counts.damaged += !block->second.areSurroundingsIntact();
  heap.blocks.erase(block);
}

/// What allocate() has not counts as more than the system has. Each block may
/// be larger by its alignment.
static int64_t limitRoom(int64_t bytes) {
  constexpr int64_t kSlack = 1 << 20;
  return bytes < int64_t(kMostBytes) - kSlack
             ? bytes
             : std::numeric_limits<int64_t>::max();
}

static int32_t hasMemory(pit_call *call, int64_t bytes) {
  return pit_rt_memory(call, limitRoom(bytes));
}

static int64_t hasRoom(int64_t bytes) { return pit_rt_room(limitRoom(bytes)); }

mlir::pit::run::Heap mlir::pit::fuzz::getGuardedHeap() {
  return {&allocate, &release, &hasMemory, &hasRoom};
}

HeapCounts mlir::pit::fuzz::getHeapCounts() {
  GuardedHeap &heap = getHeap();
  std::lock_guard<std::mutex> lock(heap.mutex);
  HeapCounts counts = heap.counts;
  counts.blocks = int64_t(heap.blocks.size());
  return counts;
}
