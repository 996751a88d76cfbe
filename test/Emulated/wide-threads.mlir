// f32 products by threads in the widest tiles, which transpose operands along k while they are copied: each layout, and
// tails of rows, columns and k, on the emulated device against the CPU.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --check --quiet
// RUN: %{run} --entry=nn | FileCheck %s
// RUN: %{run} --entry=nt | FileCheck %s
// RUN: %{run} --entry=tn | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --pit-explain=%t.txt -o /dev/null && FileCheck %s --check-prefix=KERNELS --input-file=%t.txt
// CHECK: check: result 0: {{agrees|bit-identical}}
// KERNELS-COUNT-3: Tile 128x256x16

#mn = affine_map<(m, n, k) -> (m, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>

func.func @nn(%a: tensor<1929x21xf32>, %b: tensor<21x2045xf32>) -> tensor<1929x2045xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1929x2045xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1929x2045xf32>) -> tensor<1929x2045xf32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1929x21xf32>, tensor<21x2045xf32>) outs(%z : tensor<1929x2045xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1929x2045xf32>
  return %r : tensor<1929x2045xf32>
}

func.func @nt(%a: tensor<1929x21xf32>, %b: tensor<2045x21xf32>) -> tensor<1929x2045xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1929x2045xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1929x2045xf32>) -> tensor<1929x2045xf32>
  %r = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1929x21xf32>, tensor<2045x21xf32>) outs(%z : tensor<1929x2045xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1929x2045xf32>
  return %r : tensor<1929x2045xf32>
}

func.func @tn(%a: tensor<21x1929xf32>, %b: tensor<21x2045xf32>) -> tensor<1929x2045xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1929x2045xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1929x2045xf32>) -> tensor<1929x2045xf32>
  %r = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<21x1929xf32>, tensor<21x2045xf32>) outs(%z : tensor<1929x2045xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1929x2045xf32>
  return %r : tensor<1929x2045xf32>
}
