//===- Grid.cpp - Who runs when -------------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of a warp at the same instruction run together; of several such groups,
// the one that is furthest behind. Clusters run one after another, until those
// that run wait for others.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <algorithm>
#include <atomic>

using namespace pit::emulated;

/// Instructions of a warp's turn.
static constexpr unsigned kTurn = 20000;
/// A loop that only looks at a barrier is shorter than this.
static constexpr unsigned kIdle = 8;
/// Turns of all before another cluster is let in beside them: they may wait for
/// what it writes.
static constexpr unsigned kPatience = 256;
/// For what another device or the host writes.
static constexpr std::chrono::seconds kLongestWait(60);

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// Lanes of `among` whose next instruction is `at`.
static Mask lanesAt(const Warp &warp, Mask among, uint32_t at) {
  Mask found = 0;
  forEachLane(among, [&](unsigned lane) {
    found |= Mask(warp.next[lane] == at) << lane;
  });
  return found;
}

/// The first instruction from `from` on that lanes of `among` are at.
static uint32_t firstFrom(const Warp &warp, Mask among, uint32_t from) {
  uint32_t first = ~uint32_t(0);
  forEachLane(among, [&](unsigned lane) {
    if (warp.next[lane] >= from)
      first = std::min(first, warp.next[lane]);
  });
  return first;
}

static void setNext(Warp &warp, Mask lanes, uint32_t at) {
  forEachLane(lanes, [&](unsigned lane) { warp.next[lane] = at; });
}

static void endLanes(Warp &warp, Mask lanes) {
  warp.exited |= lanes;
  Block &block = warp.block;
  block.living -= unsigned(__builtin_popcount(lanes));
  for (unsigned barrier = 0; barrier < block.barriers.size(); ++barrier)
    block.releaseIfComplete(barrier);
  block.cluster.releaseIfComplete();
}

/// Runs lanes from `at` on until others meet them or they part.
static unsigned runLanes(Warp &warp, Mask lanes, uint32_t at) {
  const std::vector<Instruction> &code =
      warp.block.cluster.grid.kernel.instructions;
  uint32_t others = firstFrom(warp, living(warp) & ~warp.waiting & ~lanes, at);
  unsigned executed = 0;
  for (; executed < kTurn; ++executed) {
    if (at >= code.size()) {
      warp.fail(code.back(), "the kernel has no end there");
      break;
    }
    const Instruction &instruction = code[at];
    Mask active = lanes;
    if (instruction.guarded) {
      Mask holds = warp.predicate(instruction.guard);
      active &= instruction.negated ? ~holds : holds;
    }
    if (instruction.target >= 0) {
      setNext(warp, active, uint32_t(instruction.target));
      setNext(warp, lanes & ~active, at + 1);
      if (active != lanes && active)
        return executed + 1;
      at = active ? uint32_t(instruction.target) : at + 1;
      if (active) // perhaps backwards, to others
        others = firstFrom(warp, living(warp) & ~warp.waiting & ~lanes, at);
    } else {
      Outcome outcome =
          active ? instruction.run(warp, instruction, active) : Outcome::Next;
      if (outcome == Outcome::Fail)
        break;
      if (outcome == Outcome::Park) {
        setNext(warp, lanes, at);
        warp.parked |= active;
        return executed;
      }
      if (outcome == Outcome::Again) {
        setNext(warp, lanes, at);
        warp.yielded |= lanes;
        return executed;
      }
      ++at;
      if (outcome != Outcome::Next) {
        setNext(warp, lanes, at);
        if (outcome == Outcome::Exit)
          endLanes(warp, active);
        if (outcome == Outcome::Yield)
          warp.yielded |= lanes;
        return executed + (outcome == Outcome::Yield ? 1 : kIdle + 1);
      }
    }
    if (at >= others)
      break;
  }
  setNext(warp, lanes, at);
  return executed + 1;
}

static std::atomic<uint64_t> numInstructions{0};

uint64_t pit::emulated::countInstructions() { return numInstructions; }

