# Finds LLVM/MLIR 22.1 and refuses every other version with the packages to install.
# The C++ API changes with each release, so a near miss would only fail later and worse.
# MLIR's version file matches major.minor, hence the search without a version.
set(PIT_MLIR_VERSION "22.1")

find_package(MLIR CONFIG QUIET HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT MLIR_FOUND OR NOT LLVM_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR
    "PIT needs LLVM/MLIR ${PIT_MLIR_VERSION}; found '${LLVM_VERSION}' in '${MLIR_DIR}'.\n"
    "On Debian: apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools\n"
    "Elsewhere: pass -DMLIR_DIR=<prefix>/lib/cmake/mlir of an LLVM ${PIT_MLIR_VERSION} installation.")
endif()
message(STATUS "Using MLIR ${LLVM_VERSION} from ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# RTTI and exception settings must match the installed libraries.
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
# So must NDEBUG, in debug builds, too: the size of a pass's statistics depends on it.
if(NOT LLVM_ENABLE_ASSERTIONS)
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:NDEBUG>)
endif()
add_compile_options(
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-comment>)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${LLVM_DEFINITIONS_LIST})

# Debian ships lit as `lit`, while LLVMConfig points to an llvm-lit that is not installed.
find_program(PIT_LIT NAMES lit llvm-lit HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
find_program(PIT_LIT NAMES lit llvm-lit)

# Debian's static MLIR libraries name libLLVM.so as their dependency. A static link must not bring that
# second copy of LLVM into the process: the name is replaced by the archives it stands for, of which the
# linker takes only the members that are used.
function(pit_link_llvm_statically)
  llvm_map_components_to_libnames(archives asmparser bitreader bitwriter core frontendopenmp ipo irreader
    linker native nativecodegen nvptxcodegen nvptxdesc nvptxinfo orcjit passes perfjitevents support targetparser transformutils)
  add_library(PITStaticLLVM INTERFACE)
  add_library(PIT::PITStaticLLVM ALIAS PITStaticLLVM)
  target_link_libraries(PITStaticLLVM INTERFACE ${archives})
  install(TARGETS PITStaticLLVM EXPORT PITTargets)
  get_property(libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib ${libs})
    if(TARGET ${lib})
      get_target_property(dependencies ${lib} INTERFACE_LINK_LIBRARIES)
      if(dependencies)
        list(TRANSFORM dependencies REPLACE "^LLVM$" "PITStaticLLVM")
        # Debian's execution engine names libMLIR.so for the few parts that it needs.
        list(TRANSFORM dependencies REPLACE "^MLIR$" "MLIRExecutionEngineUtils;MLIRTargetLLVMIRExport")
        set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${dependencies}")
      endif()
    endif()
  endforeach()
endfunction()

# Tools that are copied to other machines bring zlib and zstd along. Nothing of PIT needs Z3.
function(pit_link_compression_statically)
  find_library(PIT_ZLIB_ARCHIVE NAMES libz.a REQUIRED)
  get_target_property(dependencies LLVMSupport INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM dependencies REPLACE "^ZLIB::ZLIB$" "${PIT_ZLIB_ARCHIVE}")
  list(TRANSFORM dependencies REPLACE "^zstd::libzstd_shared$" "zstd::libzstd_static")
  list(FILTER dependencies EXCLUDE REGEX "libz3\\.so$")
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${dependencies}")
endfunction()

if(NOT PIT_LINK_MLIR_DYLIB)
  pit_link_llvm_statically()
endif()
if(PIT_SELF_CONTAINED_TOOLS)
  pit_link_compression_statically()
endif()
