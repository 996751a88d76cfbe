//===- BackwardProblem.h - Gradients of attention, as kernels see them -*- C++
//-*-=//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks, logits and addresses are those of the forward op. So its kernels' code
// is given one that has the gradient of the result in the place of the result,
// and what else the gradients need behind its modifiers.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDPROBLEM_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDPROBLEM_H

#include "BackwardShape.h"

#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::pit::attention {

class BackwardProblem {
public:
  BackwardProblem(AttendBackwardOp op, detect::HostMath &host);
  ~BackwardProblem() { forward.erase(); }

  AttendBackwardOp op;
  /// From the op's region to that of `forward`.
  IRMapping mapping;
  AttendOp forward;
  Problem problem;
  /// What kills logits; empty where dead ones are finite, as weights of rows
  /// without live ones are not 0 then.
  Guards guards;

  /// Operands of the forward op, by number.
  unsigned getGradient() { return problem.getInit(); }
  unsigned getLse() { return forward.getLseNumber(); }
  unsigned getDelta() { return FirstModifier + op.getModifiers().size(); }
  /// 0 to 2: dquery, dkey, dvalue; those of modifiers from 3 on.
  unsigned getResult(unsigned number) { return getDelta() + 1 + number; }

  /// Axes of the batch that keys have, and those that they lack: points of
  /// these share keys and values.
  ArrayRef<unsigned> getKeyBatch() const { return keyBatch; }
  ArrayRef<unsigned> getGroups() const { return groups; }
  /// Axes of the batch that a modifier with a gradient has, and the others,
  /// along which it is a sum.
  SmallVector<unsigned> getModifierBatch(unsigned gradient, bool has);
  /// Derivatives of logits by scores, and by the modifier of such a gradient;
  /// caps are values of the region of `forward`.
  LogitSlope getSlope(std::optional<unsigned> gradient);
  /// How many points such axes have, an index of the host.
  Value getPoints(ArrayRef<unsigned> axes);
  /// Sets the numbers of axes that `number` counts, innermost axis last.
  void splitPoint(detect::Kernel &b, Value number, ArrayRef<unsigned> axes,
                  SmallVectorImpl<Value> &batch);

private:
  SmallVector<unsigned> keyBatch, groups;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDPROBLEM_H
