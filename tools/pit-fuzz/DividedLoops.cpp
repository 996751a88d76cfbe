//===- DividedLoops.cpp - Loops whose number maps divide ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using utils::IteratorType;

/// One dimension is read again and again: each element several times in a row,
/// as keys of a group of heads, or all of them one after the other.
bool mlir::pit::fuzz::addDivided(ProgramBuilder &program) {
  Operand input = program.pickOperand(program.element, 1, 4);
  MLIRContext *context = program.builder.getContext();
  auto divided = unsigned(program.pickIndex(input.dims.size()));
  unsigned dim = input.dims[divided];
  if (program.isDynamic(dim) || program.extentOf(dim) < 1)
    return false;
  int64_t extent = program.extentOf(dim), times = program.random.integer(2, 5);
  bool isRest = program.chance(0.4);
  SmallVector<unsigned> loops = input.dims;
  loops[divided] = program.addExtent(extent * times, false);
  if (!program.isSmall(loops))
    return false;
  SmallVector<AffineExpr> exprs;
  for (unsigned d = 0; d < loops.size(); ++d)
    exprs.push_back(getAffineDimExpr(d, context));
  exprs[divided] =
      isRest ? exprs[divided] % extent : exprs[divided].floorDiv(times);
  SmallVector<unsigned> identity =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(loops.size())));
  // What has the whole loop.
  MappedOperand other{program.addNumbers(loops, program.element), identity};
  double magnitude = 0;
  Value init = program.destination(loops, program.element);
  auto op = createGeneric(
      program, {input.value, other.operand.value}, init,
      {AffineMap::get(unsigned(loops.size()), 0, exprs, context),
       projection(context, loops.size(), identity),
       projection(context, loops.size(), identity)},
      SmallVector<IteratorType>(loops.size(), IteratorType::parallel),
      [&](BodyWriter &writer, ValueRange args) {
        Leaf result = writer.expression(
            program.element, {Leaf{args[0], input.magnitude},
                              Leaf{args[1], other.operand.magnitude}});
        OpBuilder &b = writer.getBuilder();
        if (program.chance(0.2))
          result = maskByPosition(program, writer, b, result, loops.size());
        magnitude = result.magnitude;
        return result.value;
      });
  program.count("linalg.generic divided");
  program.add(op.getResult(0), loops, program.element, magnitude);
  return true;
}
