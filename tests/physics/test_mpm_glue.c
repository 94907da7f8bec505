// Glue between pieces of material points: as if unsplit while it holds; what breaks it, where, and what does not.
#include "physics/mpm_pieces.h"

#include <string.h>

static const double H = 0.1, MODULUS = 1e6, DENSITY = 1000.0; // [m], [Pa], [kg/m^3]

static sherd_solid solid_of(sherd_solid_kind kind, double nu)
{
    return (sherd_solid){.kind = kind,
                         .density = DENSITY,
                         .mu = 0.5 * MODULUS / (1.0 + nu),
                         .lambda = MODULUS * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                         .yield_stress = INFINITY};
}

static sherd_mpm_def def_of(double spacing, sherd_mpm_kernel kernel, bool affine)
{
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = spacing, def.kernel = kernel, def.affine = affine;
    def.parallel.threads = 2;
    return def;
}

// ---------------------------------------------------------------- as if unsplit

static void stir(sherd_mpm_points *p)
{
    for (size_t k = 0; k < p->count; ++k)
        for (int i = 0; i < 3; ++i)
            p->v[i][k] = 0.5 * sin(3.0 * p->x[(i + 1) % 3][k] + i) + 0.15 * p->x[(i + 2) % 3][k];
}

// Places by number after 300 steps.
static void run_block(sherd_mpm_kernel kernel, bool affine, bool split, double (*x)[3])
{
    mpm_rig r;
    sherd_mpm_def def = def_of(H, kernel, affine);
    mpm_box box = {{-0.37, 0.12, 5.01}, {0.7, 0.5, 0.4}, {0, 0, 0}};
    mpm_rig_make(&r, &def, solid_of(SHERD_SOLID_COROTATED, 0.3), &box, 1);
    stir(&r.m.points);
    if (split) {
        sherd_weakness *walls[2] = {
            mpm_plane((sherd_vec3){0.0, 0.4, 5.2}, (sherd_vec3){1.0, 0.4, -0.2}),
            mpm_plane((sherd_vec3){0.1, 0.42, 5.3}, (sherd_vec3){0.2, -1.0, 0.5})};
        cr_assert(eq(int, mpm_rig_split(&r, walls, 2, 1e9, 1e9), 4)); // strong: stress is looked at
    }
    for (int k = 0; k < 300; ++k)
        mpm_rig_step(&r, 1e-3);
    cr_assert(eq(sz, r.m.glue.broken, 0));
    cr_assert(eq(i64, r.m.unsolved_nodes, 0));
    for (size_t k = 0; k < r.m.points.count; ++k)
        for (int i = 0; i < 3; ++i)
            if (r.m.points.number[k] != SHERD_MPM_FILLER)
                x[r.m.points.number[k]][i] = r.m.points.x[i][k];
    sherd_mpm_release(&r.m);
}

Test(mpm_glue, pieces_move_as_the_unsplit_body)
{
    enum { POINTS = 14 * 10 * 8 };
    static double whole[POINTS][3], pieces[POINTS][3];
    for (int mode = 0; mode < 3; ++mode) {
        sherd_mpm_kernel kernel = mode == 1 ? SHERD_MPM_QUADRATIC : SHERD_MPM_CUBIC;
        run_block(kernel, mode == 2, false, whole), run_block(kernel, mode == 2, true, pieces);
        double most = 0.0;
        for (int k = 0; k < POINTS; ++k)
            for (int i = 0; i < 3; ++i)
                most = fmax(most, fabs(whole[k][i] - pieces[k][i]));
        cr_assert(lt(dbl, most, 1e-9 * H), "mode %d: %g h", mode, most / H);
    }
}

// ---------------------------------------------------------------- drives

// Places at the start, by number.
typedef struct starts {
    double (*x)[3];
} starts;

static starts starts_of(const sherd_mpm_points *p)
{
    starts s = {calloc(p->count, sizeof *s.x)};
    for (size_t k = 0; k < p->count; ++k)
        for (int i = 0; i < 3; ++i)
            s.x[p->number[k]][i] = p->x[i][k];
    return s;
}

