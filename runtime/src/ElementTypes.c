//===- ElementTypes.c - The table of element types ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"

/// By their numbers. A row that is missing here would be all zeros.
static const PitElementType kTypes[] = {
    [PIT_DTYPE_F16] = {"f16", 2, 6},
    [PIT_DTYPE_BF16] = {"bf16", 2, 9},
    [PIT_DTYPE_F32] = {"f32", 4, 7},
    [PIT_DTYPE_F64] = {"f64", 8, 8},
    [PIT_DTYPE_I1] = {"i1", 1, 0},
    [PIT_DTYPE_I8] = {"i8", 1, 0},
    [PIT_DTYPE_I32] = {"i32", 4, 3},
    [PIT_DTYPE_I64] = {"i64", 8, 5},
    [PIT_DTYPE_F8E4M3FN] = {"f8E4M3FN", 1, 0},
    [PIT_DTYPE_I16] = {"i16", 2, 1},
    [PIT_DTYPE_F8E5M2] = {"f8E5M2", 1, 0},
};

const PitElementType *pitElementType(int32_t dtype) {
  int32_t count = (int32_t)(sizeof(kTypes) / sizeof(kTypes[0]));
  return dtype > 0 && dtype < count && kTypes[dtype].name ? &kTypes[dtype]
                                                          : NULL;
}

size_t pit_dtype_size(int32_t dtype) {
  const PitElementType *type = pitElementType(dtype);
  return type ? type->size : 0;
}

const char *pit_dtype_name(int32_t dtype) {
  const PitElementType *type = pitElementType(dtype);
  return type ? type->name : "invalid";
}
