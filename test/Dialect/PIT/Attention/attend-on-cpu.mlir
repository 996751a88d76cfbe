// The op by hand, with all that its region may read, on the CPU: what numpy gives, also for rows without a live key.
// REQUIRES: numpy
// RUN: mkdir -p %t && pit-run %s --target=cpu --random=normal --random=normal --random=normal --random=bool:0.4 --random=normal \
// RUN:   --save-inputs=%t/in --output=%t/out --quiet && %numpy-python %S/Inputs/attend_reference.py %t/in %t/out
// Without `zero_rows` they are NaN.
// RUN: sed 's/{zero_rows}//' %s > %t/nan.mlir && pit-run %t/nan.mlir --target=cpu --random=normal --random=normal --random=normal --random=bool:0.4 --random=normal \
// RUN:   --save-inputs=%t/in --output=%t/out --quiet && %numpy-python %S/Inputs/attend_reference.py %t/in %t/out nan
// No keys at all are such a row.
// RUN: sed 's/x7x/x0x/g' %s > %t/none.mlir && pit-run %t/none.mlir --target=cpu --random=normal --random=normal --random=normal --random=bool:0.4 --random=normal \
// RUN:   --save-inputs=%t/in --output=%t/out --quiet && %numpy-python %S/Inputs/attend_reference.py %t/in %t/out
// GPUs compute what no kernel of attention takes in the same way.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s --check-prefix=GPU
// GPU-NOT: pit.attend
// GPU: gpu.binary

#q = affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>
#k = affine_map<(b, h, i, j, e, f) -> (b, j, e)>
#v = affine_map<(b, h, i, j, e, f) -> (b, j, f)>
#m = affine_map<(b, h, i, j, e, f) -> (i, j)>
#s = affine_map<(b, h, i, j, e, f) -> (h)>
#o = affine_map<(b, h, i, j, e, f) -> (b, i, h, f)>
func.func @main(%q: tensor<2x3x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x4xf32>, %mask: tensor<5x7xi1>,
                %slopes: tensor<3xf32>) -> tensor<2x5x3x4xf32> {
  %init = tensor.empty() : tensor<2x5x3x4xf32>
  %o = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x3x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x4xf32>)
      modifiers(%mask, %slopes : tensor<5x7xi1>, tensor<3xf32>) outs(%init : tensor<2x5x3x4xf32>) maps [#q, #k, #v, #m, #s, #o] {
    ^bb0(%score: f32, %live: i1, %slope: f32, %b: index, %h: index, %i: index, %j: index):
      %scale = arith.constant 0.25 : f32
      %dead = arith.constant 0xFF800000 : f32
      %scaled = arith.mulf %score, %scale : f32
      %ji = arith.subi %j, %i : index
      %way = arith.index_cast %ji : index to i64
      %far = arith.sitofp %way : i64 to f32
      %bias = arith.mulf %slope, %far : f32
      %biased = arith.addf %scaled, %bias : f32
      %earlier = arith.cmpi ule, %j, %i : index
      %both = arith.andi %earlier, %live : i1
      %logit = arith.select %both, %biased, %dead : f32
      pit.logit %logit : f32
  } -> tensor<2x5x3x4xf32>
  return %o : tensor<2x5x3x4xf32>
}
