//===- Kernel.h - Instructions, ready to run ------------------ -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose operands are places in a warp's registers, and whose opcodes
// are functions on 32 lanes.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_KERNEL_H
#define PIT_UNITTESTS_EMULATEDCUDA_KERNEL_H

#include "Ptx.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pit::emulated {

struct Warp;
struct Instruction;

inline constexpr unsigned kLanes = 32;
/// One bit per lane.
using Mask = uint32_t;
/// Where a register lies, in bytes. Predicates are a mask, registers of up to
/// 32 bits 32 words of 32 bits, of 64 bits 32 words of 64.
using Slot = uint32_t;

enum class Space { Generic, Global, Shared, Param };

/// What happens to the lanes that ran an instruction.
enum class Outcome {
  Next,  // they go on
  Yield, // they go on, after the others
  Wait,  // they stay until a barrier releases them, and then go on
  Park,  // they try again when lanes that are missing are there
  Again, // they try again in the next turn
  Exit,
  Fail
};
using Handler = Outcome (*)(Warp &warp, const Instruction &instruction,
                            Mask lanes);

struct Instruction {
  Handler run = nullptr;
  int target = -1; // of a branch
  bool guarded = false, negated = false;
  Slot guard = 0;
  std::vector<Slot> slots; // operands, those of vectors in a row
  std::vector<bool> wide;  // which of them have 64 bits
  int64_t offset = 0;      // of an address in memory
  Space space = Space::Generic;
  unsigned bytes = 0;     // of what is read or written per lane or element
  unsigned count = 1;     // elements
  int64_t detail[4] = {}; // what else an opcode says
  int line = 0;
};

struct Kernel {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<ptx::Variable> parameters;
  uint64_t parameterBytes = 0;
  uint64_t sharedBytes = 0; // with a size
  uint64_t dynamicStart = 0;
  std::array<unsigned, 3> cluster = {1, 1, 1}; // blocks, where it says so
  Slot registerBytes = 0;
  struct Constant {
    Slot slot;
    bool wide;
    uint64_t bits;
  };
  std::vector<Constant> constants;
  /// Special registers that the kernel reads: %tid.x and so on.
  std::map<std::string, Slot> specials;
};

/// Turns operands into slots, for the decoders of opcodes.
class Decoder {
public:
  Decoder(const ptx::Module &module, const ptx::Kernel &from, Kernel &to,
          std::string &error)
      : module(module), from(from), to(to), error(error) {}

  bool decode();

  // For decoders: the instruction at hand, its opcode's parts, and operands.
  const ptx::Instruction *source = nullptr;
  Instruction *made = nullptr;
  const std::string &part(size_t number) const;
  bool has(const std::string &part) const;
  size_t numOperands() const { return source->operands.size(); }

  /// Appends the slots of an operand; immediates become constants of so many
  /// bits. A vector's in a row.
  bool value(size_t number, int bits);
  bool value(const ptx::Operand &operand, int bits);
  /// Appends the base of an address and sets the offset.
  bool address(size_t number);
  bool address(const ptx::Operand &operand);
  /// Of an operand that must be a number.
  bool number(size_t number, int64_t &value);
  bool fail(const std::string &what);

private:
  Slot allocate(int bits);
  bool wideRegister(const std::string &name) const;
  Slot constant(uint64_t bits, bool wide);

  const ptx::Module &module;
  const ptx::Kernel &from;
  Kernel &to;
  std::string &error;
  std::map<std::string, std::pair<Slot, int>> registers; // slot and bits
  std::map<std::pair<uint64_t, bool>, Slot> constants;
};

/// Fills in what an opcode does; false with an error where a form of it is not
/// emulated. One for each word that opcodes begin with.
using Decode = bool (*)(Decoder &decoder);
void addArithmetic(std::map<std::string, Decode> &table);
void addBits(std::map<std::string, Decode> &table);
void addPredicates(std::map<std::string, Decode> &table);
void addConversions(std::map<std::string, Decode> &table);
void addMemory(std::map<std::string, Decode> &table);
void addBarriers(std::map<std::string, Decode> &table);
void addCopies(std::map<std::string, Decode> &table);
void addLanes(std::map<std::string, Decode> &table);
void addMatrices(std::map<std::string, Decode> &table);
void addWarpgroups(std::map<std::string, Decode> &table);

/// All kernels of a module; false with what is not emulated, and its line.
bool decode(const ptx::Module &module, std::vector<Kernel> &kernels,
            std::string &error);

} // namespace pit::emulated

#endif // PIT_UNITTESTS_EMULATEDCUDA_KERNEL_H
