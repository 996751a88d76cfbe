//===- Descriptors.cpp - Tensors that are not what was compiled for -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cstring>
#include <limits>

using namespace pit::abuse;

namespace {
/// A tensor that a test may change before the call.
struct Passed {
  pit_tensor tensor;
  int64_t shape[8];
  int64_t strides[8];
};

struct Damage {
  const char *name;
  /// False where there is nothing to damage.
  bool (*apply)(Passed &passed);
};
} // namespace

static const Damage kDamages[] = {
    {"another element type",
     [](Passed &p) {
       p.tensor.dtype =
           p.tensor.dtype == PIT_DTYPE_I8 ? PIT_DTYPE_I64 : PIT_DTYPE_I8;
       return true;
     }},
    {"no element type", [](Passed &p) { return (p.tensor.dtype = 0, true); }},
    {"an unknown element type",
     [](Passed &p) { return (p.tensor.dtype = 99, true); }},
    {"a negative element type",
     [](Passed &p) { return (p.tensor.dtype = -1, true); }},
    {"a lower rank", [](Passed &p) { return (--p.tensor.rank, true); }},
    {"a higher rank", [](Passed &p) { return (++p.tensor.rank, true); }},
    {"a negative rank", [](Passed &p) { return (p.tensor.rank = -1, true); }},
    {"the largest rank",
     [](Passed &p) {
       p.tensor.rank = std::numeric_limits<int32_t>::max();
       return true;
     }},
    {"no shape", [](Passed &p) { return (p.tensor.shape = nullptr, true); }},
    {"no data", [](Passed &p) { return (p.tensor.data = nullptr, true); }},
    {"a negative extent", [](Passed &p) { return (p.shape[0] = -1, true); }},
    {"the least extent",
     [](Passed &p) {
       p.shape[0] = std::numeric_limits<int64_t>::min();
       return true;
     }},
    {"too many elements to count",
     [](Passed &p) {
       // As many bytes can be counted.
       if (p.tensor.rank < 2 && pit_dtype_size(p.tensor.dtype) == 1)
         return false;
       p.shape[0] = std::numeric_limits<int64_t>::max();
       return true;
     }},
    {"columns that are not what was compiled for",
     [](Passed &p) {
       if (p.tensor.rank < 2)
         return false;
       ++p.shape[p.tensor.rank - 1];
       return true;
     }},
    {"data between two elements",
     [](Passed &p) {
       if (pit_dtype_size(p.tensor.dtype) == 1)
         return false;
       p.tensor.data = static_cast<char *>(p.tensor.data) + 1;
       return true;
     }},
    {"strides of 0",
     [](Passed &p) {
       std::memset(p.strides, 0, sizeof p.strides);
       return (p.tensor.strides = p.strides, true);
     }},
    {"negative strides",
     [](Passed &p) {
       for (int64_t &stride : p.strides)
         stride = -stride;
       return (p.tensor.strides = p.strides, true);
     }},
    {"strides of a transposed tensor",
     [](Passed &p) {
       if (p.tensor.rank < 2)
         return false;
       std::swap(p.strides[0], p.strides[p.tensor.rank - 1]);
       return (p.tensor.strides = p.strides, true);
     }},
    {"rows with gaps",
     [](Passed &p) {
       p.strides[0] += 1;
       return (p.tensor.strides = p.strides, true);
     }},
    {"the largest stride", [](Passed &p) {
       p.strides[0] = std::numeric_limits<int64_t>::max();
       return (p.tensor.strides = p.strides, true);
     }}};

static Passed pass(void *data, int32_t dtype,
                   const std::vector<int64_t> &shape) {
  Passed passed{};
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
    passed.shape[i] = shape[i];
    passed.strides[i] = stride;
  }
  passed.shape[shape.size()] = 1;
  passed.tensor = {data, dtype, int32_t(shape.size()), nullptr, nullptr};
  return passed;
}

