//===- Summaries.cpp - What modifiers have in each tile -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summaries.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

Type mlir::pit::attention::getSummaryType(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<FloatType>(element))
    return Float32Type::get(context);
  return IntegerType::get(context, 64);
}

Value mlir::pit::attention::widen(Kernel &b, Value value) {
  Type type = value.getType(), wide = getSummaryType(type);
  if (type == wide)
    return value;
  if (type.isF64())
    return arith::TruncFOp::create(b, wide, value);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, wide, value);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(b, wide, value);
  return arith::ExtSIOp::create(b, wide, value);
}

/// The modifiers that a value follows from.
static void collectModifiers(Value value, AttendOp op,
                             llvm::SetVector<unsigned> &modifiers) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber();
    if (number > 0 && number <= op.getModifiers().size())
      modifiers.insert(number - 1);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    collectModifiers(operand, op, modifiers);
}

Value Summaries::getTiles(unsigned modifier, unsigned axis) {
  if (!problem.op.getDimension(FirstModifier + modifier, axis))
    return problem.host.constant(1);
  return problem.getTiles(axis,
                          axis == problem.getQueryAxis() ? queries : keys);
}

void Summaries::launch(const Guards &guards, gpu::GPUModuleOp module,
                       StringRef name) {
  llvm::SetVector<unsigned> modifiers;
  for (const Guard &guard : guards.guards)
    collectModifiers(guard.value, problem.op, modifiers);
  // Another guard, one that is made of something else, too, or a row without a
  // live logit asks for elements where this modifier has one value, too.
  auto isOfModifier = [&](const Guard &guard) {
    return llvm::all_of(
        problem.op.getArgumentsOf(guard.value), [&](BlockArgument argument) {
          return argument == problem.op.getModifierArgument(modifiers[0]);
        });
  };
  bool bitsOfMixed = guards.guards.size() == 1 && modifiers.size() == 1 &&
                     !guards.mayBeFinite && isOfModifier(guards.guards[0]);
  for (unsigned modifier : modifiers) {
    auto has = [&](unsigned axis) {
      return problem.op.getDimension(FirstModifier + modifier, axis)
          .has_value();
    };
    // One number is an interval by itself.
    if (has(problem.getQueryAxis()) || has(problem.getKeyAxis()))
      launch(modifier, bitsOfMixed, module, (name + Twine(modifier)).str());
  }
}

Interval Summaries::load(Kernel &b, unsigned modifier, ArrayRef<Value> batch,
                         Value tileOfQueries, Value tileOfKeys) {
  Value place = b.i32(0);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      place =
          b.add(b.mul(place, b.number(problem.getExtent(axis))), batch[axis]);
  for (auto [axis, tile] : {std::pair(problem.getQueryAxis(), tileOfQueries),
                            {problem.getKeyAxis(), tileOfKeys}})
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      place = b.add(b.mul(place, b.number(getTiles(modifier, axis))), tile);
  Type type =
      getSummaryType(problem.op.getModifierArgument(modifier).getType());
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value base = b.pointer(buffers[modifier]);
  Value address = b.element(base, place, 2 * bytes);
  return {b.load(address, type, bytes),
          b.load(b.advance(address, bytes), type, bytes)};
}

Value Summaries::getWordsOfRow() {
  return problem.host.mul(problem.getTiles(problem.getKeyAxis(), keys),
                          keys / 32);
}

Value Summaries::loadBits(Kernel &b, unsigned modifier, ArrayRef<Value> batch,
                          Value query, Value word) {
  Value row = b.i32(0);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      row = b.add(b.mul(row, b.number(problem.getExtent(axis))), batch[axis]);
  row = b.add(b.mul(row, b.number(problem.getExtent(problem.getQueryAxis()))),
              query);
  Value place = b.add(b.mul(row, b.number(getWordsOfRow())), word);
  Value base = b.pointer(bits[modifier]);
  return b.load(b.element(base, place, 4), b.getI32Type(), 4);
}

