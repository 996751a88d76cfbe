//===- FormOnTensors.cpp - pit.contract formed on tensors -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormOnTensors.h"
#include "FormWindows.h"
#include "ReportParts.h"
#include "TensorProduct.h"
#include "TransposeBytes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// How an operand of a kernel is accessed: the value, its map over the
/// kernel's dimensions, and whether its rows are listed.
struct Access {
  Value value;
  AffineMap map;
  bool listed = false;
};

/// One op to be made.
struct Formed {
  ContractDomain domain = ContractDomain::Dense;
  Value index;
  Access a, b;
  std::optional<Access> second;
  SmallVector<Access> operands;
  Access c;
  /// Whether inputs are unsigned integers: A, B.
  bool isUnsigned[2] = {false, false};
};

} // namespace

static bool isStaticMatrix(AffineMap map, RankedTensorType type,
                           ArrayRef<unsigned> dims) {
  for (auto [axis, expression] : llvm::enumerate(map.getResults()))
    if (llvm::is_contained(dims,
                           cast<AffineDimExpr>(expression).getPosition()) &&
        (type.isDynamicDim(axis) || type.getDimSize(axis) == 0))
      return false;
  return true;
}

/// Whether kernels of tiles may take it: n and k are known, and there is
/// something to add up.
static bool hasKnownExtents(const TensorKernel &kernel) {
  auto typeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType());
  };
  const TensorProduct &product = kernel.product;
  return isStaticMatrix(product.mapA, typeOf(product.a), {product.getDimK()}) &&
         isStaticMatrix(product.mapB, typeOf(product.b),
                        {product.getDimN(), product.getDimK()});
}

/// A map over rows and columns as one over (m, n, k).
static AffineMap getMapOfOutput(AffineMap map) {
  return AffineMap::get(3, 0, map.getResults(), map.getContext());
}

static ContractOp createContract(OpBuilder &b, Location loc,
                                 const Formed &formed, Region *function,
                                 Type result) {
  SmallVector<AffineMap> maps;
  SmallVector<bool> listed;
  auto add = [&](const Access &access) {
    maps.push_back(access.map);
    listed.push_back(access.listed);
    return access.value;
  };
  Value a = add(formed.a), matrixB = add(formed.b), second;
  if (formed.second)
    second = add(*formed.second);
  SmallVector<Value> operands;
  for (const Access &operand : formed.operands)
    operands.push_back(add(operand));
  Value c = add(formed.c);
  auto op = ContractOp::create(
      b, loc, result, formed.domain, formed.index, a, matrixB, second, operands,
      c, /*mask=*/Value(), b.getAffineMapArrayAttr(maps), listed,
      /*of_b=*/false, formed.isUnsigned[0], formed.isUnsigned[1],
      /*fill=*/FloatAttr(), /*window=*/WindowAttr(), /*plan=*/PlanAttr());
  if (function)
    op.getEpilogue().takeBody(*function);
  return op;
}

//===----------------------------------------------------------------------===//
// Whole matrices
//===----------------------------------------------------------------------===//

static Formed formDense(const TensorKernel &kernel) {
  Formed formed;
  AffineMap c = kernel.product.mapC;
  if (kernel.product.hasBatches())
    formed.domain = ContractDomain::Batches;
  llvm::copy(kernel.product.isUnsigned, formed.isUnsigned);
  formed.a = {kernel.product.a, kernel.product.mapA};
  formed.b = {kernel.product.b, kernel.product.mapB};
  if (kernel.second)
    formed.second = Access{kernel.second->b, kernel.second->mapB};
  for (auto [value, map] : llvm::zip_equal(kernel.operands, kernel.maps))
    formed.operands.push_back({value, map.compose(c)});
  formed.c = {kernel.init, c};
  return formed;
}

//===----------------------------------------------------------------------===//
// Tiles of listed rows
//===----------------------------------------------------------------------===//

namespace {

/// A tiled op over lists of single rows, of one or many segments.
class ListedRows {
public:
  explicit ListedRows(TiledOp op)
      : op(op), index(op.getIndexType()),
        isOneList(index.getRank() == 1 || op.getFlat()) {}

  FailureOr<Formed> form(const TensorKernel &kernel);

private:
  bool hasSegments() const { return !isOneList; }
  FailureOr<Access> getAccess(Value tile, AffineMap map);
  FailureOr<Access> getRows(Value tile, AffineMap map);
  bool isListedOnce();

  TiledOp op;
  SparseIndexType index;
  bool isOneList;
};

} // namespace

