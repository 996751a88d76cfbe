//===- Placement.cpp - Where tensors lie ----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cstring>

using namespace pit::abuse;

/// Tensors on boundaries of their elements and no better. Kernels ask for 16
/// bytes: programs for a device refuse others.
static void tryBoundaries(Cases &cases, const std::string &folder) {
  bool onDevice = getTarget(folder) == "cuda";
  for (const char *entry :
       {"mask", "mask_k", "blocks", "values", "routing", "lengths"})
    for (size_t gap = 0; gap < 17; ++gap)
      for (bool atEnd : {false, true})
        cases.run(
            "tensors on boundaries of their elements alone",
            std::string(entry) + ", " + std::to_string(gap) +
                (atEnd ? " from the end" : " from the start"),
            onDevice && gap ? "right, or an invalid argument" : "right",
            [&] {
              bool hasLengths = std::string(entry) == "lengths";
              Product product = makeProduct(
                  entry, hasLengths
                             ? std::vector<int64_t>{2, 4}
                             : std::vector<int64_t>{
                                   std::string(entry) == "routing" ? 2 : 8});
              // All of it is live.
              product.live.assign(product.live.size(), true);
              Argument &by = product.arguments[1];
              if (hasLengths)
                by.as<int64_t>()[0] = by.as<int64_t>()[1] = 4;
              else if (by.dtype == PIT_DTYPE_I1)
                std::memset(by.bytes.data(), 1, by.bytes.size());
              else if (std::string(entry) == "routing")
                for (int64_t i = 0; i < 8; ++i)
                  by.as<float>()[i] = 1;
              std::string why =
                  callProduct(folder, product, PIT_OK, {atEnd, gap});
              bool isRefused =
                  why.rfind(std::string("status '") +
                                pit_status_string(PIT_ERROR_INVALID_ARGUMENT),
                            0) == 0;
              return onDevice && gap && isRefused ? std::string() : why;
            },
            onDevice && gap ? Process::Own : Process::Shared);
}

/// The result lies in an argument's memory. What it holds then is not said, but
/// nothing beyond is read or written.
static void tryAliasing(Cases &cases, const std::string &folder) {
  for (const char *name : {"mask", "values", "blocks"})
    for (int64_t offset = 0; offset <= 32; offset += 4)
      cases.run(
          "a result in the memory of an argument",
          std::string(name) + ", " + std::to_string(offset),
          "nothing beyond is touched", [&] {
            std::string error;
            const pit_entry_point *entry = findEntry(folder, name, error);
            if (!entry)
              return error;
            Product product = makeProduct(name, {8});
            bool onDevice = areForDevice(folder);
            std::vector<Area> areas;
            std::vector<pit_tensor> tensors;
            std::vector<void *> pointers;
            tensors.reserve(4);
            for (const Argument &argument : product.arguments) {
              areas.emplace_back(onDevice, argument.bytes.size(),
                                 pit_dtype_size(argument.dtype));
              areas.back().write(argument.bytes.data());
              tensors.push_back({areas.back().data(), argument.dtype,
                                 int32_t(argument.shape.size()),
                                 argument.shape.data(), nullptr});
              pointers.push_back(&tensors.back());
            }
            pit_tensor result{static_cast<float *>(areas[0].data()) + offset,
                              PIT_DTYPE_F32, 2, product.resultShape.data(),
                              nullptr};
            void *results[] = {&result};
            std::string why = checkStatus(
                callAndWait(entry, onDevice, pointers.data(), results), PIT_OK);
            for (const Area &area : areas)
              if (why.empty())
                why = area.check();
            return why;
          });
}

void pit::abuse::tryPlacement(Cases &cases, const std::string &folder) {
  tryBoundaries(cases, folder);
  tryAliasing(cases, folder);
}
