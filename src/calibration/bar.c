#include "calibration/bar.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/tetra/tetra_lattice.h"
#include "math/vec3.h"

#include <sherd/world.h>

#include <math.h>
#include <stddef.h>

static const double LENGTH = 3.0; // in widths
static const double GRIP = 4.0;   // depth of a grip, in radii

// Position of a notch along the bar: between two layers of a lattice, whose elements may be exactly
// in the middle.
static const double NOTCH_AT = 0.2 * 1e-3; // [m]

// Cells of a lattice of tetrahedra across the default width. Only whole cells: stretched ones have
// other
// moduli.
static const double TETRA_CELL = 4.0; // in radii

// Distance of close-packed layers in radii.
static const double LAYER = 1.632993161855452; // sqrt(8/3)

double sherd_packing_fill(const sherd_packing *packing)
{
    double volume = packing->element_volume;
    if (packing->volume != NULL) {
        volume = 0.0;
        for (int32_t k = 0; k < packing->count; ++k)
            volume += packing->volume[k];
    }
    return volume / packing->shape_volume;
}

static void choose_size(sherd_bar *bar, const sherd_calibration_def *def, double length)
{
    for (int k = 0; k < 3; ++k)
        bar->size[k] = def->bar_width * SHERD_BAR_RADIUS * (k == bar->axis ? length : 1.0);
    if (def->layers > 0) bar->size[2] = (2.0 + (def->layers - 1) * LAYER) * SHERD_BAR_RADIUS;
}

// Cube root of the mean volume of elements whose radii are uniform between low and high, over that
// of
// elements of radius 1: bars have as many elements whatever their sizes.
static double mean_size(const sherd_packing_def *packing)
{
    double low = packing->size_low, high = packing->size_high;
    if (packing->kind != SHERD_PACKING_RANDOM) return 1.0;
    return cbrt(0.25 * (low + high) * (low * low + high * high));
}

static double tetra_size(const sherd_calibration_def *def)
{
    double cells = round(def->bar_width / TETRA_CELL);
    return TETRA_LATTICE_MEAN_EDGE * SHERD_BAR_RADIUS * def->bar_width / cells;
}

double sherd_bar_radius_of(const sherd_calibration_def *def)
{
    if (def->body != NULL)
        return cbrt(0.75 * def->body->shape_volume / def->body->count / 3.14159265358979323846);
    if (def->packing.kind == SHERD_PACKING_TETRA)
        return SHERD_BAR_RADIUS * def->packing.tetra.size / tetra_size(def);
    return def->packing.radius;
}

sherd_status sherd_bar_init(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                            sherd_error *error)
{
    return sherd_bar_init_long(bar, def, axis, LENGTH, error);
}

sherd_status sherd_bar_init_long(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                                 double length, sherd_error *error)
{
    SHERD_ASSERT(axis >= 0 && axis < 3 && length > 0.0, "a bar lies along an axis");
    *bar = (sherd_bar){.axis = axis, .bond_reach = def->bond_reach, .threads = def->threads};
    choose_size(bar, def, length);
    sherd_packing_def packing = def->packing;
    packing.radius = SHERD_BAR_RADIUS / mean_size(&packing);
    packing.tetra.size = tetra_size(def);
    // always available, and similar to other generators' meshes
    packing.tetra.generator = SHERD_TETRA_LATTICE;
    packing.tetra.mesh_file = NULL;
    packing.orientation = SHERD_PACKING_ORIENT_AXES;
    packing.seed = (uint64_t)axis + 1; // fixed: results are used for bodies with any seed
    packing.layers = packing.kind == SHERD_PACKING_HEX_LAYERS ? def->layers : 0;
    packing.threads = def->threads;
    sherd_shape *box =
        sherd_shape_box((sherd_vec3){bar->size[0], bar->size[1], bar->size[2]}, error);
    if (box == NULL) return SHERD_ERROR_MEMORY;
    bar->packing = sherd_packing_create(box, &packing, error);
    sherd_shape_destroy(box);
    if (bar->packing == NULL) return error != NULL ? error->status : SHERD_ERROR_INPUT;
    bar->fill = sherd_packing_fill(bar->packing);
    if (bar->packing->bond_i == NULL) return SHERD_OK;
    bar->fill = 1.0;
    return sherd_bar_even_out(bar, error);
}

sherd_status sherd_bar_even_out(sherd_bar *bar, sherd_error *error)
{
    bar->even_volume = sherd_alloc((size_t)bar->packing->count, sizeof *bar->even_volume);
    if (bar->even_volume == NULL) {
        sherd_bar_free(bar);
        return sherd_fail_memory(error, "a test bar");
    }
    sherd_even_volumes(bar->packing, bar->even_volume);
    return SHERD_OK;
}

