// Integers divided by 0, and the smallest by -1: the CPU and kernels give what NumPy gives, and no process ends.
// UNSUPPORTED: sanitizer
// RUN: pit-run %s --entry=quotients --target=cpu --random=const:7 --random=const:0 --print | FileCheck %s --check-prefix=ZERO
// RUN: %emulated-cuda pit-run %s --entry=quotients --target=cuda --chip=sm_90a --random=const:7 --random=const:0 --print | FileCheck %s --check-prefix=ZERO
// ZERO-COUNT-5: 2xi32 = 0 0{{$}}
// RUN: pit-run %s --entry=quotients --target=cpu --random=const:-2147483648 --random=const:-1 --print | FileCheck %s --check-prefix=LEAST
// RUN: %emulated-cuda pit-run %s --entry=quotients --target=cuda --chip=sm_80 --random=const:-2147483648 --random=const:-1 --print | FileCheck %s --check-prefix=LEAST
// LEAST: result 0: 2xi32 = -2147483648 -2147483648{{$}}
// LEAST: result 1: 2xi32 = 0 0{{$}}
// LEAST: result 2: 2xi32 = -2147483648 -2147483648{{$}}
// LEAST: result 3: 2xi32 = 0 0{{$}}
// LEAST: result 4: 2xi32 = -2147483648 -2147483648{{$}}
func.func @quotients(%x: tensor<2xi32>, %y: tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %q = arith.divsi %x, %y : tensor<2xi32>
  %r = arith.remsi %x, %y : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %n = linalg.div ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %u = linalg.div_unsigned ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %d = arith.floordivsi %a, %b : i32
    linalg.yield %d : i32
  } -> tensor<2xi32>
  return %q, %r, %n, %u, %f : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// An extent that is divided by what an argument holds: nothing is left, or the slice is refused.
// RUN: pit-run %s --entry=extent --target=cpu --random=normal@8 --random=const:0 | FileCheck %s --check-prefix=NONE
// NONE: result 0: 0xf32
// RUN: not pit-run %s --entry=extent --target=cpu --random=normal@8 --random=const:-1 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: index out of range: the size -8 of dimension 0 of a slice
func.func @extent(%t: tensor<?xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %v = tensor.extract %n[] : tensor<i64>
  %k = arith.index_cast %v : i64 to index
  %q = arith.divsi %d, %k : index
  %s = tensor.extract_slice %t[0] [%q] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}

// RUN: pit-run %s --entry=symbol --target=cpu --random=normal@8 --random=const:0 | FileCheck %s --check-prefix=NONE
// RUN: %emulated-cuda pit-run %s --entry=symbol --target=cuda --chip=sm_90a --random=normal@8 --random=const:0 | FileCheck %s --check-prefix=NONE
func.func @symbol(%t: tensor<?xf32>, %b: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %q = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%d)[%b]
  %s = tensor.extract_slice %t[0] [%q] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}

// RUN: pit-run %s --entry=number --target=cpu --random=const:7 --random=const:0 --print | FileCheck %s --check-prefix=NUMBER
// NUMBER: result 0: i64 = 0
func.func @number(%a: index, %b: index) -> index {
  %r = index.divs %a, %b
  return %r : index
}
