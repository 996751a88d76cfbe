//===- ChipModel.cpp - Capabilities and limits of chips -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/ChipModel.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// ChipModel
//===----------------------------------------------------------------------===//

bool ChipModel::hasCachePolicies() const {
  constexpr unsigned kFirstPTX = 74;
  return has(ChipFeature::CachePolicies) && firstPTX >= kFirstPTX;
}

bool ChipModel::hasTileKernels() const {
  return has(ChipFeature::AsyncCopies) &&
         multiplies(MatrixElement::F16 | MatrixElement::BF16 |
                    MatrixElement::TF32);
}

MatrixElement mlir::pit::getMatrixElement(Type type) {
  return llvm::TypeSwitch<Type, MatrixElement>(type)
      .Case([](Float16Type) { return MatrixElement::F16; })
      .Case([](BFloat16Type) { return MatrixElement::BF16; })
      .Case([](Float32Type) { return MatrixElement::TF32; })
      .Case([](Float64Type) { return MatrixElement::F64; })
      .Case([](Float8E4M3FNType) { return MatrixElement::FP8; })
      .Case([](IntegerType integer) {
        return integer.isSignlessInteger(8) ? MatrixElement::I8
                                            : MatrixElement::None;
      })
      .Default(MatrixElement::None);
}

static int64_t getBytes(MatrixElement element) {
  switch (element) {
  case MatrixElement::F64:
    return 8;
  case MatrixElement::TF32:
    return 4;
  case MatrixElement::FP8:
  case MatrixElement::I8:
    return 1;
  default:
    return 2;
  }
}

std::optional<MatrixShape>
ChipModel::getMatrixShape(MatrixElement element) const {
  if (!multiplies(element))
    return std::nullopt;
  // The widest that all kernels are made of: more along k has more registers.
  if (element == MatrixElement::F64)
    return has(ChipFeature::TallF64Products) ? MatrixShape{16, 8, 8}
                                             : MatrixShape{8, 8, 4};
  return MatrixShape{16, 8, matrixDepth / getBytes(element)};
}

std::optional<MatrixShape>
ChipModel::getWarpgroupShape(MatrixElement element) const {
  constexpr int64_t kDepth = 32;
  if (!has(ChipFeature::WarpgroupProducts) || !multiplies(element) ||
      element == MatrixElement::F64)
    return std::nullopt;
  return MatrixShape{64, 8, kDepth / getBytes(element)};
}

int64_t ChipModel::getSharedBytes(int64_t blocks) const {
  // A multiprocessor keeps some for itself, for each block.
  constexpr int64_t kReserved = 1 << 10;
  return blocks == 1 ? sharedOfBlock
                     : sharedOfMultiprocessor / blocks - kReserved;
}

int64_t ChipModel::getBlocksAtOnce(int64_t threads) const {
  return card->multiprocessors *
         std::max<int64_t>(threadsOfMultiprocessor / threads, 1);
}

//===----------------------------------------------------------------------===//
// ChipTable
//===----------------------------------------------------------------------===//

const ChipModel *ChipTable::find(StringRef name) const {
  const ChipModel *chip = llvm::find_if(
      chips, [&](const ChipModel &chip) { return chip.name == name; });
  return chip == chips.end() ? nullptr : chip;
}

llvm::Expected<const ChipModel *> ChipTable::lookup(StringRef name) const {
  if (const ChipModel *chip = find(name))
    return chip;
  auto names =
      llvm::map_range(chips, [](const ChipModel &c) { return c.name; });
  std::string message =
      ("unknown chip '" + name + "'; known are: " + llvm::join(names, ", "))
          .str();
  // People know their card rather than its chip.
  const CardModel *card = findCard(name);
  const ChipModel *chip =
      card ? findBest(card->capability / 10, card->capability % 10) : nullptr;
  if (chip)
    message +=
        ("; '" + name + "' is a card with chip '" + chip->name + "'").str();
  return llvm::createStringError(message);
}

const ChipModel *ChipTable::findBest(int major, int minor) const {
  const unsigned capability = major * 10 + minor;
  const ChipModel *best = nullptr;
  for (const ChipModel &chip : chips) {
    bool runs = chip.isArchitectureSpecific() ? chip.capability == capability
                                              : chip.capability <= capability;
    if (!runs || (best && chip.capability < best->capability))
      continue;
    if (best && chip.capability == best->capability &&
        best->isArchitectureSpecific())
      continue;
    best = &chip;
  }
  return best;
}

const CardModel *ChipTable::findCard(StringRef name) const {
  for (const CardModel *card : cards)
    if (card->name == name || card->device == name)
      return card;
  return nullptr;
}

llvm::Expected<const CardModel *> ChipTable::lookupCard(const ChipModel &chip,
                                                        StringRef name) const {
  if (name.empty())
    return chip.card;
  SmallVector<StringRef> names;
  for (const CardModel *card : cards) {
    if (card->capability != chip.capability)
      continue;
    if (card->name == name || card->device == name)
      return card;
    names.push_back(card->name);
  }
  return llvm::createStringError("unknown card '" + name + "' with chip '" +
                                 chip.name +
                                 "'; known are: " + llvm::join(names, ", "));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

template <typename T>
static FailureOr<T> report(llvm::Expected<T> result, MLIRContext *context) {
  if (result)
    return *result;
  return emitError(UnknownLoc::get(context))
         << llvm::toString(result.takeError());
}

FailureOr<const ChipModel *> mlir::pit::lookupChip(StringRef name,
                                                   MLIRContext *context) {
  return report(ChipTable::get().lookup(name), context);
}

FailureOr<const ChipModel *> mlir::pit::lookupTileChip(StringRef name,
                                                       MLIRContext *context) {
  FailureOr<const ChipModel *> chip = lookupChip(name, context);
  if (failed(chip) || (*chip)->hasTileKernels())
    return chip;
  return emitError(UnknownLoc::get(context))
         << "chip '" << name
         << "' is older than sm_80, the first with cp.async and mma.sync of "
            "bf16";
}

FailureOr<const CardModel *> mlir::pit::lookupCard(const ChipModel &chip,
                                                   StringRef name,
                                                   MLIRContext *context) {
  return report(ChipTable::get().lookupCard(chip, name), context);
}
