//===- ContractionSignature.h - Parameters of contractions ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONSIGNATURE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONSIGNATURE_H

#include "ContractionKernel.h"
#include "GPU/Kernel/KernelSignature.h"

namespace mlir::pit::hopper {

/// Adds the parameters of a contraction without those of its variants. Names
/// are those of KernelArguments, behind a prefix.
void addParameters(KernelSignature &signature, const ContractionKernel &kernel,
                   const Twine &prefix);

/// All parameters of a kernel of which the contraction is all: its own, those
/// of the dense variant, and those of the variants for fewer and fewer rows.
KernelSignature getSignature(MLIRContext *context,
                             const ContractionKernel &kernel);

/// Prefixes of variants: with nothing skipped, and the number-th of those for
/// fewer rows.
inline constexpr StringLiteral kDensePrefix = "dense.";
std::string getPrefixOfFew(unsigned number);
/// The prefix of a part of the kernel; the first one, number 0, has none.
std::string getPrefixOfPart(unsigned number);
/// The name of an operand of the epilogue.
std::string getOperandName(unsigned number);

/// The variants of fewer and fewer rows.
SmallVector<const ContractionKernel *>
getVariantsOfFewRows(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONSIGNATURE_H
