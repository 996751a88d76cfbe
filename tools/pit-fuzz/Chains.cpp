//===- Chains.cpp - Ops that belong together ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

namespace {
/// One dimension of a tensor is reduced, or gets its sums back.
struct Lines {
  ProgramBuilder &program;
  Dims dims, lineDims;
  AffineMap identity, line;
  SmallVector<IteratorType> parallel, reduction;

  Lines(ProgramBuilder &program, const Dims &dims, unsigned reduced)
      : program(program), dims(dims),
        parallel(dims.size(), IteratorType::parallel), reduction(parallel) {
    SmallVector<unsigned> loops;
    for (unsigned d = 0; d < dims.size(); ++d)
      if (d != reduced) {
        loops.push_back(d);
        lineDims.push_back(dims[d]);
      }
    MLIRContext *context = program.builder.getContext();
    identity =
        AffineMap::getMultiDimIdentityMap(unsigned(dims.size()), context);
    line = projection(context, dims.size(), loops);
    reduction[reduced] = IteratorType::reduction;
  }
  Value reduce(Value value, Type type, double neutral, Combiner combiner) {
    return createGeneric(
               program, value, program.filled(lineDims, type, neutral),
               {identity, line}, reduction,
               [&](BodyWriter &writer, ValueRange args) {
                 return combiner
                     .combine(writer, Leaf{args[1], 1}, Leaf{args[0], 1})
                     .value;
               })
        .getResult(0);
  }
  /// Elementwise on the tensor and its lines.
  Value spread(Value value, Value perLine, Type type,
               llvm::function_ref<Value(OpBuilder &, Value, Value)> body) {
    return createGeneric(program, {value, perLine}, program.empty(dims, type),
                         {identity, line, identity}, parallel,
                         [&](BodyWriter &writer, ValueRange args) {
                           OpBuilder &b = writer.getBuilder();
                           return body(b, args[0], args[1]);
                         })
        .getResult(0);
  }
};
} // namespace

/// softmax(scores), sometimes of scores that a mark has masked.
bool mlir::pit::fuzz::addSoftmax(ProgramBuilder &program) {
  if (!isa<FloatType>(program.element))
    return false;
  Operand scores = program.pickOperand(program.element, 1, 4);
  if (scores.magnitude > 50)
    return false;
  if (program.chance(0.5)) {
    PatternKind kind = program.pick(
        {PatternKind::Mask, PatternKind::Lengths, PatternKind::Blocks});
    if (program.writesMarks && program.chance(0.7)) {
      // The lowest number stands for -inf: nothing but the softmax reads it.
      scores = program.writeMasked(
          scores,
          llvm::to_vector(llvm::seq<int64_t>(0, int64_t(scores.dims.size()))),
          program.pick({ProgramBuilder::Masking::Least,
                        ProgramBuilder::Masking::Least,
                        ProgramBuilder::Masking::LeastAdded}));
    } else if (auto marked = program.markBy(scores, kind)) {
      scores = *marked;
    }
  }
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  Type type = scores.element;
  auto dim =
      unsigned(program.chance(0.7) ? scores.dims.size() - 1
                                   : program.pickIndex(scores.dims.size()));
  if (program.chance(0.3)) {
    auto op = linalg::SoftmaxOp::create(
        b, loc, TypeRange(scores.value.getType()), scores.value,
        program.empty(scores.dims, type), uint64_t(dim));
    program.count("linalg.softmax");
    program.add(op->getResult(0), scores.dims, type, 1);
    return true;
  }
  Lines lines(program, scores.dims, dim);
  Value top =
      lines.reduce(scores.value, type, -std::numeric_limits<double>::infinity(),
                   {Combiner::Add, Combiner::Largest});
  bool guarded = program.chance(0.3);
  Value e = lines.spread(scores.value, top, type,
                         [&](OpBuilder &b, Value x, Value t) -> Value {
                           Value d = arith::SubFOp::create(b, loc, x, t);
                           return math::ExpOp::create(b, loc, d);
                         });
  Value sum = lines.reduce(e, type, 0, {Combiner::Add, Combiner::Sum});
  Value p =
      lines.spread(e, sum, type, [&](OpBuilder &b, Value x, Value s) -> Value {
        if (guarded) {
          Value one =
              arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
          s = arith::MaximumFOp::create(b, loc, s, one);
        }
        return arith::DivFOp::create(b, loc, x, s);
      });
  program.count("softmax chain");
  program.add(p, scores.dims, type, 1);
  return true;
}

