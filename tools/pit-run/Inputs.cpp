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

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pit::run;
using ::pit::npy::Array;

template <typename T> static std::string toString(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// Spells a shape and an element type as MLIR does inside tensor<...>.
static std::string describe(ArrayRef<int64_t> shape, const std::string &type) {
  std::string text;
  for (int64_t extent : shape)
    text +=
        (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + "x";
  return text + type;
}

static llvm::Error checkType(Type type, const llvm::Twine &what) {
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = tensor.getElementType();
    if (tensor.getEncoding())
      element = {};
  }
  if (element && dtypeOf(element) != PIT_DTYPE_INVALID)
    return llvm::Error::success();
  return llvm::createStringError(
      what + " has type " + toString(type) +
      ": expected a ranked tensor or a scalar of f16, bf16, f32, f64, i1, i8, "
      "i32, i64 or index");
}

llvm::Error mlir::pit::run::checkSignature(func::FuncOp entry) {
  FunctionType type = entry.getFunctionType();
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    if (llvm::Error e = checkType(input, "argument #" + llvm::Twine(i) +
                                             " of '" + entry.getName() + "'"))
      return e;
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (llvm::Error e = checkType(result, "result #" + llvm::Twine(i) +
                                              " of '" + entry.getName() + "'"))
      return e;
  return llvm::Error::success();
}

namespace {
/// What the signature says of one argument.
struct Argument {
  unsigned number;
  std::string name;
  SmallVector<int64_t> shape;
  pit_dtype dtype;
  std::string typeText;
};
} // namespace

static llvm::Error readInput(const Argument &argument, const std::string &path,
                             Array &array) {
  std::string error;
  if (!::pit::npy::read(path, array, error))
    return llvm::createStringError(argument.name + ": " + error);
  bool matches = array.dtype == argument.dtype &&
                 array.shape.size() == argument.shape.size();
  for (size_t i = 0; matches && i < array.shape.size(); ++i)
    matches = ShapedType::isDynamic(argument.shape[i]) ||
              argument.shape[i] == array.shape[i];
  if (matches)
    return llvm::Error::success();
  return llvm::createStringError(
      argument.name + ": '" + path + "' holds " +
      describe(array.shape, pit_dtype_name(array.dtype)) + ", expected " +
      describe(argument.shape, argument.typeText));
}

static llvm::Error generateInput(const Argument &argument,
                                 const std::string &spec, bool repeated,
                                 const Options &options, Array &array) {
  std::string description;
  std::vector<int64_t> given;
  bool hasShape;
  if (llvm::Error e = splitRandomSpec(spec, description, given, hasShape))
    return e;
  // The extents belong to the argument that the description was written for.
  hasShape &= !repeated;
  auto fromOption = options.shapes.find(argument.number);
  if (!hasShape && fromOption != options.shapes.end()) {
    given = fromOption->second;
    hasShape = true;
  }
  std::vector<int64_t> shape(argument.shape.begin(), argument.shape.end());
  if (hasShape) {
    bool matches = given.size() == shape.size();
    for (size_t i = 0; matches && i < shape.size(); ++i)
      matches = ShapedType::isDynamic(shape[i]) || shape[i] == given[i];
    if (!matches)
      return llvm::createStringError(
          argument.name + ": the extents " + describe(given, "") +
          argument.typeText + " do not fit " +
          describe(argument.shape, argument.typeText));
    shape = given;
  }
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return llvm::createStringError(argument.name + ": the extents of " +
                                   describe(argument.shape, argument.typeText) +
                                   " are not known: add --shape " +
                                   std::to_string(argument.number) +
                                   "=AxB, or write SPEC@AxB");
  std::string error;
  if (!array.allocate(argument.dtype, shape, error))
    return llvm::createStringError(argument.name + ": " + error);
  // One stream per argument, so that changing one leaves the others alone.
  uint64_t seed = options.seed * 0x9e3779b97f4a7c15 + argument.number;
  if (llvm::Error e = fillRandom(description, seed, array))
    return llvm::createStringError(argument.name + ": " +
                                   llvm::toString(std::move(e)));
  return llvm::Error::success();
}

llvm::Expected<std::vector<Array>>
mlir::pit::run::bindInputs(func::FuncOp entry, const Options &options) {
  ArrayRef<Type> types = entry.getFunctionType().getInputs();
  const std::vector<Binding> &bindings = options.bindings;
  bool repeats = !bindings.empty() && !bindings.back().isFile;
  if (bindings.size() > types.size() ||
      (bindings.size() < types.size() && !repeats))
    return llvm::createStringError("'" + entry.getName() + "' takes " +
                                   llvm::Twine(types.size()) + " inputs, " +
                                   llvm::Twine(bindings.size()) + " are given");
  for (const auto &shape : options.shapes)
    if (shape.first >= types.size())
      return llvm::createStringError(
          "--shape names argument #" + llvm::Twine(shape.first) + ", but '" +
          entry.getName() + "' takes " + llvm::Twine(types.size()) + " inputs");

  std::vector<Array> arrays(types.size());
  for (auto [i, type] : llvm::enumerate(types)) {
    Type element = getElementTypeOrSelf(type);
    Argument argument{
        unsigned(i),
        ("argument #" + llvm::Twine(i) + " of '" + entry.getName() + "'").str(),
        {},
        dtypeOf(element),
        toString(element)};
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      argument.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    const Binding &binding = bindings[std::min(i, bindings.size() - 1)];
    llvm::Error error =
        binding.isFile
            ? readInput(argument, binding.text, arrays[i])
            : generateInput(argument, binding.text, i >= bindings.size(),
                            options, arrays[i]);
    if (error)
      return error;
  }
  return arrays;
}