// Holds a component of point k on its way: forces pull it off between steps, a third of that is made good in each.
static void hold(sherd_mpm_points *p, size_t k, int axis, double target, double speed, double dt)
{
    p->v[axis][k] = speed + (target - p->x[axis][k]) / (3.0 * dt);
}

// ---------------------------------------------------------------- bars

typedef struct bar {
    double spacing, phase; // [m]; of the grid [h]
    double tilt;           // of the glued plane against the bar's section [rad]
    double rate;           // of stretching [1/s]; < 0: pressed
    double strength;       // tensile [Pa]; with the force criterion the threshold [N]
    double end;            // [s]
    sherd_mpm_glue_criterion criterion;
} bar;

typedef struct outcome {
    double first, last; // stress of the bar when glue broke first, last [Pa]
    double stress;      // at the end, the extreme one [Pa]
    size_t glue, broken;
} outcome;

// Along x, of points near the middle; Hencky's law without Poisson's ratio: sigma = E log(b) / 2 / sqrt(b).
static double stress_of(const sherd_mpm_points *p, double middle)
{
    double sum = 0.0, count = 0.0;
    for (size_t k = 0; k < p->count; ++k) {
        if (p->number[k] == SHERD_MPM_FILLER || fabs(p->x[0][k] - middle) > 0.2) continue;
        sum += 0.5 * MODULUS * log(p->b[0][k]) / sqrt(p->b[0][k]);
        count += 1.0;
    }
    return sum / count;
}

// Stretched evenly from the start, its ends held to that.
static outcome pull(const bar *b)
{
    mpm_rig r;
    const double length = 1.2, side = b->criterion == SHERD_MPM_GLUE_FORCE ? 0.4 : 0.3;
    sherd_mpm_def def = def_of(b->spacing, SHERD_MPM_CUBIC, false);
    double shift = b->phase * b->spacing, middle = shift + 0.5 * length;
    mpm_box box = {{shift, 0.3 * shift, 0.7 * shift}, {length, side, side}, {0, 0, 0}};
    mpm_rig_make(&r, &def, solid_of(SHERD_SOLID_HENCKY, 0.0), &box, 1);
    sherd_weakness *wall = mpm_plane((sherd_vec3){middle + 0.02, 0.5 * side + 0.3 * shift, 0.0},
                                     (sherd_vec3){cos(b->tilt), sin(b->tilt), 0.0});
    cr_assert(eq(int, mpm_rig_split(&r, &wall, 1, b->strength, INFINITY), 2));
    for (size_t k = 0; k < r.m.glue.count && b->criterion == SHERD_MPM_GLUE_FORCE; ++k) {
        sherd_mpm_glue *glue = &r.m.glue.items[k];
        glue->criterion = SHERD_MPM_GLUE_FORCE, glue->threshold = glue->tensile;
        glue->tensile = INFINITY;
    }
    sherd_mpm_points *p = &r.m.points;
    double dt = 0.5 * 0.6 * b->spacing / sqrt(MODULUS / DENSITY);
    for (size_t k = 0; k < p->count; ++k)
        p->v[0][k] = b->rate * (p->x[0][k] - middle);
    outcome out = {NAN, NAN, 0.0, r.m.glue.count, 0};
    starts s = starts_of(p);
    for (double t = 0.0; t < b->end && r.m.glue.broken < r.m.glue.count; t += dt) {
        for (size_t k = 0; k < p->count; ++k) {
            if (p->number[k] == SHERD_MPM_FILLER) continue;
            double from = s.x[p->number[k]][0] - middle;
            if (fabs(from) > 0.5 * length - 0.2)
                hold(p, k, 0, middle + from * (1.0 + b->rate * t), b->rate * from, dt);
        }
        size_t before = r.m.glue.broken;
        double stress = stress_of(p, middle);
        mpm_rig_step(&r, dt);
        if (before == 0 && r.m.glue.broken > 0) out.first = stress;
        if (r.m.glue.broken > before) out.last = stress;
        out.stress = fabs(stress) > fabs(out.stress) ? stress : out.stress;
    }
    out.broken = r.m.glue.broken;
    free(s.x);
    sherd_mpm_release(&r.m);
    return out;
}

