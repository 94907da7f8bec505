// Contributions of bonds to the stress of their ends, by vectors of bonds; compiled once per
// instruction set.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/storage/bonds.h"

#include <sherd/stress.h>

struct sherd_moment_numbers;

typedef struct sherd_moment_work {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    // constants of the list's bonds (moment_numbers.h); NULL: none stored
    const struct sherd_moment_numbers *numbers;
    // bond indices; NULL: consecutive bonds from `first` on
    const int32_t *list;
    int64_t first;
    // For each bond, from `first` on: V times its stress contribution, the symmetric part of (b/2)
    // F [N m]; 0 if broken.
    sherd_stress *moments;
} sherd_moment_work;

enum {
    SHERD_MOMENT_RUN = 8,
    SHERD_MOMENT_HISTORY = 16
}; // bonds; most values in the history of a law

// A run of bonds of one law. Lanes from `count` on repeat the first bond.
typedef struct sherd_moment_run {
    int count;
    sherd_bond_law law;
    double numbers[SHERD_SLOT_NUMBERS][SHERD_MOMENT_RUN] __attribute__((aligned(64)));
    double history[SHERD_MOMENT_HISTORY][SHERD_MOMENT_RUN] __attribute__((aligned(64)));
    double integrity[SHERD_MOMENT_RUN] __attribute__((aligned(64)));
    int32_t i[SHERD_MOMENT_RUN], j[SHERD_MOMENT_RUN];
    int64_t bond[SHERD_MOMENT_RUN];
} sherd_moment_run;

typedef void sherd_moment_function(const sherd_moment_work *work, const sherd_moment_run *run);

sherd_moment_function sherd_moments_baseline;
sherd_moment_function sherd_moments_avx2;   // x86-64 only
sherd_moment_function sherd_moments_avx512; // x86-64 only

// A row is SHERD_MOMENT_RUN consecutive bonds of one class whose lower and upper ends are
// consecutive too, as along rows of lattices. They need no gathering.
typedef struct sherd_moment_row {
    int32_t i, j;          // ends of the first bond
    int64_t bond;          // the first bond
    const double *numbers; // constants of their class (bond_numbers.h)
    sherd_bond_law law;    // a law without history
} sherd_moment_row;

typedef void sherd_moment_row_function(const sherd_moment_work *work, const sherd_moment_row *row);

sherd_moment_row_function sherd_moment_row_baseline;
sherd_moment_row_function sherd_moment_row_avx2;   // x86-64 only
sherd_moment_row_function sherd_moment_row_avx512; // x86-64 only
