// RUN: pit-run %S/../../Conversion/LinalgToPIT/two-patterns.mlir --entry m_and_k --random normal --random normal --random bool:0.3 --random bool:0.4 --random normal --check | FileCheck %s
// RUN: pit-run %S/../../Conversion/LinalgToPIT/two-patterns.mlir --entry m_and_k --random normal --random normal --random bool:0 --random bool:0.4 --random normal --check | FileCheck %s
// RUN: pit-run %S/../../Conversion/LinalgToPIT/two-patterns.mlir --entry m_and_k --random normal --random normal --random bool:0.3 --random bool:0 --random normal --check | FileCheck %s
// RUN: pit-run %S/../../Conversion/LinalgToPIT/two-patterns.mlir --entry both_on_m --random normal --random normal --random bool:0.3 --check | FileCheck %s
// RUN: pit-run %S/../../Conversion/LinalgToPIT/two-patterns.mlir --entry three --random normal --random normal --random bool:0.3 --random bool:0.5 --random bool:0.6 --check | FileCheck %s
// CHECK: check: result 0: bit-identical
