#include "surface/body.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape_kind.h"
#include "math/vec3.h"
#include "surface/fluid_field.h"

#include <string.h>

// Corners this close to the middle of a crack inside a fragment count as its opening: half a cell's
// space diagonal, so that no tetrahedron reaches across. Vertices are then drawn to the true gap.
static const double HALF_SLIT_IN_CELLS = 0.87;
// A vertex depends on fields this many cells beyond its block: its own way, Newton steps, and its
// neighbours' over the iterations of fairing.
static const double REACH_OF_FAIRING = 8.0;
// Pieces of more vertices than this are built one after another, each by all threads.
enum { LARGE_PIECE = 20000 };
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
    sherd_crack_grid_release(&b->cracks);
    sherd_outline_release(&b->outline);
    sherd_partition_release(&b->partition);
    sherd_fluid_destroy(b->fluid);
    sherd_yarns_release(&b->yarns);
    sherd_sheet_release(&b->sheet);
    *b = (body_surface){0};
}

// --- Owners of grid corners ------------------------------------------------------------------------

typedef struct block_job {
    body_surface *b;
    uint8_t *stale;  // by block; 2: memory was short for it
    int32_t *counts; // by block
    block_pieces *lists;
} block_job;

static void mark_blocks(const body_surface *b, sherd_vec3 x, double reach, uint8_t *stale)
{
    int32_t low[3], high[3];
    sherd_vec3 r = vec3(reach, reach, reach);
    sherd_grid_block_range(&b->grid, vec3_sub(x, r), vec3_add(x, r), low, high);
    for (int32_t k = low[2]; k <= high[2]; ++k)
        for (int32_t j = low[1]; j <= high[1]; ++j)
            for (int32_t i = low[0]; i <= high[0]; ++i) {
                int32_t block = sherd_grid_find_block(&b->grid, i, j, k);
                if (block >= 0) stale[block] = 1;
            }
}

static void assign_blocks(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    body_surface *b = job->b;
    for (size_t k = begin; k < end; ++k)
        if (job->stale[k] && b->fluid != NULL)
            job->stale[k] = sherd_fluid_assign(b->fluid, &b->grid, &b->grid.blocks[k], &b->slits,
                                               HALF_SLIT_IN_CELLS * b->cell)
                                ? 1
                                : 2;
        else if (job->stale[k])
            sherd_grid_assign(&b->grid, &b->grid.blocks[k], &b->partition, &b->slits,
                              HALF_SLIT_IN_CELLS * b->cell);
}

// Distinct fragments of a block's cells, ascending; none where the cells have one owner only.
static int list_labels(const sherd_fragment_id owner[PATCH_CORNERS],
                       sherd_fragment_id label[PATCH_CORNERS])
{
    int count = 0;
    bool mixed = false;
    for (int c = 0; c < PATCH_CORNERS; ++c) {
        mixed |= owner[c] != owner[0];
        if (owner[c] <= 0 || (c > 0 && owner[c] == owner[c - 1])) continue;
        int at = 0;
        while (at < count && label[at] != owner[c])
            ++at;
        if (at == count) label[count++] = owner[c];
    }
    return mixed ? count : 0;
}

static void count_labels(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    sherd_fragment_id owner[PATCH_CORNERS], label[PATCH_CORNERS];
    for (size_t k = begin; k < end; ++k) {
        sherd_grid_patch(&job->b->grid, &job->b->grid.blocks[k], owner);
        job->counts[k] = list_labels(owner, label);
    }
}

static void store_labels(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    sherd_fragment_id owner[PATCH_CORNERS], label[PATCH_CORNERS];
    for (size_t k = begin; k < end; ++k) {
        int32_t first = job->lists->start[k], count = job->lists->start[k + 1] - first;
        if (count == 0) continue;
        sherd_grid_patch(&job->b->grid, &job->b->grid.blocks[k], owner);
        list_labels(owner, label);
        memcpy(job->lists->label + first, label, (size_t)count * sizeof *label);
    }
}

