# Hot loops, compiled once per instruction set; base/cpu.h tells which one this machine runs.
#
#   sherd_add_kernel(bond_kernel.c)
#
# builds the file with SHERD_KERNEL(name) (math/lane.h) standing for name_baseline, name_avx2,
# name_avx512, or for those of them that SHERD_KERNELS leaves, and SHERD_LANES for the width.

# An object library `target`: one file for one width, with flags that follow.
function(sherd_kernel_objects target source variant lanes)
  add_library(${target} OBJECT ${source})
  sherd_target_defaults(${target})
  # Vectors wider than the machine's are passed in memory; nothing outside the file sees them.
  # Below -O3 gcc does not see that loops over lanes set all of them.
  target_compile_options(${target} PRIVATE -Wno-psabi $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> ${ARGN})
  if((SHERD_SANITIZE OR SHERD_FUZZ) AND NOT variant STREQUAL "scalar")
    sherd_check_memory_alone(${target})
  endif()
  target_compile_definitions(${target} PRIVATE
    SHERD_LANES=${lanes} SHERD_KERNEL_VARIANT=${variant})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
endfunction()

function(sherd_add_kernel_variant source variant lanes)
  get_filename_component(stem ${source} NAME_WE)
  set(target ${stem}_${variant})
  sherd_kernel_objects(${target} ${source} ${variant} ${lanes} ${ARGN})
  target_sources(sherd PRIVATE $<TARGET_OBJECTS:${target}>)
  set_property(GLOBAL APPEND PROPERTY SHERD_KERNEL_OBJECTS $<TARGET_OBJECTS:${target}>)
endfunction()

# Of a kernel's sanitized builds only the scalar one in double precision is checked for undefined behaviour
# and for addresses on the stack: the source is the same, vectors on the stack are registers, and a file of
# inlined code takes minutes to compile with every check. What is left is the memory of others.
function(sherd_check_memory_alone target)
  target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE --param asan-stack=0)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -asan-stack=0")
  endif()
endfunction()

# What SHERD_KERNELS comes to: SHERD_LEVELS, and base/cpu.h's part of it, kernel_levels.h. Only what chooses between
# kernels depends on that, so that levels are added to a build without compiling the rest again.
function(sherd_choose_levels)
  set(all baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND all avx2 avx512)
  endif()
  set(levels ${SHERD_KERNELS})
  if(levels STREQUAL "native")
    set(levels baseline)
    if(NOT all STREQUAL "baseline")
      unset(SHERD_NATIVE CACHE) # asked each time: build folders move
      try_run(SHERD_NATIVE SHERD_NATIVE_COMPILED ${PROJECT_BINARY_DIR}/levels/native ${PROJECT_SOURCE_DIR}/cmake/native.c)
      if(NOT SHERD_NATIVE MATCHES "^[012]$")
        message(FATAL_ERROR "SHERD_KERNELS=native: programs for the target don't run here; name its level instead")
      endif()
      list(GET all ${SHERD_NATIVE} levels)
    endif()
    message(STATUS "SHERD_KERNELS is native: ${levels} alone")
  elseif(levels STREQUAL "all")
    set(levels ${all})
  elseif(NOT levels IN_LIST all)
    message(FATAL_ERROR "SHERD_KERNELS=${levels}: choose all, native or one of ${all}")
  endif()
  set(SHERD_LEVELS ${levels} PARENT_SCOPE)
  list(LENGTH levels count)
  set(SHERD_ALL_LEVELS OFF PARENT_SCOPE)
  if(count GREATER 1)
    set(SHERD_ALL_LEVELS ON PARENT_SCOPE)
    set(text "#define SHERD_ALL_LEVELS 1\n")
  else()
    string(TOUPPER ${levels} upper)
    set(text "#define SHERD_LEVEL_ALONE SHERD_SIMD_${upper}\n#define SHERD_VARIANT_ALONE ${levels}\n")
    if(levels STREQUAL "avx2")
      string(APPEND text "#define SHERD_TARGET_ALONE \"avx2\"\n")
    elseif(levels STREQUAL "avx512")
      string(APPEND text "#define SHERD_TARGET_ALONE \"avx512f\"\n")
    endif()
  endif()
  if(SHERD_BUILD_TESTS AND levels MATCHES "^avx")
    message(FATAL_ERROR "Tests need all kernels, or the baseline's: SHERD_KERNELS=${SHERD_KERNELS} wants SHERD_BUILD_TESTS=OFF")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/levels/kernel_levels.h
    CONTENT "// From SHERD_KERNELS, by cmake/kernels.cmake\n#pragma once\n\n${text}" @ONLY)
endfunction()
sherd_choose_levels()

# Each level's flags; after them those of a kernel.
set(SHERD_FLAGS_baseline "")
set(SHERD_FLAGS_avx2 -mavx2 -mfma)
set(SHERD_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)

function(sherd_add_kernel source)
  set(lanes_baseline 2)
  set(lanes_avx2 4)
  set(lanes_avx512 8)
  if("SINGLE" IN_LIST ARGN)
    set(name single_)
    set(flags -DSHERD_SINGLE)
    set(lanes_baseline 4)
    set(lanes_avx2 8)
    set(lanes_avx512 16)
  elseif("WIDE" IN_LIST ARGN)
    set(name wide_)
    set(flags -DSHERD_WIDE)
  endif()
  # Two passes of gcc that take a third of the time in which the tangent's kernel compiles; without them its products
  # take 1.5 % more instructions (AVX2). Not of bonds' kernels: up to 3.6 % more, for an eighth of the time.
  if(source MATCHES "tangent_kernel" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -fno-gcse -fno-gcse-after-reload)
  endif()
  foreach(level IN LISTS SHERD_LEVELS)
    set(optimized "")
    # Kernels of bonds and of their tangent have vectors written out. With -O1 they take 3 to 5 % longer and compile in
    # half the time or a quarter, which is enough for machines from before AVX2. Points' take 1.6 times as long without -O3.
    if(SHERD_ALL_LEVELS AND level STREQUAL "baseline" AND source MATCHES "bond_kernel|tangent_kernel")
      set(optimized $<$<CONFIG:Release>:-O1>)
    endif()
    sherd_add_kernel_variant(${source} ${name}${level} ${lanes_${level}} ${optimized} ${SHERD_FLAGS_${level}} ${flags})
  endforeach()
endfunction()
