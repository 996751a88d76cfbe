//===- DoublePrecision.cpp - The same program computed in f64 -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoublePrecision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

static bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(type);
  return element && element.getWidth() < 64;
}

static APFloat widen(APFloat value) {
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value;
}

LogicalResult mlir::pit::run::convertToDoublePrecision(ModuleOp module) {
  // Weights kept outside the text cannot be widened in place, and bit casts
  // change meaning with the width.
  WalkResult supported = module.walk([](Operation *op) {
    if (isa<arith::BitcastOp>(op))
      return WalkResult::interrupt();
    for (NamedAttribute attribute : op->getAttrs())
      if (isa<DenseResourceElementsAttr>(attribute.getValue()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (supported.wasInterrupted())
    return failure();

  Type wide = Float64Type::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Type type) -> std::optional<Type> {
    if (isNarrow(type))
      return wide;
    return std::nullopt;
  });
  replacer.addReplacement(
      [&](FloatAttr attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isNarrow(attribute.getType()))
          return std::nullopt;
        return std::make_pair(
            Attribute(FloatAttr::get(wide, widen(attribute.getValue()))),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DenseElementsAttr attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        auto floats = dyn_cast<DenseFPElementsAttr>(attribute);
        if (!floats || !isNarrow(floats.getElementType()))
          return std::nullopt;
        return std::make_pair(
            Attribute(floats.mapValues(wide,
                                       [](const APFloat &value) {
                                         return widen(value).bitcastToAPInt();
                                       })),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);

  // Conversions between float types have become conversions to themselves.
  module.walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  return verify(module);
}
