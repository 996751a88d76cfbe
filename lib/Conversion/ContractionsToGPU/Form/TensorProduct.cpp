//===- TensorProduct.cpp - Matrix products (GEMM) on tensors --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorProduct.h"
#include "ProductLoops.h"

#include "GPU/Epilogue/Rounding.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::startsFromZero(linalg::LinalgOp op) {
  Value tensor = op.getDpsInits()[0];
  auto fill = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!fill || !fill.hasPureTensorSemantics() || fill.getNumDpsInits() != 1 ||
      fill.getNumLoops() != fill.getNumParallelLoops())
    return false;
  Value value = fill.getBlock()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == fill.getBlock())
    value = fill->getOperand(argument.getArgNumber());
  return isZeroOfSums(value);
}

/// The map of an operand with its loops in the order of kernels.
static AffineMap renumber(AffineMap map, ArrayRef<unsigned> loops) {
  SmallVector<AffineExpr> dims(map.getNumDims());
  for (auto [number, loop] : llvm::enumerate(loops))
    dims[loop] = getAffineDimExpr(number, map.getContext());
  return map.replaceDimsAndSymbols(dims, {}, loops.size(), 0);
}

FailureOr<TensorProduct> mlir::pit::matchTensorProduct(linalg::LinalgOp op,
                                                       MatrixElement batched) {
  if (!op.hasPureTensorSemantics())
    return failure();
  FailureOr<Contraction> contraction = matchContractionLoops(op);
  if (failed(contraction) || !startsFromZero(op))
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<ProductLoops> found = findProductLoops(*contraction, maps[2]);
  if (failed(found))
    return failure();
  Value left = op.getDpsInputs()[0], right = op.getDpsInputs()[1];
  MatrixElement element = getMatrixElement(getElementTypeOrSelf(left));
  Type type = getElementTypeOrSelf(left);
  if (element == MatrixElement::None || type != getElementTypeOrSelf(right) ||
      contraction->elementType != ContractOp::getSumType(type))
    return failure();
  SmallVector<unsigned> loops{found->m, found->n, found->k};
  if (found->batch) {
    // Kernels store columns one behind the other.
    if ((element & batched) == MatrixElement::None ||
        maps[2].getDimPosition(2) != found->n)
      return failure();
    loops.insert(loops.begin(), *found->batch);
  }
  std::array<bool, 2> isUnsigned;
  for (auto [flag, extension] :
       llvm::zip_equal(isUnsigned, contraction->extensions))
    flag = extension == Extension::Unsigned;
  if (found->exchanged) {
    std::swap(left, right);
    std::swap(isUnsigned[0], isUnsigned[1]);
    std::swap(maps[0], maps[1]);
  }
  return TensorProduct{op,
                       left,
                       right,
                       renumber(maps[0], loops),
                       renumber(maps[1], loops),
                       renumber(maps[2], loops),
                       isUnsigned};
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

namespace {

/// Adds elementwise ops to a kernel's function one by one.
class Follower {
public:
  Follower(const TensorProduct &product, MatrixElement batched,
           ReadCheck canRead);

  TensorKernel run();

private:
  /// What an operand of an elementwise op is.
  struct Source {
    enum Kind { Constant, Sums, SecondSums, Operand } kind;
    std::optional<TensorProduct> second = {};
  };

  Type getSumType() {
    return ContractOp::getSumType(getElementTypeOrSelf(kernel.product.a));
  }
  std::optional<Source> getSource(linalg::LinalgOp op, OpOperand &operand);
  bool extend(linalg::LinalgOp op);
  Value getArgument(linalg::LinalgOp op, OpOperand &operand,
                    const Source &source);
  void finish();
  /// The product and what starts its sums.
  void addParts(TensorProduct product) {
    kernel.parts.append(
        {product.op.getDpsInits()[0].getDefiningOp(), product.op});
  }

  TensorKernel kernel;
  MatrixElement batched;
  ReadCheck canRead;
  OpBuilder b;
  Block *body;
  Location loc;
  /// What the function yields so far, and the argument for the second sums.
  Value value, secondSums;
  SmallVector<Value> operandArguments;
};

} // namespace

Follower::Follower(const TensorProduct &product, MatrixElement batched,
                   ReadCheck canRead)
    : batched(batched), canRead(canRead), b(product.op->getContext()),
      loc(product.op->getLoc()) {
  kernel.product = product;
  addParts(product);
  kernel.result = kernel.product.op->getResult(0);
  // All of it is written: the zeros in it are nobody's.
  kernel.init = kernel.product.op.getDpsInits()[0]
                    .getDefiningOp<linalg::LinalgOp>()
                    .getDpsInits()[0];
  kernel.function = std::make_unique<Region>();
  body = &kernel.function->emplaceBlock();
  value = body->addArgument(getSumType(), loc);
}

/// Elements that kernels load.
static bool isLoadable(Type type) {
  return type.isBF16() || type.isF16() || type.isF32() || type.isF64() ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// Whether the body consists of arithmetic on scalars and constants.
static bool isScalarBody(Block &body) {
  return llvm::all_of(body, [&](Operation &op) {
    bool isArithmetic =
        op.hasTrait<OpTrait::IsTerminator>() ||
        (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         op.getNumRegions() == 0);
    return isArithmetic && llvm::all_of(op.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == &body ||
                    operand.getDefiningOp<arith::ConstantOp>();
           });
  });
}

std::optional<Follower::Source> Follower::getSource(linalg::LinalgOp op,
                                                    OpOperand &operand) {
  Value read = operand.get();
  if (!isa<RankedTensorType>(read.getType()))
    return read.getDefiningOp<arith::ConstantOp>()
               ? std::optional(Source{Source::Constant})
               : std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (read == kernel.result)
    return map.isIdentity() ? std::optional(Source{Source::Sums})
                            : std::nullopt;
  // A second product of the same rows, which is computed for this op alone.
  if (auto producer = read.getDefiningOp<linalg::LinalgOp>();
      producer && map.isIdentity() && !kernel.second && read.hasOneUse() &&
      producer->getBlock() == op->getBlock())
    if (FailureOr<TensorProduct> second = matchTensorProduct(producer, batched);
        succeeded(second) && second->a == kernel.product.a &&
        second->mapA == kernel.product.mapA &&
        second->mapB == kernel.product.mapB &&
        second->mapC == kernel.product.mapC &&
        second->isUnsigned == kernel.product.isUnsigned &&
        second->b.getType() == kernel.product.b.getType())
      return Source{Source::SecondSums, *second};
  auto type = cast<RankedTensorType>(read.getType());
  if (!map.isProjectedPermutation() || !isLoadable(type.getElementType()) ||
      (canRead && !canRead(map)))
    return std::nullopt;
  return Source{Source::Operand};
}

/// The function's value for it.
Value Follower::getArgument(linalg::LinalgOp op, OpOperand &operand,
                            const Source &source) {
  switch (source.kind) {
  case Source::Constant:
    return b.clone(*operand.get().getDefiningOp())->getResult(0);
  case Source::Sums:
    return value;
  case Source::SecondSums:
    kernel.second = source.second;
    addParts(*source.second);
    return secondSums = body->insertArgument(1u, getSumType(), loc);
  case Source::Operand:
    break;
  }
  kernel.operands.push_back(operand.get());
  kernel.maps.push_back(op.getMatchingIndexingMap(&operand));
  return body->addArgument(getElementTypeOrSelf(operand.get()), loc);
}

bool Follower::extend(linalg::LinalgOp op) {
  unsigned axes = kernel.product.mapC.getNumResults();
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != axes || op.getNumParallelLoops() != axes ||
      !isScalarBody(*op.getBlock()))
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(init).isIdentity() ||
      init->get() == kernel.result ||
      !canStoreSums(getSumType(), getElementTypeOrSelf(init->get())))
    return false;
  SmallVector<std::pair<OpOperand *, Source>> sources;
  std::optional<TensorProduct> second;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    std::optional<Source> source = getSource(op, operand);
    if (!source || (source->second && second))
      return false;
    if (source->second)
      second = source->second;
    sources.emplace_back(&operand, *source);
  }
  b.setInsertionPointToEnd(body);
  IRMapping mapping;
  for (auto &[operand, source] : sources)
    mapping.map(op.getMatchingBlockArgument(operand),
                getArgument(op, *operand, source));
  for (Operation &nested : op.getBlock()->without_terminator()) {
    for (Value operand : nested.getOperands())
      if (operand.getParentBlock() != op.getBlock() &&
          !mapping.contains(operand))
        mapping.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
    b.clone(nested, mapping);
  }
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (yielded.getParentBlock() != op.getBlock())
    value = b.clone(*yielded.getDefiningOp())->getResult(0);
  else
    value = mapping.lookup(yielded);
  kernel.result = op->getResult(0);
  kernel.init = init->get();
  kernel.parts.push_back(op);
  return true;
}

/// Leaves the rounding to the kernel.
void Follower::finish() {
  b.setInsertionPointToEnd(body);
  Type output = getElementTypeOrSelf(kernel.result);
  if (ContractOp::getValueType(output).isF32())
    value = dropRounding(b, loc, value);
  YieldOp::create(b, loc, value);
  if (value == body->getArgument(0) && !kernel.second) {
    kernel.function.reset();
    kernel.operands.clear();
    kernel.maps.clear();
  } else if (isa<FloatType>(output) && output.getIntOrFloatBitWidth() <= 16) {
    allowApproximation(*body);
  }
}

TensorKernel Follower::run() {
  while (!kernel.result.use_empty() &&
         llvm::all_equal(kernel.result.getUsers())) {
    auto op = dyn_cast<linalg::LinalgOp>(*kernel.result.user_begin());
    if (!op || op->getBlock() != kernel.product.op->getBlock() || !extend(op))
      break;
  }
  finish();
  return std::move(kernel);
}

TensorKernel mlir::pit::followProduct(const TensorProduct &product,
                                      MatrixElement batched,
                                      ReadCheck canRead) {
  return Follower(product, batched, canRead).run();
}
