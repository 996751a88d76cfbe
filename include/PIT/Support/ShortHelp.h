//===- ShortHelp.h - A tool's help on one screen ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's `--help` lists every option and pass, which is hundreds of lines.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_SHORTHELP_H
#define PIT_SUPPORT_SHORTHELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// Prints `text` and returns true where the arguments ask for help. Makes
/// `--help-all` what LLVM calls `--help`; to be called before options are
/// parsed.
inline bool printShortHelp(int argc, char **argv, llvm::StringRef text) {
  static char all[] = "--help";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word == "--help" || word == "-help" || word == "-h") {
      llvm::outs() << text;
      return true;
    }
    if (word == "--help-all" || word == "-help-all")
      argv[i] = all;
  }
  return false;
}

} // namespace mlir::pit

#endif // PIT_SUPPORT_SHORTHELP_H
