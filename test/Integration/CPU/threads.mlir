// Several threads compute parts of ops, and results have the same bits as with one: products of batches, softmax of rows,
// sums of columns and of rows, transpositions, windows, convolutions, running sums.
// DEFINE: %{run} = env PIT_THREAD_WORK=1 pit-run %s --random=normal@3x77x41 --random=normal@3x41x130 --random=normal@2x37x19x5
// RUN: rm -rf %t && mkdir %t
// RUN: %{run} --threads=1 --output %t/one
// RUN: %{run} --threads=5 --output %t/five | FileCheck %s
// RUN: env PIT_NUM_THREADS=3 %{run} --check --output %t/three | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: %python %S/Inputs/same-files.py %t one five three
// CHECK: result 0: 3x77x130xf32
// SAME: check: result 0: bit-identical
// SAME: check: result 7: bit-identical

// Each is a function of the part that a thread computes.
// RUN: pit-opt %s --pit-to-cpu | FileCheck %s --check-prefix=CODE
// CODE-COUNT-9: llvm.func @main{{.*}}_range
// RUN: pit-opt %s --pit-to-cpu=thread-work=-1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: pit_rt_parallel
// NONE: llvm.func @main
// NONE-NOT: pit_rt_parallel

// A wrong number is found by some thread, and is the call's error.
// DEFINE: %{pick} = env PIT_THREAD_WORK=1 pit-run %s --entry pick --random=normal@9x100 --threads=5
// RUN: %{pick} --random=randint:0:9@300x100 --check | FileCheck %s --check-prefix=FITS
// FITS: check: result 0: bit-identical
// RUN: not %{pick} --random=randint:8:12@300x100 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: index out of range: reads index {{9|10|11}} of dimension 0, which is 9
// RUN: not pit-run %s --threads=0 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: --threads wants 1 to 1024

func.func @main(%a: tensor<3x?x?xf32>, %b: tensor<3x?x?xf32>, %image: tensor<2x?x?x?xf32>)
    -> (tensor<3x?x?xf32>, tensor<3x?xf32>, tensor<?xf32>, tensor<?x3x?xf32>, tensor<2x?x?x?xf32>, tensor<2x?x?x7xf32>, tensor<3x?x?xf32>, tensor<3x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %weight = arith.constant 0.25 : f32
  %m = tensor.dim %a, %c1 : tensor<3x?x?xf32>
  %n = tensor.dim %b, %c2 : tensor<3x?x?xf32>

  %e = tensor.empty(%m, %n) : tensor<3x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %products = linalg.batch_matmul ins(%a, %b : tensor<3x?x?xf32>, tensor<3x?x?xf32>) outs(%f : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%products : tensor<3x?x?xf32>) outs(%e : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>

  %re = tensor.empty(%m) : tensor<3x?xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<3x?xf32>) -> tensor<3x?xf32>
  %rows = linalg.reduce ins(%products : tensor<3x?x?xf32>) outs(%rf : tensor<3x?xf32>) dimensions = [2]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }
  %ce = tensor.empty(%n) : tensor<?xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<?xf32>) -> tensor<?xf32>
  %columns = linalg.reduce ins(%products : tensor<3x?x?xf32>) outs(%cf : tensor<?xf32>) dimensions = [0, 1]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }

  %te = tensor.empty(%n, %m) : tensor<?x3x?xf32>
  %transposed = linalg.transpose ins(%products : tensor<3x?x?xf32>) outs(%te : tensor<?x3x?xf32>) permutation = [2, 0, 1]

  %h = tensor.dim %image, %c1 : tensor<2x?x?x?xf32>
  %w = tensor.dim %image, %c2 : tensor<2x?x?x?xf32>
  %channels = tensor.dim %image, %c3 : tensor<2x?x?x?xf32>
  %h2 = arith.subi %h, %c2 : index
  %w2 = arith.subi %w, %c2 : index
  %window = tensor.empty() : tensor<3x3xf32>
  %pe = tensor.empty(%h2, %w2, %channels) : tensor<2x?x?x?xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32>
  %pooled = linalg.pooling_nhwc_sum ins(%image, %window : tensor<2x?x?x?xf32>, tensor<3x3xf32>) outs(%pf : tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32>
  %ke = tensor.empty(%channels) : tensor<3x3x?x7xf32>
  %kernel = linalg.fill ins(%weight : f32) outs(%ke : tensor<3x3x?x7xf32>) -> tensor<3x3x?x7xf32>
  %ve = tensor.empty(%h2, %w2) : tensor<2x?x?x7xf32>
  %vf = linalg.fill ins(%zero : f32) outs(%ve : tensor<2x?x?x7xf32>) -> tensor<2x?x?x7xf32>
  %convolved = linalg.conv_2d_nhwc_hwcf ins(%image, %kernel : tensor<2x?x?x?xf32>, tensor<3x3x?x7xf32>) outs(%vf : tensor<2x?x?x7xf32>) -> tensor<2x?x?x7xf32>

  %running = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%products : tensor<3x?x?xf32>) outs(%f : tensor<3x?x?xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 3 : index
    %before = arith.cmpi ule, %k, %i : index
    %counted = arith.select %before, %in, %zero : f32
    %s = arith.addf %sum, %counted : f32
    linalg.yield %s : f32
  } -> tensor<3x?x?xf32>
  return %products, %rows, %columns, %transposed, %pooled, %convolved, %running, %weights
    : tensor<3x?x?xf32>, tensor<3x?xf32>, tensor<?xf32>, tensor<?x3x?xf32>, tensor<2x?x?x?xf32>, tensor<2x?x?x7xf32>, tensor<3x?x?xf32>, tensor<3x?x?xf32>
}

func.func @pick(%x: tensor<?x?xf32>, %which: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %which, %c0 : tensor<?x?xi64>
  %m = tensor.dim %which, %c1 : tensor<?x?xi64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%which : tensor<?x?xi64>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%number: i64, %out: f32):
    %j = linalg.index 1 : index
    %row = arith.index_cast %number : i64 to index
    %found = tensor.extract %x[%row, %j] : tensor<?x?xf32>
    linalg.yield %found : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
