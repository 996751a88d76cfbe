//===- Copies.cpp - Copies beside the instructions ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async, and the copy engine's bulk and tensor copies. What they read is
// read, and what they write is written, when a draw says so.
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "Values.h"

#include <algorithm>

using namespace pit::emulated;

namespace {

uint64_t readAt(Warp &warp, const Instruction &instruction, unsigned operand,
                unsigned lane, int64_t offset) {
  return readBits(warp, instruction, operand, lane) + uint64_t(offset);
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// slots: to, from, and bytes to read if detail[2]; detail[0] and [1] are
/// offsets.
Outcome copyAsync(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  unsigned bytes = instruction.bytes;
  struct Piece {
    uint8_t *to;
    uint64_t from;
    unsigned bytes;
  };
  std::vector<Piece> pieces;
  forEachLane(lanes, [&](unsigned lane) {
    Piece piece;
    piece.to = warp.shared(
        instruction, readAt(warp, instruction, 0, lane, instruction.detail[0]),
        bytes, bytes);
    piece.from = readAt(warp, instruction, 1, lane, instruction.detail[1]);
    piece.bytes = instruction.detail[2]
                      ? read<uint32_t>(warp, instruction.slots[2], lane)
                      : bytes;
    if (!piece.to || piece.bytes > bytes || piece.from % bytes) {
      outcome = warp.fail(instruction, "more bytes than are copied, or an "
                                       "address that is not aligned");
      return;
    }
    pieces.push_back(piece);
  });
  if (outcome == Outcome::Fail)
    return outcome;
  warp.pend(warp.copies, [&warp, &instruction, bytes, pieces] {
    for (const Piece &piece : pieces) {
      const uint8_t *from =
          piece.bytes == 0
              ? nullptr
              : warp.global(instruction, piece.from, piece.bytes, 1);
      std::memset(piece.to, 0, bytes);
      if (from)
        std::memcpy(piece.to, from, piece.bytes);
    }
  });
  return Outcome::Next;
}

Outcome arriveAfterCopies(Warp &warp, const Instruction &instruction,
                          Mask lanes) {
  std::vector<std::pair<Block *, uint64_t>> places;
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t place = readAt(warp, instruction, 0, lane, instruction.offset);
    if (!warp.shared(instruction, place, 8, 8)) {
      outcome = Outcome::Fail;
      return;
    }
    Block *block = warp.blockOf(place);
    if (!block->mbarriers.count(place))
      outcome =
          warp.fail(instruction, "no mbarrier at " + std::to_string(place));
    places.push_back({block, place});
  });
  if (outcome == Outcome::Fail)
    return outcome;
  warp.pend(warp.copies, [places] {
    for (auto [block, place] : places)
      arrive(*block, place, 1, 0);
  });
  return Outcome::Next;
}

bool decodeCopyAsync(Decoder &d) {
  if (d.has("mbarrier")) {
    d.made->run = arriveAfterCopies;
    return (d.has("noinc") || d.fail("not emulated")) && d.address(0);
  }
  if (d.has("commit_group")) {
    d.made->run = [](Warp &warp, const Instruction &, Mask) {
      warp.pend(warp.copies, nullptr);
      return Outcome::Next;
    };
    return true;
  }
  if (d.has("wait_group") || d.has("wait_all")) {
    d.made->run = [](Warp &warp, const Instruction &instruction, Mask) {
      if (instruction.detail[1])
        warp.copies.push_back(nullptr);
      finishGroups(warp.copies, uint64_t(instruction.detail[0]));
      return Outcome::Next;
    };
    d.made->detail[1] = d.has("wait_all");
    return d.has("wait_all") || d.number(0, d.made->detail[0]);
  }
  int64_t bytes = 0;
  d.made->run = copyAsync;
  bool hint = d.has("L2::cache_hint");
  d.made->detail[2] = d.numOperands() - hint == 4;
  if (!d.address(0))
    return false;
  d.made->detail[0] = d.made->offset;
  if (!d.address(1) || !d.number(2, bytes))
    return false;
  d.made->detail[1] = d.made->offset;
  d.made->bytes = unsigned(bytes);
  return !d.made->detail[2] || d.value(3, 32);
}

