//===- LogitSums.cpp - Sums of gradients of logits
//-------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogitSums.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

class LogitSumFinder {
public:
  explicit LogitSumFinder(GradientProduct &base)
      : base(base), elements(*base.elements) {}

  SmallVector<LogitSum> find(ArrayRef<Operation *> products);

private:
  void follow(Value tensor, const Places &places);
  void followUser(Operation *user, Value tensor, const Places &places);
  void add(Value tensor, const Places &places,
           const GradientProduct::Multiple &multiple, bool isSum);

  GradientProduct &base;
  ElementValues &elements;
  struct Found {
    Places places;
    GradientProduct::Multiple multiple;
    /// Whether elements are added up already.
    bool isSum;
  };
  llvm::MapVector<Value, Found> found;
  SmallVector<Value> worklist;
};

} // namespace

void LogitSumFinder::add(Value tensor, const Places &places,
                         const GradientProduct::Multiple &multiple,
                         bool isSum) {
  if (found.insert({tensor, {places, multiple, isSum}}).second)
    worklist.push_back(tensor);
}

/// Looks whether elements of a tensor are such gradients.
void LogitSumFinder::follow(Value tensor, const Places &places) {
  if (found.count(tensor))
    return;
  Value element = elements.get(tensor, places);
  if (!element || base.axes.isPending())
    return;
  if (std::optional<GradientProduct::Multiple> multiple =
          base.getMultipleOfLogit(element))
    add(tensor, places, *multiple, /*isSum=*/false);
}

void LogitSumFinder::followUser(Operation *user, Value tensor,
                                const Places &places) {
  auto it = found.find(tensor);
  bool isFound = it != found.end(), isSum = isFound && it->second.isSum;
  FailureOr<Places> ofResult = failure();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
    ofResult = base.axes.getResultPlaces(expand, places);
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
    ofResult = base.axes.getResultPlaces(collapse, places);
  auto op = dyn_cast<linalg::LinalgOp>(user);
  OpOperand *summed = op ? getSummed(op) : nullptr;
  bool isElementwise = op && op.hasPureTensorSemantics() &&
                       op.getNumReductionLoops() == 0 &&
                       op->getNumResults() == 1;
  if ((summed && isFound) || (isElementwise && (!isSum || isRounding(op))))
    for (OpOperand *input : op.getDpsInputOperands())
      if (FailureOr<Places> loops = input->get() == tensor
                                        ? getLoopsOfOperand(op, input, places)
                                        : FailureOr<Places>();
          succeeded(loops)) {
        ofResult = getPlacesOfOperand(op, op.getDpsInitOperand(0), *loops);
        break;
      }
  if (base.axes.isPending() || failed(ofResult))
    return;
  if (summed || isSum) {
    GradientProduct::Multiple multiple = it->second.multiple;
    add(user->getResult(0), *ofResult, multiple, /*isSum=*/true);
    return;
  }
  follow(user->getResult(0), *ofResult);
}

SmallVector<LogitSum> LogitSumFinder::find(ArrayRef<Operation *> products) {
  SmallVector<std::pair<Value, Places>> starts;
  for (Operation *op : elements.getChain())
    for (Value tensor : op->getResults())
      if (std::optional<Places> places = elements.getPlacesOf(tensor))
        starts.push_back({tensor, *places});
  for (auto &[tensor, places] : starts)
    follow(tensor, places);
  // What is computed of elements that are none in one op, such as those of
  // weights.
  for (auto &[tensor, places] : starts)
    for (Operation *user : llvm::make_early_inc_range(tensor.getUsers()))
      if (!found.count(tensor))
        followUser(user, tensor, places);
  while (!worklist.empty() && !base.axes.isPending()) {
    Value tensor = worklist.pop_back_val();
    Places places = found.find(tensor)->second.places;
    for (Operation *user : tensor.getUsers())
      followUser(user, tensor, places);
  }
  if (base.axes.isPending())
    return {};
  SmallVector<LogitSum> sums;
  for (auto &[tensor, entry] : found) {
    LogitSum sum{{tensor, entry.places}, entry.multiple, {}};
    for (OpOperand &use : tensor.getUses()) {
      Operation *user = use.getOwner();
      bool isInner =
          isa<tensor::DimOp>(user) || elements.getChain().contains(user) ||
          llvm::is_contained(products, user) ||
          llvm::any_of(user->getResults(),
                       [&](Value made) { return found.count(made) != 0; });
      if (!isInner)
        sum.uses.push_back(&use);
    }
    if (!sum.uses.empty())
      sums.push_back(sum);
  }
  return sums;
}

SmallVector<LogitSum> mlir::pit::findLogitSums(GradientProduct &base,
                                               ArrayRef<Operation *> products) {
  return LogitSumFinder(base).find(products);
}
