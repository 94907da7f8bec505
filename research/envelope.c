// Row r of L is stored from its first entry that is not 0 in A to the diagonal: what lies left of it
// stays 0.
#include "base/error.h"
#include "base/memory.h"
#include "research/block_matrix.h"

#include <math.h>

struct sherd_envelope {
    int width;
    size_t size;      // unknowns
    size_t *place;    // of an element's first unknown (count)
    size_t *first;    // column that row r begins with (size)
    size_t *start;    // of row r in `rows` (size + 1)
    double *rows;     // A, then L
    double *diagonal; // D (size)
    double *work;     // (size)
};

static void find_places(const sherd_block_matrix *matrix, const sherd_element_index *order,
                        size_t *place)
{
    for (sherd_element_index k = 0; k < matrix->count; ++k)
        place[order[k]] = (size_t)k * (size_t)matrix->width;
}

// first[r] by bonds; rows beyond pair_width reach only their own element.
static void find_first(const sherd_block_matrix *matrix, const size_t *place, size_t *first)
{
    for (sherd_element_index k = 0; k < matrix->count; ++k)
        for (int r = 0; r < matrix->width; ++r)
            first[place[k] + (size_t)r] = place[k];
    for (int64_t b = 0; b < matrix->bond_count; ++b) {
        size_t i = place[matrix->bonds[b].i], j = place[matrix->bonds[b].j];
        size_t low = i < j ? i : j, high = i < j ? j : i;
        for (int r = 0; r < matrix->pair_width; ++r)
            if (low < first[high + (size_t)r]) first[high + (size_t)r] = low;
    }
}

double sherd_envelope_cost(const sherd_block_matrix *matrix, const sherd_element_index *order)
{
    size_t count = (size_t)matrix->count, size = count * (size_t)matrix->width;
    size_t *place = sherd_alloc(count, sizeof *place), *first = sherd_alloc(size, sizeof *first);
    double cost = 0.0;
    if (place == NULL || first == NULL) {
        cost = INFINITY;
    } else {
        find_places(matrix, order, place);
        find_first(matrix, place, first);
        for (size_t r = 0; r < size; ++r)
            cost += 0.5 * (double)(r - first[r]) * (double)(r - first[r]);
    }
    sherd_free(place);
    sherd_free(first);
    return cost;
}

sherd_envelope *sherd_envelope_create(const sherd_block_matrix *matrix,
                                      const sherd_element_index *order, sherd_error *error)
{
    sherd_envelope *e = sherd_alloc(1, sizeof *e);
    if (e == NULL) goto short_of_memory;
    e->width = matrix->width;
    e->size = (size_t)matrix->count * (size_t)matrix->width;
    e->place = sherd_alloc((size_t)matrix->count, sizeof *e->place);
    e->first = sherd_alloc(e->size, sizeof *e->first);
    e->start = sherd_alloc(e->size + 1, sizeof *e->start);
    e->diagonal = sherd_alloc(e->size, sizeof *e->diagonal);
    e->work = sherd_alloc(e->size, sizeof *e->work);
    if (e->place == NULL || e->first == NULL || e->start == NULL || e->diagonal == NULL ||
        e->work == NULL)
        goto short_of_memory;
    find_places(matrix, order, e->place);
    find_first(matrix, e->place, e->first);
    for (size_t r = 0; r < e->size; ++r)
        e->start[r + 1] = e->start[r] + (r - e->first[r] + 1);
    e->rows = sherd_alloc(e->start[e->size], sizeof *e->rows);
    if (e->rows != NULL) return e;
short_of_memory:
    sherd_envelope_destroy(e);
    sherd_fail_memory(error, "a factorisation");
    return NULL;
}

void sherd_envelope_destroy(sherd_envelope *envelope)
{
    if (envelope == NULL) return;
    sherd_free(envelope->place);
    sherd_free(envelope->first);
    sherd_free(envelope->start);
    sherd_free(envelope->rows);
    sherd_free(envelope->diagonal);
    sherd_free(envelope->work);
    sherd_free(envelope);
}

// ---------------------------------------------------------------- filling

static void add(sherd_envelope *e, size_t row, size_t column, double value)
{
    if (column <= row) e->rows[e->start[row] + (column - e->first[row])] += value;
}

static void add_node(sherd_envelope *e, const sherd_block_matrix *matrix, sherd_element_index k)
{
    int w = matrix->width;
    const double *block = matrix->nodes + (size_t)k * (size_t)(w * w);
    const bool *fixed = matrix->fixed + (size_t)k * (size_t)w;
    for (int r = 0; r < w; ++r)
        for (int c = 0; c <= r; ++c)
            if (!fixed[r] && !fixed[c])
                add(e, e->place[k] + (size_t)r, e->place[k] + (size_t)c, block[r * w + c]);
            else if (r == c)
                add(e, e->place[k] + (size_t)r, e->place[k] + (size_t)c, 1.0);
}

