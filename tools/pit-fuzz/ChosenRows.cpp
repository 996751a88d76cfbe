//===- ChosenRows.cpp - Products with choices by number -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

namespace {
/// One-hot tensors, and sums of them, over tokens and rows.
class ChoiceBuilder {
public:
  explicit ChoiceBuilder(ProgramBuilder &program) : program(program) {}
  bool run();

private:
  Value addNumbers(unsigned extent);
  Leaf emitPlace(BodyWriter &writer, ArrayRef<Value> numbers, Leaf weight);
  Operand makeChoices();
  void multiply(const Operand &choices, bool looksUp);

  ProgramBuilder &program;
  /// Loops of the choices: tokens, and then rows.
  Dims tokens, rows, columns;
};
} // namespace

/// Numbers of rows, some of which may be none.
Value ChoiceBuilder::addNumbers(unsigned extent) {
  OpBuilder &b = program.builder;
  DataSpec spec;
  spec.lo = program.chance(0.3) ? -2 : 0;
  spec.hi = std::max<int64_t>(program.extentOf(extent), 1) +
            (program.chance(0.3) ? 3 : 0);
  Type type = program.pick({Type(b.getI32Type()), Type(b.getI64Type())});
  return program.addArgument(tokens, type, spec).value;
}

/// The weight at the place that the numbers name, and zero elsewhere.
Leaf ChoiceBuilder::emitPlace(BodyWriter &writer, ArrayRef<Value> numbers,
                              Leaf weight) {
  OpBuilder &b = writer.getBuilder();
  Location loc = program.loc;
  Type type = weight.value.getType();
  Value all;
  Leaf product = weight;
  bool multiplies = program.chance(0.5);
  for (auto [i, number] : llvm::enumerate(numbers)) {
    Value place = linalg::IndexOp::create(b, loc, int64_t(tokens.size() + i));
    place = arith::IndexCastOp::create(b, loc, number.getType(), place);
    Value isHere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, place);
    if (multiplies) {
      Value one = isa<FloatType>(type)
                      ? Value(arith::UIToFPOp::create(b, loc, type, isHere))
                      : arith::ExtUIOp::create(b, loc, type, isHere);
      product = {writer.multiply(product, Leaf{one, 1}).value,
                 weight.magnitude};
    } else {
      all = all ? arith::AndIOp::create(b, loc, all, isHere) : isHere;
    }
  }
  if (all)
    product.value = arith::SelectOp::create(b, loc, all, weight.value,
                                            writer.constant(type, 0));
  return product;
}

Operand ChoiceBuilder::makeChoices() {
  Dims loops(tokens);
  llvm::append_range(loops, rows);
  size_t numPlaces = program.pick(
      {size_t(1), size_t(1), size_t(1), size_t(2), size_t(2), size_t(3)});
  MLIRContext *context = program.builder.getContext();
  auto identity =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(loops.size())));
  auto ofTokens = ArrayRef(identity).take_front(tokens.size());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<double> magnitudes;
  for (size_t place = 0; place < numPlaces; ++place) {
    for (unsigned extent : rows) {
      inputs.push_back(addNumbers(extent));
      maps.push_back(projection(context, loops.size(), ofTokens));
    }
    bool hasRows = program.chance(0.4);
    Operand weight =
        program.operandOf(hasRows ? loops : tokens, program.element);
    inputs.push_back(weight.value);
    maps.push_back(
        projection(context, loops.size(), hasRows ? identity : ofTokens));
    magnitudes.push_back(weight.magnitude);
  }
  maps.push_back(projection(context, loops.size(), identity));
  bool isTruth = program.chance(0.3);
  double magnitude = 0;
  auto op = createGeneric(
      program, inputs, program.destination(loops, program.element), maps,
      SmallVector<IteratorType>(loops.size(), IteratorType::parallel),
      [&](BodyWriter &writer, ValueRange args) {
        size_t next = 0;
        std::optional<Leaf> sum;
        for (double of : magnitudes) {
          SmallVector<Value> numbers(args.slice(next, rows.size()));
          next += rows.size();
          Leaf place = emitPlace(writer, numbers, Leaf{args[next++], of});
          sum = sum ? writer.add(*sum, place) : place;
        }
        Leaf result = *sum;
        if (isTruth) {
          OpBuilder &b = writer.getBuilder();
          Type type = result.value.getType();
          Value zero = writer.constant(type, 0), is;
          if (isa<FloatType>(type)) {
            is = arith::CmpFOp::create(
                b, program.loc, arith::CmpFPredicate::UNE, result.value, zero);
            result = {arith::UIToFPOp::create(b, program.loc, type, is), 1};
          } else {
            is = arith::CmpIOp::create(b, program.loc, arith::CmpIPredicate::ne,
                                       result.value, zero);
            result = {arith::ExtUIOp::create(b, program.loc, type, is), 1};
          }
        }
        magnitude = result.magnitude;
        return result.value;
      });
  program.count("choices of " + std::to_string(numPlaces));
  return {op.getResult(0), loops, program.element, magnitude};
}

