# Options, compiler flags shared by every target, and build type.

option(SHERD_BUILD_TESTS "Build the tests (needs Criterion)" ${PROJECT_IS_TOP_LEVEL})
option(SHERD_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(SHERD_WERROR "Treat warnings as errors" OFF)
option(SHERD_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(SHERD_FUZZ "Build the fuzz targets, and all else for them (clang)" OFF)
option(SHERD_PICTURES "Build the tracer, which makes pictures (needs Embree and libpng)" ON)
set(SHERD_KERNELS all CACHE STRING "Hot loops for these instruction sets: all, of which each machine takes its best; for \
one alone: native (this machine's best), baseline, avx2 or avx512")
set_property(CACHE SHERD_KERNELS PROPERTY STRINGS all native baseline avx2 avx512)
option(SHERD_BENCH "Build the benchmarks, `sherd bench`, and what they compare with" ON)
option(BUILD_SHARED_LIBS "Link the command to the shared library, and install that" OFF)

if(SHERD_BUILD_TESTS AND NOT SHERD_BENCH)
  message(FATAL_ERROR "Tests compare with what benchmarks do: SHERD_BENCH=OFF wants SHERD_BUILD_TESTS=OFF")
endif()

# The address sanitizer's shared library: Python loads it before ours.
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  set(sanitizer libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
else()
  set(sanitizer libasan.so)
endif()
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${sanitizer}
  OUTPUT_VARIABLE SHERD_SANITIZER_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(CMAKE_C_FLAGS_RELEASE "-O3")

# sherd_cold(PATTERN...): of the library's files in this folder those in which no run spends time to speak of (under 0.8 %
# of a profile of each of 22 scenes and eight exports). With -O1 they compile in two thirds of the time, to the same bits.
function(sherd_cold)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  set_property(SOURCE ${files} TARGET_DIRECTORY sherd APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
endfunction()

function(sherd_target_defaults target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
    C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  # -ffp-contract=off: the same arithmetic for every vector width, so that results are bitwise
  # equal whichever kernel runs. -fno-math-errno lets sqrt become an instruction.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wpointer-arith
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -ffp-contract=off -fno-math-errno)
  # Assertions (base/assertion.h): in debug builds and in those that look for bugs.
  set(debugging $<OR:$<CONFIG:Debug>,$<BOOL:${SHERD_SANITIZE}>,$<BOOL:${SHERD_FUZZ}>>)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE $<${debugging}:SHERD_ASSERTIONS=1>)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/levels) # kernel_levels.h, cmake/kernels.cmake
  if(SHERD_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SHERD_FUZZ)
    set(checks address,undefined,float-cast-overflow)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,${checks} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${checks})
  endif()
  if(SHERD_SANITIZE)
    set(checks address,undefined)
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang") # which links the static library unless told
      string(APPEND checks ,float-cast-overflow)
      get_filename_component(folder ${SHERD_SANITIZER_LIBRARY} DIRECTORY)
      target_link_options(${target} PRIVATE -shared-libasan LINKER:-rpath,${folder})
    endif()
    target_compile_options(${target} PRIVATE -fsanitize=${checks} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${checks})
  endif()
endfunction()
