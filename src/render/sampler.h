// Low-discrepancy random numbers for one pixel. Owen-scrambled (0,2)-sequences are walked along a
// randomised Z-order curve over the picture, so that samples are stratified inside a pixel and the
// errors of neighbouring pixels differ: the noise is fine-grained and easy to filter.
//   Ahmed and Wonka, Screen-space blue-noise diffusion of Monte Carlo sampling error (2020)
//   Laine and Karras, Stratified sampling for stochastic transparency (2011): the hash scrambling
// The numbers depend only on seed, pixel, sample and dimension, not on the number of threads.
#pragma once

#include <stdint.h>

// The dimensions of the sample space, in pairs.
typedef enum sampler_use {
    SAMPLER_PIXEL = 0, // position inside the pixel
    // choice of base or coat; also faces of glass beyond SAMPLER_GLASS_PLANNED
    SAMPLER_LOBE,
    // point on the key light: one pair for each depth of the path
    SAMPLER_LIGHT,
    SAMPLER_BOUNCE = SAMPLER_LIGHT + 6, // direction of the next ray
    SAMPLER_AREA = SAMPLER_BOUNCE + 6,  // point on an area light
    SAMPLER_SKY = SAMPLER_AREA + 6,     // direction to the environment
    SAMPLER_LENS = SAMPLER_SKY + 6,     // position on the lens
    SAMPLER_TIME,                       // time while the shutter is open
    // microfacet, and reflection or refraction, at the first faces of glass: two pairs for each
    // face
    SAMPLER_GLASS,
    SAMPLER_ROULETTE = SAMPLER_GLASS + 6, // whether a weak path through glass goes on
    SAMPLER_USES
} sampler_use;

enum { SAMPLER_GLASS_PLANNED = 3 }; // faces of glass

typedef struct sampler {
    uint64_t prefix[SAMPLER_USES]; // permuted Z-order rank of the pixel, per use
    uint64_t tile[SAMPLER_USES];   // the high digits of it, which all pixels of a tile share
    uint64_t known, tile_known;    // bit masks of the uses whose prefix or tile is up to date
    uint64_t morton;               // Z-order rank of the pixel
    uint64_t key[SAMPLER_USES], scramble[SAMPLER_USES]; // from the seed
    int sample_bits;                                    // log2 of the samples per pixel, rounded up
    uint32_t sample;
} sampler;

typedef struct sample2 {
    float u, v; // [0, 1)
} sample2;

// A sampler for pictures with `samples` samples per pixel.
sampler sherd_sampler_make(int samples, uint64_t seed);
// Starts a pixel. Set `sample` before drawing. Pixels of the tile of the previous pixel cost less.
void sherd_sampler_start(sampler *random, uint32_t x, uint32_t y);

sample2 sherd_sampler_draw(sampler *random, int use);
