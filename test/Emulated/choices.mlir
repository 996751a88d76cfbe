// Products with choices by number: lookups, and sums of rows by lists. Numbers may be outside of the rows, and a token may have the
// same place twice. No kernel of matrix units, and no tensor of tokens times rows.
// DEFINE: %{run} = %emulated-cuda pit-run %s --target cuda --random randint:-3:320 --random normal --check --quiet
// RUN: %{run} --entry lookup --chip sm_90a | FileCheck %s --check-prefix=SAME
// RUN: %{run} --entry lookup --chip sm_80 | FileCheck %s --check-prefix=SAME
// RUN: %{run} --entry gradient --chip sm_90a | FileCheck %s --check-prefix=SAME
// RUN: %{run} --entry gradient --chip sm_80 | FileCheck %s --check-prefix=SAME
// SAME: check: result 0: bit-identical
// RUN: %emulated-cuda pit-run %s --entry dynamic --target cuda --chip sm_90a --random randint:-3:320@37 --random normal@37x24 --random zeros@300x24 --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry dynamic --target cuda --chip sm_90a --random randint:-3:320@0 --random normal@0x24 --random zeros@300x24 --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry capacity --target cuda --chip sm_90a --random randint:-1:5 --random randint:-2:14 --random randint:-1:5 --random randint:-2:14 --random normal --random normal --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry capacity --target cuda --chip sm_90a --random const:2 --random const:3 --random const:2 --random const:3 --random normal --random normal --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: pit-run %s --entry capacity --random randint:-1:5 --random randint:-2:14 --random randint:-1:5 --random randint:-2:14 --random normal --random normal --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: pit-run %s --entry capacity --random const:2 --random const:3 --random const:2 --random const:3 --random normal --random normal --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry read --target cuda --chip sm_90a --random randint:-3:60@37 --random normal@50x24 --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry read --target cuda --chip sm_90a --random randint:-3:60@37 --random normal@0x24 --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: pit-run %s --entry read --random randint:-3:60@37 --random normal@0x24 --check --quiet | FileCheck %s --check-prefix=AGREES
// RUN: %emulated-cuda pit-run %s --entry tallies --target cuda --chip sm_90a --random randint:-3:99 --random normal --check --quiet | FileCheck %s --check-prefix=AGREES
// AGREES: check: result 0: {{bit-identical|agrees}}

// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s --check-prefix=PTX
// PTX-NOT: memref<{{.*}}300x96x
// PTX-NOT: memref<{{.*}}96x300x
// PTX-NOT: memref<{{.*}}40x4x12x
// PTX: gpu.binary

#n = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// An embedding as a product with a one-hot tensor of 16 bits.
func.func @lookup(%ids: tensor<96xi64>, %table: tensor<300x64xbf16>) -> tensor<96x64xbf16> {
  %z = arith.constant 0.0 : f32
  %hot = func.call @one_hot(%ids) : (tensor<96xi64>) -> tensor<96x300xbf16>
  %e = tensor.empty() : tensor<96x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %p = linalg.matmul ins(%hot, %table : tensor<96x300xbf16>, tensor<300x64xbf16>) outs(%f : tensor<96x64xf32>) -> tensor<96x64xf32>
  %be = tensor.empty() : tensor<96x64xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<96x64xf32>) outs(%be : tensor<96x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<96x64xbf16>
  return %r : tensor<96x64xbf16>
}
func.func private @one_hot(%ids: tensor<96xi64>) -> tensor<96x300xbf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %e = tensor.empty() : tensor<96x300xbf16>
  %hot = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<96xi64>) outs(%e : tensor<96x300xbf16>) {
  ^bb0(%a: i64, %o: bf16):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpi eq, %a, %j : i64
    %s = arith.select %c, %one, %zero : bf16
    linalg.yield %s : bf16
  } -> tensor<96x300xbf16>
  return %hot : tensor<96x300xbf16>
}

// Its gradient, of a table with many rows.
func.func @gradient(%ids: tensor<96xi64>, %dy: tensor<96x64xbf16>) -> tensor<8192x64xbf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8192x64xf32>) -> tensor<8192x64xf32>
  %p = linalg.generic {
    indexing_maps = [affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (v, d)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%ids, %dy : tensor<96xi64>, tensor<96x64xbf16>) outs(%f : tensor<8192x64xf32>) {
  ^bb0(%id: i64, %x: bf16, %acc: f32):
    %v = linalg.index 0 : index
    %i = arith.index_cast %v : index to i64
    %c = arith.cmpi eq, %id, %i : i64
    %w = arith.extf %x : bf16 to f32
    %s = arith.select %c, %w, %z : f32
    %a = arith.addf %acc, %s : f32
    linalg.yield %a : f32
  } -> tensor<8192x64xf32>
  %be = tensor.empty() : tensor<8192x64xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<8192x64xf32>) outs(%be : tensor<8192x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8192x64xbf16>
  return %r : tensor<8192x64xbf16>
}

// Any number of tokens and rows, an odd number of columns, added to what is there.
func.func @dynamic(%ids: tensor<?xi32>, %dy: tensor<?x24xf32>, %init: tensor<?x24xf32>) -> tensor<?x24xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {
    indexing_maps = [affine_map<(v, t, d) -> (t)>, affine_map<(v, t, d) -> (t, d)>, affine_map<(v, t, d) -> (v, d)>],
    iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%ids, %dy : tensor<?xi32>, tensor<?x24xf32>) outs(%init : tensor<?x24xf32>) {
  ^bb0(%id: i32, %x: f32, %acc: f32):
    %v = linalg.index 0 : index
    %i = arith.index_cast %v : index to i32
    %c = arith.cmpi eq, %id, %i : i32
    %s = arith.select %c, %x, %zero : f32
    %a = arith.addf %acc, %s : f32
    linalg.yield %a : f32
  } -> tensor<?x24xf32>
  return %r : tensor<?x24xf32>
}

