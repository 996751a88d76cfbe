//===- WindowKernel.cpp - Kernels of small windows ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depthwise convolutions, pooling and other stencils.
//
// A thread has results of a small rectangle, of a vector of neighbours each. It
// goes through the rows of the input from the first one that it needs to the
// last one: a row is loaded once, one row ahead, and is used for all results
// whose windows it is in. Each result gets the elements of its window in the
// order of the op's loops. What threads share beyond that is in the caches:
// those of a block, and blocks one after the other, are neighbours.
//
//===----------------------------------------------------------------------===//

#include "WindowKernel.h"

#include "GPU/Host/BufferAccess.h"
#include "ReductionAccess.h"
#include "RowKernel.h"
#include "WindowAccess.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::getKnown;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

namespace {

constexpr int64_t kWarpLanes = 32;

class WindowEmitter {
public:
  WindowEmitter(const WindowReduction &windows, RowPlanAttr plan,
                HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  /// A result of a thread and a place in its window.
  struct Point {
    unsigned result;
    Shift shift;
  };
  /// Elements of a vector, each with all results of the op.
  using Results = SmallVector<SmallVector<Value>>;

  int64_t getStep(unsigned loop) const;
  void setExtents();
  void setDigits();
  void addAccesses();
  SmallVector<SmallVector<Point>> listStages() const;
  SmallVector<Value> getDigits(Kernel &b, Value number, unsigned bits);
  void emitThread(Kernel &b, Value unit);
  Results getStart(Kernel &b, const Shift &shift);
  void add(Kernel &b, const Point &point);
  SmallVector<Value> getArguments(Kernel &b, linalg::LinalgOp of,
                                  MutableArrayRef<std::optional<WindowAccess>>,
                                  const Shift &shift, int64_t element);
  Value exists(Kernel &b, const Shift &shift);
  void store(Kernel &b, const Shift &shift, const Results &results);
  Results emitWork(Kernel &b, const Shift &shift, const Results &results);
  Value getIndex(Kernel &b, unsigned loop, const Shift &shift, int64_t element);

  const WindowReduction &windows;
  RowPlanAttr plan;
  HostMath &host;
  int64_t vector;
  /// Loops on which results of a thread may not exist.
  SmallVector<unsigned> overhanging;
  SmallVector<std::optional<unsigned>> loopsOfWork;
  /// Of loops of results, values of the host.
  SmallVector<Value> extents;
  /// A thread's number, outermost digit first: loops, how many steps of them
  /// there are, and how many points a step has.
  struct Digit {
    unsigned loop;
    Value count;
    int64_t points;
  };
  SmallVector<Digit> digits;
  /// Of operands of the op and of the work; null where there is no buffer, or
  /// nobody asks for what is in it.
  SmallVector<std::optional<WindowAccess>, 0> ofOp, ofWork;
  SmallVector<Shift> results;
  SmallVector<SmallVector<Point>> stages;
  /// While a thread is emitted.
  SmallVector<Value> ivs;
  SmallVector<Results> sums;
};

} // namespace

WindowEmitter::WindowEmitter(const WindowReduction &windows, RowPlanAttr plan,
                             HostMath &host)
    : windows(windows), plan(plan), host(host), vector(plan.getVector()) {
  if (windows.behind.op)
    loopsOfWork = windows.behind.getLoops(windows.op);
  setExtents();
  setDigits();
  addAccesses();
  linalg::LinalgOp op = windows.op;
  Shift none(op.getNumLoops(), 0);
  results.push_back(none);
  for (unsigned loop : windows.slides) {
    SmallVector<Shift> moved;
    for (const Shift &shift : results)
      for (int64_t i = 0; i < getStep(loop); ++i) {
        moved.push_back(shift);
        moved.back()[loop] = i;
      }
    results = moved;
  }
  stages = listStages();
}

/// Points that a thread has along a loop of results.
int64_t WindowEmitter::getStep(unsigned loop) const {
  if (loop == windows.getInner())
    return vector;
  if (!windows.slides.empty() && loop == windows.slides[0])
    return plan.getTile()[0];
  return windows.slides.size() > 1 && loop == windows.slides[1]
             ? plan.getUnroll()
             : 1;
}

/// Extents are those of results: padded inputs may be in no memory.
void WindowEmitter::setExtents() {
  linalg::LinalgOp op = windows.op;
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<MemRefType>(init->get().getType());
  extents.resize(op.getNumLoops());
  for (auto [axis, loop] : llvm::enumerate(windows.points)) {
    extents[loop] =
        type.isDynamicDim(axis)
            ? memref::DimOp::create(host, init->get(), int64_t(axis))
                  .getResult()
            : host.constant(type.getDimSize(axis));
    std::optional<int64_t> known = getKnown(extents[loop]);
    if (llvm::is_contained(windows.slides, loop) &&
        (!known || *known % getStep(loop) != 0))
      overhanging.push_back(loop);
  }
}

/// Blocks have pieces of the inner loop and neighbours along what slides.
void WindowEmitter::setDigits() {
  unsigned inner = windows.getInner();
  Value pieces = host.ceilDiv(extents[inner], vector);
  std::optional<int64_t> known = getKnown(pieces);
  bool isCut = known && *known > kWarpLanes && *known % kWarpLanes == 0 &&
               !windows.slides.empty();
  for (unsigned loop : ArrayRef(windows.points).drop_back())
    if (!llvm::is_contained(windows.slides, loop))
      digits.push_back({loop, extents[loop], 1});
  if (isCut)
    digits.push_back(
        {inner, host.constant(*known / kWarpLanes), kWarpLanes * vector});
  for (unsigned loop : windows.slides)
    digits.push_back(
        {loop, host.ceilDiv(extents[loop], getStep(loop)), getStep(loop)});
  digits.push_back({inner, isCut ? host.constant(kWarpLanes) : pieces, vector});
}

void WindowEmitter::addAccesses() {
  linalg::LinalgOp op = windows.op;
  auto isInvariant = [&](Value buffer) {
    return llvm::none_of(windows.getLast().getDpsInits(), [&](Value init) {
      return hopper::mayShareMemory(init, buffer);
    });
  };
  SmallVector<std::optional<unsigned>> own;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    own.push_back(loop);
  for (OpOperand &operand : op->getOpOperands()) {
    ofOp.emplace_back();
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand)) {
      if (windows.behind.op)
        continue;
      ofOp.back().emplace(windows, operand.get(), map, own, vector,
                          /*isInvariant=*/false, host);
      // Sums may start from what is there.
      ofOp.back()->checkAlong(overhanging);
      continue;
    }
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    const WindowInput &input = windows.inputs[operand.getOperandNumber()];
    ofOp.back().emplace(windows, input.buffer, map, own, vector,
                        isInvariant(input.buffer), host);
    ofOp.back()->setPadding(input);
    ofOp.back()->checkAlong(overhanging);
  }
  linalg::LinalgOp work = windows.behind.op;
  if (!work)
    return;
  for (OpOperand &operand : work->getOpOperands()) {
    ofWork.emplace_back();
    bool isResult = operand.get() == windows.behind.result;
    if (isa<MemRefType>(operand.get().getType()) && !isResult &&
        (work.isDpsInit(&operand) ||
         work.payloadUsesValueFromOperand(&operand)))
      ofWork.back().emplace(windows, operand.get(),
                            work.getMatchingIndexingMap(&operand), loopsOfWork,
                            vector, isInvariant(operand.get()), host);
  }
}

