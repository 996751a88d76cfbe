# Configuration of the lit suite. Debian ships lit and FileCheck in llvm-22-tools.
#
# Features that a test may require:
#   ptxas      the CUDA assembler is at hand (PTX comes out without it)
#   cuda-device  a CUDA device answers; %cuda in front of pit-run lets it use that, or else the emulated one
#   numpy      a Python has it: %numpy-python
#   torch      PIT_TORCH_PYTHON names a Python with torch and torch-mlir: %torch-python
#   jax        PIT_JAX_PYTHON names a Python with jax: %jax-python
#   chromium   a browser that opens reports (Debian: chromium)
#   mkdocs     makes a site of the pages (Debian: mkdocs-material)
#   matplotlib  draws the figures of the pages of docs/performance
#   plugin     PITPlugin.so exists and loads into mlir-opt
#   sanitizer  built with sanitizers
import ctypes
import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "PIT"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".c", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "standalone"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.pit_binary_dir, "test")

tools_dir = os.path.join(config.pit_binary_dir, "bin")

# Captured FileCheck variables end with the label's section, unless they start with `$`.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", tools_dir, append_path=True)
# Tests run on the CPU, also where a device would answer, unless they ask for one or for the fake driver.
config.environment["PIT_CUDA_DRIVER"] = "none"
# numpy's products in threads would wait busily beside other tests.
config.environment["OPENBLAS_NUM_THREADS"] = "1"
# What is freed is overwritten, and not kept for the next allocation of its size: an op that a pass erased and still asks
# crashes every time, and not once in ten.
config.environment["GLIBC_TUNABLES"] = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
llvm_config.with_system_environment(["HOME", "CUDA_HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"])

if config.pit_sanitize:
    # Tensors too large for the machine are a diagnostic to test. What LLVM never frees is not ours to report. LLVM's
    # allocators poison memory in headers, which we instrument, and unpoison it in libraries, which nobody did.
    config.environment.setdefault(
        "ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0:allow_user_poisoning=0"
    )
    config.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")

# A second suite for free: every pit-opt run also checks that what it prints parses to the same.
verify = ["--verify-roundtrip"] if os.environ.get("PIT_OPT_VERIFY_ROUNDTRIP") else []
llvm_config.add_tool_substitutions(
    [ToolSubst("pit-opt", extra_args=verify), "pit-lsp-server", "pit-capi-test"], [tools_dir]
)
# Most of a run's time is LLVM's, and what it computes is small.
llvm_config.add_tool_substitutions([ToolSubst("pit-run", extra_args=["--opt-level=0"])], [tools_dir])
llvm_config.add_tool_substitutions(
    ["mlir-opt", "mlir-runner", "mlir-translate", "mlir-tblgen", "FileCheck", "not", "count", "split-file"],
    [config.llvm_tools_dir],
)
for tool in ("pit-compile", "pit-fuzz", "pit-run-loaded", "pit-translate", "pit-tune"):
    llvm_config.add_tool_substitutions([ToolSubst(tool, unresolved="ignore")], [tools_dir])

# Executables bring the sanitizers' runtime along, which the libraries need.
sanitize = " -fsanitize=" + config.pit_sanitize if config.pit_sanitize else ""
config.substitutions += [
    ("%pit_build", config.pit_binary_dir),
    ("%pit_lib", os.path.join(config.pit_binary_dir, "lib")),
    ("%pit_src", config.pit_source_dir),
    ("%mlir_lib", config.llvm_library_dir),
    ("%llvm_tools", config.llvm_tools_dir),
    ("%examples", os.path.join(config.pit_source_dir, "examples")),
    ("%cmake", config.cmake_command),
    ("%cc", config.c_compiler + sanitize),
    ("%cxx", config.cxx_compiler + sanitize),
    ("%python", config.python_executable),
    ("%fake-cuda", "env PIT_CUDA_DRIVER=" + os.path.join(config.pit_binary_dir, "lib", "fake-cuda", "libcuda.so.1")),
]
emulated = os.path.join(config.pit_binary_dir, "lib", "emulated-cuda", "libcuda.so.1")
config.substitutions.append(("%emulated-cuda", "env PIT_CUDA_DRIVER=" + emulated))

def find_ptxas():
    for folder in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        candidate = os.path.join(folder, "bin", "ptxas") if folder else ""
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return shutil.which("ptxas")


def can_import(python, module):
    return subprocess.run([python, "-c", "import " + module], stderr=subprocess.DEVNULL).returncode == 0


def has_cuda_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


# %pit-python CACHE python3 SCRIPT: with the package of the source tree on this build.
config.substitutions.append(
    ("%pit-python", os.path.join(config.test_source_root, "Python", "with-package.sh") + " " + config.pit_binary_dir)
)
for name, modules in (("torch", "torch, torch_mlir"), ("jax", "jax, jaxlib")):
    python = os.environ.get("PIT_%s_PYTHON" % name.upper())
    if python and can_import(python, modules):
        config.available_features.add(name)
        config.substitutions.append(("%%%s-python" % name, python))

ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    llvm_config.with_environment("PATH", os.path.dirname(ptxas), append_path=True)
if can_import(config.python_executable, "matplotlib"):
    config.available_features.add("matplotlib")
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
if shutil.which("mkdocs"):
    config.available_features.add("mkdocs")
if has_cuda_gpu():
    config.available_features.add("cuda-device")
    config.substitutions.append(("%cuda", "env -u PIT_CUDA_DRIVER"))
else:
    config.substitutions.append(("%cuda", "env PIT_CUDA_DRIVER=" + emulated))
for python in (config.python_executable, "/usr/bin/python3"):
    if shutil.which(python) and can_import(python, "numpy"):
        config.available_features.add("numpy")
        config.substitutions.append(("%numpy-python", python))
        break
if config.pit_sanitize:
    config.available_features.add("sanitizer")
elif config.pit_link_mlir_dylib == "ON":
    config.available_features.add("plugin")
