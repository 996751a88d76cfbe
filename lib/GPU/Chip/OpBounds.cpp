//===- OpBounds.cpp - Work and bounds of a program's ops ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/OpBounds.h"
#include "PIT/Analysis/OpWork.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;

PeakRates mlir::pit::getPeakRates(const CardModel &card, F32Products f32) {
  return {"card " + card.name.str(),
          [&card](double) { return double(card.memoryRate); },
          [&card, f32](Type element) {
            return getProductRate(card, element, f32);
          }};
}

static Explanation::Work describe(linalg::LinalgOp op, const PeakRates *rates) {
  OpWork work = getOpWork(op);
  Explanation::Work described;
  if (work.bytes) {
    described.bytes = work.bytes->getNumber();
    described.bytesText = work.bytes->spell("B");
  }
  described.flops = work.flops.getNumber();
  if (work.multiplied) {
    described.flopsText = work.flops.spell("flop");
    llvm::raw_string_ostream(described.multiplied) << work.multiplied;
  }
  if (!rates || !described.bytes || !described.flops)
    return described;
  std::optional<double> rate =
      work.multiplied ? rates->getProductRate(work.multiplied) : std::nullopt;
  // Of a product whose peak is not known, memory alone says too little.
  if (work.multiplied && !rate)
    return described;
  RooflineBound bound =
      getRooflineBound(rates->getMemoryRate(*described.bytes), *described.bytes,
                       *described.flops, rate);
  described.bound = bound.milliseconds;
  described.isBoundByProducts = bound.isOfProducts;
  return described;
}

void mlir::pit::noteWork(Explanation &explanation, Operation *root,
                         const PeakRates *rates) {
  if (rates)
    explanation.setMachine(rates->machine);
  root->walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    explanation.noteWork(op, describe(op, rates));
  });
}

namespace {
class WorkInstrumentation : public PassInstrumentation {
public:
  WorkInstrumentation(std::shared_ptr<Explanation> explanation,
                      std::optional<PeakRates> rates)
      : explanation(std::move(explanation)), rates(std::move(rates)) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (std::exchange(hasStarted, true))
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    noteWork(*explanation, op, rates ? &*rates : nullptr);
  }

private:
  std::shared_ptr<Explanation> explanation;
  std::optional<PeakRates> rates;
  bool hasStarted = false;
};
} // namespace

/// The value of an option that all passes which have it are given.
static std::string findOption(PassManager &passes, StringRef name) {
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  passes.printAsTextualPipeline(os);
  for (StringRef before : {" ", "{"}) {
    StringRef value = StringRef(pipeline)
                          .split((before + name + "=").str())
                          .second.take_while([](char c) {
                            return llvm::isAlnum(c) || c == '_' || c == '-';
                          });
    if (!value.empty())
      return value.str();
  }
  return "";
}

const ChipModel *mlir::pit::findChip(PassManager &passes) {
  return ChipTable::get().find(findOption(passes, "chip"));
}

static std::optional<PeakRates> findRates(PassManager &passes) {
  const CardModel *card = ChipTable::get().findCard(findOption(passes, "card"));
  if (const ChipModel *chip = findChip(passes); chip && !card)
    card = chip->card;
  if (!card)
    return std::nullopt;
  std::string f32 = findOption(passes, "f32-products");
  return getPeakRates(*card, f32 == "tf32x3" ? F32Products::TF32x3
                             : f32 == "tf32" ? F32Products::TF32
                                             : F32Products::Threads);
}

void mlir::pit::explainWork(PassManager &passes,
                            std::shared_ptr<Explanation> explanation) {
  passes.addInstrumentation(std::make_unique<WorkInstrumentation>(
      std::move(explanation), findRates(passes)));
}
