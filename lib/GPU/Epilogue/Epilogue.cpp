//===- Epilogue.cpp - Epilogues: elementwise work on sums -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "SigmoidUnits.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::pit::hopper;

bool EpilogueOperand::operator==(const EpilogueOperand &other) const {
  auto key = [](const EpilogueOperand &o) {
    return std::tuple(o.type, o.rowStride, o.columnStride, o.segmentStride,
                      o.segmentsFollow, o.isListed, o.hasPairs);
  };
  return key(*this) == key(other);
}

Value EpilogueOperand::load(KernelBuilder &b, Value pointer) const {
  if (!type.isInteger(1))
    return b.load(pointer, type);
  Value byte = b.load(pointer, b.getI8Type(), 1);
  Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
  return b.compare(arith::CmpIPredicate::ne, byte, zero);
}

Value EpilogueOperand::getSegmentBytes(KernelBuilder &b, TilePosition tile,
                                       Value numRows) const {
  int64_t bytes = getBytes();
  if (segmentsFollow)
    return b.mul(b.mul(b.extend(tile.segment), b.extend(numRows)),
                 rowStride * bytes);
  return segmentStride ? b.mul(b.extend(tile.segment), segmentStride * bytes)
                       : Value();
}

bool EpilogueFunction::operator==(const EpilogueFunction &other) const {
  auto areEqual = [](Region *a, Region *b) {
    return a && b ? OperationEquivalence::isRegionEquivalentTo(
                        a, b, OperationEquivalence::IgnoreLocations)
                  : !a && !b;
  };
  return inputs == other.inputs && operands == other.operands &&
         rowOperands == other.rowOperands &&
         areEqual(region.get(), other.region.get()) &&
         areEqual(rowRegion.get(), other.rowRegion.get());
}

namespace {

/// Loads operands at the places of a fragment, each value once.
class OperandLoads {
public:
  OperandLoads(KernelBuilder &b, const EpilogueSite &site, TilePosition tile,
               const Fragment &fragment)
      : b(b), site(site), tile(tile), fragment(fragment) {}

  /// Emits, for these places, where rows lie, and loads what does not vary
  /// along columns.
  void prepare(ArrayRef<int64_t> places);

  Value get(const EpilogueOperand &operand, Value base, int64_t place);

  /// Whether columns may be behind the last one.
  bool guardsColumns = false;

private:
  std::pair<int64_t, int64_t> getOffsets(const EpilogueOperand &operand,
                                         int64_t place) const;
  Value getRow(int64_t offset, bool listed);
  Value getRowPointer(const EpilogueOperand &operand, Value base, int64_t row);
  Value load(const EpilogueOperand &operand, Value base, int64_t row,
             int64_t column, Type type);

  KernelBuilder &b;
  const EpilogueSite &site;
  TilePosition tile;
  const Fragment &fragment;
  DenseMap<std::pair<int64_t, int64_t>, Value> rows;
  DenseMap<std::pair<Value, int64_t>, Value> rowPointers;
  DenseMap<std::tuple<Value, int64_t, int64_t>, Value> values;
};

} // namespace

/// The row, in 64 bits, that lies `offset` rows behind the fragment's first.
Value OperandLoads::getRow(int64_t offset, bool listed) {
  Value &row = rows[{offset, listed}];
  if (row)
    return row;
  row = b.add(fragment.row, offset);
  if (site.tailM)
    row = b.minimum(row, b.sub(tile.end ? tile.end : site.numRows, 1));
  row = b.extend(row);
  if (listed) {
    Type type = site.rowNumberType;
    Value address = b.advance(
        site.rowNumbers, b.mul(row, int64_t(type.getIntOrFloatBitWidth() / 8)));
    row = b.extend(b.load(address, type));
  }
  return row;
}

/// Where the fragment's first column of a row lies.
Value OperandLoads::getRowPointer(const EpilogueOperand &operand, Value base,
                                  int64_t row) {
  Value &pointer = rowPointers[{base, row}];
  if (pointer)
    return pointer;
  pointer = base;
  int64_t bytes = operand.getBytes();
  auto advance = [&](Value number, int64_t stride) {
    pointer = b.advance(pointer, b.mul(number, stride * bytes));
  };
  if (Value offset = operand.getSegmentBytes(b, tile, site.numRows))
    pointer = b.advance(pointer, offset);
  if (operand.rowStride)
    advance(getRow(row, operand.isListed), operand.rowStride);
  if (operand.columnStride)
    advance(b.extend(fragment.column), operand.columnStride);
  return pointer;
}

