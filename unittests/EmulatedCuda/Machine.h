//===- Machine.h - Warps, blocks and what they wait for ------- -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of what runs: warps in lanes, blocks with shared memory, clusters
// of them, and the work that goes on beside the instructions (copies, wgmma).
//
// Time. Work that the hardware does beside the instructions is done here when a
// draw says so, at the latest when something waits for it: programs that do not
// wait see old data, as they may on a device.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_MACHINE_H
#define PIT_UNITTESTS_EMULATEDCUDA_MACHINE_H

#include "Kernel.h"

#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <set>

namespace pit::emulated {

struct Grid;
struct Cluster;
struct Block;

/// Generic addresses from here on are of shared memory.
inline constexpr uint64_t kSharedWindow = uint64_t(1) << 56;
/// Shared addresses of other blocks of a cluster have their rank, from 1, here.
inline constexpr unsigned kRankShift = 24;

/// When work beside the instructions is done.
enum class Timing { Early, Drawn, Late };

/// A sequence of draws, the same in every run.
class Draws {
public:
  Draws(Timing timing, uint64_t seed) : timing(timing), state(seed | 1) {}
  /// Whether something is done at once; else it waits for a draw.
  bool early() const { return timing == Timing::Early; }
  /// Whether something is done now, which need not be yet.
  bool now() { return timing == Timing::Drawn && next() % 4 == 0; }
  uint64_t next();

private:
  Timing timing;
  uint64_t state;
};

/// What a warp has under way, in the order it was asked for. An empty function
/// is the end of a group.
using PendingQueue = std::deque<std::function<void()>>;

/// Memory for the registers of a warp, taken from those of warps of the thread
/// that have ended: there are megabytes of virtual registers, and new pages
/// take longer than the instructions of a short kernel.
class RegisterFile {
public:
  explicit RegisterFile(size_t bytes);
  RegisterFile(const RegisterFile &) = delete;
  RegisterFile &operator=(const RegisterFile &) = delete;
  ~RegisterFile();

  uint8_t *get() const { return reinterpret_cast<uint8_t *>(words.get()); }

private:
  size_t bytes; // at least those that were asked for
  std::unique_ptr<uint64_t[]> words;
};

struct Warp {
  Warp(Block &block, unsigned number, const Kernel &kernel);

  Block &block;
  unsigned number; // in its block
  RegisterFile registers;
  std::array<uint32_t, kLanes> next; // index of each lane's next instruction
  Mask exited = 0;                   // lanes that have ended, or never were
  Mask waiting = 0;                  // lanes at a barrier
  Mask parked = 0;                   // lanes that wait for others of the warp
  Mask yielded = 0;                  // lanes that found nothing to do
  std::array<int, kLanes> barrier = {};           // which a lane waits at
  std::array<uint64_t, kLanes> clusterPhase = {}; // at which a lane arrived
  bool readsSystem = false; // has looked at what other devices may write
  const Instruction *reduction = nullptr; // whose result a barrier gives
  PendingQueue copies;                    // cp.async
  PendingQueue products;                  // wgmma
  uint64_t numGroups = 0;                 // of products, that were asked for
  PendingQueue stores;                    // bulk copies out of shared memory

  uint8_t *slot(Slot at) { return registers.get() + at; }
  Mask &predicate(Slot at) { return *reinterpret_cast<Mask *>(slot(at)); }
  uint32_t *narrow(Slot at) { return reinterpret_cast<uint32_t *>(slot(at)); }
  uint64_t *wide(Slot at) { return reinterpret_cast<uint64_t *>(slot(at)); }

  /// Stops everything with a message that names the kernel and the line.
  Outcome fail(const Instruction &instruction, const std::string &what);

