//===- Passes.cpp - C API: passes and pipelines ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT-c/Passes.h"

#include "PIT/InitAllPasses.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassRegistry.h"

#include <string>

using namespace mlir;

void pitRegisterPasses(void) { pit::registerPITPasses(); }

MlirLogicalResult pitAddPipeline(MlirOpPassManager pm, MlirStringRef name,
                                 MlirStringRef options,
                                 MlirStringCallback onError, void *userData) {
  std::string message;
  auto report = [&](const Twine &text) {
    message += text.str();
    return failure();
  };
  LogicalResult result = failure();
  if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(unwrap(name)))
    result = pipeline->addToPipeline(*unwrap(pm), unwrap(options), report);
  else
    (void)report("no pass pipeline is registered as '" + unwrap(name) +
                 "'; call pitRegisterPasses first");
  if (failed(result) && onError)
    onError(wrap(StringRef(message)), userData);
  return wrap(result);
}
