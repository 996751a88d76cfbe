//===- BufferizationModels.h - How pit ops bufferize ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERIZATIONMODELS_H
#define PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERIZATIONMODELS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir::pit {

/// Attach the interface models of the index and its parts, of SRead and SWrite,
/// of tiled ops, of attention, of contract ops, of loops of the host, and of
/// what arrives in pieces.
void attachIndexModels(MLIRContext *context);
void attachAccessModels(MLIRContext *context);
void attachTiledModels(MLIRContext *context);
void attachAttentionModels(MLIRContext *context);
void attachContractModel(MLIRContext *context);
void attachHostLoopModel(MLIRContext *context);
void attachPiecesModel(MLIRContext *context);

/// The model of an op that reads its tensors and writes none.
template <typename Model, typename OpTy>
struct ReadingModel
    : bufferization::BufferizableOpInterface::ExternalModel<Model, OpTy> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const bufferization::AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const bufferization::AnalysisState &) const {
    return false;
  }
};

/// The buffer of one of the lists of an index, with elements of `width` bits.
inline MemRefType getListType(int64_t width, MLIRContext *context) {
  return MemRefType::get({ShapedType::kDynamic},
                         IntegerType::get(context, width));
}

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERIZATIONMODELS_H