/// Loads one value, or two neighbouring ones.
Value OperandLoads::load(const EpilogueOperand &operand, Value base,
                         int64_t row, int64_t column, Type type) {
  int64_t bytes = operand.getBytes();
  Value pointer = b.advance(getRowPointer(operand, base, row),
                            column * operand.columnStride * bytes);
  auto emit = [&]() -> SmallVector<Value> {
    return {isa<VectorType>(type) ? b.load(pointer, type, 2 * bytes)
                                  : operand.load(b, pointer)};
  };
  if (!guardsColumns || !operand.columnStride)
    return emit()[0];
  // Where pairs are loaded, numbers of columns are even.
  Value inside = b.isLess(b.add(fragment.column, column), site.numColumns);
  return b.choose(inside, emit, [&]() -> SmallVector<Value> {
    return {LLVM::ZeroOp::create(b, type)};
  })[0];
}

/// Rows and columns from the fragment's first to a place, 0 where the operand
/// does not vary.
std::pair<int64_t, int64_t>
OperandLoads::getOffsets(const EpilogueOperand &operand, int64_t place) const {
  int64_t along = Fragment::kPeriod * (place / 8) +
                  fragment.columnStep * (place / 4 % 2) + place % 2;
  int64_t across = fragment.rowStep * (place / 2 % 2);
  int64_t row = fragment.transposed ? along : across;
  int64_t column = fragment.transposed ? across : along;
  return {operand.rowStride ? row : 0, operand.columnStride ? column : 0};
}

Value OperandLoads::get(const EpilogueOperand &operand, Value base,
                        int64_t place) {
  auto [row, column] = getOffsets(operand, place);
  if (Value known = values.lookup({base, row, column}))
    return known;
  if (!operand.hasPairs || fragment.transposed)
    return values[{base, row, column}] =
               load(operand, base, row, column, operand.type);
  int64_t first = column & ~int64_t(1);
  Value pair =
      load(operand, base, row, first, VectorType::get({2}, operand.type));
  for (int64_t i : {0, 1})
    values[{base, row, first + i}] =
        LLVM::ExtractElementOp::create(b, pair, b.i32(i));
  return values[{base, row, column}];
}

void OperandLoads::prepare(ArrayRef<int64_t> places) {
  for (const EpilogueFunction::Input &input : site.function->inputs) {
    if (input.isProduct)
      continue;
    const EpilogueOperand &operand = site.function->operands[input.number];
    Value base = site.operands[input.number];
    for (int64_t place : places) {
      if (operand.columnStride)
        getRowPointer(operand, base, getOffsets(operand, place).first);
      else
        get(operand, base, place);
    }
  }
}

/// Places, from the first one on, that are computed together, on which the last
/// bit of each other's f32 then depends: of one row, so that it does not depend
/// on other rows, of which there is anything behind the last one.
static SmallVector<SmallVector<unsigned>>
groupPlaces(unsigned count, bool inPairs, bool transposed) {
  constexpr unsigned kColumns = 2, kPeriod = 4;
  SmallVector<SmallVector<unsigned>> groups;
  if (!inPairs || count % kPeriod != 0) {
    for (unsigned i = 0; i < count; ++i)
      groups.push_back({i});
    return groups;
  }
  // See Fragment: neighbouring places are neighbours along a row, or along a
  // column.
  for (unsigned first = 0; first < count; first += kPeriod)
    for (unsigned i : {0, 1})
      if (transposed)
        groups.push_back({first + i, first + i + kColumns});
      else
        groups.push_back({first + kColumns * i, first + kColumns * i + 1});
  return groups;
}

