#include "calibration/strength_test.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <sherd/world.h>

#include <math.h>

// Tensile strength of bonds over their E: strains are so small that results are proportional to
// strength.
static const double STRENGTH = 1e-3;

// Number of times that waves cross the bar until the first bond breaks; their stress is about half
// the inverse.
static const double CROSSINGS = 10.0;

// Damping ratio of a bond: damps the vibrations caused by breaking bonds.
static const double DAMPING = 0.3;

// The test ends at this many times the load at which the first bond breaks: irregular meshes break
// their first bond at a third of their strength. Curves end earlier.
static const double FARTHEST = 8.0, SHOWN = 3.0;

// With softening bonds, rows of a lattice transfer their load to adjacent bonds, and a bar
// continues to harden, the more the larger the fracture energy; a notched body, in which a single
// crack opens, has failed by then. The strength of hcp is the geometric mean of two values: the
// largest stress before the strain exceeds SOFTENED times the elastic strain of this stress, and
// the largest before MAX_AMPLITUDE times that. For bars without a notch, relative to cohesive cracks, and
// notched strips at E G_f / (sigma^2 r) of 27 and 550: by the first value alone 1.09, 1.22 and
// 0.98, 1.09; by the mean 1.03, 1.08 and 0.95, 0.96. Bars of other packings have their maximum
// before.
static const double SOFTENED = 2.5, MAX_AMPLITUDE = 5.0;

// Upper bound of the mean over the first value.
static const double HARDENED = 1.15;

// The bar has failed when its stress has fallen to this fraction of its maximum. It is loaded
// slightly further, to AFTER times the strain, to show this in the curve, or until the stress has
// fallen to BROKEN. The strength of a pulled bar is its maximum: a crack that is arrested does not
// end the test. Twisted bars carry load long after they failed: their pieces are jammed between the
// grips.
static const double TWISTED_FAILED = 0.9, BROKEN = 0.6, AFTER = 1.1;

// Compressed bars carry up to ten times as much as pulled ones. The test ends at this many times
// the displacement at which the first bond breaks, and loading is five times as fast, which adds
// some hundredths to their strength.
static const double CRUSH_FARTHEST = 30.0, CRUSH_CROSSINGS = 2.0;

// The grips accelerate slowly, in steps of velocity.
static void slow_start(double amount, double time, sherd_bar_path *path)
{
    double slow = 0.05 * time, at = 0.0, moved = 0.0, speed = amount / time;
    path->count = SHERD_BAR_KEYS;
    path->time[0] = path->amount[0] = 0.0;
    for (int k = 1; k < SHERD_BAR_KEYS; ++k) {
        double span = k + 1 < SHERD_BAR_KEYS ? slow : CRUSH_FARTHEST * time;
        double share = fmin(1.0, (double)k / (SHERD_BAR_KEYS - 1));
        at += span;
        moved += share * speed * span;
        path->time[k] = at;
        path->amount[k] = moved;
    }
}

static double amount_at(const sherd_bar_path *path, double time)
{
    int k = 1;
    while (k + 1 < path->count && path->time[k] < time)
        ++k;
    double share = (time - path->time[k - 1]) / (path->time[k] - path->time[k - 1]);
    return path->amount[k - 1] + share * (path->amount[k] - path->amount[k - 1]);
}

static void add_point(sherd_calibration_curve *curve, double strain, double stress)
{
    if (curve == NULL || curve->count == SHERD_CALIBRATION_POINTS) return;
    curve->strain[curve->count] = strain;
    curve->stress[curve->count++] = stress;
}

typedef struct pulling {
    const sherd_bar *bar;
    sherd_bar_load load;
    const sherd_elastic_result *elastic;
    sherd_bar_path path;
    bool softens, presses;
    double enough;               // stress at which compression ends
    sherd_strength_range within; // strengths for which loading continues beyond the first value
    // grip displacement at which the first bond breaks, without scatter
    double first;
    sherd_strength_result *out;
    sherd_calibration_curve *curve;
} pulling;

typedef struct progress {
    double amount, last, top; // of the grips; present and largest stress, over sigma_c
    double strength;          // `top`, or with softening bonds the strength as defined above
    double failed_at;         // displacement, 0 = not yet
    bool sheared;             // bonds broke by shear or twisting before it failed
} progress;

// Grip displacement at which an elastic bar has this stress over sigma_c.
static double elastic_amount(const pulling *p, double stress)
{
    if (!p->softens || p->presses || p->load != SHERD_BAR_PULL) return INFINITY;
    return stress * STRENGTH / (p->elastic->modulus * p->elastic->strain);
}

static void note(const pulling *p, const sherd_bar_world *world, double amount, progress *now)
{
    const double sigma_c = STRENGTH * SHERD_BAR_BOND_MODULUS;
    now->amount = amount;
    now->last = (p->presses ? -1.0 : 1.0) * sherd_bar_stress(p->bar, world, p->load) / sigma_c;
    add_point(p->curve, amount * p->elastic->strain / STRENGTH, now->last);
    if (now->failed_at > 0.0) return;
    now->top = fmax(now->top, now->last);
    double failed = p->load == SHERD_BAR_TWIST ? TWISTED_FAILED : BROKEN;
    if (now->amount <= elastic_amount(p, SOFTENED * now->strength) || now->strength == 0.0)
        now->strength = now->top;
    bool damaged = p->softens || sherd_world_bonds(world->world).broken_count > 0;
    if (damaged && now->last < failed * now->top) now->failed_at = amount;
}

