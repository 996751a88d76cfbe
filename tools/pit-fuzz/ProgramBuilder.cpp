//===- ProgramBuilder.cpp - A program that grows --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

ProgramBuilder::ProgramBuilder(MLIRContext *context, uint64_t seed)
    : random(seed), builder(context), loc(builder.getUnknownLoc()),
      module(ModuleOp::create(loc)), sourceRandom(seed * 2 + 1) {
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, loc, "main",
                                  builder.getFunctionType({}, {}));
  block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);

  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  element = pick({f32, f32, f32, f32, Type(builder.getF16Type()),
                  Type(builder.getBF16Type()), Type(builder.getF64Type()), i32,
                  i32, Type(builder.getI8Type()), Type(builder.getI64Type())});
  isExact = chance(0.7);
  markProbability = pick({0.2, 0.5, 0.8});
  // Mostly small, some that are odd to tiles and vectors.
  bool anyDynamic = chance(0.5);
  numFirstExtents = size_t(random.integer(3, 7));
  for (size_t i = 0; i < numFirstExtents; ++i) {
    int64_t value = pick<int64_t>({1,  2,  3,  4,  5,  6,  7,  8,  9,  11,
                                   12, 13, 16, 17, 19, 24, 31, 32, 33, 64});
    if (value > 16 && chance(0.5))
      value = random.integer(2, 10);
    // What no analysis may depend on.
    if (chance(0.12))
      value = 1;
    if (chance(0.02))
      value = 0;
    addExtent(value, anyDynamic && chance(0.5));
  }
  writesMarks = chance(0.5);
}

OwningOpRef<ModuleOp> ProgramBuilder::finish() {
  SmallVector<Value> results;
  for (const Operand &operand : llvm::reverse(pool))
    if (operand.value.use_empty() && results.size() < 3 &&
        (!isa<BlockArgument>(operand.value) || results.empty()))
      results.push_back(operand.value);
  // Values that others read may be returned as well.
  if (chance(0.15)) {
    Value value = pick(pool).value;
    if (!llvm::is_contained(results, value))
      results.push_back(value);
  }
  return finish(results);
}

OwningOpRef<ModuleOp> ProgramBuilder::finish(ArrayRef<Value> results,
                                             bool mayHaveAttributes) {
  auto end = func::ReturnOp::create(builder, loc, results);
  // Some marks of arguments are written as attributes. Those of an argument
  // that is another such mark's pattern are not: the pattern would be what is
  // marked then, of which a bound on the pattern may be untrue.
  SmallVector<std::pair<unsigned, Attribute>> marks;
  DenseSet<Value> patternsOfMarks;
  for (BlockArgument argument : block->getArguments()) {
    auto mark = argument.hasOneUse()
                    ? dyn_cast<SparseOp>(*argument.getUsers().begin())
                    : SparseOp();
    if (!mark || !mayHaveAttributes ||
        mark->hasAttr(mlir::pit::PITDialect::SourceAttrHelper::getNameStr()) ||
        mark.getSource() != argument || mark.getBy() == argument ||
        !canBeAttribute(mark.getBy(), nullptr) ||
        patternsOfMarks.contains(argument) || chance(0.5))
      continue;
    count("mark as attribute");
    if (mark.getBy())
      patternsOfMarks.insert(mark.getBy());
    marks.push_back(
        {argument.getArgNumber(), markAttribute(mark, /*isNamed=*/true)});
    mark.replaceAllUsesWith(mark.getSource());
    mark.erase();
  }
  function.setFunctionType(builder.getFunctionType(block->getArgumentTypes(),
                                                   end.getOperandTypes()));
  for (auto [number, mark] : marks)
    function.setArgAttr(
        number, mlir::pit::PITDialect::SparseAttrHelper::getNameStr(), mark);
  function->setAttr(kInputsAttrName, builder.getArrayAttr(specs));
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

unsigned ProgramBuilder::addExtent(int64_t value, bool isDynamic, Value size) {
  extents.push_back({value, isDynamic, size});
  return unsigned(extents.size() - 1);
}

int64_t ProgramBuilder::countElements(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned dim : dims)
    count *= extentOf(dim);
  return count;
}

/// Extents that no argument has yet are arguments of their own.
Value ProgramBuilder::sizeOf(unsigned number) {
  if (Value size = extents[number].size)
    return size;
  int64_t value = extents[number].value;
  if (!extents[number].isDynamic) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    return extents[number].size =
               arith::ConstantIndexOp::create(builder, loc, value);
  }
  DataSpec spec;
  spec.lo = value;
  spec.hi = value + 1;
  specs.push_back(builder.getStringAttr(spec.print()));
  Value size = block->addArgument(builder.getIndexType(), loc);
  extents[number].size = size;
  return size;
}

OpFoldResult ProgramBuilder::mixedSize(unsigned extent) {
  if (!isDynamic(extent))
    return builder.getIndexAttr(extentOf(extent));
  return sizeOf(extent);
}

