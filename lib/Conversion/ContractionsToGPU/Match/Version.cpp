//===- Version.cpp - Products that the host chooses between ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Version.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static StringRef getName(VersionAlignment alignment) {
  switch (alignment) {
  case VersionAlignment::Any:
    return "any";
  case VersionAlignment::Aligned:
    return "aligned";
  case VersionAlignment::Unaligned:
    return "unaligned";
  }
  return "";
}

std::optional<Version> mlir::pit::hopper::getVersion(Operation *op) {
  // The dialect has verified what is in it.
  auto attribute = op->getAttrOfType<DictionaryAttr>(Version::kName);
  if (!attribute)
    return std::nullopt;
  Version version;
  version.alignment = llvm::StringSwitch<VersionAlignment>(
                          attribute.getAs<StringAttr>("alignment").getValue())
                          .Case("aligned", VersionAlignment::Aligned)
                          .Case("unaligned", VersionAlignment::Unaligned)
                          .Default(VersionAlignment::Any);
  version.least = attribute.getAs<IntegerAttr>("least").getInt();
  version.most = attribute.getAs<IntegerAttr>("most").getInt();
  llvm::append_range(
      version.expected,
      attribute.getAs<DenseI64ArrayAttr>("expected").asArrayRef());
  return version;
}

void mlir::pit::hopper::setVersion(Operation *op, const Version &version) {
  Builder b(op->getContext());
  op->setAttr(Version::kName,
              b.getDictionaryAttr(
                  {b.getNamedAttr("alignment",
                                  b.getStringAttr(getName(version.alignment))),
                   b.getNamedAttr("least", b.getI64IntegerAttr(version.least)),
                   b.getNamedAttr("most", b.getI64IntegerAttr(version.most)),
                   b.getNamedAttr("expected",
                                  b.getDenseI64ArrayAttr(version.expected))}));
}

std::optional<Version>
mlir::pit::hopper::getVersion(const ContractionMatch &match) {
  return getVersion(match.ops.back());
}

bool mlir::pit::hopper::isKnownAligned(Operation *op) {
  std::optional<Version> version = getVersion(op);
  return version && version->alignment == VersionAlignment::Aligned;
}

int64_t mlir::pit::hopper::guessBatches(const ContractionMatch &match) {
  int64_t batches = match.batched ? getNumBatches(match) : 1;
  if (ShapedType::isStatic(batches))
    return batches;
  std::optional<Version> version = getVersion(match);
  return version ? version->expected[3] : kGuessedBatches;
}
