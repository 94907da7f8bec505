// How the crumbs of an element lie in it before they drift apart.
#pragma once

#include "output/debris/debris.h"

typedef struct debris_source {
    uint64_t seed;
    sherd_element_index element;
    double radius; // R [m]
    debris_form form;
    sherd_vec3 outward; // of the body's surface beside the element; 0: it is an inner one
    sherd_vec3 grain;   // unit vector, of splinters
} debris_source;

// Places `count` crumbs of radii in units of R (descending) around the element's centre, with their
// centre of mass in it.
void sherd_debris_pack(const debris_source *of, int count, const double *radius,
                       debris_crumb *crumbs);
