//===- Products.cpp - Products and the sums over them ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

/// The binary op that is all that a body does with its two arguments.
static Operation *getOnlyOp(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation &first = body.front();
  bool isAll = body.getNumArguments() >= 2 &&
               body.getOperations().size() == 2 &&
               first.getNumOperands() == 2 && first.getNumResults() == 1 &&
               body.getTerminator()->getOperands() == first.getResults();
  return isAll ? &first : nullptr;
}

/// Whether the op multiplies two tensors, each along axes that the other one
/// has not.
static bool isBroadcastProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0)
    return false;
  Operation *product = getOnlyOp(op);
  return isa_and_present<arith::MulFOp, arith::MulIOp>(product) &&
         llvm::equal(product->getOperands(),
                     op.getBlock()->getArguments().take_front(2)) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return map.isProjectedPermutation() &&
                  map.getNumResults() < map.getNumDims();
         });
}

bool pit::formsContraction(OpOperand &fused) {
  auto product = fused.get().getDefiningOp<linalg::LinalgOp>();
  auto sum = dyn_cast<linalg::LinalgOp>(fused.getOwner());
  if (!product || !sum || !product->hasOneUse() ||
      !isBroadcastProduct(product) || sum.getNumDpsInputs() != 1 ||
      sum.getNumDpsInits() != 1 || sum.getNumReductionLoops() == 0)
    return false;
  Operation *add = getOnlyOp(sum);
  AffineMap map = sum.getMatchingIndexingMap(&fused);
  Block *body = sum.getBlock();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(add) ||
      !llvm::is_contained(add->getOperands(), body->getArgument(0)) ||
      !llvm::is_contained(add->getOperands(), body->getArgument(1)) ||
      !map.isPermutation())
    return false;
  // Both factors have the axes that are summed over.
  AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> iterators = sum.getIteratorTypesArray();
  for (auto [dim, place] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(place).getPosition();
    if (iterators[loop] != utils::IteratorType::reduction)
      continue;
    unsigned axis = cast<AffineDimExpr>(result.getResult(dim)).getPosition();
    for (OpOperand *input : product.getDpsInputOperands())
      if (!product.getMatchingIndexingMap(input).isFunctionOfDim(axis))
        return false;
  }
  return true;
}

bool pit::feedsContraction(linalg::LinalgOp op) {
  return op->hasOneUse() && formsContraction(*op->use_begin());
}

/// The loops that inputs of the op have axes along, in the order of the input
/// that has most. Nothing where a map is no projected permutation.
static std::optional<SmallVector<unsigned>> getAxes(linalg::GenericOp op,
                                                    ArrayRef<unsigned> inputs) {
  SmallVector<AffineMap> maps;
  for (unsigned input : inputs) {
    maps.push_back(op.getIndexingMapsArray()[input]);
    if (!maps.back().isProjectedPermutation())
      return std::nullopt;
  }
  llvm::stable_sort(maps, [](AffineMap a, AffineMap b) {
    return a.getNumResults() > b.getNumResults();
  });
  llvm::SmallSetVector<unsigned, 4> axes;
  for (AffineMap map : maps)
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      axes.insert(map.getDimPosition(i));
  return axes.takeVector();
}

namespace {

/// What a value of a body is computed by: ops of the body in their order, and
/// the inputs that these read.
struct Factor {
  llvm::SetVector<Operation *> ops;
  SmallVector<unsigned> inputs;
};

} // namespace

