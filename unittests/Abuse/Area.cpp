//===- Area.cpp - Memory that ends where nobody may touch -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Area.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace pit::abuse;

//===----------------------------------------------------------------------===//
// The driver's virtual memory
//===----------------------------------------------------------------------===//

namespace {
using DevicePointer = unsigned long long;

struct Location {
  int type, id;
};

/// CUmemAllocationProp.
struct AllocationProperties {
  int type = 1; // pinned
  int handleTypes = 0;
  Location location{1, 0};
  void *securityAttributes = nullptr;
  unsigned char flags[8] = {};
};

/// CUmemAccessDesc; 3 is reading and writing.
struct AccessDescription {
  Location location{1, 0};
  int flags = 3;
};
} // namespace

void *pit::abuse::findDriverFunction(const char *name) {
  static void *library = [] {
    const char *path = std::getenv("PIT_CUDA_DRIVER");
    return dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  }();
  return library ? dlsym(library, name) : nullptr;
}

template <typename... Parameters>
static bool callDriver(const char *name, Parameters... parameters) {
  auto function =
      reinterpret_cast<int (*)(Parameters...)>(findDriverFunction(name));
  if (!function)
    return false;
  int code = function(parameters...);
  if (code != 0) {
    std::fprintf(stderr, "%s: error %d\n", name, code);
    std::exit(2);
  }
  return true;
}

static size_t getGranularity() {
  size_t granularity = 0;
  AllocationProperties properties;
  const AllocationProperties *passed = &properties;
  callDriver("cuMemGetAllocationGranularity", &granularity, passed, 0);
  return granularity;
}

void *pit::abuse::reserveNothing() {
  DevicePointer address = 0;
  size_t granularity = getGranularity();
  if (granularity == 0)
    return nullptr;
  callDriver("cuMemAddressReserve", &address, granularity, size_t(0),
             DevicePointer(0), 0ULL);
  return reinterpret_cast<void *>(address);
}

/// Memory of at least `bytes` with addresses around it that have none. NULL
/// where the driver cannot do that.
static char *mapBetweenGaps(size_t bytes, size_t &size) {
  size_t granularity = getGranularity();
  if (granularity == 0)
    return nullptr;
  size = std::max<size_t>(1, (bytes + granularity - 1) / granularity) *
         granularity;
  DevicePointer address = 0;
  unsigned long long handle = 0;
  AllocationProperties properties;
  AccessDescription access;
  const AllocationProperties *passed = &properties;
  const AccessDescription *description = &access;
  callDriver("cuMemAddressReserve", &address, size + 2 * granularity, size_t(0),
             DevicePointer(0), 0ULL);
  callDriver("cuMemCreate", &handle, size, passed, 0ULL);
  callDriver("cuMemMap", address + granularity, size, size_t(0), handle, 0ULL);
  callDriver("cuMemSetAccess", address + granularity, size, description,
             size_t(1));
  return reinterpret_cast<char *>(address + granularity);
}

std::string pit::abuse::getTarget(const std::string &folder) {
  const pit_program *program = nullptr;
  std::string path = folder + "/abuse.so";
  if (pit_program_load(nullptr, path.c_str(), &program) == PIT_OK)
    return program->target;
  pit_context_clear_error(nullptr);
  return "";
}

bool pit::abuse::areForDevice(const std::string &folder) {
  if (getTarget(folder) != "cuda")
    return false;
  static bool isCurrent = false;
  thread_local bool isCurrentHere = false;
  if (!isCurrentHere) {
    int32_t status = pit_cuda_use_device(nullptr, 0);
    if (status != PIT_OK && !isCurrent) {
      std::fprintf(stderr, "no device: %s\n", pit_status_string(status));
      std::exit(2);
    }
    isCurrent = isCurrentHere = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Areas
//===----------------------------------------------------------------------===//

static void expectOk(int32_t status, const char *what) {
  if (status == PIT_OK)
    return;
  char text[400] = "";
  pit_context_last_error(nullptr, text, sizeof text);
  std::fprintf(stderr, "%s: %s\n", what, text);
  std::exit(2);
}

static void copyOut(void *to, const void *from, size_t bytes) {
  if (bytes == 0)
    return;
  expectOk(pit_cuda_copy_out(nullptr, nullptr, to, from, bytes), "copy out");
  expectOk(pit_cuda_stream_synchronize(nullptr, nullptr), "wait");
}

static void copyIn(void *to, const void *from, size_t bytes) {
  if (bytes == 0)
    return;
  expectOk(pit_cuda_copy_in(nullptr, nullptr, to, from, bytes), "copy in");
  expectOk(pit_cuda_stream_synchronize(nullptr, nullptr), "wait");
}

Area::Area(bool onDevice, size_t bytes, size_t elementSize, Placement placement)
    : onDevice(onDevice), bytes(bytes) {
  size_t gap = placement.gap * elementSize;
  if (!onDevice) {
    guarded = std::make_unique<Guarded>(bytes + gap, placement.atEnd);
    char *start = static_cast<char *>(guarded->data());
    memory = placement.atEnd ? start : start + gap;
    return;
  }
  // What is looked at of the memory on the inner side, and around it where the
  // driver has no gaps.
  constexpr size_t kAround = 4096;
  size_t used = bytes + gap;
  if (gap == 0)
    used = (used + 15) / 16 * 16;
  size_t mapped = 0;
  if (char *all = mapBetweenGaps(used, mapped)) {
    size_t inner = std::min(kAround, mapped - used);
    begin = placement.atEnd ? all + mapped - used - inner : all;
    size = used + inner;
    memory = placement.atEnd ? begin + inner : begin + gap;
  } else {
    void *allocated = nullptr;
    expectOk(pit_cuda_allocate(nullptr, used + 2 * kAround, &allocated),
             "allocate");
    begin = static_cast<char *>(allocated);
    size = used + 2 * kAround;
    memory = begin + kAround + (placement.atEnd ? 0 : gap);
  }
  before.assign(size, char(0xff));
  copyIn(begin, before.data(), size);
}

void Area::write(const void *from) {
  if (!onDevice) {
    if (bytes != 0)
      std::memcpy(memory, from, bytes);
    return;
  }
  copyIn(memory, from, bytes);
  if (bytes != 0)
    std::memcpy(before.data() + (memory - begin), from, bytes);
}

void Area::fill(unsigned char byte) {
  std::vector<char> contents(bytes, char(byte));
  write(contents.data());
}

std::vector<char> Area::read() const {
  std::vector<char> contents(bytes);
  if (onDevice)
    copyOut(contents.data(), memory, bytes);
  else if (bytes != 0)
    std::memcpy(contents.data(), memory, bytes);
  return contents;
}

void Area::protect() {
  if (!onDevice)
    guarded->protect();
  isProtected = true;
}

std::string Area::check() const {
  if (!onDevice)
    return "";
  std::vector<char> now(size);
  copyOut(now.data(), begin, size);
  for (size_t i = 0; i < size; ++i) {
    char *place = begin + i;
    bool isInside = place >= memory && place < memory + bytes;
    if (now[i] != before[i] && (isProtected || !isInside))
      return "byte " + std::to_string(place - memory) + " of " +
             std::to_string(bytes) + " was written";
  }
  return "";
}
