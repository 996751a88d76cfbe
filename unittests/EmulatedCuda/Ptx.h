//===- Ptx.h - The text of PTX, read -------------------------- -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX as a list of kernels with instructions in text: what is declared, what an
// operand is. What an instruction does is not known here.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_PTX_H
#define PIT_UNITTESTS_EMULATEDCUDA_PTX_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pit::emulated::ptx {

/// What stands between two commas of an instruction.
struct Operand {
  enum Kind {
    Register,  // %r1, or a special one such as %tid.x
    Immediate, // 12, 0f3F800000
    Symbol,    // a parameter, a shared variable or a label
    Address,   // [base + offset], where base is one of the above
    Vector,    // {a, b}, or a|b
    Tensor,    // [map, {x, y}]
    Sink       // _
  };
  Kind kind;
  std::string name;              // of a register or symbol; an address' base
  uint64_t bits = 0;             // of an immediate
  int floatBits = 0;             // 32 or 64 where it is written as a float
  int64_t offset = 0;            // of an address
  std::vector<Operand> elements; // of a vector; a tensor's map and coordinates
};

struct Instruction {
  std::string guard; // the predicate's name, or nothing
  bool negated = false;
  std::vector<std::string> opcode; // split at its dots
  std::vector<Operand> operands;
  int target = -1; // of a branch: an index of Kernel::instructions
  int line = 0;
};

/// A parameter, or a variable in shared memory.
struct Variable {
  std::string name;
  uint64_t offset = 0, bytes = 0, alignment = 1;
};

struct Kernel {
  std::string name;
  std::vector<Variable> parameters;            // with offsets
  std::array<unsigned, 3> cluster = {1, 1, 1}; // .reqnctapercluster
  std::map<std::string, int> registers;        // bits of each; 1 for predicates
  std::vector<Instruction> instructions;
};

struct Module {
  std::vector<Kernel> kernels;
  std::vector<Variable> shared; // of all kernels, with offsets
  uint64_t sharedBytes = 0;     // of those with a size
  uint64_t dynamicAlignment = 16;
  std::string dynamicName; // of the one without
};

/// Reads a module. Where something is not understood, returns false and says in
/// `error` what, with its line.
bool read(const std::string &text, Module &module, std::string &error);

} // namespace pit::emulated::ptx

#endif // PIT_UNITTESTS_EMULATEDCUDA_PTX_H
