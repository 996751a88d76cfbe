// Depthwise convolutions and pooling: a thread has results side by side, and what is around an input is in no memory.
// RUN: pit-opt %s --pit-plan-kernels --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Channels last: vectors of channels, four rows and two columns of results to a thread. Neither the fill of what is padded nor that
// of sums is left, and the work behind is done where sums are.
// PLAN-LABEL: func.func @depthwise
// PLAN: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}pit.plan = #pit.row_plan<family = windows, tile = [4, 1024], vector = 4, unroll = 2, max_blocks = 65536, group = 0>
// PLAN-NEXT: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = windows, {{.*}}group = 0>
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: memref.copy
// CHECK-NOT: linalg
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @depthwise_kernels::@depthwise_windows_0 blocks in (%c1568
// CHECK: llvm.func @depthwise_windows_0
// What is outside is not loaded, and zero.
// CHECK: arith.cmpi ult
// CHECK: llvm.load {{.*}} invariant {{.*}} -> vector<4xf32>
// CHECK: arith.maximumf
// CHECK-COUNT-8: llvm.store {{.*}} vector<4xf32>
// CHECK-NOT: llvm.store
// REMARKS-DAG: Function=depthwise | Elements=9, Family=windows, MaxBlocks=65536, Op=linalg.depthwise_conv_2d_nhwc_hwc, Results=4x2, Threads=256, Tile=4x1024, Vector=4
func.func @depthwise(%x: memref<32x56x56x128xf32>, %w: memref<3x3x128xf32>, %bias: memref<128xf32>) -> memref<32x56x56x128xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<32x58x58x128xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<32x58x58x128xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [32, 56, 56, 128] [1, 1, 1, 1]
      : memref<32x58x58x128xf32> to memref<32x56x56x128xf32, strided<[430592, 7424, 128, 1], offset: 7552>>
  memref.copy %x, %middle : memref<32x56x56x128xf32> to memref<32x56x56x128xf32, strided<[430592, 7424, 128, 1], offset: 7552>>
  %sum = memref.alloc() : memref<32x56x56x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32x56x56x128xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %w : memref<32x58x58x128xf32>, memref<3x3x128xf32>) outs(%sum : memref<32x56x56x128xf32>)
  %y = memref.alloc() : memref<32x56x56x128xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>,
                                   affine_map<(a, b, c, d) -> (a, b, c, d)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum, %bias : memref<32x56x56x128xf32>, memref<128xf32>) outs(%y : memref<32x56x56x128xf32>) {
  ^bb0(%s: f32, %b: f32, %o: f32):
    %t = arith.addf %s, %b : f32
    %r = arith.maximumf %t, %zero : f32
    linalg.yield %r : f32
  }
  return %y : memref<32x56x56x128xf32>
}

// -----

// Positions innermost: threads have neighbouring ones, of several rows. The padded input is the function's, and stays.
// PLAN-LABEL: func.func @channels_first
// PLAN: pit.plan = #pit.row_plan<family = windows, tile = [8, 256], max_blocks = 65536, group = 0>
// CHECK-LABEL: func.func @channels_first
// CHECK: gpu.launch_func @channels_first_kernels::@channels_first_windows_0
// Products of bf16 are exact in f32, and one instruction with the sum.
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK-NEXT: arith.addf {{.*}} fastmath<contract>
func.func @channels_first(%x: memref<32x128x58x58xbf16>, %w: memref<128x3x3xbf16>, %y: memref<32x128x56x56xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, c, p, q, s, t) -> (n, c, p + s, q + t)>, affine_map<(n, c, p, q, s, t) -> (c, s, t)>,
                                   affine_map<(n, c, p, q, s, t) -> (n, c, p, q)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<32x128x58x58xbf16>, memref<128x3x3xbf16>) outs(%y : memref<32x128x56x56xf32>) {
  ^bb0(%v: bf16, %k: bf16, %s: f32):
    %a = arith.extf %v : bf16 to f32
    %b = arith.extf %k : bf16 to f32
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Extents that only the host knows: results of a thread may not exist, and numbers of threads may take 64 bits.
// PLAN-LABEL: func.func @dynamic
// PLAN: family = windows
// CHECK-LABEL: func.func @dynamic
// CHECK: memref.dim
// CHECK: gpu.launch_func @dynamic_kernels::@dynamic_windows_0
// CHECK: llvm.func @dynamic_windows_0
// CHECK: arith.remui {{.*}} : i32
// CHECK: arith.remui {{.*}} : i64
func.func @dynamic(%x: memref<?x?x?x?xf32>, %window: memref<2x2xf32>, %y: memref<?x?x?x?xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : memref<?x?x?x?xf32>, memref<2x2xf32>) outs(%y : memref<?x?x?x?xf32>)
  return
}

