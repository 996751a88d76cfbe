//===- MatchContract.cpp - From pit.contract to matrices ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchContract.h"
#include "MatchOperand.h"
#include "ReportMatch.h"
#include "Version.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Which rows mapped operand `i` has.
static RowAccess getRows(ContractOp op, unsigned i) {
  ContractDomain domain = op.getDomain();
  bool sumsOverList = domain == ContractDomain::Depth || op.hasSegmentDepth();
  if (sumsOverList && op.getAxis(i, op.getDimK()))
    return op.getListed()[i] ? RowAccess::Listed : RowAccess::Packed;
  if (domain != ContractDomain::Rows && domain != ContractDomain::Segments)
    return RowAccess::Same;
  if (!op.getAxis(i, op.getDimM()))
    return RowAccess::Whole;
  return op.getListed()[i] ? RowAccess::Listed : RowAccess::Packed;
}

static MatrixSource getSource(ContractOp op, unsigned i) {
  MatrixSource source;
  source.buffer = op.getMappedOperands()[i];
  source.rows = getRows(op, i);
  if (op.hasOuterDim())
    source.segmentAxis = op.getAxis(i, 0);
  source.isBatched = op.hasBatches() && source.segmentAxis;
  return source;
}

/// Which of a matrix' two axes is that of k, the one of segments, batches or
/// places in a window left out.
static unsigned getAxisOfK(ContractOp op, unsigned i) {
  if (op.hasWindows() && i == 0)
    return 1;
  unsigned axis = *op.getAxis(i, op.getDimK());
  std::optional<unsigned> segment = getSource(op, i).segmentAxis;
  return segment && *segment < axis ? axis - 1 : axis;
}

/// The map of an operand of the epilogue over rows and columns of the output.
static AffineMap getMapOfOutput(ContractOp op, unsigned i) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> axes;
  for (AffineExpr expression : op.getMap(i).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expression).getPosition();
    if (op.hasOuterDim() && dim == 0)
      continue;
    axes.push_back(getAffineDimExpr(dim == op.getDimM() ? 0 : 1, context));
  }
  return AffineMap::get(2, 0, axes, context);
}

/// The op's function, and the buffers that it reads.
static LogicalResult matchFunction(ContractOp op, ContractionMatch &match) {
  Block *body = op.getFunction();
  if (!body)
    return success();
  auto function = std::make_shared<EpilogueFunction>();
  function->region = std::make_unique<Region>();
  Block &block = function->region->emplaceBlock();
  IRMapping mapping;
  for (BlockArgument argument : body->getArguments()) {
    unsigned number = argument.getArgNumber();
    mapping.map(argument,
                block.addArgument(argument.getType(), argument.getLoc()));
    bool isSum = number < op.getNumSums();
    function->inputs.push_back(
        {isSum, isSum ? number : number - op.getNumSums()});
  }
  unsigned first = 1 + op.getNumSums();
  for (unsigned i = 0; i < op.getEpilogueOperands().size(); ++i) {
    std::optional<MatchedOperand> operand =
        matchOperand(getSource(op, first + i), getMapOfOutput(op, first + i));
    if (!operand)
      return failure();
    // The last pair would reach behind the last column.
    bool hasWholePairs =
        ShapedType::isDynamic(match.n) ? isKnownAligned(op) : match.n % 2 == 0;
    if (!hasWholePairs)
      operand->operand.hasPairs = false;
    function->operands.push_back(operand->operand);
    match.epilogueBuffers.emplace_back(operand->buffer, operand->offset);
    match.epilogueMaps.emplace_back(operand->map, operand->segmentAxis);
  }
  OpBuilder b(op.getContext());
  b.setInsertionPointToEnd(&block);
  // Folders take constants out of regions.
  for (Operation &nested : *body)
    for (Value operand : nested.getOperands())
      if (operand.getParentBlock() != body && !mapping.contains(operand)) {
        auto constant = operand.getDefiningOp<arith::ConstantOp>();
        if (!constant)
          return failure();
        mapping.map(operand, b.clone(*constant)->getResult(0));
      }
  for (Operation &nested : body->without_terminator())
    b.clone(nested, mapping);
  linalg::YieldOp::create(b, op.getLoc(),
                          mapping.lookup(body->getTerminator()->getOperand(0)));
  match.epilogue = std::move(function);
  return success();
}

