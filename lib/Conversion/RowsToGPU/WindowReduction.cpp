//===- WindowReduction.cpp - Reductions over small windows ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowReduction.h"

#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/Payload.h"
#include "GPU/Lists/RowAccess.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"
#include "Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::findAccessBefore;
using mlir::pit::hopper::mayChangeBetween;
using mlir::pit::hopper::mayShareMemory;

/// Of more, a kernel of reductions or of products takes the op, or code would
/// be long.
static constexpr int64_t kMostTaps = 128;

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

static bool isReduced(linalg::LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

/// The first subscript that moves with a loop of results and one that is
/// reduced over, of any loop of results or of this one.
static std::optional<std::pair<unsigned, WindowReduction::Step>>
findStep(linalg::LinalgOp op, std::optional<unsigned> slide) {
  unsigned numLoops = op.getNumLoops();
  for (OpOperand *input : op.getDpsInputOperands())
    for (AffineExpr subscript : op.getMatchingIndexingMap(input).getResults()) {
      auto factors = getFactors(subscript, numLoops);
      if (!factors)
        continue;
      for (unsigned point = 0; point < numLoops; ++point) {
        if ((*factors)[point] == 0 || isReduced(op, point) ||
            (slide && point != *slide))
          continue;
        for (unsigned tap = 0; tap < numLoops; ++tap)
          if ((*factors)[tap] != 0 && isReduced(op, tap))
            return std::make_pair(
                point,
                WindowReduction::Step{(*factors)[point], (*factors)[tap], tap});
      }
    }
  return std::nullopt;
}

std::optional<WindowReduction::Step>
WindowReduction::getStep(unsigned slide) const {
  auto found = findStep(op, slide);
  return found ? std::optional(found->second) : std::nullopt;
}

bool WindowReduction::movesAlongInner() const {
  return getStep(getInner()).has_value();
}

int64_t WindowReduction::getNumTaps() const { return llvm::product_of(taps); }

int64_t WindowReduction::getExtent(unsigned loop) const {
  linalg::LinalgOp structured = op;
  return structured.getStaticLoopRanges()[loop];
}

//===----------------------------------------------------------------------===//
// What is around an input
//===----------------------------------------------------------------------===//

/// The constant that the op writes to all of the buffer, and nothing else.
static Operation *getConstantOfFill(Operation *op, Value buffer) {
  auto structured = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureBufferSemantics() ||
      structured.getNumDpsInits() != 1 ||
      structured.getDpsInits()[0] != buffer ||
      structured.getNumReductionLoops() != 0 ||
      !structured.getMatchingIndexingMap(structured.getDpsInitOperand(0))
           .isPermutation())
    return nullptr;
  Value yielded = structured.getBlock()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(yielded);
      argument && argument.getOwner() == structured.getBlock())
    yielded = structured.getMatchingOpOperand(argument)->get();
  Operation *constant = yielded.getDefiningOp<arith::ConstantOp>();
  return constant && constant->getResult(0).getType() ==
                         getElementTypeOrSelf(buffer.getType())
             ? constant
             : nullptr;
}

/// The axis of a buffer that becomes each of a collapsed one's, if others have
/// one element.
static std::optional<SmallVector<int64_t>>
getKeptAxes(memref::CollapseShapeOp collapse) {
  MemRefType type = collapse.getSrcType();
  SmallVector<int64_t> kept;
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    SmallVector<int64_t> large;
    llvm::copy_if(group, std::back_inserter(large),
                  [&](int64_t axis) { return type.getDimSize(axis) != 1; });
    if (large.size() > 1)
      return std::nullopt;
    kept.push_back(large.empty() ? group.front() : large.front());
  }
  return kept;
}