static double farthest(const pulling *p, const progress *now)
{
    if (p->presses) return CRUSH_FARTHEST * p->first;
    return fmin(elastic_amount(p, MAX_AMPLITUDE * now->strength),
                (p->softens ? 2.0 : 1.0) * FARTHEST * p->first);
}

static bool is_over(const pulling *p, const progress *now)
{
    if (p->presses && now->last >= p->enough) return true;
    bool counted = now->strength > 0.0 && now->amount > elastic_amount(p, SOFTENED * now->strength);
    bool far = HARDENED * now->strength < p->within.low || now->strength > p->within.high;
    if (counted && far) return true;
    if (now->failed_at > 0.0)
        return now->last < BROKEN * now->top || now->amount > AFTER * now->failed_at;
    return now->amount > farthest(p, now);
}

static bool has_sheared(const sherd_world *world)
{
    int64_t count = sherd_world_break_count(world);
    if (count == 0) return false;
    sherd_break *breaks = sherd_alloc((size_t)count, sizeof *breaks);
    if (breaks == NULL) return true;
    sherd_world_breaks(world, breaks);
    bool sheared = false;
    for (int64_t k = 0; k < count && !sheared; ++k)
        sheared = breaks[k].mode == SHERD_BREAK_SHEAR || breaks[k].mode == SHERD_BREAK_TWISTING;
    sherd_free(breaks);
    return sheared;
}

static sherd_status load_until_broken(const pulling *p, const sherd_bar_world *world, double time,
                                      sherd_error *error)
{
    double limit = sherd_world_stable_time_step(world->world, error);
    if (!(limit > 0.0)) return SHERD_ERROR_UNSTABLE;
    // The number of samples of a curve without gaps.
    double interval = SHOWN * 1.15 * time / SHERD_CALIBRATION_POINTS;
    int64_t steps = (int64_t)ceil(interval / (0.7 * limit));
    sherd_status status = sherd_world_set_time_step(world->world, interval / (double)steps, error);
    progress now = {0};
    while (status == SHERD_OK && !is_over(p, &now)) {
        sherd_world_reset_probes(world->world);
        double middle = sherd_world_time(world->world) + 0.5 * interval;
        status = sherd_world_step(world->world, steps, error);
        // The probe's mean is that at the middle of the interval.
        if (status != SHERD_OK) break;
        bool had_failed = now.failed_at > 0.0;
        note(p, world, fabs(amount_at(&p->path, middle)), &now);
        if (!had_failed && (now.failed_at > 0.0 || is_over(p, &now)))
            now.sheared = has_sheared(world->world);
    }
    if (status == SHERD_OK && !p->softens && !p->presses &&
        sherd_world_bonds(world->world).broken_count == 0)
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "calibration", NULL,
                          "a test bar did not break");
    double strength = sqrt(now.strength * now.top);
    *p->out = (sherd_strength_result){strength, now.top, now.sheared};
    return status;
}

static sherd_status break_bar(pulling *p, const sherd_strength_bonds *bonds, double crossings,
                              sherd_error *error)
{
    const double E = SHERD_BAR_BOND_MODULUS;
    sherd_material_def material = sherd_elastic_material(&bonds->elastic);
    material.tensile_strength = STRENGTH * E;
    material.shear_strength = STRENGTH * E / bonds->elastic.shear_weight; // 0: infinite
    material.weibull_modulus = bonds->weibull_modulus;
    material.fracture_energy = bonds->size * SHERD_BAR_RADIUS * STRENGTH * STRENGTH * E;
    material.bond_damping = DAMPING;
    material.seed = 1;
    // Wave speed from the solid's modulus and the density of the bar's elements.
    double speed = sqrt(p->elastic->modulus * E / (material.density * p->bar->fill));
    p->softens = bonds->size > 0.0;
    p->first = STRENGTH / p->elastic->utmost;
    double time = crossings * p->bar->size[p->bar->axis] / speed;
    slow_start(p->first, time, &p->path);
    for (int k = 0; k < p->path.count && p->presses; ++k)
        p->path.amount[k] *= -1.0;
    if (p->curve != NULL) p->curve->count = 0;
    sherd_world_def def = sherd_world_def_default();
    sherd_bar_world world;
    sherd_status status =
        sherd_bar_world_create(p->bar, &def, &material, p->load, &p->path, &world, error);
    if (status == SHERD_OK) {
        status = load_until_broken(p, &world, time, error);
        sherd_world_destroy(world.world);
    }
    return status;
}

sherd_status sherd_strength_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                                 sherd_bar_load load, const sherd_elastic_result *elastic,
                                 const sherd_strength_range *near, sherd_strength_result *out,
                                 sherd_calibration_curve *curve, sherd_error *error)
{
    pulling p = {
        .bar = bar, .load = load, .elastic = elastic, .within = *near, .out = out, .curve = curve};
    return break_bar(&p, bonds, CROSSINGS, error);
}

sherd_status sherd_crush_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                              const sherd_elastic_result *elastic, double enough, double *strength,
                              sherd_error *error)
{
    SHERD_ASSERT(enough > 0.0, "a strength is positive");
    sherd_strength_result found = {0};
    pulling p = {.bar = bar,
                 .load = SHERD_BAR_PULL,
                 .presses = true,
                 .enough = enough,
                 .elastic = elastic,
                 .out = &found};
    sherd_status status = break_bar(&p, bonds, CRUSH_CROSSINGS, error);
    *strength = found.most;
    return status;
}