static bool hasF32Output(const ContractionMatch &match) {
  return getElementTypeOrSelf(match.c.buffer).isF32();
}

/// What kernels of threads and warps need of weights: places in a window are
/// part of k, so that the matrices of these follow each other along it.
static LogicalResult checkWeights(const ContractionMatch &match,
                                  const MatchRequirements &needs) {
  int64_t distance = match.layoutB == SharedLayout::KMajor
                         ? match.k
                         : match.k * match.b.stride;
  if (needs.aligned || match.b.segmentStride == distance)
    return success();
  return needs.log.refuse("weights of a place in a window are not right behind "
                          "those of the place before");
}

/// Groups of a convolution as batches.
static LogicalResult setGroups(ContractOp op, ContractionMatch &match,
                               const MatchRequirements &needs) {
  int64_t groups = op.getNumGroups();
  if (groups == 1)
    return success();
  if (needs.aligned)
    return needs.log.refuse(
        "it is grouped: the copy engine would read channels "
        "of other groups");
  match.k /= groups;
  match.n /= groups;
  match.batched = true;
  match.a.segmentAxis = match.a.axes[1];
  match.a.segmentStride = match.k;
  match.c.segmentAxis = match.c.axes[1];
  match.c.segmentStride = match.n;
  return success();
}

/// Of weights and what the epilogue reads, a group has columns of its own.
static void setColumnsOfGroups(ContractionMatch &match) {
  if (!match.window || !match.batched)
    return;
  match.b.segmentStride =
      match.n * (match.layoutB == SharedLayout::KMajor ? match.b.stride : 1);
  if (!match.epilogue)
    return;
  for (EpilogueOperand &operand : match.epilogue->operands) {
    operand.segmentStride = match.n * operand.columnStride;
    operand.hasPairs &= operand.segmentStride % 2 == 0;
  }
}

/// What the index says of the match.
static LogicalResult matchDomain(ContractOp op, ContractionMatch &match,
                                 MatchRequirements needs) {
  switch (op.getDomain()) {
  case ContractDomain::Dense:
    return success();
  case ContractDomain::Batches:
    match.batched = true;
    return success();
  case ContractDomain::Windows:
    match.window = op.getWindowAttr();
    match.k *= match.window.getNumTaps();
    return success();
  case ContractDomain::Segments:
    match.segmented = true;
    match.drawsTiles = drawsTilesOfSegments(op);
    match.hasShortSegments = hasShortSegments(op.getIndex(), op, needs);
    [[fallthrough]];
  case ContractDomain::Rows:
    match.index = op.getIndex();
    match.gathersA = match.a.rows == RowAccess::Listed;
    match.scattersC = match.c.rows == RowAccess::Listed;
    match.m = ShapedType::kDynamic;
    // Where a list of many segments ends must be known where it is launched.
    if (!match.segmented && !getNumSegments(match))
      return failure();
    return success(match.segmented == match.b.segmentAxis.has_value() &&
                   (!match.gathersA || succeeded(canGatherRows(match, needs))));
  case ContractDomain::SegmentDepth:
    match.raggedK = true;
    [[fallthrough]];
  case ContractDomain::Depth:
    match.index = op.getIndex();
    match.gathersK = true;
    if (needs.aligned && (match.a.segmentAxis || match.b.segmentAxis))
      return needs.log.refuse(kSegmentsOfFactors);
    // Rows of A and B are copied; for wgmma, eight columns at a time.
    return success(match.layoutA == SharedLayout::MNMajor &&
                   match.layoutB == SharedLayout::MNMajor &&
                   (!needs.aligned || (ShapedType::isStatic(match.m) &&
                                       match.m > 0 && match.m % 8 == 0)));
  case ContractDomain::MicroTiles: {
    DetectIntoOp detection = getDetection(op.getIndex(), op);
    if (!detection || !needs.aligned || match.b2 || hasF32Output(match))
      return failure();
    if (op.getOfB())
      exchangeOperands(match);
    setDetection(match, detection, op);
    return success();
  }
  case ContractDomain::Blocks: {
    SparseIndexType index = op.getIndexType();
    if (index.getRank() != 2 || !needs.aligned || match.b2 ||
        hasF32Output(match))
      return failure();
    match.index = op.getIndex();
    match.sampled =
        SampledPattern{index.getTile()[0], index.getTile()[1],
                       index.getCoordinate(), unsigned(index.getWidth())};
    return success(match.sampled->getTileRows() != 0 &&
                   match.sampled->getTileColumns() != 0);
  }
  }
  return failure();
}

