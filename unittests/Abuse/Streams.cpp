//===- Streams.cpp - Streams, threads and captures on a device ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCall.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace pit::abuse;

/// A product in which all of the first rows count, and as many lengths that
/// are wrong.
static Product makeSequences(int64_t first, int64_t second) {
  Product product = makeProduct("lengths", {2, 4});
  product.arguments[1].as<int64_t>()[0] = first;
  product.arguments[1].as<int64_t>()[1] = second;
  for (int64_t i = 0; i < first && i < 4; ++i)
    setRow(product, i);
  for (int64_t i = 0; i < second && i < 4; ++i)
    setRow(product, 4 + i);
  return product;
}

static Product makeAny(const std::string &entry) {
  if (entry == "lengths")
    return makeSequences(3, 1);
  Product product =
      makeProduct(entry, {entry == "routing" || entry == "bounded" ? 2 : 8});
  product.live.assign(product.live.size(), true);
  Argument &by = product.arguments[1];
  if (entry == "bounded") {
    // One expert of four each.
    product.live.assign(product.live.size(), false);
    for (int64_t token = 0; token < 2; ++token) {
      by.as<float>()[4 * token + token] = 1;
      setRow(product, 4 * token + token);
    }
    return product;
  }
  if (by.dtype == PIT_DTYPE_I1)
    by.bytes.assign(by.bytes.size(), 1);
  else if (entry == "routing")
    for (int64_t i = 0; i < by.numElements(); ++i)
      by.as<float>()[i] = 1;
  return product;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Calls of one context on several streams, without waiting in between.
static std::string callOnStreams(const std::string &folder, size_t numStreams,
                                 int rounds) {
  areForDevice(folder);
  std::vector<pit_stream> streams(numStreams);
  std::vector<Product> products;
  std::vector<std::unique_ptr<DeviceCall>> calls;
  const char *entries[] = {"mask", "lengths", "routing", "values"};
  for (size_t i = 0; i < numStreams; ++i) {
    if (pit_cuda_stream_create(nullptr, &streams[i]) != PIT_OK)
      return "no stream";
    products.push_back(makeAny(entries[i % 4]));
  }
  for (const Product &product : products)
    calls.push_back(std::make_unique<DeviceCall>(folder, product, nullptr));
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < numStreams; ++i)
      if (calls[i]->launch(streams[i]) != PIT_OK)
        return "call " + std::to_string(i) + " was refused";
  for (size_t i = 0; i < numStreams; ++i) {
    std::string why = checkStatus(pit_cuda_check(nullptr, streams[i]), PIT_OK);
    if (why.empty())
      why = calls[i]->compare();
    if (!why.empty())
      return "stream " + std::to_string(i) + ": " + why;
  }
  for (pit_stream stream : streams)
    pit_cuda_stream_destroy(nullptr, stream);
  return "";
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Threads with a stream each. With contexts of their own, each learns of its
/// own wrong calls alone, after a check; a context that is shared has one
/// status, so that only right calls are made with it. Threads take so many
/// devices in turn, as far as there are.
static std::string callFromThreads(const std::string &folder, int numThreads,
                                   bool sharesContext, int wrongEvery,
                                   int numDevices) {
  pit_context *shared = nullptr;
  if (sharesContext && pit_context_create(&shared) != PIT_OK)
    return "no context";
  std::atomic<int> unexpected{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < numThreads; ++t)
    threads.emplace_back([&, t] {
      areForDevice(folder);
      pit_context *context = shared;
      pit_stream stream = nullptr;
      int32_t devices = 0;
      if ((!context && pit_context_create(&context) != PIT_OK) ||
          pit_cuda_device_count(context, &devices) != PIT_OK ||
          pit_cuda_use_device(context, t % std::min(numDevices, devices)) !=
              PIT_OK ||
          pit_cuda_stream_create(context, &stream) != PIT_OK) {
        ++unexpected;
        return;
      }
      Product good = makeSequences(3, 4), bad = makeSequences(5 + t, 4);
      DeviceCall right(folder, good, context), wrong(folder, bad, context);
      for (int i = 0; i < 20; ++i) {
        bool isBad = wrongEvery && i % wrongEvery == wrongEvery - 1;
        DeviceCall &call = isBad ? wrong : right;
        int32_t status = call.launch(stream);
        if (status == PIT_OK)
          status = pit_cuda_check(context, stream);
        if (status != (isBad ? PIT_ERROR_BAD_INDEX : PIT_OK))
          ++unexpected;
        if (!isBad && !call.compare().empty())
          ++unexpected;
        pit_context_clear_error(context);
      }
      pit_cuda_stream_destroy(context, stream);
      if (!shared)
        pit_context_destroy(context);
    });
  for (std::thread &thread : threads)
    thread.join();
  pit_context_destroy(shared);
  return unexpected == 0 ? "" : std::to_string(unexpected) + " calls differ";
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

/// A call that a CUDA graph records and runs again. `isFirst`: nothing was
/// loaded before.
static std::string replay(const std::string &folder, const Product &product,
                          bool isFirst, int replays, int32_t wanted) {
  areForDevice(folder);
  DeviceCall call(folder, product, nullptr);
  pit_stream stream = nullptr;
  if (pit_cuda_stream_create(nullptr, &stream) != PIT_OK)
    return "no stream";
  if (!isFirst) {
    call.launch(stream);
    pit_cuda_check(nullptr, stream);
    pit_context_clear_error(nullptr);
    call.poison();
  }
  void *graph = nullptr, *executable = nullptr;
  // 1: what other threads do does not matter.
  if (int code = callDriver<int>("cuStreamBeginCapture_v2", stream, 1))
    return "cuStreamBeginCapture: " + std::to_string(code);
  int32_t status = call.launch(stream);
  int code = callDriver<int>("cuStreamEndCapture", stream, &graph);
  if (status != PIT_OK)
    return checkStatus(status, PIT_OK);
  if (code != 0)
    return "cuStreamEndCapture: " + std::to_string(code);
  if ((code = callDriver<int>("cuGraphInstantiateWithFlags", &executable, graph,
                              0ULL)))
    return "cuGraphInstantiate: " + std::to_string(code);
  for (int i = 0; i < replays; ++i) {
    call.poison();
    if ((code = callDriver<int>("cuGraphLaunch", executable, stream)))
      return "cuGraphLaunch: " + std::to_string(code);
    std::string why = checkStatus(pit_cuda_check(nullptr, stream), wanted);
    if (why.empty() && wanted == PIT_OK)
      why = call.compare();
    if (!why.empty())
      return "replay " + std::to_string(i) + ": " + why;
  }
  return "";
}

void pit::abuse::tryStreams(Cases &cases, const std::string &folder) {
  for (size_t numStreams : {size_t(2), size_t(3), size_t(4), size_t(8)})
    for (int rounds : {1, 5, 50})
      cases.run("several streams at once",
                std::to_string(numStreams) + " streams, " +
                    std::to_string(rounds) + " calls",
                "right",
                [=] { return callOnStreams(folder, numStreams, rounds); });
  for (int numThreads : {2, 3, 4, 8})
    for (bool sharesContext : {false, true})
      for (int wrongEvery : {0, 1, 3}) {
        if (sharesContext && wrongEvery)
          continue;
        cases.run("calls from several threads at once",
                  std::to_string(numThreads) +
                      (sharesContext ? ", one context" : ", own contexts") +
                      ", wrong every " + std::to_string(wrongEvery),
                  "each call has its own status", [=] {
                    return callFromThreads(folder, numThreads, sharesContext,
                                           wrongEvery, /*numDevices=*/1);
                  });
        cases.run("calls on several devices at once",
                  std::to_string(numThreads) + " threads" +
                      (sharesContext ? ", one context" : ", own contexts") +
                      ", wrong every " + std::to_string(wrongEvery),
                  "each call has its own status", [=] {
                    return callFromThreads(folder, numThreads, sharesContext,
                                           wrongEvery, /*numDevices=*/8);
                  });
      }
  for (const char *entry :
       {"mask", "mask_k", "blocks", "lengths", "routing", "bounded", "values"})
    for (bool isFirst : {true, false})
      for (int replays : {1, 20})
        cases.run(
            "calls in captured graphs",
            std::string(entry) + (isFirst ? ", first call, " : ", ") +
                std::to_string(replays) + " replays",
            "right",
            [=] {
              return replay(folder, makeAny(entry), isFirst, replays, PIT_OK);
            },
            // What other cases have loaded would not be the first call's.
            isFirst ? Process::Own : Process::Shared);
  for (int64_t length : {int64_t(-1), int64_t(5), int64_t(1) << 40})
    for (bool isFirst : {true, false})
      cases.run(
          "calls in captured graphs",
          "length " + std::to_string(length) + (isFirst ? ", first call" : ""),
          "index out of range",
          [=] {
            return replay(folder, makeSequences(length, 2), isFirst, 3,
                          PIT_ERROR_BAD_INDEX);
          },
          isFirst ? Process::Own : Process::Shared);
}
