//===- KernelEpilogue.cpp - A contraction's epilogue ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEpilogue.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

SmallVector<Value> mlir::pit::hopper::applyEpilogue(
    KernelBuilder &b, const ContractionKernel &kernel, const KernelState &state,
    TilePosition tile, const Fragment &fragment, int64_t accumulators) {
  EpilogueSite site;
  site.accumulators = accumulators;
  site.function = kernel.epilogue.get();
  site.rowNumberType = kernel.rowNumberType;
  site.tailM = kernel.tailM;
  site.tailN = kernel.tailN;
  site.tileColumns = kernel.getTileColumns();
  site.numRows = state.numRows;
  site.numColumns = state.arguments.n;
  if (kernel.exchanged) {
    std::swap(site.tailM, site.tailN);
    std::swap(site.numRows, site.numColumns);
    site.tileColumns = kernel.tileM;
  }
  site.rowNumbers = state.arguments.rowNumbers;
  KernelArguments arguments = getArgumentsOfPart(b, state.arguments, tile);
  site.operands = arguments.operands;
  return applyEpilogue(b, site, tile, fragment);
}

RowEpilogue
mlir::pit::hopper::createRowEpilogue(const ContractionKernel &kernel) {
  return RowEpilogue(kernel.epilogue.get(), kernel.outputType, kernel.tailM);
}

SmallVector<Value> mlir::pit::hopper::loadRowOperands(
    KernelBuilder &b, const RowEpilogue &epilogue, const KernelState &state,
    TilePosition tile, Value row) {
  KernelArguments arguments = getArgumentsOfPart(b, state.arguments, tile);
  return epilogue.load(b, arguments.operands, state.numRows, tile, row);
}