/// Nothing if the value depends on the op's outputs or loops, or if an op it is
/// computed by has another reader.
static std::optional<Factor> findFactor(linalg::GenericOp op, Value value) {
  Block *body = op.getBlock();
  llvm::SetVector<Value> reached;
  llvm::SmallDenseSet<Operation *> ops;
  llvm::SmallSetVector<unsigned, 4> inputs;
  reached.insert(value);
  for (unsigned i = 0; i < reached.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(reached[i]);
        argument && argument.getOwner() == body) {
      if (argument.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      inputs.insert(argument.getArgNumber());
      continue;
    }
    Operation *definition = reached[i].getDefiningOp();
    if (!definition || definition->getBlock() != body)
      continue;
    if (isa<linalg::IndexOp>(definition) || definition->getNumRegions() != 0 ||
        !isMemoryEffectFree(definition))
      return std::nullopt;
    ops.insert(definition);
    reached.insert_range(definition->getOperands());
  }
  Factor factor;
  for (Operation &nested : body->without_terminator())
    if (ops.contains(&nested))
      factor.ops.insert(&nested);
  for (Operation *nested : factor.ops)
    for (Operation *user : nested->getUsers())
      if (!ops.contains(user) && nested != value.getDefiningOp())
        return std::nullopt;
  factor.inputs = inputs.takeVector();
  llvm::sort(factor.inputs);
  return factor;
}

/// Computes the value, which the ops of the factor compute, along its axes
/// alone, and replaces the op by one that reads it. It is stored as `element`,
/// which has all values that it may have.
static linalg::GenericOp hoist(linalg::GenericOp op, Value value,
                               const Factor &factor, ArrayRef<unsigned> axes,
                               Type element, PatternRewriter &rewriter) {
  Location loc = value.getLoc();
  MLIRContext *ctx = op.getContext();
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> renumbered(op.getNumLoops(),
                                     getAffineConstantExpr(0, ctx)),
      kept;
  SmallVector<OpFoldResult> extents;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    renumbered[axis] = getAffineDimExpr(i, ctx);
    kept.push_back(getAffineDimExpr(axis, ctx));
    for (unsigned operand : factor.inputs)
      if (maps[operand].isFunctionOfDim(axis)) {
        unsigned dim = *maps[operand].getResultPosition(kept.back());
        extents.push_back(
            tensor::getMixedSize(rewriter, loc, op.getInputs()[operand], dim));
        break;
      }
  }
  SmallVector<Value> ofFactor;
  SmallVector<AffineMap> mapsOfFactor;
  for (unsigned operand : factor.inputs) {
    ofFactor.push_back(op.getInputs()[operand]);
    mapsOfFactor.push_back(
        maps[operand].replaceDimsAndSymbols(renumbered, {}, axes.size(), 0));
  }
  mapsOfFactor.push_back(rewriter.getMultiDimIdentityMap(axes.size()));
  bool isNarrow = element != value.getType();
  Value empty = tensor::EmptyOp::create(rewriter, loc, extents, element);
  SmallVector<utils::IteratorType> parallel(axes.size(),
                                            utils::IteratorType::parallel);
  auto hoisted = linalg::GenericOp::create(
      rewriter, loc, TypeRange(empty.getType()), ofFactor, ValueRange(empty),
      mapsOfFactor, parallel, [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        for (auto [operand, argument] : llvm::zip(factor.inputs, args))
          mapping.map(op.getBlock()->getArgument(operand), argument);
        for (Operation *nested : factor.ops)
          b.clone(*nested, mapping);
        Value stored = mapping.lookup(value);
        if (isNarrow)
          stored = arith::TruncFOp::create(b, loc, element, stored);
        linalg::YieldOp::create(b, loc, stored);
      });

  // It takes the place of the first of its inputs; others that nothing else
  // reads go.
  SmallVector<Value> inputs{hoisted.getResult(0)};
  SmallVector<AffineMap> mapsOfRest{
      AffineMap::get(op.getNumLoops(), 0, kept, ctx)};
  SmallVector<BlockArgument> arguments;
  for (unsigned operand = 0; operand < op.getNumDpsInputs(); ++operand) {
    BlockArgument argument = op.getBlock()->getArgument(operand);
    bool isRead = llvm::any_of(argument.getUsers(), [&](Operation *user) {
      return !factor.ops.contains(user);
    });
    if (!isRead && llvm::is_contained(factor.inputs, operand))
      continue;
    bool isBefore = operand < factor.inputs.front();
    inputs.insert(isBefore ? inputs.end() - 1 : inputs.end(),
                  op.getInputs()[operand]);
    mapsOfRest.insert(isBefore ? mapsOfRest.end() - 1 : mapsOfRest.end(),
                      maps[operand]);
    arguments.push_back(argument);
  }
  mapsOfRest.append(maps.begin() + op.getNumDpsInputs(), maps.end());
  auto rest = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(),
      mapsOfRest, op.getIteratorTypesArray());
  Block *body = rewriter.createBlock(&rest.getRegion());
  IRMapping mapping;
  unsigned next = 0;
  Value stored;
  for (Value input : inputs) {
    if (input == hoisted.getResult(0)) {
      stored = body->addArgument(element, loc);
      continue;
    }
    BlockArgument argument = arguments[next++];
    mapping.map(argument,
                body->addArgument(argument.getType(), argument.getLoc()));
  }
  for (BlockArgument output : op.getRegionOutputArgs())
    mapping.map(output, body->addArgument(output.getType(), output.getLoc()));
  if (isNarrow)
    stored = arith::ExtFOp::create(rewriter, loc, value.getType(), stored);
  mapping.map(value, stored);
  for (Operation &nested : *op.getBlock())
    if (!factor.ops.contains(&nested))
      rewriter.clone(nested, mapping);
  rewriter.replaceOp(op, rest.getResults());
  return rest;
}

