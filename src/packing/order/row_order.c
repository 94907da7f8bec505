#include "packing/order/row_order.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/space_filling.h"
#include "math/vec3.h"
#include "packing/order/row_cells.h"
#include "packing/order/vector_runs.h"

#include <string.h>

// Length of a piece of a row: 64 such pieces next to each other make a compact block.
enum { PIECE = 64 };

// Lattice rows are used if at least this fraction of centres is followed by its neighbour.
static const double LEAST_LINKED = 0.3;
// Curved rows are used if at least this fraction of touching pairs is in runs. Below it most bonds
// are in no packet either way, and blocks in Morton order have fewer neighbours.
static const double LEAST_SHARE = 0.1;

// In spacings: rounding.
static const double EXACT = 1e-6;

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
        // Every second close-packed layer is shifted by a third of a row: 0.2 makes both whole
        // numbers.
        c->row[k] = rint((p.y - lattice->phase.y) / row - 0.2);
    }
}

// A whole number that increases with x; centres may be slightly outside the extents.
static uint64_t ascending(double x, double scale)
{
    return (uint64_t)fmax((x + 1024.0) * scale, 0.0);
}

// Stable sorts compose: along the row, then by position of the cross-section on its curve, then by
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

// The fraction of centres that are followed by their neighbour along the row.
static double linked_share(const row_columns *c, const uint32_t *order)
{
    size_t linked = 0;
    for (size_t k = 1; k < c->count; ++k) {
        uint32_t a = order[k - 1], b = order[k];
        linked += c->row[a] == c->row[b] && c->layer[a] == c->layer[b] &&
                  fabs(c->along[b] - c->along[a] - 1.0) < EXACT;
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

// Whether every centre is a site of the lattice.
static bool is_exact(const sherd_lattice *lattice, const sherd_centres *centres,
                     const row_columns *c)
{
    for (size_t k = 0; k < c->count; ++k) {
        int64_t row = (int64_t)c->row[k], layer = (int64_t)c->layer[k];
        sherd_vec3 first = sherd_lattice_site(lattice, 0, row, layer);
        sherd_vec3 way = vec3_sub(centres->point[k], first);
        double along = rint(vec3_dot(way, lattice->frame.u) / (2.0 * lattice->radius));
        sherd_vec3 site = sherd_lattice_site(lattice, (int64_t)along, row, layer);
        if (vec3_distance(site, centres->point[k]) > EXACT * lattice->radius) return false;
    }
    return true;
}

// The k-th element is then the one that was at index then[k].
static void compose(uint32_t *order, const uint32_t *then, uint32_t *scratch, size_t count)
{
    memcpy(scratch, order, count * sizeof *order);
    for (size_t k = 0; k < count; ++k)
        order[k] = scratch[then[k]];
}

typedef struct candidates {
    sherd_centres centres; // in the order of the lattice: neighbours are near in memory
    sherd_touch_list list;
    sherd_row_chains chains;
    uint32_t *by_lattice, *by_chains;
} candidates;

static bool make_candidates(candidates *c, const sherd_lattice *lattice,
                            const sherd_centres *centres, int threads, const uint32_t *order)
{
    size_t n = centres->count;
    c->centres = (sherd_centres){n, n, sherd_alloc(n, sizeof *c->centres.point)};
    c->by_lattice = sherd_alloc(n, sizeof *c->by_lattice);
    c->by_chains = sherd_alloc(n, sizeof *c->by_chains);
    if (c->centres.point == NULL || c->by_lattice == NULL || c->by_chains == NULL) return false;
    for (size_t k = 0; k < n; ++k) {
        c->centres.point[k] = centres->point[order[k]];
        c->by_lattice[k] = (uint32_t)k;
    }
    return sherd_touch_list_init(&c->list, &c->centres, lattice->radius, threads) &&
           sherd_row_chains_init(&c->chains, &c->centres, &c->list, lattice->frame.u) &&
           sherd_row_cells(&c->chains, &c->centres, lattice->radius, c->by_chains);
}

static void free_candidates(candidates *c)
{
    sherd_centres_free(&c->centres);
    sherd_touch_list_free(&c->list);
    sherd_row_chains_free(&c->chains);
    sherd_free(c->by_lattice);
    sherd_free(c->by_chains);
}

// Changes from the order of the lattice to that of chains if this has more pairs in runs; *share is
// the better fraction.
static bool improve(const sherd_lattice *lattice, const sherd_centres *centres, int threads,
                    uint32_t *order, double *share)
{
    candidates c = {0};
    bool done = make_candidates(&c, lattice, centres, threads, order);
    if (done) {
        double by_lattice = sherd_vector_run_fraction(&c.list, c.by_lattice);
        double by_chains = sherd_vector_run_fraction(&c.list, c.by_chains);
        done = by_lattice >= 0.0 && by_chains >= 0.0;
        *share = fmax(by_lattice, by_chains);
        if (by_chains > by_lattice) compose(order, c.by_chains, c.by_lattice, centres->count);
    }
    free_candidates(&c);
    return done;
}

bool sherd_row_order(const sherd_lattice *lattice, const sherd_centres *centres, int threads,
                     uint32_t *order)
{
    row_columns columns = {0};
    if (centres->count == 0) return true;
    bool done = allocate(&columns, centres->count);
    if (done) {
        fill_columns(lattice, centres, &columns);
        done = sort_rows(&columns, order);
    }
    bool rows_pay = false;
    double share = 0.0;
    if (done && is_exact(lattice, centres, &columns)) {
        rows_pay = linked_share(&columns, order) >= LEAST_LINKED;
    } else if (done && lattice->kind != SHERD_PACKING_CUBIC) { // cubic: loose grains
        done = improve(lattice, centres, threads, order, &share);
        rows_pay = share >= LEAST_SHARE;
    }
    if (done && !rows_pay) done = morton(centres, &columns, order);
    SHERD_ASSERT(!done || sherd_permutes(order, centres->count), "an order has each element once");
    release(&columns);
    return done;
}
