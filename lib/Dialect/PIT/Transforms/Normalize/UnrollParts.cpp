//===- UnrollParts.cpp - Few columns that were put side by side -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A router finds the k largest one after another, puts them side by side, and
// adds up what it computes of them. Side by side they are another matrix than
// the one whose rows they come from, with columns of its own. Computed with one
// by one, they are numbers of these rows.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "RowLookups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITUNROLLPARTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Parts that become ops of their own: more would be more code than they save
/// launches.
static constexpr int64_t kMostParts = 16;

namespace {

/// Tensors that are parts of extent 1 side by side along a dimension, and ops
/// that compute with them and can do so part by part.
class Parts {
public:
  explicit Parts(func::FuncOp function);

  /// In their order: concatenations and structured ops.
  SmallVector<Operation *> listOps() const;
  /// The loop of the op that walks over parts; none if it is not to be
  /// unrolled.
  std::optional<unsigned> findLoop(linalg::GenericOp op) const;
  std::optional<unsigned> getDim(Value tensor) const {
    auto it = dims.find(tensor);
    return it == dims.end() ? std::nullopt : std::optional(it->second);
  }

private:
  std::optional<unsigned> findAnyLoop(linalg::GenericOp op) const;
  bool isLeft(Value tensor) const;

  Block *block;
  /// Along which dimension parts are side by side.
  DenseMap<Value, unsigned> dims;
};

} // namespace

static bool isOfUnits(tensor::ConcatOp op) {
  return int64_t(op.getInputs().size()) <= kMostParts &&
         llvm::all_of(op.getInputs(), [&](Value part) {
           return cast<RankedTensorType>(part.getType())
                      .getDimSize(int64_t(op.getDim())) == 1;
         });
}

/// The loop along which the op reads parts, if it reads all that depends on the
/// loop as parts.
std::optional<unsigned> Parts::findAnyLoop(linalg::GenericOp op) const {
  std::optional<unsigned> loop;
  for (OpOperand *input : op.getDpsInputOperands())
    if (std::optional<unsigned> dim = getDim(input->get())) {
      auto expr = dyn_cast<AffineDimExpr>(
          op.getMatchingIndexingMap(input).getResult(*dim));
      if (!expr || (loop && *loop != expr.getPosition()))
        return std::nullopt;
      loop = expr.getPosition();
    }
  if (!loop)
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isFunctionOfDim(*loop) &&
        (!getDim(input->get()) || !map.isProjectedPermutation()))
      return std::nullopt;
  }
  return loop;
}

std::optional<unsigned> Parts::findLoop(linalg::GenericOp op) const {
  std::optional<unsigned> loop = findAnyLoop(op);
  if (!loop || !op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      !isMemoryEffectFree(op) || op.getNumLoops() < 2)
    return std::nullopt;
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(init);
  if (!map.isProjectedPermutation())
    return std::nullopt;
  if (op.getNumReductionLoops() == 0)
    return map.isFunctionOfDim(*loop) && !op.payloadUsesValueFromOperand(init)
               ? loop
               : std::nullopt;
  // Parts are added in their order, if nothing else is added in between.
  return op.getNumReductionLoops() == 1 && !map.isFunctionOfDim(*loop)
             ? loop
             : std::nullopt;
}

/// Whether all who read the tensor can be unrolled.
bool Parts::isLeft(Value tensor) const {
  if (auto op = tensor.getDefiningOp<linalg::GenericOp>(); op && !findLoop(op))
    return false;
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    auto op = dyn_cast<linalg::GenericOp>(user);
    return op && findLoop(op) &&
           (op.getNumReductionLoops() > 0 || getDim(op.getResult(0)));
  });
}

Parts::Parts(func::FuncOp function) : block(&function.getBody().front()) {
  for (Operation &op : *block) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op);
        concat && isOfUnits(concat))
      dims[concat.getResult()] = concat.getDim();
    auto generic = dyn_cast<linalg::GenericOp>(op);
    std::optional<unsigned> loop;
    if (generic && generic.getNumReductionLoops() == 0)
      loop = findLoop(generic);
    if (loop)
      dims[generic.getResult(0)] =
          *generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
               .getResultPosition(
                   getAffineDimExpr(*loop, generic.getContext()));
  }
  // What stays as it is takes others with it.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    SmallVector<Value> tensors = llvm::to_vector(llvm::make_first_range(dims));
    for (Value tensor : tensors)
      if (!isLeft(tensor)) {
        dims.erase(tensor);
        isChanged = true;
      }
  }
}

