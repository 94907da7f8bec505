// A surface at rest: where it lies beside a cube, and the samples that stand for it.
#pragma once

#include "models/mpm/surface/mpm_body_surface.h"

// Where nothing is known of a face it is the cube's own.
sherd_mpm_rest_face sherd_mpm_body_surface_rest_face(const sherd_mpm_surface_fit *outer,
                                                     const sherd_mpm_lattice *lattice,
                                                     int32_t number, int side);

// Into how many parts along each axis a cube is cut, of what is listed in a lattice and has these sides.
uint8_t sherd_mpm_body_surface_fineness(const sherd_mpm_surface_fit *outer,
                                        const sherd_mpm_lattice *lattice, size_t listed,
                                        uint8_t sides);
// How many samples that makes.
uint8_t sherd_mpm_body_surface_count(uint8_t sides, uint8_t fine);

// Of a site, for the sides that it exposes now.
void sherd_mpm_body_surface_set_samples(sherd_mpm_body_surface *surface,
                                        const sherd_mpm_site *site);

// The place on the surface of a face that is nearest to a place, from the point [spacing], and the normal there, about a unit
// long.
void sherd_mpm_body_surface_nearest(const sherd_mpm_rest_face *face, int side, double spacing,
                                    const double place[3], double foot[3], double normal[3]);