//===----------------------------------------------------------------------===//
// Boxes of tensors
//===----------------------------------------------------------------------===//

/// Calls `row` as below for each window of a copy in im2col mode (PTX ISA,
/// "Tensor Data Movement in im2col Mode"): from the first window on, along the
/// innermost axis, then the next one, then to the next image; of each, the
/// element at the offsets.
template <class Row>
void forEachWindow(const TensorMap &map, const std::vector<int32_t> &start,
                   const std::vector<int32_t> &offsets, Row row) {
  unsigned element = tensorMapElementBytes(map.dtype);
  uint64_t rowBytes = uint64_t(map.box[0]) * element;
  std::vector<int64_t> window(start.begin() + 1, start.end());
  for (uint64_t number = 0; number < map.box[1]; ++number) {
    uint64_t address = map.data;
    bool inside = true;
    for (unsigned i = 0; i < window.size(); ++i) {
      int64_t at = window[i] + (i < map.windowAxes ? offsets[i] : 0);
      inside &= at >= 0 && at < int64_t(map.extents[1 + i]);
      address += uint64_t(at) * map.strides[i];
    }
    int64_t channels =
        std::min<int64_t>(map.box[0], int64_t(map.extents[0]) - start[0]);
    uint64_t bytes = inside && channels > 0 ? uint64_t(channels) * element : 0;
    row(address + uint64_t(start[0]) * element, number * rowBytes,
        bytes ? 0 : rowBytes, bytes);
    for (unsigned i = 0; i < window.size(); ++i) {
      if (i == map.windowAxes) {
        ++window[i];
        break;
      }
      window[i] += map.steps[i];
      if (window[i] <= int64_t(map.extents[1 + i]) - 1 + map.upper[i])
        break;
      window[i] = map.lower[i];
    }
  }
}

/// One row of a box after the other: `row(address or 0, place, bytes before,
/// bytes, bytes after)`, where before and after lie outside of the tensor.
template <class Row>
void forEachRow(const TensorMap &map, const std::vector<int32_t> &start,
                Row row) {
  unsigned element = tensorMapElementBytes(map.dtype);
  uint64_t rowBytes = uint64_t(map.box[0]) * element, rows = 1;
  for (unsigned i = 1; i < map.rank; ++i)
    rows *= map.box[i];
  for (uint64_t number = 0; number < rows; ++number) {
    uint64_t rest = number, address = map.data;
    bool inside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t at = start[i] + int64_t(rest % map.box[i]);
      rest /= map.box[i];
      inside &= at >= 0 && at < int64_t(map.extents[i]);
      address += uint64_t(at) * map.strides[i - 1];
    }
    int64_t first = std::max<int64_t>(start[0], 0);
    int64_t last = std::min<int64_t>(int64_t(start[0]) + map.box[0],
                                     int64_t(map.extents[0]));
    uint64_t before = uint64_t(first - start[0]) * element;
    uint64_t bytes =
        inside && last > first ? uint64_t(last - first) * element : 0;
    row(address + uint64_t(first) * element, number * rowBytes,
        bytes ? before : rowBytes, bytes);
  }
}

uint64_t boxBytes(const TensorMap &map) {
  uint64_t bytes = tensorMapElementBytes(map.dtype);
  if (map.windowAxes > 0)
    return bytes * map.box[0] * map.box[1];
  for (unsigned i = 0; i < map.rank; ++i)
    bytes *= map.box[i];
  return bytes;
}

/// The map at a generic address, of as many dimensions as there are
/// coordinates.
const TensorMap *mapAt(Warp &warp, const Instruction &instruction,
                       uint64_t address, unsigned rank) {
  const uint8_t *memory =
      warp.at(instruction, Space::Generic, address, sizeof(TensorMap), 64);
  if (!memory)
    return nullptr;
  auto *map = reinterpret_cast<const TensorMap *>(memory);
  if (map->magic == kTensorMapMagic && map->rank == rank)
    return map;
  warp.fail(instruction, "no map of a tensor of that rank");
  return nullptr;
}

/// A copy of a box, as one lane asks for it.
struct TensorCopy {
  const TensorMap *map = nullptr;
  /// Of windows, the offsets in them as well.
  std::vector<int32_t> start, offsets;
  Block *block = nullptr;
  uint64_t place = 0;
};

