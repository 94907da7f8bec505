# Hot loops, compiled once per instruction set; base/cpu.h tells which one this machine runs.
#
#   sherd_add_kernel(bond_kernel.c)
#
# builds the file with SHERD_KERNEL(name) (math/lane.h) standing for name_baseline, name_avx2,
# name_avx512, and SHERD_LANES for the width. sherd_add_reference builds it for one number at a time: name_scalar and,
# with the fused multiply-adds of the wide ones, name_scalar_fma.

function(sherd_add_kernel_variant source variant lanes)
  get_filename_component(stem ${source} NAME_WE)
  set(target ${stem}_${variant})
  add_library(${target} OBJECT ${source})
  sherd_target_defaults(${target})
  # Vectors wider than the machine's are passed in memory; nothing outside the file sees them.
  target_compile_options(${target} PRIVATE -Wno-psabi ${ARGN})
  target_compile_definitions(${target} PRIVATE
    SHERD_LANES=${lanes} SHERD_KERNEL_VARIANT=${variant})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_sources(sherd PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

set(SHERD_IS_X86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(SHERD_IS_X86 ON)
endif()

function(sherd_add_kernel source)
  sherd_add_kernel_variant(${source} baseline 2)
  if(SHERD_IS_X86)
    sherd_add_kernel_variant(${source} avx2 4 -mavx2 -mfma)
    sherd_add_kernel_variant(${source} avx512 8
      -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  endif()
endfunction()

function(sherd_add_reference source)
  sherd_add_kernel_variant(${source} scalar 1)
  if(SHERD_IS_X86)
    sherd_add_kernel_variant(${source} scalar_fma 1 -mfma)
  endif()
endfunction()
