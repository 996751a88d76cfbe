// --pit-explain says of each op, in the program's order, what it computes and what passes said of it.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain=%t.txt -o /dev/null && FileCheck %s --input-file=%t.txt

// CHECK:      explain.mlir:[[#FIRST:]]:8 linalg.fill in @main
// CHECK:        + fusion    sums start there in the kernel of the product at {{.*}}explain.mlir:[[#FIRST+1]]:8
// CHECK:      explain.mlir:[[#FIRST+1]]:8 linalg.matmul in @main
// CHECK-NEXT:   . work      268.4 Mflop of bf16, 2.9 MB; bound 0.601 us by memory of card h200
// CHECK-NEXT:   . axes      Parallel d0 d1, Reduction d2
// CHECK-NEXT:   + kernels   dense GEMM, Instructions wgmma, EpilogueOps 1, Tile {{[0-9x]+}}, Stages {{[0-9]+}}, SharedBytes
// CHECK:      explain.mlir:[[#FIRST+3]]:8 linalg.generic in @main
// CHECK-NOT:    . work
// CHECK:        + fusion    in the epilogue of the product at {{.*}}explain.mlir:[[#FIRST+1]]:8
// CHECK:      pit.sparse in @main
// CHECK-NEXT:   - selection the mark's micro-tile stays
// CHECK-NEXT:               because no kernel takes other micro-tiles for all of its products
// CHECK-NEXT:   + rules     marks pattern 0, Kind values, Absent zero, MicroTile 32x1
// CHECK-NEXT:   + kernels   detection into lists
// CHECK:      linalg.fill in @main
// CHECK:        + kernels   one thread for each element
// CHECK:      linalg.matmul in @main
// CHECK:        + rules     visits only what is live of pattern 0 (values at {{.*}}), Axes d0 d2
// CHECK-NEXT:               because dead points change nothing
// CHECK-NEXT:   - kernels   not a wgmma kernel; tried next: mma.sync
// CHECK-NEXT:               because SpMM of live blocks: B has rows that are 100 elements of bf16 apart; the copy engine needs a multiple of 8
// CHECK-NEXT:   + kernels   loop over listed tiles
// CHECK:      7 ops, 0 unexplained

// RUN: pit-opt %s --pit-to-cpu --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// Of a machine that only the run knows, there is no bound.
// CPU:   . work      268.4 Mflop of bf16, 2.9 MB{{$}}
// CPU: 7 ops, 0 unexplained

// A card, and how f32 are multiplied, count.
// RUN: pit-opt %S/Inputs/work.mlir --pit-to-ptx="chip=sm_90a card=h100" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=FMA
// RUN: pit-opt %S/Inputs/work.mlir --pit-to-ptx="chip=sm_90a card=h100 f32-products=tf32" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=TF32
// FMA: . work      137.4 Gflop of f32, 201.3 MB; bound 2054.394 us by products of card h100
// TF32: . work      137.4 Gflop of f32, 201.3 MB; bound 277.823 us by products of card h100
// An extent that is not known is named, and there is no bound; of windows, rows are none of the axes.
// FMA: linalg.batch_matmul in @open
// FMA-NEXT: . work      524.3 kflop d0 d1 of f32, 1.0 MB d0 + 4.1 kB d0 d1{{$}}
// FMA: linalg.conv_1d in @windows
// FMA-NEXT: . work      6 flop d0 of f32, unknown bytes{{$}}

// Programs of a file that is split are explained one by one.
// RUN: pit-opt %S/../../Conversion/LinalgToHopper/unsupported.mlir -convert-contractions-to-hopper -split-input-file --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: linalg.matmul in @accumulates
// SPLIT: its sums do not start from zeros
// SPLIT: = stays     for passes that come later
// SPLIT: 1 ops, 0 unexplained
// SPLIT: linalg.matmul in @types
// SPLIT: ops, 0 unexplained

// Nowhere to write it, and two who want the remarks.
// RUN: not pit-opt %s --pit-explain=%t.none/file -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open output file '{{.*}}.none/file'
// RUN: not pit-opt %s --pit-explain --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: '--pit-explain' takes all remarks; give no '--remarks-filter' beside it
// RUN: not pit-opt %t.absent --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: cannot open input file

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<512x256xbf16>, %b: tensor<256x1024xbf16>, %w: tensor<1024x100xbf16>) -> tensor<512x100xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %p = linalg.matmul ins(%a, %b : tensor<512x256xbf16>, tensor<256x1024xbf16>) outs(%z : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %h = tensor.empty() : tensor<512x1024xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<512x1024xf32>) outs(%h : tensor<512x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %m = arith.maximumf %x, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x1024xbf16>
  %s = pit.sparse %r <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<512x1024xbf16>
  %f = tensor.empty() : tensor<512x100xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<512x100xf32>) -> tensor<512x100xf32>
  %q = linalg.matmul ins(%s, %w : tensor<512x1024xbf16>, tensor<1024x100xbf16>) outs(%y : tensor<512x100xf32>) -> tensor<512x100xf32>
  %g = tensor.empty() : tensor<512x100xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<512x100xf32>) outs(%g : tensor<512x100xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x100xbf16>
  return %u : tensor<512x100xbf16>
}