bool readTensorCopy(Warp &warp, const Instruction &instruction, unsigned lane,
                    unsigned mapOperand, unsigned placeOperand,
                    int64_t placeOffset, TensorCopy &copy) {
  unsigned rank = instruction.count;
  copy.map = mapAt(warp, instruction,
                   readBits(warp, instruction, mapOperand, lane), rank);
  if (!copy.map)
    return false;
  if ((copy.map->windowAxes > 0) != (instruction.detail[2] != 0))
    return warp.fail(instruction, "a map of windows is for im2col mode alone"),
           false;
  for (unsigned i = 0; i < rank; ++i)
    copy.start.push_back(
        int32_t(readBits(warp, instruction, mapOperand + 1 + i, lane)));
  copy.place = readAt(warp, instruction, placeOperand, lane, placeOffset);
  if (!warp.shared(instruction, copy.place, boxBytes(*copy.map), 128))
    return false;
  copy.block = warp.blockOf(copy.place);
  return true;
}

/// slots: to, map, coordinates, barrier, offsets of windows; detail[0] is
/// `to`'s offset, detail[1] the barrier's, detail[2] how many offsets there
/// are.
Outcome loadTensor(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    TensorCopy copy;
    if (!readTensorCopy(warp, instruction, lane, 1, 0, instruction.detail[0],
                        copy)) {
      outcome = Outcome::Fail;
      return;
    }
    uint64_t barrier = readAt(warp, instruction, 2 + instruction.count, lane,
                              instruction.detail[1]);
    Block *waits = warp.blockOf(barrier);
    if (!waits || !waits->mbarriers.count(barrier)) {
      outcome =
          warp.fail(instruction, "no mbarrier at " + std::to_string(barrier));
      return;
    }
    TensorMap map = *copy.map;
    for (unsigned i = 0; i < instruction.detail[2]; ++i)
      copy.offsets.push_back(uint16_t(
          readBits(warp, instruction, 3 + instruction.count + i, lane)));
    auto work = [&warp, &instruction, map, copy, waits, barrier] {
      auto copyRow = [&](uint64_t from, uint64_t row, uint64_t before,
                         uint64_t bytes) {
        const uint8_t *source =
            bytes ? warp.global(instruction, from, bytes, 1) : nullptr;
        uint64_t rowBytes =
            uint64_t(map.box[0]) * tensorMapElementBytes(map.dtype);
        std::vector<uint8_t> values(rowBytes, 0);
        if (source)
          std::memcpy(&values[before], source, bytes);
        if (isTf32(map.dtype))
          for (uint64_t i = 0; i < rowBytes; i += 4) {
            float value;
            std::memcpy(&value, &values[i], 4);
            value = roundedToTf32(value);
            std::memcpy(&values[i], &value, 4);
          }
        for (uint64_t i = 0; i < rowBytes; i += 16) {
          uint64_t to = swizzled(map.swizzle, copy.place + row + i);
          std::memcpy(&copy.block->memory[to], &values[i],
                      std::min<uint64_t>(16, rowBytes - i));
        }
      };
      if (map.windowAxes > 0)
        forEachWindow(map, copy.start, copy.offsets, copyRow);
      else
        forEachRow(map, copy.start, copyRow);
      arrive(*waits, barrier, 0, -int64_t(boxBytes(map)));
    };
    if (warp.block.cluster.grid.draws.early())
      work();
    else
      warp.block.arrivals.push_back(work);
  });
  return outcome;
}

/// slots: map, coordinates, from; detail[0] is the offset of `from`.
Outcome storeTensor(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    TensorCopy copy;
    if (!readTensorCopy(warp, instruction, lane, 0, 1 + instruction.count,
                        instruction.detail[0], copy)) {
      outcome = Outcome::Fail;
      return;
    }
    TensorMap map = *copy.map;
    warp.pend(warp.stores, [&warp, &instruction, map, copy] {
      forEachRow(
          map, copy.start,
          [&](uint64_t to, uint64_t row, uint64_t before, uint64_t bytes) {
            uint8_t *memory =
                bytes ? warp.global(instruction, to, bytes, 1) : nullptr;
            if (!memory)
              return;
            for (uint64_t i = 0; i < bytes; ++i)
              memory[i] = copy.block->memory[swizzled(
                  map.swizzle, copy.place + row + before + i)];
          });
    });
  });
  return outcome;
}