static bool list_touched(body_surface *b, block_pieces *lists, const sherd_parallel *parallel)
{
    size_t n = (size_t)b->grid.count;
    block_job job = {.b = b, .counts = sherd_alloc(n, sizeof(int32_t)), .lists = lists};
    *lists = (block_pieces){.start = sherd_alloc(n + 1, sizeof *lists->start)};
    bool ok = job.counts != NULL && lists->start != NULL;
    if (ok) {
        sherd_parallel_for(parallel, n, 32, count_labels, &job);
        for (size_t k = 0; k < n; ++k)
            lists->start[k + 1] = lists->start[k] + job.counts[k];
        lists->label = sherd_alloc((size_t)lists->start[n], sizeof *lists->label);
        ok = lists->label != NULL;
    }
    if (ok) sherd_parallel_for(parallel, n, 32, store_labels, &job);
    sherd_free(job.counts);
    return ok;
}

// --- Pieces ----------------------------------------------------------------------------------------

// One update's working data. Pieces are numbered in the order of the fragment view.
typedef struct update {
    body_surface *b;
    const body_frame *frame;
    uint8_t *stale_block; // owners may differ from the last update
    int32_t piece_count;
    piece *pieces;
    int32_t *first; // first element of each, in the body
    uint8_t *stale; // to be rebuilt
    key_map number; // fragment id -> piece
    int32_t *block; // those with stale pieces
    int32_t block_count;
    piece_source source;
    uint8_t *failed;
} update;

static void release_update(update *u)
{
    for (int32_t k = 0; u->pieces != NULL && k < u->piece_count; ++k)
        sherd_piece_release(&u->pieces[k]);
    sherd_free(u->pieces);
    sherd_free(u->stale_block);
    sherd_free(u->first);
    sherd_free(u->stale);
    sherd_free(u->block);
    sherd_free(u->failed);
    sherd_key_map_release(&u->number);
}

// Fragments of at least `smallest` elements that have elements in this body.
static bool number_pieces(update *u)
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
    u->failed = sherd_alloc(n, 1);
    ok = ok && u->pieces != NULL && u->first != NULL && u->stale != NULL && u->failed != NULL;
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

static void mark_piece(update *u, sherd_fragment_id label)
{
    int32_t k = label > 0 ? sherd_key_map_find(&u->number, (uint64_t)label) : -1;
    if (k >= 0) u->stale[k] = 1;
}

// Marks blocks near elements that changed hands or weight, or whose cracks changed, and pieces that
// had or have such elements.
static void mark_changes(update *u)
{
    body_surface *b = u->b;
    const partition *p = &b->partition;
    double reach = p->reach + REACH_OF_FAIRING * b->cell;
    sherd_vec3 last = vec3(INFINITY, 0.0, 0.0);
    for (int32_t k = 0; k < p->elements.count; ++k) {
        int32_t e = p->elements.source[k];
        if (!p->changed[k] && !u->frame->crack_changed[e]) continue;
        mark_piece(u, u->frame->label[e]);
        mark_piece(u, u->frame->former_label[e]);
        // Neighbours in a bin mark nearly the same blocks: one search for a clump of a few cells.
        if (vec3_distance(p->elements.point[k], last) < 2.0 * b->cell) continue;
        last = p->elements.point[k];
        mark_blocks(b, last, reach + 2.0 * b->cell, u->stale_block);
    }
}

static void mark_pieces_of_blocks(update *u, const block_pieces *lists)
{
    for (int32_t k = 0; k < u->b->grid.count; ++k) {
        bool stale = false;
        for (int n = 0; n < 8; ++n) {
            int32_t upper = u->b->grid.blocks[k].upper[n];
            stale |= upper >= 0 && u->stale_block[upper];
        }
        for (int32_t j = lists->start[k]; stale && j < lists->start[k + 1]; ++j)
            mark_piece(u, lists->label[j]);
    }
}

// Meshes of unchanged fragments move over; stale ones stay behind for comparison.
static void keep_unchanged(update *u)
{
    body_surface *b = u->b;
    for (int32_t k = 0; k < b->piece_count; ++k) {
        int32_t j = sherd_key_map_find(&u->number, (uint64_t)b->pieces[k].fragment);
        if (j < 0) continue;
        if (u->stale[j]) {
            u->pieces[j].version = b->pieces[k].version;
            u->pieces[j].fingerprint = b->pieces[k].fingerprint;
        } else {
            u->pieces[j] = b->pieces[k];
            b->pieces[k] = (piece){0};
        }
    }
    for (int32_t j = 0; j < u->piece_count; ++j)
        if (u->pieces[j].mesh == NULL) u->stale[j] = 1;
}

