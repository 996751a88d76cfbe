//===- Predicates.cpp - Comparisons and selections ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

using namespace pit::emulated;

namespace {

enum Comparison { Eq, Ne, Lt, Le, Gt, Ge, BothNumbers, SomeNaN };

/// `unordered`: also true where one is NaN.
template <class T>
bool compare(Comparison comparison, bool unordered, T a, T b) {
  if constexpr (isFloat<T>) {
    bool nan = std::isnan(double(a)) || std::isnan(double(b));
    if (comparison == BothNumbers || comparison == SomeNaN)
      return nan == (comparison == SomeNaN);
    if (nan)
      return unordered;
  }
  switch (comparison) {
  case Eq:
    return a == b;
  case Ne:
    return a != b;
  case Lt:
    return a < b;
  case Le:
    return a <= b;
  case Gt:
    return a > b;
  default:
    return a >= b;
  }
}

template <class T>
Outcome setPredicate(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  auto comparison = Comparison(instruction.detail[0]);
  Mask result = 0;
  forEachLane(lanes, [&](unsigned lane) {
    bool holds = compare<T>(comparison, instruction.detail[1],
                            read<T>(warp, slots[1], lane),
                            read<T>(warp, slots[2], lane));
    result |= Mask(holds) << lane;
  });
  Mask &to = warp.predicate(slots[0]);
  to = (to & ~lanes) | result;
  return Outcome::Next;
}

/// A predicate for each half of the registers.
template <class T>
Outcome setPredicates(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  auto comparison = Comparison(instruction.detail[0]);
  for (unsigned half = 0; half < 2; ++half) {
    Mask result = 0;
    auto value = [&](unsigned operand, unsigned lane) {
      return bitCast<T>(
          uint16_t(read<uint32_t>(warp, slots[operand], lane) >> 16 * half));
    };
    forEachLane(lanes, [&](unsigned lane) {
      bool holds = compare<T>(comparison, instruction.detail[1], value(2, lane),
                              value(3, lane));
      result |= Mask(holds) << lane;
    });
    Mask &to = warp.predicate(slots[half]);
    to = (to & ~lanes) | result;
  }
  return Outcome::Next;
}

bool decodeSetPredicate(Decoder &d) {
  static const std::map<std::string, std::pair<Comparison, bool>> words = {
      {"eq", {Eq, false}},           {"ne", {Ne, false}},
      {"lt", {Lt, false}},           {"le", {Le, false}},
      {"gt", {Gt, false}},           {"ge", {Ge, false}},
      {"lo", {Lt, false}},           {"ls", {Le, false}},
      {"hi", {Gt, false}},           {"hs", {Ge, false}},
      {"equ", {Eq, true}},           {"neu", {Ne, true}},
      {"ltu", {Lt, true}},           {"leu", {Le, true}},
      {"gtu", {Gt, true}},           {"geu", {Ge, true}},
      {"num", {BothNumbers, false}}, {"nan", {SomeNaN, false}}};
  auto found = words.find(d.part(1));
  Handler handler = ofType(typeOf(d), [](auto value) -> Handler {
    return setPredicate<decltype(value)>;
  });
  if (!halfTypeOf(d).empty())
    handler = halfTypeOf(d) == "bf16"  ? setPredicates<Bfloat>
              : halfTypeOf(d) == "f16" ? setPredicates<Half>
                                       : nullptr;
  if (found == words.end() || !handler || d.numOperands() != 3)
    return d.fail("not emulated");
  d.made->run = handler;
  d.made->detail[0] = found->second.first;
  d.made->detail[1] = found->second.second;
  int bits = halfTypeOf(d).empty() ? bitsOf(typeOf(d)) : 32;
  return d.value(0, 1) && d.value(1, bits) && d.value(2, bits);
}

template <class T>
Outcome select(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  Mask first = warp.predicate(slots[3]);
  forEachLane(lanes, [&](unsigned lane) {
    write<T>(warp, slots[0], lane,
             read<T>(warp, slots[first >> lane & 1 ? 1 : 2], lane));
  });
  return Outcome::Next;
}
bool decodeSelect(Decoder &d) {
  int bits = bitsOf(typeOf(d));
  d.made->run = bits == 64 ? select<uint64_t> : select<uint32_t>;
  return d.value(0, bits) && d.value(1, bits) && d.value(2, bits) &&
         d.value(3, 1);
}

} // namespace

void pit::emulated::addPredicates(std::map<std::string, Decode> &table) {
  table["setp"] = decodeSetPredicate;
  table["selp"] = decodeSelect;
}
