// Attention whose masks leave queries without a key, and low numbers in the
// place of -inf: such a query counts all keys, and so those of the padding have
// to be computed. Scores are small: the dense program adds them up in bf16, and
// errors of large ones would hide what is left out otherwise.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --tolerance=0.03 --no-dense-variants --report --quiet --random=normal --random=normal:0.03 --random=normal:0.03 --random=normal:0.1
// RUN: %{run} --random=suffix:10:50 | FileCheck %s
// RUN: %{run} --random=prefix:10:50 | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: GEMM of listed rows

func.func @main(%x: tensor<2x64x64xbf16>, %wq: tensor<64x64xbf16>, %wk: tensor<64x64xbf16>, %wv: tensor<64x64xbf16>, %pad: tensor<2x64xi1>) -> tensor<2x64x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %low = arith.constant 0xFF7F : bf16
  %qe = tensor.empty() : tensor<2x64x64xbf16>
  %qf = linalg.fill ins(%zero : bf16) outs(%qe : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %q = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wq : tensor<2x64x64xbf16>, tensor<64x64xbf16>) outs(%qf : tensor<2x64x64xbf16>) {
  ^bb0(%a : bf16, %b : bf16, %c : bf16):
    %m = arith.mulf %a, %b : bf16
    %y = arith.addf %c, %m : bf16
    linalg.yield %y : bf16
  } -> tensor<2x64x64xbf16>
  %ke = tensor.empty() : tensor<2x64x64xbf16>
  %kf = linalg.fill ins(%zero : bf16) outs(%ke : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %k = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wk : tensor<2x64x64xbf16>, tensor<64x64xbf16>) outs(%kf : tensor<2x64x64xbf16>) {
  ^bb0(%a : bf16, %b : bf16, %c : bf16):
    %m = arith.mulf %a, %b : bf16
    %y = arith.addf %c, %m : bf16
    linalg.yield %y : bf16
  } -> tensor<2x64x64xbf16>
  %ve = tensor.empty() : tensor<2x64x64xbf16>
  %vf = linalg.fill ins(%zero : bf16) outs(%ve : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %v = linalg.generic {indexing_maps = [affine_map<(b,s,n,d)->(b,s,d)>, affine_map<(b,s,n,d)->(d,n)>, affine_map<(b,s,n,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %wv : tensor<2x64x64xbf16>, tensor<64x64xbf16>) outs(%vf : tensor<2x64x64xbf16>) {
  ^bb0(%a : bf16, %b : bf16, %c : bf16):
    %m = arith.mulf %a, %b : bf16
    %y = arith.addf %c, %m : bf16
    linalg.yield %y : bf16
  } -> tensor<2x64x64xbf16>
  %se = tensor.empty() : tensor<2x64x64xbf16>
  %sf = linalg.fill ins(%zero : bf16) outs(%se : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %s = linalg.generic {indexing_maps = [affine_map<(b,i,j,d)->(b,i,d)>, affine_map<(b,i,j,d)->(b,j,d)>, affine_map<(b,i,j,d)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) outs(%sf : tensor<2x64x64xbf16>) {
  ^bb0(%a : bf16, %b : bf16, %c : bf16):
    %m = arith.mulf %a, %b : bf16
    %n = arith.addf %c, %m : bf16
    linalg.yield %n : bf16
  } -> tensor<2x64x64xbf16>
  %xm = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,j)>, affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%pad, %s : tensor<2x64xi1>, tensor<2x64x64xbf16>) outs(%se : tensor<2x64x64xbf16>) {
  ^bb0(%p : i1, %bx : bf16, %by : bf16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %m = arith.andi %c, %p : i1
    %r = arith.select %m, %bx, %low : bf16
    linalg.yield %r : bf16
  } -> tensor<2x64x64xbf16>
  %sm = linalg.softmax dimension(2) ins(%xm : tensor<2x64x64xbf16>) outs(%se : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %fe = tensor.empty() : tensor<2x64x64xbf16>
  %ff = linalg.fill ins(%zero : bf16) outs(%fe : tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %o = linalg.generic {indexing_maps = [affine_map<(b,i,d,j)->(b,i,j)>, affine_map<(b,i,d,j)->(b,j,d)>, affine_map<(b,i,d,j)->(b,i,d)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%sm, %v : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) outs(%ff : tensor<2x64x64xbf16>) {
  ^bb0(%a : bf16, %b : bf16, %c : bf16):
    %m = arith.mulf %a, %b : bf16
    %n = arith.addf %c, %m : bf16
    linalg.yield %n : bf16
  } -> tensor<2x64x64xbf16>
  return %o : tensor<2x64x64xbf16>
}
