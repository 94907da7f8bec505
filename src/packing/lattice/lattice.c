// The lattice is divided recursively into blocks of sites. As the signed distance is 1-Lipschitz,
// one query at a block's centre often decides for the whole block:
//
//      distance > reach            everything outside, dropped
//      distance < -reach - r       everything inside, no further queries
//      otherwise                   split, down to 4 x 4 x 4 sites, which are queried one by one
#include "packing/lattice/lattice.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/vec3.h"

enum {
    LEAF = 4, // sites along an edge of the smallest block: a 64-bit mask per block
    BLOCKS_A_CHUNK = 64,
    LEAVES_A_CHUNK = 4, // up to 64 distances each
};

typedef struct block {
    int64_t first[3];
    int32_t size[3];
    bool inside;   // decided without queries of single sites
    uint64_t mask; // of sites inside, for leaves
    size_t start;  // index of its first site among the centres
    int32_t surface_sites;
    double surface_gap; // sum over surface sites [m]
} block;

typedef struct block_list {
    block *item;
    size_t count, capacity;
} block_list;

double sherd_lattice_row_spacing(sherd_packing_kind kind)
{
    return kind == SHERD_PACKING_CUBIC ? 2.0 : sqrt(3.0);
}

double sherd_lattice_layer_spacing(sherd_packing_kind kind)
{
    return kind == SHERD_PACKING_CUBIC ? 2.0 : sqrt(8.0 / 3.0);
}

double sherd_lattice_cell_volume(sherd_packing_kind kind)
{
    return 2.0 * sherd_lattice_row_spacing(kind) * sherd_lattice_layer_spacing(kind);
}

// Site (i, j, k) relative to site (0, 0, 0), for r = 1. Close packing: every second row is shifted
// by half a spacing, every second layer is in the hollows of the one below (A B A B).
static sherd_vec3 unit_site(sherd_packing_kind kind, int64_t i, int64_t j, int64_t k)
{
    double row = sherd_lattice_row_spacing(kind), layer = sherd_lattice_layer_spacing(kind);
    if (kind == SHERD_PACKING_CUBIC)
        return vec3(2.0 * (double)i, row * (double)j, layer * (double)k);
    return vec3(2.0 * (double)i + (double)((j + k) & 1), row * ((double)j + (double)(k & 1) / 3.0),
                layer * (double)k);
}

static sherd_vec3 site_in_frame(const sherd_lattice *lattice, int64_t i, int64_t j, int64_t k)
{
    return vec3_add_scaled(lattice->phase, lattice->radius, unit_site(lattice->kind, i, j, k));
}

sherd_vec3 sherd_lattice_site(const sherd_lattice *lattice, int64_t i, int64_t j, int64_t k)
{
    return sherd_frame_from_local(&lattice->frame, site_in_frame(lattice, i, j, k));
}

void sherd_centres_free(sherd_centres *centres)
{
    sherd_free(centres->point);
    *centres = (sherd_centres){0};
}

// ---- Cutting into blocks --------------------------------------------------------------------

typedef struct cutter {
    const sherd_lattice *lattice;
    const sherd_shape *shape;
    double slack;
    block_list *list;
} cutter;

// Centre of a block of sites, and the distance of its farthest site.
static sherd_vec3 block_centre(const sherd_lattice *lattice, const block *b, double *reach)
{
    int64_t i = b->first[0], j = b->first[1], k = b->first[2];
    sherd_vec3 first = site_in_frame(lattice, i, j, k);
    sherd_vec3 last =
        site_in_frame(lattice, i + b->size[0] - 1, j + b->size[1] - 1, k + b->size[2] - 1);
    // Shifted rows and layers protrude by up to r along u and r / sqrt(3) along v.
    double r = lattice->radius;
    sherd_vec3 low = vec3_sub(vec3_min(first, last), vec3(r, r, 0.0));
    sherd_vec3 high = vec3_add(vec3_max(first, last), vec3(r, r, 0.0));
    *reach = 0.5 * vec3_distance(low, high);
    return sherd_frame_from_local(&lattice->frame, vec3_scale(0.5, vec3_add(low, high)));
}

