//===- Workspace.cpp - Memory that is not there, on a device --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCall.h"

#include <cstdlib>
#include <cstring>

using namespace pit::abuse;

static const char *const kEntries[] = {
    "mask", "mask_k", "blocks", "lengths", "routing", "bounded", "values"};

/// Rows, of which none counts.
static Product makeNothing(const std::string &entry, int64_t rows) {
  if (entry == "lengths")
    return makeProduct(entry, {2, rows});
  Product product = makeProduct(entry, {entry == "blocks" ? 8 : rows});
  if (entry == "values")
    std::memset(product.arguments[0].bytes.data(), 0,
                product.arguments[0].bytes.size());
  return product;
}

/// With a workspace of so many bytes more than are needed, which ends where
/// nobody may touch.
static std::string callWithWorkspace(const std::string &folder,
                                     const std::string &entry, int64_t more) {
  areForDevice(folder);
  Product product = makeNothing(entry, 8);
  DeviceCall call(folder, product, nullptr);
  int64_t needed = call.getWorkspaceSize();
  if (needed <= 0)
    return "a workspace of " + std::to_string(needed);
  int64_t size = more < -needed ? 0 : needed + more;
  // Of what is too small, none is used; there is enough, so that it would not
  // be seen otherwise.
  Area workspace(true, size_t(needed > size ? needed : size), 1);
  bool fits = size >= needed;
  int32_t status = call.launch(nullptr, workspace.data(), size);
  if (status == PIT_OK)
    status = pit_cuda_check(nullptr, nullptr);
  std::string why =
      checkStatus(status, fits ? PIT_OK : PIT_ERROR_INVALID_ARGUMENT);
  if (why.empty())
    why = workspace.check();
  return !why.empty() || !fits ? why : call.compare();
}

/// More rows than a device has memory for. The arguments are not as large as
/// they say, which nobody finds out as nothing is launched.
static std::string callWithoutMemory(const std::string &folder,
                                     const std::string &entry, int64_t rows) {
  areForDevice(folder);
  Product small = makeNothing(entry, 8);
  DeviceCall call(folder, small, nullptr);
  Product large = small;
  // B stays as it is, and so does the number of sequences.
  size_t dim = entry == "lengths" ? 1 : 0;
  large.arguments[0].shape[dim] = large.resultShape[dim] = rows;
  if (entry != "lengths" && large.arguments.size() == 3)
    large.arguments[1].shape[0] = rows;
  std::string error;
  const pit_entry_point *function = findEntry(folder, entry, error);
  Area memory(true, 4096, 1);
  std::vector<pit_tensor> tensors;
  std::vector<void *> pointers;
  for (Argument &argument : large.arguments)
    tensors.push_back({memory.data(), argument.dtype,
                       int32_t(argument.shape.size()), argument.shape.data(),
                       nullptr});
  tensors.push_back({memory.data(), PIT_DTYPE_F32,
                     int32_t(large.resultShape.size()),
                     large.resultShape.data(), nullptr});
  for (pit_tensor &tensor : tensors)
    pointers.push_back(&tensor);
  memory.protect();
  std::string why = checkStatus(
      function->call(nullptr, nullptr, pointers.data(),
                     pointers.data() + large.arguments.size(), nullptr, 0),
      PIT_ERROR_OUT_OF_MEMORY);
  if (why.empty())
    why = memory.check();
  if (!why.empty())
    return why;
  // The next call is none the worse.
  int32_t status = call.launch(nullptr);
  if (status == PIT_OK)
    status = pit_cuda_check(nullptr, nullptr);
  why = checkStatus(status, PIT_OK);
  if (why.empty())
    why = call.compare();
  return why.empty() ? why : "the next call: " + why;
}

