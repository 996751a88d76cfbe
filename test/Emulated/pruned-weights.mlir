// A training step of a pruned layer on a GPU: forward, and the gradients of the input and of the weight, whose mask is an
// argument of truth values, of numbers, or of one for each block. The live blocks of 64 x 64 are found once, for all
// three products.
// DEFINE: %{opt} = pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --remarks-filter=pit-kernels -o /dev/null
// RUN: %{opt} 2>&1 | FileCheck %s --check-prefix=KERNELS
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --no-dense-variants --random=normal:0.5@200x128 --random=normal:0.2@192x128 --random=normal:0.5@200x192 --check --quiet
// RUN: %{run} --random=mask:64x64:0.4 | FileCheck %s
// RUN: %{run} --random=mask:32x64:0.2 | FileCheck %s
// RUN: %{run} --random=bool:0.002 | FileCheck %s
// RUN: %{run} --random=bool:0 | FileCheck %s
// RUN: %{run} --random=bool:0.5 | FileCheck %s
// RUN: %{run} --entry=numbers --random=block-sparse:64x64:0.5 | FileCheck %s
// RUN: %{run} --entry=blocks --random=bool:0.5 | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}
// CHECK: check: result 2: {{agrees|bit-identical}}

// KERNELS-COUNT-2: Family="SpMM of live blocks"
// KERNELS: Family="SDDMM of a mask"
// KERNELS-COUNT-2: Family="SpMM of live blocks"
// KERNELS: Family="SDDMM of a mask"
// KERNELS-COUNT-2: Family="SpMM of live blocks"
// KERNELS: Family="SDDMM of a mask"

// Short products are not worth it.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: not kept
// SHORT-NEXT: to find the live blocks would take more than 3 %

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<200x128xbf16>, %w: tensor<192x128xbf16>, %dy: tensor<200x192xbf16>, %mask: tensor<192x128xi1>) -> (tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<192x128xbf16>
  %z32 = arith.constant 0.0 : f32
  %wm = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %w : tensor<192x128xi1>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) {
  ^bb0(%m: i1, %a: bf16, %out: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<192x128xbf16>
  %ey = tensor.empty() : tensor<200x192xbf16>
  %fy = linalg.fill ins(%zero : bf16) outs(%ey : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%x, %wm : tensor<200x128xbf16>, tensor<192x128xbf16>) outs(%fy : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %edx = tensor.empty() : tensor<200x128xbf16>
  %fdx = linalg.fill ins(%zero : bf16) outs(%edx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %dx = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %wm : tensor<200x192xbf16>, tensor<192x128xbf16>) outs(%fdx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %edw = tensor.empty() : tensor<192x128xbf16>
  %fdw = linalg.fill ins(%zero : bf16) outs(%edw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %dw = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %x : tensor<200x192xbf16>, tensor<200x128xbf16>) outs(%fdw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %kept = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %dw : tensor<192x128xi1>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) {
  ^bb0(%m: i1, %a: bf16, %out: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<192x128xbf16>
  return %y, %dx, %kept : tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>
}

func.func @numbers(%x: tensor<200x128xbf16>, %w: tensor<192x128xbf16>, %dy: tensor<200x192xbf16>, %mask: tensor<192x128xbf16>) -> (tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<192x128xbf16>
  %z32 = arith.constant 0.0 : f32
  %wm = linalg.mul ins(%w, %mask : tensor<192x128xbf16>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %ey = tensor.empty() : tensor<200x192xbf16>
  %fy = linalg.fill ins(%zero : bf16) outs(%ey : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%x, %wm : tensor<200x128xbf16>, tensor<192x128xbf16>) outs(%fy : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %edx = tensor.empty() : tensor<200x128xbf16>
  %fdx = linalg.fill ins(%zero : bf16) outs(%edx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %dx = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %wm : tensor<200x192xbf16>, tensor<192x128xbf16>) outs(%fdx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %edw = tensor.empty() : tensor<192x128xbf16>
  %fdw = linalg.fill ins(%zero : bf16) outs(%edw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %dw = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %x : tensor<200x192xbf16>, tensor<200x128xbf16>) outs(%fdw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %kept = linalg.mul ins(%dw, %mask : tensor<192x128xbf16>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  return %y, %dx, %kept : tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>
}

func.func @blocks(%x: tensor<200x128xbf16>, %w: tensor<192x128xbf16>, %dy: tensor<200x192xbf16>, %live: tensor<3x2xi1>) -> (tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<192x128xbf16>
  %z32 = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<3x64x2x64xi1>
  %b = linalg.broadcast ins(%live : tensor<3x2xi1>) outs(%em : tensor<3x64x2x64xi1>) dimensions = [1, 3]
  %mask = tensor.collapse_shape %b [[0, 1], [2, 3]] : tensor<3x64x2x64xi1> into tensor<192x128xi1>
  %wm = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %w : tensor<192x128xi1>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) {
  ^bb0(%m: i1, %a: bf16, %out: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<192x128xbf16>
  %ey = tensor.empty() : tensor<200x192xbf16>
  %fy = linalg.fill ins(%zero : bf16) outs(%ey : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%x, %wm : tensor<200x128xbf16>, tensor<192x128xbf16>) outs(%fy : tensor<200x192xbf16>) -> tensor<200x192xbf16>
  %edx = tensor.empty() : tensor<200x128xbf16>
  %fdx = linalg.fill ins(%zero : bf16) outs(%edx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %dx = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %wm : tensor<200x192xbf16>, tensor<192x128xbf16>) outs(%fdx : tensor<200x128xbf16>) -> tensor<200x128xbf16>
  %edw = tensor.empty() : tensor<192x128xbf16>
  %fdw = linalg.fill ins(%zero : bf16) outs(%edw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %dw = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%dy, %x : tensor<200x192xbf16>, tensor<200x128xbf16>) outs(%fdw : tensor<192x128xbf16>) -> tensor<192x128xbf16>
  %kept = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %dw : tensor<192x128xi1>, tensor<192x128xbf16>) outs(%ew : tensor<192x128xbf16>) {
  ^bb0(%m: i1, %a: bf16, %out: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<192x128xbf16>
  return %y, %dx, %kept : tensor<200x192xbf16>, tensor<200x128xbf16>, tensor<192x128xbf16>
}
