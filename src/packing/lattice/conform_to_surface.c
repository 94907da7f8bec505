// Two methods, by the thickness of the shape:
//
//   solids        the lattice stays; cavities under the surface are filled, then the outer layers
//                 relax onto the surface
//   thin walls    a rigid lattice would give a curved wall steps: layers grow from a seed along the
//                 wall instead and relax; the method with more contacts is used
#include "packing/lattice/conform_to_surface.h"

#include "base/parallel.h"
#include "math/cell_rows.h"
#include "math/vec3.h"
#include "packing/lattice/fill_cavities.h"
#include "packing/lattice/relax.h"
#include "packing/lattice/wall_layers.h"

// Walls up to this many radii thick are grown layer by layer: about six layers.
static const double THIN_WALL = 10.5;
// A cavity is filled if a sphere of 0.9 r fits, i.e. one of r with this overlap. In walls, where
// all spheres can move, later rounds fill smaller cavities.
static const double CAVITY_OVERLAP[] = {0.1, 0.2, 0.25};
enum { ROUNDS_SOLID = 1, ROUNDS_WALL = 3 };
// Corrections per iteration, found by measurement: the strongest attraction to the surface that
// separates no contacts, and of gaps that leaves few overlaps. Walls end with less of both, to
// separate overlaps.
static const double PULL = 0.3, SURFACE = 0.04;
static const double PULL_AT_END = 0.15, SURFACE_AT_END = 0.02;
static const double BOND_REACH = 2.1; // centres this close (in radii) get bonded

static bool fill_and_relax(const sherd_shape *shape, const sherd_lattice_fit *fit,
                           const sherd_packing_def *def, int rounds, double depth,
                           sherd_centres *centres)
{
    double r = fit->lattice.radius;
    sherd_relax_def relax = {.radius = r,
                             .depth = depth,
                             .pull = PULL,
                             .surface = SURFACE,
                             .iterations = 48,
                             .threads = def->threads};
    for (int round = 0; round < rounds; ++round) {
        sherd_fill_cavities_def fill = {.radius = r,
                                        .overlap = CAVITY_OVERLAP[round],
                                        .most = (size_t)def->max_elements,
                                        .threads = def->threads};
        if (!sherd_fill_cavities(shape, &fill, centres) || !sherd_relax(shape, &relax, centres))
            return false;
    }
    if (rounds == ROUNDS_SOLID) return true;
    relax.pull = PULL_AT_END;
    relax.surface = SURFACE_AT_END;
    relax.iterations = 16;
    return sherd_relax(shape, &relax, centres);
}

static bool grow_wall(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                      const sherd_lattice_fit *fit, const sherd_packing_def *def,
                      sherd_centres *centres)
{
    sherd_wall_def wall = {.radius = fit->lattice.radius,
                           .wall = analysis->wall,
                           .seed = analysis->wall_point,
                           .most = (size_t)def->max_elements,
                           .threads = def->threads};
    return sherd_wall_layers(shape, &wall, centres) &&
           fill_and_relax(shape, fit, def, ROUNDS_WALL, INFINITY, centres);
}

typedef struct contact_job {
    const sherd_cell_rows *rows;
    const sherd_vec3 *point;
    double reach; // [m]
} contact_job;

static double count_near(void *context, size_t begin, size_t end)
{
    const contact_job *job = context;
    int64_t contacts = 0;
    for (size_t n = begin; n < end; ++n) {
        int32_t near[64];
        contacts += sherd_cell_rows_near(job->rows, job->point[n], job->reach, near, 64) - 1;
    }
    return (double)contacts;
}

// The number of pairs close enough to be bonded, times two. -1 if memory runs short.
static int64_t count_contacts(const sherd_centres *centres, double r, int threads)
{
    enum { CHUNK = 1024 };
    sherd_cell_rows rows;
    int64_t contacts = -1;
    if (sherd_cell_rows_build(&rows, BOND_REACH * r, centres->point, NULL, centres->count))
        contacts = (int64_t)sherd_parallel_sum(
            &(sherd_parallel){threads}, centres->count, CHUNK, count_near,
            &(contact_job){&rows, centres->point, BOND_REACH * r});
    sherd_cell_rows_free(&rows);
    return contacts;
}

static bool follow_wall(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                        const sherd_lattice_fit *fit, const sherd_packing_def *def,
                        sherd_centres *centres)
{
    double r = fit->lattice.radius;
    sherd_centres grown = {0};
    if (!fill_and_relax(shape, fit, def, ROUNDS_WALL, INFINITY, centres) ||
        !grow_wall(shape, analysis, fit, def, &grown)) {
        sherd_centres_free(&grown);
        return false;
    }
    int64_t from_lattice = count_contacts(centres, r, def->threads),
            from_seed = count_contacts(&grown, r, def->threads);
    if (from_seed > from_lattice) {
        sherd_centres swap = *centres;
        *centres = grown;
        grown = swap;
    }
    sherd_centres_free(&grown);
    return from_lattice >= 0 && from_seed >= 0;
}

bool sherd_conform_to_surface(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                              const sherd_lattice_fit *fit, const sherd_packing_def *def,
                              sherd_centres *centres)
{
    double r = fit->lattice.radius;
    if (analysis->is_box || def->kind != SHERD_PACKING_HCP) return true;
    if (!fit->is_flat && analysis->wall < THIN_WALL * r)
        return follow_wall(shape, analysis, fit, def, centres);
    // Below four layers the attraction to the surface has no effect.
    double depth = (1.0 + 4.0 * sherd_lattice_layer_spacing(def->kind)) * r;
    return fill_and_relax(shape, fit, def, ROUNDS_SOLID, depth, centres);
}
