//===- DeviceCall.cpp - A call on a device, step by step ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCall.h"

#include <cstdio>
#include <cstdlib>

using namespace pit::abuse;

DeviceCall::DeviceCall(const std::string &folder, const Product &product,
                       pit_context *context)
    : product(product), context(context) {
  std::string error;
  entry = findEntry(folder, product.entry, error);
  if (!entry) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::exit(2);
  }
  for (const Argument &argument : product.arguments) {
    areas.emplace_back(true, argument.bytes.size(),
                       pit_dtype_size(argument.dtype));
    areas.back().write(argument.bytes.data());
    areas.back().protect();
    tensors.push_back({areas.back().data(), argument.dtype,
                       int32_t(argument.shape.size()), argument.shape.data(),
                       nullptr});
  }
  size_t count = 1;
  for (int64_t extent : product.resultShape)
    count *= size_t(extent);
  areas.emplace_back(true, count * sizeof(float), sizeof(float));
  poison();
  tensors.push_back({areas.back().data(), PIT_DTYPE_F32,
                     int32_t(product.resultShape.size()),
                     product.resultShape.data(), nullptr});
  for (pit_tensor &tensor : tensors)
    pointers.push_back(&tensor);
}

int32_t DeviceCall::launch(pit_stream stream, void *workspace,
                           int64_t workspaceSize) {
  return entry->call(context, stream, pointers.data(),
                     pointers.data() + product.arguments.size(), workspace,
                     workspaceSize);
}

std::string DeviceCall::compare() const {
  for (const Area &area : areas)
    if (std::string why = area.check(); !why.empty())
      return why;
  std::vector<char> contents = areas.back().read();
  return compareResult(product,
                       reinterpret_cast<const float *>(contents.data()));
}

int64_t DeviceCall::getWorkspaceSize() const {
  int64_t extents[8], size = -1;
  return entry->shapes(context, pointers.data(), extents, &size) == PIT_OK
             ? size
             : -1;
}
