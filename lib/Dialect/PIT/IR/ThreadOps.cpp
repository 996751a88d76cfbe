//===- ThreadOps.cpp - Ranges that several threads compute ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITThreads.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITThreadOps.cpp.inc"

void ParallelRangeOp::build(OpBuilder &builder, OperationState &state,
                            Value count, Value work, int64_t multiple) {
  state.addOperands({count, work});
  state.getOrAddProperties<Properties>().multiple =
      builder.getI64IntegerAttr(multiple);
  Block *body = new Block;
  Type index = builder.getIndexType();
  body->addArguments({index, index}, {state.location, state.location});
  state.addRegion()->push_back(body);
}

LogicalResult ParallelRangeOp::verify() {
  auto isIndex = [](Type type) { return type.isIndex(); };
  if (getBody().getNumArguments() != 2 ||
      !llvm::all_of(getBody().getArgumentTypes(), isIndex))
    return emitOpError("R1: the region takes (")
           << getBody().getArgumentTypes()
           << "), not two indexes: the first iteration and the one behind the "
              "last";
  if (int64_t(getMultiple()) < 1)
    return emitOpError("R2: parts begin at multiples of ")
           << int64_t(getMultiple()) << ", which is below 1";
  return success();
}

LogicalResult TaskExtentsOp::verify() {
  for (int64_t unit : {int64_t(getRowUnit()), int64_t(getColumnUnit())})
    if (unit < 1)
      return emitOpError("R3: has a unit of ") << unit << ", which is below 1";
  return success();
}
