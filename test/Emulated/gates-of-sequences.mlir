// Gates over [batch, position, expert], as models write them that keep their sequences: experts run over tokens, in all
// products of the forward and the backward, and no kernel is a loop over tiles. One expert for each token, and two, whose
// gradients are read where a choice is, also of a weight that is zero.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: loop over listed tiles
// KERNELS-DAG: Function=one {{.*}}Family="grouped GEMM"
// KERNELS-DAG: Function=one {{.*}}Family="grouped GEMM of ragged k"
// KERNELS-DAG: Function=two {{.*}}Family="grouped GEMM"
// KERNELS-DAG: Function=two {{.*}}Family="grouped GEMM of ragged k"
// KERNELS-NOT: loop over listed tiles
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --no-dense-variants --quiet --check
// DEFINE: %{one} = --entry=one --random=normal --random=uniform --random=normal:0.1 --random=normal:0.1 --random=normal
// DEFINE: %{two} = --entry=two --random=normal --random=randint:0:8 --random=sparse:0.3 --random=normal:0.1 --random=normal:0.1 --random=normal
// RUN: %{run} --chip=sm_90a %{one} | FileCheck %s
// RUN: %{run} --chip=sm_80 %{one} | FileCheck %s
// RUN: %{run} --chip=sm_90a %{two} | FileCheck %s
// RUN: %{run} --chip=sm_80 %{two} | FileCheck %s
// RUN: pit-run %s --target=cpu --no-dense-variants --quiet --check %{one} | FileCheck %s
// RUN: pit-run %s --target=cpu --no-dense-variants --quiet --check %{two} | FileCheck %s
// CHECK-COUNT-4: check: result {{[0-3]}}: {{agrees|bit-identical}}

#token = affine_map<(b, t, e) -> (b, t)>
#expert = affine_map<(b, t, e) -> (e)>
#gate = affine_map<(b, t, e) -> (b, t, e)>
#all = affine_map<(b, t, e, f) -> (b, t, e, f)>
#gateOf = affine_map<(b, t, e, f) -> (b, t, e)>
#upX = affine_map<(b, t, e, f, k) -> (b, t, k)>
#upW = affine_map<(b, t, e, f, k) -> (e, k, f)>
#upH = affine_map<(b, t, e, f, k) -> (b, t, e, f)>
#downH = affine_map<(b, t, d, e, f) -> (b, t, e, f)>
#downW = affine_map<(b, t, d, e, f) -> (e, f, d)>
#downY = affine_map<(b, t, d, e, f) -> (b, t, d)>
#dhW = affine_map<(b, t, e, f, k) -> (e, f, k)>
#dwL = affine_map<(e, m, n, b, t) -> (b, t, e, m)>
#dwR = affine_map<(e, m, n, b, t) -> (b, t, n)>
#dwO = affine_map<(e, m, n, b, t) -> (e, m, n)>
#duL = affine_map<(e, m, n, b, t) -> (b, t, m)>
#duR = affine_map<(e, m, n, b, t) -> (b, t, e, n)>