/// The access of the operand whose tile is read by a map over (m, n, k).
FailureOr<Access> ListedRows::getAccess(Value tile, AffineMap map) {
  auto argument = dyn_cast<BlockArgument>(tile);
  if (!argument || argument.getOwner() != &op.getRegion().front())
    return failure();
  unsigned number = argument.getArgNumber();
  Access access;
  access.value = op->getOperand(1 + number);
  bool packed = op.getPacked()[number];
  ArrayRef<int64_t> dims = op.getOperandDims(number);
  int64_t axisOfRows = dims[index.getCoordinate()];
  std::optional<int64_t> axisOfSegments;
  for (auto [dim, axis] : llvm::enumerate(dims))
    if (int64_t(dim) != index.getCoordinate() && axis >= 0)
      axisOfSegments = axis;
  if ((packed && (axisOfRows < 0 || axisOfSegments)) ||
      (axisOfSegments && isOneList))
    return failure();
  access.listed = !packed && axisOfRows >= 0;
  // The tile has the operand's axes but for that of the segments.
  auto dim = [&](unsigned number) {
    return getAffineDimExpr(number + hasSegments(), op.getContext());
  };
  SmallVector<AffineExpr> axes;
  for (AffineExpr expression : map.getResults())
    axes.push_back(dim(cast<AffineDimExpr>(expression).getPosition()));
  if (axisOfSegments)
    axes.insert(axes.begin() + *axisOfSegments,
                getAffineDimExpr(0, op.getContext()));
  int64_t rank = cast<ShapedType>(access.value.getType()).getRank();
  if (int64_t(axes.size()) != rank)
    return failure();
  // Rows are m, and m is rows; they are the first axis.
  for (auto [axis, expression] : llvm::enumerate(axes))
    if ((expression == dim(0)) != (int64_t(axis) == axisOfRows))
      return failure();
  if (axisOfRows >= 0 && axisOfRows != (axisOfSegments == 0 ? 1 : 0))
    return failure();
  access.map = AffineMap::get(3 + hasSegments(), 0, axes, op.getContext());
  return access;
}

/// The same of an operand that has rows.
FailureOr<Access> ListedRows::getRows(Value tile, AffineMap map) {
  auto argument = dyn_cast<BlockArgument>(tile);
  if (!argument || argument.getOwner() != &op.getRegion().front() ||
      op.getOperandDims(argument.getArgNumber())[index.getCoordinate()] < 0)
    return failure();
  return getAccess(tile, map);
}

/// Whether the lists are those of a detection that names each row once.
bool ListedRows::isListedOnce() {
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  Value coords = assemble ? assemble.getCoords() : Value();
  while (auto cast =
             coords ? coords.getDefiningOp<tensor::CastOp>() : tensor::CastOp())
    coords = cast.getSource();
  auto detect = coords ? coords.getDefiningOp<DetectIntoOp>() : DetectIntoOp();
  return detect && detect.getIndexType() == index &&
         pit::listsRowsOnce(detect.getPattern(), index);
}

