//===- NamedOps.cpp - Structured ops with names ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

bool mlir::pit::fuzz::addNamedElementwise(ProgramBuilder &program) {
  Operand a = program.pickOperand(program.element);
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  bool isFloat = isa<FloatType>(program.element);
  Value init = program.destination(a.dims, program.element);
  if (isFloat && program.chance(0.3)) {
    double magnitude = a.magnitude;
    Value result;
    const char *name;
    switch (program.pickIndex(program.isExact ? 3 : 6)) {
    case 0:
      name = "abs";
      result = linalg::AbsOp::create(b, loc, a.value, init).getResult(0);
      break;
    case 1:
      name = "negf";
      result = linalg::NegFOp::create(b, loc, a.value, init).getResult(0);
      break;
    case 2:
      name = "copy";
      result = linalg::CopyOp::create(b, loc, a.value, init).getResult(0);
      break;
    case 3:
      name = "tanh";
      result = linalg::TanhOp::create(b, loc, a.value, init).getResult(0);
      break;
    case 4:
      name = "square";
      result = linalg::SquareOp::create(b, loc, a.value, init).getResult(0);
      magnitude *= magnitude;
      break;
    default:
      if (a.magnitude > 8)
        return false;
      name = "exp";
      result = linalg::ExpOp::create(b, loc, a.value, init).getResult(0);
      magnitude = std::exp(magnitude);
      break;
    }
    program.count(std::string("linalg.") + name);
    program.add(result, a.dims, program.element, magnitude);
    return true;
  }
  Operand c = program.operandOf(a.dims, program.element);
  double sum = a.magnitude + c.magnitude;
  SmallVector<Value> inputs{a.value, c.value};
  if (program.chance(0.5))
    std::swap(inputs[0], inputs[1]);
  auto finish = [&](Operation *op, const char *name, double magnitude) {
    program.count(std::string("linalg.") + name);
    program.add(op->getResult(0), a.dims, program.element, magnitude);
    return true;
  };
  switch (program.pickIndex(6)) {
  case 0:
    return finish(linalg::AddOp::create(b, loc, inputs, init), "add", sum);
  case 1:
    return finish(linalg::SubOp::create(b, loc, inputs, init), "sub", sum);
  case 2:
    return finish(linalg::MaxOp::create(b, loc, inputs, init), "max", sum);
  case 3:
    return finish(linalg::MinOp::create(b, loc, inputs, init), "min", sum);
  default:
    if (a.magnitude * c.magnitude > program.largest(program.element))
      return finish(linalg::AddOp::create(b, loc, inputs, init), "add", sum);
    return finish(linalg::MulOp::create(b, loc, inputs, init), "mul",
                  a.magnitude * c.magnitude);
  }
}

/// matmul, batch_matmul, matvec and their like around one operand.
bool mlir::pit::fuzz::addNamedContraction(ProgramBuilder &program) {
  Operand a = program.pickOperand(program.element, 2, 3);
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  unsigned n = program.pickExtent();
  bool isBatch = a.dims.size() == 3;
  bool hasVector = program.chance(0.25);
  bool isLeft = program.chance(0.6);
  // As the left factor the last dimension is summed, as the right one the
  // last but one.
  Dims other, out;
  if (isBatch) {
    other.push_back(a.dims[0]);
    out.push_back(a.dims[0]);
  }
  unsigned rows = a.dims[a.dims.size() - 2], columns = a.dims.back();
  if (isLeft) {
    other.push_back(columns);
    out.push_back(rows);
    if (!hasVector) {
      other.push_back(n);
      out.push_back(n);
    }
  } else {
    if (!hasVector) {
      other.push_back(n);
      out.push_back(n);
    }
    other.push_back(rows);
    out.push_back(columns);
  }
  Dims all(a.dims);
  if (!hasVector)
    all.push_back(n);
  if (program.countElements(all) > 40000 || !program.isSmall(out))
    return false;
  Operand factor = program.operandOf(other, program.element);
  double sum = a.magnitude * factor.magnitude *
               double(program.extentOf(isLeft ? columns : rows));
  if (sum > program.largest(program.element))
    return false;
  Type type = program.element;
  if (program.chance(0.3)) {
    if (type.isF16() || type.isBF16())
      type = b.getF32Type();
    else if (type.isInteger(8))
      type = b.getI32Type();
  }
  Value init = program.chance(0.2) ? program.operandOf(out, type).value
                                   : program.filled(out, type, 0);
  SmallVector<Value> inputs{a.value, factor.value};
  if (!isLeft)
    std::swap(inputs[0], inputs[1]);
  SmallVector<Type> types{init.getType()};
  SmallVector<Value> inits{init};
  Operation *op;
  const char *name;
  if (!hasVector && isBatch) {
    op = linalg::BatchMatmulOp::create(b, loc, types, inputs, inits);
    name = "batch_matmul";
  } else if (!hasVector) {
    op = linalg::MatmulOp::create(b, loc, types, inputs, inits);
    name = "matmul";
  } else if (isLeft) {
    op = isBatch ? linalg::BatchMatvecOp::create(b, loc, types, inputs, inits)
                       .getOperation()
                 : linalg::MatvecOp::create(b, loc, types, inputs, inits)
                       .getOperation();
    name = isBatch ? "batch_matvec" : "matvec";
  } else {
    op = isBatch ? linalg::BatchVecmatOp::create(b, loc, types, inputs, inits)
                       .getOperation()
                 : linalg::VecmatOp::create(b, loc, types, inputs, inits)
                       .getOperation();
    name = isBatch ? "batch_vecmat" : "vecmat";
  }
  program.count(std::string("linalg.") + name);
  program.add(op->getResult(0), out, type, sum);
  return true;
}

