//===- PassProgress.h - Which pass runs, where that takes long --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PROGRESS_PASSPROGRESS_H
#define PIT_TOOLS_PROGRESS_PASSPROGRESS_H

#include "Progress.h"

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::pit {

/// Counts the passes of a pipeline on a module. Those on functions, which may
/// run side by side, are one pass of the module until the next one of it.
class PassProgress : public PassInstrumentation {
public:
  /// Begins a step that has as many parts as the pipeline has passes.
  static void watch(PassManager &passes, ::pit::tools::Progress &progress,
                    const std::string &step) {
    unsigned count = 0;
    bool wasOnFunctions = false;
    for (Pass &pass : passes.getPasses()) {
      // Neighbours on functions become one when the pipeline runs.
      bool isOnFunctions = pass.getName().ends_with("OpToOpPassAdaptor");
      count += !(isOnFunctions && wasOnFunctions);
      wasOnFunctions = isOnFunctions;
    }
    progress.begin(step + ", pass", count);
    passes.addInstrumentation(std::make_unique<PassProgress>(progress, count));
  }

  PassProgress(::pit::tools::Progress &progress, unsigned count)
      : progress(progress), count(count) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (op->getParentOp() || current == count)
      return;
    if (current++ > 0)
      progress.advance();
  }

private:
  ::pit::tools::Progress &progress;
  unsigned count, current = 0;
};

} // namespace mlir::pit

#endif // PIT_TOOLS_PROGRESS_PASSPROGRESS_H
