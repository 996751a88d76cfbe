// Weights that are scattered to a gate, one choice after another, as torch.scatter becomes, and gathered from its gradient. No
// kernel is a loop over tiles. Both choices may be one expert: the last one counts.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: loop over listed tiles
// KERNELS-DAG: Family="grouped GEMM",
// KERNELS-DAG: Family="grouped GEMM of ragged k"
// KERNELS-NOT: loop over listed tiles
// DEFINE: %{run} = pit-run %s --no-dense-variants --quiet --check --random=normal --random=randint:0:8 --random=sparse:0.3 --random=normal:0.1 --random=normal:0.1 --random=normal
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_90a | FileCheck %s
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_80 | FileCheck %s
// RUN: %{run} --target=cpu | FileCheck %s
// CHECK-COUNT-3: check: result {{[0-2]}}: {{agrees|bit-identical}}

#token = affine_map<(t, e) -> (t)>
#gate = affine_map<(t, e) -> (t, e)>
#hidden = affine_map<(t, e, f) -> (t, e, f)>
#gateOf = affine_map<(t, e, f) -> (t, e)>
#upX = affine_map<(t, e, f, k) -> (t, k)>
#upW = affine_map<(t, e, f, k) -> (e, k, f)>
#upH = affine_map<(t, e, f, k) -> (t, e, f)>
#downH = affine_map<(t, d, e, f) -> (t, e, f)>
#downW = affine_map<(t, d, e, f) -> (e, f, d)>
#downY = affine_map<(t, d, e, f) -> (t, d)>
#dwL = affine_map<(e, m, n, t) -> (t, e, m)>
#dwR = affine_map<(e, m, n, t) -> (t, n)>
#dwO = affine_map<(e, m, n, t) -> (e, m, n)>
#dotD = affine_map<(t, e, f, k) -> (t, k)>
#dotW = affine_map<(t, e, f, k) -> (e, f, k)>

// y, and gradients by the weights v of two choices and by wd.
func.func @main(%x: tensor<96x64xbf16>, %i: tensor<96x2xi64>, %v: tensor<96x2xf32>, %wu: tensor<8x64x128xbf16>, %wd: tensor<8x128x64xbf16>,
    %dy: tensor<96x64xbf16>) -> (tensor<96x64xf32>, tensor<96x2xf32>, tensor<8x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %i0 = tensor.extract_slice %i[0, 0] [96, 1] [1, 1] : tensor<96x2xi64> to tensor<96xi64>
  %v0 = tensor.extract_slice %v[0, 0] [96, 1] [1, 1] : tensor<96x2xf32> to tensor<96xf32>
  %e0 = tensor.empty() : tensor<96x8xi1>
  %first = linalg.generic {indexing_maps = [#token, #gate], iterator_types = ["parallel", "parallel"]} ins(%i0 : tensor<96xi64>) outs(%e0 : tensor<96x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<96x8xi1>
  %i1 = tensor.extract_slice %i[0, 1] [96, 1] [1, 1] : tensor<96x2xi64> to tensor<96xi64>
  %v1 = tensor.extract_slice %v[0, 1] [96, 1] [1, 1] : tensor<96x2xf32> to tensor<96xf32>
  %e1 = tensor.empty() : tensor<96x8xi1>
  %second = linalg.generic {indexing_maps = [#token, #gate], iterator_types = ["parallel", "parallel"]} ins(%i1 : tensor<96xi64>) outs(%e1 : tensor<96x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<96x8xi1>
  %eg = tensor.empty() : tensor<96x8xf32>
  %gate = linalg.generic {indexing_maps = [#gate, #token, #gate, #token, #gate], iterator_types = ["parallel", "parallel"]}
      ins(%first, %v0, %second, %v1 : tensor<96x8xi1>, tensor<96xf32>, tensor<96x8xi1>, tensor<96xf32>) outs(%eg : tensor<96x8xf32>) {
  ^bb0(%a: i1, %p: f32, %b: i1, %q: f32, %o: f32):
    %s = arith.select %a, %p, %zero : f32
    %t = arith.select %b, %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<96x8xf32>
  %eh = tensor.empty() : tensor<96x8x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%eh : tensor<96x8x128xf32>) -> tensor<96x8x128xf32>
  %up = linalg.generic {indexing_maps = [#upX, #upW, #upH], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wu : tensor<96x64xbf16>, tensor<8x64x128xbf16>) outs(%zeros : tensor<96x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x8x128xf32>
  %ehh = tensor.empty() : tensor<96x8x128xbf16>
  %h = linalg.generic {indexing_maps = [#hidden, #hidden], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%up : tensor<96x8x128xf32>) outs(%ehh : tensor<96x8x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zh : bf16
    linalg.yield %m : bf16
  } -> tensor<96x8x128xbf16>
  %gated = linalg.generic {indexing_maps = [#hidden, #gateOf, #hidden], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h, %gate : tensor<96x8x128xbf16>, tensor<96x8xf32>) outs(%ehh : tensor<96x8x128xbf16>) {
  ^bb0(%a: bf16, %g: f32, %o: bf16):
    %t = arith.truncf %g : f32 to bf16
    %m = arith.mulf %a, %t : bf16
    linalg.yield %m : bf16
  } -> tensor<96x8x128xbf16>
  %ey = tensor.empty() : tensor<96x64xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<96x64xf32>) -> tensor<96x64xf32>
  %y = linalg.generic {indexing_maps = [#downH, #downW, #downY], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%gated, %wd : tensor<96x8x128xbf16>, tensor<8x128x64xbf16>) outs(%zy : tensor<96x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x64xf32>
  %dh = linalg.generic {indexing_maps = [#dotD, #dotW, #upH], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%dy, %wd : tensor<96x64xbf16>, tensor<8x128x64xbf16>) outs(%zeros : tensor<96x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x8x128xf32>
  %products = linalg.generic {indexing_maps = [#hidden, #hidden, #hidden], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dh, %h : tensor<96x8x128xf32>, tensor<96x8x128xbf16>) outs(%eh : tensor<96x8x128xf32>) {
  ^bb0(%d: f32, %a: bf16, %o: f32):
    %aw = arith.extf %a : bf16 to f32
    %m = arith.mulf %d, %aw : f32
    linalg.yield %m : f32
  } -> tensor<96x8x128xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<96x8xf32>) -> tensor<96x8xf32>
  %dgate = linalg.generic {indexing_maps = [#hidden, #gateOf], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%products : tensor<96x8x128xf32>) outs(%zg : tensor<96x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<96x8xf32>
  %ev = tensor.empty() : tensor<96x2xf32>
  %dv = linalg.generic {indexing_maps = [#gate, #gate], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<96x2xi64>) outs(%ev : tensor<96x2xf32>) {
  ^bb0(%n: i64, %o: f32):
    %t = linalg.index 0 : index
    %at = arith.index_cast %n : i64 to index
    %d = tensor.extract %dgate[%t, %at] : tensor<96x8xf32>
    linalg.yield %d : f32
  } -> tensor<96x2xf32>
  %edd = tensor.empty() : tensor<8x128x64xf32>
  %zdd = linalg.fill ins(%zero : f32) outs(%edd : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  %dwd = linalg.generic {indexing_maps = [#dwL, #dwR, #dwO], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%gated, %dy : tensor<96x8x128xbf16>, tensor<96x64xbf16>) outs(%zdd : tensor<8x128x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x128x64xf32>
  return %y, %dv, %dwd : tensor<96x64xf32>, tensor<96x2xf32>, tensor<8x128x64xf32>
}
