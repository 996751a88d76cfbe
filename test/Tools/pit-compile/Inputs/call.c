// A host of the program in cpu.mlir, written against the header that the
// compiler made.
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float a[3 * 64], b[64 * 32], c[3 * 32], x[3], y[3], z[3], w[3];
static uint8_t live[3] = {1, 0, 1};

static pit_tensor tensor(void *data, pit_dtype dtype, int32_t rank,
                         const int64_t *shape) {
  pit_tensor made = {data, dtype, rank, shape, NULL};
  return made;
}

static int check_main(void) {
  const int64_t a_shape[] = {3, 64}, live_shape[] = {3}, b_shape[] = {64, 32};
  pit_tensor ta = tensor(a, PIT_DTYPE_F32, 2, a_shape),
             tl = tensor(live, PIT_DTYPE_I1, 1, live_shape),
             tb = tensor(b, PIT_DTYPE_F32, 2, b_shape);
  // Extents may be asked for before there is data.
  pit_tensor no_data = tensor(NULL, PIT_DTYPE_F32, 2, a_shape);
  int64_t extents[PIT_MAIN_NUM_EXTENTS], bytes = -1;
  if (pit_main_shapes(NULL, &no_data, &tl, &tb, extents, &bytes) != PIT_OK ||
      extents[0] != 3 || extents[1] != 32 || bytes != 0)
    return 0;
  for (int i = 0; i < 3 * 32; ++i)
    c[i] = NAN;
  pit_tensor tc = tensor(c, PIT_DTYPE_F32, 2, extents);
  if (pit_main(NULL, NULL, &ta, &tl, &tb, &tc, NULL, 0) != PIT_OK)
    return 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 32; ++j) {
      double sum = 0;
      for (int k = 0; live[i] && k < 64; ++k)
        sum += (double)a[i * 64 + k] * b[k * 32 + j];
      if (!(fabs(sum - c[i * 32 + j]) < 1e-4))
        return 0;
    }
  return 1;
}

static int check_several(void) {
  const int64_t shape[] = {3};
  for (int i = 0; i < 3; ++i)
    x[i] = (float)i + 0.5f;
  pit_tensor tx = tensor(x, PIT_DTYPE_F32, 1, shape),
             ty = tensor(y, PIT_DTYPE_F32, 1, shape),
             tz = tensor(z, PIT_DTYPE_F32, 1, shape),
             tw = tensor(w, PIT_DTYPE_F32, 1, shape);
  uint16_t half = 0;
  int64_t number = 0;
  if (pit_several(NULL, NULL, &tx, 0x3c01, 1, 21, &ty, &half, &tz, &tw, &number,
                  NULL, 0) != PIT_OK)
    return 0;
  for (int i = 0; i < 3; ++i)
    if (y[i] != x[i] || z[i] != 2 * x[i] || w[i] != 2 * x[i])
      return 0;
  return half == 0x3c01 && number == 42;
}

static void report(const char *what, pit_context *context, int32_t status) {
  char text[256];
  pit_context_last_error(context, text, sizeof(text));
  printf("%s: %d: %s\n", what, (int)status, text);
  pit_context_clear_error(context);
}

int main(void) {
  for (int i = 0; i < 3 * 64; ++i)
    a[i] = (float)(i % 7) - 3;
  for (int i = 0; i < 64 * 32; ++i)
    b[i] = (float)(i % 5) - 2;
  printf("main: %s\n", check_main() ? "ok" : "WRONG");
  printf("several: %s\n", check_several() ? "ok" : "WRONG");

  pit_context *context = NULL;
  if (pit_context_create(&context) != PIT_OK)
    return 1;
  const int64_t wrong[] = {3, 63}, right[] = {3, 64}, rows[] = {3},
                weights[] = {64, 32}, small[] = {2, 32};
  pit_tensor bad = tensor(a, PIT_DTYPE_F32, 2, wrong),
             good = tensor(a, PIT_DTYPE_F32, 2, right),
             tl = tensor(live, PIT_DTYPE_I1, 1, rows),
             tb = tensor(b, PIT_DTYPE_F32, 2, weights),
             tc = tensor(c, PIT_DTYPE_F32, 2, small);
  report("wrong shape", context,
         pit_main(context, NULL, &bad, &tl, &tb, &tc, NULL, 0));
  report("small result", context,
         pit_main(context, NULL, &good, &tl, &tb, &tc, NULL, 0));
  printf("after errors: %s\n",
         check_main() && pit_context_status(context) == PIT_OK ? "ok"
                                                               : "WRONG");
  pit_context_destroy(context);
  return 0;
}