/// Sums over rows, of rows that tokens share, or over tokens.
void ChoiceBuilder::multiply(const Operand &choices, bool looksUp) {
  Dims loops(choices.dims);
  llvm::append_range(loops, columns);
  auto numTokens = unsigned(tokens.size()), numRows = unsigned(rows.size());
  auto seq = [](unsigned from, unsigned to) {
    return llvm::to_vector(llvm::seq<unsigned>(from, to));
  };
  SmallVector<unsigned> tokenLoops = seq(0, numTokens),
                        rowLoops = seq(numTokens, numTokens + numRows),
                        columnLoops =
                            seq(numTokens + numRows, unsigned(loops.size()));
  // The first tokens may be those of a batch, which has rows of its own.
  bool hasBatch = numTokens > 1 && program.chance(0.4);
  SmallVector<unsigned> read = looksUp ? rowLoops : tokenLoops,
                        written = looksUp ? tokenLoops : rowLoops;
  if (hasBatch)
    (looksUp ? read : written).insert((looksUp ? read : written).begin(), 0u);
  llvm::append_range(read, columnLoops);
  llvm::append_range(written, columnLoops);
  if (program.chance(0.2))
    program.shuffle(written);
  if (program.chance(0.2))
    program.shuffle(read);
  auto getDims = [&](ArrayRef<unsigned> of) {
    Dims dims;
    for (unsigned loop : of)
      dims.push_back(loops[loop]);
    return dims;
  };
  Operand other = program.operandOf(getDims(read), program.element);
  Dims outDims = getDims(written);
  SmallVector<IteratorType> iterators(loops.size(), IteratorType::parallel);
  double terms = 1;
  for (unsigned loop : looksUp ? rowLoops : tokenLoops)
    if (!llvm::is_contained(written, loop)) {
      iterators[loop] = IteratorType::reduction;
      terms *= double(program.extentOf(loops[loop]));
    }
  MLIRContext *context = program.builder.getContext();
  Value init = program.chance(0.3)
                   ? program.operandOf(outDims, program.element).value
                   : program.filled(outDims, program.element, 0);
  double magnitude = 0;
  auto op = createGeneric(
      program, {choices.value, other.value}, init,
      {projection(context, loops.size(), seq(0, numTokens + numRows)),
       projection(context, loops.size(), read),
       projection(context, loops.size(), written)},
      iterators, [&](BodyWriter &writer, ValueRange args) {
        Leaf term = writer.multiply(Leaf{args[0], choices.magnitude},
                                    Leaf{args[1], other.magnitude});
        magnitude = term.magnitude * terms + 4;
        return writer.add(Leaf{args[2], 1}, term).value;
      });
  program.count(looksUp ? "lookup by a choice" : "sum of chosen rows");
  program.add(op.getResult(0), outDims, program.element, magnitude);
}

bool ChoiceBuilder::run() {
  auto pickExtents = [&](size_t count) {
    Dims dims;
    while (dims.size() < count)
      dims.push_back(program.pickExtent());
    return dims;
  };
  tokens = pickExtents(program.chance(0.3) ? 2 : 1);
  rows = pickExtents(program.chance(0.3) ? 2 : 1);
  columns = pickExtents(program.chance(0.15) ? 0 : 1);
  Dims all(tokens);
  llvm::append_range(all, rows);
  Dims loops(all);
  llvm::append_range(loops, columns);
  if (!program.isSmall(all) || program.countElements(loops) > 20000)
    return false;
  Operand choices = makeChoices();
  if (choices.magnitude * 64 > program.largest(program.element)) {
    program.add(choices.value, all, program.element, choices.magnitude);
    return true;
  }
  bool looksUp = program.chance(0.5);
  multiply(choices, looksUp);
  if (program.chance(0.3))
    multiply(choices, !looksUp);
  return true;
}

bool mlir::pit::fuzz::addChosenRows(ProgramBuilder &program) {
  return ChoiceBuilder(program).run();
}
