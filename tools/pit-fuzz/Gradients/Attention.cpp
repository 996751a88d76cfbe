//===- Attention.cpp - Attention of every kind, with its gradients --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(mask(cap(scale * Q Kᵀ + bias))) V, as exporters write it: heads in
// groups that share keys, biases with gradients, masks of positions, lengths,
// segments and data.
//
//===----------------------------------------------------------------------===//

#include "AttentionShape.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

/// A sum of products over named loops of `Shape`, which are renumbered.
static Operand contract(Tape &tape, const AttentionShape &shape,
                        SmallVector<MappedOperand> factors,
                        SmallVector<unsigned> out, bool isValue) {
  SmallVector<unsigned> used = Tape::renumberLoops(factors, out);
  return product(tape, factors, shape.dims(used, isValue), out);
}

/// A projection of the hidden states, or a new argument.
static Operand project(Tape &tape, const AttentionShape &shape,
                       const Operand *x, ArrayRef<unsigned> loops,
                       bool isValue) {
  Dims dims = shape.dims(loops, isValue);
  if (!x)
    return tape.program.chance(0.3) ? tape.addMaskedParameter(dims)
                                    : tape.addParameter(dims);
  // x[batch, position, model] times W[.., width, model].
  SmallVector<unsigned> weightLoops, all, extents, xLoops, out;
  for (unsigned loop : loops) {
    bool isOfX = loop == 0 || loop == 3 || loop == 4;
    auto number = unsigned(extents.size());
    extents.push_back(shape.extent(loop, isValue));
    (isOfX ? xLoops : weightLoops).push_back(number);
    out.push_back(number);
  }
  auto model = unsigned(extents.size());
  extents.push_back(x->dims.back());
  xLoops.push_back(model);
  weightLoops.insert(weightLoops.begin() +
                         (tape.program.chance(0.5) ? 0 : weightLoops.size()),
                     model);
  Dims weightDims;
  for (unsigned loop : weightLoops)
    weightDims.push_back(extents[loop]);
  Operand weight = tape.addParameter(weightDims);
  return product(tape, {{*x, xLoops}, {weight, weightLoops}}, extents, out);
}

