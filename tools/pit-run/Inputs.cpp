//===- Inputs.cpp - Arguments of the entry function -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Elements.h"
#include "RandomData.h"

#include <algorithm>

using namespace pit::run;
using pit::npy::Array;

std::vector<ArgumentType>
pit::run::readArgumentTypes(const pit_entry_point &entry) {
  std::vector<ArgumentType> arguments;
  for (int64_t i = 0; i < entry.num_arguments; ++i) {
    const pit_value_type &type = entry.arguments[i];
    arguments.push_back({pit_dtype(type.dtype),
                         {type.extents, type.extents + std::max(type.rank, 0)},
                         pit_dtype_name(type.dtype)});
  }
  return arguments;
}

/// Spells a shape and an element type as MLIR does inside tensor<...>.
static std::string describe(const std::vector<int64_t> &shape,
                            const std::string &type) {
  std::string text;
  for (int64_t extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + type;
}

/// Whether extents are what a type asks for.
static bool fits(const std::vector<int64_t> &shape,
                 const std::vector<int64_t> &type) {
  return std::equal(shape.begin(), shape.end(), type.begin(), type.end(),
                    [](int64_t given, int64_t wanted) {
                      return wanted < 0 || given == wanted;
                    });
}

static bool readInput(const ArgumentType &type, const std::string &path,
                      Array &array, std::string &error) {
  if (!pit::npy::read(path, array, error))
    return false;
  if (array.dtype == type.dtype && fits(array.shape, type.shape))
    return true;
  error = "'" + path + "' holds " +
          describe(array.shape, pit_dtype_name(array.dtype)) + ", expected " +
          describe(type.shape, type.text);
  return false;
}

/// `repeated` when the description was written for an argument in front.
static bool generateInput(const ArgumentType &type, unsigned number,
                          const std::string &spec, bool repeated,
                          const Options &options, Array &array,
                          std::string &error) {
  std::string description;
  std::vector<int64_t> given;
  bool hasShape;
  if (!splitRandomSpec(spec, description, given, hasShape, error))
    return false;
  // The extents belong to the argument that the description was written for.
  hasShape &= !repeated;
  auto fromOption = options.shapes.find(number);
  if (!hasShape && fromOption != options.shapes.end()) {
    given = fromOption->second;
    hasShape = true;
  }
  if (hasShape && !fits(given, type.shape)) {
    error = "the extents " + describe(given, "") + type.text + " do not fit " +
            describe(type.shape, type.text);
    return false;
  }
  const std::vector<int64_t> &shape = hasShape ? given : type.shape;
  if (std::any_of(shape.begin(), shape.end(),
                  [](int64_t extent) { return extent < 0; })) {
    error = "the extents of " + describe(type.shape, type.text) +
            " are not known: add --shape " + std::to_string(number) +
            "=AxB, or write SPEC@AxB";
    return false;
  }
  if (!array.allocate(type.dtype, shape, error))
    return false;
  // One stream per argument, so that changing one leaves the others alone.
  uint64_t seed = options.seed * 0x9e3779b97f4a7c15 + number;
  return fillRandom(description, seed, array, error);
}

bool pit::run::bindInputs(const std::string &name,
                          const std::vector<ArgumentType> &arguments,
                          const Options &options, std::vector<Array> &arrays,
                          std::string &error) {
  const std::vector<Binding> &bindings = options.bindings;
  size_t count = arguments.size();
  bool repeats = !bindings.empty() && !bindings.back().isFile;
  if (bindings.size() > count || (bindings.size() < count && !repeats)) {
    error = "'" + name + "' takes " + std::to_string(count) +
            (count == 1 ? " input, " : " inputs, ") +
            std::to_string(bindings.size()) +
            (bindings.size() == 1 ? " is given" : " are given");
    if (bindings.size() < count)
      error += "; add --input=FILE.npy or --random=SPEC for each";
    return false;
  }
  for (const auto &shape : options.shapes)
    if (shape.first >= count) {
      error = "--shape names argument #" + std::to_string(shape.first) +
              ", but '" + name + "' takes " + std::to_string(count) +
              (count == 1 ? " input" : " inputs");
      return false;
    }
  arrays = std::vector<Array>(count);
  for (size_t i = 0; i < count; ++i) {
    const Binding &binding = bindings[std::min(i, bindings.size() - 1)];
    bool bound =
        binding.isFile
            ? readInput(arguments[i], binding.text, arrays[i], error)
            : generateInput(arguments[i], unsigned(i), binding.text,
                            i >= bindings.size(), options, arrays[i], error);
    if (!bound) {
      error = "argument #" + std::to_string(i) + " of '" + name + "': " + error;
      return false;
    }
  }
  return true;
}
