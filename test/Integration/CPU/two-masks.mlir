// Two masks over the same scores: where one of them leaves a row without a
// number that the other one leaves, the largest is the low number that the
// program writes, and the softmax counts what both leave out.
// DEFINE: %{run} = pit-run %s --check --no-dense-variants --random=normal@64x3
// RUN: %{run} --entry=chosen --random=bool:0.5 --random=bool:0.7 --random=normal | FileCheck %s
// RUN: %{run} --entry=chosen_inf_then_low --random=bool:0.5 --random=bool:0.5 --random=normal | FileCheck %s
// RUN: %{run} --entry=chosen_low_then_inf --random=bool:0.5 --random=bool:0.7 --random=normal | FileCheck %s
// RUN: %{run} --entry=added --random=bool:0.5 --random=bool:0.5 --random=normal | FileCheck %s
// RUN: %{run} --entry=summed --random=bool:0.5 --random=bool:0.7 --random=normal | FileCheck %s
// RUN: %{run} --entry=both --random=bool:0.5 --random=bool:0.7 --random=normal | FileCheck %s
// CHECK: check: result 0: bit-identical (512 elements)

// Programs of attention of which keys and values are computed. With the padding
// in front, the first queries have no key.
// DEFINE: %{attention} = pit-run %s --check --no-dense-variants --report --random=normal --random=normal:0.1 --random=normal:0.1 --random=normal:0.1
// RUN: %{attention} --entry=all_read --random=suffix:10:50 | FileCheck %s --check-prefix=ATTENTION
// RUN: %{attention} --entry=all_read --random=prefix:10:50 | FileCheck %s --check-prefix=ATTENTION
// RUN: %{attention} --entry=rows_read --random=suffix:10:50 | FileCheck %s --check-prefix=ATTENTION
// ATTENTION: check: result 0: bit-identical (8192 elements)
// The mask is followed in blocks, of which none is dead here.
// ATTENTION: mask, {{demand|annihilated}}

