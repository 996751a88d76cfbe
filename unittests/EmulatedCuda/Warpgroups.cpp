//===- Warpgroups.cpp - wgmma ---------------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp of a warpgroup computes its 16 rows by itself. Products are
// computed when a draw says so, at the latest when their group is waited for,
// and read shared memory and registers then. Layouts: PTX ISA, "Asynchronous
// warpgroup level matrix instructions"; strides of descriptors as CUTLASS
// writes them (cute/arch/mma_sm90_desc.hpp).
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "Values.h"

using namespace pit::emulated;

namespace {

/// A matrix in shared memory as a descriptor says.
struct Descriptor {
  uint64_t start, leading, stride;
  unsigned swizzle; // as of tensor maps

  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4),
        swizzle(unsigned(4 - (bits >> 62)) & 3) {}

  /// Bytes that lie side by side.
  uint64_t pitch() const { return uint64_t(16) << swizzle; }

  /// Of an element, where k or else rows (of A; columns of B) lie side by side.
  uint64_t address(unsigned row, unsigned k, unsigned bytes,
                   bool alongK) const {
    uint64_t inner = uint64_t(alongK ? k : row) * bytes;
    uint64_t outer = alongK ? row : k;
    uint64_t linear = start + outer % 8 * pitch() + inner % pitch();
    // Without a swizzle, what the two strides are of changes along rows.
    if (alongK || swizzle != 0)
      linear += outer / 8 * stride + inner / pitch() * leading;
    else
      linear += outer / 8 * leading + inner / pitch() * stride;
    return swizzled(swizzle, linear);
  }
};

template <class T> float load(const uint8_t *from) {
  T value;
  std::memcpy(static_cast<void *>(&value), from, sizeof(T));
  return float(value);
}
template <> float load<float>(const uint8_t *from) {
  float value;
  std::memcpy(&value, from, sizeof(value));
  return tf32(value);
}
/// The part of a register with that number.
template <class T> float fromRegister(uint32_t bits, unsigned part) {
  if constexpr (sizeof(T) == 4)
    return tf32(bitCast<float>(bits));
  else if constexpr (sizeof(T) == 2)
    return float(bitCast<T>(uint16_t(bits >> 16 * part)));
  else
    return float(bitCast<T>(uint8_t(bits >> 8 * part)));
}

/// Adds the sum of an instruction's products, which is exact of integers, to
/// what a register holds. Of products of floats of 8 bits, sums keep 13 bits
/// behind the leading one (DeepSeek-V3 Technical Report, 3.3.2).
template <class T>
void addSum(Warp &warp, Slot slot, unsigned lane, float sum, bool adds) {
  if constexpr (std::is_integral_v<T>) {
    uint32_t before = adds ? read<uint32_t>(warp, slot, lane) : 0;
    return write<uint32_t>(warp, slot, lane, before + uint32_t(int32_t(sum)));
  }
  float total = (adds ? read<float>(warp, slot, lane) : 0) + sum;
  if (sizeof(T) == 1)
    total = bitCast<float>(bitCast<uint32_t>(total) & ~0x3ffu);
  write<float>(warp, slot, lane, total);
}

/// Reads rows of a matrix as floats, 16 bytes that lie side by side at a time.
template <class T>
bool gather(Warp &warp, const Instruction &instruction, Descriptor from,
            unsigned first, unsigned rows, bool alongK, unsigned numK,
            float *to, unsigned rowStride, unsigned kStride) {
  constexpr unsigned kSide = 16 / sizeof(T);
  unsigned rowStep = alongK ? 1 : kSide, kStep = alongK ? kSide : 1;
  for (unsigned row = 0; row < rows; row += rowStep)
    for (unsigned k = 0; k < numK; k += kStep) {
      const uint8_t *place = warp.shared(
          instruction, from.address(first + row, k, sizeof(T), alongK), 16, 16);
      if (!place)
        return false;
      float *values = to + row * rowStride + k * kStride;
      for (unsigned i = 0; i < kSide; ++i)
        values[i * (alongK ? kStride : rowStride)] =
            load<T>(place + i * sizeof(T));
    }
  return true;
}

/// sums[column] = sum over k of a[k] * b[k][column].
PIT_EMULATED_WIDEST
void multiplyRow(float *__restrict sums, const float *__restrict a,
                 const float (*__restrict b)[256], unsigned numK,
                 unsigned columns) {
  for (unsigned column = 0; column < columns; ++column)
    sums[column] = 0;
  for (unsigned k = 0; k < numK; ++k)
    for (unsigned column = 0; column < columns; ++column)
      sums[column] += a[k] * b[k][column];
}

