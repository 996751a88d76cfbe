// Gradients of experts' weights by warps and threads, on chips and for types without such kernels of warpgroups: of listed rows, of packed ones and of both,
// of any number of columns, for experts without a token, of factors that each expert has one of, and over one list. f32 are multiplied by threads, or as tf32.
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: sed 's/f32/f64/g' %t/words.mlir > %t/doubles.mlir
// RUN: sed 's/136/35/g; s/72/69/g; s/264/131/g; s/128/37/g' %S/ragged-k.mlir > %t/halves.mlir
// RUN: sed 's/bf16/f16/g' %S/ragged-k.mlir > %t/f16.mlir
// DEFINE: %{kernels} = pit-opt --remarks-filter=pit-kernels -o /dev/null
// RUN: %{kernels} %t/words.mlir --pit-to-ptx="chip=sm_90a dense-variants=false" 2>&1 | FileCheck %s --check-prefixes=KERNELS,FMA --implicit-check-not="loop over"
// RUN: %{kernels} %t/words.mlir --pit-to-ptx="chip=sm_80 dense-variants=false f32-products=tf32" 2>&1 | FileCheck %s --check-prefixes=KERNELS,TF32 --implicit-check-not="loop over"
// RUN: %{kernels} %t/doubles.mlir --pit-to-ptx="chip=sm_80 dense-variants=false" 2>&1 | FileCheck %s --check-prefixes=KERNELS,MMA --implicit-check-not="loop over"
// RUN: %{kernels} %S/ragged-k.mlir --pit-to-ptx=chip=sm_80 2>&1 | FileCheck %s --check-prefix=SEGMENTS --implicit-check-not="loop over"
// RUN: %{kernels} %t/halves.mlir --pit-to-ptx=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=SEGMENTS --implicit-check-not="loop over"
// KERNELS: Function=listed{{.*}}Family="grouped GEMM of ragged k"
// FMA-SAME: Instructions="fma of threads"
// TF32-SAME: Instructions="mma.sync, tf32"
// MMA-SAME: Instructions=mma.sync
// KERNELS: Function=dynamic{{.*}}EpilogueOps=1, Family="grouped GEMM of ragged k"
// KERNELS: Function=unknown{{.*}}Family="grouped GEMM of ragged k"
// KERNELS: Function=of_segments{{.*}}Family="grouped GEMM of ragged k"
// KERNELS: Function=packed{{.*}}Family="grouped GEMM of ragged k"
// KERNELS: Function=both{{.*}}Family="GEMM over listed k"
// SEGMENTS: Function=listed{{.*}}Family="grouped GEMM of ragged k", Instructions=mma.sync
// SEGMENTS: Function=dynamic{{.*}}Family="grouped GEMM of ragged k", Instructions=mma.sync
// SEGMENTS: Function=packed{{.*}}Family="grouped GEMM of ragged k", Instructions=mma.sync
// SEGMENTS: Function=sums{{.*}}Family="grouped GEMM of ragged k", Instructions=mma.sync

