//===- Bench.cpp - Memory and times of a device ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::tune;

static llvm::Error toError(int32_t status) {
  std::string text;
  if (!::pit::run::takeRuntimeError(status, text))
    return llvm::Error::success();
  return llvm::createStringError(text);
}

Memory::~Memory() { pit_cuda_free(pit_context_current(), memory); }

llvm::Error Memory::reserve(size_t size) {
  if (size <= bytes)
    return llvm::Error::success();
  pit_cuda_free(pit_context_current(), memory);
  memory = nullptr;
  bytes = 0;
  if (llvm::Error error =
          toError(pit_cuda_allocate(pit_context_current(), size, &memory)))
    return error;
  bytes = size;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Operands are this table, over and over. Its length is prime, so that rows of
/// usual lengths differ.
static constexpr size_t kTable = 1048573;

static const std::vector<uint16_t> &getTable() {
  static const std::vector<uint16_t> table = [] {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<uint16_t> bits(kTable);
    for (uint16_t &element : bits) {
      float value = normal(random);
      uint32_t word;
      std::memcpy(&word, &value, sizeof word);
      element = uint16_t(word >> 16);
    }
    return bits;
  }();
  return table;
}

static float toFloat(uint16_t bits) {
  uint32_t word = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

static double getElement(int64_t index) {
  return toFloat(getTable()[size_t(index) % kTable]);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Bench::Bench(::pit::run::CudaDevice &device, size_t flushBytes)
    : device(device), flushBytes(flushBytes) {}

Bench::~Bench() {
  for (void *event : events)
    pit_cuda_event_destroy(pit_context_current(), event);
}

/// Fills the memory's first bytes with the table, as far as they are not.
llvm::Error Bench::fill(Memory &memory, size_t bytes, size_t &filled) {
  if (memory.getBytes() < bytes) {
    filled = 0;
    if (llvm::Error error = memory.reserve(bytes))
      return error;
  }
  const std::vector<uint16_t> &table = getTable();
  for (; filled < bytes; filled += table.size() * 2)
    if (llvm::Error error = toError(pit_cuda_copy_in(
            pit_context_current(), device.getStream(), memory.get() + filled,
            table.data(), std::min(table.size() * 2, bytes - filled))))
      return error;
  return llvm::Error::success();
}

llvm::Error Bench::prepare(ArrayRef<Product> products) {
  size_t bytesOfA = 0, bytesOfB = 0, bytesOfC = 0;
  for (const Product &product : products) {
    auto [family, batches, m, n, k] = product;
    bytesOfA = std::max(bytesOfA, size_t(batches * m * k) * 2);
    bytesOfB = std::max(bytesOfB, size_t(batches * k * n) * 2);
    bytesOfC = std::max(bytesOfC, size_t(batches * m * n) * 2);
  }
  if (llvm::Error error = fill(a, bytesOfA, filledA))
    return error;
  if (llvm::Error error = fill(b, bytesOfB, filledB))
    return error;
  return c.reserve(bytesOfC);
}

/// Segments of about as many rows each, as routers choose them: around the mean
/// by the square root of it.
static std::vector<int64_t> drawOffsets(int64_t segments, int64_t rows) {
  std::mt19937 random(unsigned(segments * 31 + rows));
  std::normal_distribution<double> normal(double(rows),
                                          std::sqrt(double(rows)));
  std::vector<int64_t> offsets{0};
  const int64_t all = segments * rows;
  for (int64_t i = 0; i < segments; ++i)
    offsets.push_back(std::clamp<int64_t>(
        offsets.back() + std::max<int64_t>(0, std::llround(normal(random))), 0,
        all));
  offsets.back() = all;
  return offsets;
}

llvm::Expected<std::vector<pit_tensor>> Bench::bind(const Product &product) {
  auto [family, batches, m, n, k] = product;
  const int64_t all = batches * m;
  pit_context *context = pit_context_current();
  // What no kernel writes shows.
  if (llvm::Error error = toError(pit_cuda_fill(
          context, device.getStream(), c.get(), 0xff, size_t(all * n) * 2)))
    return std::move(error);
  if (family == Family::Gemm) {
    shapes = {{m, k}, {k, n}, {m, n}};
    return std::vector<pit_tensor>{
        {a.get(), PIT_DTYPE_BF16, 2, shapes[0].data(), nullptr},
        {b.get(), PIT_DTYPE_BF16, 2, shapes[1].data(), nullptr},
        {c.get(), PIT_DTYPE_BF16, 2, shapes[2].data(), nullptr}};
  }
  starts = drawOffsets(batches, m);
  std::vector<int32_t> numbers(static_cast<size_t>(all));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int32_t(i);
  if (llvm::Error error = offsets.reserve(starts.size() * 8))
    return std::move(error);
  if (llvm::Error error = rows.reserve(numbers.size() * 4))
    return std::move(error);
  if (llvm::Error error =
          toError(pit_cuda_copy_in(context, device.getStream(), offsets.get(),
                                   starts.data(), starts.size() * 8)))
    return std::move(error);
  if (llvm::Error error =
          toError(pit_cuda_copy_in(context, device.getStream(), rows.get(),
                                   numbers.data(), numbers.size() * 4)))
    return std::move(error);
  // Before what is copied goes.
  if (llvm::Error error =
          toError(pit_cuda_stream_synchronize(context, device.getStream())))
    return std::move(error);
  shapes = {{all, k}, {batches, k, n}, {batches + 1}, {all}, {all, n}};
  return std::vector<pit_tensor>{
      {a.get(), PIT_DTYPE_BF16, 2, shapes[0].data(), nullptr},
      {b.get(), PIT_DTYPE_BF16, 3, shapes[1].data(), nullptr},
      {offsets.get(), PIT_DTYPE_I64, 1, shapes[2].data(), nullptr},
      {rows.get(), PIT_DTYPE_I32, 1, shapes[3].data(), nullptr},
      {c.get(), PIT_DTYPE_BF16, 2, shapes[4].data(), nullptr}};
}

llvm::Error Bench::checkResult(const Product &product) {
  constexpr int kElements = 48;
  auto [family, batches, m, n, k] = product;
  const int64_t all = batches * m;
  std::mt19937_64 random(7);
  for (int i = 0; i < kElements; ++i) {
    // The last row and column among them.
    int64_t row = i == 0 ? all - 1 : int64_t(random() % uint64_t(all)),
            column = i == 0 ? n - 1 : int64_t(random() % uint64_t(n)),
            segment = 0;
    if (family == Family::Grouped)
      segment = std::upper_bound(starts.begin(), starts.end(), row) -
                starts.begin() - 1;
    uint16_t bits = 0;
    if (llvm::Error error = toError(
            pit_cuda_copy_out(pit_context_current(), device.getStream(), &bits,
                              c.get() + (row * n + column) * 2, sizeof bits)))
      return error;
    double sum = 0;
    for (int64_t j = 0; j < k; ++j)
      sum +=
          getElement(row * k + j) * getElement((segment * k + j) * n + column);
    if (llvm::Error error = toError(pit_cuda_stream_synchronize(
            pit_context_current(), device.getStream())))
      return error;
    double got = toFloat(bits);
    // Rounded to 8 bits, of sums that themselves are a little off.
    double tolerance = std::abs(sum) / 200 + 1e-3 * std::sqrt(double(k));
    if (!(std::abs(got - sum) <= tolerance))
      return llvm::createStringError(
          llvm::formatv("element ({0}, {1}) is {2}, not {3}", row, column, got,
                        sum)
              .str());
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

llvm::Error Bench::call(Kernel &kernel, ArrayRef<pit_tensor> tensors) {
  llvm::Expected<int64_t> bytes = kernel.getWorkspaceBytes(tensors);
  if (!bytes)
    return bytes.takeError();
  if (llvm::Error error = workspace.reserve(size_t(*bytes)))
    return error;
  return kernel.call(device.getStream(), tensors, workspace.get(), *bytes);
}

llvm::Error Bench::warmUp(Kernel &kernel, ArrayRef<pit_tensor> tensors) {
  if (llvm::Error error =
          toError(pit_cuda_use_device(pit_context_current(), 0)))
    return error;
  llvm::Expected<int64_t> bytes = kernel.getWorkspaceBytes(tensors);
  if (!bytes)
    return bytes.takeError();
  Memory own;
  if (llvm::Error error = own.reserve(size_t(*bytes)))
    return error;
  pit_stream stream = nullptr;
  if (llvm::Error error =
          toError(pit_cuda_stream_create(pit_context_current(), &stream)))
    return error;
  llvm::Error error = kernel.call(stream, tensors, own.get(), *bytes);
  llvm::Error wrong = kernel.check(stream);
  pit_cuda_stream_destroy(pit_context_current(), stream);
  return llvm::joinErrors(std::move(error), std::move(wrong));
}

llvm::Error Bench::reserveEvents(size_t count) {
  while (events.size() < count) {
    void *event = nullptr;
    if (llvm::Error error =
            toError(pit_cuda_event_create(pit_context_current(), &event)))
      return error;
    events.push_back(event);
  }
  return llvm::Error::success();
}

static double getMedian(std::vector<double> &times) {
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  return times.size() % 2 ? times[middle]
                          : (times[middle - 1] + times[middle]) / 2;
}

llvm::Expected<std::vector<double>> Bench::time(ArrayRef<Kernel *> kernels,
                                                ArrayRef<pit_tensor> tensors,
                                                int rounds) {
  constexpr int kWarmRounds = 2;
  pit_context *context = pit_context_current();
  pit_stream stream = device.getStream();
  if (llvm::Error error = flush.reserve(flushBytes))
    return std::move(error);
  if (llvm::Error error =
          reserveEvents(2 * kernels.size() * size_t(rounds + kWarmRounds)))
    return std::move(error);
  size_t event = 0;
  for (int round = 0; round < rounds + kWarmRounds; ++round)
    for (Kernel *kernel : kernels) {
      if (!kernel)
        continue;
      pit_cuda_fill(context, stream, flush.get(), uint8_t(round), flushBytes);
      pit_cuda_event_record(context, stream, events[event++]);
      if (llvm::Error error = call(*kernel, tensors))
        return std::move(error);
      pit_cuda_event_record(context, stream, events[event++]);
    }
  if (llvm::Error error = toError(pit_cuda_stream_synchronize(context, stream)))
    return std::move(error);
  std::vector<std::vector<double>> times(kernels.size());
  event = 0;
  for (int round = 0; round < rounds + kWarmRounds; ++round)
    for (auto [kernel, own] : llvm::zip_equal(kernels, times)) {
      if (!kernel)
        continue;
      float milliseconds = 0;
      if (llvm::Error error = toError(pit_cuda_event_elapsed(
              context, events[event], events[event + 1], &milliseconds)))
        return std::move(error);
      event += 2;
      if (round >= kWarmRounds)
        own.push_back(double(milliseconds) * 1e3);
    }
  std::vector<double> medians;
  for (std::vector<double> &own : times)
    medians.push_back(own.empty() ? -1 : getMedian(own));
  return medians;
}

llvm::Expected<double>
Bench::timeInRow(Kernel &kernel, ArrayRef<pit_tensor> tensors, int calls) {
  pit_context *context = pit_context_current();
  pit_stream stream = device.getStream();
  if (llvm::Error error = reserveEvents(2))
    return std::move(error);
  // While this goes on, the host puts calls behind it.
  if (llvm::Error error = flush.reserve(flushBytes))
    return std::move(error);
  for (int i = 0; i < 4; ++i)
    pit_cuda_fill(context, stream, flush.get(), uint8_t(i), flushBytes);
  pit_cuda_event_record(context, stream, events[0]);
  for (int i = 0; i < calls; ++i)
    if (llvm::Error error = call(kernel, tensors))
      return std::move(error);
  pit_cuda_event_record(context, stream, events[1]);
  if (llvm::Error error = toError(pit_cuda_stream_synchronize(context, stream)))
    return std::move(error);
  float milliseconds = 0;
  if (llvm::Error error = toError(
          pit_cuda_event_elapsed(context, events[0], events[1], &milliseconds)))
    return std::move(error);
  return double(milliseconds) * 1e3 / calls;
}
