// What bonds add to the stress of either end, one vector of bonds after the other; compiled once per instruction set.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/storage/bonds.h"

#include <sherd/stress.h>

struct sherd_moment_numbers;

typedef struct sherd_moment_work {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    const struct sherd_moment_numbers *numbers; // of the list (moment_numbers.h); NULL: none
    const int32_t *list;                        // numbers of bonds; NULL: those from `first` on
    int64_t first;
    // By bond, from `first` on: V times what it adds, the part of (b/2) F that is symmetric [N m]; 0 of broken ones.
    sherd_stress *moments;
} sherd_moment_work;

enum {
    SHERD_MOMENT_RUN = 8,
    SHERD_MOMENT_HISTORY = 16
}; // bonds; numbers that a law remembers at most

// Bonds of one law; places beyond `count` repeat the first.
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

// SHERD_MOMENT_RUN bonds of one class that follow each other, as do both their ends: along rows of lattices. Nothing is
// gathered for them.
typedef struct sherd_moment_row {
    int32_t i, j;          // ends of the first
    int64_t bond;          // the first
    const double *numbers; // of their class (bond_numbers.h)
    sherd_bond_law law;    // without a history
} sherd_moment_row;

typedef void sherd_moment_row_function(const sherd_moment_work *work, const sherd_moment_row *row);

sherd_moment_row_function sherd_moment_row_baseline;
sherd_moment_row_function sherd_moment_row_avx2;   // x86-64 only
sherd_moment_row_function sherd_moment_row_avx512; // x86-64 only
