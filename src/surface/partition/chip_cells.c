#include "surface/partition/chip_cells.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"

#include <string.h>

// Seeds are moved randomly by up to this many radii along each axis. Without this, cells of a close
// packing are all alike; with more, cells of bonded elements need not touch.
static const double JITTER = 0.4;
// Amount by which u of elements that are not chips is lowered. The maximum u of several elements is
// convex, so a grid that interpolates it linearly makes chips too small: an isolated chip loses 20
// % of its volume, without this offset 40 %.
static const double HANDICAP = 0.3;
// Cells of touching elements end within two radii of their centres.
static const double CELL_REACH = 2.0;
static const double NEIGHBOUR_DISTANCE = 1.25; // [sums of radii]
static const uint64_t SEED = 0x63686970;       // "chip"

static double largest_of(const double *radius, int32_t count)
{
    double largest = 0.0;
    for (int32_t e = 0; e < count; ++e)
        largest = fmax(largest, radius[e]);
    return largest;
}

// The smallest radius of an element and its neighbours: seeds of small elements must stay away from
// those of large ones, or their cells would vanish.
static double min_around(const sherd_point_bins *b, const double *radius, int32_t k, double largest)
{
    double own = radius[b->source[k]], smallest = own;
    int32_t begin, end;
    sherd_bin_rows rows =
        sherd_point_bins_ball(b, b->point[k], NEIGHBOUR_DISTANCE * (own + largest));
    while (sherd_point_bins_next(b, &rows, &begin, &end))
        for (int32_t j = begin; j < end; ++j) {
            double r = radius[b->source[j]];
            if (vec3_distance(b->point[j], b->point[k]) <= NEIGHBOUR_DISTANCE * (own + r))
                smallest = fmin(smallest, r);
        }
    return smallest;
}

static sherd_vec3 jitter_of(int32_t element)
{
    uint64_t e = (uint64_t)element;
    return vec3(2.0 * sherd_random_uniform(SEED, 0, e) - 1.0,
                2.0 * sherd_random_uniform(SEED, 1, e) - 1.0,
                2.0 * sherd_random_uniform(SEED, 2, e) - 1.0);
}

bool sherd_chip_cells_create(chip_cells *c, const sherd_point_bins *elements, const double *radius,
                             double margin)
{
    size_t n = (size_t)elements->count;
    double largest = largest_of(radius, elements->count);
    *c = (chip_cells){.used = true,
                      .reach = CELL_REACH * largest + margin,
                      .jitter = sqrt(3.0) * JITTER * largest,
                      .inverse_unit = 1.0 / (largest * largest),
                      .seed = sherd_alloc(n, sizeof *c->seed),
                      .power = sherd_alloc(n, sizeof *c->power),
                      .is_chip = sherd_alloc(n, 1)};
    if (c->seed == NULL || c->power == NULL || c->is_chip == NULL) return false;
    for (int32_t k = 0; k < elements->count; ++k) {
        double r = radius[elements->source[k]];
        double offset = JITTER * min_around(elements, radius, k, largest);
        c->seed[k] = vec3_add_scaled(elements->point[k], offset, jitter_of(elements->source[k]));
        c->power[k] = r * r;
    }
    return true;
}

void sherd_chip_cells_release(chip_cells *c)
{
    sherd_free(c->seed);
    sherd_free(c->power);
    sherd_free(c->is_chip);
    *c = (chip_cells){0};
}

bool sherd_chip_cells_update(chip_cells *c, int32_t count, const sherd_fragment_id *label,
                             const double *weight, uint8_t *changed)
{
    key_map numbers = {0};
    int32_t *size = sherd_alloc((size_t)count, sizeof *size);
    int32_t *number = sherd_alloc((size_t)count, sizeof *number);
    bool ok = size != NULL && number != NULL;
    for (int32_t k = 0; ok && k < count; ++k) {
        bool same = k > 0 && label[k] == label[k - 1];
        number[k] = same ? number[k - 1] : sherd_key_map_insert(&numbers, (uint64_t)label[k]);
        ok = number[k] >= 0;
        if (ok) size[number[k]]++;
    }
    for (int32_t k = 0; ok && k < count; ++k) {
        uint8_t now = weight[k] != 1.0 || size[number[k]] <= CHIP_ELEMENTS;
        changed[k] |= now != c->is_chip[k];
        c->is_chip[k] = now;
    }
    sherd_key_map_release(&numbers);
    sherd_free(number);
    sherd_free(size);
    return ok;
}

// --- Of a box --------------------------------------------------------------------------------------

static bool add(cell_list *l, sherd_vec3 seed, double power, sherd_fragment_id label)
{
    size_t run = (size_t)l->count / CELL_LANES, lane = (size_t)l->count % CELL_LANES;
    if (!sherd_grow((void **)&l->runs, &l->capacity, run + 1, sizeof *l->runs)) return false;
    struct cell_run *r = &l->runs[run];
    r->x[lane] = seed.x, r->y[lane] = seed.y, r->z[lane] = seed.z;
    r->power[lane] = power;
    r->label[lane] = label;
    l->count++;
    return true;
}

static bool fill_up(cell_list *l)
{
    int32_t count = l->count;
    bool ok = true;
    while (ok && l->count % CELL_LANES != 0)
        ok = add(l, vec3(1e150, 0.0, 0.0), 0.0, 0);
    l->count = count;
    return ok;
}