/// x - mean(x), over its deviation now and then.
bool mlir::pit::fuzz::addNormalization(ProgramBuilder &program) {
  if (!isa<FloatType>(program.element) || program.isExact)
    return false;
  Operand x = program.pickOperand(program.element, 1, 4);
  double extent = double(program.extentOf(x.dims.back()));
  if (x.magnitude * x.magnitude * extent > program.largest(x.element))
    return false;
  Location loc = program.loc;
  Type type = x.element;
  Lines lines(program, x.dims, unsigned(x.dims.size() - 1));
  Value sum = lines.reduce(x.value, type, 0, {Combiner::Add, Combiner::Sum});
  Value centred = lines.spread(
      x.value, sum, type, [&](OpBuilder &b, Value v, Value s) -> Value {
        Value count = arith::ConstantOp::create(
            b, loc, b.getFloatAttr(type, std::max(extent, 1.0)));
        Value mean = arith::DivFOp::create(b, loc, s, count);
        return arith::SubFOp::create(b, loc, v, mean);
      });
  Operand result{centred, x.dims, type, 2 * x.magnitude};
  if (program.chance(0.7)) {
    Value squares =
        createGeneric(program, centred, program.filled(lines.lineDims, type, 0),
                      {lines.identity, lines.line}, lines.reduction,
                      [&](BodyWriter &writer, ValueRange args) {
                        Leaf v{args[0], 1};
                        Leaf square = writer.multiply(v, v);
                        return writer.add(Leaf{args[1], 1}, square).value;
                      })
            .getResult(0);
    result.value = lines.spread(
        centred, squares, type, [&](OpBuilder &b, Value v, Value s) -> Value {
          Value one =
              arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
          Value safe = arith::AddFOp::create(b, loc, s, one);
          Value inverse = math::RsqrtOp::create(b, loc, safe);
          return arith::MulFOp::create(b, loc, v, inverse);
        });
    result.magnitude = 1;
  }
  program.count("normalization chain");
  program.add(result);
  return true;
}

/// A ReLU whose zeros are the pattern of what follows.
bool mlir::pit::fuzz::addRelu(ProgramBuilder &program) {
  Operand x = program.pickOperand(program.element, 1);
  AffineMap identity =
      program.builder.getMultiDimIdentityMap(unsigned(x.dims.size()));
  Value relu =
      createGeneric(
          program, x.value, program.empty(x.dims, x.element),
          {identity, identity},
          SmallVector<IteratorType>(x.dims.size(), IteratorType::parallel),
          [&](BodyWriter &writer, ValueRange args) {
            Leaf zero{writer.constant(x.element, 0), 0};
            return writer.maximum(Leaf{args[0], 1}, zero).value;
          })
          .getResult(0);
  Operand result{relu, x.dims, x.element, x.magnitude};
  if (auto marked = program.markBy(result, PatternKind::Values))
    result = *marked;
  program.count("relu chain");
  program.pool.push_back(result);
  return true;
}

