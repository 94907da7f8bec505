// Sizes of the crumbs of one element.
//
// Fragments of brittle solids have a power law of sizes: the number of those with a radius above r
// is N(>r) = C r^-D, with D from 1.9 to 2.6 for most impacts and explosions, 2.5 in the mean
//                                                                       [Tur86] table 1
// The crumbs of an element are the n largest of a Poisson process of this law, scaled to the
// element's volume. With t_1 < t_2 < ... the arrivals of a Poisson process of rate 1,
//
//     r_k = (C / t_k)^(1/D),       C such that r_1^3 + ... + r_n^3 = R^3,
//
// so that the ratios r_k / r_n, k < n, are n - 1 independent values of the law above 1. Elements are
// cut into different numbers n of crumbs, with ln n uniform: as many into 1 or 2 as into 8 to 16.
#pragma once

#include <stdint.h>

enum { DEBRIS_MOST_CRUMBS = 20 }; // of an element

// Writes the radii of the crumbs of element `element` in units of R, descending, and returns how
// many there are: 1 to `most`, itself at most DEBRIS_MOST_CRUMBS.
int sherd_debris_sizes(double exponent, int most, uint64_t seed, int64_t element,
                       double radius[DEBRIS_MOST_CRUMBS]);
