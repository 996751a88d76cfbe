//===- Barriers.cpp - Barriers, mbarriers, fences, and ends ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

using namespace pit::emulated;

namespace {

//===----------------------------------------------------------------------===//
// Of a block and of a cluster
//===----------------------------------------------------------------------===//

/// slots: the barrier, and how many threads if detail[0]; with detail[1] a
/// result, and a predicate to count.
Outcome syncBlock(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned first = unsigned(__builtin_ctz(lanes));
  bool counts = instruction.detail[1];
  const std::vector<Slot> &slots = instruction.slots;
  unsigned number = read<uint32_t>(warp, slots[counts], first);
  if (number >= warp.block.barriers.size())
    return warp.fail(instruction, "no barrier " + std::to_string(number));
  Barrier &barrier = warp.block.barriers[number];
  if (instruction.detail[0])
    barrier.expected = read<uint32_t>(warp, slots[counts + 1], first);
  if (counts) {
    Mask holds = warp.predicate(slots[counts + 1 + instruction.detail[0]]);
    barrier.sum += unsigned(__builtin_popcount(holds & lanes));
    warp.reduction = &instruction;
  }
  barrier.arrived += unsigned(__builtin_popcount(lanes));
  bool stays = !instruction.detail[2];
  if (stays) {
    warp.waiting |= lanes;
    forEachLane(lanes,
                [&](unsigned lane) { warp.barrier[lane] = int(number); });
  }
  warp.block.releaseIfComplete(number);
  return stays ? Outcome::Wait : Outcome::Next;
}

bool decodeBlockBarrier(Decoder &d) {
  bool counts = d.has("red");
  if (!d.has("sync") && !d.has("arrive") && !(counts && d.has("popc")))
    return d.fail("not emulated");
  d.made->run = syncBlock;
  d.made->detail[0] = d.numOperands() == 2u + 2 * counts;
  d.made->detail[1] = counts;
  d.made->detail[2] = d.has("arrive");
  for (size_t i = 0; i < d.numOperands(); ++i)
    if (!d.value(i, counts && i + 1 == d.numOperands() ? 1 : 32))
      return false;
  return true;
}

Outcome arriveAtCluster(Warp &warp, const Instruction &, Mask lanes) {
  Cluster &cluster = warp.block.cluster;
  forEachLane(lanes,
              [&](unsigned lane) { warp.clusterPhase[lane] = cluster.phase; });
  cluster.arrived += unsigned(__builtin_popcount(lanes));
  cluster.releaseIfComplete();
  return Outcome::Next;
}

Outcome waitForCluster(Warp &warp, const Instruction &, Mask lanes) {
  bool any = false;
  forEachLane(lanes, [&](unsigned lane) {
    if (warp.clusterPhase[lane] != warp.block.cluster.phase)
      return;
    any = true;
    warp.waiting |= Mask(1) << lane;
    warp.barrier[lane] = kClusterBarrier;
  });
  return any ? Outcome::Wait : Outcome::Next;
}

bool decodeBarrier(Decoder &d) {
  if (d.part(1) != "cluster")
    return decodeBlockBarrier(d);
  d.made->run = d.part(2) == "arrive" ? arriveAtCluster : waitForCluster;
  return true;
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

/// A barrier's 64 bits here; what they are on a device is its secret.
struct Phases {
  uint64_t phase : 1, expected : 20, pending : 20, bytes : 23;
};
static_assert(sizeof(Phases) == sizeof(uint64_t));

Phases *phasesAt(Warp &warp, const Instruction &instruction, uint64_t address,
                 Block *&block, uint64_t &place) {
  uint8_t *memory = warp.shared(instruction, address, 8, 8);
  if (!memory)
    return nullptr;
  place = address;
  block = warp.blockOf(place);
  if (!block->mbarriers.count(place)) {
    warp.fail(instruction, "no mbarrier at " + std::to_string(place));
    return nullptr;
  }
  return reinterpret_cast<Phases *>(memory);
}

uint64_t addressOf(Warp &warp, const Instruction &instruction, unsigned operand,
                   unsigned lane) {
  return readBits(warp, instruction, operand, lane) +
         uint64_t(instruction.offset);
}

Outcome initialize(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t place = addressOf(warp, instruction, 0, lane);
    uint8_t *memory = warp.shared(instruction, place, 8, 8);
    if (!memory) {
      outcome = Outcome::Fail;
      return;
    }
    Phases phases{};
    phases.expected = phases.pending =
        read<uint32_t>(warp, instruction.slots[1], lane);
    std::memcpy(memory, &phases, sizeof(phases));
    Block *block = warp.blockOf(place);
    block->mbarriers.insert(place);
  });
  return outcome;
}

