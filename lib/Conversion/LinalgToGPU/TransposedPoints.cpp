//===- TransposedPoints.cpp - Transpositions through shared memory ---------
//===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposedPoints.h"
#include "StructuredOps.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::pit;

/// A tile's extent along both loops, as many as lanes of a warp; and the least
/// extent of a loop that is worth tiles.
static constexpr int64_t kTile = 32, kLeast = 16;

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

/// The loop along which elements of a buffer lie, if axes are plain loops.
static std::optional<unsigned> getLoopAlong(OpOperand &operand, AffineMap map) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || type.getMemorySpace() || type.getRank() == 0 ||
      !map.isProjectedPermutation() ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return std::nullopt;
  return map.getDimPosition(type.getRank() - 1);
}

/// Elements of whole bytes; floats of 8 bits are none of LLVM's.
static bool canBeShared(Value operand) {
  Type element = getElementTypeOrSelf(operand);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0 &&
         (element.isInteger() || element.getIntOrFloatBitWidth() > 8);
}

std::optional<TransposedLoops>
mlir::pit::matchTransposedLoops(linalg::LinalgOp op) {
  if (op.getNumLoops() < 2 || op.getNumLoops() != op.getNumParallelLoops() ||
      op.getNumDpsInits() == 0 || !op.hasPureBufferSemantics() ||
      !chooseThreadLoops(op).sequential.empty())
    return std::nullopt;
  TransposedLoops loops;
  std::optional<unsigned> along, across;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    std::optional<unsigned> loop = getLoopAlong(init, map);
    if (!loop || (along && along != loop) ||
        op.payloadUsesValueFromOperand(&init))
      return std::nullopt;
    along = loop;
  }
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<unsigned> loop = getLoopAlong(*input, map);
    if (!loop || loop == along || !map.isFunctionOfDim(*along))
      continue;
    if ((across && across != loop) || !canBeShared(input->get()))
      return std::nullopt;
    across = loop;
    loops.inputs.push_back(input->getOperandNumber());
  }
  if (!across)
    return std::nullopt;
  loops.along = *along, loops.across = *across;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    bool isOuter = loop != loops.along && loop != loops.across;
    if (isOuter)
      loops.outer.push_back(loop);
    else if (ShapedType::isStatic(extents[loop]) && extents[loop] < kLeast)
      return std::nullopt;
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {

class TileEmitter {
public:
  TileEmitter(linalg::LinalgOp op, const TransposedLoops &loops,
              gpu::LaunchOp launch, int64_t numThreads)
      : op(op), loops(loops), launch(launch), numThreads(numThreads),
        b(op.getLoc(), op), extents(createLoopExtents(b, op)),
        ivs(op.getNumLoops()) {}

  void run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// Takes a digit of this base off a number.
  Value takeDigit(Value &number, Value base) {
    Value digit = arith::RemUIOp::create(b, number, base);
    number = arith::DivUIOp::create(b, number, base);
    return digit;
  }
  Value countTiles(unsigned loop) {
    return arith::CeilDivUIOp::create(b, extents[loop], constant(kTile));
  }
  /// Rows of a tile that all threads together have at a time.
  int64_t getNumPasses() const {
    return llvm::divideCeil(kTile * 32, numThreads);
  }
  Value getRow(int64_t pass) {
    return arith::AddIOp::create(b, warp, constant(pass * (numThreads / 32)));
  }
  Value isInside(Value row);
  SmallVector<Value> getIndices(OpOperand &operand) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
          return createSubscript(b, op.getLoc(), expr, ivs);
        });
  }
  void fillTiles();
  void computeRow(int64_t pass);

  linalg::LinalgOp op;
  const TransposedLoops &loops;
  gpu::LaunchOp launch;
  int64_t numThreads;
  ImplicitLocOpBuilder b;
  SmallVector<Value> extents, ivs;
  /// Of the thread, and where the tile starts.
  Value lane, warp, firstAlong, firstAcross;
  /// One for each input that is transposed; a column more than there are keeps
  /// lanes in banks of their own.
  SmallVector<Value> tiles;
};

} // namespace

/// Whether there is such a row, and the point in it.
Value TileEmitter::isInside(Value row) {
  Value inside;
  for (unsigned loop : {loops.along, loops.across}) {
    Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, ivs[loop],
                                       extents[loop]);
    inside = inside ? arith::AndIOp::create(b, inside, fits).getResult() : fits;
  }
  if (kTile * 32 % numThreads == 0)
    return inside;
  Value isRow =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row, constant(kTile));
  return arith::AndIOp::create(b, inside, isRow);
}

