// Gradient noise on a lattice, summed over octaves.          Perlin 2002, "Improving noise"
#pragma once

#include <sherd/types.h>

typedef struct sherd_fractal_noise {
    uint64_t seed;
    int octaves;         // each has half the wavelength and half the amplitude of the previous one
    double inverse_size; // 1 / wavelength of the first [1/m]
} sherd_fractal_noise;

// Approximately normally distributed over space, mean 0, standard deviation 1.
double sherd_fractal_noise_at(const sherd_fractal_noise *noise, sherd_vec3 p);

// 64 random bits for a point of the lattice.
uint64_t sherd_lattice_bits(uint64_t seed, int64_t x, int64_t y, int64_t z);

// The lattice cell of a coordinate in units of cells, clamped far beyond any body.
int64_t sherd_lattice_cell(double coordinate);