SmallVector<Operation *> Parts::listOps() const {
  SmallVector<Operation *> ops;
  for (Operation &op : *block) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if ((generic && findLoop(generic)) ||
        (isa<tensor::ConcatOp>(op) && getDim(op.getResult(0))))
      ops.push_back(&op);
  }
  return ops;
}

//===----------------------------------------------------------------------===//
// One by one
//===----------------------------------------------------------------------===//

namespace {

/// Unrolls ops over the loop that walks over parts.
class Unroller {
public:
  explicit Unroller(const Parts &parts) : parts(parts) {}

  void split(tensor::ConcatOp op);
  void unroll(linalg::GenericOp op, OpBuilder &b);

private:
  Value emit(linalg::GenericOp op, ArrayRef<unsigned> numbers, unsigned loop,
             OpBuilder &b);
  Value getPart(Value tensor, unsigned number, OpBuilder &b);

  const Parts &parts;
  /// Each part without the dimension along which they are side by side.
  DenseMap<Value, SmallVector<Value>> values;
};

} // namespace

/// The tensor without a dimension of extent 1.
static Value dropDim(Value tensor, unsigned dim, OpBuilder &b) {
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>())
    if (expand.getResultType().getRank() == expand.getSrcType().getRank() + 1) {
      SmallVector<int64_t> shape(expand.getResultType().getShape());
      shape.erase(shape.begin() + dim);
      if (shape == expand.getSrcType().getShape())
        return expand.getSrc();
    }
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i) {
    // It goes with the dimension before, or else with the one behind.
    bool joins = i == int64_t(dim) ? i > 0 : (i == 1 && dim == 0);
    if (joins)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return tensor::CollapseShapeOp::create(b, tensor.getLoc(), tensor, groups);
}

void Unroller::split(tensor::ConcatOp op) {
  OpBuilder b(op);
  for (Value part : op.getInputs())
    values[op.getResult()].push_back(dropDim(part, op.getDim(), b));
}

/// What the op computes of parts with these numbers, one after another: one op
/// without the loop.
Value Unroller::emit(linalg::GenericOp op, ArrayRef<unsigned> numbers,
                     unsigned loop, OpBuilder &b) {
  MLIRContext *context = b.getContext();
  unsigned numLoops = op.getNumLoops();
  SmallVector<AffineExpr> renumbered;
  for (unsigned i = 0; i < numLoops; ++i)
    renumbered.push_back(i == loop ? getAffineConstantExpr(0, context)
                                   : getAffineDimExpr(i - (i > loop), context));
  auto restrict = [&](AffineMap map) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      if (expr != getAffineDimExpr(loop, context))
        results.push_back(expr);
    return AffineMap::get(numLoops, 0, results, context)
        .replaceDimsAndSymbols(renumbered, {}, numLoops - 1, 0);
  };
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // Of each operand, the number of the input that has the i-th part.
  SmallVector<SmallVector<unsigned>> places;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    bool hasParts = map.isFunctionOfDim(loop);
    places.emplace_back();
    for (auto [i, number] : llvm::enumerate(numbers)) {
      if (hasParts || i == 0) {
        inputs.push_back(hasParts ? values.lookup(input->get())[number]
                                  : input->get());
        maps.push_back(restrict(map));
      }
      places.back().push_back(inputs.size() - 1);
    }
  }
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap initMap = restrict(op.getMatchingIndexingMap(init));
  bool isReduction = op.getNumReductionLoops() > 0;
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  std::optional<unsigned> start;
  if (isReduction && !fill) {
    start = inputs.size();
    inputs.push_back(init->get());
    maps.push_back(initMap);
  }
  maps.push_back(initMap);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, op.getLoc(), init->get());
  if (!isReduction) {
    AffineMap whole = op.getMatchingIndexingMap(init);
    sizes.erase(sizes.begin() +
                *whole.getResultPosition(getAffineDimExpr(loop, context)));
  }
  Value empty = tensor::EmptyOp::create(
      b, op.getLoc(), sizes, getElementTypeOrSelf(init->get().getType()));
  SmallVector<utils::IteratorType> kinds(numLoops - 1,
                                         utils::IteratorType::parallel);
  auto created = linalg::GenericOp::create(
      b, op.getLoc(), TypeRange(empty.getType()), inputs, ValueRange(empty),
      maps, kinds, [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value found = start                 ? arguments[*start]
                      : fill && isReduction ? fill.getInputs()[0]
                                            : arguments.back();
        for (auto [i, number] : llvm::enumerate(numbers)) {
          IRMapping mapping;
          for (auto [operand, place] : llvm::enumerate(places))
            mapping.map(op.getBlock()->getArgument(operand),
                        arguments[place[i]]);
          mapping.map(op.getBlock()->getArguments().back(), found);
          for (Operation &inner : op.getBlock()->without_terminator()) {
            auto index = dyn_cast<linalg::IndexOp>(inner);
            if (!index) {
              nested.clone(inner, mapping);
              continue;
            }
            unsigned dim = index.getDim();
            Value value =
                dim == loop
                    ? arith::ConstantIndexOp::create(nested, loc, number)
                          .getResult()
                    : linalg::IndexOp::create(nested, loc, dim - (dim > loop))
                          .getResult();
            mapping.map(index.getResult(), value);
          }
          found = mapping.lookupOrDefault(
              op.getBlock()->getTerminator()->getOperand(0));
        }
        linalg::YieldOp::create(nested, loc, found);
      });
  return created.getResult(0);
}

