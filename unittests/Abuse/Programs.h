//===- Programs.h - A product whose operand is marked -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_ABUSE_PROGRAMS_H
#define PIT_UNITTESTS_ABUSE_PROGRAMS_H

#include "Area.h"

#include <cstdint>

namespace pit::abuse {

constexpr int64_t kDepth = 8, kColumns = 4;

/// A tensor to pass. Its bytes are copied to guarded memory for the call.
struct Argument {
  int32_t dtype;
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  int64_t numElements() const;
  template <typename T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
};

Argument makeArgument(int32_t dtype, std::vector<int64_t> shape);

/// One call of a program of Inputs/abuse.mlir, C = A * B.
struct Product {
  std::string entry;
  /// A, the pattern's tensor where there is one, and B.
  std::vector<Argument> arguments;
  std::vector<int64_t> resultShape;
  /// Which elements of A count, row by row.
  std::vector<bool> live;
};

/// The product of small integers, with nothing live. `rows` is m, tokens, or
/// batch and length.
Product makeProduct(const std::string &entry, std::vector<int64_t> rows);

/// The arguments of a product, in the memory of this process.
std::vector<pit_tensor> describeArguments(Product &product);
/// Makes the elements of one row of A, or of one column, count.
void setRow(Product &product, int64_t row);

/// Calls the program, compares all of the result and looks whether arguments
/// are as they were. Empty when both are as expected.
std::string callProduct(const std::string &folder, const Product &product,
                        int32_t wantedStatus, Placement placement = {});

/// Loads `folder`/abuse.so and finds an entry point.
const pit_entry_point *findEntry(const std::string &folder,
                                 const std::string &name, std::string &error);

/// Calls it, and on a device waits for what its kernels report.
int32_t callAndWait(const pit_entry_point *entry, bool onDevice,
                    void *const *arguments, void *const *results);

/// Compares a result with the sum over what counts; empty where it is that.
std::string compareResult(const Product &product, const float *result);

/// Says what a status is, where it is not the wanted one, or the context does
/// not say the same. Forgets the error.
std::string checkStatus(int32_t given, int32_t wanted);

} // namespace pit::abuse

#endif // PIT_UNITTESTS_ABUSE_PROGRAMS_H