bool mlir::pit::fuzz::addTranspose(ProgramBuilder &program) {
  Operand a = program.pickOperand({}, 2);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(a.dims.size())));
  program.shuffle(permutation);
  Dims dims;
  for (int64_t dim : permutation)
    dims.push_back(a.dims[size_t(dim)]);
  Value init = program.empty(dims, a.element);
  auto op = linalg::TransposeOp::create(program.builder, program.loc, a.value,
                                        init, permutation);
  program.count("linalg.transpose");
  program.add(op->getResult(0), dims, a.element, a.magnitude);
  return true;
}

bool mlir::pit::fuzz::addBroadcast(ProgramBuilder &program) {
  Operand a = program.pickOperand({}, 0, 4);
  SmallVector<int64_t> added;
  Dims dims;
  size_t from = 0;
  while (from < a.dims.size() || added.empty()) {
    bool isNew =
        from == a.dims.size() ||
        (program.chance(0.4) && dims.size() + a.dims.size() - from < 5);
    if (isNew)
      added.push_back(int64_t(dims.size()));
    dims.push_back(isNew ? program.pickExtent() : a.dims[from]);
    from += !isNew;
  }
  if (!program.isSmall(dims))
    return false;
  Value init = program.empty(dims, a.element);
  auto op = linalg::BroadcastOp::create(program.builder, program.loc, a.value,
                                        init, added);
  program.count("linalg.broadcast");
  program.add(op->getResult(0), dims, a.element, a.magnitude);
  return true;
}

bool mlir::pit::fuzz::addReshape(ProgramBuilder &program) {
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  Operand a = program.pickOperand({}, 1);
  if (program.chance(0.5) && a.dims.size() >= 2) {
    size_t first = program.pickIndex(a.dims.size() - 1);
    size_t last = first + 1 + program.pickIndex(a.dims.size() - first - 1);
    SmallVector<ReassociationIndices> groups;
    Dims dims;
    for (size_t d = 0; d < a.dims.size(); ++d) {
      if (d <= first || d > last) {
        groups.emplace_back();
        dims.push_back(a.dims[d]);
      }
      groups.back().push_back(int64_t(d));
    }
    ArrayRef<unsigned> merged =
        ArrayRef<unsigned>(a.dims).slice(first, last - first + 1);
    bool isDynamic = llvm::any_of(
        merged, [&](unsigned dim) { return program.isDynamic(dim); });
    Value size;
    if (isDynamic)
      for (unsigned dim : merged)
        size = size ? arith::MulIOp::create(b, loc, size, program.sizeOf(dim))
                          .getResult()
                    : program.sizeOf(dim);
    dims[first] =
        program.addExtent(program.countElements(merged), isDynamic, size);
    auto op = tensor::CollapseShapeOp::create(
        b, loc, program.typeOf(dims, a.element), a.value, groups);
    program.count("tensor.collapse_shape");
    program.add(op, dims, a.element, a.magnitude);
    return true;
  }
  // Expands one static dimension into factors, or any by ones.
  size_t at = program.pickIndex(a.dims.size());
  int64_t extent = program.extentOf(a.dims[at]);
  if (a.dims.size() > 4)
    return false;
  SmallVector<int64_t> factors;
  for (int64_t factor = 2; factor < extent; ++factor)
    if (extent % factor == 0)
      factors.push_back(factor);
  Dims inner{a.dims[at], program.addExtent(1, false)};
  if (!factors.empty() && !program.isDynamic(a.dims[at])) {
    int64_t factor = program.pick(factors);
    inner = {program.addExtent(factor, false),
             program.addExtent(extent / factor, false)};
  }
  if (program.chance(0.5))
    std::swap(inner[0], inner[1]);
  SmallVector<ReassociationIndices> groups;
  Dims dims;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    groups.emplace_back();
    for (unsigned dim : d == at ? inner : Dims{a.dims[d]}) {
      groups.back().push_back(int64_t(dims.size()));
      dims.push_back(dim);
    }
  }
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(program.mixedSize(dim));
  auto op = tensor::ExpandShapeOp::create(
      b, loc, program.typeOf(dims, a.element), a.value, groups, sizes);
  program.count("tensor.expand_shape");
  program.add(op, dims, a.element, a.magnitude);
  return true;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