void Unroller::unroll(linalg::GenericOp op, OpBuilder &b) {
  unsigned loop = *parts.findLoop(op);
  unsigned count = 0;
  for (Value input : op.getInputs())
    if (auto it = values.find(input); it != values.end())
      count = it->second.size();
  b.setInsertionPoint(op);
  SmallVector<unsigned> numbers =
      llvm::to_vector(llvm::seq<unsigned>(0, count));
  if (op.getNumReductionLoops() > 0) {
    op.getResult(0).replaceAllUsesWith(emit(op, numbers, loop, b));
    return;
  }
  SmallVector<Value> results;
  for (unsigned number : numbers)
    results.push_back(emit(op, {number}, loop, b));
  values[op.getResult(0)] = results;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Puts elementwise ops whose result a reduction alone reads, part by part,
/// into it: what each computes of a part is in no memory then.
static void fuseIntoReductions(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    Parts parts(function);
    for (Operation *op : parts.listOps()) {
      auto reduction = dyn_cast<linalg::GenericOp>(op);
      if (!reduction || reduction.getNumReductionLoops() == 0)
        continue;
      for (OpOperand *input : reduction.getDpsInputOperands()) {
        if (!input->get().getDefiningOp<linalg::GenericOp>() ||
            !input->get().hasOneUse() || !parts.getDim(input->get()) ||
            !linalg::areElementwiseOpsFusable(input))
          continue;
        rewriter.setInsertionPoint(reduction);
        FailureOr<linalg::ElementwiseOpFusionResult> fused =
            linalg::fuseElementwiseOps(rewriter, input);
        if (failed(fused))
          continue;
        for (auto [before, after] : fused->replacements)
          rewriter.replaceUsesWithIf(before, after, [&](OpOperand &use) {
            return use.getOwner() != input->get().getDefiningOp();
          });
        rewriter.eraseOp(reduction);
        isChanged = true;
        break;
      }
      if (isChanged)
        break;
    }
  }
}

namespace {

struct PITUnrollParts : pit::impl::PITUnrollPartsBase<PITUnrollParts> {
  using PITUnrollPartsBase::PITUnrollPartsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    fuseIntoReductions(function);
    Parts parts(function);
    Unroller unroller(parts);
    SmallVector<Operation *> ops = parts.listOps();
    OpBuilder b(function.getContext());
    for (Operation *op : ops) {
      if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
        unroller.split(concat);
        continue;
      }
      unroller.unroll(cast<linalg::GenericOp>(op), b);
      ++numUnrolled;
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    numLookups += replaceRowLookups(function);
  }
};

} // namespace
