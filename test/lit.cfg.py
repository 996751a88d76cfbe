# Configuration of the lit suite. Debian ships lit and FileCheck in llvm-22-tools.
import os
import shutil

import lit.formats

config.name = "PIT"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.pit_obj_root, "test")

path = os.path.pathsep.join(
    [os.path.join(config.pit_obj_root, "bin"), config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["PATH"] = path
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.substitutions.append(("%pit_lib", os.path.join(config.pit_obj_root, "lib")))
config.substitutions.append(("%pit_src", config.pit_src_root))
config.substitutions.append(("%python", config.python_executable))

# A second suite for free: every pit-opt run also checks that what it prints parses to the same.
if os.environ.get("PIT_OPT_VERIFY_ROUNDTRIP"):
    config.substitutions.append(("pit-opt", "pit-opt --verify-roundtrip"))

if shutil.which("ptxas", path=path) or shutil.which("ptxas", path="/usr/local/cuda/bin"):
    config.available_features.add("ptxas")
if config.pit_dylib:
    config.available_features.add("plugin")
# Tests that need a GPU are marked `REQUIRES: cuda-gpu`; they run where PIT_TEST_GPU is set.
if os.environ.get("PIT_TEST_GPU"):
    config.available_features.add("cuda-gpu")
