//===- Generate.cpp - Random programs with their backward -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "Rules.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

/// What some program starts with.
static Operand addFirst(Tape &tape) {
  ProgramBuilder &program = tape.program;
  Dims dims;
  for (size_t rank = program.pick<size_t>({1, 2, 2, 2, 3, 3}); rank > 0; --rank)
    dims.push_back(rank == 1 ? tape.pickWidth() : program.pickExtent());
  while (program.countElements(dims) > 3000)
    dims.pop_back();
  if (dims.empty())
    dims.push_back(program.addExtent(3, false));
  return program.chance(0.5) ? tape.addMaskedParameter(dims)
                             : tape.addParameter(dims);
}

namespace {
/// The results of a program, and what its attribute says of them.
struct Results {
  SmallVector<Value> values;
  SmallVector<int64_t> outputs, given, parameters, gradients, sums;

  int64_t add(Value value) {
    values.push_back(value);
    return int64_t(values.size()) - 1;
  }
};
} // namespace

static int64_t numberOf(Value argument) {
  return int64_t(cast<BlockArgument>(argument).getArgNumber());
}

/// w - 0.25 g, or with momentum, m = 0.5 m + g, w - 0.25 m.
static void addUpdate(Tape &tape, const Operand &parameter,
                      const Operand &gradient, Results &results) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  auto step = [&](const Operand &x, double factor, const Operand &y,
                  double other) {
    return tape.pointwise(
        {x, y}, x.magnitude + y.magnitude,
        [&](OpBuilder &b, ValueRange args) -> Value {
          auto times = [&](Value value, double by) -> Value {
            if (by == 1)
              return value;
            return arith::MulFOp::create(
                b, loc, value,
                arith::ConstantOp::create(b, loc,
                                          b.getFloatAttr(value.getType(), by)));
          };
          Value left = times(args[0], factor), right = times(args[1], other);
          return arith::AddFOp::create(b, loc, left, right);
        });
  };
  Operand direction = gradient;
  if (program.chance(0.4)) {
    Operand momentum = tape.addConstant(parameter.dims, tape.numbers());
    direction = step(momentum, 0.5, gradient, 1);
    results.add(direction.value);
  }
  results.add(step(parameter, 1, direction, -0.25).value);
  program.count("update of a parameter");
}

OwningOpRef<ModuleOp> mlir::pit::fuzz::generateGradients(MLIRContext *context,
                                                         uint64_t seed,
                                                         Coverage &coverage) {
  ProgramBuilder program(context, seed);
  OpBuilder &b = program.builder;
  Type f32 = b.getF32Type();
  program.element = program.pick({f32, f32, f32, f32, Type(b.getF16Type()),
                                  Type(b.getBF16Type()), Type(b.getBF16Type()),
                                  Type(b.getF64Type())});
  Tape tape(program);
  Operand x = addFirst(tape);
  int64_t wanted = program.chance(0.5) ? program.random.integer(1, 3)
                                       : program.random.integer(2, 6);
  for (int64_t done = 0, tries = 0; done < wanted && tries < 40; ++tries) {
    Operand before = x;
    if (!addLayer(tape, x)) {
      x = before;
      continue;
    }
    ++done;
    // What grows is made smaller, as models do.
    if (x.magnitude > 100)
      x = scaled(tape, x, 1.0 / 64);
  }
  SmallVector<Operand> outputs{x};
  if (!tape.values.empty() && program.chance(0.2)) {
    Operand other = program.pick(tape.values);
    if (other.value != x.value)
      outputs.push_back(other);
  }
  Operation *lastForward = &program.builder.getInsertionBlock()->back();
  Results results;
  for (const Operand &output : outputs)
    results.outputs.push_back(results.add(output.value));
  for (const Operand &given : tape.transpose(outputs))
    results.given.push_back(numberOf(given.value));
  bool isPartial = program.chance(0.3);
  for (const Operand &parameter : tape.getParameters()) {
    std::optional<Operand> gradient = tape.getGradient(parameter);
    if (!gradient || (isPartial && program.chance(0.5)))
      continue;
    results.parameters.push_back(numberOf(parameter.value));
    results.gradients.push_back(results.add(gradient->value));
    if (program.chance(0.1))
      addUpdate(tape, parameter, *gradient, results);
  }
  for (Value sum : tape.getSumsSoFar())
    results.sums.push_back(numberOf(sum));
  std::string text;
  llvm::raw_string_ostream(text) << program.element;
  program.count("type " + text);
  auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(numbers));
  };
  // Forward and backward may be called apart. Then they have no attributes
  // with numbers of arguments and results.
  if (program.chance(0.3)) {
    program.count("two entry points");
    OwningOpRef<ModuleOp> module =
        program.finish(results.values, /*mayHaveAttributes=*/false);
    splitBackward(module->lookupSymbol<func::FuncOp>("main"), lastForward,
                  results.outputs.size(), program.random);
    coverage = std::move(program.coverage);
    return module;
  }
  // One in four is compared with differences.
  if (program.chance(0.25) && tape.isComparable) {
    program.count("compared with differences");
    program.function->setAttr(
        kGradientsAttrName,
        b.getDictionaryAttr({list("outputs", results.outputs),
                             list("given", results.given),
                             list("parameters", results.parameters),
                             list("gradients", results.gradients),
                             list("sums", results.sums)}));
  }
  OwningOpRef<ModuleOp> module = program.finish(results.values);
  coverage = std::move(program.coverage);
  return module;
}
