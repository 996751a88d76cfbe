//===- KernelSignatureTest.cpp - What signatures refuse -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Kernel/KernelSignature.h"
#include "GPU/Host/LaunchArguments.h"
#include "GPU/Kernel/KernelFunction.h"
#include "SignatureFixture.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A signature with one parameter of each kind.
class KernelSignatureTest : public SignatureFixture {
protected:
  KernelSignatureTest() : signature(&context) {
    signature.addTensorMap("map");
    signature.addPointer("base");
    signature.addInteger("rows");
    signature.addInteger("part1.stride", 64);
  }

  LLVM::LLVMFuncOp makeFunction() {
    return *createKernelFunction(builder, "kernel", signature,
                                 /*numThreads=*/128, /*blocksAtOnce=*/2);
  }
  /// Of this launch, in an order that is not the parameters'.
  void bindAll(LaunchArguments &arguments) {
    arguments.bind("part1.stride", stride = makeInteger(64));
    arguments.bind("rows", rows = makeInteger(32));
    arguments.bind("base", base = makePointer());
    arguments.bind("map", map = makeTensorMap());
  }
  LaunchArguments makeArguments() {
    return LaunchArguments(signature, builder.getLoc(), "kernel");
  }

  KernelSignature signature;
  Value map, base, rows, stride;
};

TEST_F(KernelSignatureTest, FunctionsHaveTheParametersInOrder) {
  LLVM::LLVMFuncOp function = makeFunction();
  ASSERT_EQ(function.getNumArguments(), 4u);
  EXPECT_EQ(function.getArgument(0).getType(),
            LLVM::LLVMPointerType::get(&context));
  EXPECT_EQ(function.getArgument(1).getType(),
            LLVM::LLVMPointerType::get(&context, 1));
  EXPECT_TRUE(function.getArgument(2).getType().isInteger(32));
  EXPECT_TRUE(function.getArgument(3).getType().isInteger(64));
  EXPECT_TRUE(function.getArgAttr(0, "llvm.byval"));
  EXPECT_TRUE(function.getArgAttr(0, "nvvm.grid_constant"));
  EXPECT_TRUE(function.getArgAttrDict(1).empty());
  EXPECT_EQ(messages, "");
}

TEST_F(KernelSignatureTest, ReadsByName) {
  LLVM::LLVMFuncOp function = makeFunction();
  ParameterReader reader(signature, function);
  EXPECT_EQ(reader.read("part1.stride"), function.getArgument(3));
  EXPECT_EQ(reader.read("base"), function.getArgument(1));
  EXPECT_EQ(reader.read("rows"), function.getArgument(2));
  EXPECT_EQ(reader.read("map"), function.getArgument(0));
  EXPECT_TRUE(succeeded(reader.finish()));
  EXPECT_EQ(messages, "");
}

TEST_F(KernelSignatureTest, RefusesTwoParametersOfOneName) {
  signature.addInteger("rows", 64);
  EXPECT_TRUE(failed(createKernelFunction(builder, "kernel", signature,
                                          /*numThreads=*/128,
                                          /*blocksAtOnce=*/std::nullopt)));
  EXPECT_EQ(messages,
            "kernel 'kernel' has two parameters with the name 'rows'\n");
  EXPECT_TRUE(module->getBody()->empty());
}

TEST_F(KernelSignatureTest, RefusesToReadWhatThereIsNot) {
  ParameterReader reader(signature, makeFunction());
  for (StringRef name : {"map", "base", "rows", "part1.stride"})
    reader.read(name);
  EXPECT_EQ(reader.read("row"), Value());
  EXPECT_TRUE(failed(reader.finish()));
  EXPECT_EQ(messages, "kernel 'kernel' reads a parameter 'row' that it does "
                      "not take; it takes map, base, rows, part1.stride\n");
}

TEST_F(KernelSignatureTest, RefusesToReadTwice) {
  ParameterReader reader(signature, makeFunction());
  for (StringRef name : {"map", "base", "rows", "part1.stride", "base"})
    reader.read(name);
  EXPECT_TRUE(failed(reader.finish()));
  EXPECT_EQ(messages, "kernel 'kernel' reads its parameter 'base' twice\n");
}

TEST_F(KernelSignatureTest, RefusesParametersThatNobodyReads) {
  ParameterReader reader(signature, makeFunction());
  for (StringRef name : {"map", "rows", "part1.stride"})
    reader.read(name);
  EXPECT_TRUE(failed(reader.finish()));
  EXPECT_EQ(messages, "kernel 'kernel' never reads its parameter 'base'\n");
}

TEST_F(KernelSignatureTest, BindsByName) {
  LaunchArguments arguments = makeArguments();
  bindAll(arguments);
  FailureOr<SmallVector<Value>> values = arguments.finish();
  ASSERT_TRUE(succeeded(values));
  EXPECT_EQ(*values, SmallVector<Value>({map, base, rows, stride}));
  EXPECT_EQ(messages, "");
}

TEST_F(KernelSignatureTest, RefusesToBindWhatThereIsNot) {
  LaunchArguments arguments = makeArguments();
  bindAll(arguments);
  arguments.bind("stride", makeInteger(64));
  EXPECT_TRUE(failed(arguments.finish()));
  EXPECT_EQ(messages, "launch of kernel 'kernel' binds a parameter 'stride' "
                      "that the kernel does not take; it takes map, base, "
                      "rows, part1.stride\n");
}

TEST_F(KernelSignatureTest, RefusesToBindTwice) {
  LaunchArguments arguments = makeArguments();
  bindAll(arguments);
  arguments.bind("rows", makeInteger(32));
  EXPECT_TRUE(failed(arguments.finish()));
  EXPECT_EQ(messages,
            "launch of kernel 'kernel' binds parameter 'rows' twice\n");
}

TEST_F(KernelSignatureTest, RefusesWhatIsNotBound) {
  LaunchArguments arguments = makeArguments();
  arguments.bind("map", makeTensorMap());
  arguments.bind("rows", makeInteger(32));
  EXPECT_TRUE(failed(arguments.finish()));
  EXPECT_EQ(messages,
            "launch of kernel 'kernel' does not bind parameter 'base'\n"
            "launch of kernel 'kernel' does not bind parameter "
            "'part1.stride'\n");
}

TEST_F(KernelSignatureTest, RefusesOtherTypes) {
  LaunchArguments arguments = makeArguments();
  arguments.bind("map", makePointer());
  arguments.bind("base", makeValue(MemRefType::get({8}, builder.getF32Type())));
  arguments.bind("rows", makeValue(builder.getIndexType()));
  arguments.bind("part1.stride", Value());
  EXPECT_TRUE(failed(arguments.finish()));
  EXPECT_EQ(messages, "launch of kernel 'kernel' binds parameter 'map' to "
                      "'memref<f32>', which takes a tensor map\n"
                      "launch of kernel 'kernel' binds parameter 'base' to "
                      "'memref<8xf32>', which takes a buffer of rank 0\n"
                      "launch of kernel 'kernel' binds parameter 'rows' to "
                      "'index', which takes 'i32'\n"
                      "launch of kernel 'kernel' binds parameter "
                      "'part1.stride' to nothing, which takes 'i64'\n");
}

TEST_F(KernelSignatureTest, KindsOfPointersDiffer) {
  LaunchArguments arguments = makeArguments();
  bindAll(arguments);
  LaunchArguments swapped = makeArguments();
  swapped.bind("map", base);
  swapped.bind("base", map);
  swapped.bind("rows", rows);
  swapped.bind("part1.stride", stride);
  EXPECT_TRUE(failed(swapped.finish()));
}

} // namespace
