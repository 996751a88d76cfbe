// Extents that are data are looked at by entry points of the C ABI, too: the call returns a status.
// RUN: pit-compile %s -o %t.so
// RUN: pit-run-loaded --load %t.so --entry make --random const:5@1
// RUN: not pit-run-loaded --load %t.so --entry make --random const:-5@1 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pit-run-loaded --load %t.so --entry make --random const:1099511627776@1 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not pit-run-loaded --load %t.so --entry update --random normal@5 --random const:6@1 --random normal@5 2>&1 | FileCheck %s --check-prefix=UPDATE
// SIZE: error: {{.*}}'tensor.empty': result 0 of type tensor<?xf32>: its dynamic extent is -5, where 0 to 18014398509481984 fit into 2^56 bytes
// MEMORY: error: the program needs {{[0-9]+}} bytes of buffers for these arguments, more than the system has
func.func @make(%extent: tensor<1xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = func.call @sum(%f) : (tensor<?xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%s : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// A result whose extents are those of an argument has them also where it is not computed.
// RUN: pit-run-loaded --load %t.so --entry update --random normal@5 --random const:5@1 --random normal@5
// RUN: not pit-run-loaded --load %t.so --entry update --random normal@7 --random const:4@1 --random normal@5 2>&1 | FileCheck %s --check-prefix=UPDATE
// UPDATE: error: {{.*}}{{'linalg.exp': dimension 0 of operand 0 is 4, dimension 0 of operand 1 is 5|the size 6 of dimension 0 of a slice is not within 0 to 5}}
func.func @update(%x: tensor<?xf32>, %extent: tensor<1xi64>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%dest : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What a function that is called yields has the extents that follow from what it is given.
// RUN: pit-run-loaded --load %t.so --entry calls --random normal@5
// RUN: pit-opt %s --pit-to-cpu="entry-points dense" -o /dev/null
func.func private @called(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = math.absf %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @called(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
