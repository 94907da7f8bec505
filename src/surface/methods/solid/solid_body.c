#include "surface/methods/solid/solid_body.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"
#include "surface/piece/skin_piece.h"

// A body without a shape has no texture of its own and stays smooth.
static decoration decoration_of(const solid_body *b)
{
    const sherd_surface_def *d = b->source.def;
    const sherd_shape *shape = b->source.body->shape;
    sherd_bounds box =
        shape != NULL ? sherd_shape_bounds(shape) : sherd_point_bins_bounds(&b->partition.elements);
    sherd_vec3 size = vec3_sub(box.high, box.low);
    double extent = fmax(b->radius, fmax(size.x, fmax(size.y, size.z)));
    double unit = d->inner_uv_scale > 0.0 ? d->inner_uv_scale : extent;
    if (shape == NULL) return (decoration){.texture = {unit, false}};
    return (decoration){{unit, sherd_shape_has_own_texture(shape)},
                        sherd_roughness_of(&d->roughness, shape, b->radius)};
}

static bool create_partition(solid_body *b, double smoothing)
{
    const sherd_surface_def *d = b->source.def;
    sherd_vec3 *positions = sherd_alloc((size_t)b->count, sizeof *positions);
    if (positions == NULL) return false;
    for (sherd_element_index k = 0; k < b->count; ++k) {
        sherd_element_index e = b->first + k;
        positions[k] = vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
    }
    bool ok =
        sherd_partition_create(&b->partition, positions, d->radius + b->first, b->count, smoothing);
    sherd_free(positions);
    return ok;
}

static bool is_parted(const void *context, sherd_vec3 a, sherd_vec3 b)
{
    return sherd_partition_is_parted(context, a, b);
}

sherd_status sherd_solid_create(solid_body *b, const maker_source *source,
                                const solid_options *options, sherd_error *error)
{
    const sherd_surface_def *d = source->def;
    *b = (solid_body){.index = source->index,
                      .source = *source,
                      .first = source->body->first,
                      .count = source->body->count};
    for (sherd_element_index e = 0; e < b->count; ++e)
        b->radius += d->radius[b->first + e] / b->count;
    double smoothing = d->smoothing > 0.0 ? d->smoothing : options->smoothing;
    bool walls = options->wall_cell_size > 0.0 && source->body->wall_count > 0;
    double cell_size = walls ? options->wall_cell_size : options->cell_size;
    b->cell = (d->cell_size > 0.0 ? d->cell_size : cell_size) * b->radius;
    b->half_gap = 0.5 * d->crack_gap * b->radius;
    b->slit_width = smoothing * b->radius;
    b->slit_support =
        (walls ? options->wall_slit_support : options->slit_support) * smoothing * smoothing;
    // Corners of the grid's tetrahedra are up to sqrt(3) cells from each other.
    bool ok = create_partition(b, smoothing);
    if (ok && walls)
        ok = sherd_partition_use_walls(&b->partition, source->body->walls,
                                       source->body->wall_count) &&
             sherd_cut_links_create(&b->partition.links, &b->partition.elements, 2.0 * b->radius,
                                    is_parted, &b->partition);
    if (ok && options->chips && d->chips && !walls)
        ok = sherd_partition_use_chips(&b->partition, 1.75 * b->cell);
    if (!ok) return sherd_fail_memory(error, "surface elements");
    b->decoration = decoration_of(b);
    return SHERD_OK;
}

void sherd_solid_release(solid_body *b)
{
    sherd_slits_release(&b->slits);
    sherd_partition_release(&b->partition);
    *b = (solid_body){0};
}

bool sherd_solid_can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_SOLID && body->shape != NULL;
}

enum { LARGE_PIECE = 20000 }; // vertices; larger pieces are divided among threads

typedef struct follow_job {
    solid_body *b;
    piece_array *pieces;
    const sherd_fragment_view *now;
    int32_t *element; // one element of each piece, in the body, -1: none
    uint8_t *failed;  // (pieces)
} follow_job;

static bool find_elements(follow_job *job, const sherd_fragment_id *own)
{
    const solid_body *b = job->b;
    key_map number = {0};
    bool ok = true;
    for (int32_t k = 0; ok && k < job->pieces->count; ++k) {
        job->element[k] = -1;
        ok = sherd_key_map_insert(&number, (uint64_t)job->pieces->items[k].fragment) == k;
    }
    for (sherd_element_index e = b->count - 1; ok && e >= 0; --e) {
        int32_t k = sherd_key_map_find(&number, (uint64_t)own[e]);
        if (k >= 0) job->element[k] = e;
    }
    sherd_key_map_release(&number);
    return ok;
}

// Fragments only split, so a fragment with the same id and size is unchanged.
static bool follow_piece(const follow_job *job, size_t k, const sherd_parallel *parallel)
{
    solid_body *b = job->b;
    piece *p = &job->pieces->items[k];
    if (job->element[k] < 0) return true;
    sherd_element_index e = b->first + job->element[k];
    const sherd_fragment *f = &job->now->fragments[job->now->element_slot[e]];
    if (f->id == p->followed && f->count == p->followed_count) return true;
    p->followed = f->id;
    p->followed_count = f->count;
    const skin_source source = {&b->partition, f->id, f->count, job->element[k], b->first};
    return sherd_skin_piece(p, &source, parallel);
}

static bool is_large(const follow_job *job, size_t k)
{
    return job->pieces->items[k].mesh->vertex_count > LARGE_PIECE;
}

static void follow_small(void *context, size_t begin, size_t end)
{
    const follow_job *job = context;
    sherd_parallel serial = {1};
    for (size_t k = begin; k < end; ++k)
        if (!is_large(job, k) && !follow_piece(job, k, &serial)) job->failed[k] = 1;
}

bool sherd_solid_follow(solid_body *b, piece_array *pieces, const sherd_fragment_id *own,
                        const sherd_fragment_view *now, const sherd_parallel *parallel)
{
    size_t n = (size_t)pieces->count;
    follow_job job = {b, pieces, now, sherd_alloc(n, sizeof *job.element), sherd_alloc(n, 1)};
    bool ok = job.element != NULL && job.failed != NULL && find_elements(&job, own);
    if (ok) sherd_partition_relabel(&b->partition, now->element_fragment + b->first);
    for (size_t k = 0; ok && k < n; ++k)
        if (is_large(&job, k)) ok = follow_piece(&job, k, parallel);
    if (ok) sherd_parallel_for(parallel, n, 4, follow_small, &job);
    for (size_t k = 0; ok && k < n; ++k)
        ok = !job.failed[k];
    sherd_free(job.element);
    sherd_free(job.failed);
    return ok;
}
