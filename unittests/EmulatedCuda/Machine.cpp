//===- Machine.cpp - Warps, blocks and what they wait for -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "Values.h"

#include <algorithm>

using namespace pit::emulated;

/// Xorshift, by G. Marsaglia.
uint64_t Draws::next() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Register files that nobody uses.
struct SpareRegisters {
  struct File {
    size_t bytes;
    std::unique_ptr<uint64_t[]> words;
  };
  std::vector<File> files;
  size_t bytes = 0; // of all of them

  static SpareRegisters &get() {
    static thread_local SpareRegisters spare;
    return spare;
  }
};
} // namespace

RegisterFile::RegisterFile(size_t bytes) : bytes(bytes) {
  SpareRegisters &spare = SpareRegisters::get();
  auto fits = std::find_if(
      spare.files.rbegin(), spare.files.rend(),
      [&](const SpareRegisters::File &file) { return file.bytes >= bytes; });
  if (fits == spare.files.rend()) {
    words.reset(
        new uint64_t[(bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t)]);
    return;
  }
  this->bytes = fits->bytes;
  words = std::move(fits->words);
  spare.bytes -= fits->bytes;
  spare.files.erase(std::next(fits).base());
}

RegisterFile::~RegisterFile() {
  constexpr size_t kMostSpare = size_t(64) << 20;
  SpareRegisters &spare = SpareRegisters::get();
  if (spare.bytes + bytes > kMostSpare)
    return;
  spare.bytes += bytes;
  spare.files.push_back({bytes, std::move(words)});
}

Warp::Warp(Block &block, unsigned number, const Kernel &kernel)
    : block(block), number(number), registers(kernel.registerBytes) {
  // What nobody wrote is NaN, and no address.
  std::memset(registers.get(), 0xff, kernel.registerBytes);
  next.fill(0);
  const Grid &grid = block.cluster.grid;
  for (const Kernel::Constant &constant : kernel.constants)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (constant.wide)
        wide(constant.slot)[lane] = constant.bits;
      else
        narrow(constant.slot)[lane] = uint32_t(constant.bits);
    }
  auto special = [&](const char *name, auto value) {
    auto found = kernel.specials.find(name);
    if (found != kernel.specials.end())
      for (unsigned lane = 0; lane < kLanes; ++lane)
        narrow(found->second)[lane] = uint32_t(value(lane));
  };
  auto thread = [&](unsigned lane) { return number * kLanes + lane; };
  static const char *const axes[] = {"x", "y", "z"};
  std::array<unsigned, 3> inner = {1, grid.block[0],
                                   grid.block[0] * grid.block[1]};
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto of = [&](const std::string &name) { return name + axes[axis]; };
    special(of("%tid.").c_str(), [&](unsigned lane) {
      return thread(lane) / inner[axis] % grid.block[axis];
    });
    special(of("%ntid.").c_str(), [&](unsigned) { return grid.block[axis]; });
    special(of("%ctaid.").c_str(), [&](unsigned) { return block.index[axis]; });
    special(of("%nctaid.").c_str(), [&](unsigned) { return grid.grid[axis]; });
    special(of("%cluster_nctaid.").c_str(),
            [&](unsigned) { return grid.cluster[axis]; });
    special(of("%cluster_ctaid.").c_str(),
            [&](unsigned) { return block.index[axis] % grid.cluster[axis]; });
    special(of("%clusterid.").c_str(),
            [&](unsigned) { return block.index[axis] / grid.cluster[axis]; });
  }
  special("%laneid", [](unsigned lane) { return lane; });
  special("%warpid", [&](unsigned) { return number; });
  special("%cluster_ctarank", [&](unsigned) { return block.rank; });
  unsigned threads = inner[2] * grid.block[2];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (thread(lane) >= threads)
      exited |= Mask(1) << lane;
  block.living += unsigned(__builtin_popcount(~exited));
}

Outcome Warp::fail(const Instruction &instruction, const std::string &what) {
  Grid &grid = block.cluster.grid;
  grid.fail(grid.kernel.name + ", line " + std::to_string(instruction.line) +
            ", block " + std::to_string(block.index[0]) + ", warp " +
            std::to_string(number) + ": " + what);
  return Outcome::Fail;
}

Block *Warp::blockOf(uint64_t &address) {
  uint64_t rank = address >> kRankShift;
  address &= (uint64_t(1) << kRankShift) - 1;
  if (rank == 0)
    return &block;
  return rank <= block.cluster.blocks.size()
             ? block.cluster.blocks[rank - 1].get()
             : nullptr;
}

