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

/// What a register of inputs holds of a type: elements, and their number.
template <class T> struct Inputs {
  using Register = uint32_t;
  static constexpr unsigned kCount = 2;
  static float get(uint32_t bits, unsigned number) {
    return float(bitCast<T>(uint16_t(bits >> 16 * number)));
  }
};
struct Tf32 {};
template <> struct Inputs<Tf32> {
  using Register = uint32_t;
  static constexpr unsigned kCount = 1;
  static float get(uint32_t bits, unsigned) {
    return tf32(bitCast<float>(bits));
  }
};
template <> struct Inputs<double> {
  using Register = double;
  static constexpr unsigned kCount = 1;
  static double get(double element, unsigned) { return element; }
};
/// Integers of 8 bits, as they are added up: modulo 2^32.
template <class T> struct Bytes {
  using Register = uint32_t;
  static constexpr unsigned kCount = 4;
  static uint32_t get(uint32_t bits, unsigned number) {
    return uint32_t(int32_t(T(bits >> 8 * number)));
  }
};
template <> struct Inputs<int8_t> : Bytes<int8_t> {};
template <> struct Inputs<uint8_t> : Bytes<uint8_t> {};

/// mMn8: a lane's registers of A are rows of 8 first, then of k.
template <class A, class B, class Sum, unsigned M, unsigned K>
Outcome multiply(Warp &warp, const Instruction &instruction, Mask lanes) {
  if (!isWhole(warp, lanes))
    return Outcome::Park;
  using Register = typename Inputs<A>::Register;
  constexpr unsigned kCount = Inputs<A>::kCount;
  static_assert(Inputs<B>::kCount == kCount);
  constexpr unsigned kRows = M / 8, kSums = 2 * kRows;
  constexpr unsigned kParts = K / (4 * kCount); // of k: registers of B
  const Slot *d = &instruction.slots[0], *a = d + kSums,
             *b = a + kRows * kParts, *c = b + kParts;
  Sum left[M][K], right[K][8], sums[M][8] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned group = lane / 4, place = lane % 4 * kCount;
    for (unsigned part = 0; part < kParts; ++part)
      for (unsigned i = 0; i < kCount; ++i) {
        unsigned k = part * 4 * kCount + place + i;
        for (unsigned upper = 0; upper < kRows; ++upper)
          left[group + 8 * upper][k] = Inputs<A>::get(
              read<Register>(warp, a[kRows * part + upper], lane), i);
        right[k][group] =
            Inputs<B>::get(read<Register>(warp, b[part], lane), i);
      }
  }
  // Columns side by side, for the host's vectors.
  for (unsigned row = 0; row < M; ++row)
    for (unsigned k = 0; k < K; ++k)
      for (unsigned column = 0; column < 8; ++column)
        sums[row][column] += left[row][k] * right[k][column];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < kSums; ++i)
      write<Sum>(warp, d[i], lane,
                 read<Sum>(warp, c[i], lane) +
                     sums[lane / 4 + 8 * (i / 2)][lane % 4 * 2 + i % 2]);
  return Outcome::Next;
}

template <class T, unsigned K>
constexpr Handler kTallProduct = multiply<T, T, float, 16, K>;
template <class A, class B>
constexpr Handler kByteProduct = multiply<A, B, uint32_t, 16, 32>;

Handler findProduct(const std::string &shape, const std::string &left,
                    const std::string &right, const std::string &sum) {
  const std::string what = shape + "." + sum + "." + left + "." + right;
  static const std::map<std::string, Handler> table = {
      {"m16n8k16.f32.bf16.bf16", kTallProduct<Bfloat, 16>},
      {"m16n8k16.f32.f16.f16", kTallProduct<Half, 16>},
      {"m16n8k8.f32.tf32.tf32", kTallProduct<Tf32, 8>},
      {"m16n8k8.f32.bf16.bf16", kTallProduct<Bfloat, 8>},
      {"m16n8k8.f32.f16.f16", kTallProduct<Half, 8>},
      {"m16n8k4.f32.tf32.tf32", kTallProduct<Tf32, 4>},
      {"m8n8k4.f64.f64.f64", multiply<double, double, double, 8, 4>},
      {"m16n8k4.f64.f64.f64", multiply<double, double, double, 16, 4>},
      {"m16n8k8.f64.f64.f64", multiply<double, double, double, 16, 8>},
      {"m16n8k16.f64.f64.f64", multiply<double, double, double, 16, 16>},
      {"m16n8k32.s32.s8.s8", kByteProduct<int8_t, int8_t>},
      {"m16n8k32.s32.s8.u8", kByteProduct<int8_t, uint8_t>},
      {"m16n8k32.s32.u8.s8", kByteProduct<uint8_t, int8_t>},
      {"m16n8k32.s32.u8.u8", kByteProduct<uint8_t, uint8_t>}};
  auto found = table.find(what);
  return found == table.end() ? nullptr : found->second;
}

bool decodeMultiply(Decoder &d) {
  // mma.sync.aligned.SHAPE.row.col.SUM.TYPE.TYPE.SUM
  if (d.source->opcode.size() != 10 || d.part(6) != d.part(9) ||
      d.part(4) != "row" || d.part(5) != "col")
    return d.fail("not emulated");
  d.made->run = findProduct(d.part(3), d.part(7), d.part(8), d.part(6));
  int bits = d.part(6) == "f64" ? 64 : 32;
  return (d.made->run || d.fail("not emulated")) && d.value(0, bits) &&
         d.value(1, bits) && d.value(2, bits) && d.value(3, bits);
}

} // namespace

void pit::emulated::addMatrices(std::map<std::string, Decode> &table) {
  table["ldmatrix"] = decodeMatrices<false>;
  table["stmatrix"] = decodeMatrices<true>;
  table["mma"] = decodeMultiply;
}
