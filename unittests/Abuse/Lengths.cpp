//===- Lengths.cpp - Lengths that are none --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <limits>

using namespace pit::abuse;

/// Two sequences of four positions.
static Product makeLengths(const std::string &entry, int64_t first,
                           int64_t second) {
  Product product = makeProduct(entry, {2, 4});
  Argument &by = product.arguments[1];
  int64_t lengths[] = {first, second};
  for (int64_t s = 0; s < 2; ++s) {
    if (by.dtype == PIT_DTYPE_I64)
      by.as<int64_t>()[s] = lengths[s];
    else
      by.as<int32_t>()[s] = int32_t(lengths[s]);
    for (int64_t i = 0; i < lengths[s] && i < 4; ++i)
      setRow(product, 4 * s + (entry == "lengths" ? i : 3 - i));
  }
  return product;
}

static void tryPairs(Cases &cases, const std::string &folder,
                     const std::string &entry,
                     const std::vector<int64_t> &values) {
  for (int64_t first : values)
    for (int64_t second : values) {
      bool fits = first >= 0 && first <= 4 && second >= 0 && second <= 4;
      cases.run(
          "lengths below 0 and beyond the sequence",
          entry + ", " + std::to_string(first) + ", " + std::to_string(second),
          fits ? "right" : "index out of range", [&] {
            Product product = makeLengths(entry, first, second);
            std::string why = callProduct(folder, product,
                                          fits ? PIT_OK : PIT_ERROR_BAD_INDEX,
                                          {first >= second, 0});
            if (!why.empty() || fits)
              return why;
            // The next call is none the worse.
            why = callProduct(folder, makeLengths(entry, 2, 4), PIT_OK);
            return why.empty() ? why : "the next call: " + why;
          });
    }
}

void pit::abuse::tryLengths(Cases &cases, const std::string &folder) {
  int64_t min32 = std::numeric_limits<int32_t>::min();
  int64_t max32 = std::numeric_limits<int32_t>::max();
  tryPairs(cases, folder, "lengths_left",
           {min32, -5, -1, 0, 1, 3, 4, 5, 1 << 30, max32});
  // Lower halves that would fit count for nothing.
  tryPairs(cases, folder, "lengths",
           {std::numeric_limits<int64_t>::min(), -(int64_t(1) << 32) + 2, min32,
            -1, 0, 2, 4, 5, max32, (int64_t(1) << 32) + 2,
            std::numeric_limits<int64_t>::max()});
  // Sequences without positions, and no sequences.
  for (const char *entry : {"lengths", "lengths_left"})
    for (int64_t batch : {0, 1, 3})
      for (int64_t positions : {0, 1}) {
        int64_t length = positions;
        cases.run("nothing to compute",
                  std::string(entry) + ", " + std::to_string(batch) + " x " +
                      std::to_string(positions),
                  "right", [&] {
                    Product product = makeProduct(entry, {batch, positions});
                    Argument &by = product.arguments[1];
                    for (int64_t s = 0; s < batch; ++s) {
                      if (by.dtype == PIT_DTYPE_I64)
                        by.as<int64_t>()[s] = length;
                      else
                        by.as<int32_t>()[s] = int32_t(length);
                      if (length > 0)
                        setRow(product, s);
                    }
                    return callProduct(folder, product, PIT_OK);
                  });
      }
  for (const char *entry : {"mask", "routing", "bounded", "values", "mask_k"})
    cases.run(
        "nothing to compute", std::string(entry) + ", no rows", "right",
        [&] { return callProduct(folder, makeProduct(entry, {0}), PIT_OK); });
}
