// RUN: pit-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(pit-share-workspace))" | FileCheck %s

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @read_write(%from: memref<f32>, %to: memref<f32>) kernel {
    gpu.return
  }
}

// What the second launch reads is read by nobody behind it: the third one writes there. What it wrote itself is still read.
// CHECK-LABEL: func.func @chain
// CHECK: %[[FIRST:.*]] = memref.alloc() : memref<64xf32>
// CHECK: %[[SECOND:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NOT: memref.alloc()
// CHECK-DAG: %[[BASE1:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[FIRST]]
// CHECK-DAG: %[[BASE2:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[SECOND]]
// CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<f32>, %[[BASE1]] : memref<f32>)
// CHECK: gpu.launch_func {{.*}} args(%[[BASE1]] : memref<f32>, %[[BASE2]] : memref<f32>)
// CHECK: gpu.launch_func {{.*}} args(%[[BASE2]] : memref<f32>, %[[BASE3:.*]] : memref<f32>)
// CHECK: gpu.launch_func {{.*}} args(%[[BASE3]] : memref<f32>, %{{.*}} : memref<f32>)
// CHECK-COUNT-2: memref.dealloc
// CHECK-NOT: memref.dealloc
func.func @chain(%x: memref<f32>, %y: memref<f32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %a0, %a1, %a2, %a3 = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %b0, %b1, %b2, %b3 = memref.extract_strided_metadata %b : memref<64xf32> -> memref<f32>, index, index, index
  %c0, %c2, %c3, %c4 = memref.extract_strided_metadata %c : memref<64xf32> -> memref<f32>, index, index, index
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %a0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a0 : memref<f32>, %b0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b0 : memref<f32>, %c0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c0 : memref<f32>, %y : memref<f32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @read_write(%from: memref<f32>, %to: memref<f32>) kernel {
    gpu.return
  }
}

// Other types, other sizes, and what is returned.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-5: memref.alloc(
// CHECK-COUNT-4: memref.dealloc
func.func @apart(%x: memref<f32>, %n: index, %m: index) -> memref<64xf32> {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<65xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%m) : memref<?xf32>
  %e = memref.alloc() : memref<64xf32>
  %a0, %a1, %a2, %a3 = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %b0, %b1, %b2, %b3 = memref.extract_strided_metadata %b : memref<65xf32> -> memref<f32>, index, index, index
  %c0, %c2, %c3, %c4 = memref.extract_strided_metadata %c : memref<?xf32> -> memref<f32>, index, index, index
  %d0, %d2, %d3, %d4 = memref.extract_strided_metadata %d : memref<?xf32> -> memref<f32>, index, index, index
  %e0, %e2, %e3, %e4 = memref.extract_strided_metadata %e : memref<64xf32> -> memref<f32>, index, index, index
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %a0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a0 : memref<f32>, %b0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b0 : memref<f32>, %c0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c0 : memref<f32>, %d0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d0 : memref<f32>, %e0 : memref<f32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<65xf32>
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return %e : memref<64xf32>
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @read_write(%from: memref<f32>, %to: memref<f32>) kernel {
    gpu.return
  }
}

// The buffer that is used later stands first.
// CHECK-LABEL: func.func @swapped
// CHECK: %[[ONE:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NOT: memref.alloc()
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[ONE]]
// CHECK: memref.extract_strided_metadata %[[ONE]]
// CHECK-COUNT-3: gpu.launch_func
// CHECK: memref.dealloc %[[ONE]]
// CHECK-NOT: memref.dealloc
func.func @swapped(%x: memref<f32>, %y: memref<f32>) {
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  %a0, %a1, %a2, %a3 = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %b0, %b1, %b2, %b3 = memref.extract_strided_metadata %b : memref<64xf32> -> memref<f32>, index, index, index
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %a0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a0 : memref<f32>, %y : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %b0 : memref<f32>)
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return
}

// A launch of both; what something else than a launch writes, and what a region uses.
// CHECK-LABEL: func.func @together
// CHECK-COUNT-4: memref.alloc()
// CHECK-COUNT-4: memref.dealloc
func.func @together(%x: memref<f32>, %from: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  %a0, %a1, %a2, %a3 = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %b0, %b1, %b2, %b3 = memref.extract_strided_metadata %b : memref<64xf32> -> memref<f32>, index, index, index
  %e0, %e1, %e2, %e3 = memref.extract_strided_metadata %c : memref<64xf32> -> memref<f32>, index, index, index
  %d0, %d1, %d2, %d3 = memref.extract_strided_metadata %d : memref<64xf32> -> memref<f32>, index, index, index
  memref.copy %from, %c : memref<64xf32> to memref<64xf32>
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a0 : memref<f32>, %b0 : memref<f32>)
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %e0 : memref<f32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %d[%i] : memref<64xf32>
  }
  gpu.launch_func @kernels::@read_write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %d0 : memref<f32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  return
}
}
