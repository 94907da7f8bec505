#include "surface/methods/solid/solid_body.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

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
