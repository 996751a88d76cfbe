//===- TensorTest.cpp - Tests of element types and descriptors ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pit_runtime.h"

#include "gtest/gtest.h"

#include <string>

namespace {

TEST(Tensor, Types) {
  EXPECT_EQ(pit_runtime_version(),
            PIT_RUNTIME_VERSION_MAJOR * 1000 + PIT_RUNTIME_VERSION_MINOR);
  EXPECT_EQ(pit_dtype_size(PIT_DTYPE_BF16), 2u);
  EXPECT_EQ(pit_dtype_size(PIT_DTYPE_I1), 1u);
  EXPECT_EQ(pit_dtype_size(PIT_DTYPE_INVALID), 0u);
  EXPECT_EQ(pit_dtype_size(1000), 0u);
  for (int32_t type = PIT_DTYPE_F16; type <= PIT_DTYPE_F8E5M2; ++type) {
    EXPECT_GT(pit_dtype_size(type), 0u);
    EXPECT_NE(std::string(pit_dtype_name(type)), "invalid");
  }
}

TEST(Tensor, Elements) {
  int64_t elements = -1;
  int64_t shape[] = {3, 4};
  EXPECT_EQ(pit_shape_elements(2, shape, 4, &elements), PIT_OK);
  EXPECT_EQ(elements, 12);
  EXPECT_EQ(pit_shape_elements(0, nullptr, 4, &elements), PIT_OK);
  EXPECT_EQ(elements, 1);

  int64_t large[] = {INT64_MAX, INT64_MAX, 0};
  EXPECT_EQ(pit_shape_elements(2, large, 1, &elements),
            PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pit_shape_elements(3, large, 1, &elements), PIT_OK);
  EXPECT_EQ(elements, 0);
  EXPECT_EQ(pit_shape_elements(1, large, 2, &elements),
            PIT_ERROR_INVALID_ARGUMENT);
  int64_t negative[] = {0, -1};
  EXPECT_EQ(pit_shape_elements(2, negative, 1, &elements),
            PIT_ERROR_INVALID_ARGUMENT);
}

TEST(Tensor, Descriptors) {
  float data[6] = {};
  int64_t shape[] = {2, 3}, strides[] = {3, 1}, transposed[] = {1, 2};
  pit_tensor tensor{data, PIT_DTYPE_F32, 2, shape, nullptr};
  EXPECT_EQ(pit_tensor_check(&tensor), PIT_OK);
  EXPECT_TRUE(pit_tensor_is_contiguous(&tensor));
  tensor.strides = strides;
  EXPECT_TRUE(pit_tensor_is_contiguous(&tensor));
  tensor.strides = transposed;
  EXPECT_FALSE(pit_tensor_is_contiguous(&tensor));
  tensor.data = nullptr;
  EXPECT_EQ(pit_tensor_check(&tensor), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pit_tensor_check(nullptr), PIT_ERROR_INVALID_ARGUMENT);
  int64_t empty[] = {0, 3};
  tensor.shape = empty;
  EXPECT_EQ(pit_tensor_check(&tensor), PIT_OK);
  EXPECT_TRUE(pit_tensor_is_contiguous(&tensor));
  int64_t one[] = {1, 3}, oneStrides[] = {77, 1};
  pit_tensor row{data, PIT_DTYPE_F32, 2, one, oneStrides};
  EXPECT_TRUE(pit_tensor_is_contiguous(&row));
}

} // namespace