bool pit::emulated::runWarp(Warp &warp) {
  const std::string &error = warp.block.cluster.grid.error;
  unsigned executed = 0;
  while (executed < kTurn && error.empty()) {
    Mask present = living(warp) & ~warp.waiting;
    Mask ready = present & ~warp.parked & ~warp.yielded;
    if (!ready)
      break;
    uint32_t at = firstFrom(warp, ready, 0);
    Mask group = lanesAt(warp, present, at);
    warp.parked &= ~group;
    warp.yielded &= ~group;
    executed += runLanes(warp, group, at);
  }
  numInstructions += executed;
  // Who found nothing to do looks again in the next turn.
  warp.yielded = 0;
  return executed > kIdle;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

std::unique_ptr<Cluster> Grid::makeCluster(uint64_t number) {
  auto made = std::make_unique<Cluster>(Cluster{*this, {}});
  std::array<uint64_t, 3> clusters, first;
  uint64_t rest = number;
  for (unsigned axis = 0; axis < 3; ++axis) {
    clusters[axis] = grid[axis] / cluster[axis];
    first[axis] = rest % clusters[axis] * cluster[axis];
    rest /= clusters[axis];
  }
  unsigned numWarps = (block[0] * block[1] * block[2] + kLanes - 1) / kLanes;
  unsigned rank = 0;
  for (unsigned z = 0; z < cluster[2]; ++z)
    for (unsigned y = 0; y < cluster[1]; ++y)
      for (unsigned x = 0; x < cluster[0]; ++x) {
        made->blocks.push_back(std::make_unique<Block>(Block{*made, rank++}));
        Block &added = *made->blocks.back();
        added.index = {unsigned(first[0]) + x, unsigned(first[1]) + y,
                       unsigned(first[2]) + z};
        // What nobody wrote is NaN.
        added.memory.assign(kernel.dynamicStart + dynamicBytes, 0xff);
        for (unsigned warp = 0; warp < numWarps; ++warp)
          added.warps.push_back(std::make_unique<Warp>(added, warp, kernel));
      }
  return made;
}

/// Does what draws say, or everything. True if there was something to do.
bool Grid::finishWork(Cluster &cluster, bool all) {
  bool found = false;
  auto finish = [&](PendingQueue &queue) {
    while (!queue.empty() && (all || draws.now())) {
      found = true;
      std::function<void()> work = std::move(queue.front());
      queue.pop_front();
      if (work)
        work();
    }
  };
  for (const std::unique_ptr<Block> &block : cluster.blocks) {
    // Copies into shared memory end in any order.
    if (block->arrivals.size() > 1 && !draws.early())
      std::swap(block->arrivals.front(),
                block->arrivals[draws.next() % block->arrivals.size()]);
    finish(block->arrivals);
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      finish(warp->copies);
      finish(warp->products);
      finish(warp->stores);
    }
  }
  return found;
}

/// A turn of each warp. False if one failed.
bool Grid::turn(Cluster &cluster, bool &progressed) {
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      progressed |= runWarp(*warp);
      if (!error.empty())
        return false;
    }
  // What a warp waited for may be there now.
  progressed |= finishWork(cluster, false);
  return true;
}

std::string Grid::whereStuck(const Cluster &cluster) const {
  std::string places;
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      if (!living(*warp))
        continue;
      unsigned lane = unsigned(__builtin_ctz(living(*warp)));
      uint32_t at = warp->next[lane];
      bool waits = warp->waiting >> lane & 1;
      places += "; block " + std::to_string(block->index[0]) + ", warp " +
                std::to_string(warp->number) + " at line " +
                std::to_string(kernel.instructions[waits ? at - 1 : at].line);
    }
  return kernel.name + ": nothing can go on" + places;
}

/// Whether a warp has read what another device or the host may write, which
/// then gets a moment, and not longer than the limit altogether.
bool Grid::mayWaitForOthers(
    const std::vector<std::unique_ptr<Cluster>> &running) {
  using Clock = std::chrono::steady_clock;
  auto reads = [](const std::unique_ptr<Warp> &warp) {
    return warp->readsSystem && living(*warp);
  };
  for (const std::unique_ptr<Cluster> &cluster : running)
    for (const std::unique_ptr<Block> &block : cluster->blocks)
      if (yield &&
          std::any_of(block->warps.begin(), block->warps.end(), reads)) {
        if (waitsSince == Clock::time_point())
          waitsSince = Clock::now();
        return Clock::now() - waitsSince < kLongestWait;
      }
  return false;
}

bool Grid::run() {
  uint64_t count = 1, started = 0, patience = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    count *= grid[axis] / cluster[axis];
  std::vector<std::unique_ptr<Cluster>> running;
  while (started < count || !running.empty()) {
    if (running.empty() || patience >= kPatience) {
      patience = 0;
      if (started < count) {
        uint64_t number = beginsLast ? count - 1 - started : started;
        running.push_back(makeCluster(number));
        ++started;
      }
    }
    bool progressed = false;
    for (const std::unique_ptr<Cluster> &cluster : running)
      if (!turn(*cluster, progressed))
        return false;
    for (const std::unique_ptr<Cluster> &cluster : running)
      if (cluster->isDone()) // its last copies to memory
        finishWork(*cluster, true);
    running.erase(std::remove_if(running.begin(), running.end(),
                                 [](const std::unique_ptr<Cluster> &cluster) {
                                   return cluster->isDone();
                                 }),
                  running.end());
    ++patience;
    if (progressed || running.empty())
      continue;
    bool worked = false;
    for (const std::unique_ptr<Cluster> &cluster : running)
      worked |= finishWork(*cluster, true);
    if (worked)
      continue;
    if (started == count) {
      if (mayWaitForOthers(running)) {
        yield();
        continue;
      }
      fail(whereStuck(*running.front()));
      return false;
    }
    patience = kPatience;
  }
  return error.empty();
}