/// What a padded buffer was made of: `tensor.pad` is a fill of all of it and a
/// copy into its middle. Null if the buffer is something else, and is read as
/// it is.
static std::optional<WindowInput> matchPadding(linalg::LinalgOp op,
                                               Value buffer) {
  auto collapse = buffer.getDefiningOp<memref::CollapseShapeOp>();
  auto alloc =
      (collapse ? collapse.getSrc() : buffer).getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != op->getBlock())
    return std::nullopt;
  Value padded = alloc.getMemref();
  auto copy = dyn_cast_or_null<memref::CopyOp>(findAccessBefore(op, padded));
  auto middle =
      copy ? copy.getTarget().getDefiningOp<memref::SubViewOp>() : nullptr;
  if (!middle || middle.getSource() != padded ||
      !isa<MemRefType>(copy.getSource().getType()) ||
      mayShareMemory(copy.getSource(), padded) ||
      middle.getType().getRank() != alloc.getType().getRank() ||
      !middle.getStaticStrides().size() ||
      !llvm::all_of(middle.getStaticStrides(),
                    [](int64_t stride) { return stride == 1; }) ||
      llvm::any_of(middle.getStaticOffsets(), ShapedType::isDynamic) ||
      mayChangeBetween(copy, op, copy.getSource()))
    return std::nullopt;
  WindowInput input;
  input.copy = copy;
  input.fill = findAccessBefore(copy, padded);
  input.constant = getConstantOfFill(input.fill, padded);
  auto source = cast<MemRefType>(copy.getSource().getType());
  if (!input.constant || source.getMemorySpace() || !source.isStrided())
    return std::nullopt;
  input.buffer = copy.getSource();
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
  if (collapse) {
    std::optional<SmallVector<int64_t>> kept = getKeptAxes(collapse);
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    // Axes of one element have no room for anything around.
    if (!kept ||
        !memref::CollapseShapeOp::isGuaranteedCollapsible(source, groups))
      return std::nullopt;
    axes = *kept;
    OpBuilder builder(op);
    input.buffer = memref::CollapseShapeOp::create(builder, op.getLoc(),
                                                   input.buffer, groups);
  }
  for (int64_t axis : axes) {
    int64_t low = middle.getStaticOffsets()[axis],
            all = alloc.getType().getDimSize(axis),
            inside = source.getDimSize(axis);
    input.low.push_back(low);
    input.isPadded.push_back(ShapedType::isDynamic(all) ||
                             ShapedType::isDynamic(inside) || all != inside);
  }
  return input;
}

void mlir::pit::rows::erasePadding(WindowInput &input) {
  if (!input.copy)
    return;
  auto middle = input.copy.getTarget().getDefiningOp<memref::SubViewOp>();
  Value padded = middle.getSource();
  auto isWriter = [&](Operation *user) {
    return user == input.fill || user == middle || isa<memref::DeallocOp>(user);
  };
  // Views of it that nobody reads hold nothing up.
  for (Operation *user : llvm::make_early_inc_range(padded.getUsers()))
    if (isa<memref::CollapseShapeOp>(user) && user->use_empty())
      user->erase();
  if (!llvm::all_of(padded.getUsers(), isWriter) || !middle->hasOneUse())
    return;
  input.copy.erase();
  for (Operation *user : llvm::make_early_inc_range(padded.getUsers()))
    user->erase();
  padded.getDefiningOp()->erase();
}

//===----------------------------------------------------------------------===//
// Match
//===----------------------------------------------------------------------===//

/// Whether elements of an operand are one vector of results, at a multiple of
/// its bytes; or none of them are.
static bool isVector(Value buffer, AffineMap map, unsigned inner,
                     unsigned numLoops, int64_t length, bool isPadded) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || map.getNumResults() == 0)
    return true;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last || last.getPosition() != inner ||
      type.getStridesAndOffset().first.back() != 1)
    return true;
  int64_t bits = std::max(8u, type.getElementTypeBitWidth());
  return !isPadded && sums::isElement(type.getElementType()) &&
         sums::isAligned(type, std::min(length, 128 / bits));
}

