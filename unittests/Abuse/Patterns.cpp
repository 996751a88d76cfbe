//===- Patterns.cpp - What patterns say, and what lies where they do not --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <limits>

using namespace pit::abuse;

namespace {
struct Poison {
  const char *name;
  float value;
};
} // namespace

static const Poison kPoisons[] = {
    {"NaN", std::numeric_limits<float>::quiet_NaN()},
    {"inf", std::numeric_limits<float>::infinity()},
    {"-inf", -std::numeric_limits<float>::infinity()},
    {"the largest", std::numeric_limits<float>::max()},
    {"denormal", std::numeric_limits<float>::denorm_min()}};

/// The program with a pattern that the bits of `choice` say, of eight rows (or
/// columns, or blocks) each.
static Product choose(const std::string &entry, unsigned choice) {
  std::vector<int64_t> rows{8};
  if (entry == "lengths" || entry == "lengths_left")
    rows = {2, 4};
  if (entry == "routing")
    rows = {2};
  Product product = makeProduct(entry, rows);
  Argument &by = product.arguments[1];
  if (entry == "lengths" || entry == "lengths_left") {
    // Eight choices for each of two sequences, of which five are lengths.
    for (int64_t s = 0; s < 2; ++s) {
      int64_t length = int64_t(choice >> (4 * s) & 0xf) % 5;
      if (by.dtype == PIT_DTYPE_I64)
        by.as<int64_t>()[s] = length;
      else
        by.as<int32_t>()[s] = int32_t(length);
      for (int64_t i = 0; i < length; ++i)
        setRow(product, 4 * s + (entry == "lengths" ? i : 3 - i));
    }
    return product;
  }
  for (int64_t i = 0; i < 8; ++i) {
    bool isLive = choice >> i & 1;
    if (by.dtype == PIT_DTYPE_F32)
      by.as<float>()[i] = isLive ? float(i + 1) : 0.0f;
    else
      by.as<uint8_t>()[i] = isLive;
    if (!isLive)
      continue;
    if (entry == "mask" || entry == "routing")
      setRow(product, i);
    for (int64_t row = 0; row < 8; ++row)
      for (int64_t k = 0; k < kDepth; ++k)
        if ((entry == "mask_k" && k == i) ||
            (entry == "blocks" && row / 2 * 2 + k / 4 == i))
          product.live[size_t(row * kDepth + k)] = true;
  }
  return product;
}

/// What lies in dead places is never seen.
static void trySkippedPlaces(Cases &cases, const std::string &folder) {
  for (const char *entry :
       {"mask", "mask_k", "blocks", "lengths", "lengths_left", "routing"})
    for (const Poison &poison : kPoisons)
      for (unsigned choice : {0x00u, 0x01u, 0x24u, 0x5au, 0x80u, 0xfeu, 0xffu})
        cases.run(
            "special values in skipped places",
            std::string(entry) + ", " + poison.name + ", " +
                std::to_string(choice),
            "not seen", [&] {
              Product product = choose(entry, choice);
              float *a = product.arguments[0].as<float>();
              for (size_t i = 0; i < product.live.size(); ++i)
                if (!product.live[i])
                  a[i] = poison.value;
              return callProduct(folder, product, PIT_OK, {choice % 2 == 0, 0});
            });
}

/// What lies in one live place is in that row, and nowhere else.
static void tryLivePlaces(Cases &cases, const std::string &folder) {
  for (const char *entry : {"mask", "mask_k", "blocks", "lengths", "routing"})
    for (const Poison &poison : kPoisons)
      for (unsigned choice : {0x01u, 0x24u, 0x5au, 0xffu})
        cases.run("special values in live places",
                  std::string(entry) + ", " + poison.name + ", " +
                      std::to_string(choice),
                  "only where the program uses it", [&] {
                    Product product = choose(entry, choice);
                    // No term but this one, so that no zero meets an infinity.
                    float *b = product.arguments[2].as<float>();
                    for (int64_t i = 0; i < kDepth * kColumns; ++i)
                      b[i] = 1;
                    float *a = product.arguments[0].as<float>();
                    bool isFirst = true;
                    for (size_t i = 0; i < product.live.size(); ++i)
                      if (product.live[i]) {
                        a[i] = isFirst ? poison.value : 0;
                        isFirst = false;
                      }
                    return callProduct(folder, product, PIT_OK);
                  });
}