uint8_t *Warp::shared(const Instruction &instruction, uint64_t address,
                      uint64_t bytes, uint64_t alignment) {
  uint64_t place = address;
  Block *of = blockOf(place);
  if (!of || place + bytes > of->memory.size() || place % alignment) {
    fail(instruction, std::to_string(bytes) + " bytes at " +
                          std::to_string(place) + " of shared memory, of " +
                          std::to_string(of ? of->memory.size() : 0));
    return nullptr;
  }
  return &of->memory[place];
}

uint8_t *Grid::memory(uint64_t address, uint64_t bytes) {
  bool isThere = address >= begin && address < end;
  if (!isThere)
    isThere = findMemory(address, begin, end);
  if (!isThere || bytes > end - address) {
    fail(std::to_string(bytes) + " bytes at address " +
         std::to_string(address) +
         (isThere ? ", " + std::to_string(end - address) +
                        " before the end of the memory there"
                  : ", where no memory is"));
    return nullptr;
  }
  return reinterpret_cast<uint8_t *>(address);
}

uint8_t *Warp::global(const Instruction &instruction, uint64_t address,
                      uint64_t bytes, uint64_t alignment) {
  if (address % alignment) {
    fail(instruction, std::to_string(bytes) + " bytes at address " +
                          std::to_string(address) + ", not aligned");
    return nullptr;
  }
  Grid &grid = block.cluster.grid;
  if (address >= grid.begin && address + bytes <= grid.end)
    return reinterpret_cast<uint8_t *>(address);
  if (!grid.error.empty())
    return nullptr;
  uint8_t *found = grid.memory(address, bytes);
  if (!found) {
    std::string what;
    std::swap(what, grid.error);
    fail(instruction, what);
  }
  return found;
}

uint8_t *Warp::at(const Instruction &instruction, Space space, uint64_t address,
                  uint64_t bytes, uint64_t alignment) {
  Grid &grid = block.cluster.grid;
  uint64_t start = grid.parameterAddress();
  if (space == Space::Param)
    address += start;
  if (space == Space::Param || space == Space::Generic) {
    if (address >= start &&
        address + bytes <= start + grid.kernel.parameterBytes)
      return reinterpret_cast<uint8_t *>(address);
    if (address >= kSharedWindow && address < 2 * kSharedWindow)
      return shared(instruction, address - kSharedWindow, bytes, alignment);
  }
  return space == Space::Shared
             ? shared(instruction, address, bytes, alignment)
             : global(instruction, address, bytes, alignment);
}

//===----------------------------------------------------------------------===//
// Work beside the instructions
//===----------------------------------------------------------------------===//

void Warp::pend(PendingQueue &queue, std::function<void()> work) {
  if (block.cluster.grid.draws.early()) {
    if (work)
      work();
    return;
  }
  queue.push_back(std::move(work));
}

void pit::emulated::finishGroups(PendingQueue &queue, uint64_t left) {
  uint64_t groups = 0;
  for (const std::function<void()> &work : queue)
    groups += !work;
  while (groups > left) {
    std::function<void()> work = std::move(queue.front());
    queue.pop_front();
    if (work)
      work();
    else
      --groups;
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void letGo(Warp &warp, int barrier, uint32_t sum) {
  Mask here = 0;
  forEachLane(warp.waiting, [&](unsigned lane) {
    here |= Mask(warp.barrier[lane] == barrier) << lane;
  });
  if (here && warp.reduction && barrier != kClusterBarrier) {
    forEachLane(here, [&](unsigned lane) {
      writeBits(warp, *warp.reduction, 0, lane, sum);
    });
    warp.reduction = nullptr;
  }
  warp.waiting &= ~here;
}

void Block::releaseIfComplete(unsigned number) {
  Barrier &barrier = barriers[number];
  unsigned expected = barrier.expected ? barrier.expected : living;
  if (barrier.arrived == 0 || barrier.arrived < expected)
    return;
  for (const std::unique_ptr<Warp> &warp : warps)
    letGo(*warp, int(number), barrier.sum);
  barrier = Barrier();
}

void Cluster::releaseIfComplete() {
  unsigned living = 0;
  for (const std::unique_ptr<Block> &block : blocks)
    living += block->living;
  if (arrived == 0 || arrived < living)
    return;
  arrived = 0;
  ++phase;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      letGo(*warp, kClusterBarrier, 0);
}

bool Cluster::isDone() const {
  for (const std::unique_ptr<Block> &block : blocks)
    if (block->living)
      return false;
  return true;
}
