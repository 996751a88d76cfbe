//===- Lanes.cpp - What lanes of a warp do together -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <algorithm>

using namespace pit::emulated;

namespace {

/// Lanes that an instruction's member mask names and that have not ended, which
/// must all be there.
bool allAreThere(Warp &warp, const Instruction &instruction, unsigned operand,
                 Mask lanes) {
  unsigned first = unsigned(__builtin_ctz(lanes));
  Mask members = read<uint32_t>(warp, instruction.slots[operand], first);
  return (members & living(warp) & ~lanes) == 0;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

enum Mode { Up, Down, Butterfly, Index };

/// PTX ISA, "shfl.sync": which lane to read, or the own one.
unsigned sourceOf(Mode mode, unsigned lane, unsigned by, unsigned bounds) {
  unsigned segment = bounds >> 8 & 31, clamp = bounds & 31;
  unsigned most = (lane & segment) | (clamp & ~segment);
  unsigned least = lane & segment;
  int from = mode == Up          ? int(lane) - int(by)
             : mode == Down      ? int(lane + by)
             : mode == Butterfly ? int(lane ^ by)
                                 : int(least | (by & ~segment));
  bool inside = mode == Up ? from >= int(most) : from <= int(most);
  return inside ? unsigned(from) : lane;
}

Outcome shuffle(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!allAreThere(warp, instruction, 4, lanes))
    return Outcome::Park;
  const std::vector<Slot> &slots = instruction.slots;
  uint32_t from[kLanes];
  std::copy_n(warp.narrow(slots[1]), kLanes, from);
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    unsigned source = sourceOf(Mode(instruction.detail[0]), lane,
                               read<uint32_t>(warp, slots[2], lane) & 31,
                               read<uint32_t>(warp, slots[3], lane));
    if (!(lanes >> source & 1))
      outcome = warp.fail(instruction,
                          "lane " + std::to_string(lane) + " reads lane " +
                              std::to_string(source) + ", which is not there");
    write<uint32_t>(warp, slots[0], lane, from[source]);
  });
  return outcome;
}

bool decodeShuffle(Decoder &d) {
  static const std::map<std::string, Mode> modes = {
      {"up", Up}, {"down", Down}, {"bfly", Butterfly}, {"idx", Index}};
  auto found = modes.find(d.part(2));
  if (found == modes.end() || d.part(1) != "sync" || d.numOperands() != 5)
    return d.fail("not emulated");
  d.made->run = shuffle;
  d.made->detail[0] = found->second;
  for (size_t i = 0; i < 5; ++i)
    if (!d.value(i, 32))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Votes and reductions
//===----------------------------------------------------------------------===//

enum Vote { Ballot, All, Any, Uniform };

Outcome vote(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!allAreThere(warp, instruction, 2, lanes))
    return Outcome::Park;
  const std::vector<Slot> &slots = instruction.slots;
  Mask votes = warp.predicate(slots[1]);
  if (instruction.detail[1])
    votes = ~votes;
  votes &= lanes;
  auto kind = Vote(instruction.detail[0]);
  if (kind == Ballot) {
    forEachLane(lanes, [&](unsigned lane) {
      write<uint32_t>(warp, slots[0], lane, votes);
    });
    return Outcome::Next;
  }
  bool holds = kind == All   ? votes == lanes
               : kind == Any ? votes != 0
                             : votes == lanes || votes == 0;
  Mask &to = warp.predicate(slots[0]);
  to = (to & ~lanes) | (holds ? lanes : 0);
  return Outcome::Next;
}

bool decodeVote(Decoder &d) {
  static const std::map<std::string, Vote> kinds = {
      {"ballot", Ballot}, {"all", All}, {"any", Any}, {"uni", Uniform}};
  auto found = kinds.find(d.part(2));
  if (found == kinds.end() || d.part(1) != "sync")
    return d.fail("not emulated");
  d.made->run = vote;
  d.made->detail[0] = found->second;
  return d.value(0, found->second == Ballot ? 32 : 1) && d.value(1, 1) &&
         d.value(2, 32);
}

template <class F>
Outcome reduce(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!allAreThere(warp, instruction, 2, lanes))
    return Outcome::Park;
  const std::vector<Slot> &slots = instruction.slots;
  uint32_t result =
      read<uint32_t>(warp, slots[1], unsigned(__builtin_ctz(lanes)));
  forEachLane(lanes & (lanes - 1), [&](unsigned lane) {
    result = F::apply(result, read<uint32_t>(warp, slots[1], lane));
  });
  forEachLane(lanes, [&](unsigned lane) {
    write<uint32_t>(warp, slots[0], lane, result);
  });
  return Outcome::Next;
}

struct Plus {
  static uint32_t apply(uint32_t a, uint32_t b) { return a + b; }
};
struct BitOr {
  static uint32_t apply(uint32_t a, uint32_t b) { return a | b; }
};
struct BitAnd {
  static uint32_t apply(uint32_t a, uint32_t b) { return a & b; }
};
template <class T> struct Least {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return uint32_t(std::min(T(a), T(b)));
  }
};
template <class T> struct Most {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return uint32_t(std::max(T(a), T(b)));
  }
};

bool decodeReduce(Decoder &d) {
  bool isSigned = d.source->opcode.back() == "s32";
  const std::string &op = d.part(2);
  d.made->run =
      op == "add"   ? reduce<Plus>
      : op == "or"  ? reduce<BitOr>
      : op == "and" ? reduce<BitAnd>
      : op == "min"
          ? (isSigned ? reduce<Least<int32_t>> : reduce<Least<uint32_t>>)
      : op == "max"
          ? (isSigned ? reduce<Most<int32_t>> : reduce<Most<uint32_t>>)
          : nullptr;
  return (d.made->run || d.fail("not emulated")) && d.value(0, 32) &&
         d.value(1, 32) && d.value(2, 32);
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

Outcome meet(Warp &warp, const Instruction &instruction, Mask lanes) {
  return allAreThere(warp, instruction, 0, lanes) ? Outcome::Next
                                                  : Outcome::Park;
}

Outcome elect(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!allAreThere(warp, instruction, 1, lanes))
    return Outcome::Park;
  Mask &to = warp.predicate(instruction.slots[0]);
  to = (to & ~lanes) | (lanes & (~lanes + 1));
  return Outcome::Next;
}

bool decodeElect(Decoder &d) {
  // "elect.sync dst|p, mask", of which nobody wants to know the lane.
  const std::vector<ptx::Operand> &results = d.source->operands[0].elements;
  if (d.numOperands() != 2 || results.size() != 2 ||
      results[0].kind != ptx::Operand::Sink)
    return d.fail("not emulated");
  d.made->run = elect;
  return d.value(results[1], 1) && d.value(1, 32);
}

} // namespace

void pit::emulated::addLanes(std::map<std::string, Decode> &table) {
  table["shfl"] = decodeShuffle;
  table["vote"] = decodeVote;
  table["redux"] = decodeReduce;
  table["elect"] = decodeElect;
  table["activemask"] = [](Decoder &d) {
    d.made->run = [](Warp &warp, const Instruction &instruction, Mask lanes) {
      forEachLane(lanes, [&](unsigned lane) {
        write<uint32_t>(warp, instruction.slots[0], lane, lanes);
      });
      return Outcome::Next;
    };
    return d.value(0, 32);
  };
  // bar.warp.sync; the others are in Barriers.cpp.
  table["bar.warp"] = [](Decoder &d) {
    d.made->run = meet;
    return d.value(0, 32);
  };
}