/// Elements of a load of a tile's row: 16 bytes where rows are made of such.
static int64_t getVector(Problem &problem, unsigned operand, int64_t columns) {
  constexpr int64_t kBytes = 16;
  int64_t bytes = problem.getElementBytes(operand), vector = kBytes / bytes;
  unsigned keyAxis = problem.getKeyAxis();
  if (!problem.op.getDimension(operand, keyAxis) || columns % vector != 0)
    return 1;
  int64_t extent = problem.getKnownExtent(keyAxis);
  if (ShapedType::isDynamic(extent) || extent % vector != 0)
    return 1;
  return problem.hasVectors(operand, keyAxis, vector) ? vector : 1;
}

bool Summaries::hasVectorsOfKeys(Problem &problem, unsigned modifier,
                                 int64_t keys) {
  constexpr int64_t kBytes = 16;
  unsigned operand = FirstModifier + modifier;
  return problem.op.getDimension(operand, problem.getQueryAxis()) &&
         problem.op.getDimension(operand, problem.getKeyAxis()) &&
         keys % 32 == 0 &&
         getVector(problem, operand, keys) * problem.getElementBytes(operand) ==
             kBytes;
}

/// 16 truth values of a load become bits.
bool Summaries::canHaveBits(Problem &problem, unsigned modifier,
                            int64_t queries, int64_t keys) {
  return problem.op.getModifierArgument(modifier).getType().isInteger(1) &&
         hasVectorsOfKeys(problem, modifier, keys);
}

Value mlir::pit::attention::packTruths(Kernel &b, ArrayRef<Value> words) {
  Value packed;
  for (auto [i, word] : llvm::enumerate(words)) {
    // A product brings the lowest bits of four bytes side by side.
    Value four = b.bitAnd(b.shiftRight(b.mul(word, 0x01020408), 24), 15);
    four = b.shiftLeft(four, 4 * i);
    packed = packed ? b.bitOr(packed, four) : four;
  }
  return packed;
}

namespace {

/// Reads the tiles of one modifier, a warp each.
class SummaryEmitter {
public:
  SummaryEmitter(Problem &problem, unsigned modifier, int64_t queries,
                 int64_t keys, bool bitsOfMixed, Kernel &b)
      : problem(problem), modifier(modifier), operand(FirstModifier + modifier),
        b(b), element(problem.op.getModifierArgument(modifier).getType()),
        wide(getSummaryType(element)),
        rows(has(problem.getQueryAxis()) ? queries : 1),
        columns(has(problem.getKeyAxis()) ? keys : 1),
        vector(getVector(problem, operand, columns)), bitsOfMixed(bitsOfMixed) {
  }

  static constexpr int64_t kWarps = 8;
  /// Given how many tiles there are along both axes, and where bits go, if they
  /// are wanted, with the words of a row.
  Value run(Value out, Value tilesI, Value tilesJ, Value bits,
            Value wordsOfRow);

private:
  bool has(unsigned axis) {
    return problem.op.getDimension(operand, axis).has_value();
  }
  Interval getUnit();
  Interval join(Interval a, Interval b);
  /// How many warps have a tile: one, but where elements are read one by one.
  /// Of a bias of 777 x 777 f32, that a warp had a tile took half of the time.
  int64_t getWarpsOfTile() {
    return vector == 1 && rows * columns > 32 * kUnroll ? kWarps : 1;
  }
  Interval readTile(ArrayRef<Value> batch, Value firstI, Value firstJ,
                    bool writesBits);
  Interval joinWarps(Interval ofWarp);
  Interval readChunk(Value address, int64_t count, Value bitsTarget,
                     Value exists);
  Value loadOne(Value address);
  void store(Interval tile, Value address);