/// What a mask says of the match.
static LogicalResult matchMask(ContractOp op, ContractionMatch &match) {
  if (ShapedType::isDynamic(match.m) || ShapedType::isDynamic(match.n))
    return failure();
  match.maskedSddmm = MaskedPattern{*match.sampled, op.getMask(),
                                    op.getFill()->convertToFloat()};
  // All of C is computed or filled, whatever is listed.
  match.sampled.reset();
  match.index = Value();
  match.detection = getDetection(op.getIndex(), op);
  match.mayHaveDenseVariant = mayHaveDenseVariant(op);
  return success();
}

LogicalResult mlir::pit::hopper::checkInputTypes(ContractOp op,
                                                 MatchRequirements needs) {
  return checkInputTypes(getElementTypeOrSelf(op.getA()),
                         getElementTypeOrSelf(op.getB()), needs);
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchContract(ContractOp op, MatchRequirements needs) {
  unsigned last = op.getIndexingMaps().size() - 1;
  needs.listedK =
      op.getDomain() == ContractDomain::Depth || op.hasSegmentDepth();
  needs.dynamic = needs.listedK
                      ? !needs.aligned
                      : (!needs.aligned || isKnownAligned(op)) &&
                            (op.getDomain() == ContractDomain::Dense ||
                             op.getDomain() == ContractDomain::Batches);
  if (!op.isOnBuffers())
    return needs.log.refuse("it is on tensors: plans are for buffers");
  if (*op.getAxis(last, op.getDimM()) > *op.getAxis(last, op.getDimN()))
    return needs.log.refuse("C is stored [n, m]: exchange A and B");
  if (failed(checkInputTypes(op, needs)))
    return failure();
  FailureOr<Matrix> a = op.hasWindows()
                            ? matchWindows(op, needs)
                            : matchMatrix(getSource(op, 0), "A", needs),
                    b = matchMatrix(getSource(op, 1), "B", needs),
                    c = matchOutput(getSource(op, last), op.getSumType(),
                                    needs);
  ContractionMatch match;
  match.ops = {op};
  match.isUnsigned[0] = op.getUnsignedA();
  match.isUnsigned[1] = op.getUnsignedB();
  if (failed(a) || failed(b) || failed(c) ||
      failed(setOperands(match, *a, *b, *c, getAxisOfK(op, 0),
                         getAxisOfK(op, 1), needs)))
    return failure();
  if (op.hasWindows() && (failed(setGroups(op, match, needs)) ||
                          failed(checkWeights(match, needs))))
    return failure();
  // Of f32, versions come with fewer columns than wgmma stores at a time.
  if (needs.aligned && ShapedType::isDynamic(match.n) &&
      getElementTypeOrSelf(match.a.buffer).isF32())
    return needs.log.refuse("the number of columns, n, is dynamic");
  if (op.getSecond()) {
    FailureOr<Matrix> second =
        matchMatrix(getSource(op, 2), "the second B", needs);
    if (failed(second))
      return failure();
    if (second->innerAxis != match.b.innerAxis ||
        second->segmentAxis.has_value() != match.b.segmentAxis.has_value() ||
        getAxisOfK(op, 2) != getAxisOfK(op, 1))
      return needs.log.refuse("both B must be stored the same way");
    match.b2 = *second;
  }
  if (failed(matchFunction(op, match)))
    return needs.log.refuse("the epilogue reads an operand whose layout or "
                            "element type no kernel loads");
  if (failed(matchDomain(op, match, needs)))
    return needs.log.refuse("its lists or layouts are not those of the family");
  setColumnsOfGroups(match);
  if (op.getMask() && failed(matchMask(op, match)))
    return needs.log.refuse("the number of rows or columns is dynamic");
  return match;
}

//===----------------------------------------------------------------------===//
// From matches to ops
//===----------------------------------------------------------------------===//

namespace {

class ContractBuilder {
public:
  ContractBuilder(const ContractionMatch &match, ContractDomain domain)
      : match(match), domain(domain),
        b(getProduct(match)->getLoc(), match.ops.back()) {}

  ContractOp run(Value index, Value mask, FloatAttr fill, TiledOp tiled);

private:
  /// Of segments or batches.
  bool hasOuterDim() const {
    return match.segmented || match.batched || match.raggedK;
  }
  AffineExpr getDim(unsigned number) {
    return b.getAffineDimExpr(number + hasOuterDim());
  }
  void addOperand(Value buffer, RowAccess rows, ArrayRef<AffineExpr> axes);
  void addMatrix(const Matrix &matrix, AffineExpr first, AffineExpr second);
  void addInput(const Matrix &matrix, SharedLayout layout, AffineExpr other);
  void addFunction(Region &region);

  const ContractionMatch &match;
  ContractDomain domain;
  ImplicitLocOpBuilder b;
  SmallVector<AffineMap> maps;
  SmallVector<bool> listed;
};

} // namespace

void ContractBuilder::addOperand(Value buffer, RowAccess rows,
                                 ArrayRef<AffineExpr> axes) {
  maps.push_back(AffineMap::get(3 + hasOuterDim(), 0, axes, b.getContext()));
  listed.push_back(rows == RowAccess::Listed);
}

/// A matrix with the dimensions of its two axes.
void ContractBuilder::addMatrix(const Matrix &matrix, AffineExpr first,
                                AffineExpr second) {
  SmallVector<AffineExpr> axes(
      cast<MemRefType>(matrix.buffer.getType()).getRank());
  axes[matrix.axes[0]] = first;
  axes[matrix.axes[1]] = second;
  if (matrix.segmentAxis)
    axes[*matrix.segmentAxis] = b.getAffineDimExpr(0);
  addOperand(matrix.buffer, matrix.rows, axes);
}

/// A matrix of k and another dimension.
void ContractBuilder::addInput(const Matrix &matrix, SharedLayout layout,
                               AffineExpr other) {
  AffineExpr k = getDim(2);
  bool isKInner = layout == SharedLayout::KMajor;
  if (isKInner == (matrix.innerAxis == 1))
    addMatrix(matrix, other, k);
  else
    addMatrix(matrix, k, other);
}

void ContractBuilder::addFunction(Region &region) {
  EpilogueFunction &function = *match.epilogue;
  Block &body = function.getBody(), &block = region.emplaceBlock();
  Location loc = b.getLoc();
  // Sums come first.
  SmallVector<BlockArgument> sums, operands;
  for (unsigned i = 0; i < (match.b2 ? 2u : 1u); ++i)
    sums.push_back(block.addArgument(
        ContractOp::getSumType(getElementTypeOrSelf(match.a.buffer)), loc));
  for (const EpilogueOperand &operand : function.operands)
    operands.push_back(block.addArgument(operand.type, loc));
  IRMapping mapping;
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), function.inputs))
    mapping.map(argument,
                input.isProduct ? sums[input.number] : operands[input.number]);
  auto inside = OpBuilder::atBlockEnd(&block);
  for (Operation &nested : body.without_terminator())
    inside.clone(nested, mapping);
  YieldOp::create(inside, loc,
                  mapping.lookup(body.getTerminator()->getOperand(0)));
}