// DEFINE: %{run} = %emulated-cuda pit-run --target=cuda --check --quiet --no-dense-variants
// DEFINE: %{words} = %{run} %t/words.mlir --chip=sm_90a
// DEFINE: %{tf32} = %{run} %t/words.mlir --chip=sm_80 --f32-products=tf32
// DEFINE: %{doubles} = %{run} %t/doubles.mlir --chip=sm_80
// RUN: %{words} --entry=listed --random=normal --random=topk-gate:2 --random=normal | FileCheck %s
// RUN: %{words} --entry=listed --random=normal --random=zeros --random=normal | FileCheck %s
// RUN: %{words} --entry=dynamic --random=normal@170x136 --random=topk-gate:2@170x6 --random=normal@170x72 --random=normal | FileCheck %s
// RUN: %{words} --entry=dynamic --random=normal@1x136 --random=topk-gate:2@1x6 --random=normal@1x72 --random=normal | FileCheck %s
// RUN: %{words} --entry=dynamic --random=normal@0x136 --random=zeros@0x6 --random=normal@0x72 --random=normal | FileCheck %s
// RUN: %{words} --entry=unknown --random=normal@170x33 --random=topk-gate:2@170x6 --random=normal@170x6x45 | FileCheck %s
// RUN: %{words} --entry=unknown --random=normal@170x36 --random=topk-gate:2@170x6 --random=normal@170x6x44 | FileCheck %s
// RUN: %{words} --entry=of_segments --random=topk-gate:2 --random=normal --random=normal | FileCheck %s
// RUN: %{words} --entry=packed --random=normal --random=topk-gate:2 --random=normal --random=normal | FileCheck %s
// RUN: %{words} --entry=both --random=normal --random=bool:0.5 --random=normal | FileCheck %s
// RUN: %{words} --entry=both --random=normal --random=bool:0.0 --random=normal | FileCheck %s
// RUN: %{words} --entry=both --random=normal --random=bool:1.0 --random=normal | FileCheck %s
// RUN: %{run} %t/bytes.mlir --chip=sm_80 --random=randint:-9:9 --random=bool:0.5 --random=randint:-9:9 | FileCheck %s
// What tf32 holds is multiplied exactly.
// RUN: %{tf32} --entry=listed --random=randint:-9:9 --random=topk-gate:1 --random=randint:-9:9 | FileCheck %s
// RUN: %{tf32} --entry=packed --random=randint:-3:3 --random=topk-gate:1 --random=randint:-3:3 --random=randint:-3:3 | FileCheck %s
// RUN: %{tf32} --entry=both --random=randint:-9:9 --random=bool:0.5 --random=randint:-9:9 | FileCheck %s
// RUN: %{doubles} --entry=listed --random=normal --random=topk-gate:2 --random=normal | FileCheck %s
// RUN: %{doubles} --entry=packed --random=normal --random=topk-gate:2 --random=normal --random=normal | FileCheck %s
// RUN: %{doubles} --entry=both --random=normal --random=bool:0.5 --random=normal | FileCheck %s
// RUN: %{run} %S/ragged-k.mlir --chip=sm_80 --entry=listed --random=normal --random=topk-gate:2 --random=normal | FileCheck %s
// RUN: %{run} %S/ragged-k.mlir --chip=sm_80 --entry=packed --random=normal --random=topk-gate:1 --random=normal --random=normal | FileCheck %s
// RUN: %{run} %S/packed-k.mlir --chip=sm_80 --entry=listed_a --random=normal --random=bool:0.5 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} %t/f16.mlir --chip=sm_80 --entry=dynamic --random=normal@170x136 --random=topk-gate:2@170x6 --random=normal@170x72 | FileCheck %s
// RUN: %{run} %t/f16.mlir --chip=sm_80 --entry=sums --random=normal --random=topk-gate:1@190x3 --random=normal | FileCheck %s
// RUN: %{run} %t/halves.mlir --chip=sm_90a --entry=listed --random=normal --random=topk-gate:2 --random=normal | FileCheck %s
// RUN: %{run} %t/halves.mlir --chip=sm_80 --entry=packed --random=normal --random=topk-gate:2 --random=normal --random=normal | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

//--- bytes.mlir
// Integers, of odd numbers of columns, over one list.
func.func @both(%x: tensor<333x47xi8>, %mask: tensor<333xi1>, %dy: tensor<333x77xi8>) -> tensor<47x77xi32> {
  %zero = arith.constant 0 : i32
  %s = pit.sparse %x by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x47xi8>
  %e = tensor.empty() : tensor<47x77xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<47x77xi32>) -> tensor<47x77xi32>
  %dw = linalg.generic {indexing_maps = [affine_map<(m, n, t) -> (t, m)>, affine_map<(m, n, t) -> (t, n)>, affine_map<(m, n, t) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %dy : tensor<333x47xi8>, tensor<333x77xi8>) outs(%z : tensor<47x77xi32>) {
  ^bb0(%l: i8, %r: i8, %acc: i32):
    %le = arith.extsi %l : i8 to i32
    %re = arith.extsi %r : i8 to i32
    %p = arith.muli %le, %re : i32
    %t = arith.addi %acc, %p : i32
    linalg.yield %t : i32
  } -> tensor<47x77xi32>
  return %dw : tensor<47x77xi32>
}

//--- words.mlir
#tef = affine_map<(t, e, f) -> (t, e, f)>
#te = affine_map<(t, e, f) -> (t, e)>
#tf = affine_map<(t, e, f) -> (t, f)>
#xt = affine_map<(e, d, f, t) -> (t, d)>
#gt = affine_map<(e, d, f, t) -> (t, e, f)>
#w = affine_map<(e, d, f, t) -> (e, d, f)>
#hx = affine_map<(t, e, f, d) -> (t, d)>
#hw = affine_map<(t, e, f, d) -> (e, d, f)>
#ht = affine_map<(t, e, f, d) -> (t, e, f)>

// dW[e, d, f] = sum over t of x[t, d] * gate[t, e] * dy[t, f]: the second factor is packed.
func.func @listed(%x: tensor<170x33xf32>,
                  %gate: tensor<170x6xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                  %dy: tensor<170x45xf32>) -> tensor<6x33x45xf32> {
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<170x6x45xf32>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<170x6xf32>, tensor<170x45xf32>) outs(%ge : tensor<170x6x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<170x6x45xf32>
  %e = tensor.empty() : tensor<6x33x45xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x33x45xf32>) -> tensor<6x33x45xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<170x33xf32>, tensor<170x6x45xf32>) outs(%z : tensor<6x33x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x33x45xf32>
  return %s : tensor<6x33x45xf32>
}

