// Bars of calibrated solids, pulled slowly with explicit steps until they break: what they show against
// what was asked for.
#pragma once

#include <sherd/calibrate.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

// What the judgement of calibration allows.
#define MODULUS_WITHIN 0.05
#define POISSON_WITHIN 0.05
#define STRENGTH_WITHIN 0.15

#define E_ASKED 20e9
#define NU_ASKED 0.2
#define TENSILE_ASKED 15e6
#define DENSITY_ASKED 2400.0

// ---------------------------------------------------------------- calibration

// Its own bars are made a little thinner than by default, to save time.
static inline sherd_calibration_def elastic_task(sherd_packing_kind kind)
{
    sherd_calibration_def def = sherd_calibration_def_default();
    def.packing.kind = kind;
    def.youngs_modulus = E_ASKED;
    def.poissons_ratio = NU_ASKED;
    def.bar_width = 13.0;
    def.cache_folder = "";
    return def;
}

static inline sherd_calibration calibrate(const sherd_calibration_def *def)
{
    sherd_error error;
    sherd_calibration result;
    cr_assert(eq(int, sherd_calibrate(def, &result, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
    return result;
}

// ---------------------------------------------------------------- the bar

typedef struct bar {
    sherd_packing *packing;
    sherd_vec3 size; // [m]
    sherd_world *world;
    sherd_driver_id grip;
} bar;

static inline bar fill_bar(const sherd_packing_def *packing, double length, double width,
                           double height)
{
    sherd_error error;
    bar b = {.size = {length, width, height}};
    sherd_shape *box = sherd_shape_box(b.size, &error);
    b.packing = sherd_packing_create(box, packing, &error);
    cr_assert(b.packing != NULL, "%s: %s", error.where, error.what);
    sherd_shape_destroy(box);
    return b;
}

static inline sherd_driver_id add_grip(const bar *b, double end, double depth, double speed)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box =
        sherd_shape_box((sherd_vec3){2.0 * depth, 2.0 * b->size.y, 2.0 * b->size.z}, &error);
    d.region.shape = box;
    d.region.pose.position.x = end * 0.5 * b->size.x;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = end * speed;
    sherd_driver_id id = sherd_world_add_driver(b->world, &d, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

// Gripped over `grip` of its length at each end; `scale` may be NULL.
static inline void build_scaled(bar *b, sherd_world_def def, const sherd_material_def *material,
                                double grip, double speed, sherd_bond_scale_function *scale,
                                const void *context)
{
    sherd_error error;
    def.gravity = (sherd_vec3){0, 0, 0};
    def.contacts = false;
    def.sleep = false;
    def.threads = 2;
    b->world = sherd_world_create(&def, &error);
    const sherd_packing *p = b->packing;
    sherd_body_def body = sherd_body_def_default();
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius, body.volume = p->volume;
    if (p->bond_i != NULL) body.bonding = SHERD_BONDING_LIST;
    body.bond_count = p->bond_count, body.bond_i = p->bond_i, body.bond_j = p->bond_j;
    body.bond_section = p->bond_section;
    body.solid_fraction = p->volume != NULL ? 1.0 : p->solid_fraction; // as scenes have it
    body.bond_scale = scale, body.bond_scale_context = context;
    body.material = sherd_world_add_material(b->world, material, &error);
    cr_assert(sherd_world_add_body(b->world, &body, &error).index1 != 0, "%s", error.what);
    add_grip(b, -1.0, grip, speed);
    b->grip = add_grip(b, 1.0, grip, speed);
}

static inline void build_with(bar *b, sherd_world_def def, const sherd_material_def *material,
                              double radius, double speed)
{
    build_scaled(b, def, material, 4.0 * radius, speed, NULL, NULL);
}

static inline void build(bar *b, const sherd_material_def *material, double radius, double speed)
{
    build_with(b, sherd_world_def_default(), material, radius, speed);
}

static inline void drop(bar *b)
{
    sherd_world_destroy(b->world);
    sherd_packing_destroy(b->packing);
}

// ---------------------------------------------------------------- measuring

typedef struct line {
    double n, x, y, xx, xy;
} line;

static inline void add(line *s, double x, double y)
{
    s->n += 1.0, s->x += x, s->y += y, s->xx += x * x, s->xy += x * y;
}

static inline double slope(const line *s)
{
    return (s->n * s->xy - s->x * s->y) / (s->n * s->xx - s->x * s->x);
}

// Strain along the bar and the mean of those across, by elements of its middle half.
static inline void strains(const bar *b, double *length, double *across)
{
    line x = {0}, y = {0}, z = {0};
    sherd_element_view e = sherd_world_elements(b->world);
    for (int k = 0; k < e.count; ++k) {
        sherd_vec3 rest = sherd_world_element(b->world, k).rest;
        if (fabs(rest.x) > 0.25 * b->size.x) continue;
        add(&x, rest.x, e.x[k] - rest.x);
        add(&y, rest.y, e.y[k] - rest.y);
        add(&z, rest.z, e.z[k] - rest.z);
    }
    *length = slope(&x);
    // A single layer has no thickness to measure.
    bool thick = z.xx - z.x * z.x / z.n > 1e-6 * x.xx;
    *across = thick ? 0.5 * (slope(&y) + slope(&z)) : slope(&y);
}

typedef struct measured {
    double modulus, poissons_ratio, strength, density;
} measured;

// Pulled so that waves run along the bar some 30 times before it breaks.
static inline measured pull(bar *b, const sherd_material_def *material, double radius)
{
    double wave = sqrt(E_ASKED / DENSITY_ASKED), strain = TENSILE_ASKED / E_ASKED;
    build(b, material, radius, 0.5 * strain * wave / 30.0);
    sherd_error error;
    double dt = 0.7 * sherd_world_stable_time_step(b->world, &error),
           section = b->size.y * b->size.z;
    sherd_world_set_time_step(b->world, dt, &error);
    int64_t steps = (int64_t)(0.25 * b->size.x / wave / dt); // a sample is a quarter of a crossing
    measured m = {0};
    line straight = {0}, lateral = {0};
    double stress = 0.0;
    // Until half of it is lost, but not for ever: 100 crossings.
    for (int k = 0; k < 400 && stress >= 0.5 * m.strength; ++k) {
        double before, after, across_before, across_after;
        strains(b, &before, &across_before);
        sherd_world_reset_probes(b->world);
        cr_assert(eq(int, sherd_world_step(b->world, steps, &error), SHERD_OK), "%s", error.what);
        stress = -sherd_world_probe_driver(b->world, b->grip).force.x / section;
        m.strength = fmax(m.strength, stress);
        bool broken = sherd_world_bonds(b->world).broken_count > 0;
        if (broken || stress < 0.2 * TENSILE_ASKED || stress > 0.6 * TENSILE_ASKED) continue;
        strains(b, &after, &across_after);
        add(&straight, 0.5 * (before + after), stress);
        add(&lateral, 0.5 * (before + after), 0.5 * (across_before + across_after));
    }
    m.modulus = slope(&straight);
    m.poissons_ratio = -slope(&lateral);
    for (int k = 0; k < b->packing->count; ++k)
        m.density += sherd_world_element(b->world, k).mass / (b->size.x * b->size.y * b->size.z);
    return m;
}

static inline void check(const char *name, const measured *m, double poissons_ratio)
{
    cr_log_info("%s: E %.4f, nu %.3f, strength %.3f of what was asked", name, m->modulus / E_ASKED,
                m->poissons_ratio, m->strength / TENSILE_ASKED);
    cr_expect(epsilon_eq(dbl, m->modulus, E_ASKED, MODULUS_WITHIN * E_ASKED), "%s", name);
    cr_expect(epsilon_eq(dbl, m->poissons_ratio, poissons_ratio, POISSON_WITHIN), "%s", name);
    cr_expect(epsilon_eq(dbl, m->strength, TENSILE_ASKED, STRENGTH_WITHIN * TENSILE_ASKED), "%s",
              name);
    // By rounding alone: masses are scaled to the shape's volume.
    cr_expect(epsilon_eq(dbl, m->density, DENSITY_ASKED, 1e-6 * DENSITY_ASKED), "%s", name);
}
