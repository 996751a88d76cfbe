// A host of the program in cuda.mlir, written against the header that the
// compiler made.
#include "model.h"

#include <stdio.h>

static pit_context *context;

static int fail(const char *what) {
  char text[256];
  pit_context_last_error(context, text, sizeof(text));
  printf("%s: %s\n", what, text);
  return 1;
}

int main(void) {
  const int64_t a_shape[] = {100, 64}, live_shape[] = {100},
                b_shape[] = {64, 32};
  pit_tensor a = {NULL, PIT_DTYPE_F32, 2, a_shape, NULL},
             live = {NULL, PIT_DTYPE_I1, 1, live_shape, NULL},
             b = {NULL, PIT_DTYPE_F32, 2, b_shape, NULL},
             c = {NULL, PIT_DTYPE_F32, 2, NULL, NULL};
  int64_t extents[PIT_MAIN_NUM_EXTENTS], bytes = 0;
  if (pit_context_create(&context) != PIT_OK)
    return 1;
  // No device is needed for this.
  if (pit_main_shapes(context, &a, &live, &b, extents, &bytes) != PIT_OK)
    return fail("shapes");
  printf("extents %d %d, workspace %d\n", (int)extents[0], (int)extents[1],
         (int)bytes);
  c.shape = extents;
  pit_stream stream = NULL;
  void *workspace = NULL;
  if (pit_cuda_use_device(context, 0) != PIT_OK ||
      pit_cuda_stream_create(context, &stream) != PIT_OK ||
      pit_cuda_allocate(context, 100 * 64 * 4, &a.data) != PIT_OK ||
      pit_cuda_allocate(context, 100, &live.data) != PIT_OK ||
      pit_cuda_allocate(context, 64 * 32 * 4, &b.data) != PIT_OK ||
      pit_cuda_allocate(context, 100 * 32 * 4, &c.data) != PIT_OK ||
      pit_cuda_allocate(context, (size_t)bytes, &workspace) != PIT_OK)
    return fail("allocation");
  if (pit_main(context, stream, &a, &live, &b, &c, workspace, bytes) != PIT_OK)
    return fail("call");
  if (pit_cuda_check(context, stream) != PIT_OK)
    return fail("check");
  if (pit_main(context, stream, &a, &live, &b, &c, workspace, bytes - 1) !=
      PIT_ERROR_INVALID_ARGUMENT)
    return fail("small workspace");
  pit_cuda_free(context, workspace);
  pit_cuda_free(context, a.data);
  pit_cuda_free(context, live.data);
  pit_cuda_free(context, b.data);
  pit_cuda_free(context, c.data);
  pit_cuda_stream_destroy(context, stream);
  pit_context_destroy(context);
  printf("ok\n");
  return 0;
}
