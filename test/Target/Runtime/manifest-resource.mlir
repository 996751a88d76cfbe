// A constant that exporters keep beside the IR is one like others in a manifest.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-manifest | FileCheck %s
// CHECK: "base64":{{ *}}"gD8AQA=="
func.func @main(%x: tensor<4x2xbf16>) -> tensor<4x2xbf16> {
  %c = arith.constant dense_resource<factors> : tensor<2xbf16>
  %e = tensor.empty() : tensor<4x2xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<4x2xbf16>, tensor<2xbf16>) outs(%e : tensor<4x2xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %s = arith.addf %a, %b : bf16
    linalg.yield %s : bf16
  } -> tensor<4x2xbf16>
  return %r : tensor<4x2xbf16>
}

{-#
  dialect_resources: {
    builtin: {
      factors: "0x02000000803F0040"
    }
  }
#-}
