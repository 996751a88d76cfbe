//===- Plan.cpp - What makes a plan of a kernel legal ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

using namespace mlir;
using namespace mlir::pit;

LogicalResult VariantAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  VariantGuard guard, int64_t limit,
                                  PlanAttr plan) {
  if (limit < 0)
    return emitError()
           << "V1: the limit of a variant must not be negative, not " << limit;
  if (!plan)
    return emitError() << "V2: a variant needs a plan";
  if (plan.getGroup() >= 0 || plan.getRowsFrom() >= 0 ||
      plan.getBitsFrom() >= 0)
    return emitError() << "V2: a variant has the group, 'rows_from' and "
                          "'bits_from' of its plan, and none of its own";
  for (Attribute nested : plan.getVariants() ? plan.getVariants().getValue()
                                             : ArrayRef<Attribute>())
    if (cast<VariantAttr>(nested).getGuard() != VariantGuard::Rows)
      return emitError() << "V2: variants of variants are of rows";
  return success();
}

/// K4: what the instructions can multiply, 64 rows at a time.
static LogicalResult
verifyWgmmaTile(function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int64_t> tile, bool swapAB) {
  constexpr int64_t kRows = 64, kColumns = 8;
  int64_t rows = swapAB ? tile[1] : tile[0],
          columns = swapAB ? tile[0] : tile[1];
  if (rows % kRows == 0 && columns % kColumns == 0)
    return success();
  return emitError() << "K4: wgmma multiplies 64 rows and multiples of 8 "
                        "columns at a time, which a tile of "
                     << tile[0] << " x " << tile[1]
                     << (swapAB ? " with swap_ab" : "") << " is not made of";
}

LogicalResult PlanAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, KernelFamily family,
    KernelEngine engine, DenseI64ArrayAttr tile, DenseI64ArrayAttr warpTile,
    int64_t stages, int64_t consumers, bool producer, int64_t blocksPerSM,
    int64_t splitK, int64_t groupM, bool swapAB, bool swapTails,
    int64_t extraRows, bool tmaStore, int64_t boxColumns, bool dynamic,
    int64_t streamsB, bool copiesRows, int64_t pieces, PlanMask mask,
    int64_t group, int64_t part, int64_t rowsFrom, int64_t bitsFrom,
    int64_t tf32, ArrayAttr variants) {
  bool isWgmma = engine == KernelEngine::Wgmma;
  int64_t extents = isWgmma ? 2 : 3;
  auto isPositive = [](int64_t value) { return value > 0; };
  if (!tile || tile.size() != extents ||
      !llvm::all_of(tile.asArrayRef(), isPositive))
    return emitError() << "K1: a tile of '" << stringifyKernelEngine(engine)
                       << "' has " << extents << " positive extents";
  if (!isWgmma && (!warpTile || warpTile.size() != 2 ||
                   !llvm::all_of(warpTile.asArrayRef(), isPositive)))
    return emitError() << "K1: '" << stringifyKernelEngine(engine)
                       << "' needs a warp_tile of two positive extents";
  for (auto [name, value] : {std::pair<StringRef, int64_t>{"stages", stages},
                             {"consumers", consumers},
                             {"blocks_per_sm", blocksPerSM},
                             {"split_k", splitK},
                             {"group_m", groupM},
                             {"pieces", pieces}})
    if (value <= 0)
      return emitError() << "K1: '" << name << "' must be positive, not "
                         << value;
  if (splitK > 1 && !swapAB)
    return emitError() << "K2: split_k = " << splitK
                       << " needs swap_ab: clusters add up sums of few rows";
  if (swapAB && swapTails)
    return emitError() << "K3: swap_ab already swaps the tiles at the ends of "
                          "segments, which swap_tails would";
  if (extraRows < 0 || (extraRows > 0 && !swapTails))
    return emitError() << "K3: extra_rows = " << extraRows
                       << " needs swap_tails, and must not be negative";
  bool isMicroTiles = family == KernelFamily::Pieces;
  if (isWgmma && !isMicroTiles &&
      failed(verifyWgmmaTile(emitError, tile.asArrayRef(), swapAB)))
    return failure();
  if (family != KernelFamily::Grouped)
    for (auto [name, isSet] : {std::pair<StringRef, bool>{"dynamic", dynamic},
                               {"streams_b", streamsB != 0},
                               {"swap_tails", swapTails},
                               {"rows_from", rowsFrom >= 0}})
      if (isSet)
        return emitError() << "K5: '" << name << "' is for segments, not for '"
                           << stringifyKernelFamily(family) << "'";
  if (family != KernelFamily::BlockWalk && bitsFrom >= 0)
    return emitError() << "K5: 'bits_from' is for blocks, not for '"
                       << stringifyKernelFamily(family) << "'";
  constexpr int64_t kLeastStages = 3;
  if (!producer && (stages < kLeastStages || blocksPerSM > 1))
    return emitError() << "K6: without a producer there must be three stages "
                          "and one block per multiprocessor";
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (Attribute attribute :
       variants ? variants.getValue() : ArrayRef<Attribute>()) {
    auto variant = dyn_cast<VariantAttr>(attribute);
    if (!variant)
      return emitError() << "K7: 'variants' are #pit.variant, not "
                         << attribute;
    if (variant.getGuard() != VariantGuard::Rows)
      continue;
    if (variant.getLimit() >= rows)
      return emitError() << "K7: variants for fewer rows come behind those for "
                            "more, not "
                         << variant.getLimit() << " behind " << rows;
    rows = variant.getLimit();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// #pit.window
//===----------------------------------------------------------------------===//

LogicalResult WindowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 DenseI64ArrayAttr size,
                                 DenseI64ArrayAttr strides,
                                 DenseI64ArrayAttr dilations,
                                 DenseI64ArrayAttr low,
                                 DenseI64ArrayAttr positions) {
  constexpr int64_t kMostAxes = 3;
  if (size.empty() || size.size() > kMostAxes)
    return emitError() << "W1: windows have one to three axes, not "
                       << size.size();
  for (DenseI64ArrayAttr other : {strides, dilations, low, positions})
    if (other.size() != size.size())
      return emitError() << "W1: all arrays need " << size.size()
                         << " entries, as 'size' has; got " << other.size();
  auto isPositive = [](int64_t value) { return value > 0; };
  for (DenseI64ArrayAttr other : {size, strides, dilations, positions})
    if (!llvm::all_of(other.asArrayRef(), isPositive))
      return emitError() << "W2: sizes, strides, dilations and positions must "
                            "be positive";
  if (llvm::any_of(low.asArrayRef(), [](int64_t value) { return value < 0; }))
    return emitError() << "W2: 'low' must not be negative";
  return success();
}

int64_t WindowAttr::getNumTaps() const {
  return llvm::product_of(getSize().asArrayRef());
}

int64_t WindowAttr::getNumPositions() const {
  return llvm::product_of(getPositions().asArrayRef());
}
