//===- GatheredOps.cpp - Elements at places that data says ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

/// Places along an extent, in a tensor of their own that nothing marks: where
/// nobody promises an index, any may be there.
static Value addPlaces(ProgramBuilder &program, ArrayRef<unsigned> dims,
                       int64_t extent) {
  OpBuilder &b = program.builder;
  DataSpec spec;
  spec.lo = 0;
  spec.hi = extent;
  // Tokens of few kinds.
  if (program.chance(0.2))
    spec.hi = 1 + int64_t(program.pickIndex(size_t(extent)));
  Type type = program.pick(
      {Type(b.getI32Type()), Type(b.getI64Type()), Type(b.getIndexType())});
  return program.addArgument(dims, type, spec).value;
}

static Value castToIndex(OpBuilder &b, Location loc, Value number) {
  if (number.getType().isIndex())
    return number;
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
}

/// A table to look up in, of at least one element.
static std::optional<Operand> pickTable(ProgramBuilder &program) {
  Operand table = program.pickOperand(program.element, 1, 3);
  if (program.countElements(table.dims) == 0)
    return std::nullopt;
  return table;
}

/// `out[i..., j...] = table[.., places[i...], ..]` as a structured op that
/// reads the table itself. Dimensions without places are loops of their own.
bool mlir::pit::fuzz::addLookup(ProgramBuilder &program) {
  std::optional<Operand> table = pickTable(program);
  if (!table)
    return false;
  size_t rank = table->dims.size(), dim = program.pickIndex(rank);
  Dims loops;
  for (size_t i = program.pickIndex(3); i > 0; --i)
    loops.push_back(program.pickExtent());
  size_t numPlaces = loops.size();
  SmallVector<unsigned> loopOf(rank, 0);
  for (size_t d = 0; d < rank; ++d)
    if (d != dim) {
      loopOf[d] = unsigned(loops.size());
      loops.push_back(table->dims[d]);
    }
  if (loops.empty() || loops.size() > 5 || !program.isSmall(loops))
    return false;
  ArrayRef<unsigned> placeDims = ArrayRef(loops).take_front(numPlaces);
  Value places =
      addPlaces(program, placeDims, program.extentOf(table->dims[dim]));
  MLIRContext *context = program.builder.getContext();
  SmallVector<unsigned> placeLoops =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(numPlaces)));
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(unsigned(loops.size()), context);
  SmallVector<IteratorType> parallel(loops.size(), IteratorType::parallel);
  auto op = createGeneric(
      program, places, program.destination(loops, program.element),
      {projection(context, loops.size(), placeLoops), identity}, parallel,
      [&](BodyWriter &writer, ValueRange args) {
        OpBuilder &b = writer.getBuilder();
        SmallVector<Value> at(rank);
        for (size_t d = 0; d < rank; ++d)
          at[d] = d == dim ? castToIndex(b, program.loc, args[0])
                           : linalg::IndexOp::create(b, program.loc, loopOf[d])
                                 .getResult();
        return tensor::ExtractOp::create(b, program.loc, table->value, at)
            .getResult();
      });
  program.count("lookup in a region");
  program.add(op.getResult(0), loops, program.element, table->magnitude);
  return true;
}

/// `tensor.gather` along one or two dimensions, left out of the result or kept
/// there as extents of 1.
bool mlir::pit::fuzz::addGather(ProgramBuilder &program) {
  std::optional<Operand> table = pickTable(program);
  if (!table)
    return false;
  size_t rank = table->dims.size();
  SmallVector<int64_t> gathered{int64_t(program.pickIndex(rank))};
  if (rank > 1 && program.chance(0.2)) {
    int64_t other = int64_t(program.pickIndex(rank));
    if (other != gathered[0])
      gathered.push_back(other);
    llvm::sort(gathered);
  }
  int64_t least = program.extentOf(table->dims[size_t(gathered[0])]);
  for (int64_t dim : gathered)
    least = std::min(least, program.extentOf(table->dims[size_t(dim)]));
  Dims dims;
  for (size_t i = 1 + program.pickIndex(2); i > 0; --i)
    dims.push_back(program.pickExtent());
  Dims placeDims = dims;
  placeDims.push_back(program.addExtent(int64_t(gathered.size()), false));
  bool areKept = program.chance(0.3);
  for (size_t d = 0; d < rank; ++d) {
    if (!llvm::is_contained(gathered, int64_t(d)))
      dims.push_back(table->dims[d]);
    else if (areKept)
      dims.push_back(program.addExtent(1, false));
  }
  if (dims.size() > 5 || !program.isSmall(dims))
    return false;
  Value places = addPlaces(program, placeDims, least);
  Value result = tensor::GatherOp::create(
      program.builder, program.loc, program.typeOf(dims, program.element),
      table->value, places, gathered, /*unique=*/false);
  program.count("tensor.gather");
  program.add(result, dims, program.element, table->magnitude);
  return true;
}

/// One element of a tensor, written at one place of another: places are data,
/// or numbers that the caller gives.
bool mlir::pit::fuzz::addElement(ProgramBuilder &program) {
  std::optional<Operand> from = pickTable(program);
  if (!from)
    return false;
  std::optional<Operand> to = program.chance(0.5) ? pickTable(program) : from;
  if (!to)
    return false;
  OpBuilder &b = program.builder;
  auto place = [&](const Operand &tensor) {
    SmallVector<Value> at;
    for (unsigned dim : tensor.dims) {
      int64_t extent = program.extentOf(dim);
      if (program.chance(0.4)) {
        unsigned number = program.addExtent(
            int64_t(program.pickIndex(size_t(extent))), program.chance(0.7));
        at.push_back(program.sizeOf(number));
        continue;
      }
      // The first of the places is read, so that there has to be one.
      unsigned count = program.pickExtent();
      if (program.extentOf(count) == 0)
        return SmallVector<Value>();
      Value places = addPlaces(program, {count}, extent);
      Value zero = arith::ConstantIndexOp::create(b, program.loc, 0);
      Value element = tensor::ExtractOp::create(b, program.loc, places, zero);
      at.push_back(castToIndex(b, program.loc, element));
    }
    return at;
  };
  SmallVector<Value> read = place(*from), written = place(*to);
  if (read.empty() || written.empty())
    return false;
  Value element = tensor::ExtractOp::create(b, program.loc, from->value, read);
  Value result =
      tensor::InsertOp::create(b, program.loc, element, to->value, written);
  program.count("tensor.extract and tensor.insert");
  program.add(result, to->dims, program.element,
              std::max(from->magnitude, to->magnitude));
  return true;
}
