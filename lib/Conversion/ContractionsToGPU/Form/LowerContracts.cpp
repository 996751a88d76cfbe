//===- LowerContracts.cpp - Undo pit.contract ops without kernels ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerContracts.h"
#include "LowerWindows.h"

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERCONTRACTS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Builds the ops of one contract op, on its operands or on tiles of them.
class Lowering {
public:
  explicit Lowering(ContractOp op) : op(op), b(op.getLoc(), op) {}

  LogicalResult run();

private:
  void addTiledOp();
  AffineMap getMap(unsigned i);
  /// Rows and columns, and perhaps batches.
  unsigned getNumOutputLoops() { return op.hasBatches() ? 3 : 2; }
  /// A static extent of B.
  int64_t getExtentOfB(unsigned dim) {
    return cast<MemRefType>(op.getB().getType())
        .getDimSize(*op.getAxis(1, dim));
  }
  Value addSums(unsigned number);
  void addFunction(ArrayRef<Value> sums);

  ContractOp op;
  ImplicitLocOpBuilder b;
  /// One for each map.
  SmallVector<Value> operands;
};

} // namespace

/// The map of an operand over what the ops loop over: (b, m, n, k) with
/// batches, (t, m, n, k) of windows, otherwise (m, n, k), of a tile without the
/// axis of segments.
AffineMap Lowering::getMap(unsigned i) {
  if (op.hasWindows() && i == 0 && op.getNumGroups() > 1) {
    // The channels of the column's group.
    int64_t channels = getExtentOfB(op.getDimK()),
            columns = getExtentOfB(op.getDimN()) / op.getNumGroups();
    AffineExpr t = b.getAffineDimExpr(0), m = b.getAffineDimExpr(1),
               n = b.getAffineDimExpr(2), k = b.getAffineDimExpr(3);
    return AffineMap::get(4, 0, {m, t, n.floorDiv(columns) * channels + k},
                          op.getContext());
  }
  if (op.hasBatches() || op.hasWindows())
    return op.getMap(i);
  SmallVector<AffineExpr> axes;
  for (AffineExpr expression : op.getMap(i).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expression).getPosition();
    if (!op.hasSegments() || dim != 0)
      axes.push_back(b.getAffineDimExpr(dim - op.getDimM()));
  }
  return AffineMap::get(3, 0, axes, op.getContext());
}

/// Tiles of rows, in whose region everything else is built then.
void Lowering::addTiledOp() {
  SparseIndexType index = op.getIndexType();
  SmallVector<Attribute> dims;
  SmallVector<bool> packed;
  SmallVector<Type> types;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    std::optional<unsigned> rows = op.getAxis(i, op.getDimM()), segments;
    if (op.hasSegments())
      segments = op.getAxis(i, 0);
    bool isPacked = rows && !op.getListed()[i];
    SmallVector<int64_t> row(index.getRank(), -1);
    row[index.getCoordinate()] = rows ? int64_t(*rows) : -1;
    for (int64_t dim : index.getSegmentDims())
      if (segments)
        row[dim] = *segments;
    dims.push_back(b.getDenseI64ArrayAttr(row));
    packed.push_back(isPacked);
    auto type = cast<MemRefType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (rows)
      shape[*rows] = ShapedType::kDynamic;
    if (segments)
      shape.erase(shape.begin() + *segments);
    SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
    types.push_back(
        MemRefType::get(shape, type.getElementType(),
                        StridedLayoutAttr::get(op.getContext(),
                                               ShapedType::kDynamic, strides)));
  }
  bool isFlat = !op.hasSegments() && index.getRank() > 1;
  constexpr int64_t kRows = 64;
  auto tiled = TiledOp::create(
      b, TypeRange(), op.getIndex(), ValueRange(operands).drop_back(),
      operands.back(), b.getArrayAttr(dims), packed, kRows, isFlat,
      /*rule=*/IntegerAttr());
  tiled->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Block &body = tiled.getRegion().emplaceBlock();
  for (auto [argument, type] : llvm::enumerate(types))
    operands[argument] = body.addArgument(type, op.getLoc());
  b.setInsertionPointToEnd(&body);
  YieldOp::create(b, ValueRange());
  b.setInsertionPointToStart(&body);
}

