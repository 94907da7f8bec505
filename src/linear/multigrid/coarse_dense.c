#include "linear/multigrid/coarse_dense.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { N = 6, MAX_SIZE = N * SHERD_COARSE_MAX_DENSE };

typedef double dense_matrix[MAX_SIZE][MAX_SIZE];

// ---------------------------------------------------------------- the matrix

static int packed_at(int row, int column)
{
    return row > column ? sherd_spring_entry(row, column) : sherd_spring_entry(column, row);
}

// Lower triangle only, S on the diagonal of `row`.
static void add_ground(dense_matrix a, int row, const double s[SHERD_SPRING_NUMBERS])
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j)
            a[N * row + i][N * row + j] += s[packed_at(i, j)];
}

// A spring between the node of `row` and a later one at an offset, with S acting on the difference
// x - T x' of motions, where T transfers the other's motion to this node's centre: S, -S T and T' S
// T are computed from the same numbers, so that common motions have no energy except for double
// precision's rounding. Their inertia in a long step is at most 1e-9 of S; single precision's
// rounding would be larger, and of either sign.
static void add_spring(dense_matrix a, int row, int column, const double s[SHERD_SPRING_NUMBERS],
                       const double r[3])
{
    const double cross_matrix[3][3] = {{0.0, r[2], -r[1]}, {-r[2], 0.0, r[0]}, {r[1], -r[0], 0.0}};
    double carried[N][N]; // S T
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            carried[i][j] = s[packed_at(i, j)];
            for (int c = 0; j >= 3 && c < 3; ++c)
                carried[i][j] += s[packed_at(i, c)] * cross_matrix[c][j - 3];
        }
    add_ground(a, row, s);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            a[N * column + i][N * row + j] -= carried[j][i];
            double there = carried[i][j]; // T' S T
            for (int c = 0; i >= 3 && c < 3; ++c)
                there += cross_matrix[c][i - 3] * carried[c][j];
            if (j <= i) a[N * column + i][N * column + j] += there;
        }
}

// Every spring once, at the first of its rows.
static void add_row(const sherd_coarse_level *level, dense_matrix a, int32_t row)
{
    double spring[SHERD_SPRING_NUMBERS], offset[3];
    for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n)
        spring[n] = level->exact_ground[n * level->stride + (size_t)row];
    add_ground(a, row, spring);
    int64_t entries = row < level->joined ? level->row_start[row + 1] - level->row_start[row] : 0;
    for (int64_t e = level->row_start[row]; e < level->row_start[row] + entries; ++e) {
        if (level->neighbour[e] < row) continue;
        const float *entry = sherd_coarse_entry(level, row, e);
        for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
            spring[n] = (double)entry[n * SHERD_COARSE_LANES];
        for (int c = 0; c < 3; ++c)
            offset[c] = (double)entry[(SHERD_SPRING_NUMBERS + c) * SHERD_COARSE_LANES];
        add_spring(a, row, level->neighbour[e], spring, offset);
    }
    for (int32_t k = level->contact_start[row]; k < level->contact_start[row + 1]; ++k) {
        const sherd_coarse_contact *contact = &level->contacts[k];
        if (contact->column < row) continue;
        if ((size_t)contact->column + 1 == level->stride) {
            add_ground(a, row, contact->spring);
            continue;
        }
        for (int c = 0; c < 3; ++c)
            offset[c] = (double)contact->offset[c];
        add_spring(a, row, contact->column, contact->spring, offset);
    }
}

// ---------------------------------------------------------------- its inverse

// A = L L'. False: it is not positive definite.
static bool factorise(dense_matrix a, int size)
{
    for (int k = 0; k < size; ++k) {
        double pivot = a[k][k];
        for (int c = 0; c < k; ++c)
            pivot -= a[k][c] * a[k][c];
        if (!(pivot > 0.0) || !isfinite(pivot)) return false;
        a[k][k] = sqrt(pivot);
        for (int row = k + 1; row < size; ++row) {
            double sum = a[row][k];
            for (int c = 0; c < k; ++c)
                sum -= a[row][c] * a[k][c];
            a[row][k] = sum / a[k][k];
        }
    }
    return true;
}

// Column `column` of the inverse, by L y = e and L' x = y.
static void solve_for_unit(dense_matrix l, int size, int column, double x[MAX_SIZE])
{
    for (int k = 0; k < size; ++k) {
        double sum = k == column ? 1.0 : 0.0;
        for (int c = column; c < k; ++c)
            sum -= l[k][c] * x[c];
        x[k] = k < column ? 0.0 : sum / l[k][k];
    }
    for (int k = size - 1; k >= 0; --k) {
        x[k] /= l[k][k];
        for (int c = 0; c < k; ++c)
            x[c] -= l[k][c] * x[k];
    }
}

sherd_status sherd_coarse_dense_refresh(sherd_coarse_level *level, sherd_error *error)
{
    level->inverse_size = 0;
    if (level->used == 0 || level->used > SHERD_COARSE_MAX_DENSE) return SHERD_OK;
    int size = N * level->used;
    if (level->inverse == NULL) {
        level->inverse = sherd_alloc((size_t)MAX_SIZE * MAX_SIZE, sizeof *level->inverse);
        if (level->inverse == NULL) return sherd_fail_memory(error, "the coarsest clusters");
    }
    dense_matrix a;
    memset(a, 0, sizeof a);
    for (int32_t row = 0; row < level->used; ++row)
        add_row(level, a, row);
    if (!factorise(a, size)) return SHERD_OK;
    for (int column = 0; column < size; ++column) {
        double x[MAX_SIZE];
        solve_for_unit(a, size, column, x);
        for (int row = 0; row < size; ++row)
            level->inverse[column * MAX_SIZE + row] = x[row];
    }
    level->inverse_size = size;
    return SHERD_OK;
}

size_t sherd_coarse_dense_bytes(const sherd_coarse_level *level)
{
    return level->inverse != NULL ? (size_t)MAX_SIZE * MAX_SIZE * sizeof *level->inverse : 0;
}

// ---------------------------------------------------------------- solution

// The matrix is ordered node by node, vectors freedom by freedom.
void sherd_coarse_dense_solve(const sherd_coarse_level *level)
{
    SHERD_ASSERT(level->inverse_size == N * level->used && level->inverse_size <= MAX_SIZE,
                 "the inverse is that of the present clusters");
    const float *b = sherd_coarse_vector(level, SHERD_COARSE_RIGHT);
    float *x = sherd_coarse_vector(level, SHERD_COARSE_SOLUTION);
    double sums[MAX_SIZE] = {0.0};
    for (int k = 0; k < level->inverse_size; ++k) {
        double load = (double)b[(size_t)(k % N) * level->stride + (size_t)(k / N)];
        const double *column = level->inverse + k * MAX_SIZE;
        for (int row = 0; row < level->inverse_size; ++row)
            sums[row] += column[row] * load;
    }
    for (size_t c = 0; c < N; ++c)
        memset(x + c * level->stride, 0, SHERD_COARSE_LANES * sizeof *x);
    for (int k = 0; k < level->inverse_size; ++k)
        x[(size_t)(k % N) * level->stride + (size_t)(k / N)] = (float)sums[k];
}