RankedTensorType ProgramBuilder::typeOf(ArrayRef<unsigned> dims,
                                        Type type) const {
  SmallVector<int64_t> shape;
  for (unsigned dim : dims)
    shape.push_back(isDynamic(dim) ? ShapedType::kDynamic : extentOf(dim));
  return RankedTensorType::get(shape, type);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Operand ProgramBuilder::addArgument(ArrayRef<unsigned> dims, Type type,
                                    DataSpec spec) {
  spec.shape.clear();
  for (unsigned dim : dims)
    spec.shape.push_back(extentOf(dim));
  if (spec.seed == 0)
    spec.seed = random.bits() % 1000000;
  specs.push_back(builder.getStringAttr(spec.print()));
  Value argument = block->addArgument(typeOf(dims, type), loc);
  for (auto [i, dim] : llvm::enumerate(dims))
    if (isDynamic(dim) && !extents[dim].size) {
      // Extents come first, so that every op may use them.
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(block);
      extents[dim].size =
          tensor::DimOp::create(builder, loc, argument, int64_t(i));
    }
  double magnitude =
      double(std::max(std::abs(spec.lo), std::abs(spec.hi))) + spec.areReals;
  return {argument, Dims(dims), type, magnitude};
}

DataSpec ProgramBuilder::numbers(Type type) {
  DataSpec spec;
  int64_t range = pick<int64_t>({1, 2, 3, 4});
  spec.lo = -range;
  spec.hi = range + 1;
  if (type.isInteger(1)) {
    spec.lo = 0;
    spec.hi = 2;
  } else if (!type.isIntOrIndex() && !isExact) {
    spec.areReals = chance(0.7);
    spec.hi = range;
  } else if (type.isIntOrIndex() && chance(0.2)) {
    // Sums that wrap around.
    spec.lo = -120;
    spec.hi = 120;
  }
  return spec;
}

Operand ProgramBuilder::addNumbers(ArrayRef<unsigned> dims, Type type) {
  DataSpec spec = numbers(type);
  if (chance(0.4)) {
    spec.live = pick({0.0, 0.02, 0.1, 0.3, 0.5, 0.9});
    if (chance(0.4))
      for (unsigned dim : dims)
        spec.block.push_back(
            pick({int64_t(1), int64_t(1), int64_t(2), int64_t(4),
                  std::max<int64_t>(extentOf(dim), 1)}));
    if (chance(0.2))
      spec.dead = "signed_zero";
  }
  Operand argument = addArgument(dims, type, spec);
  return add(argument);
}

Value ProgramBuilder::constant(Type type, double value) {
  TypedAttr attribute;
  if (auto floatType = dyn_cast<FloatType>(type))
    attribute = FloatAttr::get(floatType, value);
  else if (std::isinf(value))
    attribute = builder.getIntegerAttr(
        type, value < 0
                  ? APInt::getSignedMinValue(type.getIntOrFloatBitWidth())
                  : APInt::getSignedMaxValue(type.getIntOrFloatBitWidth()));
  else if (type.isIndex())
    attribute = builder.getIndexAttr(int64_t(value));
  else
    attribute = builder.getIntegerAttr(
        type, APInt(type.getIntOrFloatBitWidth(), uint64_t(int64_t(value)),
                    /*isSigned=*/true, /*implicitTrunc=*/true));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value ProgramBuilder::empty(ArrayRef<unsigned> dims, Type type) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(mixedSize(dim));
  return tensor::EmptyOp::create(builder, loc, sizes, type);
}

Value ProgramBuilder::filled(ArrayRef<unsigned> dims, Type type, double value) {
  Value scalar = constant(type, value);
  return linalg::FillOp::create(builder, loc, scalar, empty(dims, type))
      .getResult(0);
}

Value ProgramBuilder::destination(ArrayRef<unsigned> dims, Type type) {
  if (chance(0.15))
    return filled(dims, type, 0);
  if (chance(0.1))
    for (const Operand &operand : pool)
      if (operand.dims == Dims(dims) && operand.element == type)
        return operand.value;
  return empty(dims, type);
}

Operand ProgramBuilder::pickOperand(Type type, size_t minRank, size_t maxRank) {
  SmallVector<const Operand *> fitting;
  for (const Operand &operand : pool)
    if ((!type || operand.element == type) && operand.dims.size() >= minRank &&
        operand.dims.size() <= maxRank)
      fitting.push_back(&operand);
  if (!fitting.empty() && chance(0.9)) {
    size_t count = fitting.size();
    size_t last = count - 1 - std::min(pickIndex(count), pickIndex(count));
    return *fitting[last];
  }
  size_t rank =
      size_t(random.integer(int64_t(std::max<size_t>(minRank, 1)),
                            int64_t(std::min<size_t>(maxRank, 4)) + 1));
  Dims dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(pickExtent());
  while (dims.size() > minRank && !isSmall(dims))
    dims.pop_back();
  return addNumbers(dims, type ? type : element);
}

Operand ProgramBuilder::operandOf(ArrayRef<unsigned> dims, Type type) {
  SmallVector<const Operand *> fitting;
  for (const Operand &operand : pool)
    if (operand.element == type && operand.dims == Dims(dims))
      fitting.push_back(&operand);
  if (!fitting.empty() && chance(0.6))
    return *pick(fitting);
  return addNumbers(dims, type);
}

Operand ProgramBuilder::add(Operand operand) {
  if (chance(operand.value.getDefiningOp() ? 0.6 * markProbability
                                           : markProbability))
    if (std::optional<Operand> marked = mark(operand))
      operand = *marked;
  pool.push_back(operand);
  return operand;
}

double ProgramBuilder::largest(Type type) const {
  if (!isa<FloatType>(type))
    return std::numeric_limits<double>::infinity();
  if (type.isBF16())
    return isExact ? 256 : 1e6;
  if (type.isF16())
    return isExact ? 2048 : 1e4;
  return type.isF32() ? 1e6 : 1e12;
}
