#include "packing/row_order.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/space_filling.h"
#include "math/vec3.h"

// Sites of a row that stay together: 64 pieces of this length side by side make a compact block.
enum { PIECE = 64 };

// Rows pay when at least this share of centres is followed by its neighbour.
static const double LEAST_LINKED = 0.3;

// How far from one spacing along the row the next centre may be. Outer layers that were relaxed onto
// a surface are off their sites and are rows all the same; a gap or a site taken twice, which is off
// by one, is not.
static const double ASTRAY = 0.25;

// Centres as columns, along the rows, across them in the layer, and across layers.
typedef struct row_columns {
    size_t count;
    double *along, *row, *layer; // in lattice spacings; row and layer are whole numbers
    sherd_sort_pair *pairs;
    uint32_t *curve; // of the pieces' cross-sections
} row_columns;

static bool allocate(row_columns *c, size_t count)
{
    c->count = count;
    c->along = sherd_alloc(count, sizeof *c->along);
    c->row = sherd_alloc(count, sizeof *c->row);
    c->layer = sherd_alloc(count, sizeof *c->layer);
    c->pairs = sherd_alloc(count, sizeof *c->pairs);
    c->curve = sherd_alloc(count, sizeof *c->curve);
    return c->along != NULL && c->row != NULL && c->layer != NULL && c->pairs != NULL &&
           c->curve != NULL;
}

static void release(row_columns *c)
{
    sherd_free(c->along);
    sherd_free(c->row);
    sherd_free(c->layer);
    sherd_free(c->pairs);
    sherd_free(c->curve);
}

static void fill_columns(const sherd_lattice *lattice, const sherd_centres *centres, row_columns *c)
{
    double r = lattice->radius;
    double row = sherd_lattice_row_spacing(lattice->kind) * r;
    double layer = sherd_lattice_layer_spacing(lattice->kind) * r;
    for (size_t k = 0; k < c->count; ++k) {
        sherd_vec3 p = sherd_frame_to_local(&lattice->frame, centres->point[k]);
        c->along[k] = (p.x - lattice->low.x) / (2.0 * r);
        c->layer[k] = rint((p.z - lattice->phase.z) / layer);
        // Every second close-packed layer is shifted by a third of a row: 0.2 keeps both whole.
        c->row[k] = rint((p.y - lattice->phase.y) / row - 0.2);
    }
}

// A whole number that grows with x; centres may lie a little outside the extents.
static uint64_t ascending(double x, double scale)
{
    return (uint64_t)fmax((x + 1024.0) * scale, 0.0);
}

// Stable sorts compose: along the row, then by the cross-section's place on its curve, then by
// piece.
static bool sort_rows(row_columns *c, uint32_t *order)
{
    size_t n = c->count;
    for (size_t k = 0; k < n; ++k)
        c->pairs[k] = (sherd_sort_pair){ascending(c->along[k], 0x1p24), (uint32_t)k};
    if (!sherd_sort_pairs(c->pairs, n)) return false;
    // The Morton order of cross-sections keeps equal ones in the order given: along the row.
    double *flat[3] = {sherd_alloc(n, sizeof(double)), sherd_alloc(n, sizeof(double)),
                       sherd_alloc(n, sizeof(double))};
    bool done = flat[0] != NULL && flat[1] != NULL && flat[2] != NULL;
    for (size_t k = 0; k < n && done; ++k) {
        flat[1][k] = c->row[c->pairs[k].value];
        flat[2][k] = c->layer[c->pairs[k].value];
        order[k] = c->pairs[k].value;
    }
    done = done && sherd_morton_order(flat[0], flat[1], flat[2], n, c->curve);
    for (size_t k = 0; k < n && done; ++k) {
        uint32_t centre = order[c->curve[k]];
        c->pairs[k] = (sherd_sort_pair){ascending(c->along[centre], 1.0 / PIECE), centre};
    }
    done = done && sherd_sort_pairs(c->pairs, n);
    for (size_t k = 0; k < n && done; ++k)
        order[k] = c->pairs[k].value;
    for (int a = 0; a < 3; ++a)
        sherd_free(flat[a]);
    return done;
}

// The share of centres whose neighbour along the row comes next.
static double linked_share(const row_columns *c, const uint32_t *order)
{
    size_t linked = 0;
    for (size_t k = 1; k < c->count; ++k) {
        uint32_t a = order[k - 1], b = order[k];
        linked += c->row[a] == c->row[b] && c->layer[a] == c->layer[b] &&
                  fabs(c->along[b] - c->along[a] - 1.0) < ASTRAY;
    }
    return (double)linked / (double)c->count;
}

static bool morton(const sherd_centres *centres, row_columns *c, uint32_t *order)
{
    for (size_t k = 0; k < c->count; ++k) {
        c->along[k] = centres->point[k].x;
        c->row[k] = centres->point[k].y;
        c->layer[k] = centres->point[k].z;
    }
    return sherd_morton_order(c->along, c->row, c->layer, c->count, order);
}

bool sherd_row_order(const sherd_lattice *lattice, const sherd_centres *centres, uint32_t *order)
{
    row_columns columns = {0};
    if (centres->count == 0) return true;
    bool done = allocate(&columns, centres->count);
    if (done) {
        fill_columns(lattice, centres, &columns);
        done = sort_rows(&columns, order);
        if (done && linked_share(&columns, order) < LEAST_LINKED)
            done = morton(centres, &columns, order);
    }
    release(&columns);
    return done;
}