ContractOp ContractBuilder::run(Value index, Value mask, FloatAttr fill,
                                TiledOp tiled) {
  AffineExpr m = getDim(0), n = getDim(1);
  addInput(match.a, match.layoutA, m);
  addInput(match.b, match.layoutB, n);
  Value second;
  if (match.b2) {
    addInput(*match.b2, match.layoutB, n);
    second = match.b2->buffer;
  }
  SmallVector<Value> operands;
  for (auto [i, source] : llvm::enumerate(match.epilogueBuffers)) {
    auto [map, segmentAxis] = match.epilogueMaps[i];
    SmallVector<AffineExpr> axes;
    for (AffineExpr expression : map.getResults())
      axes.push_back(cast<AffineDimExpr>(expression).getPosition() == 0 ? m
                                                                        : n);
    if (segmentAxis)
      axes.insert(axes.begin() + *segmentAxis, b.getAffineDimExpr(0));
    addOperand(source.first,
               match.epilogue->operands[i].isListed ? RowAccess::Listed
                                                    : RowAccess::Same,
               axes);
    operands.push_back(source.first);
  }
  addMatrix(match.c, m, n);
  auto op = ContractOp::create(
      b, /*result=*/Type(), domain, index, match.a.buffer, match.b.buffer,
      second, operands, match.c.buffer, mask, b.getAffineMapArrayAttr(maps),
      listed, /*of_b=*/match.exchanged, match.isUnsigned[0],
      match.isUnsigned[1], fill, /*window=*/WindowAttr(),
      /*plan=*/PlanAttr());
  if (match.epilogue)
    addFunction(op.getEpilogue());
  if (tiled)
    op->setDiscardableAttrs(llvm::to_vector(tiled->getDiscardableAttrs()));
  for (Operation *dead : llvm::reverse(match.ops))
    dead->erase();
  return op;
}

