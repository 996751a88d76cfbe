//===- Layers.cpp - What programs with gradients are made of --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

/// Some loops of a tensor, ascending, at least one.
static SmallVector<unsigned> pickLoops(ProgramBuilder &program, size_t rank) {
  SmallVector<unsigned> loops;
  while (loops.empty())
    for (unsigned d = 0; d < rank; ++d)
      if (program.chance(0.5))
        loops.push_back(d);
  return loops;
}

/// A weight, pruned now and then.
static Operand addWeight(Tape &tape, ArrayRef<unsigned> dims) {
  return tape.program.chance(0.25) ? tape.addMaskedParameter(dims)
                                   : tape.addParameter(dims);
}

/// x[.., k] W[k, n] or x[b, .., k] W[b, k, n], the weight in either layout.
static bool addProduct(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  size_t rank = x.dims.size();
  unsigned n = tape.pickWidth();
  bool isBatch = rank >= 3 && program.chance(0.3);
  SmallVector<unsigned> loops(x.dims), xLoops = Tape::firstLoops(rank), out,
                                       weightLoops;
  unsigned k =
      unsigned(program.chance(0.8) ? rank - 1 : program.pickIndex(rank));
  loops.push_back(n);
  if (program.countElements(loops) > 40000)
    return false;
  if (isBatch && k != 0)
    weightLoops.push_back(0);
  SmallVector<unsigned> inner{k, unsigned(rank)};
  if (program.chance(0.5))
    std::swap(inner[0], inner[1]);
  weightLoops.append(inner);
  for (unsigned loop : xLoops)
    if (loop != k)
      out.push_back(loop);
  out.push_back(unsigned(rank));
  if (program.chance(0.15))
    program.shuffle(out);
  Dims dims;
  for (unsigned loop : weightLoops)
    dims.push_back(loops[loop]);
  SmallVector<MappedOperand> factors{{x, xLoops},
                                     {addWeight(tape, dims), weightLoops}};
  if (program.chance(0.3))
    std::swap(factors[0], factors[1]);
  x = product(tape, factors, loops, out);
  program.count("gradient of product");
  return true;
}

static bool addBiasLayer(Tape &tape, Operand &x) {
  SmallVector<unsigned> loops{unsigned(x.dims.size() - 1)};
  if (tape.program.chance(0.2))
    loops = pickLoops(tape.program, x.dims.size());
  Dims dims;
  for (unsigned loop : loops)
    dims.push_back(x.dims[loop]);
  x = addBias(tape, x, tape.addParameter(dims), loops);
  return true;
}

static bool addFunction(Tape &tape, Operand &x) {
  if (x.magnitude > 64)
    return false;
  x = applied(tape, x, pickFunction(tape));
  return true;
}

static bool addMask(Tape &tape, Operand &x) {
  x = masked(tape, x, pickLoops(tape.program, x.dims.size()));
  return true;
}

static bool addScale(Tape &tape, Operand &x) {
  x = scaled(tape, x, x.magnitude > 16 ? 0.125 : 0.5);
  return true;
}

/// Another value of the same dimensions is added.
static bool addResidual(Tape &tape, Operand &x) {
  SmallVector<Operand> fitting;
  for (const Operand &value : tape.values)
    if (value.dims == x.dims && value.value != x.value)
      fitting.push_back(value);
  if (fitting.empty())
    return false;
  Operand other = tape.program.pick(fitting);
  x = addBias(tape, x, other, Tape::firstLoops(x.dims.size()));
  tape.program.count("gradient of residual");
  return true;
}

/// Times another value, a parameter, or what dropout has drawn.
static bool addTimes(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  SmallVector<unsigned> all = Tape::firstLoops(x.dims.size()), loops = all;
  Operand other;
  if (program.chance(0.4)) {
    DataSpec drawn;
    drawn.lo = 2;
    drawn.hi = 3;
    drawn.live = program.pick({0.1, 0.5, 0.8});
    other = tape.addConstant(x.dims, drawn);
    program.count("gradient of dropout");
  } else {
    loops = pickLoops(program, x.dims.size());
    Dims dims;
    for (unsigned loop : loops)
      dims.push_back(x.dims[loop]);
    for (const Operand &value : tape.values)
      if (value.dims == dims && value.magnitude < 64 && program.chance(0.5))
        other = value;
    if (!other.value)
      other = tape.addParameter(dims);
  }
  x = product(tape, {{x, all}, {other, loops}}, x.dims, all);
  return true;
}

