//===- ElementTypes.cpp - Element types of the C ABI ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Program.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

#include "pit_runtime.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
struct ElementType {
  /// As MLIR and pit_dtype_name() spell it.
  StringRef name;
  pit_dtype dtype;
  /// How a scalar is passed in C11, which has no type for short floats: those
  /// go by their bits.
  StringRef scalarInC;
};
} // namespace

static constexpr ElementType kElementTypes[] = {
    {"f16", PIT_DTYPE_F16, "uint16_t"},
    {"bf16", PIT_DTYPE_BF16, "uint16_t"},
    {"f32", PIT_DTYPE_F32, "float"},
    {"f64", PIT_DTYPE_F64, "double"},
    {"i1", PIT_DTYPE_I1, "uint8_t"},
    {"i8", PIT_DTYPE_I8, "int8_t"},
    {"i16", PIT_DTYPE_I16, "int16_t"},
    {"i32", PIT_DTYPE_I32, "int32_t"},
    {"i64", PIT_DTYPE_I64, "int64_t"},
    {"f8E4M3FN", PIT_DTYPE_F8E4M3FN, "uint8_t"},
    {"f8E5M2", PIT_DTYPE_F8E5M2, "uint8_t"},
};

/// Null if the ABI does not have the type.
static const ElementType *find(Type type) {
  std::string name = type.isIndex() ? "i64" : debugString(type);
  const ElementType *found = llvm::find_if(
      kElementTypes, [&](const ElementType &row) { return row.name == name; });
  return found == std::end(kElementTypes) ? nullptr : found;
}

std::string mlir::pit::getDTypeName(Type type) {
  const ElementType *row = find(type);
  return row ? row->name.str() : "";
}

int32_t mlir::pit::getRuntimeDType(Type type) {
  const ElementType *row = find(type);
  return row ? row->dtype : PIT_DTYPE_INVALID;
}

StringRef mlir::pit::getScalarInC(Type type) {
  const ElementType *row = find(type);
  return row ? row->scalarInC : "";
}

bool mlir::pit::isPassedByBits(Type type) {
  auto element = dyn_cast<FloatType>(type);
  return element && element.getWidth() < 32;
}

std::string mlir::pit::listDTypeNames() {
  return llvm::join(
      llvm::map_range(kElementTypes,
                      [](const ElementType &row) { return row.name; }),
      ", ");
}
