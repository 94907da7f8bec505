#include "surface/body_update.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"
#include "surface/fluid/fluid_field.h"

#include <string.h>

// A crack worth drawing has this much weight of aligned fracture points around, times the square of their
// bells' width in radii: an unbroken sheet of them in a close packing has up to 3, a single broken bond
// 0.4 or less.
static const double SLIT_SUPPORT = 0.85;
// A fluid's surface passes over cracks narrower than its kernels: only those that come open are worth
// drawing, which are whole sheets.
static const double SLIT_SUPPORT_IN_FLUID = 1.3;
// Longer edges of the outline are halved [mean radii]: bodies can bend, and cracks cut triangles in few
// parts.
static const double LONGEST_EDGE = 4.0;

// A body without a shape has no texture of its own and stays smooth.
static decoration decoration_of(const body_surface *b, const body_options *options, double radius)
{
    const sherd_shape *shape = b->shape;
    sherd_bounds box =
        shape != NULL ? sherd_shape_bounds(shape) : sherd_bins_bounds(&b->partition.elements);
    sherd_vec3 size = vec3_sub(box.high, box.low);
    double extent = fmax(radius, fmax(size.x, fmax(size.y, size.z)));
    double unit = options->inner_uv_scale > 0.0 ? options->inner_uv_scale : extent;
    if (shape == NULL) return (decoration){.texture = {unit, false}};
    return (decoration){{unit, sherd_shape_has_own_texture(shape)},
                        sherd_roughness_of(&options->roughness, shape, radius)};
}

static sherd_status create_grid(body_surface *b, const sherd_parallel *parallel, sherd_error *error)
{
    const sherd_shape *shape = b->fluid != NULL ? NULL : b->shape;
    switch (sherd_grid_create(&b->grid, &b->partition, shape, b->cell, parallel)) {
    case GRID_MEMORY:
        return sherd_fail_memory(error, "surface grid");
    case GRID_TOO_LARGE:
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "sherd_surface_create",
                          "use a larger cell_size",
                          "body %d is more than 262000 cells of %g m long", b->index, b->cell);
    case GRID_OK:
        break;
    }
    b->touched.start = sherd_alloc((size_t)b->grid.count + 1, sizeof *b->touched.start);
    return b->touched.start != NULL ? SHERD_OK : sherd_fail_memory(error, "surface grid");
}

// The outline and the grid of cracks. A body whose outline is no closed surface is marched.
static sherd_status create_outline(body_surface *b, double radius, const sherd_parallel *parallel,
                                   sherd_error *error)
{
    sherd_error why = {0};
    double margin = 3.0 * CRACK_BLOCK * b->cell;
    sherd_status status =
        sherd_outline_create(&b->outline, b->shape, radius, LONGEST_EDGE * radius, margin, &why);
    crack_result made = CRACK_TOO_LARGE;
    if (status == SHERD_OK)
        made = sherd_crack_grid_create(&b->cracks, &b->outline, &b->partition, b->cell, parallel);
    if (status == SHERD_ERROR_MEMORY || made == CRACK_MEMORY)
        return sherd_fail_memory(error, "a body's surface");
    b->cuts = made == CRACK_OK;
    b->fell_back = !b->cuts;
    double patch = fmax(CRACK_BLOCK * b->cell, LONGEST_EDGE * radius);
    // Its distance is zero where cracks meet the outer surface as it is meshed.
    if (b->cuts) b->decoration.roughness.shape = b->outline.solid;
    if (b->cuts && !sherd_cut_create(&b->cut, &b->outline, &b->cracks, patch))
        return sherd_fail_memory(error, "a body's surface");
    return SHERD_OK;
}

static sherd_status create_fluid(body_surface *b, const body_options *options,
                                 const sherd_parallel *parallel, sherd_error *error)
{
    b->fluid = sherd_fluid_create(&b->partition, options->fluid, parallel);
    if (b->fluid == NULL) return sherd_fail_memory(error, "a body's surface");
    sherd_status status = create_grid(b, parallel, error);
    if (status == SHERD_OK && !sherd_fluid_level(b->fluid, &b->grid, parallel))
        status = sherd_fail_memory(error, "a body's surface");
    return status;
}

sherd_status sherd_body_surface_create(body_surface *b, const sherd_vec3 *positions,
                                       const double *radius, const body_options *options,
                                       const sherd_parallel *parallel, sherd_error *error)
{
    double mean = 0.0;
    for (sherd_element_index e = 0; e < b->count; ++e)
        mean += radius[e] / b->count;
    b->cell = options->cell_size * mean;
    b->half_gap = 0.5 * options->crack_gap * mean;
    b->slit_width = options->smoothing * mean;
    double support = options->fluid != NULL ? SLIT_SUPPORT_IN_FLUID : SLIT_SUPPORT;
    b->slit_support = support * options->smoothing * options->smoothing;
    if (!sherd_partition_create(&b->partition, positions, radius, b->count, options->smoothing))
        return sherd_fail_memory(error, "surface elements");
    b->decoration = decoration_of(b, options, mean);
    sherd_status status = SHERD_OK;
    if (options->fluid != NULL) return create_fluid(b, options, parallel, error);
    if (options->cut) status = create_outline(b, mean, parallel, error);
    if (status == SHERD_OK && !b->cuts) status = create_grid(b, parallel, error);
    return status;
}

