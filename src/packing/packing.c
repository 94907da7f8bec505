// Filling a shape, in this order:
//
//      analysis     principal frame, extents, wall thickness          shape_analysis.c
//      fit        radius and layers to the thickness, best phase    fit_lattice.c
//      fill       the sites of the lattice that lie inside          lattice.c
//      follow     cavities filled, outer layers relaxed onto the surface; thin curved walls grown
//                 layer by layer instead                            conform_to_surface.c, fill_cavities.c, relax.c
//      measure    volumes and gaps, as they came out                measure.c
//      order      along rows, straight or bent, or a curve         row_order.c, row_chain.c, row_cells.c
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"
#include "packing/lattice/conform_to_surface.h"
#include "packing/measure.h"
#include "packing/order/row_order.h"
#include "packing/packing_alloc.h"
#include "packing/packing_def.h"
#include "packing/points/point_packing.h"
#include "packing/random/random.h"
#include "packing/shell/shell.h"
#include "packing/tetra/tetra_packing.h"
#include "packing/touching.h"

#include <string.h>

#include <stdio.h>

// Random directions and lengths: uniform in a cube, scaled to stay within the ball.
static void shake(const sherd_shape *shape, const sherd_packing_def *def, double r,
                  sherd_centres *centres)
{
    if (def->jitter == 0.0) return;
    for (size_t n = 0; n < centres->count; ++n) {
        double x = 2.0 * sherd_random_uniform(def->seed, 0, n) - 1.0;
        double y = 2.0 * sherd_random_uniform(def->seed, 1, n) - 1.0;
        double z = 2.0 * sherd_random_uniform(def->seed, 2, n) - 1.0;
        sherd_vec3 step = vec3_scale(def->jitter * r / sqrt(3.0), vec3(x, y, z));
        centres->point[n] = sherd_push_inside(shape, vec3_add(centres->point[n], step), r);
    }
}

static bool store_elements(sherd_packing *packing, const sherd_lattice *lattice,
                           const sherd_centres *centres, int threads)
{
    double r = lattice->radius;
    size_t n = centres->count;
    if (!sherd_packing_alloc(packing, n, false)) return false;
    uint32_t *order = sherd_alloc(n, sizeof *order);
    if (order == NULL || !sherd_row_order(lattice, centres, threads, order)) {
        sherd_free(order);
        return false;
    }
    for (size_t k = 0; k < n; ++k) {
        sherd_vec3 p = centres->point[order[k]];
        packing->x[k] = p.x;
        packing->y[k] = p.y;
        packing->z[k] = p.z;
        packing->radius[k] = r;
    }
    sherd_free(order);
    return true;
}

// Volume of the cell of one element. Flat layers extend to the faces they touch, so that
// a single layer is 2 r thick; in a solid the cell is the lattice's.
static double cell_volume(const sherd_packing_def *def, double r, int layers)
{
    if (def->kind != SHERD_PACKING_HEX_LAYERS)
        return sherd_lattice_cell_volume(def->kind) * r * r * r;
    double stack = 2.0 + (layers - 1) * sherd_lattice_layer_spacing(def->kind);
    return 2.0 * sqrt(3.0) * stack / layers * r * r * r;
}

static bool measure(const sherd_shape *shape, const sherd_packing_def *def, double r,
                    const sherd_centres *centres, sherd_packing *packing)
{
    const double pi = 3.14159265358979323846;
    double n = (double)centres->count;
    packing->element_volume = n * 4.0 / 3.0 * pi * r * r * r;
    packing->solid_fraction = packing->element_volume / packing->shape_volume;
    packing->cell_volume_match = n * cell_volume(def, r, packing->layers) / packing->shape_volume;
    sherd_point_grid grid;
    sherd_surface_gap gap;
    if (!sherd_point_grid_init(&grid, 2.4 * r, centres->count)) return false;
    bool done = true;
    for (size_t k = 0; k < centres->count && done; ++k)
        done = sherd_point_grid_add(&grid, centres->point[k]);
    done = done && sherd_measure_surface_gap(shape, &grid, r, def->threads, &gap);
    sherd_point_grid_free(&grid);
    if (!done) return false;
    packing->surface_gap_mean = gap.mean;
    packing->surface_gap_max = gap.max;
    packing->face_gap = gap.face;
    packing->face_normal = gap.face_normal;
    return true;
}

