// Builds elements and bonds from the curves of yarns.
#pragma once

#include "packing/yarn/yarn_curve.h"

#include <sherd/yarn.h>

// Yarns added so far, element by element. Zero-filled is empty.
typedef struct sherd_yarn_build {
    size_t count, capacity[4];
    sherd_vec3 *point; // [m]
    double *radius;    // [m]
    int32_t *yarn;     // index of the element's yarn
    uint8_t *edge;     // 1 along the edges, where crossings may be glued
    int32_t yarn_count;
    int64_t max_elements;
    bool failed;   // memory ran short
    bool too_many; // more than max_elements
} sherd_yarn_build;

void sherd_yarn_build_free(sherd_yarn_build *build);

// Adds one yarn along `curve`, with elements about `spacing` diameters apart, and frees the curve.
// Returns its first element.
size_t sherd_yarn_build_add(sherd_yarn_build *build, sherd_yarn_curve *curve, double radius,
                            double spacing);

// Creates bonds, glue and volumes, and checks that no two yarns intersect. Frees the build. Returns
// NULL with an error.
sherd_packing *sherd_yarn_build_finish(sherd_yarn_build *build, const sherd_yarn_def *def,
                                       sherd_error *error);

// The kinds of yarn bodies. They fill the build or fail.
sherd_status sherd_yarn_rope(sherd_yarn_build *build, const sherd_yarn_def *def,
                             sherd_error *error);
sherd_status sherd_yarn_woven(sherd_yarn_build *build, const sherd_yarn_def *def,
                              sherd_error *error);
sherd_status sherd_yarn_knitted(sherd_yarn_build *build, const sherd_yarn_def *def,
                                sherd_error *error);

// SHERD_ERROR_INPUT with where = "yarn.MEMBER".
sherd_status sherd_yarn_def_check(const sherd_yarn_def *def, sherd_error *error);
// SHERD_OK, or an error if the value is not a length.
sherd_status sherd_yarn_check_length(const char *where, double value, sherd_error *error);
