// sherd bench surface: seconds to mesh a disc, whole and broken into pieces, and to carry its vertices to
// where elements are.
#include "bench/benchmarks.h"
#include "clock.h"
#include "message.h"

#include <sherd/given_columns.h>
#include <sherd/surface.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct disc {
    int seeds; // of pieces
    sherd_surface_method method;
    sherd_shape *shape;
    sherd_packing *packing;
    sherd_world *world;
    sherd_given_columns given;
    uint8_t *broken;
    sherd_fragments *fragments;
    sherd_surface *surface;
} disc;

typedef struct surface_result {
    double create, whole, pieces, few, pose;         // [s]
    double whole_cpu, pieces_cpu, few_cpu, pose_cpu; // of all threads together [s]
    int64_t triangles, vertices;                     // of all pieces
    int elements, fragments, threads;
    int64_t bonds;
    double volume; // of all pieces as a share of the disc's
} surface_result;

static sherd_status fail_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a benchmark"};
    return SHERD_ERROR_MEMORY;
}

// Of all threads [s].
static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void free_disc(disc *d)
{
    sherd_surface_destroy(d->surface);
    sherd_fragments_destroy(d->fragments);
    sherd_given_columns_free(&d->given);
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
    if (sherd_given_columns_create(&d->given, d->world) && d->broken != NULL &&
        d->fragments != NULL)
        return SHERD_OK;
    return fail_memory(error);
}

static sherd_status create_surface(disc *d, int threads, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(d->world);
    sherd_surface_body body = {.shape = d->shape, .count = d->packing->count};
    sherd_surface_def def = sherd_surface_def_default();
    def.method = d->method;
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
static int nearest_seed(int seeds, double x, double y, double radius)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < seeds; ++k) {
        double r = radius * sqrt((k + 0.5) / seeds), angle = 2.39996322972865 * k;
        double distance = hypot(x - r * cos(angle), y - r * sin(angle));
        if (distance >= least) continue;
        least = distance;
        best = k;
    }
    return best;
}

static sherd_status break_disc(disc *d, sherd_error *error)
{
    const double *x = d->given.rest_x, *y = d->given.rest_y;
    sherd_bond_view b = sherd_world_bonds(d->world);
    double radius = sherd_shape_bounds(d->shape).high.x;
    int *seed = calloc((size_t)d->packing->count + 1, sizeof *seed);
    if (seed == NULL) return fail_memory(error);
    for (sherd_element_index k = 0; k < d->packing->count; ++k)
        seed[k] = nearest_seed(d->seeds, x[k], y[k], radius);
    for (sherd_bond_index k = 0; k < b.count; ++k)
        d->broken[k] = seed[b.i[k]] != seed[b.j[k]];
    free(seed);
    return SHERD_OK;
}

// As many bonds nearest to the middle of the disc's upper half.
enum { FEW_BONDS = 20 };
static void break_few(disc *d, int count)
{
    sherd_bond_view b = sherd_world_bonds(d->world);
    const double *x = d->given.rest_x, *y = d->given.rest_y, *z = d->given.rest_z;
    double at = 0.5 * sherd_shape_bounds(d->shape).high.y;
    for (int k = 0; k < count; ++k) {
        sherd_bond_index nearest = -1;
        double least = INFINITY;
        for (sherd_bond_index j = 0; j < b.count; ++j) {
            sherd_element_index e = b.i[j], f = b.j[j];
            double away = hypot(hypot(x[e] + x[f], y[e] + y[f] - 2.0 * at), z[e] + z[f]);
            if (d->broken[j] || away >= least) continue;
            least = away;
            nearest = j;
        }
        if (nearest >= 0) d->broken[nearest] = 1;
    }
}

