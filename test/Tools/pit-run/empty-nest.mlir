// Loops around one that has nothing to iterate over do not iterate, however large their extents are.
// RUN: pit-run %s --random=const:1099511627776 --random=ones@0 --quiet | FileCheck %s
// CHECK: result 0: 1099511627776x0xf32
func.func @main(%n: index, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n, %d) : tensor<?x?xf32>
  %y = linalg.broadcast ins(%x : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  return %y : tensor<?x?xf32>
}
