//===- PITRegistration.cpp - What PIT itself registers --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/BufferizableOpInterfaceImpl.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Dialect/PIT/Transforms/TilingInterfaceImpl.h"
#include "PIT/Dialect/PIT/Transforms/ValueBoundsOpInterfaceImpl.h"
#include "PIT/InitAllDialects.h"
#include "PIT/InitAllPasses.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"
#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Target/PTX/PTX.h"
#include "PIT/Target/PTX/Passes.h"
#include "PIT/Target/Runtime/Passes.h"

using namespace mlir;

void pit::registerPITDialects(DialectRegistry &registry) {
  registry.insert<pit::PITDialect>();
  registerPITAxisOpInterfaceExternalModels(registry);
  registerPTXTranslationDialects(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerTilingInterfaceExternalModels(registry);
  registerValueBoundsOpInterfaceExternalModels(registry);
}

void pit::registerPITPasses() {
  registerPITTransformsPasses();
  registerPITConversionPasses();
  registerPITTargetPTXPasses();
  registerPITTargetRuntimePasses();
  registerPITPipelines();
}
