//===- Contract.cpp - Contractions as kernels compute them ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verification.h"

#include "PIT/Dialect/PIT/IR/PITFamilies.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;

SparseIndexType ContractOp::getIndexType() {
  return getIndex() ? pit::getIndexType(getIndex()) : SparseIndexType();
}

SmallVector<Value> ContractOp::getMappedOperands() {
  SmallVector<Value> operands{getA(), getB()};
  if (getSecond())
    operands.push_back(getSecond());
  llvm::append_range(operands, getEpilogueOperands());
  operands.push_back(getInit());
  return operands;
}

std::optional<unsigned> ContractOp::getAxis(unsigned i, unsigned dim) {
  for (auto [axis, expression] : llvm::enumerate(getMap(i).getResults()))
    if (auto plain = dyn_cast<AffineDimExpr>(expression);
        plain && plain.getPosition() == dim)
      return axis;
  return std::nullopt;
}

void ContractOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!isOnBuffers())
    return;
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    bool isOutput = isDpsInit(&operand);
    // Where not all of C has points, the rest stays.
    if (!isOutput || !writesAllOfC())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isOutput)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

Type ContractOp::getSumType(Type input) {
  if (input.isF64())
    return input;
  if (input.isSignlessInteger(8))
    return IntegerType::get(input.getContext(), 32);
  auto type = dyn_cast<FloatType>(input);
  return type && type.getWidth() <= 32 ? Float32Type::get(input.getContext())
                                       : Type();
}

Type ContractOp::getValueType(Type output) {
  auto type = dyn_cast<FloatType>(output);
  return type && type.getWidth() <= 32 ? Float32Type::get(output.getContext())
                                       : output;
}

static Type getElement(Value operand) {
  return getElementTypeOrSelf(operand.getType());
}

/// C2: which axes which operand has.
static LogicalResult verifyMaps(ContractOp op, ArrayRef<Value> operands) {
  if (op.getIndexingMaps().size() != operands.size())
    return op.emitOpError("C2: needs one map for each of ")
           << operands.size() << " operands, got "
           << op.getIndexingMaps().size();
  unsigned numSums = op.getNumSums();
  for (size_t i = 0; i < operands.size(); ++i) {
    Value operand = operands[i];
    AffineMap map = op.getMap(i);
    auto fail = [&](const Twine &what) {
      return op.emitOpError("C2: map ")
             << i << " " << what << ", got " << AffineMapAttr::get(map)
             << " for " << operand.getType();
    };
    int64_t rank = cast<ShapedType>(operand.getType()).getRank();
    bool isWindows = op.hasWindows() && i == 0;
    if (isWindows)
      // Places in a window are an axis for each of its own.
      rank += 1 - int64_t(op.getWindowAttr().getNumAxes());
    if (map.getNumDims() != op.getNumDims() || map.getNumSymbols() != 0 ||
        static_cast<int64_t>(map.getNumResults()) != rank)
      return fail("must be over " + Twine(op.getNumDims()) +
                  " dimensions and have one result per axis");
    if (!map.isProjectedPermutation())
      return fail("must name distinct dimensions");
    bool hasM = op.getAxis(i, op.getDimM()).has_value(),
         hasN = op.getAxis(i, op.getDimN()).has_value(),
         hasK = op.getAxis(i, op.getDimK()).has_value();
    bool hasOuter = op.hasOuterDim() && op.getAxis(i, 0).has_value();
    bool isA = i == 0, isB = i >= 1 && i <= numSums,
         isC = i + 1 == operands.size();
    if (isA && (!hasM || !hasK || hasN))
      return fail("of A must have m and k, and not n");
    if (isB && (!hasN || !hasK || hasM))
      return fail("of B must have n and k, and not m");
    if (isC && (!hasM || !hasN || hasK))
      return fail("of C must have m and n, and not k");
    if (!isA && !isB && hasK)
      return fail("of an operand must not have k");
    // What is packed has the rows of all segments one behind the other.
    if (op.hasSegmentDepth() && (isA || isB) && hasOuter &&
        i < op.getListed().size() && !op.getListed()[i])
      return fail("must not have the axis of segments, whose k it has packed");
    if (op.hasSegmentDepth() && isC && !hasOuter)
      return fail("of C must have the axis of segments");
    if (op.hasBatches() && isC && !hasOuter)
      return fail("of C must have the axis of batches");
    if (op.hasWindows() && hasOuter != (isA || isB))
      return fail(isB ? "of B must have the axis of places in a window"
                      : "must not have an axis of places in a window");
    if (isWindows &&
        (op.getAxis(i, op.getDimM()) != 0 || op.getAxis(i, op.getDimK()) != 2))
      return fail("of A must be (m, t, k)");
  }
  if (op.hasBatches() && !op.getAxis(0, 0) && !op.getAxis(1, 0))
    return op.emitOpError("C2: A or B must have the axis of batches");
  return success();
}

