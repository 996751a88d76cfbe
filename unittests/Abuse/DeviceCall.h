//===- DeviceCall.h - A call on a device, step by step ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_ABUSE_DEVICECALL_H
#define PIT_UNITTESTS_ABUSE_DEVICECALL_H

#include "Programs.h"

namespace pit::abuse {

/// A product with its tensors on the device, which must be current. The product
/// has to outlive it.
class DeviceCall {
public:
  DeviceCall(const std::string &folder, const Product &product,
             pit_context *context);
  DeviceCall(const DeviceCall &) = delete;

  /// Returns what the entry point does, which does not wait.
  int32_t launch(pit_stream stream, void *workspace = nullptr,
                 int64_t workspaceSize = 0);
  /// Fills the result with what no program writes.
  void poison() { areas.back().fill(0xff); }
  /// Compares the result, and looks around all tensors; the device must have
  /// ended.
  std::string compare() const;
  /// Bytes of workspace; -1 where that is not known.
  int64_t getWorkspaceSize() const;
  /// Changes where an argument is said to lie.
  void setData(size_t argument, void *data) { tensors[argument].data = data; }

private:
  const Product &product;
  pit_context *context;
  const pit_entry_point *entry;
  std::vector<Area> areas;
  std::vector<pit_tensor> tensors;
  std::vector<void *> pointers;
};

/// Calls a function of the driver, or returns 1000 without it.
template <typename Result, typename... Parameters>
Result callDriver(const char *name, Parameters... parameters) {
  auto function =
      reinterpret_cast<Result (*)(Parameters...)>(findDriverFunction(name));
  return function ? function(parameters...) : Result(1000);
}

} // namespace pit::abuse

#endif // PIT_UNITTESTS_ABUSE_DEVICECALL_H