/// Whether factors may be taken out of the op.
static bool isSum(linalg::GenericOp op, StringRef optOut) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 &&
         op.getNumDpsInits() == 1 && !op->hasAttr(optOut);
}

namespace {

/// Takes a product of inputs that does not need all axes out of a reduction:
/// `(g[t] * h[t,f]) * w[f,d]` summed over f becomes a product over (t,f) and a
/// contraction of two factors. The product is computed once per (t,f) instead
/// of once per (t,f,d), and the order of every operation stays.
class HoistInvariantProduct : public OpRewritePattern<linalg::GenericOp> {
public:
  HoistInvariantProduct(MLIRContext *context, StringRef optOut)
      : OpRewritePattern(context), optOut(optOut) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSum(op, optOut))
      return failure();
    auto isInput = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner() == op.getBlock() &&
             argument.getArgNumber() < op.getNumDpsInputs() &&
             argument.hasOneUse();
    };
    for (Operation &product : op.getBlock()->without_terminator()) {
      if (!isa<arith::MulFOp, arith::MulIOp>(product) ||
          !llvm::all_of(product.getOperands(), isInput))
        continue;
      std::optional<Factor> factor = findFactor(op, product.getResult(0));
      std::optional<SmallVector<unsigned>> axes =
          factor ? getAxes(op, factor->inputs) : std::nullopt;
      // Worth it only when the sum has another factor with axes of its own.
      if (!axes || axes->size() == op.getNumLoops() || op.getNumDpsInputs() < 3)
        continue;
      hoist(op, product.getResult(0), *factor, *axes,
            product.getResult(0).getType(), rewriter);
      return success();
    }
    return failure();
  }

private:
  StringRef optOut;
};

} // namespace

/// An element of an input, extended or not: what kernels multiply.
static bool isElement(Value value) {
  if (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  return isa<BlockArgument>(value);
}

/// The type of fewer bits that has the value, too: the value is a float
/// extended from it, the negative of one, or one of several such and constants
/// of the type. Null if there is none.
static Type getNarrowType(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto cast = dyn_cast_if_present<arith::ExtFOp>(op))
    return cast.getIn().getType();
  ValueRange choices;
  if (isa_and_present<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                      arith::MinNumFOp, arith::NegFOp>(op))
    choices = op->getOperands();
  else if (isa_and_present<arith::SelectOp>(op))
    choices = op->getOperands().drop_front();
  Type type;
  SmallVector<APFloat> constants;
  for (Value choice : choices) {
    APFloat constant(0.0f);
    if (matchPattern(choice, m_ConstantFloat(&constant))) {
      constants.push_back(constant);
      continue;
    }
    Type narrow = getNarrowType(choice);
    if (!narrow || (type && narrow != type))
      return {};
    type = narrow;
  }
  for (APFloat &constant : constants) {
    bool losesInfo = false;
    if (type)
      constant.convert(cast<FloatType>(type).getFloatSemantics(),
                       APFloat::rmNearestTiesToEven, &losesInfo);
    if (!type || losesInfo)
      return {};
  }
  return type;
}