/// An argument where the device has no memory: the device says so, this
/// process goes on, and so do calls, which fail.
static std::string callOnNothing(const std::string &folder,
                                 const std::string &entry, size_t which) {
  areForDevice(folder);
  void *nothing = reserveNothing();
  if (!nothing)
    return "the driver has no virtual memory";
  Product product =
      makeProduct(entry, entry == "lengths" ? std::vector<int64_t>{2, 8}
                                            : std::vector<int64_t>{8});
  product.arguments[1].bytes.assign(product.arguments[1].bytes.size(), 1);
  if (entry == "lengths")
    for (int64_t s = 0; s < 2; ++s)
      product.arguments[1].as<int64_t>()[s] = 8;
  DeviceCall call(folder, product, nullptr);
  call.setData(which, nothing);
  for (int i = 0; i < 2; ++i) {
    int32_t status = call.launch(nullptr);
    if (status == PIT_OK)
      status = pit_cuda_check(nullptr, nullptr);
    std::string why = checkStatus(status, PIT_ERROR_DEVICE);
    if (!why.empty())
      return (i == 0 ? "" : "the next call: ") + why;
  }
  return "";
}

static std::string callWithout(const std::string &folder, const char *driver) {
  setenv("PIT_CUDA_DRIVER", driver, 1);
  int32_t count = -7;
  std::string why = checkStatus(pit_cuda_device_count(nullptr, &count),
                                PIT_ERROR_UNSUPPORTED);
  if (why.empty())
    why = checkStatus(pit_cuda_use_device(nullptr, 0), PIT_ERROR_UNSUPPORTED);
  if (!why.empty())
    return why;
  std::string error;
  const pit_entry_point *entry = findEntry(folder, "values", error);
  if (!entry)
    return error;
  Product product = makeProduct("values", {1});
  std::vector<pit_tensor> tensors = describeArguments(product);
  std::vector<void *> pointers;
  float result[kColumns];
  tensors.push_back(
      {result, PIT_DTYPE_F32, 2, product.resultShape.data(), nullptr});
  for (pit_tensor &tensor : tensors)
    pointers.push_back(&tensor);
  return checkStatus(entry->call(nullptr, nullptr, pointers.data(),
                                 pointers.data() + 2, nullptr, 0),
                     PIT_ERROR_UNSUPPORTED);
}

void pit::abuse::tryWorkspace(Cases &cases, const std::string &folder) {
  for (const char *entry : kEntries)
    for (int64_t more : {-(int64_t(1) << 40), int64_t(-256), int64_t(-1),
                         int64_t(0), int64_t(256), int64_t(4096)})
      cases.run("workspaces of other sizes",
                std::string(entry) + ", " + std::to_string(more),
                more < 0 ? "invalid argument" : "right",
                [=] { return callWithWorkspace(folder, entry, more); });
  for (const char *entry : {"mask", "routing", "bounded", "values", "lengths"})
    for (int64_t rows :
         {int64_t(1) << 37, (int64_t(1) << 38) + 1, int64_t(1) << 40})
      cases.run("more rows than there is memory for",
                std::string(entry) + ", " + std::to_string(rows),
                "out of memory",
                [=] { return callWithoutMemory(folder, entry, rows); });
  for (int64_t bytes : {int64_t(1) << 40, int64_t(1) << 46, int64_t(1) << 62})
    cases.run("more memory than there is", std::to_string(bytes),
              "out of memory", [=] {
                areForDevice(folder);
                void *memory = &memory;
                std::string why = checkStatus(
                    pit_cuda_allocate(nullptr, size_t(bytes), &memory),
                    PIT_ERROR_OUT_OF_MEMORY);
                return why.empty() && memory ? "an address was given" : why;
              });
  for (int32_t device : {-1, 99, 1 << 30})
    cases.run("devices that are not there", std::to_string(device), "refused",
              [=] {
                areForDevice(folder);
                int32_t status = pit_cuda_use_device(nullptr, device);
                return status == PIT_OK ? "it was taken"
                                        : checkStatus(status, status);
              });
  for (const char *entry : {"mask", "lengths", "values"})
    for (size_t which = 0; which < 3; ++which)
      if (makeProduct(entry, {1, 1}).arguments.size() > which)
        cases.run(
            "arguments without memory",
            std::string(entry) + ", " + std::to_string(which),
            "an error of the device",
            [=] { return callOnNothing(folder, entry, which); }, Process::Own);
  for (const char *driver : {"none", "/no/such/driver.so"})
    cases.run(
        "no driver", driver, "unsupported",
        [=] { return callWithout(folder, driver); }, Process::Own);
}
