//===- Gradients.h - Programs with their backward ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_GRADIENTS_GRADIENTS_H
#define PIT_TOOLS_PIT_FUZZ_GRADIENTS_GRADIENTS_H

#include "ProgramBuilder.h"
#include "Random.h"
#include "Runner.h"

namespace mlir::pit::fuzz {

/// The attribute of a function that says which results are gradients, and of
/// what, so that they can be compared with differences:
/// * `outputs`: results of the forward pass, by number;
/// * `given`: the arguments that hold their gradients;
/// * `parameters`: arguments, and `gradients`: the results with their
///   gradients;
/// * `sums`: arguments that gradients are added to.
constexpr llvm::StringLiteral kGradientsAttrName = "gradients";

/// The program of a seed: a random forward pass and its backward.
OwningOpRef<ModuleOp> generateGradients(MLIRContext *context, uint64_t seed,
                                        Coverage &coverage);

/// Compares the gradients of a function, whose marks are ops, with central
/// differences of its outputs in a random direction. All is evaluated by the
/// interpreter, in f64 whatever the types, at arguments near to `inputs`: this
/// finds wrong programs, not wrong code. Nothing is compared where a value is
/// not finite. On a difference, the message says how large it is.
bool agreesWithDifferences(func::FuncOp function,
                           const std::vector<::pit::npy::Array> &inputs,
                           int64_t maxPoints, std::string &message);

/// The function with the backward, where it is one of its own, and its
/// attribute that says what each argument is: the argument of `main` with that
/// number, or for -1 - i its result i.
constexpr llvm::StringLiteral kBackwardName = "backward";
constexpr llvm::StringLiteral kFromAttrName = "from";

/// Moves what is behind `lastForward` into that function. `numOutputs` results
/// are of the forward pass; what else the backward reads is returned by it, or
/// computed again.
void splitBackward(func::FuncOp function, Operation *lastForward,
                   size_t numOutputs, ::pit::run::Random &random);

/// Null where there is none.
func::FuncOp findBackward(ModuleOp program);

/// The arguments of the backward, of those and the results of `main`.
llvm::Expected<std::vector<::pit::npy::Array>>
passOn(func::FuncOp backward, const std::vector<::pit::npy::Array> &inputs,
       const std::vector<::pit::npy::Array> &results);

/// Leaves one of the two functions, for programs that are made smaller. What
/// the backward got from results are new numbers of the same shapes. False
/// where there are not two.
bool keepForward(ModuleOp program);
bool keepBackward(ModuleOp program,
                  ArrayRef<std::vector<int64_t>> resultShapes);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_GRADIENTS_GRADIENTS_H