// -----

// The padded buffer has another reader: it is made for that one, and windows are read of the input all the same.
// CHECK-LABEL: func.func @read_twice
// CHECK: memref.copy
// CHECK: gpu.launch_func @read_twice_kernels::@read_twice_windows_0 {{.*}}args(%base_buffer
// CHECK: return
func.func @read_twice(%x: memref<8x64xf32>, %w: memref<3x64xf32>, %y: memref<8x64xf32>) -> memref<10x64xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<10x64xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<10x64xf32>)
  %middle = memref.subview %padded[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  memref.copy %x, %middle : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t, c)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %w : memref<10x64xf32>, memref<3x64xf32>) outs(%y : memref<8x64xf32>) {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %p = arith.mulf %v, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return %padded : memref<10x64xf32>
}

// -----

// The work behind writes over the input, which neighbours still read: it is a kernel of its own.
// PLAN-LABEL: func.func @in_place
// PLAN: family = windows
// PLAN: linalg.generic
// PLAN-NOT: pit.plan
// PLAN: return
// CHECK-LABEL: func.func @in_place
// CHECK: gpu.launch_func
// CHECK: linalg.generic
func.func @in_place(%x: memref<10x64xf32>, %window: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<8x64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : memref<10x64xf32>, memref<3xf32>) outs(%sum : memref<8x64xf32>) {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  %part = memref.subview %x[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.generic {indexing_maps = [affine_map<(p, c) -> (p, c)>, affine_map<(p, c) -> (p, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<8x64xf32>) outs(%part : memref<8x64xf32, strided<[64, 1], offset: 64>>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.negf %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// One image: what has dropped its axis, and put it back before the rounding, is seen through.
// CHECK-LABEL: func.func @one_image
// CHECK-NOT: linalg
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func @one_image_kernels::@one_image_windows_0
// CHECK-NOT: linalg
// CHECK: return
func.func @one_image(%x: memref<1x100x256xbf16>, %w: memref<4x256xbf16>) -> memref<1x103x256xbf16> {
  %zero = arith.constant 0.0 : bf16
  %zf = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x106x256xbf16>
  linalg.fill ins(%zero : bf16) outs(%padded : memref<1x106x256xbf16>)
  %middle = memref.subview %padded[0, 3, 0] [1, 100, 256] [1, 1, 1]
      : memref<1x106x256xbf16> to memref<1x100x256xbf16, strided<[27136, 256, 1], offset: 768>>
  memref.copy %x, %middle : memref<1x100x256xbf16> to memref<1x100x256xbf16, strided<[27136, 256, 1], offset: 768>>
  %rows = memref.collapse_shape %padded [[0, 1], [2]] : memref<1x106x256xbf16> into memref<106x256xbf16>
  %sum = memref.alloc() : memref<103x256xf32>
  linalg.fill ins(%zf : f32) outs(%sum : memref<103x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t, c)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %w : memref<106x256xbf16>, memref<4x256xbf16>) outs(%sum : memref<103x256xf32>) {
  ^bb0(%v: bf16, %k: bf16, %s: f32):
    %a = arith.extf %v : bf16 to f32
    %b = arith.extf %k : bf16 to f32
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  %image = memref.expand_shape %sum [[0, 1], [2]] output_shape [1, 103, 256] : memref<103x256xf32> into memref<1x103x256xf32>
  %y = memref.alloc() : memref<1x103x256xbf16>
  linalg.generic {indexing_maps = [affine_map<(n, p, c) -> (n, p, c)>, affine_map<(n, p, c) -> (n, p, c)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%image : memref<1x103x256xf32>) outs(%y : memref<1x103x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  }
  return %y : memref<1x103x256xbf16>
}
