// Forces of tetrahedra over a range of indices. Compiled once per instruction set. Arrays are padded
// (base/memory.h): whole vectors are read and written past the last tetrahedron.
#pragma once

#include "models/fem/fem.h"

typedef void sherd_fem_forces_function(sherd_fem *fem, size_t begin, size_t end);
sherd_fem_forces_function sherd_fem_forces_baseline;
sherd_fem_forces_function sherd_fem_forces_avx2;   // x86-64 only
sherd_fem_forces_function sherd_fem_forces_avx512; // x86-64 only

// Below this determinant of F the rotation is found by sherd_fem.find_rotation.
#define SHERD_FEM_FLAT 0.05
