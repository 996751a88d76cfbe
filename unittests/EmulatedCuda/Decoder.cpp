//===- Decoder.cpp - Instructions, ready to run ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>

using namespace pit::emulated;

/// Static shared memory begins here, so that no variable has address 0.
static constexpr uint64_t kSharedStart = 1024;

static const std::map<std::string, Decode> &opcodes() {
  static const std::map<std::string, Decode> table = [] {
    std::map<std::string, Decode> made;
    addArithmetic(made);
    addBits(made);
    addPredicates(made);
    addConversions(made);
    addMemory(made);
    addBarriers(made);
    addCopies(made);
    addLanes(made);
    addMatrices(made);
    addWarpgroups(made);
    return made;
  }();
  return table;
}

bool Decoder::fail(const std::string &what) {
  if (!error.empty())
    return false;
  std::string opcode;
  for (const std::string &part : source->opcode)
    opcode += (opcode.empty() ? "" : ".") + part;
  error =
      "line " + std::to_string(source->line) + ": '" + opcode + "': " + what;
  return false;
}

const std::string &Decoder::part(size_t number) const {
  static const std::string none;
  return number < source->opcode.size() ? source->opcode[number] : none;
}

bool Decoder::has(const std::string &part) const {
  const std::vector<std::string> &parts = source->opcode;
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Slot Decoder::allocate(int bits) {
  Slot slot = to.registerBytes;
  to.registerBytes += bits == 64 ? 8 * kLanes : 4 * kLanes;
  return slot;
}

Slot Decoder::constant(uint64_t bits, bool wide) {
  auto [place, isNew] = constants.insert({{bits, wide}, 0});
  if (isNew) {
    place->second = allocate(wide ? 64 : 32);
    to.constants.push_back({place->second, wide, bits});
  }
  return place->second;
}

bool Decoder::value(size_t number, int bits) {
  if (number >= numOperands())
    return fail("an operand is missing");
  return value(source->operands[number], bits);
}

bool Decoder::value(const ptx::Operand &operand, int bits) {
  auto append = [&](Slot slot, bool wide) {
    made->slots.push_back(slot);
    made->wide.push_back(wide);
    return true;
  };
  switch (operand.kind) {
  case ptx::Operand::Vector:
    for (const ptx::Operand &element : operand.elements)
      if (!value(element, bits))
        return false;
    return true;
  case ptx::Operand::Immediate: {
    uint64_t value = operand.bits;
    if (bits == 1)
      value = value ? ~uint32_t(0) : 0;
    else if (bits < 64)
      value &= (uint64_t(1) << bits) - 1;
    return append(constant(value, bits == 64), bits == 64);
  }
  case ptx::Operand::Register: {
    auto declared = from.registers.find(operand.name);
    if (declared == from.registers.end()) { // a special one
      auto [place, isNew] = to.specials.insert({operand.name, 0});
      if (isNew)
        place->second = allocate(32);
      return append(place->second, false);
    }
    auto [place, isNew] =
        registers.insert({operand.name, {0, declared->second}});
    if (isNew)
      place->second.first = allocate(declared->second);
    return append(place->second.first, declared->second == 64);
  }
  case ptx::Operand::Symbol:
    if (operand.name == module.dynamicName)
      return append(constant(to.dynamicStart, bits == 64), bits == 64);
    for (const ptx::Variable &variable : module.shared)
      if (variable.name == operand.name)
        return append(constant(kSharedStart + variable.offset, bits == 64),
                      bits == 64);
    for (const ptx::Variable &parameter : from.parameters)
      if (parameter.name == operand.name)
        return append(constant(parameter.offset, bits == 64), bits == 64);
    return fail("'" + operand.name + "' is not known");
  default:
    return fail("an operand of another kind is needed");
  }
}

bool Decoder::address(size_t number) {
  if (number >= numOperands())
    return fail("an address is missing");
  return address(source->operands[number]);
}

bool Decoder::address(const ptx::Operand &operand) {
  if (operand.kind != ptx::Operand::Address)
    return fail("an address is needed");
  ptx::Operand base = operand;
  base.kind = operand.name.empty()                 ? ptx::Operand::Immediate
              : from.registers.count(operand.name) ? ptx::Operand::Register
                                                   : ptx::Operand::Symbol;
  made->offset = operand.offset;
  return value(base, 64);
}

bool Decoder::number(size_t number, int64_t &value) {
  if (number >= numOperands() ||
      source->operands[number].kind != ptx::Operand::Immediate)
    return fail("a number is needed");
  value = int64_t(source->operands[number].bits);
  return true;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

bool Decoder::decode() {
  to.name = from.name;
  to.parameters = from.parameters;
  to.cluster = from.cluster;
  for (const ptx::Variable &parameter : from.parameters)
    to.parameterBytes = parameter.offset + parameter.bytes;
  to.sharedBytes = kSharedStart + module.sharedBytes;
  to.dynamicStart = (to.sharedBytes + module.dynamicAlignment - 1) /
                    module.dynamicAlignment * module.dynamicAlignment;
  for (const ptx::Instruction &instruction : from.instructions) {
    to.instructions.emplace_back();
    source = &instruction;
    made = &to.instructions.back();
    made->line = instruction.line;
    if (!instruction.guard.empty()) {
      ptx::Operand guard;
      guard.kind = ptx::Operand::Register;
      guard.name = instruction.guard;
      value(guard, 1);
      made->guarded = true;
      made->negated = instruction.negated;
      made->guard = made->slots.back();
      made->slots.clear();
      made->wide.clear();
    }
    if (instruction.target >= 0) {
      made->target = instruction.target;
      continue;
    }
    auto found = opcodes().find(part(0) + "." + part(1));
    if (found == opcodes().end())
      found = opcodes().find(part(0));
    if (found == opcodes().end())
      return fail("not emulated");
    if (!found->second(*this))
      return fail("not emulated");
  }
  return true;
}

bool pit::emulated::decode(const ptx::Module &module,
                           std::vector<Kernel> &kernels, std::string &error) {
  for (const ptx::Kernel &kernel : module.kernels) {
    kernels.emplace_back();
    if (!Decoder(module, kernel, kernels.back(), error).decode())
      return false;
  }
  return true;
}
