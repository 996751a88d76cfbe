# PIT's thin CMake vocabulary. It wraps plain add_library rather than add_mlir_library, because the
# latter puts its targets into MLIR's own export set, which breaks `find_package(PIT)`.
include(CMakeParseArguments)

# Runs mlir-tblgen for each `-gen-*` pair and defines TARGET, on which users of the headers depend.
#   pit_tablegen(TARGET FILE.td  OUTPUT1 "-gen-a,-dialect=x"  OUTPUT2 "-gen-b" ...)
function(pit_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS "${td}")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest out)
    list(POP_FRONT rest flags)
    string(REPLACE "," ";" flags "${flags}")
    mlir_tablegen("${out}" ${flags} EXTRA_INCLUDES "${PIT_INCLUDE_DIR}")
  endwhile()
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY PIT_TABLEGEN_TARGETS ${target})
endfunction()

# One precompiled header for all libraries: compiled once, reused by each.
function(pit_use_precompiled_header target)
  if(NOT PIT_PCH)
    return()
  endif()
  if(NOT TARGET PITPrecompiled)
    file(WRITE "${CMAKE_BINARY_DIR}/PITPrecompiled.cpp" "")
    add_library(PITPrecompiled OBJECT "${CMAKE_BINARY_DIR}/PITPrecompiled.cpp")
    target_precompile_headers(PITPrecompiled PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${PIT_INCLUDE_DIR}/PIT/Support/Precompiled.h>")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Lets ccache see through the precompiled header.
      target_compile_options(PITPrecompiled PUBLIC -fpch-preprocess)
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # So do equal headers that were made at different times.
      target_compile_options(PITPrecompiled PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
  target_precompile_headers(${target} REUSE_FROM PITPrecompiled)
endfunction()

# Links TARGET to MLIR and LLVM: to the two shared libraries, or to the named static parts.
function(pit_link_mlir target visibility mlir_libs llvm_components)
  if(PIT_LINK_MLIR_DYLIB)
    target_link_libraries(${target} ${visibility} MLIR LLVM)
  else()
    llvm_map_components_to_libnames(llvm_libs core support ${llvm_components})
    target_link_libraries(${target} ${visibility} ${mlir_libs} ${llvm_libs})
  endif()
endfunction()

# add_pit_library(NAME sources... [DEPENDS ...] [LINK_LIBS PIT targets...]
#                 [MLIR_LIBS MLIR targets...] [LLVM_COMPONENTS ...])
# MLIR_LIBS and LLVM_COMPONENTS are what a static link needs; with PIT_LINK_MLIR_DYLIB the two shared
# libraries stand for all of them.
function(add_pit_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS;MLIR_LIBS;LLVM_COMPONENTS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(PIT::${name} ALIAS ${name})
  get_property(tablegen GLOBAL PROPERTY PIT_TABLEGEN_TARGETS)
  add_dependencies(${name} ${tablegen} ${ARG_DEPENDS})
  # Headers that are not installed are named from lib on.
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/lib")
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PIT_INCLUDE_DIR}> $<BUILD_INTERFACE:${PIT_GEN_INCLUDE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  pit_link_mlir(${name} PUBLIC "${ARG_MLIR_LIBS}" "${ARG_LLVM_COMPONENTS}")
  pit_use_precompiled_header(${name})
  install(TARGETS ${name} EXPORT PITTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY PIT_LIBRARIES ${name})
endfunction()

# add_pit_tool(NAME sources... [EXPORT_SYMBOLS] [LINK_LIBS PIT targets...]
#              [MLIR_LIBS MLIR targets...] [LLVM_COMPONENTS ...])
function(add_pit_tool name)
  cmake_parse_arguments(ARG "EXPORT_SYMBOLS" "" "LINK_LIBS;MLIR_LIBS;LLVM_COMPONENTS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_executable(PIT::${name} ALIAS ${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  pit_link_mlir(${name} PRIVATE "${ARG_MLIR_LIBS}" "${ARG_LLVM_COMPONENTS}")
  target_compile_definitions(${name} PRIVATE PIT_VERSION="${PROJECT_VERSION}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  if(PIT_SELF_CONTAINED_TOOLS)
    # libgcc_s stays shared: the archive of a newer GCC asks for a newer C library than the rest does.
    target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tools/OlderGlibc.c")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/tools/OlderGlibc.c" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_link_options(${name} PRIVATE -static-libstdc++ -Wl,--as-needed -Wl,--gc-sections -s)
  elseif(ARG_EXPORT_SYMBOLS)
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  endif()
  install(TARGETS ${name} EXPORT PITTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY PIT_TOOLS ${name})
endfunction()
