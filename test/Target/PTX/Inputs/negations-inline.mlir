gpu.module @kernels {
  llvm.func @f(%x: i32, %c: i1, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %y = llvm.inline_asm has_side_effects "{ .reg .s32 t; neg.s32 t, $1; mov.s32 $0, t; }", "=r,r" %x : (i32) -> i32
    %z = llvm.inline_asm has_side_effects ".reg .pred %p9;\0A\09setp.ne.s32 %p9, $1, 0;\0A\09@%p9 neg.s32 $0, $1;\0A\09", "=r,r" %y : (i32) -> i32
    llvm.store %z, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