namespace {

/// Takes what is computed of a factor's inputs out of a product of matrices:
/// `relu(x[m,k]) * ((w[k,n] - zero[n]) * scale[n])` summed over k becomes an
/// elementwise op for each factor and the product, which has kernels. Each is
/// computed once instead of once for each row or column of the other one.
class HoistFactors : public OpRewritePattern<linalg::GenericOp> {
public:
  HoistFactors(MLIRContext *context, StringRef optOut)
      : OpRewritePattern(context), optOut(optOut) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSum(op, optOut))
      return failure();
    Operation *product = getProduct(op);
    if (!product)
      return failure();
    SmallVector<Type> types;
    bool isHoisted = false;
    for (Value factor : product->getOperands()) {
      if (!getAxesIfWorthIt(op, factor))
        return failure();
      Type narrow = getNarrowType(factor);
      types.push_back(narrow ? narrow : factor.getType());
      isHoisted |= !isElement(factor);
    }
    if (!isHoisted)
      return failure();
    // Kernels multiply elements of one type.
    if (types[0] != types[1])
      types.assign(2, product->getResult(0).getType());
    for (unsigned i : {0, 1}) {
      Value factor = getProduct(op)->getOperand(i);
      if (isElement(factor) && getNarrowType(factor) == types[i])
        continue;
      if (isa<BlockArgument>(factor))
        continue;
      SmallVector<unsigned> axes = *getAxesIfWorthIt(op, factor);
      op = hoist(op, factor, *findFactor(op, factor), axes, types[i], rewriter);
    }
    return success();
  }

private:
  /// What the body adds to the sum, if it is a product of floats.
  static Operation *getProduct(linalg::GenericOp op) {
    BlockArgument before = op.getRegionOutputArgs()[0];
    auto sum = op.getBlock()
                   ->getTerminator()
                   ->getOperand(0)
                   .getDefiningOp<arith::AddFOp>();
    if (!sum || (sum.getLhs() != before && sum.getRhs() != before))
      return nullptr;
    Value term = sum.getLhs() == before ? sum.getRhs() : sum.getLhs();
    auto product = term.getDefiningOp<arith::MulFOp>();
    return product && product->hasOneUse() ? product : nullptr;
  }

  /// The axes of a factor, which lacks at least one that the other one has, so
  /// that each of its elements is read often. Nothing if it is not.
  static std::optional<SmallVector<unsigned>>
  getAxesIfWorthIt(linalg::GenericOp op, Value value) {
    constexpr int64_t kOften = 16;
    std::optional<Factor> factor = findFactor(op, value);
    // A number that all elements share is no factor with axes.
    if (!factor || factor->inputs.empty())
      return std::nullopt;
    std::optional<SmallVector<unsigned>> axes = getAxes(op, factor->inputs);
    if (!axes || axes->size() == op.getNumLoops())
      return std::nullopt;
    int64_t reads = 1;
    for (auto [axis, extent] : llvm::enumerate(op.getStaticLoopRanges()))
      if (!llvm::is_contained(*axes, axis))
        reads = ShapedType::isDynamic(extent) ? kOften : reads * extent;
    return reads >= kOften ? axes : std::nullopt;
  }

  StringRef optOut;
};

} // namespace

void pit::populateHoistProductsPatterns(RewritePatternSet &patterns,
                                        StringRef optOut) {
  patterns.add<HoistInvariantProduct, HoistFactors>(patterns.getContext(),
                                                    optOut);
}
