//===- Outputs.h - Files that appear together -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_COMPILE_OUTPUTS_H
#define PIT_TOOLS_PIT_COMPILE_OUTPUTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir::pit::compile {

/// Files that are written under temporary names, beside their own, and
/// renamed when all of them are complete. What is not renamed is removed.
class Outputs {
public:
  Outputs() = default;
  Outputs(const Outputs &) = delete;
  Outputs &operator=(const Outputs &) = delete;
  ~Outputs();

  /// Makes an empty file and returns its temporary name; `keep` is false for
  /// one that is only needed on the way.
  llvm::Expected<std::string> stage(const std::string &path, bool keep = true);

  /// Stages a file with the text that `write` writes.
  llvm::Error stageText(const std::string &path,
                        llvm::function_ref<void(llvm::raw_ostream &)> write);

  llvm::Error commit();

private:
  struct File {
    std::string temporary, path;
  };
  std::vector<File> files;
};

} // namespace mlir::pit::compile

#endif // PIT_TOOLS_PIT_COMPILE_OUTPUTS_H
