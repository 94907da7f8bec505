// sherd bench surface: seconds to mesh a disc, whole and broken into pieces.
#include "commands.h"
#include "given_columns.h"
#include "message.h"
#include "run_loop.h"

#include <sherd/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 60 };

typedef struct disc {
    sherd_shape *shape;
    sherd_packing *packing;
    sherd_world *world;
    given_columns given;
    uint8_t *broken;
    sherd_fragments *fragments;
    sherd_surface *surface;
} disc;

typedef struct surface_result {
    double create, whole, pieces; // [s]
    int64_t triangles;            // of all pieces
    int elements, fragments, threads;
    int64_t bonds;
} surface_result;

static void free_disc(disc *d)
{
    sherd_surface_destroy(d->surface);
    sherd_fragments_destroy(d->fragments);
    given_columns_free(&d->given);
    free(d->broken);
    sherd_world_destroy(d->world);
    sherd_packing_destroy(d->packing);
    sherd_shape_destroy(d->shape);
}

// Ten radii thick, as plates and bowls are.
static sherd_status make_disc(double elements, int threads, disc *d, sherd_error *error)
{
    const double radius = 1e-3, height = 10.0 * radius;
    double volume = elements * 4.0 * sqrt(2.0) * radius * radius * radius; // of close packing
    d->shape = sherd_shape_cylinder(sqrt(volume / (3.14159265358979 * height)), height, error);
    if (d->shape == NULL) return error->status;
    sherd_packing_def packing_def = sherd_packing_def_default();
    packing_def.radius = radius;
    packing_def.threads = threads;
    d->packing = sherd_packing_create(d->shape, &packing_def, error);
    if (d->packing == NULL) return error->status;
    sherd_world_def def = sherd_world_def_default();
    def.threads = threads;
    d->world = sherd_world_create(&def, error);
    if (d->world == NULL) return error->status;
    sherd_material_def material = sherd_material_def_default();
    material.tensile_strength = material.shear_strength = 1e12;
    sherd_body_def body = sherd_body_def_default();
    body.count = d->packing->count;
    body.x = d->packing->x, body.y = d->packing->y, body.z = d->packing->z;
    body.radius = d->packing->radius;
    body.material = sherd_world_add_material(d->world, &material, error);
    if (body.material.index1 == 0 || sherd_world_add_body(d->world, &body, error).index1 == 0)
        return error->status;
    d->broken = calloc((size_t)sherd_world_bonds(d->world).count + 1, 1);
    d->fragments = sherd_fragments_create(error);
    if (given_columns_create(&d->given, d->world) && d->broken != NULL && d->fragments != NULL)
        return SHERD_OK;
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a benchmark"};
    return SHERD_ERROR_MEMORY;
}

static sherd_status create_surface(disc *d, int threads, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(d->world);
    sherd_surface_body body = {.shape = d->shape, .count = d->packing->count};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1;
    def.bodies = &body;
    def.element_count = d->packing->count;
    def.rest_x = d->given.rest_x, def.rest_y = d->given.rest_y, def.rest_z = d->given.rest_z;
    def.radius = d->given.radius;
    def.bond_count = b.count;
    def.bond_i = b.i, def.bond_j = b.j;
    def.threads = threads;
    d->surface = sherd_surface_create(&def, error);
    return d->surface != NULL ? SHERD_OK : error->status;
}

// Points spread over the disc by the golden angle, as sunflower seeds are.
static int nearest_seed(double x, double y, double radius)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < SEEDS; ++k) {
        double r = radius * sqrt((k + 0.5) / SEEDS), angle = 2.39996322972865 * k;
        double distance = hypot(x - r * cos(angle), y - r * sin(angle));
        if (distance >= least) continue;
        least = distance;
        best = k;
    }
    return best;
}

static void break_disc(disc *d)
{
    const double *x = d->given.rest_x, *y = d->given.rest_y;
    sherd_bond_view b = sherd_world_bonds(d->world);
    double radius = sherd_shape_bounds(d->shape).high.x;
    for (sherd_bond_index k = 0; k < b.count; ++k)
        d->broken[k] = nearest_seed(x[b.i[k]], y[b.i[k]], radius) !=
                       nearest_seed(x[b.j[k]], y[b.j[k]], radius);
}

static sherd_status mesh_disc(disc *d, double *seconds, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(d->world);
    sherd_fragment_input input = {
        d->packing->count, d->given.mass, d->packing->radius, b.count, b.i, b.j, d->broken};
    sherd_status status = sherd_fragments_update(d->fragments, &input, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(d->fragments);
    double start = clock_seconds();
    status = sherd_surface_update(d->surface, &view, d->broken, error);
    *seconds = clock_seconds() - start;
    return status;
}

static sherd_status measure(disc *d, int threads, surface_result *r, sherd_error *error)
{
    double start = clock_seconds();
    sherd_status status = create_surface(d, threads, error);
    r->create = clock_seconds() - start;
    if (status == SHERD_OK) status = mesh_disc(d, &r->whole, error);
    if (status != SHERD_OK) return status;
    break_disc(d);
    status = mesh_disc(d, &r->pieces, error);
    r->fragments = sherd_surface_piece_count(d->surface);
    for (int k = 0; k < r->fragments; ++k)
        r->triangles += sherd_surface_get_piece(d->surface, k).mesh->triangle_count;
    r->elements = d->packing->count;
    r->bonds = sherd_world_bonds(d->world).count;
    r->threads = threads;
    return status;
}

static void print_result(const char *name, const surface_result *r, bool json, bool first)
{
    if (!json) {
        printf("%-14s %9d %8d %9d %10lld %9.2f %9.2f %9.2f\n", name, r->elements, r->threads,
               r->fragments, (long long)r->triangles, r->create, r->whole, r->pieces);
        fflush(stdout);
        return;
    }
    const char *metrics[] = {"create", "mesh_whole", "mesh_pieces"};
    const double values[] = {r->create, r->whole, r->pieces};
    for (int k = 0; k < 3; ++k)
        printf("%s\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"s\", "
               "\"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
               first && k == 0 ? "" : ",", name, metrics[k], values[k], r->threads, r->elements,
               (long long)r->bonds);
}

int bench_surface(const command_options *options)
{
    const struct {
        const char *name;
        double elements;
    } cases[] = {{"disc-35k", 3.5e4}, {"disc-240k", 2.4e5}};
    int threads = options->threads > 0 ? options->threads : 4;
    if (options->json)
        printf("[");
    else
        printf("%-14s %9s %8s %9s %10s %9s %9s %9s\n", "case", "elements", "threads", "pieces",
               "triangles", "create s", "whole s", "pieces s");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        disc d = {0};
        surface_result result = {0};
        sherd_error error = {0};
        sherd_status status = make_disc(cases[k].elements, threads, &d, &error);
        if (status == SHERD_OK) status = measure(&d, threads, &result, &error);
        free_disc(&d);
        if (status != SHERD_OK) return message_error(&error);
        print_result(cases[k].name, &result, options->json, k == 0);
    }
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
