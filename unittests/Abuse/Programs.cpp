//===- Programs.cpp - A product whose operand is marked -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cmath>
#include <cstring>

using namespace pit::abuse;

int64_t Argument::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Argument pit::abuse::makeArgument(int32_t dtype, std::vector<int64_t> shape) {
  Argument argument{dtype, std::move(shape), {}};
  argument.bytes.resize(size_t(argument.numElements()) * pit_dtype_size(dtype));
  return argument;
}

Product pit::abuse::makeProduct(const std::string &entry,
                                std::vector<int64_t> rows) {
  Product product;
  product.entry = entry;
  if (entry == "routing" || entry == "bounded")
    rows.push_back(4);
  std::vector<int64_t> shape = rows;
  shape.push_back(kDepth);
  Argument a = makeArgument(PIT_DTYPE_F32, shape);
  for (int64_t i = 0, e = a.numElements(); i < e; ++i)
    a.as<float>()[i] = float(i % 5 - 2 == 0 ? 3 : i % 5 - 2);
  product.live.resize(size_t(a.numElements()));
  product.arguments.push_back(std::move(a));
  if (entry == "mask")
    product.arguments.push_back(makeArgument(PIT_DTYPE_I1, rows));
  else if (entry == "mask_k")
    product.arguments.push_back(makeArgument(PIT_DTYPE_I1, {kDepth}));
  else if (entry == "blocks")
    product.arguments.push_back(makeArgument(PIT_DTYPE_I1, {4, 2}));
  else if (entry == "lengths")
    product.arguments.push_back(makeArgument(PIT_DTYPE_I64, {rows[0]}));
  else if (entry == "lengths_left")
    product.arguments.push_back(makeArgument(PIT_DTYPE_I32, {rows[0]}));
  else if (entry == "routing" || entry == "bounded")
    product.arguments.push_back(makeArgument(PIT_DTYPE_F32, rows));
  Argument b = makeArgument(PIT_DTYPE_F32, {kDepth, kColumns});
  for (int64_t i = 0, e = b.numElements(); i < e; ++i)
    b.as<float>()[i] = float(i * 7 % 9 - 4);
  product.arguments.push_back(std::move(b));
  product.resultShape = rows;
  product.resultShape.push_back(kColumns);
  return product;
}

void pit::abuse::setRow(Product &product, int64_t row) {
  for (int64_t k = 0; k < kDepth; ++k)
    product.live[size_t(row * kDepth + k)] = true;
}

const pit_entry_point *pit::abuse::findEntry(const std::string &folder,
                                             const std::string &name,
                                             std::string &error) {
  const pit_program *program = nullptr;
  std::string path = folder + "/abuse.so";
  if (pit_program_load(nullptr, path.c_str(), &program) != PIT_OK) {
    char text[400];
    pit_context_last_error(nullptr, text, sizeof text);
    error = text;
    return nullptr;
  }
  const pit_entry_point *entry = pit_program_find(program, name.c_str());
  if (!entry)
    error = "no entry point " + name;
  return entry;
}

std::string pit::abuse::checkStatus(int32_t given, int32_t wanted) {
  char text[400] = "";
  size_t length = pit_context_last_error(nullptr, text, sizeof text);
  int32_t sticky = pit_context_status(nullptr);
  pit_context_clear_error(nullptr);
  if (given != wanted)
    return std::string("status '") + pit_status_string(given) + "': " + text;
  if (sticky != given)
    return std::string("the context says '") + pit_status_string(sticky) + "'";
  if (given != PIT_OK && length == 0)
    return "no message";
  return "";
}

/// Compares with the sum over what counts, in doubles: every term is a small
/// integer, or not finite.
std::string pit::abuse::compareResult(const Product &product,
                                      const float *result) {
  auto *a = reinterpret_cast<const float *>(product.arguments[0].bytes.data());
  auto *b =
      reinterpret_cast<const float *>(product.arguments.back().bytes.data());
  size_t rows = product.live.size() / kDepth;
  for (size_t i = 0; i < rows; ++i)
    for (size_t n = 0; n < kColumns; ++n) {
      double sum = 0;
      for (size_t k = 0; k < kDepth; ++k)
        if (product.live[i * kDepth + k])
          sum += double(a[i * kDepth + k]) * double(b[k * kColumns + n]);
      double given = double(result[i * kColumns + n]);
      bool same = std::isnan(sum) ? std::isnan(given) : given == float(sum);
      if (!same)
        return "row " + std::to_string(i) + ", column " + std::to_string(n) +
               ": " + std::to_string(given) + " instead of " +
               std::to_string(sum);
    }
  return "";
}

int32_t pit::abuse::callAndWait(const pit_entry_point *entry, bool onDevice,
                                void *const *arguments, void *const *results) {
  int32_t status =
      entry->call(nullptr, nullptr, arguments, results, nullptr, 0);
  return status == PIT_OK && onDevice ? pit_cuda_check(nullptr, nullptr)
                                      : status;
}

std::string pit::abuse::callProduct(const std::string &folder,
                                    const Product &product,
                                    int32_t wantedStatus, Placement placement) {
  std::string error;
  const pit_entry_point *entry = findEntry(folder, product.entry, error);
  if (!entry)
    return error;
  bool onDevice = areForDevice(folder);
  std::vector<Area> areas;
  std::vector<pit_tensor> tensors;
  std::vector<void *> pointers;
  tensors.reserve(product.arguments.size());
  for (const Argument &argument : product.arguments) {
    areas.emplace_back(onDevice, argument.bytes.size(),
                       pit_dtype_size(argument.dtype), placement);
    areas.back().write(argument.bytes.data());
    // A program must not write to what it is given.
    areas.back().protect();
    tensors.push_back({areas.back().data(), argument.dtype,
                       int32_t(argument.shape.size()), argument.shape.data(),
                       nullptr});
    pointers.push_back(&tensors.back());
  }
  int64_t extents[8] = {-7, -7, -7, -7, -7, -7, -7, -7}, workspace = -1;
  if (std::string why = checkStatus(
          entry->shapes(nullptr, pointers.data(), extents, &workspace), PIT_OK);
      !why.empty())
    return "shapes: " + why;
  int64_t count = 1;
  for (size_t i = 0; i < product.resultShape.size(); ++i) {
    if (extents[i] != product.resultShape[i])
      return "shapes: extent " + std::to_string(extents[i]);
    count *= extents[i];
  }
  areas.emplace_back(onDevice, size_t(count) * sizeof(float), sizeof(float),
                     placement);
  Area &output = areas.back();
  output.fill(0xff);
  pit_tensor result{output.data(), PIT_DTYPE_F32,
                    int32_t(product.resultShape.size()),
                    product.resultShape.data(), nullptr};
  void *results[] = {&result};
  int32_t status = callAndWait(entry, onDevice, pointers.data(), results);
  if (std::string why = checkStatus(status, wantedStatus); !why.empty())
    return why;
  for (const Area &area : areas)
    if (std::string why = area.check(); !why.empty())
      return why;
  if (wantedStatus != PIT_OK)
    return "";
  std::vector<char> contents = output.read();
  return compareResult(product,
                       reinterpret_cast<const float *>(contents.data()));
}

std::vector<pit_tensor> pit::abuse::describeArguments(Product &product) {
  std::vector<pit_tensor> tensors;
  for (Argument &argument : product.arguments)
    tensors.push_back({argument.bytes.data(), argument.dtype,
                       int32_t(argument.shape.size()), argument.shape.data(),
                       nullptr});
  return tensors;
}
