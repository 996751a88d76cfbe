// What cannot be marked stays: a declaration, a number of rows that is no number of rows.
// RUN: pit-opt %s --pit-infer-values | FileCheck %s
// RUN: not pit-opt %s --pit-infer-values=tile=-1 2>&1 | FileCheck %s --check-prefix=TILE

// TILE: pit-infer-values: 'tile' is -1, and must be 0 or more
// CHECK: func.func private @elsewhere(tensor<64xf32>)
func.func private @elsewhere(tensor<64xf32>)