void sherd_bar_free(sherd_bar *bar)
{
    sherd_packing_destroy(bar->packing);
    sherd_free(bar->even_volume);
    *bar = (sherd_bar){0};
}

// ---------------------------------------------------------------- sections

double sherd_bar_section(const sherd_bar *bar)
{
    SHERD_ASSERT(bar->size[0] > 0.0 && bar->size[1] > 0.0 && bar->size[2] > 0.0,
                 "a bar has a size");
    return bar->size[sherd_bar_side(bar, 0)] * bar->size[sherd_bar_side(bar, 1)];
}

double sherd_bar_bending(const sherd_bar *bar)
{
    double height = bar->size[sherd_bar_side(bar, 0)], width = bar->size[sherd_bar_side(bar, 1)];
    return width * height * height * height / 12.0;
}

typedef struct sides {
    double a, b; // a >= b
} sides;

static sides sides_of(const sherd_bar *bar)
{
    double s = bar->size[sherd_bar_side(bar, 0)], t = bar->size[sherd_bar_side(bar, 1)];
    return (sides){fmax(s, t), fmin(s, t)};
}

// Rectangles, accurate to 1 %: Roark's Formulas for Stress and Strain, table 10.7, case 4, for
// full sides a >= b.
double sherd_bar_torsion(const sherd_bar *bar)
{
    sides s = sides_of(bar);
    double thin = s.b / s.a;
    return s.a * s.b * s.b * s.b *
           (1.0 / 3.0 - 0.21 * thin * (1.0 - thin * thin * thin * thin / 12.0));
}

double sherd_bar_torsion_strength(const sherd_bar *bar)
{
    sides s = sides_of(bar);
    double t = s.b / s.a;
    return s.a * s.b * s.b /
           (3.0 * (1.0 + t * (0.6095 + t * (0.8865 + t * (-1.8023 + 0.9100 * t)))));
}

// ---------------------------------------------------------------- loading