// At any phase of the grid, for two spacings. A step changes the stress by 0.5 %; 3 % is what is asked for.
Test(mpm_glue, a_bar_breaks_at_its_strength)
{
    const double strength = 1e4;
    for (int k = 0; k < 6; ++k) {
        bar b = {k < 4 ? H : 0.5 * H, 0.25 * k, 0.0, 0.05, strength, 0.4, SHERD_MPM_GLUE_STRESS};
        outcome out = pull(&b);
        cr_assert(eq(sz, out.broken, out.glue), "case %d: %zu of %zu, %g", k, out.broken, out.glue,
                  out.stress);
        cr_assert(lt(dbl, fabs(out.first / strength - 1.0), 0.03), "case %d: %g", k, out.first);
    }
}

// On an oblique plane the traction along the normal is sigma cos^2.
Test(mpm_glue, an_oblique_plane_breaks_by_its_traction)
{
    bar b = {H, 0.4, M_PI / 6.0, 0.05, 1e4, 0.6, SHERD_MPM_GLUE_STRESS};
    outcome out = pull(&b);
    cr_assert(lt(dbl, fabs(out.first * 0.75 / b.strength - 1.0), 0.03), "%g", out.first);
}

Test(mpm_glue, pressure_breaks_nothing)
{
    const sherd_mpm_glue_criterion criteria[2] = {SHERD_MPM_GLUE_STRESS, SHERD_MPM_GLUE_FORCE};
    for (int k = 0; k < 2; ++k) {
        double strength = criteria[k] == SHERD_MPM_GLUE_FORCE ? 1e4 * H * H : 1e4;
        bar b = {H, 0.3, 0.0, -0.25, strength, 0.22, criteria[k]};
        outcome out = pull(&b);
        cr_assert(lt(dbl, out.stress, -5e4), "%g", out.stress);
        cr_assert(eq(sz, out.broken, 0));
    }
}

// A node's force is 0.97 to 1.38 sigma h^2, by the crack's place in its cell: what a threshold of force is worth.
Test(mpm_glue, a_threshold_of_force_depends_on_the_grid)
{
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < 4; ++k) {
        bar b = {H, 0.25 * k, 0.0, 0.05, 1e4 * H * H, 0.4, SHERD_MPM_GLUE_FORCE};
        outcome out = pull(&b);
        cr_assert(lt(sz, 0, out.broken), "case %d: %g", k, out.stress);
        least = fmin(least, 1e4 / out.first), most = fmax(most, 1e4 / out.first);
    }
    cr_assert(epsilon_eq(dbl, least, 0.97, 0.03), "%g",
              least); // steps of 0.5 %, and waves from the ends
    cr_assert(epsilon_eq(dbl, most, 1.38, 0.03), "%g", most);
}

// ---------------------------------------------------------------- shear

// A layer sheared evenly between driven plates, glued at half its height: stress mu gamma on the glue.
Test(mpm_glue, shear_breaks_at_its_strength)
{
    const double length = 2.4, height = 0.8, rate = 0.05, strength = 5e3;
    mpm_rig r;
    sherd_mpm_def def = def_of(H, SHERD_MPM_CUBIC, false);
    mpm_box box = {{0.013, 0.028, 0.0}, {length, height, 0.2}, {0, 0, 0}};
    mpm_rig_make(&r, &def, solid_of(SHERD_SOLID_NEO_HOOKEAN, 0.0), &box, 1);
    sherd_weakness *wall =
        mpm_plane((sherd_vec3){0, 0.028 + 0.5 * height + 0.01, 0}, (sherd_vec3){0, 1, 0});
    cr_assert(eq(int, mpm_rig_split(&r, &wall, 1, INFINITY, strength), 2));
    sherd_mpm_points *p = &r.m.points;
    double dt = 0.3 * H / sqrt(MODULUS / DENSITY),
           middle[2] = {0.013 + 0.5 * length, 0.028 + 0.5 * height};
    double stress = 0.0;
    starts s = starts_of(p);
    for (size_t k = 0; k < p->count; ++k)
        p->v[0][k] = rate * (p->x[1][k] - middle[1]);
    while (r.m.glue.broken == 0 && r.m.time < 0.5) {
        double sum = 0.0, count = 0.0;
        for (size_t k = 0; k < p->count; ++k) {
            if (p->number[k] == SHERD_MPM_FILLER) continue;
            const double *from = s.x[p->number[k]];
            double y = from[1] - middle[1];
            if (fabs(y) > 0.5 * height - 0.1) {
                hold(p, k, 0, from[0] + rate * r.m.time * y, rate * y, dt);
                hold(p, k, 1, from[1], 0.0, dt);
            }
            if (fabs(p->x[0][k] - middle[0]) > 0.4) continue;
            sum += 0.5 * MODULUS * p->b[5][k], count += 1.0; // mu b_xy
        }
        stress = sum / count;
        mpm_rig_step(&r, dt);
    }
    free(s.x);
    cr_assert(lt(dbl, fabs(stress / strength - 1.0), 0.05), "%g", stress);
    sherd_mpm_release(&r.m);
}

