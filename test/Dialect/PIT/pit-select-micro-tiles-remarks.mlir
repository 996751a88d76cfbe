// What was chosen, or not, goes to the remark engine, too, without `report`.
// RUN: pit-opt %s --pit-select-micro-tiles="chip=sm_90a" --remarks-filter=pit-selection -o /dev/null 2>&1 | FileCheck %s
// RUN: pit-opt %s --pit-select-micro-tiles="chip=sm_80" --remarks-filter=pit-selection -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHIP

// CHECK: [Passed] micro-tile | Category:pit-selection | Function=product | Op=pit.sparse, Remark="micro-tiles for 32x1, 95.0 % dead: dense {{[0-9.]+}} ms, {{.*}}; chosen: 
// CHECK: [Missed] micro-tile | Category:pit-selection | Function=sum | Op=pit.sparse, Reason="it is read by others than products that kernels skip in", Remark="the mark's micro-tile stays"
// CHIP: [Missed] micro-tile | Category:pit-selection | Function=product | Op=pit.sparse, Reason="there are no measured times for the chip and the element type"

#e = affine_map<(i, j) -> (i, j)>
func.func @product(%x: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %a = pit.sparse %x <kind = values, axes = [0, 1], tile = [32, 1]> {pit.live = 0.05 : f64} : tensor<4096x4096xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%f : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %o = tensor.empty() : tensor<4096x4096xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xbf16>) {
  ^bb0(%u: f32, %v: bf16):
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4096x4096xbf16>
  return %r : tensor<4096x4096xbf16>
}

func.func @sum(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %a = pit.sparse %x <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<64x64xbf16>
  %o = tensor.empty() : tensor<64x64xbf16>
  %r = linalg.add ins(%a, %x : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%o : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}
