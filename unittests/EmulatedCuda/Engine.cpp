//===- Engine.cpp - Runs kernels for the fake driver ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes the fake CUDA driver an emulated one: modules are read, launches
// computed, tensor maps say something.
//
//   EMULATED_CUDA_TIMING=early    copies and products end at once
//   EMULATED_CUDA_TIMING=late     not before they are waited for
//   EMULATED_CUDA_TIMING=SEED     some time between, as drawn; 1 by default
//   EMULATED_CUDA_BLOCKS=last     the last block of a launch begins first
//   EMULATED_CUDA_TRACE=1         says on the standard error which kernels run
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "TensorMap.h"

extern "C" {
#include "Internal.h"
}

#include <cstdio>
#include <cstdlib>

using namespace pit::emulated;

namespace {

enum { kNoMap = INVALID_VALUE, kNotPTX = 200, kLaunchFailed = 719 };

int load(const char *image, void **program, char *log, size_t logSize) {
  // An object of the assembler, of which there is PTX beside.
  if (std::strncmp(image, "\177ELF", 4) == 0)
    return kNotPTX;
  std::string error;
  ptx::Module module;
  auto kernels = std::make_unique<std::vector<Kernel>>();
  if (!ptx::read(image, module, error) || !decode(module, *kernels, error)) {
    std::snprintf(log, logSize, "%s", error.c_str());
    return 218;
  }
  *program = kernels.release();
  return 0;
}

void unload(void *program) {
  delete static_cast<std::vector<Kernel> *>(program);
}

Draws makeDraws() {
  const char *text = std::getenv("EMULATED_CUDA_TIMING");
  std::string timing = text ? text : "1";
  return timing == "early" ? Draws(Timing::Early, 1)
         : timing == "late"
             ? Draws(Timing::Late, 1)
             : Draws(Timing::Drawn,
                     std::strtoull(timing.c_str(), nullptr, 10) * 2654435761u);
}

bool beginsLast() {
  const char *text = std::getenv("EMULATED_CUDA_BLOCKS");
  return text && std::string(text) == "last";
}

bool findMemory(uint64_t address, uint64_t &begin, uint64_t &end) {
  return fakeFind(address, &begin, &end);
}

int launch(void *program, const char *name, const unsigned *grid,
           const unsigned *block, const unsigned *cluster, unsigned shared,
           void **parameters) {
  for (const Kernel &kernel : *static_cast<std::vector<Kernel> *>(program)) {
    if (kernel.name != name)
      continue;
    if (std::getenv("EMULATED_CUDA_TRACE"))
      std::fprintf(stderr, "launch: %s\n", name);
    Grid launched{kernel,
                  {grid[0], grid[1], grid[2]},
                  {block[0], block[1], block[2]},
                  {1, 1, 1},
                  shared,
                  std::vector<uint8_t>(kernel.parameterBytes + 1),
                  findMemory,
                  makeDraws(),
                  beginsLast(),
                  fakeYield};
    for (unsigned axis = 0; axis < 3; ++axis) {
      launched.cluster[axis] = cluster ? cluster[axis] : kernel.cluster[axis];
      if (grid[axis] == 0 || block[axis] == 0 ||
          grid[axis] % launched.cluster[axis])
        return INVALID_VALUE;
    }
    // Maps of tensors need their alignment.
    std::vector<uint8_t> &bytes = launched.parameters;
    bytes.resize(bytes.size() + 64);
    launched.parameterStart = 64 - reinterpret_cast<uint64_t>(&bytes[0]) % 64;
    for (size_t i = 0; i < kernel.parameters.size(); ++i)
      std::memcpy(&bytes[launched.parameterStart + kernel.parameters[i].offset],
                  parameters[i], kernel.parameters[i].bytes);
    if (launched.run())
      return 0;
    std::fprintf(stderr, "emulated CUDA device: %s\n", launched.error.c_str());
    return kLaunchFailed;
  }
  return NOT_FOUND;
}

int encode(void *to, int dtype, unsigned rank, const void *data,
           const uint64_t *extents, const uint64_t *strides,
           const uint32_t *box, const uint32_t *steps, int interleave,
           int swizzle, int fill) {
  TensorMap map{};
  map.magic = kTensorMapMagic;
  map.dtype = uint8_t(dtype);
  map.rank = uint8_t(rank);
  map.swizzle = uint8_t(swizzle);
  map.data = reinterpret_cast<uint64_t>(data);
  unsigned element = tensorMapElementBytes(map.dtype);
  uint64_t inner = uint64_t(box[0]) * element;
  // What the driver refuses, as far as its documentation says.
  if (rank < 1 || rank > 5 || element == 0 || interleave || fill ||
      swizzle > 3 || map.data % 16 || inner % 16 ||
      (swizzle && inner > (uint64_t(16) << swizzle)))
    return kNoMap;
  for (unsigned i = 0; i < rank; ++i) {
    map.extents[i] = extents[i];
    map.box[i] = box[i];
    if (extents[i] > uint64_t(1) << 32 || box[i] == 0 || box[i] > 256 ||
        steps[i] != 1)
      return kNoMap;
    if (i == 0)
      continue;
    map.strides[i - 1] = strides[i - 1];
    if (strides[i - 1] % 16 || strides[i - 1] >> 40)
      return kNoMap;
  }
  std::memcpy(to, &map, sizeof(map));
  return 0;
}

/// "CUDA Driver API", cuTensorMapEncodeIm2col.
int encodeWindows(void *to, int dtype, unsigned rank, const void *data,
                  const uint64_t *extents, const uint64_t *strides,
                  const int *lower, const int *upper, unsigned channels,
                  unsigned windows, const uint32_t *steps, int interleave,
                  int swizzle, int fill) {
  constexpr int kCorners[] = {1 << 15, 1 << 7, 1 << 4};
  if (rank < 3 || rank > 5 || channels > 256 || windows > 1024 || windows == 0)
    return kNoMap;
  uint32_t box[5] = {channels, 1, 1, 1, 1}, ones[5] = {1, 1, 1, 1, 1};
  TensorMap map;
  if (int code = encode(&map, dtype, rank, data, extents, strides, box, ones,
                        interleave, swizzle, fill))
    return code;
  map.box[1] = windows;
  map.windowAxes = uint8_t(rank - 2);
  for (unsigned i = 0; i < map.windowAxes; ++i) {
    int corner = kCorners[map.windowAxes - 1];
    if (lower[i] < -corner || lower[i] >= corner || upper[i] < -corner ||
        upper[i] >= corner || steps[1 + i] == 0 || steps[1 + i] > 8)
      return kNoMap;
    map.lower[i] = int16_t(lower[i]);
    map.upper[i] = int16_t(upper[i]);
    map.steps[i] = uint8_t(steps[1 + i]);
  }
  if (steps[0] != 1 || steps[rank - 1] != 1)
    return kNoMap;
  std::memcpy(to, &map, sizeof(map));
  return 0;
}

/// A nanosecond for each instruction of a warp: the same in each run, and
/// nothing that a GPU takes.
double clock() { return double(countInstructions()) * 1e-6; }

const Engine engine = {load, unload, launch, encode, encodeWindows, clock};

} // namespace

const Engine *fakeEngine = &engine;
