//===- SharePictures.cpp - What of the arguments is live ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharePictures.h"
#include "Elements.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"
#include "PIT/Support/Remarks.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::pit::run;
using ::pit::npy::Array;

namespace {
/// A pattern as a matrix: all dimensions but the last are rows.
struct Matrix {
  int64_t rows = 1, columns = 1;
  std::function<bool(int64_t row, int64_t column)> isLive;
};
} // namespace

/// Elements that differ from the absent value, of an array that has the pattern
/// itself: values, a mask, a gate, bits of blocks.
static Matrix readElements(const Array &array, bool isNegInf) {
  Matrix matrix;
  if (!array.shape.empty())
    matrix.columns = array.shape.back();
  for (size_t i = 0; i + 1 < array.shape.size(); ++i)
    matrix.rows *= array.shape[i];
  matrix.isLive = [&array, isNegInf, columns = matrix.columns](int64_t row,
                                                               int64_t column) {
    double value = ::pit::run::load(array.dtype, array.data.data(),
                                    row * columns + column);
    return isNegInf ? !(std::isinf(value) && value < 0) : value != 0;
  };
  return matrix;
}

/// Sequences by positions.
static Matrix readLengths(const Array &lengths, int64_t positions, bool left) {
  Matrix matrix;
  matrix.rows = lengths.numElements();
  matrix.columns = positions;
  matrix.isLive = [&lengths, positions, left](int64_t row, int64_t column) {
    double length = ::pit::run::load(lengths.dtype, lengths.data.data(), row);
    return double(left ? positions - 1 - column : column) < length;
  };
  return matrix;
}

/// Shares of cells, of which there are few in both directions.
static llvm::json::Object draw(const Matrix &matrix) {
  constexpr int64_t kMostCells = 64;
  // Large inputs are looked at in places.
  constexpr int64_t kMostLooks = 64;
  int64_t height = std::min(matrix.rows, kMostCells),
          width = std::min(matrix.columns, kMostCells);
  llvm::json::Array cells;
  double sum = 0;
  for (int64_t y = 0; y < height; ++y) {
    llvm::json::Array line;
    int64_t top = matrix.rows * y / height,
            bottom = matrix.rows * (y + 1) / height;
    for (int64_t x = 0; x < width; ++x) {
      int64_t left = matrix.columns * x / width,
              right = matrix.columns * (x + 1) / width;
      int64_t rowStep = std::max<int64_t>(1, (bottom - top) / kMostLooks),
              columnStep = std::max<int64_t>(1, (right - left) / kMostLooks);
      int64_t live = 0, seen = 0;
      for (int64_t row = top; row < bottom; row += rowStep)
        for (int64_t column = left; column < right; column += columnStep) {
          live += matrix.isLive(row, column);
          ++seen;
        }
      double share = seen ? 100. * double(live) / double(seen) : 0;
      sum += share;
      line.push_back(std::round(share));
    }
    cells.push_back(std::move(line));
  }
  double mean = height * width ? sum / double(height * width) : 0;
  auto extent = [](int64_t whole, int64_t cells) {
    return std::to_string(cells ? (whole + cells - 1) / cells : 0);
  };
  return llvm::json::Object{
      {"rows", matrix.rows},
      {"columns", matrix.columns},
      {"live", std::round(10 * mean) / 10},
      {"cell",
       extent(matrix.rows, height) + " x " + extent(matrix.columns, width)},
      {"cells", std::move(cells)},
  };
}

/// The pattern of a mark, as far as it follows from arguments. `marked` is the
/// marked argument's data, null where the mark is on an op with results of the
/// shape.
static std::optional<Matrix> readPattern(DictionaryAttr mark,
                                         const Array *marked,
                                         ArrayRef<int64_t> shape,
                                         const std::vector<Array> &inputs) {
  auto source = mark.getAs<StringAttr>("source");
  auto absent = mark.getAs<StringAttr>("absent");
  auto from = mark.getAs<IntegerAttr>("from");
  auto axes = mark.getAs<DenseI64ArrayAttr>("axes");
  // What an op computes is no array of the caller.
  if (!source || isa_and_present<StringAttr>(mark.get("from")) ||
      (!from && !marked) ||
      (from && from.getValue().getZExtValue() >= inputs.size()))
    return std::nullopt;
  const Array &origin = from ? inputs[from.getValue().getZExtValue()] : *marked;
  if (source.getValue() != "lengths")
    return readElements(origin,
                        !from && absent && absent.getValue() == "neg_inf");
  if (!axes || axes.empty() ||
      uint64_t(axes.asArrayRef().back()) >= shape.size())
    return std::nullopt;
  int64_t positions = shape[axes.asArrayRef().back()];
  if (ShapedType::isDynamic(positions))
    return std::nullopt;
  auto pad = mark.getAs<StringAttr>("pad");
  return readLengths(origin, positions, pad && pad.getValue() == "left");
}

llvm::json::Array
mlir::pit::run::makeSharePictures(func::FuncOp entry,
                                  const std::vector<Array> &inputs) {
  StringRef name = mlir::pit::PITDialect::SparseAttrHelper::getNameStr();
  llvm::json::Array pictures;
  auto add = [&](Attribute attribute, const std::string &what,
                 const Array *marked, ArrayRef<int64_t> shape) {
    auto mark = dyn_cast_or_null<DictionaryAttr>(attribute);
    std::optional<Matrix> matrix =
        mark ? readPattern(mark, marked, shape, inputs) : std::nullopt;
    if (!matrix)
      return;
    llvm::json::Object picture = draw(*matrix);
    picture["of"] = llvm::json::fixUTF8(what);
    picture["source"] =
        llvm::json::fixUTF8(mark.getAs<StringAttr>("source").getValue());
    pictures.push_back(std::move(picture));
  };
  // The picture of a mark has what it reads.
  std::set<int64_t> areRead;
  auto noteRead = [&](Attribute attribute) {
    if (auto mark = dyn_cast_or_null<DictionaryAttr>(attribute))
      if (auto from = mark.getAs<IntegerAttr>("from"))
        areRead.insert(from.getInt());
  };
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
    noteRead(entry.getArgAttr(i, name));
  entry.walk([&](Operation *op) { noteRead(op->getDiscardableAttr(name)); });
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i) {
    if (i >= inputs.size())
      continue;
    std::string what = "argument " + std::to_string(i);
    if (Attribute mark = entry.getArgAttr(i, name)) {
      add(mark, what, &inputs[i], inputs[i].shape);
    } else if (inputs[i].dtype == PIT_DTYPE_I1 && !inputs[i].shape.empty() &&
               !areRead.count(i)) {
      // A mask that the program reads without a mark.
      llvm::json::Object picture = draw(readElements(inputs[i], false));
      picture["of"] = what;
      picture["source"] = "mask";
      pictures.push_back(std::move(picture));
    }
  }
  entry.walk([&](Operation *op) {
    if (op == entry || op->getNumResults() != 1)
      return;
    if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
      add(op->getDiscardableAttr(name), remarks::spell(op->getLoc()), nullptr,
          type.getShape());
  });
  return pictures;
}