  Problem &problem;
  unsigned modifier, operand;
  Kernel &b;
  Type element, wide;
  /// Loads of several chunks are under way at a time.
  static constexpr int64_t kUnroll = 4;
  int64_t rows, columns;
  /// Elements of a load.
  int64_t vector;
  /// Whether bits are wanted of tiles alone whose elements differ.
  bool bitsOfMixed;
  /// Of the tile's point of the batch, and a row's words; null where no bits
  /// are wanted.
  Value bits, wordsOfRow;
};

} // namespace

/// The interval of no values.
Interval SummaryEmitter::getUnit() {
  if (!isa<FloatType>(wide))
    return {b.i64(std::numeric_limits<int64_t>::max()),
            b.i64(std::numeric_limits<int64_t>::min())};
  float infinity = std::numeric_limits<float>::infinity();
  return {arith::ConstantOp::create(b, b.getF32FloatAttr(infinity)),
          arith::ConstantOp::create(b, b.getF32FloatAttr(-infinity))};
}

/// NaN is in no interval, and makes it one of NaN.
Interval SummaryEmitter::join(Interval x, Interval y) {
  if (isa<FloatType>(wide))
    return {arith::MinimumFOp::create(b, x.low, y.low),
            arith::MaximumFOp::create(b, x.high, y.high)};
  return {arith::MinSIOp::create(b, x.low, y.low),
          arith::MaxSIOp::create(b, x.high, y.high)};
}

Value SummaryEmitter::loadOne(Value address) {
  int64_t bytes = problem.getElementBytes(operand);
  Value value =
      element.isInteger(1)
          ? b.load(address, b.getI8Type(), 1)
          : b.load(address, element.isIndex() ? b.getI64Type() : element,
                   bytes);
  return widen(b, value);
}

/// Words of bytes, several at a time: values of i1 are 0 and 1, so that AND and
/// OR of them are their least and largest.
Interval SummaryEmitter::readChunk(Value address, int64_t count,
                                   Value bitsTarget, Value exists) {
  if (count == 1) {
    Value value = loadOne(address);
    return {value, value};
  }
  int64_t bytes = problem.getElementBytes(operand);
  auto type = VectorType::get({4}, b.getI32Type());
  Value words = b.load(address, type, 16);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(LLVM::ExtractElementOp::create(b, words, b.i32(i)));
  if (element.isInteger(1)) {
    Value all =
        b.bitAnd(b.bitAnd(parts[0], parts[1]), b.bitAnd(parts[2], parts[3]));
    Value any =
        b.bitOr(b.bitOr(parts[0], parts[1]), b.bitOr(parts[2], parts[3]));
    Value isFull = b.isEqual(all, 0x01010101);
    Value isDead = b.isEqual(any, 0);
    if (bitsTarget) {
      Value packed = packTruths(b, parts);
      packed = b.select(exists, packed, b.i32(0));
      b.store(arith::TruncIOp::create(b, b.getI16Type(), packed), bitsTarget,
              2);
    }
    return {b.select(isFull, b.i64(1), b.i64(0)),
            b.select(isDead, b.i64(0), b.i64(1))};
  }
  auto asElements = VectorType::get(
      {16 / bytes}, element.isIndex() ? b.getI64Type() : element);
  Value values = LLVM::BitcastOp::create(b, asElements, words);
  Interval result;
  for (int64_t i = 0; i < 16 / bytes; ++i) {
    Value value = widen(b, LLVM::ExtractElementOp::create(b, values, b.i32(i)));
    result = i == 0 ? Interval{value, value} : join(result, {value, value});
  }
  return result;
}

