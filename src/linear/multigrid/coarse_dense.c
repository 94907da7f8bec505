#include "linear/multigrid/coarse_dense.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { N = 6, MOST_SIZE = N * SHERD_COARSE_MOST_DENSE };

typedef double dense_matrix[MOST_SIZE][MOST_SIZE];

// ---------------------------------------------------------------- the matrix

static double packed(const float *numbers, size_t step, int row, int column)
{
    int high = row > column ? row : column, low = row > column ? column : row;
    return (double)numbers[(size_t)sherd_spring_entry(high, low) * step];
}

// A spring between the node of `row` and one at an offset from it: S on the diagonal, and -S T beside it, where T
// takes the other's motion at this node's centre. Of the lower triangle only.
static void add_spring(dense_matrix a, int row, int column, const float *spring,
                       const float *offset, size_t step)
{
    double r[3] = {(double)offset[0], (double)offset[step], (double)offset[2 * step]};
    const double turn[3][3] = {{0.0, r[2], -r[1]}, {-r[2], 0.0, r[0]}, {r[1], -r[0], 0.0}};
    for (int i = 0; i < N; ++i) {
        double s[N];
        for (int j = 0; j < N; ++j)
            s[j] = packed(spring, step, i, j);
        for (int j = 0; j < N; ++j) {
            double carried = s[j];
            for (int c = 0; j >= 3 && c < 3; ++c)
                carried += s[c] * turn[c][j - 3];
            a[N * row + i][N * row + j] += s[j];
            if (row > column) a[N * row + i][N * column + j] -= carried;
        }
    }
}

static void add_row(const sherd_coarse_level *level, dense_matrix a, int32_t row)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            a[N * row + i][N * row + j] += packed(level->ground + row, level->stride, i, j);
    int64_t entries = row < level->joined ? level->row_start[row + 1] - level->row_start[row] : 0;
    for (int64_t e = level->row_start[row]; e < level->row_start[row] + entries; ++e) {
        const float *entry = sherd_coarse_entry(level, row, e);
        add_spring(a, row, level->neighbour[e], entry,
                   entry + SHERD_SPRING_NUMBERS * SHERD_COARSE_LANES, SHERD_COARSE_LANES);
    }
    for (int32_t k = level->contact_start[row]; k < level->contact_start[row + 1]; ++k) {
        const sherd_coarse_contact *contact = &level->contacts[k];
        add_spring(a, row, contact->column, contact->spring, contact->offset, 1);
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
static void solve_for_unit(dense_matrix l, int size, int column, double x[MOST_SIZE])
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
    if (level->used == 0 || level->used > SHERD_COARSE_MOST_DENSE) return SHERD_OK;
    int size = N * level->used;
    if (level->inverse == NULL) {
        level->inverse = sherd_alloc((size_t)MOST_SIZE * MOST_SIZE, sizeof *level->inverse);
        if (level->inverse == NULL) return sherd_fail_memory(error, "the coarsest clusters");
    }
    dense_matrix a;
    memset(a, 0, sizeof a);
    for (int32_t row = 0; row < level->used; ++row)
        add_row(level, a, row);
    if (!factorise(a, size)) return SHERD_OK;
    for (int column = 0; column < size; ++column) {
        double x[MOST_SIZE];
        solve_for_unit(a, size, column, x);
        for (int row = 0; row < size; ++row)
            level->inverse[column * MOST_SIZE + row] = (float)x[row];
    }
    level->inverse_size = size;
    return SHERD_OK;
}

size_t sherd_coarse_dense_bytes(const sherd_coarse_level *level)
{
    return level->inverse != NULL ? (size_t)MOST_SIZE * MOST_SIZE * sizeof *level->inverse : 0;
}

// ---------------------------------------------------------------- solving

// Numbers are in the matrix node by node, in vectors freedom by freedom.
void sherd_coarse_dense_solve(const sherd_coarse_level *level)
{
    const float *b = sherd_coarse_vector(level, SHERD_COARSE_RIGHT);
    float *x = sherd_coarse_vector(level, SHERD_COARSE_SOLUTION), sums[MOST_SIZE] = {0.0F};
    for (int k = 0; k < level->inverse_size; ++k) {
        float load = b[(size_t)(k % N) * level->stride + (size_t)(k / N)];
        const float *column = level->inverse + k * MOST_SIZE;
        for (int row = 0; row < MOST_SIZE; ++row)
            sums[row] += column[row] * load;
    }
    for (size_t c = 0; c < N; ++c)
        memset(x + c * level->stride, 0, SHERD_COARSE_LANES * sizeof *x);
    for (int k = 0; k < level->inverse_size; ++k)
        x[(size_t)(k % N) * level->stride + (size_t)(k / N)] = sums[k];
}
