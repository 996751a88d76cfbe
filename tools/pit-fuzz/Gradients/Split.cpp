//===- Split.cpp - Forward and backward as two entry points ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the backward reads of the forward pass becomes a result of the one and
// an argument of the other, as frameworks have it that call them apart.
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "Gradients.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

#include <cstring>

using namespace mlir;
using namespace mlir::pit::fuzz;

/// Whether nobody would save what an op computes: extents, constants, zeros.
static bool isNothingToSave(Operation *op) {
  return op->getNumResults() == 1 &&
         (!isa<TensorType>(op->getResult(0).getType()) ||
          isa<tensor::EmptyOp, linalg::FillOp>(op) ||
          op->hasTrait<OpTrait::ConstantLike>());
}

static bool isElementwise(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumLoops() == generic.getNumParallelLoops();
}

namespace {
class Splitter {
public:
  Splitter(func::FuncOp forward, Operation *lastForward,
           ::pit::run::Random &random)
      : forward(forward), block(&forward.getBody().front()),
        lastForward(lastForward), random(random),
        builder(OpBuilder::atBlockEnd(
            cast<ModuleOp>(forward->getParentOp()).getBody())) {}

  void split(size_t numOutputs);

private:
  bool isInBackward(Operation *op) { return lastForward->isBeforeInBlock(op); }
  void need(Value value);
  void clone(Operation *op);
  void addArgument(Value value, int64_t from) {
    mapping.map(value, body->addArgument(value.getType(), value.getLoc()));
    sources.push_back(from);
  }

  func::FuncOp forward;
  Block *block;
  Operation *lastForward;
  ::pit::run::Random &random;
  OpBuilder builder;
  Block *body = nullptr;
  IRMapping mapping;
  SmallVector<int64_t> sources;
  SmallVector<Value> results;
};
} // namespace

/// Makes a value of the forward pass one of the backward.
void Splitter::need(Value value) {
  if (mapping.contains(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addArgument(value, argument.getArgNumber());
  Operation *op = value.getDefiningOp();
  // What is cheap may be computed again.
  if (isNothingToSave(op) || (isElementwise(op) && random.chance(0.25)))
    return clone(op);
  addArgument(value, -1 - int64_t(results.size()));
  results.push_back(value);
}

void Splitter::clone(Operation *op) {
  for (Value operand : op->getOperands())
    need(operand);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    need(value);
  builder.clone(*op, mapping);
}

void Splitter::split(size_t numOutputs) {
  Operation *end = block->getTerminator();
  SmallVector<Value> values(end->getOperands());
  auto backward = func::FuncOp::create(builder, forward.getLoc(), kBackwardName,
                                       builder.getFunctionType({}, {}));
  body = backward.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  results.assign(values.begin(), values.begin() + numOutputs);
  SmallVector<Operation *> moved;
  for (Operation &op : block->without_terminator())
    if (isInBackward(&op))
      moved.push_back(&op);
  for (Operation *op : moved)
    clone(op);
  SmallVector<Value> gradients;
  for (Value value : ArrayRef<Value>(values).drop_front(numOutputs)) {
    need(value);
    gradients.push_back(mapping.lookup(value));
  }
  func::ReturnOp::create(builder, forward.getLoc(), gradients);
  backward.setFunctionType(builder.getFunctionType(
      body->getArgumentTypes(), ValueRange(gradients).getTypes()));
  backward->setAttr(kFromAttrName, builder.getDenseI64ArrayAttr(sources));
  end->setOperands(results);
  for (Operation *op : llvm::reverse(moved))
    op->erase();
  forward.setFunctionType(builder.getFunctionType(
      block->getArgumentTypes(), ValueRange(results).getTypes()));
}

void mlir::pit::fuzz::splitBackward(func::FuncOp function,
                                    Operation *lastForward, size_t numOutputs,
                                    ::pit::run::Random &random) {
  Splitter(function, lastForward, random).split(numOutputs);
}

func::FuncOp mlir::pit::fuzz::findBackward(ModuleOp program) {
  return program.lookupSymbol<func::FuncOp>(kBackwardName);
}

llvm::Expected<std::vector<::pit::npy::Array>>
mlir::pit::fuzz::passOn(func::FuncOp backward,
                        const std::vector<::pit::npy::Array> &inputs,
                        const std::vector<::pit::npy::Array> &results) {
  auto sources = backward->getAttrOfType<DenseI64ArrayAttr>(kFromAttrName);
  if (!sources || sources.size() != int64_t(backward.getNumArguments()))
    return llvm::createStringError("the backward needs an attribute '" +
                                   kFromAttrName +
                                   "' with a number per "
                                   "argument");
  std::vector<::pit::npy::Array> passed;
  for (int64_t from : sources.asArrayRef()) {
    bool isInput = from >= 0;
    const auto &list = isInput ? inputs : results;
    auto at = size_t(isInput ? from : -1 - from);
    if (at >= list.size())
      return llvm::createStringError("the backward reads what is not there");
    ::pit::npy::Array copy;
    std::string error;
    if (!copy.allocate(list[at].dtype, list[at].shape, error))
      return llvm::createStringError(error);
    std::memcpy(copy.data.data(), list[at].data.data(), copy.data.size());
    passed.push_back(std::move(copy));
  }
  return std::move(passed);
}

//===----------------------------------------------------------------------===//
// One of the two alone
//===----------------------------------------------------------------------===//

bool mlir::pit::fuzz::keepForward(ModuleOp program) {
  func::FuncOp backward = findBackward(program);
  if (!backward)
    return false;
  backward.erase();
  return true;
}

bool mlir::pit::fuzz::keepBackward(
    ModuleOp program, ArrayRef<std::vector<int64_t>> resultShapes) {
  func::FuncOp backward = findBackward(program);
  auto forward = program.lookupSymbol<func::FuncOp>("main");
  if (!backward || !forward)
    return false;
  auto specs = forward->getAttrOfType<ArrayAttr>(kInputsAttrName);
  auto sources = backward->getAttrOfType<DenseI64ArrayAttr>(kFromAttrName);
  SmallVector<Attribute> inputs;
  for (auto [from, type] :
       llvm::zip_equal(sources.asArrayRef(), backward.getArgumentTypes())) {
    if (from >= 0) {
      inputs.push_back(specs[unsigned(from)]);
      continue;
    }
    DataSpec spec;
    spec.shape = resultShapes[size_t(-1 - from)];
    bool isTruth = getElementTypeOrSelf(type).isInteger(1);
    spec.lo = isTruth ? 0 : -2;
    spec.hi = isTruth ? 2 : 3;
    spec.seed = 1;
    inputs.push_back(StringAttr::get(program.getContext(), spec.print()));
  }
  Attribute pipeline = forward->getAttr(kPipelineAttrName);
  forward.erase();
  backward.setName("main");
  backward->removeAttr(kFromAttrName);
  backward->setAttr(kInputsAttrName,
                    ArrayAttr::get(program.getContext(), inputs));
  if (pipeline)
    backward->setAttr(kPipelineAttrName, pipeline);
  return true;
}