static sherd_packing *finish(const sherd_shape *shape, const sherd_packing_def *def,
                             const sherd_shape_analysis *analysis, const sherd_lattice_fit *fit,
                             sherd_centres *centres, sherd_error *error)
{
    double r = fit->lattice.radius;
    shake(shape, def, r, centres);
    sherd_packing *packing = sherd_alloc(1, sizeof *packing);
    if (packing != NULL) {
        packing->shape_volume = analysis->volume;
        packing->lattice_radius = r;
        packing->layers = fit->layers;
        if (store_elements(packing, &fit->lattice, centres, def->threads) &&
            measure(shape, def, r, centres, packing))
            return packing;
    }
    sherd_packing_destroy(packing);
    sherd_fail_memory(error, "packing: elements");
    return NULL;
}

static sherd_status fill(const sherd_shape *shape, const sherd_packing_def *def,
                         const sherd_shape_analysis *analysis, const sherd_lattice_fit *fit,
                         sherd_centres *centres, sherd_error *error)
{
    sherd_lattice_count count;
    sherd_lattice lattice = fit->lattice;
    lattice.most = def->max_elements < INT32_MAX ? def->max_elements : INT32_MAX;
    sherd_status status =
        sherd_lattice_fill(&lattice, shape, fit->slack, def->threads, &count, centres, error);
    if (status != SHERD_OK) return status;
    if (count.sites > lattice.most)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius",
                          "use a larger radius, or raise max_elements; a mesh may lack its scale",
                          "%lld elements of radius %g m would be needed, the limit is %lld",
                          (long long)count.sites, fit->lattice.radius, (long long)lattice.most);
    if (count.sites == 0) {
        sherd_status none =
            sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", NULL,
                       "no element of radius %g m lies inside the shape", def->radius);
        if (error != NULL)
            snprintf(error->hint, sizeof error->hint, "the largest radius that fits is %.4g m",
                     analysis->depth_max);
        return none;
    }
    return SHERD_OK;
}

sherd_packing *sherd_packing_create(const sherd_shape *shape, const sherd_packing_def *def,
                                    sherd_error *error)
{
    sherd_shape_analysis analysis;
    sherd_lattice_fit fit;
    sherd_error_clear(error);
    if (sherd_packing_def_check(def, error) != SHERD_OK) return NULL;
    if (def->kind == SHERD_PACKING_TETRA) return sherd_tetra_packing_create(shape, def, error);
    if (shape == NULL) {
        sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape", "give a shape to fill", "got none");
        return NULL;
    }
    if (def->kind == SHERD_PACKING_RANDOM) return sherd_rcp_create(shape, def, error);
    if (def->kind == SHERD_PACKING_SHELL) return sherd_pack_shell(shape, def, error);
    if (def->kind == SHERD_PACKING_POINTS) return sherd_pack_points(shape, def, error);
    if (sherd_analyse_shape(shape, def->orientation, def->angle, def->threads, &analysis, error) !=
            SHERD_OK ||
        sherd_fit_lattice(shape, &analysis, def, &fit, error) != SHERD_OK)
        return NULL;
    sherd_centres centres = {0};
    sherd_packing *packing = NULL;
    if (fill(shape, def, &analysis, &fit, &centres, error) == SHERD_OK) {
        if (sherd_conform_to_surface(shape, &analysis, &fit, def, &centres))
            packing = finish(shape, def, &analysis, &fit, &centres, error);
        else
            sherd_fail_memory(error, "packing: elements near the surface");
    }
    SHERD_ASSERT(packing == NULL || ((size_t)packing->count == centres.count &&
                                     sherd_all_positive(packing->radius, centres.count)),
                 "each centre becomes an element with a radius");
    sherd_centres_free(&centres);
    return packing;
}

void sherd_packing_destroy(sherd_packing *packing)
{
    if (packing == NULL) return;
    sherd_free(packing->x);
    sherd_free(packing->y);
    sherd_free(packing->z);
    sherd_free(packing->radius);
    sherd_free(packing->volume);
    sherd_free(packing->bond_i);
    sherd_free(packing->bond_j);
    sherd_free(packing->bond_section);
    sherd_tetra_mesh_destroy(packing->tetra);
    sherd_free(packing->bond_factor);
    sherd_free(packing);
}
