//===- DenseBranches.cpp - Rules of a pattern in branches -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that can stand next to each other are one branch. What others read of
// it, it yields packed and whole, of which only one is ever computed.
//
//===----------------------------------------------------------------------===//

#include "DenseChoice.h"
#include "DenseForm.h"
#include "DenseGroup.h"
#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

/// A whole tensor for packed results, which start from `packed`: with what that
/// holds if it is to be computed, else without contents.
Value DenseGroup::createWhole(Value packed, AffineMap map, GenericOp op,
                              bool filled) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> listed =
      getIndexExtents(rewriter, loc, op.getIndex().getType(), op.getIndex());
  SmallVector<OpFoldResult> others =
      tensor::getMixedSizes(rewriter, loc, packed);
  SmallVector<OpFoldResult> sizes;
  for (WholeDim dim : getWholeDims(op, map))
    sizes.push_back(dim.isListed ? listed[dim.number] : others[dim.number]);
  Value made = tensor::EmptyOp::create(
      rewriter, loc, sizes,
      cast<RankedTensorType>(packed.getType()).getElementType());
  auto fill = packed.getDefiningOp<linalg::FillOp>();
  if (filled && fill)
    made = linalg::FillOp::create(rewriter, loc, fill.getInputs(), made)
               .getResult(0);
  return made;
}

/// Puts ops of the group next to each other as far as nothing of what stands
/// between them is computed of one and read by another. What is in one branch
/// is packed, or whole, for that branch alone.
SmallVector<SmallVector<Operation *>> DenseGroup::gatherRuns() {
  llvm::SmallPtrSet<Operation *, 16> members(llvm::from_range, ops);
  llvm::SmallPtrSet<Operation *, 16> inRun, behind;
  SmallVector<SmallVector<Operation *>> runs;
  auto dependsOn = [](Operation *op, const auto &others) {
    bool depends = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        depends |=
            operand.getDefiningOp() && others.contains(operand.getDefiningOp());
    });
    return depends;
  };
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(Block::iterator(ops.front()),
                            std::next(Block::iterator(ops.back()))))) {
    bool isMember = members.contains(&op);
    bool startsRun = runs.empty() || (isMember && dependsOn(&op, behind)) ||
                     !isMemoryEffectFree(&op);
    if (startsRun) {
      runs.emplace_back();
      inRun.clear();
      behind.clear();
    }
    SmallVector<Operation *> &run = runs.back();
    if (isMember) {
      if (!run.empty())
        op.moveAfter(run.back());
      run.push_back(&op);
      inRun.insert(&op);
    } else if (dependsOn(&op, inRun) || dependsOn(&op, behind)) {
      behind.insert(&op);
    } else if (!run.empty()) {
      op.moveBefore(run.front());
    }
  }
  llvm::erase_if(runs, [](const auto &run) { return run.empty(); });
  return runs;
}

/// The dense form of an op, of what `mapping` has for results before.
void DenseGroup::emitDense(Operation *op, IRMapping &mapping) {
  auto findWhole = [&](Value packed) {
    Value found = mapping.lookupOrNull(packed);
    return found ? found : whole.lookup(packed);
  };
  if (auto write = dyn_cast<SWriteOp>(op))
    return mapping.map(write.getResult(), findWhole(write.getSource()));
  if (auto read = dyn_cast<SReadOp>(op))
    return mapping.map(read.getResult(),
                       mapping.lookupOrDefault(read.getSource()));
  auto rule = cast<GenericOp>(op);
  SmallVector<AffineMap> maps = rule.getIndexingMapsArray();
  SmallVector<Value> inputs, outputs;
  for (auto [i, input] : llvm::enumerate(rule.getInputs()))
    inputs.push_back(rule.getPacked()[i] ? findWhole(input)
                                         : mapping.lookupOrDefault(input));
  for (auto [i, output] : llvm::enumerate(rule.getOutputs())) {
    size_t operand = inputs.size() + i;
    outputs.push_back(rule.getPacked()[operand]
                          ? createWhole(output, maps[operand], rule,
                                        /*filled=*/true)
                          : mapping.lookupOrDefault(output));
  }
  linalg::GenericOp dense =
      createDenseForm(rewriter, rule, inputs, outputs, maps,
                      rule.getIteratorTypesArray(), mapping);
  PITDialect::DenseVariantOfAttrHelper(rule.getContext())
      .setAttr(dense, rule.getRuleAttr());
  mapping.map(rule->getResults(), dense->getResults());
}