/// sum_e,f G[t,e] * act(sum_d X[t,d] W1[e,d,f]) * W2[e,f,d], as einsums.
bool mlir::pit::fuzz::addGatedProducts(ProgramBuilder &program) {
  Type type = program.element;
  unsigned t = program.pickExtent(), e = program.pickExtent(),
           f = program.pickExtent(), d = program.pickExtent();
  if (program.countElements({t, e, f, d}) > 8000)
    return false;
  Operand x = program.operandOf({t, d}, type);
  Operand gate = program.addNumbers({t, e}, type);
  PatternKind kind = program.pick({PatternKind::Values, PatternKind::Values,
                                   PatternKind::Routing, PatternKind::Mask});
  if (auto marked = program.markBy(gate, kind))
    gate = *marked;
  Operand w1 = program.addNumbers({e, d, f}, type);
  Operand w2 = program.addNumbers({e, f, d}, type);
  double hidden = x.magnitude * w1.magnitude * double(program.extentOf(d)) + 1;
  double out = hidden * gate.magnitude * w2.magnitude *
               double(program.countElements({e, f}));
  if (out > program.largest(type))
    return false;
  MLIRContext *context = program.builder.getContext();
  auto map = [&](ArrayRef<unsigned> loops) {
    return projection(context, 4, loops);
  };
  constexpr IteratorType kParallel = IteratorType::parallel,
                         kReduction = IteratorType::reduction;
  // Loops t, e, f, d.
  Value h =
      createGeneric(
          program, {x.value, w1.value}, program.filled({t, e, f}, type, 0),
          {map({0, 3}), map({1, 3, 2}), map({0, 1, 2})},
          {kParallel, kParallel, kParallel, kReduction},
          [&](BodyWriter &writer, ValueRange args) {
            Leaf term = writer.multiply(Leaf{args[0], 1}, Leaf{args[1], 1});
            return writer.add(Leaf{args[2], 1}, term).value;
          })
          .getResult(0);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(3, context);
  bool isRelu = program.chance(0.6);
  Value a =
      createGeneric(program, h, program.empty({t, e, f}, type),
                    {identity, identity}, {kParallel, kParallel, kParallel},
                    [&](BodyWriter &writer, ValueRange args) {
                      Leaf v{args[0], hidden};
                      Leaf zero{writer.constant(type, 0), 0};
                      return isRelu ? writer.maximum(v, zero).value
                                    : writer.add(v, v).value;
                    })
          .getResult(0);
  Operand act{a, {t, e, f}, type, 2 * hidden};
  if (program.chance(0.3))
    if (auto marked = program.markBy(act, PatternKind::Values))
      act = *marked;
  Value y =
      createGeneric(
          program, {gate.value, act.value, w2.value},
          program.filled({t, d}, type, 0),
          {map({0, 1}), map({0, 1, 2}), map({1, 2, 3}), map({0, 3})},
          {kParallel, kReduction, kReduction, kParallel},
          [&](BodyWriter &writer, ValueRange args) {
            Leaf term = writer.multiply(Leaf{args[0], 1}, Leaf{args[1], 1});
            term = writer.multiply(term, Leaf{args[2], 1});
            return writer.add(Leaf{args[3], 1}, term).value;
          })
          .getResult(0);
  program.count("gated products chain");
  program.add(y, {t, d}, type, 2 * out);
  return true;
}

OwningOpRef<ModuleOp> mlir::pit::fuzz::generate(MLIRContext *context,
                                                uint64_t seed,
                                                Coverage &coverage) {
  ProgramBuilder program(context, seed);
  using Family = bool (*)(ProgramBuilder &);
  const std::pair<int, Family> families[] = {{10, addElementwise},
                                             {12, addContraction},
                                             {7, addReduction},
                                             {6, addNamedElementwise},
                                             {10, addNamedContraction},
                                             {4, addTranspose},
                                             {3, addBroadcast},
                                             {4, addReshape},
                                             {3, addSlice},
                                             {2, addPad},
                                             {2, addConcat},
                                             {4, addWindow},
                                             {2, addDivided},
                                             {4, addChosenRows},
                                             {5, addSoftmax},
                                             {3, addNormalization},
                                             {3, addGatedProducts},
                                             {5, addRelu},
                                             {3, addLookup},
                                             {2, addGather},
                                             {1, addElement}};
  int total = 0;
  for (auto [weight, family] : families)
    total += weight;
  // Short programs are reduced already.
  int64_t numOps = program.chance(0.4) ? program.random.integer(1, 3)
                                       : program.random.integer(2, 9);
  for (int64_t done = 0, tries = 0; done < numOps && tries < 40; ++tries) {
    int64_t at = program.random.integer(0, total);
    for (auto [weight, family] : families) {
      at -= weight;
      if (at < 0) {
        done += family(program);
        break;
      }
    }
  }
  std::string text;
  llvm::raw_string_ostream(text) << program.element;
  program.count("type " + text);
  if (program.pool.empty())
    addRelu(program);
  OwningOpRef<ModuleOp> module = program.finish();
  coverage = std::move(program.coverage);
  return module;
}