/// What all warps of the block have, for all threads.
Interval SummaryEmitter::joinWarps(Interval ofWarp) {
  int64_t bytes = wide.getIntOrFloatBitWidth() / 8;
  Value shared = b.sharedWords(kWarps * 2 * bytes / 4);
  Value own = b.element(shared, b.warp(), 2 * bytes);
  b.ifThen(b.isEqual(b.lane(), 0), [&] {
    b.storeShared(ofWarp.low, own, bytes);
    b.storeShared(ofWarp.high, b.advance(own, bytes), bytes);
  });
  b.syncBlock();
  Interval tile;
  for (int64_t warp = 0; warp < kWarps; ++warp) {
    Value at = b.advance(shared, warp * 2 * bytes);
    Interval next{b.loadShared(at, wide, bytes),
                  b.loadShared(b.advance(at, bytes), wide, bytes)};
    tile = warp == 0 ? next : join(tile, next);
  }
  return tile;
}

/// What a lane has of the tile, then what the warp has, and all with the tile.
Interval SummaryEmitter::readTile(ArrayRef<Value> batch, Value firstI,
                                  Value firstJ, bool writesBits) {
  Value lastI = b.number(problem.getLast(problem.getQueryAxis())),
        lastJ = b.number(problem.getLast(problem.getKeyAxis()));
  // Behind the last element, it is read again. The last vector of a row is
  // whole: rows are made of vectors.
  if (vector > 1)
    lastJ = b.sub(lastJ, vector - 1);
  SmallVector<Value> corner(batch);
  corner.append(2, Value());
  Value start = problem.getAddress(b, operand, corner);
  int64_t chunks = columns / vector, total = rows * chunks;
  Value strideI = problem.getStrideBytes(b, operand, problem.getQueryAxis());
  Value strideJ = problem.getStrideBytes(b, operand, problem.getKeyAxis());
  int64_t warps = getWarpsOfTile(), lanes = 32 * warps;
  Interval unit = getUnit();
  SmallVector<Value> result = b.forLoop(
      warps == 1 ? b.lane() : b.threadId(), b.i32(total),
      b.i32(lanes * kUnroll), {unit.low, unit.high},
      [&](Value first, ValueRange carried) {
        Interval sum{carried[0], carried[1]};
        for (int64_t u = 0; u < kUnroll; ++u) {
          Value chunk = b.minimum(b.add(first, lanes * u), total - 1);
          Value row = b.divide(chunk, chunks);
          Value column = b.mul(b.remainder(chunk, b.i32(chunks)), vector);
          Value address = start;
          if (strideI)
            address = b.advance(
                address,
                b.mul(b.extend(b.minimum(b.add(firstI, row), lastI)), strideI));
          if (strideJ)
            address = b.advance(
                address,
                b.mul(b.extend(b.minimum(b.add(firstJ, column), lastJ)),
                      strideJ));
          Value target, exists;
          if (writesBits) {
            Value wanted = b.add(firstJ, column);
            Value place = b.add(b.mul(b.minimum(b.add(firstI, row), lastI),
                                      b.mul(wordsOfRow, 2)),
                                b.divide(wanted, 16));
            target = b.element(bits, place, 2);
            exists = b.compare(arith::CmpIPredicate::ule, wanted, lastJ);
          }
          sum = join(sum, readChunk(address, vector, target, exists));
        }
        return SmallVector<Value>{sum.low, sum.high};
      });
  Interval tile{result[0], result[1]};
  for (int64_t distance = 1; distance < 32; distance *= 2)
    tile = join(tile, {b.exchange(tile.low, distance),
                       b.exchange(tile.high, distance)});
  return warps == 1 ? tile : joinWarps(tile);
}

