// A host of the program in runtime-errors.mlir.
#include "model.h"

#include <stdio.h>

static float none[16 * 8], all[16 * 8], w[8 * 4], r[16 * 4];

static int32_t call(pit_context *context, float *gate) {
  const int64_t gates[] = {16, 8}, weights[] = {8, 4}, results[] = {16, 4};
  pit_tensor g = {gate, PIT_DTYPE_F32, 2, gates, NULL},
             t = {w, PIT_DTYPE_F32, 2, weights, NULL},
             o = {r, PIT_DTYPE_F32, 2, results, NULL};
  return pit_main(context, NULL, &g, &t, &o, NULL, 0);
}

int main(void) {
  for (int i = 0; i < 16 * 8; ++i)
    all[i] = 1;
  pit_context *context = NULL;
  if (pit_context_create(&context) != PIT_OK)
    return 1;
  // The context keeps the first error; each call has its own status.
  pit_context_set_error(context, PIT_ERROR_DEVICE, "unrelated");
  int32_t sparse = call(context, none), dense = call(context, all),
          again = call(context, all);
  int32_t last = call(context, none);
  printf("sparse %d, dense %d, dense again %d, sparse again %d\n", (int)sparse,
         (int)dense, (int)again, (int)last);
  char text[256];
  pit_context_last_error(context, text, sizeof(text));
  printf("%s\n", text);
  // The calling thread's own context is as it was.
  int same = pit_context_current() == NULL;
  pit_context_destroy(context);
  return same ? 0 : 1;
}
