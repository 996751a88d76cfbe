# Shared by scripts/demo.sh and scripts/test.sh: sets a Debian 12 machine up and builds PIT.
# Sourced, not run. Everything here is idempotent, and quick when there is nothing to do.
#
#   PIT_BUILD_DIR   where to build (default: build)
#   PIT_JOBS        parallel jobs (default: one per processor)

pit_source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
pit_build_dir="${PIT_BUILD_DIR:-$pit_source_dir/build}"
pit_jobs="${PIT_JOBS:-$(nproc)}"

pit_packages=(
  clang-22 g++ cmake ninja-build ccache python3 python3-numpy
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools
  zlib1g-dev libzstd-dev libcurl4-openssl-dev
  libgtest-dev
)

pit_say() { printf '== %s\n' "$*"; }
pit_die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints the packages that are not installed.
pit_missing_packages() {
  local package
  for package in "${pit_packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

pit_install_packages() {
  command -v dpkg-query >/dev/null || {
    pit_say "not a Debian system: taking the tools that are here"
    return 0
  }
  local missing as_root=()
  mapfile -t missing < <(pit_missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo)
    elif command -v sudo >/dev/null && [ -t 0 ]; then
      as_root=(sudo)
    else
      pit_die "these Debian packages are missing and installing them needs root:
  apt-get install ${missing[*]}"
    fi
  fi
  pit_say "installing ${missing[*]}"
  local log
  log="$(mktemp)"
  if ! { "${as_root[@]}" apt-get update -q &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    pit_die "installing the packages failed (see above). LLVM 22 comes from Debian's security suite; the full list is:
  apt-get install ${pit_packages[*]}"
  fi
  rm -f "$log"
}

# pit_build TARGET...: configures where needed and builds.
pit_build() {
  # Lets ccache look through precompiled headers and share results between checkouts.
  export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$pit_source_dir}" CCACHE_NOHASHDIR=1
  if [ ! -f "$pit_build_dir/build.ninja" ]; then
    pit_say "configuring $pit_build_dir"
    cmake -G Ninja -S "$pit_source_dir" -B "$pit_build_dir" -DCMAKE_BUILD_TYPE=Release >"$pit_build_dir.configure.log" 2>&1 || {
      tail -n 30 "$pit_build_dir.configure.log" >&2
      rm -rf "$pit_build_dir/CMakeCache.txt" "$pit_build_dir.configure.log"
      pit_die "configuring failed (see above)"
    }
    mv "$pit_build_dir.configure.log" "$pit_build_dir/configure.log"
  fi
  pit_say "building"
  ninja -C "$pit_build_dir" -j "$pit_jobs" "$@" || pit_die "the build failed"
}
