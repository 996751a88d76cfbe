//===- Data.cpp - Descriptions of arguments -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "Elements.h"
#include "Random.h"
#include "Types.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::npy::Array;
using ::pit::run::Random;

static std::string printExtents(const std::vector<int64_t> &extents) {
  return llvm::join(
      llvm::map_range(extents,
                      [](int64_t extent) { return std::to_string(extent); }),
      "x");
}

static bool parseExtents(StringRef text, std::vector<int64_t> &extents) {
  extents.clear();
  while (!text.empty()) {
    auto [head, tail] = text.split('x');
    int64_t extent;
    if (head.getAsInteger(10, extent) || extent < 0)
      return false;
    extents.push_back(extent);
    text = tail;
  }
  return true;
}

std::string DataSpec::print() const {
  std::string text = areReals ? "kind=reals" : "kind=ints";
  if (!shape.empty())
    text += " shape=" + printExtents(shape);
  text += " lo=" + std::to_string(lo) + " hi=" + std::to_string(hi);
  if (live < 1) {
    // In hundredths, which print the same everywhere.
    text += " live=" + std::to_string(int(std::lround(live * 100))) + "%";
    if (!block.empty())
      text += " block=" + printExtents(block);
  }
  if (!lengths.empty())
    text += " lengths=" + printExtents(lengths);
  if (live < 1 || !lengths.empty())
    text += " dead=" + dead;
  if (most >= 0)
    text += " most=" + std::to_string(most);
  return text + " seed=" + std::to_string(seed);
}

llvm::Expected<DataSpec> DataSpec::parse(StringRef text) {
  DataSpec spec;
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [key, value] = word.split('=');
    bool isGood = true;
    int64_t percent = 100;
    if (key == "kind") {
      isGood = value == "ints" || value == "reals";
      spec.areReals = value == "reals";
    } else if (key == "shape") {
      isGood = parseExtents(value, spec.shape);
    } else if (key == "block") {
      isGood =
          parseExtents(value, spec.block) && !llvm::is_contained(spec.block, 0);
    } else if (key == "lo") {
      isGood = !value.getAsInteger(10, spec.lo);
    } else if (key == "hi") {
      isGood = !value.getAsInteger(10, spec.hi);
    } else if (key == "live") {
      isGood = value.consume_back("%") && !value.getAsInteger(10, percent);
      spec.live = double(percent) / 100;
    } else if (key == "dead") {
      isGood = value == "zero" || value == "neg_inf" || value == "nan" ||
               value == "signed_zero";
      spec.dead = value.str();
    } else if (key == "lengths") {
      isGood = parseExtents(value, spec.lengths) && spec.lengths.size() == 6 &&
               spec.lengths[2] < spec.lengths[3];
    } else if (key == "most") {
      isGood = !value.getAsInteger(10, spec.most);
    } else if (key == "seed") {
      isGood = !value.getAsInteger(10, spec.seed);
    } else {
      isGood = false;
    }
    if (!isGood)
      return llvm::createStringError("'" + word + "' describes no data");
  }
  if (spec.lo >= spec.hi)
    return llvm::createStringError("the range of '" + text + "' is empty");
  for (int64_t dim : ArrayRef<int64_t>(spec.lengths).take_front(2))
    if (size_t(dim) >= spec.shape.size())
      return llvm::createStringError("the lengths of '" + text +
                                     "' are of no dimension");
  return spec;
}

