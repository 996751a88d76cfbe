// c = a + b on a GPU, by upstream's ops alone: a is copied on one stream, b on another, and a third one launches. The
// result starts as ones, which is what a driver that computes nothing leaves.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %start = arith.muli %block, %size : index
      %i = arith.addi %start, %thread : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %b[%i] : memref<?xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %c[%i] : memref<?xf32>
      }
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %n = arith.constant 7 : index
    %one = arith.constant 1.0 : f32
    %a = memref.alloc(%n) : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %j = arith.index_cast %i : index to i32
      %x = arith.sitofp %j : i32 to f32
      %y = arith.mulf %x, %x : f32
      memref.store %x, %a[%i] : memref<?xf32>
      memref.store %y, %b[%i] : memref<?xf32>
    }
    %print_a = memref.cast %a : memref<?xf32> to memref<*xf32>
    call @printMemrefF32(%print_a) : (memref<*xf32>) -> ()

    %s = gpu.wait async
    %da, %s0 = gpu.alloc async [%s] (%n) : memref<?xf32>
    %s1 = gpu.memcpy async [%s0] %da, %a : memref<?xf32>, memref<?xf32>
    %t = gpu.wait async
    %db, %t0 = gpu.alloc async [%t] (%n) : memref<?xf32>
    %t1 = gpu.memcpy async [%t0] %db, %b : memref<?xf32>, memref<?xf32>
    %u = gpu.wait async [%s1, %t1]
    %dc, %u0 = gpu.alloc async [%u] (%n) : memref<?xf32>
    %u1 = gpu.memset async [%u0] %dc, %one : memref<?xf32>, f32
    %u2 = gpu.launch_func async [%u1] @kernels::@add blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%da : memref<?xf32>, %db : memref<?xf32>, %dc : memref<?xf32>, %n : index)
    %u3 = gpu.memcpy async [%u2] %a, %dc : memref<?xf32>, memref<?xf32>
    %u4 = gpu.dealloc async [%u3] %da : memref<?xf32>
    %u5 = gpu.dealloc async [%u4] %db : memref<?xf32>
    %u6 = gpu.dealloc async [%u5] %dc : memref<?xf32>
    gpu.wait [%u6]

    call @printMemrefF32(%print_a) : (memref<*xf32>) -> ()
    memref.dealloc %a : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    return
  }
}