/// C3.
static LogicalResult verifyElements(ContractOp op) {
  SmallVector<Value> operands = op.getMappedOperands();
  Type input = getElement(op.getA()), output = getElement(op.getInit());
  for (unsigned i = 1; i <= op.getNumSums(); ++i)
    if (getElement(operands[i]) != input)
      return op.emitOpError("C3: A and B must have one element type, got ")
             << input << " and " << getElement(operands[i]);
  Type sum = op.getSumType();
  if (!sum)
    return op.emitOpError("C3: A and B must have floats of at most 64 bits or "
                          "i8, not ")
           << input;
  auto asFloat = dyn_cast<FloatType>(output);
  if (!(asFloat && asFloat.getWidth() <= 64) && !output.isSignlessInteger(8) &&
      !output.isSignlessInteger(32))
    return op.emitOpError("C3: C must have floats of at most 64 bits, i8 or "
                          "i32, not ")
           << output;
  if (!op.getFunction() && ContractOp::getValueType(output) != sum)
    return op.emitOpError("C3: without an epilogue, sums of ")
           << sum << " are not rounded to " << output;
  if ((op.getUnsignedA() || op.getUnsignedB()) && !input.isInteger())
    return op.emitOpError("C3: only i8 can be unsigned, not ") << input;
  return success();
}

/// C5.
static LogicalResult verifyFunction(ContractOp op) {
  Type sum = op.getSumType();
  Type result = ContractOp::getValueType(getElement(op.getInit()));
  Block *body = op.getFunction();
  if (!body)
    return op.getSecond() ? op.emitOpError("C5: two sums need an epilogue that "
                                           "makes one value of them")
                          : success();
  unsigned numSums = op.getNumSums();
  auto isArgument = [&](BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    return number < numSums
               ? argument.getType() == sum
               : argument.getType() ==
                     getElement(op.getEpilogueOperands()[number - numSums]);
  };
  if (body->getNumArguments() != numSums + op.getEpilogueOperands().size() ||
      !llvm::all_of(body->getArguments(), isArgument))
    return op.emitOpError("C5: the epilogue's arguments must be ")
           << numSums << " " << sum << " and one element of each operand";
  auto yield = dyn_cast_or_null<YieldOp>(body->getTerminator());
  if (!yield || yield.getNumOperands() != 1 ||
      yield.getOperand(0).getType() != result)
    return op.emitOpError("C5: the epilogue must yield one ") << result;
  for (Operation &nested : body->without_terminator())
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            nested.getDialect()) ||
        nested.getNumRegions() != 0)
      return op.emitOpError("C5: the epilogue must consist of ops of arith "
                            "and math, not '")
             << nested.getName() << "'";
  return success();
}

int64_t ContractOp::getNumGroups() {
  if (!hasWindows())
    return 1;
  int64_t channels = cast<ShapedType>(getA().getType()).getShape().back(),
          ofGroup = cast<ShapedType>(getB().getType())
                        .getDimSize(*getAxis(1, getDimK()));
  bool isKnown = ShapedType::isStatic(channels) &&
                 ShapedType::isStatic(ofGroup) && ofGroup > 0;
  return isKnown ? channels / ofGroup : 1;
}

/// C2, of a grouped convolution.
static LogicalResult verifyGroups(ContractOp op) {
  int64_t groups = op.getNumGroups();
  auto typeOf = [](Value operand) {
    return cast<ShapedType>(operand.getType());
  };
  int64_t channels = typeOf(op.getA()).getShape().back(),
          ofGroup = typeOf(op.getB()).getDimSize(*op.getAxis(1, op.getDimK()));
  bool isKnown =
      ShapedType::isStatic(channels) && ShapedType::isStatic(ofGroup);
  if (isKnown && channels != groups * ofGroup)
    return op.emitOpError("C2: A has ")
           << channels << " channels, which are no groups of " << ofGroup
           << " as B has";
  unsigned last = op.getIndexingMaps().size() - 1;
  int64_t columns =
      typeOf(op.getInit()).getDimSize(*op.getAxis(last, op.getDimN()));
  if (groups > 1 && (ShapedType::isDynamic(columns) || columns % groups != 0))
    return op.emitOpError("C2: C has ")
           << columns << " columns, which are not of " << groups << " groups";
  return success();
}