/// Fills an array that has the description's shape.
static void fill(const DataSpec &spec, Array &array) {
  // Beside an extent of 0 the product of the others may not be a number.
  if (array.numElements() == 0)
    return;
  Random random(spec.seed);
  size_t rank = spec.shape.size();
  std::vector<int64_t> block = spec.block;
  block.resize(rank, 1);
  // Elements of a block share one draw.
  std::vector<int64_t> counts(rank);
  int64_t numBlocks = 1;
  for (size_t d = 0; d < rank; ++d)
    numBlocks *= counts[d] = (spec.shape[d] + block[d] - 1) / block[d];
  std::vector<bool> live;
  for (int64_t b = 0; b < numBlocks; ++b)
    live.push_back(spec.live >= 1 || random.chance(spec.live));

  // What makes the argument with the lengths.
  std::vector<int64_t> lengths;
  if (!spec.lengths.empty()) {
    Random drawn(uint64_t(spec.lengths[4]));
    int64_t count = spec.shape[size_t(spec.lengths[0])];
    for (int64_t i = 0; i < count; ++i)
      lengths.push_back(drawn.integer(spec.lengths[2], spec.lengths[3]));
  }

  int64_t rowLength = 1, liveInRow = 0;
  for (size_t d = 1; d < rank; ++d)
    rowLength *= spec.shape[d];
  for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
    if (i % rowLength == 0)
      liveInRow = 0;
    int64_t number = 0, rest = i, stride = 1;
    std::vector<int64_t> at(rank);
    for (size_t d = rank; d-- > 0; rest /= spec.shape[d]) {
      at[d] = rest % spec.shape[d];
      number += rest % spec.shape[d] / block[d] * stride;
      stride *= counts[d];
    }
    double value = double(random.integer(spec.lo, spec.hi));
    if (spec.areReals)
      value += random.uniform();
    bool isDead = !live[size_t(number)];
    if (!lengths.empty()) {
      auto along = size_t(spec.lengths[1]);
      int64_t place = at[along], extent = spec.shape[along];
      if (spec.lengths[5])
        place = extent - 1 - place;
      isDead |= place >= lengths[size_t(at[size_t(spec.lengths[0])])];
    }
    if (spec.most >= 0 && !isDead && value != 0 && liveInRow++ >= spec.most)
      isDead = true;
    if (isDead) {
      value = spec.dead == "neg_inf" && ::pit::run::isFloat(array.dtype)
                  ? -std::numeric_limits<double>::infinity()
                  : 0.0;
      if (spec.dead == "nan" && ::pit::run::isFloat(array.dtype))
        value = std::numeric_limits<double>::quiet_NaN();
      if (spec.dead == "signed_zero" && i % 2)
        value = -0.0;
    }
    ::pit::run::store(array.dtype, array.data.data(), i, value);
  }
}

llvm::Expected<Array> mlir::pit::fuzz::makeArray(const DataSpec &spec,
                                                 pit_dtype type) {
  Array array;
  std::string error;
  if (!array.allocate(type, spec.shape, error))
    return llvm::createStringError(error);
  fill(spec, array);
  return array;
}

llvm::Expected<std::vector<Array>>
mlir::pit::fuzz::makeInputs(func::FuncOp function) {
  auto specs = function->getAttrOfType<ArrayAttr>(kInputsAttrName);
  if (!specs || specs.size() != function.getNumArguments())
    return llvm::createStringError("'" + function.getName() +
                                   "' needs an attribute '" + kInputsAttrName +
                                   "' with one text per argument");
  std::vector<Array> arrays(specs.size());
  for (auto [text, type, array] :
       llvm::zip_equal(specs, function.getArgumentTypes(), arrays)) {
    auto string = dyn_cast<StringAttr>(text);
    if (!string)
      return llvm::createStringError("an argument's description is no text");
    auto spec = DataSpec::parse(string.getValue());
    if (!spec)
      return spec.takeError();
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool fits = spec->shape.size() == size_t(tensor ? tensor.getRank() : 0);
    if (fits && tensor)
      for (auto [given, wanted] :
           llvm::zip_equal(spec->shape, tensor.getShape()))
        fits &= ShapedType::isDynamic(wanted) || given == wanted;
    if (!fits)
      return llvm::createStringError("the extents in '" + string.getValue() +
                                     "' are not the argument's");
    auto made = makeArray(*spec, run::dtypeOf(getElementTypeOrSelf(type)));
    if (!made)
      return made.takeError();
    array = std::move(*made);
  }
  return std::move(arrays);
}
