//===- RegisterWgmma.cpp - wgmma with an operand in registers -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterWgmma.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value mlir::pit::hopper::multiplyFromRegisters(
    KernelBuilder &b, Value accumulator, const RegisterOperand &rows,
    MatrixDescriptor other, int64_t n, Type element, SharedLayout layout,
    Value adds) {
  // The dialect's op takes descriptors alone.
  const int64_t count = n / 2;
  std::string registers, constraints, tied;
  for (int64_t i = 0; i < count; ++i) {
    registers += (i ? ", $" : "$") + std::to_string(i);
    constraints += i ? ",=f" : "=f";
    tied += "," + std::to_string(i);
  }
  auto operand = [&](int64_t i) { return "$" + std::to_string(count + i); };
  StringRef type = element.isBF16() ? "bf16" : "f16";
  std::string text =
      ("{\n.reg .pred p;\nsetp.ne.b32 p, " +
       (adds ? operand(5) : std::string("1")) +
       ", 0;\n"
       "wgmma.mma_async.sync.aligned.m64n" +
       Twine(n) + "k16.f32." + type + "." + type + " {" + registers + "}, {" +
       operand(0) + ", " + operand(1) + ", " + operand(2) + ", " + operand(3) +
       "}, " + operand(4) + ", p, 1, 1, " +
       (layout == SharedLayout::MNMajor ? "1" : "0") + ";\n}")
          .str();
  SmallVector<Value> operands = llvm::to_vector<6>(rows);
  operands.push_back(b.joinDescriptor(other));
  if (adds)
    operands.push_back(adds);
  llvm::append_range(operands, b.getElements(accumulator, count));
  return LLVM::InlineAsmOp::create(
             b, accumulator.getType(), operands, text,
             constraints + (adds ? ",r,r,r,r,l,r" : ",r,r,r,r,l") + tied,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}
