// --check agrees, --report says what was skipped, and neither needs the other.

// RUN: pit-run %s --random block-sparse:4x1:1 --random normal --check --report | FileCheck %s --check-prefix=DEAD
// DEAD:      check: result 0: bit-identical (128 elements)
// DEAD:      rule{{ +}}location{{ +}}kind{{ +}}PIT-axis{{ +}}micro-tile{{ +}}live/total{{ +}}skipped{{ +}}waste{{ +}}sparse up to{{ +}}ran{{ +}}sparse ms{{ +}}dense ms{{ +}}bound ms
// Nothing is covered, so nothing is wasted; both ways are timed.
// DEAD:      {{ 0/32 +100.0% .* sparse +[0-9]+.[0-9]+ +[0-9]+.[0-9]+ +[0-9]+.[0-9]+$}}
// DEAD:      report: skipped 32 of 32 micro-tiles (100.0%)

// DEAD:      report: {{.*}}report.mlir:[[#]]:{{[0-9]+}} linalg.matmul: loop over listed tiles; vectorised GEMM, VectorBits

// RUN: pit-run %s --random ones --random normal --check --report --bench 1 | FileCheck %s --check-prefix=LIVE
// LIVE:      check: result 0: bit-identical (128 elements)
// LIVE:      check: without dense variants, result 0: bit-identical (128 elements)
// LIVE:      bench: sparse
// LIVE:      {{ 32/32 +0.0% +0.0% +[0-9.]+% +dense +[0-9]+.[0-9]+ +[0-9]+.[0-9]+ +[0-9]+.[0-9]+$}}
// LIVE:      report: skipped 0 of 32 micro-tiles (0.0%)
// LIVE-NEXT: report: pattern 0 was found in
// LIVE-NEXT: report: whole program: sparse {{.*}} ms, dense {{.*}} ms

// RUN: pit-run %s --random ones --random normal --report --no-dense-variants | FileCheck %s --check-prefix=SKIPS
// SKIPS:     {{ 32/32 +0.0% +0.0% +- +sparse +[0-9]}}

// Nothing is looked for where looking takes longer than adding everything up.
// RUN: pit-run %s --entry sums --random ones --report --check | FileCheck %s --check-prefix=SUMS
// SUMS: check: result 0: bit-identical (256 elements)
// SUMS: check: without dense variants, result 0: bit-identical (256 elements)
// SUMS: {{^0 .* - +- +- +never +dense +[0-9.]+ +[0-9.]+ +[0-9.]+$}}

// RUN: pit-run %s --entry dense --random normal --report --tolerance 0 --check | FileCheck %s --check-prefix=DENSE
// DENSE: report: no rule applies, the program is computed densely; docs/Troubleshooting.md has the usual reasons

func.func @main(%a: tensor<8x16xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero",
                                                    granularity = array<i64: 4, 1>}},
                %b: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x16xf32>)
                     outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

func.func @sums(%x: tensor<256x512xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 1, 1>}})
    -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<256x512xf32>) outs(%f : tensor<256xf32>) dimensions = [1]
  return %s : tensor<256xf32>
}

func.func @dense(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
