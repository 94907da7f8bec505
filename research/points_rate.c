#include "research/points_rate.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/damage/mpm_prefracture.h"
#include "models/mpm/mpm.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double SPACING = 0.04;                  // of nodes [m]
static const double MODULUS = 1e6, DENSITY = 1000.0; // [Pa], [kg/m^3]
static const double POISSON = 0.3;
static const double PRESSING = 0.2, STIRRING = 0.02; // towards the middle [1/s]; of waves [m/s]

struct points_rate {
    sherd_mpm m;
    sherd_solid *solids;
    double dt;
    int64_t count;
};

#define LAW_NAME(NAME, name, doc) #name,
static const char *const LAWS[] = {SHERD_SOLID_LAWS(LAW_NAME)};

static bool find_law(const char *name, sherd_solid *solid, sherd_error *error)
{
    for (int k = 0; k < SHERD_SOLID_LAW_COUNT; ++k)
        if (strcmp(LAWS[k], name) == 0) {
            solid->kind = (sherd_solid_kind)k;
            bool whole = k == SHERD_SOLID_SNOW || k == SHERD_SOLID_PHASE_FIELD;
            solid->start = k == SHERD_SOLID_NACC ? -0.03 : whole ? 1.0 : 0.0;
            return true;
        }
    sherd_fail(error, SHERD_ERROR_INPUT, "law", "neo_hookean", "there is no law %s", name);
    return false;
}

static sherd_solid solid_of(void)
{
    return (sherd_solid){.density = DENSITY,
                         .mu = 0.5 * MODULUS / (1.0 + POISSON),
                         .lambda = MODULUS * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON)),
                         .yield_stress = 0.01 * MODULUS,
                         .compression = 0.025,
                         .extension = 0.0075,
                         .hardening = 10.0,
                         .friction = sherd_solid_friction_compression(0.6),
                         .exponent = 7.0,
                         .cohesion = 0.8,
                         .residual = 0.001,
                         .threshold = 0.005 * MODULUS, // so that some points are damaged
                         .contact_friction = 0.2};
}

static void place(const points_rate_def *def, sherd_mpm_points *p, size_t k, const int block[3],
                  const int at[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double pitch = def->points[axis] + 2.0 * def->apart; // in halves of the spacing
        double middle = 0.5 * ((double)def->blocks[axis] * pitch - 2.0 * def->apart);
        p->x[axis][k] = 0.5 * SPACING * (block[axis] * pitch + at[axis] + 0.5 - middle);
    }
    for (int axis = 0; axis < 3; ++axis)
        p->v[axis][k] = -PRESSING * p->x[axis][k] +
                        STIRRING * sin(5.0 * p->x[(axis + 1) % 3][k] + (double)axis);
    p->volume[k] = 0.125 * SPACING * SPACING * SPACING;
}

static void fill(const points_rate_def *def, sherd_mpm_points *p, double start)
{
    size_t k = 0;
    uint32_t body = 0;
    for (int z = 0; z < def->blocks[2]; ++z)
        for (int y = 0; y < def->blocks[1]; ++y)
            for (int x = 0; x < def->blocks[0]; ++x, ++body)
                for (int n = 0; n < def->points[0] * def->points[1] * def->points[2]; ++n, ++k) {
                    const int nx = def->points[0], ny = def->points[1];
                    place(def, p, k, (int[3]){x, y, z}, (int[3]){n % nx, n / nx % ny, n / nx / ny});
                    p->body[k] = def->one_body ? 0 : body;
                    p->state[k] = start;
                }
}

// Planes oblique to the lattice, as far from each other as from the ends.
static sherd_status make_planes(const points_rate_def *def, sherd_weakness **planes,
                                sherd_error *error)
{
    double length = 0.5 * SPACING * def->points[0] * def->blocks[0];
    for (int k = 0; k < def->cuts; ++k) {
        sherd_weakness_def plane = sherd_weakness_def_default();
        plane.kind = SHERD_WEAKNESS_CUT, plane.cut = SHERD_CUT_PLANE;
        plane.point.x = length * ((k + 1.0) / (def->cuts + 1.0) - 0.5);
        plane.normal = (sherd_vec3){1.0, 0.2, 0.1};
        planes[k] = sherd_weakness_create(&plane, error);
        if (planes[k] == NULL) return error->status;
    }
    return SHERD_OK;
}

static sherd_status divide(points_rate *r, const points_rate_def *def,
                           const sherd_weakness *const *planes, sherd_error *error)
{
    sherd_mpm_points *p = &r->m.points;
    sherd_mpm_prefracture_def how = sherd_mpm_prefracture_def_default();
    sherd_mpm_prefracture f;
    how.walls = planes, how.wall_count = def->cuts;
    if (def->paper) // it is tested and holds
        how.criterion = SHERD_MPM_GLUE_FORCE, how.threshold = 100.0 * MODULUS * SPACING * SPACING;
    else
        how.tensile_strength = how.shear_strength = 100.0 * MODULUS;
    sherd_status status = sherd_mpm_prefracture_make(&how, p->x, p->count, 0.5 * SPACING,
                                                     &r->m.def.parallel, &f, error);
    if (status == SHERD_OK && f.pieces > (uint32_t)def->cuts + 1)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "cuts", NULL, "make %u pieces", f.pieces);
    for (size_t k = 0; k < p->count && status == SHERD_OK; ++k)
        p->body[k] = f.piece[k];
    sherd_pose pose = {.rotation = SHERD_QUAT_IDENTITY};
    if (status == SHERD_OK &&
        !sherd_mpm_glues_append(&r->m.glue, f.glue, f.glue_count, (sherd_mpm_offset){0, 0}, pose))
        status = sherd_fail_memory(error, "glue");
    sherd_mpm_prefracture_release(&f);
    return status;
}