/// Scores of dead pairs of a query and a key replaced. The gradient of scores
/// is masked again, as autograd does it, where they were.
static Operand maskScores(Tape &tape, const AttentionShape &shape,
                          Operand scores, ArrayRef<unsigned> loops) {
  ProgramBuilder &program = tape.program;
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  // Which places of the scores the mask has.
  SmallVector<SmallVector<unsigned>> choices{{3, 4}, {3, 4}, {3, 4}};
  if (shape.hasBatch)
    choices.append({{0, 4}, {0, 4}, {0, 3, 4}});
  if (shape.hasHeads)
    choices.append({{1, 4}, {1, 3, 4}});
  if (shape.hasBatch && shape.hasHeads)
    choices.push_back({0, 1, 3, 4});
  choices.push_back({4});
  SmallVector<unsigned> names = program.pick(choices), axes;
  for (unsigned name : names)
    axes.push_back(unsigned(llvm::find(loops, name) - loops.begin()));
  Dims dims = shape.dims(names);
  Type type = scores.element;
  double least = -APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
                      .convertToDouble();
  size_t rank = loops.size();
  double low = program.pick(
      {least, least, -std::numeric_limits<double>::infinity(), -10000.0});
  // A mask of numbers that is added, or truth values that choose.
  bool isData = program.chance(0.2);
  if (isData) {
    program.count("attention: mask of floats");
    DataSpec spec;
    spec.lo = 0;
    spec.hi = 1;
    spec.live = program.pick({0.2, 0.5, 0.8});
    spec.dead = "neg_inf";
    for (unsigned dim : dims)
      spec.block.push_back(
          program.pick({int64_t(1), int64_t(2), int64_t(4),
                        std::max<int64_t>(program.extentOf(dim), 1)}));
    Operand bias = tape.addConstant(dims, spec);
    return addBias(tape, scores, converted(tape, bias, type), axes);
  }
  LiveWhere live = tape.makeLive(dims);
  // As models join them: positions and padding in one mask.
  if (names.size() == 2 && names[0] == 3 && shape.hasBatch &&
      program.chance(0.4)) {
    program.count("attention: two masks joined");
    LiveWhere keys = tape.makeLive(shape.dims({0, 4}));
    live.dims = shape.dims({0, 3, 4});
    axes.insert(axes.begin(), unsigned(llvm::find(loops, 0u) - loops.begin()));
    bool isEither = program.chance(0.2);
    MappedOperand positions{{live.truth, dims, b.getI1Type(), 1}, {1, 2}};
    MappedOperand padding{{keys.truth, keys.dims, b.getI1Type(), 1}, {0, 2}};
    live.truth =
        tape.pointwise({positions, padding}, live.dims, b.getI1Type(), 1,
                       [&](OpBuilder &b, ValueRange args) -> Value {
                         if (isEither)
                           return arith::OrIOp::create(b, loc, args[0],
                                                       args[1]);
                         return arith::AndIOp::create(b, loc, args[0], args[1]);
                       })
            .value;
  }
  bool isAdded = program.chance(0.25) && std::isfinite(low);
  bool isInverse = program.chance(0.3);
  tape.isComparable &= !isAdded || low > -1e6;
  program.count(isAdded ? "attention: low numbers added"
                        : "attention: scores replaced");
  auto choose = [=](OpBuilder &b, Value truth, Value yes, Value no) -> Value {
    if (!isInverse)
      return arith::SelectOp::create(b, loc, truth, yes, no);
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value dead = arith::XOrIOp::create(b, loc, truth, one);
    return arith::SelectOp::create(b, loc, dead, no, yes);
  };
  MappedOperand where{{live.truth, live.dims, b.getI1Type(), 1}, axes};
  MappedOperand all{scores, Tape::firstLoops(rank)};
  Operand result = tape.pointwise(
      {where, all}, scores.dims, type, scores.magnitude,
      [&](OpBuilder &b, ValueRange args) -> Value {
        Value bottom =
            arith::ConstantOp::create(b, loc, b.getFloatAttr(type, low));
        if (!isAdded)
          return choose(b, args[0], args[1], bottom);
        Value one =
            arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
        Value live = arith::UIToFPOp::create(b, loc, type, args[0]);
        Value dead = arith::SubFOp::create(b, loc, one, live);
        Value term = arith::MulFOp::create(b, loc, dead, bottom);
        return arith::AddFOp::create(b, loc, args[1], term);
      });
  return tape.record(result, scores, [=, &tape](const Operand &gradient) {
    if (isAdded)
      return tape.accumulate(scores, gradient);
    MappedOperand given{gradient, Tape::firstLoops(rank)};
    tape.accumulate(scores,
                    tape.pointwise({where, given}, scores.dims, type,
                                   gradient.magnitude,
                                   [&](OpBuilder &b, ValueRange args) -> Value {
                                     Value zero = arith::ConstantOp::create(
                                         b, loc, b.getFloatAttr(type, 0.0));
                                     return choose(b, args[0], args[1], zero);
                                   }));
  });
}

/// The place of a key less that of the query, a fraction of it, as numbers.
static Operand placesApart(Tape &tape, const AttentionShape &shape) {
  ProgramBuilder &program = tape.program;
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  Dims dims = shape.dims({3, 4});
  Type type = program.element, i64 = b.getI64Type();
  Value value =
      createGeneric(
          program, {}, program.empty(dims, type), b.getMultiDimIdentityMap(2),
          {utils::IteratorType::parallel, utils::IteratorType::parallel},
          [&](BodyWriter &writer, ValueRange) -> Value {
            OpBuilder &b = writer.getBuilder();
            Value query = linalg::IndexOp::create(b, loc, 0);
            Value key = linalg::IndexOp::create(b, loc, 1);
            Value apart = arith::IndexCastOp::create(
                b, loc, i64, arith::SubIOp::create(b, loc, key, query));
            Value number = arith::SIToFPOp::create(b, loc, type, apart);
            Value part = arith::ConstantOp::create(
                b, loc, b.getFloatAttr(type, 1.0 / 16));
            return arith::MulFOp::create(b, loc, number, part);
          })
          .getResult(0);
  return {value, dims, type, 2};
}

