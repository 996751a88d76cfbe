//===- capi.c - The C API from a C11 program ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: pit-capi-test | FileCheck %s

#include "PIT-c/Analysis.h"
#include "PIT-c/Dialects.h"
#include "PIT-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <string.h>

static const char *program =
    "func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>,\n"
    "             %c: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)\n"
    "                     outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>\n"
    "  return %0 : tensor<4x6xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stdout);
}

static void printAxes(MlirOperation op, bool strict) {
  PITAxes axes = pitAxesGet(op, strict);
  intptr_t i;
  if (pitAxesIsNull(axes)) {
    printf("no axes\n");
    return;
  }
  for (i = 0; i < pitAxesGetSize(axes); ++i) {
    MlirStringRef reason = pitAxesGetReason(axes, i);
    printf("axis %d: kind %d, reason '%.*s'\n", (int)i,
           (int)pitAxesGetKind(axes, i), (int)reason.length, reason.data);
  }
  printf("outside: kind %d\n", (int)pitAxesGetKind(axes, 99));
  pitAxesDestroy(axes);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pitRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);

  // CHECK: dialect pit
  MlirStringRef name =
      mlirDialectHandleGetNamespace(mlirGetDialectHandle__pit__());
  printf("dialect %.*s\n", (int)name.length, name.data);

  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(program));
  if (mlirModuleIsNull(module))
    return 1;
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation matmul = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0)));

  // CHECK: axis 0: kind 0, reason ''
  // CHECK: axis 1: kind 0, reason ''
  // CHECK: axis 2: kind 1, reason ''
  // CHECK: outside: kind 2
  printAxes(matmul, false);
  // CHECK: axis 2: kind 2, reason '{{.+}}'
  printAxes(matmul, true);
  // CHECK: no axes
  printAxes(func, false);

  pitRegisterPasses();
  pitRegisterPasses();
  MlirPassManager pm = mlirPassManagerCreate(context);
  MlirOpPassManager nested = mlirPassManagerGetAsOpPassManager(pm);

  // CHECK: no pass pipeline is registered as 'pit-to-nowhere'
  if (mlirLogicalResultIsSuccess(pitAddPipeline(
          nested, mlirStringRefCreateFromCString("pit-to-nowhere"),
          mlirStringRefCreateFromCString(""), print, NULL)))
    return 1;
  printf("\n");

  if (mlirLogicalResultIsFailure(pitAddPipeline(
          nested, mlirStringRefCreateFromCString("pit-to-cpu"),
          mlirStringRefCreateFromCString("strict=true"), print, NULL)))
    return 1;
  if (mlirLogicalResultIsFailure(
          mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module))))
    return 1;
  // CHECK: llvm.func @f
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);

  mlirPassManagerDestroy(pm);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
