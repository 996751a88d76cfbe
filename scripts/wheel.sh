#!/usr/bin/env bash
# Builds the Python package's wheel and tries it in a bare virtual environment.
#   scripts/wheel.sh [OUTPUT FOLDER]      (default: dist)
# Needs what scripts/demo.sh installs, and python3-venv. The build is in build-wheel and is used again; its environment, too.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
output="$(realpath -m "${1:-$pit_source_dir/dist}")"
limit=$((100 * 1000 * 1000))
build="$pit_source_dir/build-wheel"
tag=manylinux_2_34_x86_64

pit_install_packages
mkdir -p "$build" "$output"
if [ ! -x "$build/venv/bin/auditwheel" ]; then
  pit_say "an environment to build in"
  python3 -m venv "$build/venv"
  "$build/venv/bin/pip" install --quiet scikit-build-core ninja auditwheel wheel
fi

pit_say "building the wheel"
# scikit-build-core would take the compiler that built Python; see CMakeLists.txt.
if [ -z "${CXX:-}" ] && [ -x /usr/lib/llvm-22/bin/clang++ ]; then
  export CC=/usr/lib/llvm-22/bin/clang CXX=/usr/lib/llvm-22/bin/clang++
fi
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}" CMAKE_BUILD_PARALLEL_LEVEL="$pit_jobs"
rm -rf "$build/wheels"
"$build/venv/bin/pip" wheel --quiet --no-build-isolation --no-deps --wheel-dir "$build/wheels" "$pit_source_dir/python"
built=("$build"/wheels/*.whl)

pit_say "what it needs of the system"
"$build/venv/bin/auditwheel" show "${built[0]}" | tee "$build/auditwheel.txt"
grep -q "\"$tag\"" "$build/auditwheel.txt" || pit_die "the wheel is not $tag"
"$build/venv/bin/wheel" tags --remove --platform-tag "$tag" "${built[0]}" >/dev/null
wheel="$(ls "$build"/wheels/*"$tag".whl)"
bytes="$(stat -c %s "$wheel")"
[ "$bytes" -lt "$limit" ] || pit_die "the wheel has $bytes bytes, PyPI takes $limit"
mv "$wheel" "$output/"
wheel="$output/$(basename "$wheel")"
pit_say "$wheel: $bytes bytes"

pit_say "trying it in a bare environment"
bare="$(mktemp -d)"
trap 'rm -rf "$bare"' EXIT
python3 -m venv "$bare/venv"
"$bare/venv/bin/pip" install --quiet "$wheel"
for test in test_calls test_cache; do
  env -i PATH=/usr/bin:/bin HOME="$bare" PIT_CUDA_DRIVER=none PIT_MLIR_CACHE="$bare/cache" PYTHONPATH="$pit_source_dir/test/Python" \
    PYTHONDONTWRITEBYTECODE=1 "$bare/venv/bin/python" "$pit_source_dir/test/Python/$test.py"
done