/// A call where tensor `which` (results come last) is damaged, or missing. It
/// computes nothing.
static std::string callDamaged(const std::string &folder,
                               const Product &product, size_t which,
                               const Damage *damage) {
  std::string error;
  const pit_entry_point *entry = findEntry(folder, product.entry, error);
  if (!entry)
    return error;
  std::vector<Passed> passed;
  bool onDevice = areForDevice(folder);
  std::vector<Area> areas;
  for (const Argument &argument : product.arguments) {
    areas.emplace_back(onDevice, argument.bytes.size(),
                       pit_dtype_size(argument.dtype));
    areas.back().write(argument.bytes.data());
    passed.push_back(pass(areas.back().data(), argument.dtype, argument.shape));
  }
  Argument output = makeArgument(PIT_DTYPE_F32, product.resultShape);
  areas.emplace_back(onDevice, output.bytes.size(), sizeof(float));
  areas.back().fill(0xff);
  passed.push_back(
      pass(areas.back().data(), PIT_DTYPE_F32, product.resultShape));
  // Nothing at all may be written.
  areas.back().protect();
  std::vector<void *> pointers;
  for (Passed &p : passed) {
    p.tensor.shape = p.shape;
    pointers.push_back(&p.tensor);
  }
  if (!damage)
    pointers[which] = nullptr;
  else if (!damage->apply(passed[which]))
    return "";
  void *result = pointers.back();
  std::string why =
      checkStatus(callAndWait(entry, onDevice, pointers.data(), &result),
                  PIT_ERROR_INVALID_ARGUMENT);
  if (why.empty())
    why = areas.back().check();
  return why;
}

/// What says which points are live has other extents than what is marked. Each
/// tensor is one that the program takes.
static void tryDisagreements(Cases &cases, const std::string &folder) {
  static const Damage kNone{"", [](Passed &) { return true; }};
  for (const char *entry :
       {"mask", "lengths", "lengths_left", "routing", "bounded"}) {
    bool isPadded = std::string(entry).find("lengths") == 0;
    Product product = makeProduct(entry, isPadded ? std::vector<int64_t>{2, 4}
                                                  : std::vector<int64_t>{8});
    const Argument fitting = product.arguments[1];
    for (int64_t extent : {int64_t(0), fitting.shape[0] - 1,
                           fitting.shape[0] + 1, fitting.shape[0] * 1000})
      for (size_t axis = 0; axis < fitting.shape.size(); ++axis) {
        std::vector<int64_t> shape = fitting.shape;
        shape[axis] = extent == shape[axis] ? extent + 3 : extent;
        product.arguments[1] = makeArgument(fitting.dtype, shape);
        cases.run("tensors that do not fit each other",
                  std::string(entry) + ", " + std::to_string(shape[axis]) +
                      " along axis " + std::to_string(axis),
                  "invalid argument",
                  [&] { return callDamaged(folder, product, 1, &kNone); });
      }
  }
}

void pit::abuse::tryDescriptors(Cases &cases, const std::string &folder) {
  tryDisagreements(cases, folder);
  for (const char *entry : {"mask", "blocks", "lengths", "values"}) {
    Product product = makeProduct(entry, std::string(entry) == "lengths"
                                             ? std::vector<int64_t>{2, 4}
                                             : std::vector<int64_t>{8});
    for (size_t which = 0; which <= product.arguments.size(); ++which) {
      std::string where =
          std::string(entry) + ", tensor " + std::to_string(which);
      cases.run("tensors that do not fit", where + ", missing",
                "invalid argument",
                [&] { return callDamaged(folder, product, which, nullptr); });
      for (const Damage &damage : kDamages) {
        char memory = 0;
        Passed probe = pass(
            &memory,
            which < product.arguments.size() ? product.arguments[which].dtype
                                             : int32_t(PIT_DTYPE_F32),
            which < product.arguments.size() ? product.arguments[which].shape
                                             : product.resultShape);
        if (!damage.apply(probe))
          continue;
        cases.run("tensors that do not fit", where + ", " + damage.name,
                  "invalid argument",
                  [&] { return callDamaged(folder, product, which, &damage); });
      }
    }
  }
}