/// A packed tensor that nobody reads, in the place of a result.
Value DenseGroup::createUnusedPacked(Value packed) {
  if (auto rule = packed.getDefiningOp<GenericOp>())
    return rule.getOutputs()[cast<OpResult>(packed).getResultNumber()];
  auto type = cast<RankedTensorType>(packed.getType());
  return tensor::EmptyOp::create(rewriter, packed.getLoc(), type.getShape(),
                                 type.getElementType());
}

/// A whole tensor that nobody reads, in the place of a packed result.
Value DenseGroup::createUnusedWhole(Value packed) {
  if (auto read = packed.getDefiningOp<SReadOp>())
    return read.getSource();
  auto rule = packed.getDefiningOp<GenericOp>();
  unsigned number = cast<OpResult>(packed).getResultNumber();
  AffineMap map = rule.getIndexingMapsArray()[rule.getInputs().size() + number];
  return createWhole(rule.getOutputs()[number], map, rule, /*filled=*/false);
}

/// One branch for ops that stand next to each other. It yields what others read
/// of it: what is packed also whole.
void DenseGroup::choose(ArrayRef<Operation *> run) {
  Location loc = run.front()->getLoc();
  rewriter.setInsertionPoint(run.front());
  for (Operation *op : run)
    if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
      for (OpOperand &start : writer.getDpsInitsMutable())
        copyStartingArgument(rewriter, start);
  SmallVector<Value> yielded, packed;
  SmallVector<Type> types;
  for (Operation *op : run)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *around =
                run.front()->getBlock()->findAncestorOpInBlock(*user);
            return !llvm::is_contained(run, around);
          })) {
        yielded.push_back(result);
        types.push_back(result.getType());
        if (packedDims.contains(result))
          packed.push_back(result);
      }
  for (Value result : packed)
    types.push_back(wholeTypes.lookup(result));
  auto choice = scf::IfOp::create(rewriter, loc, types, isDense,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);

  rewriter.setInsertionPointToStart(choice.thenBlock());
  IRMapping mapping;
  for (Operation *op : run)
    emitDense(op, mapping);
  SmallVector<Value> dense;
  for (Value result : yielded)
    dense.push_back(packedDims.contains(result) ? createUnusedPacked(result)
                                                : mapping.lookup(result));
  for (Value result : packed)
    dense.push_back(mapping.lookup(result));
  scf::YieldOp::create(rewriter, loc, dense);

  rewriter.setInsertionPointToStart(choice.elseBlock());
  SmallVector<Value> unused = llvm::map_to_vector(
      packed, [&](Value result) { return createUnusedWhole(result); });
  for (auto [i, result] : llvm::enumerate(yielded)) {
    Value chosen = choice.getResult(i);
    rewriter.replaceUsesWithIf(result, chosen, [&](OpOperand &use) {
      Operation *around =
          choice->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return !llvm::is_contained(run, around) && around != choice;
    });
    if (!packedDims.contains(result))
      continue;
    SmallVector<int64_t> dims = packedDims.lookup(result);
    Type type = wholeTypes.lookup(result);
    packedDims[chosen] = std::move(dims);
    wholeTypes[chosen] = type;
  }
  for (auto [i, result] : llvm::enumerate(packed)) {
    size_t place = llvm::find(yielded, result) - yielded.begin();
    whole[choice.getResult(place)] = choice.getResult(yielded.size() + i);
  }
  for (Operation *op : run)
    rewriter.moveOpBefore(op, choice.elseBlock(), choice.elseBlock()->end());
  rewriter.setInsertionPointToEnd(choice.elseBlock());
  llvm::append_range(yielded, unused);
  scf::YieldOp::create(rewriter, loc, yielded);
}
