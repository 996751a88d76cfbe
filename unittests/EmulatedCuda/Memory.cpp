//===- Memory.cpp - Moves, loads, stores and atomics ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

#include <algorithm>

using namespace pit::emulated;

namespace {

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

Outcome moveNarrow(Warp &warp, const Instruction &instruction, Mask lanes) {
  uint32_t *to = warp.narrow(instruction.slots[0]);
  const uint32_t *from = warp.narrow(instruction.slots[1]);
  forEachLane(lanes, [&](unsigned lane) { to[lane] = from[lane]; });
  return Outcome::Next;
}
Outcome moveWide(Warp &warp, const Instruction &instruction, Mask lanes) {
  uint64_t *to = warp.wide(instruction.slots[0]);
  const uint64_t *from = warp.wide(instruction.slots[1]);
  forEachLane(lanes, [&](unsigned lane) { to[lane] = from[lane]; });
  return Outcome::Next;
}
Outcome movePredicate(Warp &warp, const Instruction &instruction, Mask lanes) {
  Mask &to = warp.predicate(instruction.slots[0]);
  to = (to & ~lanes) | (warp.predicate(instruction.slots[1]) & lanes);
  return Outcome::Next;
}

/// Into the parts of a vector, lowest bits first. A part that is wanted by
/// nobody has no slot: detail[0] has a bit for each that is there.
Outcome moveApart(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned last = unsigned(instruction.slots.size()) - 1;
  unsigned bits = 8 * instruction.bytes;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t from = readBits(warp, instruction, last, lane);
    for (unsigned part = 0, at = 0; at < last; ++part) {
      if (!(instruction.detail[0] >> part & 1))
        continue;
      uint64_t mask = ~uint64_t(0) >> (64 - bits);
      writeBits(warp, instruction, at++, lane, from >> part * bits & mask);
    }
  });
  return Outcome::Next;
}
Outcome moveTogether(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned bits = 8 * instruction.bytes;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t value = 0, mask = ~uint64_t(0) >> (64 - bits);
    for (unsigned part = 0; part < instruction.count; ++part)
      value |= (readBits(warp, instruction, part + 1, lane) & mask)
               << part * bits;
    writeBits(warp, instruction, 0, lane, value);
  });
  return Outcome::Next;
}

bool decodeMove(Decoder &d) {
  int bits = bitsOf(d.source->opcode.back());
  if (d.numOperands() != 2)
    return d.fail("another number of operands");
  const ptx::Operand &to = d.source->operands[0], &from = d.source->operands[1];
  if (to.kind == ptx::Operand::Vector) {
    d.made->bytes = unsigned(bits) / 8 / unsigned(to.elements.size());
    d.made->run = moveApart;
    for (size_t i = 0; i < to.elements.size(); ++i) {
      if (to.elements[i].kind == ptx::Operand::Sink)
        continue;
      d.made->detail[0] |= 1 << i;
      if (!d.value(to.elements[i], 8 * int(d.made->bytes)))
        return false;
    }
    return d.value(1, bits);
  }
  if (from.kind == ptx::Operand::Vector) {
    d.made->count = unsigned(from.elements.size());
    d.made->bytes = unsigned(bits) / 8 / d.made->count;
    d.made->run = moveTogether;
    return d.value(0, bits) && d.value(1, 8 * int(d.made->bytes));
  }
  d.made->run = bits == 1 ? movePredicate : bits == 64 ? moveWide : moveNarrow;
  return d.value(0, bits) && d.value(1, bits);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

uint64_t addressOf(Warp &warp, const Instruction &instruction, unsigned operand,
                   unsigned lane) {
  return readBits(warp, instruction, operand, lane) +
         uint64_t(instruction.offset);
}

/// Of an acquire: by another block, or by another device or the host.
static constexpr uint64_t kOfDevice = 1, kOfSystem = 2;

/// detail[0]: the value is extended with its sign; detail[1]: who may write it,
/// if that is awaited. The address is the last.
Outcome load(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned bytes = instruction.bytes, count = instruction.count;
  bool extend = instruction.detail[0];
  Outcome outcome = instruction.detail[1] ? Outcome::Yield : Outcome::Next;
  warp.readsSystem |= instruction.detail[1] == kOfSystem;
  forEachLane(lanes, [&](unsigned lane) {
    uint8_t *from = warp.at(instruction, instruction.space,
                            addressOf(warp, instruction, count, lane),
                            bytes * count, bytes * count);
    if (!from) {
      outcome = Outcome::Fail;
      return;
    }
    for (unsigned i = 0; i < count; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, from + i * bytes, bytes);
      if (extend && bytes < 8)
        value =
            uint64_t(int64_t(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
      writeBits(warp, instruction, i, lane, value);
    }
  });
  return outcome;
}

/// The address is the first.
Outcome store(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned bytes = instruction.bytes, count = instruction.count;
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint8_t *to = warp.at(instruction, instruction.space,
                          addressOf(warp, instruction, 0, lane), bytes * count,
                          bytes * count);
    if (!to) {
      outcome = Outcome::Fail;
      return;
    }
    for (unsigned i = 0; i < count; ++i) {
      uint64_t value = readBits(warp, instruction, i + 1, lane);
      std::memcpy(to + i * bytes, &value, bytes);
    }
  });
  return outcome;
}

/// What all of them say: the space, the type, how many.
bool readForm(Decoder &d) {
  static const std::map<std::string, Space> spaces = {
      {"global", Space::Global},
      {"shared", Space::Shared},
      {"shared::cta", Space::Shared},
      {"shared::cluster", Space::Shared},
      {"param", Space::Param}};
  for (const std::string &part : d.source->opcode) {
    auto found = spaces.find(part);
    if (found != spaces.end())
      d.made->space = found->second;
  }
  d.made->count = d.has("v2") ? 2 : d.has("v4") ? 4 : d.has("v8") ? 8 : 1;
  d.made->bytes = unsigned(bitsOf(d.source->opcode.back())) / 8;
  return d.made->bytes != 0 || d.fail("not emulated");
}