/// What is done to scores in front of the softmax.
static Operand shapeScores(Tape &tape, const AttentionShape &shape,
                           Operand scores, ArrayRef<unsigned> loops,
                           double scale) {
  ProgramBuilder &program = tape.program;
  if (scale != 1)
    scores = scaled(tape, scores, scale);
  if (!program.isExact && program.chance(0.15)) {
    program.count("attention: soft-cap");
    scores = scaled(tape, scores, 0.25);
    scores = applied(tape, scores, Function::Tanh);
    scores = scaled(tape, scores, 4);
  }
  if (shape.hasHeads && program.chance(0.1)) {
    // A slope per head times a distance of places.
    program.count("attention: slopes");
    Operand distance = placesApart(tape, shape);
    auto rank = unsigned(loops.size());
    auto head = unsigned(llvm::find(loops, 1u) - loops.begin());
    Operand slope = tape.addParameter({scores.dims[head]});
    Operand slopes = product(tape, {{slope, {0}}, {distance, {1, 2}}},
                             shape.dims({1, 3, 4}), {0, 1, 2});
    scores = addBias(tape, scores, converted(tape, slopes, scores.element),
                     {head, rank - 2, rank - 1});
  }
  if (program.chance(0.25)) {
    // Along some dimensions of the scores, with a gradient.
    SmallVector<unsigned> axes;
    for (unsigned axis = 0; axis < loops.size(); ++axis)
      if (program.chance(loops[axis] >= 3 ? 0.8 : 0.4))
        axes.push_back(axis);
    if (!axes.empty()) {
      program.count("attention: bias");
      Dims dims;
      for (unsigned axis : axes)
        dims.push_back(scores.dims[axis]);
      Operand bias = converted(tape, tape.addParameter(dims), scores.element);
      scores = addBias(tape, scores, bias, axes);
    }
  }
  for (size_t masks = program.pick<size_t>({0, 1, 1, 1, 2}); masks > 0; --masks)
    scores = maskScores(tape, shape, scores, loops);
  return scores;
}