// Blocks that hold some of a stale piece.
static bool list_stale_blocks(update *u)
{
    const block_pieces *t = &u->b->touched;
    int32_t blocks = u->b->grid.count;
    u->block = sherd_alloc((size_t)blocks, sizeof *u->block);
    for (int32_t k = 0; u->block != NULL && k < blocks; ++k) {
        bool stale = false;
        for (int32_t j = t->start[k]; !stale && j < t->start[k + 1]; ++j) {
            int32_t number = sherd_key_map_find(&u->number, (uint64_t)t->label[j]);
            stale = number >= 0 && u->stale[number];
        }
        if (stale) u->block[u->block_count++] = k;
    }
    return u->block != NULL;
}

static bool is_large(const update *u, int32_t k)
{
    const int32_t *start = u->source.parts->vertex_start;
    return start[k + 1] - start[k] > LARGE_PIECE;
}

static bool build_piece(update *u, int32_t k, const sherd_parallel *parallel)
{
    return sherd_piece_build(&u->pieces[k], &u->source, k, u->first[k], parallel);
}

static void build_small(void *context, size_t begin, size_t end)
{
    update *u = context;
    sherd_parallel serial = {1};
    for (size_t k = begin; k < end; ++k)
        if (u->stale[k] && !is_large(u, (int32_t)k) && !build_piece(u, (int32_t)k, &serial))
            u->failed[k] = 1;
}

static bool build_stale(update *u, const sherd_parallel *parallel)
{
    for (int32_t k = 0; k < u->piece_count; ++k)
        if (u->stale[k] && is_large(u, k) && !build_piece(u, k, parallel)) return false;
    sherd_parallel_for(parallel, (size_t)u->piece_count, 4, build_small, u);
    for (int32_t k = 0; k < u->piece_count; ++k)
        if (u->failed[k]) return false;
    return true;
}

// The stale pieces' common surface, and the pieces made of it.
static bool march_stale(update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    placing fields = {b->shape, b->fluid, &b->partition, &b->slits, b->cell, b->half_gap};
    march_plan plan = {&b->grid, u->block, u->block_count, &u->number, u->stale, b->fluid != NULL};
    shell s;
    shell_parts parts = {0};
    bool ok = sherd_shell_march(&s, &plan, parallel);
    uint8_t *crease = ok ? sherd_alloc((size_t)s.vertex_count, 1) : NULL;
    u->source = (piece_source){&s, &parts, &fields, crease, b->first, &b->decoration};
    ok = crease != NULL && sherd_shell_fair(&s, &fields, crease, parallel) &&
         sherd_shell_divide(&s, u->piece_count, &parts) && build_stale(u, parallel);
    sherd_free(crease);
    sherd_shell_parts_release(&parts);
    sherd_shell_release(&s);
    return ok;
}

// A rebuilt mesh that came out the same keeps its version.
static void number_versions(update *u, const uint64_t *former_fingerprint)
{
    for (int32_t k = 0; k < u->piece_count; ++k) {
        piece *p = &u->pieces[k];
        if (!u->stale[k]) continue;
        if (p->version == 0 || p->fingerprint != former_fingerprint[k])
            p->version = (*u->frame->next_version)++;
    }
}

static bool rebuild(update *u, const sherd_parallel *parallel)
{
    uint64_t *former = sherd_alloc((size_t)u->piece_count, sizeof *former);
    if (former == NULL) return false;
    for (int32_t k = 0; k < u->piece_count; ++k)
        former[k] = u->pieces[k].fingerprint;
    bool ok = list_stale_blocks(u) && march_stale(u, parallel);
    if (ok) number_versions(u, former);
    sherd_free(former);
    return ok;
}

// --- Cutting ---------------------------------------------------------------------------------------

typedef struct stale_job {
    const body_surface *b;
    const uint8_t *crack_changed; // by element
    uint8_t *stale;               // by block of the crack grid
} stale_job;