bool WindowReduction::fitsVector(int64_t length) const {
  if (length == 1)
    return true;
  int64_t extent = getExtent(getInner());
  if (movesAlongInner() || ShapedType::isDynamic(extent) ||
      extent % length != 0)
    return false;
  auto fits = [&](linalg::LinalgOp of, unsigned inner) {
    return llvm::all_of(of->getOpOperands(), [&](OpOperand &operand) {
      const WindowInput *input = of == op && !of.isDpsInit(&operand)
                                     ? &inputs[operand.getOperandNumber()]
                                     : nullptr;
      Value buffer = input && input->buffer ? input->buffer : operand.get();
      return isVector(
          buffer, of.getMatchingIndexingMap(&operand), inner, of.getNumLoops(),
          length, input && !input->isPadded.empty() && input->isPadded.back());
    });
  };
  if (!fits(op, getInner()))
    return false;
  if (!behind.op)
    return true;
  auto loops = behind.getLoops(op);
  return fits(behind.op,
              llvm::find(loops, std::optional(getInner())) - loops.begin());
}

static LogicalResult setLoops(WindowReduction &windows, const MatchLog &log) {
  linalg::LinalgOp op = windows.op;
  AffineMap ofResult = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (ofResult.getNumResults() == 0)
    return log.refuse("it has one result alone");
  for (unsigned axis = 0; axis < ofResult.getNumResults(); ++axis)
    windows.points.push_back(ofResult.getDimPosition(axis));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!isReduced(op, loop))
      continue;
    if (ShapedType::isDynamic(extents[loop]) || extents[loop] == 0)
      return log.refuse("windows have a number of elements that is dynamic, "
                        "or none");
    windows.reductions.push_back(loop);
    windows.taps.push_back(extents[loop]);
    // Not more than is refused, so that nothing overflows.
    count =
        std::min(count * std::min(extents[loop], kMostTaps + 1), kMostTaps + 1);
  }
  if (count > kMostTaps)
    return log.refuse("a result has more than " + Twine(kMostTaps) +
                      " elements, which one thread would add up");
  for (unsigned loop : ArrayRef(windows.points).drop_back())
    if (windows.getStep(loop))
      windows.slides.push_back(loop);
  if (windows.slides.size() > 2)
    windows.slides.erase(windows.slides.begin(), windows.slides.end() - 2);
  return success();
}

std::optional<WindowReduction>
mlir::pit::rows::matchWindowReduction(linalg::LinalgOp op, MatchLog log) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics() ||
      !findStep(op, std::nullopt))
    return log.pass();
  if (failed(checkPoints(op, log)))
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    for (AffineExpr subscript :
         op.getMatchingIndexingMap(&operand).getResults()) {
      auto factors = getFactors(subscript, op.getNumLoops());
      if (!factors ||
          llvm::any_of(*factors, [](int64_t factor) { return factor < 0; }))
        return log.refuse("an operand is read at something else than a sum of "
                          "loops times positive numbers");
    }
  WindowReduction windows;
  windows.op = op;
  if (failed(setLoops(windows, log)))
    return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    WindowInput input;
    if (auto type = dyn_cast<MemRefType>(operand->get().getType())) {
      std::optional<WindowInput> padded = matchPadding(op, operand->get());
      input.buffer = operand->get();
      input.low.assign(type.getRank(), 0);
      input.isPadded.assign(type.getRank(), false);
      if (padded)
        input = *padded;
    }
    windows.inputs.push_back(input);
  }
  for (Value init : op.getDpsInits()) {
    for (const WindowInput &input : windows.inputs)
      if (input.buffer && mayShareMemory(input.buffer, init))
        return log.refuse("results may share memory with an input of the "
                          "windows");
    windows.starts.push_back(findFill(op, init));
  }
  if (op.getNumDpsInits() == 1) {
    SmallVector<Value> reads;
    for (const WindowInput &input : windows.inputs)
      if (input.buffer)
        reads.push_back(input.buffer);
    windows.behind = findJoinedWork(op, windows.starts[0], reads,
                                    /*keepsOrder=*/true);
  }
  return windows;
}
