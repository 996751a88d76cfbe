//===- Remarks.cpp - What became of an op, and why ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/Remarks.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::remarks;

static std::optional<FileLineColLoc> findFileLocation(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return FileLineColLoc::get(range.getFilename(), range.getStartLine(),
                               range.getStartColumn());
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFileLocation(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFileLocation(opaque.getFallbackLocation());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    auto callee = findFileLocation(call.getCallee());
    return callee ? callee : findFileLocation(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto found = findFileLocation(part))
        return found;
  return std::nullopt;
}

Location mlir::pit::remarks::getFileLocation(Location loc) {
  auto found = findFileLocation(loc);
  return found ? Location(*found) : loc;
}

std::string mlir::pit::remarks::spell(Location loc) {
  auto found = findFileLocation(loc);
  if (!found)
    return "an unknown place";
  return (found->getFilename().getValue() + ":" + Twine(found->getLine()) +
          ":" + Twine(found->getColumn()))
      .str();
}

static StringRef getFunctionName(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? SymbolTable::getSymbolName(function).getValue()
                  : StringRef();
}

using Emitter = remark::detail::InFlightRemark (*)(Location,
                                                   remark::RemarkOpts);

static InFlight emit(Emitter emitter, Operation *op, StringRef category,
                     StringRef name) {
  if (!areCollected(op))
    return {};
  static std::recursive_mutex mutex;
  std::unique_lock<std::recursive_mutex> lock(mutex);
  auto options = remark::RemarkOpts::name(name).category(category).function(
      getFunctionName(op));
  InFlight result(std::move(lock),
                  emitter(getFileLocation(op->getLoc()), options));
  result << metric("Op", op->getName().getStringRef());
  return result;
}

InFlight mlir::pit::remarks::passed(Operation *op, StringRef category,
                                    StringRef name) {
  return emit(remark::passed, op, category, name);
}

InFlight mlir::pit::remarks::missed(Operation *op, StringRef category,
                                    StringRef name) {
  return emit(remark::missed, op, category, name);
}

InFlight mlir::pit::remarks::analysis(Operation *op, StringRef category,
                                      StringRef name) {
  return emit(remark::analysis, op, category, name);
}

InFlight mlir::pit::remarks::kernel(Operation *op, StringRef family) {
  InFlight remark = passed(op, kKernels, "kernel");
  remark << metric("Family", family);
  return remark;
}

void mlir::pit::remarks::partOfKernel(Operation *part, Operation *op) {
  if (areCollected(op))
    passed(part, kFusion, "part")
        << ("in the kernel of the op at " + spell(op->getLoc()));
}

void mlir::pit::remarks::kernelOfRegion(Operation *op) {
  if (!areCollected(op))
    return;
  op->walk([&](Operation *nested) {
    // One that the op was made from needs no second remark.
    if (nested != op && nested->getNumRegions() > 0 &&
        nested->getName().getDialectNamespace() == "linalg" &&
        getFileLocation(nested->getLoc()) != getFileLocation(op->getLoc()))
      partOfKernel(nested, op);
  });
}