/// The function's values at some places.
static SmallVector<Value>
emitFunction(KernelBuilder &b, EpilogueFunction &function, OperandLoads loads,
             ArrayRef<Value> operands, const Fragment &fragment,
             ArrayRef<int64_t> places) {
  Block &body = function.getBody();
  auto isRounded = [&](unsigned input) {
    return function.inputs[input].isProduct &&
           body.getArgument(input).getType().isF32() &&
           llvm::any_of(body.getArgument(input).getUsers(),
                        llvm::IsaPred<arith::TruncFOp>);
  };
  // The assembler would round a sum where it comes from, amid of the products,
  // which then wait for each other. It does not do so with an addition.
  Value nothing;
  if (llvm::any_of(llvm::seq<unsigned>(function.inputs.size()), isRounded))
    nothing = b.pin(arith::ConstantOp::create(b, b.getF32FloatAttr(-0.f)));
  auto getProduct = [&](unsigned input, int64_t place) -> Value {
    Value sum = fragment.products[function.inputs[input].number][place];
    return isRounded(input) ? LLVM::FAddOp::create(b, sum, nothing) : sum;
  };
  // All loads are under way before the first is used.
  SmallVector<SmallVector<Value>> arguments;
  for (int64_t place : places) {
    SmallVector<Value> &ofPlace = arguments.emplace_back();
    for (auto [i, input] : llvm::enumerate(function.inputs))
      ofPlace.push_back(input.isProduct
                            ? getProduct(i, place)
                            : loads.get(function.operands[input.number],
                                        operands[input.number], place));
  }
  SigmoidUnits units = findSigmoidUnits(body);
  SmallVector<Value> results(places.size());
  for (ArrayRef<unsigned> group :
       groupPlaces(places.size(), /*inPairs=*/!units.arguments.empty(),
                   fragment.transposed)) {
    SmallVector<IRMapping> mappings(group.size());
    for (auto [mapping, i] : llvm::zip_equal(mappings, group))
      mapping.map(body.getArguments(), arguments[i]);
    for (Operation &op : body.without_terminator()) {
      if (units.parts.contains(&op))
        continue;
      if (Value argument = units.arguments.lookup(&op)) {
        auto values = llvm::map_to_vector(mappings, [&](IRMapping &mapping) {
          return mapping.lookup(argument);
        });
        for (auto [mapping, unit] :
             llvm::zip_equal(mappings, emitSigmoidUnits(b, values)))
          mapping.map(op.getResult(0), unit);
        continue;
      }
      for (IRMapping &mapping : mappings)
        b.clone(op, mapping);
    }
    // Computed here: sunk into the guards of their stores, results would leave
    // behind all that they are computed from.
    for (auto [mapping, i] : llvm::zip_equal(mappings, group))
      results[i] =
          b.pin(mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
  }
  return results;
}

/// How many places are computed together: what is loaded for them must fit into
/// registers beside the accumulators.
static int64_t getPlacesAtOnce(const EpilogueSite &site,
                               const Fragment &fragment) {
  int64_t accumulators = site.accumulators;
  for (ArrayRef<Value> product : fragment.products)
    accumulators += product.size();
  accumulators *=
      fragment.products[0][0].getType().getIntOrFloatBitWidth() / 32;
  // Quarters of a register per place. A place shares columns with one that is
  // eight rows away, and rows with its neighbours.
  int64_t quarters = 0;
  for (const EpilogueFunction::Input &input : site.function->inputs) {
    if (input.isProduct)
      continue;
    const EpilogueOperand &operand = site.function->operands[input.number];
    bool isWide = operand.type.getIntOrFloatBitWidth() > 16 ||
                  fragment.transposed || !operand.hasPairs;
    bool across =
        fragment.transposed ? operand.rowStride : operand.columnStride;
    bool along = fragment.transposed ? operand.columnStride : operand.rowStride;
    if (across)
      quarters += (isWide ? 2 : 1) * (along ? 2 : 1);
  }
  constexpr int64_t kStep = 16, kRegisters = 144;
  int64_t places = fragment.products[0].size();
  if (quarters)
    places = std::max<int64_t>(kRegisters - accumulators, 0) * 4 / quarters;
  return std::max(places / kStep * kStep, kStep);
}

SmallVector<Value> mlir::pit::hopper::applyEpilogue(KernelBuilder &b,
                                                    const EpilogueSite &site,
                                                    TilePosition tile,
                                                    const Fragment &fragment) {
  if (!site.function)
    return fragment.products[0];
  EpilogueFunction &function = *site.function;
  bool hasColumns =
      llvm::any_of(function.operands, [](const EpilogueOperand &operand) {
        return operand.columnStride != 0;
      });
  // Guarded loads come one by one: only where columns end inside the tile.
  Value isWhole;
  if (site.tailN && hasColumns)
    isWhole = b.compare(arith::CmpIPredicate::ule,
                        b.add(tile.column, site.tileColumns), site.numColumns);

  int64_t numPlaces = fragment.products[0].size();
  OperandLoads loads(b, site, tile, fragment);
  int64_t placesAtOnce = getPlacesAtOnce(site, fragment);
  SmallVector<Value> results;
  for (int64_t first = 0; first < numPlaces; first += placesAtOnce) {
    auto places = llvm::to_vector(
        llvm::seq(first, std::min(first + placesAtOnce, numPlaces)));
    loads.prepare(places);
    auto emit = [&](bool guardsColumns) {
      OperandLoads loadsHere = loads;
      loadsHere.guardsColumns = guardsColumns;
      return emitFunction(b, function, std::move(loadsHere), site.operands,
                          fragment, places);
    };
    llvm::append_range(results, isWhole
                                    ? b.choose(
                                          isWhole, [&] { return emit(false); },
                                          [&] { return emit(true); })
                                    : emit(false));
  }
  return results;
}