/// detail[0]: whether there is a state to give, which is not used; detail[1]:
/// whether bytes are expected.
Outcome arriveWith(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned first = unsigned(instruction.detail[0]);
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    Block *block = nullptr;
    uint64_t place = 0;
    Phases *phases =
        phasesAt(warp, instruction, addressOf(warp, instruction, first, lane),
                 block, place);
    if (!phases) {
      outcome = Outcome::Fail;
      return;
    }
    if (instruction.detail[1] != 2 && phases->pending == 0) {
      outcome = warp.fail(instruction, "more arrivals than were asked for");
      return;
    }
    if (first)
      writeBits(warp, instruction, 0, lane, 0);
    int64_t bytes =
        instruction.detail[1]
            ? int64_t(read<uint32_t>(warp, instruction.slots[first + 1], lane))
            : 0;
    arrive(*block, place, instruction.detail[1] == 2 ? 0 : 1, bytes);
  });
  return outcome;
}

/// Whether the phase of a parity is over: the one at hand has the other.
Outcome tryWait(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  Mask over = 0;
  forEachLane(lanes, [&](unsigned lane) {
    Block *block = nullptr;
    uint64_t place = 0;
    Phases *phases = phasesAt(
        warp, instruction, addressOf(warp, instruction, 1, lane), block, place);
    if (!phases) {
      outcome = Outcome::Fail;
      return;
    }
    uint32_t parity = read<uint32_t>(warp, instruction.slots[2], lane) & 1;
    over |= Mask(phases->phase != parity) << lane;
  });
  Mask &to = warp.predicate(instruction.slots[0]);
  to = (to & ~lanes) | over;
  if (outcome == Outcome::Next && over != lanes)
    outcome = Outcome::Yield;
  return outcome;
}

bool decodeMbarrier(Decoder &d) {
  const std::string &what = d.part(1);
  if (what == "init") {
    d.made->run = initialize;
    return d.address(0) && d.value(1, 32);
  }
  if (what == "try_wait" || what == "test_wait") {
    d.made->run = tryWait;
    return (d.has("parity") || d.fail("not emulated")) && d.value(0, 1) &&
           d.address(1) && d.value(2, 32);
  }
  if (what == "inval") {
    d.made->run = [](Warp &, const Instruction &, Mask) {
      return Outcome::Next;
    };
    return true;
  }
  if (what != "arrive" && what != "expect_tx")
    return d.fail("not emulated");
  d.made->run = arriveWith;
  bool expects = d.has("expect_tx");
  d.made->detail[1] = what == "expect_tx" ? 2 : expects;
  size_t address = d.source->operands[0].kind == ptx::Operand::Address ? 0 : 1;
  bool sink = d.source->operands[0].kind == ptx::Operand::Sink;
  d.made->detail[0] = address == 1 && !sink;
  if (d.numOperands() != address + 1 + expects)
    return d.fail("not emulated");
  return (!d.made->detail[0] || d.value(0, 64)) && d.address(address) &&
         (!expects || d.value(address + 1, 32));
}

//===----------------------------------------------------------------------===//
// What has nothing to do here, and ends
//===----------------------------------------------------------------------===//

Outcome nothing(Warp &, const Instruction &, Mask) { return Outcome::Next; }
Outcome end(Warp &, const Instruction &, Mask) { return Outcome::Exit; }

bool decodeNothing(Decoder &d) {
  d.made->run = nothing;
  return true;
}

Outcome wholeWarp(Warp &warp, const Instruction &, Mask lanes) {
  return isWhole(warp, lanes) ? Outcome::Next : Outcome::Park;
}

Outcome trap(Warp &warp, const Instruction &instruction, Mask) {
  return warp.fail(instruction, "trap");
}

} // namespace

void pit::emulated::arrive(Block &block, uint64_t place, unsigned count,
                           int64_t bytes) {
  Phases phases;
  std::memcpy(static_cast<void *>(&phases), &block.memory[place],
              sizeof(phases));
  phases.pending -= count;
  phases.bytes += uint64_t(bytes);
  if (phases.pending == 0 && phases.bytes == 0) {
    phases.phase ^= 1;
    phases.pending = phases.expected;
  }
  std::memcpy(&block.memory[place], &phases, sizeof(phases));
}

void pit::emulated::addBarriers(std::map<std::string, Decode> &table) {
  table["bar"] = decodeBlockBarrier;
  table["barrier"] = decodeBarrier;
  table["mbarrier"] = decodeMbarrier;
  table["ret"] = table["exit"] = [](Decoder &d) {
    d.made->run = end;
    return true;
  };
  table["trap"] = [](Decoder &d) {
    d.made->run = trap;
    return true;
  };
  table["setmaxnreg"] = [](Decoder &d) {
    d.made->run = wholeWarp;
    return true;
  };
  // Memory is in order, launches come one after another, and there is one L2.
  for (const char *word :
       {"fence", "membar", "griddepcontrol", "createpolicy", "prefetch",
        "prefetchu", "nanosleep", "applypriority", "discard"})
    table[word] = decodeNothing;
}