// ---------------------------------------------------------------- three pieces

// An L of three pieces: 0 and 1 are pulled apart, 2 hangs on 0 and is not.
static size_t break_one_of_two(int threads, uint64_t *bits)
{
    mpm_rig r;
    sherd_mpm_def def = def_of(H, SHERD_MPM_CUBIC, false);
    def.parallel.threads = threads;
    mpm_box box = {{0.0, 0.0, 0.0}, {1.6, 0.8, 0.2}, {0, 0, 0}};
    mpm_rig_make(&r, &def, solid_of(SHERD_SOLID_HENCKY, 0.0), &box, 1);
    sherd_weakness *walls[2] = {mpm_plane((sherd_vec3){0.8, 0, 0}, (sherd_vec3){1, 0, 0}),
                                mpm_plane((sherd_vec3){0, 0.4, 0}, (sherd_vec3){0, 1, 0})};
    cr_assert(eq(int, mpm_rig_split(&r, walls, 2, 1e4, 1e4), 4));
    sherd_mpm_points *p = &r.m.points;
    sherd_mpm_glues *g = &r.m.glue;
    starts s = starts_of(p);
    for (size_t k = 0; k < g->count; ++k) // the piece beyond is loose
        if (g->items[k].b == 3) g->items[k].damage = 1.0;
    for (size_t k = 0; k < p->count; ++k)
        p->v[0][k] = p->body[k] == 3 ? 0.0 : 0.1 * (p->x[0][k] < 0.8 ? 0.0 : p->x[0][k] - 0.8);
    for (int n = 0; n < 240; ++n) {
        for (size_t k = 0; k < p->count; ++k) {
            if (p->number[k] == SHERD_MPM_FILLER) continue;
            double from = s.x[p->number[k]][0];
            if (p->body[k] == 0 && from < 0.2) hold(p, k, 0, from, 0.0, 1e-3);
            if (p->body[k] == 1 && from > 1.4) hold(p, k, 0, from + 0.08 * r.m.time, 0.08, 1e-3);
        }
        mpm_rig_step(&r, 1e-3);
    }
    free(s.x);
    size_t broken[2] = {0, 0}, all[2] = {0, 0};
    for (size_t k = 0; k < g->count; ++k)
        if (g->items[k].b < 3) {
            ++all[g->items[k].b - 1];
            broken[g->items[k].b - 1] += g->items[k].damage >= 1.0;
        }
    cr_assert(eq(sz, broken[0], all[0]));
    cr_assert(eq(sz, broken[1], 0));
    *bits = 0;
    for (size_t k = 0; k < p->count; ++k)
        for (int i = 0; i < 3; ++i) {
            uint64_t x;
            memcpy(&x, &p->x[i][k], sizeof x);
            *bits = *bits * UINT64_C(6364136223846793005) + x;
        }
    for (size_t k = 0; k < g->count; ++k)
        *bits = *bits * 31 + (uint64_t)(1e9 * g->items[k].broken_at);
    sherd_mpm_release(&r.m);
    return all[0];
}

Test(mpm_glue, only_the_loaded_pair_breaks_the_same_for_all_threads)
{
    uint64_t right, bits;
    cr_assert(eq(sz, break_one_of_two(1, &right), 32)); // 8 x 4 neighbours
    const int threads[3] = {2, 3, 8};
    for (int k = 0; k < 3; ++k) {
        break_one_of_two(threads[k], &bits);
        cr_assert(eq(u64, bits, right), "%d threads", threads[k]);
    }
}
