//===- OutlineLoops.cpp - Loops that the host runs around kernels ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "OutlinedLoop.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITOUTLINELOOPS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What comes along instead of being passed: numbers, which say then what
/// extents follow from, marks, and tensors that hold nothing yet.
static bool comesAlong(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (isHostNumber(value) || isa<SparseOp, tensor::EmptyOp>(def) ||
                 def->hasTrait<OpTrait::ConstantLike>());
}

/// Copies to the start of the loop what its body uses and may come along.
static void copyIntoLoop(scf::ForOp loop) {
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  while (true) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getRegion(), captured);
    bool isCopied = false;
    for (Value value : captured) {
      if (!comesAlong(value))
        continue;
      builder.setInsertionPointToStart(loop.getBody());
      Operation *copy = builder.clone(*value.getDefiningOp());
      unsigned number = cast<OpResult>(value).getResultNumber();
      value.replaceUsesWithIf(copy->getResult(number), [&](OpOperand &use) {
        return loop.getRegion().isAncestor(use.getOwner()->getParentRegion()) &&
               use.getOwner() != copy;
      });
      isCopied = true;
    }
    if (!isCopied)
      return;
  }
}

/// Twice what the loop carries: iterations write them by turns.
static SmallVector<Value> createDestinations(OpBuilder &builder,
                                             scf::ForOp loop) {
  SmallVector<Value> outs;
  for (int turn = 0; turn < 2; ++turn)
    for (Value init : loop.getInitArgs()) {
      auto type = cast<RankedTensorType>(init.getType());
      Value out = tensor::EmptyOp::create(
          builder, loop.getLoc(),
          tensor::getMixedSizes(builder, loop.getLoc(), init),
          type.getElementType());
      if (out.getType() != type)
        out = tensor::CastOp::create(builder, loop.getLoc(), type, out);
      outs.push_back(out);
    }
  return outs;
}

static bool hasKernels(Operation *op) {
  auto isKernel = [](linalg::LinalgOp) { return WalkResult::interrupt(); };
  return op->walk(isKernel).wasInterrupted();
}

/// A loop of as many iterations as `count` says, 0 or 1, whose body is the
/// region.
static scf::ForOp createLoopOf(OpBuilder &builder, Region &region, Value count,
                               ValueRange inits) {
  Location loc = region.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, inits);
  Block &body = *loop.getBody();
  if (!body.empty())
    body.getTerminator()->erase();
  body.getOperations().splice(body.end(), region.front().getOperations());
  return loop;
}

/// A branch is two loops: one iterates where the condition holds, the other
/// where it does not, and hands on what it gets else.
static std::array<scf::ForOp, 2> splitBranch(scf::IfOp branch) {
  OpBuilder builder(branch);
  Location loc = branch.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value condition = branch.getCondition();
  Value holds = arith::SelectOp::create(builder, loc, condition, one, zero);
  Value fails = arith::SelectOp::create(builder, loc, condition, zero, one);
  SmallVector<Value> carried;
  for (Type type : branch.getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    carried.push_back(tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                              tensor.getElementType()));
  }
  scf::ForOp first =
      createLoopOf(builder, branch.getThenRegion(), holds, carried);
  scf::ForOp second =
      createLoopOf(builder, branch.getElseRegion(), fails, first.getResults());
  branch.replaceAllUsesWith(second.getResults());
  branch.erase();
  return {first, second};
}

namespace {

struct PITOutlineLoops : pit::impl::PITOutlineLoopsBase<PITOutlineLoops> {
  using PITOutlineLoopsBase::PITOutlineLoopsBase;

  void runOnOperation() override {
    parts.clear();
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock())
        functions.push_back(function);
    // Bodies of loops are functions with loops at their top.
    while (!functions.empty()) {
      func::FuncOp function = functions.pop_back_val();
      prepare(function);
      for (auto loop : llvm::make_early_inc_range(
               function.getBody().front().getOps<scf::ForOp>()))
        if (func::FuncOp body = outline(loop, function, symbols))
          functions.push_back(body);
    }
  }

  /// The regions of branches, whatever they hold.
  DenseSet<Operation *> parts;
  void prepare(func::FuncOp function);
  func::FuncOp outline(scf::ForOp loop, func::FuncOp function,
                       SymbolTable &symbols);
  func::FuncOp createBody(scf::ForOp loop, func::FuncOp function,
                          ValueRange captured, SymbolTable &symbols);
};

} // namespace

