//===- Cluster.cpp - Blocks of a cluster wait for each other --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

Value mlir::pit::hopper::getRankInCluster(KernelBuilder &b) {
  return NVVM::BlockInClusterIdXOp::create(b, b.getI32Type());
}

void mlir::pit::hopper::arriveAtCluster(KernelBuilder &b) {
  NVVM::ClusterArriveOp::create(b, UnitAttr());
}

void mlir::pit::hopper::waitForCluster(KernelBuilder &b) {
  NVVM::ClusterWaitOp::create(b, UnitAttr());
}

void mlir::pit::hopper::syncCluster(KernelBuilder &b) {
  arriveAtCluster(b);
  waitForCluster(b);
}

void mlir::pit::hopper::meetCluster(KernelBuilder &b) {
  NVVM::ClusterArriveRelaxedOp::create(b, UnitAttr());
  waitForCluster(b);
}
