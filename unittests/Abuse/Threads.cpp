//===- Threads.cpp - Several threads at once ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <atomic>
#include <thread>

using namespace pit::abuse;

namespace {
/// Calls of one thread on a context, right ones and wrong ones in turn.
struct Caller {
  const pit_entry_point *entry;
  pit_context *context;
  int64_t badLength;
  std::atomic<int> *unexpected;

  void call(bool isBad) const {
    Product product = makeProduct("lengths", {2, 4});
    product.arguments[1].as<int64_t>()[0] = isBad ? badLength : 3;
    product.arguments[1].as<int64_t>()[1] = 4;
    std::vector<pit_tensor> tensors = describeArguments(product);
    std::vector<void *> pointers;
    for (pit_tensor &tensor : tensors)
      pointers.push_back(&tensor);
    Argument output = makeArgument(PIT_DTYPE_F32, product.resultShape);
    pit_tensor result{output.bytes.data(), PIT_DTYPE_F32, 3,
                      product.resultShape.data(), nullptr};
    void *results[] = {&result};
    int32_t status =
        entry->call(context, nullptr, pointers.data(), results, nullptr, 0);
    if (status != (isBad ? PIT_ERROR_BAD_INDEX : PIT_OK))
      ++*unexpected;
    // Row 0 of a right call: all of A's elements times B's.
    double sum = 0;
    for (int64_t k = 0; k < kDepth; ++k)
      sum += double(product.arguments[0].as<float>()[k]) *
             double(product.arguments[2].as<float>()[k * kColumns]);
    if (!isBad && double(output.as<float>()[0]) != sum)
      ++*unexpected;
  }
};
} // namespace

/// Threads with contexts of their own, or with one together: a call's status is
/// its own, the context keeps the first error.
static std::string callFromThreads(const std::string &folder, int numThreads,
                                   bool sharesContext, int wrongEvery) {
  std::string error;
  const pit_entry_point *entry = findEntry(folder, "lengths", error);
  if (!entry)
    return error;
  std::atomic<int> unexpected{0};
  std::vector<pit_context *> contexts(size_t(sharesContext ? 1 : numThreads));
  for (pit_context *&context : contexts)
    if (pit_context_create(&context) != PIT_OK)
      return "no context";
  std::vector<std::thread> threads;
  for (int t = 0; t < numThreads; ++t)
    threads.emplace_back([&, t] {
      Caller caller{entry, contexts[size_t(sharesContext ? 0 : t)], 5 + t,
                    &unexpected};
      for (int i = 0; i < 50; ++i)
        caller.call(wrongEvery && i % wrongEvery == wrongEvery - 1);
    });
  for (std::thread &thread : threads)
    thread.join();
  int32_t wanted = wrongEvery ? PIT_ERROR_BAD_INDEX : PIT_OK;
  for (pit_context *context : contexts) {
    if (pit_context_status(context) != wanted)
      ++unexpected;
    pit_context_destroy(context);
  }
  return unexpected == 0 ? "" : std::to_string(unexpected) + " calls differ";
}

void pit::abuse::tryThreads(Cases &cases, const std::string &folder) {
  for (int numThreads : {2, 3, 4, 8})
    for (bool sharesContext : {false, true})
      for (int wrongEvery : {0, 1, 3})
        cases.run("calls from several threads at once",
                  std::to_string(numThreads) +
                      (sharesContext ? ", one context" : ", own contexts") +
                      ", wrong every " + std::to_string(wrongEvery),
                  "each call has its own status", [&] {
                    return callFromThreads(folder, numThreads, sharesContext,
                                           wrongEvery);
                  });
}
