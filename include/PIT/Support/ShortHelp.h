//===- ShortHelp.h - A tool's help on one screen ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's `--help` lists every option and pass, which takes hundreds of lines.
// PIT's tools print one screen, and LLVM's list for `--help-all`.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_SHORTHELP_H
#define PIT_SUPPORT_SHORTHELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// Prints `text` and returns true if the arguments ask for help. Replaces
/// `--help-all` by LLVM's `--help`. Call it before options are parsed.
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
