//===- pit-lsp-server.cpp - Editor support --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/Support/ShortHelp.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

static constexpr llvm::StringLiteral kHelp =
    R"(Speaks the language server protocol for .mlir files with pit ops. An editor
starts it: in VS Code, the MLIR extension does where mlir.server_path names it.

USAGE: pit-lsp-server [options]

OPTIONS that are used most:
  --log=LEVEL          How much goes to stderr: error, info or verbose
  --lit-test           Reads messages of tests from stdin, for people to write

EXAMPLE:
  pit-lsp-server --log=verbose

--help-all lists all options.
)";

int main(int argc, char **argv) {
  if (mlir::pit::printShortHelp(argc, argv, kHelp))
    return 0;
  mlir::DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
