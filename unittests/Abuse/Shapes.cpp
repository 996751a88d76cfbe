//===- Shapes.cpp - Shapes with very many elements, or none ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <limits>

using namespace pit::abuse;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// The number of elements in 128 bits; -1 where it, or its bytes, pass 63.
static __int128 countElements(const std::vector<int64_t> &shape, size_t size) {
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return -1;
    isEmpty |= extent == 0;
  }
  if (isEmpty)
    return 0;
  __int128 count = 1;
  for (int64_t extent : shape) {
    count *= extent;
    if (count > kMax)
      return -1;
  }
  return count * __int128(size) > kMax ? -1 : count;
}

/// What `pit_shape_elements` says, against 128 bits.
static void tryCounts(Cases &cases) {
  const int64_t extents[] = {0,
                             1,
                             3,
                             (int64_t(1) << 31) - 1,
                             int64_t(1) << 31,
                             (int64_t(1) << 32) + 1,
                             int64_t(1) << 62,
                             kMax,
                             -1,
                             std::numeric_limits<int64_t>::min()};
  for (int64_t first : extents)
    for (int64_t second : extents)
      for (size_t size : {size_t(1), size_t(8)}) {
        std::vector<int64_t> shape{first, second};
        __int128 wanted = countElements(shape, size);
        cases.run("numbers of elements past 2^31, 2^32 and 2^63",
                  std::to_string(first) + " x " + std::to_string(second) +
                      " of " + std::to_string(size),
                  wanted < 0 ? "invalid argument" : "right", [&] {
                    int64_t count = -7;
                    int32_t status =
                        pit_shape_elements(2, shape.data(), size, &count);
                    if (status !=
                        (wanted < 0 ? PIT_ERROR_INVALID_ARGUMENT : PIT_OK))
                      return std::string(pit_status_string(status));
                    if (wanted >= 0 && count != int64_t(wanted))
                      return std::to_string(count);
                    return std::string();
                  });
      }
}

/// Entry points tell extents of results without touching data, whatever the
/// numbers.
static void tryResultShapes(Cases &cases, const std::string &folder) {
  for (int64_t rows :
       {int64_t(0), int64_t(1) << 28, (int64_t(1) << 31) - 1, int64_t(1) << 31,
        int64_t(1) << 32, (int64_t(1) << 33) + 1, int64_t(1) << 40})
    for (const char *name : {"mask", "values", "routing", "bounded", "mask_k"})
      cases.run("extents of results past 2^31 and 2^32",
                std::string(name) + ", " + std::to_string(rows), "right", [&] {
                  std::string error;
                  const pit_entry_point *entry = findEntry(folder, name, error);
                  if (!entry)
                    return error;
                  std::vector<std::vector<int64_t>> shapes;
                  std::vector<pit_tensor> tensors;
                  std::vector<void *> pointers;
                  for (int64_t i = 0; i < entry->num_arguments; ++i) {
                    const pit_value_type &type = entry->arguments[i];
                    shapes.emplace_back(type.extents, type.extents + type.rank);
                    for (int64_t &extent : shapes.back())
                      if (extent < 0)
                        extent = rows;
                  }
                  for (int64_t i = 0; i < entry->num_arguments; ++i)
                    tensors.push_back({nullptr, entry->arguments[i].dtype,
                                       entry->arguments[i].rank,
                                       shapes[size_t(i)].data(), nullptr});
                  for (pit_tensor &tensor : tensors)
                    pointers.push_back(&tensor);
                  int64_t extents[4] = {-7, -7, -7, -7}, workspace = -7;
                  std::string why =
                      checkStatus(entry->shapes(nullptr, pointers.data(),
                                                extents, &workspace),
                                  PIT_OK);
                  if (!why.empty())
                    return why;
                  if (extents[0] != rows || workspace < 0)
                    return std::to_string(extents[0]) + " rows, workspace " +
                           std::to_string(workspace);
                  return std::string();
                });
}

void pit::abuse::tryShapes(Cases &cases, const std::string &folder) {
  tryCounts(cases);
  tryResultShapes(cases, folder);
}
