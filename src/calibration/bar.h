// Test bars: square bars of a packing along x, y or z, between two grips.
//
//        grip |<---- free ---->| grip         3 widths long; lengths are in element radii, the
//      [######------[ gauge ]------######]    elements' radius is always BAR_RADIUS
//
// Lattices have their layers perpendicular to z and rows along x, whichever way the bar points.
#pragma once

#include <sherd/calibrate.h>
#include <sherd/packing.h>
#include <sherd/world_def.h>

static const double SHERD_BAR_RADIUS = 1e-3; // [m]

typedef struct sherd_bar {
    sherd_packing *packing;
    double
        *even_volume; // sherd_even_volumes; NULL: all elements have equal masses (packing->count)
    int axis;         // along the bar: 0, 1, 2
    double size[3];   // of the box along x, y, z [m]
    double fill;      // fraction of the box's volume that the elements' mass represents
    double bond_reach;
    double
        notch; // a cut across its middle, from the lower face of a side up to this share of its width; 0: none
    int notch_side; // 0 or 1: sherd_bar_side
    bool own;       // cut out of the calibrated body itself: cut.h
    int threads;
} sherd_bar;

// The radius of a body's elements that corresponds to SHERD_BAR_RADIUS in the bar [m].
double sherd_bar_radius_of(const sherd_calibration_def *def);

// Volume that the mass of a packing's elements represents, as a fraction of its shape's volume.
double sherd_packing_fill(const sherd_packing *packing);

// `length` is relative to the width.
sherd_status sherd_bar_init_long(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                                 double length, sherd_error *error);
sherd_status sherd_bar_init(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                            sherd_error *error);
// Computes `even_volume` for the bar's packing. If memory runs short, frees the bar.
sherd_status sherd_bar_even_out(sherd_bar *bar, sherd_error *error);
void sherd_bar_free(sherd_bar *bar);

// Axes across the bar: (axis, side 0, side 1) is right-handed.
static inline int sherd_bar_side(const sherd_bar *bar, int side)
{
    return (bar->axis + 1 + side) % 3;
}
double sherd_bar_section(const sherd_bar *bar); // [m^2]
// Second moment of area for bending about side 1 [m^4], torsion constant [m^4] and section modulus
// of torsion [m^3].
double sherd_bar_bending(const sherd_bar *bar);
double sherd_bar_torsion(const sherd_bar *bar);
double sherd_bar_torsion_strength(const sherd_bar *bar);

// ---------------------------------------------------------------- loading

typedef enum sherd_bar_load {
    SHERD_BAR_PULL = 0, // displacement of each grip outwards [m]
    SHERD_BAR_BEND,     // rotation of each grip about side 1, opposite ways [rad]
    SHERD_BAR_TWIST,    // about the bar's axis, opposite ways [rad]
} sherd_bar_load;

// Positions of both grips at given times, linear in between.
enum { SHERD_BAR_KEYS = 6 };
typedef struct sherd_bar_path {
    int count;
    double time[SHERD_BAR_KEYS], amount[SHERD_BAR_KEYS];
} sherd_bar_path;

typedef struct sherd_bar_world {
    sherd_world *world;
    sherd_driver_id grip; // at the far end
} sherd_bar_world;

// A world with a bar of this material between moving grips, without gravity and contacts, with
// masses suitable for explicit steps.
sherd_status sherd_bar_world_create(const sherd_bar *bar, const sherd_world_def *def,
                                    const sherd_material_def *material, sherd_bar_load load,
                                    const sherd_bar_path *path, sherd_bar_world *out,
                                    sherd_error *error);

// Nominal stress at a grip since the probes were last reset [Pa]: force over section; in bending and
// torsion the largest stress of the elastic bar.
double sherd_bar_stress(const sherd_bar *bar, const sherd_bar_world *world, sherd_bar_load load);

// Mass scaling of a test bar for the largest time step; its equilibrium does not depend on masses:
// volumes for the elements of a packing that lists its bonds (count), proportional to the stiffness
// of their bonds: all elements then vibrate at about one frequency, while otherwise small elements
// and short bonds would limit the time step. The sum of volumes is the shape's volume.
void sherd_even_volumes(const sherd_packing *packing, double *volume);
