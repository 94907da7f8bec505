# Hot loops, compiled once per instruction set; base/cpu.h tells which one this machine runs.
#
#   sherd_add_kernel(bond_kernel.c)
#
# builds the file with SHERD_KERNEL(name) (math/lane.h) standing for name_baseline, name_avx2,
# name_avx512, and SHERD_LANES for the width.

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

set(SHERD_IS_X86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT SHERD_BASELINE_ONLY)
  set(SHERD_IS_X86 ON)
endif()

function(sherd_add_kernel source)
  if("SINGLE" IN_LIST ARGN)
    set(name single_)
    set(lanes 4 8 16)
    set(single -DSHERD_SINGLE)
  elseif("WIDE" IN_LIST ARGN)
    set(name wide_)
    set(lanes 2 4 8)
    set(single -DSHERD_WIDE)
  else()
    set(lanes 2 4 8)
  endif()
  list(GET lanes 0 baseline)
  list(GET lanes 1 avx2)
  list(GET lanes 2 avx512)
  if(NOT SHERD_IS_X86)
    sherd_add_kernel_variant(${source} ${name}baseline ${baseline} ${single})
  else()
    # Kernels of bonds and of their tangent have vectors written out. With -O1 they take 3 to 5 % longer and compile in
    # half the time or a quarter, which is enough for machines from before AVX2. Points' take 1.6 times as long without -O3.
    if(source MATCHES "bond_kernel|tangent_kernel")
      set(plain $<$<CONFIG:Release>:-O1>)
    endif()
    sherd_add_kernel_variant(${source} ${name}baseline ${baseline} ${plain} ${single})
    sherd_add_kernel_variant(${source} ${name}avx2 ${avx2} -mavx2 -mfma ${single})
    sherd_add_kernel_variant(${source} ${name}avx512 ${avx512}
      -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512 ${single})
  endif()
endfunction()
