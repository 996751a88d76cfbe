//===- BufferizableOpInterfaceImpl.cpp - pit ops on buffers ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/BufferizableOpInterfaceImpl.h"

#include "BufferizationModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

void pit::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PITDialect *) {
    attachIndexModels(context);
    attachAccessModels(context);
    attachTiledModels(context);
    attachAttentionModels(context);
    attachContractModel(context);
    attachHostLoopModel(context);
    attachPiecesModel(context);
    context->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                         memref::MemRefDialect, scf::SCFDialect>();
  });
}