/// act(x W1) * (x W3), W2 behind it.
static bool addGatedUnit(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  size_t rank = x.dims.size();
  unsigned f = tape.pickWidth();
  SmallVector<unsigned> loops(x.dims);
  loops.push_back(f);
  if (program.countElements(loops) > 10000)
    return false;
  SmallVector<unsigned> all = Tape::firstLoops(rank), out = all;
  out.back() = unsigned(rank);
  auto project = [&](const Operand &from, unsigned k, unsigned n) {
    Operand weight = addWeight(tape, {loops[k], loops[n]});
    SmallVector<unsigned> from_loops = k + 1 == rank ? all : out,
                          to_loops = k + 1 == rank ? out : all;
    return product(tape, {{from, from_loops}, {weight, {k, n}}}, loops,
                   to_loops);
  };
  auto d = unsigned(rank - 1), hidden = unsigned(rank);
  Operand gate = project(x, d, hidden), up = project(x, d, hidden);
  gate = applied(tape, gate, program.isExact ? Function::Relu : Function::Silu);
  Operand both = product(tape, {{gate, all}, {up, all}}, gate.dims, all);
  x = project(scaled(tape, both, 0.25), hidden, d);
  program.count("gradient of gated unit");
  return true;
}

/// sum_e G[.., e] act(x W1[e] + b1[e]) W2[e].
static bool addExperts(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  size_t rank = x.dims.size();
  if (rank < 2 || rank > 3 || x.magnitude > 32)
    return false;
  unsigned e = program.pickExtent(), f = tape.pickWidth();
  unsigned n = program.chance(0.7) ? x.dims.back() : tape.pickWidth();
  // Loops: those of tokens, then e, d, f, n.
  SmallVector<unsigned> loops(x.dims.begin(), x.dims.end() - 1), tokens;
  tokens = Tape::firstLoops(loops.size());
  auto numTokens = unsigned(loops.size());
  loops.append({e, x.dims.back(), f, n});
  unsigned E = numTokens, D = E + 1, F = E + 2, N = E + 3;
  auto with = [&](std::initializer_list<unsigned> more) {
    SmallVector<unsigned> list(tokens);
    list.append(more);
    return list;
  };
  auto dimsOf = [&](ArrayRef<unsigned> list) {
    Dims dims;
    for (unsigned loop : list)
      dims.push_back(loops[loop]);
    return dims;
  };
  if (program.countElements(dimsOf(with({E, D, F}))) > 20000 ||
      program.countElements(dimsOf(with({E, F, N}))) > 20000)
    return false;
  // Loops of one op are those that it has.
  auto contract = [&](SmallVector<MappedOperand> factors,
                      SmallVector<unsigned> out) {
    SmallVector<unsigned> used = Tape::renumberLoops(factors, out);
    return product(tape, factors, dimsOf(used), out);
  };
  // A gate that is given, most of it zero, or one that is computed.
  Operand gate;
  SmallVector<unsigned> gateLoops = with({E});
  if (program.chance(0.3)) {
    Operand router = tape.addParameter({x.dims.back(), e});
    gate = contract({{x, with({D})}, {router, {D, E}}}, gateLoops);
    if (!program.isExact)
      gate = softmax(tape, gate, unsigned(gate.dims.size() - 1));
    gate = masked(
        tape, gate,
        {unsigned(gate.dims.size() - 2), unsigned(gate.dims.size() - 1)});
    program.count("gradient of router");
  } else if (program.chance(0.4)) {
    gate = tape.addMaskedParameter(dimsOf(gateLoops));
  } else {
    DataSpec spec = tape.numbers();
    spec.live = program.pick({0.1, 0.25, 0.5});
    gate = tape.addParameterOf(dimsOf(gateLoops), spec);
    if (!program.writesMarks && program.chance(0.6))
      gate = tape.markValues(gate);
  }
  bool firstGated = program.chance(0.2);
  SmallVector<MappedOperand> factors{
      {x, with({D})}, {addWeight(tape, {e, x.dims.back(), f}), {E, D, F}}};
  if (firstGated)
    factors.push_back({gate, gateLoops});
  Operand h = contract(factors, with({E, F}));
  if (program.chance(0.3)) {
    auto last = unsigned(h.dims.size());
    h = addBias(tape, h, tape.addParameter({e, f}), {last - 2, last - 1});
  }
  h = scaled(tape, h, 0.5);
  h = applied(tape, h, pickFunction(tape));
  Operand w2 = addWeight(tape, {e, f, n});
  if (firstGated) {
    x = contract({{h, with({E, F})}, {w2, {E, F, N}}}, with({N}));
  } else if (program.chance(0.5)) {
    x = contract({{gate, gateLoops}, {h, with({E, F})}, {w2, {E, F, N}}},
                 with({N}));
  } else {
    Operand each = contract({{h, with({E, F})}, {w2, {E, F, N}}}, with({E, N}));
    x = contract({{gate, gateLoops}, {each, with({E, N})}}, with({N}));
  }
  program.count("gradient of experts");
  return true;
}