static sherd_status mesh_disc(disc *d, double *seconds, double *cpu, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(d->world);
    sherd_fragment_input input = {.element_count = d->packing->count,
                                  .mass = d->given.mass,
                                  .radius = d->packing->radius,
                                  .bond_count = b.count,
                                  .bond_i = b.i,
                                  .bond_j = b.j,
                                  .bond_broken = d->broken};
    sherd_status status = sherd_fragments_update(d->fragments, &input, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(d->fragments);
    double start = clock_seconds(), cpu_start = cpu_seconds();
    status = sherd_surface_update(d->surface, &view, d->broken, error);
    *seconds = clock_seconds() - start;
    *cpu = cpu_seconds() - cpu_start;
    return status;
}

// The disc rolled up a little, once to touch all memory and once for the clock.
static void pose_vertices(disc *d, double *const *vertices, double *const *normals,
                          double *const column[7], surface_result *r)
{
    const double curvature = 2.0; // [1/m]
    for (sherd_element_index k = 0; k < d->packing->count; ++k) {
        double angle = curvature * d->given.rest_x[k], z = d->given.rest_z[k];
        column[0][k] = (1.0 / curvature - z) * sin(angle);
        column[1][k] = d->given.rest_y[k];
        column[2][k] = 1.0 / curvature - (1.0 / curvature - z) * cos(angle);
        column[4][k] = -sin(0.5 * angle);
        column[6][k] = cos(0.5 * angle);
    }
    const sherd_surface_pose pose = {column[0], column[1], column[2], column[3],
                                     column[4], column[5], column[6]};
    for (int pass = 0; pass < 2; ++pass) {
        double start = clock_seconds(), cpu_start = cpu_seconds();
        sherd_surface_pose_all(d->surface, &pose, vertices, normals);
        r->pose = clock_seconds() - start;
        r->pose_cpu = cpu_seconds() - cpu_start;
    }
}

static sherd_status pose_disc(disc *d, surface_result *r, sherd_error *error)
{
    size_t count = (size_t)r->fragments, n = (size_t)d->packing->count;
    double **arrays = calloc(2 * count + 1, sizeof *arrays);
    double *all = calloc(6 * (size_t)r->vertices + 7 * n + 1, sizeof *all);
    if (arrays != NULL && all != NULL) {
        double *at = all, *column[7];
        for (int k = 0; k < 7; ++k, at += n)
            column[k] = at;
        for (size_t k = 0; k < 2 * count; ++k) {
            arrays[k] = at;
            at += 3 * sherd_surface_get_piece(d->surface, (int)(k % count)).mesh->vertex_count;
        }
        pose_vertices(d, arrays, arrays + count, column, r);
    }
    bool ok = arrays != NULL && all != NULL;
    free(arrays);
    free(all);
    return ok ? SHERD_OK : fail_memory(error);
}

static sherd_status measure(disc *d, int threads, surface_result *r, sherd_error *error)
{
    double start = clock_seconds();
    sherd_status status = create_surface(d, threads, error);
    r->create = clock_seconds() - start;
    if (status == SHERD_OK) status = mesh_disc(d, &r->whole, &r->whole_cpu, error);
    if (status == SHERD_OK) status = break_disc(d, error);
    if (status == SHERD_OK) status = mesh_disc(d, &r->pieces, &r->pieces_cpu, error);
    if (status != SHERD_OK) return status;
    r->fragments = sherd_surface_piece_count(d->surface);
    for (int k = 0; k < r->fragments; ++k) {
        r->triangles += sherd_surface_get_piece(d->surface, k).mesh->triangle_count;
        r->vertices += sherd_surface_get_piece(d->surface, k).mesh->vertex_count;
        r->volume += sherd_mesh_volume(sherd_surface_get_piece(d->surface, k).mesh);
    }
    r->volume /= sherd_shape_volume(d->shape);
    r->elements = d->packing->count;
    r->bonds = sherd_world_bonds(d->world).count;
    r->threads = threads;
    status = pose_disc(d, r, error);
    if (status != SHERD_OK) return status;
    break_few(d, FEW_BONDS);
    return mesh_disc(d, &r->few, &r->few_cpu, error);
}

static void print_result(const char *name, const surface_result *r, bool json, bool first)
{
    if (!json) {
        printf("%-14s %9d %8d %7d %10lld %8.4f %9.2f %6.2f /%6.2f %6.2f /%6.2f %6.2f /%6.2f %6.2f "
               "/%6.2f\n",
               name, r->elements, r->threads, r->fragments, (long long)r->triangles, r->volume,
               r->create, r->whole, r->whole_cpu, r->pieces, r->pieces_cpu, r->few, r->few_cpu,
               r->pose, r->pose_cpu);
        fflush(stdout);
        return;
    }
    const char *metrics[] = {"create",          "mesh_whole", "mesh_whole_cpu", "mesh_pieces",
                             "mesh_pieces_cpu", "mesh_few",   "mesh_few_cpu",   "pose",
                             "pose_cpu"};
    const double values[] = {r->create, r->whole,   r->whole_cpu, r->pieces,  r->pieces_cpu,
                             r->few,    r->few_cpu, r->pose,      r->pose_cpu};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
        printf("%s\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"s\", "
               "\"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
               first && k == 0 ? "" : ",", name, metrics[k], values[k], r->threads, r->elements,
               (long long)r->bonds);
}

// CASE, CASE/METHOD or /METHOD; nothing: all, as the method auto has them.
static bool choose(const char *only, const char *name, sherd_surface_method *method)
{
    *method = SHERD_SURFACE_AUTO;
    if (only == NULL) return true;
    size_t length = strcspn(only, "/");
    if (length > 0 && (strncmp(only, name, length) != 0 || name[length] != '\0')) return false;
    if (only[length] == '\0') return true;
    for (int k = 0; k < SHERD_SURFACE_METHOD_COUNT; ++k)
        if (strcmp(only + length + 1, sherd_surface_method_describe(k).word) == 0) {
            *method = (sherd_surface_method)k;
            return true;
        }
    return false;
}

int bench_surface(const command_options *options)
{
    const struct {
        const char *name;
        double elements;
        int seeds; // of pieces
    } cases[] = {{"disc-35k", 3.5e4, 60}, {"disc-240k", 2.4e5, 60}, {"disc-220k-500", 2.2e5, 500}};
    int threads = options->threads > 0 ? options->threads : 4;
    if (options->json)
        printf("[");
    else
        printf("%-14s %9s %8s %7s %10s %8s %9s %14s %14s %14s %14s\n", "case", "elements",
               "threads", "pieces", "triangles", "volume", "create s", "whole s / cpu",
               "pieces s / cpu", "20 more / cpu", "pose s / cpu");
    int done = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        disc d = {.seeds = cases[k].seeds};
        if (!choose(options->only, cases[k].name, &d.method)) continue;
        surface_result result = {0};
        sherd_error error = {0};
        sherd_status status = make_disc(cases[k].elements, threads, &d, &error);
        if (status == SHERD_OK) status = measure(&d, threads, &result, &error);
        free_disc(&d);
        if (status != SHERD_OK) return message_error(&error);
        print_result(cases[k].name, &result, options->json, done++ == 0);
    }
    if (done == 0)
        return message_usage("unknown case", options->only,
                             "disc-35k, disc-240k or disc-220k-500, with a method: disc-35k/fluid");
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