static double *component(sherd_vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// `end` is -1 or 1. Grips rotate about the point where the bar enters them, so that bending does
// not stretch it.
static sherd_driver_id add_grip(const sherd_bar *bar, sherd_world *world, sherd_bar_load load,
                                const sherd_bar_path *path, int end, sherd_error *error)
{
    sherd_motion_key keys[SHERD_BAR_KEYS] = {{0}};
    sherd_driver_def def = sherd_driver_def_default();
    int axis = bar->axis, about = load == SHERD_BAR_BEND ? sherd_bar_side(bar, 1) : axis;
    for (int k = 0; k < path->count; ++k) {
        keys[k].time = path->time[k];
        sherd_vec3 *moved = load == SHERD_BAR_PULL ? &keys[k].translation : &keys[k].rotation;
        *component(moved, about) = end * path->amount[k];
    }
    double depth = GRIP * SHERD_BAR_RADIUS, length = bar->size[axis];
    def.name = end < 0 ? "near grip" : "far grip";
    def.drive = SHERD_DRIVE_MOTION;
    def.motion.key_count = path->count;
    def.motion.keys = keys;
    *component(&def.motion.pivot, axis) = end * (0.5 * length - depth);
    // Twice as deep and centred on the bar's end: it covers the end completely.
    sherd_vec3 size = {2.0 * bar->size[0], 2.0 * bar->size[1], 2.0 * bar->size[2]};
    *component(&size, axis) = 2.0 * depth;
    *component(&def.region.pose.position, axis) = end * 0.5 * length;
    sherd_shape *box = sherd_shape_box(size, error);
    if (box == NULL) return (sherd_driver_id){0};
    def.region.shape = box;
    sherd_driver_id id = sherd_world_add_driver(world, &def, error);
    sherd_shape_destroy(box);
    return id;
}

// The factor of a bond: 0 if it crosses the bar's middle below the notch's tip.
static sherd_bond_scale cut_at_notch(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    const sherd_bar *bar = context;
    int side = sherd_bar_side(bar, bar->notch_side);
    double at_i = *component(&i, bar->axis) - NOTCH_AT, at_j = *component(&j, bar->axis) - NOTCH_AT;
    double tip = (bar->notch - 0.5) * bar->size[side];
    bool crosses = (at_i < 0.0) != (at_j < 0.0);
    double share = at_i / (at_i - at_j), a = *component(&i, side), b = *component(&j, side);
    if (!crosses || a + share * (b - a) > tip) return (sherd_bond_scale){1.0, 1.0};
    return (sherd_bond_scale){0.0, 0.0};
}

static bool add_body(const sherd_bar *bar, sherd_world *world, const sherd_material_def *material,
                     sherd_error *error)
{
    const sherd_packing *packing = bar->packing;
    sherd_body_def body = sherd_body_def_default();
    body.name = "test bar";
    body.material = sherd_world_add_material(world, material, error);
    if (body.material.index1 == 0) return false;
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z;
    body.radius = packing->radius;
    body.volume = bar->even_volume;
    body.bonding = packing->bond_i != NULL ? SHERD_BONDING_LIST : SHERD_BONDING_NEAR;
    body.bond_reach = bar->bond_reach;
    body.bond_count = packing->bond_count;
    body.bond_i = packing->bond_i, body.bond_j = packing->bond_j;
    body.bond_section = packing->bond_section;
    body.solid_fraction = bar->fill;
    if (bar->notch > 0.0) body.bond_scale = cut_at_notch, body.bond_scale_context = bar;
    return sherd_world_add_body(world, &body, error).index1 != 0;
}

sherd_status sherd_bar_world_create(const sherd_bar *bar, const sherd_world_def *def,
                                    const sherd_material_def *material, sherd_bar_load load,
                                    const sherd_bar_path *path, sherd_bar_world *out,
                                    sherd_error *error)
{
    sherd_world_def quiet = *def;
    quiet.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    quiet.contacts = false;
    quiet.sleep = false;
    quiet.threads = bar->threads;
    sherd_error local;
    error = error != NULL ? error : &local;
    *out = (sherd_bar_world){.world = sherd_world_create(&quiet, error)};
    if (out->world == NULL) return error->status;
    if (add_body(bar, out->world, material, error) &&
        add_grip(bar, out->world, load, path, -1, error).index1 != 0) {
        out->grip = add_grip(bar, out->world, load, path, 1, error);
        if (out->grip.index1 != 0) return SHERD_OK;
    }
    sherd_world_destroy(out->world);
    out->world = NULL;
    return error->status;
}

double sherd_bar_stress(const sherd_bar *bar, const sherd_bar_world *world, sherd_bar_load load)
{
    sherd_probe_reading reading = sherd_world_probe_driver(world->world, world->grip);
    int side = sherd_bar_side(bar, 1);
    switch (load) {
    case SHERD_BAR_PULL:
        return -*component(&reading.force, bar->axis) / sherd_bar_section(bar);
    case SHERD_BAR_BEND:
        return -*component(&reading.torque, side) * 0.5 * bar->size[sherd_bar_side(bar, 0)] /
               sherd_bar_bending(bar);
    case SHERD_BAR_TWIST:
        return -*component(&reading.torque, bar->axis) / sherd_bar_torsion_strength(bar);
    }
    return NAN;
}

// G / E of bonds assumed here.
static const double SHEAR = 0.4;

// For E = 1: mass that a bond adds to an end of radius r for unit frequency. Translation is
// resisted by kn = S / l, rotation by ks l^2 / 4 + E I / l with I = S^2 / (4 pi), over the moment
// of inertia 2/5 m r^2.
static double needed_mass(double l, double section, double r)
{
    double turning = 0.25 * SHEAR * section * l + section * section / (4.0 * 3.14159265 * l);
    return fmax(section / l, turning / (0.4 * r * r));
}

void sherd_even_volumes(const sherd_packing *packing, double *volume)
{
    SHERD_ASSERT(packing->bond_i != NULL || packing->bond_count == 0, "bonds have ends");
    const sherd_packing *p = packing;
    double sum = 0.0;
    for (int32_t k = 0; k < p->count; ++k)
        volume[k] = 0.0;
    for (int64_t b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        double l = vec3_length(vec3(p->x[j] - p->x[i], p->y[j] - p->y[i], p->z[j] - p->z[i]));
        double r = 0.5 * (p->radius[i] + p->radius[j]);
        double section = p->bond_section != NULL ? p->bond_section[b] : 3.14159265 * r * r;
        volume[i] += needed_mass(l, section, p->radius[i]);
        volume[j] += needed_mass(l, section, p->radius[j]);
    }
    for (int32_t k = 0; k < p->count; ++k)
        sum += volume[k];
    for (int32_t k = 0; k < p->count; ++k) {
        if (!(volume[k] > 0.0)) volume[k] = 1e-3 * sum / p->count; // an element without bonds
        volume[k] *= p->shape_volume / sum;
    }
}
