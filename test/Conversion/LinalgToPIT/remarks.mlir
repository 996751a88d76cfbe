// Remarks give the axes, patterns and rules of each op.
// RUN: pit-opt %s --convert-linalg-to-pit --remarks-filter=pit-[ar].* -o /dev/null 2>&1 | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-pit=strict --remarks-filter="pit-axes" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: [Passed] pattern | Category:pit-rules | Function=main | Absent=zero, Kind=values, MicroTile=4x1, Op=pit.sparse, Remark="marks pattern 0"
// CHECK: [Analysis] axes | Category:pit-axes | Function=main | Op=linalg.matmul, Parallel="d0 d1", Reduction=d2
// CHECK: [Passed] rule | Category:pit-rules | Function=main | Axes="d0 d2", Op=linalg.matmul, Reason="dead points change nothing", Remark="visits only what is live of pattern 0 (values at {{.*}}remarks.mlir:
// CHECK: [Analysis] axes | Category:pit-axes | Function=main | Op=linalg.generic, Parallel=d0, Reason="d1: the region reads 'linalg.index 1'", Refused=d1
// CHECK: [Missed] function | Category:pit-rules | Function=blocks | Op=func.func, Remark="left as it is: the body has more than one block"
// STRICT: Op=linalg.matmul, Parallel="d0 d1", Reason="d2: {{.*}}", Refused=d2

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xi64> {
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [4, 1]> : tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%s, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %n = tensor.empty() : tensor<8x4xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x4xf32>) outs(%n : tensor<8x4xi64>) {
  ^bb0(%x: f32, %o: i64):
    %i = linalg.index 1 : index
    %w = arith.index_cast %i : index to i64
    linalg.yield %w : i64
  } -> tensor<8x4xi64>
  return %r : tensor<8x4xi64>
}

func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
