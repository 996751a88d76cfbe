#!/usr/bin/env bash
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the runtime and unittests/Abuse with sanitizers, which needs the libraries of $CC (cc) for that and no LLVM, and runs the cases: all of them with
# the address and undefined-behaviour sanitizers, those with threads with the thread sanitizer. Then all of them as they are built, under valgrind
# where that is installed, which watches compiled programs, too, and the tests of the runtime and of the C API.
#   scripts/check-runtime.sh [BUILD FOLDER] [FOLDER FOR RESULTS]      (default: build; none)
# The build folder has pit-compile, for the programs that the cases call.
set -euo pipefail
source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${1:-$source_dir/build}"
results="${2:-}"
# The system's compiler has these libraries; the build's, clang, needs a package for them.
export CC="${CC:-cc}" CXX="${CXX:-c++}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/programs"
"$build/bin/pit-compile" "$source_dir/test/Runtime/Inputs/abuse.mlir" --target cpu -o "$work/programs/abuse.so"

# check NAME SANITIZERS FILTER
check() {
  cmake -G Ninja -S "$source_dir" -B "$work/$1" -DCMAKE_BUILD_TYPE=Release -DPIT_RUNTIME_ONLY=ON "-DPIT_SANITIZE=$2" \
    >"$work/$1.log"
  ninja -C "$work/$1" -j1 PITAbuseTests >>"$work/$1.log" || { tail "$work/$1.log"; exit 1; }
  echo "== $2"
  "$work/$1/unittests/Abuse/PITAbuseTests" "$work/programs" ${results:+-o "$results/abuse-$1.json"} ${3:+"$3"}
}
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=die_after_fork=0:halt_on_error=1
check address address,undefined ""
check thread thread "threads"

if ! command -v valgrind >/dev/null; then
  echo "valgrind is not installed"
  exit
fi
# A process of a case that ends so has another outcome than the one that is expected.
watch=(valgrind -q --error-exitcode=99)
echo "== valgrind"
"${watch[@]}" "$build/unittests/Abuse/PITAbuseTests" "$work/programs" ${results:+-o "$results/abuse-valgrind.json"}
"${watch[@]}" "$build/unittests/Runtime/PITRuntimeTests" --gtest_brief=1
FAKE_CUDA_DEVICES=2 "${watch[@]}" "$build/unittests/Runtime/PITCudaTests" --gtest_brief=1
FAKE_CUDA_DEVICES=2 "${watch[@]}" "$build/unittests/Runtime/PITMgpuTests" --gtest_brief=1
"${watch[@]}" "$build/bin/pit-capi-test" >/dev/null
