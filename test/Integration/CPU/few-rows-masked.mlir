// Products of one row, whose steps are listed under a mask: what a step reads of the other input is packed for one multiplication each, so
// that the dense product runs where much is live. Elements of a step that have gaps in memory are packed slower.

// DEFINE: %{row} = pit-run %s --entry row --target cpu --random=normal
// RUN: %{row} --random=bool:0.9@1x512 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{row} --random=bool:0.1@1x512 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: %{row} --random=bool:0.9@1x512 --random=normal --check --report --no-dense-variants | FileCheck %s --check-prefixes=CHECK,ALWAYS
// DEFINE: %{weight} = pit-run %s --entry weight --target cpu --random=normal
// RUN: %{weight} --random=bool:0.3@1x512 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{weight} --random=bool:0.0@1x512 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,SPARSE

// Of many rows, packing costs little; nothing is chosen.
// RUN: pit-run %s --entry column --target cpu --random=normal --random=bool:0.9@512 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,ALWAYS

// CHECK: check: result 0: {{bit-identical|agrees}}
// DENSE: annihilated {{.*}}{{% +dense +[0-9.]+ +[0-9.]+ +[0-9.]+$}}
// SPARSE: annihilated {{.*}}{{% +sparse +[0-9.]+ +[0-9.]+ +[0-9.]+$}}
// ALWAYS: annihilated {{.*}} - {{ *}}sparse

#vector = affine_map<(i, j) -> (j)>
#identity = affine_map<(i, j) -> (i, j)>

func.func @row(%x: tensor<1x512xf32>, %mask: tensor<1x512xi1>, %w: tensor<512x256xf32>) -> tensor<1x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x512xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<1x512xi1>, tensor<1x512xf32>) outs(%e0 : tensor<1x512xf32>) {
  ^bb0(%m: i1, %v: f32, %o: f32):
    %s = arith.select %m, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x512xf32>
  %e = tensor.empty() : tensor<1x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256xf32>) -> tensor<1x256xf32>
  %c = linalg.matmul ins(%masked, %w : tensor<1x512xf32>, tensor<512x256xf32>) outs(%f : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %c : tensor<1x256xf32>
}

func.func @weight(%x: tensor<128x512xf32>, %mask: tensor<1x512xi1>, %w: tensor<1x512xf32>) -> tensor<128x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x512xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<1x512xi1>, tensor<1x512xf32>) outs(%e0 : tensor<1x512xf32>) {
  ^bb0(%m: i1, %v: f32, %o: f32):
    %s = arith.select %m, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x512xf32>
  %e = tensor.empty() : tensor<128x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x1xf32>) -> tensor<128x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %masked : tensor<128x512xf32>, tensor<1x512xf32>) outs(%f : tensor<128x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<128x1xf32>
  return %c : tensor<128x1xf32>
}

func.func @column(%x: tensor<64x512xf32>, %mask: tensor<512xi1>, %w: tensor<512x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x512xf32>
  %masked = linalg.generic {indexing_maps = [#vector, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<512xi1>, tensor<64x512xf32>) outs(%e0 : tensor<64x512xf32>) {
  ^bb0(%m: i1, %v: f32, %o: f32):
    %s = arith.select %m, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x512xf32>
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%masked, %w : tensor<64x512xf32>, tensor<512x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}