static ContractDomain getDomain(const ContractionMatch &match) {
  if (match.sampled || match.maskedSddmm)
    return ContractDomain::Blocks;
  return match.raggedK     ? ContractDomain::SegmentDepth
         : match.gathersK  ? ContractDomain::Depth
         : match.batched   ? ContractDomain::Batches
         : match.segmented ? ContractDomain::Segments
         : match.detection ? ContractDomain::MicroTiles
         : match.index     ? ContractDomain::Rows
                           : ContractDomain::Dense;
}

ContractOp mlir::pit::hopper::formContract(const ContractionMatch &match,
                                           TiledOp tiled) {
  // Ops name operands as the program does.
  ContractionMatch plain = match;
  if (match.exchanged)
    exchangeOperands(plain);
  bool ofB = match.exchanged;
  Value mask;
  FloatAttr fill;
  if (match.maskedSddmm) {
    mask = match.maskedSddmm->mask;
    fill = FloatAttr::get(Float32Type::get(mask.getContext()),
                          match.maskedSddmm->fill);
  }
  ContractOp op =
      ContractBuilder(plain, getDomain(match))
          .run(tiled ? tiled.getIndex() : Value(), mask, fill, tiled);
  op.setOfB(ofB);
  return op;
}

void mlir::pit::hopper::eraseContract(ContractOp op) {
  Value index = op.getIndex();
  op.erase();
  auto assemble = index ? index.getDefiningOp<AssembleOp>() : AssembleOp();
  if (assemble && assemble->use_empty())
    assemble->erase();
}