  /// Memory at an address of a lane, or null with a message. `bytes` must be
  /// there, and the address a multiple of `alignment`.
  uint8_t *shared(const Instruction &instruction, uint64_t address,
                  uint64_t bytes, uint64_t alignment);
  uint8_t *global(const Instruction &instruction, uint64_t address,
                  uint64_t bytes, uint64_t alignment);
  uint8_t *at(const Instruction &instruction, Space space, uint64_t address,
              uint64_t bytes, uint64_t alignment);
  /// The block of the cluster that a shared address is of, which becomes a
  /// place in its memory; null if there is none.
  Block *blockOf(uint64_t &address);

  /// Asks for work beside the instructions.
  void pend(PendingQueue &queue, std::function<void()> work);
};

/// Of lanes that wait: for their cluster.
inline constexpr int kClusterBarrier = -1;

/// bar.sync and its kin: 16 to a block.
struct Barrier {
  unsigned arrived = 0;
  unsigned expected = 0; // 0: all threads of the block
  uint32_t sum = 0;      // of bar.red.popc
};

struct Block {
  Cluster &cluster;
  unsigned rank = 0; // in its cluster
  std::array<unsigned, 3> index = {};
  std::vector<uint8_t> memory = {}; // shared
  std::array<Barrier, 16> barriers = {};
  std::set<uint64_t> mbarriers = {}; // addresses of those initialized
  std::deque<std::function<void()>> arrivals = {}; // copies into shared memory
  std::vector<std::unique_ptr<Warp>> warps = {};
  unsigned living = 0; // threads that have not ended

  /// Lets the lanes at a barrier go on, once enough have arrived.
  void releaseIfComplete(unsigned barrier);
};

struct Cluster {
  Grid &grid;
  std::vector<std::unique_ptr<Block>> blocks;
  unsigned arrived = 0; // threads at the cluster's barrier
  uint64_t phase = 0;   // how often it was complete

  void releaseIfComplete();
  bool isDone() const;
};

/// A launch.
struct Grid {
  const Kernel &kernel;
  std::array<unsigned, 3> grid, block, cluster;
  unsigned dynamicBytes;
  std::vector<uint8_t> parameters;
  /// Where live memory that holds an address begins and ends; false if none.
  bool (*findMemory)(uint64_t address, uint64_t &begin, uint64_t &end);
  Draws draws;
  bool beginsLast = false; ///< Which block begins first: hardware promises none
  void (*yield)() = nullptr;   ///< Lets other devices and the host work
  uint64_t parameterStart = 0; // of the first, in `parameters`
  std::string error = {};
  uint64_t begin = 1, end = 0; // of the memory found last
  std::chrono::steady_clock::time_point waitsSince =
      {}; // for others, if it has

  /// Where generic addresses find the first parameter.
  uint64_t parameterAddress() const {
    return reinterpret_cast<uint64_t>(&parameters[parameterStart]);
  }
  /// Live memory of so many bytes, or null with a message.
  uint8_t *memory(uint64_t address, uint64_t bytes);
  void fail(const std::string &what) { error = error.empty() ? what : error; }

  /// Runs all of it. False with a message in `error`.
  bool run();

private:
  std::unique_ptr<Cluster> makeCluster(uint64_t number);
  bool finishWork(Cluster &cluster, bool all);
  bool turn(Cluster &cluster, bool &progressed);
  std::string whereStuck(const Cluster &cluster) const;
  bool mayWaitForOthers(const std::vector<std::unique_ptr<Cluster>> &running);
};

/// Instructions that warps have executed since the process began; one that
/// waits counts as the turn that it gives away.
uint64_t countInstructions();

/// Lets a warp run for a while. True if it did something but look whether it
/// can go on; Grid::error says whether it failed.
bool runWarp(Warp &warp);

/// Arrivals at the mbarrier at a place of a block's memory, and bytes that it
/// waits for, or that came, which count down.
void arrive(Block &block, uint64_t place, unsigned count, int64_t bytes);

/// Does the oldest work of a queue, but for the newest `left` groups.
void finishGroups(PendingQueue &queue, uint64_t left);

} // namespace pit::emulated

#endif // PIT_UNITTESTS_EMULATEDCUDA_MACHINE_H