static bool addNorm(Tape &tape, Operand &x) {
  if (tape.program.isExact || x.magnitude > 64)
    return false;
  x = normalized(tape, x, tape.program.chance(0.5));
  if (tape.program.chance(0.5)) {
    SmallVector<unsigned> all = Tape::firstLoops(x.dims.size());
    Operand weight = tape.addParameter({x.dims.back()});
    x = product(tape, {{x, all}, {weight, {all.back()}}}, x.dims, all);
  }
  return true;
}

static bool addSoftmaxLayer(Tape &tape, Operand &x) {
  if (x.magnitude > 50)
    return false;
  x = softmax(tape, x, unsigned(tape.program.pickIndex(x.dims.size())));
  return true;
}

static bool addTransposeLayer(Tape &tape, Operand &x) {
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(x.dims.size())));
  tape.program.shuffle(permutation);
  x = transposed(tape, x, permutation);
  return true;
}

static bool addReshapeLayer(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  if (x.dims.size() >= 2 && program.chance(0.5)) {
    x = collapsed(tape, x, program.pickIndex(x.dims.size() - 1));
    return true;
  }
  size_t dim = program.pickIndex(x.dims.size());
  int64_t extent = program.extentOf(x.dims[dim]);
  if (program.isDynamic(x.dims[dim]) || extent < 4 || x.dims.size() > 3)
    return false;
  for (int64_t outer : {2, 3, 5})
    if (extent % outer == 0) {
      x = expanded(tape, x, dim, outer);
      return true;
    }
  return false;
}

static bool addSliceLayer(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  size_t dim = program.pickIndex(x.dims.size());
  int64_t extent = program.extentOf(x.dims[dim]);
  if (extent < 2 || program.countElements(x.dims) == 0)
    return false;
  int64_t offset = program.random.integer(0, extent);
  int64_t size = program.random.integer(1, extent - offset + 1);
  x = sliced(tape, x, dim, offset, size);
  program.count("gradient of slice");
  return true;
}

static bool addJoin(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  size_t dim = program.pickIndex(x.dims.size());
  Dims dims = x.dims;
  dims[dim] = program.pickExtent();
  // The verifier knows no slice of a dimension without elements.
  if (!program.isSmall(dims) || program.countElements(dims) == 0 ||
      program.countElements(x.dims) == 0)
    return false;
  Operand other = tape.addParameter(dims);
  if (program.chance(0.5))
    std::swap(x, other);
  x = joined(tape, x, other, dim);
  program.count("gradient of concat");
  return true;
}

static bool addRepeat(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  if (x.dims.size() > 3)
    return false;
  Dims dims = x.dims;
  size_t at = program.pickIndex(dims.size() + 1);
  unsigned extent = program.pickExtent();
  dims.insert(dims.begin() + at, extent);
  if (program.countElements(dims) > 4000)
    return false;
  x = repeated(tape, x, at, extent);
  return true;
}

/// Rows, or more dimensions, are summed away.
static bool addSum(Tape &tape, Operand &x) {
  if (x.dims.size() < 2)
    return false;
  SmallVector<unsigned> kept = Tape::firstLoops(x.dims.size());
  kept.erase(kept.begin() + tape.program.pickIndex(kept.size()));
  MappedOperand all{x, Tape::firstLoops(x.dims.size())};
  x = product(tape, all, x.dims, kept);
  return true;
}

/// Rows of a table are in place of what there was.
static bool addEmbedding(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  unsigned rows = program.pickExtent(), width = program.pickExtent(),
           count = program.pickExtent();
  if (program.extentOf(rows) == 0 ||
      program.countElements({rows, width, count}) > 10000)
    return false;
  DataSpec spec;
  spec.hi = program.extentOf(rows);
  Type type = program.pick(
      {program.builder.getI64Type(), program.builder.getI32Type()});
  Operand numbers = program.addArgument({count}, type, spec);
  Operand table = tape.addParameter({rows, width});
  x = looked(tape, table, numbers);
  program.count("gradient of embedding");
  return true;
}

bool mlir::pit::fuzz::addLayer(Tape &tape, Operand &x) {
  ProgramBuilder &program = tape.program;
  using Layer = bool (*)(Tape &, Operand &);
  static const std::pair<int, Layer> kLayers[] = {
      {16, addProduct},       {6, addBiasLayer},    {12, addFunction},
      {14, addMask},          {3, addScale},        {5, addResidual},
      {5, addTimes},          {3, addGatedUnit},    {8, addExperts},
      {5, addNorm},           {3, addSoftmaxLayer}, {9, addAttention},
      {3, addTransposeLayer}, {3, addReshapeLayer}, {3, addSliceLayer},
      {2, addJoin},           {2, addRepeat},       {2, addSum},
      {2, addEmbedding}};
  int total = 0;
  for (auto [weight, layer] : kLayers)
    total += weight;
  int64_t at = program.random.integer(0, total);
  for (auto [weight, layer] : kLayers) {
    at -= weight;
    if (at < 0)
      return layer(tape, x);
  }
  return false;
}
