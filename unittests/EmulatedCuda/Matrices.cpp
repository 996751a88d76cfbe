//===- Matrices.cpp - ldmatrix, stmatrix and mma.sync ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane holds which element: PTX ISA, "Matrix fragments for mma".
//
//===----------------------------------------------------------------------===//

#include "Values.h"

using namespace pit::emulated;

namespace {

//===----------------------------------------------------------------------===//
// Matrices of 8x8 elements of 16 bits
//===----------------------------------------------------------------------===//

constexpr unsigned kRow = 8, kRowBytes = 16;

/// Lanes of 8 give the rows' addresses of a matrix each; each lane holds two
/// elements of each. detail[0]: rows and columns change places.
template <bool Store>
Outcome moveMatrices(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!isWhole(warp, lanes))
    return Outcome::Park;
  unsigned address = Store ? 0 : instruction.count;
  unsigned value = Store ? 1 : 0;
  for (unsigned matrix = 0; matrix < instruction.count; ++matrix) {
    uint8_t *rows[kRow];
    for (unsigned row = 0; row < kRow; ++row) {
      uint64_t at = readBits(warp, instruction, address, matrix * kRow + row) +
                    uint64_t(instruction.offset);
      rows[row] = warp.shared(instruction, at, kRowBytes, kRowBytes);
      if (!rows[row])
        return Outcome::Fail;
    }
    uint32_t *registers = warp.narrow(instruction.slots[value + matrix]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = 2 * (lane % 4) + half;
        if (instruction.detail[0])
          std::swap(row, column);
        uint16_t element;
        uint8_t *place = rows[row] + 2 * column;
        if (Store) {
          element = uint16_t(registers[lane] >> 16 * half);
          std::memcpy(place, &element, 2);
        } else {
          std::memcpy(&element, place, 2);
          registers[lane] =
              half ? (registers[lane] & 0xffff) | uint32_t(element) << 16
                   : element;
        }
      }
  }
  return Outcome::Next;
}

template <bool Store> bool decodeMatrices(Decoder &d) {
  if (!d.has("m8n8") || !d.has("b16"))
    return d.fail("not emulated");
  d.made->run = moveMatrices<Store>;
  d.made->detail[0] = d.has("trans");
  d.made->count = d.has("x4") ? 4 : d.has("x2") ? 2 : 1;
  return Store ? d.address(0) && d.value(1, 32)
               : d.value(0, 32) && d.address(1);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

template <class T> float element(uint32_t bits, unsigned half) {
  return float(bitCast<T>(uint16_t(bits >> 16 * half)));
}
struct Tf32 {};
template <> float element<Tf32>(uint32_t bits, unsigned) {
  return tf32(bitCast<float>(bits));
}

/// m16n8: a lane's registers of A are rows of 8 first, then of k; `Pairs`
/// elements stand in a register.
template <class T, unsigned K>
Outcome multiply(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!isWhole(warp, lanes))
    return Outcome::Park;
  constexpr unsigned kPairs = std::is_same_v<T, Tf32> ? 1 : 2;
  constexpr unsigned kParts = K / (4 * kPairs); // of k: registers of B
  const Slot *d = &instruction.slots[0], *a = d + 4, *b = a + 2 * kParts,
             *c = b + kParts;
  float left[16][K], right[8][K];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned group = lane / 4, place = lane % 4 * kPairs;
    for (unsigned part = 0; part < kParts; ++part)
      for (unsigned half = 0; half < kPairs; ++half) {
        unsigned k = part * 4 * kPairs + place + half;
        for (unsigned upper = 0; upper < 2; ++upper)
          left[group + 8 * upper][k] =
              element<T>(warp.narrow(a[2 * part + upper])[lane], half);
        right[group][k] = element<T>(warp.narrow(b[part])[lane], half);
      }
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      const float *row = left[lane / 4 + 8 * (i / 2)];
      const float *column = right[lane % 4 * 2 + i % 2];
      float sum = 0;
      for (unsigned k = 0; k < K; ++k)
        sum += row[k] * column[k];
      write<float>(warp, d[i], lane, read<float>(warp, c[i], lane) + sum);
    }
  return Outcome::Next;
}

bool decodeMultiply(Decoder &d) {
  // mma.sync.aligned.SHAPE.row.col.f32.TYPE.TYPE.f32
  if (d.source->opcode.size() != 10 || d.part(6) != "f32" ||
      d.part(4) != "row" || d.part(5) != "col")
    return d.fail("not emulated");
  const std::string &shape = d.part(3), &type = d.part(7);
  if (shape == "m16n8k16")
    d.made->run = type == "bf16"  ? multiply<Bfloat, 16>
                  : type == "f16" ? multiply<Half, 16>
                                  : nullptr;
  else if (shape == "m16n8k8")
    d.made->run = type == "tf32"   ? multiply<Tf32, 8>
                  : type == "bf16" ? multiply<Bfloat, 8>
                  : type == "f16"  ? multiply<Half, 8>
                                   : nullptr;
  else if (shape == "m16n8k4" && type == "tf32")
    d.made->run = multiply<Tf32, 4>;
  return (d.made->run || d.fail("not emulated")) && d.value(0, 32) &&
         d.value(1, 32) && d.value(2, 32) && d.value(3, 32);
}

} // namespace

void pit::emulated::addMatrices(std::map<std::string, Decode> &table) {
  table["ldmatrix"] = decodeMatrices<false>;
  table["stmatrix"] = decodeMatrices<true>;
  table["mma"] = decodeMultiply;
}
