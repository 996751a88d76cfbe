"""graph_capture.py LIBPIT_RUNTIME: a call whose image is first used while a graph captures it.

The graph is then launched twice and its results compared; a call that waited, or allocated outside of the stream,
would have ended the capture with an error.
"""
import ctypes
import os
import sys

CODE = b"""
.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d<12>;
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c]; ld.param.u64 %d4, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  cvt.u64.u32 %d5, %r1;
  setp.ge.u64 %p1, %d5, %d4;
  @%p1 bra END;
  shl.b64 %d6, %d5, 2;
  add.u64 %d7, %d1, %d6; add.u64 %d8, %d2, %d6; add.u64 %d9, %d3, %d6;
  ld.global.f32 %f1, [%d7]; ld.global.f32 %f2, [%d8];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d9], %f3;
END:
  ret;
}
"""
N = 1000
Pointer, I64 = ctypes.c_void_p, ctypes.c_int64


class Constant(ctypes.Structure):
    _fields_ = [("data", Pointer), ("bytes", I64)]


class Image(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint64 * 2), ("name", ctypes.c_char_p), ("code", ctypes.c_char_p),
                ("num_kernels", I64), ("kernels", ctypes.POINTER(ctypes.c_char_p)), ("num_constants", I64),
                ("constants", ctypes.POINTER(Constant))]


runtime, driver = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(os.environ.get("PIT_CUDA_DRIVER", "libcuda.so.1"))
for function in ("pit_rt_workspace", "pit_rt_module", "pit_rt_constant"):
    getattr(runtime, function).restype = Pointer
context, stream, data, out = Pointer(), Pointer(), Pointer(), Pointer()


def check(code):
    if code:
        text = ctypes.create_string_buffer(600)
        runtime.pit_context_last_error(context, text, ctypes.c_size_t(600))
        sys.exit(f"status {code}: {text.value.decode()}")


def call_once(image):
    """out = (data + constant) + constant, through workspace."""
    frame = (Pointer * 16)()
    runtime.pit_rt_begin(frame, context, stream)
    module = Pointer(runtime.pit_rt_module(frame, ctypes.byref(image)))
    constant = Pointer(runtime.pit_rt_constant(frame, module, I64(0)))
    between = Pointer(runtime.pit_rt_workspace(frame, None, I64(0), I64(4 * N)))
    sizes = (I64 * 10)(4, 1, 1, 256, 1, 1)
    for source, to in ((data, between), (between, out)):
        arguments = [source, constant, to, I64(N)]
        pointers = (Pointer * 4)(*[ctypes.addressof(argument) for argument in arguments])
        runtime.pit_rt_launch(frame, module, I64(0), sizes, pointers)
    check(runtime.pit_rt_end(frame))


def main():
    check(runtime.pit_context_create(ctypes.byref(context)))
    check(runtime.pit_cuda_use_device(context, 0))
    check(runtime.pit_cuda_stream_create(context, ctypes.byref(stream)))
    size = ctypes.c_size_t(4 * N)
    check(runtime.pit_cuda_allocate(context, size, ctypes.byref(data)))
    check(runtime.pit_cuda_allocate(context, size, ctypes.byref(out)))
    ones = (ctypes.c_float * N)(*[0.5] * N)
    numbers = (ctypes.c_float * N)(*range(N))
    constants = (Constant * 1)(Constant(ctypes.addressof(ones), 4 * N))
    kernels = (ctypes.c_char_p * 1)(b"add")
    image = Image((1, 2), b"test", CODE, 1, kernels, 1, constants)

    graph, executable = Pointer(), Pointer()
    assert driver.cuStreamBeginCapture_v2(stream, 0) == 0  # global: the strictest mode
    call_once(image)
    assert driver.cuStreamEndCapture(stream, ctypes.byref(graph)) == 0
    assert driver.cuGraphInstantiateWithFlags(ctypes.byref(executable), graph, ctypes.c_ulonglong(0)) == 0
    result = (ctypes.c_float * N)()
    for factor in (1, 3):
        values = (ctypes.c_float * N)(*[factor * x for x in numbers])
        check(runtime.pit_cuda_copy_in(context, stream, data, values, size))
        assert driver.cuGraphLaunch(executable, stream) == 0
        check(runtime.pit_cuda_copy_out(context, stream, result, out, size))
        check(runtime.pit_cuda_check(context, stream))
        assert all(result[i] == factor * i + 1 for i in range(N)), list(result[:8])
    # And without a graph.
    call_once(image)
    check(runtime.pit_cuda_check(context, stream))
    driver.cuGraphExecDestroy(executable)
    driver.cuGraphDestroy(graph)
    runtime.pit_cuda_stream_destroy(context, stream)
    runtime.pit_cuda_free(context, data)
    runtime.pit_cuda_free(context, out)
    runtime.pit_context_destroy(context)
    print("captured")


main()