// Blocks in reach of elements that changed.
static void mark_crack_blocks(void *context, size_t begin, size_t end)
{
    stale_job *job = context;
    const partition *p = &job->b->partition;
    for (size_t k = begin; k < end; ++k) {
        const crack_block *block = &job->b->cracks.blocks[k];
        sherd_bounds box = sherd_crack_block_bounds(&job->b->cracks, block);
        int32_t first, last;
        job->stale[k] = block->sparse;
        // Fracture points lie up to a radius from their elements and reach about as far as these.
        bins_rows rows = sherd_bins_rows(&p->elements, box.low, box.high, 1.5 * p->reach);
        while (!job->stale[k] && sherd_bins_next(&p->elements, &rows, &first, &last))
            for (int32_t e = first; e < last; ++e)
                job->stale[k] |= p->changed[e] | job->crack_changed[p->elements.source[e]];
    }
}

// Pieces whose elements changed must follow other elements even where their mesh is the same.
static void mark_changed_pieces(update *u)
{
    const partition *p = &u->b->partition;
    for (int32_t k = 0; k < p->elements.count; ++k) {
        int32_t e = p->elements.source[k];
        if (!p->changed[k]) continue;
        mark_piece(u, u->frame->label[e]);
        mark_piece(u, u->frame->former_label[e]);
    }
}

static bool update_cracks(update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    size_t n = (size_t)b->cracks.count;
    stale_job job = {b, u->frame->crack_changed, sherd_alloc(n, 1)};
    if (job.stale == NULL) return false;
    sherd_parallel_for(parallel, n, 16, mark_crack_blocks, &job);
    bool ok = sherd_crack_grid_update(&b->cracks, &b->partition, &b->slits, job.stale, parallel);
    sherd_free(job.stale);
    return ok;
}

static cut_result cut_pieces(update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    if (!update_cracks(u, parallel)) return CUT_MEMORY;
    mark_changed_pieces(u);
    cut_build build = {.o = &b->outline,
                       .g = &b->cracks,
                       .p = &b->partition,
                       .decoration = &b->decoration,
                       .offset = b->first,
                       .half_gap = b->half_gap,
                       .number = &u->number,
                       .piece_count = u->piece_count,
                       .pieces = u->pieces,
                       .first = u->first,
                       .stale = u->stale,
                       .former = b->pieces,
                       .former_count = b->fell_back ? 0 : b->piece_count};
    cut_result result = sherd_cut_build(&build, parallel);
    for (int32_t k = 0; result == CUT_OK && k < u->piece_count; ++k)
        if (u->pieces[k].version == 0) u->pieces[k].version = (*u->frame->next_version)++;
    return result;
}

// --- An update -------------------------------------------------------------------------------------

// Marches all pieces. After a body could not be cut, nothing is known of the frame before.
static bool march_pieces(update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    u->stale_block = sherd_alloc((size_t)b->grid.count, 1);
    if (u->stale_block == NULL) return false;
    mark_changes(u);
    if (b->cuts) memset(u->stale_block, 1, (size_t)b->grid.count);
    mark_pieces_of_blocks(u, &b->touched);
    block_job job = {.b = b, .stale = u->stale_block};
    sherd_parallel_for(parallel, (size_t)b->grid.count, 4, assign_blocks, &job);
    block_pieces now;
    bool ok =
        list_touched(b, &now, parallel) && memchr(job.stale, 2, (size_t)b->grid.count) == NULL;
    sherd_free(b->touched.start);
    sherd_free(b->touched.label);
    b->touched = now;
    if (!ok) return false;
    mark_pieces_of_blocks(u, &b->touched);
    if (b->cuts) memset(u->stale, 1, (size_t)u->piece_count);
    keep_unchanged(u);
    return rebuild(u, parallel);
}

static bool run_update(update *u, const sherd_parallel *parallel)
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
    if (!b->cuts) return march_pieces(u, parallel);
    cut_result result = cut_pieces(u, parallel);
    b->fell_back = result != CUT_OK;
    if (result != CUT_INCONSISTENT) return result == CUT_OK;
    if (b->grid.blocks == NULL && create_grid(b, parallel, NULL) != SHERD_OK) return false;
    return march_pieces(u, parallel);
}

sherd_status sherd_body_surface_update(body_surface *b, const body_frame *frame,
                                       const sherd_parallel *parallel, sherd_error *error)
{
    update u = {.b = b, .frame = frame};
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
