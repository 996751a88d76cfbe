// The gradient behind a ReLU is zero where its argument was, which is known of single elements alone; where rows are chosen as well, products
// skip those. Without them, blocks of the elements are looked at.
// RUN: pit-opt %s --pit-to-cpu -o /dev/null --pit-explain 2>&1 | FileCheck %s
// RUN: pit-run %s --entry=chosen --random=normal@512x256 --random=normal@512x64 --random=bool:0.1@512 --random=normal@64x256 --check | FileCheck %s --check-prefix=VALUE
// VALUE: check: result 0: {{bit-identical|agrees}}
// CHECK: linalg.matmul in @chosen
// CHECK: visits only what is live of pattern {{[0-9]+}} (mask at {{.*}}), Axes d0{{$}}
// CHECK: linalg.matmul in @unchosen
// CHECK: visits only what is live of pattern {{[0-9]+}} (mask at {{.*}}), Axes d0 d1{{$}}

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @chosen(%relu: tensor<512x256xf32>, %dy: tensor<512x64xf32>, %own: tensor<512xi1>, %w: tensor<64x256xf32>) -> tensor<512x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x64xf32>
  %f = tensor.empty() : tensor<512x256xf32>
  %b = tensor.empty() : tensor<512x256xi1>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dead = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%relu : tensor<512x256xf32>) outs(%b : tensor<512x256xi1>) {
  ^bb0(%x: f32, %o: i1):
    %0 = arith.cmpf ole, %x, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<512x256xi1>
  %chosen = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%own, %dy : tensor<512xi1>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%c: i1, %x: f32, %o: f32):
    %0 = arith.select %c, %x, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<512x64xf32>
  %dh = linalg.matmul ins(%chosen, %w : tensor<512x64xf32>, tensor<64x256xf32>) outs(%init : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dx = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dead, %dh : tensor<512x256xi1>, tensor<512x256xf32>) outs(%f : tensor<512x256xf32>) {
  ^bb0(%c: i1, %x: f32, %o: f32):
    %0 = arith.select %c, %zero, %x : f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  return %dx : tensor<512x256xf32>
}

func.func @unchosen(%relu: tensor<512x256xf32>, %dy: tensor<512x64xf32>, %w: tensor<64x256xf32>) -> tensor<512x256xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<512x256xf32>
  %b = tensor.empty() : tensor<512x256xi1>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dead = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%relu : tensor<512x256xf32>) outs(%b : tensor<512x256xi1>) {
  ^bb0(%x: f32, %o: i1):
    %0 = arith.cmpf ole, %x, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<512x256xi1>
  %dh = linalg.matmul ins(%dy, %w : tensor<512x64xf32>, tensor<64x256xf32>) outs(%init : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dx = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dead, %dh : tensor<512x256xi1>, tensor<512x256xf32>) outs(%f : tensor<512x256xf32>) {
  ^bb0(%c: i1, %x: f32, %o: f32):
    %0 = arith.select %c, %zero, %x : f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  return %dx : tensor<512x256xf32>
}