/// Every choice of rows, of nothing up to all.
static void tryAllChoices(Cases &cases, const std::string &folder) {
  for (const char *entry : {"mask", "blocks", "routing"})
    for (unsigned choice = 0; choice < 256; choice += entry[0] == 'b' ? 1 : 5)
      cases.run("every choice of what is live",
                std::string(entry) + ", " + std::to_string(choice), "right",
                [&] {
                  return callProduct(folder, choose(entry, choice), PIT_OK,
                                     {choice % 2 == 0, 0});
                });
}

/// Of a token's four experts, at most two fit on average.
static void tryCapacity(Cases &cases, const std::string &folder) {
  for (unsigned choice = 0; choice < 256; ++choice) {
    // Two tokens have room for two experts each, which they share: where one
    // has more, and the other as many less, nothing is missing.
    bool fits = __builtin_popcount(choice) <= 4;
    cases.run("more live places than fit", std::to_string(choice),
              fits ? "right" : "capacity exceeded", [&] {
                Product product = makeProduct("bounded", {2});
                for (int64_t i = 0; i < 8; ++i)
                  if (choice >> i & 1) {
                    product.arguments[1].as<float>()[i] = 1;
                    setRow(product, i);
                  }
                return callProduct(folder, product,
                                   fits ? PIT_OK : PIT_ERROR_CAPACITY_EXCEEDED,
                                   {choice % 2 == 0, 0});
              });
  }
}

/// A gate's zeros are dead whatever their sign; all else is live.
static void tryGateValues(Cases &cases, const std::string &folder) {
  const Poison values[] = {
      {"0", 0.0f},
      {"-0", -0.0f},
      {"denormal", std::numeric_limits<float>::denorm_min()},
      {"-denormal", -std::numeric_limits<float>::denorm_min()},
      {"NaN", std::numeric_limits<float>::quiet_NaN()},
      {"inf", std::numeric_limits<float>::infinity()},
      {"-1", -1.0f}};
  for (const Poison &first : values)
    for (const Poison &second : values)
      cases.run("special values of a gate",
                std::string(first.name) + ", " + second.name,
                "zeros are dead, all else is live", [&] {
                  Product product = makeProduct("routing", {1});
                  float *gate = product.arguments[1].as<float>();
                  gate[1] = first.value;
                  gate[3] = second.value;
                  for (int64_t i = 0; i < 4; ++i)
                    if (gate[i] != 0)
                      setRow(product, i);
                  return callProduct(folder, product, PIT_OK);
                });
}

/// A pattern of values skips zeros of either sign and nothing else.
static void tryValues(Cases &cases, const std::string &folder) {
  for (unsigned choice = 0; choice < 81; ++choice)
    cases.run("zeros, negative zeros and denormals as values",
              std::to_string(choice), "right", [&] {
                Product product = makeProduct("values", {1});
                float *a = product.arguments[0].as<float>();
                float kinds[] = {0.0f, -0.0f,
                                 std::numeric_limits<float>::denorm_min()};
                unsigned digits = choice;
                for (int64_t k = 0; k < 4; ++k, digits /= 3)
                  a[k] = kinds[digits % 3];
                for (int64_t k = 4; k < kDepth; ++k)
                  a[k] = 0;
                setRow(product, 0);
                float *b = product.arguments[1].as<float>();
                for (int64_t i = 0; i < kDepth * kColumns; ++i)
                  b[i] = 1;
                return callProduct(folder, product, PIT_OK);
              });
}

/// A byte of an i1 that is neither 0 nor 1 makes a row live or dead, no more.
static void tryBytes(Cases &cases, const std::string &folder) {
  for (unsigned byte : {2u, 3u, 0x7fu, 0x80u, 0xfeu, 0xffu})
    for (int64_t row = 0; row < 8; ++row)
      cases.run("an i1 that is neither 0 nor 1",
                std::to_string(byte) + ", row " + std::to_string(row),
                "the row is live or dead", [&] {
                  Product product = choose("mask", 0x5a);
                  product.arguments[1].as<uint8_t>()[row] = uint8_t(byte);
                  Product live = product, dead = product;
                  for (int64_t k = 0; k < kDepth; ++k) {
                    live.live[size_t(row * kDepth + k)] = true;
                    dead.live[size_t(row * kDepth + k)] = false;
                  }
                  if (callProduct(folder, live, PIT_OK).empty())
                    return std::string();
                  return callProduct(folder, dead, PIT_OK);
                });
}

void pit::abuse::tryPatterns(Cases &cases, const std::string &folder) {
  trySkippedPlaces(cases, folder);
  tryLivePlaces(cases, folder);
  tryAllChoices(cases, folder);
  tryCapacity(cases, folder);
  tryGateValues(cases, folder);
  tryValues(cases, folder);
  tryBytes(cases, folder);
}
