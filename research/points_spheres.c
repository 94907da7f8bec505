#include "research/points_spheres.h"

#include "base/error.h"
#include "models/mpm/mpm_diagnostics.h"

#include <math.h>

enum {
    SPHERES = 4,
    REACH = 10,
    POINTS = 3911
}; // REACH: lattice steps of half the spacing in a radius

static const double SPACING = 0.2,
                    RADIUS = 0.98; // of points: those of the surface's layer lie inside
static const double MODULUS = 1e5, POISSON = 0.3, DENSITY = 1000.0, FRICTION = 0.2;
static const double APART = 2.2, ABOVE = 3.0, SPEED = 3.0, END = 10.0;

static void centre_of(const points_spheres_def *def, int k, double centre[3])
{
    double angle = def->turn + 2.0 * M_PI * (double)k / 3.0, radius = APART / sqrt(3.0);
    centre[0] = def->shift[0] + (k < 3 ? radius * sin(angle) : 0.0);
    centre[1] = def->shift[1] + (k < 3 ? 0.0 : ABOVE);
    centre[2] = def->shift[2] + (k < 3 ? radius * cos(angle) : 0.0);
}

static void fill(const points_spheres_def *def, sherd_mpm_points *p)
{
    const double step = 0.5 * SPACING;
    size_t at = 0;
    for (int k = 0; k < SPHERES; ++k) {
        double centre[3];
        centre_of(def, k, centre);
        for (int z = -REACH; z <= REACH; ++z)
            for (int y = -REACH; y <= REACH; ++y)
                for (int x = -REACH; x <= REACH; ++x) {
                    if (!(step * step * (double)(x * x + y * y + z * z) < RADIUS * RADIUS))
                        continue;
                    p->x[0][at] = centre[0] + step * x, p->x[1][at] = centre[1] + step * y;
                    p->x[2][at] = centre[2] + step * z;
                    p->v[1][at] = k == 3 ? -SPEED : 0.0;
                    p->volume[at] = step * step * step;
                    p->body[at++] = (uint32_t)k;
                }
    }
}

static void look(const points_spheres_def *def, const sherd_mpm *m, points_spheres *out)
{
    const sherd_mpm_points *p = &m->points;
    double v[3][3] = {{0.0}};
    for (int k = 0; k < 3; ++k)
        out->y[k] = -def->shift[1];
    for (size_t n = 0; n < p->count; ++n) {
        uint32_t k = p->body[n];
        if (k >= 3 || p->number[n] == SHERD_MPM_FILLER) continue;
        out->y[k] += p->x[1][n] / POINTS;
        for (int i = 0; i < 3; ++i)
            v[k][i] += p->v[i][n] / POINTS;
    }
    double least = fmin(out->y[0], fmin(out->y[1], out->y[2])),
           most = fmax(out->y[0], fmax(out->y[1], out->y[2]));
    out->spread = 3.0 * (most - least) / fabs(out->y[0] + out->y[1] + out->y[2]);
    for (int k = 0; k < 3; ++k)
        out->speed[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
}

static double largest_difference(sherd_vec3 a, sherd_vec3 b)
{
    return fmax(fabs(a.x - b.x), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

static sherd_status run(sherd_mpm *m, points_spheres *out, sherd_error *error)
{
    double dt = 0.0;
    sherd_status status = sherd_mpm_stable_dt(m, &dt, error);
    if (status != SHERD_OK) return status;
    sherd_mpm_energy start = sherd_mpm_sum(m);
    int steps = (int)ceil(END / dt);
    for (int k = 0; k < steps && status == SHERD_OK; ++k)
        status = sherd_mpm_step(m, END / steps, error);
    sherd_mpm_energy end = sherd_mpm_sum(m);
    out->momentum = largest_difference(end.momentum, start.momentum) / fabs(start.momentum.y);
    out->energy = (end.kinetic + end.stored) / (start.kinetic + start.stored);
    out->unsolved = (long long)m->unsolved_nodes;
    return status;
}

sherd_status points_spheres_run(const points_spheres_def *def, points_spheres *out,
                                sherd_error *error)
{
    sherd_mpm m;
    sherd_solid solids[SPHERES];
    for (int k = 0; k < SPHERES; ++k)
        solids[k] =
            (sherd_solid){.kind = SHERD_SOLID_COROTATED,
                          .density = DENSITY,
                          .mu = 0.5 * MODULUS / (1.0 + POISSON),
                          .lambda = MODULUS * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON)),
                          .contact_friction = FRICTION};
    sherd_mpm_def mpm = sherd_mpm_def_default();
    mpm.spacing = SPACING, mpm.parallel.threads = def->threads;
    mpm.contact = def->paper ? SHERD_MPM_CONTACT_PAIRWISE : SHERD_MPM_CONTACT_SURFACES;
    *out = (points_spheres){.spread = NAN};
    sherd_mpm_init(&m, &mpm, solids);
    sherd_status status = SHERD_OK;
    if (!sherd_mpm_points_make(&m.points, (size_t)SPHERES * POINTS, false))
        status = sherd_fail_memory(error, "four spheres of points");
    if (status == SHERD_OK) {
        fill(def, &m.points);
        status = run(&m, out, error);
        look(def, &m, out);
    }
    sherd_mpm_release(&m);
    return status;
}
