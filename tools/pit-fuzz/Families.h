//===- Families.h - Kinds of ops that programs are made of ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_FAMILIES_H
#define PIT_TOOLS_PIT_FUZZ_FAMILIES_H

#include "Bodies.h"
#include "ProgramBuilder.h"

namespace mlir::pit::fuzz {

/// An operand of a structured op, read through a map of its own.
struct MappedOperand {
  Operand operand;
  /// The loop of each of its dimensions, where the map is a projection.
  SmallVector<unsigned> loops;
};

/// A tensor to read in an op with these loops, through a projection; makes one
/// where none fits.
MappedOperand pickMapped(ProgramBuilder &program, ArrayRef<unsigned> loops,
                         Type type);

AffineMap projection(MLIRContext *context, size_t numLoops,
                     ArrayRef<unsigned> loops);

/// A `linalg.generic` with one result.
linalg::GenericOp
createGeneric(ProgramBuilder &program, ArrayRef<Value> inputs, Value init,
              ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
              llvm::function_ref<Value(BodyWriter &, ValueRange)> body);

/// The value, or 0 by a condition on the position, as causal masks have it.
Leaf maskByPosition(ProgramBuilder &program, BodyWriter &writer, OpBuilder &b,
                    Leaf value, size_t numLoops);

//===----------------------------------------------------------------------===//
// Each adds some ops to the program, or returns false where none of what is
// there suits it.
//===----------------------------------------------------------------------===//

bool addElementwise(ProgramBuilder &program);
bool addContraction(ProgramBuilder &program);
bool addReduction(ProgramBuilder &program);
bool addNamedElementwise(ProgramBuilder &program);
bool addNamedContraction(ProgramBuilder &program);
bool addTranspose(ProgramBuilder &program);
bool addBroadcast(ProgramBuilder &program);
bool addReshape(ProgramBuilder &program);
bool addSlice(ProgramBuilder &program);
bool addPad(ProgramBuilder &program);
bool addConcat(ProgramBuilder &program);
bool addWindow(ProgramBuilder &program);
bool addDivided(ProgramBuilder &program);
bool addChosenRows(ProgramBuilder &program);
bool addSoftmax(ProgramBuilder &program);
bool addNormalization(ProgramBuilder &program);
bool addGatedProducts(ProgramBuilder &program);
bool addRelu(ProgramBuilder &program);
bool addLookup(ProgramBuilder &program);
bool addGather(ProgramBuilder &program);
bool addElement(ProgramBuilder &program);

/// The program of a seed.
OwningOpRef<ModuleOp> generate(MLIRContext *context, uint64_t seed,
                               Coverage &coverage);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_FAMILIES_H
