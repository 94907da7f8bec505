// Walls between Voronoi cells. Each cube of a lattice contains one seed, so that cells have similar
// sizes and nearest seeds are found nearby. A bond crosses a wall if its ends are in different
// cells: walls have no gaps in any packing.
//
// Anisotropic cells are computed in stretched coordinates, in which planes remain planes. Curved
// walls are obtained by evaluating at displaced points.
#include "weakness/noise.h"
#include "weakness/pattern.h"

#include "base/random.h"
#include "math/vec3.h"

// Displacements over the cells' size; with more, cells fold and become disconnected.
static const double STRONGEST_WARP = 0.12;

typedef struct voronoi_pattern {
    sherd_weakness base;
    uint64_t seed;
    double irregularity;
    sherd_vec3 per_length; // cubes of the lattice per metre, by axis
    double warp;           // standard deviation of displacements [m]
    sherd_fractal_noise warps[3];
    double half_wall; // [m]
} voronoi_pattern;

static sherd_status voronoi_init(sherd_weakness *base, const sherd_weakness_def *def,
                                 sherd_error *error)
{
    sherd_status status = sherd_pattern_check_length("size", def->size, error);
    if (status != SHERD_OK) return status;
    voronoi_pattern *p = (voronoi_pattern *)base;
    p->seed = sherd_random_bits(def->seed, 3, 0);
    p->irregularity = def->irregularity;
    p->per_length = vec3(1.0 / (def->size * def->stretch.x), 1.0 / (def->size * def->stretch.y),
                         1.0 / (def->size * def->stretch.z));
    p->warp = STRONGEST_WARP * def->warp * def->size;
    for (uint64_t a = 0; a < 3; ++a)
        p->warps[a] = (sherd_fractal_noise){sherd_random_bits(def->seed, 4, a), 2, 1.0 / def->size};
    p->half_wall = 0.5 * def->wall;
    return SHERD_OK;
}

// ---------------------------------------------------------------- cells

typedef struct cell {
    int64_t cube[3]; // of its seed
    sherd_vec3 seed; // in cubes
    double squared;  // distance from the point, in cubes
} cell;

static sherd_vec3 seed_in(const voronoi_pattern *p, const int64_t cube[3])
{
    uint64_t bits = sherd_lattice_bits(p->seed, cube[0], cube[1], cube[2]);
    const double unit = 0x1p-21;
    double x = (double)(bits & 0x1FFFFF), y = (double)(bits >> 21 & 0x1FFFFF),
           z = (double)(bits >> 42 & 0x1FFFFF);
    sherd_vec3 offset = vec3_scale(unit, vec3(x + 0.5, y + 0.5, z + 0.5));
    sherd_vec3 low = vec3((double)cube[0], (double)cube[1], (double)cube[2]);
    return vec3_add(low, vec3(0.5 + p->irregularity * (offset.x - 0.5),
                              0.5 + p->irregularity * (offset.y - 0.5),
                              0.5 + p->irregularity * (offset.z - 0.5)));
}

enum { REACH = 2 }; // a seed is within sqrt(3) cubes of every point

// Squares of the distances to the near sides of the surrounding cubes, along one axis.
static void side_distances(double fraction, double squared[2 * REACH + 1])
{
    for (int k = -REACH; k <= REACH; ++k) {
        double gap = k < 0 ? fraction - (k + 1) : k > 0 ? k - fraction : 0.0;
        squared[k + REACH] = gap * gap;
    }
}

