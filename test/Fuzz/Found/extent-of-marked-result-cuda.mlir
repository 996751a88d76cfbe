// The extents of an index were those of the product that is computed behind it, seen through a reshape.
// RUN: pit-fuzz %s --target cuda --compile-only

func.func @main(%arg0: tensor<1x?x3xbf16>, %arg1: tensor<?x1xi1>, %arg2: tensor<1x3x24xbf16>) -> tensor<1x?x24xbf16> attributes {inputs = ["kind=ints shape=1x9x3 lo=1 hi=2 live=90% dead=zero seed=77068", "kind=ints shape=9x1 lo=1 hi=2 live=50% block=4x4 dead=zero seed=71688", "kind=ints shape=1x3x24 lo=1 hi=2 seed=1"]} {
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x3xbf16>
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty(%dim) : tensor<1x?x24xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<1x?x24xbf16>) -> tensor<1x?x24xbf16>
    %2 = linalg.batch_matmul ins(%arg0, %arg2 : tensor<1x?x3xbf16>, tensor<1x3x24xbf16>) outs(%1 : tensor<1x?x24xbf16>) -> tensor<1x?x24xbf16>
    %3 = pit.sparse %2 by(%arg1 : tensor<?x1xi1>) <kind = blocks, axes = [1, 2], tile = [1, 24]> : tensor<1x?x24xbf16>
    return %3 : tensor<1x?x24xbf16>
  }
