//===- MatchContract.h - From pit.contract to matrices ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHCONTRACT_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHCONTRACT_H

#include "Match.h"

namespace mlir::pit::hopper {

/// What an op on buffers computes, as kernels see it: matrices with their
/// layouts, the function of the sums. Fails where no kernel with such needs can
/// take it.
FailureOr<ContractionMatch> matchContract(ContractOp op,
                                          MatchRequirements needs = {});

/// Replaces a match's ops by one op, at the last one's place. `tiled` is the
/// one among them that has the index, if there is one.
ContractOp formContract(const ContractionMatch &match, TiledOp tiled);

/// Erases an op that a launch replaces, and its index once nothing else has it.
void eraseContract(ContractOp op);

} // namespace mlir::pit::hopper

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHCONTRACT_H