// How many tokens go to each row, in all columns: nothing that is added is read.
func.func @tallies(%ids: tensor<40xi64>, %init: tensor<9000x64xf32>) -> tensor<9000x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (v, d)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%ids : tensor<40xi64>) outs(%init : tensor<9000x64xf32>) {
  ^bb0(%i: i64, %o: f32):
    %v = linalg.index 0 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %t = arith.select %is, %one, %zero : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<9000x64xf32>
  return %y : tensor<9000x64xf32>
}

// Rows of a table that may have none.
func.func @read(%ids: tensor<?xi64>, %table: tensor<?x24xf32>) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(t, d, v) -> (t)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%ids, %table : tensor<?xi64>, tensor<?x24xf32>) outs(%f : tensor<?x24xf32>) {
  ^bb0(%id: i64, %x: f32, %acc: f32):
    %v = linalg.index 2 : index
    %i = arith.index_cast %v : index to i64
    %c = arith.cmpi eq, %id, %i : i64
    %is = arith.uitofp %c : i1 to f32
    %s = arith.mulf %is, %x : f32
    %a = arith.addf %acc, %s : f32
    linalg.yield %a : f32
  } -> tensor<?x24xf32>
  return %r : tensor<?x24xf32>
}

// Two places of each token among 4 experts with 12 slots: dispatch, what the experts compute, and combine, all written with a tensor of
// tokens x experts x slots.
#se = affine_map<(s, e, c) -> (s)>
#sec = affine_map<(s, e, c) -> (s, e, c)>
func.func @capacity(%e1: tensor<40xi64>, %c1: tensor<40xi64>, %e2: tensor<40xi64>, %c2: tensor<40xi64>, %gates: tensor<40x2xf32>,
                    %x: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %z = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x4x12xf32>
  %combine = linalg.generic {
    indexing_maps = [#se, #se, #se, #se, affine_map<(s, e, c) -> (s, 0)>, affine_map<(s, e, c) -> (s, 1)>, #sec],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e1, %c1, %e2, %c2, %gates, %gates : tensor<40xi64>, tensor<40xi64>, tensor<40xi64>, tensor<40xi64>, tensor<40x2xf32>, tensor<40x2xf32>)
    outs(%empty : tensor<40x4x12xf32>) {
  ^bb0(%ea: i64, %ca: i64, %eb: i64, %cb: i64, %ga: f32, %gb: f32, %o: f32):
    %e = linalg.index 1 : index
    %c = linalg.index 2 : index
    %ei = arith.index_cast %e : index to i64
    %ci = arith.index_cast %c : index to i64
    %isEA = arith.cmpi eq, %ea, %ei : i64
    %isCA = arith.cmpi eq, %ca, %ci : i64
    %isEB = arith.cmpi eq, %eb, %ei : i64
    %isCB = arith.cmpi eq, %cb, %ci : i64
    %fea = arith.uitofp %isEA : i1 to f32
    %fca = arith.uitofp %isCA : i1 to f32
    %feb = arith.uitofp %isEB : i1 to f32
    %fcb = arith.uitofp %isCB : i1 to f32
    %a0 = arith.mulf %ga, %fea : f32
    %a1 = arith.mulf %a0, %fca : f32
    %b0 = arith.mulf %gb, %feb : f32
    %b1 = arith.mulf %b0, %fcb : f32
    %sum = arith.addf %a1, %b1 : f32
    linalg.yield %sum : f32
  } -> tensor<40x4x12xf32>
  %dispatch = linalg.generic {indexing_maps = [#sec, #sec], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%combine : tensor<40x4x12xf32>) outs(%empty : tensor<40x4x12xf32>) {
  ^bb0(%w: f32, %o: f32):
    %is = arith.cmpf une, %w, %z : f32
    %f = arith.uitofp %is : i1 to f32
    linalg.yield %f : f32
  } -> tensor<40x4x12xf32>
  %de = tensor.empty() : tensor<4x12x16xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %slots = linalg.generic {
    indexing_maps = [affine_map<(e, c, m, s) -> (s, e, c)>, affine_map<(e, c, m, s) -> (s, m)>, affine_map<(e, c, m, s) -> (e, c, m)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%dispatch, %x : tensor<40x4x12xf32>, tensor<40x16xf32>) outs(%df : tensor<4x12x16xf32>) {
  ^bb0(%d: f32, %v: f32, %acc: f32):
    %p = arith.mulf %d, %v : f32
    %a = arith.addf %acc, %p : f32
    linalg.yield %a : f32
  } -> tensor<4x12x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(e, c, m) -> (e, c, m)>, affine_map<(e, c, m) -> (e, c, m)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%slots : tensor<4x12x16xf32>) outs(%de : tensor<4x12x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = math.tanh %v : f32
    linalg.yield %t : f32
  } -> tensor<4x12x16xf32>
  %oe = tensor.empty() : tensor<40x16xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<40x16xf32>) -> tensor<40x16xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(s, m, e, c) -> (s, e, c)>, affine_map<(s, m, e, c) -> (e, c, m)>, affine_map<(s, m, e, c) -> (s, m)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%combine, %y : tensor<40x4x12xf32>, tensor<4x12x16xf32>) outs(%of : tensor<40x16xf32>) {
  ^bb0(%w: f32, %v: f32, %acc: f32):
    %p = arith.mulf %w, %v : f32
    %a = arith.addf %acc, %p : f32
    linalg.yield %a : f32
  } -> tensor<40x16xf32>
  return %r : tensor<40x16xf32>
}