static bool find_list(const chip_cells *c, const sherd_point_bins *elements,
                      const sherd_fragment_id *label, sherd_vec3 low, sherd_vec3 high, bool chips,
                      cell_list *out)
{
    bool ok = true;
    int32_t begin, end;
    out->count = 0;
    sherd_bin_rows rows = sherd_point_bins_rows(elements, low, high, c->reach + c->jitter);
    while (sherd_point_bins_next(elements, &rows, &begin, &end))
        for (int32_t k = begin; ok && k < end; ++k) {
            if ((c->is_chip[k] != 0) != chips) continue;
            sherd_vec3 s = c->seed[k];
            sherd_vec3 gap = vec3_sub(s, vec3_max(low, vec3_min(high, s)));
            if (vec3_dot(gap, gap) >= c->reach * c->reach) continue;
            ok = add(out, s, c->power[k], label[k]);
        }
    return ok && fill_up(out);
}

bool sherd_chip_cells_near(const chip_cells *c, const sherd_point_bins *elements,
                           const sherd_fragment_id *label, sherd_vec3 low, sherd_vec3 high,
                           cells_near *near)
{
    near->others.count = 0;
    return find_list(c, elements, label, low, high, true, &near->chips) &&
           (near->chips.count == 0 ||
            find_list(c, elements, label, low, high, false, &near->others));
}

void sherd_cells_near_release(cells_near *near)
{
    sherd_free(near->chips.runs);
    sherd_free(near->others.runs);
    *near = (cells_near){0};
}

// --- At a point ------------------------------------------------------------------------------------

// Retains the largest entry of each fragment.
static void enlist(strongest_list *l, sherd_fragment_id label, double value)
{
    int at = 0;
    while (at < l->count && l->label[at] != label)
        ++at;
    if (at < l->count && l->value[at] >= value) return;
    if (at == l->count) {
        if (l->count < CHIPS_STRONGEST)
            ++l->count;
        else if (l->value[--at] >= value)
            return;
    }
    for (; at > 0 && l->value[at - 1] < value; --at) {
        l->label[at] = l->label[at - 1];
        l->value[at] = l->value[at - 1];
    }
    l->label[at] = label;
    l->value[at] = value;
}

typedef double lanes __attribute__((vector_size(CELL_LANES * sizeof(double))));
typedef int64_t lane_mask __attribute__((vector_size(CELL_LANES * sizeof(int64_t))));

// Values of u for the elements of a run, times r^2; -INFINITY where the point is out of reach.
static inline __attribute__((always_inline)) void
find_powers(const struct cell_run *r, sherd_vec3 at, double reach2, lanes *u)
{
    lanes x, y, z, power;
    memcpy(&x, r->x, sizeof x);
    memcpy(&y, r->y, sizeof y);
    memcpy(&z, r->z, sizeof z);
    memcpy(&power, r->power, sizeof power);
    x -= at.x, y -= at.y, z -= at.z;
    lanes square = x * x + y * y + z * z;
    lane_mask reached = square < reach2;
    lanes nowhere = {0};
    nowhere -= INFINITY;
    *u = (lanes)(((lane_mask)(power - square) & reached) | ((lane_mask)nowhere & ~reached));
}

SHERD_WIDE(static, void, find_chips,
           (const cell_list *l, sherd_vec3 x, double reach2, double unit, strongest_list *out),
           (l, x, reach2, unit, out))
{
    for (int32_t first = 0; first < l->count; first += CELL_LANES) {
        const struct cell_run *r = &l->runs[first / CELL_LANES];
        lanes u;
        find_powers(r, x, reach2, &u);
        for (int j = 0; j < CELL_LANES; ++j)
            if (u[j] > -INFINITY) enlist(out, r->label[j], u[j] * unit);
    }
}

// The largest u. Labels matter only where no kernel reaches.
SHERD_WIDE(static, void, find_others,
           (const cell_list *l, sherd_vec3 x, double reach2, cells_at_point *out),
           (l, x, reach2, out))
{
    lanes highest = {0};
    lane_mask label = {0};
    highest -= INFINITY;
    for (int32_t first = 0; first < l->count; first += CELL_LANES) {
        const struct cell_run *r = &l->runs[first / CELL_LANES];
        lanes u;
        find_powers(r, x, reach2, &u);
        lane_mask more = u > highest, own;
        for (int j = 0; j < CELL_LANES; ++j)
            own[j] = r->label[j];
        highest = (lanes)(((lane_mask)u & more) | ((lane_mask)highest & ~more));
        label = (own & more) | (label & ~more);
    }
    for (int j = 0; j < CELL_LANES; ++j)
        if (highest[j] > out->others ||
            (highest[j] == out->others && isfinite(highest[j]) && label[j] < out->other_label)) {
            out->others = highest[j];
            out->other_label = (sherd_fragment_id)label[j];
        }
}

bool sherd_chip_cells_at(const chip_cells *c, const cells_near *near, sherd_vec3 x,
                         cells_at_point *out)
{
    double reach2 = c->reach * c->reach;
    out->chips.count = 0;
    out->other_label = 0;
    out->others = -INFINITY;
    find_chips(&near->chips, x, reach2, c->inverse_unit, &out->chips);
    if (out->chips.count == 0) return false;
    find_others(&near->others, x, reach2, out);
    out->others = out->others * c->inverse_unit - HANDICAP;
    return true;
}

void sherd_chip_cells_join(const cells_at_point *at, int count, const sherd_fragment_id *label,
                           const double *log, strongest_list *out)
{
    *out = at->chips;
    if (!isfinite(at->others)) return;
    if (count == 0) enlist(out, at->other_label, at->others);
    for (int k = 0; k < count; ++k)
        enlist(out, label[k], at->others + (log[k] - log[0]));
}