/// C7. Which families compute which domain is what `--pit-plan-kernels`
/// chooses from.
bool mlir::pit::computesDomain(KernelFamily family, ContractDomain domain,
                               bool masked) {
  switch (domain) {
  case ContractDomain::Dense:
    return family == KernelFamily::Gemm;
  case ContractDomain::Rows:
    return family == KernelFamily::Gather;
  case ContractDomain::Segments:
    return family == KernelFamily::Grouped;
  case ContractDomain::Depth:
    return family == KernelFamily::ListedK;
  case ContractDomain::SegmentDepth:
    return family == KernelFamily::RaggedK;
  case ContractDomain::MicroTiles:
    return family == KernelFamily::BlockWalk ||
           family == KernelFamily::Packed || family == KernelFamily::Pieces;
  case ContractDomain::Batches:
    return family == KernelFamily::Batched;
  case ContractDomain::Windows:
    return family == KernelFamily::Convolution;
  case ContractDomain::Blocks:
    return family ==
           (masked ? KernelFamily::SampledOrFill : KernelFamily::Sampled);
  }
  return false;
}

LogicalResult ContractOp::verify() {
  ContractDomain domain = getDomain();
  if (writesAllOfC() == (getIndex() != nullptr))
    return emitOpError("C1: the domain '")
           << stringifyContractDomain(domain)
           << (getIndex() ? "' has no index" : "' needs an index");
  if ((getMask() != nullptr) != getFill().has_value() ||
      (getMask() && domain != ContractDomain::Blocks))
    return emitOpError("C1: a mask and what it fills with come together, in "
                       "the domain 'blocks'");
  if (hasWindows() != bool(getWindowAttr()) || (hasWindows() && getSecond()))
    return emitOpError("C1: the domain 'windows' needs a window, and no second "
                       "product; others have none");
  if (getOfB() && domain != ContractDomain::MicroTiles)
    return emitOpError("C1: only micro-tiles can be 'of_b'");
  SmallVector<Value> operands = getMappedOperands();
  if (failed(verifyMaps(*this, operands)))
    return failure();
  if (failed(verifyElements(*this)))
    return failure();
  if (hasWindows() && failed(verifyGroups(*this)))
    return failure();
  bool mayList =
      domain == ContractDomain::Rows || domain == ContractDomain::Segments;
  if (getListed().size() != operands.size())
    return emitOpError("C4: 'listed' needs one entry for each of ")
           << operands.size() << " operands";
  auto hasLists = [&](unsigned i) {
    return (mayList && getAxis(i, getDimM())) ||
           ((domain == ContractDomain::Depth || hasSegmentDepth()) &&
            getAxis(i, getDimK()));
  };
  for (auto [i, listed] : llvm::enumerate(getListed()))
    if (listed && !hasLists(i))
      return emitOpError("C4: operand ")
             << i << " has no listed rows in the domain '"
             << stringifyContractDomain(domain) << "'";
  if (failed(verifyFunction(*this)))
    return failure();
  bool onBuffers = isOnBuffers();
  for (Value operand : operands)
    if (isa<MemRefType>(operand.getType()) != onBuffers)
      return emitOpError("C6: mixes tensors and buffers");
  if (getIndex() && isa<IndexBufferType>(getIndex().getType()) != onBuffers)
    return emitOpError("C6: mixes tensors and buffers");
  if (onBuffers == (getResult() != nullptr) ||
      (getResult() && getResult().getType() != getInit().getType()))
    return emitOpError("C6: has the type of C as its result on tensors, and "
                       "none on buffers");
  if (PlanAttr plan = getPlanAttr();
      plan && !computesDomain(plan.getFamily(), domain, getMask() != nullptr))
    return emitOpError("C7: the plan's family '")
           << stringifyKernelFamily(plan.getFamily())
           << "' does not compute the domain '"
           << stringifyContractDomain(domain) << "'"
           << (getMask() ? " with a mask" : "");
  return success();
}
