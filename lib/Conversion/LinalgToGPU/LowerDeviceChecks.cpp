//===- LowerDeviceChecks.cpp - Checks that kernels make -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "PIT/Dialect/PIT/IR/PITCheck.h"

#include "Dialect/PIT/Transforms/Indexes/RuntimeCalls.h"
#include "GPU/Host/StatusBuffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERDEVICECHECKS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What hosts read at a time of a message; see pit_runtime.h.
static constexpr size_t kMessagePiece = 64;

/// The longest message that hosts read, which is longer than any but those
/// with strange names of files.
static constexpr size_t kMostOfMessage = 1024;

namespace {

/// Messages of one function, one after the other.
class Messages {
public:
  /// Where the message begins.
  int64_t add(StringRef message) {
    auto [entry, isNew] = places.try_emplace(message, int64_t(bytes.size()));
    if (isNew) {
      bytes += message.take_front(kMostOfMessage - 1);
      bytes.resize(llvm::alignTo(bytes.size() + 1, kMessagePiece), '\0');
    }
    return entry->second;
  }
  memref::GlobalOp createGlobal(func::FuncOp function, SymbolTable &symbols);

private:
  llvm::StringMap<int64_t> places;
  std::string bytes;
};

} // namespace

memref::GlobalOp Messages::createGlobal(func::FuncOp function,
                                        SymbolTable &symbols) {
  OpBuilder builder(function.getContext());
  Type byte = builder.getI8Type();
  int64_t size = int64_t(bytes.size());
  auto value = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({size}, byte), bytes);
  auto global = memref::GlobalOp::create(
      builder, function.getLoc(), (function.getName() + "_messages").str(),
      builder.getStringAttr("private"), MemRefType::get({size}, byte), value,
      /*constant=*/true, /*alignment=*/IntegerAttr());
  symbols.insert(global, cast<ModuleOp>(symbols.getOp()).getBody()->begin());
  return global;
}

/// The address is taken where the report is made, in the kernel.
static void lowerCheck(CheckOp check, Value messages, int64_t place,
                       ModuleOp module) {
  OpBuilder builder(check);
  Location loc = check.getLoc();
  Value yes = arith::ConstantIntOp::create(builder, loc, true, 1);
  Value fails = arith::XOrIOp::create(builder, loc, check.getCondition(), yes);
  auto report =
      scf::IfOp::create(builder, loc, fails, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(report.thenBlock());
  auto widen = [&](Value number) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      number);
  };
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, messages);
  Value offset = arith::ConstantIndexOp::create(builder, loc, place);
  address = arith::AddIOp::create(builder, loc, address, offset);
  createRuntimeCall(
      builder, loc, module, kDeviceCheckCallee,
      {widen(address), widen(check.getFirst()), widen(check.getSecond())});
  check.erase();
}

namespace {

struct PITLowerDeviceChecks
    : pit::impl::PITLowerDeviceChecksBase<PITLowerDeviceChecks> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && !holdsChecks(function))
        lower(function, symbols);
  }

  void lower(func::FuncOp function, SymbolTable &symbols) {
    Messages messages;
    SmallVector<std::pair<CheckOp, int64_t>> checks;
    function.walk([&](CheckOp check) {
      checks.push_back({check, messages.add(check.getMessage())});
    });
    if (checks.empty())
      return;
    numChecks += unsigned(checks.size());
    memref::GlobalOp global = messages.createGlobal(function, symbols);
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Value buffer = memref::GetGlobalOp::create(
        builder, function.getLoc(), cast<MemRefType>(global.getType()),
        global.getSymName());
    for (auto [check, place] : checks)
      lowerCheck(check, buffer, place, getOperation());
  }
};

} // namespace