bool mlir::pit::fuzz::addSlice(ProgramBuilder &program) {
  OpBuilder &b = program.builder;
  Operand a = program.pickOperand({}, 1);
  // The verifier knows no slice of a dimension without elements.
  for (unsigned dim : a.dims)
    if (program.extentOf(dim) == 0)
      return false;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  Dims dims;
  bool inserts = program.chance(0.4);
  for (unsigned dim : a.dims) {
    int64_t extent = program.extentOf(dim), stride = 1, offset = 0,
            size = extent;
    if (extent > 1 && program.chance(0.5)) {
      stride = program.pick<int64_t>({1, 1, 2});
      offset = program.random.integer(0, extent);
      size = program.random.integer(
          0, llvm::divideCeil(extent - offset, stride) + 1);
      dims.push_back(program.addExtent(size, false));
      sizes.push_back(b.getIndexAttr(size));
    } else {
      dims.push_back(dim);
      sizes.push_back(program.mixedSize(dim));
    }
    offsets.push_back(b.getIndexAttr(offset));
    strides.push_back(b.getIndexAttr(stride));
  }
  if (inserts) {
    Operand part = program.operandOf(dims, a.element);
    auto op = tensor::InsertSliceOp::create(b, program.loc, part.value, a.value,
                                            offsets, sizes, strides);
    program.count("tensor.insert_slice");
    program.add(op, a.dims, a.element, std::max(a.magnitude, part.magnitude));
    return true;
  }
  auto op = tensor::ExtractSliceOp::create(b, program.loc,
                                           program.typeOf(dims, a.element),
                                           a.value, offsets, sizes, strides);
  program.count("tensor.extract_slice");
  program.add(op, dims, a.element, a.magnitude);
  return true;
}

bool mlir::pit::fuzz::addPad(ProgramBuilder &program) {
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  Operand a = program.pickOperand(program.element, 1);
  SmallVector<OpFoldResult> low, high;
  Dims dims;
  for (unsigned dim : a.dims) {
    int64_t before = program.chance(0.4) ? program.random.integer(0, 3) : 0;
    int64_t after = program.chance(0.4) ? program.random.integer(0, 3) : 0;
    low.push_back(b.getIndexAttr(before));
    high.push_back(b.getIndexAttr(after));
    if (before + after == 0) {
      dims.push_back(dim);
      continue;
    }
    Value size;
    if (program.isDynamic(dim))
      size = arith::AddIOp::create(
          b, loc, program.sizeOf(dim),
          arith::ConstantIndexOp::create(b, loc, before + after));
    dims.push_back(program.addExtent(program.extentOf(dim) + before + after,
                                     program.isDynamic(dim), size));
  }
  if (!program.isSmall(dims))
    return false;
  Value fill = program.constant(a.element, program.pick({0.0, 0.0, 2.0}));
  auto op = tensor::PadOp::create(b, loc, program.typeOf(dims, a.element),
                                  a.value, low, high, fill);
  program.count("tensor.pad");
  program.add(op, dims, a.element, a.magnitude + 2);
  return true;
}

bool mlir::pit::fuzz::addConcat(ProgramBuilder &program) {
  OpBuilder &b = program.builder;
  Operand a = program.pickOperand(program.element, 1);
  size_t at = program.pickIndex(a.dims.size());
  Dims otherDims(a.dims);
  if (program.chance(0.5))
    otherDims[at] = program.pickExtent();
  if (!program.isSmall(otherDims))
    return false;
  Operand other = program.operandOf(otherDims, program.element);
  Dims dims(a.dims);
  bool isDynamic =
      program.isDynamic(a.dims[at]) || program.isDynamic(otherDims[at]);
  Value size;
  if (isDynamic)
    size = arith::AddIOp::create(b, program.loc, program.sizeOf(a.dims[at]),
                                 program.sizeOf(otherDims[at]));
  dims[at] = program.addExtent(program.extentOf(a.dims[at]) +
                                   program.extentOf(otherDims[at]),
                               isDynamic, size);
  auto op = tensor::ConcatOp::create(
      b, program.loc, program.typeOf(dims, program.element), int64_t(at),
      ValueRange{a.value, other.value});
  program.count("tensor.concat");
  program.add(op, dims, program.element,
              std::max(a.magnitude, other.magnitude));
  return true;
}
