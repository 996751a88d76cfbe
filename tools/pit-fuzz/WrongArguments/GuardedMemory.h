//===- GuardedMemory.h - Memory that notices wrong accesses -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_GUARDEDMEMORY_H
#define PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_GUARDEDMEMORY_H

#include "Jit.h"

#include <cstddef>
#include <cstdint>

namespace mlir::pit::fuzz {

/// Memory between two pages that nobody may touch: an access there ends the
/// process. It ends at the second one, or up to 15 bytes before it. All of its
/// bytes are ones at first: NaN, and -1.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes);
  GuardedMemory(GuardedMemory &&other) noexcept;
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;
  ~GuardedMemory();

  void *data() const { return memory; }
  size_t size() const { return bytes; }
  /// From now on nobody may write it.
  void protect();
  /// Whether all bytes around it, as far as pages go, are as they were.
  bool areSurroundingsIntact() const;
  /// Whether no byte of it was written.
  bool isUntouched() const;

private:
  char *pages;
  size_t mapped;
  char *memory;
  size_t bytes;
};

/// Such memory for what compiled code allocates, and what became of it.
pit::run::Heap getGuardedHeap();
struct HeapCounts {
  /// Blocks that were not released.
  int64_t blocks = 0;
  /// Blocks that were released and had been written beyond.
  int64_t damaged = 0;
  /// What was released and is no block.
  int64_t unknown = 0;
};
HeapCounts getHeapCounts();

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_GUARDEDMEMORY_H
