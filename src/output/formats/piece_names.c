#include "output/formats/piece_names.h"

#include "base/memory.h"
#include "math/point_bins.h"

#include <sherd/shape.h>

#include <math.h>
#include <stdio.h>

// So many places are tried for each element before the pieces that have none are given up.
enum { PLACES_PER_ELEMENT = 3, NO_NUMBER = -1, THOUSAND = 1000 };
// Farther from all elements, a place is outside the body: holes of loose packings are this large.
static const double REACH = 2.0; // radii

typedef struct packing {
    const sherd_run_model *model;
    sherd_element_index first;
} packing;

static sherd_vec3 rest_of(const void *context, int32_t k)
{
    const packing *p = context;
    sherd_element_index e = p->first + k;
    return (sherd_vec3){p->model->rest_x[e], p->model->rest_y[e], p->model->rest_z[e]};
}

// Of the shape, so that resolution doesn't matter, or of the elements.
static sherd_bounds box_of(const packing *p, sherd_element_index count, const sherd_shape *shape)
{
    if (shape != NULL) return sherd_shape_bounds(shape);
    sherd_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t k = 0; k < count; ++k) {
        sherd_vec3 x = rest_of(p, k);
        box.low = (sherd_vec3){fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z)};
        box.high =
            (sherd_vec3){fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z)};
    }
    return box;
}

// Digits of k mirrored at the point: evenly spread in [0, 1).
static double radical_inverse(uint64_t k, unsigned base)
{
    double value = 0.0, digit = 1.0 / base;
    for (; k > 0; k /= base, digit /= base)
        value += digit * (double)(k % base);
    return value;
}

static sherd_vec3 place(const sherd_bounds *box, uint64_t k)
{
    return (sherd_vec3){box->low.x + radical_inverse(k + 1, 2) * (box->high.x - box->low.x),
                        box->low.y + radical_inverse(k + 1, 3) * (box->high.y - box->low.y),
                        box->low.z + radical_inverse(k + 1, 5) * (box->high.z - box->low.z)};
}

// The element nearest to a place, counted from the body's first one; -1: none within reach.
static int32_t nearest(const sherd_point_bins *bins, sherd_vec3 at, double reach)
{
    double best = reach * reach;
    int32_t found = -1, begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(bins, at, reach);
    while (sherd_point_bins_next(bins, &rows, &begin, &end)) {
        for (int32_t k = begin; k < end; ++k) {
            double x = bins->point[k].x - at.x, y = bins->point[k].y - at.y,
                   z = bins->point[k].z - at.z, square = x * x + y * y + z * z;
            bool nearer = square < best || (square == best && bins->source[k] < found);
            if (!nearer) continue;
            best = square;
            found = bins->source[k];
        }
    }
    return found;
}

static int64_t thousandth(double x, double low, double high)
{
    double share = high > low ? (x - low) / (high - low) : 0.0;
    return (int64_t)fmin(fmax(share * THOUSAND, 0.0), THOUSAND - 1);
}

// Pieces without a place: -2 - the cell of their centre of mass.
static void number_rest(const sherd_fragment_view *view, const sherd_run_model *m,
                        const sherd_body_info *body, const sherd_bounds *box, double *sums,
                        int64_t *numbers)
{
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e) {
        double *sum = sums + 4 * (size_t)view->element_slot[e];
        const double row[4] = {m->mass[e] * m->rest_x[e], m->mass[e] * m->rest_y[e],
                               m->mass[e] * m->rest_z[e], m->mass[e]};
        for (int c = 0; c < 4; ++c)
            sum[c] += row[c];
    }
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e) {
        int32_t slot = view->element_slot[e];
        const double *sum = sums + 4 * (size_t)slot;
        if (numbers[slot] != NO_NUMBER) continue;
        int64_t x = thousandth(sum[0] / sum[3], box->low.x, box->high.x),
                y = thousandth(sum[1] / sum[3], box->low.y, box->high.y),
                z = thousandth(sum[2] / sum[3], box->low.z, box->high.z);
        numbers[slot] = -2 - (x + THOUSAND * (y + THOUSAND * z));
    }
}

static bool number_body(const sherd_fragment_view *view, const sherd_run_model *m, int b,
                        const sherd_shape *shape, double *sums, int64_t *numbers)
{
    const sherd_body_info *body = &m->bodies[b];
    const packing p = {m, body->first};
    sherd_bounds box = box_of(&p, body->count, shape);
    double radius = 0.0;
    int32_t open = 0;
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e) {
        radius = fmax(radius, m->radius[e]);
        open += view->fragments[view->element_slot[e]].first == e;
    }
    sherd_point_bins bins;
    const sherd_bin_size size = {REACH * radius, 1.0, 1.3};
    bool good = sherd_point_bins_build(&bins, rest_of, &p, body->count, size);
    uint64_t most = (uint64_t)body->count * PLACES_PER_ELEMENT;
    for (uint64_t k = 0; good && open > 0 && k < most; ++k) {
        int32_t e = nearest(&bins, place(&box, k), REACH * radius);
        int64_t *number = e >= 0 ? &numbers[view->element_slot[body->first + e]] : NULL;
        if (number == NULL || *number != NO_NUMBER) continue;
        *number = (int64_t)k;
        --open;
    }
    sherd_point_bins_release(&bins);
    if (good && open > 0) number_rest(view, m, body, &box, sums, numbers);
    return good;
}

bool sherd_piece_numbers(const sherd_fragment_view *view, const sherd_run_model *model,
                         const sherd_surface_body *bodies, int64_t *numbers)
{
    double *sums = sherd_alloc(4 * (size_t)view->count, sizeof *sums);
    for (int32_t k = 0; k < view->count; ++k)
        numbers[k] = NO_NUMBER;
    bool good = sums != NULL;
    for (int b = 0; good && b < model->body_count; ++b)
        if (model->bodies[b].count > 0)
            good = number_body(view, model, b, bodies[b].shape, sums, numbers);
    sherd_free(sums);
    return good;
}

void sherd_piece_name(const char *body, int64_t number, char name[SHERD_PIECE_NAME])
{
    int64_t cell = -2 - number;
    if (number >= 0)
        snprintf(name, SHERD_PIECE_NAME, "%.180s at %lld", body, (long long)number);
    else
        snprintf(name, SHERD_PIECE_NAME, "%.180s near %d %d %d", body, (int)(cell % THOUSAND),
                 (int)(cell / THOUSAND % THOUSAND), (int)(cell / THOUSAND / THOUSAND));
}