static double distance_squared(sherd_vec3 a, sherd_vec3 b)
{
    sherd_vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

static const int ORDER[2 * REACH + 1] = {0, -1, 1, -REACH, REACH};

// Searches the cubes along x, at `row` in y and z, that are nearer than the best seed so far.
static void search_row(const voronoi_pattern *p, sherd_vec3 q, const int64_t at[3],
                       const int row[2], double side[3][2 * REACH + 1], cell *best)
{
    for (int k = 0; k < 2 * REACH + 1; ++k) {
        int x = ORDER[k];
        if ((x | row[0] | row[1]) == 0) continue; // the point's own cube
        if (side[0][x + REACH] + side[1][row[0] + REACH] + side[2][row[1] + REACH] >= best->squared)
            continue;
        cell c = {.cube = {at[0] + x, at[1] + row[0], at[2] + row[1]}};
        c.seed = seed_in(p, c.cube);
        c.squared = distance_squared(q, c.seed);
        if (c.squared < best->squared) *best = c;
    }
}

// The point's own cube first; then those that are nearer than the best seed so far.
static cell cell_at(const voronoi_pattern *p, sherd_vec3 q)
{
    int64_t at[3] = {sherd_lattice_cell(q.x), sherd_lattice_cell(q.y), sherd_lattice_cell(q.z)};
    double side[3][2 * REACH + 1];
    side_distances(q.x - (double)at[0], side[0]);
    side_distances(q.y - (double)at[1], side[1]);
    side_distances(q.z - (double)at[2], side[2]);
    cell best = {.cube = {at[0], at[1], at[2]}};
    best.seed = seed_in(p, best.cube);
    best.squared = distance_squared(q, best.seed);
    for (int n = 0; n < 25; ++n) {
        int y = ORDER[n % 5], z = ORDER[n / 5];
        // Most rows are too far.
        if (side[1][y + REACH] + side[2][z + REACH] >= best.squared) continue;
        search_row(p, q, at, (const int[2]){y, z}, side, &best);
    }
    return best;
}

// Lattice coordinates of a point of the body, in cubes.
static sherd_vec3 lattice_point(const voronoi_pattern *p, sherd_vec3 x)
{
    if (p->warp > 0.0)
        x = vec3_add_scaled(x, p->warp,
                            vec3(sherd_fractal_noise_at(&p->warps[0], x),
                                 sherd_fractal_noise_at(&p->warps[1], x),
                                 sherd_fractal_noise_at(&p->warps[2], x)));
    return vec3(x.x * p->per_length.x, x.y * p->per_length.y, x.z * p->per_length.z);
}

static bool same_cube(const int64_t a[3], const int64_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// ---------------------------------------------------------------- thick walls

// Distance from q to the plane half way between two seeds [m]. With |q - s|^2 measured in cubes, the
// difference of both is 2 f, f = 0 on the plane, with the gradient (s_a - s_b) * cubes per metre.
static double wall_distance(const voronoi_pattern *p, const cell *own, const cell *other)
{
    sherd_vec3 d = vec3_sub(own->seed, other->seed);
    sherd_vec3 slope = vec3(d.x * p->per_length.x, d.y * p->per_length.y, d.z * p->per_length.z);
    return 0.5 * (other->squared - own->squared) / vec3_length(slope);
}

static bool is_near_wall(const voronoi_pattern *p, sherd_vec3 q)
{
    cell own = cell_at(p, q);
    int64_t at[3] = {sherd_lattice_cell(q.x), sherd_lattice_cell(q.y), sherd_lattice_cell(q.z)};
    for (int64_t z = at[2] - REACH; z <= at[2] + REACH; ++z)
        for (int64_t y = at[1] - REACH; y <= at[1] + REACH; ++y)
            for (int64_t x = at[0] - REACH; x <= at[0] + REACH; ++x) {
                cell c = {.cube = {x, y, z}};
                if (same_cube(c.cube, own.cube)) continue;
                c.seed = seed_in(p, c.cube);
                c.squared = distance_squared(q, c.seed);
                if (wall_distance(p, &own, &c) < p->half_wall) return true;
            }
    return false;
}

static void voronoi_locate(const sherd_weakness *base, sherd_pattern_point *place)
{
    const voronoi_pattern *p = (const voronoi_pattern *)base;
    cell c = cell_at(p, lattice_point(p, place->x));
    for (int a = 0; a < 3; ++a)
        place->cell[a] = c.cube[a];
}

static double voronoi_amount_located(const sherd_weakness *base, const sherd_pattern_point *i,
                                     const sherd_pattern_point *j)
{
    const voronoi_pattern *p = (const voronoi_pattern *)base;
    if (!same_cube(i->cell, j->cell)) return 1.0;
    if (p->half_wall == 0.0) return 0.0;
    sherd_vec3 middle = lattice_point(p, vec3_scale(0.5, vec3_add(i->x, j->x)));
    return is_near_wall(p, middle) ? 1.0 : 0.0;
}

static double voronoi_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    sherd_pattern_point a = {.x = i}, b = {.x = j};
    voronoi_locate(base, &a);
    voronoi_locate(base, &b);
    return voronoi_amount_located(base, &a, &b);
}

const sherd_pattern_kind sherd_pattern_voronoi = {.size = sizeof(voronoi_pattern),
                                                  .init = voronoi_init,
                                                  .amount = voronoi_amount,
                                                  .locate = voronoi_locate,
                                                  .amount_located = voronoi_amount_located};
