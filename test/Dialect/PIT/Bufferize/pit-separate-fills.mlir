// RUN: pit-opt %s --pit-separate-fills --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-separate-fills --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=BUFFERS
// Without the pass, one of the two is a copy.
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=SHARED

// Groups share empty tensors; fills are separate all the same, since a copy of what is filled would read memory as well.
// RUN: pit-opt %s --pit-separate-fills=group=2 --split-input-file | FileCheck %s --check-prefix=GROUPS
// RUN: not pit-opt %s --pit-separate-fills=group=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=NO-GROUP
// NO-GROUP: error: option 'group' of pit-separate-fills is 0, and has to be 1 or more

// The first one keeps what is there; the second one fills in front of itself.
// CHECK-LABEL: func @two_sums
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: linalg.matmul {{.*}} outs(%[[FILL]] :
// CHECK: %[[OWN_EMPTY:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: %[[OWN:.*]] = linalg.fill {{.*}} outs(%[[OWN_EMPTY]] :
// CHECK: linalg.matmul {{.*}} outs(%[[OWN]] :
// BUFFERS-LABEL: func @two_sums
// BUFFERS-NOT: memref.copy
// BUFFERS: return
// SHARED-LABEL: func @two_sums
// SHARED: memref.copy
// GROUPS-LABEL: func @two_sums
// GROUPS-COUNT-2: linalg.fill
// GROUPS-NOT: linalg.fill
// GROUPS: return
func.func @two_sums(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What is only read stays; whoever writes, even one alone, has a fill of its own. Extents are those of the fill.
// CHECK-LABEL: func @read
// CHECK-SAME: %[[N:.*]]: index
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: %[[OWN_EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: %[[OWN:.*]] = linalg.fill {{.*}} outs(%[[OWN_EMPTY]] :
// CHECK: linalg.matmul ins(%[[FILL]], {{.*}} outs(%[[OWN]] :
func.func @read(%n: index, %b: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %fill = linalg.fill ins(%one : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.matmul ins(%fill, %b : tensor<?x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// One op alone.
// CHECK-LABEL: func @alone
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
func.func @alone(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Destinations whose contents do not matter need no fill.
// CHECK-LABEL: func @overwritten
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
#id = affine_map<(i) -> (i)>
func.func @overwritten(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%fill : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %0, %fill : tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop would fill anew each time; and what is filled must be nothing but space.
// CHECK-LABEL: func @elsewhere
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.fill
func.func @elsewhere(%a: tensor<4x4xf32>, %space: tensor<4x4xf32>, %n: index)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4x4xf32> {
    %p = linalg.matmul ins(%x, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  %other = linalg.fill ins(%zero : f32) outs(%space : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%other : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%other : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r, %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Two results of the same extents, one of which is read while the other is written: two buffers.
// CHECK-LABEL: func @two_results
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: %[[FIRST:.*]] = linalg.exp {{.*}} outs(%[[EMPTY]] :
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: linalg.log ins(%[[FIRST]] : {{.*}} outs(%[[OWN]] :
// BUFFERS-LABEL: func @two_results
// BUFFERS-COUNT-2: memref.alloc
// SHARED-LABEL: func @two_results
// SHARED: memref.alloc
// SHARED-NOT: memref.alloc
// SHARED: return
func.func @two_results(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.log ins(%0 : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// In other blocks, and where it is not a destination, an empty tensor stays what it is.
// CHECK-LABEL: func @other_block
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[EMPTY]])
// CHECK: linalg.exp {{.*}} outs(%[[EMPTY]] :
func.func @other_block(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4x4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %empty) -> tensor<4x4xf32> {
    %1 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Who only reads an empty tensor keeps it, and who writes has another one, in the order of the block.
// CHECK-LABEL: func @read_too
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: linalg.exp ins(%[[EMPTY]] : {{.*}} outs(%[[OWN]] :
// CHECK: %[[NEXT:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: linalg.log {{.*}} outs(%[[NEXT]] :
func.func @read_too() -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%empty : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.log ins(%0 : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// A filled tensor that is rounded is an op that yields a constant: as good as a fill.
// CHECK-LABEL: func @folded
// CHECK: linalg.fill ins(%{{.*}} : bf16)
// CHECK: linalg.fill ins(%{{.*}} : bf16)
// CHECK-NOT: linalg.yield %{{.*}} : bf16
// CHECK: return
// BUFFERS-LABEL: func @folded
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @folded(%a: tensor<4x4xbf16>, %b: tensor<4x4xbf16>) -> (tensor<4x4xbf16>, tensor<4x4xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<4x4xbf16>
  %fill = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<4x4xbf16>) {
  ^bb0(%acc: bf16):
    linalg.yield %zero : bf16
  } -> tensor<4x4xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%fill : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = linalg.matmul ins(%0, %b : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%fill : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %0, %1 : tensor<4x4xbf16>, tensor<4x4xbf16>
}

// -----

// Ones on the diagonal alone fill nothing.
// CHECK-LABEL: func @diagonal
// CHECK: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic
// BUFFERS-LABEL: func @diagonal
// SHARED-LABEL: func @diagonal
func.func @diagonal() -> tensor<4x4xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(r) -> (r, r)>], iterator_types = ["parallel"]} outs(%zeros : tensor<4x4xf32>) {
  ^bb0(%acc: f32):
    linalg.yield %one : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// GROUPS-LABEL: func @three_sums
// GROUPS-COUNT-3: linalg.fill
// GROUPS-NOT: linalg.fill
// BUFFERS-LABEL: func @three_sums
// SHARED-LABEL: func @three_sums
func.func @three_sums(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