FailureOr<Formed> ListedRows::form(const TensorKernel &kernel) {
  auto yield = cast<YieldOp>(op.getRegion().front().getTerminator());
  if (yield.getValues().size() != 1 || yield.getValues()[0] != kernel.result)
    return failure();
  // Where a list of many segments ends must be known where it is launched.
  if (isOneList && llvm::any_of(index.getSegmentDims(), [&](int64_t dim) {
        return index.isDynamicExtent(dim);
      }))
    return failure();
  Formed formed;
  formed.domain = isOneList ? ContractDomain::Rows : ContractDomain::Segments;
  formed.index = op.getIndex();
  const TensorProduct &product = kernel.product;
  FailureOr<Access> a = getRows(product.a, product.mapA),
                    b = getAccess(product.b, product.mapB);
  unsigned output = op.getInputs().size();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(2, op.getContext());
  FailureOr<Access> c = getRows(op.getRegion().front().getArgument(output),
                                getMapOfOutput(identity));
  if (failed(a) || failed(b) || failed(c) || b->listed)
    return failure();
  auto hasSegmentAxis = [&](const Access &access) {
    return hasSegments() && access.map.isFunctionOfDim(0);
  };
  if (hasSegmentAxis(*a) || hasSegments() != hasSegmentAxis(*b))
    return failure();
  // Rows of A are gathered as they lie, along k.
  if (a->listed &&
      product.mapA.getDimPosition(product.mapA.getNumResults() - 1) != 2)
    return failure();
  // Rows of C must be distinct.
  if (index.getRank() > 1 && c->listed && !hasSegmentAxis(*c) &&
      !isListedOnce())
    return failure();
  formed.a = *a, formed.b = *b, formed.c = *c;
  llvm::copy(product.isUnsigned, formed.isUnsigned);
  if (kernel.second) {
    FailureOr<Access> second = getAccess(kernel.second->b, kernel.second->mapB);
    if (failed(second) || second->listed ||
        hasSegmentAxis(*second) != hasSegmentAxis(*b))
      return failure();
    formed.second = *second;
  }
  for (auto [value, map] : llvm::zip_equal(kernel.operands, kernel.maps)) {
    FailureOr<Access> operand = getAccess(value, getMapOfOutput(map));
    if (failed(operand))
      return failure();
    formed.operands.push_back(*operand);
  }
  return formed;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool listsRows(SparseIndexType index) {
  return index.getRank() <= 2 &&
         llvm::all_of(index.getTile().asArrayRef(),
                      [](int64_t size) { return size == 1; });
}

/// The tiled op as one product of listed rows, if it is nothing else.
static bool formTiled(TiledOp op) {
  if (op.isOnBuffers() || op.getOutputs().size() != 1 ||
      !listsRows(op.getIndexType()))
    return false;
  for (auto candidate : op.getRegion().front().getOps<linalg::LinalgOp>()) {
    FailureOr<TensorProduct> product = matchTensorProduct(candidate);
    if (failed(product))
      continue;
    TensorKernel kernel = followProduct(*product);
    if (!hasKnownExtents(kernel))
      return false;
    FailureOr<Formed> formed = ListedRows(op).form(kernel);
    // Of two products, the function is that of the first.
    if (failed(formed))
      continue;
    OpBuilder b(op);
    reportParts(kernel.parts, op);
    ContractOp contract =
        createContract(b, op.getLoc(), *formed, kernel.function.get(),
                       op.getResult(0).getType());
    contract->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op->replaceAllUsesWith(contract);
    op->erase();
    return true;
  }
  return false;
}

/// Erases an op, and what was computed for it alone.
static void eraseDead(Operation *op, DenseSet<Operation *> &erased) {
  Block *block = op->getBlock();
  SmallVector<Operation *> dead{op};
  while (!dead.empty()) {
    Operation *next = dead.pop_back_val();
    // One with two results is met twice.
    if (erased.contains(next) || !isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && operand.hasOneUse() && def->getBlock() == block)
        dead.push_back(def);
    erased.insert(next);
    next->erase();
  }
}

/// The convolution and what follows it, in the last op's place.
static bool formConvolution(linalg::LinalgOp op, MatrixElement elements,
                            DenseSet<Operation *> &erased) {
  Refusals refusals(op);
  FailureOr<Operation *> last =
      formWindows(op, elements, MatchLog(refusals, "convolution"));
  if (failed(last)) {
    refusals.tell(op, "a wgmma kernel", "one thread for each element");
    return false;
  }
  refusals.tell(op, "a kernel that reads windows",
                "windows side by side in memory, and a product of matrices");
  eraseDead(*last, erased);
  return true;
}

/// The product and what follows it, in the last op's place.
static bool formStructured(linalg::LinalgOp op, MatrixElement batched,
                           MatrixElement ofWarpgroups,
                           DenseSet<Operation *> &erased) {
  FailureOr<TensorProduct> product = matchTensorProduct(op, batched);
  if (failed(product))
    return batched != MatrixElement::None &&
           formConvolution(op, batched, erased);
  TensorKernel kernel = followProduct(*product, batched);
  if (!hasKnownExtents(kernel))
    return false;
  transposeBytes(kernel, ofWarpgroups);
  Operation *last = kernel.result.getDefiningOp();
  OpBuilder b(last);
  reportParts(kernel.parts, op);
  ContractOp contract =
      createContract(b, op->getLoc(), formDense(kernel), kernel.function.get(),
                     kernel.result.getType());
  kernel.result.replaceAllUsesWith(contract.getResult());
  eraseDead(last, erased);
  return true;
}

unsigned mlir::pit::formKernelsOnTensors(func::FuncOp function,
                                         MatrixElement batched,
                                         MatrixElement ofWarpgroups) {
  if (function.isExternal())
    return 0;
  unsigned count = 0;
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    ops.push_back(&op);
  // What kernels compute besides has no users any more.
  DenseSet<Operation *> erased;
  for (Operation *op : ops) {
    if (erased.contains(op))
      continue;
    if (auto tiled = dyn_cast<TiledOp>(op))
      count += formTiled(tiled);
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      count += formStructured(structured, batched, ofWarpgroups, erased);
  }
  return count;
}
