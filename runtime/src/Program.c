//===- Program.c - Shared objects with compiled programs ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFile.h"
#include "pit_runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int32_t fail(pit_context *context, int32_t status, const char *path,
                    const char *why) {
  char message[480];
  snprintf(message, sizeof(message), "cannot load '%s': %s", path, why);
  pit_context_set_error(context, status, message);
  return status;
}

/// A later minor version may have functions that this one lacks.
static int fits(int32_t version) {
  int32_t mine = pit_runtime_version();
  return version / 1000 == mine / 1000 && version <= mine;
}

int32_t pit_program_load(pit_context *context, const char *path,
                         const pit_program **program) {
  if (!program || !path)
    return fail(context, PIT_ERROR_INVALID_ARGUMENT, path ? path : "",
                "no name or no place for the program");
  *program = NULL;
  const char *damage = pitFindDamage(path);
  if (damage)
    return fail(context, PIT_ERROR_UNSUPPORTED, path, damage);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return fail(context, PIT_ERROR_UNSUPPORTED, path, why ? why : "dlopen");
  }
  const pit_program *found =
      (const pit_program *)dlsym(library, PIT_PROGRAM_SYMBOL);
  char why[160];
  if (!found)
    snprintf(why, sizeof(why), "it has no table '%s', so it is no program",
             PIT_PROGRAM_SYMBOL);
  else if (found->version != PIT_PROGRAM_VERSION)
    snprintf(why, sizeof(why),
             "its table has version %d, this library reads version %d",
             (int)found->version, PIT_PROGRAM_VERSION);
  else if (!fits(found->runtime_version))
    snprintf(why, sizeof(why),
             "it was compiled for version %d of the runtime, this is %d",
             (int)found->runtime_version, (int)pit_runtime_version());
  else {
    *program = found;
    return PIT_OK;
  }
  // Nothing of it was used yet.
  dlclose(library);
  return fail(context, PIT_ERROR_UNSUPPORTED, path, why);
}

const pit_entry_point *pit_program_find(const pit_program *program,
                                        const char *name) {
  for (int64_t i = 0; program && name && i < program->num_entries; ++i)
    if (strcmp(program->entries[i].name, name) == 0)
      return &program->entries[i];
  return NULL;
}