/// The sums of product `number` in C itself or a buffer of their own.
Value Lowering::addSums(unsigned number) {
  Value c = operands.back(), sums = c;
  auto type = cast<MemRefType>(c.getType());
  Type sumType = op.getSumType();
  if (op.getFunction() || type.getElementType() != sumType) {
    SmallVector<Value> dynamic;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        dynamic.push_back(memref::DimOp::create(b, c, dim));
    sums = memref::AllocOp::create(b, MemRefType::get(type.getShape(), sumType),
                                   dynamic);
  }
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
  linalg::FillOp::create(b, zero, sums);
  AffineMap maps[] = {getMap(0), getMap(1 + number),
                      getMap(operands.size() - 1)};
  SmallVector<utils::IteratorType> iterators(getNumOutputLoops(),
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  if (op.hasWindows())
    iterators.insert(iterators.begin(), utils::IteratorType::reduction);
  linalg::GenericOp::create(
      b, ValueRange{operands[0], operands[1 + number]}, ValueRange{sums}, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        auto extend = [&](Value value, bool isUnsigned) -> Value {
          if (value.getType() == sumType)
            return value;
          if (sumType.isFloat())
            return arith::ExtFOp::create(nested, loc, sumType, value);
          if (isUnsigned)
            return arith::ExtUIOp::create(nested, loc, sumType, value);
          return arith::ExtSIOp::create(nested, loc, sumType, value);
        };
        Value left = extend(arguments[0], op.getUnsignedA()),
              right = extend(arguments[1], op.getUnsignedB()), sum;
        if (sumType.isFloat()) {
          Value product = arith::MulFOp::create(nested, loc, left, right);
          sum = arith::AddFOp::create(nested, loc, arguments[2], product);
        } else {
          Value product = arith::MulIOp::create(nested, loc, left, right);
          sum = arith::AddIOp::create(nested, loc, arguments[2], product);
        }
        linalg::YieldOp::create(nested, loc, sum);
      });
  return sums;
}

/// C as the function of the sums, rounded.
void Lowering::addFunction(ArrayRef<Value> sums) {
  Value c = operands.back();
  Block *function = op.getFunction();
  if (!function && sums[0] == c)
    return;
  SmallVector<Value> inputs(sums);
  unsigned first = 1 + op.getNumSums();
  auto getOutputMap = [&](unsigned i) {
    AffineMap map = getMap(i);
    // Nothing but inputs has an axis of places in a window.
    if (op.hasWindows())
      map = map.shiftDims(-1);
    return AffineMap::get(getNumOutputLoops(), 0, map.getResults(),
                          op.getContext());
  };
  SmallVector<AffineMap> maps(sums.size(), getOutputMap(operands.size() - 1));
  for (unsigned i = first; i + 1 < operands.size(); ++i) {
    inputs.push_back(operands[i]);
    maps.push_back(getOutputMap(i));
  }
  maps.push_back(getOutputMap(operands.size() - 1));
  SmallVector<utils::IteratorType> iterators(getNumOutputLoops(),
                                             utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, inputs, ValueRange{c}, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        if (function) {
          IRMapping mapping;
          mapping.map(function->getArguments(),
                      arguments.take_front(function->getNumArguments()));
          for (Operation &scalar : function->without_terminator())
            nested.clone(scalar, mapping);
          value =
              mapping.lookupOrDefault(function->getTerminator()->getOperand(0));
        }
        Type element = getElementTypeOrSelf(c.getType());
        if (value.getType() != element)
          value = arith::TruncFOp::create(nested, loc, element, value);
        linalg::YieldOp::create(nested, loc, value);
      });
}

LogicalResult Lowering::run() {
  ContractDomain domain = op.getDomain();
  bool hasRows = !op.writesAllOfC();
  if (!canLowerContract(op))
    return op.emitOpError("no kernel was planned for the domain '")
           << stringifyContractDomain(domain)
           << "', which nothing else computes";
  operands = op.getMappedOperands();
  if (op.hasWindows())
    operands[0] = createWindows(b, op);
  if (hasRows)
    addTiledOp();
  SmallVector<Value> sums;
  for (unsigned number = 0; number < op.getNumSums(); ++number)
    sums.push_back(addSums(number));
  addFunction(sums);
  op.erase();
  return success();
}

bool mlir::pit::canLowerContract(ContractOp op) {
  return op.writesAllOfC() ||
         llvm::is_contained({ContractDomain::Rows, ContractDomain::Segments},
                            op.getDomain());
}

LogicalResult mlir::pit::lowerContract(ContractOp op) {
  return Lowering(op).run();
}

namespace {

struct PITLowerContracts : pit::impl::PITLowerContractsBase<PITLowerContracts> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](ContractOp op) {
      if (!op.isOnBuffers()) {
        op.emitOpError("is on tensors; bufferize first");
        return WalkResult::interrupt();
      }
      if (PlanAttr plan = op.getPlanAttr()) {
        op.emitOpError("is planned for '")
            << stringifyKernelEngine(plan.getEngine())
            << "', but no conversion emitted its kernel";
        return WalkResult::interrupt();
      }
      return failed(lowerContract(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