/// slots: to, from, bytes, barrier.
Outcome loadBulk(Warp &warp, const Instruction &instruction, Mask lanes) {
  Outcome outcome = Outcome::Next;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t from = readAt(warp, instruction, 1, lane, instruction.detail[1]);
    uint64_t bytes = read<uint32_t>(warp, instruction.slots[2], lane);
    uint8_t *to = warp.shared(
        instruction, readAt(warp, instruction, 0, lane, instruction.detail[0]),
        bytes, 16);
    uint64_t barrier =
        readAt(warp, instruction, 3, lane, instruction.detail[2]);
    Block *waits = warp.blockOf(barrier);
    if (!to || !waits || !waits->mbarriers.count(barrier) || bytes % 16 ||
        from % 16) {
      outcome =
          warp.fail(instruction, "no mbarrier at " + std::to_string(barrier) +
                                     ", or not in pieces of 16 bytes");
      return;
    }
    auto work = [&warp, &instruction, to, from, bytes, waits, barrier] {
      const uint8_t *source =
          bytes ? warp.global(instruction, from, bytes, 16) : nullptr;
      if (source)
        std::memcpy(to, source, bytes);
      arrive(*waits, barrier, 0, -int64_t(bytes));
    };
    if (warp.block.cluster.grid.draws.early())
      work();
    else
      warp.block.arrivals.push_back(work);
  });
  return outcome;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeTensor(Decoder &d) {
  // "shared::cluster" or "global" behind the rank is where it goes.
  bool isLoad = d.part(5) != "global";
  size_t tensor = isLoad ? 1 : 0;
  bool isWindows = d.has("im2col");
  bool isKnown = isWindows ? isLoad && !d.has("L2::cache_hint") : d.has("tile");
  if (d.has("multicast::cluster") || !isKnown ||
      d.source->operands[tensor].kind != ptx::Operand::Tensor)
    return d.fail("not emulated");
  const ptx::Operand &map = d.source->operands[tensor];
  d.made->count = unsigned(map.elements[1].elements.size());
  d.made->run = isLoad ? loadTensor : storeTensor;
  if (isLoad && !d.address(0))
    return false;
  d.made->detail[0] = d.made->offset;
  if (!d.value(map.elements[0], 64) || !d.value(map.elements[1], 32) ||
      !d.address(isLoad ? 2 : 1))
    return false;
  d.made->detail[isLoad ? 1 : 0] = d.made->offset;
  if (!isWindows)
    return true;
  d.made->detail[2] = int64_t(d.made->count) - 2;
  return d.value(3, 16);
}

bool decodeBulk(Decoder &d) {
  if (d.has("commit_group")) {
    d.made->run = [](Warp &warp, const Instruction &, Mask) {
      warp.pend(warp.stores, nullptr);
      return Outcome::Next;
    };
    return true;
  }
  if (d.has("wait_group")) {
    // That all is read, and that all is written, are one here.
    d.made->run = [](Warp &warp, const Instruction &instruction, Mask) {
      finishGroups(warp.stores, uint64_t(instruction.detail[0]));
      return Outcome::Next;
    };
    return d.number(0, d.made->detail[0]);
  }
  if (d.has("prefetch")) {
    d.made->run = [](Warp &, const Instruction &, Mask) {
      return Outcome::Next;
    };
    return true;
  }
  if (d.has("tensor"))
    return decodeTensor(d);
  if (d.part(3) != "shared::cluster" && d.part(3) != "shared::cta")
    return d.fail("not emulated");
  d.made->run = loadBulk;
  if (!d.address(0))
    return false;
  d.made->detail[0] = d.made->offset;
  if (!d.address(1))
    return false;
  d.made->detail[1] = d.made->offset;
  if (!d.value(2, 32) || !d.address(3))
    return false;
  d.made->detail[2] = d.made->offset;
  return true;
}

} // namespace

void pit::emulated::addCopies(std::map<std::string, Decode> &table) {
  table["cp"] = [](Decoder &d) {
    return d.part(2) == "bulk" ? decodeBulk(d) : decodeCopyAsync(d);
  };
}
