//===- Rules.cpp - What the compiler says of its rules --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "PIT/Dialect/PIT/Utils/DenseVariants.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using ::pit::run::Rule;

/// Spells an attribute for people: extents as 32x1, locations as file:line:col.
static std::string spell(Attribute attribute) {
  if (!attribute)
    return "";
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.getValue().str();
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return std::to_string(number.getValue().getSExtValue());
  if (auto extents = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    std::string text;
    for (int64_t extent : extents.asArrayRef())
      text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    std::string text;
    for (Attribute element : list)
      text += (text.empty() ? "" : "x") + spell(element);
    return text;
  }
  if (auto location = dyn_cast<LocationAttr>(attribute))
    if (auto place = location.findInstanceOf<FileLineColLoc>())
      return (llvm::sys::path::filename(place.getFilename()) + ":" +
              llvm::Twine(place.getLine()) + ":" +
              llvm::Twine(place.getColumn()))
          .str();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

std::vector<Rule> mlir::pit::run::readRules(ModuleOp module, StringRef entry) {
  std::vector<Rule> rules;
  Operation *function = module.lookupSymbol(entry);
  auto list =
      function ? mlir::pit::PITDialect::RulesAttrHelper(function->getContext())
                     .getAttr(function)
               : ArrayAttr();
  if (!list)
    return rules;
  for (Attribute attribute : list) {
    auto facts = dyn_cast<DictionaryAttr>(attribute);
    auto id = facts ? facts.getAs<IntegerAttr>("id") : IntegerAttr();
    auto pattern = facts ? facts.getAs<IntegerAttr>("pattern") : IntegerAttr();
    if (!id || !pattern)
      continue;
    Rule rule{id.getInt(),
              pattern.getInt(),
              spell(facts.get("loc")),
              spell(facts.get("kind")),
              spell(facts.get("axis")),
              spell(facts.get("micro_tile"))};
    if (auto tile = facts.getAs<DenseI64ArrayAttr>("micro_tile")) {
      rule.microTileElements = 1;
      for (int64_t extent : tile.asArrayRef())
        rule.microTileElements *= extent;
    }
    if (auto most = facts.getAs<IntegerAttr>(kMostLiveName))
      rule.mostLive = most.getInt();
    rules.push_back(std::move(rule));
  }
  return rules;
}