bool decodeLoad(Decoder &d) {
  d.made->run = load;
  d.made->detail[0] = d.source->opcode.back()[0] == 's';
  // Who reads what another block writes may wait for it.
  if (d.has("acquire"))
    d.made->detail[1] = d.has("sys") ? kOfSystem : kOfDevice;
  return readForm(d) && d.value(0, 8 * int(d.made->bytes)) && d.address(1);
}
bool decodeStore(Decoder &d) {
  d.made->run = store;
  return readForm(d) && d.address(0) && d.value(1, 8 * int(d.made->bytes));
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

enum Combination { Plus, BitOr, BitAnd, Maximum, Minimum, Exchange, Swap };

template <class T> T combine(Combination combination, T old, T value) {
  switch (combination) {
  case Plus:
    return T(old + value);
  case Maximum:
    return std::max(old, value);
  case Minimum:
    return std::min(old, value);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (combination == BitOr)
      return old | value;
    if (combination == BitAnd)
      return old & value;
  }
  return value;
}

/// slots: the old value where it is wanted, the address, the value, and of a
/// swap what must be there.
template <class T>
Outcome atomic(Warp &warp, const Instruction &instruction, Mask lanes) {
  auto combination = Combination(instruction.detail[0]);
  unsigned first = instruction.detail[1] ? 1 : 0;
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint8_t *at = warp.at(instruction, instruction.space,
                          addressOf(warp, instruction, first, lane), sizeof(T),
                          sizeof(T));
    if (!at) {
      outcome = Outcome::Fail;
      return;
    }
    T old;
    std::memcpy(&old, at, sizeof(T));
    T value = read<T>(warp, instruction.slots[first + 1], lane);
    if (combination == Swap)
      value = old == value ? read<T>(warp, instruction.slots[first + 2], lane)
                           : old;
    else
      value = combine<T>(combination, old, value);
    std::memcpy(at, &value, sizeof(T));
    if (first)
      write<T>(warp, instruction.slots[0], lane, old);
  });
  return outcome;
}

bool decodeAtomic(Decoder &d) {
  static const std::map<std::string, Combination> words = {
      {"add", Plus},    {"or", BitOr},      {"and", BitAnd}, {"max", Maximum},
      {"min", Minimum}, {"exch", Exchange}, {"cas", Swap}};
  size_t parts = d.source->opcode.size();
  auto found = words.find(d.part(parts - 2));
  const std::string &type = d.part(parts - 1);
  d.made->run = type == "u32" || type == "b32"   ? atomic<uint32_t>
                : type == "s32"                  ? atomic<int32_t>
                : type == "u64" || type == "b64" ? atomic<uint64_t>
                : type == "s64"                  ? atomic<int64_t>
                : type == "f32"                  ? atomic<float>
                : type == "f64"                  ? atomic<double>
                                                 : nullptr;
  if (found == words.end() || !d.made->run || !readForm(d))
    return d.fail("not emulated");
  d.made->detail[0] = found->second;
  bool wanted =
      d.part(0) == "atom" && d.source->operands[0].kind != ptx::Operand::Sink;
  d.made->detail[1] = wanted;
  size_t address = d.part(0) == "atom";
  int bits = 8 * int(d.made->bytes);
  if ((wanted && !d.value(0, bits)) || !d.address(address))
    return false;
  for (size_t i = address + 1; i < d.numOperands(); ++i)
    if (!d.value(i, bits))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Outcome addToAddress(Warp &warp, const Instruction &instruction, Mask lanes) {
  uint64_t base = instruction.space == Space::Shared ? kSharedWindow
                  : instruction.space == Space::Param
                      ? warp.block.cluster.grid.parameterAddress()
                      : 0;
  if (instruction.detail[0])
    base = 0 - base;
  forEachLane(lanes, [&](unsigned lane) {
    writeBits(warp, instruction, 0, lane,
              readBits(warp, instruction, 1, lane) + base);
  });
  return Outcome::Next;
}

/// To generic, or with `to` from it.
bool decodeAddressSpace(Decoder &d) {
  d.made->run = addToAddress;
  d.made->detail[0] = d.has("to");
  d.made->bytes = 8;
  return readForm(d) && d.value(0, 64) && d.value(1, 64);
}

/// The same place in another block of the cluster.
Outcome mapToRank(Warp &warp, const Instruction &instruction, Mask lanes) {
  unsigned size = unsigned(warp.block.cluster.blocks.size());
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t rank = readBits(warp, instruction, 2, lane);
    uint64_t place = readBits(warp, instruction, 1, lane) &
                     ((uint64_t(1) << kRankShift) - 1);
    if (rank >= size)
      outcome = warp.fail(instruction, "no block " + std::to_string(rank) +
                                           " in the cluster");
    writeBits(warp, instruction, 0, lane, (rank + 1) << kRankShift | place);
  });
  return outcome;
}
bool decodeMap(Decoder &d) {
  int bits = bitsOf(d.source->opcode.back());
  d.made->run = mapToRank;
  return d.value(0, bits) && d.value(1, bits) && d.value(2, 32);
}

} // namespace

void pit::emulated::addMemory(std::map<std::string, Decode> &table) {
  table["mov"] = decodeMove;
  table["ld"] = decodeLoad;
  table["st"] = decodeStore;
  table["atom"] = decodeAtomic;
  table["red"] = decodeAtomic;
  table["cvta"] = decodeAddressSpace;
  table["mapa"] = decodeMap;
}