static sherd_status cut(points_rate *r, const points_rate_def *def, sherd_error *error)
{
    sherd_weakness *planes[POINTS_RATE_CUTS] = {NULL};
    sherd_status status = make_planes(def, planes, error);
    if (status == SHERD_OK) status = divide(r, def, (const sherd_weakness *const *)planes, error);
    for (int k = 0; k < def->cuts; ++k)
        sherd_weakness_destroy(planes[k]);
    return status;
}

static sherd_status make(points_rate *r, const points_rate_def *def, sherd_error *error)
{
    sherd_solid solid = solid_of();
    if (!find_law(def->law, &solid, error)) return error->status;
    size_t bodies = (size_t)def->blocks[0] * (size_t)def->blocks[1] * (size_t)def->blocks[2];
    r->count = (int64_t)bodies * def->points[0] * def->points[1] * def->points[2];
    size_t most = bodies + POINTS_RATE_CUTS;
    r->solids = sherd_alloc(most, sizeof *r->solids);
    if (r->solids == NULL) return sherd_fail_memory(error, "bodies of points");
    for (size_t k = 0; k < most; ++k)
        r->solids[k] = solid;
    sherd_mpm_def mpm = sherd_mpm_def_default();
    if (def->paper) mpm.contact = SHERD_MPM_CONTACT_PAIRWISE;
    mpm.spacing = SPACING;
    mpm.kernel = def->cubic ? SHERD_MPM_CUBIC : SHERD_MPM_QUADRATIC;
    mpm.affine = def->affine;
    mpm.parallel.threads = def->threads;
    sherd_mpm_init(&r->m, &mpm, r->solids);
    if (!sherd_mpm_points_make(&r->m.points, (size_t)r->count, def->affine))
        return sherd_fail_memory(error, "material points");
    if (solid.kind == SHERD_SOLID_PHASE_FIELD && !sherd_mpm_points_add_damage(&r->m.points))
        return sherd_fail_memory(error, "material points");
    fill(def, &r->m.points, solid.start);
    sherd_status status = def->cuts > 0 ? cut(r, def, error) : SHERD_OK;
    return status == SHERD_OK ? sherd_mpm_stable_dt(&r->m, &r->dt, error) : status;
}

points_rate *points_rate_create(const points_rate_def *def, sherd_error *error)
{
    points_rate *r = sherd_alloc(1, sizeof *r);
    if (r == NULL) {
        sherd_fail_memory(error, "a benchmark");
        return NULL;
    }
    if (make(r, def, error) == SHERD_OK) return r;
    points_rate_destroy(r);
    return NULL;
}

void points_rate_destroy(points_rate *rate)
{
    if (rate == NULL) return;
    sherd_mpm_release(&rate->m);
    sherd_free(rate->solids), sherd_free(rate);
}

sherd_status points_rate_run(points_rate *rate, int steps, double *seconds, sherd_error *error)
{
    clock_t start = clock();
    sherd_status status = SHERD_OK;
    for (int k = 0; k < steps && status == SHERD_OK; ++k)
        status = sherd_mpm_step(&rate->m, rate->dt, error);
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return status;
}

int64_t points_rate_count(const points_rate *rate)
{
    return rate->count;
}

int64_t points_rate_shared(const points_rate *rate)
{
    return (int64_t)rate->m.grid.shared_count;
}

size_t points_rate_bytes(const points_rate *rate)
{
    const sherd_mpm_points *p = &rate->m.points;
    const sherd_mpm_grid *g = &rate->m.grid;
    size_t columns = 3 + 3 + 2 * SHERD_MPM_SYMMETRIC + 2 + (p->c[0] != NULL ? SHERD_MPM_TENSOR : 0);
    size_t point = columns * sizeof(double) + sizeof *p->body + sizeof *p->number;
    size_t layer = sizeof *g->layers + sizeof *g->loads + sizeof *g->motion;
    return p->count * point +
           g->page_count * (sizeof *g->pages + SHERD_MPM_PARTS * sizeof *g->layers) +
           g->layer_count * layer + g->moments_count * sizeof *g->moments +
           g->shared_count * sizeof *g->shared;
}

// n nodes along a side. To the grid: along x mass, momentum and three columns of the impulse; along z and y sums of those;
// with APIC gradients of momentum besides. To points: velocity, FLIP's velocity and the gradient; with APIC the first
// moment, too.
double points_rate_operations(bool cubic, bool affine)
{
    double n = cubic ? 4.0 : 3.0;
    double weights = 3.0 * (cubic ? 30.0 : 20.0), strain = 3.0 * 15.0 + 6.0 * 5.0 + 3.0 * 10.0;
    double to_grid = affine ? 25.0 * n + 25.0 * n * n + 26.0 * n * n * n
                            : 13.0 * n + 16.0 * n * n + 20.0 * n * n * n;
    double to_points = affine ? 48.0 * n + 36.0 * n * n + 24.0 * n * n * n
                              : 30.0 * n + 24.0 * n * n + 18.0 * n * n * n;
    return 2.0 * weights + strain + to_grid + to_points;
}
