//===- FitCard.cpp - Model and crossings from times -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/FitCard.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <set>

using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
/// A time, and how much it counts: what is far from a product's fastest tiling
/// is chosen by nobody.
struct Sample {
  const Tiling *tiling;
  ProductWork work;
  double microseconds, weight;
};
/// All of a product.
using Samples = std::vector<Sample>;
} // namespace

static void collect(const TunedFamily &family, std::vector<Samples> &products) {
  for (const MeasuredProduct &product : family.products) {
    double least = product.getLeast();
    Samples samples;
    for (auto [tiling, time] :
         llvm::zip_equal(family.tilings, product.microseconds))
      if (time > 0)
        samples.push_back({&tiling, product.getWork(), time,
                           (least / time) * (least / time)});
    if (samples.size() > 1)
      products.push_back(std::move(samples));
  }
}

/// Which of a product's tilings is the fastest is what counts, and only a
/// little how long it takes.
static double getLoss(const TileModel &model, const CardDatabase &database,
                      const CardModel &card, llvm::ArrayRef<Samples> products) {
  constexpr double kWeightOfTime = .02;
  double loss = 0;
  for (const Samples &samples : products) {
    double sum = 0, squares = 0, weights = 0;
    for (const Sample &sample : samples) {
      double cycles = estimateCycles(sample.work, *sample.tiling, model,
                                     card.getMemoryBytesPerCycle(),
                                     database.multiprocessors);
      double off = std::log(sample.microseconds * 1e3 /
                            (cycles * TileModel::kNanosecondsOfCycle));
      sum += sample.weight * off;
      squares += sample.weight * off * off;
      weights += sample.weight;
    }
    double mean = sum / weights;
    loss += squares / weights - mean * mean + kWeightOfTime * mean * mean;
  }
  return loss;
}

static constexpr double TileModel::*kRates[] = {
    &TileModel::productBytes,  &TileModel::sharedBytes,
    &TileModel::loadBytes,     &TileModel::memoryBytesOfOne,
    &TileModel::memoryShare,   &TileModel::blockCycles,
    &TileModel::clusterCycles, &TileModel::groupCycles,
    &TileModel::launchCycles,  &TileModel::hidden};

/// How far rates are from where they were. Those that the times say nothing of
/// shall stay there (ridge regression, in logarithms).
static double getDistance(const TileModel &a, const TileModel &b) {
  double sum = 0;
  for (double TileModel::*rate : kRates)
    sum += std::pow(std::log(a.*rate / (b.*rate)), 2);
  return sum;
}

/// Coordinate descent, in factors that get smaller.
static void fitModel(CardDatabase &database, llvm::ArrayRef<Samples> products) {
  constexpr double kFirstStep = 1.3, kLastStep = 1.01, kRidge = .02;
  const CardModel card = database.getCard();
  TileModel start;
  // Two microseconds.
  start.launchCycles = 4000;
  auto rate = [&](const TileModel &model) {
    return getLoss(model, database, card, products) +
           kRidge * getDistance(model, start);
  };
  TileModel best = start;
  double least = rate(best);
  for (double step = kFirstStep; step > kLastStep;) {
    bool isBetter = false;
    for (double TileModel::*moved : kRates)
      for (double factor : {step, 1 / step}) {
        TileModel tried = best;
        tried.*moved *= factor;
        double loss = rate(tried);
        if (loss >= least - 1e-9)
          continue;
        best = tried;
        least = loss;
        isBetter = true;
      }
    if (!isBetter)
      step = std::sqrt(step);
  }
  database.model = best;
}

/// What is left of each tiling in all products.
static void fitFactors(CardDatabase &database, TunedFamily &family) {
  for (Tiling &tiling : family.tilings)
    tiling.factor = 1;
  database.finish();
  for (auto [i, tiling] : llvm::enumerate(family.tilings)) {
    // A product's worth of nothing, so that one time alone says little.
    double sum = 0, weights = 1;
    for (const MeasuredProduct &product : family.products) {
      double time = product.microseconds[i];
      if (!(time > 0))
        continue;
      double weight = std::pow(product.getLeast() / time, 2);
      sum += weight * product.offsets[i];
      weights += weight;
    }
    tiling.factor = std::exp(sum / weights);
  }
  database.finish();
}