static void add_pair(sherd_envelope *e, const sherd_block_matrix *matrix, int64_t b)
{
    int w = matrix->pair_width, n = 2 * w;
    const double *block = matrix->pairs + (size_t)b * (size_t)(n * n);
    const sherd_element_index ends[2] = {matrix->bonds[b].i, matrix->bonds[b].j};
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) {
            sherd_element_index row = ends[r / w], column = ends[c / w];
            size_t at = (size_t)row * (size_t)matrix->width + (size_t)(r % w);
            size_t to = (size_t)column * (size_t)matrix->width + (size_t)(c % w);
            if (matrix->fixed[at] || matrix->fixed[to]) continue;
            add(e, e->place[row] + (size_t)(r % w), e->place[column] + (size_t)(c % w),
                block[r * n + c]);
        }
}

// ---------------------------------------------------------------- factors

// Eight sums side by side, so that compilers use vectors without reordering anything.
static double dot(size_t n, const double *a, const double *b)
{
    double sum[8] = {0.0}, total = 0.0;
    size_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int l = 0; l < 8; ++l)
            sum[l] += a[k + (size_t)l] * b[k + (size_t)l];
    for (; k < n; ++k)
        total += a[k] * b[k];
    return total + ((sum[0] + sum[4]) + (sum[1] + sum[5])) +
           ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

// Row r: u_rc = a_rc - sum_k u_rk l_ck with u = L D, then l_rc = u_rc / d_c.
static bool factor_row(sherd_envelope *e, size_t r)
{
    double *row = e->rows + e->start[r];
    size_t first = e->first[r];
    for (size_t c = first; c < r; ++c) {
        size_t from = first > e->first[c] ? first : e->first[c];
        row[c - first] -=
            dot(c - from, row + (from - first), e->rows + e->start[c] + (from - e->first[c]));
    }
    double pivot = row[r - first], whole = fabs(pivot);
    for (size_t c = first; c < r; ++c) {
        double u = row[c - first];
        row[c - first] = u / e->diagonal[c];
        pivot -= u * row[c - first];
        whole += fabs(u * row[c - first]);
    }
    e->diagonal[r] = pivot;
    return fabs(pivot) > 1e-16 * whole && isfinite(pivot);
}

sherd_status sherd_envelope_factor(sherd_envelope *envelope, const sherd_block_matrix *matrix,
                                   sherd_error *error)
{
    for (size_t k = 0; k < envelope->start[envelope->size]; ++k)
        envelope->rows[k] = 0.0;
    for (sherd_element_index k = 0; k < matrix->count; ++k)
        add_node(envelope, matrix, k);
    for (int64_t b = 0; b < matrix->bond_count; ++b)
        add_pair(envelope, matrix, b);
    for (size_t r = 0; r < envelope->size; ++r)
        if (!factor_row(envelope, r))
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "implicit step",
                              "the state is too far from a solution: take a smaller time step",
                              "the Newton matrix has no inverse (pivot %zu is %g)", r,
                              envelope->diagonal[r]);
    return SHERD_OK;
}

int64_t sherd_envelope_negative(const sherd_envelope *envelope)
{
    int64_t negative = 0;
    for (size_t r = 0; r < envelope->size; ++r)
        negative += envelope->diagonal[r] < 0.0;
    return negative;
}

static void permute_in(const sherd_envelope *e, const double *b, double *work)
{
    size_t w = (size_t)e->width;
    for (size_t k = 0; k < e->size / w; ++k)
        for (size_t c = 0; c < w; ++c)
            work[e->place[k] + c] = b[k * w + c];
}

void sherd_envelope_solve(const sherd_envelope *envelope, const double *b, double *x)
{
    const sherd_envelope *e = envelope;
    double *work = e->work;
    permute_in(e, b, work);
    for (size_t r = 0; r < e->size; ++r) // L y = b
        work[r] -= dot(r - e->first[r], e->rows + e->start[r], work + e->first[r]);
    for (size_t r = 0; r < e->size; ++r)
        work[r] /= e->diagonal[r];
    for (size_t r = e->size; r-- > 0;) { // L' x = y
        const double *row = e->rows + e->start[r];
        for (size_t c = e->first[r]; c < r; ++c)
            work[c] -= row[c - e->first[r]] * work[r];
    }
    size_t w = (size_t)e->width;
    for (size_t k = 0; k < e->size / w; ++k)
        for (size_t c = 0; c < w; ++c)
            x[k * w + c] = work[e->place[k] + c];
}