bool mlir::pit::fuzz::addAttention(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  bool isSelf = program.chance(0.4) && x.dims.size() >= 2 &&
                x.dims.size() <= 3 && x.magnitude <= 32;
  AttentionShape shape;
  shape.hasBatch = isSelf ? x.dims.size() == 3 : program.chance(0.5);
  shape.hasHeads = program.chance(0.6);
  shape.hasGroups = shape.hasHeads && program.chance(0.4);
  shape.batch = isSelf ? x.dims.front() : program.pickExtent();
  // Heads are static in nearly all programs.
  shape.heads = program.addExtent(program.pick<int64_t>({1, 2, 3}), false);
  shape.groups = program.addExtent(program.pick<int64_t>({1, 2, 3}), false);
  shape.queries = isSelf ? x.dims[x.dims.size() - 2] : program.pickExtent();
  shape.keys = isSelf ? shape.queries : program.pickExtent();
  // Another number of the same extent: masks have to tell the two apart.
  if (shape.keys == shape.queries) {
    bool isDynamic = program.isDynamic(shape.queries);
    shape.keys =
        program.addExtent(program.extentOf(shape.queries), isDynamic,
                          isDynamic ? program.sizeOf(shape.queries) : Value());
  }
  // What kernels take, of types that they take.
  bool isNarrow = program.element.getIntOrFloatBitWidth() == 16;
  // More than a tile of a kernel, and little beside that.
  bool isLong = isNarrow && !isSelf && program.chance(0.25);
  if (isLong) {
    program.count("attention: more than a tile");
    shape.hasBatch &= program.extentOf(shape.batch) <= 2;
    shape.hasHeads = shape.hasGroups = false;
    auto pickLength = [&] {
      return program.addExtent(program.pick<int64_t>({65, 100, 128, 150, 200}),
                               false);
    };
    shape.queries = pickLength();
    shape.keys = pickLength();
  }
  auto pickWidth = [&] {
    if (isLong)
      return program.addExtent(16, false);
    if (isNarrow && program.chance(0.8))
      return program.addExtent(program.pick<int64_t>({16, 16, 32, 64}), false);
    return tape.pickWidth();
  };
  shape.width = pickWidth();
  shape.valueWidth = program.chance(0.7) ? shape.width : pickWidth();
  SmallVector<unsigned> scoreLoops = shape.with({3, 4}, true);
  for (bool isValue : {false, true}) {
    Dims all = shape.dims(shape.with({3, 4, 5}, true), isValue);
    if (program.countElements(all) > (isLong ? 700000 : 20000))
      return false;
  }
  if (isSelf && program.countElements(shape.dims(shape.with({3, 5}, true))) *
                        program.extentOf(x.dims.back()) >
                    10000)
    return false;
  const Operand *hidden = isSelf ? &x : nullptr;
  Operand q = project(tape, shape, hidden, shape.with({3, 5}, true), false);
  Operand k = project(tape, shape, hidden, shape.with({4, 5}, false), false);
  Operand v = project(tape, shape, hidden, shape.with({4, 5}, false), true);
  double scale = program.pick({1.0, 0.5, 0.25});
  if (program.chance(0.3)) {
    q = scaled(tape, q, scale);
    scale = 1;
  }
  SmallVector<unsigned> keyLoops = shape.with({4, 5}, false);
  // Keys of a group are repeated for its queries, or read by all of them.
  bool isRepeated = shape.hasGroups && program.chance(0.4);
  if (isRepeated) {
    size_t at = shape.lead(false).size();
    k = repeated(tape, k, at, shape.groups);
    v = repeated(tape, v, at, shape.groups);
    keyLoops = shape.with({4, 5}, true);
  }
  bool isMerged = isRepeated && program.chance(0.6);
  if (isMerged) {
    // One dimension for all heads, as models have them.
    size_t at = shape.lead(false).size() - 1;
    q = collapsed(tape, q, at);
    k = collapsed(tape, k, at);
    v = collapsed(tape, v, at);
    shape.heads = k.dims[at];
    // Each collapse has made an extent of its own.
    for (Operand *operand : {&q, &v})
      operand->dims[at] = shape.heads;
    shape.hasGroups = false;
    keyLoops = shape.with({4, 5}, false);
    scoreLoops = shape.with({3, 4}, false);
  }
  if (isNarrow && program.chance(isLong ? 0.8 : 0.6)) {
    x = attendAgain(tape, shape, q, k, v, keyLoops, scale);
    return true;
  }
  Operand scores =
      contract(tape, shape, {{q, shape.with({3, 5}, true)}, {k, keyLoops}},
               scoreLoops, false);
  // What is between the products is in f32 in most models of 16 bits.
  Type type = program.element;
  bool isWide = isNarrow && program.chance(0.7);
  if (isWide)
    scores = converted(tape, scores, program.builder.getF32Type());
  scores = shapeScores(tape, shape, scores, scoreLoops, scale);
  if (scores.magnitude > 1000)
    return false;
  Operand weights = softmax(tape, scores, unsigned(scores.dims.size() - 1));
  weights = converted(tape, weights, type);
  if (program.chance(0.1)) {
    // Dropout that was drawn before.
    DataSpec drawn;
    drawn.lo = 2;
    drawn.hi = 3;
    drawn.live = 0.5;
    Operand kept = tape.addConstant(weights.dims, drawn);
    SmallVector<unsigned> all = Tape::firstLoops(weights.dims.size());
    weights = product(tape, {{weights, all}, {kept, all}}, weights.dims, all);
    program.count("attention: dropout");
  }
  Operand out = contract(tape, shape, {{weights, scoreLoops}, {v, keyLoops}},
                         shape.with({3, 5}, true), true);
  program.count("attention");
  if (shape.hasGroups)
    program.count("attention: groups of heads");
  x = out;
  return true;
}
