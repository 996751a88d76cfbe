//===- Area.h - Memory that ends where nobody may touch ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_ABUSE_AREA_H
#define PIT_UNITTESTS_ABUSE_AREA_H

#include "Cases.h"

#include <memory>

namespace pit::abuse {

/// How a tensor lies in its memory.
struct Placement {
  /// Whether memory ends at what nobody may touch, or begins there.
  bool atEnd = true;
  /// Elements between that and the tensor.
  size_t gap = 0;
};

/// Memory for one tensor, on the host or on the device. What lies on the outer
/// side of it cannot be touched: on a device, addresses without memory follow,
/// as far as the driver has them, else bytes that are looked at afterwards.
class Area {
public:
  /// On a device, tensors without a gap begin at multiples of 16 bytes, as
  /// kernels may ask for; so up to 15 bytes may lie behind them.
  Area(bool onDevice, size_t bytes, size_t elementSize,
       Placement placement = {});

  void *data() const { return memory; }
  void write(const void *from);
  void fill(unsigned char byte);
  std::vector<char> read() const;
  /// From now on nobody may write: on the host that ends the process, on a
  /// device `check` tells.
  void protect();
  /// What was written where it must not be; else empty.
  std::string check() const;

private:
  bool onDevice;
  size_t bytes;
  char *memory = nullptr;
  std::unique_ptr<Guarded> guarded;
  /// On a device: all of the memory, and what it held.
  char *begin = nullptr;
  size_t size = 0;
  std::vector<char> before;
  bool isProtected = false;
};

/// "cpu" or "cuda": what the programs of a folder are for.
std::string getTarget(const std::string &folder);

/// Whether the programs of a folder are for a device. The first one is current
/// on this thread then.
bool areForDevice(const std::string &folder);

/// A function of the CUDA driver by its name; NULL without one.
void *findDriverFunction(const char *name);

/// Addresses of the device without memory.
void *reserveNothing();

} // namespace pit::abuse

#endif // PIT_UNITTESTS_ABUSE_AREA_H