void sherd_body_surface_release(body_surface *b)
{
    for (int32_t k = 0; k < b->piece_count; ++k)
        sherd_piece_release(&b->pieces[k]);
    sherd_free(b->pieces);
    sherd_free(b->touched.start);
    sherd_free(b->touched.label);
    sherd_slits_release(&b->slits);
    sherd_grid_release(&b->grid);
    sherd_cut_release(&b->cut);
    sherd_crack_grid_release(&b->cracks);
    sherd_outline_release(&b->outline);
    sherd_partition_release(&b->partition);
    sherd_fluid_destroy(b->fluid);
    sherd_yarns_release(&b->yarns);
    sherd_sheet_release(&b->sheet);
    sherd_shape_uv_release(&b->texture);
    *b = (body_surface){0};
}

// --- Pieces ----------------------------------------------------------------------------------------

void sherd_body_mark_piece(body_update *u, sherd_fragment_id label)
{
    int32_t k = label > 0 ? sherd_key_map_find(&u->number, (uint64_t)label) : -1;
    if (k >= 0) u->stale[k] = 1;
}

static void release_update(body_update *u)
{
    for (int32_t k = 0; u->pieces != NULL && k < u->piece_count; ++k)
        sherd_piece_release(&u->pieces[k]);
    sherd_free(u->pieces);
    sherd_free(u->first);
    sherd_free(u->stale);
    sherd_key_map_release(&u->number);
}

// Fragments of at least `smallest` elements that have elements in this body.
static bool number_pieces(body_update *u)
{
    const body_surface *b = u->b;
    const sherd_fragment_view *view = u->frame->view;
    size_t slots = (size_t)view->count;
    int32_t *count = sherd_alloc(slots, sizeof *count), *first = sherd_alloc(slots, sizeof *first);
    bool ok = count != NULL && first != NULL;
    for (sherd_element_index e = b->count - 1; ok && e >= 0; --e) {
        int32_t slot = view->element_slot[b->first + e];
        count[slot]++;
        first[slot] = e;
    }
    for (size_t k = 0; ok && k < slots; ++k)
        u->piece_count += count[k] > 0 && view->fragments[k].count >= u->frame->smallest;
    size_t n = (size_t)u->piece_count;
    u->pieces = sherd_alloc(n, sizeof *u->pieces);
    u->first = sherd_alloc(n, sizeof *u->first);
    u->stale = sherd_alloc(n, 1);
    ok = ok && u->pieces != NULL && u->first != NULL && u->stale != NULL;
    int32_t next = 0;
    for (size_t k = 0; ok && k < slots; ++k) {
        if (count[k] == 0 || view->fragments[k].count < u->frame->smallest) continue;
        u->pieces[next] = (piece){.fragment = view->fragments[k].id,
                                  .body = b->index,
                                  .element_count = view->fragments[k].count};
        u->first[next++] = first[k];
        ok = sherd_key_map_insert(&u->number, (uint64_t)view->fragments[k].id) >= 0;
    }
    sherd_free(count);
    sherd_free(first);
    return ok;
}

// --- An update -------------------------------------------------------------------------------------

static bool run_update(body_update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    const body_frame *f = u->frame;
    sherd_slits_release(&b->slits);
    if (!sherd_slits_build(&b->slits, f->crack_point, f->crack_normal, f->crack_label,
                           f->crack_count, b->slit_width, b->slit_support) ||
        !sherd_partition_update(&b->partition, f->label, parallel) || !number_pieces(u))
        return false;
    if (b->fluid != NULL && !sherd_fluid_update(b->fluid, &b->partition, f->broken, parallel))
        return false;
    if (!b->cuts) return sherd_body_march(u, parallel);
    cut_result result = sherd_body_cut(u, parallel);
    b->fell_back = result != CUT_OK;
    if (result != CUT_INCONSISTENT) return result == CUT_OK;
    if (b->grid.blocks == NULL && create_grid(b, parallel, NULL) != SHERD_OK) return false;
    return sherd_body_march(u, parallel);
}

sherd_status sherd_body_surface_update(body_surface *b, const body_frame *frame,
                                       const sherd_parallel *parallel, sherd_error *error)
{
    body_update u = {.b = b, .frame = frame};
    bool ok = run_update(&u, parallel);
    if (ok) {
        piece *former = b->pieces;
        int32_t former_count = b->piece_count;
        b->pieces = u.pieces;
        b->piece_count = u.piece_count;
        u.pieces = former;
        u.piece_count = former_count;
    }
    release_update(&u);
    return ok ? SHERD_OK : sherd_fail_memory(error, "fragment surfaces");
}