/// Makes loops of what the host can run in another form; says of the others why
/// they stay.
void PITOutlineLoops::prepare(func::FuncOp function) {
  Block &block = function.getBody().front();
  auto explain = [](Operation *op, StringRef name, const Twine &why) {
    remarks::missed(op, remarks::kKernels, "loop") << remarks::reason(
        why + "; one block of threads runs the whole " + name);
  };
  IRRewriter rewriter(function.getContext());
  for (auto loop : llvm::make_early_inc_range(block.getOps<scf::WhileOp>())) {
    rewriter.setInsertionPoint(loop);
    if (hasKernels(loop) && failed(scf::upliftWhileToForLoop(rewriter, loop)))
      explain(loop, "loop",
              "it is not known before it starts how often it iterates; an "
              "scf.for, or a number that is compared with a bound and grows by "
              "a step, would let the host run it");
  }
  for (auto branch : llvm::make_early_inc_range(block.getOps<scf::IfOp>())) {
    if (branch.getNumResults() == 0 || !hasKernels(branch))
      continue;
    const char *obstacle = findObstacle(branch);
    if (!obstacle && hasFewPoints(branch, few))
      obstacle = "its ops are too small for launches of their own";
    if (obstacle)
      explain(branch, "branch", obstacle);
    else
      parts.insert_range(splitBranch(branch));
  }
}

func::FuncOp PITOutlineLoops::createBody(scf::ForOp loop, func::FuncOp function,
                                         ValueRange captured,
                                         SymbolTable &symbols) {
  OpBuilder builder(function);
  SmallVector<Type> inputs =
      llvm::to_vector(loop.getBody()->getArgumentTypes());
  llvm::append_range(inputs, captured.getTypes());
  auto body = func::FuncOp::create(
      builder, loop.getLoc(), (function.getName() + "_loop").str(),
      builder.getFunctionType(inputs, loop.getResultTypes()));
  body.setPrivate();
  symbols.insert(body, Block::iterator(function));
  // What an iteration reads is the next one's, too, or the caller's.
  for (auto [i, type] : llvm::enumerate(inputs))
    if (isa<TensorType>(type))
      body.setArgAttr(unsigned(i),
                      bufferization::BufferizationDialect::kWritableAttrName,
                      builder.getBoolAttr(false));
  body.getBody().takeBody(loop.getRegion());
  Block &block = body.getBody().front();
  for (Value value : captured) {
    BlockArgument argument = block.addArgument(value.getType(), value.getLoc());
    value.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return body->isAncestor(use.getOwner());
    });
  }
  Operation *end = block.getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  return body;
}

func::FuncOp PITOutlineLoops::outline(scf::ForOp loop, func::FuncOp function,
                                      SymbolTable &symbols) {
  bool isPart = parts.contains(loop);
  if (loop.getNumResults() == 0 || (!isPart && !hasKernels(loop)))
    return {};
  const char *obstacle = findObstacle(loop);
  if (!obstacle && !isPart && hasFewPoints(loop, few))
    obstacle = "its ops are too small for launches of their own";
  if (obstacle) {
    remarks::missed(loop, remarks::kKernels, "loop") << remarks::reason(
        Twine(obstacle) + "; one block of threads runs the whole loop");
    return {};
  }
  copyIntoLoop(loop);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  OpBuilder builder(loop);
  SmallVector<Value> outs = createDestinations(builder, loop);
  remarks::passed(loop, remarks::kKernels, "loop")
      << remarks::reason("the host runs it, around launches");
  func::FuncOp body =
      createBody(loop, function, captured.getArrayRef(), symbols);
  SmallVector<Type> types = llvm::to_vector(ValueRange(outs).getTypes());
  auto onHost = HostLoopOp::create(
      builder, loop.getLoc(), types,
      FlatSymbolRefAttr::get(body.getSymNameAttr()), loop.getLowerBound(),
      loop.getUpperBound(), loop.getStep(), loop.getInitArgs(),
      captured.getArrayRef(), outs);
  loop.replaceAllUsesWith(onHost.getResults().take_front(loop.getNumResults()));
  loop.erase();
  ++numOutlined;
  return body;
}
