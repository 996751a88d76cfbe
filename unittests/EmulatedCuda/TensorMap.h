//===- TensorMap.h - What the copy engine knows of a tensor -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 bytes of a CUtensorMap, as this driver fills them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_TENSORMAP_H
#define PIT_UNITTESTS_EMULATEDCUDA_TENSORMAP_H

#include <cstddef>
#include <cstdint>

namespace pit::emulated {

struct TensorMap {
  uint32_t magic;
  uint8_t dtype, rank, swizzle, isFilledWithNaN; // codes of the driver
  uint64_t data;
  uint64_t strides[4]; // in bytes, of the dimensions behind the first
  uint64_t extents[5];
  uint32_t box[5]; // of windows: channels, and how many windows
  /// Of windows, in the driver's im2col mode: along how many axes they move (0
  /// of boxes), how far each is from the last, and where the first one starts
  /// and the last one, from the end of the axis; innermost axis first.
  uint8_t windowAxes, steps[3];
  int16_t lower[3], upper[3], padding[2];
};
static_assert(sizeof(TensorMap) == 128);
inline constexpr uint32_t kTensorMapMagic = 0x7e450a9;

/// Bytes of an element of a CUtensorMapDataType; 0 of none.
inline unsigned tensorMapElementBytes(unsigned dtype) {
  static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return dtype < sizeof(bytes) ? bytes[dtype] : 0;
}

/// CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 and its sibling, rounded on the way.
inline bool isTf32(unsigned dtype) { return dtype == 11 || dtype == 12; }

/// CUtensorMapSwizzle: where 16 bytes at an address of shared memory are put.
/// PTX ISA, "swizzling modes": of 2, 4 or 8 pieces of 16 bytes.
inline uint64_t swizzled(unsigned mode, uint64_t address) {
  uint64_t pieces = (uint64_t(1) << mode) - 1; // 0, 1, 3, 7
  return address ^ ((address >> 7 & pieces) << 4);
}

} // namespace pit::emulated

#endif // PIT_UNITTESTS_EMULATEDCUDA_TENSORMAP_H