// The number of tokens is not known, and the sums go through a function.
func.func @dynamic(%x: tensor<?x136xf32>,
                   %gate: tensor<?x6xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                   %dy: tensor<?x72xf32>, %old: tensor<6x136x72xf32>) -> tensor<6x136x72xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x136xf32>
  %ge = tensor.empty(%n) : tensor<?x6x72xf32>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<?x6xf32>, tensor<?x72xf32>) outs(%ge : tensor<?x6x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x6x72xf32>
  %e = tensor.empty() : tensor<6x136x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x136x72xf32>) -> tensor<6x136x72xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<?x136xf32>, tensor<?x6x72xf32>) outs(%z : tensor<6x136x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x136x72xf32>
  %r = linalg.generic {indexing_maps = [#tef, #tef, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %old : tensor<6x136x72xf32>, tensor<6x136x72xf32>) outs(%e : tensor<6x136x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %b, %a : f32
    linalg.yield %t : f32
  } -> tensor<6x136x72xf32>
  return %r : tensor<6x136x72xf32>
}

// Nor are the numbers of columns; the second factor has an axis of experts.
func.func @unknown(%x: tensor<?x?xf32>, %gate: tensor<?x6xf32>, %y: tensor<?x6x?xf32>) -> tensor<6x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %f = tensor.dim %y, %c2 : tensor<?x6x?xf32>
  %g = pit.sparse %y by(%gate : tensor<?x6xf32>) <kind = routing, axes = [0, 1], at_most = 2> : tensor<?x6x?xf32>
  %e = tensor.empty(%d, %f) : tensor<6x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<?x?xf32>, tensor<?x6x?xf32>) outs(%z : tensor<6x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x?x?xf32>
  return %s : tensor<6x?x?xf32>
}

// Both factors have an axis of experts, the first in front of the tokens.
func.func @of_segments(%gate: tensor<170x6xf32>, %x: tensor<6x170x34xf32>, %y: tensor<170x6x45xf32>) -> tensor<6x34x45xf32> {
  %zero = arith.constant 0.0 : f32
  %g = pit.sparse %y by(%gate : tensor<170x6xf32>) <kind = routing, axes = [0, 1], at_most = 2> : tensor<170x6x45xf32>
  %e = tensor.empty() : tensor<6x34x45xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x34x45xf32>) -> tensor<6x34x45xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(e, d, f, t) -> (e, t, d)>, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<6x170x34xf32>, tensor<170x6x45xf32>) outs(%z : tensor<6x34x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x34x45xf32>
  return %s : tensor<6x34x45xf32>
}

// Both factors are packed: the hidden activations, and what comes back.
func.func @packed(%x: tensor<200x20xf32>,
                  %gate: tensor<200x4xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                  %w1: tensor<4x20x37xf32>, %dy: tensor<200x132xf32>) -> tensor<4x37x132xf32> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<200x4x37xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<200x4x37xf32>) -> tensor<200x4x37xf32>
  %h = linalg.generic {indexing_maps = [#hx, #hw, #ht], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<200x20xf32>, tensor<4x20x37xf32>) outs(%hz : tensor<200x4x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<200x4x37xf32>
  %a = linalg.generic {indexing_maps = [#tef, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<200x4x37xf32>) outs(%he : tensor<200x4x37xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.maximumf %v, %zero : f32
    linalg.yield %t : f32
  } -> tensor<200x4x37xf32>
  %ge = tensor.empty() : tensor<200x4x132xf32>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<200x4xf32>, tensor<200x132xf32>) outs(%ge : tensor<200x4x132xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %p = arith.mulf %v, %b : f32
    linalg.yield %p : f32
  } -> tensor<200x4x132xf32>
  %e = tensor.empty() : tensor<4x37x132xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x37x132xf32>) -> tensor<4x37x132xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(e, d, f, t) -> (t, e, d)>, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %g : tensor<200x4x37xf32>, tensor<200x4x132xf32>) outs(%z : tensor<4x37x132xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %p = arith.mulf %v, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x37x132xf32>
  return %s : tensor<4x37x132xf32>
}

// One list, which names rows of both factors.
func.func @both(%x: tensor<333x35xf32>, %mask: tensor<333xi1>, %dy: tensor<333x70xf32>) -> tensor<35x70xf32> {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x35xf32>
  %e = tensor.empty() : tensor<35x70xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<35x70xf32>) -> tensor<35x70xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(m, n, t) -> (t, m)>, affine_map<(m, n, t) -> (t, n)>, affine_map<(m, n, t) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %dy : tensor<333x35xf32>, tensor<333x70xf32>) outs(%z : tensor<35x70xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<35x70xf32>
  return %dw : tensor<35x70xf32>
}