/// detail: columns, A in registers, A's k not side by side, B's neither. T is
/// the type of A, U that of B.
template <class T, class U>
void product(Warp &warp, const Instruction &instruction, uint64_t left,
             uint64_t right, bool adds) {
  constexpr unsigned kK = 32 / sizeof(T), kPairs = 4 / sizeof(T);
  unsigned columns = unsigned(instruction.detail[0]);
  float a[16][kK];
  static thread_local float b[kK][256];
  const Slot *d = &instruction.slots[0], *registers = d + columns / 2;
  if (instruction.detail[1]) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        for (unsigned half = 0; half < kPairs; ++half)
          a[lane / 4 + 8 * (i % 2)]
           [i / 2 * 4 * kPairs + lane % 4 * kPairs + half] =
               fromRegister<T>(warp.narrow(registers[i])[lane], half);
  } else if (!gather<T>(warp, instruction, Descriptor(left),
                        warp.number % 4 * 16, 16, !instruction.detail[2], kK,
                        &a[0][0], kK, 1)) {
    return;
  }
  if (!gather<U>(warp, instruction, Descriptor(right), 0, columns,
                 !instruction.detail[3], kK, &b[0][0], 1, 256))
    return;
  for (unsigned row = 0; row < 16; ++row) {
    float sums[256];
    multiplyRow(sums, a[row], b, kK, columns);
    for (unsigned column = 0; column < columns; ++column) {
      unsigned lane = row % 8 * 4 + column % 8 / 2;
      Slot slot = d[column / 8 * 4 + row / 8 * 2 + column % 2];
      addSum<T>(warp, slot, lane, sums[column], adds);
    }
  }
}

template <class T, class U = T>
Outcome multiply(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!isWhole(warp, lanes))
    return Outcome::Park;
  unsigned lane = unsigned(__builtin_ctz(lanes));
  unsigned columns = unsigned(instruction.detail[0]);
  bool inRegisters = instruction.detail[1];
  unsigned at = columns / 2 + (inRegisters ? 4 : 1);
  uint64_t left =
      inRegisters ? 0 : readBits(warp, instruction, columns / 2, lane);
  uint64_t right = readBits(warp, instruction, at, lane);
  bool adds = warp.predicate(instruction.slots[at + 1]) >> lane & 1;
  warp.pend(warp.products, [&warp, &instruction, left, right, adds] {
    product<T, U>(warp, instruction, left, right, adds);
  });
  return Outcome::Next;
}

bool isNumber(Decoder &d, size_t operand, int64_t expected) {
  int64_t value = 0;
  return d.number(operand, value) &&
         (value == expected || d.fail("not emulated"));
}

bool decodeProduct(Decoder &d) {
  // wgmma.mma_async.sync.aligned.m64nNkK.SUM.TYPE.TYPE
  if (d.source->opcode.size() != 8)
    return d.fail("not emulated");
  static const std::map<std::string, Handler> table = {
      {"f32.bf16.bf16", multiply<Bfloat>},
      {"f32.f16.f16", multiply<Half>},
      {"f32.tf32.tf32", multiply<float>},
      {"f32.e4m3.e4m3", multiply<Float8>},
      {"s32.s8.s8", multiply<int8_t>},
      {"s32.s8.u8", multiply<int8_t, uint8_t>},
      {"s32.u8.s8", multiply<uint8_t, int8_t>},
      {"s32.u8.u8", multiply<uint8_t>}};
  const std::string &shape = d.part(4), &sum = d.part(5), &type = d.part(6);
  auto found = table.find(sum + "." + type + "." + d.part(7));
  if (found != table.end())
    d.made->run = found->second;
  int64_t columns = std::atoi(&shape[4]);
  bool inRegisters = d.source->operands[1].kind == ptx::Operand::Vector;
  if (!d.made->run || columns < 8 || columns > 256 || columns % 8 ||
      d.source->operands[0].elements.size() != size_t(columns) / 2)
    return d.fail("not emulated");
  d.made->detail[0] = columns;
  d.made->detail[1] = inRegisters;
  if (!d.value(0, 32) || !d.value(1, inRegisters ? 32 : 64) ||
      !d.value(2, 64) || !d.value(3, 1))
    return false;
  // Integers have no signs of their own.
  if (sum == "s32")
    return true;
  if (!isNumber(d, 4, 1) || !isNumber(d, 5, 1))
    return false;
  // Others may be transposed.
  if (type == "tf32" || type == "e4m3")
    return true;
  size_t next = 6;
  return (inRegisters || d.number(next++, d.made->detail[2])) &&
         d.number(next, d.made->detail[3]);
}

bool decodeWarpgroup(Decoder &d) {
  const std::string &what = d.part(1);
  if (what == "mma_async")
    return decodeProduct(d);
  if (what == "wait_group") {
    d.made->run = [](Warp &warp, const Instruction &instruction, Mask lanes) {
      if (!isWhole(warp, lanes))
        return Outcome::Park;
      // Products are the whole warpgroup's: a group ends for none of the warps
      // before all have asked for it.
      for (const std::unique_ptr<Warp> &other : warp.block.warps)
        if (other->number / 4 == warp.number / 4 &&
            other->numGroups + uint64_t(instruction.detail[0]) < warp.numGroups)
          return Outcome::Again;
      finishGroups(warp.products, uint64_t(instruction.detail[0]));
      return Outcome::Next;
    };
    return d.number(0, d.made->detail[0]);
  }
  if (what == "commit_group")
    d.made->run = [](Warp &warp, const Instruction &, Mask lanes) {
      if (!isWhole(warp, lanes))
        return Outcome::Park;
      ++warp.numGroups;
      warp.pend(warp.products, nullptr);
      return Outcome::Next;
    };
  else if (what == "fence")
    d.made->run = [](Warp &warp, const Instruction &, Mask lanes) {
      return isWhole(warp, lanes) ? Outcome::Next : Outcome::Park;
    };
  return d.made->run || d.fail("not emulated");
}

} // namespace

void pit::emulated::addWarpgroups(std::map<std::string, Decode> &table) {
  table["wgmma"] = decodeWarpgroup;
}
