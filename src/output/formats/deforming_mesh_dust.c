#include "output/formats/deforming_mesh_dust.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/dust/dust_grains.h"

// Selects every step-th grain, sorted by body, stable.
static void sort_grains(deforming_dust *d, const dust_grain *all, int64_t total, int bodies)
{
    int64_t step = (total + DEFORMING_MAX_GRAINS - 1) / DEFORMING_MAX_GRAINS;
    for (int b = 0; b < bodies; ++b) {
        d->first[b] = d->count;
        for (int64_t k = 0; k < total; k += step)
            if (all[k].body == b) d->grains[d->count++] = &all[k];
    }
    SHERD_ASSERT(d->count <= DEFORMING_MAX_GRAINS, "selected grains fit their list");
    d->first[bodies] = d->count;
}

sherd_status sherd_deforming_dust_create(deforming_dust *d, const sherd_scene *scene,
                                         const sherd_run_model *model, sherd_run *run, int64_t last,
                                         sherd_error *error)
{
    *d = (deforming_dust){.dust = sherd_dust_create(scene, model, error)};
    if (d->dust == NULL) return error->status;
    sherd_status status = sherd_dust_catch_up(d->dust, run, last + 1, error);
    if (status != SHERD_OK) return status;
    int64_t total;
    const dust_grain *all = sherd_dust_list(d->dust, &total);
    size_t most = (size_t)(total < DEFORMING_MAX_GRAINS ? total : DEFORMING_MAX_GRAINS);
    d->grains = sherd_alloc(most, sizeof(const dust_grain *));
    d->first = sherd_alloc((size_t)model->body_count + 1, sizeof *d->first);
    if (d->grains == NULL || d->first == NULL) return sherd_fail_memory(error, "dust");
    sort_grains(d, all, total, model->body_count);
    return SHERD_OK;
}

void sherd_deforming_dust_release(deforming_dust *d)
{
    sherd_dust_destroy(d->dust);
    sherd_free(d->grains);
    sherd_free(d->first);
    *d = (deforming_dust){0};
}

enum { CORNERS = 6, FACES = 8 };

static void put_octahedron(sherd_mesh *mesh, int32_t k, sherd_vec3 at, double radius)
{
    double *to = mesh->vertices + 3 * CORNERS * (size_t)k;
    for (int v = 0; v < CORNERS; ++v) {
        double x[3] = {at.x, at.y, at.z};
        x[v / 2] += v % 2 == 0 ? radius : -radius;
        for (int c = 0; c < 3; ++c)
            to[3 * v + c] = x[c];
    }
    // One face per octant: one end of each axis, with reversed orientation if an odd number of
    // signs is negative.
    for (int f = 0; f < FACES; ++f) {
        int32_t *t = mesh->triangles + 3 * (FACES * (size_t)k + (size_t)f), first = CORNERS * k;
        int sign[3] = {f & 1, f >> 1 & 1, f >> 2};
        bool odd = (sign[0] + sign[1] + sign[2]) % 2 == 1;
        t[0] = first + sign[0];
        t[odd ? 2 : 1] = first + 2 + sign[1];
        t[odd ? 1 : 2] = first + 4 + sign[2];
    }
}

sherd_mesh *sherd_deforming_dust_mesh(const deforming_dust *d, int body, double time,
                                      sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_OK};
    int32_t count = d->dust != NULL ? (int32_t)(d->first[body + 1] - d->first[body]) : 0;
    if (count == 0) return NULL;
    sherd_mesh *mesh = sherd_mesh_create(CORNERS * count, FACES * count, error);
    for (int32_t k = 0; mesh != NULL && k < count; ++k) {
        const dust_grain *g = d->grains[d->first[body] + k];
        put_octahedron(mesh, k, sherd_dust_position(d->dust, g, time),
                       time >= g->time ? g->radius : 0.0);
    }
    return mesh;
}