func.func @chosen(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %yc = arith.constant 0xFF7FFFFF : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF7FFFFF : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2, %y : tensor<3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @chosen_inf_then_low(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<64x3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %yc = arith.constant 0xFF800000 : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF7FFFFF : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2, %y : tensor<64x3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @added(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<64x3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %zz = arith.constant dense<0.0> : tensor<64x3xf32>
  %pc = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<64x3xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %zz : tensor<64x3xi1>, tensor<64x3xf32>) outs(%pe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %pc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %qc = arith.constant 0xFF7FFFFF : f32
  %qe = tensor.empty() : tensor<64x3xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2, %zz : tensor<64x3xi1>, tensor<64x3xf32>) outs(%qe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %qc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.add ins(%sc, %p : tensor<64x3xf32>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) -> tensor<64x3xf32>
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.add ins(%y, %q : tensor<64x3xf32>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @summed(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %zz = arith.constant dense<0.0> : tensor<64x3xf32>
  %pc = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<64x3xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %zz : tensor<64x3xi1>, tensor<64x3xf32>) outs(%pe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %pc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %qc = arith.constant 0xFF800000 : f32
  %qe = tensor.empty() : tensor<64x3xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2, %zz : tensor<3xi1>, tensor<64x3xf32>) outs(%qe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %qc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.add ins(%p, %q : tensor<64x3xf32>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) -> tensor<64x3xf32>
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.add ins(%sc, %y : tensor<64x3xf32>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @both(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %me = tensor.empty() : tensor<64x3xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %m2 : tensor<64x3xi1>, tensor<3xi1>) outs(%me : tensor<64x3xi1>) {
  ^bb0(%a : i1, %b : i1, %c : i1):
    %s = arith.andi %a, %b : i1
    linalg.yield %s : i1
  } -> tensor<64x3xi1>
  %xc = arith.constant 0xFF7FFFFF : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @chosen_low_then_inf(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>, %v: tensor<3x8xf32>) -> tensor<64x8xf32> {
  %yc = arith.constant 0xFF7FFFFF : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF800000 : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2, %y : tensor<3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = linalg.matmul ins(%sm, %v : tensor<64x3xf32>, tensor<3x8xf32>) outs(%f2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o : tensor<64x8xf32>
}

func.func @all_read(%x: tensor<2x64x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>, %wv: tensor<64x64xf32>, %pad: tensor<2x64xi1>) -> tensor<2x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF7FFFFF : f32
  %qe = tensor.empty() : tensor<2x64x64xf32>
  %qf = linalg.fill ins(%zero : f32) outs(%qe : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wq : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%qf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %ke = tensor.empty() : tensor<2x64x64xf32>
  %kf = linalg.fill ins(%zero : f32) outs(%ke : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %k = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wk : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%kf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %ve = tensor.empty() : tensor<2x64x64xf32>
  %vf = linalg.fill ins(%zero : f32) outs(%ve : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wv : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%vf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %se = tensor.empty() : tensor<2x64x64xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b,i,j,d)->(b,i,d)>, affine_map<(b,i,j,d)->(b,j,d)>, affine_map<(b,i,j,d)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%sf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x64x64xf32>
  %xm = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,j)>, affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%pad, %s : tensor<2x64xi1>, tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) {
  ^bb0(%p : i1, %bx : f32, %by : f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %m = arith.andi %c, %p : i1
    %r = arith.select %m, %bx, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %sm = linalg.softmax dimension(2) ins(%xm : tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %fe = tensor.empty() : tensor<2x64x64xf32>
  %ff = linalg.fill ins(%zero : f32) outs(%fe : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b,i,d,j)->(b,i,j)>, affine_map<(b,i,d,j)->(b,j,d)>, affine_map<(b,i,d,j)->(b,i,d)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%sm, %v : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%ff : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x64x64xf32>
  return %o : tensor<2x64x64xf32>
}

func.func @rows_read(%x: tensor<2x64x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>, %wv: tensor<64x64xf32>, %pad: tensor<2x64xi1>) -> tensor<2x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF7FFFFF : f32
  %qe = tensor.empty() : tensor<2x64x64xf32>
  %qf = linalg.fill ins(%zero : f32) outs(%qe : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wq : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%qf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %ke = tensor.empty() : tensor<2x64x64xf32>
  %kf = linalg.fill ins(%zero : f32) outs(%ke : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %k = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wk : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%kf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %ve = tensor.empty() : tensor<2x64x64xf32>
  %vf = linalg.fill ins(%zero : f32) outs(%ve : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wv : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%vf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %c, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %se = tensor.empty() : tensor<2x64x64xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b,i,j,d)->(b,i,d)>, affine_map<(b,i,j,d)->(b,j,d)>, affine_map<(b,i,j,d)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%sf : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x64x64xf32>
  %xm = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,j)>, affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%pad, %s : tensor<2x64xi1>, tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) {
  ^bb0(%p : i1, %bx : f32, %by : f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %m = arith.andi %c, %p : i1
    %r = arith.select %m, %bx, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %sm = linalg.softmax dimension(2) ins(%xm : tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %fe = tensor.empty() : tensor<2x64x64xf32>
  %ff = linalg.fill ins(%zero : f32) outs(%fe : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b,i,d,j)->(b,i,j)>, affine_map<(b,i,d,j)->(b,j,d)>, affine_map<(b,i,d,j)->(b,i,d)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%sm, %v : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%ff : tensor<2x64x64xf32>) {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x64x64xf32>
  %oe = tensor.empty() : tensor<2x64x64xf32>
  %om = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,i)>, affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%pad, %o : tensor<2x64xi1>, tensor<2x64x64xf32>) outs(%oe : tensor<2x64x64xf32>) {
  ^bb0(%p : i1, %bx : f32, %by : f32):
    %r = arith.select %p, %bx, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  return %om : tensor<2x64x64xf32>
}
