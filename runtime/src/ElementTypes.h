//===- ElementTypes.h - The table of element types ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_ELEMENTTYPES_H
#define PIT_RUNTIME_SRC_ELEMENTTYPES_H

#include "pit_runtime.h"

typedef struct PitElementType {
  const char *name;
  size_t size;
  /// CUtensorMapDataType.
  int tensorMapType;
} PitElementType;

/// NULL for a value that is no pit_dtype.
const PitElementType *pitElementType(int32_t dtype);

#endif /* PIT_RUNTIME_SRC_ELEMENTTYPES_H */