// y, and gradients by the gate's value, by wu and by wd, of a gate of the largest of p.
func.func @one(%x: tensor<4x32x64xbf16>, %p: tensor<4x32x8xf32>, %wu: tensor<8x64x128xbf16>, %wd: tensor<8x128x64xbf16>,
    %dy: tensor<4x32x64xbf16>) -> (tensor<4x32x64xbf16>, tensor<4x32xf32>, tensor<8x64x128xf32>, tensor<8x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<4x32xf32>
  %e1 = tensor.empty() : tensor<4x32xi64>
  %s0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %s1 = linalg.fill ins(%first : i64) outs(%e1 : tensor<4x32xi64>) -> tensor<4x32xi64>
  %best:2 = linalg.generic {indexing_maps = [#gate, #token, #token], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p : tensor<4x32x8xf32>) outs(%s0, %s1 : tensor<4x32xf32>, tensor<4x32xi64>) {
  ^bb0(%a: f32, %m: f32, %i: i64):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %larger = arith.cmpf ogt, %a, %m : f32
    %most = arith.maximumf %a, %m : f32
    %place = arith.select %larger, %here, %i : i64
    linalg.yield %most, %place : f32, i64
  } -> (tensor<4x32xf32>, tensor<4x32xi64>)
  %ec = tensor.empty() : tensor<4x32x8xi1>
  %chosen = linalg.generic {indexing_maps = [#token, #gate], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%best#1 : tensor<4x32xi64>) outs(%ec : tensor<4x32x8xi1>) {
  ^bb0(%i: i64, %o: i1):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %i : i64
    linalg.yield %is : i1
  } -> tensor<4x32x8xi1>
  %eh = tensor.empty() : tensor<4x32x8x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%eh : tensor<4x32x8x128xf32>) -> tensor<4x32x8x128xf32>
  %up = linalg.generic {indexing_maps = [#upX, #upW, #upH], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wu : tensor<4x32x64xbf16>, tensor<8x64x128xbf16>) outs(%zeros : tensor<4x32x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8x128xf32>
  %ehh = tensor.empty() : tensor<4x32x8x128xbf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%up : tensor<4x32x8x128xf32>) outs(%ehh : tensor<4x32x8x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zh : bf16
    linalg.yield %m : bf16
  } -> tensor<4x32x8x128xbf16>
  %gated = linalg.generic {indexing_maps = [#all, #gateOf, affine_map<(b, t, e, f) -> (b, t)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h, %chosen, %best#0 : tensor<4x32x8x128xbf16>, tensor<4x32x8xi1>, tensor<4x32xf32>) outs(%ehh : tensor<4x32x8x128xbf16>) {
  ^bb0(%a: bf16, %c: i1, %v: f32, %o: bf16):
    %t = arith.truncf %v : f32 to bf16
    %g = arith.select %c, %t, %zh : bf16
    %m = arith.mulf %a, %g : bf16
    linalg.yield %m : bf16
  } -> tensor<4x32x8x128xbf16>
  %ey = tensor.empty() : tensor<4x32x64xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
  %yw = linalg.generic {indexing_maps = [#downH, #downW, #downY], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%gated, %wd : tensor<4x32x8x128xbf16>, tensor<8x128x64xbf16>) outs(%zy : tensor<4x32x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x64xf32>
  %eyh = tensor.empty() : tensor<4x32x64xbf16>
  %y = linalg.generic {indexing_maps = [#gate, #gate], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%yw : tensor<4x32x64xf32>) outs(%eyh : tensor<4x32x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x32x64xbf16>
  %dh = linalg.generic {indexing_maps = [#upX, #dhW, #upH], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%dy, %wd : tensor<4x32x64xbf16>, tensor<8x128x64xbf16>) outs(%zeros : tensor<4x32x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8x128xf32>
  %du = linalg.generic {indexing_maps = [#all, #all, #gateOf, affine_map<(b, t, e, f) -> (b, t)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%dh, %h, %chosen, %best#0 : tensor<4x32x8x128xf32>, tensor<4x32x8x128xbf16>, tensor<4x32x8xi1>, tensor<4x32xf32>) outs(%ehh : tensor<4x32x8x128xbf16>) {
  ^bb0(%d: f32, %a: bf16, %c: i1, %v: f32, %o: bf16):
    %dt = arith.truncf %d : f32 to bf16
    %t = arith.truncf %v : f32 to bf16
    %g = arith.select %c, %t, %zh : bf16
    %m = arith.mulf %dt, %g : bf16
    %dead = arith.cmpf ole, %a, %zh : bf16
    %n = arith.select %dead, %zh, %m : bf16
    linalg.yield %n : bf16
  } -> tensor<4x32x8x128xbf16>
  %products = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%dh, %h : tensor<4x32x8x128xf32>, tensor<4x32x8x128xbf16>) outs(%eh : tensor<4x32x8x128xf32>) {
  ^bb0(%d: f32, %a: bf16, %o: f32):
    %aw = arith.extf %a : bf16 to f32
    %m = arith.mulf %d, %aw : f32
    linalg.yield %m : f32
  } -> tensor<4x32x8x128xf32>
  %eg = tensor.empty() : tensor<4x32x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<4x32x8xf32>) -> tensor<4x32x8xf32>
  %dgate = linalg.generic {indexing_maps = [#all, #gateOf], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%products : tensor<4x32x8x128xf32>) outs(%zg : tensor<4x32x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8xf32>
  %dlive = linalg.generic {indexing_maps = [#gate, #gate, #gate], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%chosen, %dgate : tensor<4x32x8xi1>, tensor<4x32x8xf32>) outs(%eg : tensor<4x32x8xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x32x8xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %dvalue = linalg.generic {indexing_maps = [#gate, #token], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dlive : tensor<4x32x8xf32>) outs(%zt : tensor<4x32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32xf32>
  %edu = tensor.empty() : tensor<8x64x128xf32>
  %zdu = linalg.fill ins(%zero : f32) outs(%edu : tensor<8x64x128xf32>) -> tensor<8x64x128xf32>
  %dwu = linalg.generic {indexing_maps = [#duL, #duR, #dwO], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %du : tensor<4x32x64xbf16>, tensor<4x32x8x128xbf16>) outs(%zdu : tensor<8x64x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x64x128xf32>
  %edd = tensor.empty() : tensor<8x128x64xf32>
  %zdd = linalg.fill ins(%zero : f32) outs(%edd : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  %dwd = linalg.generic {indexing_maps = [#dwL, #dwR, #dwO], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%gated, %dy : tensor<4x32x8x128xbf16>, tensor<4x32x64xbf16>) outs(%zdd : tensor<8x128x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x128x64xf32>
  return %y, %dvalue, %dwu, %dwd : tensor<4x32x64xbf16>, tensor<4x32xf32>, tensor<8x64x128xf32>, tensor<8x128x64xf32>
}

#choice = affine_map<(b, t, k, e) -> (b, t, k)>
#ofExpert = affine_map<(b, t, k, e) -> (b, t, e)>
#every = affine_map<(b, t, k, e) -> (b, t, k, e)>
#yH = affine_map<(b, t, e, d, f) -> (b, t, e, f)>
#yW = affine_map<(b, t, e, d, f) -> (e, f, d)>
#yE = affine_map<(b, t, e, d, f) -> (b, t, e, d)>
#sumG = affine_map<(b, t, d, e) -> (b, t, e)>
#sumY = affine_map<(b, t, d, e) -> (b, t, e, d)>
#sumO = affine_map<(b, t, d, e) -> (b, t, d)>
#dotD = affine_map<(b, t, e, d) -> (b, t, d)>
#dotY = affine_map<(b, t, e, d) -> (b, t, e, d)>
#dotO = affine_map<(b, t, e, d) -> (b, t, e)>

// y, and gradients by the weights v of two choices, by wu and by wd. The two may be one expert, and a weight zero.
func.func @two(%x: tensor<4x32x64xbf16>, %i: tensor<4x32x2xi64>, %v: tensor<4x32x2xf32>, %wu: tensor<8x64x128xbf16>, %wd: tensor<8x128x64xbf16>,
    %dy: tensor<4x32x64xbf16>) -> (tensor<4x32x64xf32>, tensor<4x32x2xf32>, tensor<8x64x128xf32>, tensor<8x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %ec = tensor.empty() : tensor<4x32x2x8xf32>
  %hot = linalg.generic {indexing_maps = [#choice, #every], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i : tensor<4x32x2xi64>) outs(%ec : tensor<4x32x2x8xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = linalg.index 3 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    %one = arith.uitofp %is : i1 to f32
    linalg.yield %one : f32
  } -> tensor<4x32x2x8xf32>
  %weighted = linalg.generic {indexing_maps = [#every, #choice, #every], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%hot, %v : tensor<4x32x2x8xf32>, tensor<4x32x2xf32>) outs(%ec : tensor<4x32x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x32x2x8xf32>
  %eg = tensor.empty() : tensor<4x32x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<4x32x8xf32>) -> tensor<4x32x8xf32>
  %gate = linalg.generic {indexing_maps = [#every, #ofExpert], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%weighted : tensor<4x32x2x8xf32>) outs(%zg : tensor<4x32x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8xf32>
  %eh = tensor.empty() : tensor<4x32x8x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%eh : tensor<4x32x8x128xf32>) -> tensor<4x32x8x128xf32>
  %up = linalg.generic {indexing_maps = [#upX, #upW, #upH], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wu : tensor<4x32x64xbf16>, tensor<8x64x128xbf16>) outs(%zeros : tensor<4x32x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8x128xf32>
  %ehh = tensor.empty() : tensor<4x32x8x128xbf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%up : tensor<4x32x8x128xf32>) outs(%ehh : tensor<4x32x8x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zh : bf16
    linalg.yield %m : bf16
  } -> tensor<4x32x8x128xbf16>
  %eye = tensor.empty() : tensor<4x32x8x64xf32>
  %zye = linalg.fill ins(%zero : f32) outs(%eye : tensor<4x32x8x64xf32>) -> tensor<4x32x8x64xf32>
  %ye = linalg.generic {indexing_maps = [#yH, #yW, #yE], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %wd : tensor<4x32x8x128xbf16>, tensor<8x128x64xbf16>) outs(%zye : tensor<4x32x8x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8x64xf32>
  %ey = tensor.empty() : tensor<4x32x64xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
  %y = linalg.generic {indexing_maps = [#sumG, #sumY, #sumO], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%gate, %ye : tensor<4x32x8xf32>, tensor<4x32x8x64xf32>) outs(%zy : tensor<4x32x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x64xf32>
  %eyh = tensor.empty() : tensor<4x32x8x64xbf16>
  %dye = linalg.generic {indexing_maps = [#dotO, #dotD, #dotY], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<4x32x8xf32>, tensor<4x32x64xbf16>) outs(%eyh : tensor<4x32x8x64xbf16>) {
  ^bb0(%g: f32, %d: bf16, %o: bf16):
    %dw = arith.extf %d : bf16 to f32
    %m = arith.mulf %g, %dw : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x32x8x64xbf16>
  %dgate = linalg.generic {indexing_maps = [#dotD, #dotY, #dotO], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%dy, %ye : tensor<4x32x64xbf16>, tensor<4x32x8x64xf32>) outs(%zg : tensor<4x32x8xf32>) {
  ^bb0(%l: bf16, %r: f32, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %m = arith.mulf %lw, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8xf32>
  %dhot = linalg.generic {indexing_maps = [#every, #ofExpert, #every], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%hot, %dgate : tensor<4x32x2x8xf32>, tensor<4x32x8xf32>) outs(%ec : tensor<4x32x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x32x2x8xf32>
  %ev = tensor.empty() : tensor<4x32x2xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<4x32x2xf32>) -> tensor<4x32x2xf32>
  %dv = linalg.generic {indexing_maps = [#every, #choice], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%dhot : tensor<4x32x2x8xf32>) outs(%zv : tensor<4x32x2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32x2xf32>
  %dh = linalg.generic {indexing_maps = [affine_map<(b, t, e, f, k) -> (b, t, e, k)>, #dhW, #upH], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%dye, %wd : tensor<4x32x8x64xbf16>, tensor<8x128x64xbf16>) outs(%zeros : tensor<4x32x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x32x8x128xf32>
  %du = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%dh, %h : tensor<4x32x8x128xf32>, tensor<4x32x8x128xbf16>) outs(%ehh : tensor<4x32x8x128xbf16>) {
  ^bb0(%d: f32, %a: bf16, %o: bf16):
    %dt = arith.truncf %d : f32 to bf16
    %dead = arith.cmpf ole, %a, %zh : bf16
    %n = arith.select %dead, %zh, %dt : bf16
    linalg.yield %n : bf16
  } -> tensor<4x32x8x128xbf16>
  %edu = tensor.empty() : tensor<8x64x128xf32>
  %zdu = linalg.fill ins(%zero : f32) outs(%edu : tensor<8x64x128xf32>) -> tensor<8x64x128xf32>
  %dwu = linalg.generic {indexing_maps = [#duL, #duR, #dwO], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %du : tensor<4x32x64xbf16>, tensor<4x32x8x128xbf16>) outs(%zdu : tensor<8x64x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x64x128xf32>
  %edd = tensor.empty() : tensor<8x128x64xf32>
  %zdd = linalg.fill ins(%zero : f32) outs(%edd : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  %dwd = linalg.generic {indexing_maps = [#dwL, affine_map<(e, m, n, b, t) -> (b, t, e, n)>, #dwO], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%h, %dye : tensor<4x32x8x128xbf16>, tensor<4x32x8x64xbf16>) outs(%zdd : tensor<8x128x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x128x64xf32>
  return %y, %dv, %dwu, %dwd : tensor<4x32x64xf32>, tensor<4x32x2xf32>, tensor<8x64x128xf32>, tensor<8x128x64xf32>
}