//===----------------------------------------------------------------------===//
// Crossing points
//===----------------------------------------------------------------------===//

/// The least time of the tilings for few rows, or for many; negative without.
static double getLeast(const TunedFamily &family,
                       const MeasuredProduct &product, bool isShort) {
  double least = -1;
  for (auto [tiling, time] :
       llvm::zip_equal(family.tilings, product.microseconds))
    if (tiling.swapped == isShort && time > 0 && (least < 0 || time < least))
      least = time;
  return least;
}

static void fitShortSegments(CardDatabase &database) {
  const TunedFamily &family = database.grouped;
  std::set<int64_t> limits{0};
  for (const MeasuredProduct &product : family.products)
    limits.insert(product.m + 1);
  auto getCost = [&](int64_t limit) {
    double cost = 0;
    for (const MeasuredProduct &product : family.products) {
      double few = getLeast(family, product, true),
             many = getLeast(family, product, false);
      if (few > 0 && many > 0)
        cost += std::log(product.m < limit ? few : many);
    }
    return cost;
  };
  int64_t best = 0;
  for (int64_t limit : limits)
    if (getCost(limit) < getCost(best))
      best = limit;
  // Between the last product that it is for, and the first that it is not.
  auto next = limits.upper_bound(best);
  if (best > 0 && next != limits.end())
    best = (best - 1 + *next) / 2;
  database.crossings.shortSegmentRows = best;
}

void mlir::pit::fitCard(CardDatabase &database) {
  std::vector<Samples> products;
  collect(database.gemm, products);
  collect(database.grouped, products);
  if (!products.empty()) {
    fitModel(database, products);
    fitFactors(database, database.gemm);
    fitFactors(database, database.grouped);
  }
  auto hasBoth = [&](const MeasuredProduct &product) {
    return getLeast(database.grouped, product, true) > 0 &&
           getLeast(database.grouped, product, false) > 0;
  };
  if (llvm::any_of(database.grouped.products, hasBoth))
    fitShortSegments(database);
  if (!database.gemm.products.empty())
    database.rates.productRate = 0;
  for (const MeasuredProduct &product : database.gemm.products)
    if (double least = product.getLeast(); least > 0)
      database.rates.productRate =
          std::max(database.rates.productRate,
                   2e-6 * double(product.m) * product.n * product.k / least);
}

//===----------------------------------------------------------------------===//
// Quality
//===----------------------------------------------------------------------===//

ChoiceQuality mlir::pit::rateChoices(const CardDatabase &database,
                                     const TunedFamily &family,
                                     const TunedFamily &measured,
                                     bool leaveOut) {
  const CardModel card = database.getCard();
  const bool isGrouped = &family == &database.grouped;
  ChoiceQuality quality;
  double sum = 0;
  for (const MeasuredProduct &product : measured.products) {
    double least = -1, taken = -1, expected = 0;
    const bool isShort = product.m < database.crossings.shortSegmentRows;
    for (auto [tiling, time] :
         llvm::zip_equal(measured.tilings, product.microseconds)) {
      if (!(time > 0))
        continue;
      if (least < 0 || time < least)
        least = time;
      auto known = llvm::find_if(family.tilings,
                                 [&tiling = tiling](const Tiling &other) {
                                   return other.isSame(tiling);
                                 });
      if (known == family.tilings.end() ||
          (isGrouped && tiling.swapped != isShort))
        continue;
      double cycles = database.estimate(
          family, size_t(known - family.tilings.begin()), product.getWork(),
          card, database.multiprocessors, leaveOut ? &product : nullptr);
      if (taken < 0 || cycles < expected) {
        expected = cycles;
        taken = time;
      }
    }
    if (taken < 0)
      continue;
    ++quality.products;
    sum += std::log(taken / least);
    quality.worst = std::max(quality.worst, taken / least);
  }
  if (quality.products)
    quality.mean = std::exp(sum / double(quality.products));
  return quality;
}