static bool append_block(cutter *cut, block b)
{
    block_list *list = cut->list;
    if (!sherd_grow((void **)&list->item, &list->capacity, list->count + 1, sizeof *list->item))
        return false;
    list->item[list->count++] = b;
    return true;
}

static bool cut_block(cutter *cut, block b)
{
    double reach, r = cut->lattice->radius;
    sherd_vec3 centre = block_centre(cut->lattice, &b, &reach);
    // Closer to the surface than this, the block is split in any case.
    double split = fmax(reach - r + cut->slack, 0.0);
    double distance = sherd_shape_distance_between(
        cut->shape, centre, (sherd_distance_range){split, INFINITY}, NULL, NULL);
    if (distance - reach > -r + cut->slack) return true;
    // Beyond 2 r a site is no surface site.
    b.inside = distance + reach <= -2.0 * r;
    int longest = 0;
    for (int a = 1; a < 3; ++a)
        if (b.size[a] > b.size[longest]) longest = a;
    if (b.inside || b.size[longest] <= LEAF) return append_block(cut, b);
    block half = b;
    // Whole leaves on the left, so that leaves are full.
    int32_t left = (b.size[longest] / 2 + LEAF - 1) / LEAF * LEAF;
    b.size[longest] = left;
    half.first[longest] += left;
    half.size[longest] -= left;
    return cut_block(cut, b) && cut_block(cut, half);
}

// ---- Asking the leaves ----------------------------------------------------------------------

// Sites whose side of the surface determines that of one 2 r away if there is no surface between:
// the previous one in its row, else the first of the previous row, else the first of the previous
// layer.
typedef struct asked_sites {
    sherd_known_side last, row, layer;
} asked_sites;

static const sherd_known_side *asked_before(const asked_sites *asked, int i, int j)
{
    return i > 0 ? &asked->last : j > 0 ? &asked->row : &asked->layer;
}

// Depth of a site, limited to the relevant range from r to 2 r.
static double site_depth(const cutter *cut, const block *b, const int site[3], asked_sites *asked)
{
    double r = cut->lattice->radius, low = r - cut->slack;
    // Rounding: a site 2 r away must be within the requested distance.
    sherd_distance_range range = {low, 2.0 * r * (1.0 + 1e-6)};
    sherd_vec3 p = sherd_lattice_site(cut->lattice, b->first[0] + site[0], b->first[1] + site[1],
                                      b->first[2] + site[2]);
    double distance = sherd_shape_distance_between(cut->shape, p, range,
                                                   asked_before(asked, site[0], site[1]), NULL);
    asked->last = (sherd_known_side){p, distance <= -low  ? SHERD_SIDE_INSIDE
                                        : distance >= low ? SHERD_SIDE_OUTSIDE
                                                          : SHERD_SIDE_UNKNOWN};
    if (site[0] == 0) asked->row = asked->last;
    if (site[0] == 0 && site[1] == 0) asked->layer = asked->last;
    return -distance;
}

static void test_leaf(const cutter *cut, block *b)
{
    double r = cut->lattice->radius;
    int bit = 0;
    asked_sites asked = {0};
    for (int k = 0; k < b->size[2]; ++k) {
        for (int j = 0; j < b->size[1]; ++j) {
            for (int i = 0; i < b->size[0]; ++i, ++bit) {
                double depth = site_depth(cut, b, (int[3]){i, j, k}, &asked);
                if (!(depth >= r - cut->slack)) continue;
                b->mask |= UINT64_C(1) << bit;
                if (depth >= 2.0 * r) continue;
                ++b->surface_sites;
                b->surface_gap += fmax(depth - r, 0.0);
            }
        }
    }
}

static void test_blocks(void *context, size_t begin, size_t end)
{
    const cutter *cut = context;
    for (size_t k = begin; k < end; ++k)
        if (!cut->list->item[k].inside) test_leaf(cut, &cut->list->item[k]);
}

static int64_t block_sites(const block *b)
{
    if (b->inside) return (int64_t)b->size[0] * b->size[1] * b->size[2];
    return __builtin_popcountll(b->mask);
}