/// All places in all windows, by the row of the input in which they are. Where
/// the loop that rows are reduced over is not the outermost one, that would be
/// another order than that of the op, so that they come by this one.
SmallVector<SmallVector<WindowEmitter::Point>>
WindowEmitter::listStages() const {
  std::optional<WindowReduction::Step> step;
  if (!windows.slides.empty()) {
    step = windows.getStep(windows.slides[0]);
    if (step && step->tap != windows.reductions[0])
      step.reset();
  }
  std::map<int64_t, SmallVector<Point>> sorted;
  SmallVector<int64_t> place(windows.taps.size(), 0);
  for (int64_t number = 0, count = windows.getNumTaps(); number < count;
       ++number) {
    int64_t rest = number;
    for (size_t i = place.size(); i-- > 0;) {
      place[i] = rest % windows.taps[i];
      rest /= windows.taps[i];
    }
    for (auto [result, shift] : llvm::enumerate(results)) {
      Point point{unsigned(result), shift};
      for (auto [loop, at] : llvm::zip_equal(windows.reductions, place))
        point.shift[loop] = at;
      int64_t row = step ? shift[windows.slides[0]] * step->stride +
                               place[0] * step->dilation
                         : place[0];
      sorted[row].push_back(point);
    }
  }
  SmallVector<SmallVector<Point>> stages;
  for (auto &[row, points] : sorted)
    stages.push_back(points);
  return stages;
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

/// The digits of a thread's number, i64, computed with so many bits.
SmallVector<Value> WindowEmitter::getDigits(Kernel &b, Value number,
                                            unsigned bits) {
  SmallVector<Value> values(digits.size());
  if (bits == 32)
    number = b.truncate(number);
  for (size_t i = digits.size(); i-- > 0;) {
    if (i == 0) {
      values[i] = bits == 32 ? b.extend(number) : number;
      break;
    }
    Value count = b.number(digits[i].count, bits);
    Value digit = b.remainder(number, count);
    number = b.divide(number, count);
    values[i] = bits == 32 ? b.extend(digit) : digit;
  }
  return values;
}

Value WindowEmitter::getIndex(Kernel &b, unsigned loop, const Shift &shift,
                              int64_t element) {
  int64_t steps = shift[loop] + (loop == windows.getInner() ? element : 0);
  return ivs[loop] ? b.add(ivs[loop], steps) : b.i64(steps);
}

/// Elements of operands for one result; null where there are none.
SmallVector<Value> WindowEmitter::getArguments(
    Kernel &b, linalg::LinalgOp of,
    MutableArrayRef<std::optional<WindowAccess>> accesses, const Shift &shift,
    int64_t element) {
  SmallVector<Value> arguments;
  for (OpOperand *operand : of.getDpsInputOperands()) {
    std::optional<WindowAccess> &access = accesses[operand->getOperandNumber()];
    if (!isa<MemRefType>(operand->get().getType())) {
      arguments.push_back(
          b.clone(*operand->get().getDefiningOp())->getResult(0));
    } else if (access) {
      ArrayRef<Value> loaded = access->load(b, shift);
      arguments.push_back(loaded.size() == 1 ? loaded[0] : loaded[element]);
    } else {
      arguments.push_back(Value());
    }
  }
  return arguments;
}

/// What results start from: a constant, or what is there.
WindowEmitter::Results WindowEmitter::getStart(Kernel &b, const Shift &shift) {
  linalg::LinalgOp op = windows.op;
  Results start(vector);
  for (auto [i, fill] : llvm::enumerate(windows.starts)) {
    SmallVector<Value> values;
    if (fill) {
      linalg::FillOp known = fill;
      values.push_back(
          b.clone(*known.getInputs()[0].getDefiningOp())->getResult(0));
    } else {
      OpOperand *init = op.getDpsInitOperand(i);
      llvm::append_range(values,
                         ofOp[init->getOperandNumber()]->load(b, shift));
    }
    for (int64_t element = 0; element < vector; ++element)
      start[element].push_back(values.size() == 1 ? values[0]
                                                  : values[element]);
  }
  return start;
}

void WindowEmitter::add(Kernel &b, const Point &point) {
  linalg::LinalgOp op = windows.op;
  for (int64_t element = 0; element < vector; ++element) {
    SmallVector<Value> arguments =
        getArguments(b, op, ofOp, point.shift, element);
    SmallVector<Value> &sum = sums[point.result][element];
    llvm::append_range(arguments, sum);
    sum = emitBody(b, op, arguments, [&](unsigned loop) {
      return getIndex(b, loop, point.shift, element);
    });
  }
}

/// Whether a result of the thread is there; null if all are.
Value WindowEmitter::exists(Kernel &b, const Shift &shift) {
  Value all;
  for (unsigned loop : overhanging) {
    Value isInside =
        b.isLess(b.add(ivs[loop], shift[loop]), b.number(extents[loop], 64));
    all = all ? b.bitAnd(all, isInside) : isInside;
  }
  return all;
}

WindowEmitter::Results WindowEmitter::emitWork(Kernel &b, const Shift &shift,
                                               const Results &results) {
  linalg::LinalgOp work = windows.behind.op;
  Results worked;
  for (int64_t element = 0; element < vector; ++element) {
    SmallVector<Value> arguments =
        getArguments(b, work, ofWork, shift, element);
    for (OpOperand *operand : work.getDpsInputOperands())
      if (operand->get() == windows.behind.result)
        arguments[operand->getOperandNumber()] = results[element][0];
    for (OpOperand &init : work.getDpsInitsMutable()) {
      Value before;
      if (work.payloadUsesValueFromOperand(&init)) {
        ArrayRef<Value> loaded =
            ofWork[init.getOperandNumber()]->load(b, shift);
        before = loaded.size() == 1 ? loaded[0] : loaded[element];
      }
      arguments.push_back(before);
    }
    worked.push_back(emitBody(b, work, arguments, [&](unsigned loop) {
      return loopsOfWork[loop] ? getIndex(b, *loopsOfWork[loop], shift, element)
                               : b.i64(0);
    }));
  }
  return worked;
}

void WindowEmitter::store(Kernel &b, const Shift &shift,
                          const Results &results) {
  linalg::LinalgOp last = windows.getLast();
  MutableArrayRef<std::optional<WindowAccess>> accesses =
      windows.behind.op ? ofWork : ofOp;
  Results stored = windows.behind.op ? emitWork(b, shift, results) : results;
  for (auto [i, init] : llvm::enumerate(last.getDpsInitsMutable())) {
    SmallVector<Value> elements;
    for (const SmallVector<Value> &element : stored)
      elements.push_back(element[i]);
    accesses[init.getOperandNumber()]->store(b, shift, elements);
  }
  for (std::optional<WindowAccess> &access : accesses)
    if (access && !overhanging.empty())
      access->forget();
}

void WindowEmitter::emitThread(Kernel &b, Value unit) {
  linalg::LinalgOp op = windows.op;
  // Numbers of 64 bits take long to divide.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  Value all = host.constant(1);
  for (const Digit &digit : digits)
    all = host.mul(all, digit.count);
  SmallVector<Value> values;
  if (std::optional<int64_t> known = getKnown(all))
    values = getDigits(b, unit, *known <= kMost ? 32 : 64);
  else
    values = b.choose(
        b.isLess(b.number(all, 64), b.i64(kMost)),
        [&] { return getDigits(b, unit, 32); },
        [&] { return getDigits(b, unit, 64); });
  ivs.assign(op.getNumLoops(), Value());
  for (auto [digit, value] : llvm::zip_equal(digits, values)) {
    Value at = b.mul(value, digit.points);
    ivs[digit.loop] = ivs[digit.loop] ? b.add(ivs[digit.loop], at) : at;
  }
  for (auto *accesses : {&ofOp, &ofWork})
    for (std::optional<WindowAccess> &access : *accesses)
      if (access)
        access->begin(b, ivs);
  sums.clear();
  for (const Shift &shift : results)
    sums.push_back(getStart(b, shift));
  auto loadStage = [&](ArrayRef<Point> points) {
    for (const Point &point : points)
      (void)getArguments(b, op, ofOp, point.shift, 0);
  };
  loadStage(stages[0]);
  for (size_t i = 0; i < stages.size(); ++i) {
    if (i + 1 < stages.size())
      loadStage(stages[i + 1]);
    for (const Point &point : stages[i])
      add(b, point);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (Value isThere = exists(b, results[i]))
      b.ifThen(isThere, [&] { store(b, results[i], sums[i]); });
    else
      store(b, results[i], sums[i]);
  }
}

void WindowEmitter::run(gpu::GPUModuleOp module, StringRef name) {
  int64_t threads = plan.getThreads();
  constexpr int64_t kThreadsAtOnce = 512;
  Kernel b(module, host.getLoc(), name, threads);
  setBlocksAtOnce(module, name, std::max<int64_t>(1, kThreadsAtOnce / threads));
  Value units = host.constant(1);
  for (const Digit &digit : digits)
    units = host.mul(units, digit.count);
  Value first =
      b.add(b.mul(b.extend(b.blockId()), threads), b.extend(b.threadId()));
  b.forLoop(first, b.number(units, 64), b.mul(b.extend(b.gridSize()), threads),
            {}, [&](Value unit, ValueRange) {
              emitThread(b, unit);
              return SmallVector<Value>();
            });
  Value blocks = host.min(host.ceilDiv(units, threads),
                          host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}

void mlir::pit::rows::createWindowsLaunch(const WindowReduction &windows,
                                          RowPlanAttr plan, HostMath &host,
                                          gpu::GPUModuleOp module,
                                          StringRef name) {
  WindowEmitter(windows, plan, host).run(module, name);
}