Value SummaryEmitter::run(Value out, Value tilesI, Value tilesJ,
                          Value bitsOfAll, Value words) {
  auto &host = problem.host;
  Value count = host.mul(tilesI, tilesJ);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (has(axis))
      count = host.mul(count, problem.getExtent(axis));
  int64_t ofBlock = kWarps / getWarpsOfTile();
  Value tile =
      ofBlock == 1 ? b.blockId() : b.add(b.mul(b.blockId(), ofBlock), b.warp());
  b.ifThen(b.isLess(tile, b.number(count)), [&] {
    Value perRow = b.number(tilesJ), perColumn = b.number(tilesI);
    Value j = b.remainder(tile, perRow), rest = b.divide(tile, perRow);
    Value i = b.remainder(rest, perColumn);
    rest = b.divide(rest, perColumn);
    SmallVector<Value> batch(problem.getNumBatchAxes());
    for (unsigned axis = batch.size(); axis-- > 0;)
      if (has(axis)) {
        Value extent = b.number(problem.getExtent(axis));
        batch[axis] = b.remainder(rest, extent);
        rest = b.divide(rest, extent);
      }
    if (bitsOfAll) {
      wordsOfRow = b.number(words);
      Value point = b.i32(0);
      for (unsigned axis = 0; axis < batch.size(); ++axis)
        if (has(axis))
          point = b.add(b.mul(point, b.number(problem.getExtent(axis))),
                        batch[axis]);
      Value first = b.mul(
          b.mul(point, b.number(problem.getExtent(problem.getQueryAxis()))),
          wordsOfRow);
      bits = b.element(b.pointer(bitsOfAll), first, 4);
    }
    Value firstI = b.mul(i, rows), firstJ = b.mul(j, columns);
    bool alwaysBits = bits && !bitsOfMixed;
    Interval found = readTile(batch, firstI, firstJ, alwaysBits);
    if (bits && !alwaysBits) {
      // Nobody asks for an element where all of the tile are the same; what is
      // read again has just been read. At the end of the keys they are asked.
      Value isMixed =
          b.compare(arith::CmpIPredicate::ne, found.low, found.high);
      Value end = b.add(firstJ, columns);
      Value isLast =
          b.isLess(b.number(problem.getExtent(problem.getKeyAxis())), end);
      b.ifThen(b.bitOr(isMixed, isLast),
               [&] { (void)readTile(batch, firstI, firstJ, true); });
    }
    int64_t bytes = wide.getIntOrFloatBitWidth() / 8;
    Value address = b.element(b.pointer(out), tile, 2 * bytes);
    Value writer = ofBlock == 1 ? b.threadId() : b.lane();
    b.ifThen(b.isEqual(writer, 0), [&] {
      b.store(found.low, address, bytes);
      b.store(found.high, b.advance(address, bytes), bytes);
    });
  });
  return host.ceilDiv(count, ofBlock);
}

void Summaries::launch(unsigned modifier, bool bitsOfMixed,
                       gpu::GPUModuleOp module, StringRef name) {
  auto &host = problem.host;
  Value tilesI = getTiles(modifier, problem.getQueryAxis()),
        tilesJ = getTiles(modifier, problem.getKeyAxis());
  Value count = host.mul(tilesI, tilesJ);
  for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
    if (problem.op.getDimension(FirstModifier + modifier, axis))
      count = host.mul(count, problem.getExtent(axis));
  Type wide =
      getSummaryType(problem.op.getModifierArgument(modifier).getType());
  Value buffer = sums::getBase(
      host, hopper::allocateBuffer(host, host.mul(count, 2), wide));
  buffers[modifier] = buffer;
  Kernel b(module, problem.op.getLoc(), name, SummaryEmitter::kWarps * 32);
  SummaryEmitter emitter(problem, modifier, queries, keys, bitsOfMixed, b);
  if (canHaveBits(problem, modifier, queries, keys)) {
    Value rows = problem.getExtent(problem.getQueryAxis());
    for (unsigned axis = 0; axis < problem.getNumBatchAxes(); ++axis)
      if (problem.op.getDimension(FirstModifier + modifier, axis))
        rows = host.mul(rows, problem.getExtent(axis));
    bits[modifier] = sums::getBase(
        host, hopper::allocateBuffer(host, host.mul(rows, getWordsOfRow()),
                                     host.getI32Type()));
  }
  Value blocks = emitter.run(buffer, tilesI, tilesJ, bits.lookup(modifier),
                             getWordsOfRow());
  b.finish(host, host.max(blocks, host.constant(1)));
}