/// Lanes are neighbours along inputs. All loads are under way before the first
/// is waited for.
void TileEmitter::fillTiles() {
  ivs[loops.across] = arith::AddIOp::create(b, firstAcross, lane);
  SmallVector<std::tuple<Value, Value, Value>> loaded;
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    Value row = getRow(pass);
    ivs[loops.along] = arith::AddIOp::create(b, firstAlong, row);
    Value inside = isInside(row);
    for (auto [tile, input] : llvm::zip_equal(tiles, loops.inputs)) {
      OpOperand &operand = op->getOpOperand(input);
      Type element = getElementTypeOrSelf(operand.get());
      auto branch = scf::IfOp::create(b, element, inside, /*withElse=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
      Value value =
          memref::LoadOp::create(b, operand.get(), getIndices(operand));
      scf::YieldOp::create(b, value);
      b.setInsertionPointToStart(branch.elseBlock());
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
      scf::YieldOp::create(b, zero);
      b.setInsertionPointAfter(branch);
      loaded.emplace_back(branch.getResult(0), tile, row);
    }
  }
  for (auto [value, tile, row] : loaded) {
    Value place = row;
    // Of other numbers of threads, some have no row in the last pass.
    if (kTile * 32 % numThreads != 0)
      place = arith::MinUIOp::create(b, row, constant(kTile));
    memref::StoreOp::create(b, value, tile, ValueRange{place, lane});
  }
}

/// Lanes are neighbours along outputs.
void TileEmitter::computeRow(int64_t pass) {
  Value row = getRow(pass);
  ivs[loops.along] = arith::AddIOp::create(b, firstAlong, lane);
  ivs[loops.across] = arith::AddIOp::create(b, firstAcross, row);
  auto branch = scf::IfOp::create(b, isInside(row));
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    auto *input = llvm::find(loops.inputs, operand.getOperandNumber());
    if (!op.payloadUsesValueFromOperand(&operand))
      arguments.push_back(Value());
    else if (input != loops.inputs.end())
      arguments.push_back(memref::LoadOp::create(
          b, tiles[input - loops.inputs.begin()], ValueRange{lane, row}));
    else if (isa<MemRefType>(operand.get().getType()))
      arguments.push_back(
          memref::LoadOp::create(b, operand.get(), getIndices(operand)));
    else
      arguments.push_back(operand.get());
  }
  SmallVector<Value> results = clonePayload(b, op, arguments, ivs);
  for (auto [init, result] : llvm::zip_equal(op.getDpsInitsMutable(), results))
    memref::StoreOp::create(b, result, init.get(), getIndices(init));
  b.setInsertionPointAfter(branch);
}

void TileEmitter::run() {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  // A row more is for those that have none.
  for (unsigned input : loops.inputs)
    tiles.push_back(launch.addWorkgroupAttribution(
        MemRefType::get({kTile + 1, kTile + 1},
                        getElementTypeOrSelf(op->getOperand(input)),
                        MemRefLayoutAttrInterface(), space),
        op.getLoc()));
  Value thread = launch.getThreadIds().x;
  lane = arith::RemUIOp::create(b, thread, constant(32));
  warp = arith::DivUIOp::create(b, thread, constant(32));
  Value count = createNumTiles(op, loops);
  auto loop = scf::ForOp::create(b, launch.getBlockIds().x, count,
                                 launch.getGridSize().x);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  firstAlong = takeDigit(number, countTiles(loops.along));
  firstAlong = arith::MulIOp::create(b, firstAlong, constant(kTile));
  firstAcross = takeDigit(number, countTiles(loops.across));
  firstAcross = arith::MulIOp::create(b, firstAcross, constant(kTile));
  for (unsigned outer : llvm::reverse(loops.outer))
    ivs[outer] = takeDigit(number, extents[outer]);
  fillTiles();
  gpu::BarrierOp::create(b);
  for (int64_t pass = 0; pass < getNumPasses(); ++pass)
    computeRow(pass);
  // The next tile is filled when nobody reads this one.
  gpu::BarrierOp::create(b);
  op->erase();
}

Value mlir::pit::createNumTiles(linalg::LinalgOp op,
                                const TransposedLoops &loops) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> extents = createLoopExtents(b, op);
  Value tile = arith::ConstantIndexOp::create(b, kTile), count;
  for (unsigned loop : {loops.along, loops.across}) {
    Value tiles = arith::CeilDivUIOp::create(b, extents[loop], tile);
    count = count ? arith::MulIOp::create(b, count, tiles).getResult() : tiles;
  }
  for (unsigned outer : loops.outer)
    count = arith::MulIOp::create(b, count, extents[outer]);
  return count;
}

void mlir::pit::distributeTransposedTiles(linalg::LinalgOp op,
                                          const TransposedLoops &loops,
                                          gpu::LaunchOp launch,
                                          int64_t numThreads) {
  TileEmitter(op, loops, launch, numThreads).run();
}