static void add_up(block_list *list, sherd_lattice_count *count)
{
    *count = (sherd_lattice_count){0};
    double gap = 0.0;
    for (size_t k = 0; k < list->count; ++k) {
        block *b = &list->item[k];
        b->start = (size_t)count->sites;
        count->sites += block_sites(b);
        count->surface_sites += b->surface_sites;
        gap += b->surface_gap;
    }
    if (count->surface_sites > 0) count->surface_gap = gap / (double)count->surface_sites;
}

// ---- Writing the centres --------------------------------------------------------------------

typedef struct writer {
    const cutter *cut;
    sherd_vec3 *point;
} writer;

static void write_blocks(void *context, size_t begin, size_t end)
{
    const writer *write = context;
    for (size_t n = begin; n < end; ++n) {
        const block *b = &write->cut->list->item[n];
        sherd_vec3 *out = write->point + b->start;
        int bit = 0;
        for (int k = 0; k < b->size[2]; ++k)
            for (int j = 0; j < b->size[1]; ++j)
                for (int i = 0; i < b->size[0]; ++i, ++bit)
                    if (b->inside || (b->mask >> bit & 1))
                        *out++ = sherd_lattice_site(write->cut->lattice, b->first[0] + i,
                                                    b->first[1] + j, b->first[2] + k);
    }
}

// The block of all sites whose spheres may lie within the extents. False if it is absurdly large.
static bool whole_lattice(const sherd_lattice *lattice, block *b)
{
    double r = lattice->radius;
    double spacing[3] = {2.0 * r, sherd_lattice_row_spacing(lattice->kind) * r,
                         sherd_lattice_layer_spacing(lattice->kind) * r};
    double low[3] = {lattice->low.x, lattice->low.y, lattice->low.z};
    double high[3] = {lattice->high.x, lattice->high.y, lattice->high.z};
    double phase[3] = {lattice->phase.x, lattice->phase.y, lattice->phase.z};
    for (int a = 0; a < 3; ++a) {
        // One more at the low end for rows and layers that are shifted up.
        double first = floor((low[a] - phase[a]) / spacing[a]) - 1.0;
        double last = ceil((high[a] - phase[a]) / spacing[a]);
        if (!(last - first < 1e9) || !(fabs(first) < 1e9)) return false;
        b->first[a] = (int64_t)first;
        b->size[a] = (int32_t)(last - first) + 1;
    }
    if (lattice->layers > 0) {
        b->first[2] = 0;
        b->size[2] = lattice->layers;
    }
    return true;
}

static sherd_status append_centres(const cutter *cut, int threads, int64_t sites,
                                   sherd_centres *centres, sherd_error *error)
{
    size_t needed = centres->count + (size_t)sites;
    if (!sherd_grow((void **)&centres->point, &centres->capacity, needed, sizeof *centres->point))
        return sherd_fail_memory(error, "packing: element centres");
    writer write = {.cut = cut, .point = centres->point + centres->count};
    sherd_parallel_for(&(sherd_parallel){threads}, cut->list->count, BLOCKS_A_CHUNK, write_blocks,
                       &write);
    centres->count = needed;
    return SHERD_OK;
}

sherd_status sherd_lattice_fill(const sherd_lattice *lattice, const sherd_shape *shape,
                                double slack, int threads, sherd_lattice_count *count,
                                sherd_centres *centres, sherd_error *error)
{
    block whole = {0};
    block_list list = {0};
    cutter cut = {.lattice = lattice, .shape = shape, .slack = slack, .list = &list};
    if (!whole_lattice(lattice, &whole))
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", "use a larger radius",
                          "%g m is far too small for a shape %g m across", lattice->radius,
                          vec3_distance(lattice->low, lattice->high));
    sherd_status status = SHERD_OK;
    if (!cut_block(&cut, whole)) {
        status = sherd_fail_memory(error, "packing: lattice blocks");
    } else {
        sherd_parallel_for(&(sherd_parallel){threads}, list.count, LEAVES_A_CHUNK, test_blocks,
                           &cut);
        add_up(&list, count);
        if (centres != NULL && count->sites <= lattice->most)
            status = append_centres(&cut, threads, count->sites, centres, error);
    }
    sherd_free(list.item);
    return status;
}
