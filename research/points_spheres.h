// A moving sphere that hits three at rest [MPMG] Fig. 4, Table 1: spheres of 3911 points, radius 1 m, nodes 0.2 m apart, friction
// 0.2, 3 m/s from 3 m above, no gravity, 10 s. Not given there, and chosen: E 0.1 MPa, nu 0.3, 1000 kg/m^3, centres 2.2 m apart.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef struct points_spheres_def {
    bool paper;      // contact by pairs, as there; by surfaces otherwise
    double turn;     // of the triangle about the vertical [rad]
    double shift[3]; // of all, against the grid [m]
    int threads;
} points_spheres_def;

typedef struct points_spheres {
    double y[3],
        speed
            [3]; // of the three: mean place along the vertical [m], size of the mean velocity [m/s]
    double spread;      // of y: (largest - least) / |mean|
    double momentum;    // error of its sum, over that at the start
    double energy;      // kinetic and stored at the end, over that at the start
    long long unsolved; // nodes
} points_spheres;

sherd_status points_spheres_run(const points_spheres_def *def, points_spheres *out,
                                sherd_error *error);
